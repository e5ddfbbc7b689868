"""The reference's scenarios of the setup (part K), and that each of its scenarios has a test."""

from __future__ import annotations

import random
import re
from pathlib import Path

import msgspec
import pytest

from pbem.engine.core.chance import Drawn
from pbem.engine.core.table import Table
from pbem.engine.oath import beginnings
from pbem.engine.oath.legacy import Legacy, dump
from pbem.engine.oath.printed import SUITS, VISIONS, is_vision
from pbem.engine.oath.rules import OathRules
from pbem.engine.oath.state import Oath

from .chronicles import drawn

RULES = OathRules()
NAMES = ["Ana", "Ben", "Carla", "Dora", "Enzo", "Fay"]
SCENARIOS = (
    *(1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, 16, 17),  # A. oath, title, endings
    *(18, 20, 21, 22, 24),  # B. travel and sites
    *(25, 26, 28, 29, 30, 32, 33, 34, 36, 37, 38, 40),  # C. discard piles and Search
    *(41, 42, 44),  # D. Conspiracy
    *(45, 46, 48),  # E. powers and costs
    *(49, 50, 52),  # F. Muster and Trade
    *(53, 54, 56, 57, 58, 60, 61, 62),  # G. Recover and banners
    *(64, 65, 66, 68, 69, 70, 72, 73, 74, 76, 77, 78, 80, 81, 82),  # H. Campaign
    *(84, 85, 86),  # I. Rest
    *(88, 89, 90, 92, 93, 94, 96, 97, 98),  # J. Empire
    *(100, 101, 102, 104, 105, 106, 108, 109, 110),  # K. setup and Chronicle
)
"""The numbers of the reference's scenarios."""


def begun(seats: int, seed: int, legacy: Legacy | None = None) -> Oath:
    """A game with everything dealt, before the first pawn is placed."""
    g = RULES.setup(NAMES[:seats], {}, None, None if legacy is None else dump(legacy))
    Table(RULES, g, chance=Drawn(random.Random(seed)), keep=False).start()
    return g


@pytest.mark.parametrize(("seats", "favor"), [(2, 3), (3, 3), (4, 3), (5, 4), (6, 4)])
def test_scenario_100_banks(seats: int, favor: int) -> None:
    assert begun(seats, 0).banks == dict.fromkeys(SUITS, favor)


def with_deck(deck: list[str]) -> Legacy:
    """A chronicle with this world deck and no card on its map."""
    legacy = beginnings.first_game("A")
    empty = tuple(msgspec.structs.replace(site, cards=()) for site in legacy.map)
    return msgspec.structs.replace(legacy, map=empty, deck=tuple(deck))


def visions_by_layer(deck: list[str]) -> list[int]:
    return [sum(map(is_vision, layer)) for layer in (deck[:12], deck[12:30], deck[30:])]


@pytest.mark.parametrize("seed", range(5))
def test_scenario_109_the_layers_of_the_deck(seed: int) -> None:
    deck, _ = drawn(beginnings.layered(beginnings.STARTERS, list(VISIONS)), seed)
    assert (len(deck), visions_by_layer(deck)) == (59, [2, 3, 0])
    kept, _ = drawn(beginnings.dealt(beginnings.open_start("A")), seed)
    assert (len(kept.deck), visions_by_layer(list(kept.deck))) == (59 - 3, [2, 3, 0])


@pytest.mark.parametrize("seed", range(10))
def test_scenario_110_of_59_cards_no_vision_is_dealt_to_six(seed: int) -> None:
    deck, _ = drawn(beginnings.layered(beginnings.STARTERS, list(VISIONS)), seed)
    g = begun(6, seed, with_deck(deck))
    assert len(g.world.deck.under_seal()) == 59 - 3 - 18
    assert g.visions_drawn == 0
    assert not [card for pile in g.piles.values() for card in pile if card.vision]


def test_scenario_110_of_47_cards_one_can_be() -> None:
    """HR-20: 3 + 15 cards leave, the thirtieth from the top is the last that is dealt, and the marker moves."""
    deck, _ = drawn(beginnings.layered(beginnings.STARTERS, list(VISIONS)))
    lowest = max(n for n, card in enumerate(deck) if is_vision(card))
    deck[lowest], deck[29] = deck[29], deck[lowest]
    g = begun(5, 0, with_deck(deck[:47]))
    assert len(g.world.deck.under_seal()) == 47 - 3 - 15
    assert g.visions_drawn == 1
    assert [sum(map(is_vision, p.hand.under_seal())) for p in g.players] == [0, 0, 0, 0, 1]


def test_every_scenario_of_the_reference_has_its_test() -> None:
    text = "".join(
        path.read_text(encoding="utf-8") for path in sorted(Path(__file__).parent.rglob("test_*.py"))
    )
    names = re.findall(r"^def test_scenarios?_((?:\d+_(?:and_|to_)?)+)", text, re.MULTILINE)
    tested = {int(number) for name in names for number in re.findall(r"\d+", name)}
    assert sorted(set(SCENARIOS) - tested) == []
