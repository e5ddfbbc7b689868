"""The whole service behind LMTP: which tokens are good, and what becomes of a mail that was taken."""

from __future__ import annotations

import asyncio
import email
import smtplib
import time
from email.utils import parseaddr
from pathlib import Path

import pytest

from pbem.config import Config, Lmtp, Mail, Smtp, StoreConfig, Table
from pbem.engine.games import GAMES
from pbem.joining import Invitation
from pbem.mail.tokens import Purpose
from pbem.service import Service, opened

PATIENCE = 20.0


@pytest.fixture
def config(tmp_path: Path) -> Config:
    return Config(
        mail=Mail(
            source="lmtp", address="games@example.org", maildir=str(tmp_path / "mail"), poll_seconds=30
        ),
        lmtp=Lmtp(socket=str(tmp_path / "lmtp.sock")),
        smtp=Smtp(host="127.0.0.1", port=1, security="none"),
        table=Table(minimum_age_minutes=0),
        store=StoreConfig(path=str(tmp_path / "pbem.sqlite")),
    )


def hand(config: Config, recipient: str, sender: str = "ana@example.org") -> str:
    """What is said to one mail; empty where it is taken."""
    mail = b"From: ana@example.org\r\nMessage-ID: <1@example.org>\r\n\r\njoin\r\n"
    with smtplib.LMTP(config.lmtp.socket, local_hostname="mx") as client:
        try:
            client.sendmail(sender, [recipient], mail)
        except smtplib.SMTPRecipientsRefused as e:
            code, words = e.recipients[recipient]
            return f"{code} {words.decode()}"
    return ""


def invite(service: Service) -> str:
    """A game begins; gives the address that Ana answers to."""
    people = ["Ana <ana@example.org>", "Ben <ben@example.org>"]
    service.app.new(Invitation(GAMES["troyes"], "Winter", people))
    (letter,) = service.app.store.all("select raw from outbox where recipient = 'ana@example.org'")
    return parseaddr(str(email.message_from_bytes(letter["raw"])["reply-to"]))[1]


def test_a_mail_that_was_taken_is_in_the_game_before_the_next_poll(config: Config) -> None:
    async def work() -> None:
        async with opened(config) as service:
            assert service.places() == [
                f"Mail to games@example.org is taken by LMTP at unix:{config.lmtp.socket}."
            ]
            reply_to = invite(service)
            running = asyncio.create_task(service.runner.run())
            assert await asyncio.to_thread(hand, config, reply_to) == ""
            end = time.monotonic() + PATIENCE
            while service.app.games.seat(1, "Ana").answered != "joined":
                assert time.monotonic() < end
                await asyncio.sleep(0.02)
            service.runner.stop()
            await running

    asyncio.run(work())
    assert not Path(config.lmtp.socket).exists()


def test_tokens_of_every_purpose_are_taken_while_they_are_good(config: Config) -> None:
    async def work() -> None:
        async with opened(config) as service:
            reply_to = invite(service)
            make = service.app.writer.tokens.make
            for purpose in (Purpose.STOP, Purpose.BOUNCE):
                assert (
                    await asyncio.to_thread(hand, config, f"games+{make(1, 0, 1, purpose)}@example.org") == ""
                )
            forged = f"games+{make(1, 0, 1, Purpose.MODERATOR)}@example.org"
            assert "answer the newest letter" in await asyncio.to_thread(hand, config, forged)
            service.app.writer.rotate_key()
            assert await asyncio.to_thread(hand, config, reply_to) == ""
            service.app.writer.retire_keys()
            assert "answer the newest letter" in await asyncio.to_thread(hand, config, reply_to)
            assert await asyncio.to_thread(hand, config, reply_to, "") == ""

    asyncio.run(work())
