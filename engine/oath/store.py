"""The state as plain data, and back."""

from __future__ import annotations

from typing import Any

from ..core.migrations import Lift
from ..core.saving import dumped, loaded
from .state import SCHEMA, Oath

LIFTS: dict[int, Lift] = {}
"""`LIFTS[n]` makes schema n + 1 out of n."""


def dump(g: Oath) -> Any:
    """The state with its schema."""
    return dumped(g, SCHEMA)


def load(saved: Any) -> Oath:
    """The state from any earlier schema; raises `ValueError` on damaged data."""
    return loaded(saved, Oath, "Oath", SCHEMA, LIFTS)
