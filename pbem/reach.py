"""Whether letters reach people: what comes back, who is away, who wants no more."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from datetime import datetime, timedelta

from .config import Config
from .digests import render
from .engine.core.text import Text
from .mail.bounces import Bounce, read_bounce
from .mail.classify import Kind
from .mail.headers import same_form
from .mail.identify import identify
from .mail.mime import Mail
from .mail.tokens import Purpose
from .people import People, Person
from .store.db import Store, stamp
from .store.games import Game, Games
from .store.inbox import Filed
from .writing import Cause, Writer

log = logging.getLogger("pbem.reach")

DAYS = 3
"""Permanent failures on so many different days, with no mail of the person between them, and no more goes out."""
ONE_PROPOSAL = timedelta(days=7)
"""How long an absence that was told to the moderator counts as told."""
USELESS = 3
"""Answers within an hour to mails in which nothing was to be done; then none, until one does something (E2)."""
NOTHING = "'nothing', 'the two parts disagree', 'which game?'"
"""How such mails are filed, for SQL."""
AT_ONCE = timedelta(minutes=1)
"""Who answers faster than this, again and again without sense, is no person."""
ANY = (Purpose.ORDERS, Purpose.JOIN, Purpose.MODERATOR, Purpose.BOUNCE)


@dataclass(frozen=True, slots=True)
class _Letter:
    """The letter that a report is about, and whose it was."""

    id: int | None
    person: int
    game: int | None


class Reach:
    """Keeps track of whom we reach, inside the caller's transaction."""

    def __init__(self, store: Store, games: Games, people: People, writer: Writer, config: Config) -> None:
        self.alone = config.mail.source == "embedded"
        """Nobody but this machine writes to us, so there are no storms."""
        self.store = store
        self.games = games
        self.people = people
        self.writer = writer

    # what comes back

    def returned(self, mail: Mail, kind: Kind, inbox: int, now: datetime) -> Filed:
        """A delivery report or a complaint."""
        bounce = read_bounce(mail, self.writer.tokens)
        letter = self._letter(bounce)
        said = "permanent" if bounce.permanent else "passing"
        if letter is None:
            return Filed(kind, "about no letter of ours")
        if letter.game:
            self.games.write_log(letter.game, str(kind), "post", {"person": letter.person}, now)
        if kind is Kind.COMPLAINT:
            self._failed(letter, "complaint", bounce.status, inbox, now)
        elif bounce.permanent:
            self._failed(letter, "bounce", bounce.status, inbox, now)
        return Filed(kind, said, game=letter.game, person=letter.person)

    def refused(self, letter: int, answer: str, now: datetime) -> None:
        """The post would not take a letter, for good."""
        row = self.store.one("select person, game from outbox where id = ?", letter)
        if row is not None and row["person"]:
            self._failed(_Letter(letter, row["person"], row["game"]), "refused", answer[:40], None, now)

    def _letter(self, bounce: Bounce) -> _Letter | None:
        """Which letter of ours a report is about. A number alone proves nothing, since anybody may write one:
        our signature in the address it came to, or the whole Message-ID, must stand beside it."""
        token = bounce.token
        row = None
        if bounce.outbox_id is not None:
            row = self.store.one(
                "select id, person, game, message_id from outbox where id = ?", bounce.outbox_id
            )
        signed = row is not None and (
            bounce.message_id == f"<{row['message_id']}>"
            or (token is not None and token.person == row["person"])
        )
        if not signed:
            row = None
        if row is None and bounce.message_id is not None:
            row = self.store.one(
                "select id, person, game from outbox where message_id = ?", bounce.message_id.strip("<>")
            )
        if row is not None and row["person"]:
            return _Letter(row["id"], row["person"], row["game"])
        return None if token is None else _Letter(None, token.person, token.game or None)

    def _failed(self, letter: _Letter, kind: str, status: str, inbox: int | None, now: datetime) -> None:
        person = self._person(letter.person)
        if person is None or self._went_elsewhere(letter, person):
            return
        self.store.run(
            "insert into failure (person, at, kind, letter, inbox, status) values (?, ?, ?, ?, ?, ?)",
            *(person.id, stamp(now), kind, letter.id, inbox, status),
        )
        if letter.game:
            self._alarm(self.games.get(letter.game), person, kind, now)
        row = self.store.one(
            "select count(distinct substr(at, 1, 10)) from failure where person = ?", person.id
        )
        enough = kind == "complaint" or (row is not None and row[0] >= DAYS)
        if enough and not person.unreachable:
            self._pause(person, kind, now)

    def _person(self, number: int) -> Person | None:
        try:
            return self.people.get(number)
        except KeyError:
            return None

    def _went_elsewhere(self, letter: _Letter, person: Person) -> bool:
        """Whether the letter went to an address that is not the person's, such as one not yet confirmed."""
        row = self.store.one("select recipient from outbox where id = ?", letter.id)
        return row is not None and same_form(row["recipient"]) != same_form(person.address)

    def _alarm(self, game: Game, person: Person, kind: str, now: datetime) -> None:
        """The first letter that comes back: the moderators are told, once a seat (D-30)."""
        seat = self.games.seat_of(game.id, person.id)
        if seat is None:
            return
        row = self.store.one("select alarmed from seat where game = ? and name = ?", game.id, seat.name)
        if row is None or row["alarmed"] is not None:
            return
        self.store.run(
            "update seat set alarmed = ? where game = ? and name = ?", stamp(now), game.id, seat.name
        )
        told = Text("A letter to {who} came back: the address does not take it.", who=seat.name)
        if kind == "complaint":
            told = Text("The mail provider of {who} reports a letter as unwanted.", who=seat.name)
        headline = Text("{who} does not get their mail", who=seat.name)
        self.writer.to_moderators(game, headline, (told,), Cause(f"b{game.id}.{seat.name}"), now)

    def _pause(self, person: Person, kind: str, now: datetime) -> None:
        """No more letters but answers, until the person writes; the moderators are told."""
        self.people.reachable(person.id, False, now)
        log.warning("person %d gets no more letters: they come back", person.id)
        why = Text("Letters to {who} came back on three days. No more are sent.", who=person.name)
        if kind == "complaint":
            why = Text("{who} reported our mail as unwanted. No more is sent.", who=person.name)
        again = Text(
            "As soon as {who} writes to me, letters go out again. Their deadline answers nothing meanwhile.",
            who=person.name,
        )
        for game in self._live_games(person):
            if (seat := self.games.seat_of(game.id, person.id)) is None:
                continue
            ways = Text("You may write: extend {who} by 3 days · answer for {who}: …", who=seat.name)
            headline = Text("{who} cannot be reached", who=seat.name)
            cause = Cause(f"u{game.id}.{seat.name}.{int(now.timestamp())}")
            self.writer.to_moderators(game, headline, (why, again, ways), cause, now)

    def _live_games(self, person: Person) -> list[Game]:
        games = [self.games.get(n) for n in self.people.games_of(person.id)]
        return [g for g in games if g.state in ("inviting", "playing")]

    # signs of life

    def heard(self, person: Person, cause: Cause, now: datetime) -> None:
        """A mail that is surely the person's: whatever came back before, letters reach them again."""
        self.store.run("delete from failure where person = ?", person.id)
        if not person.unreachable:
            return
        self.people.reachable(person.id, True, now)
        for game in self._live_games(person):
            seat = self.games.seat_of(game.id, person.id)
            if seat is None or game.state != "playing" or game.paused is not None:
                continue  # who is asked at a paused table gets the question when it goes on
            table = self.games.table(game)
            if seat.name in table.open:
                self.writer.digest(game, table, seat, cause, now)

    def stop(self, person: Person, cause: Cause, now: datetime) -> None:
        """Somebody wants no more mail: their moderators must know whom the tables wait for."""
        if person.stopped:
            return
        self.people.stop(person.id, True)
        for game in self._live_games(person):
            seat = self.games.seat_of(game.id, person.id)
            if seat is not None:
                told = Text(
                    "{who} wants no more mail from this table and gets no more questions.", who=seat.name
                )
                self.writer.to_moderators(
                    game, Text("{who} has left the mail", who=seat.name), (told,), cause, now
                )

    # storms

    def is_fast(self, person: Person, now: datetime) -> bool:
        """Whether our last letter to somebody is so new that hardly anybody can have read it."""
        row = self.store.one(
            "select 1 from outbox where person = ? and created > ? limit 1", person.id, stamp(now - AT_ONCE)
        )
        return row is not None

    def answers_left(self, person: Person, now: datetime) -> int:
        """How many more mails of somebody that hold nothing are answered within this hour, the present one
        included; 0: no more."""
        if self.alone:
            return USELESS
        row = self.store.one(
            f"select count(*) from inbox where person = ? and at > ? and reason in ({NOTHING})",
            *(person.id, stamp(now - timedelta(hours=1))),
        )
        return max(0, USELESS - (row[0] if row else 0))

    def fall_silent(self, game: Game, person: Person, cause: Cause, now: datetime) -> Text:
        """The last such answer: its writer is told, and the moderators."""
        told = Text(
            "{who} has sent {n} mails within an hour in which I found nothing to do; perhaps a machine writes them. I"
            " answer no more of this kind for an hour.",
            who=person.name,
            n=USELESS,
        )
        headline = Text("Many mails of {who} with nothing in them", who=person.name)
        self.writer.to_moderators(game, headline, (told,), Cause(f"{cause.name}.s"), now)
        return Text(
            "This is mail number {n} within an hour in which I found nothing to do. For an hour I answer only mails"
            " that hold something for me; your moderator is told.",
            n=USELESS,
        )

    # automatic replies

    def away(self, mail: Mail, cause: Cause, now: datetime) -> Filed:
        """An absence note: never answered; where a table waits for its sender, the moderators are asked, once."""
        found = identify(mail, self.writer.us, self.writer.tokens, purposes=ANY)
        person = self._person(found.token.person) if found.token else None
        if person is None:
            there = self.people.at(found.sender)
            person = there[0] if len(there) == 1 else None
        if person is None:
            return Filed(Kind.AUTO_REPLY)
        game = found.token.game if found.token else 0
        asked = [g for g in self._live_games(person) if not game or g.id == game]
        told = [g.id for g in asked if self._propose(g, person, cause, now)]
        return Filed(
            Kind.AUTO_REPLY, "the moderator was asked" if told else "", game=game or None, person=person.id
        )

    def _propose(self, game: Game, person: Person, cause: Cause, now: datetime) -> bool:
        """What the moderators may do about somebody who is away; False if nobody waits or they know it."""
        seat = self.games.seat_of(game.id, person.id)
        if seat is None:
            return False
        question = next((q for q in self.games.open_questions(game.id) if q.seat == seat.name), None)
        known = self.store.one(
            "select 1 from log where game = ? and kind = 'away' and who = ? and at > ?",
            *(game.id, seat.name, stamp(now - ONE_PROPOSAL)),
        )
        if question is None or known is not None:
            return False
        self.games.write_log(game.id, "away", seat.name, {}, now, cause.inbox)
        order = next((game.rules.examples[k] for k in game.rules.examples if k == question.key), "…")
        told = Text("An automatic reply came from {who}'s mailbox: they seem to be away.", who=seat.name)
        zone, language = game.table.zone, game.table.language
        waits = Text("The table waits for {who}.", who=seat.name)
        if question.due is not None:
            at = render.when(question.due, zone, language)
            waits = Text(
                "The table waits for {who}, until {at}, {zone} time.", who=seat.name, at=at, zone=zone
            )
        ways = Text(
            "You may write: extend {who} by 3 days · remind {who} · answer for {who}: {order}",
            who=seat.name,
            order=order,
        )
        nothing = Text("If you write nothing, the deadline stays as it is.")
        headline = Text("{who} seems to be away: what now?", who=seat.name)
        self.writer.to_moderators(game, headline, (told, waits, ways, nothing), cause, now)
        return True
