"""The pipeline through real servers: Postfix takes the mails and brings the letters, Dovecot keeps them."""

from __future__ import annotations

import asyncio
import email
import itertools
import random
import shutil
import smtplib
import sqlite3
import ssl
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from email.policy import default
from pathlib import Path

import aiosmtplib

from pbem.app import App
from pbem.config import Config, Mail, Table
from pbem.ports import Fetched
from pbem.runner import Runner
from pbem.sources.imap import ImapAccount, ImapSource
from pbem.store.db import Store
from pbem.transports.smtp import SmtpAccount, SmtpTransport
from tests.servers.mailhost import HOST, MailHost, missing

from .pipeline import ADDRESS, NAMES, config, post_for, prepare, random_line, sizes
from .relay import SCHEMA, reply

USER = ADDRESS.partition("@")[0]
PEOPLE = {name: f"{name.lower()}@example.org" for name in NAMES}
BEFORE = 10
"""Answers that each game has had, so that its letters are of the usual size."""
PATIENCE = 300.0
"""Seconds for everything to be delivered."""


@dataclass(frozen=True, slots=True)
class Result:
    """What one run through the servers showed."""

    mails_per_second: float
    """From the first mail handed in until the last letter lies in a mailbox."""
    relay_per_second: float
    waits: list[float]
    """For each of the single mails, the seconds from handing it in until its receipt lies in the mailbox."""

    @property
    def ratio(self) -> float:
        """The pipeline's rate as a share of the bare relay's."""
        return self.mails_per_second / self.relay_per_second


def absent() -> str:
    """Why there is nothing to measure with; empty where there is."""
    return missing() and "not measured: no Postfix and Dovecot here"


def measure(
    folder: Path, runs: int, mails: int = 200, single: int = 40, say: Callable[[str], None] = print
) -> list[Result]:
    """Some runs: a crowd of mails, then single ones, then the crowd through a relay that reads nothing."""
    say("preparing games and mails for the servers")
    start, written = rehearse(folder, mails, single)
    found = []
    with MailHost([USER, *PEOPLE.values()]) as host:
        for n in range(runs):
            store = folder / f"run{n}.sqlite"
            shutil.copy(start, store)
            say(
                f"{mails} mails through Postfix, Dovecot and the pipeline, then {single} one by one, run {n + 1}"
            )
            rate, waits = asyncio.run(_flow(host, store, folder, written[:mails], written[mails:]))
            text, html, _, _ = sizes(store)
            host.empty()
            say("the same servers with a relay that reads nothing")
            bare = asyncio.run(_relay(host, folder / f"relay{n}.sqlite", folder, written[:mails], text, html))
            host.empty()
            found.append(Result(rate, bare, waits))
    return found


def rehearse(folder: Path, mails: int, single: int) -> tuple[Path, list[bytes]]:
    """A store with games past their beginning, and mails to them: the crowd has a game for each, since Postfix
    delivers many mails at once, and they come in another order than they were sent."""
    app = App(config(), Store(prepare(folder, mails)))
    line, numbers = random_line(random.Random(1)), itertools.count(1)

    def turns(count: int) -> Iterator[bytes]:
        for game, _ in zip(itertools.cycle(app.games.every()), range(count), strict=False):
            n = next(numbers)
            mail = post_for(app, game, line, iter([n]))
            app.take(Fetched(f"rehearsal:{n}", mail, datetime.now(UTC)))
            yield mail

    for _ in turns(BEFORE * mails):
        pass
    with app.store.tx():
        app.store.run("update inbox set settled = 1")
        app.store.run("update outbox set state = 'dropped' where state = 'queued'")
    start = folder / "servers.sqlite"
    app.store.backup(start)
    written = [*turns(mails), *turns(single)]
    app.close()
    return start, written


# the servers


class Arrivals:
    """What has come into people's mailboxes, read from the disk, each with the time at which Dovecot took it."""

    def __init__(self, host: MailHost) -> None:
        self._folders = {name: host.folder / "mail" / "example.org" / name.lower() / "new" for name in NAMES}

    def paths(self, *names: str) -> list[Path]:
        """Letters in the mailboxes of these people, or of everybody."""
        return [path for name in names or NAMES for path in self._folders[name].glob("*")]

    def last(self) -> float:
        """When the last one came."""
        return max(map(taken_at, self.paths()))


def taken_at(path: Path) -> float:
    """A Maildir name begins with the second, and has the microseconds after an M."""
    second, place, _ = path.name.split(".", 2)
    return int(second) + int(place.partition("M")[2].partition("P")[0]) / 1e6


