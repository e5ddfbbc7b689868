"""How often each power has done something: for random play and for tests, which must reach them all."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from .hooks import Power
from .powers import POWERS
from .printed import BANNERS, NAMES
from .queries import Query
from .ruling import Lying
from .state import Oath

DOINGS = ("act", "declare", "plan", "when_played", "rest", "after")
"""Moments that are a use whenever they come."""


def powers() -> dict[str, str]:
    """The name of every power that is written, by its id."""
    return {id: NAMES.get(id, id.replace("_", " ").capitalize()) for id in POWERS if id not in BANNERS}


@contextmanager
def counted(used: Counter[str]) -> Iterator[None]:
    """Count uses of all powers as long as this is open."""
    before = dict(POWERS)
    for id, power in before.items():
        POWERS[id] = _counting(power, used)
    try:
        yield
    finally:
        for id, power in before.items():
            POWERS[id] = power


def _counting(power: Power, used: Counter[str]) -> Power:
    """The same power, which counts what it does."""
    kind = type(power)
    moments: dict[str, Callable[..., Any]] = {
        name: _doing(getattr(kind, name), used)
        for name in DOINGS
        if getattr(kind, name) is not getattr(Power, name)
    }
    if kind.modify is not Power.modify:
        moments["modify"] = _answer(kind.modify, used)
    counting: Power = type(kind.__name__, (kind,), moments)()
    return counting


def _doing(moment: Callable[..., Any], used: Counter[str]) -> Callable[..., Any]:
    def counting(self: Power, *about: Any) -> Any:
        used[self.id] += 1
        return moment(self, *about)

    return counting


def _answer(modify: Callable[[Any, Oath, Lying, Query], None], used: Counter[str]) -> Callable[..., None]:
    """An answer is a use where it has changed the question."""

    def counting(self: Power, g: Oath, me: Lying, query: Query) -> None:
        before = _contents(query)
        modify(self, g, me, query)
        used[self.id] += _contents(query) != before

    return counting


def _contents(query: Query) -> list[Any]:
    """What a question says now; its lists and tables copied, everything else by what it is."""
    said = (getattr(query, name) for name in query.__struct_fields__)
    return [list(v) if isinstance(v, list) else dict(v) if isinstance(v, dict) else _plain(v) for v in said]


def _plain(value: Any) -> Any:
    return value if value is None or isinstance(value, (int, str, tuple)) else id(value)
