"""Deadlines are rows: reminders, grace, what the table chose for silence, and outages of our own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from .table import PbemTable


def live(table: PbemTable, hours: float) -> None:
    """Time passes, and the mailbox is read all the while."""
    for _ in range(int(hours * 10)):
        table.clock.on(minutes=6)
        table.app.watch.polled(table.clock.at)
        table.app.tick()


@pytest.fixture
def waiting(tmp_path: Path) -> Iterator[PbemTable]:
    table = PbemTable(tmp_path, turn_hours=10, setup_hours=10, grace_hours=2, default="wait")
    table.begun("Ana", "Ben", moderators=["Dora"])
    table.app.watch.polled(table.clock.at)
    yield table
    table.close()


def test_a_reminder_comes_at_half_time_and_another_after_the_deadline(waiting: PbemTable) -> None:
    who = waiting.asked()[0]
    live(waiting, 4)
    assert waiting.letters(who, "reminder") == []
    live(waiting, 2)
    assert len(waiting.letters(who, "reminder")) == 1
    assert "WHAT YOU MAY WRITE" in waiting.last(who, "reminder").text
    live(waiting, 5)
    assert len(waiting.letters(who, "reminder")) == 2
    assert "your answer still counts until Tue 1 Dec 21:00" in waiting.last(who, "reminder").flat


def test_who_wants_no_more_mail_gets_no_reminder_but_answers(waiting: PbemTable) -> None:
    who = waiting.asked()[0]
    waiting.writes(who, "stop")
    count = len(waiting.letters(who))
    live(waiting, 6)
    assert len(waiting.letters(who)) == count
    waiting.writes(who, "status")
    assert waiting.last(who).kind == "receipt"


def test_the_others_get_no_reminder(waiting: PbemTable) -> None:
    (other,) = {"Ana", "Ben"} - set(waiting.asked())
    live(waiting, 11)
    assert waiting.letters(other, "reminder") == []


def test_an_answer_within_the_grace_counts(waiting: PbemTable) -> None:
    who = waiting.asked()[0]
    live(waiting, 11.5)
    waiting.writes(who, "palace 1")
    assert "palace 1: done" in waiting.last(who, "receipt").text


def test_after_the_grace_the_moderator_is_asked_once(waiting: PbemTable) -> None:
    who = waiting.asked()[0]
    live(waiting, 14)
    notices = waiting.letters("Dora", "notice")
    late = [x for x in notices if "is late" in x.subject]
    assert len(late) == 1
    assert f"answer for {who}" in late[0].flat
    assert waiting.asked() == [who]
    waiting.writes("Dora", f"answer for {who}: palace 1")
    assert waiting.asked() != [who]


def test_an_extension_gives_new_time_after_the_deadline(waiting: PbemTable) -> None:
    who = waiting.asked()[0]
    live(waiting, 14)
    waiting.writes("Dora", f"extend {who} by 5 hours")
    live(waiting, 4)
    assert len([x for x in waiting.letters("Dora", "notice") if "is late" in x.subject]) == 1
    live(waiting, 4)
    assert len([x for x in waiting.letters("Dora", "notice") if "is late" in x.subject]) == 2


def test_a_robot_answers_where_the_table_chose_so(tmp_path: Path) -> None:
    table = PbemTable(tmp_path, setup_hours=10, grace_hours=2, default="robot")
    table.begun("Ana", "Ben")
    table.app.watch.polled(table.clock.at)
    who = table.asked()[0]
    assert "a robot answers this one question" in table.last(who, "digest").flat
    live(table, 13)
    assert table.asked() != [who]
    assert [e.by for _, e in table.app.games.answers(1)] == ["deadline"]
    table.close()


def test_an_outage_of_our_own_moves_every_deadline_and_says_so(waiting: PbemTable) -> None:
    who = waiting.asked()[0]
    before = waiting.app.games.open_questions(1)[0].due
    waiting.clock.on(hours=30)
    waiting.app.tick()
    assert waiting.asked() == [who]
    waiting.app.watch.polled(waiting.clock.at)
    after = waiting.app.games.open_questions(1)[0].due
    assert before is not None
    assert after is not None
    assert (after - before).total_seconds() == 30 * 3600
    assert "could not read its mail for 1800 minutes" in waiting.last(who, "notice").flat
    waiting.app.tick()
    assert not [x for x in waiting.letters("Dora", "notice") if "is late" in x.subject]


def test_seven_silent_days_after_an_invitation_go_to_the_moderator(tmp_path: Path) -> None:
    table = PbemTable(tmp_path)
    table.new("Ana", "Ben", moderators=["Dora"])
    table.writes("Ana", "join")
    live(table, 24 * 7 + 1)
    missing = [x for x in table.letters("Dora", "notice") if "is missing" in x.subject]
    assert len(missing) == 1
    assert "replace Ben by" in missing[0].flat
    table.writes("Dora", "replace ben by Eva <eva@example.org>")
    table.writes("Eva", "join")
    assert table.game().state == "playing"
    table.close()


def test_a_paused_table_has_no_clock(waiting: PbemTable) -> None:
    who = waiting.asked()[0]
    waiting.writes("Dora", "pause")
    live(waiting, 40)
    assert waiting.letters(who, "reminder") == []
    assert not [x for x in waiting.letters("Dora", "notice") if "is late" in x.subject]


def test_those_who_watch_get_the_news_once_a_day_and_no_secret(tmp_path: Path) -> None:
    table = PbemTable(tmp_path)
    table.begun("Ana", "Ben", observers=["Olga <olga@example.org>"])
    live(table, 30)
    (news,) = table.letters("Olga", "digest")
    assert "THE PLAYERS" in news.text
    assert "YOUR SECRETS" not in news.text
    assert "You alone know" not in news.text
    assert "BEGIN ORDERS" not in news.text
    live(table, 30)
    assert len(table.letters("Olga", "digest")) == 1, "nothing has happened since"
    table.close()


def test_too_many_receipts_become_one_when_the_hour_is_over(tmp_path: Path) -> None:
    table = PbemTable(tmp_path)
    table.config.mail.receipts_per_hour = 5
    table.begun("Ana", "Ben")
    who = table.asked()[0]
    for n in range(9):
        table.writes(who, f"note number {n}", to=table.last(who, "digest"))
    assert len(table.letters(who, "receipt")) == 5
    table.writes(who, "palace 1", to=table.last(who, "digest"))
    live(table, 1.5)
    (combined,) = [x for x in table.letters(who, "notice") if "latest mails" in x.subject]
    assert "6 of your mails got no receipts of their own" in combined.flat
    live(table, 3)
    assert len([x for x in table.letters(who, "notice") if "latest mails" in x.subject]) == 1
    table.close()


def test_a_robot_at_the_table_takes_its_time(tmp_path: Path) -> None:
    table = PbemTable(tmp_path, minimum_age_minutes=10)
    table.new("Ana", robots={"Robbie": "random"})
    table.writes("Ana", "join")
    if table.asked() == ["Ana"]:
        table.writes("Ana", "palace 1")
    assert table.asked() == ["Robbie"]
    table.clock.on(minutes=5)
    table.app.tick()
    assert table.asked() == ["Robbie"]
    table.clock.on(minutes=6)
    table.app.tick()
    assert table.asked() != ["Robbie"] or len(table.app.games.answers(1)) > 1
    table.close()
