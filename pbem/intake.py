"""A mail's life in here: claimed, classified, identified, read, carried out; each in its own transaction (D-17)."""

from __future__ import annotations

import dataclasses
import logging
import traceback
from collections.abc import Sequence
from datetime import datetime
from functools import lru_cache

from .campaigns import Campaigns
from .config import Config
from .engine.core.text import Text
from .grammar import NotUnderstood, parse
from .holding import Holding
from .joining import Joining
from .mail.classify import Kind, classify, is_absence
from .mail.identify import Identity, Verdict, identify, verdict
from .mail.judging import Attempt
from .mail.mime import Mail
from .mail.reading import Ordered, Reply, ReplyReader
from .mail.tokens import Purpose, Token
from .moderation import Chair, Moderation
from .moves import Moves
from .orders import Lines, Verb, command
from .people import People, Person, Role
from .personal import PERSONAL, Personal
from .play import Play, Result
from .ports import Clock, Fetched
from .proofs import Given, Proof, given, may_hold_one
from .proofs import Kind as ProofKind
from .reach import Reach
from .remarks import doubt, remarks
from .store.db import Store, Unavailable
from .store.games import Game, Games, Seat
from .store.inbox import TRIES, Claimed, Filed, Inbox, State
from .ticks import Ticks
from .writing import Cause, Writer, salted

log = logging.getLogger("pbem.intake")