@contextmanager
def _fed(host: MailHost, folder: Path, mails: Sequence[bytes]) -> Iterator[Callable[[], float]]:
    """A process that hands all mails in; gives what starts it and says when it began."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    for n, mail in enumerate(mails):
        (folder / f"{n:06}").write_bytes(mail)
    command = [sys.executable, "-m", "tests.bench.feeder", str(host.mx), str(folder), ADDRESS]
    child = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert child.stdin is not None
    assert child.stdout is not None

    def begin() -> float:
        assert child.stdin is not None
        assert child.stdout is not None
        child.stdin.write("\n")
        child.stdin.flush()
        return float(child.stdout.readline())

    try:
        yield begin
    finally:
        child.stdin.close()
        status = child.wait(60)
        child.stdout.close()
    assert status == 0, "a mail was not taken"


def _imap(host: MailHost) -> ImapAccount:
    return ImapAccount(HOST, host.imaps, host.address(USER), host.password(USER), cafile=str(host.ca))


# the pipeline


async def _flow(
    host: MailHost, store: Path, folder: Path, crowd: Sequence[bytes], single: Sequence[bytes]
) -> tuple[float, list[float]]:
    """Mails a second, and the seconds that each of the single ones took."""
    mail = Mail(source="imap", address=ADDRESS, receipts_per_hour=0, pictures=False)
    app = App(Config(mail=mail, table=Table(minimum_age_minutes=0)), Store(store))
    post = SmtpAccount(
        HOST, host.submission, "starttls", host.address(USER), host.password(USER), str(host.ca)
    )
    runner = Runner(app, ImapSource(_imap(host)), SmtpTransport(post))
    serving = asyncio.create_task(runner.run())
    arrivals = Arrivals(host)
    with _fed(host, folder / "crowd", crowd) as begin:
        began = await asyncio.to_thread(begin)
        await _until(lambda: _is_through(app, len(crowd), arrivals))
    rate = len(crowd) / (arrivals.last() - began)
    row = app.store.one(
        "select count(*) from inbox where reason = 'changed' and settled = 1 and key like 'imap:%'"
    )
    assert row is not None
    assert row[0] == len(crowd), "not every mail was an answer"
    waits = []
    for n, raw in enumerate(single, len(crowd) + 1):
        waits.append(await _wait_for_receipt(host, raw, arrivals))
        await _until(lambda n=n: _is_through(app, n, arrivals))  # type: ignore[misc]
    runner.stop()
    await serving
    app.close()
    return rate, waits


def _is_through(app: App, mails: int, arrivals: Arrivals) -> bool:
    """Whether so many mails are done and moved, and every letter lies in its mailbox."""
    row = app.store.one("select count(*) from inbox where settled = 1 and key like 'imap:%'")
    sent = app.store.one("select count(*) from outbox where state = 'sent'")
    assert row is not None
    assert sent is not None
    return row[0] >= mails and not app.outbox.waiting() and len(arrivals.paths()) >= sent[0]


async def _wait_for_receipt(host: MailHost, raw: bytes, arrivals: Arrivals) -> float:
    """Seconds from handing in one mail until its writer has the receipt."""
    mail = email.message_from_bytes(raw, policy=default)
    name = str(mail["from"]).partition(" ")[0]
    before = set(arrivals.paths(name))
    began = time.time()
    await asyncio.to_thread(_hand_in, host, raw)
    found: list[Path] = []

    def there() -> bool:
        new = [path for path in arrivals.paths(name) if path not in before]
        found[:] = [
            path for path in new if f"In-Reply-To: {mail['message-id']}".encode() in path.read_bytes()
        ]
        return bool(found)

    await _until(there)
    return min(map(taken_at, found)) - began


def _hand_in(host: MailHost, raw: bytes) -> None:
    with smtplib.SMTP(HOST, host.mx, local_hostname="localhost", timeout=30) as post:
        post.sendmail("feeder@example.org", [ADDRESS], raw)


async def _until(holds: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < end, "the servers do not bring everything"
        await asyncio.sleep(0.01)


# the relay


async def _relay(
    host: MailHost, database: Path, folder: Path, mails: Sequence[bytes], text: str, html: str
) -> float:
    """Mails a second of a program that reads nothing: a row and a commit, two replies, a move."""
    db = sqlite3.connect(database, isolation_level=None)
    db.executescript(SCHEMA)
    source, arrivals, done = ImapSource(_imap(host)), Arrivals(host), 0
    context = ssl.create_default_context(cafile=host.ca)
    post = aiosmtplib.SMTP(hostname=HOST, port=host.submission, start_tls=True, tls_context=context)
    await post.connect(username=host.address(USER), password=host.password(USER))
    with _fed(host, folder / "relayed", mails) as begin:
        began = await asyncio.to_thread(begin)
        while done < len(mails):
            for fetched in await asyncio.to_thread(lambda: list(source.fetch(50))):
                mail = email.message_from_bytes(fetched.raw, policy=default)
                db.execute("begin immediate")
                db.execute("insert into mail (raw, sender) values (?, ?)", (fetched.raw, str(mail["from"])))
                db.execute("commit")
                for n in range(2):
                    letter = reply(str(mail["from"]), f"{done}.{n}", text, html)
                    del letter["From"]
                    letter["From"] = ADDRESS
                    await post.send_message(letter)
                source.settle(fetched.key, "Done")
                done += 1
        await _until(lambda: len(arrivals.paths()) >= 2 * len(mails))
    await post.quit()
    source.close()
    db.close()
    return len(mails) / (arrivals.last() - began)
