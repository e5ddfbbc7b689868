"""A game's state as plain data, and back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

import msgspec

from .migrations import Lift, lift
from .sealed import dump_sealed, load_sealed

S = TypeVar("S")


def dumped(g: Any, schema: int) -> Any:
    """The state with its schema; the journal is empty at every border and is not stored."""
    saved = msgspec.to_builtins(g, enc_hook=dump_sealed)
    del saved["journal"]
    saved["schema"] = schema
    return saved


def loaded(saved: Any, kind: type[S], game: str, schema: int, lifts: Mapping[int, Lift]) -> S:
    """The state from any earlier schema; raises `ValueError` on damaged data, which names the game."""
    if not isinstance(saved, dict):
        raise ValueError(f"a saved game of {game} is a table")
    plain = {key: value for key, value in lift(saved, schema, lifts).items() if key != "schema"}
    try:
        return msgspec.convert(plain, kind, dec_hook=load_sealed)
    except (msgspec.ValidationError, KeyError, TypeError) as e:
        raise ValueError(f"the saved game of {game} is damaged: {e}") from e
