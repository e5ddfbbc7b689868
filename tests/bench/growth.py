"""What a mail costs early in a game and late: after ten answers, and after ten thousand."""

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

EARLY, LATE = 10, 10_000


@dataclass(frozen=True, slots=True)
class Growth:
    """Milliseconds of this process's own time for a mail, in a young store and in an old one."""

    early: float
    late: float
    past: int
    """How many answers, or games, the old one holds."""

    @property
    def factor(self) -> float:
        """How much dearer a late mail is."""
        return self.late / self.early


def measure(folder: Path, sample: int = 60) -> Growth:
    """Two games of one seed: a young one, and one that was taken back to its tenth answer again and again
    until it had ten thousand. Only the past differs."""
    numbers = itertools.count(1)
    young, old = (opened(folder / name, numbers) for name in ("young", "old"))
    answers = EARLY
    while answers < LATE:
        answers += len(stretch(old, sample, numbers))
    return compared(young, old, answers, sample, numbers)


def compared(
    young: App, old: App, past: int, sample: int, numbers: itertools.count[int], rounds: int = 5
) -> Growth:
    """A stretch in the game that is played in each, timed by turns; closes both."""
    times: tuple[list[list[float]], list[list[float]]] = ([], [])
    for _ in range(rounds):
        for app, spent in zip((young, old), times, strict=True):
            spent.append(stretch(app, sample, numbers))
    for app in (young, old):
        app.close()
    return Growth(mean(times[0]), mean(times[1]), past)


def opened(folder: Path, numbers: itertools.count[int]) -> App:
    """A game with ten answers."""
    folder.mkdir()
    app = App(config(), Store(prepare(folder, 1)))
    play(app, EARLY, numbers, 0)
    return app


def stretch(app: App, mails: int, numbers: itertools.count[int]) -> list[float]:
    """The seconds of each mail of a stretch, which is then taken back."""
    times: list[float] = []
    play(app, mails, numbers, 7, times)
    for order in (f"rewind to {EARLY + 1}", "confirm"):
        app.moderate(app.games.every()[-1], order)
    gc.collect()
    return times


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
        filed = app.take(Fetched(f"growth:{next(numbers)}", mail, datetime.now(UTC)))
        hand_over(app)
        if times is not None:
            times.append(time.process_time() - began)
        assert filed is not None
        assert filed.reason == "changed", f"a mail that answers nothing: {filed}"
        done += 1
    return done


def hand_over(app: App) -> None:
    """The letters that wait go out, to nobody."""
    now = app.clock.now()
    with app.store.tx():
        for letter in app.outbox.due(now):
            app.outbox.sent(letter.id, "taken", now)
