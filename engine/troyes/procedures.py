"""Named procedures for scenarios without commands."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from difflib import get_close_matches
from typing import Any

from ..core.asks import Step
from ..core.ruleset import BadPath
from ..core.text import Text
from . import turn
from .arranging import lay_out
from .events import next_effect, turn_up
from .fights import roll_black_dice
from .scoring import score_game
from .state import Troyes


async def all_effects(g: Troyes) -> None:
    """T-4.3: every event on the table works, from left to right."""
    g.effect = 0
    while g.effect < len(g.events):
        await next_effect(g)


async def event_phase(g: Troyes) -> None:
    """T-4.1 to T-4.9: new events, all effects, the black dice rolled; without the fights."""
    await turn_up(g)
    await all_effects(g)
    await roll_black_dice(g)


PROCEDURES: dict[str, Callable[[Troyes], Coroutine[Any, Any, None]]] = {
    "activities": turn.turn_up_activities,
    "income": turn.income,
    "workforce": turn.workforce,
    "events": event_phase,
    "effects": all_effects,
    "black dice": roll_black_dice,
    "end of round": turn.end_round,
    "scoring": score_game,
}


def perform(g: Troyes, name: str) -> Step:
    """The procedure of this name; raises `BadPath`."""
    if name not in PROCEDURES:
        near = get_close_matches(name, PROCEDURES, n=2, cutoff=0.4)
        raise BadPath(
            Text("there is no procedure “{name}”; there is {those}", name=name, those=tuple(PROCEDURES)), near
        )
    if g.phase == "deal":
        lay_out(g)
    return PROCEDURES[name](g)
