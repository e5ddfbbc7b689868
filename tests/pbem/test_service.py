"""`pbem run` as its host meets it: up quickly, down in order, and going on after trouble."""

from __future__ import annotations

import asyncio
import email
import json
import logging
import signal
import smtplib
import socket
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from datetime import datetime
from email.utils import parseaddr
from pathlib import Path

import pytest

from pbem.app import open_app
from pbem.config import Config, Imap, Mail, Smtp, StoreConfig, Table, Web
from pbem.engine.games import GAMES
from pbem.joining import Invitation
from pbem.postoffice import maildir
from pbem.runner import AlreadyRunning
from pbem.service import AsJson, Registered, Shortened, lock_of, opened, serve, shortened, source_of
from pbem.sources.imap import ImapSource

PATIENCE = 20.0


@pytest.fixture
def config(tmp_path: Path) -> Config:
    return Config(
        mail=Mail(address="games@example.org", maildir=str(tmp_path / "mail"), poll_seconds=1),
        table=Table(minimum_age_minutes=0),
        store=StoreConfig(path=str(tmp_path / "pbem.sqlite")),
        web=Web(port=0, smtp_port=0),
    )


@pytest.fixture(autouse=True)
def _nothing_left_running() -> Iterator[None]:
    before = set(threading.enumerate())
    yield
    assert {t for t in threading.enumerate() if not t.daemon} <= before


def invite(config: Config, title: str, *people: str) -> None:
    """Another process starts a game."""
    app = open_app(config)
    app.new(Invitation(GAMES["troyes"], title, [f"{p} <{p.lower()}@example.org>" for p in people]))
    app.close()


async def until(what: str, holds: object) -> None:
    assert callable(holds)
    end = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < end, what
        await asyncio.sleep(0.02)


def test_it_serves_with_its_own_post_office(config: Config) -> None:
    async def conversation() -> None:
        async with opened(config) as service:
            assert service.office is not None
            running = asyncio.create_task(service.runner.run())
            invite(config, "Winter", "Ana", "Ben")
            service.runner._send.set()
            inbox = service.office.mailboxes.folder("ana@example.org")
            await until("the invitation comes", lambda: maildir.listing(inbox))
            letter = maildir.read(inbox, maildir.listing(inbox)[0].key) or b""
            to = parseaddr(str(email.message_from_bytes(letter)["reply-to"]))[1]
            await asyncio.to_thread(answer, service.office.port, to, "join")
            await until("it is read", lambda: service.app.games.seat(1, "Ana").answered == "joined")
            service.runner.stop()
            await running
            assert service.app.outbox.waiting() == 0

    asyncio.run(conversation())


def answer(port: int, to: str, text: str) -> None:
    with smtplib.SMTP("127.0.0.1", port, local_hostname="localhost", timeout=10) as counter:
        head = f"From: Ana <ana@example.org>\r\nTo: {to}\r\nSubject: Re: you\r\nMessage-ID: <1@example.org>"
        counter.sendmail("ana@example.org", [to], f"{head}\r\n\r\n{text}\r\n")


