"""Conditional lines: how one is recognised, what it may test, what is told where it cannot be tested."""

from __future__ import annotations

import random
from typing import Any

import pytest

from pbem.engine.core.asks import Menu, choose, publishing
from pbem.engine.core.commands import Unclear, read
from pbem.engine.core.conditions import Condition, conditional, why_never
from pbem.engine.core.ruleset import Ruleset
from pbem.engine.core.scripts import ScriptResult, Verdict, run
from pbem.engine.core.table import Table
from pbem.engine.core.testing import play
from pbem.engine.core.text import Text, english
from pbem.engine.games import GAMES

from .minigame import RULES as SEVEN_SITES
from .sketch import Pad, pick, table

DONE, WOULD, FAULT = Verdict.DONE, Verdict.WOULD, Verdict.FAULT
BACK, NOT_REACHED, PARKED, PASSED = Verdict.BACK, Verdict.NOT_REACHED, Verdict.PARKED, Verdict.PASSED


# the form


@pytest.mark.parametrize(
    "line",
    [
        "if won: put 2 on mine; banish ben",
        "If won, put 2 on mine ; banish ben",
        "IF WON: put 2 on mine; banish ben;",
        "if I win: put 2 on mine; banish ben",
        "if won then put 2 on mine; banish ben",
        "If won, then put 2 on mine; banish ben",
        "se ganhei: put 2 on mine; banish ben",
    ],
)
def test_a_condition_reaches_to_the_end_of_its_line(line: str) -> None:
    found = conditional(line)
    assert found is not None
    assert found.condition.name == "won"
    assert found.commands == ("put 2 on mine", "banish ben")


@pytest.mark.parametrize("line", ["if won", "iffy: muster", "muster if won: rest", "if: rest", "if 3: rest"])
def test_other_lines_are_no_conditional_ones(line: str) -> None:
    assert conditional(line) is None


def condition(line: str) -> Condition:
    found = conditional(f"{line}: rest")
    assert found is not None
    return found.condition


@pytest.mark.parametrize(
    ("line", "holds"),
    [
        ("if won", True),
        ("if not won", False),
        ("if lost", False),
        ("if not lost", True),
        ("if attack-dice >= 4", True),
        ("if attack dice>4", False),
        ("if Attack_Dice = 4", True),
        ("if attack-dice == 4", True),
        ("if attack-dice != 4", False),
        ("if attack-dice ≤ 3", False),
        ("if not attack-dice < 3", True),
        ("if oath = Supremacy", True),
        ("if oath != people", True),
    ],
)
def test_what_a_condition_says_of_the_open_question(line: str, holds: bool) -> None:
    assert condition(line).holds({"won": 1, "lost": 0, "attack_dice": 4, "oath": "supremacy"}) is holds


@pytest.mark.parametrize(
    ("line", "public", "why"),
    [
        ("if won", {"supply": 3}, "nothing was won or lost yet; what can be tested now: supply"),
        ("if lost", {}, "nothing was won or lost yet, and nothing else can be tested now"),
        (
            "if force = 2",
            {"attack_dice": 3},
            "“force” is not known here; what can be tested now: attack-dice",
        ),
        ("if oath > 3", {"oath": "people"}, "“oath” cannot be compared with 3"),
        ("if supply > much", {"supply": 3}, "“supply” cannot be compared with much"),
    ],
)
def test_what_cannot_be_tested_is_explained(line: str, public: dict[str, int | str], why: str) -> None:
    with pytest.raises(Unclear) as told:
        condition(line).holds(public)
    assert english(told.value.why) == why


def test_a_word_that_nothing_publishes_is_no_condition() -> None:
    why = why_never(condition("if wonn"), "rest", ("won", "attack_dice"))
    assert why is not None
    assert english(why) == "there is no condition “wonn”; there are attack-dice and won"


# in a script


async def fights(g: Pad) -> None:
    """C-1: an attack that another may answer; what comes after it knows how it went."""
    await pick(g, "Ana", "attack", "attack")
    won = await pick(g, "Ben", "defend", "yield", "stand") == "yield"
    await publishing(after(g), "Ana", won=int(won), lost=int(not won))


async def after(g: Pad) -> None:
    """C-2: two words of the attacker and one of the defender."""
    await pick(g, "Ana", "place", "north", "south")
    await pick(g, "Ben", "sigh", "sigh")
    await pick(g, "Ana", "burn", "burn", "spare")


async def fights_alone(g: Pad) -> None:
    """C-3: an attack that is decided at once."""
    await pick(g, "Ana", "attack", "attack")
    await publishing(after_alone(g), "Ana", won=0, lost=1)


