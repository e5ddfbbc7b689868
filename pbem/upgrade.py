"""Stored games under another version of the program: what becomes of each, and putting them in order (D-4 to D-6).

A live game is tried from its newest checkpoint and its tape, as `Games.load` would play it. What comes out is compared
with what is written down: the questions that are open, and what people were told in the step that is under way.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

import msgspec

from . import __version__
from .engine.core.asks import DICE
from .engine.core.facts import Fact, dump_fact, kind_of, load_fact
from .engine.core.ruleset import BadSetup, Ruleset
from .engine.core.table import Misfit, Table, Told
from .engine.core.text import english
from .store.games import Game, Games, entry_of, unpack


class Verdict(StrEnum):
    """What becomes of a game."""

    UNCHANGED = "unchanged"
    QUESTION = "another question"
    REWOUND = "rewound"
    FACTS = "told otherwise"
    LOST = "cannot be loaded"


class NotInOrder(Exception):
    """This version may not serve the store yet; the text says which games stand against it, and what to do."""


@dataclass(frozen=True, slots=True)
class Border:
    """The newest checkpoint of a game."""

    step: int
    ruling: int
    version: str
    saved: Any

    @property
    def schema(self) -> int | None:
        """The schema that it was written in."""
        found = self.saved.get("schema") if isinstance(self.saved, dict) else None
        return found if isinstance(found, int) else None


@dataclass(frozen=True, slots=True)
class Wrong:
    """Facts of a step from the first on that its reader would be told otherwise: as stored, and as told now."""

    stored: Sequence[tuple[int, Fact]] = ()
    """With their rows."""
    told: Sequence[tuple[int, Told]] = ()
    """With the row of the answer that each comes of."""


@dataclass(frozen=True, slots=True)
class Finding:
    """What becomes of one live game, in a sentence for the host."""

    game: Game
    verdict: Verdict
    said: str
    border: Border | None = None
    misfit: sqlite3.Row | None = None
    """The first answer that does not fit."""
    wrong: Wrong = field(default_factory=Wrong)

    @property
    def bars(self) -> bool:
        """Whether the game must be put in order before this version may serve it."""
        return self.game.state == "playing" and not (
            self.verdict is Verdict.UNCHANGED or (self.verdict is Verdict.LOST and self.game.paused)
        )


def examine(games: Games) -> list[Finding]:
    """What becomes of every live game; nothing is changed."""
    return [one(games, game) for game in games.every() if game.state in ("inviting", "playing")]


def one(games: Games, game: Game) -> Finding:
    """What becomes of one live game."""
    try:
        return _invited(games, game) if game.state == "inviting" else _Trial(games, game).finding()
    except sqlite3.Error:
        raise
    except _Stuck as e:
        why = str(e)
    except Exception as e:  # whatever else it is, it is one game's trouble; its text might say what is hidden
        why = f"the rules cannot go on from here ({type(e).__name__})"
    return Finding(game, Verdict.LOST, f"cannot be loaded: {why}", newest(games, game))


def newest(games: Games, game: Game) -> Border | None:
    """A game's newest checkpoint; None before the game has begun, or where it cannot be read at all."""
    row = games.store.one(
        "select n, ruling, version, saved from step where game = ? and void is null order by n desc limit 1",
        game.id,
    )
    if row is None:
        return None
    try:
        return Border(row["n"], row["ruling"], row["version"], unpack(row["saved"]))
    except ValueError:
        return Border(row["n"], row["ruling"], row["version"], None)


def open_rulings(found: Sequence[Finding]) -> Mapping[str, Mapping[int, list[str]]]:
    """By game, the rulings below the newest under which a step is still open, with the titles: their branches of the
    rules must stay."""
    below: dict[str, dict[int, list[str]]] = {}
    for f in found:
        rules, border = f.game.rules, f.border
        if border is not None and border.ruling < rules.ruling:
            below.setdefault(rules.name, {}).setdefault(border.ruling, []).append(f.game.title)
    return below


def must_be_in_order(games: Games) -> list[Finding]:
    """Raises `NotInOrder` where another version has left a game that this one does not take up just as it stands;
    gives what else is to be said of the others."""
    versions = games.store.all(
        "select distinct s.version from step s join game g on g.id = s.game where g.state = 'playing'"
        " and s.void is null and s.n = (select max(n) from step where game = g.id and void is null)"
    )
    if all(row["version"] == __version__ for row in versions):
        return []
    found = [f for f in examine(games) if f.verdict is not Verdict.UNCHANGED]
    barred = [f.game.title for f in found if f.bars]
    if barred:
        raise NotInOrder(
            f"this version ({__version__}) does not take up {', '.join(f'“{title}”' for title in barred)} as it stands."
            " `pbem upgrade --check` says why; `pbem upgrade --accept` puts it in order and tells its players; the"
            " version of before goes on with it as it is"
        )
    return found


def _invited(games: Games, game: Game) -> Finding:
    try:
        games.set_up(game)
    except BadSetup as e:
        return Finding(game, Verdict.LOST, f"cannot begin: {english(e.why)}")
    return Finding(game, Verdict.UNCHANGED, "unchanged; it has not begun")


class _Stuck(Exception):
    """What is stored cannot be read; the text is for the host."""