opened = lru_cache(maxsize=1)(Mail)
"""A mail from its bytes; it is claimed and carried out one right after the other."""


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
        campaigns: Campaigns,
        reach: Reach,
        ticks: Ticks,
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
        self.reach = reach
        self.ticks = ticks
        self.holding = Holding(store, writer, config)
        self.personal = Personal(people, reach, self.holding)
        self.play = Play(games, writer, moves, self.personal)
        self.moderation = Moderation(games, people, writer, moves, joining, campaigns)

    # taking in

    def take(self, fetched: Fetched) -> Claimed | None:
        """Claim a mail that a source has; None if it is done with already, or was set aside now."""
        mail = opened(fetched.raw)
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
        person = next(iter(self.people.at(mail.sender.address)), None)
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
        mail = opened(claimed.raw)
        kind = classify(mail, self.writer.us)
        cause = Cause(f"i{claimed.id}", claimed.id, mail.header("message-id"), mail.subject)
        match kind:
            case Kind.ORDERS:
                return self._from_person(mail, cause, claimed, now)
            case Kind.UNSUBSCRIBE:
                return self._unsubscribe(mail, cause, now)
            case Kind.BOUNCE | Kind.COMPLAINT:
                return self.reach.returned(mail, kind, claimed.id, now)
            case Kind.AUTO_REPLY if is_absence(mail):
                return self.reach.away(mail, Cause(cause.name, claimed.id), now)
        return Filed(kind)

    def _again(self, earlier: int, cause: Cause, now: datetime) -> Filed:
        """The same mail a second time: nothing is done, and its sender is told, once a day."""
        row = self.store.one("select person, game from inbox where id = ?", earlier)
        if (
            row is not None
            and row["person"] is not None
            and not self.holding.told_today(row["person"], "again", now)
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

    def _unsubscribe(self, mail: Mail, cause: Cause, now: datetime) -> Filed:
        """A mail to our stop address. Its token proves it; without one a person only hears how to do it."""
        found = identify(mail, self.writer.us, self.writer.tokens, b"", (Purpose.STOP,))
        there = self.people.at(mail.sender.address)
        token = found.token
        if token is not None and all(p.id != token.person for p in there):
            return Filed(Kind.UNSUBSCRIBE, "the address is not that of the token", State.HELD)
        proved = [p for p in there if token is None or p.id == token.person]
        if not proved:
            return Filed(Kind.UNSUBSCRIBE, "nobody known")
        person = proved[0]
        if token is None and not self._vouched(found):
            if not self.holding.told_today(person.id, "unproved", now):
                told = Text(
                    "Somebody asked in your name that no more mail is sent to you. Nothing was changed."
                )
                ways = Text("If it was you, please answer one of my letters with the word stop.")
                headline = Text("No more mail?")
                self.writer.notice(person, None, headline, (told, ways), cause, now, kind="unproved")
            return Filed(Kind.UNSUBSCRIBE, "nothing shows who wrote it", State.HELD, person=person.id)
        for one in proved:
            self.reach.stop(one, cause, now)
        told = Text("You get no more mail from here, except answers. Write start to get it again.")
        self.writer.notice(person, None, Text("No more mail"), (told,), cause, now, kind="receipt")
        return Filed(Kind.UNSUBSCRIBE, person=person.id)

    def _vouched(self, identity: Identity) -> bool:
        """Whether our own server, or this machine, says that the sender is who it says."""
        return identity.dmarc == "pass" or (identity.dmarc is None and self.config.mail.source == "embedded")

    def _from_person(self, mail: Mail, cause: Cause, claimed: Claimed, now: datetime) -> Filed:
        if (proof := self._given(mail)) is not None:
            return self._proved(proof, claimed, now)
        identity = self._identity(mail)
        token = identity.token
        owner = self._owner(token) if token else None
        there = self.people.at(identity.sender)
        persons = [owner] if owner else [] if token else there
        registered = [a for p in persons for a in self.people.addresses(p.id)]
        match verdict(identity, registered):
            case Verdict.APPLY if persons:
                return self._recognised(mail, identity, persons, cause, claimed, now)
            case Verdict.HOLD | Verdict.CODE if persons:
                return self.holding.hold(claimed, identity, persons[0], cause, now)
            case Verdict.REFUSE:
                return self.holding.refuse(identity, there, cause, now)
        return self.holding.stranger(identity, cause, now)

    def _identity(self, mail: Mail) -> Identity:
        identity = identify(mail, self.writer.us, self.writer.tokens, self._salt)
        if identity.token is None and self._vouched(identity):
            return dataclasses.replace(identity, dmarc="pass")
        return identity

    # held mails, and the codes that release them

    def _given(self, mail: Mail) -> tuple[Proof, Given] | None:
        """The code that a mail gives back, in its writer's own words."""
        if not may_hold_one(mail.text):
            return None
        reply = ReplyReader(
            self.config.mail.name, self.writer.us.domain, lambda line: line if given(line) else None
        ).read(mail)
        for line in reply.orders:
            said = given(line)
            proof = self.holding.proofs.find(said.code) if said else None
            if said is not None and proof is not None:
                return proof, said
        return None

    def _proved(self, found: tuple[Proof, Given], claimed: Claimed, now: datetime) -> Filed:
        """Do what a code releases. Whoever has it can read the letter it stood in."""
        proof, said = found
        person = self.people.get(proof.person)
        cause = Cause(f"i{claimed.id}", claimed.id)
        if proof.used or proof.expires <= now:
            why = (
                Text("This code was used already.") if proof.used else Text("This code is older than a day.")
            )
            more = Text("Nothing was done. Please write again what you wanted.")
            self.writer.notice(
                person, None, Text("Not done: the code"), (why, more), cause, now, kind="receipt"
            )
            return Filed("code", "used or too old", person=person.id)
        self.holding.proofs.use(proof, now)
        if proof.kind is not ProofKind.MAIL:
            self.personal.confirmed(person, proof, cause, now)
            return Filed("code", proof.kind, person=person.id)
        held = int(proof.subject)
        if self.inbox.state(held) is not State.HELD:
            return Filed("code", f"mail {held} was dropped meanwhile", person=person.id)
        filed = self.release(person, held, Cause(f"i{claimed.id}", held), now, always=said.always)
        return Filed("code", f"released mail {held}", game=filed.game, person=person.id)

    def release(
        self, person: Person, number: int, cause: Cause, now: datetime, *, always: bool = False
    ) -> Filed:
        """Work on a mail that was held, now that somebody has proved whose it is; inside `tx`."""
        held = self.inbox.get(number)
        mail = Mail(held.raw)
        identity = self._identity(mail)
        if always and identity.token is not None:
            self.people.may_write_from(person.id, identity.sender, now)
        cause = Cause(cause.name, held.id, mail.header("message-id"), mail.subject)
        filed = self._recognised(mail, identity, [person], cause, held, now)
        self.inbox.file(held.id, filed.state, filed.kind, filed.reason, filed.game, filed.person)
        return filed

    def knows_token(self, word: str) -> bool:
        """Whether a word is a token of ours that is good now, whatever for. Raises `Unavailable`."""
        return self.writer.tokens.read(word, self._salt) is not None

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

    def _recognised(
        self,
        mail: Mail,
        identity: Identity,
        persons: Sequence[Person],
        cause: Cause,
        claimed: Claimed,
        now: datetime,
    ) -> Filed:
        """A mail that is surely one of these persons'; several, where they share a mailbox and no token tells."""
        person, game, role = self._which_game(identity.token, persons)
        cause.digest = identity.token.digest if identity.token else None
        for one in persons if len(persons) == 1 else [person] if person else []:
            self.reach.heard(one, Cause(f"{cause.name}.h", claimed.id), now)
        if person is None or game is None:
            return self._which(persons, mail, cause, now)
        if role is not None:
            word = self._moderate(game, role, person, mail, cause, now)
            return Filed("moderator", word, game=game.id, person=person.id)
        seat = self.games.seat_of(game.id, person.id)
        if seat is None:
            return Filed("orders", "no seat any more", State.HELD, game.id, person.id)
        self.ticks.before(game, claimed.arrived)
        game = self.games.get(game.id)
        word = self._seat_mail(game, self.games.seat(game.id, seat.name), person, mail, cause, claimed, now)
        return Filed("orders", word, game=game.id, person=person.id)

    def _which_game(
        self, token: Token | None, persons: Sequence[Person]
    ) -> tuple[Person | None, Game | None, Role | None]:
        """D-21: by the token; else the only game, or the only open question, of these persons."""
        if token is not None and token.game:
            person = persons[0]
            game = self.games.get(token.game)
            role = self.people.role_of(game.id, person.id, "moderator")
            return person, game, role if token.purpose is Purpose.MODERATOR else None
        found = [(p, g) for p in persons for g in self._candidates(p)]
        if len(found) > 1:
            asked = [
                (p, g)
                for p, g in found
                if any(self._sits(g, q.seat, p) for q in self.games.open_questions(g.id))
            ]
            found = asked if len(asked) == 1 else found
        if len(found) != 1:
            return None, None, None
        person, game = found[0]
        seat = self.games.seat_of(game.id, person.id)
        return person, game, None if seat else self.people.role_of(game.id, person.id, "moderator")

    def _candidates(self, person: Person) -> list[Game]:
        games = [self.games.get(n) for n in self.people.games_of(person.id)]
        return [g for g in games if g.state in ("inviting", "playing")]

    def _sits(self, game: Game, seat: str, person: Person) -> bool:
        found = self.games.seat_of(game.id, person.id)
        return found is not None and found.name == seat

    def _which(self, persons: Sequence[Person], mail: Mail, cause: Cause, now: datetime) -> Filed:
        person = persons[0]
        titles = tuple(dict.fromkeys(g.title for p in persons for g in self._candidates(p)))
        lines: tuple[Text, ...] = (Text("You have no game here that is going on."),)
        if titles and len(persons) > 1:
            lines = (
                Text(
                    "{who} share this mailbox, and I cannot tell whose mail this is. Nothing was done.",
                    who=tuple(p.name for p in persons),
                ),
                Text("Please answer a letter to the one of you who writes."),
            )
        elif titles:
            lines = (
                Text(
                    "I cannot tell which of your games this is for: {games}. Nothing was done.", games=titles
                ),
                Text("Please answer the last letter of that game."),
            )
        if self.reach.answers_left(person, now):
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
        reply = self._read(lines, mail)
        if game.state == "inviting" and self._invitation_answered(game, seat, person, reply, cause, now):
            return "invitation"
        if reply.disagree:
            return self._disagrees(game, seat, person, cause, now)
        earlier = self.inbox.rewritten(claimed, person.id)
        if earlier is not None and self._read(lines, Mail(earlier[1])).orders == reply.orders:
            return self._again(earlier[0], cause, now).reason
        return self.play.handle(game, seat, person, reply, lines, cause, now)

    def _read(self, lines: Lines, mail: Mail) -> Reply:
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
        found = (command(e.order if isinstance(e, Ordered) else e.line) for e in reply.lines)
        verbs = {own.verb for own in found if own is not None} & {Verb.JOIN, Verb.DECLINE}
        if len(verbs) == 2:  # our own letter lists both, so an answer with an unmarked copy of it holds both
            said = Text(
                "Your mail holds both join and decline, so I do not know which you mean. Nothing was done."
            )
            again = Text("Please answer with one of the two words, and without my letter below it.")
            headline = Text("Question: join or decline?")
            self.writer.notice(person, game, headline, (said, again), cause, now, seat=seat, kind="receipt")
            return True
        if Verb.JOIN in verbs and seat.answered != "joined":
            self.joining.joined(game, seat, person, reply, cause, now)
            return True
        if Verb.DECLINE in verbs and seat.answered != "declined":
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
        headline = Text("Question: which orders do you mean?")
        if self.reach.answers_left(person, now):
            self.writer.notice(person, game, headline, lines, cause, now, seat=seat, kind="receipt")
        return "the two parts disagree"

    # a moderator's mail

    def _moderate(
        self, game: Game, role: Role, person: Person, mail: Mail, cause: Cause, now: datetime
    ) -> str:
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
            if (own := command(line)) is not None and own.verb in PERSONAL:
                settled = self.personal.settle(person, own, cause, now)
                results.append(Result(line, settled.said, settled.good, instead=list(settled.instead)))
                continue
            ruling = self.moderation.rule(game, chair, line, cause, now)
            game = self.games.get(game.id)
            head, *rest = ruling.said
            instead = [Text("{line}", line=i) for i in ruling.instead]
            results.append(Result(line, head, ruling.good, not ruling.good, told=rest, instead=instead))
            if not ruling.good:
                break
        useless = not results
        if not useless or self.reach.answers_left(person, now):
            self._moderator_receipt(game, role, person, reply, results, cause, now)
        return "nothing" if useless else ""

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
    if (own := command(line)) is not None and own.verb in PERSONAL:
        return line
    try:
        parse(line)
    except NotUnderstood as e:
        if e.verb_known:
            raise Attempt(e, line) from e
        return None
    return line
