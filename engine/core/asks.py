"""Questions: what a step awaits.

A step of a game is an `async def`, but no event loop drives it and asyncio is never imported: `await`
marks the places where a game waits for an answer, for minutes or for weeks. A `Table` sends the answers in.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Generator, Iterable, Mapping, Sequence
from typing import Any, Generic, Literal, TypeVar

import msgspec

from .sealed import Sealed
from .slots import NotOpen, Slot, remembering
from .text import Text

T = TypeVar("T")
Step = Coroutine[Any, Any, None]
Kind = Literal["turn", "reaction", "setup"]
"""What a question is to a table's deadlines."""

DICE = "dice"
"""The seat that answers rolls, shuffles and reveals."""


def _never() -> Text | None:
    return None


class _Once:
    """A reason found out once: as long as a question is open, nothing that it asks about changes."""

    __slots__ = ("_find", "_found", "_why")

    def __init__(self, find: Callable[[], Text | None]) -> None:
        self._find = find
        self._found = False
        self._why: Text | None = None

    def __call__(self) -> Text | None:
        if not self._found:
            self._why, self._found = self._find(), True
        return self._why


def _always(reason: Text) -> Callable[[], Text | None]:
    return lambda: reason


class Option(msgspec.Struct, Generic[T], eq=False):
    """One thing that may be written: its words, a stable id, and the reason if it is barred."""

    id: str
    words: Text
    build: Callable[..., T]
    slots: tuple[Slot, ...] = ()
    _barred: Callable[[], Text | None] = _never
    also: tuple[Text, ...] = ()

    def barred(self) -> Text | None:
        """The reason why it is not open now; None if it is."""
        return self._barred()

    def resolve(self, pick: str) -> T:
        """The value for an answer's id; raises `NotOpen` with the reason."""
        why = self._barred()
        if why is not None:
            raise NotOpen(why)
        if self.slots:
            return self.build(**self.fill(parse_pick(pick)))
        if pick != self.id:
            raise NotOpen(Text("“{words}” has no places to fill", words=self.words))
        return self.build()

    def fill(self, picks: Mapping[str, str]) -> dict[str, Any]:
        """The values of the slots, each seeing those before it; raises `NotOpen`."""
        chosen: dict[str, Any] = {}
        for slot in self.slots:
            if slot.name in picks:
                chosen[slot.name] = slot.resolve(picks[slot.name], chosen)
            elif slot.lead is not None:
                chosen[slot.name] = slot.absent(chosen)
            else:
                raise NotOpen(Text("it lacks its {what}", what=slot.label))
        for name in picks:
            if name not in chosen:
                raise NotOpen(Text("“{words}” has no place “{name}”", words=self.words, name=name))
        return chosen

    def said(self, pick: str) -> Text:
        """The canonical wording of this option with its slots filled."""
        if not self.slots:
            return self.words
        picks = parse_pick(pick)
        chosen: dict[str, Any] = {}
        text = self.words
        more: list[Text] = []
        for slot in self.slots:
            if slot.name not in picks:
                chosen[slot.name] = slot.absent(chosen)
                continue
            words = slot.said(picks[slot.name], chosen)
            chosen[slot.name] = slot.resolve(picks[slot.name], chosen)
            if slot.lead is None:
                text = text.filled(**{slot.name: words})
            else:
                more.append(slot.lead.filled(**{slot.name: words}))
        for part in more:
            text = Text("{command} {more}", command=text, more=part)
        return text

    def remembering(self) -> Option[T]:
        """The same option for whoever tries several fillings in one position."""
        return (
            msgspec.structs.replace(self, slots=tuple(map(remembering, self.slots))) if self.slots else self
        )

    def shown(self) -> Text:
        """The wording with its slots as places to fill: `farm with <yellow dice>`."""
        text = self.words.filled(**{s.name: _place(s) for s in self.slots if s.lead is None})
        for slot in self.slots:
            if slot.lead is not None:
                text = Text(
                    "{command} [{more}]", command=text, more=slot.lead.filled(**{slot.name: _place(slot)})
                )
        return text


def _place(slot: Slot) -> Text:
    return Text("<{label}>", label=slot.label)


