"""Thousands of troublesome mails: none raises, none becomes an order that was not meant, none is lost unasked."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from pbem.mail.layout import Author, Layout, Line, Placed

from .drafts import Draft, Fate, raw
from .generator import Recipe, Tally, generated, harbour, read_purely, troyes
from .mutators import MUTATORS
from .whole import through_the_intake

PURE_SLICES, PURE_MAILS = 8, 2_500
WHOLE_SLICES, WHOLE_MAILS = 10, 50
POSITIONS = (4, 20, 33, 47)
"""Decisions after which a game of Troyes is looked at."""


def judge(tally: Tally, record: Callable[[str, object], None], name: str) -> None:
    """Hand the numbers on to the summary, and be content or not."""
    record(name, tally.as_json())
    assert (tally.exceptions, tally.false, tally.lost) == (0, 0, 0), "\n".join(tally.findings[:10])


@pytest.mark.parametrize("slice_", range(PURE_SLICES))
def test_mails_that_are_read(slice_: int, record_property: Callable[[str, object], None]) -> None:
    tally = Tally()
    positions = [*[harbour()] * 3 * len(POSITIONS), *(troyes(n) for n in POSITIONS)]
    generated(read_purely(positions, tally), slice_, PURE_MAILS)
    assert tally.mails >= PURE_MAILS
    judge(tally, record_property, "troublesome mails, read")


@pytest.mark.parametrize("slice_", range(WHOLE_SLICES))
def test_mails_through_the_whole_intake(
    slice_: int, tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    tally = Tally()
    check, tables = through_the_intake(tmp_path, tally)
    generated(check, 1_000 + slice_, WHOLE_MAILS)
    tables.close()
    assert tally.mails >= WHOLE_MAILS
    judge(tally, record_property, "troublesome mails, carried out")


def test_every_mutator_by_itself(tmp_path: Path) -> None:
    tally = Tally()
    check, tables = through_the_intake(tmp_path, tally)
    pure = read_purely([harbour(), troyes(20)], tally)
    for n, one in enumerate(MUTATORS):
        check(Recipe((one.name,), n))
        pure(Recipe((one.name,), n))
    tables.close()
    assert tally.mails == 2 * len(MUTATORS)
    assert not tally.findings, "\n".join(tally.findings)


@pytest.mark.parametrize("transfer", ["8bit", "quoted-printable", "base64"])
@pytest.mark.parametrize(
    ("shape", "layout"), [("plain", "alone"), ("plain", "top"), ("both", "top"), ("html", "alone")]
)
def test_a_mail_cut_at_each_byte_gives_no_order_that_was_not_meant(
    shape: str, layout: str, transfer: str
) -> None:
    position = harbour()
    orders = ["MOVE F1 E5", "HOLD F12"]  # of the last one the first letters are an order too
    draft = Draft(
        position.letter, orders, shape=shape, layout=layout, transfer=transfer, after=[], flowed="yes"
    )
    whole = raw(draft, 1)
    assert position.ended(whole)[1] == orders
    for at in range(whole.index(b"\r\n\r\n"), len(whole)):
        done = position.ended(whole[:at])[1]
        assert done in ([], orders[:1], orders), whole[:at][-80:]


def all_of_it_own(_: Layout, lines: Sequence[Line], __: frozenset[str] = frozenset()) -> list[Placed]:
    """The planted fault: quotations are not told from what the player wrote."""
    return [Placed(line._replace(depth=0), Author.PLAYER, 0) for line in lines]


def test_a_planted_false_order_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    tally = Tally()
    quoting = [m for m in MUTATORS if m.name.startswith(("answers between", "quoted below"))]
    check = read_purely([harbour()], tally)
    generated(check, 1, 50, quoting)
    assert not tally.findings
    monkeypatch.setattr(Layout, "place", all_of_it_own)
    generated(check, 1, 50, quoting)
    assert tally.false > 10
    assert tally.findings[0].startswith("false: ")


def test_a_lost_order_and_an_answered_machine_would_be_found() -> None:
    tally = Tally()
    recipe = Recipe(("machines",), 0)
    tally.count(recipe, Fate.SAME, Fate.NOTHING, [], ["x"])
    tally.count(recipe, Fate.NOTHING, Fate.ASKED, [], ["x"])
    tally.count(recipe, Fate.ANY, Fate.SAME, ["y"], ["x"])
    tally.count(recipe, Fate.ANY, Fate.SAME, ["x"], ["x", "y"])
    assert (tally.lost, tally.false, tally.mails) == (2, 1, 4)
