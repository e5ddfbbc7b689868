"""The doctor finds what is wrong, and its remedy names what to change."""

from __future__ import annotations

import asyncio
import importlib.util
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from aiosmtpd.smtp import SMTP, AuthResult, Envelope, LoginPassword, Session

from pbem.doctor import examine
from pbem.mail.mime import Mail
from pbem.round_trip import Finding
from pbem.runner import Lock

ADDRESS = "games@example.org"


def _scripted() -> ModuleType:
    """The IMAP server that misbehaves on demand, as the tests of the sources have it."""
    name = "pbem_doctor_imap_server"
    place = Path(__file__).parent / "sources" / "imap_server.py"
    spec = importlib.util.spec_from_file_location(name, place)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


IMAP = _scripted()


class Relay:
    """An SMTP server that delivers into a scripted IMAP mailbox, or where a test wants it."""

    def __init__(self) -> None:
        self.deliver: Callable[[bytes, str], None] = lambda raw, to: None
        self.password: str | None = None
        self.refuse_plus = False
        self.refuse_all = False

    async def handle_RCPT(
        self, server: Any, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        if self.refuse_all or (self.refuse_plus and "+" in address):
            return "550 5.1.1 No such mailbox"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server: Any, session: Session, envelope: Envelope) -> str:
        assert isinstance(envelope.content, bytes)
        for address in envelope.rcpt_tos:
            self.deliver(envelope.content, address)
        return "250 OK"

    def authenticate(
        self, server: Any, session: Session, envelope: Envelope, mechanism: str, data: Any
    ) -> AuthResult:
        assert isinstance(data, LoginPassword)
        right = self.password is not None and data.password == self.password.encode()
        return AuthResult(success=right, handled=right)


class Counter:
    """A relay in a thread of its own, on a free port."""

    def __init__(self, relay: Relay) -> None:
        self.relay = relay
        self.port = 0
        self._open = threading.Event()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._serve()))
        self._thread.start()
        assert self._open.wait(10)

    def stop(self) -> None:
        self._loop.call_soon_threadsafe(self._closing.set)
        self._thread.join(10)

    async def _serve(self) -> None:
        self._loop, self._closing = asyncio.get_running_loop(), asyncio.Event()
        server = await self._loop.create_server(self._talk, "127.0.0.1", 0)
        self.port = server.sockets[0].getsockname()[1]
        self._open.set()
        await self._closing.wait()
        server.close()
        for task in asyncio.all_tasks() - {asyncio.current_task()}:
            task.cancel()

    def _talk(self) -> SMTP:
        return SMTP(
            self.relay,
            hostname="localhost",
            authenticator=self.relay.authenticate,
            auth_require_tls=False,
            loop=self._loop,
        )


class World:
    """A mail provider with one mailbox, and the configuration for it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.relay = Relay()
        self.imap: Any = None
        self.counter: Counter | None = None
        self.sections: dict[str, dict[str, Any]] = {
            "mail": {"source": "imap", "address": ADDRESS},
            "store": {"path": str(folder / "pbem.sqlite")},
        }

    def start(self, **faults: Any) -> None:
        """Open both servers; `faults` are the IMAP server's."""
        settings: dict[str, Any] = {
            "after": "IMAP4rev1 UIDPLUS MOVE IDLE",
            "date": _internal(datetime.now(UTC)),
        }
        self.imap = IMAP.ImapServer(**(settings | faults))
        self.relay.deliver = lambda raw, to: self.imap.deliver(f"Delivered-To: {to}\r\n".encode() + raw)
        self.counter = Counter(self.relay)
        self.sections["imap"] = {
            "host": "127.0.0.1",
            "port": self.imap.port,
            "security": "none",
            "user": "gm",
            "timeout": 5,
            "password_env": "PBEM_TEST_PASSWORD",
        }
        self.sections["smtp"] = {
            "host": "127.0.0.1",
            "port": self.counter.port,
            "security": "none",
            "timeout": 5,
        }

    def stop(self) -> None:
        if self.counter is not None:
            self.counter.stop()
        if self.imap is not None:
            self.imap.stop()

    def write(self) -> Path:
        """The configuration as a file."""
        path = self.folder / "config.toml"
        path.write_text(toml(self.sections), encoding="utf-8")
        return path

    def examine(self, wait: float = 5) -> dict[str, Finding]:
        return {f.step: f for f in examine(self.write(), wait)}


