"""A table's own hours: deadlines fall on its fixed hour and its weekdays, in its zone, whatever clocks do there."""

from __future__ import annotations

import re
from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo

DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_HOUR = re.compile(r"([01]?\d|2[0-3]):([0-5]\d)")
_WORDS = re.compile(r"[a-z]+|-")


class BadHours(ValueError):
    """No hour of the day, or no days of the week; the text says what to write."""


def hour(text: str) -> time | None:
    """`18:00` as a time of day; None for an empty text. Raises `BadHours`."""
    if not text.strip():
        return None
    found = _HOUR.fullmatch(text.strip())
    if found is None:
        raise BadHours(f"“{text}” is no time of day; write it like 18:00")
    return time(int(found[1]), int(found[2]))


def weekdays(text: str) -> frozenset[int]:
    """`mon-fri`, `sat, sun` as numbers from Monday 0; all seven for an empty text. Raises `BadHours`."""
    words = _WORDS.findall(text.casefold())
    if not words:
        return frozenset(range(7))
    found: set[int] = set()
    through = False
    last = None
    for word in words:
        if word == "-":
            through = last is not None
            continue
        if len(word) < 3 or word[:3] not in DAYS:
            raise BadHours(f"“{text}” names no days of the week; write them like mon-fri, or sat, sun")
        day = DAYS.index(word[:3])
        if through and last is not None:
            found.update((last + n) % 7 for n in range((day - last) % 7 + 1))
        found.add(day)
        last, through = day, False
    return frozenset(found)


def next_slot(at: datetime, zone: str, fixed: time | None, days: frozenset[int]) -> datetime:
    """The first moment from `at` on that the table allows, in UTC.

    It walks days and not hours: an hour that the change to summer time leaves out lies behind the gap, and of one
    that comes twice the first counts.
    """
    if fixed is None and len(days) == 7:
        return at
    here = ZoneInfo(zone)
    local = at.astimezone(here)
    for n in range(9):
        day = local.date() + timedelta(days=n)
        if day.weekday() not in days:
            continue
        clock = fixed if fixed is not None else local.time()
        moment = datetime.combine(day, clock, tzinfo=here).astimezone(UTC)
        if moment >= at:
            return moment
    raise AssertionError("among nine days in a row is one of each name")
