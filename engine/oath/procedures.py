"""Named procedures for scenarios without commands."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from difflib import get_close_matches
from typing import Any

from ..core.asks import Step
from ..core.ruleset import BadPath
from ..core.text import Text
from . import oaths, rest, wake
from .state import Oath


async def round_end(g: Oath) -> None:
    """O-17.4, O-17.5: the Empire's die after rounds 5 to 7, and the end of the eighth."""
    await oaths.end_of_round(g)


async def title(g: Oath) -> None:
    """O-10.2: the title goes to whoever meets the oath's goal now."""
    await oaths.check_title(g)


PROCEDURES: dict[str, Callable[[Oath], Coroutine[Any, Any, None]]] = {
    "wake": wake.wake,
    "rest": rest.rest,
    "end of round": round_end,
    "title": title,
}


def perform(g: Oath, name: str) -> Step:
    """The procedure of this name; raises `BadPath`."""
    if name not in PROCEDURES:
        near = get_close_matches(name, PROCEDURES, n=2, cutoff=0.4)
        raise BadPath(
            Text("there is no procedure “{name}”; there is {those}", name=name, those=tuple(PROCEDURES)), near
        )
    return PROCEDURES[name](g)
