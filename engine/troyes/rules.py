"""Troyes as the core and the shell know it."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any

from ..core.asks import Step
from ..core.ruleset import BadSetup, Entry, Json, Outcome, PathInfo, Policy, Position, Setting
from ..core.testing import random_policy
from ..core.text import Text
from . import counts, scoring, store, turn, twins
from .cards import catalogue
from .setup import new_game
from .state import SCHEMA, Troyes


class TroyesRules:
    """The game, every method by the module that knows it."""

    name = "troyes"
    title = "Troyes"
    ruling = 0
    schema = SCHEMA
    seats: tuple[int, ...] = (2, 3, 4)
    settings: tuple[Setting, ...] = ()
    robots: Mapping[str, Policy] = {"random": random_policy}
    examples: Mapping[str, str] = {}

    def setup(self, seats: Sequence[str], options: Mapping[str, str], data: Json, legacy: Json) -> Troyes:
        return new_game(seats, "")

    def step(self, g: Troyes) -> Step | None:
        return turn.step(g)

    def dump(self, g: Troyes) -> Json:
        return store.dump(g)

    def load(self, saved: Json) -> Troyes:
        return store.load(saved)

    def check(self, g: Troyes) -> None:
        counts.check(g)

    def outcome(self, g: Troyes) -> Outcome | None:
        return scoring.outcome(g)
