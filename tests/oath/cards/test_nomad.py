"""Nomad denizens: campaigns, moved cards, The Gathering."""

from __future__ import annotations

from pbem.engine.core.text import Text
from pbem.engine.oath import cards as _cards
from pbem.engine.oath.actions.minor import offer_adviser
from pbem.engine.oath.actions.recovering import offer_recover
from pbem.engine.oath.actions.trading import offer_trading
from pbem.engine.oath.battle_queries import MayPlace
from pbem.engine.oath.events import Arrived
from pbem.engine.oath.verbs import give_favor, take_favor
from pbem.engine.oath.wake import wake

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


# Family Wagon


def wagon(*advisers: str, card: str = "family_wagon", facedown: tuple[str, ...] = ()) -> Stage:
    """Yara turns up a facedown adviser beside others."""
    stage = Stage().seat(YARA, at="river", advisers=list(advisers), facedown=[card, *facedown])
    return stage.act(YARA, offer_adviser).does(YARA, f"play adviser {card.replace('_', ' ')}")


def names(stage: Stage, who: str = YARA) -> list[str]:
    return [a.shown for a in stage.player(who).advisers]


def test_family_wagon_three_nomads_need_no_discard() -> None:
    stage = wagon("elders", "tents", "oracle").does(YARA, "as adviser")
    assert names(stage) == ["elders", "tents", "oracle", "family_wagon"]


def test_family_wagon_one_other_adviser_may_stay() -> None:
    stage = wagon("elders", "wolves").does(YARA, "as adviser")
    assert names(stage) == ["elders", "wolves", "family_wagon"]
    stage.seat(YARA, facedown=["tents"]).act(YARA, offer_adviser)
    stage.does(YARA, "play adviser tents", "as adviser")
    assert "tents" in names(stage)


def test_family_wagon_all_others_but_one_go() -> None:
    stage = wagon("scouts", "wolves", "elders")
    stage.does(YARA, "play family wagon as adviser discarding wolves")
    assert names(stage) == ["scouts", "elders", "family_wagon"]
    stage = wagon("scouts", "wolves", facedown=("keep",))
    stage.does(YARA, "play family wagon as adviser discarding wolves")
    assert stage.asked() == {YARA: "too-many-advisers"}
    assert stage.options(YARA) == ["discard Scouts", "discard Keep"]
    stage.does(YARA, "discard keep")
    assert names(stage) == ["scouts", "family_wagon"]


def test_family_wagon_another_suit_takes_the_place_of_the_one() -> None:
    stage = wagon("family_wagon", "elders", "wolves", card="scouts")
    assert not [o for o in stage.options(YARA) if "discarding" in o and "Elders" in o]
    stage.does(YARA, "play scouts as adviser discarding wolves")
    assert names(stage) == ["family_wagon", "elders", "scouts"]


def test_family_wagon_wants_two_locked_others_gone_and_cannot() -> None:
    stage = wagon("long_lost_heir", "a_small_favor")
    assert stage.options(YARA) == ["discard Family Wagon"]
    assert "too few that may go" in stage.refusal(
        YARA, "play family wagon as adviser discarding a small favor"
    )


# Vow of Kinship


def kin(favor: int = 0) -> Stage:
    """Yara holds it, and has had so much favor, which is in the Nomad bank now."""
    stage = Stage().seat(YARA, at="river", favor=favor, facedown=["vow_of_kinship"])
    return stage.act(YARA, offer_adviser).does(YARA, "play adviser vow of kinship", "as adviser")


def test_vow_of_kinship_moves_what_its_holder_has() -> None:
    stage = kin(favor=4)
    assert (stage.player(YARA).favor, stage.g.banks["nomad"]) == (0, 7)
    assert "4 favor goes from Yara to the Nomad bank" in " ".join(stage.heard())
    count(stage)


def test_vow_of_kinship_moves_what_its_holder_gets() -> None:
    stage = kin().site("river", cards=["wolves"]).seat(YARA, secrets=1).act(YARA, offer_trading)
    stage.does(YARA, "trade with wolves for favor")
    assert (stage.player(YARA).favor, stage.g.banks["nomad"], stage.g.banks["beast"]) == (0, 4, 2)
    give_favor(stage.g, stage.seat(BELA, favor=2).player(BELA), stage.player(YARA), 2)
    assert (stage.player(BELA).favor, stage.player(YARA).favor, stage.g.banks["nomad"]) == (0, 0, 6)
    count(stage)


def test_vow_of_kinship_pays_out_of_the_bank() -> None:
    stage = kin().site("river", cards=["wolves"]).act(YARA, offer_trading).does(YARA, "muster on wolves")
    assert (stage.g.map[0].cards[0].favor, stage.g.banks["nomad"], stage.player(YARA).warbands) == (1, 2, 2)
    stage.site("lush_coast", cards=["keep"]).seat(YARA, at="lush_coast").act(YARA, offer_trading)
    stage.g.shared += stage.g.banks["nomad"]
    stage.g.banks["nomad"] = 0
    assert "it takes 1 favor, you have 0" in stage.refusal(YARA, "muster on keep")
    count(stage)


def test_vow_of_kinship_recovers_the_peoples_favor_out_of_the_bank() -> None:
    stage = kin().act(YARA, offer_recover).does(YARA, "recover people's favor for 3 starting at beast")
    assert (stage.g.banners["peoples_favor"].tokens, stage.g.banks["nomad"]) == (3, 0)
    count(stage)


def test_vow_of_kinship_nobody_takes_it_or_makes_its_holder_pay() -> None:
    stage = kin().banner("peoples_favor", 1, YARA).turn(YARA)
    assert take_favor(stage.g, stage.player(BELA), stage.player(YARA), 2) == 0
    stage.run(wake(stage.g))
    assert stage.options(YARA) == ["put 1 favor on it", "leave it"]
    stage.does(YARA, "leave it")
    assert (stage.g.banners["peoples_favor"].tokens, stage.g.banks["nomad"]) == (1, 3)


def test_vow_of_kinship_others_use_the_bank_as_ever() -> None:
    stage = kin().site("lush_coast", cards=["elders"]).seat(BELA, at="lush_coast", secrets=1)
    stage.act(BELA, offer_trading).does(BELA, "trade with elders for favor")
    assert (stage.player(BELA).favor, stage.g.banks["nomad"]) == (1, 2)