async def after_alone(g: Pad) -> None:
    """C-4: a last word, which publishes more than it is wrapped in."""
    menu: Menu[str] = Menu()
    menu.add(Text("north"), "north")
    menu.add(Text("south"), "south")
    g.notes.append(await choose("Ana", "last", menu, Text("Which?"), section="C-4", lost=2))


def script(game: Table[Pad], *lines: str, preview: bool = False) -> ScriptResult:
    return run(game, "Ana", lines, read, preview=preview, tested=("won", "lost", "force"))


def verdicts(result: ScriptResult) -> list[Verdict]:
    return [r.verdict for r in result.lines]


def test_what_does_not_hold_is_passed_over_to_the_end_of_its_line() -> None:
    result = script(table(fights_alone), "attack", "if won: north; nonsense", "if lost: south")
    assert verdicts(result) == [DONE, PASSED, PASSED, DONE]
    assert [r.said for r in result.lines][1:] == ["if won: north", "if won: nonsense", "if lost: south"]
    passed = result.lines[1].only_if
    assert passed is not None
    assert english(passed.why_passed_over) == "you lost, so this was not needed"


def test_a_question_knows_better_than_the_part_it_stands_in() -> None:
    result = script(table(fights_alone), "attack", "if lost = 2: north")
    assert verdicts(result) == [DONE, DONE]


def test_what_waits_for_another_is_kept_with_its_condition() -> None:
    game = table(fights)
    result = script(game, "attack", "if won: north; burn", "if lost: south")
    assert verdicts(result) == [DONE, PARKED, PARKED, PARKED]
    assert result.parked == ["if won: north; burn", "if lost: south"]
    game.answer("Ben", "yield")
    again = run(game, "Ana", result.parked, read, by="parked")
    assert verdicts(again) == [DONE, PARKED, PARKED]
    assert again.parked == ["burn", "if lost: south"], "a line is judged once"
    game.answer("Ben", "sigh")
    assert verdicts(run(game, "Ana", again.parked, read, by="parked")) == [DONE, NOT_REACHED]
    assert game.g.notes == ["Ana: attack", "Ben: yield", "Ana: north", "Ben: sigh", "Ana: burn"]


def test_two_lines_with_the_same_condition_stay_two() -> None:
    result = script(table(fights), "attack", "if won: north", "if won: burn")
    assert result.parked == ["if won: north", "if won: burn"]


def test_a_condition_whose_time_has_not_come_is_a_fault_and_nothing_is_done() -> None:
    game = table(fights_alone)
    result = script(game, "if won: attack")
    assert verdicts(result) == [FAULT]
    assert result.fault is not None
    assert result.fault.why is not None
    assert english(result.fault.why.why) == "nothing was won or lost yet, and nothing else can be tested now"
    assert game.tape == []


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("if won:", "write what is to be done on the same line, like this: if won: …"),
        ("if wonn: north", "there is no condition “wonn”; there are force, lost and won"),
        (
            "if won: north; if lost: south",
            "a line has one condition; write what has another one on a line of its own",
        ),
    ],
)
def test_a_condition_that_can_never_hold_is_a_fault_before_all_else(line: str, why: str) -> None:
    game = table(fights)
    result = script(game, "attack", line)
    assert result.fault is not None
    assert result.fault.why is not None
    assert english(result.fault.why.why) == why
    assert game.tape == []


def test_the_place_in_the_rules_is_found_inside_a_part_that_publishes() -> None:
    game = table(fights_alone)
    script(game, "attack")
    assert [first for _, _, first in game.frames()] == [
        "C-3: an attack that is decided at once.",
        "Play a part of a step; each question in it to one seat publishes these facts too, unless it knows better.",
        "C-4: a last word, which publishes more than it is wrapped in.",
        "Ask one seat to choose.",
    ]


# every game


@pytest.mark.parametrize("rules", [SEVEN_SITES, *GAMES.values()], ids=lambda rules: str(rules.name))
@pytest.mark.parametrize("seed", range(3))
def test_whatever_a_question_publishes_is_listed_as_a_condition(rules: Ruleset[Any], seed: int) -> None:
    published: set[str] = set()

    def listed(table: Table[Any], rng: random.Random) -> None:
        for ask in table.open.values():
            published.update(ask.public)
            assert set(ask.public) <= set(rules.conditions(ask.key)), ask.key

    play(rules, ["Ana", "Ben"], seed, look=listed)
    assert published <= {name for key in rules.examples for name in rules.conditions(key)}
    assert published