def make_pick(option: Option[Any], picks: Mapping[str, str]) -> str:
    """What goes on the tape: the option's id and the ids in its slots, in their order."""
    return "|".join([option.id, *(f"{s.name}={picks[s.name]}" for s in option.slots if s.name in picks)])


def parse_pick(pick: str) -> dict[str, str]:
    """The slots' ids of a pick, by slot name."""
    picks: dict[str, str] = {}
    for part in pick.split("|")[1:]:
        name, _, value = part.partition("=")
        picks[name] = value
    return picks


class Menu(Generic[T]):
    """The options of one question, open and barred, in the order a reader meets them."""

    __slots__ = ("options",)

    def __init__(self) -> None:
        self.options: list[Option[T]] = []

    def add(
        self,
        words: Text,
        value: T,
        *,
        id: str = "",
        unless: Iterable[tuple[bool, Text]] = (),
        also: tuple[Text, ...] = (),
    ) -> None:
        """Offer a value; the first condition of `unless` that holds bars it with its reason.

        Without `id` the message's own id serves, which is stable as long as the wording is.
        """
        barred = _never
        for holds, reason in unless:
            if holds:
                barred = _always(reason)
                break
        self.options.append(Option(id or words.msgid, words, lambda: value, (), barred, also))

    def command(
        self,
        words: Text,
        build: Callable[..., T],
        *slots: Slot,
        id: str,
        barred: Callable[[], Text | None] = _never,
        also: tuple[Text, ...] = (),
    ) -> None:
        """Offer a command with slots; `build` gets their values by name.

        Where `barred` gives no reason, at least one lawful filling must exist.
        """
        self.options.append(Option(id, words, build, slots, _Once(barred), also))

    def open(self) -> list[Option[T]]:
        """The options that may be chosen now."""
        return [o for o in self.options if o.barred() is None]

    def find(self, pick: str) -> Option[T]:
        """The option of an answer's id; raises `NotOpen`."""
        wanted = pick.split("|", 1)[0]
        for option in self.options:
            if option.id == wanted:
                return option
        raise NotOpen(Text("“{pick}” is not among the options", pick=wanted))

    def resolve(self, pick: str) -> T:
        """The value of an answer's id; raises `NotOpen` with the reason."""
        return self.find(pick).resolve(pick)


class Ask(msgspec.Struct, Generic[T], eq=False):
    """One question to one seat; awaiting it gives the value of the chosen option."""

    seat: str
    key: str
    menu: Menu[T]
    prompt: Text
    section: str
    kind: Kind = "turn"
    default: str | None = None
    public: Mapping[str, int | str] = {}
    personal: bool = False
    """Only the seat itself answers it: at the deadline neither a default nor a robot (D-26)."""

    def __await__(self) -> Generator[Any, Any, T]:
        value: T = yield self
        return value


async def choose(
    seat: str,
    key: str,
    menu: Menu[T],
    prompt: Text,
    *,
    section: str,
    kind: Kind = "turn",
    default: str | None = None,
    personal: bool = False,
    **public: int | str,
) -> T:
    """Ask one seat to choose.

    `key` is the question's name for ever: tapes, standing orders and tests use it. `section` is the place
    in the rules. `default` is the id of an option that is harmless (D-26); a `personal`
    question has none and is left to its seat whatever a table has chosen for silence. `public` are the facts that the
    question publishes with itself; conditions of orders may use these alone.
    """
    value: T = await Ask(seat, key, menu, prompt, section, kind, default, public, personal)
    return value


class Publishing(Generator[Any, Any, T]):
    """A part of a step whose questions to one seat publish more with themselves: what is decided, for conditions."""

    def __init__(self, part: Coroutine[Any, Any, T], seat: str, facts: Mapping[str, int | str]) -> None:
        self.part = part
        self._seat = seat
        self._facts = facts

    def __await__(self) -> Generator[Any, Any, T]:
        return self

    def send(self, value: Any) -> Any:
        """On to the next question, with the answer to the last."""
        asked = self.part.send(value)
        if isinstance(asked, Ask) and asked.seat == self._seat:
            return msgspec.structs.replace(asked, public={**self._facts, **asked.public})
        return asked

    def throw(self, *thrown: Any) -> Any:
        """Into the part, which is dropped with this."""
        return self.part.throw(*thrown)


