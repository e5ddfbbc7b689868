"""A mail's life in here: claimed, classified, identified, read, carried out; each in its own transaction (D-17)."""

from __future__ import annotations

import dataclasses
import logging
import traceback
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from .config import Config
from .engine.core.text import Text
from .grammar import NotUnderstood, parse
from .joining import Joining
from .mail.bounces import read_bounce
from .mail.classify import Kind, classify
from .mail.identify import Identity, Verdict, identify, verdict
from .mail.judging import Attempt
from .mail.mime import Mail
from .mail.reading import Ordered, Reply, ReplyReader
from .mail.tokens import Purpose, Token
from .moderation import Chair, Moderation
from .moves import Moves
from .orders import Lines, Verb, command
from .people import People, Person, Role
from .play import Play, Result
from .ports import Clock, Fetched
from .remarks import doubt, remarks
from .store.db import Store, Unavailable, stamp
from .store.games import Game, Games, Seat
from .store.inbox import TRIES, Claimed, Inbox, State
from .writing import Cause, Writer, salted

log = logging.getLogger("pbem.intake")


@dataclass(frozen=True, slots=True)
class Filed:
    """How a mail ended: its kind, why, and whose it was."""

    kind: str
    reason: str = ""
    state: State = State.APPLIED
    game: int | None = None
    person: int | None = None


