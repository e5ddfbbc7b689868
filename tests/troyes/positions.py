"""Positions for the tests: seats A to D, invented cards, commands as players write them."""

from __future__ import annotations

from typing import Any

from pbem.engine.core.scenario import Position
from pbem.engine.troyes import RULES

YELLOW_CARD = {
    "kind": "activity",
    "id": "test-yellow",
    "name": "Test Yellow",
    "colour": "yellow",
    "round": 1,
    "hire_cost": 3,
    "divisor": 4,
    "vp_spots": [2, 1],
    "like": "merchant",
    "gain_deniers": 2,
}
WHITE_DEFERRED = {
    "kind": "activity",
    "id": "test-white",
    "name": "Test White",
    "colour": "white",
    "round": 1,
    "hire_cost": 3,
    "divisor": 3,
    "vp_spots": [1, 1],
    "like": "priest",
    "add_each": 3,
}


def event(id: str, name: str, **facts: Any) -> dict[str, Any]:
    """An invented event."""
    return {
        "kind": "event",
        "id": id,
        "name": name,
        "pile": "yellow",
        "counter_colour": "yellow",
        "divisor": 3,
        "banners": 4,
        "vp_first": 4,
        "vp_second": 2,
        **facts,
    }


def at(
    paths: dict[str, Any] | None = None, seats: int = 3, cards: list[dict[str, Any]] | None = None
) -> Position:
    """A position with these values at their paths; A has the first turn of the actions of round 1.

    A white die lies in the grey district, so that the round does not end for want of dice.
    """
    position = Position(RULES, list("ABCD")[:seats], data={"card": cards} if cards else None)
    return position.arrange({"phase": "actions", "grey.dice": "w1", **(paths or {})})


def counted(position: Position) -> Position:
    """The same, every piece counted."""
    RULES.check(position.g)
    return position
