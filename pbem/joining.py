"""How a game comes together: invitations, the rehearsal that the first answer is, and the start (D-42)."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from .catalogue import sayer
from .config import Config, Table
from .engine.core.ruleset import BadSetup, Ruleset
from .engine.core.text import Text
from .mail.headers import same_form
from .mail.reading import Reason, Reply
from .moves import Moves
from .people import BadPerson, People, Person, parse_person
from .store.db import stamp
from .store.games import Game, Games, Seat
from .writing import Cause, Writer


@dataclass(frozen=True, slots=True)
class Invitation:
    """What `pbem new` was asked for."""

    ruleset: Ruleset[Any]
    title: str
    seats: Sequence[str]
    moderators: Sequence[str] = ()
    observers: Sequence[str] = ()
    robots: Mapping[str, str] = field(default_factory=dict)
    """Seats that a robot takes: name of the seat, name of the robot."""
    options: Mapping[str, str] = field(default_factory=dict)
    data: Any = None
    table: Table | None = None
    shared: bool = False
    """Whether two seats may have one mailbox."""
    campaign: int | None = None
    """The campaign that it goes on with; without one a campaign begins, where the game has campaigns."""
    legacy: int | None = None
    """The row of what the game before has left."""
    seed: bytes = field(default_factory=lambda: secrets.token_bytes(32))
    """All chance of the game follows from it; given only where a game is to be the same again."""


class BadGame(Exception):
    """A game cannot be set up like this; the text says why and what to write instead."""


class Joining:
    """Brings tables together, inside the caller's transaction."""

    def __init__(self, games: Games, people: People, writer: Writer, moves: Moves, config: Config) -> None:
        self.games = games
        self.people = people
        self.writer = writer
        self.moves = moves
        self.config = config

    def new(self, asked: Invitation, now: datetime) -> Game:
        """Make a game and invite everybody; raises `BadGame`."""
        table = asked.table or self.config.table
        seats = [self._person(text) for text in asked.seats]
        names = [name for name, _ in seats] + list(asked.robots)
        self._check(asked, names, [address for _, address in seats])
        campaign = asked.campaign
        if campaign is None and asked.ruleset.campaigns:
            campaign = self.campaign(asked.ruleset, asked.title, now)
        game = self.games.create(
            *(asked.ruleset, asked.title, names, asked.options, asked.data, asked.seed, table, now),
            *(campaign, asked.legacy),
        )
        for name, address in seats:
            person = self.people.register(name, address, table.language, table.zone, now)
            self._seat(game, name, person.id, None)
        for name, robot in asked.robots.items():
            self._seat(game, name, None, robot)
        self._roles(game, "moderator", asked.moderators, now)
        self._roles(game, "observer", asked.observers, now)
        self.games.write_log(game.id, "new", "host", {"seats": names}, now)
        self._invite(game, now)
        if not seats:
            self.begin(game, Cause(f"n{game.id}"), now)
        return game

    def _person(self, text: str) -> tuple[str, str]:
        try:
            return parse_person(text)
        except BadPerson as e:
            raise BadGame(str(e)) from e

    def _check(self, asked: Invitation, names: list[str], addresses: list[str]) -> None:
        folded = [n.casefold() for n in names]
        if len(set(folded)) < len(folded):
            raise BadGame(f"two seats have the same name: {', '.join(names)}; give each its own")
        if len({same_form(a) for a in addresses}) < len(addresses) and not asked.shared:
            raise BadGame(
                "two seats have the same address, so each could read the other's letters; give each its own, or allow"
                " it with --shared, which the table is told"
            )
        self.check_title(asked.title)
        if self.games.store.one("select 1 from game where title = ?", asked.title):
            raise BadGame(f"there is a game “{asked.title}” already; choose another title")
        for name, robot in asked.robots.items():
            if robot not in asked.ruleset.robots:
                there = ", ".join(asked.ruleset.robots)
                raise BadGame(f"there is no robot “{robot}” for {name}; there is: {there}")
        try:
            asked.ruleset.setup(names, asked.options, asked.data, self.games.left(asked.legacy))
        except BadSetup as e:
            raise BadGame(sayer("en")(e.why)) from e

    def check_title(self, title: str) -> None:
        """Raises `BadGame` for what cannot be the title of a game or a campaign."""
        if not title.strip() or len(title) > 60 or not title.isprintable():
            raise BadGame("the title must be one line of 1 to 60 letters, like: --title 'The Long Winter'")

    def campaign(self, rules: Ruleset[Any], title: str, now: datetime) -> int:
        """A new campaign, its row; raises `BadGame` where there is one of that title."""
        if self.games.store.one("select 1 from campaign where title = ?", title):
            raise BadGame(
                f"there is a campaign “{title}” already; choose another title, or go on with it by `pbem next`"
            )
        return self.games.store.run(
            "insert into campaign (title, ruleset, created) values (?, ?, ?)", title, rules.name, stamp(now)
        )

    def _seat(self, game: Game, name: str, person: int | None, robot: str | None) -> None:
        self.games.store.run(
            "insert into seat (game, name, person, robot, answered) values (?, ?, ?, ?, ?)",
            *(game.id, name, person, robot, "joined" if robot else "asked"),
        )

    def _roles(self, game: Game, role: str, people: Sequence[str], now: datetime) -> None:
        for text in people:
            name, address = self._person(text)
            person = self.people.register(name, address, game.table.language, game.table.zone, now)
            self.games.store.run(
                "insert or ignore into role (game, person, role) values (?, ?, ?)", game.id, person.id, role
            )

    def _invite(self, game: Game, now: datetime) -> None:
        cause = Cause(f"n{game.id}")
        for seat in self.games.seats(game.id):
            if seat.person is not None:
                self._invite_one(game, seat, self.people.get(seat.person), cause, now)
        for role in self.people.roles(game.id, "moderator"):
            self._ask_moderator(game, self.people.get(role.person), cause, now)

    def _invite_one(self, game: Game, seat: Seat, person: Person, cause: Cause, now: datetime) -> None:
        self.writer.notice(
            *(person, game, Text("You are invited to a game of {game}", game=game.rules.title)),
            self._invitation(game),
            cause,
            now,
            seat=seat,
            kind="invitation",
            template="invitation",
            more={"form": 1},
        )

    def _invitation(self, game: Game) -> tuple[Text, ...]:
        moderators = self.writer.moderators(game)
        edition = game.rules.edition(game.options, game.data)
        lines = [
            Text(
                "“{title}” is a game of {game} by mail, for {names}.",
                title=game.title,
                game=game.rules.title,
                names=tuple(game.seats),
            ),
            Text(
                "You need no program but this one: you get a mail when you are asked something, and answer it."
            ),
            Text("To take part, answer this mail with the one word join. To stay out, answer decline."),
            Text(
                "Your answer is a rehearsal too: I will tell you how I read it, so that nothing surprises you later."
            ),
        ]
        if moderators:
            lines.insert(1, Text("It is moderated by {who}.", who=moderators))
        if edition is not None:
            lines.append(edition)
        return (*lines, *self.shared_mailboxes(game))

    def shared_mailboxes(self, game: Game) -> tuple[Text, ...]:
        """Who at this table shares a mailbox with whom: everybody may know who can read whose letters."""
        boxes: dict[str, list[str]] = {}
        for seat in self.games.seats(game.id):
            if seat.person is not None:
                form = same_form(self.people.get(seat.person).address)
                boxes.setdefault(form, []).append(seat.name)
        return tuple(
            Text("{who} share one mailbox: each can read the other's letters.", who=tuple(names))
            for names in boxes.values()
            if len(names) > 1
        )

    def _ask_moderator(self, game: Game, person: Person, cause: Cause, now: datetime) -> None:
        role = self.people.role_of(game.id, person.id, "moderator")
        self.writer.notice(
            *(person, game, Text("You moderate “{title}”", title=game.title)),
            (
                Text("You were named as moderator of this game of {game}.", game=game.rules.title),
                Text(
                    "Answer this mail with join to confirm, and by answering my later letters you steer the table."
                ),
                Text("Write help to see what a moderator may do."),
            ),
            cause,
            now,
            role=role,
        )

    # answers to the invitation

    def joined(
        self, game: Game, seat: Seat, person: Person, reply: Reply, cause: Cause, now: datetime
    ) -> None:
        """A seat has said join: the rehearsal's receipt, and the start if all are there."""
        store = self.games.store
        store.run("update seat set answered = 'joined' where game = ? and name = ?", game.id, seat.name)
        self.games.touch(game)
        self.games.write_log(game.id, "join", seat.name, {}, now, cause.inbox)
        missing = tuple(s.name for s in self.games.seats(game.id) if s.answered != "joined")
        lines = rehearsal(reply)
        if missing:
            lines.append(Text("The game begins when these have joined too: {who}.", who=missing))
        else:
            lines.append(Text("All are here: the game begins now."))
        self.writer.notice(
            *(person, game, Text("Welcome, {who}: you have joined", who=seat.name), tuple(lines), cause, now),
            seat=self.games.seat(game.id, seat.name),
            kind="receipt",
        )
        if not missing:
            self.begin(game, cause, now)

    def declined(self, game: Game, seat: Seat, person: Person, cause: Cause, now: datetime) -> None:
        """A seat has said decline: the moderators decide what happens."""
        self.games.store.run(
            "update seat set answered = 'declined' where game = ? and name = ?", game.id, seat.name
        )
        self.games.touch(game)
        self.games.write_log(game.id, "decline", seat.name, {}, now, cause.inbox)
        thanks = (Text("You have declined. If you change your mind before the game begins, answer join."),)
        self.writer.notice(
            person, game, Text("You stay out of this game"), thanks, cause, now, seat=seat, kind="receipt"
        )
        self.missing(game, seat, Text("{who} has declined the invitation.", who=seat.name), cause, now)

    def missing(self, game: Game, seat: Seat, why: Text, cause: Cause, now: datetime) -> None:
        """Somebody is not coming: tell the moderators what they may do."""
        ways = Text(
            "You may write: replace {who} by <name> <address> · robot {who} · cancel game", who=seat.name
        )
        self.writer.to_moderators(
            game, Text("{who} is missing: what now?", who=seat.name), (why, ways), cause, now
        )

    def hand_over(self, game: Game, name: str, person: Person, cause: Cause, now: datetime) -> None:
        """Another person is invited to a seat; the old invitation's token dies."""
        self.games.store.run(
            "update seat set person = ?, robot = null, salt = salt + 1, answered = 'asked' where game = ? and name = ?",
            *(person.id, game.id, name),
        )
        self.games.touch(game)
        self._invite_one(game, self.games.seat(game.id, name), person, cause, now)

    def begin(self, game: Game, cause: Cause, now: datetime) -> None:
        """All are here: set up, play to the first question, send the first digests."""
        table = self.games.begin(game, now)
        game.state = "playing"
        self.games.write_log(game.id, "begin", "table", {}, now, cause.inbox)
        self.moves.settle(game, table, cause, now)

    def begin_if_all_are_here(self, game: Game, cause: Cause, now: datetime) -> None:
        """Start the game once nobody is missing."""
        if game.state == "inviting" and all(s.answered == "joined" for s in self.games.seats(game.id)):
            self.begin(game, cause, now)


def rehearsal(reply: Reply) -> list[Text]:
    """What the runner made of a person's mail program."""
    lines = [Text("This is how I read your mail:")]
    if reply.part == "html":
        lines.append(Text("It came as HTML only; that is fine, I read it like plain text."))
    else:
        lines.append(Text("It came as plain text; that is the best there is."))
    quoted = sum(i.n for i in reply.ignored if i.reason is Reason.QUOTATION)
    if quoted:
        lines.append(
            Text(
                "You quoted {n} line of my mail; I left it out.",
                "You quoted {n} lines of my mail; I left them out.",
                n=quoted,
            )
        )
    signature = next((i.line for i in reply.ignored if i.reason is Reason.SIGNATURE), None)
    if signature is not None:
        lines.append(Text("I took “{line}” for your signature and left it out.", line=signature[:60]))
    if reply.attachments:
        lines.append(Text("Attachments are not read: {names}.", names=reply.attachments))
    return lines
