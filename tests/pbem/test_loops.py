"""Two runners that take each other for players fall silent (E2), whatever the mail between them is stripped of."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from pbem.config import Mail
from pbem.joining import Invitation
from pbem.ports import Fetched

from .table import PbemTable

ADDRESSES = ("games@one.example", "games@two.example")
MOST = 10
"""Mails between the two before all is quiet."""


@pytest.fixture
def pair(tmp_path: Path) -> Iterator[tuple[PbemTable, PbemTable]]:
    """Two runners; each has invited the other's address to a seat, and a person to moderate."""
    tables = []
    for n, address in enumerate(ADDRESSES):
        folder = tmp_path / str(n)
        folder.mkdir()
        table = PbemTable(folder, mail=Mail(address=address, source="imap", authserv_id="mx.example.net"))
        rules = table.app.games.rulesets["troyes"]
        seats = [f"Other <{ADDRESSES[1 - n]}>", "Ana <ana@example.org>"]
        table.app.new(Invitation(rules, "Crossed", seats, ["Dora <dora@example.org>"]))
        tables.append(table)
    yield tables[0], tables[1]
    for table in tables:
        table.close()


def as_it_is(raw: bytes) -> bytes:
    return raw


def without_marks(raw: bytes) -> bytes:
    """A gateway that drops what tells machines from people, and gives the mail an id of its own."""
    head, _, body = raw.partition(b"\r\n\r\n")
    fields = re.split(rb"\r\n(?![ \t])", head)
    gone = re.compile(rb"(?i)(x-|auto-submitted|list-|precedence|reply-to|message-id|in-reply-to|references)")
    kept = [f for f in fields if not gone.match(f)]
    number = next(NUMBERS)
    return b"\r\n".join([*kept, b"Message-ID: <%d@gateway.example>" % number]) + b"\r\n\r\n" + body


def new_subjects_too(raw: bytes) -> bytes:
    """The same from a ticket system that counts in the subject."""
    return re.sub(
        rb"(?m)^Subject: .*\r\n", b"Subject: Ticket %d\r\n" % next(NUMBERS), without_marks(raw), count=1
    )


NUMBERS = itertools.count(1)


def exchange(pair: tuple[PbemTable, PbemTable], change: Callable[[bytes], bytes], answered: bool) -> int:
    """Carry letters to and fro until nobody has one more, or it is clearly endless; gives how many.

    `answered`: the letters come back to the address that they were to be answered at, so that each has its token.
    """
    seen = [0, 0]
    for count in itertools.count():
        for n in (0, 1):
            row = pair[n].app.store.one(
                "select id, raw from outbox where recipient = ? and id > ? order by id limit 1",
                *(ADDRESSES[1 - n], seen[n]),
            )
            if row is None:
                continue
            seen[n] = row["id"]
            raw = change(bytes(row["raw"]))
            if answered:
                raw = b"Delivered-To: " + reply_address(pair[1 - n]) + b"\r\n" + raw
            verdict = b"Authentication-Results: mx.example.net; dmarc=pass\r\n"
            for table in pair:
                table.clock.on(seconds=20)
            pair[1 - n].app.take(Fetched(f"loop:{n}:{count}", verdict + raw, pair[n].clock.at))
            break
        else:
            return count
        if count > 5 * MOST:
            return count
    raise AssertionError


def reply_address(table: PbemTable) -> bytes:
    row = table.app.store.one(
        "select raw from outbox where recipient in (?, ?) order by id desc limit 1", *ADDRESSES
    )
    assert row is not None
    found = re.search(rb"(?m)^Reply-To:[^<]*<([^>]+)>", bytes(row["raw"]))
    assert found is not None
    return found[1]


@pytest.mark.parametrize("answered", [False, True])
@pytest.mark.parametrize("change", [as_it_is, without_marks, new_subjects_too])
def test_two_runners_fall_silent(
    pair: tuple[PbemTable, PbemTable], change: Callable[[bytes], bytes], answered: bool
) -> None:
    assert exchange(pair, change, answered) <= MOST


def test_they_would_not_without_the_guard(
    pair: tuple[PbemTable, PbemTable], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pbem.reach.USELESS", 1000)
    assert exchange(pair, without_marks, True) > MOST
