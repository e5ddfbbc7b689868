"""The post office: takes mail by SMTP on loopback and files it in Maildirs."""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Callable
from datetime import UTC, datetime
from email.utils import format_datetime
from pathlib import Path

from aiosmtpd.smtp import SMTP, Envelope, Session

from pbem.postoffice import maildir
from pbem.postoffice.counter import IDENT, MALFORMED, TAKEN, UNPRINTABLE, Clerk, Counter, Talk
from pbem.postoffice.loopback import listen, loopback
from pbem.postoffice.people import Directory, Mailboxes, normal

log = logging.getLogger(__name__)

DEFAULT_PORT = 8025
SIZE_LIMIT = 10 * 2**20
"""Bytes of one mail."""

FILED = "250 2.0.0 Filed"
STRANGER = (
    "550 5.1.1 Nobody here is called <{address}>: this post office takes mail for {ours} "
    "and for people who are registered at one of its tables"
)
DISK = "451 4.3.0 The mail could not be written to the disk, please send it again later"

_NOT_A_HOST_NAME = re.compile(r"[^A-Za-z0-9.:_\[\]-]")


class PostOffice(Counter):
    """An SMTP server on loopback that files each mail before it says 250.

    Mail for our own address calls `on_delivery` at once, in the loop's thread. `start` raises `OSError` where no
    port can be had.
    """

    def __init__(
        self,
        root: Path,
        our_address: str,
        directory: Directory,
        host: str = "127.0.0.1",
        port: int = DEFAULT_PORT,
        on_delivery: Callable[[], None] | None = None,
        size_limit: int = SIZE_LIMIT,
    ) -> None:
        """`size_limit` in bytes; port 0 takes any free one. Raises `NotLoopback`."""
        super().__init__()
        self.mailboxes = Mailboxes(root, our_address)
        self.host = loopback(host)
        self._wanted = port
        self._port = 0
        self._size_limit = size_limit
        self._clerk = _Clerk(self.mailboxes, directory, on_delivery or nobody_waits)

    @property
    def port(self) -> int:
        """The port it really got; 0 while it is closed."""
        return self._port

    async def _opened(self, loop: asyncio.AbstractEventLoop) -> asyncio.Server:
        maildir.ensure(self.mailboxes.ours)
        counter = listen(self.host, self._wanted)
        self._port = int(counter.getsockname()[1])
        return await loop.create_server(
            lambda: Talk(self._clerk, self._talks, self._size_limit, loop), sock=counter
        )

    def _closed(self) -> None:
        self._port = 0


class _Clerk(Clerk):
    """Answers at the counter; the method names are aiosmtpd's."""

    def __init__(self, mailboxes: Mailboxes, directory: Directory, wake: Callable[[], None]) -> None:
        self._mailboxes = mailboxes
        self._directory = directory
        self._wake = wake

    async def handle_RCPT(
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        """Take ourselves and registered people, and tell everybody else why not."""
        if UNPRINTABLE.search(address):
            return MALFORMED
        if not (self._mailboxes.is_ours(address) or self._directory.knows(normal(address))):
            return STRANGER.format(address=address, ours=self._mailboxes.our_address)
        envelope.rcpt_tos.append(address)
        envelope.rcpt_options.extend(options)
        return TAKEN

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:
        """File one copy a recipient, then say so."""
        try:
            await asyncio.to_thread(self._file, session, envelope)
        except OSError:
            log.exception("a mail for %s could not be filed", ", ".join(envelope.rcpt_tos))
            return DISK
        if any(self._mailboxes.is_ours(address) for address in envelope.rcpt_tos):
            self._ring()
        return FILED

    def _file(self, session: Session, envelope: Envelope) -> None:
        raw = envelope.original_content or b""
        now = datetime.now(UTC)
        for address in dict.fromkeys(envelope.rcpt_tos):
            stamp = stamps(envelope.mail_from or "<>", address, session.host_name or "", now)
            maildir.deliver(self._mailboxes.folder(address), stamp + raw)

    def _ring(self) -> None:
        try:
            self._wake()
        except Exception:  # the mail is safe on disk, so its sender must hear 250 whatever the caller does
            log.exception("the mail was filed, but waking its reader failed")


def stamps(sender: str, recipient: str, helo: str, now: datetime, by: str = "ESMTP") -> bytes:
    """The three header lines that a post office puts in front of a mail, CRLF line ends."""
    name = _NOT_A_HOST_NAME.sub("", helo)[:100] or "unknown"
    path = sender if sender == "<>" else f"<{sender}>"
    lines = (
        f"Return-Path: {path}",
        f"Delivered-To: {recipient}",
        f"Received: from {name} by localhost ({IDENT}) with {by}; {format_datetime(now)}",
    )
    return "".join(line + "\r\n" for line in lines).encode()


def nobody_waits() -> None:
    """What is called for a delivery when the caller gave nothing to call."""
