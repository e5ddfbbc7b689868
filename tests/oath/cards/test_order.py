"""Order denizens."""

from __future__ import annotations

import pytest

from pbem.engine.core.text import Text
from pbem.engine.oath import cards as _cards
from pbem.engine.oath.actions.minor import offer_adviser
from pbem.engine.oath.actions.trading import offer_trading
from pbem.engine.oath.battle import ATTACKER
from pbem.engine.oath.battle_queries import MayPlace
from pbem.engine.oath.campaign.offering import Start, campaign_freely
from pbem.engine.oath.printed import MOST_SUPPLY

from ..inventing import Made, does, fought, on, steppe
from ..positions import BELA, CARA, OREN, YARA, Stage, count

assert _cards

BANDITS = "campaign against bandits at steppe with 3"


def bandits(*cards: str) -> Stage:
    return Stage().site("steppe", cards=cards).seat(YARA, at="steppe", warbands=3)


@pytest.fixture
def stage() -> Stage:
    return Stage()


# Battle Honors


def test_battle_honors_bring_two_favor_to_a_victor() -> None:
    stage = steppe().seat(YARA, advisers=["battle_honors"]).dice(defense="0", attack="3 3 3")
    fought(stage).does(YARA, "plan battle honors", "place 1")
    assert (stage.player(YARA).favor, stage.g.banks["order"]) == (6, 1)
    count(stage)


def test_battle_honors_bring_nothing_to_the_defeated() -> None:
    stage = steppe().seat(YARA, advisers=["battle_honors"]).dice(defense="0", attack="3")
    fought(stage, "campaign against cara at steppe with 1").does(
        YARA, "plan battle honors", "sacrifice nothing"
    )
    assert (stage.player(YARA).favor, stage.g.banks["order"]) == (4, 3)


def test_battle_honors_give_the_one_favor_that_there_is() -> None:
    stage = steppe(cards=["battle_honors"]).dice(defense="0", attack="3")
    stage.g.banks["order"], stage.g.shared = 1, stage.g.shared + 2
    fought(stage, "campaign against cara at steppe with 1").does(CARA, "plan battle honors")
    stage.does(YARA, "sacrifice nothing")
    assert (stage.player(CARA).favor, stage.g.banks["order"]) == (1, 0)
    count(stage)


def test_battle_honors_of_victorious_bandits_are_burned() -> None:
    stage = bandits("battle_honors").dice(defense="0")
    shared = stage.g.shared
    fought(stage, "campaign against bandits at steppe with 0")
    stage.does(YARA, "sacrifice nothing")
    assert (stage.g.banks["order"], stage.g.shared - shared) == (1, 2)
    count(stage)


# Bear Traps


def test_bear_traps_take_one_die_and_one_warband() -> None:
    stage = fought(steppe(cards=["bear_traps"])).does(CARA, "plan bear traps")
    assert "Attack dice 2, defense dice 1 are rolled." in stage.heard()
    assert "1 warband on the board of Yara is killed." in stage.heard()


def test_bear_traps_count_as_killing(invent: Made) -> None:
    killed: list[int] = []
    invent("extra_provisions", plan=does(lambda battle: killed.append(battle.killed[ATTACKER])))
    stage = fought(steppe(cards=["bear_traps", "extra_provisions"]).seat(CARA, favor=1))
    stage.does(CARA, "plan bear traps", "plan extra provisions")
    assert killed == [1]


def test_bear_traps_find_an_empty_pool() -> None:
    stage = fought(steppe(cards=["bear_traps"]), "campaign against cara at steppe with 0")
    stage.does(CARA, "plan bear traps")
    assert "Attack dice 0, defense dice 2 are rolled." in stage.heard()


def test_bear_traps_are_set_by_bandits_too() -> None:
    stage = fought(bandits("bear_traps"), BANDITS)
    assert "Attack dice 2, defense dice 1 are rolled." in stage.heard()
    assert "1 warband on the board of Yara is killed." in stage.heard()


# Garrison


def garrisoned(stage: Stage) -> Stage:
    stage.seat(YARA, facedown=["garrison"])
    return stage.act(YARA, offer_adviser).does(YARA, "play adviser garrison", "play to river")


def test_garrison_brings_and_places_one_warband_for_each_ruled_site(stage: Stage) -> None:
    stage.site("river", ruler=YARA).site("steppe", ruler=YARA, warbands=2).site("wastes", ruler=BELA)
    garrisoned(stage.seat(YARA, at="river", warbands=1))
    assert [stage.g.map[stage.slot(s)].warbands for s in ("river", "steppe", "wastes")] == [2, 3, 1]
    assert (stage.player(YARA).warbands, stage.player(YARA).bank) == (1, 8)
    count(stage)


def test_garrison_lies_at_a_site_only(stage: Stage) -> None:
    stage.seat(YARA, at="river", facedown=["garrison"]).act(YARA, offer_adviser)
    stage.does(YARA, "play adviser garrison")
    assert "at a site only" in stage.refusal(YARA, "play garrison as adviser")


