"""A position, what players write in it, and what must come of it: tests, disputes and bug reports alike."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec

from .asks import Step
from .chance import Loaded, Seeded
from .commands import Unclear, read
from .ruleset import BadPath, BadSetup, Ruleset
from .slots import NotOpen
from .table import Table
from .text import Text, english
from .words import Lexicon, english_only


class Refusal(msgspec.Struct, forbid_unknown_fields=True):
    """A line that must be refused, and words that its reason must contain."""

    line: str
    because: str = ""


class Document(msgspec.Struct, forbid_unknown_fields=True):
    """A scenario file, as TOML has it; see docs/scenario-format.md."""

    game: str
    seats: list[str]
    title: str = ""
    rule: str = ""
    options: dict[str, str] = {}
    arrange: dict[str, Any] = {}
    dice: dict[str, str | list[str]] = {}
    do: str = ""
    commands: list[str] = []
    expect: dict[str, Any] = {}
    asked: dict[str, str] | None = None
    refused: list[Refusal] = []
    card: list[dict[str, Any]] = []


class BadScenario(Exception):
    """A scenario that cannot be run. `where` names the place in the file, `near` what is known there."""

    def __init__(self, where: str, why: Text, near: Sequence[str] = ()) -> None:
        super().__init__(f"{where}: {english(why)}")
        self.where = where
        self.why = why
        self.near = tuple(near)


@dataclass(frozen=True, slots=True)
class Difference:
    """One thing that came out otherwise than expected."""

    where: str
    expected: str
    found: str


class _Once:
    """The ruleset, but for a single procedure instead of the game's own flow."""

    def __init__(self, rules: Ruleset[Any], first: Step) -> None:
        self._rules = rules
        self._steps = [first]

    def step(self, g: Any) -> Step | None:
        return self._steps.pop() if self._steps else None

    def __getattr__(self, name: str) -> Any:
        return getattr(self._rules, name)


class Position:
    """A position under construction, then a game in play on it."""

    def __init__(
        self,
        rules: Ruleset[Any],
        seats: Sequence[str],
        options: Mapping[str, str] | None = None,
        data: Any = None,
        lexicon: Lexicon = english_only,
    ) -> None:
        self.rules = rules
        self.g = rules.setup(seats, options or {}, data, None)
        self.lexicon = lexicon
        self.loaded: dict[str, list[str]] = {}
        self.told: list[Any] = []
        self._table: Table[Any] | None = None

    def arrange(self, paths: Mapping[str, Any]) -> Position:
        """Set the values at paths, in the order given; raises `BadPath`."""
        for path, value in paths.items():
            self.rules.write(self.g, path, value)
        return self

    def dice(self, picks: Mapping[str, str | Sequence[str]]) -> Position:
        """Load the dice: what each key will show, one text a roll: `{"black dice": "6 4"}`."""
        for key, value in picks.items():
            self.loaded.setdefault(key, []).extend([value] if isinstance(value, str) else value)
        return self

    @property
    def table(self) -> Table[Any]:
        """The game in play; starts it."""
        if self._table is None:
            self._start(self.rules)
        assert self._table is not None
        return self._table

    def perform(self, name: str) -> Position:
        """Run one named procedure of the rules instead of the game's flow; raises `BadPath`."""
        self._start(_Once(self.rules, self.rules.perform(self.g, name)))
        return self

    def _start(self, rules: Ruleset[Any]) -> None:
        chance = Loaded(self.loaded, Seeded(b"a scenario"))
        self._table = Table(rules, self.g, chance=chance, keep=False).start()
        self._hear()

    def _hear(self) -> None:
        if self._table is not None:
            self.told += [t.fact for t in self._table.drain().told]

    def does(self, seat: str, line: str) -> Position:
        """The seat writes a line; raises `Unclear` or `NotOpen` if it is refused."""
        ask = self.table.open.get(seat)
        if ask is None:
            raise Unclear(Text("{seat} is not asked anything now", seat=seat))
        self.table.answer(seat, read(line, ask, self.lexicon).pick)
        self._hear()
        return self

    def refusal(self, seat: str, line: str) -> str:
        """Why a line is refused, in English; raises `AssertionError` if it would be taken."""
        ask = self.table.open.get(seat)
        try:
            if ask is None:
                raise Unclear(Text("{seat} is not asked anything now", seat=seat))
            ask.menu.resolve(read(line, ask, self.lexicon).pick)
        except (Unclear, NotOpen) as e:
            return english(e.why)
        raise AssertionError(f"“{line}” would be taken")

    def at(self, path: str) -> Any:
        """The value at a path."""
        return self.rules.read(self.g, path)

    def asked(self) -> dict[str, str]:
        """The key of the question that is open to each seat."""
        return {seat: ask.key for seat, ask in self.table.open.items()}

    def heard(self, seat: str | None) -> list[str]:
        """What a seat has been told, in English."""
        texts = [fact.told_to(seat) for fact in self.told]
        return [english(t) for t in texts if t is not None]


