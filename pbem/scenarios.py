"""Scenario files as people write them: read, checked, played; and the list of paths for their writers."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any

import msgspec

from .catalogue import lexicon, sayer
from .engine.core.ruleset import BadSetup, Ruleset
from .engine.core.scenario import Document, Report
from .engine.core.scenario import run as play
from .engine.games import GAMES


class BadFile(Exception):
    """A file that is no scenario; the text names the file, the place in it and the remedy."""


@dataclass(frozen=True, slots=True)
class Listed:
    """One path for the documentation."""

    path: str
    meaning: str
    accepts: str
    hidden: bool
    writable: bool

    def as_data(self) -> dict[str, Any]:
        """As plain data."""
        return asdict(self)


def read(file: Path) -> Document:
    """The scenario in a file; raises `BadFile`."""
    try:
        raw = tomllib.loads(file.read_text(encoding="utf-8"))
    except OSError as e:
        raise BadFile(f"{file}: cannot be read: {e.strerror}") from e
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as e:
        raise BadFile(f"{file}: this is not TOML: {e}") from e
    known = [f.name for f in msgspec.structs.fields(Document)]
    for key in raw:
        if key not in known:
            near = get_close_matches(key, known, n=1, cutoff=0.5)
            hint = f"did you mean {near[0]}?" if near else f"known are {', '.join(known)}"
            raise BadFile(f"{file}: {key} is not known; {hint}")
    for section in ("arrange", "expect", "dice", "asked"):
        if isinstance(raw.get(section), dict):
            raw[section] = dict(_flat(raw[section]))
    try:
        document = msgspec.convert(raw, Document)
    except msgspec.ValidationError as e:
        raise BadFile(f"{file}: {_explained(str(e))}") from e
    if document.game.casefold() not in GAMES:
        raise BadFile(
            f"{file}: game: there are no rules called “{document.game}”; there is: {', '.join(GAMES)}"
        )
    return document


def _flat(section: Mapping[str, Any], before: str = "") -> Iterator[tuple[str, Any]]:
    """`ana.deniers = 3` without quotes is a table in TOML; here it is the path `ana.deniers`."""
    for key, value in section.items():
        if isinstance(value, dict):
            yield from _flat(value, f"{before}{key}.")
        else:
            yield f"{before}{key}", value


def _explained(error: str) -> str:
    why, _, place = error.partition(" - at `$.")
    return f"{place.rstrip('`')}: {why[0].lower()}{why[1:]}" if place else f"{why[0].lower()}{why[1:]}"


def run(document: Document, data: Any = None) -> Report:
    """Play a scenario with the words of all languages; raises `BadScenario`."""
    return play(GAMES[document.game.casefold()], document, data, lexicon)


def listed(rules: Ruleset[Any], seats: Sequence[str]) -> list[Listed]:
    """Every path of a game that is set up and not yet played; raises `BadFile` for seats that make no game."""
    say = sayer("en")
    try:
        g = rules.setup(seats, {}, None, None)
    except BadSetup as e:
        raise BadFile(f"--seats: {say(e.why)}") from e
    return [Listed(p.path, say(p.label), p.accepts, p.hidden, p.writable) for p in rules.paths(g)]


def table(rules: Ruleset[Any]) -> str:
    """The same list as a table for the documentation: one seat stands for all, numbered places for their row."""
    seats = ["A", "B", "C"][: max(rules.seats)]
    rows = [row for row in listed(rules, seats) if not set(row.path.split(".")) & set(seats[1:])]
    lines = ["| path | meaning | value |", "|---|---|---|"]
    while rows:
        same = [row for row in rows if _alike(row, rows[0])]
        rows = [row for row in rows if row not in same]
        first, last = same[0], same[-1]
        path = f"`{first.path}`" if first is last else f"`{first.path}` to `{last.path}`"
        marks = [
            word for word, holds in (("hidden", first.hidden), ("read only", not first.writable)) if holds
        ]
        meaning = ", ".join([first.meaning, *(f"*{mark}*" for mark in marks)])
        lines.append(f"| {path} | {meaning} | {first.accepts} |")
    return "\n".join(lines) + "\n"


def _alike(one: Listed, other: Listed) -> bool:
    """Whether two paths are places of the same row: alike but for their numbers."""
    return (_unnumbered(one.path), one.meaning) == (_unnumbered(other.path), other.meaning)


def _unnumbered(path: str) -> list[str]:
    return ["#" if part.isdecimal() else part for part in re.split(r"[. ]", path)]
