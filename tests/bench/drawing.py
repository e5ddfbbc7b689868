"""What a picture of the board costs: the drawing when a mail is worked on, the PNG when its letter goes out."""

from __future__ import annotations

import statistics
import time
from dataclasses import dataclass
from random import Random
from typing import Any

from pbem.draughtsman import png
from pbem.engine.core.ruleset import Ruleset
from pbem.engine.core.table import Table
from pbem.engine.core.testing import play

NAMES = ("Ana", "Ben", "Carla", "Dora", "Enzo", "Fay")
EVERY = 20
"""Decisions between two positions that are drawn."""
POSITIONS = 20


@dataclass(frozen=True, slots=True)
class Drawn:
    """One game's boards, in the middle of a full table's random game."""

    drawing: float
    """Milliseconds, as `png`."""
    png: float
    kilobytes: float


def measure(rules: Ruleset[Any]) -> Drawn:
    """Draw positions of a random game with as many seats as it takes."""
    drawings: list[tuple[float, float, int]] = []
    decisions = 0

    def look(table: Table[Any], rng: Random) -> None:
        nonlocal decisions
        decisions += 1
        if decisions % EVERY == 0 and len(drawings) < POSITIONS:
            drawings.append(_one(rules, table))

    play(rules, NAMES[: max(rules.seats)], 1, look=look)
    columns = [statistics.median(column) for column in zip(*drawings, strict=True)]
    return Drawn(columns[0], columns[1], columns[2] / 1000)


def _one(rules: Ruleset[Any], table: Table[Any]) -> tuple[float, float, int]:
    began = time.perf_counter()
    svg = rules.picture(rules.view(table.g, None)) or ""
    drawn = time.perf_counter()
    data = png(svg)
    return 1000 * (drawn - began), 1000 * (time.perf_counter() - drawn), len(data)
