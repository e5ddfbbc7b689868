"""Mail that the machine's own mail server hands to us by LMTP: refused in the conversation, or filed for good.

Whatever is wrong with a mail is said while its sender's server still holds it, so that nobody has to write a
report to an address that may be forged. What is taken lies in a Maildir, synced, before we say so.
"""

from __future__ import annotations

import asyncio
import contextlib
import errno
import logging
import os
import socket
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from aiosmtpd.lmtp import LMTP
from aiosmtpd.smtp import SMTP, Envelope, Session

from pbem.mail.tokens import candidates
from pbem.ports import Refused
from pbem.postoffice import maildir
from pbem.postoffice.counter import MALFORMED, TAKEN, UNPRINTABLE, Clerk, Counter, Talk
from pbem.postoffice.loopback import loopback
from pbem.postoffice.people import Mailboxes, normal
from pbem.postoffice.server import (
    FILED,
    SIZE_LIMIT,
    nobody_waits,
    stamps,
)
from pbem.store.db import Unavailable

log = logging.getLogger(__name__)

MOST_RECIPIENTS = 100
"""Of one mail; as many as every server must be able to take."""
LONGEST_LINE = 2**16
"""Bytes; some mail programs write a paragraph as one line."""
_LONGEST_PATH = 107
"""Bytes in the name of a unix socket."""

STRANGER = "550 5.1.1 There is no <{address}> here; write to {ours}, or answer a letter of your game"
OLD_TOKEN = "550 5.1.1 Nothing is taken at this address any more; answer the newest letter of your game"
CROWD = "452 4.5.3 Too many recipients; a mail may have {most} here"
TOO_BIG = "552 5.3.4 A mail may have {limit} here; write your lines as plain text, without attachments"
TOO_LONG = "554 5.6.0 A line of this mail is longer than {longest} characters; break it into several"
FULL = "452 4.3.1 There is no room for mail here now, please send it again later"
DISK = "451 4.3.0 The mail could not be written down, please send it again later"
UNSURE = "451 4.3.0 Who this address belongs to cannot be looked up now, please send it again later"


@dataclass(frozen=True, slots=True)
class Place:
    """Where we listen: a unix socket, or a port of this machine alone."""

    path: Path
    host: str = "127.0.0.1"
    port: int = 0
    """0: the socket."""

    def __str__(self) -> str:
        """As Postfix writes it."""
        return f"inet:{self.host}:{self.port}" if self.port else f"unix:{self.path.absolute()}"


class LmtpCounter(Counter):
    """An LMTP server that files mail for our own address before it says 250.

    `good_token` is asked, in the loop's thread, about plus parts that have the shape of a token; it may raise
    `Unavailable`. `start` raises `Refused` where the counter cannot be opened, or another program has it.
    """

    def __init__(
        self,
        place: Place,
        folder: Path,
        our_address: str,
        good_token: Callable[[str], bool],
        on_delivery: Callable[[], None] | None = None,
        size_limit: int = SIZE_LIMIT,
    ) -> None:
        """`folder`: the Maildir; `size_limit` in bytes. Raises `NotLoopback`."""
        super().__init__()
        self.place = place
        self._host = loopback(place.host)
        self._folder = folder
        self._size_limit = size_limit
        self._clerk = _Clerk(folder, our_address, good_token, on_delivery or nobody_waits)

    async def _opened(self, loop: asyncio.AbstractEventLoop) -> asyncio.Server:
        try:
            maildir.ensure(self._folder)
        except OSError as e:
            raise Refused(
                f"mail.maildir = {str(self._folder)!r} cannot be made ({e.strerror}). Name a folder that this user "
                "may write to."
            ) from e

        def talk() -> Talk:
            return _Talk(self._clerk, self._talks, self._size_limit, loop)

        if self.place.port:
            return await loop.create_server(talk, sock=self._port())
        return await loop.create_unix_server(talk, sock=self._socket())

    def _closed(self) -> None:
        if not self.place.port:
            with contextlib.suppress(OSError):
                self.place.path.unlink()

    def _port(self) -> socket.socket:
        family = socket.AF_INET6 if ":" in self._host else socket.AF_INET
        try:
            counter = socket.create_server((self._host, self.place.port), family=family, backlog=100)
        except OSError as e:
            raise Refused(
                f"lmtp.port = {self.place.port} cannot be opened ({e.strerror}). Name another, here and in your mail "
                "server's configuration; or leave it 0 and use lmtp.socket."
            ) from e
        counter.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return counter

    def _socket(self) -> socket.socket:
        path = self.place.path.absolute()
        if len(os.fsencode(path)) > _LONGEST_PATH:
            raise Refused(
                f"lmtp.socket: {path} is longer than the {_LONGEST_PATH} bytes that the system allows. Name a shorter "
                "path."
            )
        counter = socket.socket(socket.AF_UNIX)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            if _is_deserted(path):
                path.unlink()
            counter.bind(str(path))
            path.chmod(
                0o666
            )  # the mail server runs under another user; who may come near, the folder decides
            counter.listen(100)
        except OSError as e:
            counter.close()
            raise Refused(
                f"lmtp.socket: {path} cannot be opened ({e.strerror}). Name a path in a folder that this user may "
                "write to and that your mail server may enter, and let no other program use it."
            ) from e
        return counter


