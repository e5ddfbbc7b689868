"""Nomad denizens: campaigns, moved cards, The Gathering."""

from __future__ import annotations

from pbem.engine.core.text import Text
from pbem.engine.oath import cards as _cards
from pbem.engine.oath.actions.minor import offer_adviser
from pbem.engine.oath.battle_queries import MayPlace
from pbem.engine.oath.events import Arrived

from ..inventing import ATTACK, Made, fought, on, steppe
from ..positions import BELA, CARA, OREN, YARA, Stage, count

assert _cards


# Great Herd


def herd() -> Stage:
    stage = Stage().site("wastes", cards=["elders", "wolves"]).site("steppe", cards=["tents"])
    stage.seat(YARA, at="river", facedown=["great_herd"])
    stage.g.map[stage.slot("wastes")].cards[0].favor += 1
    stage.g.shared -= 1
    return stage.act(YARA, offer_adviser).does(YARA, "play adviser great herd", "play to river")


def test_great_herd_changes_places_with_a_nomad_card() -> None:
    stage = herd()
    assert stage.options(YARA) == ["Tents at Steppe", "Elders at Wastes", "none"]
    banks = dict(stage.g.banks)
    stage.does(YARA, "elders")
    assert [c.id for c in stage.g.map[stage.slot("wastes")].cards] == ["great_herd", "wolves"]
    assert [(c.id, c.favor) for c in stage.g.map[0].cards] == [("elders", 1)]
    assert stage.g.banks == banks, "the card that comes is not played"
    count(stage)


def test_great_herd_may_stay() -> None:
    stage = herd().does(YARA, "none")
    assert [c.id for c in stage.g.map[0].cards] == ["great_herd"]


def test_great_herd_leaves_locked_cards_alone() -> None:
    stage = Stage().site("wastes", cards=["faithful_friend"]).seat(YARA, at="river", facedown=["great_herd"])
    stage.act(YARA, offer_adviser).does(YARA, "play adviser great herd", "play to river")
    assert stage.asked() == {}


# Horse Archers


def test_horse_archers_ride_for_an_attacker_and_leave() -> None:
    stage = steppe().seat(YARA, advisers=["horse_archers"]).dice(attack="3 3 3 3 3 3", defense="0")
    fought(stage).does(YARA, "plan horse archers")
    assert "Attack dice 6, defense dice 1 are rolled." in stage.heard()
    stage.does(YARA, "place 0")
    assert stage.player(YARA).advisers == []
    assert stage.g.piles["hinterland"][-1].card.under_seal() == "horse_archers"


def test_horse_archers_take_dice_from_an_attacker() -> None:
    stage = fought(
        steppe().seat(CARA, at="river", advisers=["horse_archers"]).dice(defense="0 0"),
        ATTACK.replace("3", "2"),
    )
    stage.does(CARA, "plan horse archers").does(YARA, "sacrifice nothing")
    assert "Attack dice 0, defense dice 2 are rolled." in stage.heard()
    assert stage.player(CARA).advisers == []


# Rain Boots


def test_rain_boots_make_single_shields_worthless() -> None:
    stage = Stage().site("steppe", ruler=CARA, warbands=1).title(OREN)
    stage.seat(CARA, at="steppe", relics=["map"])
    stage.seat(YARA, at="steppe", warbands=3, advisers=["rain_boots"]).dice(attack="0 0 0", defense="2 3 4 5")
    fought(stage, "campaign against cara at steppe, map with 3").does(YARA, "plan rain boots")
    assert [line for line in stage.heard() if "4 for shields and 1 for its force make 5." in line]
    assert stage.player(YARA).advisers == []
    count(stage)


def test_rain_boots_are_no_plan_of_a_defender() -> None:
    assert CARA not in fought(steppe().seat(CARA, advisers=["rain_boots"])).asked()


# The Gathering


def gathering() -> Stage:
    stage = Stage().seat(YARA, at="river", favor=1, facedown=["the_gathering"]).seat(CARA, at="wastes")
    stage.seat(OREN, at="wastes", advisers=["elders", "faithful_friend"], facedown=["scryer"])
    stage.seat(BELA, at="steppe", favor=2)
    return stage.act(YARA, offer_adviser).does(YARA, "play adviser the gathering", "play to river")


def test_the_gathering_asks_one_after_the_other_from_the_chancellor_on() -> None:
    stage = gathering()
    assert stage.asked() == {CARA: "gathering"}
    stage.does(CARA, "stay away").does(OREN, "come").does(BELA, "come")
    assert [p.pawn for p in stage.g.players] == [stage.slot("wastes"), 0, 0, 0]
    assert stage.asked() == {YARA: "propose"}
    stage.does(YARA, "done").does(OREN, "done").does(BELA, "done")
    assert stage.asked() == {}


