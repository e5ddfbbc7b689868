"""The Chronicle after a game (O-18): each decision, what is kept, what comes and goes, and chronicles of many games."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from typing import Any

import msgspec
import pytest

from pbem.engine.core.chance import Drawn
from pbem.engine.core.ruleset import BadLegacy
from pbem.engine.core.sealed import Sealed
from pbem.engine.core.table import Table
from pbem.engine.core.testing import random_answer
from pbem.engine.core.text import english
from pbem.engine.oath.beginnings import first_game
from pbem.engine.oath.chronicle.land import build, moved
from pbem.engine.oath.chronicle.saving import store
from pbem.engine.oath.chronicle.vow import invite, vow
from pbem.engine.oath.legacy import ORDINARY_RELICS, Legacy, SavedCard, SavedSite, check, dump, load
from pbem.engine.oath.oaths import win
from pbem.engine.oath.printed import DENIZENS, EDIFICES, OATHS, PLACES, REGIONS, SCEPTER, SITES, VISIONS
from pbem.engine.oath.rules import OathRules
from pbem.engine.oath.state import PileCard

from .positions import BELA, CARA, MAP, OREN, YARA, Stage

RULES = OathRules()
NAMES = ("Ana", "Ben", "Carla", "Dora", "Enzo", "Fay")


def won(stage: Stage, who: str, *ways: str) -> Stage:
    """The game is over; everything that lies nowhere is in the Archive, whose cards may all come."""
    g = stage.g
    at_sites = [c.id for s in g.map for c in s.cards]
    beside = [a.card.under_seal() for p in g.players for a in p.advisers]
    g.world.deck = Sealed([c for c in g.world.deck.under_seal() if c not in (*at_sites, *beside)])
    elsewhere = {*at_sites, *beside, *g.world.deck.under_seal(), *g.world.dispossessed.under_seal()}
    elsewhere |= {c.card.under_seal() for pile in g.piles.values() for c in pile}
    g.world.archive = [id for id in (*DENIZENS, *EDIFICES) if id not in elsewhere]
    g.chronicle, g.vowed = "The Long Winter", "people"
    win(g, g.player(who), *(ways or ("regime",)))
    return stage


def stored(stage: Stage, *lines: str) -> Legacy:
    """The Chronicle's last step, with the winner's lines; gives what is left."""
    stage.run(store(stage.g))
    if lines:
        stage.does(stage.g.winner, *lines)
    legacy = stage.g.ending.under_seal()
    assert legacy is not None
    check(legacy)
    return legacy


def sites_of(legacy: Legacy) -> dict[str, SavedSite]:
    return {site.site: site for site in legacy.map}


@pytest.fixture
def stage() -> Stage:
    return Stage()


# O-18.1


def test_scenario_101_a_vision_alone_vows_its_oath(stage: Stage) -> None:
    won(stage, YARA, "rebellion").run(vow(stage.g))
    assert stage.g.vowed == "people"
    assert stage.asked() == {}


def test_scenario_101_any_other_win_leaves_the_other_three_oaths(stage: Stage) -> None:
    won(stage, YARA, "usurper").run(vow(stage.g))
    assert stage.asked() == {YARA: "vow"}
    assert len(stage.options(YARA)) == 3
    assert "it was the oath of this game" in stage.refusal(YARA, "vow supremacy")
    stage.does(YARA, "vow devotion")
    assert stage.g.vowed == "devotion"


def test_o_18_1_several_ways_at_once_leave_the_choice(stage: Stage) -> None:
    won(stage, YARA, "usurper", "conquest").run(vow(stage.g))
    assert stage.asked() == {YARA: "vow"}


def test_hr_33_a_vision_that_decides_the_last_round_is_a_vision_alone(stage: Stage) -> None:
    won(stage, YARA, "exhaustion", "faith").run(vow(stage.g))
    assert stage.g.vowed == VISIONS["faith"].oath


@pytest.mark.parametrize(
    ("who", "citizen", "then"), [(YARA, False, "invite"), (YARA, True, "build"), (CARA, False, "build")]
)
def test_o_18_2_only_an_exile_invites_and_only_the_empire_builds(
    stage: Stage, who: str, citizen: bool, then: str
) -> None:
    stage.seat(YARA, citizen=citizen)
    won(stage, who).run(vow(stage.g)).does(who, "vow people")
    assert stage.g.phase == then


# O-18.2


def test_scenario_102_who_was_a_citizen_turns_and_cannot_be_invited(stage: Stage) -> None:
    stage.seat(OREN, citizen=True).site("salt_flats", ruler=BELA, warbands=3)
    won(stage, YARA, "usurper").run(vow(stage.g)).does(YARA, "vow people").run(invite(stage.g))
    assert stage.options(YARA) == ["invite Bela", "invite nobody"]
    stage.does(YARA, "invite bela")
    assert stage.asked() == {BELA: "citizenship"}
    stage.does(BELA, "accept")
    legacy = stored(stage, "add nomad")
    assert legacy.citizens == ("blue",)
    assert sites_of(legacy)["salt_flats"].faceup
    assert "Oren is an Exile again" in " ".join(stage.heard())


def test_o_18_2_the_invited_answer_side_by_side_and_may_decline(stage: Stage) -> None:
    stage.site("salt_flats", ruler=BELA).site("steppe", ruler=OREN)
    won(stage, YARA, "usurper").run(vow(stage.g)).does(YARA, "vow people").run(invite(stage.g))
    stage.does(YARA, "invite bela", "invite oren")
    assert stage.asked() == {OREN: "citizenship", BELA: "citizenship"}
    stage.does(BELA, "stay an exile").does(OREN, "accept")
    legacy = stored(stage, "add nomad")
    assert legacy.citizens == ("red",)
    assert "steppe" in sites_of(legacy)
    assert "salt_flats" not in [s.site for s in legacy.map if s.faceup]


def test_o_18_2_nobody_need_be_invited(stage: Stage) -> None:
    won(stage, YARA, "usurper").run(invite(stage.g)).does(YARA, "invite nobody")
    assert stage.asked() == {}
    assert stage.g.phase == "suit"


def test_o_18_2_unused_boards_keep_their_side_unless_an_exile_wins(stage: Stage) -> None:
    stage.g.last_citizens = ("white", "black")
    stage.seat(OREN, citizen=True)
    assert stored(won(stage, CARA), "add nomad").citizens == ("red", "white", "black")
    other = Stage()
    other.g.last_citizens = ("white", "black")
    assert stored(won(other, YARA, "usurper"), "add nomad").citizens == ()


# O-18.3


def test_o_18_3_building_replaces_a_denizen_of_the_suit(stage: Stage) -> None:
    stage.site("steppe", ruler=CARA, cards=["elders"])
    won(stage, CARA).run(build(stage.g))
    assert (
        stage.options(CARA) == ["build Great Spire in place of Elders at Steppe", "build nothing"]
        or len(stage.options(CARA)) == 2
    )
    stage.does(CARA, stage.options(CARA)[0])
    (card,) = stage.g.map[stage.slot("steppe")].cards
    assert EDIFICES[card.id].suit == DENIZENS["elders"].suit
    assert "elders" in stage.g.world.deck.under_seal()
    assert "returns to the world deck" in " ".join(stage.heard())
    legacy = stored(stage, "add nomad")
    assert sites_of(legacy)["steppe"].cards == (SavedCard(card.id),)
    assert "elders" in legacy.deck


def test_o_18_3_a_ruin_is_repaired_and_then_is_no_ruin_that_moves_down(stage: Stage) -> None:
    stage.site("river", ruler=CARA, cards=["great_spire_ruined"])
    won(stage, CARA).run(build(stage.g)).does(CARA, "repair fallen spire at river")
    legacy = stored(stage, "add nomad")
    assert legacy.map[0] == SavedSite("river", True, (SavedCard("great_spire"),), legacy.map[0].relics)


def test_o_18_3_why_something_cannot_be_built(stage: Stage) -> None:
    stage.site("steppe", ruler=CARA, cards=["elders", "ancient_forge_ruined"])
    stage.site("rocky_coast", ruler=CARA, cards=["wolves"]).site("salt_flats", cards=["forest_temple"])
    stage.site("wastes", ruler=YARA, cards=["longbows"])
    won(stage, CARA).run(build(stage.g))
    assert "has an edifice already" in stage.refusal(CARA, "replace elders")
    assert "is in the world already" in stage.refusal(CARA, "replace wolves")
    assert not any("Longbows" in option for option in stage.options(CARA))
    stage.does(CARA, "build nothing")
    assert stage.g.phase == "suit"


def test_hr_28_no_edifice_where_the_site_itself_has_no_room() -> None:
    stage = Stage(map=("drowned_city", *MAP[1:]))
    stage.site("drowned_city", ruler=CARA, cards=["salt_the_earth"])
    won(stage, CARA).run(build(stage.g))
    assert stage.asked() == {}
    assert stage.g.phase == "suit"


def test_scenario_104_what_is_kept_and_what_is_lost(stage: Stage) -> None:
    stage.site("river", ruler=YARA, cards=["elders"], relics=["ring_of_devotion"])  # ruled: all stays
    stage.site("salt_flats", ruler=BELA, cards=["wolves"], relics=["skeleton_key"])  # unruled: it goes
    stage.site("standing_stones", ruler=BELA, cards=["great_spire", "longbows"])  # unruled edifice: it falls
    stage.site("wastes", ruler=YARA, cards=["ancient_forge_ruined"])  # a ruin at a ruled site stays
    stage.site("great_slum", ruler=BELA, cards=["hall_of_debate_ruined"])  # and leaves at an unruled one
    legacy = stored(won(stage, YARA, "usurper"), "add nomad")
    kept = {site.site: site for site in legacy.map if site.faceup}
    assert kept["river"].cards == (SavedCard("elders"),)
    assert "ring_of_devotion" in kept["river"].relics
    assert kept["standing_stones"].cards == (SavedCard("great_spire", True),)
    assert kept["wastes"].cards == (SavedCard("ancient_forge", True),)
    assert not {"salt_flats", "great_slum"} & set(kept)
    assert "hall_of_debate" in legacy.archive
    assert {"wolves", "longbows"} <= {*legacy.deck, *legacy.dispossessed}
    assert "skeleton_key" in {*legacy.relics, *(r for s in legacy.map for r in s.relics)}


def test_scenario_105_sites_move_up_and_ruins_down() -> None:
    ruin = (SavedCard("great_spire", True),)
    kept = [
        ("cradle", SavedSite("plains", True)),
        ("provinces", SavedSite("mountain", True)),
        ("provinces", SavedSite("steppe", True, ruin)),
        ("hinterland", SavedSite("wastes", True)),
        ("hinterland", SavedSite("mine", True, (SavedCard("ancient_forge", True),))),
    ]
    assert [site.site for site in moved(kept)] == [
        "plains",
        "mountain",
        "wastes",
        "",
        "",
        "",
        "steppe",
        "mine",
    ]


def test_o_18_3_ruins_that_find_the_hinterland_full_go_to_the_provinces() -> None:
    ruins = [("cradle", SavedSite(f"site {n}", True, (SavedCard("great_spire", True),))) for n in range(5)]
    assert [site.site for site in moved(ruins)] == [
        "",
        "",
        "",
        "site 0",
        "site 1",
        "site 2",
        "site 3",
        "site 4",
    ]


def test_o_18_3_a_region_without_a_faceup_site_turns_its_top_one_up(stage: Stage) -> None:
    legacy = stored(won(stage, YARA, "usurper"), "add nomad")
    assert [site.faceup for site in legacy.map] == [True, False, True, False, False, True, False, False]
    assert all(site.site for site in legacy.map)
    assert len({site.site for site in legacy.map}) == 8


def test_forest_temple_keeps_sites_with_beast_cards(stage: Stage) -> None:
    stage.site("steppe", ruler=YARA, cards=["forest_temple"]).site("salt_flats", cards=["wolves", "elders"])
    stage.site("wastes", cards=["longbows"])
    kept = {s.site: s for s in stored(won(stage, YARA, "usurper"), "add nomad").map if s.faceup}
    assert kept["salt_flats"].cards == (SavedCard("wolves"), SavedCard("elders"))
    assert "wastes" not in kept


def test_forest_temple_does_not_save_itself_from_ruin(stage: Stage) -> None:
    stage.site("steppe", ruler=BELA, cards=["forest_temple"]).site("salt_flats", cards=["wolves"])
    kept = {s.site: s for s in stored(won(stage, YARA, "usurper"), "add nomad").map if s.faceup}
    assert kept["steppe"].cards == (SavedCard("forest_temple", True),)
    assert "salt_flats" in kept


@pytest.mark.parametrize("holder", [YARA, BELA])
def test_bandit_crown_keeps_the_bandits_sites_for_winner_and_new_citizens(stage: Stage, holder: str) -> None:
    stage.seat(holder, relics=["bandit_crown"])
    won(stage, YARA, "usurper").g.joined = (BELA,)
    legacy = stored(stage, "add nomad")
    assert {s.site for s in legacy.map} == set(MAP)


# O-18.4, O-18.5


def test_scenario_106_three_two_and_one_by_the_advisers_suit(stage: Stage) -> None:
    stage.seat(YARA, advisers=["elders"], facedown=["longbows"])
    won(stage, YARA, "usurper")
    before = set(stage.g.world.archive)
    legacy = stored(stage)
    added = [id for id in before if id in legacy.deck]
    assert Counter(DENIZENS[id].suit for id in added) == {"nomad": 3, "discord": 2, "arcane": 1}


def test_scenario_106_equally_many_leave_it_to_the_winner(stage: Stage) -> None:
    stage.seat(YARA, advisers=["elders", "longbows"])
    won(stage, YARA, "usurper").run(store(stage.g))
    assert stage.options(YARA) == ["add Order", "add Nomad"]
    stage.does(YARA, "add order, hearth and beast")
    assert stage.g.phase == "over"


def test_o_18_4_without_a_faceup_adviser_every_suit_is_open(stage: Stage) -> None:
    stage.seat(YARA, facedown=["longbows"])
    won(stage, YARA, "usurper").run(store(stage.g))
    assert len(stage.options(YARA)) == 6


def test_o_18_4_an_archive_too_small_is_healed_from_the_dispossessed(stage: Stage) -> None:
    nomads = [id for id, card in DENIZENS.items() if card.suit == "nomad"]
    stage.g.world.deck = Sealed([id for id in DENIZENS if id not in nomads][:20])
    stage.g.world.dispossessed = Sealed([*nomads[2:], "elders"][: len(nomads) - 2])
    legacy = stored(won(stage, YARA, "usurper"), "add nomad")
    assert sum(DENIZENS[id].suit == "nomad" for id in legacy.deck if id in DENIZENS) == 6
    assert legacy.dispossessed == ()
    assert "Up to six of the Dispossessed" in " ".join(stage.heard())


def test_hr_34_only_known_powers_come_and_no_more_leave(stage: Stage) -> None:
    stage.g.unwritten = "refuse"
    stage.g.piles["cradle"] = [PileCard(Sealed(id), False) for id in list(DENIZENS)[100:110]]
    won(stage, YARA, "usurper")
    starters = [id for id, card in DENIZENS.items() if card.starting_deck]
    stage.g.world.archive = [id for id in stage.g.world.archive if id not in starters]
    before = len(stage.g.world.archive)
    legacy = stored(stage, "add nomad")
    added = before - len([id for id in legacy.archive if id in stage.g.world.archive])
    assert len(legacy.dispossessed) == added < 6
    assert "knows too few" in " ".join(stage.heard())


def test_o_18_5_six_of_the_discards_and_the_losers_advisers_leave_and_the_winners_are_safe(
    stage: Stage,
) -> None:
    stage.seat(BELA, facedown=["wolves"], advisers=["longbows"]).seat(
        YARA, advisers=["elders"], facedown=["scouts"]
    )
    stage.g.piles["cradle"] = [PileCard(Sealed(id), False) for id in ("keep", "tents", "scryer", "dazzle")]
    legacy = stored(won(stage, YARA, "usurper"))
    assert sorted(legacy.dispossessed) == sorted(["wolves", "longbows", "keep", "tents", "scryer", "dazzle"])
    assert {"elders", "scouts"} <= set(legacy.deck)
    assert "6 cards are dispossessed, unseen." in stage.heard()


def test_hr_27_fewer_leave_where_there_are_no_more(stage: Stage) -> None:
    stage.seat(BELA, facedown=["wolves"]).seat(YARA, advisers=["elders"])
    assert stored(won(stage, YARA, "usurper")).dispossessed == ("wolves",)


# O-18.7, O-18.9


def test_scenario_108_where_the_relics_go() -> None:
    stage = Stage(map=("river", "lush_coast", "mountain", *MAP[3:]))
    stage.site("mountain", ruler=YARA).seat(BELA, relics=["map"]).seat(
        YARA, relics=["cup_of_plenty", SCEPTER]
    )
    legacy = stored(won(stage, YARA, "usurper"), "add nomad")
    reliquary = ["sticky_fire", "cursed_cauldron", "brass_horse", "truthful_harp"]
    assert sorted(legacy.relics[:5]) == sorted([*reliquary, "cup_of_plenty"])
    assert len(sites_of(legacy)["mountain"].relics) == SITES["mountain"].relics == 1
    assert "map" in {*legacy.relics[5:], *(r for s in legacy.map for r in s.relics)}
    assert SCEPTER not in legacy.relics


def test_o_18_9_the_world_deck_is_layered_anew(stage: Stage) -> None:
    stage.g.world.deck = Sealed(list(DENIZENS)[-50:])
    legacy = stored(won(stage, YARA, "usurper"), "add nomad")
    assert sum(card in VISIONS for card in legacy.deck[:12]) == 2
    assert sum(card in VISIONS for card in legacy.deck[12:30]) == 3


def test_o_18_8_the_table_stays_as_the_game_ended(stage: Stage) -> None:
    stage.site("salt_flats", ruler=BELA, warbands=3)
    won(stage, YARA, "usurper")
    stored(stage, "add nomad")
    assert stage.g.map[stage.slot("salt_flats")].warbands == 3


# whole chronicles


def played(seats: int, seed: int, legacy: Legacy | None) -> Table[Any]:
    """One random game with its Chronicle; every piece is counted at each decision."""
    rng = random.Random(seed)
    options = {"unwritten": "play" if seed % 2 else "refuse"}
    if legacy is not None and legacy.game > 1:
        options["unwritten"] = "play"
    g = RULES.setup(NAMES[:seats], options, None, None if legacy is None else dump(legacy), "The Long Winter")
    table = Table(RULES, g, chance=Drawn(rng), keep=False).start()
    while not table.over:
        seat = list(table.open)[rng.randrange(len(table.open))]
        table.answer(seat, random_answer(table.open[seat], rng))
        RULES.check(table.g)
    return table


def test_a_chronicle_of_twenty_random_games() -> None:
    """O-18 again and again, with other people each time: nothing is lost, all can be saved and read again."""
    rng, legacy, oaths = random.Random(7), None, []
    for n in range(20):
        table = played(rng.randint(2, 6), n, legacy)
        saved = RULES.legacy(table.g)
        legacy = load(saved)
        assert legacy.game == n + 2
        oaths.append(legacy.oath)
        _whole(legacy)
        string = RULES.write_legacy(saved)
        again = load(RULES.read_legacy(string).legacy)
        assert msgspec.structs.replace(legacy, boards=()) == again
    assert set(oaths) == set(OATHS)


def _whole(legacy: Legacy) -> None:
    """O-22: every card is somewhere once; the map has eight sites, one face up in each region at least."""
    check(legacy)
    cards = [c.id for s in legacy.map for c in s.cards]
    cards += [*legacy.deck, *legacy.dispossessed, *legacy.archive]
    assert sorted(cards) == sorted([*DENIZENS, *EDIFICES, *VISIONS])
    relics = [*legacy.relics, *(r for s in legacy.map for r in s.relics)]
    assert sorted(relics) == sorted(ORDINARY_RELICS)
    assert len({s.site for s in legacy.map}) == 8
    assert {region for region, site in zip(PLACES, legacy.map, strict=True) if site.faceup} == {*REGIONS}


@pytest.mark.parametrize("seed", range(3))
def test_the_next_game_sits_by_the_winner_and_boards_stay_with_their_people(seed: int) -> None:
    legacy = load(RULES.legacy(played(4, seed, None).g))
    had = dict(legacy.boards)
    g = RULES.setup(("Fay", "Dora", "Carla", "Ben", "Ana"), {"unwritten": "play"}, None, dump(legacy))
    assert g.players[0].name == legacy.winner_name
    assert [p.name for p in g.players] == _clockwise(
        ["Fay", "Dora", "Carla", "Ben", "Ana"], legacy.winner_name
    )
    for player in g.players[1:]:
        if had.get(player.name, "purple") != "purple":
            assert player.colour == had[player.name]
    assert len({p.colour for p in g.players}) == 5


def _clockwise(names: Sequence[str], first: str) -> list[str]:
    n = names.index(first)
    return [*names[n:], *names[:n]]


def test_o_2_6_newcomers_pick_their_board_where_the_sides_differ() -> None:
    legacy = msgspec.structs.replace(
        first_game("A"), citizens=("red",), winner_name="Ana", boards=(("Ana", "red"), ("Ben", "purple"))
    )
    g = RULES.setup(("Ana", "Ben", "Carla"), {}, None, dump(legacy))
    table = Table(RULES, g, chance=Drawn(random.Random(1)), keep=False).start()
    assert {seat: ask.key for seat, ask in table.open.items()} == {"Ben": "board"}
    assert "as a Citizen with red" in english(table.open["Ben"].prompt)
    table.answer("Ben", "red")
    assert [(p.name, p.colour, p.role) for p in table.g.players] == [
        ("Ana", "purple", "chancellor"),
        ("Ben", "red", "citizen"),
        ("Carla", "blue", "exile"),
    ]


def test_a_string_that_is_cut_names_the_place() -> None:
    string = RULES.write_legacy(dump(first_game("A")))
    with pytest.raises(BadLegacy) as refused:
        RULES.read_legacy(string[:-3])
    assert "At character" in english(refused.value.why)
