"""Letters written: from what happened to queued bytes, each under its derived Message-ID."""

from __future__ import annotations

import secrets
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from .catalogue import sayer
from .clocks import silent
from .config import Config
from .digests import render
from .digests.asked import Asked, asked
from .engine.core.ruleset import Outcome, Ranked
from .engine.core.table import Table
from .engine.core.text import Text
from .mail.compose import AUTO_GENERATED, AUTO_REPLIED, File, Letter, Picture, compose
from .mail.tokens import Purpose, Tokens
from .mail.us import Us
from .people import People, Person, Role
from .pictures import Board, board
from .store.db import Store, instant, stamp
from .store.games import Game, Games, Seat
from .store.outbox import Outbox
from .store.pictures import Pictures

BUDGET = 80_000
"""Bytes of one text part (D-24); some web mailers cut what is longer."""
NOTES_SHOWN = 20
"""The newest of a player's notes stand in each digest."""
ANSWERS = ("receipt", "code", "refused", "unproved")
"""Kinds of letters that somebody's own mail brings about."""
_ANSWERS = ("receipt", "again", "refused", "stranger")
"""Kinds of letters that go to the sender of the mail that caused them."""
KIND_HEADER = "X-Pbem-Kind"
DIGEST_HEADER = "X-Pbem-Digest"
HINTS = "preview, undo, status, board, log, rules <word>, look <word>, note <text>"


def us_of(config: Config) -> Us:
    """Who we are, for everything that reads or writes mail."""
    local, _, domain = config.mail.address.rpartition("@")
    return Us(
        name=config.mail.name,
        domain=domain,
        address=config.mail.address,
        stop_address=f"{local}+stop@{domain}",
        loop_header=KIND_HEADER,
        authserv_id=config.mail.authserv_id,
    )


@dataclass(slots=True)
class Cause:
    """What a batch of letters is for: its name goes into their Message-IDs, so that the same letter written
    twice is the same letter."""

    name: str
    inbox: int | None = None
    reply_to_id: str = ""
    """Message-ID of the mail that is answered."""
    reply_subject: str = ""
    digest: int | None = None
    """The digest that this mail answers, by its token."""
    count: int = field(default=0)

    def next(self) -> str:
        """The name of the next letter of this batch."""
        self.count += 1
        return f"{self.name}.{self.count}"


