"""Discord denizens."""

from __future__ import annotations

import pytest

from pbem.engine.core.scenario import Position
from pbem.engine.core.text import Text, english
from pbem.engine.oath import cards as _cards
from pbem.engine.oath.actions.minor import offer_adviser, offer_powers
from pbem.engine.oath.battle_queries import MayPlace
from pbem.engine.oath.empire import become_citizen
from pbem.engine.oath.events import CampaignOver
from pbem.engine.oath.oaths import wins_in_wake
from pbem.engine.oath.rest import rest
from pbem.engine.oath.rules import OathRules
from pbem.engine.oath.state import Oath, pile_card

from ..inventing import Made, fought, on, steppe
from ..positions import BELA, CARA, OREN, YARA, Stage, count

assert _cards
RULES = OathRules()

PAWN = "campaign against cara at steppe, pawn with 5"


@pytest.fixture
def stage() -> Stage:
    return Stage()


def played(stage: Stage, card: str, where: str) -> Stage:
    """Yara turns up a facedown adviser and plays it."""
    return (
        stage.seat(YARA, facedown=[card])
        .act(YARA, offer_adviser)
        .does(YARA, f"play adviser {card.replace('_', ' ')}", where)
    )


# A Small Favor


def test_a_small_favor_brings_four_warbands(stage: Stage) -> None:
    played(stage.seat(YARA, at="river"), "a_small_favor", "as adviser")
    assert (stage.player(YARA).warbands, stage.player(YARA).bank) == (4, 10)
    count(stage)


# Book Burning


def test_book_burning_leaves_the_banished_defender_one_secret() -> None:
    stage = steppe().seat(CARA, at="steppe", secrets=3).seat(YARA, advisers=["book_burning"])
    stage.player(CARA).spent = 2
    stage.dice(defense="0 0 0", attack="3 3 3 3 3")
    fought(stage, PAWN).does(YARA, "plan book burning", "place 1", "banish nobody")
    assert (stage.player(CARA).secrets, stage.player(CARA).spent) == (1, 0)


def test_book_burning_wants_the_pawn_as_a_target() -> None:
    stage = steppe().seat(CARA, at="steppe", secrets=3).seat(YARA, advisers=["book_burning", "mercenaries"])
    fought(stage, "campaign against cara at steppe with 5")
    assert "the defender's pawn is no target" in stage.refusal(YARA, "plan book burning")


# Disgraced Captain


def test_disgraced_captain_adds_four_dice_once() -> None:
    stage = steppe(cards=["pressgangs", "scouts"]).seat(YARA, advisers=["disgraced_captain"])
    fought(stage).does(YARA, "plan disgraced captain")
    assert "Attack dice 7, defense dice 1 are rolled." in stage.heard()
    assert (stage.player(YARA).favor, stage.player(YARA).advisers[0].favor) == (2, 1)


def test_disgraced_captain_wants_the_site_itself_as_a_target() -> None:
    stage = Stage().site("steppe", cards=["scouts"]).seat(CARA, at="steppe", warbands=1).title(OREN)
    stage.seat(YARA, at="steppe", warbands=3, favor=3, advisers=["disgraced_captain", "mercenaries"])
    fought(stage, "campaign against cara at pawn with 3")
    assert "no site among the targets has an Order card" in stage.refusal(YARA, "plan disgraced captain")


# Key to the City


def test_key_to_the_city_takes_a_site_whose_ruler_is_away(stage: Stage) -> None:
    stage.site("river", ruler=BELA, warbands=3).seat(BELA, at="wastes").seat(YARA, at="river")
    played(stage, "key_to_the_city", "play to river")
    assert (stage.g.map[0].colour, stage.g.map[0].warbands) == ("yellow", 1)
    assert (stage.player(BELA).bank, stage.player(YARA).warbands) == (14, 0)
    count(stage)