async def publishing(part: Coroutine[Any, Any, T], seat: str, **facts: int | str) -> T:
    """Play a part of a step; each question in it to one seat publishes these facts too, unless it knows better."""
    return await Publishing(part, seat, facts)


def _numbers(pick: str) -> tuple[int, ...]:
    """What a tape says of dice or cards, as numbers; raises `NotOpen`."""
    try:
        return tuple(int(word) for word in pick.split())
    except ValueError:
        raise NotOpen(Text("“{pick}” is not a row of numbers", pick=pick)) from None


class Roll:
    """Dice to be rolled; awaiting gives the faces."""

    __slots__ = ("faces", "key", "n")

    def __init__(self, key: str, n: int, faces: Sequence[int]) -> None:
        self.key = key
        self.n = n
        self.faces = faces

    def read(self, pick: str) -> tuple[int, ...]:
        """The faces for what the tape says; raises `NotOpen` if these dice cannot show it."""
        rolled = _numbers(pick)
        if len(rolled) != self.n or any(x not in self.faces for x in rolled):
            raise NotOpen(Text("these dice cannot show {pick}", pick=pick))
        return rolled

    def __await__(self) -> Generator[Any, Any, tuple[int, ...]]:
        value: tuple[int, ...] = yield self
        return value


class Shuffle:
    """Cards to be shuffled; awaiting gives a new order of the indices 0 to n - 1."""

    __slots__ = ("key", "n")

    def __init__(self, key: str, n: int) -> None:
        self.key = key
        self.n = n

    def read(self, pick: str) -> tuple[int, ...]:
        """The order for what the tape says; raises `NotOpen` if it is none."""
        order = _numbers(pick)
        if sorted(order) != list(range(self.n)):
            raise NotOpen(Text("this is no order of {n}", n=self.n))
        return order

    def __await__(self) -> Generator[Any, Any, tuple[int, ...]]:
        value: tuple[int, ...] = yield self
        return value


class Reveal:
    """Something hidden that is shown to seats, here and now (D-39); awaiting gives nothing."""

    __slots__ = ("key", "shown")

    def __init__(self, key: str, shown: str) -> None:
        self.key = key
        self.shown = shown

    def read(self, pick: str) -> None:
        """Raises `NotOpen` if the tape saw something else here."""
        if pick != self.shown:
            raise NotOpen(Text("something else was shown here"))

    def __await__(self) -> Generator[Any, Any, None]:
        yield self


class Together:
    """Several seats asked at once; awaiting gives each branch's result by seat, in seat order."""

    __slots__ = ("branches", "key")

    def __init__(self, key: str, branches: Mapping[str, Coroutine[Any, Any, Any]]) -> None:
        self.key = key
        self.branches = branches

    def __await__(self) -> Generator[Any, Any, dict[str, Any]]:
        value: dict[str, Any] = yield self
        return value


Chancy = Roll | Shuffle | Reveal


async def roll(key: str, n: int, faces: Sequence[int] = range(1, 7)) -> tuple[int, ...]:
    """Roll `n` dice with these faces."""
    return await Roll(key, n, faces) if n else ()


async def shuffle(key: str, things: Sequence[T]) -> list[T]:
    """The things in a new order that nobody knows."""
    order = await Shuffle(key, len(things))
    return [things[i] for i in order]


async def reveal(key: str, hidden: Sealed[T], *seats: str) -> tuple[T, Sealed[T]]:
    """Show a hidden value to seats; gives the value, and the seal with its new owners."""
    value = hidden.under_seal()
    await Reveal(key, repr(value))
    return value, hidden.shown_to(*seats)


async def together(branches: Mapping[str, Coroutine[Any, Any, T]], key: str) -> dict[str, T]:
    """Ask several seats at once (D-3): one dialogue a seat, answers in any order, results in seat order.

    A branch may read the state, not change it, and neither roll nor tell anything.
    """
    results: dict[str, T] = await Together(key, branches)
    return results
