"""Postfix hands mail to us by LMTP, and asks us about each recipient while the sender's server waits."""

from __future__ import annotations

import asyncio
import email
import smtplib
import tempfile
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from email.utils import parseaddr
from pathlib import Path

import pytest

from pbem.app import App, open_app
from pbem.config import Config, Lmtp, Mail, Smtp, StoreConfig, Table
from pbem.doctor import examine
from pbem.engine.games import GAMES
from pbem.joining import Invitation
from pbem.service import Service, opened

from .mailhost import HOST, Found, MailHost, until
from .peers import ImapPeer, dovecot_account

OURS = "games@pbem.example.org"


@dataclass
class Town:
    """Players with mailboxes on Dovecot, and us behind Postfix by LMTP."""

    host: MailHost
    socket: Path

    def config(self, folder: Path) -> Config:
        return Config(
            mail=Mail(source="lmtp", address=OURS, maildir=str(folder / "mail"), poll_seconds=30),
            lmtp=Lmtp(socket=str(self.socket)),
            smtp=Smtp(
                host=HOST,
                port=self.host.submission,
                user=OURS,
                password_file=str(folder / "password"),
                ca_file=str(self.host.ca),
            ),
            table=Table(minimum_age_minutes=0),
            store=StoreConfig(str(folder / "pbem.sqlite")),
        )

    def letters(self, address: str) -> list[bytes]:
        return ImapPeer(dovecot_account(self.host, address)).folder("INBOX")

    def write(self, sender: str, recipient: str, text: str = "join") -> None:
        """A mail from outside, as another server brings it. Raises what the conversation comes to."""
        mail = f"From: {sender}\r\nTo: {recipient}\r\nMessage-ID: <{id(text)}@x>\r\n\r\n{text}\r\n"
        with smtplib.SMTP(HOST, self.host.mx, local_hostname="outside.example", timeout=30) as client:
            client.sendmail(sender, [recipient], mail)


@pytest.fixture(scope="module")
def shared_town(real_servers: None) -> Iterator[Town]:
    folder = Path(tempfile.mkdtemp(prefix="pbem-mail-"))
    socket = folder / "pbem.sock"
    users = ("games", "ana@example.org", "ben@example.org")
    with MailHost(users, folder=folder, lmtp={"pbem.example.org": f"unix:{socket}"}) as host:
        yield Town(host, socket)


@pytest.fixture
def town(shared_town: Town) -> Town:
    shared_town.host.empty()
    return shared_town


@pytest.fixture
def config(town: Town, tmp_path: Path) -> Config:
    (tmp_path / "password").write_text(town.host.password("games"))
    return town.config(tmp_path)


class Running:
    """The service in a thread of its own, from the first question to the end of the block."""

    def __init__(self, config: Config) -> None:
        self.config = config
        self._thread = threading.Thread(target=lambda: asyncio.run(self._serve()))
        self._up = threading.Event()
        self._service: Service | None = None
        self.places: list[str] = []

    async def _serve(self) -> None:
        async with opened(self.config) as service:
            self._loop = asyncio.get_running_loop()
            self._service = service
            self.places = service.places()
            self._up.set()
            await service.runner.run()

    def __enter__(self) -> Running:
        self._thread.start()
        assert self._up.wait(20)
        return self

    def __exit__(self, *_: object) -> None:
        assert self._service is not None
        self._loop.call_soon_threadsafe(self._service.runner.stop)
        self._thread.join(20)
        assert not self._thread.is_alive()


def looked(config: Config, look: Callable[[App], Found]) -> Found:
    """Something in the store, as another process sees it."""
    app = open_app(config)
    try:
        return look(app)
    finally:
        app.close()


def invite(config: Config) -> None:
    people = [f"{name} <{name.lower()}@example.org>" for name in ("Ana", "Ben")]
    looked(config, lambda app: app.new(Invitation(GAMES["troyes"], "Winter", people)))


def refused(town: Town, recipient: str) -> tuple[int, str]:
    """What an outside server hears about a recipient."""
    with pytest.raises(smtplib.SMTPRecipientsRefused) as caught:
        town.write("ana@example.org", recipient)
    code, words = caught.value.recipients[recipient]
    return code, " ".join(words.decode().split())


def test_an_answer_goes_through_postfix_into_the_game_at_once(town: Town, config: Config) -> None:
    invite(config)
    with Running(config) as running:
        assert running.places == [f"Mail to {OURS} is taken by LMTP at unix:{town.socket}."]
        (letter,) = until(lambda: town.letters("ana@example.org"))
        reply_to = parseaddr(str(email.message_from_bytes(letter)["reply-to"]))[1]
        town.write("ana@example.org", reply_to)
        until(lambda: looked(config, lambda app: app.games.seat(1, "Ana").answered == "joined"), 10)
        assert len(until(lambda: (found := town.letters("ana@example.org"))[1:] and found)) == 2
    until(lambda: not town.host.queue())


def test_who_is_refused_hears_why_in_the_outside_conversation_and_gets_no_report(
    town: Town, config: Config
) -> None:
    with Running(config):
        code, words = refused(town, "nobody@pbem.example.org")
        assert code == 550
        assert f"There is no <nobody@pbem.example.org> here; write to {OURS}" in words
        code, words = refused(town, f"games+{'a' * 36}@pbem.example.org")
        assert code == 550
        assert "answer the newest letter of your game" in words
    until(lambda: not town.host.queue())
    assert town.letters("ana@example.org") == []
    assert not list((Path(config.mail.maildir) / "new").iterdir())


def test_while_we_do_not_serve_senders_are_asked_to_come_again(town: Town, config: Config) -> None:
    assert not town.socket.exists()
    code, words = refused(
        town, "games+early@pbem.example.org"
    )  # Postfix remembers the answer for some seconds
    assert code == 450, words
    with Running(config):
        town.write("ana@example.org", OURS, "hello")
        until(lambda: looked(config, lambda app: app.store.one("select 1 from inbox")))


def test_the_doctor_sees_its_mails_come_by_lmtp(town: Town, config: Config, tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    path.write_text(f"""
        [mail]
        source = "lmtp"
        address = "{OURS}"
        maildir = "{config.mail.maildir}"
        [lmtp]
        socket = "{town.socket}"
        [smtp]
        host = "{HOST}"
        port = {town.host.submission}
        user = "{OURS}"
        password_file = "{config.smtp.password_file}"
        ca_file = "{town.host.ca}"
        [store]
        path = "{config.store.path}"
    """)
    findings = {f.step: f for f in examine(path, 20)}
    assert [(f.step, f.said) for f in findings.values() if f.state == "bad"] == []
    assert findings["mailbox"].said == f"LMTP is spoken at unix:{town.socket}"
    assert findings["plus address"].state == findings["test mail arrives"].state == "good"
    assert not town.socket.exists()
