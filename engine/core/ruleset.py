"""What a game must be able to do, so that nobody else needs to know which game it is (D-10)."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeVar

from .asks import Ask, Step
from .facts import Fact
from .text import Text

Json = Any
"""Plain data: what `json` can write."""


class State(Protocol):
    """What every game's state has besides its own fields."""

    ruling: int
    """The ruling number pinned when the current step began."""
    journal: list[Fact]
    """Facts told and not yet collected by the table; empty at every border, never stored."""


S = TypeVar("S", bound=State)


@dataclass(frozen=True, slots=True)
class Position:
    """Where a game stands."""

    label: Text
    """For people: `round 3, actions`."""
    section: str
    """The place in the rules: `T-5.1`."""
    turn: str
    """Changes when a turn ends, and only then; parked lines die with it."""


@dataclass(frozen=True, slots=True)
class Ranked:
    """One seat's place at the end."""

    seat: str
    place: int
    score: int | None
    why: tuple[Text, ...] = ()


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended: everybody's place, and why."""

    ranking: tuple[Ranked, ...]
    reason: Text


@dataclass(frozen=True, slots=True)
class Setting:
    """One thing a table may choose at the start."""

    name: str
    label: Text
    values: tuple[str, ...]
    default: str


@dataclass(frozen=True, slots=True)
class PathInfo:
    """One name of the scenario vocabulary: `ana.deniers`, its meaning, and what may stand there."""

    path: str
    label: Text
    accepts: str
    hidden: bool = False
    writable: bool = True


class BadPath(Exception):
    """A scenario path or a value that is not understood. `why` is for a person, `near` are known paths."""

    def __init__(self, why: Text, near: Sequence[str] = ()) -> None:
        super().__init__(why)
        self.why = why
        self.near = tuple(near)


class BadLegacy(Exception):
    """This is no campaign that this game can go on with. `why` is for a person."""

    def __init__(self, why: Text) -> None:
        super().__init__(why)
        self.why = why


class BadSetup(Exception):
    """These seats or options make no game. `why` is for a person."""

    def __init__(self, why: Text) -> None:
        super().__init__(why)
        self.why = why


@dataclass(frozen=True, slots=True)
class Entry:
    """What `rules <word>` and `look <word>` show."""

    name: Text
    lines: tuple[Text, ...] = field(default=())


@dataclass(frozen=True, slots=True)
class Campaign:
    """A campaign read from another program's text."""

    title: str
    legacy: Json
    odd: tuple[Text, ...] = ()
    """What is unusual in it, and what will be done about it."""


Policy = Callable[[Any, Ask[Any], random.Random], str]
"""A robot: from a view and an open question to an answer's id."""


class Ruleset(Protocol[S]):
    """One game. Every method is pure; a state handed in may be changed by `step` and `write` alone."""

    name: str
    """How commands and folders call it: `troyes`."""
    title: str
    ruling: int
    """The newest ruling number; see the game's RULINGS.md."""
    schema: int
    """The newest schema of its saved states."""
    seats: tuple[int, ...]
    """How many may play."""
    settings: tuple[Setting, ...]
    """What a table may choose."""
    campaigns: bool
    """Whether a game leaves something to the next one."""
    robots: Mapping[str, Policy]
    examples: Mapping[str, str]
    """For docs and `help`: an order as players write it, by question key."""

    def setup(
        self, seats: Sequence[str], options: Mapping[str, str], data: Json, legacy: Json, title: str = ""
    ) -> S:
        """The state before the first step; draws nothing. Raises `BadSetup`.

        `legacy` is what the last game of a campaign left, `title` the campaign's name.
        """

    def edition(self, options: Mapping[str, str], data: Json) -> Text | None:
        """A line for each digest about the numbers or house rules in use."""

    def step(self, g: S) -> Step | None:
        """The next piece of play, by the state alone; None when the game is over."""

    def seat_order(self, g: S) -> tuple[str, ...]:
        """The seats, clockwise."""

    def view(self, g: S, seat: str | None) -> Any:
        """What a seat (None: the observer) may see, built by listing."""

    def dump(self, g: S) -> Json:
        """The state as plain data."""

    def load(self, saved: Json) -> S:
        """The way back, from any earlier schema too; raises `ValueError` on damaged data."""

    def check(self, g: S) -> None:
        """Count every piece; raises `AssertionError` that names what is lost or doubled."""

    def powers(self) -> Mapping[str, str]:
        """The names of the cards and other things whose powers are written, by id, as far as uses can be counted."""

    def counted(self, used: Counter[str]) -> AbstractContextManager[None]:
        """As long as it is open, count how often each of `powers` does something."""

    def ending(self, g: S) -> tuple[Text, ...]:
        """In which of its ways a game that is over has ended, without names."""

    def reshuffled(self, g: S, seat: str | None, rng: random.Random) -> S:
        """A twin that this seat cannot tell from `g`: everything hidden from it dealt anew."""

    def hidden(self, g: S, seat: str | None) -> Json:
        """What is hidden from a seat, as plain data; only to prove that a twin differs."""

    def outcome(self, g: S) -> Outcome | None:
        """The ranking, once the game is over."""

    def legacy(self, g: S) -> Json:
        """What the next game of a campaign inherits; None if nothing."""

    def annals(self, g: S) -> tuple[Text, ...]:
        """What is worth remembering of a finished game, for the page of its campaign."""

    def read_legacy(self, text: str) -> Campaign:
        """A campaign that another program has kept as text. Raises `BadLegacy`, always where there is no such text."""

    def write_legacy(self, legacy: Json) -> str:
        """The same text for other programs; what was read is written the same. Raises `BadLegacy`."""

    def position(self, g: S) -> Position:
        """Where the game stands."""

    def paths(self, g: S) -> list[PathInfo]:
        """Every path of the scenario vocabulary that exists in this state."""

    def read(self, g: S, path: str) -> Json:
        """The value at a path; raises `BadPath`."""

    def write(self, g: S, path: str, value: Json) -> None:
        """Set the value at a path; raises `BadPath` and leaves `g` usable."""

    def perform(self, g: S, name: str) -> Step:
        """A named procedure of the rules for scenarios without commands; raises `BadPath`."""

    def lookup(self, g: S, word: str) -> list[Entry]:
        """What is known under a word: cards, places, terms, sections."""

    def picture(self, view: Any) -> str | None:
        """The public board as SVG, if the game has a picture."""

    def conditions(self, key: str) -> tuple[str, ...]:
        """The public facts that a standing order to this question may test."""

    def check_data(self, data: Json) -> list[Text]:
        """What is wrong with an owner's own data file, each line naming its place; empty if it is right."""
