"""Lines that wait for another player, undo inside a round of bids, and silence: with the sample game."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem.digests import render

from ..core.minigame import RULES
from .table import PbemTable

render.also_from(Path(__file__).parent.parent / "core" / "templates")


@pytest.fixture
def sites(tmp_path: Path) -> Iterator[PbemTable]:
    """Ana and Ben play Seven Sites; Ben holds the Mine and it is Ana's turn."""
    table = PbemTable(tmp_path, {"sites": RULES})
    table.begun("Ana", "Ben", seed=bytes(32))
    table.writes("Ana", "rest")
    table.writes("Ben", "attack with 3\nrest")
    bid(table)
    yield table
    table.close()


def bid(table: PbemTable) -> None:
    for who in ("Ana", "Ben"):
        table.writes(who, "bid 0")
        table.writes(who, "keep it")


def test_what_must_wait_for_another_player_is_parked_and_goes_on(sites: PbemTable) -> None:
    sites.writes("Ana", "travel mine\nattack with 2\nmuster\nrest")
    receipt = sites.last("Ana", "receipt").flat
    assert "attack with 2: done" in receipt
    assert receipt.count("Waits until the others have answered") == 2
    assert "I did 2 of your 4 lines. The others wait." in receipt
    assert sites.asked() == ["Ben"]
    sites.writes("Ana", "resend")
    assert "Parked until the others have answered: muster" in sites.last("Ana").flat
    assert "battle" not in sites.last("Ben").subject.lower()
    sites.writes("Ben", "done")
    told = sites.letters("Ana", "notice")[-1].flat
    assert "muster: done" in told
    assert [e.by for _, e in sites.app.games.answers(1)][-1] == "parked"


def test_a_parked_line_that_no_longer_fits_drops_the_rest(sites: PbemTable) -> None:
    sites.writes("Ana", "travel mine\nattack with 3\nattack with 9\nrest")
    sites.writes("Ben", "done")
    told = sites.letters("Ana", "notice")[-1].flat
    assert "attack with 9: not done" in told
    assert "What came after it was dropped" in told
    assert sites.asked() == ["Ana"]
    assert "WHAT YOU MAY WRITE" in sites.last("Ana", "digest").text
    assert sites.last("Ana").kind == "digest"


def test_parked_lines_end_with_their_turn(sites: PbemTable) -> None:
    sites.writes("Ana", "travel mine\nmuster\nattack with 2\nmuster\nrest")
    assert sites.asked() == ["Ben"]
    sites.writes("Ben", "done")
    told = " ".join(x.flat for x in sites.letters("Ana", "notice"))
    assert "The turn was over before these lines could be done: muster and rest" in told
    assert sites.app.store.all("select 1 from parked") == []


def test_dice_end_what_a_fault_can_take_back(sites: PbemTable) -> None:
    sites.writes("Ana", "attack with 1\nattack with 77")
    receipt = sites.last("Ana", "receipt").flat
    assert "attack with 1: done" in receipt
    assert "This showed something new, so it stays" in receipt
    assert "NOT DONE" in receipt


def test_a_bid_can_be_taken_back_while_others_still_think(sites: PbemTable) -> None:
    sites.writes("Ana", "rest")
    sites.writes("Ben", "rest")
    sites.writes("Ana", "bid 2")
    sites.writes("Ben", "bid 1")
    sites.writes("Ana", "undo")
    assert "Taken back: bid 2" in sites.last("Ana", "receipt").flat
    sites.writes("Ana", "bid 1")
    assert "bid 1: done" in sites.last("Ana", "receipt").flat


def test_nobody_learns_from_a_letter_what_another_bids(sites: PbemTable) -> None:
    sites.writes("Ana", "rest")
    sites.writes("Ben", "rest")
    count = len(sites.letters("Ben"))
    sites.writes("Ana", "bid 2\nkeep it")
    assert len(sites.letters("Ben")) == count


