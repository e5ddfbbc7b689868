"""What follows from a move: it is written down, clocks are renewed, those who are asked get their digests."""

from __future__ import annotations

import random
from collections.abc import Sequence
from datetime import datetime
from sqlite3 import Row
from typing import Any

from . import clocks
from .catalogue import sayer
from .clocks import Renewed
from .engine.core.table import Table
from .engine.core.text import Text
from .mail.compose import File
from .store.db import stamp
from .store.games import Game, Games, Seat
from .writing import Cause, Writer, ranking

_GOES_ON = Text("The campaign goes on as soon as its next game is called.")
_HOW_IT_GOES_ON = Text(
    "The campaign can go on. To call its next game for the same people, answer next; for others write, in seat order:"
    " next with Ana, Ben, Dora <dora@example.org>, robot Carla"
)
CHAIN = 200
"""Automatic answers in a row before the moderator is called (D-8)."""


class Moves:
    """Everything that moves a game goes through here, inside the caller's transaction."""

    def __init__(self, games: Games, writer: Writer) -> None:
        self.games = games
        self.writer = writer

    def settle(
        self, game: Game, table: Table[Any], cause: Cause, now: datetime, answered: Seat | None = None
    ) -> Renewed:
        """Save the table and tell those who are asked now; `answered` is told by its own receipt."""
        was_over = game.state == "over"
        self.games.save(game, table, now, cause.inbox)
        if table.over:
            game.state = "over"
        self._drop_stale(game, table, cause, now)
        renewed = clocks.renew(self.games.store, game, table, self.games.open_questions(game.id), now)
        if table.over and not was_over:
            self._end(game, table, cause, now)
        elif not table.over:
            self._ask(game, table, renewed, cause, now, answered)
        return renewed

    def _ask(
        self,
        game: Game,
        table: Table[Any],
        renewed: Renewed,
        cause: Cause,
        now: datetime,
        answered: Seat | None,
    ) -> None:
        for question in renewed.opened:
            seat = self.games.seat(game.id, question.seat)
            if (answered is None or seat.name != answered.name) and not self.automatic(game, table, seat):
                self.writer.digest(game, table, seat, cause, now)

    def automatic(self, game: Game, table: Table[Any], seat: Seat) -> bool:
        """Whether this seat's open question will be answered without a mail."""
        return seat.name in table.open and (
            seat.robot is not None or bool(self.parked(game, table, seat.name))
        )

    def parked(self, game: Game, table: Table[Any], seat: str) -> list[str]:
        """A seat's parked lines of the present turn."""
        turn = game.rules.position(table.g).turn
        rows = self.games.store.all(
            "select lines from parked where game = ? and seat = ? and turn = ? order by id",
            game.id,
            seat,
            turn,
        )
        return [line for row in rows for line in row["lines"].split("\n")]

    def _drop_stale(self, game: Game, table: Table[Any], cause: Cause, now: datetime) -> None:
        """Parked lines end with their turn."""
        turn = game.rules.position(table.g).turn
        rows = self.games.store.all(
            "select id, seat, lines from parked where game = ? and (turn <> ? or ?)",
            *(game.id, turn, int(table.over)),
        )
        self.drop(
            game, rows, Text("The turn was over before these lines could be done: {lines}."), cause, now
        )

    def drop(self, game: Game, rows: Sequence[Row], told: Text, cause: Cause, now: datetime) -> None:
        """Drop parked lines and tell their owners; `told` has a place for the lines."""
        for row in rows:
            self.games.store.run("delete from parked where id = ?", row["id"])
            seat = self.games.seat(game.id, row["seat"])
            if seat.person is not None:
                person = self.writer.people.get(seat.person)
                lines = (told.filled(lines=tuple(row["lines"].split("\n"))),)
                self.writer.notice(person, game, Text("Your parked lines"), lines, cause, now, seat=seat)

    def park(
        self, game: Game, table: Table[Any], seat: str, lines: list[str], inbox: int | None, now: datetime
    ) -> None:
        """Keep lines until the others have answered."""
        self.unpark(game, seat)
        if lines:
            turn = game.rules.position(table.g).turn
            self.games.store.run(
                "insert into parked (game, seat, turn, lines, inbox, at) values (?, ?, ?, ?, ?, ?)",
                *(game.id, seat, turn, "\n".join(lines), inbox, stamp(now)),
            )

    def unpark(self, game: Game, seat: str) -> None:
        """Forget a seat's parked lines."""
        self.games.store.run("delete from parked where game = ? and seat = ?", game.id, seat)

    def robot_pick(self, game: Game, table: Table[Any], seat: str, robot: str) -> str:
        """What a robot answers, from its seat's view alone; the same whenever it is asked again."""
        ask = table.open[seat]
        rng = random.Random(f"{game.id}/{table.place(seat)}/{robot}/{game.epoch}")
        return game.rules.robots[robot](game.rules.view(table.g, seat), ask, rng)

    def _end(self, game: Game, table: Table[Any], cause: Cause, now: datetime) -> None:
        """The last letter to everybody: who won and why, all secrets opened, the whole log attached."""
        goes_on = self.games.keep_legacy(game, table, now)
        outcome = game.rules.outcome(table.g)
        assert outcome is not None
        lines = (*ranking(outcome), *((_GOES_ON,) if goes_on else ()))
        winners = tuple(r.seat for r in outcome.ranking if r.place == 1)
        headline = Text(
            "The game is over: {who} has won.",
            "The game is over: {who} have won.",
            who=winners,
            n=len(winners),
        )
        for seat in self.games.seats(game.id):
            if seat.person is None:
                continue
            person = self.writer.people.get(seat.person)
            log = File("log.txt", "text/plain", self.log(game, seat.name).encode())
            since, left_out = self.writer.told(game, seat.name, seat.heard)
            more = {
                **self.writer.position(game, table, seat.name),
                "seat": seat.name,
                "asked": None,
                "since": since,
                "left_out": left_out,
                "since_at": self.writer.last_letter(game, seat),
                "parked": [],
                "notes": [],
            }
            self.writer.notice(
                *(person, game, headline, lines, cause, now),
                seat=seat,
                kind="end",
                template="end",
                attachments=(log,),
                more=more,
            )
        for role in ("moderator", "observer"):
            self.writer.role_notice(game, role, headline, lines, cause, now)
        if goes_on:
            asked = Text("Shall there be a next game?")
            self.writer.to_moderators(game, asked, (_HOW_IT_GOES_ON,), cause, now)

    def log(self, game: Game, seat: str | None) -> str:
        """The whole game as this seat was told it, a line a fact."""
        say = sayer(game.table.language)
        told = [t for f in self.games.facts(game.id) if (t := f.fact.told_to(seat)) is not None]
        return "\n".join(say(t) for t in told) + "\n"
