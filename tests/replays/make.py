"""Random games, recorded for the versions to come: `python -m tests.replays.make NAME`.

Makes the folder `tests/replays/NAME`, one file a game. It never replaces anything: what an earlier version has recorded
is what later ones are held to.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pbem
from pbem.engine.core.chance import Seeded
from pbem.engine.core.ruleset import Ruleset
from pbem.engine.core.table import Table
from pbem.engine.core.testing import random_answer
from pbem.engine.games import GAMES

from .recorded import Head, Recorded, steps_of, write

FOLDER = Path(__file__).parent
NAMES = ("Ana", "Ben", "Carla", "Dora", "Enzo", "Fay")


@dataclass(frozen=True, slots=True)
class Recipe:
    """A game to be recorded."""

    rules: str
    seats: int
    seed: int
    until: int | None = None
    """The least number of answers after which it stops in the middle of an action; None for the end of the game."""
    options: Mapping[str, str] = field(default_factory=dict)
    after: Recipe | None = None
    """The game before it in its campaign."""

    @property
    def name(self) -> str:
        """The name of its file."""
        where = "finished" if self.until is None else f"after-{self.until}"
        return f"{self.rules}-{self.seats}-{'second-' if self.after else ''}{where}-{self.seed}.jsonl.xz"


WHOLE = {"unwritten": "play"}
FIRST = Recipe("oath", 4, 1, options=WHOLE)
RECIPES = (
    *(Recipe("troyes", seats, 1) for seats in (2, 3, 4)),
    *(Recipe("troyes", seats, 2, until=10 * seats) for seats in (2, 3, 4)),
    *(Recipe("oath", seats, seed, options=WHOLE) for seats in (2, 3, 4, 5, 6) for seed in (1, 10)),
    *(Recipe("oath", seats, 2, until=20 + 15 * seats, options=WHOLE) for seats in (2, 4, 6)),
    Recipe("oath", 4, 3, options=WHOLE, after=FIRST),
    Recipe("oath", 4, 4, until=60, options=WHOLE, after=FIRST),
)


def record(rules: Ruleset[Any], recipe: Recipe) -> Recorded:
    """Play a game as far as its recipe says; the same every time, until the rules change."""
    legacy = None if recipe.after is None else rules.legacy(play(rules, recipe.after, None).g)
    table = play(rules, recipe, legacy)
    outcome = rules.outcome(table.g)
    head = Head(
        rules.name,
        NAMES[: recipe.seats],
        dict(recipe.options),
        pbem.__version__,
        rules.schema,
        rules.ruling,
        legacy,
        {seat: ask.key for seat, ask in table.open.items()},
        () if outcome is None else tuple((r.seat, r.place) for r in outcome.ranking),
    )
    return Recorded(head, steps_of(table.news, rules.ruling))


def play(rules: Ruleset[Any], recipe: Recipe, legacy: Any) -> Table[Any]:
    """The table at its last decision, with all its news; the next seed where a game does not stop as it should."""
    for seed in range(recipe.seed, recipe.seed + 100):
        table = _played(rules, recipe, legacy, seed)
        if table.over == (recipe.until is None):
            return table
    raise ValueError(f"no game stops as {recipe.name} should")


def _played(rules: Ruleset[Any], recipe: Recipe, legacy: Any, seed: int) -> Table[Any]:
    rng = random.Random(seed)
    g = rules.setup(NAMES[: recipe.seats], recipe.options, None, legacy, "The Long Winter")
    table = Table(rules, g, chance=Seeded(seed.to_bytes(32))).start()
    answers = 0
    while not (table.over or _stops(table, recipe, answers)):
        seat = rng.choice(list(table.open))
        table.answer(seat, random_answer(table.open[seat], rng))
        answers += 1
    return table


def _stops(table: Table[Any], recipe: Recipe, answers: int) -> bool:
    """Between actions, and after a single answer, there would be little on the tape to fit or not to fit."""
    return recipe.until is not None and answers >= recipe.until and len(table.tape) > 1


def make(folder: Path) -> list[Path]:
    """Record every recipe into a new folder; raises `FileExistsError`."""
    if folder.exists():
        raise FileExistsError(f"{folder} is there already")
    games = [record(GAMES[recipe.rules], recipe) for recipe in RECIPES]
    folder.mkdir()
    made = [folder / recipe.name for recipe in RECIPES]
    for game, path in zip(games, made, strict=True):
        write(game, path)
    return made


if __name__ == "__main__":
    if len(sys.argv) != 2 or not sys.argv[1].replace(".", "").replace("-", "").isalnum():
        sys.exit("say under which name: python -m tests.replays.make 0.2.0")
    try:
        paths = make(FOLDER / sys.argv[1])
    except FileExistsError as e:
        sys.exit(f"{e}; what was recorded stays, so choose another name")
    for path in paths:
        print(f"{path.relative_to(FOLDER)}: {path.stat().st_size:,} bytes")
