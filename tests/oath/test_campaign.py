"""Campaigns: targets, dice, defeat and victory (O-6), and the title in them (O-10). Plans: test_plans."""

from __future__ import annotations

import pytest

from pbem.engine.oath import reliquary, sites
from pbem.engine.oath.battle import DEFENDER, Battle, Target
from pbem.engine.oath.campaign.fighting import sacrifice_needed
from pbem.engine.oath.campaign.flow import collect
from pbem.engine.oath.campaign.offering import offer_campaign
from pbem.engine.oath.printed import PURPLE
from pbem.engine.oath.rolling import shields, swords

from .positions import BELA, CARA, MAP, OREN, YARA, Stage, count

assert sites
assert reliquary
HOLLOW, SWORD, SKULL = "0", "3", "5"
BLANK, SHIELD, TWO_SHIELDS, DOUBLING = "0", "2", "4", "5"


def attacks(stage: Stage, line: str, who: str = YARA) -> Stage:
    """A campaign as its attacker writes it."""
    return stage.act(who, offer_campaign).does(who, line)


def at_steppe() -> Stage:
    """Cara rules Steppe with one warband and is elsewhere; Yara is there with five."""
    return Stage().site("steppe", ruler=CARA).seat(YARA, at="steppe", warbands=5)


# O-6.1, O-6.2: who and what may be attacked (64 to 66, 97)


def test_scenario_64_an_absent_ruler_can_lose_sites_alone() -> None:
    stage = at_steppe().site("wastes", ruler=CARA).act(YARA, offer_campaign)
    assert "pawn of Cara is not at Steppe" in stage.refusal(
        YARA, "campaign against cara at grand scepter with 1"
    )
    assert "pawn of Cara is not at Steppe" in stage.refusal(YARA, "campaign against cara at pawn with 1")
    assert "Steppe must be a target too" in stage.refusal(YARA, "campaign against cara at wastes with 1")
    assert "does not rule River" in stage.refusal(YARA, "campaign against cara at steppe, river with 1")
    stage.does(YARA, "campaign against cara at wastes and steppe with 1")


def test_scenario_65_a_present_ruler_can_lose_everything_but_the_site_is_compulsory() -> None:
    stage = at_steppe().seat(CARA, at="steppe").banner("darkest_secret", 2, CARA).act(YARA, offer_campaign)
    refused = "Steppe must be a target too"
    assert refused in stage.refusal(YARA, "campaign against cara at grand scepter with 1")
    assert refused in stage.refusal(YARA, "campaign against cara at the darkest secret, pawn with 1")
    stage.does(YARA, "campaign against cara at steppe, grand scepter, the darkest secret, pawn with 0")


def test_scenario_66_a_pawn_on_foreign_ground_needs_no_site_here() -> None:
    stage = Stage().site("wastes", ruler=CARA).seat(CARA, at="steppe").seat(YARA, at="steppe", warbands=2)
    stage.act(YARA, offer_campaign)
    assert "must be at Steppe" in stage.refusal(YARA, "campaign against cara at wastes with 1")
    stage.does(YARA, "campaign against cara at grand scepter, wastes with 1")


def test_scenario_97_one_of_two_imperial_pawns_is_the_defender() -> None:
    stage = (
        at_steppe().seat(OREN, citizen=True, at="steppe").seat(CARA, at="steppe").act(YARA, offer_campaign)
    )
    assert "not so often" not in stage.refusal(YARA, "campaign against cara and oren at steppe with 1")
    stage.does(YARA, "campaign against oren at steppe, pawn with 1")
    assert (
        "Yara campaigns against Oren with 1 attack die. Targets: Steppe and the pawn of Oren."
        in stage.heard()
    )


def test_o_6_1_1_who_cannot_be_attacked() -> None:
    stage = at_steppe().seat(OREN, at="river").act(YARA, offer_campaign)
    assert "neither rules Steppe nor has a pawn there" in stage.refusal(
        YARA, "campaign against oren at pawn with 1"
    )
    assert "no bandits (O-6.1.1)" in stage.refusal(YARA, "campaign against bandits at steppe with 1")
    assert "cannot attack yourself" in stage.refusal(YARA, "campaign against yara at steppe with 1")


