"""Travel, Search, Muster, Trade, Recover by the reference's scenarios (parts B, C, D, F, G)."""

from __future__ import annotations

import pytest

from pbem.engine.core.sealed import Sealed
from pbem.engine.oath import cards as _cards
from pbem.engine.oath import sites as _sites
from pbem.engine.oath.actions.action import Travel
from pbem.engine.oath.actions.minor import offer_adviser, offer_peeks
from pbem.engine.oath.actions.recovering import has_access, offer_recover
from pbem.engine.oath.actions.searching import cost, offer_search, searching
from pbem.engine.oath.actions.trading import offer_trading
from pbem.engine.oath.actions.travel import cost as travel_cost
from pbem.engine.oath.actions.travel import offer_travel
from pbem.engine.oath.printed import DARKEST_SECRET, PEOPLES_FAVOR
from pbem.engine.oath.state import pile_card
from pbem.engine.oath.wake import wake

from .positions import BELA, CARA, MAP, OREN, YARA, Stage, count

assert _cards
assert _sites


@pytest.fixture
def stage() -> Stage:
    return Stage()


# B. travel and sites


@pytest.mark.parametrize(
    ("origin", "destination", "supply"),
    [(0, 1, 1), (0, 2, 2), (0, 5, 4), (2, 0, 2), (2, 3, 2), (2, 6, 2), (5, 0, 4), (5, 2, 2), (5, 6, 3)],
)
def test_scenario_18_costs_by_region(stage: Stage, origin: int, destination: int, supply: int) -> None:
    stage.seat(YARA, at=origin)
    assert travel_cost(Travel(stage.g, stage.player(YARA), destination)) == supply


def test_scenario_20_a_site_is_turned_up_with_its_relic(stage: Stage) -> None:
    stage.site("steppe", shown=False).seat(YARA, at="salt_flats")
    stage.act(YARA, offer_travel).does(YARA, "travel to provinces 3")
    there = stage.g.map[stage.slot("steppe")]
    assert there.shown == "steppe"
    assert [r.under_seal() for r in there.relics] == ["dowsing_sticks"]
    assert not there.relics[0].seen_by(YARA)
    assert "Steppe is turned up" in " ".join(stage.heard())
    count(stage)


def test_o_5_6_2_travel_goes_somewhere_else_and_must_be_paid(stage: Stage) -> None:
    stage.seat(YARA, at="wastes", supply=3)
    stage.act(YARA, offer_travel)
    assert "stands there already" in stage.refusal(YARA, "travel to wastes")
    assert "it costs 4 Supply, you have 3" in stage.refusal(YARA, "travel to river")
    stage.does(YARA, "travel to great slum")
    assert (stage.player(YARA).pawn, stage.player(YARA).supply) == (stage.slot("great_slum"), 0)


def test_coast_to_coast_costs_one(stage: Stage) -> None:
    stage.seat(YARA, at="rocky_coast")
    assert travel_cost(Travel(stage.g, stage.player(YARA), stage.slot("lush_coast"))) == 1
    assert travel_cost(Travel(stage.g, stage.player(YARA), stage.slot("river"))) == 4


def test_narrow_pass_must_be_ended_at_from_another_region() -> None:
    stage = Stage(
        map=("river", "plains", "salt_flats", "narrow_pass", "steppe", "rocky_coast", "wastes", "great_slum")
    )
    stage.seat(YARA, at="river").act(YARA, offer_travel)
    assert "must end at Narrow Pass" in stage.refusal(YARA, "travel to steppe")
    stage.does(YARA, "travel to narrow pass")
    stage.act(YARA, offer_travel).does(YARA, "travel to steppe")
    assert stage.player(YARA).pawn == stage.slot("steppe")


def test_the_hidden_place_takes_a_secret_that_turns_face_down() -> None:
    stage = Stage(
        map=("river", "the_hidden_place", "salt_flats", "mine", "steppe", "plains", "wastes", "great_slum")
    )
    stage.seat(YARA, at="river").act(YARA, offer_travel)
    assert "1 faceup secret to be" in stage.refusal(YARA, "travel to the hidden place")
    stage.seat(YARA, secrets=2).act(YARA, offer_travel).does(YARA, "travel to hidden place")
    assert (stage.player(YARA).secrets, stage.player(YARA).spent) == (1, 1)


