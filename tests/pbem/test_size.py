"""No part of a letter is longer than some web mailers show (D-24)."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.engine.core.text import Text
from pbem.writing import BUDGET, Writer

from .table import PbemTable


def test_a_long_log_is_cut_at_its_far_end_and_the_menu_stays(
    table: PbemTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    def told(self: Writer, *_: Any) -> tuple[list[Text], int]:
        return [
            Text("{n}: a long story about what happened in the town of Troyes today", n=n)
            for n in range(3000)
        ], 0

    monkeypatch.setattr(Writer, "told", told)
    table.begun("Ana", "Ben")
    letter = table.last(table.asked()[0], "digest")
    assert len(letter.text.encode()) <= BUDGET
    assert len(letter.html.encode()) <= BUDGET
    assert "earlier lines are left out; write: log" in letter.flat
    assert "2999: a long story" in letter.flat
    assert "palace 1" in letter.text
    assert "BEGIN ORDERS" in letter.text


def test_a_note_may_be_only_so_long_and_the_newest_are_shown(table: PbemTable) -> None:
    table.begun("Ana", "Ben")
    who = table.asked()[0]
    table.writes(who, "note " + "x" * 1200)
    assert "a note may have 1000 letters, yours has 1200" in table.last(who, "receipt").flat
    for n in range(25):
        table.writes(who, f"note number {n}")
    table.writes(who, "resend")
    said = table.last(who).flat
    assert "number 24" in said
    assert "number 4 " not in said


def test_a_very_long_line_is_no_order_and_harms_nobody(table: PbemTable) -> None:
    table.begun("Ana", "Ben")
    who = table.asked()[0]
    table.writes(who, "palace " * 20_000)
    assert table.asked() == [who]
    assert len(table.last(who, "receipt").text) < 10_000
