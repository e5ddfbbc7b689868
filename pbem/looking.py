"""What the host sees of a game: the observer's view, as text (D-41)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .answers import Answers
from .catalogue import sayer
from .digests import render
from .orders import Command, Verb
from .people import Person
from .store.games import Game
from .writing import ranking

if TYPE_CHECKING:
    from .app import App


def board(app: App, game: Game) -> str:
    """The board and the players, by the same template as in the digests."""
    table = app.games.table(game)
    values = {
        **app.writer.position(game, table, None),
        "asked": None,
        "seat": None,
        "since": [],
        "left_out": 0,
        "since_at": None,
        "parked": [],
        "notes": [],
        "zone": game.table.zone,
        "now": app.clock.now(),
    }
    return render.text("parts/digest.txt.j2", game.table.language, values)


def status(app: App, game: Game) -> list[str]:
    """Where a game stands, who is asked and until when; its result once it is over."""
    say = sayer("en")
    if game.state == "cancelled":
        return [f"{game.title} was called off."]
    host = Person(0, "the host", "", game.table.language, game.table.zone, False)
    section = Answers(app.games, app.writer).section(game, None, Command(Verb.STATUS), host, app.clock.now())
    lines = [say(text) for text in section.lines]
    if game.state == "over":
        outcome = game.rules.outcome(app.games.table(game).g)
        lines += [say(text) for text in ranking(outcome)] if outcome else []
    return lines
