"""A counter where mail is handed in: how it opens and closes, in an event loop or in a thread of its own."""

from __future__ import annotations

import asyncio
import re
import threading
from abc import ABC, abstractmethod
from types import TracebackType
from typing import Self

from aiosmtpd.smtp import SMTP, Envelope, Session

from pbem.ports import Refused

IDENT = "pbem post office"
TAKEN = "250 OK"
MALFORMED = "553 5.1.3 This address holds characters that no address may hold"
UNPRINTABLE = re.compile(r"[\x00-\x20\x7f-\x9f\ud800-\udfff<>]")


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


class Clerk:
    """Answers at a counter; the method names are aiosmtpd's."""

    async def handle_MAIL(
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        """Take any sender, the null sender too."""
        if address != "<>" and UNPRINTABLE.search(address):
            return MALFORMED
        envelope.mail_from = address
        envelope.mail_options.extend(options)
        return TAKEN


class Counter(ABC):
    """A server of mail that runs in its caller's event loop (`async with`), or in a thread of its own (`with`)."""

    def __init__(self) -> None:
        self._server: asyncio.Server | None = None
        self._talks: set[Talk] = set()
        self._thread: _OwnThread | None = None

    async def start(self) -> None:
        """Open the counter; what it raises is its kind's."""
        self._server = await self._opened(asyncio.get_running_loop())

    async def stop(self) -> None:
        """Close the counter and end every open conversation; harmless when it is closed already."""
        if self._server is None:
            return
        self._server.close()
        self._server = None
        self._closed()
        await asyncio.gather(*(talk.break_off() for talk in list(self._talks)))

    @abstractmethod
    async def _opened(self, loop: asyncio.AbstractEventLoop) -> asyncio.Server:
        """A server that listens."""

    @abstractmethod
    def _closed(self) -> None:
        """Put away what was there for callers to find it."""

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.stop()

    def __enter__(self) -> Self:
        self._thread = _OwnThread(self)
        self._thread.open()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._thread is not None:
            self._thread.close()
            self._thread = None


class _OwnThread:
    """Runs a counter where the caller has no event loop."""

    def __init__(self, counter: Counter) -> None:
        self._counter = counter
        self._thread = threading.Thread(target=lambda: asyncio.run(self._serve()), name="post-office")
        self._opened = threading.Event()
        self._fault: BaseException | None = None

    def open(self) -> None:
        """Start, and wait until the counter is open. Raises what the counter's `start` raises."""
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
            await self._counter.start()
        except (OSError, Refused) as error:
            self._fault = error
            return
        finally:
            self._opened.set()
        await self._closing.wait()
        await self._counter.stop()
