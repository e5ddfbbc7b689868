"""Random games under all laws of the engine, and whole rendered digests compared with those of twins.

A twin is the same game with everything dealt anew that its reader cannot know; not one byte that the reader sees
may differ. Every law is applied to a sample of the positions, so that many games can be played.
"""

from __future__ import annotations

import random
import signal
import traceback
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import Any

from .catalogue import lexicon
from .digests import render
from .digests.asked import asked
from .engine.core import testing as laws
from .engine.core.ruleset import BadSetup, Ruleset
from .engine.core.sealed import Leak
from .engine.core.table import Misfit, Table
from .engine.core.text import Text, english
from .engine.games import GAMES
from .orders import Codes, Lines
from .writing import HINTS

NAMES = ("Ana", "Ben", "Carla", "Dora", "Enzo", "Fay", "Gil", "Hana")
NOW = datetime(2026, 12, 1, 9, 0, tzinfo=UTC)
LEAST_DIFFERING = 0.95
"""Share of comparisons whose twin must really differ, or they prove too little."""
JUDGED_FROM = 500
"""Comparisons from which on that share is judged."""

CHAPTERS = 3
"""Games in a row of a game that has campaigns."""
APART = 1_000_003
"""Between the seeds of the games of a campaign, so that no other begins with one of them."""
TRIES = 20
EVERY_RELOAD, EVERY_READ, EVERY_UNDO, EVERY_SECRET = 4, 4, 8, 2
"""Each law is applied at one of so many decisions, chosen by chance; pieces are counted at every one."""


@dataclass(frozen=True, slots=True)
class Failure:
    """A game that broke a law."""

    seed: int
    seats: int
    kind: str
    """leak, misfit, broken."""
    why: str
    where: str = ""
    chapter: int = 1
    """Which game of its campaign it was."""


@dataclass(slots=True)
class Report:
    """What came of a run."""

    games: int = 0
    decisions: int = 0
    comparisons: int = 0
    differing: int = 0
    failures: list[Failure] = field(default_factory=list)
    uses: Counter[str] = field(default_factory=Counter)
    """How often each power did something, by its id."""
    endings: Counter[str] = field(default_factory=Counter)

    def add(self, other: Report) -> None:
        """Count another run in."""
        self.games += other.games
        self.decisions += other.decisions
        self.comparisons += other.comparisons
        self.differing += other.differing
        self.failures += other.failures
        self.uses.update(other.uses)
        self.endings.update(other.endings)

    def number(self, kind: str) -> int:
        """How many games failed in one way."""
        return sum(f.kind == kind for f in self.failures)

    @property
    def share(self) -> float:
        """The share of comparisons with a twin that really differs."""
        return self.differing / self.comparisons if self.comparisons else 0.0

    @property
    def blunt(self) -> bool:
        """Whether too few twins differ, so that the comparisons prove too little."""
        return self.comparisons >= JUDGED_FROM and self.share < LEAST_DIFFERING

    @property
    def status(self) -> int:
        """The exit status."""
        return 1 if self.failures or self.blunt else 0

    def __str__(self) -> str:
        return (
            f"{self.games:,} games, {self.decisions:,} decisions, {self.comparisons:,} secrecy comparisons "
            f"({100 * self.share:.1f} % with a twin that differs), leaks {self.number('leak')}, "
            f"misfits {self.number('misfit')}, broken {self.number('broken')}, status {self.status}"
        )


def digest(table: Table[Any], seat: str | None) -> str:
    """Both parts of the digest that a seat (None: the observer) would get of this position, text and HTML."""
    rules = table.rules
    ask = table.open.get(seat) if seat is not None else None
    told = [t for one in table.told if (t := one.fact.told_to(seat)) is not None]
    question = asked(ask, 1, NOW + timedelta(days=3), Text("The table waits."), HINTS) if ask else None
    values = {
        "title": "A random game",
        "zone": "UTC",
        "table_zone": "UTC",
        "now": NOW,
        "person": seat or "the observer",
        "view": rules.view(table.g, seat),
        "label": rules.position(table.g).label,
        "edition": rules.edition({}, None),
        "board_template": f"{rules.name}/board.txt.j2",
        "picture": None,
        "seat": seat,
        "asked": question,
        "form": 1 if question else None,
        "waiting": f"The table waits for {', '.join(table.open)}.",
        "since": told,
        "left_out": 0,
        "since_at": None,
        "parked": [],
        "notes": [],
        "foot": "A random game",
    }
    as_html = {**values, "board_template": f"{rules.name}/board.html.j2", "subject": "A random game"}
    return render.text("digest.txt.j2", "en", values) + render.html("digest.html.j2", "en", as_html)


def shown(table: Table[Any], seat: str | None) -> Any:
    """All that a reader gets of a position: the digest as it is sent, and what the engine lets them see."""
    return [digest(table, seat), laws.seen(table, seat)]