def test_letters_of_an_earlier_life_go_out_at_once(config: Config, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pbem.runner.SEND_SECONDS", 3600)
    monkeypatch.setattr("pbem.runner.TICK_SECONDS", 3600)
    invite(config, "Winter", "Ana", "Ben")

    async def conversation() -> None:
        async with opened(config) as service:
            running = asyncio.create_task(service.runner.run())
            await until("the letters go out", lambda: service.app.outbox.waiting() == 0)
            service.runner.stop()
            await running

    asyncio.run(conversation())


def test_the_first_letter_to_somebody_just_registered_is_taken(config: Config) -> None:
    async def conversation() -> None:
        async with opened(config) as service:
            assert service.office is not None
            invite(config, "Winter", "Ana", "Ben")
            assert await service.runner.send_once() == 2
            row = service.app.store.one("select count(*) from outbox where state = 'sent'")
            assert row is not None
            assert row[0] == 2

    asyncio.run(conversation())


def test_other_threads_see_the_people_without_touching_the_store(config: Config) -> None:
    invite(config, "Winter", "Ana", "Ben")
    app = open_app(config)
    try:
        directory = Registered(app.people)
        invite(config, "Summer", "Carla", "Dora")
        seen: list[object] = []

        def look() -> None:
            seen.append(directory.knows("carla@example.org"))
            seen.append(len(directory.people()))

        thread = threading.Thread(target=look)
        thread.start()
        thread.join()
        assert seen == [False, 2]
        assert directory.knows("CARLA@example.org")
        assert len(directory.people()) == 4
        assert not directory.knows("eve@example.org")
    finally:
        app.close()


def test_a_second_poller_is_kept_out(config: Config) -> None:
    lock = lock_of(config)
    try:
        with pytest.raises(AlreadyRunning, match=r"run\.lock"):
            asyncio.run(serve(config, lambda place: None))
    finally:
        lock.release()


def test_a_full_disk_stops_the_work_and_it_goes_on_when_there_is_room(config: Config) -> None:
    async def conversation() -> None:
        async with opened(config) as service:
            assert service.office is not None
            invite(config, "Winter", "Ana", "Ben")
            pages = service.app.store.one("pragma page_count")
            assert pages is not None
            service.app.store.all(f"pragma max_page_count = {pages[0]}")
            running = asyncio.create_task(service.runner.run())
            filler = "a long letter\r\n" * 20_000
            to = service.app.config.mail.address
            await asyncio.to_thread(answer, service.office.port, to, filler)
            await until("the trouble is seen", lambda: "mailbox" in service.runner.trouble)
            assert "full" in service.runner.trouble["mailbox"]
            assert maildir.listing(service.office.mailboxes.ours)
            service.app.store.all("pragma max_page_count = 1000000")
            await until("it goes on", lambda: not maildir.listing(service.office.mailboxes.ours))
            service.runner.stop()
            await running
            rows = service.app.store.all("select tries from inbox")
            assert [row["tries"] for row in rows] == [1]

    asyncio.run(conversation())


def test_a_post_that_is_away_is_waited_for(config: Config) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    away = Config(
        mail=Mail(source="maildir", address="games@example.org", maildir=config.mail.maildir, poll_seconds=1),
        store=config.store,
        smtp=Smtp(host="127.0.0.1", port=port, security="none", timeout=2),
    )
    maildir.ensure(Path(config.mail.maildir))

    async def conversation() -> None:
        async with opened(away) as service:
            invite(away, "Winter", "Ana", "Ben")
            running = asyncio.create_task(service.runner.run())
            service.runner._send.set()
            await until("the trouble is seen", lambda: "post" in service.runner.trouble)
            assert service.app.outbox.waiting() == 2
            service.runner.stop()
            await running

    asyncio.run(conversation())


def test_each_source_is_made_of_its_section(config: Config, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PBEM_TEST_PASSWORD", "secret")
    imap = Config(
        mail=Mail(source="imap"),
        imap=Imap(host="imap.example.org", user="gm", password_env="PBEM_TEST_PASSWORD"),
    )
    assert isinstance(source_of(imap), ImapSource)


def test_logs_shorten_addresses() -> None:
    assert shortened("from ana.b+x@example.org to <ben@mail.example.org>") == (
        "from a…@example.org to <b…@mail.example.org>"
    )
    assert shortened("imap:gm@host/INBOX, 5@3 and 10 % @") == "imap:gm@host/INBOX, 5@3 and 10 % @"
    record = logging.LogRecord("pbem", logging.INFO, "", 1, "letter to %s", ("ana@example.org",), None)
    assert Shortened("%(message)s").format(record) == "letter to a…@example.org"


@pytest.mark.parametrize("sign", [signal.SIGTERM, signal.SIGINT])
def test_the_process_is_up_soon_and_ends_in_order(tmp_path: Path, config: Config, sign: int) -> None:
    (tmp_path / "config.toml").write_text("[web]\nport = 0\nsmtp_port = 0\n")
    process = subprocess.Popen(
        [sys.executable, "-c", "from pbem.cli import main; main()", "run", "--log", "warning"],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout is not None
        first = process.stdout.readline()
        second = process.stdout.readline()
        process.send_signal(sign)
        out, err = process.communicate(timeout=PATIENCE)
    finally:
        process.kill()
        process.communicate()
    assert first.startswith("Everybody's inbox is at http://127.0.0.1:"), err
    assert "by SMTP at 127.0.0.1:" in second
    assert process.returncode == 0
    assert out == ""
    assert err == "pbem: stopped; everything is written down\n"
    with sqlite3.connect(tmp_path / "var" / "pbem.sqlite") as store:
        assert store.execute("pragma integrity_check").fetchone()[0] == "ok"
    store.close()


def test_a_line_of_json_has_no_address_and_no_token() -> None:
    token = "aaaaaaabaaaqaaaaafzwuaobu4hzbc6wakva"
    record = logging.LogRecord(
        "pbem.x", logging.INFO, "f", 1, "to gm+%s@h.example for %s", (token, "ana@e.org"), None
    )
    said = json.loads(AsJson().format(record))
    assert said["said"] == "to g…@h.example for a…@e.org"
    assert (said["level"], said["logger"]) == ("info", "pbem.x")
    assert datetime.fromisoformat(said["at"]).tzinfo is not None
    assert shortened(f"reads o.{token}.i5") == "reads o.….i5"
