"""Sorting the lines of an answer into stretches that are read together, and lines that are not read."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple

from pbem.mail.layout import Author, Line, Marker, Placed, marked, marker

_WRAPPED = 55
"""A quoted line as long as this may have been wrapped."""


class Reason(StrEnum):
    """Why a line was not read as an order."""

    CHAT = "chat"
    SIGNATURE = "signature"
    QUOTATION = "quotation"
    """A copy of our own mail, or lines with marks of quotation."""
    FORWARDED = "forwarded"
    """Text of somebody else, or of an earlier mail of the player's."""
    COMMENT = "comment"
    BESIDE = "beside"
    """An order outside the markers, in a mail that has a block of the player's own."""
    TOO_LONG = "too-long"


class Mine(StrEnum):
    """Whether a line that was left out may be the player's after all."""

    PERHAPS = "perhaps"
    """Below the mark of a signature, or what wrapping may have left of a quoted line."""
    HARDLY = "hardly"
    """In a copy without marks of quotation."""
    NO = "no"


@dataclass(slots=True)
class Stretch:
    """Lines, blank ones too, that stand together between markers, or outside any."""

    inside: bool
    own: bool
    """True for the player's own text, False for the form in a copy of our mail."""
    closed: bool = False
    """True once the marker below was found."""
    form: int | None = None
    """The number in the marker above."""
    lines: list[Line] = field(default_factory=list)


class Skipped(NamedTuple):
    """A line that is not read."""

    line: Line
    reason: Reason
    mine: Mine


def sorted_out(placed: Sequence[Placed]) -> tuple[list[Stretch], list[Skipped]]:
    """The stretches to read, in the order written, and the lines left out, blank ones not counted."""
    sorter = _Sorter(_marked_copies(placed))
    around = (None, *placed, None)
    for before, place, after in zip(around, placed, around[2:], strict=False):
        sorter.put(place, left_over=_is_left_over(before, place, after))
    return sorter.stretches, sorter.skipped


def _is_left_over(before: Placed | None, place: Placed, after: Placed | None) -> bool:
    """True if a line stands close between quoted ones, the first of them long: a mail program that wraps
    quotations leaves such ends without a mark."""
    if before is None or after is None or place.line.depth or not place.line.text:
        return False
    return bool(before.line.depth and after.line.depth) and len(before.line.text) >= _WRAPPED


def _marked_copies(placed: Iterable[Placed]) -> dict[int, bool]:
    """For each region that is a copy of our mail: does it carry marks of quotation, so that lines
    without one are the player's? It does if its first line has one, or most of its lines."""
    balance: dict[int, int] = {}
    first: dict[int, bool] = {}
    for place in placed:
        if place.author is Author.COPY and place.line.text:
            marked = place.line.depth > 0
            first.setdefault(place.region, marked)
            balance[place.region] = balance.get(place.region, 0) + (1 if marked else -1)
    return {region: first[region] or balance[region] >= 0 for region in first}


def _whose(place: Placed, left_over: bool) -> Mine:
    if left_over or (place.author is Author.SIGNATURE and not place.line.depth):
        return Mine.PERHAPS
    return Mine.HARDLY if place.author is Author.COPY and not place.line.depth else Mine.NO


class _Sorter:
    """Where the reader stands: in which region, and in a block or outside."""

    def __init__(self, copies: dict[int, bool]) -> None:
        self.stretches: list[Stretch] = []
        self.skipped: list[Skipped] = []
        self._copies = copies
        self._open: Stretch | None = None
        self._region = 0

    def put(self, place: Placed, *, left_over: bool = False) -> None:
        """Files one line; `left_over`: it may be the end of a quoted one that was wrapped."""
        if place.region != self._region:
            self._open, self._region = None, place.region
        line = place.line
        mine = (
            not line.depth
            and not left_over
            and (place.author is Author.PLAYER or self._answers_in_copy(place))
        )
        copied = place.author is Author.COPY and line.depth <= 1 and not mine
        mark = marker(line.text) if mine or copied else None
        if mark is Marker.BEGIN:
            self._start(Stretch(inside=True, own=mine, form=marked(line.text)))
        elif mark is Marker.END:
            self._end()
        elif mine or (copied and self._in_form()):
            self._current().lines.append(line)
        elif line.text:
            self.skipped.append(Skipped(line, self._reason(place), _whose(place, left_over)))

    def _answers_in_copy(self, place: Placed) -> bool:
        return place.author is Author.COPY and self._copies.get(place.region, False)

    def _in_form(self) -> bool:
        return self._open is not None and self._open.inside and not self._open.own

    def _start(self, stretch: Stretch) -> None:
        self._open = stretch
        self.stretches.append(stretch)

    def _end(self) -> None:
        if self._open is not None:
            self._open.closed = True
        self._open = None

    def _current(self) -> Stretch:
        if self._open is None:
            self._start(Stretch(inside=False, own=True))
        assert self._open is not None
        return self._open

    def _reason(self, place: Placed) -> Reason:
        if place.author is Author.OTHER:
            return Reason.FORWARDED
        if place.author is Author.SIGNATURE and self._copies.get(place.region, True):
            return Reason.SIGNATURE
        return Reason.QUOTATION