def test_shrouded_wood_costs_two_and_its_enemy_ruler_names_the_destination() -> None:
    stage = Stage(
        map=("shrouded_wood", "plains", "salt_flats", "mine", "steppe", "river", "wastes", "great_slum")
    )
    stage.site("shrouded_wood", ruler=BELA).seat(YARA, at="shrouded_wood", supply=2)
    stage.act(YARA, offer_travel).does(YARA, "travel to wastes")
    assert stage.asked() == {BELA: "shrouded-wood"}
    stage.does(BELA, "to mine")
    assert stage.player(YARA).pawn == stage.slot("mine")
    assert stage.player(YARA).supply == 0


def test_buried_giant_makes_the_way_free_for_a_secret() -> None:
    stage = Stage(
        map=("buried_giant", "plains", "salt_flats", "narrow_pass", "steppe", "river", "wastes", "mine")
    )
    stage.seat(YARA, at="buried_giant", secrets=1, supply=0)
    stage.act(YARA, offer_travel).does(YARA, "travel to steppe using buried giant")
    assert stage.player(YARA).pawn == stage.slot("steppe")
    assert (stage.player(YARA).secrets, stage.player(YARA).spent) == (0, 1)


def test_a_site_is_within_reach_if_one_of_the_cards_reaches_it() -> None:
    stage = Stage(
        map=("buried_giant", "plains", "salt_flats", "narrow_pass", "steppe", "river", "wastes", "mine")
    )
    stage.site("steppe", cards=["roving_terror"])
    stage.seat(YARA, at="buried_giant", favor=1, supply=0, advisers=["forest_paths"])
    stage.act(YARA, offer_travel)  # the giant too could be declared, but for a secret
    stage.does(YARA, "travel to steppe using forest paths")
    assert stage.player(YARA).pawn == stage.slot("steppe")


def test_scenario_22_a_token_is_taken_in_the_wake(stage: Stage) -> None:
    stage.seat(YARA, at="salt_flats").turn(YARA)
    there = stage.g.map[stage.slot("salt_flats")]
    there.favor, stage.g.shared = 2, stage.g.shared - 2
    stage.run(wake(stage.g)).does(YARA, "take 1 favor")
    assert (there.favor, stage.player(YARA).favor) == (1, 1)
    count(stage)


# C. discard piles and Search


def deck(stage: Stage, *cards: str) -> Stage:
    """The top of the world deck."""
    below = [c for c in stage.g.world.deck.under_seal() if c not in cards]
    stage.g.world.deck = Sealed([*cards, *below])
    return stage


@pytest.mark.parametrize(
    ("site", "pile"), [("river", "provinces"), ("steppe", "hinterland"), ("wastes", "cradle")]
)
def test_scenario_25_cards_go_to_the_next_region(stage: Stage, site: str, pile: str) -> None:
    deck(stage, "elders", "tents", "wolves").seat(YARA, at=site, supply=7)
    stage.act(YARA, offer_search).does(YARA, "search world", "discard all", "elders", "tents")
    assert [c.card.under_seal() for c in stage.g.piles[pile]] == ["elders", "tents", "wolves"]


def test_scenario_26_a_vision_stops_the_drawing_and_moves_the_marker(stage: Stage) -> None:
    deck(stage, "elders", "faith", "wolves").seat(YARA, at="river", supply=7)
    stage.act(YARA, offer_search).does(YARA, "search world deck")
    assert stage.player(YARA).hand.open(YARA) == ("elders", "faith")
    assert stage.g.visions_drawn == 1
    assert cost(searching(stage.g, stage.player(YARA), "world")) == 3
    assert "a Vision at the end" in " ".join(stage.heard(BELA))
    assert "Elders" not in " ".join(stage.heard(BELA))


@pytest.mark.parametrize(("drawn", "supply"), [(0, 2), (1, 3), (2, 3), (3, 4), (4, 4), (5, 4)])
def test_scenario_29_the_price_row(stage: Stage, drawn: int, supply: int) -> None:
    stage.g.visions_drawn = drawn
    assert cost(searching(stage.g, stage.player(YARA), "world")) == supply


