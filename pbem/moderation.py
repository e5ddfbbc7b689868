"""What a moderator may do: each an entry in the game's log, each told to the table, none behind its back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

import msgspec

from . import clocks
from .answers import Answers
from .campaigns import Campaigns, Sequel
from .catalogue import lexicon
from .digests import render
from .engine.core.canon import canonical, fingerprint
from .engine.core.commands import Unclear, read
from .engine.core.ruleset import BadPath
from .engine.core.slots import NotOpen
from .engine.core.text import Text
from .grammar import SHAPES, NotUnderstood, Order, parse
from .joining import BadGame, Joining
from .moves import Moves
from .orders import Command, Verb
from .people import BadPerson, People, Person, parse_person
from .store.db import stamp
from .store.games import Game, Games, pack, unpack
from .writing import Cause, Writer


class Refused(Exception):
    """It is not done. `why` is for the moderator, `instead` what could be written."""

    def __init__(self, why: Text, instead: tuple[str, ...] = ()) -> None:
        super().__init__(why)
        self.why = why
        self.instead = instead


@dataclass(slots=True)
class Ruling:
    """What came of one line."""

    said: list[Text] = field(default_factory=list)
    good: bool = True
    instead: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Chair:
    """Who moderates: a person by mail, or the host (`person` None) on the command line."""

    name: str
    person: int | None


class Moderation:
    """Carries out a moderator's lines, inside the caller's transaction."""

    def __init__(
        self,
        games: Games,
        people: People,
        writer: Writer,
        moves: Moves,
        joining: Joining,
        campaigns: Campaigns,
    ) -> None:
        self.games = games
        self.people = people
        self.writer = writer
        self.moves = moves
        self.joining = joining
        self.campaigns = campaigns
        self.answers = Answers(games, writer)

    def rule(self, game: Game, chair: Chair, line: str, cause: Cause, now: datetime) -> Ruling:
        """Do one line; what is refused changes nothing."""
        try:
            order = parse(line)
            with self.games.store.db.atomic():
                return Ruling(self._carry_out(game, chair, order, cause, now))
        except NotUnderstood as e:
            return Ruling([Text("NOT DONE: {why}.", why=e.why)], False, e.instead)
        except Refused as e:
            self.games.forget(game.id)
            return Ruling([Text("NOT DONE: {why}.", why=e.why)], False, e.instead)

    def _carry_out(self, game: Game, chair: Chair, order: Order, cause: Cause, now: datetime) -> list[Text]:
        act = getattr(self, f"_{order.verb}")
        said: list[Text] = act(game, chair, order, cause, now)
        return said

    def _tell(self, game: Game, chair: Chair, what: Text, cause: Cause, now: datetime, *more: Text) -> None:
        """A notice to the table, the moderator left out, who has the receipt."""
        self.writer.table_notice(
            game, Text("From your moderator"), (what, *more), cause, now, (chair.person,)
        )

    def _log_entry(self, game: Game, chair: Chair, kind: str, data: Any, cause: Cause, now: datetime) -> int:
        return self.games.write_log(game.id, kind, chair.name, data, now, cause.inbox)

    def _seat(self, game: Game, name: str) -> str:
        found = [s for s in game.seats if s.casefold().startswith(name.casefold())]
        exact = [s for s in game.seats if s.casefold() == name.casefold()]
        if len(exact or found) != 1:
            raise Refused(
                Text("there is no seat “{name}”; there are {seats}", name=name, seats=tuple(game.seats))
            )
        return (exact or found)[0]

    def _must_play(self, game: Game) -> None:
        if game.state != "playing":
            raise Refused(Text("“{title}” is not being played", title=game.title))

    # the clock

    def _pause(self, game: Game, chair: Chair, order: Order, cause: Cause, now: datetime) -> list[Text]:
        self._must_play(game)
        if game.paused is not None:
            raise Refused(Text("the table is paused already"), (SHAPES["resume"],))
        self.pause(game, chair, cause, now)
        return [Text("The table is paused.")]

    def pause(self, game: Game, chair: Chair, cause: Cause, now: datetime, *why: Text) -> None:
        """Stop a table's clocks and tell it, with the reason if there is one."""
        self.games.store.run("update game set paused = ? where id = ?", stamp(now), game.id)
        game.paused = now
        self.games.touch(game)
        self._log_entry(game, chair, "pause", {}, cause, now)
        paused = Text("The table is paused. No clock runs, and no orders are taken until it goes on.")
        self._tell(game, chair, paused, cause, now, *why)

    def _resume(self, game: Game, chair: Chair, order: Order, cause: Cause, now: datetime) -> list[Text]:
        if game.paused is None:
            raise Refused(Text("the table is not paused"))
        by = now - game.paused
        self.games.store.run("update game set paused = null where id = ?", game.id)
        game.paused = None
        moved = clocks.shift(self.games.store, game, by)
        self.games.touch(game)
        self._log_entry(game, chair, "resume", {"seconds": int(by.total_seconds())}, cause, now)
        self._tell(
            game,
            chair,
            Text("The table goes on. Deadlines have moved by the length of the pause."),
            cause,
            now,
        )
        self._ask_again(game, cause, now)
        return [
            Text(
                "The table goes on; {n} deadline has moved.",
                "The table goes on; {n} deadlines have moved.",
                n=moved,
            )
        ]

    def _ask_again(self, game: Game, cause: Cause, now: datetime) -> None:
        """A fresh digest to everybody who is asked."""
        table = self.games.table(game)
        for name in table.open:
            self.writer.digest(game, table, self.games.seat(game.id, name), cause, now)

    def _extend(self, game: Game, chair: Chair, order: Order, cause: Cause, now: datetime) -> list[Text]:
        self._must_play(game)
        everybody = order.who.casefold() in ("all", "everybody", "todos")
        seat = "" if everybody else self._seat(game, order.who)
        moved: list[str] = []
        due = now
        for q in self.games.open_questions(game.id):
            if q.due is not None and (everybody or q.seat == seat):
                due = clocks.due(game, max(q.due, now) if q.late else q.due, order.span)
                self.games.store.run(
                    "update question set due = ?, late = null, reminded = null where id = ?", stamp(due), q.id
                )
                moved.append(q.seat)
        if not moved:
            raise Refused(Text("{who} is not asked anything now", who=order.who))
        self.games.touch(game)
        self._log_entry(
            game, chair, "extend", {"seats": moved, "minutes": order.span.total_seconds() / 60}, cause, now
        )
        zone = game.table.zone
        at = render.when(due, zone, game.table.language)
        what = Text("{who} may now answer until {at}, {zone} time.", who=tuple(moved), at=at, zone=zone)
        self._tell(game, chair, what, cause, now)
        return [what]

    def _remind(self, game: Game, chair: Chair, order: Order, cause: Cause, now: datetime) -> list[Text]:
        self._must_play(game)
        table = self.games.table(game)
        wanted = [self._seat(game, order.who)] if order.who else list(table.open)
        asked = [name for name in wanted if name in table.open]
        if not asked:
            raise Refused(Text("{who} is not asked anything now", who=tuple(wanted)))
        for name in asked:
            self.writer.digest(game, table, self.games.seat(game.id, name), cause, now)
        self._log_entry(game, chair, "remind", {"seats": asked}, cause, now)
        self._tell(game, chair, Text("{who} was reminded.", who=tuple(asked)), cause, now)
        return [Text("{who} got the question again.", who=tuple(asked))]

    # moves

    def _answer(self, game: Game, chair: Chair, order: Order, cause: Cause, now: datetime) -> list[Text]:
        self._must_play(game)
        name = self._seat(game, order.who)
        table = self.games.table(game)
        ask = table.open.get(name)
        if ask is None:
            raise Refused(
                Text(
                    "{who} is not asked anything now; the table waits for {others}",
                    who=name,
                    others=tuple(table.open),
                )
            )
        try:
            said = read(order.rest, ask, lexicon)
            table.answer(name, said.pick, "moderator")
        except (Unclear, NotOpen) as e:
            raise Refused(e.why) from e
        self._log_entry(game, chair, "answer", {"seat": name, "pick": said.pick}, cause, now)
        self.moves.unpark(game, name)
        self.moves.settle(game, table, cause, now)
        seat = self.games.seat(game.id, name)
        told = Text("Your moderator has answered for you: {words}.", words=said.words)
        self._person_notice(game, seat.person, told, cause, now, name)
        what = Text("The moderator has answered for {who}.", who=name)
        skip = (chair.person, seat.person)
        self.writer.table_notice(game, Text("From your moderator"), (what,), cause, now, skip)
        return [Text("Answered for {who}: {words}.", who=name, words=said.words)]

    def _person_notice(
        self, game: Game, person: int | None, told: Text, cause: Cause, now: datetime, seat: str
    ) -> None:
        if person is not None:
            self.writer.notice(
                *(self.people.get(person), game, Text("The moderator acted for you"), (told,), cause, now),
                seat=self.games.seat(game.id, seat),
            )

    def _rewind(self, game: Game, chair: Chair, order: Order, cause: Cause, now: datetime) -> list[Text]:
        if not game.begun:
            raise Refused(Text("“{title}” is not being played", title=game.title))
        answers = self.games.answers(game.id)
        if self.campaigns.followed(game):
            raise Refused(
                Text("the next game of its campaign has been called, and begins with how this one ended")
            )
        if not 1 <= order.number <= len(answers):
            raise Refused(
                Text("there are answers 1 to {n}; write log to see them", n=len(answers)), ("log 30",)
            )
        self._await_confirm(game, chair, "rewind", {"to": order.number}, now)
        gone = answers[order.number - 1 :]
        lines = [Text("Rewinding to {n} would take back:", n=order.number)]
        lines += [
            Text("{n}: {who} answered “{key}”", n=n, who=e.seat, key=e.key)
            for n, (_, e) in enumerate(gone[:20], order.number)
        ]
        lines += self._difference(game, gone[0][0])
        lines.append(Text("Write confirm to do it. Dice that were rolled since will be rolled anew."))
        return lines

    def _difference(self, game: Game, answer: int) -> list[Text]:
        """What the table would look like, on the paths that everybody may see."""
        then = self._state_before(game, answer)
        now = self.games.table(game).g
        rules = game.rules
        lines = []
        for info in rules.paths(now):
            if info.hidden:
                continue
            try:
                old, new = rules.read(then, info.path), rules.read(now, info.path)
            except BadPath:
                continue
            if old != new:
                lines.append(
                    Text("{path}: {new} becomes {old}", path=info.path, new=_shown(new), old=_shown(old))
                )
        return lines[:40]

    def _state_before(self, game: Game, answer: int) -> Any:
        store = self.games.store
        row = store.one("select step from answer where id = ?", answer)
        assert row is not None
        saved = store.one(
            "select saved from step where game = ? and n = ? and void is null", game.id, row["step"]
        )
        assert saved is not None
        return game.rules.load(unpack(saved["saved"]))

    def _await_confirm(self, game: Game, chair: Chair, kind: str, data: Any, now: datetime) -> None:
        store = self.games.store
        store.run("delete from pending where game = ? and kind in ('rewind', 'correct')", game.id)
        store.run(
            "insert into pending (game, kind, who, data, revision, at) values (?, ?, ?, ?, ?, ?)",
            *(game.id, kind, chair.name, canonical(data).decode(), game.revision, stamp(now)),
        )

    def _confirm(self, game: Game, chair: Chair, order: Order, cause: Cause, now: datetime) -> list[Text]:
        kind, data = self._taken_pending(game, chair)
        if kind == "rewind":
            return self._really_rewind(game, chair, int(data["to"]), cause, now)
        return self._really_correct(game, chair, data, cause, now)

    def _taken_pending(self, game: Game, chair: Chair) -> tuple[str, Mapping[str, Any]]:
        store = self.games.store
        row = store.one("select * from pending where game = ? and kind in ('rewind', 'correct')", game.id)
        if row is None:
            raise Refused(Text("there is nothing to confirm"), (SHAPES["rewind"], SHAPES["correct"]))
        store.run("delete from pending where id = ?", row["id"])
        if row["who"] != chair.name:
            raise Refused(Text("{who} has asked for this, and only they may confirm it", who=row["who"]))
        if row["revision"] != game.revision:
            raise Refused(Text("the game has moved on meanwhile; ask for it again to see the new difference"))
        return row["kind"], msgspec.json.decode(row["data"])

    def _really_rewind(self, game: Game, chair: Chair, to: int, cause: Cause, now: datetime) -> list[Text]:
        row, entry = self.games.answers(game.id)[to - 1]
        log = self._log_entry(game, chair, "rewind", {"to": to, "answer": row}, cause, now)
        self.games.void_from(game, row, log, new_epoch=True)
        self.drop_parked(game, cause, now)
        table = self.games.table(game)
        self.moves.settle(game, table, cause, now)
        what = Text(
            "The game was taken back to answer {n}, which {who} gave. Everything since then is void, and dice"
            " are rolled anew.",
            n=to,
            who=entry.seat,
        )
        self._tell(game, chair, what, cause, now)
        return [what]

    def drop_parked(self, game: Game, cause: Cause, now: datetime) -> None:
        """Parked lines do not survive a repair; their owners are told (D-6)."""
        rows = self.games.store.all("select id, seat, lines from parked where game = ?", game.id)
        self.moves.drop(game, rows, Text("Your parked lines were dropped: {lines}."), cause, now)

    # repairs

    def _correct(self, game: Game, chair: Chair, order: Order, cause: Cause, now: datetime) -> list[Text]:
        self._must_play(game)
        data = {"path": order.path, "value": _value(order.value), "because": order.rest}
        old = self._checked(game, data)
        table = self.games.table(game)
        if not table.tape:
            return self._really_correct(game, chair, data, cause, now)
        self._await_confirm(game, chair, "correct", data, now)
        who = tuple(dict.fromkeys(e.seat for e in table.tape if e.seat in game.seats))
        return [
            Text(
                "{path} was {old} when this action began and would be {new}.",
                path=order.path,
                old=_shown(old),
                new=order.value,
            ),
            Text("An action is under way; {who} would have to answer anew.", who=who),
            Text("Write confirm to void the action and correct now, or later to correct when it has ended."),
        ]

    def _checked(self, game: Game, data: Mapping[str, Any]) -> Any:
        """The old value at a path that may be corrected; raises `Refused` for what cannot be done."""
        g = self._corrected(game, data)
        path = data["path"]
        hidden = next((i.hidden for i in game.rules.paths(g) if i.path.casefold() == path.casefold()), False)
        if hidden:
            raise Refused(Text("{path} is hidden while the game is sealed", path=path))
        return game.rules.read(self._border_state(game), path)

    def _border_state(self, game: Game) -> Any:
        row = self._border(game)
        return game.rules.load(unpack(row["saved"]))

    def _border(self, game: Game) -> Any:
        return self.games.store.one(
            "select id, n, saved from step where game = ? and void is null order by n desc limit 1", game.id
        )

    def _corrected(self, game: Game, data: Mapping[str, Any]) -> Any:
        g = self._border_state(game)
        try:
            game.rules.read(g, data["path"])
            game.rules.write(g, data["path"], data["value"])
            game.rules.check(g)
        except BadPath as e:
            raise Refused(e.why, e.near) from e
        except AssertionError as e:
            raise Refused(Text("then pieces would be lost or doubled: {why}", why=str(e))) from e
        return g

    def _later(self, game: Game, chair: Chair, order: Order, cause: Cause, now: datetime) -> list[Text]:
        kind, data = self._taken_pending(game, chair)
        if kind != "correct":
            raise Refused(Text("only a correction can wait"))
        step = self.games.table(game).step
        self.games.store.run(
            "insert into pending (game, kind, who, data, revision, at) values (?, 'queued', ?, ?, ?, ?)",
            *(game.id, chair.name, canonical(dict(data)).decode(), step, stamp(now)),
        )
        return [Text("It is corrected as soon as the present action has ended.")]

    def queued(self, game: Game, cause: Cause, now: datetime) -> None:
        """Carry out corrections that waited for an action to end."""
        for row in self.games.store.all("select * from pending where game = ? and kind = 'queued'", game.id):
            if self.games.table(game).step <= row["revision"]:
                continue
            self.games.store.run("delete from pending where id = ?", row["id"])
            chair = Chair(row["who"], None)
            try:
                self._really_correct(game, chair, msgspec.json.decode(row["data"]), cause, now)
            except Refused as e:
                lost = Text("The correction that waited could not be made: {why}.", why=e.why)
                self.writer.to_moderators(game, Text("A correction failed"), (lost,), cause, now)

    def _really_correct(
        self, game: Game, chair: Chair, data: Mapping[str, Any], cause: Cause, now: datetime
    ) -> list[Text]:
        row = self._border(game)
        old = game.rules.read(self._border_state(game), data["path"])
        saved = game.rules.dump(self._corrected(game, data))
        store = self.games.store
        log = self._log_entry(
            game, chair, "correct", {**data, "step": row["n"], "checkpoint": row["id"]}, cause, now
        )
        store.run("update step set void = ? where id = ?", log, row["id"])
        store.run(
            "update answer set void = ? where game = ? and step = ? and void is null", log, game.id, row["n"]
        )
        store.run(
            "update fact set void = ? where game = ? and step = ? and void is null", log, game.id, row["n"]
        )
        store.run(
            "insert into step (game, n, saved, hash, ruling, version, position, at)"
            " select game, n, ?, ?, ruling, version, position, ? from step where id = ?",
            *(pack(saved), fingerprint(saved), stamp(now), row["id"]),
        )
        store.run("update question set closed = ? where game = ? and closed is null", stamp(now), game.id)
        self.games.touch(game)
        self.games.forget(game.id)
        self.drop_parked(game, cause, now)
        what = Text(
            "{path} was corrected from {old} to {new}, because {why}.",
            path=data["path"],
            old=_shown(old),
            new=_shown(data["value"]),
            why=data["because"],
        )
        self._tell(game, chair, what, cause, now)
        table = self.games.table(game)
        table.news.told = list(table.told)  # what the action tells at its beginning is told anew
        self.moves.settle(game, table, cause, now)
        return [what]

    # people and press

    def _announce(self, game: Game, chair: Chair, order: Order, cause: Cause, now: datetime) -> list[Text]:
        self._log_entry(game, chair, "announce", {"text": order.rest}, cause, now)
        self._tell(game, chair, Text("{text}", text=order.rest), cause, now)
        return [Text("Announced to the table.")]

    def _robot(self, game: Game, chair: Chair, order: Order, cause: Cause, now: datetime) -> list[Text]:
        name = self._seat(game, order.who)
        if game.state != "inviting":
            raise Refused(Text("a robot can take a seat only before the game begins"))
        robot = next(iter(game.rules.robots))
        self.games.store.run(
            "update seat set robot = ?, person = null, salt = salt + 1, answered = 'joined'"
            " where game = ? and name = ?",
            *(robot, game.id, name),
        )
        self._log_entry(game, chair, "robot", {"seat": name}, cause, now)
        self._tell(game, chair, Text("A robot takes the seat of {who}.", who=name), cause, now)
        self.joining.begin_if_all_are_here(game, cause, now)
        return [Text("A robot takes the seat of {who}.", who=name)]

    def _replace(self, game: Game, chair: Chair, order: Order, cause: Cause, now: datetime) -> list[Text]:
        name = self._seat(game, order.who)
        if game.state != "inviting":
            raise Refused(Text("a seat can be given to somebody else only before the game begins"))
        try:
            new_name, address = parse_person(order.rest)
        except BadPerson as e:
            raise Refused(Text("{why}", why=str(e))) from e
        person = self.people.register(new_name, address, game.table.language, game.table.zone, now)
        if self.games.seat_of(game.id, person.id) is not None:
            raise Refused(Text("{who} has a seat at this table already", who=person.name))
        self.joining.hand_over(game, name, person, cause, now)
        self._log_entry(game, chair, "replace", {"seat": name, "person": person.id}, cause, now)
        if shared := self.joining.shared_mailboxes(game):
            self._tell(game, chair, shared[0], cause, now, *shared[1:])
        return [Text("{who} was invited to the seat of {seat}.", who=person.name, seat=name)]

    def _cancel(self, game: Game, chair: Chair, order: Order, cause: Cause, now: datetime) -> list[Text]:
        if game.state != "inviting":
            raise Refused(Text("only a game that has not begun can be called off"))
        self.games.store.run(
            "update game set state = 'cancelled', ended = ? where id = ?", stamp(now), game.id
        )
        self.games.touch(game)
        self._log_entry(game, chair, "cancel", {}, cause, now)
        self._tell(game, chair, Text("The game was called off before it began."), cause, now)
        return [Text("The game is called off.")]

    def _next(self, game: Game, chair: Chair, order: Order, cause: Cause, now: datetime) -> list[Text]:
        if game.campaign is None:
            raise Refused(Text("“{title}” belongs to no campaign", title=game.title))
        people = order.rest.split(",") if order.rest else None
        try:
            found = self.campaigns.next(self.campaigns.get(game.campaign), Sequel(people), now)
        except BadGame as e:
            raise Refused(Text("{why}", why=str(e))) from e
        self._log_entry(game, chair, "next", {"game": found.id}, cause, now)
        return [Text("These are invited to “{title}”: {who}.", title=found.title, who=tuple(found.seats))]

    def _join(self, game: Game, chair: Chair, order: Order, cause: Cause, now: datetime) -> list[Text]:
        self.games.store.run(
            "update role set joined = 1 where game = ? and person is ? and role = 'moderator'",
            game.id,
            chair.person,
        )
        return [
            Text("You are the moderator of “{title}”.", title=game.title),
            *self._help(game, chair, order, cause, now),
        ]

    # looking

    def _status(self, game: Game, chair: Chair, order: Order, cause: Cause, now: datetime) -> list[Text]:
        section = self.answers.section(game, None, Command(Verb.STATUS), self._eyes(chair, game), now)
        return list(section.lines)

    def _eyes(self, chair: Chair, game: Game) -> Person:
        if chair.person is not None:
            return self.people.get(chair.person)
        return Person(0, chair.name, "", game.table.language, game.table.zone, False)

    def _log(self, game: Game, chair: Chair, order: Order, cause: Cause, now: datetime) -> list[Text]:
        answers = list(enumerate(self.games.answers(game.id), 1))
        shown = answers[-(order.number or 20) :]
        if not shown:
            return [Text("Nobody has answered anything yet.")]
        return [Text("{n}: {who} answered “{key}”", n=n, who=e.seat, key=e.key) for n, (_, e) in shown]

    def _help(self, game: Game, chair: Chair, order: Order, cause: Cause, now: datetime) -> list[Text]:
        return [Text("A moderator may write:"), *(Text("{line}", line=line) for line in SHAPES.values())]


def _value(text: str) -> Any:
    """A value as a scenario file would have it: a number, true or false, or words."""
    said = text.strip().strip("\"'")
    if said.lstrip("-").isdecimal():
        return int(said)
    return {"true": True, "false": False, "yes": True, "no": False}.get(said.casefold(), said)


def _shown(value: Any) -> str:
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()
