"""Games in the store: loaded to their open question, written down as they move."""

from __future__ import annotations

import sqlite3
import zlib
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import msgspec

from pbem import __version__
from pbem.engine.core.asks import DICE
from pbem.engine.core.canon import canonical, fingerprint
from pbem.engine.core.chance import Seeded
from pbem.engine.core.facts import Fact, dump_fact, kind_of, load_fact
from pbem.engine.core.ruleset import Ruleset
from pbem.engine.core.table import Entry, News, Table

from .. import config
from .db import Store, instant, stamp

CACHED = 64


@dataclass(slots=True)
class Game:
    """A game's row, with its rules."""

    id: int
    title: str
    rules: Ruleset[Any]
    seats: list[str]
    options: dict[str, str]
    data: Any
    seed: bytes
    epoch: int
    revision: int
    state: str
    paused: datetime | None
    table: config.Table
    campaign: int | None = None
    legacy: int | None = None
    """The row of what the game before has left to this one."""

    @property
    def begun(self) -> bool:
        """Whether there is a position: the game is being played, or was played to its end."""
        return self.state in ("playing", "over")


@dataclass(frozen=True, slots=True)
class Seat:
    """Who sits where."""

    game: int
    name: str
    person: int | None
    robot: str | None
    salt: int
    answered: str
    digests: int
    heard: int


@dataclass(frozen=True, slots=True)
class Question:
    """One open question and its clock."""

    id: int
    game: int
    step: int
    branch: str
    ord: int
    seat: str
    key: str
    kind: str
    opened: datetime
    due: datetime | None
    reminded: datetime | None
    late: datetime | None


@dataclass(frozen=True, slots=True)
class HeardFact:
    """A fact with its number in the game's history."""

    id: int
    fact: Fact
    at: datetime
    void: bool


class Unknown(Exception):
    """No such game or ruleset; the text is for the person who asked."""


