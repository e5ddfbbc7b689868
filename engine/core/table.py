"""A game in play: the checkpoint its step began from, the tape since then, and what is open now."""

from __future__ import annotations

from collections.abc import Coroutine, Iterable
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

import msgspec

from .asks import DICE, Ask, Chancy, Together
from .chance import Chance
from .facts import Fact
from .ruleset import Ruleset, State
from .slots import NotOpen
from .text import Text

S = TypeVar("S", bound=State)
MAIN = ""
"""The name of a step's own line; a branch of `together` is named after its seat."""


class Misfit(Exception):
    """The tape and the rules disagree: another question is open than the one that was answered."""

    def __init__(self, entry: Entry, why: str) -> None:
        super().__init__(f"step {entry.step}, answer {entry.n} of {entry.seat} to “{entry.key}”: {why}")
        self.entry = entry


class RulesFault(Exception):
    """The rules code broke one of the laws for its authors."""


class Entry(msgspec.Struct, frozen=True, gc=False):
    """One answer on the tape."""

    step: int
    branch: str
    n: int
    """Its place within its branch, from 0; a seat's branches within one step count on."""
    seat: str
    key: str
    pick: str
    by: str = "mail"
    """How it came: mail, dice, robot, deadline, moderator, parked, only-option."""


class Told(msgspec.Struct, frozen=True):
    """One fact in its place."""

    step: int
    ordinal: int
    fact: Fact
    after: int = 0
    """How many entries of the same news came before it."""


class Checkpoint(msgspec.Struct, frozen=True):
    """The state before a step, as plain data."""

    step: int
    saved: Any


@dataclass(slots=True)
class News:
    """What a table has to write down since it was last asked."""

    entries: list[Entry] = field(default_factory=list)
    told: list[Told] = field(default_factory=list)
    checkpoints: list[Checkpoint] = field(default_factory=list)


@dataclass(slots=True)
class _Line:
    """A coroutine that waits: the step itself, or one seat's branch."""

    run: Coroutine[Any, Any, Any]
    branch: str
    n: int = 0
    waits: Any = None
    done: bool = False
    result: Any = None


