"""One-time codes: who can read a letter at an address can send back what stands in it (D-19)."""

from __future__ import annotations

import re
import secrets
import sqlite3
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from .mail.layout import clean
from .store.db import Store, instant, stamp

LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
"""None of them looks like another."""
LIFE = timedelta(hours=24)
A_DAY = 3
"""Codes of one kind that a person gets in a day; forged mails shall not fill a mailbox."""
_CODE = re.compile(rf"code\s*[:#]?\s*([{LETTERS}]{{4}})[\s-]?([{LETTERS}]{{4}})(?:\s+(always))?[.!]?", re.I)


class Kind(StrEnum):
    """What a code releases."""

    MAIL = "mail"
    """A mail that is held; its subject is the mail's number."""
    ADDRESS = "address"
    """Another address that letters shall go to; its subject is that address."""
    ALIAS = "alias"
    """Another address that may be written from."""


@dataclass(frozen=True, slots=True)
class Proof:
    """A code that was given out, and what it is for."""

    id: int
    person: int
    code: str
    kind: Kind
    subject: str
    expires: datetime
    used: bool

    @property
    def shown(self) -> str:
        """The code as people read it: `k3xq-7mpa`."""
        return f"{self.code[:4]}-{self.code[4:]}"


@dataclass(frozen=True, slots=True)
class Given:
    """A code that stands in a mail."""

    code: str
    always: bool
    """Whether the address that the held mail came from shall be known from now on."""


def given(line: str) -> Given | None:
    """The code that a line gives back: `code k3xq-7mpa`, perhaps with `always`; None for any other line."""
    found = _CODE.fullmatch(clean(line))
    return None if found is None else Given((found[1] + found[2]).lower(), found[3] is not None)


def may_hold_one(text: str) -> bool:
    """Whether a text has anything of the shape of a code; a cheap look before a careful one."""
    return _CODE.search(text) is not None


class Proofs:
    """The codes of one store; every write is inside the caller's transaction."""

    def __init__(self, store: Store) -> None:
        self.store = store

    def make(self, person: int, kind: Kind, subject: str, now: datetime) -> Proof | None:
        """A new code; None if the person has had enough of this kind today."""
        row = self.store.one(
            "select count(*) from proof where person = ? and kind = ? and made > ?",
            *(person, kind, stamp(now - timedelta(days=1))),
        )
        if row is not None and row[0] >= A_DAY:
            return None
        code = "".join(secrets.choice(LETTERS) for _ in range(8))
        expires = now + LIFE
        new = self.store.run(
            "insert into proof (person, code, kind, subject, made, expires) values (?, ?, ?, ?, ?, ?)",
            *(person, code, kind, subject, stamp(now), stamp(expires)),
        )
        return Proof(new, person, code, kind, subject, expires, False)

    def find(self, code: str) -> Proof | None:
        """The proof of a code, used and old ones too."""
        row = self.store.one("select * from proof where code = ? order by id desc limit 1", code)
        return None if row is None else _proof(row)

    def use(self, proof: Proof, now: datetime) -> None:
        """A code works once."""
        self.store.run("update proof set used = ? where id = ?", stamp(now), proof.id)


def _proof(row: sqlite3.Row) -> Proof:
    return Proof(
        *(row["id"], row["person"], row["code"], Kind(row["kind"]), row["subject"]),
        expires=instant(row["expires"]),
        used=row["used"] is not None,
    )
