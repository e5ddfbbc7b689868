"""The post office: takes mail by SMTP on loopback and files it in Maildirs."""

from __future__ import annotations

import asyncio
import logging
import re
import threading
from collections.abc import Callable
from datetime import UTC, datetime
from email.utils import format_datetime
from pathlib import Path
from types import TracebackType
from typing import Protocol, Self

from aiosmtpd.smtp import SMTP, Envelope, Session

from pbem.ports import Refused
from pbem.postoffice import maildir
from pbem.postoffice.loopback import listen, loopback
from pbem.postoffice.people import Directory, Mailboxes, normal

log = logging.getLogger(__name__)

DEFAULT_PORT = 8025
SIZE_LIMIT = 10 * 2**20
"""Bytes of one mail."""

IDENT = "pbem post office"
TAKEN = "250 OK"
FILED = "250 2.0.0 Filed"
MALFORMED = "553 5.1.3 This address holds characters that no address may hold"
STRANGER = (
    "550 5.1.1 Nobody here is called <{address}>: this post office takes mail for {ours} "
    "and for people who are registered at one of its tables"
)
DISK = "451 4.3.0 The mail could not be written to the disk, please send it again later"

UNPRINTABLE = re.compile(r"[\x00-\x20\x7f-\x9f\ud800-\udfff<>]")
_NOT_A_HOST_NAME = re.compile(r"[^A-Za-z0-9.:_\[\]-]")


class PostOffice:
    """An SMTP server on loopback that files each mail before it says 250.

    It runs in the caller's event loop (`async with PostOffice(...)`, or `start` and `stop`), or in a
    thread of its own (`with PostOffice(...)`). Mail for our own address calls `on_delivery` at once, in
    the loop's thread.
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
        self.mailboxes = Mailboxes(root, our_address)
        self.host = loopback(host)
        self._wanted = port
        self._port = 0
        self._size_limit = size_limit
        self._clerk = _Clerk(self.mailboxes, directory, on_delivery or nobody_waits)
        self._server: asyncio.Server | None = None
        self._talks: set[Talk] = set()
        self._thread: OwnThread | None = None

    @property
    def port(self) -> int:
        """The port it really got; 0 while it is closed."""
        return self._port

    async def start(self) -> None:
        """Open the counter. Raises `OSError` where no port can be had."""
        loop = asyncio.get_running_loop()
        maildir.ensure(self.mailboxes.ours)
        counter = listen(self.host, self._wanted)
        self._port = int(counter.getsockname()[1])
        self._server = await loop.create_server(lambda: self._talk(loop), sock=counter)

    async def stop(self) -> None:
        """Close the counter and end every open conversation; harmless when it is closed already."""
        if self._server is None:
            return
        self._server.close()
        self._server, self._port = None, 0
        await asyncio.gather(*(talk.break_off() for talk in list(self._talks)))

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.stop()

    def __enter__(self) -> Self:
        self._thread = OwnThread(self)
        self._thread.open()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._thread is not None:
            self._thread.close()
            self._thread = None

    def _talk(self, loop: asyncio.AbstractEventLoop) -> Talk:
        return Talk(self._clerk, self._talks, self._size_limit, loop)


class _Clerk:
    """Answers at the counter; the method names are aiosmtpd's."""

    def __init__(self, mailboxes: Mailboxes, directory: Directory, wake: Callable[[], None]) -> None:
        self._mailboxes = mailboxes
        self._directory = directory
        self._wake = wake

    async def handle_MAIL(
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        """Take any sender, the null sender too."""
        if address != "<>" and UNPRINTABLE.search(address):
            return MALFORMED
        envelope.mail_from = address
        envelope.mail_options.extend(options)
        return TAKEN

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


class Talk(SMTP):
    """One conversation, which can be broken off from our side."""

    def __init__(
        self, clerk: object, talks: set[Talk], size_limit: int, loop: asyncio.AbstractEventLoop
    ) -> None:
        super().__init__(
            clerk,
            data_size_limit=size_limit,
            enable_SMTPUTF8=True,
            hostname="localhost",  # or else aiosmtpd would ask the resolver for our name
            ident=IDENT,
            loop=loop,
        )
        self._talks = talks

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        self._talks.add(self)

    def connection_lost(self, error: Exception | None) -> None:
        super().connection_lost(error)
        self._talks.discard(self)

    async def break_off(self) -> None:
        """Drop the line and wait until nothing of the conversation is running."""
        task = self._handler_coroutine
        if isinstance(self.transport, asyncio.Transport):
            self.transport.abort()
        if task is not None:
            await asyncio.wait([task])


class Office(Protocol):
    """What runs in an event loop between `start` and `stop`."""

    async def start(self) -> None:
        """Open the counter."""

    async def stop(self) -> None:
        """Close it."""


class OwnThread:
    """Runs a post office where the caller has no event loop."""

    def __init__(self, office: Office) -> None:
        self._office = office
        self._thread = threading.Thread(target=lambda: asyncio.run(self._serve()), name="post-office")
        self._opened = threading.Event()
        self._fault: BaseException | None = None

    def open(self) -> None:
        """Start, and wait until the counter is open. Raises what the office's `start` raises."""
        self._thread.start()
        self._opened.wait()
        if self._fault is not None:
            self._thread.join()
            raise self._fault

    def close(self) -> None:
        """Close the counter and wait for the thread's end."""
        self._loop.call_soon_threadsafe(self._closing.set)
        self._thread.join()

    async def _serve(self) -> None:
        self._loop, self._closing = asyncio.get_running_loop(), asyncio.Event()
        try:
            await self._office.start()
        except (OSError, Refused) as error:
            self._fault = error
            return
        finally:
            self._opened.set()
        await self._closing.wait()
        await self._office.stop()


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