def test_o_6_1_2_an_own_site_is_no_bandits_site() -> None:
    stage = Stage().site("steppe", ruler=YARA).seat(YARA, at="steppe", warbands=2).act(YARA, offer_campaign)
    assert "nobody whom you could attack from Steppe" in stage.refusal(
        YARA, "campaign against bandits at steppe with 1"
    )


def test_o_6_2_3_bandits_hold_all_sites_without_warbands() -> None:
    stage = Stage().site("wastes", ruler=CARA).site("river", shown=False).seat(YARA, at="steppe", warbands=2)
    stage.act(YARA, offer_campaign)
    assert "Steppe must be a target too" in stage.refusal(
        YARA, "campaign against bandits at great slum with 1"
    )
    assert (
        "No bandits rule Wastes".lower()
        in stage.refusal(YARA, "campaign against bandits at steppe, wastes with 1").lower()
    )
    assert "lies face down" in stage.refusal(YARA, "campaign against bandits at steppe, cradle 1 with 1")
    stage.does(YARA, "campaign against bandits at steppe, great slum, rocky coast with 1")


def test_o_6_2_4_no_more_dice_than_warbands_on_the_board() -> None:
    stage = at_steppe().act(YARA, offer_campaign)
    assert "0 to 5" in stage.refusal(YARA, "campaign against cara at steppe with 6")


def test_o_6_a_campaign_costs_two_supply() -> None:
    assert attacks(at_steppe(), "campaign against cara at steppe with 0").player(YARA).supply == 5
    poor = at_steppe().seat(YARA, supply=1).act(YARA, offer_campaign)
    assert "costs 2 Supply, you have 1" in poor.refusal(YARA, "campaign against cara at steppe with 0")


# the dice of the pools (68 to 70)


def battle(stage: Stage, *targets: Target, defender: str = CARA, attacker: str = YARA) -> Battle:
    """A campaign whose pools are collected."""
    g = stage.g
    made = Battle(g, g.player(attacker), g.player(defender))
    made.targets = list(targets)
    return made


def on_sites(stage: Stage, *names: str) -> list[Target]:
    return [Target("site", site=stage.slot(name)) for name in names]


def test_scenario_68_three_sites_the_scepter_and_the_title_are_nine_dice() -> None:
    stage = at_steppe().site("river", ruler=CARA).site("wastes", ruler=CARA).seat(CARA, at="steppe")
    made = battle(stage, *on_sites(stage, "steppe", "river", "wastes"), Target("relic", "grand_scepter", 4))
    collect(made)
    assert made.defense_dice == 3 + 5 + 1


def test_scenario_69_a_banner_counts_its_tokens_the_pawn_two() -> None:
    stage = at_steppe().title(OREN).seat(CARA, at="steppe").banner("peoples_favor", 4, CARA)
    made = battle(stage, Target("banner", "peoples_favor", 4), Target("pawn", site=4))
    collect(made)
    assert made.defense_dice == 4 + 2


@pytest.mark.parametrize(("usurper", "dice"), [(False, 2), (True, 3)])
def test_o_6_2_5_oathkeeper_and_usurper(usurper: bool, dice: int) -> None:
    stage = Stage().site("steppe", ruler=OREN).title(OREN, usurper=usurper).seat(YARA, at="steppe")
    made = battle(stage, *on_sites(stage, "steppe"), defender=OREN)
    collect(made)
    assert made.defense_dice == dice


def test_scenario_70_removed_dice_that_are_not_there_defend() -> None:
    made = battle(at_steppe())
    made.attack_dice, made.defense_dice = 2, 1
    made.change_pool(DEFENDER, 3)
    assert (made.attack_dice, made.defense_dice) == (0, 2)


# the totals (72 to 74, 80)


def test_scenario_72_each_doubling_doubles() -> None:
    assert shields(("shield", "times two", "times two")) == 4
    assert shields(("times two", "times two")) == 0


