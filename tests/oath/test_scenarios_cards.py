"""The reference's scenarios of sites, cards, powers and banners that the other tests leave out (parts B to G)."""

from __future__ import annotations

import pytest

from pbem.engine.core.sealed import Sealed
from pbem.engine.oath import cards, sites
from pbem.engine.oath.act import act_menu
from pbem.engine.oath.actions.minor import offer_adviser, offer_powers
from pbem.engine.oath.actions.recovering import has_access
from pbem.engine.oath.actions.searching import offer_search
from pbem.engine.oath.actions.trading import offer_trading
from pbem.engine.oath.actions.travel import offer_travel
from pbem.engine.oath.campaign.offering import offer_campaign
from pbem.engine.oath.printed import DARKEST_SECRET, PEOPLES_FAVOR
from pbem.engine.oath.state import pile_card
from pbem.engine.oath.wake import wake

from .inventing import Made, adds
from .positions import BELA, CARA, OREN, YARA, Stage, count

assert cards
assert sites
WITH_THE_HIDDEN_PLACE = (
    "river",
    "the_hidden_place",
    "salt_flats",
    "mine",
    "steppe",
    "plains",
    "wastes",
    "great_slum",
)


def drawn(stage: Stage, *ids: str) -> Stage:
    """Yara has drawn these cards and keeps the first."""
    below = [c for c in stage.g.world.deck.under_seal() if c not in ids]
    stage.g.world.deck = Sealed([*ids, *below])
    stage.act(YARA, offer_search).does(YARA, "search world deck", f"keep {ids[0].replace('_', ' ')}")
    while "discard-order" in stage.asked().values():
        stage.does(YARA, stage.options(YARA)[0])
    return stage


# B. Travel and sites


def test_scenario_20_a_relic_takes_no_room() -> None:
    stage = Stage().site("steppe", shown=False).seat(YARA, at="salt_flats")
    stage.act(YARA, offer_travel).does(YARA, "travel to provinces 3")
    for first in ("wolves", "elders"):
        others = [c for c in ("tents", "scryer", "longbows") if c != first]
        stage.seat(YARA, supply=7)
        drawn(stage, first, *others[:2]).does(YARA, f"play {first} to steppe")
    assert [c.id for c in stage.g.map[stage.slot("steppe")].cards] == ["wolves", "elders"]
    assert len(stage.g.map[stage.slot("steppe")].relics) == 1
    drawn(stage.seat(YARA, supply=7), "tents", "scryer", "longbows")
    assert "no room" in stage.refusal(YARA, "play tents to steppe")


def test_scenario_21_the_price_of_entering_sleeps_until_the_site_is_up() -> None:
    stage = Stage(map=WITH_THE_HIDDEN_PLACE).site("the_hidden_place", shown=False)
    stage.seat(YARA, at="river", secrets=2, supply=7)
    stage.act(YARA, offer_travel).does(YARA, "travel to cradle 2")
    assert (stage.player(YARA).secrets, stage.player(YARA).spent) == (2, 0)
    stage.seat(YARA, at="river").act(YARA, offer_travel).does(YARA, "travel to the hidden place")
    assert (stage.player(YARA).secrets, stage.player(YARA).spent) == (1, 1)


def test_scenario_22_no_token_is_taken_in_the_act_phase() -> None:
    stage = Stage(map=WITH_THE_HIDDEN_PLACE).seat(YARA, at="mine").turn(YARA)
    stage.g.map[stage.slot("mine")].favor = 3
    stage.g.shared -= 3
    stage.run(wake(stage.g)).does(YARA, "take 1 favor")
    assert stage.g.map[stage.slot("mine")].favor == 2
    menu = act_menu(stage.g, stage.player(YARA))
    assert not [option for option in menu.options if "take" in option.words.msgid]
    count(stage)


# C. Discard piles and Search


def test_scenario_30_keeping_none_of_three() -> None:
    stage = Stage().seat(YARA, at="river", supply=7)
    stage.act(YARA, offer_search).does(YARA, "search world deck", "discard all")
    while stage.asked():
        stage.does(YARA, stage.options(YARA)[0])
    assert len(stage.g.piles["provinces"]) == 3
    assert stage.player(YARA).advisers == []


def with_the_favor(stage: Stage) -> Stage:
    """Yara holds the People's Favor and stands at a full site of the Cradle."""
    stage.site("river", cards=["wolves", "longbows"])
    return stage.seat(YARA, at="river", supply=7, banners=[PEOPLES_FAVOR])


def test_scenario_32_the_card_that_made_room_brings_its_favor() -> None:
    stage = drawn(with_the_favor(Stage()), "tents", "elders", "scryer")
    stage.does(YARA, "play tents to river discarding wolves")
    assert (stage.player(YARA).favor, stage.g.banks["nomad"]) == (1, 2)
    count(stage)


def test_scenario_33_both_halves_at_once_and_no_facedown_site() -> None:
    stage = drawn(with_the_favor(Stage()), "tents", "elders", "scryer")
    stage.does(YARA, "play tents to lush coast discarding wolves")
    assert [[c.id for c in stage.g.map[n].cards] for n in (0, 1)] == [["longbows"], ["tents"]]
    stage = drawn(with_the_favor(Stage().site("lush_coast", shown=False)), "tents", "elders", "scryer")
    assert not [o for o in stage.options(YARA) if "Lush Coast" in o]
    assert stage.refusal(YARA, "play tents to cradle 2")


