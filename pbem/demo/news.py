"""What the terminal says while a demo's game goes on: a line whenever it has moved."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from ..app import App
from ..catalogue import sayer
from ..store.games import Game


class News:
    """One game, looked at again and again."""

    def __init__(
        self, app: App, game: Game, print_line: Callable[[str], None], visitor: str | None = None
    ) -> None:
        """`visitor` is the seat that a person sits in, if one does."""
        self._app = app
        self._game = game.id
        self._print = print_line
        self._visitor = visitor
        self._say = sayer("en")
        self._seen: tuple[str, int] = ("", -1)
        self._label = ""
        self._asked = False

    def look(self) -> None:
        """Say what is new since the last look."""
        game = self._app.games.get(self._game)
        if (game.state, game.revision) == self._seen:
            return
        self._seen = game.state, game.revision
        match game.state:
            case "playing":
                self._moved(game)
            case "over" if self._label != "over":
                self._label = "over"
                self._over(game)

    def _moved(self, game: Game) -> None:
        table = self._app.games.table(game)
        if not self._label:
            self._line("Everybody has joined; the game begins")
        label = self._say(game.rules.position(table.g).label)
        asked = self._visitor in table.open
        if asked and (label != self._label or not self._asked):
            self._line(f"{label}: it is your turn")
        elif label != self._label:
            self._line(label)
        self._label, self._asked = label, asked

    def _over(self, game: Game) -> None:
        self._line("The game is over")
        outcome = game.rules.outcome(self._app.games.table(game).g)
        for one in outcome.ranking if outcome else ():
            score = "" if one.score is None else f": {one.score} VP"
            self._print(f"       {one.place}. {one.seat}{score}")
        if self._visitor is not None:
            self._print("The last letter says why, and opens all secrets. Ctrl-C ends the demo.")

    def _line(self, said: str) -> None:
        self._print(f"{datetime.now():%H:%M}  {said[:1].upper()}{said[1:]}")
