"""Putting games in order that another version of the program does not take up as they stand, and telling the table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any

from . import __version__
from .app import App
from .engine.core.asks import DICE
from .engine.core.canon import canonical
from .engine.core.facts import dump_fact, kind_of
from .engine.core.table import Table
from .engine.core.text import Text
from .moderation import Chair
from .store.db import stamp
from .upgrade import Finding, Verdict, Wrong, examine
from .writing import Cause

HOST = Chair("the host", None)
HEADLINE = Text("A new version of the program")
MEANWHILE = Text(
    "This table plays under a new version of the program, which came while an action was under way."
)


def accept(app: App) -> list[Finding]:
    """Put in order whatever is not unchanged, a transaction each; gives what was found of every live game."""
    found = examine(app.games)
    for finding in found:
        if finding.verdict is Verdict.UNCHANGED:
            continue
        with app.store.tx():
            _Acceptance(app, finding).carry_out()
        app.automatics.go_on(finding.game.id)
    return found


class _Acceptance:
    """One game put in order, inside the caller's transaction."""

    def __init__(self, app: App, finding: Finding) -> None:
        self.app = app
        self.games = app.games
        self.game = finding.game
        self.finding = finding
        self.now: datetime = app.clock.now()
        self.cause = Cause(f"v{self.game.id}.{self.game.revision}.{int(self.now.timestamp() * 1000)}")

    def carry_out(self) -> None:
        """Do what the finding says, write it into the log, tell whom it concerns."""
        if self.finding.verdict is Verdict.LOST:
            self._set_aside()
            return
        asked_before = {q.seat for q in self.games.open_questions(self.game.id)}
        log = self._log()
        taken = self._take_back(log)
        self._tell_anew(log, self.finding.wrong)
        self.app.moderation.drop_parked(self.game, self.cause, self.now)
        self.games.touch(self.game)
        self.games.forget(self.game.id)
        table = self.games.table(self.game)
        self._write(
            table, taken, asked_before
        )  # before the digests that settling brings: first why, then what
        self.app.moves.settle(self.game, table, self.cause, self.now)

    def _log(self) -> int:
        border = self.finding.border
        data = {
            "from": None if border is None else border.version,
            "to": __version__,
            "found": str(self.finding.verdict),
        }
        return self.games.write_log(self.game.id, "upgrade", HOST.name, data, self.now)

    def _set_aside(self) -> None:
        """A game that cannot be read waits: for a version that can, or for its host."""
        cannot = Text(
            "The new version of the program cannot go on with this game. Nothing of it is lost; your host knows."
        )
        if self.game.state == "inviting":
            self._log()
            ways = Text("You may write: {way}", way="cancel game")
            self.app.writer.to_moderators(self.game, HEADLINE, (cannot, ways), self.cause, self.now)
        elif self.game.paused is None:
            self._log()
            self.app.moderation.pause(self.game, HOST, self.cause, self.now, cannot)

    def _take_back(self, log: int) -> list[str]:
        """Void the first answer that does not fit and what came after it; gives whose answers those were, in order.

        What is asked after that is asked anew, even where it is the same: it may stand on other dice.
        """
        misfit = self.finding.misfit
        if misfit is None:
            return []
        rows = self.games.store.all(
            "select seat from answer where game = ? and id >= ? and void is null order by id",
            *(self.game.id, misfit["id"]),
        )
        seats = [row["seat"] for row in rows]
        self.games.void_from(self.game, misfit["id"], log, new_epoch=DICE in seats)
        self.games.store.run(
            "update question set closed = ? where game = ? and closed is null", stamp(self.now), self.game.id
        )
        return seats

    def _tell_anew(self, log: int, wrong: Wrong) -> None:
        """What was told and is wrong is void; what is told now stands in its place, for the digests to come too."""
        for row, _ in wrong.stored:
            self.games.store.run("update fact set void = ? where id = ?", log, row)
        self.games.store.many(
            "insert into fact (game, step, ordinal, kind, data, answer, at) values (?, ?, ?, ?, ?, ?, ?)",
            [
                (
                    *(self.game.id, t.step, t.ordinal, kind_of(t.fact)),
                    *(canonical(dump_fact(t.fact)).decode(), answer, stamp(self.now)),
                )
                for answer, t in wrong.told
            ],
        )

    # the letters

    def _write(self, table: Table[Any], taken: Sequence[str], asked_before: set[str]) -> None:
        """One letter to each whom it concerns. Answers that were taken back concern everybody; another question those
        who were asked, or are; what is told otherwise whoever was told it."""
        writer, people = self.app.writer, self.app.people
        common = self._common(table, taken)
        written: list[int] = []
        for seat in self.games.seats(self.game.id):
            concerned = bool(taken) or table.over or seat.name in asked_before or seat.name in table.open
            lines = (*(common if concerned else ()), *self._corrections(seat.name))
            if seat.person is not None and lines:
                writer.notice(
                    *(
                        people.get(seat.person),
                        self.game,
                        HEADLINE,
                        (MEANWHILE, *lines),
                        self.cause,
                        self.now,
                    ),
                    seat=seat,
                )
            written += [seat.person] if seat.person is not None else []
        for role in people.roles(self.game.id):
            concerned = bool(taken) or table.over or role.role == "moderator"
            lines = (*(common if concerned else ()), *self._corrections(None))
            if role.person not in written and lines:
                writer.notice(
                    *(
                        people.get(role.person),
                        self.game,
                        HEADLINE,
                        (MEANWHILE, *lines),
                        self.cause,
                        self.now,
                    ),
                    role=role,
                )
                written.append(role.person)

    def _common(self, table: Table[Any], taken: Sequence[str]) -> tuple[Text, ...]:
        return (*self._taken(taken), *self._goes_on(table))

    def _taken(self, taken: Sequence[str]) -> Iterator[Text]:
        theirs = [seat for seat in taken if seat != DICE]
        if theirs:
            yield Text(
                "An answer in that action does not fit the rules as it reads them. From there on {n} answer was taken"
                " back, given by {who}.",
                "An answer in that action does not fit the rules as it reads them. From there on {n} answers were taken"
                " back, given by {who}.",
                n=len(theirs),
                who=tuple(dict.fromkeys(theirs)),
            )
        if DICE in taken:
            yield Text("What was rolled, shuffled or shown since then is void and is done anew.")

    def _goes_on(self, table: Table[Any]) -> Iterator[Text]:
        if table.over:
            yield Text("By its reading of the rules the game is over.")
        elif self.finding.verdict in (Verdict.QUESTION, Verdict.REWOUND):
            yield Text(
                "It asks something else than was asked before; asked is now {who}.", who=tuple(table.open)
            )

    def _corrections(self, reader: str | None) -> Iterator[Text]:
        """What this reader was told and is no longer so, and what is so."""
        wrong = self.finding.wrong
        old = [told for _, fact in wrong.stored if (told := fact.told_to(reader)) is not None]
        new = [told for _, t in wrong.told if (told := t.fact.told_to(reader)) is not None]
        if old == new:
            return
        yield Text("Some of what you were told about that action is told otherwise now.")
        for told in old:
            yield Text("You were told: {line}", line=told)
        for told in new:
            yield Text("It is now: {line}", line=told)
