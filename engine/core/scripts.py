"""Several lines as one turn: tried on a copy first, as far as anybody can know."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from .asks import Ask
from .commands import Order, Unclear
from .slots import NotOpen
from .table import Table, Told
from .text import Text

ReadLine = Callable[[str, Ask[Any]], Order]
"""How one line is read against one question; raises `Unclear`."""


class Verdict(StrEnum):
    """What became of one line."""

    DONE = "done"
    WOULD = "would"
    """A preview came this far."""
    FAULT = "fault"
    BACK = "back"
    """It would have been done, but a fault before anything unknowable undid the whole."""
    NOT_REACHED = "not-reached"
    PARKED = "parked"
    """It waits for another player's answer within this turn."""


@dataclass(slots=True)
class LineResult:
    """One line of a script: what it was taken for, and what it did."""

    line: str
    verdict: Verdict
    order: Order | None = None
    why: Unclear | None = None
    told: list[Told] = field(default_factory=list)
    chance: bool = False
    """Something was rolled or shown by this line, so it stays."""

    @property
    def words(self) -> Text | None:
        """How the line reads canonically, if it was understood."""
        return None if self.order is None else self.order.words


@dataclass(slots=True)
class ScriptResult:
    """A whole script. `changed` says whether the table has moved."""

    lines: list[LineResult]
    changed: bool = False
    foreseen: bool = True
    """False where the trial came to something that nobody can know."""

    @property
    def fault(self) -> LineResult | None:
        """The line that stopped it."""
        return next((r for r in self.lines if r.verdict is Verdict.FAULT), None)

    @property
    def parked(self) -> list[str]:
        """The lines that wait."""
        return [r.line for r in self.lines if r.verdict is Verdict.PARKED]


def run(
    table: Table[Any],
    seat: str,
    lines: Sequence[str],
    read: ReadLine,
    *,
    by: str = "mail",
    preview: bool = False,
) -> ScriptResult:
    """Do a seat's lines, one after the other.

    A fault before the first thing nobody can know: nothing is done. After it: what was done stands.
    """
    trial = _follow(table.copy(chance=None), seat, lines, read, by, Verdict.WOULD)
    if preview or trial.fault:
        _take_back(trial, preview)
        return trial
    # Where the trial came to, the live game stands just so: what a line means need not be found out twice.
    known = {line.line: line.order for line in trial.lines if line.order is not None}
    again = _Known(known, read) if len(known) == sum(r.order is not None for r in trial.lines) else read
    result = _follow(table, seat, lines, again, by, Verdict.DONE)
    result.changed = any(r.verdict is Verdict.DONE for r in result.lines)
    result.foreseen = trial.foreseen
    return result


class _Known:
    """Reads lines as the trial did, and those that it did not come to anew."""

    def __init__(self, known: Mapping[str, Order], read: ReadLine) -> None:
        self._known = known
        self._read = read

    def __call__(self, line: str, ask: Ask[Any]) -> Order:
        found = self._known.get(line)
        return self._read(line, ask) if found is None else found


def _take_back(trial: ScriptResult, preview: bool) -> None:
    for line in trial.lines:
        if line.verdict is Verdict.WOULD and not preview:
            line.verdict = Verdict.BACK
        if line.verdict is Verdict.PARKED and trial.fault:
            line.verdict = Verdict.NOT_REACHED


def _follow(
    table: Table[Any], seat: str, lines: Sequence[str], read: ReadLine, by: str, done: Verdict
) -> ScriptResult:
    result = ScriptResult([LineResult(line, Verdict.NOT_REACHED) for line in lines])
    turn = table.rules.position(table.g).turn
    for one in result.lines:
        if table.blocked is not None:
            result.foreseen = False
            return result
        ask = table.open.get(seat)
        if ask is None:
            _wait(table, result, turn)
            return result
        if not _do(table, seat, ask, one, read, by, done):
            return result
    result.foreseen = table.blocked is None
    return result


def _wait(table: Table[Any], result: ScriptResult, turn: str) -> None:
    """Park what is left if the same turn goes on after somebody else's answer."""
    if table.over or table.rules.position(table.g).turn != turn:
        return
    for one in result.lines:
        if one.verdict is Verdict.NOT_REACHED:
            one.verdict = Verdict.PARKED


def _do(
    table: Table[Any], seat: str, ask: Ask[Any], one: LineResult, read: ReadLine, by: str, done: Verdict
) -> bool:
    before, rolled = len(table.news.told), len(table.news.entries)
    try:
        order = read(one.line, ask)
        table.answer(seat, order.pick, by)
    except Unclear as e:
        one.verdict, one.why = Verdict.FAULT, e
        return False
    except NotOpen as e:
        one.verdict, one.why = Verdict.FAULT, Unclear(e.why)
        return False
    one.verdict, one.order = done, order
    one.told = table.news.told[before:]
    one.chance = any(e.by == "dice" for e in table.news.entries[rolled:])
    return True