@dataclass(slots=True)
class Report:
    """What became of a scenario."""

    title: str
    differences: list[Difference] = field(default_factory=list)

    @property
    def passed(self) -> bool:
        """Whether everything came out as expected."""
        return not self.differences


def run(rules: Ruleset[Any], doc: Document, data: Any = None, lexicon: Lexicon = english_only) -> Report:
    """Play a scenario; raises `BadScenario` where it cannot be understood."""
    if doc.card:
        data = {**(data or {}), "card": doc.card}
    position = _arranged(rules, doc, data, lexicon)
    report = Report(doc.title)
    _commands(position, doc, report)
    _expectations(position, doc, report)
    _refusals(position, doc, report)
    return report


def _arranged(rules: Ruleset[Any], doc: Document, data: Any, lexicon: Lexicon) -> Position:
    try:
        position = Position(rules, doc.seats, doc.options, data, lexicon)
    except BadSetup as e:
        raise BadScenario("seats, options, card", e.why) from e
    for path, value in doc.arrange.items():
        try:
            position.arrange({path: value})
        except BadPath as e:
            raise BadScenario(f"arrange.{path}", e.why, e.near) from e
    position.dice(doc.dice)
    try:
        if doc.do:
            position.perform(doc.do)
        else:
            position.asked()
    except BadPath as e:
        raise BadScenario("do", e.why, e.near) from e
    except NotOpen as e:
        raise BadScenario("dice", e.why) from e
    return position


def _who(line: str, where: str, seats: Sequence[str]) -> tuple[str, str]:
    seat, colon, said = line.partition(":")
    known = {s.casefold(): s for s in seats}
    if not colon or seat.strip().casefold() not in known:
        why = Text("“{line}” must begin with a seat and a colon: {seats}", line=line, seats=tuple(seats))
        raise BadScenario(where, why)
    return known[seat.strip().casefold()], said.strip()


def _commands(position: Position, doc: Document, report: Report) -> None:
    for n, line in enumerate(doc.commands, 1):
        seat, said = _who(line, f"commands, line {n}", doc.seats)
        try:
            position.does(seat, said)
        except (Unclear, NotOpen) as e:
            report.differences.append(Difference(f"commands, line {n}", line, english(e.why)))
            return


def _expectations(position: Position, doc: Document, report: Report) -> None:
    for path, expected in doc.expect.items():
        try:
            found = position.at(path)
        except BadPath as e:
            raise BadScenario(f"expect.{path}", e.why, e.near) from e
        if found != expected:
            report.differences.append(Difference(path, repr(expected), repr(found)))
    if doc.asked is not None and position.asked() != doc.asked:
        report.differences.append(Difference("asked", _said(doc.asked), _said(position.asked())))


def _said(asked: Mapping[str, str]) -> str:
    return ", ".join(f"{seat}: {key}" for seat, key in asked.items()) or "nobody"


def _refusals(position: Position, doc: Document, report: Report) -> None:
    for n, one in enumerate(doc.refused, 1):
        where = f"refused, number {n}"
        seat, said = _who(one.line, where, doc.seats)
        try:
            why = position.refusal(seat, said)
        except AssertionError:
            report.differences.append(Difference(where, f"refused: {one.line}", "it is taken"))
            continue
        if one.because.casefold() not in why.casefold():
            report.differences.append(Difference(where, one.because, why))