def test_o_6_7_2_hollow_swords_count_in_pairs() -> None:
    assert swords(("hollow", "hollow", "hollow", "sword", "skull")) == 1 + 1 + 2
    assert swords(("hollow",)) == 0


def long_example() -> Stage:
    """73: two sites of Cara, who stands with four warbands at one of them; Yara with five."""
    stage = at_steppe().site("wastes", ruler=CARA).seat(CARA, at="wastes", warbands=4)
    return stage.dice(defense=" ".join([DOUBLING] * 3))


def test_scenario_73_the_long_example() -> None:
    stage = long_example().dice(attack=" ".join([HOLLOW, HOLLOW, HOLLOW, SWORD, SKULL]))
    attacks(stage, "campaign against cara at steppe, wastes with 5")
    heard = stage.heard()
    assert "The defense rolls 3 times a doubling: 0 for shields and 6 for its force make 6." in heard
    assert stage.asked() == {YARA: "sacrifice"}
    assert stage.player(YARA).warbands == 4
    stage.does(YARA, "sacrifice 3")
    assert "Yara wins against Cara, 7 to 6." in stage.heard()
    assert stage.player(YARA).warbands == 1
    assert stage.player(CARA).warbands == 3  # half of six
    stage.does(YARA, "place 1 at steppe")
    assert stage.asked() == {}
    assert stage.g.map[stage.slot("steppe")].colour == "yellow"
    count(stage)


def test_scenario_74_with_too_few_left_there_is_no_sacrifice() -> None:
    stage = Stage().site("steppe", ruler=CARA).site("wastes", ruler=CARA).seat(CARA, at="wastes", warbands=4)
    stage.seat(YARA, at="steppe", warbands=3)
    stage.dice(defense=" ".join([DOUBLING] * 3), attack=f"{SWORD} {SKULL} {SWORD}")
    attacks(stage, "campaign against cara at steppe, wastes with 3")
    assert stage.asked() == {}
    assert "Yara is defeated by Cara, 4 to 6." in stage.heard()
    assert stage.player(YARA).warbands == 1  # the skull took one, the defeat half of two
    count(stage)


def test_o_6_7_3_a_tie_is_the_defenders() -> None:
    stage = at_steppe().dice(defense=f"{BLANK} {BLANK}", attack=SWORD)
    attacks(stage, "campaign against cara at steppe with 1").does(YARA, "sacrifice nothing")
    assert "Yara is defeated by Cara, 1 to 1." in stage.heard()
    assert stage.player(YARA).warbands == 3
    count(stage)


def test_o_6_7_4_the_number_is_exact() -> None:
    stage = at_steppe().dice(defense=f"{TWO_SHIELDS} {BLANK}", attack=f"{SWORD} {SWORD}")
    attacks(stage, "campaign against cara at steppe with 2")
    assert stage.options(YARA) == ["sacrifice 2", "sacrifice nothing"]
    assert stage.refusal(YARA, "sacrifice 3")


def test_hr_08_no_dice_at_all_and_a_victory_by_sacrifice() -> None:
    stage = at_steppe().title(OREN).dice(defense=BLANK)
    attacks(stage, "campaign against cara at steppe with 0").does(YARA, "sacrifice 2", "place 1")
    assert "Yara wins against Cara, 2 to 1." in stage.heard()
    assert stage.player(YARA).warbands == 2


def test_hr_07_skulls_beyond_the_force_do_nothing_more() -> None:
    stage = Stage().seat(YARA, at="steppe", warbands=2).dice(attack=f"{SKULL} {SKULL}", defense=SHIELD)
    attacks(stage, "campaign against bandits at steppe with 2")
    assert stage.player(YARA).warbands == 0
    assert "Yara wins against the bandits, 4 to 2." in stage.heard()
    assert stage.asked() == {}  # with nobody left there is nothing to place
    count(stage)