def test_o_22_a_vision_that_comes_again_leaves_the_marker_on_its_last_space(stage: Stage) -> None:
    deck(stage, "elders", "conquest").seat(YARA, at="river", supply=7)
    stage.g.visions_drawn = 5
    stage.act(YARA, offer_search).does(YARA, "search world deck")
    assert stage.g.visions_drawn == 5
    assert cost(searching(stage.g, stage.player(YARA), "world")) == 4


def test_scenario_28_a_short_pile_gives_what_it_has_and_visions_in_it_do_not_stop(stage: Stage) -> None:
    stage.g.piles["cradle"] = [pile_card("elders"), pile_card("faith")]
    stage.seat(YARA, at="river")
    stage.act(YARA, offer_search).does(YARA, "search pile")
    assert stage.player(YARA).hand.open(YARA) == ("faith", "elders")
    assert stage.g.visions_drawn == 0
    assert stage.g.piles["cradle"] == []


def test_o_5_1_only_the_own_regions_pile_is_within_reach(stage: Stage) -> None:
    stage.g.piles["hinterland"] = [pile_card("elders")]
    stage.seat(YARA, at="river").act(YARA, offer_search)
    assert "only the pile of your pawn's region" in stage.refusal(YARA, "search hinterland")
    assert "no card lies there" in stage.refusal(YARA, "search cradle")


def test_marshes_take_one_card_away() -> None:
    stage = Stage(map=("marshes", "plains", "salt_flats", "mine", "steppe", "river", "wastes", "great_slum"))
    deck(stage, "elders", "tents", "wolves").seat(YARA, at="marshes", supply=7)
    stage.act(YARA, offer_search).does(YARA, "search world")
    assert len(stage.player(YARA).hand.open(YARA)) == 2


def searched(stage: Stage, *cards: str) -> Stage:
    """Yara has drawn these, and keeps the first."""
    deck(stage, *cards)
    stage.act(YARA, offer_search).does(YARA, "search world", f"keep {cards[0].replace('_', ' ')}")
    while "discard-order" in stage.asked().values():
        stage.does(YARA, stage.options(YARA)[0])
    return stage


def test_o_5_2_1_a_card_played_to_the_site_brings_a_favor_of_its_bank(stage: Stage) -> None:
    stage.seat(YARA, at="river", supply=7)
    searched(stage, "wolves", "tents", "elders").does(YARA, "play wolves to river")
    assert [c.id for c in stage.g.map[0].cards] == ["wolves"]
    assert (stage.player(YARA).favor, stage.g.banks["beast"]) == (1, 2)
    count(stage)


def test_scenario_34_an_empty_bank_gives_nothing(stage: Stage) -> None:
    stage.g.banks["beast"], stage.g.banks["order"] = 0, 6
    stage.seat(YARA, at="river", supply=7)
    searched(stage, "wolves", "tents", "elders").does(YARA, "play to river")
    assert stage.player(YARA).favor == 0


def test_a_homeland_rewards_a_card_of_its_suit_once_nothing_was_discarded_there(stage: Stage) -> None:
    stage.seat(YARA, at="steppe", supply=7)
    searched(stage, "tents", "wolves", "longbows").does(YARA, "play to steppe")
    assert stage.player(YARA).secrets == 1
    stage.g.discarded.append((stage.slot("steppe"), "nomad"))
    searched(stage, "elders", "wolves", "longbows").does(YARA, "play to steppe")
    assert stage.player(YARA).secrets == 1


def at_the_woods(*relics: str) -> Stage:
    """Yara is at Deep Woods, where relics lie, and has drawn a Beast card."""
    stage = Stage(map=("deep_woods", *MAP[1:])).site("deep_woods", relics=relics)
    return searched(stage.seat(YARA, at="deep_woods", supply=7), "wolves", "tents", "longbows")


def test_hr_19_a_homelands_relic_counts_as_recovered_and_costs_nothing() -> None:
    stage = at_the_woods("map").does(YARA, "play to deep woods")
    assert [r.id for r in stage.player(YARA).relics] == ["map"]
    assert (stage.player(YARA).secrets, stage.g.map[0].relics) == (0, [])
    assert at_the_woods().does(YARA, "play to deep woods").player(YARA).relics == []
    count(stage)


def test_of_several_relics_of_a_homeland_one_is_chosen() -> None:
    stage = at_the_woods("map", "brass_horse").does(YARA, "play to deep woods")
    assert stage.options(YARA) == ["relic 1", "relic 2"]
    stage.does(YARA, "relic 2")
    assert [r.id for r in stage.player(YARA).relics] == ["brass_horse"]