def _is_deserted(path: Path) -> bool:
    """Whether a socket lies there that a process before us has left."""
    if not path.is_socket():
        return False
    with socket.socket(socket.AF_UNIX) as knock:
        try:
            knock.connect(str(path))
        except ConnectionRefusedError:
            return True
        return False


class _Clerk(Clerk):
    """Answers at the counter; the method names are aiosmtpd's."""

    def __init__(
        self, folder: Path, our_address: str, good_token: Callable[[str], bool], wake: Callable[[], None]
    ) -> None:
        self._folder = folder
        self._ours = Mailboxes(folder, our_address)
        self._good_token = good_token
        self._wake = wake

    async def handle_RCPT(
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        """Take our own address; say why not to everybody else."""
        if UNPRINTABLE.search(address):
            return MALFORMED
        if not self._ours.is_ours(address):
            return STRANGER.format(address=address, ours=self._ours.our_address)
        if len(envelope.rcpt_tos) >= MOST_RECIPIENTS:
            return CROWD.format(most=MOST_RECIPIENTS)
        try:
            # A report is filed whatever its token: refused, it would only become a report about a report.
            if envelope.mail_from != "<>" and self._is_old(address):
                return OLD_TOKEN
        except Unavailable:
            return UNSURE
        envelope.rcpt_tos.append(address)
        envelope.rcpt_options.extend(options)
        return TAKEN

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:
        """File one copy a recipient, and answer for each."""
        raw = envelope.original_content or b""
        answers = await asyncio.to_thread(self._file, session, envelope, raw)
        if FILED in answers:
            self._ring()
        return "\r\n".join(answers)

    def _is_old(self, address: str) -> bool:
        """Whether the plus part is of the shape of a token, and none that is good now."""
        plus = normal(address).partition("@")[0].partition("+")[2]
        words = list(candidates(plus))
        return bool(words) and not any(map(self._good_token, words))

    def _file(self, session: Session, envelope: Envelope, raw: bytes) -> list[str]:
        now = datetime.now(UTC)
        answers: list[str] = []
        for address in envelope.rcpt_tos:
            head = stamps(envelope.mail_from or "<>", address, session.host_name or "", now, "LMTP")
            try:
                maildir.deliver(self._folder, head + raw)
            except OSError as e:
                log.error("a mail by LMTP could not be filed: %s", e.strerror)
                answers.append(FULL if e.errno in (errno.ENOSPC, errno.EDQUOT) else DISK)
            else:
                answers.append(FILED)
        return answers

    def _ring(self) -> None:
        try:
            self._wake()
        except Exception:  # the mail is safe on disk, so its sender must hear 250 whatever the caller does
            log.exception("the mail was filed, but waking its reader failed")


class _Talk(LMTP, Talk):
    """One conversation. After the mail itself LMTP wants an answer for each recipient."""

    line_length_limit = LONGEST_LINE

    _owed = 0
    """How many answers the mail that is coming in will get."""

    async def push(self, status: str | bytes) -> None:
        """Send an answer; the library's own words about size are said in ours, once a recipient."""
        said = status.decode("ascii", "replace") if isinstance(status, bytes) else status
        if said.startswith("354"):
            self._owed = len(self.envelope.rcpt_tos) if self.envelope else 0
            await super().push(said)
            return
        if said.startswith("552"):
            said = TOO_BIG.format(limit=_size(self.data_size_limit or 0))
        elif self._owed and said.startswith("500"):
            said = TOO_LONG.format(longest=LONGEST_LINE)
        if self._owed and "\r\n" not in said:
            said = "\r\n".join([said] * self._owed)
        self._owed = 0
        await super().push(said)


def _size(limit: int) -> str:
    """A number of bytes for people."""
    return f"{limit / 2**20:.0f} MB" if limit >= 2**20 else f"{limit / 2**10:.0f} KB"