def test_scenario_80_a_board_far_away_neither_defends_nor_dies() -> None:
    stage = at_steppe().seat(CARA, at="river", warbands=6).dice(defense=f"{BLANK} {BLANK}", attack=SKULL)
    attacks(stage, "campaign against cara at steppe with 1").does(YARA, "place 0")
    assert "Yara wins against Cara, 2 to 1." in stage.heard()
    assert stage.player(CARA).warbands == 6 + 1
    count(stage)


# defeat and victory (76 to 78, 81)


def test_scenario_76_survivors_go_home() -> None:
    stage = Stage().site("steppe", ruler=CARA, warbands=2).site("river", ruler=CARA, warbands=3)
    stage.site("wastes", ruler=CARA, warbands=4).seat(YARA, at="steppe", warbands=14)
    stage.seat(CARA, at="great_slum").dice(defense="0 0 0 0", attack=" ".join([SWORD] * 10))
    attacks(stage, "campaign against cara at steppe, river, wastes with 10")
    assert stage.player(CARA).warbands == 5
    assert stage.player(CARA).bank == 24 - 5
    stage.does(YARA, "place 1", "place 1", "place 1")
    count(stage)


def test_scenario_77_a_site_left_empty_is_the_bandits() -> None:
    stage = at_steppe().site("wastes", ruler=CARA).dice(defense="0 0 0", attack="5 5 5 5 0")
    attacks(stage, "campaign against cara at steppe, wastes with 5")
    assert stage.player(YARA).warbands == 1
    stage.does(YARA, "place 0 at steppe", "place 1 at wastes")
    assert stage.g.map[stage.slot("steppe")].colour == ""
    assert stage.g.map[stage.slot("wastes")].colour == "yellow"
    count(stage)


def beaten_pawn() -> Stage:
    """Cara with three favor loses at Steppe, where Yara attacked the pawn too."""
    stage = at_steppe().seat(CARA, at="steppe", favor=3).site("great_slum", shown=False)
    stage.dice(defense="0 0 0 0", attack="3 3 3 3 3")
    attacks(stage, "campaign against cara at steppe, pawn with 5")
    return stage.does(YARA, "place 1")


def test_scenario_78_the_pawn_is_banished_and_half_the_favor_burns() -> None:
    stage = beaten_pawn()
    shared = stage.g.shared
    assert "banish to Steppe" not in stage.options(YARA)
    stage.does(YARA, "banish to hinterland 3")
    assert stage.player(CARA).pawn == stage.slot("great_slum")
    assert stage.g.map[stage.slot("great_slum")].shown == "great_slum"
    assert stage.options(YARA) == ["burn 1 favor", "burn nothing"]
    stage.does(YARA, "burn 1 favor")
    assert stage.player(CARA).favor == 2
    assert stage.g.shared == shared + 1
    count(stage)


def test_o_6_9_3_both_may_be_left() -> None:
    stage = beaten_pawn().does(YARA, "banish nobody", "burn nothing")
    assert stage.player(CARA).pawn == stage.slot("steppe")
    assert stage.player(CARA).favor == 3


def test_scenario_81_bandits_are_not_killed() -> None:
    stage = Stage().seat(YARA, at="steppe", warbands=3).dice(defense=BLANK, attack="3 3")
    attacks(stage, "campaign against bandits at steppe with 2").does(YARA, "place 1")
    assert not [line for line in stage.heard() if "killed" in line]
    assert stage.player(YARA).warbands == 2


def test_o_6_8_4_who_loses_to_bandits_loses_half() -> None:
    stage = Stage().seat(YARA, at="steppe", warbands=5).dice(defense=TWO_SHIELDS)
    attacks(stage, "campaign against bandits at steppe with 0").does(YARA, "sacrifice nothing")
    assert stage.player(YARA).warbands == 3
    count(stage)


def test_o_6_9_2_everything_targeted_changes_hands() -> None:
    stage = at_steppe().seat(CARA, at="steppe", relics=["map"]).banner("peoples_favor", 4, CARA)
    stage.dice(defense="0 " * 13 + "0", attack="3 3 3 3 3")
    attacks(stage, "campaign against cara at steppe, map, grand scepter, people's favor with 5")
    stage.does(YARA, "place 1")
    assert [r.id for r in stage.player(YARA).relics] == ["grand_scepter", "map"]
    banner = stage.g.banners["peoples_favor"]
    assert (banner.holder, banner.tokens, banner.mob) == (YARA, 2, True)
    assert stage.g.scepter_taken
    assert stage.asked() == {}
    count(stage)