class Table(Generic[S]):
    """One game from a checkpoint on.

    `start` (or `replay`, with the tape) brings it to its first open question; then `answer` moves it.
    With `keep` every step border is dumped, which is what a store and `copy` need; plain random play does
    without. Without `chance` it stops at the first roll, shuffle or reveal and says so in `blocked`.
    """

    def __init__(
        self, rules: Ruleset[S], state: S, *, step: int = 0, chance: Chance | None = None, keep: bool = True
    ) -> None:
        self.rules = rules
        self.g = state
        self.step = step
        self.chance = chance
        self.keep = keep
        self.checkpoint: Any = None
        self.tape: list[Entry] = []
        self.told: list[Told] = []
        self.news = News()
        self.open: dict[str, Ask[Any]] = {}
        self.blocked: Chancy | None = None
        self.over = False
        self._main: _Line | None = None
        self._branches: dict[str, _Line] = {}
        self._answered: dict[str, int] = {}

    # bringing it to its place

    def start(self) -> Table[S]:
        """Play from the checkpoint to the first open question."""
        self._border()
        self._play()
        return self

    def replay(self, tape: Iterable[Entry]) -> Table[S]:
        """Play from the checkpoint through a tape, which is already written down; raises `Misfit`."""
        step, chance = self.step, self.chance
        self.chance = None
        self.retrace(tape)
        self.news = self._beyond(step)
        self.chance = chance
        if self.blocked is not None and chance is not None:
            self._roll(chance)
            self._play()
        return self

    def retrace(self, tape: Iterable[Entry]) -> Table[S]:
        """Play from the checkpoint through a tape, with all that this tells in the news, to be compared with what is
        written down; for a table without chance. Raises `Misfit`."""
        self._border(fresh=False)
        self._play()
        for entry in tape:
            self._replay_one(entry)
        return self

    def _beyond(self, step: int) -> News:
        """What a tape comes to beyond its own step is not written down yet: when it was recorded, the step did not
        end there."""
        told = [Told(t.step, t.ordinal, t.fact) for t in self.news.told if t.step > step]
        return News([], told, [c for c in self.news.checkpoints if c.step > step])

    def _replay_one(self, entry: Entry) -> None:
        if entry.step != self.step or self.over:
            raise Misfit(entry, f"the game is in step {self.step}")
        line = self._branches.get(entry.branch) if entry.branch else self._main
        if line is None or line.done or line.n != entry.n or getattr(line.waits, "key", None) != entry.key:
            raise Misfit(entry, f"open is “{getattr(line and line.waits, 'key', 'nothing')}”")
        try:
            if entry.seat == DICE:
                if self.blocked is None:
                    raise Misfit(entry, "nothing is rolled here")
                self._roll(_Said(entry.pick))
                self._play()
            else:
                if getattr(line.waits, "seat", None) != entry.seat:
                    raise Misfit(entry, "somebody else is asked")
                self.answer(entry.seat, entry.pick, entry.by)
        except NotOpen as e:
            raise Misfit(entry, "what was answered is not open") from e

    def copy(self, chance: Chance | None = None) -> Table[S]:
        """The same game once more, to try something on: from its checkpoint, by its tape."""
        again = Table(
            self.rules, self.rules.load(self.checkpoint), step=self.step, chance=chance, keep=self.keep
        )
        return again.replay(self.tape)

    # moving it

    def answer(self, seat: str, pick: str, by: str = "mail") -> None:
        """Answer the seat's open question; raises `NotOpen`, with nothing changed, if that is not open."""
        ask = self.open.get(seat)
        if ask is None:
            raise NotOpen(Text("you are not asked anything now"))
        value = ask.menu.resolve(pick)
        line = self._branches.get(seat) or self._main
        assert line is not None
        del self.open[seat]
        self._write(line, seat, ask.key, pick, by)
        if line is self._main:
            self._resume(line, value)
        else:
            self._resume_branch(line, value)
        self._play()

    def _write(self, line: _Line, seat: str, key: str, pick: str, by: str) -> None:
        entry = Entry(self.step, line.branch, line.n, seat, key, pick, by)
        line.n += 1
        self.tape.append(entry)
        self.news.entries.append(entry)

    def _play(self) -> None:
        """Go on until a seat must answer, chance is missing, or the game is over."""
        while not self.over:
            line = self._main
            if line is None:
                step = self.rules.step(self.g)
                if step is None:
                    self.over = True
                    return
                self._main = _Line(step, MAIN)
                self._resume(self._main, None)
            elif line.done:
                self._next_step()
            elif isinstance(line.waits, Together):
                if not self._join(line):
                    return
            elif isinstance(line.waits, Ask):
                self.open[line.waits.seat] = line.waits
                return
            else:
                self.blocked = line.waits
                if self.chance is None:
                    return
                self._roll(self.chance)

    def _roll(self, chance: Chance) -> None:
        line, asked = self._main, self.blocked
        assert line is not None
        assert asked is not None
        pick = chance.answer(asked, self.step, line.n)
        value = asked.read(pick)
        self.blocked = None
        self._write(line, DICE, asked.key, pick, DICE)
        self._resume(line, value)

    def _resume(self, line: _Line, value: Any) -> None:
        line.waits = None
        try:
            line.waits = line.run.send(value)
        except StopIteration as end:
            line.done = True
            line.result = end.value
        if self.g.journal:
            self._listen(line)
        if isinstance(line.waits, Together):
            self._branch_out(line.waits)

    def _listen(self, line: _Line) -> None:
        if line is not self._main:
            raise RulesFault(f"a branch of {line.branch} told something before the join")
        for fact in self.g.journal:
            told = Told(self.step, len(self.told), fact, len(self.news.entries))
            self.told.append(told)
            self.news.told.append(told)
        self.g.journal.clear()

    # several at once

    def _branch_out(self, asked: Together) -> None:
        for seat, run in asked.branches.items():
            self._branches[seat] = _Line(run, seat, self._answered.get(seat, 0))
        for line in self._branches.values():
            self._resume_branch(line, None)

    def _resume_branch(self, line: _Line, value: Any) -> None:
        self._resume(line, value)
        if line.done:
            return
        if not isinstance(line.waits, Ask) or line.waits.seat != line.branch:
            raise RulesFault(f"the branch of {line.branch} may only ask {line.branch}")
        self.open[line.branch] = line.waits

    def _join(self, line: _Line) -> bool:
        """Hand the branches' results to the step once all have ended."""
        if self.open:
            return False
        results = {seat: b.result for seat, b in self._branches.items()}
        self._answered.update((seat, b.n) for seat, b in self._branches.items())
        self._branches = {}
        self._resume(line, results)
        return True

    # step borders

    def _next_step(self) -> None:
        self.step += 1
        self._main = None
        self._answered = {}
        self.tape = []
        self.told = []
        self._border()

    def _border(self, fresh: bool = True) -> None:
        if fresh:
            self.g.ruling = self.rules.ruling
        if self.keep:
            self.checkpoint = self.rules.dump(self.g)
            self.news.checkpoints.append(Checkpoint(self.step, self.checkpoint))

    # asking it

    def drain(self) -> News:
        """What has to be written down since the last time."""
        news, self.news = self.news, News()
        return news

    def place(self, seat: str) -> tuple[int, str, int]:
        """Where the answer to this seat's open question will stand: step, branch, place in the branch."""
        line = self._branches.get(seat) or self._main
        assert line is not None
        return self.step, line.branch, line.n

    def began(self, seat: str) -> int:
        """Where in its branch the first answer of this seat stands, inside an open `together`; else 0."""
        return self._answered.get(seat, 0)

    def frames(self) -> list[tuple[str, int, str]]:
        """Where in the rules it waits: function, line, first line of the docstring; outermost first."""
        return [
            frame for line in (self._main, *self._branches.values()) if line for frame in _frames(line.run)
        ]


class _Said:
    """Chance that says what the tape says."""

    def __init__(self, pick: str) -> None:
        self.pick = pick

    def answer(self, asked: Chancy, step: int, n: int) -> str:
        return self.pick


def _frames(run: Any) -> list[tuple[str, int, str]]:
    found = []
    while getattr(run, "cr_frame", None) is not None:
        code = run.cr_frame.f_code
        doc = code.co_consts[0] if code.co_consts and isinstance(code.co_consts[0], str) else ""
        found.append((code.co_name, run.cr_frame.f_lineno, doc.strip().split("\n")[0]))
        run = getattr(run.cr_await, "part", run.cr_await)
    return found