def test_a_harmless_default_answers_for_the_silent(sites: PbemTable) -> None:
    sites.writes("Ana", "travel mine\nattack with 2")
    sites.app.watch.polled(sites.clock.at)
    sites.clock.on(hours=24 + 12 + 1)
    sites.app.watch.polled(sites.clock.at - sites.clock.at.resolution)
    sites.app.tick()
    assert sites.asked() == ["Ben"], "an outage has moved the deadline"
    for _ in range(300):
        sites.clock.on(minutes=8)
        sites.app.watch.polled(sites.clock.at)
        sites.app.tick()
        if sites.asked() != ["Ben"]:
            break
    assert sites.asked() == ["Ana"]
    assert "this was answered for you: done" in sites.letters("Ben", "notice")[-1].flat
    assert [e.by for _, e in sites.app.games.answers(1)][-1] == "deadline"


# conditions


def test_a_line_is_done_only_if_its_condition_holds(sites: PbemTable) -> None:
    sites.writes(
        "Ana", "if favor >= 4: muster; muster\nIf favor = 3, muster\nif favor < 3: travel tower; rest"
    )
    said = sites.last("Ana", "receipt").flat
    assert "if favor >= 4: muster Passed over: “if favor >= 4” does not hold, so this was not needed." in said
    assert "If favor = 3: muster muster: done." in said
    assert "if favor < 3: rest rest: done." in said
    assert "I did 3 of your 5 lines. The others were not needed." in said
    assert sites.last("Ana", "receipt").subject.startswith("[Seven Sites: The Long Winter] OK")


def test_a_conditional_line_waits_whole(sites: PbemTable) -> None:
    sites.writes("Ana", "travel mine\nattack with 2\nif favor >= 2: muster; rest")
    assert sites.asked() == ["Ben"]
    sites.writes("Ana", "resend")
    assert "Parked until the others have answered: if favor >= 2: muster; rest" in sites.last("Ana").flat
    sites.writes("Ben", "done")
    told = sites.letters("Ana", "notice")[-1].flat
    assert "muster: done" in told


def test_what_was_parked_and_is_not_needed_is_told(sites: PbemTable) -> None:
    sites.writes("Ana", "travel mine\nattack with 2\nif favor >= 9: muster; rest")
    sites.writes("Ben", "done")
    told = sites.letters("Ana", "notice")[-1].flat
    assert (
        "if favor >= 9: muster: passed over, “if favor >= 9” does not hold, so this was not needed." in told
    )
    assert sites.asked() == ["Ana"]


def test_a_preview_says_what_would_be_passed_over(sites: PbemTable) -> None:
    sites.writes("Ana", "preview\nif favor >= 9: rest\nmuster")
    said = sites.last("Ana", "receipt").flat
    assert "Passed over: “if favor >= 9” does not hold" in said
    assert "muster: would be done" in said
    assert sites.asked() == ["Ana"]


@pytest.mark.parametrize("form", ["{}", "BEGIN ORDERS 3\n{}\nEND ORDERS 3"])
@pytest.mark.parametrize("line", ["if won: rest", "if favour >= 2: muster", "if dice >= 2: muster; rest"])
def test_a_condition_that_cannot_be_tested_changes_nothing(sites: PbemTable, line: str, form: str) -> None:
    before = sites.app.games.answers(1)
    sites.writes("Ana", form.format(f"muster\n{line}"))
    assert sites.app.games.answers(1) == before
    said = sites.last("Ana", "receipt").flat
    assert ("there are dice and favor" in said) or ("what can be tested now: favor" in said)


@pytest.mark.parametrize(
    "line",
    [
        "If I had won, I would be resting on my laurels now.",
        "If in doubt, I muster. Is that wise?",
        "If favor were all, I would be king.",
        "if favor: that would be the day",
    ],
)
def test_prose_that_begins_like_a_condition_stays_prose(sites: PbemTable, line: str) -> None:
    sites.writes("Ana", f"{line}\n\nmuster")
    said = sites.last("Ana", "receipt").flat
    assert "I read 1 line and did it." in said


def test_help_explains_conditions(sites: PbemTable) -> None:
    sites.writes("Ana", "help if")
    assert "if won: put 2 on mine; banish ben to tribunal" in sites.last("Ana", "receipt").flat
