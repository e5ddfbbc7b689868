"""Mail from a folder: each mail once, oldest first, moved by renaming."""

from __future__ import annotations

import mailbox
import os
import threading
import time
from datetime import UTC, datetime
from pathlib import Path

import pytest

from pbem.mail.mime import KEPT_BYTES, Cut, Mail
from pbem.ports import Disconnected, Refused
from pbem.sources.maildir import MaildirSource

RAW = b"From: ana@example.org\n\nMOVE F1 E5\n"


@pytest.fixture
def box(tmp_path: Path) -> mailbox.Maildir:
    return mailbox.Maildir(tmp_path / "gm", create=True)


@pytest.fixture
def source(box: mailbox.Maildir, tmp_path: Path) -> MaildirSource:
    return MaildirSource(tmp_path / "gm")


def put(tmp_path: Path, name: str, when: float, folder: str = "new", raw: bytes = RAW) -> None:
    path = tmp_path / "gm" / folder / name
    path.write_bytes(raw)
    os.utime(path, (when, when))


def test_new_and_seen_mails_oldest_first(source: MaildirSource, tmp_path: Path) -> None:
    put(tmp_path, "3.c.host", 3000.5)
    put(tmp_path, "1.a.host:2,S", 1000, "cur")
    put(tmp_path, "2.b.host", 2000)
    fetched = list(source.fetch())
    assert [f.key for f in fetched] == ["maildir:1.a.host", "maildir:2.b.host", "maildir:3.c.host"]
    assert fetched[2].arrived == datetime.fromtimestamp(3000.5, UTC)
    assert fetched[0].raw == RAW
    assert [f.key for f in source.fetch(limit=1)] == ["maildir:1.a.host"]


def test_settled_mails_lie_in_subfolders_that_other_programs_see(
    box: mailbox.Maildir, source: MaildirSource, tmp_path: Path
) -> None:
    put(tmp_path, "1.a.host", 1000)
    put(tmp_path, "2.b.host:2,RS", 2000, "cur")
    for fetched, folder in zip(source.fetch(), ("Done", "Failed"), strict=True):
        source.settle(fetched.key, folder)
    assert list(source.fetch()) == []
    assert (tmp_path / "gm/.Done/cur/1.a.host:2,S").read_bytes() == RAW
    assert (tmp_path / "gm/.Failed/cur/2.b.host:2,RS").exists()
    assert sorted(box.list_folders()) == ["Done", "Failed"]


def test_of_an_overlong_mail_the_head_is_kept(source: MaildirSource, tmp_path: Path) -> None:
    put(tmp_path, "1.a.host", 1000, raw=RAW + b"x" * 3_000_000)
    (fetched,) = source.fetch()
    assert len(fetched.raw) == KEPT_BYTES
    assert fetched.raw.startswith(RAW)
    assert Mail(fetched.raw).cut is Cut.SIZE


def test_a_mail_that_somebody_moved_or_marked_meanwhile(source: MaildirSource, tmp_path: Path) -> None:
    put(tmp_path, "1.a.host", 1000)
    put(tmp_path, "2.b.host", 2000)
    waiting = source.fetch()
    first = next(waiting)
    (tmp_path / "gm/new/2.b.host").unlink()
    assert list(waiting) == []
    (tmp_path / "gm/new/1.a.host").rename(tmp_path / "gm/cur/1.a.host:2,F")
    source.settle(first.key, "Done")
    assert (tmp_path / "gm/.Done/cur/1.a.host:2,F").exists()
    source.settle(first.key, "Done")
    source.settle("maildir:never.was", "Failed")


def test_what_stdlib_delivers_is_read(box: mailbox.Maildir, source: MaildirSource) -> None:
    box.add(RAW)
    assert [f.raw for f in source.fetch()] == [RAW]


def test_a_wait_ends_when_woken_when_mail_comes_or_in_time(source: MaildirSource, tmp_path: Path) -> None:
    list(source.fetch())
    assert source.wait(0.02) is False
    source.wake()
    assert source.wait(10) is True
    waker = threading.Timer(0.05, source.wake)
    waker.start()
    assert source.wait(10) is True
    waker.join()
    start = time.monotonic()
    put(tmp_path, "1.a.host", 1000)
    assert source.wait(10) is True
    assert time.monotonic() - start < 5


def test_no_maildir_is_refused(tmp_path: Path) -> None:
    source = MaildirSource(tmp_path / "nothing")
    with pytest.raises(Refused, match="no Maildir"):
        list(source.fetch())
    source.close()


def test_what_is_no_mail_is_left_alone(source: MaildirSource, tmp_path: Path) -> None:
    (tmp_path / "gm/new/a folder").mkdir()
    (tmp_path / "gm/new/.hidden").touch()
    assert list(source.fetch()) == []


def test_a_disk_that_cannot_be_read_now(
    source: MaildirSource, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(path: Path, mode: str = "r") -> None:
        raise OSError(5, "Input/output error")

    put(tmp_path, "1.a.host", 1000)
    monkeypatch.setattr(Path, "open", fail)
    with pytest.raises(Disconnected, match="tried again"):
        list(source.fetch())
