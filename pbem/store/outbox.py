"""Letters that wait to be sent, and what became of them."""

from __future__ import annotations

from datetime import datetime

from ..ports import Outgoing
from .db import Store, stamp

BACK_OFF_MINUTES = (1, 2, 5, 15, 60, 240)
"""How long a letter waits after each failure that may pass; the last one repeats."""


class Outbox:
    """The queue between writing and sending."""

    def __init__(self, store: Store) -> None:
        self.store = store

    def put(
        self,
        message_id: str,
        raw: bytes,
        *,
        sender: str,
        recipient: str,
        kind: str,
        now: datetime,
        not_before: datetime | None = None,
        person: int | None = None,
        game: int | None = None,
        seat: str | None = None,
        inbox: int | None = None,
        mark: int = 0,
    ) -> int:
        """Queue a letter inside `tx`; a Message-ID that is there already queues nothing and gives 0."""
        found = self.store.one("select id from outbox where message_id = ?", message_id)
        if found is not None:
            return 0
        return self.store.run(
            "insert into outbox (message_id, person, game, seat, kind, recipient, sender, raw, state, not_before,"
            " inbox, mark, created) values (?, ?, ?, ?, ?, ?, ?, ?, 'queued', ?, ?, ?, ?)",
            *(message_id, person, game, seat, kind, recipient, sender, raw),
            *(stamp(not_before or now), inbox, mark, stamp(now)),
        )

    def due(self, now: datetime, limit: int = 100) -> list[Outgoing]:
        """Queued letters whose time has come, in the order of these times."""
        rows = self.store.all(
            "select id, sender, recipient, raw from outbox where state = 'queued' and not_before <= ?"
            " order by not_before, id limit ?",
            *(stamp(now), limit),
        )
        return [Outgoing(r["id"], r["sender"], r["recipient"], bytes(r["raw"])) for r in rows]

    def waiting(self) -> int:
        """How many letters have not gone out."""
        row = self.store.one("select count(*) from outbox where state = 'queued'")
        return row[0] if row else 0

    def sent(self, letter: int, answer: str, now: datetime) -> None:
        """A letter was taken; inside `tx`."""
        self.store.run(
            "update outbox set state = 'sent', sent = ?, answer = ? where id = ?",
            stamp(now),
            answer[:200],
            letter,
        )

    def refused(self, letter: int, answer: str) -> None:
        """A letter will never be taken; inside `tx`."""
        self.store.run(
            "update outbox set state = 'failed', tries = tries + 1, answer = ? where id = ?",
            answer[:200],
            letter,
        )

    def later(self, letter: int, answer: str, now: datetime) -> None:
        """A letter was not taken this time; inside `tx`."""
        row = self.store.one("select tries from outbox where id = ?", letter)
        tries = row["tries"] if row else 0
        minutes = BACK_OFF_MINUTES[min(tries, len(BACK_OFF_MINUTES) - 1)]
        at = datetime.fromtimestamp(now.timestamp() + 60 * minutes, tz=now.tzinfo)
        self.store.run(
            "update outbox set tries = tries + 1, answer = ?, not_before = ? where id = ?",
            *(answer[:200], stamp(at), letter),
        )

    def told_others(self, game: int, person: int | None, answer: int) -> bool:
        """Whether anybody else has a letter about this game that was written at or after an answer."""
        row = self.store.one(
            "select 1 from outbox where game = ? and person is not ? and mark >= ? and state <> 'dropped' limit 1",
            *(game, person, answer),
        )
        return row is not None