def test_o_6_11_a_successful_defense_changes_nothing_else() -> None:
    stage = at_steppe().seat(CARA, at="steppe", warbands=4).dice(defense="4 4 4 4 4 4 4")
    attacks(stage, "campaign against cara at steppe, grand scepter with 0")
    assert stage.asked() == {}
    assert stage.player(YARA).warbands == 3
    assert stage.player(CARA).warbands == 4
    assert stage.player(CARA).relic("grand_scepter")
    count(stage)


# the title (1, 2, 8, 10)


def test_scenario_1_a_holder_among_the_tied_keeps_the_title() -> None:
    stage = Stage().site("river", ruler=CARA).site("wastes", ruler=CARA).site("steppe", ruler=CARA)
    stage.site("lush_coast", ruler=YARA).site("rocky_coast", ruler=YARA)
    stage.seat(YARA, at="great_slum", warbands=3).dice(defense=BLANK, attack="3 3 3")
    attacks(stage, "campaign against bandits at great slum with 3").does(YARA, "place 1")
    assert stage.g.title == CARA


def test_scenario_2_the_title_goes_to_whoever_overtakes() -> None:
    stage = Stage().site("river", ruler=CARA).site("wastes", ruler=CARA).site("steppe", ruler=CARA)
    stage.site("lush_coast", ruler=YARA).site("rocky_coast", ruler=YARA).seat(YARA, at="steppe", warbands=5)
    stage.dice(defense="0 0", attack="3 3 3")
    attacks(stage, "campaign against cara at steppe with 3").does(YARA, "place 1")
    assert (stage.g.title, stage.g.usurper) == (YARA, False)


def test_scenario_8_a_usurper_is_robbed_and_the_title_turns() -> None:
    stage = Stage().title(YARA, usurper=True).site("river", ruler=YARA).site("steppe", ruler=YARA)
    stage.site("wastes", ruler=BELA).seat(BELA, at="steppe", warbands=5).dice(defense="0 0 0", attack="3 3 3")
    attacks(stage, "campaign against yara at steppe with 3", BELA).does(BELA, "place 1")
    assert (stage.g.title, stage.g.usurper) == (BELA, False)


def test_scenario_10_a_bandit_site_brings_a_tie_and_no_title() -> None:
    stage = Stage().title(YARA).site("river", ruler=CARA).site("steppe", ruler=CARA)
    for site in ("lush_coast", "rocky_coast", "great_slum"):
        stage.site(site, ruler=YARA)
    stage.seat(CARA, at="wastes", warbands=4).dice(defense=BLANK, attack="3 3")
    attacks(stage, "campaign against bandits at wastes with 2", CARA).does(CARA, "place 1")
    assert stage.g.title == YARA


# what sites do (rulings, part E)


@pytest.mark.parametrize(("site", "dice"), [("plains", 4), ("mountain", 2)])
def test_plains_and_mountain_count_once(site: str, dice: int) -> None:
    stage = Stage(map=(site, *MAP[1:])).seat(CARA, at=0, relics=["map"]).seat(YARA, at=0, warbands=3)
    stage.site(site, ruler=CARA)
    attacks(stage, f"campaign against cara at {site}, map, pawn with 3")
    assert f"Before battle plans: attack dice {dice}, defense dice 7." in stage.heard()


def test_hr_08_the_mountain_takes_a_die_that_is_not_there() -> None:
    stage = Stage(map=("mountain", *MAP[1:])).seat(YARA, at=0, warbands=3)
    attacks(stage, "campaign against bandits at mountain with 0")
    assert "Before battle plans: attack dice 0, defense dice 2." in stage.heard()