class Intake:
    """Takes mails in. No mail raises out of it; `Unavailable` does, since that is not the mail's fault."""

    def __init__(
        self,
        store: Store,
        games: Games,
        people: People,
        writer: Writer,
        moves: Moves,
        joining: Joining,
        config: Config,
        clock: Clock,
    ) -> None:
        self.store = store
        self.games = games
        self.people = people
        self.writer = writer
        self.moves = moves
        self.joining = joining
        self.config = config
        self.clock = clock
        self.inbox = Inbox(store)
        self.play = Play(games, writer, moves)
        self.moderation = Moderation(games, people, writer, moves, joining)

    # taking in

    def take(self, fetched: Fetched) -> Claimed | None:
        """Claim a mail that a source has; None if it is done with already, or was set aside now."""
        mail = Mail(fetched.raw)
        claimed = self.inbox.claim(
            fetched, mail.header("message-id")[:500], mail.sender.address, self.clock.now()
        )
        return None if claimed is None or self._aside(claimed) else claimed

    def left_over(self) -> list[Claimed]:
        """Mails that a process before this one had claimed and did not finish; each is a further try."""
        found = []
        for claimed in self.inbox.waiting():
            self.inbox.count_try(claimed.id)
            again = dataclasses.replace(claimed, tries=claimed.tries + 1)
            if not self._aside(again):
                found.append(again)
        return found

    def _aside(self, claimed: Claimed) -> bool:
        """Set a mail aside that has brought the process down too often."""
        if claimed.tries <= TRIES:
            return False
        why = f"it ended the program {TRIES} times while it was worked on"
        self._give_up(claimed, State.ASIDE, why)
        return True

    def apply(self, claimed: Claimed) -> Filed:
        """Carry out one claimed mail, all of it or nothing; raises `Unavailable` alone."""
        try:
            with self.store.tx():
                filed = self._apply(claimed)
                self.inbox.file(claimed.id, filed.state, filed.kind, filed.reason, filed.game, filed.person)
        except Unavailable:
            self.inbox.uncount_try(claimed.id)
            self.games.forget_all()
            raise
        except Exception as e:
            self.games.forget_all()
            log.error("mail %d failed: %s", claimed.id, type(e).__name__)
            log.debug("mail %d", claimed.id, exc_info=e)
            return self._give_up(claimed, State.FAILED, _place_of(e))
        log.info("mail %d: %s %s", claimed.id, filed.kind, filed.state)
        return filed

    def _give_up(self, claimed: Claimed, state: State, why: str) -> Filed:
        """File a mail as failed, tell its sender that a person will look, and the moderators why."""
        mail = Mail(claimed.raw)
        person = self.people.by_address(mail.sender.address)
        with self.store.tx():
            self.inbox.file(claimed.id, state, "failed", why, None, person.id if person else None)
        if person is not None and classify(mail, self.writer.us) is Kind.ORDERS:
            try:
                with self.store.tx():
                    self._sorry(claimed, mail, person, why)
            except Unavailable:
                raise
            except Exception as e:  # the letters may meet the very fault that they tell of
                log.error("nobody could be told that mail %d failed: %s", claimed.id, type(e).__name__)
        return Filed("failed", why, state)

    def _sorry(self, claimed: Claimed, mail: Mail, person: Person, why: str) -> None:
        now = self.clock.now()
        cause = Cause(f"f{claimed.id}", claimed.id, mail.header("message-id"))
        sorry = (
            Text(
                "Your mail could not be worked on, because of a fault in this program. It is kept; number {n}.",
                n=claimed.id,
            ),
            Text("Nothing of it was done. A person will look at it."),
        )
        headline = Text("Your mail met a fault here")
        self.writer.notice(person, None, headline, sorry, cause, now, kind="receipt")
        told = Text("Mail {n} of {who} could not be worked on: {why}", n=claimed.id, who=person.name, why=why)
        for number in self.people.games_of(person.id):
            self.writer.to_moderators(self.games.get(number), Text("A mail failed"), (told,), cause, now)

    # carrying out

    def _apply(self, claimed: Claimed) -> Filed:
        now = self.clock.now()
        if (earlier := self.inbox.copy_of(claimed)) is not None:
            return self._again(earlier, Cause(f"i{claimed.id}", claimed.id), now)
        mail = Mail(claimed.raw)
        kind = classify(mail, self.writer.us)
        if kind is Kind.UNSUBSCRIBE:
            return self._unsubscribe(mail)
        if kind in (Kind.BOUNCE, Kind.COMPLAINT):
            return self._returned(mail, kind, now)
        if kind is not Kind.ORDERS:
            return Filed(kind)
        cause = Cause(f"i{claimed.id}", claimed.id, mail.header("message-id"), mail.subject)
        return self._from_person(mail, cause, claimed, now)

    def _again(self, earlier: int, cause: Cause, now: datetime) -> Filed:
        """The same mail a second time: nothing is done, and its sender is told, once a day."""
        row = self.store.one("select person, game from inbox where id = ?", earlier)
        if (
            row is not None
            and row["person"] is not None
            and not self._told_today(row["person"], "again", now)
        ):
            person = self.people.get(row["person"])
            game = self.games.get(row["game"]) if row["game"] is not None else None
            seat = self.games.seat_of(game.id, person.id) if game else None
            told = Text(
                "A mail of yours came twice. It was worked on the first time; nothing was done again."
            )
            headline = Text("I have this mail already")
            self.writer.notice(person, game, headline, (told,), cause, now, seat=seat, kind="again")
        return Filed("duplicate", f"the same as mail {earlier}")

    def _unsubscribe(self, mail: Mail) -> Filed:
        found = identify(mail, self.writer.us, self.writer.tokens, b"", (Purpose.STOP,))
        person = self.people.by_address(mail.sender.address)
        if found.token is not None and (person is None or person.id != found.token.person):
            return Filed(Kind.UNSUBSCRIBE, "the address is not that of the token", State.HELD)
        if person is None:
            return Filed(Kind.UNSUBSCRIBE, "nobody known")
        self.people.stop(person.id, True)
        return Filed(Kind.UNSUBSCRIBE, person=person.id)

    def _returned(self, mail: Mail, kind: Kind, now: datetime) -> Filed:
        bounce = read_bounce(mail, self.writer.tokens)
        token = bounce.token
        if token is None:
            return Filed(kind)
        if token.game:
            self.games.write_log(token.game, str(kind), "post", {"person": token.person}, now)
            if bounce.permanent or kind is Kind.COMPLAINT:
                self._undeliverable(token, kind, now)
        return Filed(
            kind, "permanent" if bounce.permanent else "passing", game=token.game, person=token.person
        )

    def _undeliverable(self, token: Token, kind: Kind, now: datetime) -> None:
        """A person's mails come back, or are called spam: the moderators are told, once a game (D-30)."""
        seat = self.games.seat_of(token.game, token.person)
        row = self.store.one(
            "select alarmed from seat where game = ? and person = ?", token.game, token.person
        )
        if seat is None or row is None or row["alarmed"] is not None:
            return
        self.store.run(
            "update seat set alarmed = ? where game = ? and name = ?", stamp(now), token.game, seat.name
        )
        told = Text("A letter to {who} came back: the address does not take it.", who=seat.name)
        if kind is Kind.COMPLAINT:
            told = Text("The mail provider of {who} reports a letter as unwanted.", who=seat.name)
        headline = Text("{who} does not get their mail", who=seat.name)
        cause = Cause(f"b{token.game}.{seat.name}")
        self.writer.to_moderators(self.games.get(token.game), headline, (told,), cause, now)

    def _from_person(self, mail: Mail, cause: Cause, claimed: Claimed, now: datetime) -> Filed:
        identity = identify(mail, self.writer.us, self.writer.tokens, self._salt)
        if identity.token is None and self.config.mail.source == "embedded":
            identity = dataclasses.replace(identity, dmarc=identity.dmarc or "pass")
        token = identity.token
        person = self._owner(token) if token else self.people.by_address(identity.sender)
        registered = [person.address] if person else []
        match verdict(identity, registered):
            case Verdict.APPLY if person is not None:
                return self._recognised(mail, identity, person, cause, claimed, now)
            case Verdict.HOLD if person is not None:
                return self._held(identity, person, cause, now)
            case Verdict.CODE if person is not None:
                return self._unproved(person, cause, now)
            case Verdict.REFUSE:
                return Filed(
                    "refused",
                    "a token that is not ours, or no longer",
                    State.HELD,
                    person=person.id if person else None,
                )
        return self._stranger(identity, cause, now)

    def _salt(self, token: Token) -> bytes | None:
        """What the token of this seat or role is signed with now; None: there is no such seat."""
        if token.purpose is Purpose.MODERATOR:
            role = self.people.role_of(token.game, token.person, "moderator")
            return None if role is None else salted("moderator", role.salt)
        if token.purpose in (Purpose.ORDERS, Purpose.JOIN) and token.game:
            seat = self.games.seat_of(token.game, token.person)
            return b"" if seat is None else salted(seat.name, seat.salt)
        return b""

    def _owner(self, token: Token) -> Person | None:
        try:
            return self.people.get(token.person)
        except KeyError:
            return None

    def _held(self, identity: Identity, person: Person, cause: Cause, now: datetime) -> Filed:
        """Token and address disagree: nothing is applied, the registered address is told (D-19)."""
        assert identity.token is not None
        game = self.games.get(identity.token.game) if identity.token.game else None
        seat = self.games.seat_of(game.id, person.id) if game else None
        cause = Cause(cause.name, cause.inbox)
        if not self._told_today(person.id, "held", now):
            lines = (
                Text("A mail came that answers one of my letters to you, but from another address."),
                Text("Nothing of it was done. If it was you, please write again from this address."),
                Text("If it was not, somebody else has had your letter."),
            )
            self.writer.notice(person, game, Text("Was this you?"), lines, cause, now, seat=seat, kind="held")
        return Filed("held", "token and address disagree", State.HELD, game.id if game else None, person.id)

    def _unproved(self, person: Person, cause: Cause, now: datetime) -> Filed:
        if not self._told_today(person.id, "unproved", now):
            lines = (
                Text(
                    "A mail from your address came without anything that shows it is yours. Nothing of it was done."
                ),
                Text("Please answer one of my letters directly; the reply address proves who you are."),
            )
            self.writer.notice(
                person, None, Text("Please answer one of my letters"), lines, cause, now, kind="unproved"
            )
        return Filed(
            "held", "no token, and the server does not vouch for the address", State.HELD, person=person.id
        )

    def _told_today(self, person: int, kind: str, now: datetime) -> bool:
        row = self.store.one(
            "select 1 from outbox where person = ? and kind = ? and created > ? limit 1",
            *(person, kind, stamp(now - timedelta(days=1))),
        )
        return row is not None

    def _stranger(self, identity: Identity, cause: Cause, now: datetime) -> Filed:
        """Somebody unknown: one line of help a day and address."""
        address = identity.sender
        row = self.store.one(
            "select 1 from outbox where recipient = ? and kind = 'stranger' and created > ? limit 1",
            *(address, stamp(now - timedelta(days=1))),
        )
        if row is None and address and self.config.mail.source == "embedded":
            nobody = Person(0, "", address, self.config.table.language, self.config.table.zone, False)
            lines = (
                Text(
                    "I do not know this address. If you play here, please write from the address you were invited at."
                ),
            )
            self.writer.notice(nobody, None, Text("I do not know you"), lines, cause, now, kind="stranger")
        return Filed("stranger", state=State.HELD)

    def _recognised(
        self, mail: Mail, identity: Identity, person: Person, cause: Cause, claimed: Claimed, now: datetime
    ) -> Filed:
        game, role = self._which_game(identity.token, person)
        if game is None:
            return self._which(person, mail, cause, now)
        if role is not None:
            self._moderate(game, role, person, mail, cause, now)
            return Filed("moderator", game=game.id, person=person.id)
        seat = self.games.seat_of(game.id, person.id)
        if seat is None:
            return Filed("orders", "no seat any more", State.HELD, game.id, person.id)
        word = self._seat_mail(game, seat, person, mail, cause, claimed, now)
        return Filed("orders", word, game=game.id, person=person.id)

    def _which_game(self, token: Token | None, person: Person) -> tuple[Game | None, Role | None]:
        """D-21: by the token; else the only game, or the only open question, of this person."""
        if token is not None and token.game:
            game = self.games.get(token.game)
            role = self.people.role_of(game.id, person.id, "moderator")
            return game, role if token.purpose is Purpose.MODERATOR else None
        if len(found := self._candidates(person)) == 1:
            game = found[0]
            seat = self.games.seat_of(game.id, person.id)
            return game, None if seat else self.people.role_of(game.id, person.id, "moderator")
        return None, None

    def _candidates(self, person: Person) -> list[Game]:
        games = [self.games.get(n) for n in self.people.games_of(person.id)]
        live = [g for g in games if g.state in ("inviting", "playing")]
        if len(live) <= 1:
            return live
        asked = [
            g for g in live if any(self._sits(g, q.seat, person) for q in self.games.open_questions(g.id))
        ]
        return asked if len(asked) == 1 else live

    def _sits(self, game: Game, seat: str, person: Person) -> bool:
        found = self.games.seat_of(game.id, person.id)
        return found is not None and found.name == seat

    def _which(self, person: Person, mail: Mail, cause: Cause, now: datetime) -> Filed:
        titles = tuple(g.title for g in self._candidates(person))
        lines: tuple[Text, ...] = (Text("You have no game here that is going on."),)
        if titles:
            lines = (
                Text(
                    "I cannot tell which of your games this is for: {games}. Nothing was done.", games=titles
                ),
                Text("Please answer the last letter of that game."),
            )
        self.writer.notice(person, None, Text("Which game?"), lines, cause, now, kind="receipt")
        return Filed("orders", "which game?", person=person.id)

    # a seat's mail

    def _seat_mail(
        self,
        game: Game,
        seat: Seat,
        person: Person,
        mail: Mail,
        cause: Cause,
        claimed: Claimed,
        now: datetime,
    ) -> str:
        table = self.games.table(game) if game.begun else None
        lines = self.play.lines(game, table, seat)
        reply = self._read(lines, mail, game, seat)
        if game.state == "inviting" and self._invitation_answered(game, seat, person, reply, cause, now):
            return "invitation"
        if reply.disagree:
            return self._disagrees(game, seat, person, cause, now)
        return self.play.handle(game, seat, person, reply, cause, now)

    def _read(self, lines: Lines, mail: Mail, game: Game, seat: Seat) -> Reply:
        reader = ReplyReader(self.config.mail.name, self.writer.us.domain, lines.order)
        reply = reader.read(mail)
        if reply.empty and not reply.has_block and (one := mail.only_text_attachment) is not None:
            from_file = reader.read(one.text or "")
            if not from_file.empty:
                return dataclasses.replace(from_file, part="attachment", attachments=reply.attachments)
        return reply

    def _invitation_answered(
        self, game: Game, seat: Seat, person: Person, reply: Reply, cause: Cause, now: datetime
    ) -> bool:
        for entry in reply.lines:
            own = command(entry.order if isinstance(entry, Ordered) else entry.line)
            if own is not None and own.verb is Verb.JOIN and seat.answered != "joined":
                self.joining.joined(game, seat, person, reply, cause, now)
                return True
            if own is not None and own.verb is Verb.DECLINE and seat.answered != "declined":
                self.joining.declined(game, seat, person, cause, now)
                return True
        return False

    def _disagrees(self, game: Game, seat: Seat, person: Person, cause: Cause, now: datetime) -> str:
        lines = (
            Text(
                "Your mail says one thing in its plain text and another in its HTML. Nothing of it was done."
            ),
            Text("Please send your orders again, in plain text if your program offers it."),
        )
        self.writer.notice(
            person,
            game,
            Text("Question: which orders do you mean?"),
            lines,
            cause,
            now,
            seat=seat,
            kind="receipt",
        )
        return "the two parts disagree"

    # a moderator's mail

    def _moderate(
        self, game: Game, role: Role, person: Person, mail: Mail, cause: Cause, now: datetime
    ) -> None:
        reader = ReplyReader(self.config.mail.name, self.writer.us.domain, moderator_order)
        reply = reader.read(mail)
        chair = Chair(person.name, person.id)
        # Whoever writes with a moderator's token has confirmed the address, join or not (D-28).
        self.store.run(
            "update role set joined = 1 where game = ? and person = ? and role = 'moderator'",
            game.id,
            person.id,
        )
        results = []
        for entry in () if doubt(reply) else reply.lines:
            line = entry.order if isinstance(entry, Ordered) else entry.line
            ruling = self.moderation.rule(game, chair, line, cause, now)
            game = self.games.get(game.id)
            head, *rest = ruling.said
            instead = [Text("{line}", line=i) for i in ruling.instead]
            results.append(Result(line, head, ruling.good, not ruling.good, told=rest, instead=instead))
            if not ruling.good:
                break
        self._moderator_receipt(game, role, person, reply, results, cause, now)

    def _moderator_receipt(
        self,
        game: Game,
        role: Role,
        person: Person,
        reply: Reply,
        results: Sequence[Result],
        cause: Cause,
        now: datetime,
    ) -> None:
        bad = next((n for n, r in enumerate(results, 1) if not r.good), None)
        if (why := doubt(reply)) is not None:
            verdict, headline = why.verdict, why.headline
        elif not results:
            verdict, headline = (
                Text("I found no order in your mail. Write help to see what a moderator may do."),
                Text("Not done: I found no order"),
            )
        elif bad is not None:
            verdict, headline = (
                Text("Line {bad} was not done.", bad=bad),
                Text("Not done: line {bad}", bad=bad),
            )
        else:
            verdict, headline = Text("Done."), Text("OK")
        values = {
            "verdict": verdict,
            "results": list(results),
            "ignored": remarks(reply),
            "sections": [],
            "asked": None,
            "repeat": None,
            "whole": False,
            "menu": False,
            "board": False,
            "seat": None,
            "waiting": "",
        }
        if game.begun:
            table = self.games.table(game)
            values.update(self.writer.position(game, table, None))
            values["waiting"] = self.writer.waiting(game, table, person)
        self.writer.receipt(person, game, self.writer.say(person, headline), values, cause, now, role=role)


def _place_of(fault: Exception) -> str:
    """What kind of fault, and where; not its own words, which may hold what is hidden (D-41)."""
    where = traceback.extract_tb(fault.__traceback__)[-1]
    return f"{type(fault).__name__} in {where.name}, line {where.lineno}"


def moderator_order(line: str) -> str | None:
    """For the reader of mails: a moderator's line, None for prose; raises `Attempt`."""
    try:
        parse(line)
    except NotUnderstood as e:
        if e.verb_known:
            raise Attempt(e, line) from e
        return None
    return line
