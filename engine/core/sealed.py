"""Values that a seat may not know, in a wrapper that refuses to be printed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, NoReturn, TypeVar, get_args

import msgspec

T = TypeVar("T")
U = TypeVar("U")


class Leak(Exception):
    """Something hidden was about to reach a text, or a seat that may not see it."""


class Sealed(Generic[T]):
    """A hidden value and the seats that have lawfully seen it.

    Printing, formatting, iterating, measuring or comparing it raises `Leak`; views `open` it for a seat,
    rules read it `under_seal` and show it to seats by `reveal` alone (D-39).
    """

    __slots__ = ("_value", "owners")

    def __init__(self, value: T, owners: tuple[str, ...] = ()) -> None:
        self._value = value
        self.owners = owners

    def open(self, seat: str | None) -> T:
        """The value, for a seat that owns it; raises `Leak` for any other and for the observer."""
        if seat not in self.owners:
            raise Leak(f"{seat or 'the observer'} may not look")
        return self._value

    open.unsafe_callable = True  # type: ignore[attr-defined]  # Jinja's sandbox then refuses to call it

    def seen_by(self, seat: str | None) -> bool:
        """Whether this seat may `open` it."""
        return seat in self.owners

    def under_seal(self) -> T:
        """The value for the rules, which know everything and tell nothing."""
        return self._value

    under_seal.unsafe_callable = True  # type: ignore[attr-defined]

    def shown_to(self, *seats: str) -> Sealed[T]:
        """The same value with more owners, in the order they came to know it."""
        return Sealed(self._value, (*self.owners, *(s for s in seats if s not in self.owners)))

    def changed(self, change: Callable[[T], U]) -> Sealed[U]:
        """A new value made of this one, for the same owners."""
        return Sealed(change(self._value), self.owners)

    def __repr__(self) -> str:
        return "<sealed>"

    def _refuse(self, *_: object) -> NoReturn:
        raise Leak("a sealed value reached a text or a comparison")

    __str__ = __format__ = __iter__ = __len__ = __bool__ = __eq__ = __lt__ = __add__ = __radd__ = _refuse
    __hash__ = _refuse
    __int__ = __index__ = __getitem__ = __contains__ = _refuse


def dump_sealed(value: object) -> Any:
    """For `msgspec.to_builtins`: a sealed value as plain data; for the store, never for a view."""
    if isinstance(value, Sealed):
        return {"seen_by": list(value.owners), "value": value.under_seal()}
    raise TypeError(f"cannot store {type(value).__name__}")


def load_sealed(kind: Any, saved: Any) -> Any:
    """For `msgspec.convert`: the way back from `dump_sealed`."""
    inner = get_args(kind)[0]
    value = msgspec.convert(saved["value"], inner, dec_hook=load_sealed)
    return Sealed(value, tuple(saved["seen_by"]))
