"""Deadlines of open questions: when they fall due, and what the table's rules make of silence (D-26)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from .engine.core.asks import Ask
from .engine.core.table import Table
from .engine.core.text import Text
from .hours import hour, next_slot, weekdays
from .store.db import Store, instant, stamp
from .store.games import Game, Question


@dataclass(frozen=True, slots=True)
class Renewed:
    """What changed about a game's open questions."""

    opened: tuple[Question, ...]
    closed: tuple[int, ...]


def length(game: Game, kind: str) -> timedelta:
    """How long a question of this kind may wait."""
    hours = {
        "turn": game.table.turn_hours,
        "reaction": game.table.reaction_hours,
        "setup": game.table.setup_hours,
    }
    return timedelta(hours=hours[kind])


def due(game: Game, start: datetime, length: timedelta) -> datetime:
    """The end of a span at this table: on its fixed hour and weekdays, if it has any (G10)."""
    table = game.table
    return next_slot(start + length, table.zone, hour(table.hour), weekdays(table.weekdays))


def grace(game: Game) -> timedelta:
    """How long after the deadline an answer still counts."""
    return timedelta(hours=game.table.grace_hours)


def renew(store: Store, game: Game, table: Table[Any], questions: list[Question], now: datetime) -> Renewed:
    """Write down which questions are open now, with their deadlines; the caller is inside `tx`."""
    places = {seat: table.place(seat) for seat in table.open}
    closed = []
    kept = set()
    for q in questions:
        if places.get(q.seat) == (q.step, q.branch, q.ord) and table.open[q.seat].key == q.key:
            kept.add(q.seat)
        else:
            store.run("update question set closed = ? where id = ?", stamp(now), q.id)
            closed.append(q.id)
    opened = tuple(
        _open(store, game, seat, places[seat], ask, now)
        for seat, ask in table.open.items()
        if seat not in kept
    )
    return Renewed(opened, tuple(closed))


def _open(
    store: Store, game: Game, seat: str, place: tuple[int, str, int], ask: Ask[Any], now: datetime
) -> Question:
    until = due(game, now, length(game, ask.kind))
    step, branch, n = place
    new = store.run(
        "insert into question (game, step, branch, ord, seat, key, kind, opened, due)"
        " values (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        *(game.id, step, branch, n, seat, ask.key, ask.kind, stamp(now), stamp(until)),
    )
    return Question(new, game.id, step, branch, n, seat, ask.key, ask.kind, now, until, None, None)


def silent(game: Game, ask: Ask[Any], moderators: tuple[str, ...]) -> Text:
    """What happens if no answer comes, as the digest says it."""
    if game.table.default == "robot" and not ask.personal:
        return Text("If nothing comes, a robot answers this one question for you.")
    if game.table.default == "harmless" and ask.default is not None:
        words = ask.menu.find(ask.default).words
        return Text("If nothing comes, you will have chosen “{words}”.", words=words)
    if moderators:
        return Text("If nothing comes, the table waits for {who} to decide.", who=moderators)
    return Text("If nothing comes, the table waits for you.")


def shift(store: Store, game: Game, by: timedelta) -> int:
    """Move every open deadline of a game that nothing was decided for yet; gives how many moved. Later ones stay on
    the table's hour. The caller is inside `tx`."""
    rows = store.all(
        "select id, due from question where game = ? and closed is null and due is not null and late is null",
        game.id,
    )
    for row in rows:
        was = instant(row["due"])
        moved = due(game, was, by) if by > timedelta() else was + by
        store.run("update question set due = ? where id = ?", stamp(moved), row["id"])
    return len(rows)
