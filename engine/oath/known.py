"""Which denizens may come into a world, while there are some whose powers the program does not know."""

from __future__ import annotations

from .powers import POWERS
from .printed import DENIZENS
from .state import Oath

STRICT = "refuse"
"""The table's choice to play no card without its power."""


def may_come(g: Oath) -> list[str]:
    """The denizens that are drawn from, in printed order: those with powers, or all where the table plays the others by
    their suit (HR-34)."""
    return [id for id in DENIZENS if id in POWERS or g.unwritten != STRICT]
