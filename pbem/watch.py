"""Whether our own clock and mailbox can be trusted: outages and jumps move the deadlines, and everybody is told."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from datetime import datetime, timedelta

from . import clocks
from .digests import render
from .engine.core.text import Text
from .ports import Clock
from .store.db import Store, instant, stamp
from .store.games import Game, Games
from .writing import Cause, Writer

log = logging.getLogger("pbem.watch")

OUTAGE = timedelta(minutes=10)
"""So long without a successful poll is an outage (D-40)."""
JUMP = timedelta(minutes=2)
"""So far from a clock that nobody can set is a jump."""
CALM = timedelta(minutes=10)
"""For so long after a jump nothing falls due: whoever sets a clock often sets it twice."""
LAST_POLL = "last poll"


@dataclass(frozen=True, slots=True)
class _Mark:
    """One moment on both clocks."""

    wall: datetime
    steady: float


class Watch:
    """Compares the clock on the wall with one that only goes forward, and both with the mailbox."""

    def __init__(self, store: Store, games: Games, writer: Writer, clock: Clock) -> None:
        self.store = store
        self.games = games
        self.writer = writer
        self.clock = clock
        self._mark: _Mark | None = None
        self._calm_until: float | None = None

    @property
    def calm(self) -> bool:
        """Whether the clock has jumped a moment ago, so that nothing falls due."""
        return self._calm_until is not None and self.clock.steady() < self._calm_until

    def last_poll(self) -> datetime | None:
        """When the mailbox was last read with success."""
        kept = self.store.setting(LAST_POLL)
        return None if kept is None else instant(kept.decode())

    def back(self, at: datetime) -> None:
        """The mailbox is in reach: after an outage deadlines move before any mail of it is worked on."""
        last = self.last_poll()
        self.look(at)
        if last is not None and (at - last > OUTAGE or last - at > JUMP):
            self.polled(at)

    def polled(self, at: datetime) -> None:
        """The mailbox was read; after an outage the deadlines move by it."""
        self.look(at)
        last = self.last_poll()
        with self.store.tx():
            self.store.keep(LAST_POLL, stamp(at).encode())
            if last is None:
                return
            if last - at > JUMP:  # set back while we were not there to see it
                self._jumped(at - last, at)
            elif at - last > OUTAGE:
                minutes = int((at - last).total_seconds() // 60)
                told = Text("This program could not read its mail for {n} minutes.", n=minutes)
                self._shift(at - last, "outage", told, at)

    def look(self, now: datetime) -> None:
        """Compare both clocks with what they showed the last time."""
        steady = self.clock.steady()
        mark, self._mark = self._mark, _Mark(now, steady)
        if mark is None:
            return
        jump = (now - mark.wall) - timedelta(seconds=steady - mark.steady)
        if abs(jump) <= JUMP:
            return
        with self.store.tx():
            last = self.last_poll()
            if last is not None:
                self.store.keep(LAST_POLL, stamp(last + jump).encode())
            self._jumped(jump, now)

    def _jumped(self, jump: timedelta, now: datetime) -> None:
        self._calm_until = self.clock.steady() + CALM.total_seconds()
        minutes = int(abs(jump).total_seconds() // 60)
        way = "forward" if jump > timedelta() else "back"
        log.warning("the clock jumped %s by %d minutes; nothing falls due for ten minutes", way, minutes)
        told = Text(
            "The clock of the machine that runs this program jumped forward by {n} minutes.", n=minutes
        )
        if jump < timedelta():
            told = Text(
                "The clock of the machine that runs this program jumped back by {n} minutes.", n=minutes
            )
        self._shift(jump, "clock", told, now)

    def _shift(self, by: timedelta, kind: str, told: Text, now: datetime) -> None:
        minutes = int(by.total_seconds() // 60)
        for game in self.games.every():
            if game.state != "playing" or game.paused is not None or not clocks.shift(self.store, game, by):
                continue
            self.games.touch(game)
            self.games.write_log(game.id, kind, "table", {"minutes": minutes}, now)
            cause = Cause(f"d{game.id}.{game.revision}")
            lines = (told, Text("All deadlines have moved. Nothing was lost."), *self._deadlines(game))
            self.writer.table_notice(game, Text("Deadlines have moved"), lines, cause, now)

    def _deadlines(self, game: Game) -> list[Text]:
        """Until when everybody who is asked may answer now (G14: always the hour, never a span alone)."""
        zone, language = game.table.zone, game.table.language
        return [
            Text(
                "{who} may now answer until {at}, {zone} time.",
                who=q.seat,
                at=render.when(q.due, zone, language),
                zone=zone,
            )
            for q in self.games.open_questions(game.id)
            if q.due is not None and q.late is None
        ]