def test_garrison_counts_purple_sites_for_a_citizen(stage: Stage) -> None:
    stage.site("river", ruler=CARA).site("steppe", ruler=CARA)
    garrisoned(stage.seat(YARA, at="river", citizen=True))
    assert [stage.g.map[stage.slot(s)].warbands for s in ("river", "steppe")] == [2, 2]
    assert stage.player(YARA).warbands == 0
    count(stage)


def test_garrison_places_as_far_as_the_warbands_reach(stage: Stage) -> None:
    stage.site("river", ruler=YARA, warbands=6).site("steppe", ruler=YARA, warbands=6)
    stage.site("wastes", ruler=YARA, warbands=1)
    garrisoned(stage.seat(YARA, at="river"))
    assert stage.asked() == {YARA: "which-site"}
    stage.does(YARA, "wastes")
    assert [stage.g.map[stage.slot(s)].warbands for s in ("river", "steppe", "wastes")] == [6, 6, 2]
    assert stage.player(YARA).warbands == stage.player(YARA).bank == 0


def test_garrison_gains_where_it_may_not_place(stage: Stage, invent: Made) -> None:
    invent("ring_of_devotion", modify=on(MayPlace, lambda query: query.refuse(Text("devoted"))))
    stage.seat(OREN, relics=["ring_of_devotion"]).site("river", ruler=YARA)
    garrisoned(stage.seat(YARA, at="river"))
    assert (stage.g.map[0].warbands, stage.player(YARA).warbands) == (1, 1)


# Keep


def test_keep_defends_its_own_site() -> None:
    stage = fought(steppe(cards=["keep"])).does(CARA, "plan keep")
    assert "Attack dice 3, defense dice 3 are rolled." in stage.heard()


def test_keep_defends_no_other_site() -> None:
    stage = steppe(cards=["longbows"]).site("river", ruler=CARA, cards=["keep"])
    fought(stage)
    assert "its site is no target" in stage.refusal(CARA, "plan keep")


def test_keep_is_held_by_bandits_too() -> None:
    stage = fought(bandits("keep"), BANDITS)
    assert "Attack dice 3, defense dice 3 are rolled." in stage.heard()


# Longbows


def test_longbows_add_a_die_or_remove_one() -> None:
    stage = fought(steppe().seat(YARA, advisers=["longbows"])).does(YARA, "plan longbows")
    assert "Attack dice 4, defense dice 1 are rolled." in stage.heard()
    stage = fought(steppe(cards=["longbows"])).does(CARA, "plan longbows")
    assert "Attack dice 2, defense dice 1 are rolled." in stage.heard()


# Martial Culture


def exiles(cards_of: str) -> Stage:
    """Yara attacks Bela at Steppe; one of them rules Martial Culture."""
    stage = Stage().site("steppe", ruler=BELA, warbands=2).site("wastes", ruler=YARA).title(YARA)
    stage.site("steppe" if cards_of == BELA else "wastes", cards=["martial_culture"])
    return stage.seat(YARA, at="steppe", warbands=5, supply=3)


AT_BELA = "campaign against bela at steppe with 4"


def test_martial_culture_makes_a_victorious_attacker_a_citizen() -> None:
    stage = exiles(YARA).seat(YARA, vision="vision_of_faith").title(YARA, usurper=True)
    stage.dice(defense="0", attack="3 3 3 3")
    fought(stage, AT_BELA).does(YARA, "plan martial culture", "place 1", "yes")
    yara = stage.player(YARA)
    assert (yara.role, yara.supply, yara.vision, stage.g.usurper) == ("citizen", MOST_SUPPLY, "", False)
    assert (stage.g.map[stage.slot("steppe")].colour, stage.g.phase) == ("purple", "rest")
    assert len([r for r in stage.g.reliquary if r is not None]) == 4
    count(stage)


def test_martial_culture_serves_a_victorious_defender_whose_turn_it_is_not() -> None:
    stage = exiles(BELA).dice(defense="0", attack="0 0 0 0")
    fought(stage, AT_BELA).does(BELA, "plan martial culture").does(YARA, "sacrifice nothing").does(
        BELA, "yes"
    )
    assert (stage.player(BELA).role, stage.player(YARA).role, stage.g.phase) == ("citizen", "exile", "act")
    assert stage.player(BELA).supply == MOST_SUPPLY
    count(stage)


def test_martial_culture_may_be_declined() -> None:
    stage = exiles(YARA).dice(defense="0", attack="3 3 3 3")
    fought(stage, AT_BELA).does(YARA, "plan martial culture", "place 1", "no")
    assert (stage.player(YARA).role, stage.g.phase) == ("exile", "act")


def test_martial_culture_brings_nothing_to_the_defeated() -> None:
    stage = exiles(YARA).dice(defense="0", attack="0 0 0 0")
    fought(stage, AT_BELA).does(YARA, "plan martial culture", "sacrifice nothing")
    assert (stage.player(YARA).role, stage.asked()) == ("exile", {})


