"""Random games with all edifices and ruins on the map: every law of the engine (O-22)."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
import pytest

from pbem.engine.core.table import Table
from pbem.engine.core.testing import (
    Compared,
    keeps_secrets,
    pieces_are_kept,
    play,
    reads_back,
    survives_a_reload,
    undo_is_lawful,
)
from pbem.engine.oath.beginnings import first_game
from pbem.engine.oath.legacy import SavedCard, dump
from pbem.engine.oath.printed import DENIZENS, EDIFICES, SITES
from pbem.engine.oath.rules import OathRules
from pbem.engine.oath.state import Oath

from .laws import everything_is_counted
from .test_random import NAMES, hands_are_named_to_nobody_else

DISPOSSESSED = 6


class WithEdifices(OathRules):
    """Games of a chronicle in which sites with room are face up and have an edifice, of a side by the seed, and some
    denizens are dispossessed."""

    def __init__(self, seed: int) -> None:
        self._rng = random.Random(seed)

    def setup(
        self, seats: Sequence[str], options: Mapping[str, str], data: Any, legacy: Any, title: str = ""
    ) -> Oath:
        first = first_game("Oath")
        edifices = self._rng.sample([*EDIFICES], len(EDIFICES))
        sites = []
        for site in first.map:
            if edifices and len(site.cards) < SITES[site.site].capacity:
                built = SavedCard(edifices.pop(), self._rng.random() < 0.6)
                site = msgspec.structs.replace(site, faceup=True, cards=(*site.cards, built))
            sites.append(site)
        gone = [card for card in first.deck if card in DENIZENS][:DISPOSSESSED]
        deck = tuple(card for card in first.deck if card not in gone)
        saved = msgspec.structs.replace(first, map=tuple(sites), deck=deck, dispossessed=tuple(gone))
        return super().setup(seats, options, data, dump(saved))


def laws(found: Compared) -> Any:
    """What must hold at every decision."""
    look, secrecy, counted = reads_back(), keeps_secrets(found), everything_is_counted()

    def hold(table: Table[Any], rng: random.Random) -> None:
        pieces_are_kept(table, rng)
        counted(table, rng)
        hands_are_named_to_nobody_else(table, rng)
        if rng.random() < 0.2:
            survives_a_reload(table, rng)
            look(table, rng)
        if rng.random() < 0.15:
            undo_is_lawful(table, rng)
            secrecy(table, rng)

    return hold


@pytest.mark.parametrize("seed", range(6))
def test_every_position_with_edifices_keeps_the_laws(seed: int) -> None:
    found = Compared()
    play(WithEdifices(seed), NAMES[: 2 + seed % 5], 3000 + seed, look=laws(found))
    assert found.leaks == []
    assert found.differing > 0
