"""What the inbox page shows of one person's Maildir."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache
from hashlib import sha256
from pathlib import Path

from pbem.postoffice import maildir
from pbem.postoffice.letters import Letter, parse

SNIPPET = 140
"""Characters of the text that a list shows."""


@dataclass(frozen=True, slots=True)
class Summary:
    """One line of a list of mails."""

    subject: str
    sender: str
    """Display name, or the address of somebody without one."""
    snippet: str
    date: datetime
    """As the sender dated it, or the time of delivery; aware, this machine's zone."""


@dataclass(frozen=True, slots=True)
class Row:
    """A mail in a list, as it stands now."""

    key: str
    summary: Summary
    unread: bool
    replied: bool


def rows(folder: Path) -> list[Row]:
    """A person's mails, newest first."""
    found = []
    for mail in reversed(maildir.listing(folder)):
        summary = _summary(folder, mail.key, mail.arrived_ns)
        if summary is not None:
            found.append(Row(mail.key, summary, mail.unread, maildir.REPLIED in mail.flags))
    return found


def unread(folder: Path) -> int:
    """How many mails nobody has opened yet."""
    return sum(mail.unread for mail in maildir.listing(folder))


def state(folders: Iterable[Path]) -> str:
    """A short word that changes whenever a mail comes or is marked in one of the folders."""
    seen = sha256()
    for folder in folders:
        for mail in maildir.listing(folder):
            seen.update(f"{mail.key}:{mail.flags}\n".encode())
        seen.update(b"\n")
    return seen.hexdigest()[:16]


def dated(letter: Letter, arrived_ns: int) -> datetime:
    """When a letter was written, or when it came if it does not say; aware, this machine's zone."""
    try:
        return (letter.date or _instant(arrived_ns)).astimezone()
    except (OverflowError, ValueError, OSError):  # a date before all calendars
        return _instant(arrived_ns).astimezone()


@lru_cache(maxsize=4096)
def _summary(folder: Path, key: str, arrived_ns: int) -> Summary | None:
    raw = maildir.read(folder, key)
    if raw is None:
        return None
    letter = parse(raw)
    people = letter.addresses("From")
    sender = (people[0][0] or people[0][1]) if people else letter.header("From")
    snippet = " ".join(letter.text.split())[:SNIPPET]
    return Summary(letter.header("Subject"), sender, snippet, dated(letter, arrived_ns))


def _instant(ns: int) -> datetime:
    return datetime.fromtimestamp(ns / 1e9, UTC)