def test_narrow_pass_stands_before_its_region() -> None:
    stage = Stage(map=(*MAP[:3], "narrow_pass", *MAP[4:])).site("narrow_pass", ruler=CARA)
    stage.site("steppe", ruler=CARA).site("river", ruler=CARA).seat(YARA, at="river", warbands=3)
    stage.act(YARA, offer_campaign)
    refused = stage.refusal(YARA, "campaign against cara at river, steppe with 1")
    assert "must have Narrow Pass among its targets" in refused
    stage.does(YARA, "campaign against cara at river, narrow pass, steppe with 1")


def test_narrow_pass_does_not_bar_its_own_ruler() -> None:
    stage = Stage(map=(*MAP[:3], "narrow_pass", *MAP[4:])).site("narrow_pass", ruler=YARA)
    stage.site("steppe", ruler=CARA).site("river", ruler=CARA).seat(YARA, at="river", warbands=3)
    attacks(stage, "campaign against cara at river, steppe with 1")


def test_the_hidden_place_asks_a_secret() -> None:
    stage = Stage(map=("the_hidden_place", *MAP[1:])).seat(YARA, at=0, warbands=3)
    stage.act(YARA, offer_campaign)
    refused = stage.refusal(YARA, "campaign against bandits at the hidden place with 1")
    assert "it takes 1 faceup secret to be turned face down, you have 0" in refused
    stage.seat(YARA, secrets=1)
    attacks(stage, "campaign against bandits at the hidden place with 1")
    assert (stage.player(YARA).secrets, stage.player(YARA).spent) == (0, 1)
    assert "Yara turns 1 secret face down." in stage.heard()


def test_a_banished_player_need_not_turn_a_secret_for_the_hidden_place() -> None:
    stage = Stage(map=("the_hidden_place", *MAP[1:])).site("steppe", ruler=CARA)
    stage.seat(YARA, at="steppe", warbands=5).seat(CARA, at="steppe", secrets=1)
    stage.dice(defense="0 0 0 0", attack="3 3 3 3 3")
    attacks(stage, "campaign against cara at steppe, pawn with 5").does(
        YARA, "place 1", "banish to hidden place"
    )
    assert stage.asked() == {CARA: "made-to-travel"}
    stage.does(CARA, "stay")
    assert stage.player(CARA).pawn == stage.slot("steppe")
    assert stage.player(CARA).secrets == 1


def test_brutal_kills_the_whole_defeated_side() -> None:
    stage = Stage().seat(CARA, at="steppe", warbands=5).site("steppe", ruler=YARA, warbands=2)
    stage.g.reliquary[0] = None
    stage.dice(defense=BLANK, attack="3 3 3 3")
    attacks(stage, "campaign against yara at steppe with 4", CARA).does(CARA, "place 1")
    assert stage.player(YARA).warbands == 0
    assert stage.player(YARA).bank == 14


def test_brutal_strikes_the_chancellor_too() -> None:
    stage = Stage().seat(CARA, at="steppe", warbands=5).dice(defense=DOUBLING)
    stage.g.reliquary[0] = None
    attacks(stage, "campaign against bandits at steppe with 0", CARA).does(CARA, "sacrifice nothing")
    assert stage.player(CARA).warbands == 0


# the Empire defends (94, 96)


def against_a_citizen() -> Stage:
    """94: Bela attacks Citizen Yara at two sites; Cara, who has the title, is elsewhere; Oren, a Citizen, at one."""
    stage = Stage().seat(YARA, citizen=True, at="wastes", warbands=1).seat(OREN, citizen=True, warbands=2)
    stage.site("steppe", ruler=CARA).site("wastes", ruler=CARA).seat(CARA, at="river", warbands=5)
    return stage.seat(BELA, at="steppe", warbands=6)


def test_scenario_94_the_chancellor_joins_unasked_without_a_board_far_away() -> None:
    stage = against_a_citizen().seat(OREN, at="river").dice(defense="0 0 0")
    attacks(stage, "campaign against yara at steppe, wastes with 0", BELA)
    assert "Cara joins the defense of Yara." in stage.heard()
    assert "Before battle plans: attack dice 0, defense dice 3." in stage.heard()
    assert "The defense rolls 3 times a blank: 0 for shields and 3 for its force make 3." in stage.heard()
    assert OREN not in stage.asked()


