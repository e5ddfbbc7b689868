"""A position, what is written in it, and what must come of it."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from pbem.engine.core.commands import Unclear
from pbem.engine.core.ruleset import BadPath
from pbem.engine.core.scenario import BadScenario, Document, Position, Report, run
from pbem.engine.core.text import english

from .minigame import RULES

SEATS = ["Ana", "Ben"]
AT_THE_MINE = {"phase": "act", "Ana.pawn": "Mine", "Mine.ruler": "Ben", "Mine.warbands": 2}
FIGHT = {
    "arrange": AT_THE_MINE,
    "dice": {"attack": "2 2 2", "defense": ["1 2"]},
    "commands": ["Ana: attack with 3", "ben: done"],
}


def document(**fields: Any) -> Document:
    return msgspec.convert({"game": "sites", "seats": SEATS, **fields}, Document)


def played(**fields: Any) -> Report:
    return run(RULES, document(**fields))


def differences(**fields: Any) -> list[tuple[str, str, str]]:
    return [(d.where, d.expected, d.found) for d in played(**fields).differences]


def bad(**fields: Any) -> BadScenario:
    with pytest.raises(BadScenario) as caught:
        played(**fields)
    return caught.value


def test_what_comes_out_as_expected_passes() -> None:
    report = played(
        **FIGHT, title="a fight", expect={"Mine.ruler": "Ana", "Ana.warbands": 0}, asked={"Ana": "action"}
    )
    assert report.passed
    assert report.title == "a fight"


def test_what_comes_out_otherwise_is_told_with_its_path() -> None:
    assert differences(**FIGHT, expect={"Mine.ruler": "Ben", "Ana.warbands": 0}) == [
        ("Mine.ruler", "'Ben'", "'Ana'")
    ]


def test_another_question_than_expected_is_told() -> None:
    assert differences(arrange=AT_THE_MINE, asked={"Ben": "action"}) == [
        ("asked", "Ben: action", "Ana: action")
    ]
    assert differences(arrange={"phase": "over"}, asked={"Ana": "action"})[0][2] == "nobody"


def test_an_unknown_path_is_refused_with_those_near_it() -> None:
    error = bad(arrange={"Ana.favour": 3})
    assert (error.where, english(error.why)) == ("arrange.Ana.favour", "there is no path “Ana.favour”")
    assert error.near == ("Ana.favor", "Ben.favor")
    assert bad(arrange={"phase": "act"}, expect={"Ana.hat": 1}).where == "expect.Ana.hat"


def test_an_unknown_seat_is_refused_with_the_line() -> None:
    error = bad(arrange=AT_THE_MINE, commands=["Ana: muster", "Dora: muster"])
    assert error.where == "commands, line 2"
    assert english(error.why) == "“Dora: muster” must begin with a seat and a colon: Ana and Ben"
    assert bad(arrange=AT_THE_MINE, commands=["muster"]).where == "commands, line 1"
    assert bad(arrange=AT_THE_MINE, refused=[{"line": "muster"}]).where == "refused, number 1"


def test_a_refused_command_is_a_difference_and_ends_the_commands() -> None:
    found = differences(arrange=AT_THE_MINE, commands=["Ana: fly", "Ana: rest"], asked={"Ana": "action"})
    assert found == [("commands, line 1", "Ana: fly", "I cannot read “fly” here")]


def test_a_command_of_a_seat_that_is_not_asked_is_a_difference() -> None:
    found = differences(arrange=AT_THE_MINE, commands=["Ben: rest"])
    assert found == [("commands, line 1", "Ben: rest", "Ben is not asked anything now")]


def test_lines_that_must_be_refused_are_tried_and_change_nothing() -> None:
    report = played(
        arrange={**AT_THE_MINE, "Ana.favor": 0, "Ana.warbands": 0},
        refused=[
            {"line": "Ana: muster", "because": "costs 1 favor"},
            {"line": "Ana: attack with 1", "because": "M-3.1"},
            {"line": "Ben: rest", "because": "not asked"},
        ],
        expect={"Ana.favor": 0},
        asked={"Ana": "action"},
    )
    assert report.passed, report.differences


def test_a_line_that_is_taken_or_refused_for_another_reason_is_a_difference() -> None:
    found = differences(
        arrange=AT_THE_MINE,
        refused=[{"line": "Ana: muster"}, {"line": "Ana: attack with 9", "because": "no warbands"}],
    )
    assert found == [
        ("refused, number 1", "refused: Ana: muster", "it is taken"),
        ("refused, number 2", "no warbands", "it must be 1 to 3"),
    ]


@pytest.mark.parametrize("dice", ["6 6 6", "2 2", "2 2 2 2", "two two two", ""])
def test_loaded_dice_that_cannot_fall_are_a_fault_of_the_line_that_rolls(dice: str) -> None:
    found = differences(**{**FIGHT, "dice": {"attack": dice}})
    assert [d[0] for d in found] == ["commands, line 2"]


def test_loaded_dice_that_cannot_fall_at_the_start_are_a_fault_of_the_file() -> None:
    assert bad(dice={"deck": "0 1"}).where == "dice"


def test_dice_fall_in_the_order_in_which_they_are_told() -> None:
    twice = {
        "arrange": {**AT_THE_MINE, "Mine.warbands": 0, "Ana.warbands": 2},
        "dice": {"attack": ["0", "2"]},
        "commands": ["Ana: attack with 1", "Ben: done", "Ana: attack with 1", "Ben: done"],
    }
    assert played(**twice, expect={"Mine.ruler": "Ana"}).passed


def test_a_named_procedure_is_run_instead_of_the_games_flow() -> None:
    report = played(
        do="bid",
        commands=["Ana: bid 1", "Ben: bid 2", "Ana: keep it", "Ben: keep it"],
        expect={"Ben.points": 1, "Ben.favor": 1, "Ana.favor": 2},
        asked={},
    )
    assert report.passed, report.differences


def test_an_unknown_procedure_is_refused_with_those_there_are() -> None:
    error = bad(do="wake")
    assert (error.where, error.near) == ("do", ("bid",))


def test_seats_that_make_no_game_are_refused() -> None:
    error = bad(seats=["Ana"])
    assert error.where == "seats, options, card"
    assert "two or three may play" in str(error)


def test_a_file_with_an_unknown_word_is_refused() -> None:
    with pytest.raises(msgspec.ValidationError, match="dise"):
        document(dise={})


def test_invented_cards_reach_the_rules_as_data() -> None:
    seen: list[Any] = []

    class Curious(type(RULES)):  # type: ignore[misc]
        """Looks at the data that it gets."""

        def setup(self, seats: Any, options: Any, data: Any, legacy: Any, title: str = "") -> Any:
            seen.append(data)
            return super().setup(seats, options, data, legacy)

    run(Curious(), document(card=[{"name": "Flood"}]), data={"deck": 2})
    assert seen == [{"deck": 2, "card": [{"name": "Flood"}]}]


def test_a_position_is_written_and_played_by_hand() -> None:
    position = Position(RULES, SEATS).arrange(AT_THE_MINE).dice({"attack": "2 2 2", "defense": "0 0"})
    position.does("Ana", "att 3").does("Ben", "done")
    assert position.at("Mine.ruler") == "Ana"
    assert position.heard(None) == ["Ana attacked Mine: 6 against 0."]
    assert position.asked() == {"Ana": "action"}
    assert position.refusal("Ana", "attack with 1") == (
        "“attack with <warbands>” is not open to you: Mine is yours already (M-3.1)"
    )
    with pytest.raises(AssertionError, match="would be taken"):
        position.refusal("Ana", "muster")
    with pytest.raises(Unclear):
        position.does("Ben", "rest")
    with pytest.raises(BadPath):
        position.at("moon")


def test_secrets_are_heard_by_their_owner_alone() -> None:
    position = Position(RULES, SEATS)
    position.asked()
    assert position.heard("Ana")[0].startswith("You drew ")
    assert position.heard("Ben")[0] == "Ana drew 2 cards."
