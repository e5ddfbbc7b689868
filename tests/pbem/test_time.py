"""Time: the table's own hours through every change of clocks, the moment that counts, clocks that are set."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.hours import BadHours, hour, next_slot, weekdays
from pbem.ports import Fetched

from .table import PbemTable
from .test_clocks import live

ZONES = (
    "Europe/Lisbon",
    "Europe/Berlin",
    "Europe/London",
    "America/Sao_Paulo",
    "America/New_York",
    "America/Los_Angeles",
    "America/St_Johns",
    "Asia/Kolkata",
    "Asia/Tokyo",
    "Australia/Sydney",
    "Australia/Lord_Howe",
    "Africa/Casablanca",
)
EVERY_DAY = frozenset(range(7))


def changes(zone: str) -> list[datetime]:
    """The hours of 2026 and 2027, in UTC, after which a zone's clocks differ."""
    here = ZoneInfo(zone)
    start = datetime(2026, 1, 1, tzinfo=UTC)
    hours = [start + timedelta(hours=n) for n in range(2 * 365 * 24)]
    return [
        h
        for h in hours
        if h.astimezone(here).utcoffset() != (h + timedelta(hours=1)).astimezone(here).utcoffset()
    ]


# the table's own hours


@pytest.mark.parametrize("clock", ["00:00", "02:00", "02:30", "03:00", "18:00"])
@pytest.mark.parametrize("zone", ZONES)
def test_a_fixed_hour_comes_once_a_day_through_both_changes(zone: str, clock: str) -> None:
    fixed, here = hour(clock), ZoneInfo(zone)
    assert fixed is not None
    moments = [datetime(2026, 1, 1, tzinfo=UTC)] if not (found := changes(zone)) else found
    for change in moments:
        at = change - timedelta(days=3)
        slots = []
        for _ in range(6):
            at = next_slot(at + timedelta(seconds=1), zone, fixed, EVERY_DAY)
            slots.append(at)
        assert len({s.astimezone(here).date() for s in slots}) == 6, "each day has one"
        for early, late in itertools.pairwise(slots):
            assert timedelta(hours=22) <= late - early <= timedelta(hours=26)
        for slot in slots:
            said = slot.astimezone(here)
            in_a_gap = (said.hour, said.minute) != (fixed.hour, fixed.minute)
            assert not in_a_gap or abs(slot - change) <= timedelta(hours=2), "another hour only at the gap"


def test_what_the_calendar_says_of_berlin() -> None:
    fixed = hour("02:30")
    spring = next_slot(datetime(2026, 3, 28, 12, tzinfo=UTC), "Europe/Berlin", fixed, EVERY_DAY)
    assert spring == datetime(2026, 3, 29, 1, 30, tzinfo=UTC), "half past two does not exist: half past three"
    autumn = next_slot(datetime(2026, 10, 24, 12, tzinfo=UTC), "Europe/Berlin", fixed, EVERY_DAY)
    assert autumn == datetime(2026, 10, 25, 0, 30, tzinfo=UTC), "it comes twice: the first one"
    evening = hour("18:00")
    before = next_slot(datetime(2026, 10, 24, 12, tzinfo=UTC), "Europe/Berlin", evening, EVERY_DAY)
    after = next_slot(before + timedelta(seconds=1), "Europe/Berlin", evening, EVERY_DAY)
    assert (after - before) == timedelta(hours=25)


@given(
    at=st.datetimes(datetime(2025, 1, 1), datetime(2030, 1, 1), timezones=st.just(UTC)),
    zone=st.sampled_from(ZONES),
    clock=st.times(),
    days=st.frozensets(st.integers(0, 6), min_size=1),
)
def test_the_next_slot_is_allowed_and_not_before(
    at: datetime, zone: str, clock: object, days: frozenset[int]
) -> None:
    fixed = clock.replace(second=0, microsecond=0)  # type: ignore[attr-defined]
    slot = next_slot(at, zone, fixed, days)
    assert at <= slot <= at + timedelta(days=9)
    assert slot == next_slot(slot, zone, fixed, days), "a slot is its own next"


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("", {0, 1, 2, 3, 4, 5, 6}),
        ("mon-fri", {0, 1, 2, 3, 4}),
        ("Sat, Sunday", {5, 6}),
        ("fri-mon", {4, 5, 6, 0}),
        ("mon wed-fri", {0, 2, 3, 4}),
        ("sun", {6}),
    ],
)
def test_weekdays(text: str, days: set[int]) -> None:
    assert weekdays(text) == days