class Writer:
    """Writes every letter there is; all of it inside the caller's transaction."""

    def __init__(self, store: Store, games: Games, people: People, config: Config) -> None:
        self.store = store
        self.games = games
        self.people = people
        self.config = config
        self.us = us_of(config)
        self._keys = store.keys()
        self._tokens_of_keys = Tokens(self._keys)
        self.outbox = Outbox(store)
        self.pictures = Pictures(store)
        self._drawn: tuple[Any, Board | None] = (None, None)

    # signing keys

    @property
    def tokens(self) -> Tokens:
        """Makes and reads tokens with the keys that the store has now: another process may have changed them."""
        keys = self.store.keys()
        if keys != self._keys:
            self._keys, self._tokens_of_keys = keys, Tokens(keys)
        return self._tokens_of_keys

    def rotate_key(self) -> int:
        """Sign with a new key from now on; letters under older ones stay good. Gives the key's number."""
        with self.store.tx():
            number = len(self.store.keys())
            self.store.keep(f"key.{number}", secrets.token_bytes(32))
        return number

    def retire_keys(self) -> int:
        """Believe no key but the newest; gives how many were retired."""
        with self.store.tx():
            old = [n for n, key in enumerate(self.store.keys()[:-1]) if key]
            for n in old:
                self.store.keep(f"key.{n}", b"")
        return len(old)

    # the letters of a game

    def digest(self, game: Game, table: Table[Any], seat: Seat, cause: Cause, now: datetime) -> None:
        """A seat's digest: its question, what happened, the board."""
        person = self._reader(seat)
        if person is None:
            return
        values = self.digest_values(game, table, seat, person, now)
        subject = self._subject(game, self.headline(game, table, seat, values, person))
        self._send(game, person, "digest", "digest", subject, values, cause, now, seat=seat)
        self.delivered(game, seat, values, now)

    def public_digest(self, game: Game, table: Table[Any], role: Role, cause: Cause, now: datetime) -> None:
        """What everybody may see, for somebody who watches: news and board, no question."""
        person = self.people.get(role.person)
        since, left_out = self.told(game, None, role.heard)
        values = {
            **self.common(game, person, now),
            **self.position(game, table, None),
            "seat": None,
            "asked": None,
            "waiting": self.waiting(game, table, person),
            "since": since,
            "left_out": left_out,
            "since_at": None,
            "parked": [],
            "notes": [],
            "foot": self.foot(game, person.name, role.digests + 1),
        }
        subject = self._subject(game, self.say(person, Text("News, {label}", label=values["label"])))
        self._send(game, person, "digest", "digest", subject, values, cause, now, role=role)
        self.store.run(
            "update role set digests = digests + 1, heard = ? where game = ? and person = ? and role = ?",
            *(self._newest_fact(game), game.id, role.person, role.role),
        )

    def digest_values(
        self, game: Game, table: Table[Any], seat: Seat, person: Person, now: datetime
    ) -> dict[str, Any]:
        """Everything a digest prints, for this seat's eyes."""
        question = self._asked(game, table, seat, seat.digests + 1)
        since, left_out = self.told(game, seat.name, seat.heard)
        notes = self.store.all(
            "select text from note where game = ? and seat = ? order by id desc limit ?",
            *(game.id, seat.name, NOTES_SHOWN),
        )
        parked = self.store.all("select lines from parked where game = ? and seat = ?", game.id, seat.name)
        return {
            **self.common(game, person, now),
            **self.position(game, table, seat.name),
            "seat": seat.name,
            "asked": question,
            "form": seat.digests + 1 if question else None,
            "waiting": self.waiting(game, table, person),
            "since": since,
            "left_out": left_out,
            "since_at": self.last_letter(game, seat),
            "parked": [line for row in parked for line in row["lines"].split("\n")],
            "notes": [row["text"] for row in reversed(notes)],
            "foot": self.foot(game, seat.name, seat.digests + (1 if question else 0)),
        }

    def common(self, game: Game | None, person: Person, now: datetime) -> dict[str, Any]:
        """What every template may use."""
        return {
            "title": game.title if game else self.config.mail.name,
            "zone": person.zone,
            "table_zone": game.table.zone if game else person.zone,
            "now": now,
            "person": person.name,
            "form": None,
            "foot": self.config.mail.name,
        }

    def position(self, game: Game, table: Table[Any], seat: str | None) -> dict[str, Any]:
        """The board as a seat or an observer may see it."""
        name = game.rules.name
        return {
            "view": game.rules.view(table.g, seat),
            "label": game.rules.position(table.g).label,
            "edition": game.rules.edition(game.options, game.data),
            "board_template": f"{name}/board.txt.j2",
            "picture": self._picture(game, table),
        }

    def _picture(self, game: Game, table: Table[Any]) -> Board | None:
        """The public board as a picture; the same for all letters about one position."""
        if not self.config.mail.pictures:
            return None
        view = game.rules.view(table.g, None)
        if view != self._drawn[0]:
            svg = game.rules.picture(view)
            label = game.rules.position(table.g).label
            self._drawn = (view, None if svg is None else board(svg, label, self.us.domain))
        return self._drawn[1]

    def _asked(self, game: Game, table: Table[Any], seat: Seat, number: int) -> Asked | None:
        ask = table.open.get(seat.name)
        if ask is None or game.state != "playing":
            return None
        question = next((q for q in self.games.open_questions(game.id) if q.seat == seat.name), None)
        due = question.due if question and game.paused is None else None
        return asked(ask, number, due, silent(game, ask, self.moderators(game)), HINTS)

    def asked_again(self, game: Game, table: Table[Any], seat: Seat) -> Asked | None:
        """The same question with the codes that the seat has already."""
        return self._asked(game, table, seat, seat.digests)

    @staticmethod
    def say(person: Person, text: Text) -> str:
        """A text in a person's language."""
        return sayer(person.language)(text)

    @staticmethod
    def when(person: Person, at: datetime) -> str:
        """An instant in a person's zone and language."""
        return render.short(at, person.zone, person.language)

    def moderators(self, game: Game) -> tuple[str, ...]:
        """The moderators' names."""
        return tuple(self.people.get(r.person).name for r in self.people.roles(game.id, "moderator"))

    def told(self, game: Game, seat: str | None, after: int, limit: int = 200) -> tuple[list[Text], int]:
        """What a seat has been told after a fact, oldest first, and how many earlier lines are left out."""
        facts = self.games.facts(game.id, after, limit + 1)
        texts = [t for f in facts if (t := f.fact.told_to(seat)) is not None]
        left_out = 0
        if len(facts) > limit:
            row = self.store.one(
                "select count(*) from fact where game = ? and id > ? and void is null", game.id, after
            )
            left_out = (row[0] if row else 0) - limit
            texts = texts[-limit:]
        return texts, left_out

    def waiting(self, game: Game, table: Table[Any], person: Person) -> str:
        """Whom the table waits for."""
        say = sayer(person.language)
        if game.paused is not None:
            return say(Text("The table is paused. Nothing is asked of you now."))
        if table.over:
            return say(Text("The game is over."))
        seats = tuple(table.open)
        since = min((q.opened for q in self.games.open_questions(game.id)), default=None)
        if not seats or since is None:
            return say(Text("Nothing is asked of you now."))
        at = render.when(since, person.zone, person.language)
        return say(
            Text("Nothing is asked of you now. The table waits for {who}, since {at}.", who=seats, at=at)
        )

    def headline(
        self, game: Game, table: Table[Any], seat: Seat, values: Mapping[str, Any], person: Person
    ) -> str:
        """What a subject says of a digest: whether the seat is asked, where the game stands, until when."""
        say = sayer(person.language)
        label = values["label"]
        question: Asked | None = values["asked"]
        if question is None:
            return say(Text("News, {label}", label=label))
        kind = table.open[seat.name].kind
        if question.due is None:
            return say(Text("You are asked, {label}", label=label))
        at = render.short(question.due, person.zone, person.language)
        if kind == "reaction":
            return say(Text("A question to you, {label} (by {at})", label=label, at=at))
        return say(Text("Your turn, {label} (by {at})", label=label, at=at))

    def delivered(self, game: Game, seat: Seat, values: Mapping[str, Any], now: datetime) -> None:
        """Remember what a seat has heard, and which codes its newest digest gave out."""
        question: Asked | None = values["asked"]
        heard = self._newest_fact(game)
        number = seat.digests + (1 if question else 0)
        self.store.run(
            "update seat set digests = ?, heard = ? where game = ? and name = ?",
            number,
            heard,
            game.id,
            seat.name,
        )
        if question is None:
            return
        row = self.store.one(
            "select id from question where game = ? and seat = ? and closed is null", game.id, seat.name
        )
        self.store.run(
            "insert into digest (game, seat, n, question, options, at) values (?, ?, ?, ?, ?, ?)",
            *(game.id, seat.name, number, row["id"] if row else None),
            *("\n".join(o.id for o in question.options), stamp(now)),
        )

    def _newest_fact(self, game: Game) -> int:
        row = self.store.one("select max(id) from fact where game = ?", game.id)
        return (row and row[0]) or 0

    def last_letter(self, game: Game, seat: Seat) -> datetime | None:
        """When a seat last heard from us about this game; None before its first digest."""
        row = self.store.one(
            "select created from outbox where game = ? and seat = ? order by id desc limit 1",
            game.id,
            seat.name,
        )
        return instant(row["created"]) if row and seat.heard else None

    def _reader(self, seat: Seat) -> Person | None:
        if seat.person is None:
            return None
        person = self.people.get(seat.person)
        return None if person.silent else person

    def _subject(self, game: Game, headline: str) -> str:
        return f"[{game.rules.title}: {game.title}] {headline}"

    def foot(self, game: Game, who: str, number: int) -> str:
        """The last line of a seat's letters."""
        return sayer("en")(Text("{title}, digest {n} for {who}", title=game.title, n=number, who=who))

    # answers and notices

    def receipt(
        self,
        person: Person,
        game: Game | None,
        headline: str,
        values: Mapping[str, Any],
        cause: Cause,
        now: datetime,
        seat: Seat | None = None,
        role: Role | None = None,
    ) -> None:
        """The answer to one mail; with `values["asked"]` it is the seat's next digest too.

        Somebody who had too many within the hour gets one letter for all further ones, when it is over (D-20);
        a digest that asks is never held back.
        """
        if values.get("asked") is None and self.too_many(person.id, now):
            self.count_combined(person.id, 1)
            return
        subject = self._subject(game, headline) if game else headline
        full = {**self.common(game, person, now), **values}
        self._send(game, person, "receipt", "receipt", subject, full, cause, now, seat=seat, role=role)

    def too_many(self, person: int, now: datetime) -> bool:
        """Whether a person has had all the receipts that an hour may bring."""
        limit = self.config.mail.receipts_per_hour
        if not limit:
            return False
        row = self.store.one(
            "select count(*) from outbox where person = ? and kind = 'receipt' and created > ?",
            *(person, stamp(now - timedelta(hours=1))),
        )
        return row is not None and row[0] >= limit

    def count_combined(self, person: int, more: int) -> None:
        """Count receipts that were held back; 0 forgets them."""
        kept = int(self.store.setting(f"combined.{person}") or b"0")
        self.store.keep(f"combined.{person}", str(kept + more if more else 0).encode())

    def notice(
        self,
        person: Person,
        game: Game | None,
        headline: Text,
        lines: tuple[Text, ...],
        cause: Cause,
        now: datetime,
        *,
        seat: Seat | None = None,
        role: Role | None = None,
        kind: str = "notice",
        template: str = "notice",
        attachments: tuple[File, ...] = (),
        more: Mapping[str, Any] | None = None,
    ) -> None:
        """A short letter: a headline and a few paragraphs. Who wants no more mail, or cannot be reached, gets
        answers alone."""
        if person.silent and kind not in ANSWERS:
            return
        said = sayer(person.language)(headline)
        subject = self._subject(game, said) if game else said
        values = {**self.common(game, person, now), "headline": headline, "lines": lines, **(more or {})}
        self._send(
            game, person, kind, template, subject, values, cause, now, seat=seat, role=role, files=attachments
        )

    def table_notice(
        self,
        game: Game,
        headline: Text,
        lines: tuple[Text, ...],
        cause: Cause,
        now: datetime,
        skip: Collection[int | None] = (),
    ) -> None:
        """The same notice to everybody at the table and to those who watch; `skip`: persons who have it already."""
        for seat in self.games.seats(game.id):
            person = self._reader(seat)
            if person is not None and person.id not in skip:
                self.notice(person, game, headline, lines, cause, now, seat=seat)
        self.role_notice(game, "observer", headline, lines, cause, now, skip)
        self.role_notice(game, "moderator", headline, lines, cause, now, skip)

    def role_notice(
        self,
        game: Game,
        name: str,
        headline: Text,
        lines: tuple[Text, ...],
        cause: Cause,
        now: datetime,
        skip: Collection[int | None] = (),
    ) -> None:
        """A notice to the moderators, or to the observers."""
        for role in self.people.roles(game.id, name):
            if role.person not in skip and self.games.seat_of(game.id, role.person) is None:
                self.notice(self.people.get(role.person), game, headline, lines, cause, now, role=role)

    def to_moderators(
        self, game: Game, headline: Text, lines: tuple[Text, ...], cause: Cause, now: datetime
    ) -> None:
        """A notice to the moderators, playing ones too."""
        for role in self.people.roles(game.id, "moderator"):
            self.notice(self.people.get(role.person), game, headline, lines, cause, now, role=role)

    # one letter

    def _send(
        self,
        game: Game | None,
        person: Person,
        kind: str,
        template: str,
        subject: str,
        values: Mapping[str, Any],
        cause: Cause,
        now: datetime,
        *,
        seat: Seat | None = None,
        role: Role | None = None,
        files: tuple[File, ...] = (),
    ) -> None:
        name = cause.next()
        token, stop, bounce = self._tokens(game, person, seat, role, values)
        message_id = f"o.{token}.{name}@{self.us.domain}"
        text, html = self._bodies(template, person.language, {**values, "subject": subject})
        local, domain = self.us.address.rsplit("@", 1)
        thread = f"thread.{game.id if game else 0}.{person.id}@{domain}"
        # What a mail called itself is for its sender alone: it may name their machine, or say anything.
        answered = cause.reply_to_id if kind in _ANSWERS else ""
        letter = Letter(
            message_id=message_id,
            date=now,
            from_name=self.config.mail.name,
            from_address=self.us.address,
            to_name=person.name,
            to_address=person.address,
            subject=subject,
            text=text,
            html=html,
            reply_to=f"{local}+{token}@{domain}",
            pictures=self._pictures(values.get("picture"), html, person),
            attachments=files,
            references=(thread, *([answered] if answered else ())),
            in_reply_to=answered or thread,
            list_id=f"game{game.id}.{domain}" if game else domain,
            list_unsubscribe=f"{local}+stop.{stop}@{domain}",
            auto_submitted=AUTO_REPLIED if kind == "receipt" else AUTO_GENERATED,
            loop_header=(KIND_HEADER, kind),
            extra=((DIGEST_HEADER, str(values["form"])),) if values.get("form") else (),
            language=person.language,
        )
        self.outbox.put(
            message_id,
            compose(letter),
            sender=f"{local}+{bounce}@{domain}",
            recipient=person.address,
            kind=kind,
            now=now,
            person=person.id,
            game=game.id if game else None,
            seat=seat.name if seat else None,
            inbox=cause.inbox,
            mark=self.games.mark(game.id) if game else 0,
        )

    def _pictures(self, shown: Board | None, html: str, person: Person) -> tuple[Picture, ...]:
        """The picture that a letter shows, to be drawn when it goes out."""
        if shown is None or f"cid:{shown.cid}" not in html:
            return ()
        self.pictures.keep(shown.name, shown.svg)
        return (Picture(shown.cid, b"", self.say(person, shown.alt), shown.name),)

    def _tokens(
        self,
        game: Game | None,
        person: Person,
        seat: Seat | None,
        role: Role | None,
        values: Mapping[str, Any],
    ) -> tuple[str, str, str]:
        number = values.get("form") or (seat.digests if seat else 0)
        purpose, salt = Purpose.ORDERS, b""
        if role is not None and role.role == "moderator":
            purpose, salt = Purpose.MODERATOR, salted("moderator", role.salt)
        elif seat is not None:
            salt = salted(seat.name, seat.salt)
            purpose = Purpose.JOIN if game and game.state == "inviting" else Purpose.ORDERS
        id = game.id if game else 0
        make = self.tokens.make
        return (
            make(id, number, person.id, purpose, salt),
            make(id, number, person.id, Purpose.STOP),
            make(id, number, person.id, Purpose.BOUNCE),
        )

    def _bodies(self, template: str, language: str, values: Mapping[str, Any]) -> tuple[str, str]:
        """Text and HTML, the log shortened from its far end until both fit."""
        while True:
            text = render.text(f"{template}.txt.j2", language, values)
            board = values.get("board_template", "")
            both = {**values, "board_template": board.replace(".txt.", ".html.")}
            html = render.html(f"{template}.html.j2", language, both)
            since = values.get("since") or []
            if max(len(text.encode()), len(html.encode())) <= BUDGET or not since:
                return text, html
            kept = len(since) // 2
            values = {
                **values,
                "since": since[len(since) - kept :],
                "left_out": values["left_out"] + len(since) - kept,
            }


def salted(name: str, epoch: int) -> bytes:
    """What a seat's tokens are signed with beside the token; another epoch kills the old ones."""
    return f"{name}/{epoch}".encode()


def ranking(outcome: Outcome) -> tuple[Text, ...]:
    """The end of a game, a paragraph a seat: its place, its score, and why."""
    return (outcome.reason, *(_place(one) for one in outcome.ranking))


def _place(one: Ranked) -> Text:
    if one.score is None:
        return Text("{place}. {who}", place=one.place, who=one.seat)
    if not one.why:
        return Text("{place}. {who}: {score}", place=one.place, who=one.seat, score=one.score)
    return Text(
        "{place}. {who}: {score} ({why})", place=one.place, who=one.seat, score=one.score, why=one.why
    )
