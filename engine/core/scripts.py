"""Several lines as one turn: tried on a copy first, as far as anybody can know."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from .asks import Ask
from .commands import Order, Unclear
from .conditions import Condition, conditional, why_never
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
    PASSED = "passed"
    """It hung on a condition that did not hold."""


@dataclass(slots=True)
class LineResult:
    """One line of a script, or one command of a conditional line: what it was taken for, and what it did."""

    line: str
    verdict: Verdict
    order: Order | None = None
    why: Unclear | None = None
    told: list[Told] = field(default_factory=list)
    chance: bool = False
    """Something was rolled or shown by this line, so it stays."""
    only_if: Condition | None = None
    """What it hangs on; the commands of one line share it."""
    judged: bool = False
    """Whether that was looked at, for all of them at once."""

    @property
    def said(self) -> str:
        """The command as its writer meant it, with what it hangs on."""
        return self.line if self.only_if is None else f"{self.only_if.said}: {self.line}"

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
        """The lines that wait, written so that they can be read again."""
        lines: list[str] = []
        before: Condition | None = None
        for one in self.lines:
            if one.verdict is Verdict.PARKED:
                hangs_on = None if one.judged else one.only_if
                if hangs_on is not None and hangs_on is before:
                    lines[-1] += f"; {one.line}"
                else:
                    lines.append(one.line if hangs_on is None else one.said)
                before = hangs_on
        return lines


def run(
    table: Table[Any],
    seat: str,
    lines: Sequence[str],
    read: ReadLine,
    *,
    by: str = "mail",
    preview: bool = False,
    tested: Collection[str] = (),
) -> ScriptResult:
    """Do a seat's lines, one after the other; `tested`: what conditions may test anywhere in the game.

    A fault before the first thing nobody can know: nothing is done. After it: what was done stands. A condition that
    can never be looked at is a fault before all else.
    """
    hopeless = _hopeless(lines, tested)
    if hopeless.fault:
        return hopeless
    if (
        len(hopeless.lines) == 1 and not preview
    ):  # one command is its own trial: what is not open changes nothing
        result = _follow(table, seat, lines, read, by, Verdict.DONE)
        result.changed = result.lines[0].verdict is Verdict.DONE
        result.foreseen = not result.lines[0].chance
        return result
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
    result = ScriptResult([one for line in lines for one in _taken_apart(line)])
    turn = table.rules.position(table.g).turn
    for one in result.lines:
        if table.blocked is not None:
            result.foreseen = False
            return result
        ask = table.open.get(seat)
        if ask is None:
            _wait(table, result, turn)
            return result
        if not _wanted(one, result, ask):
            if one.verdict is Verdict.FAULT:
                return result
            continue
        if not _do(table, seat, ask, one, read, by, done):
            return result
    result.foreseen = table.blocked is None
    return result


def _taken_apart(line: str) -> list[LineResult]:
    found = conditional(line)
    if found is None:
        return [LineResult(line, Verdict.NOT_REACHED)]
    return [
        LineResult(each, Verdict.NOT_REACHED, only_if=found.condition) for each in found.commands or ("",)
    ]


def _hopeless(lines: Sequence[str], tested: Collection[str]) -> ScriptResult:
    """The lines as they are written, with the first whose condition nothing can ever be asked by."""
    result = ScriptResult([one for line in lines for one in _taken_apart(line)])
    for one in result.lines:
        why = why_never(one.only_if, one.line, tested) if one.only_if is not None else None
        if why is not None:
            one.verdict, one.why = Verdict.FAULT, Unclear(why)
            break
    return result


def _wanted(one: LineResult, result: ScriptResult, ask: Ask[Any]) -> bool:
    """Whether a command is to be done; what a line hangs on is looked at when its first command's turn comes."""
    if one.only_if is None or one.judged:
        return one.verdict is not Verdict.PASSED
    try:
        holds = one.only_if.holds(ask.public)
    except Unclear as e:
        one.verdict, one.why = Verdict.FAULT, e
        return False
    for other in result.lines:
        if other.only_if is one.only_if:
            other.judged = True
            if not holds:
                other.verdict = Verdict.PASSED
    return holds


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