def test_scenario_37_a_site_only_card_brings_its_favor_when_it_is_played_at_last() -> None:
    stage = Stage().seat(YARA, at="river", facedown=["key_to_the_city"]).act(YARA, offer_adviser)
    stage.does(YARA, "play adviser key to the city", "play to river")
    assert stage.player(YARA).favor == 1


def test_scenario_38_a_banner_gained_later_works_for_a_card_kept_before() -> None:
    stage = with_the_favor(Stage()).seat(YARA, facedown=["tents"]).act(YARA, offer_adviser)
    stage.does(YARA, "play adviser tents", "play tents to river discarding longbows")
    assert [c.id for c in stage.g.map[0].cards] == ["wolves", "tents"]


# E. Powers and costs


def test_scenario_45_an_occupied_card_does_not_work_again_unless_it_costs_nothing() -> None:
    stage = Stage().site("river", cards=["spirit_snare", "tavern_songs"])
    stage.g.piles["cradle"] = [pile_card("elders")]
    stage.seat(YARA, at="river", secrets=2, favor=1).act(YARA, offer_powers)
    stage.does(YARA, "use spirit snare", "hearth").act(YARA, offer_powers)
    assert "tokens lie on it" in stage.refusal(YARA, "use spirit snare")
    stage.act(YARA, offer_trading)
    assert "tokens lie on it" in stage.refusal(YARA, "muster on spirit snare")
    stage.g.map[0].cards[1].favor = 1
    stage.g.shared -= 1
    for _ in range(2):
        stage.act(YARA, offer_powers).does(YARA, "use tavern songs")
    count(stage)


@pytest.mark.parametrize("who", [BELA, OREN, CARA])
def test_scenario_46_an_action_is_open_to_pawns_there_and_to_the_ruler_from_afar(who: str) -> None:
    stage = Stage().site("river", cards=["spirit_snare"], ruler=CARA).seat(CARA, at="wastes")
    stage.seat(BELA, at="river").seat(OREN, at="river").seat(who, secrets=1)
    stage.act(who, offer_powers).does(who, "use spirit snare", "hearth")
    assert stage.player(who).favor == 1


def test_scenario_46_and_to_nobody_else() -> None:
    stage = Stage().site("river", cards=["spirit_snare"], ruler=CARA).seat(YARA, at="wastes", secrets=1)
    assert not [o for o in act_menu(stage.g, stage.player(YARA)).options if o.id == "use.spirit_snare"]


def test_scenario_48_a_card_paid_for_as_a_plan_takes_no_trade(invent: Made) -> None:
    invent("mercenaries", plan=adds("own", 3))
    stage = Stage().site("steppe", cards=["mercenaries"], ruler=YARA)
    stage.seat(CARA, at="steppe").seat(YARA, at="steppe", warbands=3, favor=1, secrets=1)
    stage.act(YARA, offer_campaign)
    stage.does(YARA, "campaign against cara at pawn with 3", "plan mercenaries")
    stage.act(YARA, offer_trading)
    assert "tokens lie on it" in stage.refusal(YARA, "trade with mercenaries for favor")


# G. Recover and banners


def holder(tokens: int, favor: int, *, mob: bool = False) -> Stage:
    """Yara wakes with the People's Favor."""
    stage = Stage().banner(PEOPLES_FAVOR, tokens, YARA, mob=mob).seat(YARA, at="river", favor=favor)
    return stage.turn(YARA)


def test_scenario_56_with_one_on_it_favor_must_be_put_there() -> None:
    stage = holder(1, 2)
    stage.run(wake(stage.g))
    assert (stage.g.banners[PEOPLES_FAVOR].tokens, stage.player(YARA).favor) == (2, 1)


def test_scenario_57_one_goes_to_a_poorest_bank_of_the_holders_choice() -> None:
    stage = holder(2, 0)
    stage.g.banks.update(order=1, beast=1, hearth=7)
    stage.run(wake(stage.g))
    assert stage.options(YARA) == ["return 1 favor to the Order bank", "return 1 favor to the Beast bank"]
    stage.does(YARA, "return to beast")
    assert (stage.g.banners[PEOPLES_FAVOR].tokens, stage.g.banks["beast"]) == (1, 2)
    count(stage)


def test_scenario_58_the_mob_takes_two_steps_and_stays_a_mob() -> None:
    stage = holder(5, 2)
    stage.run(wake(stage.g)).does(YARA, "put")
    banner = stage.g.banners[PEOPLES_FAVOR]
    assert (banner.tokens, banner.mob) == (6, True)
    stage.run(wake(stage.g)).does(YARA, "put", "return to order")
    assert (banner.tokens, banner.mob) == (6, True)
    for _ in range(2):
        stage.run(wake(stage.g))
        while stage.asked():
            stage.does(YARA, next(o for o in stage.options(YARA) if o.startswith("return")))
    assert (banner.tokens, banner.mob) == (2, True)
    count(stage)


def test_scenario_62_without_cards_at_the_holders_site_there_is_no_access() -> None:
    stage = Stage().banner(DARKEST_SECRET, 1, CARA).seat(CARA, at="river").seat(YARA, secrets=3)
    assert not has_access(stage.g, stage.player(YARA), DARKEST_SECRET)
    stage.site("river", cards=["longbows"])
    assert has_access(stage.g, stage.player(YARA), DARKEST_SECRET)
