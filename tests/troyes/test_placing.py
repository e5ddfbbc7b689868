"""Citizens into buildings (T-5.39 to T-5.49): scenarios 58 to 64; and the cathedral: 48 to 51."""

from __future__ import annotations

from .positions import at, counted


def test_t_5_41_palace() -> None:
    """Scenario 58."""
    position = at({"palace.4": "B", "A.dice": "r4", "B.dice": "w1"}).does("A", "place palace with r4")
    assert (position.at("palace.4"), position.at("lying.palace")) == ("A", ["B"])
    before = position.at("B.supply")
    position.does("B", "pass").does("C", "pass").does("A", "pass")
    assert position.at("lying.palace") == []
    assert position.at("B.supply") == before + 1


def test_t_5_42_city_hall_pushes_the_last_one_off() -> None:
    """Scenario 59, reconstructed from the rule."""
    row = {"city hall.2.1": "B", "city hall.2.2": "C", "city hall.2.3": "grey"}
    position = at({**row, "A.dice": "y5"}).does("A", "place city hall with y5")
    assert [position.at(f"city hall.2.{n}") for n in (1, 2, 3)] == ["A", "B", "C"]
    assert position.at("grey.supply") == 8
    counted(position)


def test_t_5_42_bishopric_row() -> None:
    """Scenario 60."""
    position = at({"bishopric.1.1": "C", "bishopric.1.2": "B", "A.dice": "w1"}).does(
        "A", "place bishopric with w1"
    )
    assert (position.at("bishopric.1.1"), position.at("bishopric.1.2")) == ("A", "C")
    assert position.at("lying.bishopric") == ["B"]


def test_t_5_39_exactly_one_die() -> None:
    """Scenario 61."""
    position = at({"A.dice": "r2 r2"})
    assert "exactly one die (T-5.39)" in position.refusal("A", "place palace with r2 r2")


def test_t_5_39_a_bought_die() -> None:
    """Scenario 62."""
    position = at({"B.dice": "r6"}).does("A", "place palace with r6 of B")
    assert (position.at("palace.6"), position.at("A.deniers"), position.at("B.deniers")) == ("A", 3, 7)


def test_t_5_40_a_citizen_may_be_moved() -> None:
    """Scenario 63, reconstructed from the rule."""
    position = at({"A.dice": "r6", "palace.1": "A"})
    supply = position.at("A.supply")
    position.does("A", "place palace with r6 from palace 1")
    assert (position.at("palace.1"), position.at("palace.6"), position.at("A.supply")) == (
        "empty",
        "A",
        supply,
    )


def test_t_5_44_a_gap_expels_nobody() -> None:
    """Scenario 64."""
    position = at({"city hall.1.1": "B", "city hall.1.3": "C", "A.dice": "y2"})
    position.does("A", "place city hall with y2")
    assert [position.at(f"city hall.1.{n}") for n in (1, 2, 3)] == ["A", "B", "C"]
    assert position.at("lying.city hall") == []


def test_t_5_46_the_newcomer_gives_no_die() -> None:
    position = at({"A.dice": "r4 r1"}).does("A", "place palace with r4")
    assert position.at("A.dice") == "r1"


def test_t_5_48_own_citizens_may_be_pushed_out() -> None:
    position = at({"palace.4": "A", "A.dice": "r4"}).does("A", "place palace with r4 from supply")
    assert position.at("lying.palace") == ["A"]


def test_t_5_40_two_influence_bring_one() -> None:
    position = at({"A.supply": 0, "A.influence": 2, "A.dice": "r4"})
    assert "say where the citizen comes from" in position.refusal("A", "place palace with r4")
    position.does("A", "place palace with r4 from influence")
    assert (position.at("palace.4"), position.at("A.influence")) == ("A", 0)
    counted(position)


def test_t_11_7_a_lying_citizen_may_be_taken_up() -> None:
    position = at({"lying.palace": ["A"], "A.supply": 0, "A.dice": "r4"})
    position.does("A", "place palace with r4 from lying at palace")
    assert (position.at("palace.4"), position.at("lying.palace")) == ("A", [])


def test_t_5_49_deferred_additions_do_not_serve() -> None:
    cubes = {"activities": ["priest"], "activities.priest.cubes.A": 1}
    position = at({**cubes, "A.dice": "y2"})
    assert "T-5.49" in position.refusal("A", "place city hall with y2 using priest")


def test_t_5_26_the_lowest_empty_space_of_a_column() -> None:
    """Scenario 48."""
    position = at({"cathedral.1.4": "B", "A.dice": "w4 w3", "B.dice": "r1"}).does("A", "build with w4")
    assert position.at("cathedral.2.4") == "A"
    position.does("B", "pass").does("C", "pass").does("A", "build with w3")
    assert position.at("cathedral.1.3") == "A"


def test_t_5_29_the_same_column_twice() -> None:
    """Scenario 49."""
    position = at({"A.dice": "w6 w6", "A.influence": 4}).does("A", "build with w6 w6")
    assert (position.at("cathedral.1.6"), position.at("cathedral.2.6")) == ("A", "A")
    assert (position.at("A.vp"), position.at("A.influence")) == (2, 8)


def test_t_5_27_a_full_column() -> None:
    """Scenario 50."""
    column = {"cathedral.1.1": "B", "cathedral.2.1": "C", "cathedral.3.1": "B"}
    position = at({**column, "A.dice": "w1 w2"})
    assert "T-5.27" in position.refusal("A", "build with w1")


def test_t_5_28_low_numbers_give_one_influence() -> None:
    """Scenario 51, reconstructed from the rule."""
    position = at({"A.dice": "w3 w4", "A.influence": 0}).does("A", "build with w3 w4")
    assert (position.at("A.vp"), position.at("A.influence")) == (2, 3)


def test_t_5_30_every_die_must_place_a_cube() -> None:
    column = {"cathedral.1.1": "B", "cathedral.2.1": "C"}
    position = at({**column, "A.dice": "w1 w1"})
    assert "T-5.27" in position.refusal("A", "build with w1 w1")
