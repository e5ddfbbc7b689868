"""No mail raises out of the intake, none delays the next, none is lost (D-17)."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pbem.app import App
from pbem.play import Play
from pbem.ports import Fetched
from pbem.store.db import Damaged, Store, Unavailable
from pbem.store.inbox import TRIES, Claimed, State

from .table import PbemTable


@pytest.fixture
def begun(table: PbemTable) -> PbemTable:
    table.begun("Ana", "Ben", moderators=["Dora"])
    return table


def test_a_mail_that_breaks_the_program_is_filed_and_both_are_told(
    begun: PbemTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    who = begun.asked()[0]
    mail = begun.answer(who, "palace 1")
    with monkeypatch.context() as broken:
        broken.setattr(Play, "handle", lambda *_: 1 / 0)
        filed = begun.mail(mail)
    assert filed.state is State.FAILED
    assert "a fault in this program" in begun.last(who).flat
    assert "A person will look at it" in begun.last(who).flat
    assert "ZeroDivisionError" not in begun.last(who).text
    assert "ZeroDivisionError" in begun.last("Dora").flat
    assert begun.asked() == [who]
    begun.writes(who, "palace 1", to=begun.last(who, "digest"))
    assert begun.asked() != [who]


def test_a_fault_tells_no_secret_and_may_even_be_in_the_letters(
    begun: PbemTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    who = begun.asked()[0]
    mail = begun.answer(who, "palace 1")

    def broken(*_: object, **__: object) -> None:
        raise KeyError("hugues-de-payns")

    with monkeypatch.context() as patched:
        patched.setattr(Play, "handle", broken)
        begun.mail(mail)
    assert "KeyError in broken" in begun.last("Dora").flat
    assert "hugues" not in begun.last("Dora").text
    monkeypatch.setattr("pbem.writing.compose", broken)
    assert begun.mail(begun.answer(who, "palace 2")).state is State.FAILED


def test_a_mail_that_ends_the_process_is_set_aside_after_three_tries(begun: PbemTable) -> None:
    who = begun.asked()[0]
    fetched = Fetched("killer", begun.answer(who, "palace 1"), begun.clock.now())
    for _ in range(TRIES):
        assert begun.app.intake.take(fetched) is not None
    assert begun.app.intake.take(fetched) is None
    row = begun.app.store.one("select state, reason from inbox where key = 'killer'")
    assert row is not None
    assert row["state"] == State.ASIDE
    assert "3 times" in row["reason"]
    assert begun.app.intake.inbox.unsettled()[-1][2] == "Failed"


def test_a_full_disk_stops_the_work_and_loses_nothing(begun: PbemTable) -> None:
    who = begun.asked()[0]
    store = begun.app.store
    claimed = begun.app.intake.take(Fetched("late", begun.answer(who, "palace 1"), begun.clock.now()))
    assert claimed is not None
    pages = store.conn.execute("pragma page_count").fetchone()[0]
    store.conn.execute(f"pragma max_page_count = {pages}")
    with pytest.raises(Unavailable, match="full"):
        write_until_it_is_full(begun, claimed)
    store.conn.execute("pragma max_page_count = 1000000")
    begun.app.games.forget_all()
    begun.app.recover()
    states = {r["state"] for r in store.all("select state from inbox")}
    assert states == {"applied"}
    tries = store.one("select max(tries) from inbox")
    assert tries is not None
    assert tries[0] <= 2


def write_until_it_is_full(table: PbemTable, first: Claimed) -> None:
    """One mail, then long notes, one after the other."""
    table.app.intake.apply(first)
    for n in range(200):
        note = table.answer(table.asked()[0], "note x" * 3000)
        claimed = table.app.intake.take(Fetched(f"more {n}", note, table.clock.now()))
        assert claimed is not None
        table.app.intake.apply(claimed)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.binary(max_size=400), st.sampled_from(["", "head", "reply"]))
def test_no_bytes_raise_out_of_the_intake(begun: PbemTable, noise: bytes, shape: str) -> None:
    who = begun.asked()[0]
    raw = noise
    if shape == "head":
        raw = b"From: ana@example.org\r\nTo: pbem@pbem.example.org\r\n" + noise
    elif shape == "reply":
        raw = begun.answer(who, "x", to=begun.last(who, "digest")).replace(
            b"\r\n\r\nx", b"\r\n\r\n" + noise, 1
        )
    begun.app.take(
        Fetched(f"noise {len(begun.app.store.all('select 1 from inbox'))}", raw, datetime.now(UTC))
    )
    assert not begun.app.store.all("select 1 from inbox where state in ('failed', 'claimed')")


def test_a_damaged_database_is_refused_and_not_touched(tmp_path: Path) -> None:
    path = tmp_path / "pbem.sqlite"
    store = Store(path)
    store.close()
    data = bytearray(path.read_bytes())
    data[4096:12000] = b"\x55" * (12000 - 4096)
    path.write_bytes(bytes(data))
    with pytest.raises(Damaged, match="Put a backup in its place"):
        Store(path)
    assert path.read_bytes() == bytes(data)


def test_a_foreign_file_is_refused_and_not_touched(tmp_path: Path) -> None:
    path = tmp_path / "letters.txt"
    path.write_text("Dear Ana,\n" * 400)
    with pytest.raises(Damaged):
        Store(path)
    assert path.read_text().startswith("Dear Ana")


def test_a_game_whose_rules_are_not_here_says_so(begun: PbemTable) -> None:
    begun.app.store.conn.execute("update game set ruleset = 'chess'")
    app = App(begun.config, begun.app.store, begun.clock)
    with pytest.raises(Exception, match="needs the rules of “chess”"):
        app.games.find("1")
    begun.app.store.conn.execute("update game set ruleset = 'troyes'")


def test_a_bounce_tells_the_moderator_once_and_is_never_answered(begun: PbemTable) -> None:
    who = begun.asked()[0]
    row = begun.app.store.one(
        "select sender from outbox where recipient = ? and kind = 'digest'", f"{who.lower()}@example.org"
    )
    assert row is not None
    report = (
        "From: MAILER-DAEMON@mx.example.org\r\nReturn-Path: <>\r\nTo: {to}\r\nSubject: failure\r\n"
        "Message-ID: <{n}@mx.example.org>\r\nAuto-Submitted: auto-replied\r\nMIME-Version: 1.0\r\n"
        'Content-Type: multipart/report; report-type=delivery-status; boundary="b"\r\n\r\n'
        "--b\r\nContent-Type: text/plain\r\n\r\nNo such user.\r\n"
        "--b\r\nContent-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; mx.example.org\r\n\r\n"
        "Final-Recipient: rfc822; {who}@example.org\r\nAction: failed\r\nStatus: 5.1.1\r\n\r\n--b--\r\n"
    )
    count = len(begun.app.store.all("select 1 from outbox"))
    for n in range(3):
        filed = begun.mail(report.format(to=row["sender"], n=n, who=who.lower()).encode())
        assert filed.kind == "bounce"
    assert len(begun.app.store.all("select 1 from outbox")) == count + 1
    assert "does not get their mail" in begun.last("Dora").subject
