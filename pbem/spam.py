"""Where a provider puts mail that it takes for spam, for the doctor's eyes alone: the runner reads the inbox only."""

from __future__ import annotations

import contextlib
import imaplib
import re
from collections.abc import Iterator
from pathlib import Path

from .round_trip import TOKEN_HEADER

_SPAM = re.compile(r"junk|spam|bulk|pourriel|indésirables|lixo|werbung|unerwünscht", re.I)
_LISTED = re.compile(r'\((?P<flags>[^)]*)\) (?:"[^"]*"|NIL) (?P<name>.+)$')


def spam_in_imap(client: imaplib.IMAP4, nonce: str) -> str:
    """The name of the folder with the test mail of this mark; empty if none has it. The client is logged in."""
    for folder in _folders(client):
        with contextlib.suppress(imaplib.IMAP4.error):
            if client.select(folder, readonly=True)[0] != "OK":
                continue
            _, found = client.uid("SEARCH", "HEADER", TOKEN_HEADER, nonce)
            if found and found[0]:
                return folder.strip('"')
    return ""


def _folders(client: imaplib.IMAP4) -> Iterator[str]:
    """Folders for spam, by the flag that servers set or by their name; quoted as the server has them."""
    _, lines = client.list()
    for line in lines:
        text = line.decode("utf-8", "replace") if isinstance(line, bytes) else ""
        found = _LISTED.match(text)
        if found and (r"\junk" in found["flags"].casefold() or _SPAM.search(found["name"])):
            yield found["name"]


def spam_in_maildir(inbox: Path, nonce: str) -> str:
    """The same for folders beside a Maildir (`.Junk`), as Dovecot and Courier make them."""
    for folder in sorted(inbox.glob(".*")):
        if not _SPAM.search(folder.name):
            continue
        for part in ("new", "cur"):
            if any(_has(mail, nonce) for mail in sorted((folder / part).glob("*"))[-200:]):
                return folder.name.lstrip(".")
    return ""


def _has(mail: Path, nonce: str) -> bool:
    with contextlib.suppress(OSError):
        return nonce.encode() in mail.read_bytes()[:20_000]
    return False
