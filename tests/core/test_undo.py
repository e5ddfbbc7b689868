"""Taking back the last answer: when it is lawful, and the reason when it is not."""

from __future__ import annotations

import pytest

from pbem.engine.core.asks import DICE
from pbem.engine.core.table import Entry
from pbem.engine.core.text import english
from pbem.engine.core.undo import NoUndo, last_own


def entry(seat: str, branch: str = "", n: int = 0) -> Entry:
    return Entry(0, branch, n, seat, "key", "pick")


def why(entries: list[Entry], told: bool = False, open_branch: bool = False, began: int = 0) -> str:
    with pytest.raises(NoUndo) as caught:
        last_own(entries, "Ana", told, open_branch, began)
    return english(caught.value.why)


def test_the_last_answer_is_taken_back_while_nothing_came_of_it() -> None:
    assert last_own([entry("Ben"), entry("Ana"), entry("Ana")], "Ana", told=False) == 2


def test_nothing_is_taken_back_after_a_roll() -> None:
    assert why([entry("Ana"), entry(DICE)]) == "something was rolled or shown since your last answer"
    assert why([entry("Ana"), entry(DICE)], open_branch=True).startswith("something was rolled")


def test_nothing_is_taken_back_after_anothers_answer() -> None:
    assert why([entry("Ana"), entry("Ben")]) == "Ben has answered since"


def test_nothing_is_taken_back_that_the_others_were_told() -> None:
    assert why([entry("Ana")], told=True) == "the others have already been told"


def test_there_is_nothing_to_take_back_before_the_first_answer() -> None:
    assert why([]) == "you have not answered anything yet"
    assert why([entry("Ben", "Ben")], open_branch=True) == "you have not answered anything yet"


def test_inside_its_own_branch_a_seat_looks_past_the_others() -> None:
    entries = [entry("Ana", "Ana"), entry("Ben", "Ben"), entry("Carla", "Carla")]
    assert last_own(entries, "Ana", told=False, open_branch=True) == 0
    assert why(entries) == "Carla has answered since"


def test_an_answer_before_the_branches_is_kept_once_another_has_answered_in_one() -> None:
    assert why([entry("Ana"), entry("Ben", "Ben")], open_branch=True) == "Ben has answered since"
    assert last_own([entry("Ben", "Ben"), entry("Ana")], "Ana", told=False, open_branch=True) == 1


def test_an_answer_in_an_earlier_together_is_kept_once_another_has_answered_in_the_next() -> None:
    earlier = [entry("Ana", "Ana"), entry("Ben", "Ben")]
    assert why([*earlier, entry("Ben", "Ben", 1)], open_branch=True, began=1) == "Ben has answered since"
    other_step = Entry(1, "Ben", 0, "Ben", "key", "pick")
    assert why([*earlier, other_step], open_branch=True) == "Ben has answered since"


def test_a_branch_does_not_reach_back_past_a_step_of_others() -> None:
    assert (
        why([entry("Ana"), entry("Ben"), entry("Carla", "Carla")], open_branch=True)
        == "Ben has answered since"
    )