class Games:
    """Every game of one store."""

    def __init__(self, store: Store, rulesets: Mapping[str, Ruleset[Any]]) -> None:
        self.store = store
        self.rulesets = rulesets
        self._tables: OrderedDict[int, tuple[int, Table[Any]]] = OrderedDict()

    # rows

    def get(self, game: int) -> Game:
        """A game by its number; raises `Unknown`."""
        row = self.store.one("select * from game where id = ?", game)
        if row is None:
            raise Unknown(f"there is no game {game}")
        return self._game(row)

    def find(self, name: str) -> Game:
        """A game by its number or title; raises `Unknown` with the titles that there are."""
        row = self.store.one("select * from game where title = ? or cast(id as text) = ?", name, name)
        if row is None:
            titles = [r["title"] for r in self.store.all("select title from game order by id")]
            there = (
                f"there are: {', '.join(titles)}" if titles else "there are none yet; `pbem new` starts one"
            )
            raise Unknown(f"there is no game “{name}”; {there}")
        return self._game(row)

    def every(self) -> list[Game]:
        """All games, oldest first."""
        return [self._game(r) for r in self.store.all("select * from game order by id")]

    def with_robots(self) -> list[int]:
        """Numbers of the games in play at which a robot sits."""
        rows = self.store.all(
            "select distinct g.id from game g join seat s on s.game = g.id"
            " where g.state = 'playing' and s.robot is not null"
        )
        return [r["id"] for r in rows]

    def _game(self, row: sqlite3.Row) -> Game:
        rules = self.rulesets.get(row["ruleset"])
        if rules is None:
            raise Unknown(f"game {row['title']} needs the rules of “{row['ruleset']}”, which are not here")
        return Game(
            row["id"],
            row["title"],
            rules,
            msgspec.json.decode(row["seats"]),
            msgspec.json.decode(row["options"]),
            self._data(row["data"]),
            bytes(row["seed"]),
            row["epoch"],
            row["revision"],
            row["state"],
            None if row["paused"] is None else instant(row["paused"]),
            msgspec.json.decode(row["settings"], type=config.Table),
            row["campaign"],
            row["legacy"],
        )

    def _data(self, hash: str | None) -> Any:
        """What a game was given to begin with, by its fingerprint."""
        if hash is None:
            return None
        row = self.store.one("select content from data where hash = ?", hash)
        return None if row is None else msgspec.json.decode(zlib.decompress(row["content"]))

    def create(
        self,
        rules: Ruleset[Any],
        title: str,
        seats: Sequence[str],
        options: Mapping[str, str],
        data: Any,
        seed: bytes,
        table: config.Table,
        now: datetime,
        campaign: int | None = None,
        legacy: int | None = None,
    ) -> Game:
        """A new game that waits for its players; the caller is inside `tx`."""
        packed = zlib.compress(canonical(data)) if data is not None else None
        digest = fingerprint(data) if data is not None else None
        if packed is not None:
            self.store.run("insert or ignore into data values (?, ?)", digest, packed)
        game = self.store.run(
            "insert into game (title, ruleset, seats, options, data, seed, state, settings, created, campaign, legacy)"
            " values (?, ?, ?, ?, ?, ?, 'inviting', ?, ?, ?, ?)",
            title,
            rules.name,
            msgspec.json.encode(list(seats)).decode(),
            msgspec.json.encode(dict(options)).decode(),
            digest,
            seed,
            msgspec.json.encode(table).decode(),
            stamp(now),
            campaign,
            legacy,
        )
        return self.get(game)

    def seats(self, game: int) -> list[Seat]:
        """The seats in their order at the table."""
        rows = {r["name"]: r for r in self.store.all("select * from seat where game = ?", game)}
        return [_seat(rows[name]) for name in self.get(game).seats if name in rows]

    def seat(self, game: int, name: str) -> Seat:
        """One seat; raises `Unknown`."""
        row = self.store.one("select * from seat where game = ? and name = ?", game, name)
        if row is None:
            raise Unknown(f"there is no seat {name}")
        return _seat(row)

    def seat_of(self, game: int, person: int) -> Seat | None:
        """The seat a person has in a game."""
        row = self.store.one("select * from seat where game = ? and person = ?", game, person)
        return None if row is None else _seat(row)

    # the table

    def set_up(self, game: Game) -> Any:
        """The state that a game begins with, by its seats, options and what the game before has left."""
        campaign = self.store.one("select title from campaign where id = ?", game.campaign)
        title = game.title if campaign is None else campaign["title"]
        return game.rules.setup(game.seats, game.options, game.data, self.left(game.legacy), title)

    def left(self, legacy: int | None) -> Any:
        """What a game has left to the next, by its row; None for none."""
        row = self.store.one("select content from legacy where id = ?", legacy)
        return None if row is None else unpack(row["content"])

    def keep_legacy(self, game: Game, table: Table[Any], now: datetime) -> bool:
        """Keep what a game that is over leaves to the next one of its campaign, and say whether it does."""
        legacy = None if game.campaign is None else game.rules.legacy(table.g)
        if legacy is not None:
            self.store.run(
                "insert into legacy (campaign, game, at, content) values (?, ?, ?, ?)",
                *(game.campaign, game.id, stamp(now), pack(legacy)),
            )
        return legacy is not None

    def begin(self, game: Game, now: datetime) -> Table[Any]:
        """Set up and play to the first question; the caller is inside `tx`."""
        g = self.set_up(game)
        table = Table(game.rules, g, chance=Seeded(game.seed, game.epoch)).start()
        self.store.run("update game set state = 'playing', started = ? where id = ?", stamp(now), game.id)
        return table

    def table(self, game: Game) -> Table[Any]:
        """The game at its open question, from the cache or the store; raises `Misfit`, `ValueError`."""
        cached = self._tables.get(game.id)
        if cached is not None and cached[0] == game.revision:
            self._tables.move_to_end(game.id)
            return cached[1]
        return self._remember(game, self.load(game))

    def load(self, game: Game) -> Table[Any]:
        """The game from the store, past every cache."""
        row = self.store.one(
            "select n, saved from step where game = ? and void is null order by n desc limit 1", game.id
        )
        if row is None:
            raise ValueError(f"{game.title} has no checkpoint")
        state = game.rules.load(unpack(row["saved"]))
        table = Table(game.rules, state, step=row["n"], chance=Seeded(game.seed, game.epoch))
        return table.replay(self.tape(game.id, row["n"]))

    def _remember(self, game: Game, table: Table[Any]) -> Table[Any]:
        self._tables[game.id] = (game.revision, table)
        self._tables.move_to_end(game.id)
        while len(self._tables) > CACHED:
            self._tables.popitem(last=False)
        return table

    def forget(self, game: int) -> None:
        """Drop the live table: what it did was not committed."""
        self._tables.pop(game, None)

    def forget_all(self) -> None:
        """Drop every live table: a transaction was rolled back."""
        self._tables.clear()

    def tape(self, game: int, step: int) -> list[Entry]:
        """The valid answers of one step, in the order they came."""
        rows = self.store.all(
            "select * from answer where game = ? and step = ? and void is null order by id", game, step
        )
        return [entry_of(r) for r in rows]

    def save(self, game: Game, table: Table[Any], now: datetime, inbox: int | None = None) -> News:
        """Write down what the table did since the last time; the caller is inside `tx`."""
        news = table.drain()
        at = stamp(now)
        marks = [self.mark(game.id)]  # a fact goes with the answer that it came of, not with the whole mail
        marks += [
            self.store.run(
                "insert into answer (game, step, branch, ord, seat, key, pick, by, inbox, at)"
                " values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                *(game.id, e.step, e.branch, e.n, e.seat, e.key, e.pick, e.by, inbox, at),
            )
            for e in news.entries
        ]
        self.store.many(
            "insert into fact (game, step, ordinal, kind, data, answer, at) values (?, ?, ?, ?, ?, ?, ?)",
            [
                (
                    *(game.id, t.step, t.ordinal, kind_of(t.fact), canonical(dump_fact(t.fact)).decode()),
                    *(marks[t.after], at),
                )
                for t in news.told
            ],
        )
        section = game.rules.position(table.g).section
        self.store.many(
            "insert into step (game, n, saved, hash, ruling, version, position, at) values (?, ?, ?, ?, ?, ?, ?, ?)",
            [
                (
                    game.id,
                    c.step,
                    pack(c.saved),
                    fingerprint(c.saved),
                    table.g.ruling,
                    __version__,
                    section,
                    at,
                )
                for c in news.checkpoints
            ],
        )
        if table.over and game.state == "playing":
            self.store.run("update game set state = 'over', ended = ? where id = ?", at, game.id)
        self.touch(game)
        self._remember(game, table)
        return news

    def touch(self, game: Game) -> None:
        """Mark the game as changed, so that nobody goes on with an old copy."""
        self.store.run("update game set revision = revision + 1 where id = ?", game.id)
        game.revision += 1

    def mark(self, game: int) -> int:
        """The number of the newest answer, valid or not; 0 before the first."""
        row = self.store.one("select max(id) from answer where game = ?", game)
        return (row and row[0]) or 0

    # questions

    def open_questions(self, game: int) -> list[Question]:
        """The questions that wait, with their clocks."""
        rows = self.store.all("select * from question where game = ? and closed is null order by id", game)
        return [_question(r) for r in rows]

    def running_questions(self) -> list[Question]:
        """Open questions of games whose clocks run, the earliest deadline first."""
        rows = self.store.all(
            "select q.* from question q join game g on g.id = q.game where q.closed is null"
            " and q.due is not null and g.paused is null and g.state = 'playing' order by q.due"
        )
        return [_question(r) for r in rows]

    # history

    def answers(self, game: int) -> list[tuple[int, Entry]]:
        """The valid answers of the players with their row ids, oldest first; dice apart."""
        rows = self.store.all(
            "select * from answer where game = ? and void is null and seat <> ? order by id", game, DICE
        )
        return [(r["id"], entry_of(r)) for r in rows]

    def recent(self, game: int, limit: int) -> list[tuple[int, Entry]]:
        """The newest valid answers, dice too, oldest first."""
        rows = self.store.all(
            "select * from answer where game = ? and void is null order by id desc limit ?", game, limit
        )
        return [(r["id"], entry_of(r)) for r in reversed(rows)]

    def facts(self, game: int, after: int = 0, limit: int = -1) -> list[HeardFact]:
        """Valid facts with a number above `after`, oldest first; with `limit`, the newest so many."""
        rows = self.store.all(
            "select id, kind, data, at, void from fact where game = ? and id > ? and void is null"
            " order by id desc limit ?",
            *(game, after, limit),
        )
        return [
            HeardFact(r["id"], load_fact(r["kind"], msgspec.json.decode(r["data"])), instant(r["at"]), False)
            for r in reversed(rows)
        ]

    def void_from(self, game: Game, answer: int, log: int, new_epoch: bool) -> None:
        """Void an answer and everything after it, with the checkpoints and facts that came of it."""
        row = self.store.one("select step from answer where id = ?", answer)
        assert row is not None
        run = self.store.run
        run("update answer set void = ? where game = ? and id >= ? and void is null", log, game.id, answer)
        run("update fact set void = ? where game = ? and answer >= ? and void is null", log, game.id, answer)
        run("update step set void = ? where game = ? and n > ? and void is null", log, game.id, row["step"])
        if new_epoch:
            run("update game set epoch = epoch + 1 where id = ?", game.id)
            game.epoch += 1
        if game.state == "over":
            run("update game set state = 'playing', ended = null where id = ?", game.id)
            run("update legacy set void = ? where game = ? and void is null", log, game.id)
            game.state = "playing"
        self.touch(game)
        self.forget(game.id)

    def void_branch(self, game: Game, answer: int, log: int) -> None:
        """Void one answer inside an open branch; the other branches stay."""
        self.store.run("update answer set void = ? where id = ?", log, answer)
        self.touch(game)
        self.forget(game.id)

    def write_log(
        self, game: int, kind: str, who: str, data: Any, now: datetime, inbox: int | None = None
    ) -> int:
        """An entry in the game's log, which the table can read."""
        return self.store.run(
            "insert into log (game, at, kind, who, data, inbox) values (?, ?, ?, ?, ?, ?)",
            *(game, stamp(now), kind, who, canonical(data).decode(), inbox),
        )


