"""The scenario vocabulary: what is written is read again, and nothing is made or lost by it."""

from __future__ import annotations

import random
import re
from pathlib import Path
from typing import Any

import pytest

from pbem.engine.core.chance import Drawn
from pbem.engine.core.ruleset import BadPath
from pbem.engine.core.scenario import Position
from pbem.engine.core.table import Table
from pbem.engine.core.testing import random_answer
from pbem.engine.core.text import english
from pbem.engine.oath.printed import NAMES, REGIONS, SLOTS, SUITS
from pbem.engine.oath.rules import OathRules
from pbem.engine.oath.state import Oath

RULES = OathRules()
PATHS = [f"{region} {n}" for region in REGIONS for n in range(1, SLOTS[region] + 1)]
SEATS = ["Ana", "Ben", "Carla", "Dora"]

VALUES: list[tuple[str, Any]] = [
    ("cradle 2.site", "Salt Flats"),
    ("cradle 2.faceup", True),
    ("cradle 1.ruler", "Ben 3"),
    ("cradle 1.ruler", "bandits"),
    ("cradle 1.cards", ["Elders", "Longbows"]),
    ("cradle 1.cards", ["Squalid District"]),
    ("cradle 1.relics", ["Sticky Fire"]),
    ("cradle 1.favor", 2),
    ("cradle 1.secrets", 3),
    ("Ben.role", "citizen"),
    ("Ben.at", "Mountain"),
    ("Ben.supply", 3),
    ("Ben.favor", 5),
    ("Ben.secrets", 4),
    ("Ben.facedown secrets", 2),
    ("Ben.warbands", 6),
    ("Ben.advisers", ["Longbows", "Elders face down", "Vision of Faith face down"]),
    ("Ben.relics", ["The Grand Scepter", "Sticky Fire"]),
    ("Carla.vision", "Vision of Faith"),
    ("people's favor.holder", "Dora"),
    ("people's favor.tokens", 4),
    ("darkest secret.holder", "Carla"),
    ("darkest secret.tokens", 3),
    ("banks.order", 0),
    ("oath", "Oath of Devotion"),
    ("title", "Carla"),
    ("round", 6),
    ("turn", "Dora"),
    ("phase", "rest"),
    ("visions drawn", 3),
    ("piles.cradle", ["Elders", "Vision of Faith", "Longbows"]),
    ("scepter taken", True),
    ("winner", "Ben"),
    ("won by", ["usurper", "Vision of Faith"]),
    ("vowed", "Oath of Devotion"),
    ("joined", ["Dora"]),
    ("dispossessed", ["Elders", "Longbows"]),
    ("archive", ["Elders", "Longbows"]),
    ("out of the game", ["The Conspiracy"]),
    ("reliquary.brutal", ""),
    ("reliquary.greedy", "Sticky Fire"),
]


def laid_out() -> Oath:
    g = RULES.setup(SEATS, {}, None, None)
    RULES.write(g, "round", 1)
    return g


@pytest.mark.parametrize(("path", "value"), VALUES)
def test_what_is_written_is_read_and_every_piece_stays(path: str, value: Any) -> None:
    g = laid_out()
    RULES.write(g, path, value)
    assert RULES.read(g, path) == value
    RULES.check(g)


def test_a_site_of_another_slot_changes_places() -> None:
    g = laid_out()
    old, where = RULES.read(g, "cradle 1.site"), RULES.read(g, "provinces 1.site")
    RULES.write(g, "cradle 1.site", where)
    assert (RULES.read(g, "cradle 1.site"), RULES.read(g, "provinces 1.site")) == (where, old)
    RULES.check(g)


def test_a_new_citizens_warbands_are_purple_on_the_map_too_and_stay_so() -> None:
    """O-12.2.3, O-12.4."""
    g = laid_out()
    for path, value in (("cradle 1.ruler", "Ben 3"), ("Ben.warbands", 2), ("Ben.role", "citizen")):
        RULES.write(g, path, value)
    assert (RULES.read(g, "cradle 1.ruler"), RULES.read(g, "Ben.bank")) == ("Ana 3", 14)
    RULES.check(g)
    RULES.write(g, "Ben.role", "exile")
    assert (RULES.read(g, "cradle 1.ruler"), RULES.read(g, "Ben.bank")) == ("Ana 3", 12)
    RULES.check(g)


@pytest.mark.parametrize("path", ["world deck", "relic deck", "site deck"])
def test_the_top_of_a_deck(path: str) -> None:
    g = laid_out()
    new = {
        "world deck": ["Elders", "Vision of Faith"],
        "relic deck": ["Sticky Fire", "Brass Horse"],
        "site deck": ["Mine", "Narrow Pass"],
    }[path]
    RULES.write(g, path, new)
    assert RULES.read(g, path)[:2] == new
    RULES.check(g)


@pytest.mark.parametrize(
    ("path", "value", "why"),
    [
        ("Ben.favour", 3, "there is no"),
        ("Ben.bank", 3, "follows from"),
        ("Ben.supply", 8, "most"),
        ("Ben.favor", 99, "most"),
        ("Ana.role", "exile", "follows from"),
        ("Ana.vision", "Vision of Faith", "only an Exile"),
        ("phase", "vow", "nobody has won"),
        ("won by", ["luck"], "nothing that can be here"),
        ("joined", ["Ana"], "wanted here"),
        ("Ben.advisers", ["Vision of Faith"], "face down"),
        ("Ben.advisers", ["Elders", "Elders"], "only once"),
        ("Ben.relics", ["Elders"], "nothing that can be here"),
        ("cradle 2.cards", ["Elders"], "facedown"),
        ("usurper", True, "only an Exile"),
        ("people's favor.mob", True, "shared bank"),
    ],
)
def test_what_cannot_be_is_refused_with_its_reason(path: str, value: Any, why: str) -> None:
    g = laid_out()
    before = RULES.dump(g)
    with pytest.raises(BadPath) as refused:
        RULES.write(g, path, value)
    assert why in english(refused.value.why)
    assert RULES.dump(g) == before


