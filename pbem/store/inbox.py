"""Mails as they came: claimed before anything is done with them, marked when it is done (D-17)."""

from __future__ import annotations

import hashlib
import re
import sqlite3
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from ..ports import Fetched
from .db import Store, instant, stamp

TRIES = 3
"""How often a mail may bring the process down before it is set aside."""


class State(StrEnum):
    """Where a mail is in its life."""

    CLAIMED = "claimed"
    APPLIED = "applied"
    HELD = "held"
    FAILED = "failed"
    ASIDE = "aside"


@dataclass(frozen=True, slots=True)
class Filed:
    """How a mail ended: its kind, why, and whose it was."""

    kind: str
    reason: str = ""
    state: State = State.APPLIED
    game: int | None = None
    person: int | None = None


@dataclass(frozen=True, slots=True)
class Claimed:
    """A mail that is ours to work on."""

    id: int
    key: str
    raw: bytes
    arrived: datetime
    tries: int


class Inbox:
    """Every mail that ever came."""

    def __init__(self, store: Store) -> None:
        self.store = store

    def claim(self, mail: Fetched, message_id: str, sender: str, now: datetime) -> Claimed | None:
        """Store the raw mail and count the try, in a transaction of its own; None if it is done with already. After a
        power cut the mail still lies in its mailbox, for nothing of it is moved before its orders are on the disk."""
        with self.store.tx(durable=False):
            row = self.store.one("select * from inbox where key = ?", mail.key)
            if row is None:
                new = self.store.run(
                    "insert into inbox (key, raw, hash, message_id, sender, arrived, state, tries, at)"
                    " values (?, ?, ?, ?, ?, ?, 'claimed', 1, ?)",
                    *(
                        mail.key,
                        mail.raw,
                        body_hash(mail.raw),
                        message_id,
                        sender,
                        stamp(mail.arrived),
                        stamp(now),
                    ),
                )
                return Claimed(new, mail.key, mail.raw, mail.arrived, 1)
            if row["state"] != State.CLAIMED:
                return None
            self.store.run("update inbox set tries = tries + 1 where id = ?", row["id"])
        return _claimed(row, row["tries"] + 1)

    def waiting(self) -> list[Claimed]:
        """Mails that were claimed and not applied: the process died in between."""
        rows = self.store.all("select * from inbox where state = 'claimed' order by id")
        return [_claimed(r, r["tries"]) for r in rows]

    def count_try(self, mail: int) -> None:
        """One more try for a mail that is claimed already; a transaction of its own."""
        with self.store.tx():
            self.store.run("update inbox set tries = tries + 1 where id = ?", mail)

    def uncount_try(self, mail: int) -> None:
        """The try was not the mail's fault."""
        with self.store.tx():
            self.store.run("update inbox set tries = max(0, tries - 1) where id = ?", mail)

    def copy_of(self, mail: Claimed) -> int | None:
        """An earlier mail with the same Message-ID, From, Date and body, if there is one (D-17). Where it has
        moved a game and answers the same letter, another Message-ID makes no other mail of it: some programs send
        twice. Quick people send the same line twice in a second too, but to two letters."""
        rows = self.store.all(
            "select b.id, b.raw, b.message_id = a.message_id as same, b.reason from inbox a join inbox b"
            " on b.hash = a.hash and b.id < a.id and b.state <> 'claimed' where a.id = ? order by b.id",
            mail.id,
        )
        dated = bool(_lines(mail.raw, b"date:"))
        for row in rows:
            twice = (
                row["reason"] == "changed" and dated and _answered(bytes(row["raw"])) == _answered(mail.raw)
            )
            if row["same"] or twice:
                return int(row["id"])
        return None

    def rewritten(self, mail: Claimed, person: int) -> tuple[int, bytes] | None:
        """An earlier mail of a person with the same Message-ID and Date that has moved a game, and its bytes: a
        virus scanner may have written into this one and delivered it anew."""
        row = self.store.one(
            "select b.id, b.raw from inbox b, inbox a where b.person = ? and b.reason = 'changed' and a.id = ?"
            " and b.message_id = a.message_id and a.message_id <> '' and b.id < a.id order by b.id limit 1",
            *(person, mail.id),
        )
        dated = _lines(mail.raw, b"date:")
        if row is None or not dated or _lines(bytes(row["raw"]), b"date:") != dated:
            return None
        return row["id"], bytes(row["raw"])

    def file(
        self,
        mail: int,
        state: State,
        kind: str,
        reason: str = "",
        game: int | None = None,
        person: int | None = None,
    ) -> None:
        """What a mail ended as; inside `tx`."""
        self.store.run(
            "update inbox set state = ?, kind = ?, reason = ?, game = ?, person = ? where id = ?",
            *(state, kind, reason[:2000], game, person, mail),
        )

    def unsettled(self, limit: int = 200) -> list[tuple[int, str, str]]:
        """Mails that are done with and still lie in the source's inbox: id, key, folder to move to."""
        rows = self.store.all(
            "select id, key, state from inbox where settled = 0 and state <> 'claimed' order by id limit ?",
            limit,
        )
        return [(r["id"], r["key"], _folder(r["state"])) for r in rows]

    def settled(self, mails: list[int]) -> None:
        """They were moved; a transaction of its own."""
        with self.store.tx():
            self.store.many("update inbox set settled = 1 where id = ?", [(m,) for m in mails])

    def get(self, mail: int) -> Claimed:
        """A mail by its number, whatever became of it; raises `KeyError`."""
        row = self.store.one("select * from inbox where id = ?", mail)
        if row is None:
            raise KeyError(mail)
        return _claimed(row, row["tries"])

    def state(self, mail: int) -> State:
        """What became of a mail; raises `KeyError`."""
        row = self.store.one("select state from inbox where id = ?", mail)
        if row is None:
            raise KeyError(mail)
        return State(row["state"])

    def raw(self, mail: int) -> bytes:
        """The bytes of a mail; raises `KeyError`."""
        return self.get(mail).raw


def body_hash(raw: bytes) -> str:
    """A fingerprint of From, Date and body; what a relay writes on its way does not change it."""
    _, _, body = raw.replace(b"\r\n", b"\n").partition(b"\n\n")
    return hashlib.sha256(b"\n".join([*_lines(raw, b"from:", b"date:"), b"", body.strip()])).hexdigest()


def _lines(raw: bytes, *names: bytes) -> list[bytes]:
    """The header lines that begin with one of these names, sorted."""
    head, _, _ = raw.replace(b"\r\n", b"\n").partition(b"\n\n")
    return sorted(x.strip() for x in head.split(b"\n") if x[:5].lower() in names)


def _answered(raw: bytes) -> list[bytes]:
    """Which letter a mail answers: the header lines that say so, unfolded."""
    head, _, _ = raw.replace(b"\r\n", b"\n").partition(b"\n\n")
    lines = re.sub(rb"\n[ \t]+", b" ", head).split(b"\n")
    return sorted(x.strip() for x in lines if x.lower().startswith((b"to:", b"in-reply-to:")))


def _folder(state: str) -> str:
    return "Done" if state in (State.APPLIED, State.HELD) else "Failed"


def _claimed(row: sqlite3.Row, tries: int) -> Claimed:
    return Claimed(row["id"], row["key"], bytes(row["raw"]), instant(row["arrived"]), tries)
