"""Twice, late, out of order, at the wrong hour."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from pbem.app import App
from pbem.ports import Fetched
from pbem.sources.maildir import MaildirSource
from pbem.store.db import Store
from pbem.store.outbox import Outbox

from ..table import PbemTable
from ..test_clocks import live
from .hand import PLAYERS, SEED, done, head, letters_of, not_done, orders, post


@pytest.fixture
def clocked(tmp_path: Path) -> Iterator[PbemTable]:
    """A table of ten hours, two of grace, where a robot answers for the silent."""
    table = PbemTable(tmp_path, setup_hours=10, grace_hours=2, default="robot")
    table.begun(*PLAYERS, moderators=["Dora"], seed=SEED)
    table.app.watch.polled(table.clock.at)
    yield table
    table.close()


def due(table: PbemTable) -> datetime:
    found = table.app.games.open_questions(1)[0].due
    assert found is not None
    return found


def test_troubles_g1_mails_that_are_fetched_again_are_applied_once_and_answered_once(
    troyes: PbemTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    mails = [Fetched("g1:1", troyes.answer("Ana", "palace 1"), troyes.clock.at)]
    mails.append(Fetched("g1:2", troyes.answer("Ben", "palace 2"), troyes.clock.at))

    def died(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:  # the process dies after the claim, before the commit
        patched.setattr(Outbox, "put", died)
        with pytest.raises(KeyboardInterrupt):
            troyes.app.take(mails[0])
    assert orders(troyes) == []
    again = App(troyes.config, Store(troyes.path), troyes.clock)
    assert again.recover() == 1
    again.close()
    troyes.app.games.forget_all()
    assert len(orders(troyes)) == 1
    letters = letters_of(troyes)
    assert troyes.app.take(mails[0]) is None
    assert letters_of(troyes) == letters
    moved = Fetched("another life of the mailbox:1", mails[0].raw, troyes.clock.at)
    filed = troyes.app.take(moved)
    assert filed is not None
    assert filed.kind == "duplicate"
    assert len(orders(troyes)) == 1


@pytest.mark.parametrize(
    "change",
    [
        lambda raw: b"X-Virus-Scanned: yes\r\nReceived: from scanner\r\n" + raw,
        lambda raw: raw.replace(b"\r\n", b"\n"),
        lambda raw: raw + b"\r\n\r\n",
        lambda raw: raw + b"-- \r\nThis mail was scanned for viruses at 10:15.\r\n",
        lambda raw: raw.replace(b"Message-ID: <", b"Message-ID: <again."),
    ],
    ids=["headers", "line ends", "blank lines", "a footer", "another id"],
)
def test_troubles_g3_a_mail_that_a_scanner_rewrites_and_marks_unread_does_not_come_back(
    troyes: PbemTable, change: type[bytes]
) -> None:
    raw = head(troyes, "Ana") + b"\r\n1\r\n"
    assert troyes.mail(raw).reason == "changed"
    while troyes.asked() != ["Ana"]:
        who = troyes.asked()[0]
        troyes.writes(who, "1", to=troyes.letters(who)[-1])
    before = orders(troyes)
    troyes.clock.on(hours=5)
    filed = troyes.mail(change(raw))
    assert "the same as mail" in filed.reason
    assert orders(troyes) == before
    assert "nothing was done again" in troyes.last("Ana").flat


def test_troubles_g3_the_read_flag_is_not_looked_at(tmp_path: Path) -> None:
    for box in ("new", "cur", "tmp"):
        (tmp_path / "gm" / box).mkdir(parents=True)
    for name in ("cur/1.a:2,S", "cur/2.a:2,RS", "cur/3.a:2,", "new/4.a"):
        (tmp_path / "gm" / name).write_bytes(b"From: x@example.org\n\n")
    assert len(list(MaildirSource(tmp_path / "gm").fetch())) == 4


def test_troubles_g4_two_answers_of_a_server_for_one_mail_are_one(troyes: PbemTable) -> None:
    raw = troyes.answer("Ana", "palace 1")
    first = troyes.app.take(Fetched("imap:1", raw, troyes.clock.at))
    assert first is not None
    assert troyes.app.take(Fetched("imap:1", b"", troyes.clock.at)) is None
    assert len(orders(troyes)) == 1


def test_troubles_g5_the_same_letter_written_twice_is_one(troyes: PbemTable) -> None:
    row = troyes.app.store.one("select * from outbox order by id desc limit 1")
    assert row is not None
    before = letters_of(troyes)
    with troyes.app.store.tx():
        told = troyes.app.outbox.put(
            row["message_id"],
            b"again",
            sender=row["sender"],
            recipient=row["recipient"],
            kind=row["kind"],
            now=troyes.clock.at,
        )
    assert told == 0
    assert letters_of(troyes) == before


@pytest.mark.parametrize(("seconds", "counts"), [(-1, True), (0, True), (1, False)])
def test_troubles_g6_what_counts_is_when_a_mail_arrived_at_its_server(
    clocked: PbemTable, seconds: int, counts: bool
) -> None:
    raw = clocked.answer("Ana", "palace 1")
    live(clocked, 11.9)
    came = due(clocked) + timedelta(hours=2, seconds=seconds)
    clocked.clock.on(seconds=(came - clocked.clock.at).total_seconds() + 60)
    clocked.app.take(Fetched("late", raw, came))
    by = [e.by for _, e in clocked.app.games.answers(1)]
    assert by[0] == ("mail" if counts else "deadline")
    if not counts:
        not_done(clocked, "Ana")


def test_troubles_g6_the_rule_stands_in_each_digest(clocked: PbemTable) -> None:
    assert re.search(
        r"Please answer by Tuesday 1 December, 19:00, UTC time", clocked.last("Ana", "digest").flat
    )
    assert "If nothing comes, a robot answers" in clocked.last("Ana", "digest").flat


@pytest.mark.parametrize(
    "date",
    [
        None,
        "",
        "yesterday",
        "Tue, 01 Dec 2127 09:00:00 +0000",
        "Tue, 01 Dec 1970 09:00:00 +0000",
        "Tue, 31 Feb 2026 25:61:00 -9999",
        "Tue, 01 Dec 2026 09:00:00 +99999999999999999999",
        "=?utf-8?q?Tue=0D=0A?=",
        "9" * 5000,
    ],
)
def test_troubles_g8_a_wrong_or_missing_date_is_only_a_hint(troyes: PbemTable, date: str | None) -> None:
    post(troyes, "Ana", "palace 1\r\n", None, Date=date)
    done(troyes, "Ana", "palace 1")
    row = troyes.app.store.one("select arrived from inbox order by id desc limit 1")
    assert row is not None
    assert row["arrived"].startswith("2026-12-01T09:00")


@pytest.mark.parametrize(
    ("zone", "start", "slots"),
    [
        ("Europe/Berlin", "2026-03-28T12:00", ["2026-03-29T01:30", "2026-03-30T00:30"]),
        ("Europe/Berlin", "2026-10-24T12:00", ["2026-10-25T00:30", "2026-10-26T01:30"]),
        ("America/New_York", "2026-03-07T12:00", ["2026-03-08T07:30", "2026-03-09T06:30"]),
        ("America/New_York", "2026-10-31T12:00", ["2026-11-01T07:30", "2026-11-02T07:30"]),
        ("Australia/Lord_Howe", "2026-10-03T12:00", ["2026-10-03T15:30", "2026-10-04T15:30"]),
    ],
)
def test_troubles_g9_the_missing_and_the_doubled_hour_have_one_deadline_each(
    tmp_path: Path, zone: str, start: str, slots: list[str]
) -> None:
    table = PbemTable(tmp_path, zone=zone, hour="02:30", setup_hours=1, grace_hours=0, default="robot")
    table.clock.at = datetime.fromisoformat(start).replace(tzinfo=UTC)
    table.begun("Ana", "Ben", moderators=["Dora"], seed=SEED)
    table.app.watch.polled(table.clock.at)
    for n, slot in enumerate(slots, 1):
        assert due(table) == datetime.fromisoformat(slot).replace(tzinfo=UTC)
        while due(table).strftime("%Y-%m-%dT%H:%M") == slot:
            live(table, 0.1)
        assert [e.by for _, e in table.app.games.answers(1)] == ["deadline"] * n
    table.close()


def test_troubles_g10_an_extension_ends_on_the_tables_hour(tmp_path: Path) -> None:
    table = PbemTable(tmp_path, zone="Europe/Berlin", hour="18:00", setup_hours=20)
    table.begun("Ana", "Ben", moderators=["Dora"], seed=SEED)
    who = table.asked()[0]
    for day in range(3):
        table.clock.on(minutes=47)
        table.writes("Dora", f"extend {who} by 1 day")
        assert due(table) == datetime(2026, 12, 3 + day, 17, 0, tzinfo=UTC)
    table.close()


@pytest.mark.parametrize("hours", [30, -30])
def test_troubles_g11_a_clock_that_jumps_shifts_and_decides_nothing(clocked: PbemTable, hours: int) -> None:
    live(clocked, 1)
    before = due(clocked)
    clocked.clock.jump(hours=hours)
    clocked.app.tick()
    clocked.app.watch.polled(clocked.clock.at)
    clocked.app.tick()
    assert due(clocked) - before == timedelta(hours=hours)
    assert orders(clocked) == []
    assert "Deadlines have moved" in clocked.last("Dora").subject


def test_troubles_g11_a_host_that_was_off_shifts_and_tells_everybody(clocked: PbemTable) -> None:
    before = due(clocked)
    clocked.clock.on(hours=50)
    clocked.app.tick()
    assert orders(clocked) == []
    clocked.app.watch.polled(clocked.clock.at)
    clocked.app.tick()
    assert due(clocked) - before == timedelta(hours=50)
    assert orders(clocked) == []
    for person in (*PLAYERS, "Dora"):
        assert [x for x in clocked.letters(person) if "Deadlines have moved" in x.subject]


def test_troubles_g13_reminders_go_to_those_who_owe_a_decision_and_to_nobody_else(tmp_path: Path) -> None:
    table = PbemTable(tmp_path, setup_hours=10, grace_hours=2, default="wait")
    table.begun(*PLAYERS, moderators=["Dora"], seed=SEED)
    table.app.watch.polled(table.clock.at)
    live(table, 4)
    table.writes("Ana", "palace 1")
    live(table, 6)
    assert table.letters("Ana", "reminder") == []
    assert len(table.letters("Ben", "reminder")) == 1
    assert table.letters("Carla", "reminder") == []
    table.writes("Ben", "palace 2")
    live(table, 4)
    assert len(table.letters("Ben", "reminder")) == 1
    table.close()


def test_troubles_g14_every_notice_names_the_hour_with_weekday_and_zone(tmp_path: Path) -> None:
    table = PbemTable(tmp_path, setup_hours=10, grace_hours=2, default="wait", zone="Europe/Lisbon")
    table.begun(*PLAYERS, moderators=["Dora"], seed=SEED)
    table.app.watch.polled(table.clock.at)
    live(table, 6)
    for kind in ("digest", "reminder"):
        assert "by Tuesday 1 December, 19:00, Europe/Lisbon time" in table.last("Ana", kind).flat
    before = len(table.letters("Ana"))
    table.writes("Dora", "extend Ana by 1 day")
    moved = table.letters("Ana")[before:]
    assert len(moved) == 1
    assert "Wednesday 2 December, 19:00, Europe/Lisbon time" in moved[0].flat
    table.close()


def test_troubles_g15_lines_for_later_are_dropped_aloud_when_the_position_is_corrected(
    troyes: PbemTable,
) -> None:
    game = troyes.game()
    later = ["palace 2", "palace 3"]
    with troyes.app.store.tx():
        troyes.app.moves.park(game, troyes.app.games.table(game), "Ben", later, None, troyes.clock.at)
    troyes.writes("Dora", "correct Ben.deniers = 4 because of a slip", to=troyes.letters("Dora")[0])
    troyes.writes("Dora", "confirm", to=troyes.letters("Dora")[-1])
    assert not troyes.app.store.all("select 1 from parked")
    told = [x for x in troyes.letters("Ben") if "parked lines" in x.subject]
    assert [line for x in told for line in later if line in x.flat] == later


def test_troubles_g15_lines_for_later_are_read_anew_when_their_time_comes_and_told(troyes: PbemTable) -> None:
    game = troyes.game()
    with troyes.app.store.tx():
        troyes.app.moves.park(game, troyes.app.games.table(game), "Ben", ["palace 1"], None, troyes.clock.at)
    troyes.writes("Ana", "palace 1")
    troyes.app.automatics.go_on(game.id)
    assert len(orders(troyes)) == 1, "the place is taken meanwhile, so nothing is done"
    assert troyes.asked() == ["Ben"]
    assert any("palace 1" in x.flat and x.kind != "invitation" for x in troyes.letters("Ben"))
