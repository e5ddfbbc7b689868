"""Groups and buying dice (T-5.2 to T-5.12): scenarios 26 to 32."""

from __future__ import annotations

import pytest

from .positions import at


def test_t_5_3_one_foreign_die_costs_two() -> None:
    """Scenario 26."""
    position = at({"B.dice": "y4", "A.deniers": 5, "B.deniers": 5}).does("A", "farm with y4 of B")
    assert (position.at("A.deniers"), position.at("B.deniers"), position.at("B.dice")) == (5, 7, "")


def test_t_5_3_two_foreign_dice_cost_four_each() -> None:
    """Scenario 27, reconstructed from the rule."""
    position = at({"B.dice": "y4", "C.dice": "y5", "A.deniers": 8}).does("A", "farm with y4 of B and y5 of C")
    assert [position.at(f"{s}.deniers") for s in "ABC"] == [4, 9, 9]


def test_t_5_3_an_own_die_raises_the_price() -> None:
    """Scenario 28."""
    paths = {
        "activities": ["diplomat"],
        "activities.diplomat.tradesmen": ["A"],
        "A.dice": "r6",
        "B.dice": "r1",
    }
    position = at({**paths, "A.deniers": 5}).does("A", "use diplomat with r6 and r1 of B times 1")
    assert (position.at("A.deniers"), position.at("B.deniers")) == (5 - 4 + 1, 9)


def test_t_5_5_three_dice_of_one_player_cost_eighteen() -> None:
    """Scenario 29."""
    paths = {"activities": ["hunting"], "activities.hunting.tradesmen": ["A"], "B.dice": "r6 r6 r6"}
    position = at({**paths, "A.deniers": 18, "B.deniers": 0}).does(
        "A", "use hunting with r6 of B, r6 of B, r6 of B"
    )
    assert (position.at("A.deniers"), position.at("B.deniers")) == (0, 18)


def test_t_5_3_too_poor() -> None:
    """Scenario 30."""
    position = at({"A.deniers": 7, "B.dice": "y4 y3"})
    why = position.refusal("A", "farm with y4 of B and y3 of B")
    assert "cost 8 deniers, you have 7" in why
    assert "T-5.3" in why


def test_t_5_4_grey_dice_are_paid_to_the_bank() -> None:
    """Scenario 31, reconstructed from the rule."""
    position = at({"A.deniers": 5, "grey.dice": "y6 w1"}).does("A", "farm with y6 of grey")
    assert position.at("A.deniers") == 5 - 2 + 3
    assert [position.at(f"{s}.deniers") for s in "BC"] == [5, 5]


def test_t_5_2_colours_do_not_mix() -> None:
    """Scenario 32."""
    position = at({"A.dice": "r3 y3"})
    assert "only yellow dice serve here (T-5.2)" in position.refusal("A", "farm with r3 y3")


def test_t_5_6_a_passed_players_dice_can_be_bought() -> None:
    position = at({"B.dice": "y4", "B.passed": True}).does("A", "farm with y4 of B")
    assert position.at("B.deniers") == 7


def test_t_5_9_the_price_comes_before_the_gain() -> None:
    position = at({"B.dice": "y6", "A.deniers": 1, "C.dice": "y1"})
    assert "within your reach" in position.refusal("A", "farm with y6 of B")


def test_t_5_2_a_group_has_three_dice_at_most() -> None:
    position = at({"A.dice": "y3 y3 y3 y3"})
    assert "at most 3" in position.refusal("A", "farm with y3 y3 y3 y3")


@pytest.mark.parametrize(
    "line", ["farm with ben's y4", "farm y4 ben", "farm with yellow 4 of ben", "FARM Ben Y4."]
)
def test_many_ways_to_name_a_foreign_die(line: str) -> None:
    from pbem.engine.core.scenario import Position
    from pbem.engine.troyes import RULES

    position = Position(RULES, ["Ana", "Ben"]).arrange({"Ben.dice": "y4", "grey.dice": "y4"})
    position.does("Ana", line)
    assert position.at("Ben.dice") == ""


def test_d_39_the_money_is_there_at_once() -> None:
    """T-5.7."""
    position = at({"B.dice": "y4", "C.dice": "y1", "B.deniers": 0}).does("A", "farm with y4 of B")
    position.does("B", "place city hall with y1 of C")
    assert position.at("C.deniers") == 7
