"""Where the world begins: mailboxes, the post, the clock."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Protocol


class Disconnected(Exception):
    """The other side is out of reach for now; nothing is lost, try again later. Its text is for the host."""


class Refused(Exception):
    """The other side answered no for good (wrong password, unknown CA, no such mailbox). Its text is for the host."""


class Access(Protocol):
    """Access tokens of one mailbox, for servers that take no passwords."""

    def token(self) -> str:
        """One that is good for a while; it may take some seconds. Raises `Disconnected`, `Refused`."""

    def refused(self, token: str) -> None:
        """A server did not take this token: it is not given out again."""


@dataclass(frozen=True, slots=True)
class Fetched:
    """One mail as its source gave it."""

    key: str
    """Unique for ever within this source: `imap:account/INBOX/uidvalidity/uid`, `maildir:name`."""
    raw: bytes
    arrived: datetime
    """The source's own stamp, aware, UTC: INTERNALDATE, the Maildir delivery; never the Date header."""


class Source(Protocol):
    """A mailbox that is polled. One thread owns it; every fault but `Refused` is a `Disconnected`."""

    def fetch(self, limit: int = 50) -> Iterator[Fetched]:
        """The mails in the inbox, oldest first, left where they are."""

    def settle(self, key: str, folder: str) -> None:
        """Move one mail to `Done` or `Failed`; a mail that is gone already is no fault."""

    def wait(self, seconds: float) -> bool:
        """Sleep until something may have come (True) or the time is over (False)."""

    def wake(self) -> None:
        """End a `wait` early; may be called from any thread."""

    def close(self) -> None:
        """Let go of the mailbox; never raises."""


@dataclass(frozen=True, slots=True)
class Outgoing:
    """One letter on its way to one person."""

    id: int
    """Row of the outbox; goes out as ENVID `o<id>` where the server knows DSN."""
    sender: str
    """The envelope sender (bounce address), without brackets."""
    recipient: str
    raw: bytes
    """The whole message, CRLF line ends."""


@dataclass(frozen=True, slots=True)
class Fate:
    """What became of one letter."""

    id: int
    sent: bool
    permanent: bool = False
    """Only where not sent: the server will never take it (5xx)."""
    answer: str = ""
    """The server's own words, for the log."""


class Transport(Protocol):
    """The post: takes letters to other people's servers."""

    async def send(self, letters: Sequence[Outgoing]) -> list[Fate]:
        """Hand over a batch on one connection, one fate a letter, in order; raises `Disconnected` if the
        connection cannot be made, and returns the fates so far (shorter list) if it breaks midway."""


class Clock(Protocol):
    """The time of day, and a clock beside it that nobody can set."""

    def now(self) -> datetime:
        """Aware, UTC."""

    def steady(self) -> float:
        """Seconds that only grow, from any beginning."""


class SystemClock:
    """The machine's own clock."""

    def now(self) -> datetime:
        """Aware, UTC."""
        return datetime.now(UTC)

    def steady(self) -> float:
        """Seconds that only grow."""
        return time.monotonic()