def toml(sections: Mapping[str, Mapping[str, Any]]) -> str:
    lines = []
    for name, values in sections.items():
        lines.append(f"[{name}]")
        lines += [f"{k} = {v}" if isinstance(v, int) else f'{k} = "{v}"' for k, v in values.items()]
    return "\n".join(lines) + "\n"


def _internal(at: datetime) -> str:
    return at.strftime("%d-%b-%Y %H:%M:%S +0000")


@pytest.fixture(autouse=True)
def _nothing_left_running() -> Iterator[None]:
    before = set(threading.enumerate())
    yield
    assert {t for t in threading.enumerate() if not t.daemon} <= before


@pytest.fixture
def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[World]:
    monkeypatch.setenv("PBEM_TEST_PASSWORD", "secret")
    made = World(tmp_path)
    yield made
    made.stop()


def bad(found: Mapping[str, Finding]) -> list[str]:
    return [name for name, f in found.items() if f.state == "bad"]


def test_a_good_provider_passes_every_step(world: World) -> None:
    world.start()
    found = world.examine()
    assert bad(found) == []
    assert list(found) == [
        *("configuration", "store", "mailbox connects", "mailbox logs in", "mailbox capabilities"),
        *("post connects", "post logs in", "test mail", "test mail arrives", "plus address"),
        *("bounce address", "who vouches", "clock", "cleaning up"),
    ]
    assert "Delivered-To" in found["plus address"].said
    assert world.imap.mails == {}
    assert len(world.imap.folders["Done"]) == 2


def test_other_peoples_mail_stays_where_it_is(world: World) -> None:
    world.start()
    world.imap.mails[1] = b"From: ana@example.org\r\nSubject: Re: digest\r\n\r\npass\r\n"
    assert bad(world.examine()) == []
    assert list(world.imap.mails) == [1]


def test_test_mails_of_an_earlier_run_are_put_away_too(world: World) -> None:
    world.start()
    world.imap.mails[1] = b"From: games@example.org\r\nX-Pbem-Doctor: bare 0123456789ab\r\n\r\nlate\r\n"
    assert bad(world.examine()) == []
    assert world.imap.mails == {}


@pytest.mark.parametrize(
    ("faults", "step", "words"),
    [
        ({"refuse_login": "[AUTHENTICATIONFAILED] wrong"}, "mailbox logs in", "application password"),
        ({"after": "IMAP4rev1 IDLE UIDPLUS"}, "mailbox capabilities", "both"),
        ({"after": "IMAP4rev1 IDLE MOVE"}, "mailbox capabilities", "both"),
    ],
)
def test_a_bad_mailbox_is_told_with_its_remedy(
    world: World, faults: dict[str, Any], step: str, words: str
) -> None:
    world.start(**faults)
    found = world.examine()
    assert bad(found) == [step]
    assert words in found[step].remedy
    assert found["test mail"].state == "skipped"


def test_a_server_without_idle_is_good_enough(world: World) -> None:
    world.start(after="IMAP4rev1 UIDPLUS MOVE")
    found = world.examine()
    assert bad(found) == []
    assert "no IDLE" in found["mailbox capabilities"].said


def test_ports_where_nobody_listens(world: World) -> None:
    world.start()
    world.sections["imap"]["port"] = 1
    world.sections["smtp"]["port"] = 1
    found = world.examine()
    assert bad(found) == ["mailbox connects", "post connects"]
    assert "imap.port" in found["mailbox connects"].remedy
    assert "smtp.port" in found["post connects"].remedy


def test_encryption_that_the_server_does_not_speak(world: World) -> None:
    world.start()
    world.sections["smtp"]["security"] = "starttls"
    found = world.examine()
    assert bad(found) == ["post connects"]
    assert "smtp.security" in found["post connects"].remedy


def test_passwords_in_the_clear_go_to_this_machine_alone(world: World) -> None:
    world.start()
    world.sections["imap"]["host"] = "imap.example.org"
    found = world.examine()
    assert bad(found) == ["mailbox"]
    assert "in the clear" in found["mailbox"].said


