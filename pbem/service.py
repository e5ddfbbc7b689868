"""Everything that serves together, as the configuration wants it: mailbox, post, inbox page, runner."""

from __future__ import annotations

import asyncio
import contextlib
import functools
import json
import logging
import re
import threading
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from .app import App, open_app
from .config import Config, client_secret, password
from .oauth import AccessTokens, OauthClient
from .people import People
from .ports import Access, Clock, Source, Transport
from .postoffice.lmtp import LmtpCounter, Place
from .postoffice.page import Page
from .postoffice.people import Listed, Mailboxes
from .postoffice.server import PostOffice
from .runner import Lock, Runner
from .sources.imap import ImapAccount, ImapSource
from .sources.maildir import MaildirSource
from .store.db import Unavailable
from .transports.smtp import SmtpAccount, SmtpTransport
from .upgrade import must_be_in_order

log = logging.getLogger("pbem.service")

REFRESH_SECONDS = 1.0
"""How soon the inbox page shows people whom another process has registered."""
LOCK = "run.lock"
QUIET = ("apscheduler", "mail.log", "asyncio")
"""Loggers of our libraries that tell every little thing."""
_TOKEN = re.compile(r"(?<![a-z0-9])[a-z2-7]{36}(?![a-z0-9])")
_ADDRESS = re.compile(r"(?<![\w.+-])([\w.+-])[\w.+-]*@([\w-]+(?:\.[\w-]+)+)")


class Registered:
    """The persons of the store, for the post office and its page; may be asked from any thread.

    The store belongs to the thread that made this; the others see the list as that thread last read it.
    """

    def __init__(self, people: People) -> None:
        self._people = people
        self._owner = threading.get_ident()
        self._list = Listed(())
        self.refresh()

    def refresh(self) -> None:
        """Read the list again; in the owner's thread alone."""
        self._list = Listed([(p.name, p.address) for p in self._people.everybody()])

    async def keep_fresh(self) -> None:
        """Read the list again and again, until cancelled."""
        while True:
            await asyncio.sleep(REFRESH_SECONDS)
            with contextlib.suppress(Unavailable):
                self.refresh()

    def knows(self, address: str) -> bool:
        """Whether this address is registered. A miss is looked up at once where that is possible, or the
        first letter to somebody whom `pbem new` registered a moment ago would be refused for good."""
        if not self._list.knows(address) and threading.get_ident() == self._owner:
            self.refresh()
        return self._list.knows(address)

    def people(self) -> Sequence[tuple[str, str]]:
        """Name and address of everybody, in the order they came."""
        return self._list.people()


@dataclass(frozen=True, slots=True)
class Service:
    """What is open while we serve; office and page only with the embedded post office."""

    app: App
    runner: Runner
    office: PostOffice | None = None
    page: Page | None = None
    counter: LmtpCounter | None = None
    """Only where a mail server hands mail to us."""

    def places(self) -> list[str]:
        """Where people reach us, in sentences for the host."""
        ours = self.app.config.mail.address
        if self.counter is not None:
            return [f"Mail to {ours} is taken by LMTP at {self.counter.place}."]
        if self.office is None or self.page is None:
            return [f"Serving the mailbox of {ours}."]
        return [
            f"Everybody's inbox is at {self.page.url}",
            f"Mail to {ours} is taken by SMTP at {self.office.host}:{self.office.port}.",
        ]


def access_of(config: Config) -> Access:
    """The access tokens of the mailbox; raises `BadConfig` where the client secret cannot be had, `Refused`."""
    c = config.oauth
    refresh_token = Path(c.refresh_token_file)
    return _access(OauthClient(c.token_url, c.client_id, refresh_token, client_secret(c), c.scope))


@functools.cache
def _access(client: OauthClient) -> Access:
    """One for all who ask, since a provider may take two uses of one refresh token for theft."""
    return AccessTokens(client)


def imap_account(config: Config) -> ImapAccount:
    """The mailbox on a server; raises `BadConfig` where its password cannot be had, `Refused`."""
    c = config.imap
    return ImapAccount(
        *(c.host, c.port, c.user, password(c, "imap"), c.security, c.ca_file or None),
        access=access_of(config) if c.auth == "xoauth2" else None,
        timeout=c.timeout,
    )


def smtp_account(config: Config) -> SmtpAccount:
    """The server that takes our letters; raises `BadConfig` where its password cannot be had, `Refused`."""
    c = config.smtp
    return SmtpAccount(
        *(c.host, c.port, c.security, c.user, password(c, "smtp"), c.ca_file or None),
        access=access_of(config) if c.auth == "xoauth2" else None,
        timeout=c.timeout,
    )