def test_martial_culture_is_of_no_use_against_the_empire_and_bandits() -> None:
    stage = steppe().site("wastes", ruler=YARA, cards=["martial_culture", "longbows"])
    assert "against another Exile" in fought(stage).refusal(YARA, "plan martial culture")
    stage = bandits().site("wastes", ruler=YARA, cards=["martial_culture", "longbows"])
    assert "against another Exile" in fought(stage, BANDITS).refusal(YARA, "plan martial culture")


def test_martial_culture_goes_before_second_wind_and_ends_it() -> None:
    stage = exiles(YARA).seat(YARA, favor=1, secrets=1, advisers=["second_wind"])
    stage.dice(defense="0", attack="3 3 3 3")
    fought(stage, AT_BELA).does(YARA, "plan second wind", "plan martial culture", "place 1", "yes")
    assert (stage.player(YARA).role, stage.asked()) == ("citizen", {})


# Pressgangs


def test_pressgangs_muster_on_an_occupied_card(stage: Stage) -> None:
    stage.site("river", cards=["wolves"]).seat(YARA, at="river", favor=1, advisers=["pressgangs"])
    stage.g.map[0].cards[0].secrets = 1
    stage.act(YARA, offer_trading)
    assert "tokens lie on it" in stage.refusal(YARA, "muster on wolves")
    stage.does(YARA, "muster on wolves using pressgangs")
    wolves = stage.g.map[0].cards[0]
    assert (stage.player(YARA).warbands, wolves.favor, wolves.secrets) == (2, 1, 1)


def test_pressgangs_lift_no_other_rule(stage: Stage) -> None:
    stage.site("river", cards=["festival_district_ruined"])
    stage.seat(YARA, at="river", favor=1, advisers=["pressgangs"]).act(YARA, offer_trading)
    assert "a ruin cannot be used" in stage.refusal(YARA, "muster on festival district using pressgangs")


# Scouts


def test_scouts_bring_a_supply_as_they_are_used() -> None:
    stage = steppe().seat(YARA, supply=4, advisers=["scouts"])
    fought(stage).does(YARA, "plan scouts")
    assert stage.player(YARA).supply == 3


def test_scouts_raise_supply_in_a_free_campaign() -> None:
    stage = steppe().seat(YARA, supply=4, advisers=["scouts"]).turn(YARA)
    yara = stage.player(YARA)
    stage.run(campaign_freely(stage.g, yara, Start(stage.g, yara, free=True), prompt=Text("Go on?")))
    stage.does(YARA, "campaign against cara at steppe with 3", "plan scouts")
    assert yara.supply == 5


def test_scouts_reach_no_further_than_the_leftmost_space() -> None:
    stage = steppe().seat(YARA, supply=7, advisers=["scouts"])
    stage = fought(stage)
    stage.player(YARA).supply = MOST_SUPPLY
    stage.does(YARA, "plan scouts")
    assert stage.player(YARA).supply == MOST_SUPPLY


# Wrestlers


def test_wrestlers_sacrifice_a_warband_for_a_die() -> None:
    stage = fought(steppe(cards=["wrestlers"])).does(CARA, "plan wrestlers", "at steppe")
    assert "Attack dice 3, defense dice 2 are rolled." in stage.heard()
    assert "1 warband of Cara at Steppe is killed." in stage.heard()


def test_wrestlers_without_a_sacrifice_do_nothing() -> None:
    stage = fought(steppe(cards=["wrestlers"])).does(CARA, "plan wrestlers", "nothing")
    assert "Attack dice 3, defense dice 1 are rolled." in stage.heard()


def test_wrestlers_the_last_warband_does_not_save_its_site() -> None:
    stage = Stage().site("steppe", ruler=CARA, warbands=1, cards=["wrestlers"]).title(OREN)
    stage.seat(YARA, at="steppe", warbands=3).dice(defense="0 0", attack="3 3 3")
    fought(stage).does(CARA, "plan wrestlers", "at steppe").does(YARA, "place 2")
    assert (stage.g.map[stage.slot("steppe")].colour, stage.g.map[stage.slot("steppe")].warbands) == (
        "yellow",
        2,
    )
    count(stage)


def test_wrestlers_may_come_from_an_allys_board() -> None:
    stage = steppe(cards=["wrestlers"]).seat(BELA, citizen=True, at="steppe", warbands=2)
    fought(stage).does(BELA, "join the defense").does(CARA, "accept bela")
    stage.does(CARA, "plan wrestlers").does(BELA, "done").does(CARA, "on the board of bela")
    assert "1 warband on the board of Bela is killed." in stage.heard()


def test_wrestlers_of_bandits_do_nothing() -> None:
    stage = fought(bandits("wrestlers"), BANDITS)
    assert "Attack dice 3, defense dice 1 are rolled." in stage.heard()
    assert not [line for line in stage.heard() if "Wrestlers" in line]