def test_key_to_the_city_does_nothing_while_the_ruler_is_there(stage: Stage) -> None:
    stage.site("river", ruler=BELA, warbands=3).seat(BELA, at="river").seat(YARA, at="river")
    played(stage, "key_to_the_city", "play to river")
    assert (stage.g.map[0].colour, stage.g.map[0].warbands) == ("blue", 3)


def test_key_to_the_city_any_imperial_pawn_holds_a_purple_site(stage: Stage) -> None:
    stage.site("river", ruler=CARA, warbands=2).seat(BELA, at="river", citizen=True).seat(YARA, at="river")
    played(stage.seat(CARA, at="wastes"), "key_to_the_city", "play to river")
    assert (stage.g.map[0].colour, stage.g.map[0].warbands) == ("purple", 2)


def test_key_to_the_city_takes_a_site_of_bandits(stage: Stage) -> None:
    played(stage.seat(YARA, at="river"), "key_to_the_city", "play to river")
    assert (stage.g.map[0].colour, stage.g.map[0].warbands) == ("yellow", 1)


def test_key_to_the_city_gains_where_it_may_not_place(stage: Stage, invent: Made) -> None:
    invent("ring_of_devotion", modify=on(MayPlace, lambda query: query.refuse(Text("devoted"))))
    stage.seat(OREN, relics=["ring_of_devotion"])
    played(stage.seat(YARA, at="river"), "key_to_the_city", "play to river")
    assert (stage.g.map[0].warbands, stage.player(YARA).warbands) == (0, 1)


def test_key_to_the_city_moves_the_title_at_once(stage: Stage) -> None:
    stage.site("river", ruler=BELA).seat(BELA, at="wastes").title(BELA).seat(YARA, at="river")
    played(stage, "key_to_the_city", "play to river")
    assert stage.g.title == YARA


# Mercenaries


def test_mercenaries_bring_three_dice_and_stay_with_the_victor() -> None:
    stage = steppe().seat(YARA, advisers=["mercenaries"]).dice(defense="0", attack="3 3 3 3 3 3")
    fought(stage).does(YARA, "plan mercenaries", "place 1")
    assert "Attack dice 6, defense dice 1 are rolled." in stage.heard()
    assert stage.player(YARA).adviser("mercenaries") is not None


def test_mercenaries_leave_a_defeated_user() -> None:
    stage = steppe().seat(CARA, favor=1, advisers=["mercenaries"]).dice(defense="0", attack="3 3")
    fought(stage, "campaign against cara at steppe with 5").does(CARA, "plan mercenaries")
    assert "Attack dice 2, defense dice 1 are rolled." in stage.heard()
    stage.does(YARA, "sacrifice", "place 1")
    assert stage.player(CARA).advisers == []
    assert (stage.player(CARA).favor, stage.g.banks["discord"]) == (0, 4)
    assert stage.g.piles["provinces"][-1].card.under_seal() == "mercenaries"


# Naysayers


@pytest.mark.parametrize("usurper", [False, True])
def test_naysayers_take_a_favor_of_the_chancellor_under_an_exiles_oath(stage: Stage, usurper: bool) -> None:
    stage.seat(YARA, advisers=["naysayers"]).seat(CARA, favor=2).title(YARA, usurper=usurper).turn(YARA)
    stage.run(rest(stage.g)).does(YARA, "yes")
    assert (stage.player(YARA).favor, stage.player(CARA).favor) == (1, 1)


def test_naysayers_may_be_silent(stage: Stage) -> None:
    stage.seat(YARA, advisers=["naysayers"]).seat(CARA, favor=2).title(OREN).turn(YARA)
    stage.run(rest(stage.g)).does(YARA, "no")
    assert (stage.player(YARA).favor, stage.player(CARA).favor) == (0, 2)


def test_naysayers_are_not_asked_under_the_chancellors_oath(stage: Stage) -> None:
    stage.seat(YARA, advisers=["naysayers"]).seat(CARA, favor=2).turn(YARA).run(rest(stage.g))
    assert stage.asked() == {}


# Scryer


