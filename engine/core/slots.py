"""The places of a command: `farm with <dice>`, `counter <event> with <dice> times <number>`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any, Protocol

import msgspec

from .text import Text

Chosen = Mapping[str, Any]
"""What the earlier slots of the same command were filled with, by slot name."""


class Rng(Protocol):
    """The part of `random.Random` that the engine may be handed."""

    def randrange(self, stop: int, /) -> int: ...
    def random(self) -> float: ...


class Choice(msgspec.Struct, frozen=True):
    """One value that may stand in a slot.

    `id` goes on the tape; `words` are the canonical wording, `also` what is understood too.
    """

    id: str
    words: Text
    value: Any
    also: tuple[Text, ...] = ()
    why: Text | None = None
    """The reason if it may not be chosen now; it is then only there to be explained."""


class Slot(Protocol):
    """A place in a command. Its values may depend on the slots before it."""

    @property
    def name(self) -> str:
        """What the option's `build` gets its value by, and the place in the option's words."""

    @property
    def label(self) -> Text:
        """What is wanted here, for people: `yellow dice`."""

    @property
    def lead(self) -> Text | None:
        """For a part that may be left out: how it reads, with its own name as place: `times {times}`."""

    def absent(self, chosen: Chosen) -> Any:
        """The value when the part is left out; only asked where `lead` is set."""

    def legal(self, chosen: Chosen) -> Iterator[str]:
        """Ids of all lawful fillings, lazily, in a fixed order."""

    def sample(self, chosen: Chosen, rng: Rng) -> str:
        """The id of one lawful filling; raises `LookupError` when there is none."""

    def resolve(self, pick: str, chosen: Chosen) -> Any:
        """The value for an id; raises `NotOpen`."""

    def said(self, pick: str, chosen: Chosen) -> Text:
        """The canonical wording of a filling."""


class NotOpen(Exception):
    """An id that this place does not offer now. `why` is for the player."""

    def __init__(self, why: Text) -> None:
        super().__init__(why)
        self.why = why


def _nothing(_: Chosen) -> Any:
    return None


class One(msgspec.Struct, frozen=True):
    """Exactly one of several values."""

    name: str
    label: Text
    choices: Callable[[Chosen], Iterable[Choice]]
    """Reasons against them may be dear, so that it may be a generator: whether any is open is asked all the time."""
    lead: Text | None = None
    absent: Callable[[Chosen], Any] = _nothing

    def legal(self, chosen: Chosen) -> Iterator[str]:
        """Ids of the choices that have no reason against them."""
        return (c.id for c in self.choices(chosen) if c.why is None)

    def sample(self, chosen: Chosen, rng: Rng) -> str:
        """Each lawful choice alike."""
        legal = list(self.legal(chosen))
        if not legal:
            raise LookupError(self.name)
        return legal[rng.randrange(len(legal))]

    def resolve(self, pick: str, chosen: Chosen) -> Any:
        """The chosen value."""
        choice = self._find(pick, chosen)
        if choice.why is not None:
            raise NotOpen(choice.why)
        return choice.value

    def said(self, pick: str, chosen: Chosen) -> Text:
        """The choice's own words."""
        return self._find(pick, chosen).words

    def _find(self, pick: str, chosen: Chosen) -> Choice:
        for choice in self.choices(chosen):
            if choice.id == pick:
                return choice
        raise NotOpen(Text("“{pick}” is not among the choices", pick=pick))


DIGITS = 9
"""In a number that is still read; Python itself refuses to read very long ones."""


class Number(msgspec.Struct, frozen=True):
    """A whole number within bounds."""

    name: str
    label: Text
    bounds: Callable[[Chosen], range]
    lead: Text | None = None
    absent: Callable[[Chosen], Any] = _nothing
    limit: Text | None = None
    """What sets the bounds, for whoever oversteps them: `the warbands on your board (O-7.5)`."""

    def legal(self, chosen: Chosen) -> Iterator[str]:
        """Every number within the bounds, as its id."""
        return (str(n) for n in self.bounds(chosen))

    def sample(self, chosen: Chosen, rng: Rng) -> str:
        """Each number alike."""
        bounds = self.bounds(chosen)
        if not bounds:
            raise LookupError(self.name)
        return str(bounds[rng.randrange(len(bounds))])

    def resolve(self, pick: str, chosen: Chosen) -> int:
        """The number."""
        bounds = self.bounds(chosen)
        if pick.isdecimal() and len(pick) <= DIGITS and (n := int(pick)) in bounds:
            return n
        if not bounds:
            raise NotOpen(Text("no number is possible here"))
        told = Text("it must be {least} to {most}", least=bounds[0], most=bounds[-1])
        raise NotOpen(told if self.limit is None else Text("{told}: {limit}", told=told, limit=self.limit))

    def said(self, pick: str, chosen: Chosen) -> Text:
        """The number in digits."""
        return Text("{n}", n=int(pick))


