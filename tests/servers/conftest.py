"""The mail servers that the tests of this package share, one pair a worker."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from .mailhost import MailHost, missing
from .peers import DevelServer, ImapPeer, MaildirPeer, Peer, dovecot_account

USERS = ("games", "ana@example.org", "ben@example.org", "carla@example.org", "dora@example.org")


@pytest.fixture(scope="session")
def real_servers() -> None:
    """Skips where there can be no mail servers, but never in CI."""
    why = missing()
    if why and os.environ.get("PBEM_NO_SKIP") != "1":
        pytest.skip(why)
    assert not why, f"no test may be skipped here: {why}"


@pytest.fixture(scope="session")
def shared_mailhost(real_servers: None) -> Iterator[MailHost]:
    """Postfix and Dovecot with the mailbox of the games and those of four players."""
    with MailHost(USERS) as host:
        yield host


@pytest.fixture
def mailhost(shared_mailhost: MailHost) -> MailHost:
    """The servers, all mailboxes and the queue empty."""
    shared_mailhost.empty()
    return shared_mailhost


@pytest.fixture
def devel(tmp_path: Path) -> Iterator[DevelServer]:
    """mail-devel, its mailbox empty."""
    server = DevelServer(tmp_path / "mail-devel.log")
    server.start()
    yield server
    server.stop()


def _imap_peer(request: pytest.FixtureRequest) -> ImapPeer:
    if request.param == "dovecot":
        host: MailHost = request.getfixturevalue("mailhost")
        return ImapPeer(dovecot_account(host))
    server: DevelServer = request.getfixturevalue("devel")
    return ImapPeer(server.account())


@pytest.fixture(params=["dovecot", "devel"])
def imap_peer(request: pytest.FixtureRequest) -> ImapPeer:
    """An IMAP mailbox, on two servers by different people."""
    return _imap_peer(request)


@pytest.fixture(params=["maildir", "dovecot", "devel"])
def peer(request: pytest.FixtureRequest, tmp_path: Path) -> Peer:
    """A mailbox of every kind."""
    if request.param == "maildir":
        return MaildirPeer(tmp_path / "maildir")
    return _imap_peer(request)