def test_scryer_sees_every_card_of_a_pile_of_any_region(stage: Stage) -> None:
    stage.g.piles["hinterland"] = [pile_card(c) for c in ("tents", "elders", "wolves", "scouts")]
    stage.g.piles["cradle"] = [pile_card("keep")]
    stage.site("river", cards=["scryer"]).seat(YARA, at="river", secrets=1)
    stage.act(YARA, offer_powers).does(YARA, "use scryer", "hinterland")
    assert "You look at Scouts, Wolves, Elders and Tents" in " ".join(stage.heard(YARA))
    assert "Scouts" not in " ".join(stage.heard(BELA))
    assert [c.card.under_seal() for c in stage.g.piles["hinterland"]] == [
        "tents",
        "elders",
        "wolves",
        "scouts",
    ]
    assert all(c.card.seen_by(YARA) for c in stage.g.piles["hinterland"])
    assert stage.g.map[0].cards[0].secrets == 1


def test_scryer_wants_a_card_to_look_at(stage: Stage) -> None:
    stage.site("river", cards=["scryer"]).seat(YARA, at="river", secrets=1).act(YARA, offer_powers)
    assert "no card lies in any discard pile" in stage.refusal(YARA, "use scryer")


# Second Wind


def refreshed() -> Stage:
    """Yara has won at Steppe with Second Wind."""
    stage = steppe().site("wastes").seat(YARA, supply=2, advisers=["second_wind"])
    stage.dice(defense=["0", "0"], attack=["3 3 3", "3 3"])
    return fought(stage).does(YARA, "plan second wind", "place 1")


def test_second_wind_travels_and_attacks_again_for_nothing() -> None:
    stage = refreshed()
    assert (stage.player(YARA).favor, stage.player(YARA).secrets, stage.player(YARA).supply) == (3, 3, 0)
    assert stage.asked() == {YARA: "second-wind"}
    stage.does(YARA, "travel to wastes")
    assert stage.player(YARA).pawn == stage.slot("wastes")
    stage.does(YARA, "campaign against bandits at wastes with 2", "done")
    stage.does(YARA, "place 1")
    assert stage.g.map[stage.slot("wastes")].colour == "yellow"
    assert (stage.player(YARA).supply, stage.asked()) == (0, {})
    count(stage)


def test_second_wind_either_part_may_be_skipped() -> None:
    stage = refreshed().does(YARA, "stay")
    assert stage.player(YARA).pawn == stage.slot("steppe")
    assert stage.asked() == {}  # only Yara herself rules where she is
    stage = refreshed().does(YARA, "travel to wastes", "let it pass")
    assert stage.asked() == {}


def test_second_wind_brings_nothing_to_the_defeated() -> None:
    stage = steppe().seat(YARA, advisers=["second_wind"]).dice(defense="0", attack="0")
    fought(stage, "campaign against cara at steppe with 1").does(
        YARA, "plan second wind", "sacrifice nothing"
    )
    assert stage.asked() == {}


def test_second_wind_waits_for_what_others_answer(invent: Made) -> None:
    seen: list[int] = []

    async def after(self: object, g: Oath, me: object, event: CampaignOver) -> None:
        seen.append(event.player.pawn)

    invent("sneak_attack", reacts=(CampaignOver,), after=after)
    stage = steppe().seat(YARA, supply=2, advisers=["second_wind"]).seat(BELA, advisers=["sneak_attack"])
    stage.dice(defense="0", attack="3 3 3")
    fought(stage).does(YARA, "plan second wind", "place 1")
    assert (seen, stage.asked()) == ([stage.slot("steppe")], {YARA: "second-wind"})


def test_second_wind_is_over_with_the_act_phase() -> None:
    stage = steppe().seat(YARA, supply=2, advisers=["second_wind"]).dice(defense="0", attack="3 3 3")
    fought(stage).does(YARA, "plan second wind")
    stage.g.phase = "rest"
    stage.does(YARA, "place 1")
    assert stage.asked() == {}