def test_the_gathering_makes_nobody_travel(invent: Made) -> None:
    heard: list[str] = []

    async def after(self: object, g: object, me: object, event: object) -> None:
        heard.append("arrived")

    invent("hospitality", reacts=(Arrived,), after=after)
    stage = gathering().seat(OREN, advisers=["hospitality"])
    stage.does(CARA, "come").does(OREN, "come").does(BELA, "come")
    assert heard == []
    assert "Bela comes to River." in stage.heard()


def test_the_gathering_exchanges_advisers_but_no_locked_ones() -> None:
    stage = gathering().does(CARA, "stay away").does(OREN, "come").does(BELA, "stay away")
    assert stage.refusal(YARA, "propose to bela giving 1 favor")
    assert stage.refusal(YARA, "propose to oren asking faithful friend")
    stage.does(YARA, "propose to oren giving 1 favor asking elders").does(OREN, "accept")
    assert stage.asked() == {YARA: "propose"}, "there is no limit"
    assert [a.shown for a in stage.player(YARA).advisers] == ["elders"]
    assert [a.shown for a in stage.player(OREN).advisers] == ["faithful_friend", ""]
    count(stage)


def test_the_gathering_shows_a_facedown_adviser_to_its_new_owner_alone() -> None:
    stage = gathering().does(CARA, "stay away").does(OREN, "come").does(BELA, "stay away")
    stage.does(YARA, "propose to oren giving 1 favor asking facedown adviser 3").does(OREN, "accept")
    assert stage.player(YARA).advisers[0].card.open(YARA) == "scryer"
    assert "Oren gives Yara Scryer as an adviser." in stage.heard(YARA)
    assert "Scryer" not in " ".join(stage.heard(BELA))


def test_o_8_9_whoever_has_too_many_advisers_then_discards() -> None:
    stage = Stage().seat(YARA, at="river", advisers=["wolves", "tents", "elders"], facedown=["the_gathering"])
    stage.seat(OREN, at="river", favor=1, advisers=["wayside_inn"])
    stage.act(YARA, offer_adviser).does(YARA, "play adviser the gathering", "play to river")
    assert stage.asked() == {CARA: "propose"}, "all are here already"
    stage.does(CARA, "propose to yara asking wolves").does(YARA, "refuse").does(CARA, "done")
    stage.does(YARA, "propose to oren asking wayside inn").does(OREN, "accept")
    assert stage.asked() == {YARA: "too-many-advisers"}
    stage.does(YARA, "discard tents")
    assert [a.shown for a in stage.player(YARA).advisers] == ["wolves", "elders", "wayside_inn"]


# Warning Signals


def signals() -> Stage:
    stage = steppe().site("wastes", ruler=CARA, warbands=3).seat(CARA, at="river", warbands=1)
    return fought(stage.seat(CARA, advisers=["warning_signals"])).does(CARA, "plan warning signals")


def test_warning_signals_move_warbands_before_the_defense_is_totaled() -> None:
    stage = signals().dice(defense="0")
    assert stage.asked() == {CARA: "move-warbands"}
    assert "it must be 1 to 2" in stage.refusal(CARA, "move from wastes to steppe 3"), "one stays"
    stage.does(CARA, "move from wastes to steppe 2", "move from board to steppe 1", "done")
    assert [line for line in stage.heard() if "and 5 for its force" in line]
    assert stage.player(CARA).advisers == []
    count(stage)


def test_warning_signals_know_the_own_places_alone() -> None:
    stage = signals()
    assert stage.refusal(CARA, "move from wastes to river 1")
    assert stage.refusal(CARA, "move from wastes to wastes 1")


def test_warning_signals_ask_no_chancellor() -> None:
    stage = Stage().site("steppe", ruler=CARA, warbands=2).site("wastes", ruler=CARA, warbands=2).title(OREN)
    stage.seat(BELA, citizen=True, at="steppe", advisers=["warning_signals"]).seat(CARA, at="river")
    stage.seat(YARA, at="steppe", warbands=3)
    fought(stage, "campaign against bela at steppe with 3").does(BELA, "plan warning signals")
    stage.does(BELA, "move from wastes to board 1")
    assert stage.asked() == {BELA: "move-warbands"}
    assert stage.player(BELA).warbands == 1


def test_warning_signals_place_nothing_where_nothing_may_be_placed(invent: Made) -> None:
    invent("ring_of_devotion", modify=on(MayPlace, lambda query: query.refuse(Text("devoted"))))
    stage = (
        steppe().site("wastes", ruler=CARA, warbands=3).seat(CARA, at="river", relics=["ring_of_devotion"])
    )
    fought(stage.seat(CARA, advisers=["warning_signals"])).does(CARA, "plan warning signals")
    assert "devoted" in stage.refusal(CARA, "move from wastes to steppe 1")
    stage.does(CARA, "move from wastes to board 2")
    assert stage.player(CARA).warbands == 2
