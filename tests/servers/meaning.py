"""Whether every mail did what its writer meant: the runner's rows against what the people remember."""

from __future__ import annotations

from pbem.app import App
from pbem.engine.core.asks import DICE
from pbem.engine.core.table import Table
from pbem.engine.core.text import english
from pbem.store.games import Game
from tests.bench.core import Recording

from .people import People


def said(app: App, game: Game) -> dict[int, list[tuple[str, str]]]:
    """What each mail has answered, by its number in the inbox: the seat, and the answer in full words. Found by
    playing the game again from its setup, without the runner's own memory of it."""
    rows = app.store.all("select * from answer where game = ? and void is null order by id", game.id)
    chance = Recording([row["pick"] for row in rows if row["seat"] == DICE])
    table = Table(game.rules, app.games.set_up(game), chance=chance).start()
    found: dict[int, list[tuple[str, str]]] = {}
    for row in rows:
        if row["seat"] == DICE:
            continue
        option = table.open[row["seat"]].menu.find(row["pick"])
        if row["by"] == "mail":
            found.setdefault(row["inbox"], []).append((row["seat"], english(option.said(row["pick"]))))
        table.answer(row["seat"], row["pick"])
    assert table.over
    return found


def each_mail_did_what_it_meant(app: App, game: Game, people: People) -> None:
    """Every mail is applied, in the order sent, and answered what its writer meant, once, or nothing."""
    rows = app.store.all("select id, message_id, state, kind, reason from inbox order by id")
    assert [row["message_id"] for row in rows] == [mail.id for mail in people.sent]
    assert {row["state"] for row in rows} == {"applied"}
    answers = said(app, game)
    for row, mail in zip(rows, people.sent, strict=True):
        meant = [(mail.who, mail.meant)] if mail.why == "order" else []
        assert answers.pop(row["id"], []) == meant, f"{mail.who} wrote “{mail.typed}”"
        assert (row["kind"] == "duplicate") == (mail.why == "twice")
    assert answers == {}, "answers that nobody gave"
