"""What `rules`, `look` and the open paths say is the same for a twin that the reader cannot tell apart."""

from __future__ import annotations

import random
from typing import Any

import pytest

from pbem.engine.core import testing as laws
from pbem.engine.core.table import Table
from pbem.engine.core.text import english
from pbem.engine.troyes import RULES

SEATS = ("Ana", "Ben", "Carla")


def answers(table: Table[Any], seat: str | None) -> list[str]:
    """Every entry for every word that names one."""
    g = table.g
    words = [
        *g.cards.activities,
        *g.cards.events,
        *g.cards.characters,
        "palace",
        "bishopric",
        "city hall",
        "influence",
    ]
    found = [entry for word in words for entry in RULES.lookup(g, word.replace("-", " "))]
    return [english(text) for entry in found for text in (entry.name, *entry.lines)]


def open_paths(table: Table[Any], seat: str | None) -> list[Any]:
    """What a moderator's difference may print, for whoever reads it."""
    return [[info.path, RULES.read(table.g, info.path)] for info in RULES.paths(table.g) if not info.hidden]


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("shown", [answers, open_paths])
def test_t_10_1_a_look_tells_nothing_hidden(seed: int, shown: laws.Shown) -> None:
    found = laws.Compared()
    compare = laws.keeps_secrets(found, shown)

    def look(table: Table[Any], rng: random.Random) -> None:
        if rng.random() < 0.3:
            compare(table, rng)

    laws.play(RULES, SEATS, seed, look=look)
    assert found.leaks == []
    assert found.differing > 10
