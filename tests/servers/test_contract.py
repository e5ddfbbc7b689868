"""What the runner expects of a mailbox, held against every kind of source it has."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from pbem.ports import Fetched, Source
from pbem.store.inbox import State

from ..pbem.table import PbemTable
from .peers import ImapPeer, Peer

WHEN = datetime(2026, 11, 28, 8, 21, 7, tzinfo=UTC)
ODD = (
    b"From: Ana <ana@example.org>\r\nSubject:  folded\r\n\t=?utf-8?q?=C3=A9?=  \r\nx-raw: \xe9\xff\r\n\r\n"
    b".\r\n..\r\nFrom here\r\n"
    + bytes(range(1, 9))
    + bytes(range(128, 256))
    + b"\r\n"
    + b"x" * 2000
    + b"\r\n"
)
"""A mail that every program which is not careful would change."""


def mail(n: int) -> bytes:
    return b"From: ana@example.org\r\nMessage-ID: <%d@example.org>\r\n\r\npass\r\n" % n


def only(source: Source) -> Fetched:
    (fetched,) = source.fetch()
    return fetched


def test_raw_bytes_are_exact_and_carry_the_sources_own_stamp(peer: Peer) -> None:
    peer.put(ODD, WHEN)
    source = peer.source()
    fetched = only(source)
    assert fetched.raw == ODD
    assert fetched.arrived == WHEN
    source.close()
    assert peer.folder("INBOX") == [ODD]


def test_mails_come_oldest_first_and_as_many_as_are_asked_for(peer: Peer) -> None:
    for n in range(3):
        peer.put(mail(n))
    source = peer.source()
    assert [f.raw for f in source.fetch()] == [mail(0), mail(1), mail(2)]
    assert [f.raw for f in source.fetch(2)] == [mail(0), mail(1)]
    source.close()


def test_a_key_is_the_same_for_every_connection_and_of_no_other_mail(peer: Peer) -> None:
    for n in range(3):
        peer.put(mail(n))
    first, second = peer.source(), peer.source()
    keys = [f.key for f in first.fetch()]
    assert [f.key for f in second.fetch()] == keys
    assert len(set(keys)) == 3
    first.settle(keys[0], "Done")
    peer.put(mail(3))
    assert keys[0] not in [f.key for f in second.fetch()]
    first.close()
    second.close()


def test_settled_mails_are_in_their_folders_and_the_others_stay(peer: Peer) -> None:
    for n in range(4):
        peer.put(mail(n))
    source = peer.source()
    keys = [f.key for f in source.fetch()]
    source.settle(keys[1], "Done")
    source.settle(keys[2], "Failed")
    source.settle(keys[3], "Done")
    source.close()
    assert peer.folder("INBOX") == [mail(0)]
    assert peer.folder("Done") == [mail(1), mail(3)]
    assert peer.folder("Failed") == [mail(2)]


def test_a_mail_that_is_gone_is_no_fault(peer: Peer) -> None:
    peer.put(mail(1))
    peer.put(mail(2))
    source = peer.source()
    gone, done = (f.key for f in source.fetch())
    peer.take_away(mail(1))
    source.settle(gone, "Done")
    source.settle(done, "Done")
    source.settle(done, "Done")
    assert list(source.fetch()) == []
    source.close()
    assert peer.folder("Done") == [mail(2)]


def test_a_mail_that_goes_while_others_are_fetched_is_no_fault(peer: Peer) -> None:
    """Some servers still hand it out, since this session has not heard of it yet."""
    for n in range(3):
        peer.put(mail(n))
    source = peer.source()
    fetching = source.fetch()
    assert next(fetching).raw == mail(0)
    peer.take_away(mail(1))
    assert [f.raw for f in fetching if f.raw != mail(1)] == [mail(2)]
    source.close()


def test_what_somebody_else_marked_as_deleted_survives_our_moves(peer: Peer) -> None:
    for n in range(3):
        peer.put(mail(n))
    peer.mark_deleted(mail(0))
    source = peer.source()
    keys = {f.raw: f.key for f in source.fetch()}
    source.settle(keys[mail(1)], "Done")
    source.close()
    assert sorted(peer.folder("INBOX")) == [mail(0), mail(2)]
    assert peer.folder("Done") == [mail(1)]


def test_looking_marks_nothing_as_read(imap_peer: ImapPeer) -> None:
    imap_peer.put(mail(1))
    source = imap_peer.source()
    list(source.fetch())
    source.close()
    with imap_peer.client() as client:
        client.select("INBOX", readonly=True)
        assert client.search(None, "UNSEEN")[1] == [b"1"]


def after(wait: Callable[[], bool], happens: Callable[[], None]) -> float:
    """Seconds that a wait still takes from something happening to its end; it must end with True."""
    ended: list[tuple[bool, float]] = []
    waiter = threading.Thread(target=lambda: ended.append((wait(), time.monotonic())))
    waiter.start()
    waiter.join(0.3)
    assert waiter.is_alive(), "it does not wait"
    happens()
    began = time.monotonic()
    waiter.join(20)
    assert [woken for woken, _ in ended] == [True]
    return ended[0][1] - began


def test_new_mail_ends_a_wait_long_before_the_next_poll(peer: Peer) -> None:
    source = peer.source()
    assert list(source.fetch()) == []
    assert after(lambda: source.wait(60), lambda: peer.put(mail(1))) < 5
    assert only(source).raw == mail(1)
    source.close()


def test_waking_ends_a_wait(peer: Peer) -> None:
    source = peer.source()
    list(source.fetch())
    assert after(lambda: source.wait(60), source.wake) < 5
    assert list(source.fetch()) == []
    source.close()


def test_a_mail_is_claimed_applied_and_only_then_moved(peer: Peer, tmp_path: Path) -> None:
    table = PbemTable(tmp_path / "store")
    table.new("Ana", "Ben")
    answer = table.answer("Ana", "join")
    peer.put(answer)
    source = peer.source()
    fetched = only(source)
    claimed = table.app.intake.take(fetched)
    assert claimed is not None
    assert claimed.raw == answer
    assert table.app.intake.inbox.unsettled() == []
    table.app.intake.apply(claimed)
    assert peer.folder("INBOX") == [answer]
    ((number, key, folder),) = table.app.intake.inbox.unsettled()
    source.settle(key, folder)
    table.app.intake.inbox.settled([number])
    source.close()
    assert (peer.folder("INBOX"), peer.folder("Done")) == ([], [answer])
    table.close()


def test_a_mail_that_was_applied_and_not_moved_is_not_applied_again(peer: Peer, tmp_path: Path) -> None:
    """The process dies between commit and move: the next one finds the mail in the inbox once more."""
    table = PbemTable(tmp_path / "store")
    table.new("Ana", "Ben")
    peer.put(table.answer("Ana", "join"))
    first = peer.source()
    assert table.app.take(only(first)) is not None
    first.close()
    letters = len(table.letters("Ana"))
    second = peer.source()
    again = only(second)
    assert table.app.take(again) is None
    assert len(table.letters("Ana")) == letters
    for number, key, folder in table.app.intake.inbox.unsettled():
        second.settle(key, folder)
        table.app.intake.inbox.settled([number])
    second.close()
    assert peer.folder("INBOX") == []
    table.close()


def test_a_mail_that_failed_goes_where_failed_mails_lie(
    peer: Peer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = PbemTable(tmp_path / "store")
    table.new("Ana", "Ben")
    answer = table.answer("Ana", "join")
    peer.put(answer)
    source = peer.source()
    claimed = table.app.intake.take(only(source))
    assert claimed is not None

    def fault(_: object) -> None:
        raise RuntimeError

    monkeypatch.setattr(table.app.intake, "_apply", fault)
    assert table.app.intake.apply(claimed).state is State.FAILED
    for _, key, folder in table.app.intake.inbox.unsettled():
        source.settle(key, folder)
    source.close()
    assert (peer.folder("INBOX"), peer.folder("Failed")) == ([], [answer])
    table.close()


def test_many_mails_come_through_once_each(peer: Peer) -> None:
    mails = [mail(n) for n in range(30)]
    for raw in mails:
        peer.put(raw)
    source, seen = peer.source(), []
    while batch := list(source.fetch(12)):
        for fetched in batch:
            seen.append(fetched.raw)
            source.settle(fetched.key, "Done")
    source.close()
    assert seen == mails
    assert peer.folder("Done") == mails