def test_scenario_32_with_the_peoples_favor_a_full_site_makes_room(stage: Stage) -> None:
    stage.site("river", cards=["wolves", "longbows"]).seat(
        YARA, at="river", supply=7, banners=[PEOPLES_FAVOR]
    )
    searched(stage, "tents", "elders", "scryer")
    assert "no room" in stage.refusal(YARA, "play to river")
    stage.does(YARA, "play tents to river discarding wolves")
    assert [c.id for c in stage.g.map[0].cards] == ["longbows", "tents"]
    assert stage.g.piles["provinces"][-1].card.under_seal() == "wolves"


def test_scenario_33_the_banner_plays_to_another_site_of_the_region(stage: Stage) -> None:
    stage.site("lush_coast", shown=True).seat(YARA, at="river", supply=7, banners=[PEOPLES_FAVOR])
    searched(stage, "tents", "elders", "scryer")
    assert not [o for o in stage.options(YARA) if "Steppe" in o]
    stage.does(YARA, "play to lush coast")
    assert [c.id for c in stage.g.map[1].cards] == ["tents"]


def test_great_slum_lets_a_card_go_first(stage: Stage) -> None:
    stage.site("great_slum", cards=["wolves", "longbows", "tents"]).seat(YARA, at="great_slum", supply=7)
    searched(stage, "elders", "scryer", "keep").does(YARA, "play to great slum discarding tents")
    assert [c.id for c in stage.g.map[7].cards] == ["wolves", "longbows", "elders"]


def test_scenario_36_a_fourth_adviser_sends_another_away_but_no_locked_one(stage: Stage) -> None:
    stage.seat(YARA, at="river", supply=7, advisers=["a_small_favor", "elders", "wolves"])
    searched(stage, "tents", "scryer", "keep")
    assert "play Tents as adviser discarding <adviser to discard>" in stage.options(YARA)
    assert stage.refusal(YARA, "play tents as adviser discarding a small favor")
    stage.does(YARA, "play tents as adviser discarding elders")
    assert [a.shown for a in stage.player(YARA).advisers] == ["a_small_favor", "wolves", "tents"]


def test_scenario_37_any_card_may_lie_face_down(stage: Stage) -> None:
    stage.seat(YARA, at="river", supply=7)
    searched(stage, "key_to_the_city", "tents", "elders")
    assert "may lie at a site only" in stage.refusal(YARA, "play as adviser")
    stage.does(YARA, "keep it")
    stage.act(YARA, offer_adviser).does(YARA, "play adviser key to the city")
    assert "may lie at a site only" in stage.refusal(YARA, "as adviser")
    stage.does(YARA, "play to river")
    assert stage.player(YARA).advisers == []
    assert [c.id for c in stage.g.map[0].cards] == ["key_to_the_city"]


def test_scenario_40_the_chancellor_keeps_a_goal_face_down_and_never_reveals_it(stage: Stage) -> None:
    stage.seat(CARA, at="river", facedown=["faith"]).act(CARA, offer_adviser)
    stage.does(CARA, "play adviser faith")
    assert "only an Exile" in stage.refusal(CARA, "reveal it")


def test_o_11_3_another_revealed_vision_is_discarded(stage: Stage) -> None:
    stage.seat(YARA, at="river", facedown=["faith"], vision="conquest").act(YARA, offer_adviser)
    stage.does(YARA, "play adviser faith", "reveal it")
    assert stage.player(YARA).vision == "faith"
    assert stage.g.piles["provinces"][-1].card.under_seal() == "conquest"


# D. Conspiracy


def conspire(stage: Stage) -> Stage:
    stage.act(YARA, offer_adviser).does(YARA, "play adviser conspiracy", "play it")
    return stage


def test_scenario_41_two_of_one_suit_take_the_banner(stage: Stage) -> None:
    stage.seat(YARA, at="river", facedown=["conspiracy"], advisers=["tents", "elders"], secrets=1)
    stage.seat(BELA, at="river", advisers=["rain_boots"], banners=[PEOPLES_FAVOR])
    stage.banner(PEOPLES_FAVOR, 4, BELA)
    conspire(stage).does(YARA, "take peoples favor")
    banner = stage.g.banners[PEOPLES_FAVOR]
    assert (banner.holder, banner.tokens, banner.mob) == (YARA, 2, True)
    assert stage.player(YARA).secrets == 0
    assert stage.g.world.out == ["conspiracy"]
    count(stage)


