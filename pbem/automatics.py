"""Answers that nobody has to write: parked lines and robots, each a transaction of its own (D-8)."""

from __future__ import annotations

import logging
from datetime import datetime, timedelta
from typing import Any

from .engine.core import scripts
from .engine.core.scripts import Verdict
from .engine.core.table import Table
from .engine.core.text import Text
from .moderation import Moderation
from .moves import CHAIN, Moves
from .play import Play
from .ports import Clock
from .store.db import Unavailable
from .store.games import Game, Games, Seat
from .writing import Cause, Writer

log = logging.getLogger("pbem.automatics")


class Automatics:
    """Goes on where a game can go on by itself; a fault in it cannot undo the mail that led there."""

    def __init__(
        self, games: Games, writer: Writer, moves: Moves, play: Play, moderation: Moderation, clock: Clock
    ) -> None:
        self.games = games
        self.writer = writer
        self.moves = moves
        self.play = play
        self.moderation = moderation
        self.clock = clock

    def go_on(self, number: int) -> int:
        """Answer whatever answers itself in one game; gives how many answers that were."""
        for n in range(CHAIN):
            if not self._one(number):
                return n
        game = self.games.get(number)
        with self.games.store.tx():
            told = Text("{n} answers in a row came by themselves; I have stopped.", n=CHAIN)
            cause = Cause(f"c{game.id}.{game.revision}")
            self.writer.to_moderators(
                game, Text("Automatic answers without end"), (told,), cause, self.clock.now()
            )
        return CHAIN

    def _one(self, number: int) -> bool:
        if not self._anything(number):
            return False  # most of the time; neither a transaction nor a game is taken up for it
        game = self.games.get(number)
        now = self.clock.now()
        try:
            with self.games.store.tx():
                cause = Cause(f"a{game.id}.{game.revision}")
                self.moderation.queued(game, cause, now)
                table = self.games.table(game)
                for name in list(table.open):
                    if self._seat(game, table, self.games.seat(number, name), cause, now):
                        return True
        except Unavailable:
            self.games.forget(number)
            raise
        except Exception as e:
            self.games.forget(number)
            log.error("game %d cannot go on by itself: %s", number, type(e).__name__)
            self._call_moderator(game, now)
        return False

    def _anything(self, game: int) -> bool:
        """Whether a robot, parked lines or a waiting correction may have something to do in a game that goes on."""
        row = self.games.store.one(
            "select exists (select 1 from game where id = ?1 and state = 'playing' and paused is null) and ("
            " exists (select 1 from parked where game = ?1) or exists (select 1 from pending where game = ?1)"
            " or exists (select 1 from seat where game = ?1 and robot is not null))",
            game,
        )
        return row is not None and bool(row[0])

    def _call_moderator(self, game: Game, now: datetime) -> None:
        with self.games.store.tx():
            told = Text("An automatic answer met a fault in the program; the game waits for your decision.")
            cause = Cause(f"x{game.id}.{game.revision}")
            self.writer.to_moderators(game, Text("An automatic answer failed"), (told,), cause, now)

    def _seat(self, game: Game, table: Table[Any], seat: Seat, cause: Cause, now: datetime) -> bool:
        if seat.robot is not None:
            if not self._old_enough(game, seat, now):
                return False
            pick = self.moves.robot_pick(game, table, seat.name, seat.robot)
            table.answer(seat.name, pick, "robot")
            self.moves.settle(game, table, cause, now)
            return True
        lines = self.moves.parked(game, table, seat.name)
        if not lines:
            return False
        self._unpark(game, table, seat, lines, cause, now)
        return True

    def _old_enough(self, game: Game, seat: Seat, now: datetime) -> bool:
        """Whether a robot may answer already: not so fast that its haste tells something (D-14)."""
        question = next(q for q in self.games.open_questions(game.id) if q.seat == seat.name)
        return now - question.opened >= timedelta(minutes=game.table.minimum_age_minutes)

    def _unpark(
        self, game: Game, table: Table[Any], seat: Seat, lines: list[str], cause: Cause, now: datetime
    ) -> None:
        """Go on with parked lines; the first that does not fit drops the rest, and its owner is told."""
        self.moves.unpark(game, seat.name)
        reader = self.play.lines(game, table, seat)
        result = scripts.run(table, seat.name, lines, reader.read, by="parked", tested=reader.tested)
        told = [self._told(r) for r in result.lines if r.verdict is not Verdict.PARKED]
        self.moves.park(game, table, seat.name, result.parked, None, now)
        self.moves.settle(game, table, cause, now, answered=seat)
        if seat.person is None:
            return
        person = self.writer.people.get(seat.person)
        now_at = self.games.seat(game.id, seat.name)
        self.writer.notice(person, game, Text("Your parked lines"), tuple(told), cause, now, seat=now_at)
        if seat.name in table.open:
            # Nobody wrote to this seat while its lines were to answer; now it is asked in person.
            self.writer.digest(game, table, now_at, cause, now)

    def _told(self, one: scripts.LineResult) -> Text:
        if one.verdict is Verdict.DONE and one.words is not None:
            return Text("{line}: done.", line=one.words)
        if one.verdict is Verdict.PASSED and one.only_if is not None:
            return Text("{line}: passed over, {why}.", line=one.said, why=one.only_if.why_passed_over)
        if one.why is not None:
            return Text(
                "{line}: not done, {why}. What came after it was dropped.", line=one.said, why=one.why.why
            )
        return Text("{line}: dropped.", line=one.said)