class _Trial:
    """The step that is under way, played once more and held against what is written down."""

    def __init__(self, games: Games, game: Game) -> None:
        self.games = games
        self.game = game
        self.rules: Ruleset[Any] = game.rules
        border = newest(games, game)
        if border is None:
            raise _Stuck("it has no checkpoint")
        if border.saved is None:
            raise _Stuck("its newest checkpoint is damaged")
        self.border = border
        self.tape = games.store.all(
            "select * from answer where game = ? and step = ? and void is null order by id",
            *(game.id, border.step),
        )

    def finding(self) -> Finding:
        """What comes out; raises whatever stands in the way of playing it."""
        self._history()
        table, misfit = self._retraced()
        wrong = self._wrong(table, misfit)
        verdict, said = self._verdict(table, misfit)
        n = len(wrong.stored)
        if wrong.stored or wrong.told:
            more = f"{n} {'fact' if n == 1 else 'facts'} told in this action would be told otherwise"
            if verdict is Verdict.UNCHANGED:
                verdict, said = Verdict.FACTS, more
            else:
                said += f"; {more}"
        return Finding(self.game, verdict, said, self.border, misfit, wrong)

    def _history(self) -> None:
        """Digests and the log at the end tell all that happened; so all of it must be readable."""
        try:
            self.games.facts(self.game.id)
        except (KeyError, ValueError):
            raise _Stuck("something that was told earlier cannot be read any more") from None

    def _retraced(self) -> tuple[Table[Any], sqlite3.Row | None]:
        """The table as far as the tape fits, and the first answer that does not."""
        entries = [entry_of(row) for row in self.tape]
        try:
            return self._fresh().retrace(entries), None
        except Misfit as e:
            at = next(i for i, entry in enumerate(entries) if entry is e.entry)
            return self._fresh().retrace(entries[:at]), self.tape[at]

    def _fresh(self) -> Table[Any]:
        try:
            g = self.rules.load(self.border.saved)
        except ValueError as e:
            raise _Stuck(str(e)) from None
        return Table(self.rules, g, step=self.border.step)

    def _verdict(self, table: Table[Any], misfit: sqlite3.Row | None) -> tuple[Verdict, str]:
        if misfit is not None:
            return Verdict.REWOUND, self._rewound(table, misfit)
        stored = sorted(
            (q.step, q.branch, q.ord, q.seat, q.key) for q in self.games.open_questions(self.game.id)
        )
        asked = sorted((*table.place(seat), seat, ask.key) for seat, ask in table.open.items())
        if stored == asked:
            return Verdict.UNCHANGED, "unchanged"
        before = _listed([(seat, key) for *_, seat, key in stored])
        return Verdict.QUESTION, f"another question: {_now(table)}, and {before} is stored as open"

    def _rewound(self, table: Table[Any], misfit: sqlite3.Row) -> str:
        """Answers are numbered as `pbem mod GAME log` does it: dice are not counted. What was answered is not said,
        since the host may play."""
        row = self.games.store.one(
            "select count(*) from answer where game = ? and id <= ? and void is null and seat <> ?",
            *(self.game.id, misfit["id"], DICE),
        )
        n = row[0] if row else 0
        if misfit["seat"] == DICE:
            where = f"what was rolled for “{misfit['key']}” after answer {n}"
        else:
            where = f"answer {n}, of {misfit['seat']} to “{misfit['key']}”,"
        gone = sum(r["id"] >= misfit["id"] and r["seat"] != DICE for r in self.tape)
        lost = {0: "that is void", 1: "1 answer is taken back"}.get(gone, f"{gone} answers are taken back")
        return f"rewound: {where} does not fit ({_now(table)}); {lost}"

    # what was told

    def _wrong(self, table: Table[Any], misfit: sqlite3.Row | None) -> Wrong:
        """The facts from the first on that any reader would be told otherwise."""
        rows = self.games.store.all(
            "select id, kind, data, answer from fact where game = ? and step = ? and void is null order by ordinal",
            *(self.game.id, self.border.step),
        )
        stored = [
            (row["id"], load_fact(row["kind"], msgspec.json.decode(row["data"])))
            for row in rows
            if misfit is None or row["answer"] < misfit["id"]
        ]
        told = [t for t in table.news.told if t.step == self.border.step]
        pairs = zip(stored, told, strict=False)
        same = next(
            (i for i, (old, new) in enumerate(pairs) if not self._the_same(old[1], new.fact)),
            min(len(stored), len(told)),
        )
        marks = [self._mark_before(), *(row["id"] for row in self.tape)]
        return Wrong(stored[same:], [(marks[t.after], t) for t in told[same:]])

    def _the_same(self, old: Fact, new: Fact) -> bool:
        new = load_fact(kind_of(new), dump_fact(new))
        return all(old.told_to(reader) == new.told_to(reader) for reader in (*self.game.seats, None))

    def _mark_before(self) -> int:
        """The newest answer before this step's first one: what the step tells at its beginning came of it."""
        if not self.tape:
            return self.games.mark(self.game.id)
        row = self.games.store.one(
            "select max(id) from answer where game = ? and id < ?", self.game.id, self.tape[0]["id"]
        )
        return (row and row[0]) or 0


def _now(table: Table[Any]) -> str:
    """What the step waits for by the rules as they are."""
    if table.over:
        return "the game would be over"
    if table.blocked is not None:
        return f"“{table.blocked.key}” would be rolled"
    return f"open would be {_listed([(seat, ask.key) for seat, ask in table.open.items()])}"


def _listed(questions: Sequence[tuple[str, str]]) -> str:
    return ", ".join(f"“{key}” to {seat}" for seat, key in questions) or "nothing"
