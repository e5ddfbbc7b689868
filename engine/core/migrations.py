"""Old saved states lifted to the newest schema, one small function a step."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

Lift = Callable[[dict[str, Any]], dict[str, Any]]


def lift(saved: dict[str, Any], newest: int, lifts: Mapping[int, Lift]) -> dict[str, Any]:
    """The saved state in the newest schema; `lifts[n]` makes schema n + 1 out of n.

    Raises `ValueError` when the state is from a later version or no way leads up from its schema.
    """
    schema = saved.get("schema")
    if not isinstance(schema, int):
        raise ValueError("the saved state names no schema")
    if schema > newest:
        raise ValueError(f"the saved state has schema {schema}, this version knows up to {newest}")
    while schema < newest:
        if schema not in lifts:
            raise ValueError(f"no way leads from schema {schema} to {schema + 1}")
        saved = {**lifts[schema](saved), "schema": schema + 1}
        schema += 1
    return saved