@pytest.mark.parametrize("text", ["someday", "mo-fr", "mon-xyz"])
def test_what_names_no_days_is_refused(text: str) -> None:
    with pytest.raises(BadHours, match="mon-fri"):
        weekdays(text)


@pytest.mark.parametrize("text", ["25:00", "6pm", "18", "18:60"])
def test_what_is_no_time_of_day_is_refused(text: str) -> None:
    with pytest.raises(BadHours, match="18:00"):
        hour(text)


def test_deadlines_and_extensions_fall_on_the_tables_hour(tmp_path: Path) -> None:
    table = PbemTable(tmp_path, setup_hours=20, zone="Europe/Berlin", hour="18:00", weekdays="mon-fri")
    table.clock.at = datetime(2026, 10, 22, 9, 0, tzinfo=UTC)  # a Thursday; clocks go back on Sunday
    table.begun("Ana", "Ben", moderators=["Dora"])
    who = table.asked()[0]
    assert due(table) == datetime(2026, 10, 23, 16, 0, tzinfo=UTC)
    table.writes("Dora", f"extend {who} by 1 hour")
    assert due(table) == datetime(2026, 10, 26, 17, 0, tzinfo=UTC), "Monday, and an hour later in UTC"
    assert "Monday 26 October, 18:00, Europe/Berlin time" in table.last("Dora").flat
    table.close()


def test_a_player_elsewhere_is_told_both_times(tmp_path: Path) -> None:
    table = PbemTable(tmp_path, zone="Europe/Lisbon", setup_hours=9)
    table.begun("Ana", "Ben")
    who = table.asked()[0]
    assert "Lisbon time (in 9 hours)" in table.last(who, "digest").flat
    table.writes(who, "zone Asia/Tokyo")
    table.writes(who, "resend")
    said = table.last(who).flat
    assert "Wednesday 2 December, 03:00, Asia/Tokyo time" in said
    assert "at the table, in Europe/Lisbon, it is then Tuesday 1 December, 18:00" in said
    assert "at the table, in Europe/Lisbon" in " ".join(table.last(who).html.split())
    table.close()


def due(table: PbemTable) -> datetime:
    found = table.app.games.open_questions(1)[0].due
    assert found is not None
    return found


# the moment that counts


@pytest.fixture
def harmless(tmp_path: Path) -> Iterator[PbemTable]:
    """A table at which a robot answers for the silent, 12 hours after the question."""
    table = PbemTable(tmp_path, setup_hours=10, grace_hours=2, default="robot")
    table.begun("Ana", "Ben", moderators=["Dora"])
    table.app.watch.polled(table.clock.at)
    yield table
    table.close()


@pytest.mark.parametrize(("seconds", "counts"), [(-1, True), (0, True), (1, False)])
@pytest.mark.parametrize("looked", [0, 5, 3600], ids=["at once", "soon", "much later"])
def test_what_counts_is_when_a_mail_came_and_not_when_we_looked(
    harmless: PbemTable, seconds: int, counts: bool, looked: int
) -> None:
    who = harmless.asked()[0]
    raw = harmless.answer(who, "palace 1")
    live(harmless, 11.9)
    end = due(harmless) + timedelta(hours=2)
    came = end + timedelta(seconds=seconds)
    minutes = (came - harmless.clock.at).total_seconds() / 60 + looked / 60
    while minutes > 8:  # somebody looks into the mailbox, and nothing is there yet
        harmless.clock.on(minutes=8)
        minutes -= 8
        if harmless.clock.at < came:
            harmless.app.watch.polled(harmless.clock.at)
    harmless.clock.on(minutes=minutes)
    harmless.app.take(Fetched("the mail", raw, came))
    by = [e.by for _, e in harmless.app.games.answers(1)]
    assert by[0] == ("mail" if counts else "deadline")
    assert by.count("deadline") == (0 if counts else 1)
    harmless.app.watch.polled(harmless.clock.at)
    harmless.app.tick()
    assert next(e.by for _, e in harmless.app.games.answers(1)) == by[0]