def source_of(config: Config) -> Source:
    """The mailbox that is polled; raises `BadConfig`, `Refused`."""
    match config.mail.source:
        case "imap":
            return ImapSource(imap_account(config))
        case "maildir" | "lmtp":
            return MaildirSource(config.mail.maildir)
    return MaildirSource(Mailboxes(Path(config.mail.maildir), config.mail.address).ours)


def counter_of(config: Config, good_token: Callable[[str], bool], source: Source) -> LmtpCounter:
    """Where the mail server hands mail to us; opened by the caller. Raises `NotLoopback`."""
    c = config.lmtp
    return LmtpCounter(
        *(Place(Path(c.socket), c.host, c.port), Path(config.mail.maildir), config.mail.address),
        *(good_token, source.wake),
    )


def lock_of(config: Config) -> Lock:
    """Keeps a second poller from this store; raises `AlreadyRunning`."""
    return Lock(Path(config.store.path).parent / LOCK)


@contextlib.asynccontextmanager
async def opened(config: Config, clock: Clock | None = None) -> AsyncIterator[Service]:
    """Everything open and ready for `runner.run()`; closed again afterwards. Ports that are taken give way to
    the next free ones. Raises `BadConfig`, `Damaged`, `Unavailable`, `Refused`, `OSError`."""
    app = open_app(config, clock)
    async with contextlib.AsyncExitStack() as stack:
        stack.callback(app.close)
        source = source_of(config)
        if config.mail.source == "embedded":
            yield await _embedded(app, source, stack)
            return
        transport = SmtpTransport(smtp_account(config))
        counter = None
        if config.mail.source == "lmtp":
            counter = counter_of(config, app.intake.knows_token, source)
            await stack.enter_async_context(counter)
        yield Service(app, Runner(app, source, transport), counter=counter)


async def _embedded(app: App, source: Source, stack: contextlib.AsyncExitStack) -> Service:
    """Our own post office in this loop, and its page in a thread."""
    mail, web = app.config.mail, app.config.web
    root = Path(mail.maildir)
    directory = Registered(app.people)
    office = PostOffice(root, mail.address, directory, port=web.smtp_port, on_delivery=source.wake)
    await stack.enter_async_context(office)
    page = Page(root, mail.address, directory, office.port, port=web.port)
    page.start()
    stack.push_async_callback(asyncio.to_thread, page.stop)
    fresh = asyncio.create_task(directory.keep_fresh())
    stack.push_async_callback(_ended, fresh)
    transport: Transport = SmtpTransport(SmtpAccount(office.host, office.port, tls="none"))
    return Service(app, Runner(app, source, transport), office, page)


async def _ended(task: asyncio.Task[None]) -> None:
    task.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await task


async def serve(config: Config, announce: Callable[[str], None], clock: Clock | None = None) -> None:
    """Serve until SIGTERM or SIGINT; `announce` is given the places where people reach us.

    Raises `AlreadyRunning`, `NotInOrder` and whatever `opened` raises.
    """
    lock = lock_of(config)
    try:
        async with opened(config, clock) as service:
            for finding in must_be_in_order(service.app.games):
                log.warning("“%s” %s; see pbem upgrade --check", finding.game.title, finding.said)
            service.runner.stop_on_signals()
            for place in service.places():
                announce(place)
            await service.runner.run()
    finally:
        lock.release()


class Shortened(logging.Formatter):
    """Log lines without people's addresses (`a…@example.org`) and without tokens."""

    def format(self, record: logging.LogRecord) -> str:
        """The line, tracebacks too."""
        return shortened(super().format(record))


class AsJson(Shortened):
    """The same, each line one JSON object: `at`, `level`, `logger`, `said`, and `trace` where there is one."""

    def format(self, record: logging.LogRecord) -> str:
        """One object on one line."""
        at = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        fields = {"at": at, "level": record.levelname.lower(), "logger": record.name}
        fields["said"] = shortened(record.getMessage())
        if record.exc_info:
            fields["trace"] = shortened(self.formatException(record.exc_info))
        return json.dumps(fields, ensure_ascii=False)


def shortened(text: str) -> str:
    """A text with the local part of every address cut down to its first letter, and no token in it."""
    return _TOKEN.sub("…", _ADDRESS.sub(r"\1…@\2", text))


def log_to_stderr(level: str, *, as_json: bool = False) -> None:
    """Everything from `level` on goes to stderr, addresses shortened."""
    handler = logging.StreamHandler()
    words = "%(asctime)s %(levelname)s %(name)s: %(message)s"
    handler.setFormatter(AsJson() if as_json else Shortened(words))
    logging.basicConfig(level=level.upper(), handlers=[handler], force=True)
    for name in QUIET:
        logging.getLogger(name).setLevel(logging.WARNING)