def test_a_password_that_is_not_there(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    world.start()
    monkeypatch.delenv("PBEM_TEST_PASSWORD")
    found = world.examine()
    assert bad(found) == ["mailbox"]
    assert "PBEM_TEST_PASSWORD" in found["mailbox"].said


@pytest.mark.parametrize("right", [True, False])
def test_the_post_may_want_a_login(world: World, right: bool) -> None:
    world.start()
    world.relay.password = "secret" if right else "other"
    world.sections["smtp"] |= {"user": "gm", "password_env": "PBEM_TEST_PASSWORD"}
    found = world.examine()
    assert bad(found) == ([] if right else ["post logs in"])


def test_a_password_with_other_letters_is_tried_all_the_same(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PBEM_TEST_PASSWORD", "sécret")
    world.start()
    world.relay.password = "sécret"
    world.sections["smtp"] |= {"user": "gm", "password_env": "PBEM_TEST_PASSWORD"}
    found = world.examine()
    assert bad(found) == []
    assert found["post logs in"].state == "skipped"


def test_a_mail_that_the_server_does_not_take(world: World) -> None:
    world.start()
    world.relay.refuse_all = True
    found = world.examine()
    assert bad(found) == ["test mail"]
    assert "550" in found["test mail"].said


def test_a_mail_that_never_comes(world: World) -> None:
    world.start()
    world.relay.deliver = lambda raw, to: None
    found = world.examine(wait=0.2)
    assert bad(found) == ["test mail arrives"]
    assert "--wait" in found["test mail arrives"].remedy


@pytest.mark.parametrize("folder", ["Junk", "Bulk Mail", "INBOX.Spam"])
def test_a_mail_that_is_taken_for_spam(world: World, folder: str) -> None:
    world.start()
    world.imap.folders[folder] = []
    world.relay.deliver = lambda raw, to: world.imap.folders[folder].append(raw)
    found = world.examine(wait=0.2)
    assert bad(found) == ["test mail arrives"]
    assert found["test mail arrives"].said == f"it was put into the folder {folder}"
    assert "is no spam" in found["test mail arrives"].remedy
    assert len(world.imap.folders[folder]) == 2


def test_a_maildir_whose_server_files_spam_beside_it(world: World) -> None:
    world.start()
    box = world.folder / "box"
    for part in ("cur", "new", "tmp", ".Junk/cur", ".Junk/new", ".Junk/tmp"):
        (box / part).mkdir(parents=True)
    world.sections["mail"] |= {"source": "maildir", "maildir": str(box)}

    def file(raw: bytes, to: str) -> None:
        (box / ".Junk/new" / f"{len(to)}.x").write_bytes(raw)

    world.relay.deliver = file
    found = world.examine(wait=0.2)
    assert bad(found) == ["test mail arrives"]
    assert "the folder Junk" in found["test mail arrives"].said


@pytest.mark.parametrize(
    ("header", "configured", "state", "words"),
    [
        ("", "", "good", "is sent a code first"),
        ("mx.example.org; dmarc=pass", "", "good", "mx.example.org, which are not believed"),
        ("mx.example.org; dmarc=pass", "mx.example.org", "good", "says who is genuine"),
        ("mx.example.org; dmarc=pass", "mx.example.com", "bad", "but mx.example.org"),
        ("", "mx.example.com", "good", "no Authentication-Results of mx.example.com"),
    ],
)
def test_who_vouches_for_senders(world: World, header: str, configured: str, state: str, words: str) -> None:
    world.start()
    world.sections["mail"]["authserv_id"] = configured
    deliver = world.relay.deliver
    head = f"Authentication-Results: {header}\r\n".encode() if header else b""
    world.relay.deliver = lambda raw, to: deliver(head + raw, to)
    found = world.examine()["who vouches"]
    assert (found.state, words in found.said) == (state, True), found


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("<games+bounce.{nonce}@example.org>", "an address of their own"),
        ("<srs0=x@relay.example>", "makes it srs0=x@relay.example"),
        ("", "does not show it"),
    ],
)
def test_where_bounces_will_come(world: World, path: str, words: str) -> None:
    world.start()
    deliver = world.relay.deliver

    def stamped(raw: bytes, to: str) -> None:
        nonce = Mail(raw).header("x-pbem-doctor").split()[1]
        head = f"Return-Path: {path.format(nonce=nonce)}\r\n" if path else ""
        deliver(head.encode() + raw, to)

    world.relay.deliver = stamped
    assert words in world.examine()["bounce address"].said