def test_scenario_42_one_of_each_of_two_suits(stage: Stage) -> None:
    stage.seat(YARA, at="river", facedown=["conspiracy"], advisers=["tents", "wolves"], secrets=1)
    stage.seat(BELA, at="river", advisers=["rain_boots", "rangers"], relics=["map"])
    conspire(stage).does(YARA, "take map")
    assert stage.player(YARA).relic("map") is not None


def test_scenario_44_declining_loses_the_card_all_the_same(stage: Stage) -> None:
    stage.seat(YARA, at="river", facedown=["conspiracy"], advisers=["tents", "wolves"], secrets=1)
    stage.seat(BELA, at="river", advisers=["rain_boots", "rangers"], relics=["map"])
    conspire(stage).does(YARA, "take nothing")
    assert stage.g.world.out == ["conspiracy"]
    assert stage.player(YARA).secrets == 1


# F. Muster and Trade


def test_scenario_49_muster_with_one_warband_left(stage: Stage) -> None:
    stage.site("steppe", cards=["wolves"]).seat(YARA, at="steppe", favor=1, warbands=13)
    stage.act(YARA, offer_trading).does(YARA, "muster on wolves")
    assert (stage.player(YARA).warbands, stage.player(YARA).bank) == (14, 0)
    assert stage.g.map[4].cards[0].favor == 1
    count(stage)


def test_river_musters_one_more_for_its_ruler(stage: Stage) -> None:
    stage.site("river", cards=["wolves"], ruler=YARA).seat(YARA, at="river", favor=1)
    stage.act(YARA, offer_trading).does(YARA, "muster on wolves")
    assert stage.player(YARA).warbands == 3


@pytest.mark.parametrize(("advisers", "gained"), [([], 1), (["wolves"], 2), (["wolves", "rangers"], 3)])
def test_scenario_50_trade_for_favor(stage: Stage, advisers: list[str], gained: int) -> None:
    stage.site("steppe", cards=["errand_boy"]).seat(YARA, at="steppe", secrets=1, advisers=advisers)
    stage.act(YARA, offer_trading).does(YARA, "trade with errand boy for favor")
    assert (stage.player(YARA).favor, stage.g.banks["beast"]) == (gained, 3 - gained)
    count(stage)


def test_o_5_4_trade_for_secrets_needs_faceup_advisers(stage: Stage) -> None:
    stage.site("steppe", cards=["errand_boy"])
    stage.seat(YARA, at="steppe", favor=2, advisers=["wolves"], facedown=["rangers"])
    stage.act(YARA, offer_trading).does(YARA, "trade with errand boy for secrets")
    assert (stage.player(YARA).favor, stage.player(YARA).secrets) == (0, 1)


def test_scenario_45_an_occupied_card_is_not_used_again(stage: Stage) -> None:
    stage.site("steppe", cards=["wolves"]).seat(YARA, at="steppe", favor=2, secrets=1, supply=7)
    stage.act(YARA, offer_trading).does(YARA, "muster on wolves").act(YARA, offer_trading)
    assert "tokens lie on it" in stage.refusal(YARA, "muster on wolves")
    assert "tokens lie on it" in stage.refusal(YARA, "trade with wolves for favor")


def test_scenario_52_a_facedown_secret_does_not_trade(stage: Stage) -> None:
    stage.site("steppe", cards=["wolves"]).seat(YARA, at="steppe")
    stage.player(YARA).spent = 1
    stage.act(YARA, offer_trading)
    assert "a faceup secret" in stage.refusal(YARA, "trade with wolves for favor")


def test_o_5_3_a_ruin_cannot_be_used() -> None:
    stage = Stage()
    stage.site("steppe", cards=["forest_temple_ruined"]).seat(YARA, at="steppe", favor=2)
    stage.act(YARA, offer_trading)
    assert "a ruin cannot be used" in stage.refusal(YARA, "muster on forest temple")


# G. Recover and banners


