"""The state as plain data, and back."""

from __future__ import annotations

from typing import Any

import msgspec

from ..core.migrations import Lift, lift
from ..core.sealed import dump_sealed, load_sealed
from .state import SCHEMA, Oath

LIFTS: dict[int, Lift] = {}
"""`LIFTS[n]` makes schema n + 1 out of n."""


def dump(g: Oath) -> Any:
    """The state with its schema; the journal is empty at every border and is not stored."""
    saved = msgspec.to_builtins(g, enc_hook=dump_sealed)
    del saved["journal"]
    saved["schema"] = SCHEMA
    return saved


def load(saved: Any) -> Oath:
    """The state from any earlier schema; raises `ValueError` on damaged data."""
    if not isinstance(saved, dict):
        raise ValueError("a saved game of Oath is a table")
    plain = {key: value for key, value in lift(saved, SCHEMA, LIFTS).items() if key != "schema"}
    try:
        return msgspec.convert(plain, Oath, dec_hook=load_sealed)
    except (msgspec.ValidationError, KeyError, TypeError) as e:
        raise ValueError(f"the saved game of Oath is damaged: {e}") from e
