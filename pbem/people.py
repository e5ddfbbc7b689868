"""Persons and their roles, and who a token or an address stands for."""

from __future__ import annotations

import re
import sqlite3
from dataclasses import dataclass
from datetime import datetime
from email.utils import parseaddr

from .mail.headers import same_form
from .store.db import Store, stamp

ADDRESS = re.compile(r"[^\s@<>\"]+@[^\s@<>\"]+\.[^\s@<>\"]+")
"""What may be somebody's address, with a plus part too, which ours has not."""
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
    """Wants no mail but answers."""
    unreachable: bool = False
    """Letters came back again and again; none go out but answers."""

    @property
    def silent(self) -> bool:
        """Whether nothing but answers goes out."""
        return self.stopped or self.unreachable


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
    name = name.strip() or _named_after(address)
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

    def at(self, address: str) -> list[Person]:
        """Everybody who may write from an address, whatever its case and plus part; a mailbox may be shared."""
        rows = self.store.all(
            "select p.* from address a join person p on p.id = a.person where a.form = ? order by p.id",
            same_form(address),
        )
        return [_person(r) for r in rows]

    def addresses(self, person: int) -> list[str]:
        """All addresses that a person may write from, the one that letters go to among them."""
        return [
            r["address"]
            for r in self.store.all("select address from address where person = ? order by at", person)
        ]

    def register(self, name: str, address: str, language: str, zone: str, now: datetime) -> Person:
        """The person of this name and address, made if new; the caller is inside `tx`.

        Another name at a known address is another person who shares the mailbox; an address without a name means
        the only person who has it.
        """
        there = [p for p in self.at(address) if same_form(p.address) == same_form(address)]
        same = [p for p in there if p.name.casefold() == name.casefold()]
        if not same and len(there) == 1 and name == _named_after(address):
            same = there
        if same:
            return same[0]
        new = self.store.run(
            "insert into person (name, address, language, zone, created) values (?, ?, ?, ?, ?)",
            *(name, address, language, zone, stamp(now)),
        )
        self.may_write_from(new, address, now)
        return self.get(new)

    def may_write_from(self, person: int, address: str, now: datetime) -> None:
        """One more address that a person may write from."""
        self.store.run(
            "insert or ignore into address (form, person, address, at) values (?, ?, ?, ?)",
            *(same_form(address), person, address, stamp(now)),
        )

    def may_not_write_from(self, person: int, address: str) -> bool:
        """One address less; never the one that letters go to. False if it was none of theirs."""
        form = same_form(address)
        theirs = any(same_form(a) == form for a in self.addresses(person))
        if not theirs or form == same_form(self.get(person).address):
            return False
        self.store.run("delete from address where person = ? and form = ?", person, form)
        return True

    def move(self, person: int, address: str, now: datetime) -> None:
        """Letters go to another address from now on; the old one may still be written from."""
        self.may_write_from(person, address, now)
        self.store.run("update person set address = ? where id = ?", address, person)

    def in_zone(self, person: int, zone: str) -> None:
        """Times are told in another zone."""
        self.store.run("update person set zone = ? where id = ?", zone, person)

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

    def reachable(self, person: int, reachable: bool, now: datetime) -> None:
        """Letters come back, so that none go out; or they go out again."""
        self.store.run(
            "update person set unreachable = ? where id = ?", None if reachable else stamp(now), person
        )

    def stop(self, person: int, stopped: bool) -> None:
        """No more mail to this person, or mail again."""
        self.store.run("update person set stopped = ? where id = ?", int(stopped), person)


def _person(row: sqlite3.Row) -> Person:
    return Person(
        *(row["id"], row["name"], row["address"], row["language"], row["zone"]),
        stopped=bool(row["stopped"]),
        unreachable=row["unreachable"] is not None,
    )


def _named_after(address: str) -> str:
    """The name of somebody who gave none."""
    return address.partition("@")[0].capitalize()


def _role(row: sqlite3.Row) -> Role:
    return Role(
        *(row["game"], row["person"], row["role"], row["salt"]),
        *(bool(row["joined"]), row["digests"], row["heard"]),
    )
