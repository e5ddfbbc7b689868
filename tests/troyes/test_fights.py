"""Fighting the black dice (T-4.9 to T-4.20): scenarios 12 to 22."""

from __future__ import annotations

from typing import Any

from pbem.engine.core.scenario import Position

from .positions import at


def fight(black: str, paths: dict[str, Any], seats: int = 3) -> Position:
    return at({"phase": "fights", "black dice": black, **paths}, seats)


def test_t_4_11_colours_may_be_mixed() -> None:
    """Scenario 12."""
    position = fight("k5", {"A.dice": "w2 y3 r1", "A.influence": 0})
    position.does("A", "fight k5 with w2 y3")
    assert (position.at("A.dice"), position.at("A.influence"), position.at("black dice")) == ("r1", 1, "")


def test_t_4_11_red_dice_count_double() -> None:
    position = fight("k6", {"A.dice": "r3 w1", "A.influence": 0}).does("A", "fight k6 with r3")
    assert position.at("A.dice") == "w1"


def test_t_4_17_a_group_below_the_black_die_is_refused() -> None:
    """Scenario 13."""
    position = fight("k6", {"A.dice": "w2 y1 r4"})
    assert "3 is below k6" in position.refusal("A", "fight k6 with w2 y1")


def test_t_4_17_fighting_is_compulsory() -> None:
    """Scenario 14."""
    position = fight("k3", {"A.dice": "y4"})
    assert "fighting is compulsory (T-4.17)" in position.refusal("A", "decline")


def test_t_4_17_who_cannot_win_loses_two_vp_and_keeps_the_dice() -> None:
    """Scenario 15, reconstructed from the rule."""
    position = fight("k6", {"A.dice": "w2", "A.vp": 5, "A.influence": 0})
    assert "A" not in position.asked() or position.asked() == {"A": "action"}
    assert (position.at("A.vp"), position.at("black dice"), position.at("A.dice")) == (3, "", "w2")


def test_t_4_18_an_empty_district_takes_the_penalty() -> None:
    """Scenario 16."""
    position = fight("k2", {"A.vp": 1, "A.influence": 0, "grey.dice": "r1"})
    position.asked()
    assert (position.at("A.vp"), position.at("black dice")) == (0, "")


def test_t_4_10_the_highest_goes_round_the_table() -> None:
    """Scenario 17."""
    dice = {f"{seat}.dice": "w6 y6" for seat in "ABC"}
    position = fight("k6 k4 k4 k1", dice)
    for seat, black in (("A", "k6"), ("B", "k4"), ("C", "k4")):
        assert position.asked() == {seat: "fight"}
        position.does(seat, f"fight {black} with w6").does(seat, "done")
    assert position.asked() == {"A": "fight"}
    position.does("A", "fight k1 with y6")
    assert position.at("black dice") == ""
    assert position.asked() == {"A": "action"}


def test_t_4_10_a_lower_one_does_not_come_first() -> None:
    position = fight("k6 k2", {"A.dice": "w6 y6"})
    assert "T-4.10" in position.refusal("A", "fight k2 with w6")


def test_t_4_15_several_in_one_turn() -> None:
    """Scenario 18."""
    position = fight("k5 k2", {"A.dice": "r3 y2", "B.dice": "w1", "A.influence": 1})
    position.does("A", "fight k5 with r3").does("A", "fight k2 with y2")
    assert (position.at("A.influence"), position.at("black dice")) == (3, "")
    assert position.asked() == {"A": "action"}


def test_t_4_12_more_than_three_dice_may_fight() -> None:
    """Scenario 19, reconstructed from the rule."""
    position = fight("k6", {"A.dice": "w1 w1 y2 y2 y1"})
    position.does("A", "fight k6 with w1 w1 y2 y2")
    assert position.at("A.dice") == "y1"


def test_t_4_13_foreign_dice_cannot_be_bought() -> None:
    """Scenario 20."""
    position = fight("k6", {"A.dice": "y1", "A.deniers": 10, "B.dice": "r6", "A.influence": 1})
    assert position.asked() == {"A": "fight"}
    assert "k6" in position.refusal("A", "fight k6 with r6 of B")
    strong = fight("k6", {"A.dice": "y1 w6", "A.deniers": 10, "B.dice": "r6", "A.influence": 1})
    assert "T-4.13" in strong.refusal("A", "fight k6 with r6 of B")


def test_t_4_13_cubes_do_not_help() -> None:
    """Scenario 21."""
    cubes = {"activities": ["blacksmith"], "activities.blacksmith.cubes.A": 1}
    position = fight("k6", {"A.dice": "r2 w2", "A.influence": 1, **cubes})
    assert "T-4.13" in position.refusal("A", "fight k6 with r2 using blacksmith")


def test_t_6_2_a_reroll_before_a_fight() -> None:
    """Scenario 22."""
    position = fight("k6", {"A.dice": "y2", "A.influence": 3}).dice({"reroll": "6"})
    position.does("A", "reroll y2").does("A", "fight k6 with y6")
    assert (position.at("A.influence"), position.at("black dice")) == (3, "")


def test_t_4_19_nobody_must_spend_influence() -> None:
    position = fight("k6", {"A.dice": "y2", "A.influence": 3, "A.vp": 5}).does("A", "lose")
    assert (position.at("A.vp"), position.at("A.dice"), position.at("A.influence")) == (3, "y2", 3)


def test_t_4_20_more_than_needed_may_be_paid() -> None:
    position = fight("k1", {"A.dice": "r6 w6"}).does("A", "fight k1 with r6 w6")
    assert position.at("A.dice") == ""


def test_t_10_4_the_only_winning_set_is_taken_by_itself() -> None:
    position = fight("k6", {"A.dice": "w4 y2", "A.influence": 0, "grey.dice": "r1"})
    position.asked()
    assert (position.at("A.dice"), position.at("A.influence")) == ("", 1)


def test_t_10_4_two_winning_sets_are_a_question() -> None:
    position = fight("k4", {"A.dice": "w4 y4", "A.influence": 0})
    assert position.asked() == {"A": "fight"}


def test_d_26_being_done_is_the_harmless_answer() -> None:
    position = fight("k4 k1", {"A.dice": "w4 y4"}).does("A", "fight k4 with w4")
    assert position.table.open["A"].default == "done"
