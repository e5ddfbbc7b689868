"""Several lines as one turn: all or nothing as far as anybody can know, then what was done stands."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.engine.core.asks import roll
from pbem.engine.core.commands import read
from pbem.engine.core.scripts import ScriptResult, Verdict, run
from pbem.engine.core.table import Table
from pbem.engine.core.text import english

from .sketch import Pad, Said, pick, table

DONE, WOULD, FAULT = Verdict.DONE, Verdict.WOULD, Verdict.FAULT
BACK, NOT_REACHED, PARKED = Verdict.BACK, Verdict.NOT_REACHED, Verdict.PARKED


async def plain(g: Pad) -> None:
    """M-1: a word, told."""
    g.journal.append(Said(await pick(g, "Ana", "plain", "north", "south", "-west")))


async def risky(g: Pad) -> None:
    """M-2: a word, and a roll comes of it."""
    await pick(g, "Ana", "risky", "throw")
    g.notes.append(str(await roll("die", 1)))
    g.journal.append(Said("rolled"))


async def answered(g: Pad) -> None:
    """M-3: a word that another must answer."""
    await pick(g, "Ana", "attack", "attack")
    await pick(g, "Ben", "defend", "yield", "stand")
    await pick(g, "Ana", "after", "north", "south")


async def ends_the_turn(g: Pad) -> None:
    """M-4: a word, then it is another's turn."""
    await pick(g, "Ana", "last", "rest")
    g.turn = "2"


async def others_turn(g: Pad) -> None:
    """M-5: another's turn."""
    await pick(g, "Ben", "his", "north")


def script(game: Table[Any], *lines: str, preview: bool = False) -> ScriptResult:
    return run(game, "Ana", lines, read, preview=preview)


def verdicts(result: ScriptResult) -> list[Verdict]:
    return [r.verdict for r in result.lines]


def untouched(game: Table[Any], notes: list[str]) -> bool:
    return game.g.notes == notes and game.tape == []


def test_a_whole_turn_is_done_line_by_line() -> None:
    game = table(plain, plain, plain)
    result = script(game, "north", "sou")
    assert verdicts(result) == [DONE, DONE]
    assert result.changed
    assert result.foreseen
    assert game.g.notes == ["Ana: north", "Ana: south"]
    assert [english(r.words) for r in result.lines if r.words] == ["north", "south"]
    assert [t.fact for r in result.lines for t in r.told] == [Said("north"), Said("south")]


def test_a_fault_before_anything_unknowable_does_nothing() -> None:
    game = table(plain, plain, plain)
    result = script(game, "north", "nroth", "south")
    assert verdicts(result) == [BACK, FAULT, NOT_REACHED]
    assert not result.changed
    assert untouched(game, [])
    assert result.fault is result.lines[1]
    assert result.fault.why is not None
    assert english(result.fault.why.instead[0]) == "north"


def test_a_barred_line_is_a_fault_with_its_reason() -> None:
    result = script(table(plain), "west")
    assert result.fault is not None
    assert result.fault.why is not None
    assert result.fault.why.barred
    assert "not today" in english(result.fault.why.why)


def test_after_a_roll_what_was_done_stands_and_the_rest_is_not_reached() -> None:
    game = table(plain, risky, plain, plain)
    result = script(game, "north", "throw", "up", "south")
    assert verdicts(result) == [DONE, DONE, FAULT, NOT_REACHED]
    assert result.changed
    assert not result.foreseen
    assert game.step == 2
    assert [r.chance for r in result.lines] == [False, True, False, False]


def test_a_fault_behind_a_roll_is_no_fault_of_what_comes_before_it() -> None:
    game = table(risky, plain)
    assert verdicts(script(game, "throw", "up")) == [DONE, FAULT]


def test_lines_wait_when_another_must_answer_in_the_same_turn() -> None:
    game = table(answered)
    result = script(game, "attack", "north")
    assert verdicts(result) == [DONE, PARKED]
    assert result.parked == ["north"]
    assert list(game.open) == ["Ben"]


def test_lines_for_a_turn_that_is_over_are_not_reached() -> None:
    game = table(ends_the_turn, others_turn)
    result = script(game, "rest", "north")
    assert verdicts(result) == [DONE, NOT_REACHED]
    assert result.parked == []


def test_lines_after_the_end_of_the_game_are_not_reached() -> None:
    game = table(plain)
    assert verdicts(script(game, "north", "south")) == [DONE, NOT_REACHED]
    assert game.over


def test_a_fault_lets_nothing_wait() -> None:
    game = table(plain, answered)
    result = script(game, "north", "atack!", "north")
    assert verdicts(result) == [BACK, FAULT, NOT_REACHED]
    assert result.parked == []


def test_who_is_not_asked_parks_lines_for_the_same_turn() -> None:
    game = table(answered)
    game.answer("Ana", "attack")
    assert verdicts(script(game, "north")) == [PARKED]


@pytest.mark.parametrize("lines", [("north", "south"), ("north", "throw"), ("attack", "north"), ("up",)])
def test_a_preview_changes_nothing(lines: tuple[str, ...]) -> None:
    steps = {"north": (plain, risky), "attack": (answered,), "up": (plain,)}[lines[0]]
    game = table(*steps)
    if lines == ("north", "south"):
        game = table(plain, plain)
    before = game.rules.dump(game.g), list(game.tape), list(game.open)
    result = script(game, *lines, preview=True)
    assert (game.rules.dump(game.g), game.tape, list(game.open)) == before
    assert not result.changed
    assert DONE not in verdicts(result)


def test_a_preview_shows_what_would_be_done_and_where_nobody_can_know() -> None:
    result = script(table(plain, risky, plain), "north", "throw", "south", preview=True)
    assert verdicts(result) == [WOULD, WOULD, NOT_REACHED]
    assert not result.foreseen


def test_a_preview_that_finds_a_fault_shows_it_behind_what_would_be_done() -> None:
    result = script(table(plain, plain), "north", "up", preview=True)
    assert verdicts(result) == [WOULD, FAULT]


def test_a_preview_shows_what_would_wait() -> None:
    assert verdicts(script(table(answered), "attack", "north", preview=True)) == [WOULD, PARKED]


def test_answers_carry_how_they_came() -> None:
    game = table(plain, plain)
    run(game, "Ana", ["north"], read, by="parked")
    assert [e.by for e in game.drain().entries] == ["parked"]


def test_no_lines_do_nothing() -> None:
    game = table(plain)
    result = script(game)
    assert result.lines == []
    assert not result.changed
    assert untouched(game, [])


class Once(Table[Any]):
    """A game that cannot be tried on a copy."""

    def copy(self, chance: Any = None) -> Table[Any]:
        raise AssertionError("one command needs no trial")


@pytest.mark.parametrize(
    ("line", "verdict", "notes"),
    [("north", DONE, ["Ana: north"]), ("west", FAULT, []), ("up", FAULT, [])],
)
def test_one_command_is_its_own_trial(line: str, verdict: Verdict, notes: list[str]) -> None:
    game = table(plain, plain)
    alone = Once(game.rules, game.g).start()
    result = script(alone, line)
    assert verdicts(result) == [verdict]
    assert (result.changed, result.foreseen) == (verdict is DONE, True)
    assert alone.g.notes == notes


def test_one_command_that_rolls_is_done_and_not_foreseen() -> None:
    game = table(risky)
    result = script(game, "throw")
    assert verdicts(result) == [DONE]
    assert not result.foreseen
    assert game.over
