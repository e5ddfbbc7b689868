"""Random games: every law of the engine at every decision."""

from __future__ import annotations

import random
from typing import Any

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
from pbem.engine.troyes import RULES

NAMES = ["Ana", "Ben", "Carla", "Dora"]


@pytest.mark.parametrize("seed", range(30))
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_random_game_ends_with_every_piece_in_its_place(seats: int, seed: int) -> None:
    played = play(RULES, NAMES[:seats], seed)
    assert played.decisions > 18 - 6 * (seats == 2)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_every_position_keeps_the_laws(seats: int, seed: int) -> None:
    found = Compared()
    look = reads_back()
    secrecy = keeps_secrets(found)

    def laws(table: Table[Any], rng: random.Random) -> None:
        pieces_are_kept(table, rng)
        survives_a_reload(table, rng)
        look(table, rng)
        if rng.random() < 0.3:
            undo_is_lawful(table, rng)
            secrecy(table, rng)

    play(RULES, NAMES[:seats], 1000 + seed, look=laws)
    assert found.leaks == []
    assert found.differing > 0


def test_the_same_seed_is_the_same_game() -> None:
    assert play(RULES, NAMES, 77).fingerprint == play(RULES, NAMES, 77).fingerprint
