"""The core's own speed: recorded games of the mini-game, fed to tables answer by answer."""

from __future__ import annotations

import gc
import random
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pbem.engine.core.asks import DICE, Chancy
from pbem.engine.core.chance import Drawn
from pbem.engine.core.table import Entry, Table
from pbem.engine.core.testing import random_answer
from tests.core.minigame import RULES

SEATS = ("Ana", "Ben", "Carla")


@dataclass(frozen=True, slots=True)
class Recorded:
    """One random game: what chance said and what the seats answered, each in order."""

    chance: tuple[str, ...]
    answers: tuple[tuple[str, str], ...]


class Recording:
    """Chance that says again what it said before, and costs next to nothing."""

    def __init__(self, picks: Sequence[str]) -> None:
        self._picks = iter(picks)

    def answer(self, asked: Chancy, step: int, n: int) -> str:
        """The next recorded answer."""
        return next(self._picks)


def record(seed: int) -> Recorded:
    """Play one random game and keep its tape."""
    rng = random.Random(seed)
    table: Table[Any] = Table(
        RULES, RULES.setup(SEATS, {}, None, None), chance=Drawn(rng), keep=False
    ).start()
    while not table.over:
        seat = sorted(table.open)[rng.randrange(len(table.open))]
        table.answer(seat, random_answer(table.open[seat], rng))
    tape: list[Entry] = table.news.entries
    return Recorded(
        tuple(e.pick for e in tape if e.seat == DICE),
        tuple((e.seat, e.pick) for e in tape if e.seat != DICE),
    )


def decisions_per_second(games: int = 400) -> float:
    """Players' answers per second of this process's own time; rolls come on top and are not counted.

    Timed are `Table.answer` and all that it runs: the step's coroutine, its menus, facts and step borders.
    """
    recorded = [record(seed) for seed in range(games)]
    tables = [
        Table(RULES, RULES.setup(SEATS, {}, None, None), chance=Recording(r.chance), keep=False).start()
        for r in recorded
    ]
    gc.collect()
    before = time.process_time()
    for table, game in zip(tables, recorded, strict=True):
        answer = table.answer
        for seat, pick in game.answers:
            answer(seat, pick)
    spent = time.process_time() - before
    assert all(table.over for table in tables)
    return sum(len(game.answers) for game in recorded) / spent


if __name__ == "__main__":
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    print(f"{max(decisions_per_second() for _ in range(rounds)):,.0f} decisions/s (best of {rounds})")