def _no_elements(_: Chosen) -> tuple[Any, ...]:
    return ()


def _no_objection(_: Chosen, __: tuple[Any, ...]) -> Text | None:
    return None


class Many(msgspec.Struct, frozen=True):
    """Several of the elements; equal elements share an id and stand in the list once each.

    `check` gets what was chosen before and the values of the group and gives a reason against it.
    """

    name: str
    label: Text
    elements: Callable[[Chosen], Sequence[Choice]]
    least: int
    most: int
    check: Callable[[Chosen, tuple[Any, ...]], Text | None] = _no_objection
    lead: Text | None = None
    absent: Callable[[Chosen], Any] = _no_elements

    def legal(self, chosen: Chosen) -> Iterator[str]:
        """Every lawful group once, smaller ones first."""
        elements = [e for e in self.elements(chosen) if e.why is None]
        for size in range(self.least, min(self.most, len(elements)) + 1):
            seen: dict[tuple[str, ...], None] = {}
            for group in combinations(elements, size):
                ids = tuple(e.id for e in group)
                if ids not in seen:
                    seen[ids] = None
                    if self.check(chosen, tuple(e.value for e in group)) is None:
                        yield ",".join(ids)

    def sample(self, chosen: Chosen, rng: Rng) -> str:
        """A lawful group; all are possible, small ones a little likelier."""
        elements = [e for e in self.elements(chosen) if e.why is None]
        top = min(self.most, len(elements))
        for _ in range(8 if top >= self.least else 0):
            group = self._random_group(elements, self.least + rng.randrange(top - self.least + 1), rng)
            if self.check(chosen, tuple(e.value for e in group)) is None:
                return ",".join(e.id for e in group)
        legal = list(self.legal(chosen))
        if not legal:
            raise LookupError(self.name)
        return legal[rng.randrange(len(legal))]

    @staticmethod
    def _random_group(elements: list[Choice], size: int, rng: Rng) -> list[Choice]:
        left = list(range(len(elements)))
        picked = sorted(left.pop(rng.randrange(len(left))) for _ in range(size))
        return [elements[i] for i in picked]

    def resolve(self, pick: str, chosen: Chosen) -> tuple[Any, ...]:
        """The values of the group, in the order of the elements."""
        group = self._find(pick, chosen)
        for element in group:
            if element.why is not None:
                raise NotOpen(element.why)
        if len(group) < self.least:
            raise NotOpen(Text("it takes at least {n}", n=self.least))
        if len(group) > self.most:
            raise NotOpen(Text("it takes at most {n}", n=self.most))
        values = tuple(e.value for e in group)
        why = self.check(chosen, values)
        if why is not None:
            raise NotOpen(why)
        return values

    def said(self, pick: str, chosen: Chosen) -> Text:
        """The elements as a list."""
        return Text("{those}", those=tuple(e.words for e in self._find(pick, chosen)))

    def _find(self, pick: str, chosen: Chosen) -> list[Choice]:
        left = list(self.elements(chosen))
        picked: list[int] = []
        free: dict[str, list[int]] = {}
        for i, element in enumerate(left):
            free.setdefault(element.id, []).append(i)
        for one in pick.split(",") if pick else ():
            if not free.get(one):
                raise NotOpen(Text("“{pick}” is not there, or not so often", pick=one))
            picked.append(free[one].pop(0))
        return [left[i] for i in sorted(picked)]


def remembering(slot: Slot) -> Slot:
    """The same place for whoever asks it several times in one position: what may stand in it, with all that the rules
    say against each, is found out once after the same values before it."""
    match slot:
        case One():
            return msgspec.structs.replace(slot, choices=_once(slot.choices))
        case Many():
            return msgspec.structs.replace(slot, elements=_once(slot.elements))
    return slot


def _once(choices: Callable[[Chosen], Iterable[Choice]]) -> Callable[[Chosen], Sequence[Choice]]:
    known: dict[tuple[int, ...], tuple[list[Any], list[Choice]]] = {}

    def once(chosen: Chosen) -> Sequence[Choice]:
        before = list(chosen.values())
        key = tuple(
            map(id, before)
        )  # kept with the values, so that no other value can come to bear an id of theirs
        if key not in known:
            known[key] = (before, list(choices(chosen)))
        return known[key][1]

    return once
