"""What happened, as data, and who is told it in which words."""

from __future__ import annotations

from typing import Any, ClassVar

import msgspec

from .text import Text


class Fact(msgspec.Struct, frozen=True):
    """Something that happened. A subclass is one kind, told by its own name, never as finished text."""

    KINDS: ClassVar[dict[str, type[Fact]]] = {}

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        Fact.KINDS[f"{cls.__module__.rsplit('.', 2)[-2]}.{cls.__name__}"] = cls

    def told_to(self, seat: str | None) -> Text | None:
        """This seat's wording (None: the observer's); None when the seat is not told at all."""
        raise TypeError(f"{type(self).__name__} has no wording")


def kind_of(fact: Fact) -> str:
    """The name a kind of fact is stored under: `troyes.Rolled`."""
    return f"{type(fact).__module__.rsplit('.', 2)[-2]}.{type(fact).__name__}"


def dump_fact(fact: Fact) -> Any:
    """The fact's fields as plain data."""
    return msgspec.to_builtins(fact)


def load_fact(kind: str, saved: Any) -> Fact:
    """The way back; raises `KeyError` for a kind that no game knows, `ValidationError` for wrong fields."""
    return msgspec.convert(saved, Fact.KINDS[kind])
