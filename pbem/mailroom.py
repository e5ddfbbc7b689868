"""What the host may do about single mails: look at them, have them worked on again, drop them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from .app import App
from .engine.core.text import Text
from .mail.mime import Mail
from .people import Person
from .store.db import instant
from .store.games import Game
from .store.inbox import Filed, Inbox, State
from .writing import Cause

DROPPED = "dropped"


class NoSuchMail(Exception):
    """It cannot be done with this mail; the text says why and what to write instead."""


@dataclass(frozen=True, slots=True)
class Listed:
    """One mail in a list."""

    number: int
    arrived: datetime
    sender: str
    state: State
    kind: str
    reason: str
    game: str
    tries: int


@dataclass(frozen=True, slots=True)
class Shown:
    """One mail looked at. What its writer said is there only if it was opened."""

    listed: Listed
    headers: tuple[tuple[str, str], ...]
    parts: tuple[tuple[str, int], ...]
    """Type and bytes of each."""
    size: int
    text: str | None = None


HEADERS = ("from", "to", "date", "subject", "message-id", "in-reply-to", "auto-submitted", "return-path")
LOOKED_AT = (State.HELD, State.FAILED, State.ASIDE)
"""States that wait for somebody to look."""


class Mailroom:
    """The mails of one store, for its host."""

    def __init__(self, app: App) -> None:
        self.app = app
        self.inbox = Inbox(app.store)

    def listing(self, states: tuple[State, ...] = LOOKED_AT, limit: int = 50) -> list[Listed]:
        """The newest mails in these states, oldest first; dropped ones only where all states are wanted."""
        marks = ", ".join("?" for _ in states)
        hidden = "" if set(states) == set(State) else f" and i.kind <> '{DROPPED}'"
        rows = self.app.store.all(
            "select i.id, i.arrived, i.sender, i.state, i.kind, i.reason, i.tries, g.title from inbox i"
            f" left join game g on g.id = i.game where i.state in ({marks}){hidden} order by i.id desc limit ?",
            *states,
            limit,
        )
        return [_listed(r) for r in reversed(rows)]

    def get(self, number: int) -> Listed:
        """One mail's line; raises `NoSuchMail`."""
        row = self.app.store.one(
            "select i.id, i.arrived, i.sender, i.state, i.kind, i.reason, i.tries, g.title from inbox i"
            " left join game g on g.id = i.game where i.id = ?",
            number,
        )
        if row is None:
            raise NoSuchMail(f"there is no mail {number}; `pbem inbox list --all` lists them")
        return _listed(row)

    def show(self, number: int, *, open: bool = False) -> Shown:
        """A mail's headers and what became of it; with `open` its text too, which live tables are told.

        What a player writes may hold what only they may know, and the host may be playing (D-41). Raises
        `NoSuchMail`.
        """
        listed = self.get(number)
        raw = self.inbox.raw(number)
        mail = Mail(raw)
        headers = tuple((n, mail.header(n)) for n in HEADERS if mail.has(n))
        parts = tuple((p.get_content_type(), len(bytes(p))) for p in mail.parts)
        if open:
            self._tell_tables(number, listed)
        return Shown(listed, headers, parts, len(raw), mail.text if open else None)

    def _tell_tables(self, number: int, listed: Listed) -> None:
        now = self.app.clock.now()
        told = Text(
            "The host has opened mail {n}, which came from {who}.", n=number, who=_short(listed.sender)
        )
        for game in self._live_games(number, listed):
            with self.app.store.tx():
                self.app.games.write_log(game.id, "opened", "host", {"mail": number}, now, number)
                cause = Cause(f"l{number}.{game.id}.{int(now.timestamp())}")
                self.app.writer.table_notice(game, Text("The host opened a mail"), (told,), cause, now)

    def _live_games(self, number: int, listed: Listed) -> list[Game]:
        row = self.app.store.one("select game, person from inbox where id = ?", number)
        persons = {p.id for p in self.app.people.at(listed.sender)}
        if row is not None and row["person"]:
            persons.add(row["person"])
        games = {n for p in sorted(persons) for n in self.app.people.games_of(p)}
        if row is not None and row["game"]:
            games.add(row["game"])
        return [g for g in (self.app.games.get(n) for n in sorted(games)) if g.state == "playing"]

    # acting

    def retry(self, number: int, *, vouch: bool = False) -> Filed:
        """Work on a mail again that failed, was set aside or is held; held ones only if the host vouches for their
        sender. Raises `NoSuchMail`, `Unavailable`."""
        listed = self.get(number)
        if listed.kind == DROPPED:
            raise NoSuchMail(f"mail {number} was dropped: {listed.reason}")
        if listed.state in (State.APPLIED, State.CLAIMED):
            raise NoSuchMail(f"mail {number} needs no second try: it is {listed.state}")
        if listed.state is State.HELD:
            return self._vouched(number, listed, vouch)
        with self.app.store.tx():
            self.app.store.run("update inbox set state = 'claimed', tries = 1 where id = ?", number)
        filed = self.app.intake.apply(self.inbox.get(number))
        if filed.game is not None:
            self.app.automatics.go_on(filed.game)
        return filed

    def _vouched(self, number: int, listed: Listed, vouch: bool) -> Filed:
        person = self._owner(number, listed)
        if not vouch:
            raise NoSuchMail(
                f"mail {number} is held ({listed.reason}); {person.name} can release it by the code they were sent,"
                " or say --vouch if you know that it is theirs"
            )
        with self.app.store.tx():
            filed = self.app.intake.release(person, number, Cause(f"v{number}", number), self.app.clock.now())
            if filed.game is not None:
                self.app.games.write_log(
                    filed.game, "vouched", "host", {"mail": number}, self.app.clock.now(), number
                )
        if filed.game is not None:
            self.app.automatics.go_on(filed.game)
        return filed

    def _owner(self, number: int, listed: Listed) -> Person:
        row = self.app.store.one("select person from inbox where id = ?", number)
        if row is None or not row["person"]:
            raise NoSuchMail(
                f"mail {number} is held ({listed.reason}) and belongs to nobody who plays here; drop it with a reason"
            )
        return self.app.people.get(row["person"])

    def drop(self, number: int, because: str) -> None:
        """Be done with a mail; its sender is told if known. Raises `NoSuchMail`."""
        listed = self.get(number)
        if listed.state not in LOOKED_AT or listed.kind == DROPPED:
            raise NoSuchMail(f"mail {number} cannot be dropped: it is {listed.kind or listed.state} already")
        row = self.app.store.one("select game, person from inbox where id = ?", number)
        now = self.app.clock.now()
        with self.app.store.tx():
            game, person = (row["game"], row["person"]) if row is not None else (None, None)
            self.inbox.file(number, State.ASIDE, DROPPED, because, game, person)
            if person:
                told = Text(
                    "Your mail was looked at and will not be worked on: {why}.", why=because.rstrip(".")
                )
                headline = Text("A mail of yours was set aside")
                cause = Cause(f"x{number}", number)
                self.app.writer.notice(
                    self.app.people.get(person), None, headline, (told,), cause, now, kind="receipt"
                )


def _listed(row: object) -> Listed:
    r = dict(row)  # type: ignore[call-overload]
    return Listed(
        *(r["id"], instant(r["arrived"]), r["sender"], State(r["state"]), r["kind"], r["reason"]),
        game=r["title"] or "",
        tries=r["tries"],
    )


def _short(address: str) -> str:
    local, at, domain = address.partition("@")
    return f"{local[:1]}…{at}{domain}"