def test_a_misspelt_path_deals_nothing() -> None:
    g = RULES.setup(SEATS, {}, None, None)
    with pytest.raises(BadPath) as refused:
        RULES.write(g, "Ben.favour", 3)
    assert "Ben.favor" in refused.value.near
    assert g.phase == "deal"


def test_every_path_of_a_game_in_play_is_read() -> None:
    rng = random.Random(5)
    g = RULES.setup(SEATS, {"start": "reset"}, None, None)
    table = Table(RULES, g, chance=Drawn(rng), keep=False).start()
    for _ in range(60):
        seat = next(iter(table.open))
        table.answer(seat, random_answer(table.open[seat], rng))
    infos = RULES.paths(g)
    for info in infos:
        RULES.read(g, info.path)
    hidden = {info.path for info in infos if info.hidden}
    assert {"world deck", "Ben.hand", "Ben.advisers", "piles.cradle", "reliquary.brutal"} <= hidden
    assert "Ben.favor" not in hidden


def test_a_scenario_is_played_on_what_was_arranged() -> None:
    position = Position(RULES, SEATS).arrange({"Ana.favor": 3, "Ana.supply": 4, "cradle 1.cards": ["Elders"]})
    position.does("Ana", "muster on elders")
    assert RULES.read(position.g, "Ana.favor") == 2
    assert RULES.read(position.g, "Ana.supply") == 3
    RULES.check(position.g)


def test_a_procedure_runs_instead_of_the_game() -> None:
    position = Position(RULES, SEATS).arrange({"Ana.favor": 3, "Ana.facedown secrets": 2, "Ana.secrets": 1})
    position.perform("rest")
    assert RULES.read(position.g, "Ana.secrets") == 3
    with pytest.raises(BadPath):
        position.perform("income")


def test_what_lies_on_cards_is_set_and_goes_back_with_them() -> None:
    g = laid_out()
    RULES.write(g, "cradle 1.cards", ["Elders"])
    RULES.write(g, "Ben.advisers", ["Longbows"])
    RULES.write(g, "Carla.relics", ["Obsidian Cage", "Sticky Fire"])
    for path, value in (
        ("Elders.favor", 2),
        ("Elders.secrets", 1),
        ("Longbows.favor", 1),
        ("Sticky Fire.favor", 1),
        ("Obsidian Cage.warbands", ["Ana 2", "Ben 3"]),
        ("Obsidian Cage.warbands", ["Ana 1", "Ben 4"]),
    ):
        RULES.write(g, path, value)
        assert RULES.read(g, path) == value
        RULES.check(g)
    shared = g.shared
    for path in ("cradle 1.cards", "Ben.advisers", "Carla.relics"):
        RULES.write(g, path, [])
        RULES.check(g)
    assert g.shared == shared + 4
    assert RULES.read(g, "Ben.bank") == 11


@pytest.mark.parametrize("seed", range(12))
def test_a_position_in_play_is_copied_path_by_path(seed: int) -> None:
    """They stand in an order in which a position can be written again, where its pawns stand already."""
    rng = random.Random(seed)
    g = RULES.setup(SEATS, {"start": "reset from all", "unwritten": "play"}, None, None)
    table = Table(RULES, g, chance=Drawn(rng), keep=False).start()
    while len(table.tape) or table.step < 10 + 5 * seed:
        seat = next(iter(table.open))
        table.answer(seat, random_answer(table.open[seat], rng))
    twin = laid_out()
    for n, (there, here) in enumerate(zip(twin.map, g.map, strict=True)):
        RULES.write(twin, f"{PATHS[n]}.site", NAMES[here.site.under_seal()])
        RULES.write(twin, f"{PATHS[n]}.faceup", bool(here.shown or there.shown))
    for info in RULES.paths(g):
        if info.path.endswith(".at"):
            RULES.write(twin, info.path, RULES.read(g, info.path))
    for info in RULES.paths(g):
        if info.writable:
            RULES.write(twin, info.path, RULES.read(g, info.path))
    for info in RULES.paths(g):
        if info.path not in ("world deck", "relic deck"):
            assert RULES.read(twin, info.path) == RULES.read(g, info.path), info.path
    RULES.check(twin)


def test_every_path_stands_in_the_documentation() -> None:
    page = (Path(__file__).parents[2] / "docs" / "oath-paths.md").read_text(encoding="utf-8")
    documented = {_family(name) for name in re.findall(r"`([a-zA-Z][^`\"]*)`", page)}
    g = laid_out()
    RULES.write(g, "Ben.relics", ["Obsidian Cage"])
    missing = {_family(info.path) for info in RULES.paths(g)} - documented
    assert sorted(missing) == []


def _family(path: str) -> str:
    """A path without what varies: seats, cards, slots, suits."""
    varies = {name.casefold() for name in (*SEATS, "A", "CARD", *NAMES.values(), *REGIONS, *SUITS)}
    words = [re.sub(r" \d", "", part) for part in path.split(".")]
    return ".".join("*" if word.casefold() in varies else word for word in words)
