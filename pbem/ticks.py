"""What falls due: reminders, deadlines, silence, an outage of our own. All of it rows, none of it timers."""

from __future__ import annotations

import random
from datetime import datetime, timedelta

from . import clocks
from .engine.core.text import Text
from .joining import Joining
from .moves import Moves
from .people import People
from .ports import Clock
from .store.db import Store, stamp
from .store.games import Game, Games, Question, Seat
from .watch import Watch
from .writing import Cause, Writer

SILENT_INVITATION = timedelta(days=7)


class Ticks:
    """Asked again and again; does what is due, one transaction each."""

    def __init__(
        self,
        store: Store,
        games: Games,
        people: People,
        writer: Writer,
        moves: Moves,
        joining: Joining,
        watch: Watch,
        clock: Clock,
    ) -> None:
        self.store = store
        self.games = games
        self.people = people
        self.writer = writer
        self.moves = moves
        self.joining = joining
        self.watch = watch
        self.clock = clock

    # what is due

    def due(self) -> bool:
        """Whether a deadline has passed that a further look into the mailbox must come before."""
        return any(self._over(self.games.get(q.game), q, self.clock.now()) for q in self._running())

    def tick(self) -> list[int]:
        """Do everything that is due; gives the games that moved."""
        now = self.clock.now()
        self.watch.look(now)
        if self.watch.calm:
            return []
        self._invitations(now)
        self._combined(now)
        self._observers(now)
        return [question.game for question in self._running() if self._one(question, now)]

    def _running(self) -> list[Question]:
        return self.games.running_questions()

    def _one(self, question: Question, now: datetime) -> bool:
        """One question's clock; True if the game moved."""
        if question.due is None:
            return False
        with self.store.tx():
            game = self.games.get(question.game)
            current = next((q for q in self.games.open_questions(game.id) if q.id == question.id), None)
            if current is None or current.due is None or game.paused is not None:
                return False
            if self._over(game, current, now):
                return self._read_until_then(game, current) and self._resolve(game, current, now)
            self._remind(game, current, now)
        return False

    def _over(self, game: Game, question: Question, now: datetime) -> bool:
        """Deadline and grace are over, and nothing was decided yet."""
        if question.due is None or question.late is not None:
            return False
        return question.due + clocks.grace(game) < now

    def _remind(self, game: Game, question: Question, now: datetime) -> None:
        assert question.due is not None
        half = question.opened + (question.due - question.opened) / 2
        past_due = now >= question.due
        if now < half or (
            question.reminded is not None and not (past_due and question.reminded < question.due)
        ):
            return
        self.store.run("update question set reminded = ? where id = ?", stamp(now), question.id)
        seat = self.games.seat(game.id, question.seat)
        if seat.person is None:
            return
        table = self.games.table(game)
        person = self.people.get(seat.person)
        values = self.writer.digest_values(game, table, seat, person, now)
        again = self.writer.asked_again(game, table, seat)
        if again is None:
            return
        end = question.due + clocks.grace(game)
        late = Text(
            "The deadline has passed, but your answer still counts until {at}, {zone} time.",
            at=self.writer.when(person, end),
            zone=person.zone,
        )
        soon = Text("The table waits for you.")
        self.writer.notice(
            *(person, game, Text("Reminder: you are asked"), (late if past_due else soon,)),
            Cause(f"r{question.id}.{int(past_due)}"),
            now,
            seat=seat,
            kind="reminder",
            template="reminder",
            more={"repeat": again, "form": seat.digests, "foot": values["foot"]},
        )

    def before(self, game: Game, arrived: datetime) -> None:
        """A mail is the next of its game that is worked on: what fell due before it came is decided first, so that
        the moment of its arrival counts and not that of our look into the mailbox (D-40, G6)."""
        now = self.clock.now()
        if game.state != "playing" or game.paused is not None or self.watch.calm:
            return
        for question in self.games.open_questions(game.id):
            if self._over(game, question, min(arrived, now)):
                self._resolve(self.games.get(game.id), question, now)

    def _read_until_then(self, game: Game, question: Question) -> bool:
        """Whether the mailbox was read after a deadline and its grace."""
        last = self.watch.last_poll()
        assert question.due is not None
        return last is not None and last >= question.due + clocks.grace(game)

    def _resolve(self, game: Game, question: Question, now: datetime) -> bool:
        """What the table chose for silence (D-26)."""
        self.store.run("update question set late = ? where id = ?", stamp(now), question.id)
        cause = Cause(f"q{question.id}.{int(now.timestamp())}")
        table = self.games.table(game)
        ask = table.open[question.seat]
        pick = None
        if self._cannot_be_reached(game, question):
            pass  # silence of somebody who gets no letters says nothing; the moderators decide
        elif ask.personal:
            pass  # nobody else may decide this, whatever the table does about silence
        elif game.table.default == "robot":
            rng = random.Random(f"{game.id}/{question.id}")
            robot = next(iter(game.rules.robots.values()))
            pick = robot(game.rules.view(table.g, question.seat), ask, rng)
        elif game.table.default == "harmless":
            pick = ask.default
        if pick is None:
            self._alarm(game, question, cause, now)
            return False
        words = ask.menu.find(pick).said(pick)
        table.answer(question.seat, pick, "deadline")
        self.games.write_log(game.id, "deadline", question.seat, {"pick": pick}, now)
        self.moves.settle(game, table, cause, now)
        seat = self.games.seat(game.id, question.seat)
        self._silent_again(game, seat, cause, now)
        if seat.person is not None:
            told = Text("Your deadline has passed, so this was answered for you: {words}.", words=words)
            person = self.people.get(seat.person)
            self.writer.notice(person, game, Text("Answered for you"), (told,), cause, now, seat=seat)
        return True

    def _cannot_be_reached(self, game: Game, question: Question) -> bool:
        """Whether letters to this seat come back, at a table that has a moderator to decide."""
        person = self.games.seat(game.id, question.seat).person
        return (
            person is not None
            and self.people.get(person).unreachable
            and bool(self.people.roles(game.id, "moderator"))
        )

    def _silent_again(self, game: Game, seat: Seat, cause: Cause, now: datetime) -> None:
        """A seat that let two deadlines in a row pass raises an alarm, once (D-30)."""
        last = [e.by for _, e in self.games.recent(game.id, 400) if e.seat == seat.name][-2:]
        row = self.store.one("select alarmed from seat where game = ? and name = ?", game.id, seat.name)
        if last != ["deadline", "deadline"] or row is None or row["alarmed"] is not None:
            return
        self.store.run(
            "update seat set alarmed = ? where game = ? and name = ?", stamp(now), game.id, seat.name
        )
        told = Text(
            "{who} has let two deadlines in a row pass; the table's rule answered both times.", who=seat.name
        )
        self.writer.to_moderators(game, Text("{who} seems to be away", who=seat.name), (told,), cause, now)

    def _alarm(self, game: Game, question: Question, cause: Cause, now: datetime) -> None:
        """Nobody may answer for this seat: the moderators are told, once."""
        table = self.games.table(game)
        order = next((game.rules.examples[k] for k in game.rules.examples if k == question.key), "…")
        told = Text("{who} has not answered in time. The table waits for your decision.", who=question.seat)
        ways = Text(
            "You may write: extend {who} by 2 days · remind {who} · answer for {who}: {order}",
            who=question.seat,
            order=order,
        )
        where = Text("It is {label}.", label=game.rules.position(table.g).label)
        self.games.write_log(game.id, "late", question.seat, {"question": question.id}, now)
        headline = Text("{who} is late: what now?", who=question.seat)
        self.writer.to_moderators(game, headline, (told, where, ways), cause, now)

    def _combined(self, now: datetime) -> None:
        """One letter for all receipts that were held back, once the hour is over (D-20)."""
        for row in self.store.all(
            "select name, value from setting where name like 'combined.%' and value <> x'30'"
        ):
            person = self.people.get(int(row["name"].partition(".")[2]))
            if self.writer.too_many(person.id, now):
                continue
            with self.store.tx():
                self.writer.count_combined(person.id, 0)
                told = Text(
                    "{n} of your mails got no receipt of its own, because so many came within an hour.",
                    "{n} of your mails got no receipts of their own, because so many came within an hour.",
                    n=int(bytes(row["value"])),
                )
                more = Text(
                    "All of them were read and worked on. Write status or log to see where you stand."
                )
                cause = Cause(f"k{person.id}.{int(now.timestamp())}")
                self.writer.notice(person, None, Text("Your latest mails"), (told, more), cause, now)

    def _observers(self, now: datetime) -> None:
        """Those who watch get the news once a day, if there are any; of a paused table, when it goes on."""
        rows = self.store.all(
            "select r.game, r.person from role r join game g on g.id = r.game where r.role = 'observer'"
            " and g.state = 'playing' and g.paused is null"
            " and r.heard < (select max(id) from fact where game = r.game and void is null)"
            " and not exists (select 1 from outbox o where o.game = r.game and o.person = r.person"
            " and o.kind = 'digest' and o.created > ?)",
            stamp(now - timedelta(days=1)),
        )
        for row in rows:
            with self.store.tx():
                game = self.games.get(row["game"])
                role = self.people.role_of(game.id, row["person"], "observer")
                if role is not None and not self.people.get(role.person).silent:
                    cause = Cause(f"o{game.id}.{int(now.timestamp())}")
                    self.writer.public_digest(game, self.games.table(game), role, cause, now)

    def _invitations(self, now: datetime) -> None:
        """Seats that have been silent for seven days go to the moderator, once (D-42)."""
        rows = self.store.all(
            "select s.game, s.name from seat s join game g on g.id = s.game where g.state = 'inviting'"
            " and s.answered = 'asked' and s.alarmed is null and g.created < ?",
            stamp(now - SILENT_INVITATION),
        )
        for row in rows:
            with self.store.tx():
                game = self.games.get(row["game"])
                seat = self.games.seat(game.id, row["name"])
                self.store.run(
                    "update seat set alarmed = ? where game = ? and name = ?", stamp(now), game.id, seat.name
                )
                why = Text("{who} has not answered the invitation for seven days.", who=seat.name)
                self.joining.missing(game, seat, why, Cause(f"w{game.id}.{seat.name}"), now)
