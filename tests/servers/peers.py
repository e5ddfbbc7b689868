"""Mailboxes of every kind, with one way to put mail in and to look into their folders."""

from __future__ import annotations

import contextlib
import imaplib
import os
import ssl
import subprocess
import sys
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Protocol

from pbem.ports import Source
from pbem.postoffice import maildir
from pbem.sources.imap import ImapAccount, ImapSource
from pbem.sources.maildir import MaildirSource

from .mailhost import HOST, MailHost, answering, free_ports


class Peer(Protocol):
    """A mailbox that our side reads, and what somebody else does with it."""

    def source(self) -> Source:
        """A new source on it."""

    def put(self, raw: bytes, when: datetime | None = None) -> None:
        """A mail comes in."""

    def folder(self, name: str) -> list[bytes]:
        """The mails in a folder, oldest first; none where there is no such folder."""

    def mark_deleted(self, raw: bytes) -> None:
        """Somebody marks a mail of the inbox as deleted, and does not expunge it."""

    def take_away(self, raw: bytes) -> None:
        """Somebody moves a mail out of the inbox."""


class MaildirPeer:
    """A folder into which another program delivers."""

    def __init__(self, path: Path) -> None:
        self.path = path
        maildir.ensure(path)

    def source(self) -> MaildirSource:
        return MaildirSource(self.path)

    def put(self, raw: bytes, when: datetime | None = None) -> None:
        maildir.deliver(self.path, raw)
        if when is not None:
            newest = maildir.listing(self.path)[-1].path
            os.utime(newest, (when.timestamp(), when.timestamp()))

    def folder(self, name: str) -> list[bytes]:
        path = self.path if name == "INBOX" else self.path / f".{name}"
        return [mail.path.read_bytes() for mail in maildir.listing(path)]

    def mark_deleted(self, raw: bytes) -> None:
        maildir.mark(self.path, self._find(raw).key, "T")

    def take_away(self, raw: bytes) -> None:
        self._find(raw).path.unlink()

    def _find(self, raw: bytes) -> maildir.Filed:
        return next(mail for mail in maildir.listing(self.path) if mail.path.read_bytes() == raw)


class ImapPeer:
    """A mailbox on a server of this machine."""

    def __init__(self, account: ImapAccount) -> None:
        self.account = account

    def source(self) -> ImapSource:
        return ImapSource(self.account)

    def put(self, raw: bytes, when: datetime | None = None) -> None:
        stamp = imaplib.Time2Internaldate(when or datetime.now(UTC))
        with self.client() as client:
            _well(client.append("INBOX", "", stamp, raw))

    def folder(self, name: str) -> list[bytes]:
        with self.client() as client:
            if client.select(name, readonly=True)[0] != "OK":
                return []
            found = client.uid("SEARCH", "ALL")[1][0].split()
            return [self._raw(client, uid) for uid in found]

    def mark_deleted(self, raw: bytes) -> None:
        with self.client() as client:
            _well(client.uid("STORE", self._find(client, raw), "+FLAGS", r"(\Deleted)"))

    def take_away(self, raw: bytes) -> None:
        with self.client() as client:
            client.create("Elsewhere")
            _well(client.uid("MOVE", self._find(client, raw), "Elsewhere"))

    @contextlib.contextmanager
    def client(self) -> Iterator[imaplib.IMAP4]:
        """Somebody else's mail program, logged in."""
        a = self.account
        context = ssl.create_default_context(cafile=a.cafile)
        with (
            imaplib.IMAP4_SSL(a.host, a.port, ssl_context=context, timeout=10)
            if a.tls == "tls"
            else imaplib.IMAP4(a.host, a.port, timeout=10)
        ) as client:
            if a.tls == "starttls":
                client.starttls(context)
            client.login(a.user, a.password)
            client._get_capabilities()
            yield client

    def _find(self, client: imaplib.IMAP4, raw: bytes) -> str:
        _well(client.select("INBOX"))
        uids: list[bytes] = client.uid("SEARCH", "ALL")[1][0].split()
        return next(uid.decode() for uid in uids if self._raw(client, uid) == raw)

    @staticmethod
    def _raw(client: imaplib.IMAP4, uid: bytes) -> bytes:
        answer = _well(client.uid("FETCH", uid.decode(), "(BODY.PEEK[])"))
        parts: list[bytes] = [part[1] for part in answer if isinstance(part, tuple)]
        return max(parts, key=len)


def _well(answer: tuple[str, Sequence[Any]]) -> Sequence[Any]:
    assert answer[0] == "OK", answer
    return answer[1]


def dovecot_account(server: MailHost, user: str = "games", **more: object) -> ImapAccount:
    """A mailbox on Dovecot, in TLS from the first byte unless said otherwise."""
    settings: dict[str, object] = {
        "host": HOST,
        "port": server.imaps,
        "user": server.address(user),
        "password": server.password(user),
        "cafile": str(server.ca),
        "timeout": 5.0,
    }
    return ImapAccount(**(settings | more))  # type: ignore[arg-type]


class DevelServer:
    """`mail-devel` as a child process: one mailbox in memory, gone with it. Its IMAP knows no STARTTLS."""

    USER, PASSWORD = "games@pbem.example.org", "games-secret"

    def __init__(self, log: Path) -> None:
        self._log = log
        self.imap, self._smtp = free_ports(2)
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Up and answering; a second time on the same ports, with nothing in the mailbox."""
        options = f"--host {HOST} --no-http --user {self.USER} --password {self.PASSWORD}"
        options += f" --imap-port {self.imap} --smtp-port {self._smtp}"
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "mail_devel", *options.split()],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )
        answering(self.imap, lambda: self._log.read_text(errors="replace")[-2000:])

    def stop(self) -> None:
        """Killed, like a machine that loses its power."""
        if self._process is not None:
            self._process.kill()
            self._process.wait(10)
            self._process = None

    def account(self, **more: object) -> ImapAccount:
        """The mailbox."""
        settings: dict[str, object] = {
            "host": HOST,
            "port": self.imap,
            "user": self.USER,
            "password": self.PASSWORD,
            "tls": "none",
            "timeout": 5.0,
        }
        return ImapAccount(**(settings | more))  # type: ignore[arg-type]