def pack(saved: Any) -> bytes:
    """Plain data as the store keeps it."""
    return zlib.compress(canonical(saved), 3)


def unpack(blob: bytes) -> Any:
    """The way back; raises `ValueError` for a damaged blob."""
    try:
        return msgspec.json.decode(zlib.decompress(blob))
    except (zlib.error, msgspec.DecodeError) as e:
        raise ValueError(f"a checkpoint is damaged: {e}") from e


def entry_of(row: sqlite3.Row) -> Entry:
    """An answer's row as an entry of the tape."""
    return Entry(row["step"], row["branch"], row["ord"], row["seat"], row["key"], row["pick"], row["by"])


def _seat(row: sqlite3.Row) -> Seat:
    return Seat(
        *(row["game"], row["name"], row["person"], row["robot"]),
        *(row["salt"], row["answered"], row["digests"], row["heard"]),
    )


def _question(row: sqlite3.Row) -> Question:
    def at(name: str) -> datetime | None:
        return None if row[name] is None else instant(row[name])

    return Question(
        *(
            row["id"],
            row["game"],
            row["step"],
            row["branch"],
            row["ord"],
            row["seat"],
            row["key"],
            row["kind"],
        ),
        *(instant(row["opened"]), at("due"), at("reminded"), at("late")),
    )