def test_scenario_53_a_relic_for_three_favor_into_the_named_bank(stage: Stage) -> None:
    stage.site("standing_stones", relics=["map"]).seat(YARA, at="standing_stones", favor=3)
    stage.act(YARA, offer_recover).does(YARA, "recover relic")
    assert stage.player(YARA).relic("map") is not None
    assert (stage.player(YARA).favor, stage.g.banks["arcane"]) == (0, 6)
    count(stage)


def test_hr_38_a_relic_at_a_site_that_prints_no_cost_stays_there(stage: Stage) -> None:
    stage.site("river", relics=["map"]).seat(YARA, at="river", favor=5, secrets=5)
    stage.act(YARA, offer_recover)
    assert "this site prints no cost" in stage.refusal(YARA, "recover relic")


def test_scenario_54_the_peoples_favor_from_the_bank(stage: Stage) -> None:
    stage.seat(YARA, at="river", favor=3).act(YARA, offer_recover)
    assert "2" in stage.refusal(YARA, "recover peoples favor for 1 starting at order")
    stage.does(YARA, "recover peoples favor for 3 starting at order")
    assert (stage.g.banners[PEOPLES_FAVOR].tokens, stage.g.banks["order"]) == (3, 4)
    count(stage)


def test_o_5_5_3_old_favor_goes_round_the_circle(stage: Stage) -> None:
    stage.banner(PEOPLES_FAVOR, 8, BELA, mob=True).seat(YARA, at="river", favor=9)
    stage.act(YARA, offer_recover).does(YARA, "recover peoples favor for 9 starting at nomad")
    assert stage.g.banks == {"discord": 5, "arcane": 4, "order": 4, "hearth": 4, "beast": 4, "nomad": 5}
    assert not stage.g.banners[PEOPLES_FAVOR].mob
    count(stage)


def test_scenario_60_the_darkest_secret_of_another_player(stage: Stage) -> None:
    stage.banner(DARKEST_SECRET, 3, CARA).site("river", cards=["longbows"])
    stage.seat(CARA, at="river").seat(YARA, at="wastes", secrets=4)
    stage.act(YARA, offer_recover).does(YARA, "recover darkest secret for 4")
    assert stage.g.banners[DARKEST_SECRET].tokens == 4
    assert (stage.player(YARA).secrets, stage.player(CARA).secrets) == (1, 2)


def test_scenarios_61_and_62_access_by_suit(stage: Stage) -> None:
    stage.banner(DARKEST_SECRET, 1, CARA).seat(CARA, at="river").seat(YARA, secrets=3)
    me = stage.player(YARA)
    assert not has_access(stage.g, me, DARKEST_SECRET), "an empty site"
    stage.site("river", cards=["longbows"])
    assert has_access(stage.g, me, DARKEST_SECRET), "a card and no advisers"
    stage.seat(CARA, advisers=["wolves"])
    assert has_access(stage.g, me, DARKEST_SECRET)
    stage.seat(CARA, advisers=["scouts"])
    assert not has_access(stage.g, me, DARKEST_SECRET)


@pytest.mark.parametrize(
    ("tokens", "favor", "mob", "line", "left"),
    [(2, 0, False, "", 1), (1, 1, False, "", 2), (1, 0, False, "", 1), (5, 1, False, "put", 6)],
)
def test_scenarios_56_to_58_the_peoples_favor_in_the_wake(
    stage: Stage, tokens: int, favor: int, mob: bool, line: str, left: int
) -> None:
    stage.banner(PEOPLES_FAVOR, tokens, YARA, mob=mob).seat(YARA, at="river", favor=favor).turn(YARA)
    stage.g.banks["discord"], stage.g.banks["nomad"] = 2, 4
    stage.run(wake(stage.g))
    if line:
        stage.does(YARA, line)
    assert stage.g.banners[PEOPLES_FAVOR].tokens == left
    assert stage.g.banners[PEOPLES_FAVOR].mob == (left >= 6)
    count(stage)


# minor actions


def test_o_7_3_a_peek_is_private_and_for_good(stage: Stage) -> None:
    stage.site("steppe", relics=["map"]).seat(YARA, at="steppe").act(YARA, offer_peeks)
    stage.does(YARA, "peek at relic 1")
    relic = stage.g.map[4].relics[0]
    assert relic.open(YARA) == "map"
    assert not relic.seen_by(OREN)
    assert "Map" not in " ".join(stage.heard(OREN))
    assert "Map" in " ".join(stage.heard(YARA))