# Sleight of Hand


def test_sleight_of_hand_takes_a_secret_of_two(stage: Stage) -> None:
    stage.seat(YARA, at="river", favor=1, advisers=["sleight_of_hand"])
    stage.seat(BELA, at="river", secrets=2).seat(OREN, at="river", secrets=1).seat(
        CARA, at="wastes", secrets=3
    )
    stage.act(YARA, offer_powers).does(YARA, "use sleight of hand")
    assert [stage.player(p).secrets for p in (YARA, BELA, OREN, CARA)] == [1, 1, 1, 3]
    assert stage.player(YARA).advisers[0].favor == 1


def test_sleight_of_hand_counts_facedown_secrets_and_takes_a_faceup_one_first(stage: Stage) -> None:
    stage.seat(YARA, at="river", favor=1, advisers=["sleight_of_hand"]).seat(BELA, at="river", secrets=1)
    stage.player(BELA).spent = 1
    stage.act(YARA, offer_powers).does(YARA, "use sleight of hand")
    assert (stage.player(YARA).secrets, stage.player(BELA).secrets, stage.player(BELA).spent) == (1, 0, 1)


def test_sleight_of_hand_finds_nobody_with_one_secret(stage: Stage) -> None:
    stage.seat(YARA, at="river", favor=1, secrets=3, advisers=["sleight_of_hand"])
    stage.seat(BELA, at="river", secrets=1).act(YARA, offer_powers)
    assert "nobody else at your site has two secrets" in stage.refusal(YARA, "use sleight of hand")


# False Prophet


def prophesied(stage: Stage, owner: str = BELA) -> Stage:
    """Yara puts a warband on the Vision that somebody has revealed."""
    return played(stage.seat(owner, vision="rebellion"), "false_prophet", "as adviser")


def test_false_prophet_makes_anothers_vision_count(stage: Stage) -> None:
    prophesied(stage).banner("peoples_favor", 2, YARA).g.visions_drawn = 3
    assert (stage.g.prophets, stage.player(YARA).bank) == ({"rebellion": "yellow"}, 13)
    assert "Yara puts a warband on" in " ".join(stage.heard())
    assert wins_in_wake(stage.g, stage.player(YARA)) == ("rebellion",)
    assert wins_in_wake(stage.g, stage.player(BELA)) == ()
    stage.player(YARA).role = "citizen"
    assert wins_in_wake(stage.g, stage.player(YARA)) == ()
    count(stage)


def test_false_prophet_chooses_among_several(stage: Stage) -> None:
    prophesied(stage.seat(OREN, vision="faith"))
    assert stage.asked() == {YARA: "which-player"}
    assert sorted(stage.options(YARA)) == [BELA, OREN]
    stage.does(YARA, "oren")
    assert stage.g.prophets == {"faith": "yellow"}


@pytest.mark.parametrize("why", ["no vision", "no warband", "no exile"])
def test_false_prophet_does_nothing_then(stage: Stage, why: str) -> None:
    if why == "no warband":
        stage.seat(YARA, warbands=14)
    if why != "no vision":
        stage.seat(BELA, vision="rebellion")
    played(stage.seat(YARA, citizen=why == "no exile"), "false_prophet", "as adviser")
    assert (stage.g.prophets, stage.asked()) == ({}, {})


def test_false_prophet_gets_the_vision_that_is_discarded(stage: Stage) -> None:
    prophesied(stage).run(become_citizen(stage.g, stage.player(BELA)))
    assert stage.asked() == {YARA: "play"}
    assert (stage.g.prophets, stage.player(YARA).bank) == ({}, 14)
    stage.does(YARA, "reveal it")
    assert (stage.player(YARA).vision, stage.player(BELA).vision, stage.player(BELA).role) == (
        "rebellion",
        "",
        "citizen",
    )
    count(stage)


