"""What a mail costs early in a game and late: after ten answers, and after two thousand."""

from __future__ import annotations

import gc
import itertools
import random
import time
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from pbem.app import App
from pbem.ports import Fetched
from pbem.store.db import Store

from .pipeline import config, post, prepare, random_line

EARLY, LATE = 10, 2000


@dataclass(frozen=True, slots=True)
class Growth:
    """Milliseconds of this process's own time for a mail, and how many answers the game had."""

    early: float
    late: float
    answers: int

    @property
    def factor(self) -> float:
        """How much dearer a late mail is."""
        return self.late / self.early


def measure(folder: Path, sample: int = 60) -> Growth:
    """One game that is taken back to its tenth answer again and again until it has two thousand.

    The same stretch of the game is timed early and late, so that only the past differs.
    """
    app = App(config(), Store(prepare(folder, 1)))
    numbers = itertools.count(1)
    spent: list[list[float]] = []
    answers = play(app, EARLY, numbers, 0)
    while not spent or answers < LATE + sample:
        times: list[float] = []
        answers += play(app, sample, numbers, 7, times)
        spent.append(times)
        game = app.games.every()[0]
        app.moderate(game, f"rewind to {EARLY + 1}")
        app.moderate(app.games.every()[0], "confirm")
        gc.collect()
    app.close()
    return Growth(mean(spent[1:4]), mean(spent[-3:]), answers)


def mean(parts: list[list[float]]) -> float:
    """Milliseconds a mail."""
    return 1000 * sum(map(sum, parts)) / sum(map(len, parts))


def play(
    app: App, mails: int, numbers: itertools.count[int], seed: int, times: list[float] | None = None
) -> int:
    """Some order mails, each timed; gives how many were answered."""
    line = random_line(random.Random(seed))
    done = 0
    while done < mails and (mail := post(app, line, numbers)) is not None:
        began = time.process_time()
        app.take(Fetched(f"growth:{next(numbers)}", mail, datetime.now(UTC)))
        if times is not None:
            times.append(time.process_time() - began)
        done += 1
    return done
