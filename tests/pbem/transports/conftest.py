"""An SMTP server on loopback that says what a test wants it to say."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Callable
from typing import Any

import pytest
from aiosmtpd.smtp import SMTP, AuthResult, Envelope, Session


class PostOffice:
    """Takes letters, and refuses those whose recipient says so: `550.x@`, `451.x@`, `421.x@`."""

    def __init__(self) -> None:
        self.letters: list[tuple[str | None, list[str], bytes]] = []
        self.mail_options: list[list[str]] = []
        self.rcpt_options: list[list[str]] = []
        self.connections = 0
        self.dsn = True
        self.sender_answer = "250 OK"
        self.password = "secret"

    async def handle_EHLO(
        self, server: SMTP, session: Session, envelope: Envelope, name: str, lines: list[str]
    ) -> Any:
        self.connections += 1
        session.host_name = name
        return [*lines[:-1], *(["250-DSN"] if self.dsn else []), lines[-1]]

    async def handle_MAIL(
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: Any
    ) -> str:
        if self.sender_answer.startswith("250"):
            envelope.mail_from = address
        return self.sender_answer

    async def handle_RCPT(
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: Any
    ) -> str:
        code = address.partition(".")[0]
        if code == "drop":
            assert isinstance(server.transport, asyncio.WriteTransport)
            server.transport.abort()
            return "250 gone"
        if code.isdigit():
            return f"{code} no thanks"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:
        content = envelope.original_content or b""
        if b"too much" in content:
            return "554 not this"
        self.letters.append((envelope.mail_from, envelope.rcpt_tos, content))
        return "250 taken as 7"

    def authenticate(
        self, server: SMTP, session: Session, envelope: Envelope, mechanism: str, data: Any
    ) -> AuthResult:
        right = data.password.decode() == self.password
        return AuthResult(success=right, handled=right)


class ReportingSMTP(SMTP):
    """Knows the options of delivery reports, which aiosmtpd does not."""

    async def smtp_MAIL(self, arg: str | None) -> None:
        await super().smtp_MAIL(self._without(arg, ("RET=", "ENVID="), self.event_handler.mail_options))

    async def smtp_RCPT(self, arg: str | None) -> None:
        await super().smtp_RCPT(self._without(arg, ("NOTIFY=", "ORCPT="), self.event_handler.rcpt_options))

    def _without(self, arg: str | None, names: tuple[str, ...], noted: list[list[str]]) -> str:
        words = (arg or "").split()
        noted.append([word for word in words if word.startswith(names)])
        return " ".join(word for word in words if not word.startswith(names))


class Desk:
    """A post office and its loop, driven by the test itself: no thread."""

    def __init__(self) -> None:
        self.office = PostOffice()
        self.options: dict[str, Any] = {}
        self.implicit_tls: ssl.SSLContext | None = None

    def run(self, work: Callable[[int], Any]) -> Any:
        """Runs `work(port)` beside the server."""
        return asyncio.run(self._run(work))

    async def _run(self, work: Callable[[int], Any]) -> Any:
        loop = asyncio.get_running_loop()

        def protocol() -> SMTP:
            return ReportingSMTP(
                self.office, enable_SMTPUTF8=True, ident="test", hostname="test", loop=loop, **self.options
            )

        server = await loop.create_server(protocol, "127.0.0.1", 0, ssl=self.implicit_tls)
        try:
            return await work(server.sockets[0].getsockname()[1])
        finally:
            server.close()
            await server.wait_closed()
            await asyncio.sleep(0.01)


@pytest.fixture
def desk() -> Desk:
    """A fresh one."""
    return Desk()
