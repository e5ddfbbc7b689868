"""Passing, the end of the round, influence (T-5.51 to T-7.4): scenarios 65 to 72."""

from __future__ import annotations

from .positions import at, counted


def test_t_5_51_passing_money_grows() -> None:
    """Scenario 65."""
    position = at({"B.dice": "y2 y2 y2", "C.dice": "r1"}, seats=2 + 1)
    position.does("A", "pass").does("B", "farm with y2").does("C", "pass")
    assert position.at("A.district deniers") == 3
    position.does("B", "farm with y2")
    assert position.at("A.district deniers") == 4
    before = position.at("A.deniers")
    position.does("B", "pass")
    assert position.at("A.deniers") >= before + 4


def test_t_5_52_passing_money_is_not_held_yet() -> None:
    """Scenario 66."""
    position = at({"B.dice": "y2", "C.dice": "y2"}).does("A", "pass")
    assert (position.at("A.deniers"), position.at("A.district deniers")) == (5, 2)


def test_t_5_53_the_last_active_player_goes_on_alone() -> None:
    """Scenario 67, reconstructed from the rule."""
    position = at({"C.dice": "y2 y2 y2"}).does("A", "pass").does("B", "pass")
    position.does("C", "farm with y2")
    assert position.asked() == {"C": "action"}
    assert [position.at(f"{s}.district deniers") for s in "AB"] == [3, 3]


def test_t_7_2_no_dice_left_ends_the_actions() -> None:
    """Scenario 68."""
    paths = {
        "grey.dice": "",
        "city hall.1.1": "A",
        "C.dice": "y2",
        "turn": "C",
        "A.passed": True,
        "A.district deniers": 2,
    }
    position = at({**paths, "B.passed": True, "B.district deniers": 2, "D.deniers": 5}, seats=4)
    position.does("C", "farm with y2")
    assert position.at("D.district deniers") == 0
    assert any(line.startswith("No dice are left") for line in position.heard(None))
    assert position.at("round") == 2
    assert position.at("D.deniers") == 15


def test_t_7_4_the_start_player_moves_to_the_left() -> None:
    """Scenario 69."""
    position = at({"city hall.1.1": "A"}).does("A", "pass").does("B", "pass").does("C", "pass")
    assert position.at("start player") == "B"
    assert position.at("round") == 2
    counted(position)


def test_t_6_4_turning_over() -> None:
    """Scenario 70."""
    position = at({"A.dice": "y1 w2 r4", "A.influence": 4}).does("A", "turn y1 and w2")
    assert (position.at("A.dice"), position.at("A.influence")) == ("r4 w5 y6", 0)
    assert position.asked() == {"A": "action"}


def test_t_5_11_foreign_dice_are_never_changed() -> None:
    """Scenario 71, reconstructed from the rule."""
    position = at({"A.dice": "y1", "B.dice": "w2"})
    assert "T-5.11" in position.refusal("A", "reroll w2 of B")
    assert "T-5.11" in position.refusal("A", "turn w2 of B")


def test_t_6_2_a_reroll_leaves_the_turn_open() -> None:
    position = at({"A.dice": "y1", "A.influence": 2}).dice({"reroll": ["2", "6"]})
    position.does("A", "reroll y1").does("A", "reroll y2")
    assert (position.at("A.dice"), position.at("A.influence")) == ("y6", 0)
    assert "T-6" in position.refusal("A", "reroll y6")


def test_t_6_3_a_citizen_for_two_influence() -> None:
    position = at({"A.dice": "y1", "A.influence": 3})
    supply = position.at("A.supply")
    position.does("A", "citizen")
    assert (position.at("A.supply"), position.at("A.influence")) == (supply + 1, 1)
    assert "T-6" in position.refusal("A", "citizen")


def test_t_6_3_twelve_citizens_are_the_limit() -> None:
    position = at({"A.dice": "y1", "A.supply": 12, "A.influence": 3})
    assert "T-6.3" in position.refusal("A", "citizen")


def test_t_1_6_influence_beyond_twenty_is_lost() -> None:
    position = at({"A.dice": "w6", "A.influence": 19}).does("A", "build with w6")
    assert position.at("A.influence") == 20


def test_t_8_1_the_game_ends_after_the_last_red_event() -> None:
    """Scenario 72."""
    position = at({"round": 5, "A.dice": "y1"}).does("A", "pass").does("B", "pass").does("C", "pass")
    assert position.table.over
    assert position.at("phase") == "over"


def test_parked_lines_live_through_influence_and_die_with_the_turn() -> None:
    position = at({"A.dice": "y1 y2", "B.dice": "y1", "A.influence": 2}).dice({"reroll": "5"})
    position.asked()
    turn = position.rules.position(position.g).turn
    position.does("A", "reroll y1")
    assert position.rules.position(position.g).turn == turn
    position.does("A", "pass")
    assert position.rules.position(position.g).turn != turn