def play(
    rules: Ruleset[Any], seats: int, seed: int, look_at: laws.Shown = shown, chapters: int = 1
) -> Report:
    """One random game under all laws, and those that follow it in its campaign; what breaks is in the report."""
    report = Report()
    legacy: Any = None
    with rules.counted(report.uses):
        for n in range(chapters):
            rng = random.Random(f"{seed}/{n}")
            number = seats if n == 0 else rng.choice(rules.seats)
            options = _options(rules, NAMES[:number], legacy, rng)
            played = _one_game(rules, number, seed + n * APART, options, legacy, look_at, report)
            if played is None:
                report.failures[-1] = replace(report.failures[-1], seats=seats, seed=seed, chapter=n + 1)
                break
            legacy = played.legacy
            if legacy is None:
                break
    return report


def _options(rules: Ruleset[Any], names: Sequence[str], legacy: Any, rng: random.Random) -> dict[str, str]:
    """Choices of a table, by chance; none where those make no game."""
    for _ in range(TRIES):
        options = {setting.name: rng.choice(setting.values) for setting in rules.settings}
        try:
            rules.setup(names, options, None, legacy)
        except BadSetup:
            continue
        return options
    return {}


def _one_game(
    rules: Ruleset[Any],
    seats: int,
    seed: int,
    options: Mapping[str, str],
    legacy: Any,
    look_at: laws.Shown,
    report: Report,
) -> laws.Played | None:
    """A game, counted into the report; None if it broke a law."""
    found = laws.Compared()
    report.games += 1
    place = ""
    began = report.decisions

    def count(table: Table[Any], rng: random.Random) -> None:
        nonlocal place
        report.decisions += 1
        key = next((a.key for a in table.open.values()), "the end")
        place = f"decision {report.decisions - began}, {key}"

    look = _sampled(found, look_at, count)
    kind, why, played = "", "", None
    try:
        played = laws.play(rules, NAMES[:seats], seed, options, look=look, legacy=legacy)
        report.endings.update(english(way) for way in played.ending)
    except Misfit as e:
        kind, why = "misfit", str(e)
    except Leak as e:
        kind, why = "leak", str(e)
    except Exception as e:  # whatever a game raises is a finding, and the others must go on
        kind, why = "broken", "".join(traceback.format_exception_only(e)).strip() + _last_line(e)
    if found.leaks:
        kind, why = "leak", found.leaks[0]
    report.comparisons += found.comparisons
    report.differing += found.differing
    if kind:
        report.failures.append(Failure(seed, seats, kind, why, place))
        return None
    return played


def is_an_order(table: Table[Any], rng: random.Random) -> None:
    """What a digest offers is an order in a mail too, and no word of the runner's own; raises `AssertionError`."""
    for seat, ask in table.open.items():
        lines = Lines(ask, Codes({}, frozenset()), table.rules.examples, Text("Nothing is asked."))
        pick = laws.random_answer(ask, rng)
        line = english(ask.menu.find(pick).said(pick))
        if lines.command(line) is not None or lines.order(line) != line:
            raise AssertionError(f"“{line}” of {seat} would not be taken for an order")


def _last_line(e: Exception) -> str:
    at = traceback.extract_tb(e.__traceback__)[-1]
    return f" ({at.filename.rsplit('/', 1)[-1]}:{at.lineno})"


def _sampled(found: laws.Compared, look_at: laws.Shown, count: laws.Deep) -> laws.Deep:
    """All laws as one, each at its share of the decisions."""
    parts: tuple[tuple[int, laws.Deep], ...] = (
        (1, count),
        (1, laws.pieces_are_kept),
        (EVERY_RELOAD, laws.survives_a_reload),
        (EVERY_READ, laws.reads_back(lexicon)),
        (EVERY_READ, is_an_order),
        (EVERY_UNDO, laws.undo_is_lawful),
        (EVERY_SECRET, laws.keeps_secrets(found, look_at)),
    )

    def look(table: Table[Any], rng: random.Random) -> None:
        for every, law in parts:
            if every == 1 or rng.randrange(every) == 0:
                law(table, rng)

    return look


def games(number: int, seats: Sequence[int], seed: int, chapters: int = 1) -> list[tuple[int, int, int]]:
    """Seats of the first game, seed, and games in a row of each campaign; it is found again by these numbers."""
    rows = range(0, number, chapters)
    return [(seats[n % len(seats)], seed + n, min(chapters, number - at)) for n, at in enumerate(rows)]


def run(
    name: str, number: int, seats: Sequence[int], seed: int, jobs: int, progress: Callable[[Report], None]
) -> Report:
    """Play many random games in several processes; `progress` is given the report so far after each."""
    report = Report()
    chapters = CHAPTERS if GAMES[name].campaigns else 1
    for one in _played(name, games(number, seats, seed, chapters), jobs):
        report.add(one)
        progress(report)
    report.failures.sort(key=lambda f: (f.seed, f.seats))
    return report


def _played(name: str, wanted: Sequence[tuple[int, int, int]], jobs: int) -> Iterator[Report]:
    if jobs == 1:
        for game in wanted:
            yield _one(name, *game)
        return
    with ProcessPoolExecutor(jobs, initializer=_leave_interrupts_to_the_parent) as workers:
        waiting: list[Future[Report]] = [workers.submit(_one, name, *game) for game in wanted]
        try:
            for done in as_completed(waiting):
                yield done.result()
        finally:
            workers.shutdown(wait=False, cancel_futures=True)


def _leave_interrupts_to_the_parent() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _one(name: str, seats: int, seed: int, chapters: int) -> Report:
    return play(GAMES[name], seats, seed, chapters=chapters)
