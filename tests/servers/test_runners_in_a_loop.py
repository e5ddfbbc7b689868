"""Two whole runners that take each other for a player, over real servers: silence within ten mails."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem.config import Config, Imap, Mail, Smtp, StoreConfig
from pbem.engine.games import GAMES
from pbem.joining import Invitation
from pbem.service import Service, opened

from .mailhost import HOST, MailHost

RUNNERS = ("games@one.example", "games@two.example")
PEOPLE = ("ana@example.org", "dora@example.org")
MOST = 10
QUIET = 3.0
"""Seconds without a new letter that count as silence; a mail takes half a second from one to the other."""


@pytest.fixture
def world(real_servers: None) -> Iterator[MailHost]:
    with MailHost([*RUNNERS, *PEOPLE]) as host:
        yield host


def config(host: MailHost, address: str, folder: Path) -> Config:
    password = folder / f"{address}.password"
    password.write_text(host.password(address))
    account = {
        "host": HOST,
        "user": address,
        "password_file": str(password),
        "ca_file": str(host.ca),
    }
    return Config(
        mail=Mail(source="imap", address=address, poll_seconds=1),
        imap=Imap(port=host.imaps, **account),  # type: ignore[arg-type]
        smtp=Smtp(port=host.submission, **account),  # type: ignore[arg-type]
        store=StoreConfig(path=str(folder / f"{address}.sqlite")),
    )


def crossed(service: Service, other: str) -> None:
    """A game in which the other runner has a seat."""
    seats = [f"Other <{other}>", "Ana <ana@example.org>"]
    service.app.new(Invitation(GAMES["troyes"], "Crossed", seats, ["Dora <dora@example.org>"]))


def between(services: tuple[Service, Service]) -> int:
    """Letters of each to the other so far."""
    count = 0
    for service, other in zip(services, reversed(RUNNERS), strict=True):
        row = service.app.store.one("select count(*) from outbox where recipient = ?", other)
        count += row[0] if row else 0
    return count


async def until_silence(services: tuple[Service, Service]) -> int:
    """How many letters have gone between them when nothing new has come for a while."""
    serving = [asyncio.create_task(s.runner.run()) for s in services]
    try:
        seen, quiet = 0, 0.0
        while quiet < QUIET and seen <= 3 * MOST:
            await asyncio.sleep(0.1)
            now = between(services)
            waiting = any(s.app.outbox.waiting() for s in services)
            quiet = 0.0 if now > seen or waiting else quiet + 0.1
            seen = now
        return seen
    finally:
        for service in services:
            service.runner.stop()
        await asyncio.gather(*serving)


async def exchange(host: MailHost, folder: Path) -> tuple[int, list[str]]:
    """Letters between the two, and what each made of the other's."""
    async with contextlib.AsyncExitStack() as stack:
        one, two = [await stack.enter_async_context(opened(config(host, a, folder))) for a in RUNNERS]
        for service, other in zip((one, two), reversed(RUNNERS), strict=True):
            crossed(service, other)
        count = await until_silence((one, two))
        rows = itertools.chain(*(s.app.store.all("select kind from inbox") for s in (one, two)))
        return count, [row["kind"] for row in rows]


def test_two_runners_fall_silent_over_real_servers(world: MailHost, tmp_path: Path) -> None:
    count, kinds = asyncio.run(exchange(world, tmp_path))
    assert 2 <= count <= MOST
    assert len(kinds) == count, "each letter has arrived"
    assert set(kinds) == {"loop"}
    assert world.queue() == []