def test_a_runner_that_was_down_for_a_day_moves_the_deadline_before_it_reads_the_mails_of_that_day(
    harmless: PbemTable,
) -> None:
    who = harmless.asked()[0]
    before = due(harmless)
    raw = harmless.answer(who, "palace 1")
    harmless.clock.on(hours=24)
    came = harmless.clock.at - timedelta(hours=1)  # long after the old deadline and its grace
    harmless.app.watch.back(harmless.clock.at)
    assert due(harmless) - before == timedelta(hours=24)
    harmless.app.take(Fetched("the mail", raw, came))
    assert next(e.by for _, e in harmless.app.games.answers(1)) == "mail"


def test_a_moderators_mail_after_the_deadline_may_still_extend_it(harmless: PbemTable) -> None:
    who = harmless.asked()[0]
    live(harmless, 11.9)
    harmless.clock.on(minutes=9)
    harmless.writes("Dora", f"extend {who} by 1 day")
    assert harmless.asked() == [who]
    assert not [e for _, e in harmless.app.games.answers(1) if e.by == "deadline"]


# clocks that are set


@pytest.mark.parametrize("hours", [30, -30, 1, -1])
def test_a_clock_that_jumps_moves_the_deadlines_with_it_and_says_so(harmless: PbemTable, hours: int) -> None:
    who = harmless.asked()[0]
    live(harmless, 1)
    before = due(harmless)
    harmless.clock.jump(hours=hours)
    harmless.app.tick()
    assert harmless.app.watch.calm
    assert due(harmless) - before == timedelta(hours=hours)
    told = harmless.last(who, "notice").flat
    assert f"jumped {'forward' if hours > 0 else 'back'} by {abs(hours) * 60} minutes" in told
    assert f"{who} may now answer until" in told
    harmless.app.watch.polled(harmless.clock.at)
    harmless.app.tick()
    assert due(harmless) - before == timedelta(hours=hours), "and only once"
    assert harmless.asked() == [who]


def test_a_clock_that_jumps_to_and_fro_ends_where_it_was(harmless: PbemTable) -> None:
    who = harmless.asked()[0]
    live(harmless, 1)
    before = due(harmless)
    for hours in (48, -48):
        harmless.clock.jump(hours=hours)
        harmless.clock.on(seconds=10)
        harmless.app.tick()
        harmless.app.watch.polled(harmless.clock.at)
    assert due(harmless) == before
    assert harmless.asked() == [who]
    live(harmless, 12)
    assert [e.by for _, e in harmless.app.games.answers(1)].count("deadline") == 1


def test_nothing_is_decided_twice_when_the_clock_is_set_back(harmless: PbemTable) -> None:
    who = harmless.asked()[0]
    live(harmless, 12.2)
    answers = harmless.app.games.answers(1)
    assert [e.by for _, e in answers] == ["deadline"]
    harmless.clock.jump(hours=-6)
    live(harmless, 7)
    assert [e.seat for _, e in harmless.app.games.answers(1) if e.by == "deadline"].count(who) == 1


def test_while_the_clock_is_in_doubt_nothing_falls_due(harmless: PbemTable) -> None:
    live(harmless, 11.9)
    harmless.clock.jump(minutes=3)  # small, and yet over the deadline's grace
    harmless.clock.on(minutes=8)
    harmless.app.watch.polled(harmless.clock.at)
    harmless.app.tick()
    assert harmless.app.games.answers(1) == []


def test_a_clock_set_back_while_nothing_ran_is_noticed_by_the_last_look(harmless: PbemTable) -> None:
    before = due(harmless)
    harmless.app.watch._mark = None  # another process
    harmless.clock.jump(hours=-5)
    harmless.app.watch.back(harmless.clock.at)
    assert due(harmless) - before == timedelta(hours=-5)
    harmless.app.watch.back(harmless.clock.at)
    assert due(harmless) - before == timedelta(hours=-5)


def test_what_waits_for_the_moderator_is_not_asked_again_after_an_outage(tmp_path: Path) -> None:
    table = PbemTable(tmp_path, setup_hours=10, grace_hours=2, default="wait")
    table.begun("Ana", "Ben", moderators=["Dora"])
    table.app.watch.polled(table.clock.at)
    live(table, 13)
    table.clock.on(hours=5)
    live(table, 13)
    assert len([x for x in table.letters("Dora") if "is late" in x.subject]) == 1
    table.close()
