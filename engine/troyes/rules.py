"""Troyes as the core and the shell know it."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext

from ..core.asks import Step
from ..core.ruleset import (
    BadLegacy,
    BadSetup,
    Campaign,
    Entry,
    Json,
    Outcome,
    PathInfo,
    Policy,
    Position,
    Setting,
)
from ..core.testing import random_policy
from ..core.text import Text
from . import counts, owners, paths, scoring, store, turn, twins, views
from .lookup import lookup
from .picture import picture
from .procedures import perform
from .setup import new_game
from .state import SCHEMA, Troyes

RESERVED = (
    "grey gray neutral empty palace bishopric city hall cathedral lying activities events piles round rounds phase turn"
).split()
"""Names that a seat may not have, because paths and commands use them."""


class TroyesRules:
    """The game, every method by the module that knows it."""

    name = "troyes"
    title = "Troyes"
    ruling = 0
    schema = SCHEMA
    seats: tuple[int, ...] = (2, 3, 4)
    settings: tuple[Setting, ...] = ()
    campaigns = False
    robots: Mapping[str, Policy] = {"random": random_policy}
    examples: Mapping[str, str] = {
        "place": "palace 3",
        "fight": "fight k5 with w2 y3",
        "further": "done",
        "action": "use miller with y5 y3 of ben",
        "archer-roll": "roll",
        "archer-event": "cube on war",
        "knight": "cube on war",
        "lose-cathedral-cube": "level 2 column 4",
        "lose-event-cube": "cube from war",
        "discard-die": "y1",
    }

    def setup(
        self, seats: Sequence[str], options: Mapping[str, str], data: Json, legacy: Json, title: str = ""
    ) -> Troyes:
        """The state before the first step; raises `BadSetup`."""
        if len(seats) not in self.seats:
            raise BadSetup(Text("Troyes is for 2, 3 or 4 players, not {n}", n=len(seats)))
        if len({name.casefold() for name in seats}) != len(seats):
            raise BadSetup(Text("two seats have the same name"))
        for name in seats:
            if name.casefold() in RESERVED or any(mark in name for mark in ".,;|=@") or not name.strip():
                raise BadSetup(
                    Text(
                        "a seat cannot be called “{name}”: the game has something of that name, or a mark is in it;"
                        " write another name before the address",
                        name=name,
                    )
                )
        for option in options:
            raise BadSetup(Text("Troyes has no option “{name}”", name=option))
        wrong = owners.check_data(data) if data else []
        if wrong:
            raise BadSetup(Text("the card numbers cannot be used: {why}", why=wrong[0]))
        return new_game(seats, owners.stored(data))

    def edition(self, options: Mapping[str, str], data: Json) -> Text | None:
        """The line about the house deck, while any of its numbers is in use."""
        return owners.edition(data)

    def step(self, g: Troyes) -> Step | None:
        """The next piece of play."""
        return turn.step(g)

    def seat_order(self, g: Troyes) -> tuple[str, ...]:
        """Clockwise."""
        return tuple(seat.name for seat in g.seats)

    def view(self, g: Troyes, seat: str | None) -> views.TroyesView:
        """The table for one reader."""
        return views.view(g, seat)

    def dump(self, g: Troyes) -> Json:
        """The state as plain data."""
        return store.dump(g)

    def load(self, saved: Json) -> Troyes:
        """The way back; raises `ValueError`."""
        return store.load(saved)

    def check(self, g: Troyes) -> None:
        """Count every piece; raises `AssertionError`."""
        counts.check(g)

    def powers(self) -> Mapping[str, str]:
        """Uses are not counted."""
        return {}

    def counted(self, used: Counter[str]) -> AbstractContextManager[None]:
        """Nothing is counted."""
        return nullcontext()

    def ending(self, g: Troyes) -> tuple[Text, ...]:
        """There is one way."""
        return (Text("after the last round"),)

    def reshuffled(self, g: Troyes, seat: str | None, rng: random.Random) -> Troyes:
        """A twin that this seat cannot tell from `g`."""
        return twins.reshuffle(store.load(store.dump(g)), seat, rng)

    def hidden(self, g: Troyes, seat: str | None) -> Json:
        """What is hidden from a seat."""
        return twins.hidden(g, seat)

    def outcome(self, g: Troyes) -> Outcome | None:
        """The ranking, once the game is over."""
        return scoring.outcome(g)

    def legacy(self, g: Troyes) -> Json:
        """A game of Troyes leaves nothing to the next."""
        return None

    def annals(self, g: Troyes) -> tuple[Text, ...]:
        """Nothing: each game stands alone."""
        return ()

    def read_legacy(self, text: str) -> Campaign:
        """Raises `BadLegacy`: a game of Troyes leaves nothing to the next."""
        raise BadLegacy(Text("Troyes has no campaigns; each game stands alone"))

    def write_legacy(self, legacy: Json) -> str:
        """Raises `BadLegacy`, as `read_legacy`."""
        raise BadLegacy(Text("Troyes has no campaigns; each game stands alone"))

    def position(self, g: Troyes) -> Position:
        """Where the game stands."""
        return views.position(g)

    def paths(self, g: Troyes) -> list[PathInfo]:
        """The scenario vocabulary."""
        return paths.paths(g)

    def read(self, g: Troyes, path: str) -> Json:
        """The value at a path; raises `BadPath`."""
        return paths.read(g, path)

    def write(self, g: Troyes, path: str, value: Json) -> None:
        """Set the value at a path; raises `BadPath`."""
        paths.write(g, path, value)

    def perform(self, g: Troyes, name: str) -> Step:
        """A named procedure; raises `BadPath`."""
        return perform(g, name)

    def lookup(self, g: Troyes, word: str) -> list[Entry]:
        """What is known under a word."""
        return lookup(g, word)

    def picture(self, view: views.TroyesView) -> str | None:
        """The public board as SVG."""
        return picture(view)

    def conditions(self, key: str) -> tuple[str, ...]:
        """The public facts a standing order may test."""
        return CONDITIONS.get(key, ())

    def check_data(self, data: Json) -> list[Text]:
        """What is wrong with an owner's own data file."""
        return owners.check_data(data)


CONDITIONS: Mapping[str, tuple[str, ...]] = {
    "place": ("left",),
    "action": ("round", "deniers", "influence", "own_dice"),
    "fight": ("black", "strength"),
    "further": ("black", "strength"),
    "archer-roll": ("rolls_left",),
    "knight": ("cubes_left",),
}
