"""The mail servers that the tests of this package share, one pair a worker."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from .mailhost import MailHost, missing

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
