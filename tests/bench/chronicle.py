"""What a mail costs in the hundredth game of a chronicle, beside the first."""

from __future__ import annotations

import itertools
from pathlib import Path

from pbem.app import App
from pbem.campaigns import Sequel
from pbem.engine.games import GAMES
from pbem.joining import Invitation
from pbem.store.db import Store

from .growth import EARLY, Growth, compared, play
from .pipeline import addressed, begin, config

GAMES_BEFORE = 99
TITLE = "The Long Winter"
PEOPLE = addressed(("Ana", "Ben"))
ROBOTS = {"Ana": "random", "Ben": "random"}
PATIENCE = 100
"""Turns of the clock in which robots end a game: they rest after two hundred answers in a row."""


def measure(folder: Path, sample: int = 40) -> Growth:
    """Ninety-nine games by robots, then one by people; beside it a first game of the same two."""
    numbers = itertools.count(1)
    young = App(config(), Store(folder / "young.sqlite"))
    begin(young, young.new(Invitation(GAMES["oath"], TITLE, PEOPLE, seed=bytes(32))))
    old = chronicle(folder / "old.sqlite")
    for app in (young, old):
        play(app, EARLY, numbers, 0)
    return compared(young, old, GAMES_BEFORE + 1, sample, numbers)


def chronicle(path: Path) -> App:
    """A store with a hundred games, each begun with what the one before it has left."""
    app = App(config(), Store(path))
    app.new(Invitation(GAMES["oath"], TITLE, [], robots=ROBOTS, seed=bytes(32)))
    for _ in range(GAMES_BEFORE - 1):
        finish(app)
        app.next(app.campaigns.find(TITLE), Sequel())
    finish(app)
    begin(app, app.next(app.campaigns.find(TITLE), Sequel(PEOPLE)))
    assert app.campaigns.chapters(app.campaigns.find(TITLE))[-1].n == GAMES_BEFORE + 1
    return app


def finish(app: App) -> None:
    """Robots play the newest game to its end."""
    for _ in range(PATIENCE):
        if app.games.every()[-1].state == "over":
            return
        app.tick()
    raise AssertionError("robots do not end a game")