def test_a_disk_that_is_nearly_full(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    world.start()
    monkeypatch.setattr("pbem.doctor.LEAST_FREE", 10**18)
    found = world.examine()
    assert "MB are free" in found["store"].said


def test_plus_addresses_that_are_refused(world: World) -> None:
    world.start()
    world.relay.refuse_plus = True
    found = world.examine(wait=0.2)
    assert bad(found) == ["plus address"]
    assert "550" in found["plus address"].said
    assert "recipient_delimiter" in found["plus address"].remedy


def test_plus_addresses_that_get_lost(world: World) -> None:
    world.start()
    deliver = world.relay.deliver
    world.relay.deliver = lambda raw, to: None if "+" in to else deliver(raw, to)
    found = world.examine(wait=0.2)
    assert bad(found) == ["plus address"]
    assert "did not come" in found["plus address"].said


def test_plus_parts_that_are_cut_off(world: World) -> None:
    world.start()

    def without(raw: bytes, to: str) -> None:
        lines = raw.split(b"\r\n")
        world.imap.deliver(b"\r\n".join(x for x in lines if not x.lower().startswith(b"to:")))

    world.relay.deliver = without
    assert bad(world.examine()) == ["plus address"]


@pytest.mark.parametrize(
    ("date", "words"), [("28-Nov-2020 09:21:00 +0100", "behind"), ("28-Nov-2120 09:21:00 +0100", "ahead of")]
)
def test_clocks_that_differ(world: World, date: str, words: str) -> None:
    world.start(date=date)
    found = world.examine()
    assert bad(found) == ["clock"]
    assert words in found["clock"].said
    assert "NTP" in found["clock"].remedy


def test_the_embedded_post_office(tmp_path: Path) -> None:
    world = World(tmp_path)
    world.sections["mail"] = {"source": "embedded", "address": ADDRESS, "maildir": str(tmp_path / "mail")}
    found = world.examine()
    assert bad(found) == []
    assert found["plus address"].state == "good"
    assert "2 test mails are in Done" in found["cleaning up"].said


def test_a_folder_for_maildirs_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "mail").write_text("a file is in the way")
    world = World(tmp_path)
    world.sections["mail"] = {"source": "embedded", "address": ADDRESS, "maildir": str(tmp_path / "mail")}
    found = world.examine()
    assert bad(found) == ["mailbox"]
    assert "mail.maildir" in found["mailbox"].remedy


def test_a_maildir_that_is_none(world: World) -> None:
    world.start()
    world.sections["mail"] = {
        "source": "maildir",
        "address": ADDRESS,
        "maildir": str(world.folder / "nowhere"),
    }
    found = world.examine()
    assert bad(found) == ["mailbox"]
    assert "no Maildir" in found["mailbox"].said


def test_a_running_service_keeps_its_mail(world: World) -> None:
    world.start()
    lock = Lock(world.folder / "run.lock")
    try:
        found = world.examine()
    finally:
        lock.release()
    assert bad(found) == []
    assert found["mail"].state == "skipped"


def test_a_wrong_configuration_ends_it(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    path.write_text("[mail]\nsorce = 'imap'\n")
    found = list(examine(path, 1))
    assert [f.state for f in found] == ["bad"]
    assert "did you mean source" in found[0].said


@pytest.mark.parametrize(
    "content", [b"this is no database at all, but a text\n" * 40, b"SQLite format 3\0" + b"\xff" * 4080]
)
def test_a_store_that_is_none(world: World, content: bytes) -> None:
    world.start()
    (world.folder / "pbem.sqlite").write_bytes(content)
    found = world.examine()
    assert bad(found) == ["store"]
    assert "pbem.sqlite" in found["store"].said
    assert (world.folder / "pbem.sqlite").read_bytes() == content
