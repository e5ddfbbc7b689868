"""Lengths of time as people write them: `3 days`, `1 day 12 hours`."""

from __future__ import annotations

import re

import typer

from ..config import YEAR

_HOURS = {"w": 168.0, "d": 24.0, "h": 1.0, "m": 1 / 60}
_PART = re.compile(r"\s*(\d+(?:\.\d+)?)\s*(weeks?|days?|hours?|minutes?|min|[wdhm])\b[\s,]*(?:and\b)?", re.I)


def hours(text: str, option: str, *, none: bool = False) -> float:
    """A length of time in hours, 0 only where that may be; raises `BadParameter` that names the option."""
    total, at = 0.0, 0
    while at < len(text):
        found = _PART.match(text, at)
        if found is None:
            break
        total += float(found[1]) * _HOURS[found[2][0].lower()]
        at = found.end()
    if at == 0 or text[at:].strip():
        raise typer.BadParameter(
            f"“{text}” is no length of time; write it like: 3 days, 36 hours", param_hint=option
        )
    if total > YEAR:
        raise typer.BadParameter(f"“{text}” is too long; it may be a year", param_hint=option)
    if not (total or none):
        raise typer.BadParameter(f"“{text}” is no time at all; write more than that", param_hint=option)
    return round(total, 4)
