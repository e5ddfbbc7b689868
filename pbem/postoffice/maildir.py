"""One Maildir on disk: filing a mail so that it stays filed, and finding it again.

The folders are plain Maildirs that any mail program reads. A mail's key is the part of its file name
before the colon; it stays the same when somebody marks the mail.
"""

from __future__ import annotations

import mailbox
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

SEEN, REPLIED = "S", "R"


@dataclass(frozen=True, slots=True)
class Filed:
    """One mail in a Maildir."""

    key: str
    path: Path
    flags: str
    arrived_ns: int
    """Time of delivery, nanoseconds since 1970, UTC."""

    @property
    def unread(self) -> bool:
        """Whether nobody has opened it yet."""
        return SEEN not in self.flags


def ensure(folder: Path) -> None:
    """Make the Maildir if it is not there; several processes may do so at once."""
    for part in ("tmp", "new", "cur"):
        (folder / part).mkdir(parents=True, exist_ok=True, mode=0o700)


def deliver(folder: Path, raw: bytes) -> None:
    """File one mail, byte for byte; it survives a power cut once this has returned. Raises `OSError`."""
    ensure(folder)
    mailbox.Maildir(folder, create=False).add(raw)
    # The file itself is synced by the standard library, its name in the directory is not.
    handle = os.open(folder / "new", os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def listing(folder: Path) -> list[Filed]:
    """All mails of a Maildir, oldest first; empty where there is no such folder."""
    found = {mail.key: mail for part in ("new", "cur") for mail in _scan(folder / part)}
    return sorted(found.values(), key=lambda mail: (mail.arrived_ns, mail.key))


def find(folder: Path, key: str) -> Filed | None:
    """The mail with this key, wherever in the Maildir it lies by now."""
    return next((mail for mail in listing(folder) if mail.key == key), None)


def read(folder: Path, key: str) -> bytes | None:
    """The raw mail, or None if it is not there."""
    for _ in range(3):  # another reader may be moving it from `new` to `cur` right now
        mail = find(folder, key)
        if mail is None:
            return None
        try:
            return mail.path.read_bytes()
        except FileNotFoundError:
            continue
    return None


def mark(folder: Path, key: str, flags: str) -> None:
    """Add flags to a mail, which moves it from `new` to `cur`; a mail that is gone is no fault."""
    for _ in range(3):  # as in `read`
        mail = find(folder, key)
        if mail is None or set(flags) <= set(mail.flags):
            return
        every = "".join(sorted(set(mail.flags) | set(flags)))
        try:
            mail.path.rename(folder / "cur" / f"{key}:2,{every}")
        except FileNotFoundError:
            continue
        return


def _scan(part: Path) -> Iterator[Filed]:
    try:
        entries = list(os.scandir(part))
    except FileNotFoundError:
        return
    for entry in entries:
        if entry.name.startswith("."):
            continue
        key, _, info = entry.name.partition(":")
        try:
            arrived = entry.stat().st_mtime_ns
        except FileNotFoundError:
            continue
        yield Filed(key, Path(entry.path), info.removeprefix("2,"), arrived)
