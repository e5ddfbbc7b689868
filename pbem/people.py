"""Persons and their roles, and who a token or an address stands for."""

from __future__ import annotations

import re
import sqlite3
from dataclasses import dataclass
from datetime import datetime
from email.utils import parseaddr

from .config import ADDRESS
from .store.db import Store, stamp

NAME = re.compile(r"[^\W\d_][\w .'-]{0,30}", re.UNICODE)


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody who plays, moderates or watches."""

    id: int
    name: str
    address: str
    language: str
    zone: str
    stopped: bool


@dataclass(frozen=True, slots=True)
class Role:
    """A moderator or an observer of one game."""

    game: int
    person: int
    role: str
    salt: int
    joined: bool
    digests: int
    heard: int


class BadPerson(Exception):
    """A name or an address that cannot be used; the text says what to write instead."""


def parse_person(text: str) -> tuple[str, str]:
    """Name and address of `Ana <ana@example.org>` or of a bare address; raises `BadPerson`."""
    name, address = parseaddr(text)
    if not ADDRESS.fullmatch(address):
        raise BadPerson(f"“{text}” has no address; write: Ana <ana@example.org>")
    name = name.strip() or address.partition("@")[0].capitalize()
    if not NAME.fullmatch(name):
        raise BadPerson(
            f"“{name}” cannot be a name at the table; use letters, up to 31, like: Ana <{address}>"
        )
    return name, address


class People:
    """The persons of one store."""

    def __init__(self, store: Store) -> None:
        self.store = store

    def get(self, person: int) -> Person:
        """A person by number; raises `KeyError`."""
        row = self.store.one("select * from person where id = ?", person)
        if row is None:
            raise KeyError(person)
        return _person(row)

    def by_address(self, address: str) -> Person | None:
        """The person with a registered address, in any case of letters."""
        row = self.store.one("select * from person where address = ?", address)
        return None if row is None else _person(row)

    def register(self, name: str, address: str, language: str, zone: str, now: datetime) -> Person:
        """The person with this address, made if new; the caller is inside `tx`."""
        found = self.by_address(address)
        if found is not None:
            return found
        new = self.store.run(
            "insert into person (name, address, language, zone, created) values (?, ?, ?, ?, ?)",
            *(name, address, language, zone, stamp(now)),
        )
        return self.get(new)

    def everybody(self) -> list[Person]:
        """All persons, in the order they came."""
        return [_person(r) for r in self.store.all("select * from person order by id")]

    def roles(self, game: int, role: str | None = None) -> list[Role]:
        """The moderators and observers of a game."""
        rows = self.store.all("select * from role where game = ? order by person", game)
        return [_role(r) for r in rows if role in (None, r["role"])]

    def role_of(self, game: int, person: int, role: str) -> Role | None:
        """A person's role in a game, if it is theirs."""
        return next((r for r in self.roles(game, role) if r.person == person), None)

    def games_of(self, person: int) -> list[int]:
        """The numbers of the games that a person sits in or moderates, oldest first."""
        rows = self.store.all(
            "select game from seat where person = ?1 union select game from role where person = ?1 order by game",
            person,
        )
        return [r["game"] for r in rows]

    def stop(self, person: int, stopped: bool) -> None:
        """No more mail to this person, or mail again."""
        self.store.run("update person set stopped = ? where id = ?", int(stopped), person)


def _person(row: sqlite3.Row) -> Person:
    return Person(
        *(row["id"], row["name"], row["address"], row["language"], row["zone"]), stopped=bool(row["stopped"])
    )


def _role(row: sqlite3.Row) -> Role:
    return Role(
        *(row["game"], row["person"], row["role"], row["salt"]),
        *(bool(row["joined"]), row["digests"], row["heard"]),
    )