def test_scenario_94_a_citizen_near_joins_if_both_agree() -> None:
    stage = against_a_citizen().seat(OREN, at="wastes").dice(defense="0 0 0")
    attacks(stage, "campaign against yara at steppe, wastes with 0", BELA)
    assert stage.asked() == {OREN: "join-defense"}
    stage.does(OREN, "join")
    assert stage.asked() == {YARA: "accept-allies"}
    stage.does(YARA, "accept oren")
    assert "The defense rolls 3 times a blank: 0 for shields and 5 for its force make 5." in stage.heard()


@pytest.mark.parametrize(("oren", "yara"), [("stay out", ""), ("join", "accept nobody")])
def test_scenario_94_either_may_refuse(oren: str, yara: str) -> None:
    stage = against_a_citizen().seat(OREN, at="wastes").dice(defense="0 0 0")
    attacks(stage, "campaign against yara at steppe, wastes with 0", BELA).does(OREN, oren)
    if yara:
        stage.does(YARA, yara)
    assert "The defense rolls 3 times a blank: 0 for shields and 3 for its force make 3." in stage.heard()
    assert [line for line in stage.heard() if "join the defense" in line]


def test_o_6_8_3_the_chancellor_chooses_whose_warbands_die() -> None:
    stage = against_a_citizen().seat(OREN, at="wastes").dice(defense="0 0 0", attack="3 3 3 3 3 3")
    attacks(stage, "campaign against yara at steppe, wastes with 6", BELA).does(OREN, "join")
    stage.does(YARA, "accept oren")
    assert stage.asked() == {CARA: "losses"}  # two of five: sites, Yara's board, Oren's board
    stage.does(CARA, "lose 0", "lose 0")
    assert stage.player(OREN).warbands == 0
    assert stage.player(YARA).warbands == 1
    assert stage.player(CARA).warbands == 5 + 2
    stage.does(BELA, "place 1", "place 1")
    count(stage)


def test_scenario_96_the_chancellor_attacks_a_citizen_who_stands_alone() -> None:
    stage = Stage().seat(YARA, citizen=True, at="wastes", warbands=1).seat(OREN, citizen=True, at="wastes")
    stage.site("wastes", ruler=CARA).seat(CARA, at="wastes", warbands=3).dice(defense="0 0")
    stage.act(CARA, offer_campaign)
    assert "does not rule Wastes" in stage.refusal(CARA, "campaign against yara at wastes with 1")
    stage.does(CARA, "campaign against yara at pawn with 0")
    assert OREN not in stage.asked()
    assert "Before battle plans: attack dice 0, defense dice 2." in stage.heard()  # no die of the title


def test_scenario_96_a_citizen_attacks_the_chancellor() -> None:
    stage = Stage().seat(YARA, citizen=True, at="wastes", warbands=6).seat(OREN, citizen=True, at="wastes")
    stage.site("wastes", ruler=CARA).seat(CARA, at="river").dice(defense="0 0", attack="3 3 3")
    stage.act(YARA, offer_campaign)
    stage.does(YARA, "campaign against cara at wastes with 3")
    stage.does(OREN, "stay out").does(YARA, "place 2")
    assert stage.g.map[stage.slot("wastes")].colour == PURPLE
    assert stage.g.map[stage.slot("wastes")].warbands == 2
    count(stage)


def test_a_citizen_who_attacks_another_meets_the_chancellor() -> None:
    stage = Stage().seat(YARA, citizen=True, at="wastes", warbands=6).seat(OREN, citizen=True, at="wastes")
    stage.act(YARA, offer_campaign).does(YARA, "campaign against oren at pawn with 0")
    assert "Cara joins the defense of Oren." in stage.heard()


def test_an_exact_sacrifice_with_another_value() -> None:
    made = battle(at_steppe())
    made.attack, made.defense, made.sacrifice_value = 2, 6, 3
    assert sacrifice_needed(made) == 2