def test_false_prophet_may_keep_it_or_let_it_go(stage: Stage) -> None:
    prophesied(stage).run(become_citizen(stage.g, stage.player(BELA))).does(YARA, "keep it")
    kept = stage.player(YARA).advisers[-1]
    assert (kept.shown, kept.card.seen_by(OREN)) == ("", True)
    stage = prophesied(Stage()).seat(YARA, at="river")
    stage.run(become_citizen(stage.g, stage.player(BELA))).does(YARA, "discard")
    assert [c.card.under_seal() for c in stage.g.piles["provinces"]] == ["rebellion"]
    count(stage)


def test_false_prophet_on_ones_own_vision_loses_none(stage: Stage) -> None:
    prophesied(stage, owner=YARA).seat(YARA, facedown=["faith"]).act(YARA, offer_adviser)
    stage.does(YARA, "play adviser faith", "reveal it")
    assert stage.asked() == {YARA: "play"}, "the old one is theirs to play once more"
    stage.does(YARA, "reveal it")
    assert stage.player(YARA).vision == "faith"
    assert [c.card.under_seal() for c in stage.g.piles["provinces"]] == ["rebellion"]
    count(stage)


def test_false_prophet_is_seen_and_arranged() -> None:
    position = Position(RULES, ["Ana", "Ben", "Cem"]).arrange({"Ben.vision": "Vision of Rebellion"})
    position.arrange({"Ben.prophet": "Cem"})
    assert position.at("Ben.prophet") == "Cem"
    assert [english(p.vision) for p in RULES.view(position.g, None).players if p.vision] == [
        "Vision of Rebellion, with a blue warband on it"
    ]
    position.arrange({"Ben.vision": ""})
    RULES.check(position.g)


# Sneak Attack


def sneaky() -> Stage:
    """Oren waits at Steppe with it while Yara attacks Cara there."""
    stage = steppe().seat(OREN, at="steppe", warbands=3, favor=1, advisers=["sneak_attack", "mercenaries"])
    return fought(stage.dice(defense=["0", "0 0"], attack=["3 3 3", "3 3 3 3 3 3"]))


def test_sneak_attack_follows_another_players_campaign() -> None:
    stage = sneaky().does(YARA, "place 1")
    assert stage.asked() == {OREN: "campaign"}
    assert stage.table.open[OREN].kind == "reaction"
    assert "must be against Yara" in stage.refusal(OREN, "campaign against bela at steppe with 1")
    stage.does(OREN, "campaign against yara at steppe with 3", "plan mercenaries", "place 2")
    assert stage.g.map[stage.slot("steppe")].colour == "red"
    # out of turn: no Supply, and the favor of the plan is in its bank at once
    assert (stage.player(OREN).supply, stage.player(OREN).favor, stage.g.banks["discord"]) == (7, 0, 4)
    assert stage.player(OREN).advisers[1].favor == 0
    count(stage)


def test_sneak_attack_may_be_let_pass_and_needs_somebody_within_reach() -> None:
    assert sneaky().does(YARA, "place 1").does(OREN, "let it pass").asked() == {}
    stage = steppe().seat(OREN, at="wastes", warbands=3, advisers=["sneak_attack"])
    assert fought(stage.dice(defense="0", attack="3 3 3")).does(YARA, "place 1").asked() == {}


def test_sneak_attack_does_not_follow_ones_own_campaign() -> None:
    stage = steppe().seat(YARA, advisers=["sneak_attack"]).dice(defense="0", attack="3 3 3")
    assert fought(stage).does(YARA, "place 1").asked() == {}


def test_sneak_attack_comes_before_second_wind() -> None:
    stage = steppe().seat(YARA, supply=2, advisers=["second_wind"])
    stage.seat(OREN, at="steppe", warbands=3, advisers=["sneak_attack"]).dice(defense="0", attack="3 3 3")
    fought(stage).does(YARA, "plan second wind", "place 1")
    assert stage.asked() == {OREN: "campaign"}
    assert stage.does(OREN, "let it pass").asked() == {YARA: "second-wind"}
