"""Countering events (T-5.31 to T-5.38): scenarios 52 to 57."""

from __future__ import annotations

from .positions import at, counted, event

PLAGUE = event("plague", "Plague")
RIOT = event("riot", "Riot", divisor=2)
SCHISM = event("schism", "Schism", counter_colour="white")


def test_t_5_31_cubes_and_influence() -> None:
    """Scenario 52."""
    position = at({"events": ["plague"], "A.dice": "y5 y5", "A.influence": 0}, cards=[PLAGUE])
    position.does("A", "counter plague with y5 y5")
    assert (position.at("events.plague.banners"), position.at("A.influence")) == (["A"] * 3, 3)


def last_banner(first: list[str]) -> dict[str, object]:
    return {"events": ["riot"], "events.riot.banners": first, "A.dice": "y6 y1", "A.influence": 0}


def test_t_5_32_surplus_cubes_are_not_placed() -> None:
    """Scenario 53."""
    position = at(last_banner(["B", "A", "B"]), cards=[RIOT]).does("A", "counter riot with y6")
    assert position.at("A.influence") == 1
    assert position.at("events") == []


def test_t_5_34_of_equals_whoever_came_first_ranks_higher() -> None:
    """Scenario 54."""
    position = at(last_banner(["B", "A", "B"]), cards=[RIOT]).does("A", "counter riot with y6")
    assert (position.at("B.vp"), position.at("B.event cards"), position.at("A.vp")) == (4, ["riot"], 2)
    counted(position)


def test_t_5_35_alone_on_the_card_the_smaller_figure_is_not_paid() -> None:
    """Scenario 55, reconstructed from the rule."""
    position = at(last_banner(["A", "A", "A"]), cards=[RIOT]).does("A", "counter riot with y6")
    assert [position.at(f"{s}.vp") for s in "ABC"] == [4, 0, 0]


def test_t_5_37_marauding_stays() -> None:
    """Scenario 56."""
    paths = {"events": ["marauding"], "events.marauding.banners": ["A", "B", "A"], "A.dice": "y4 y1"}
    position = at(paths).does("A", "counter marauding with y4")
    assert (position.at("A.vp"), position.at("B.vp")) == (3, 1)
    assert position.at("events.marauding.banners") == []
    assert position.at("A.event cards") == []
    assert position.at("events") == ["marauding"]


def test_t_5_31_the_colour_of_the_card() -> None:
    """Scenario 57."""
    position = at({"events": ["schism"], "A.dice": "y6 w6"}, cards=[SCHISM])
    assert "only white dice serve here" in position.refusal("A", "counter schism with y6")


def test_t_5_31_fewer_cubes_may_be_placed() -> None:
    position = at({"events": ["plague"], "A.dice": "y5 y5"}, cards=[PLAGUE])
    position.does("A", "counter plague with y5 y5 placing 1")
    assert position.at("events.plague.banners") == ["A"]


def test_t_5_38_the_other_events_close_up() -> None:
    paths = {**last_banner(["A", "A", "A"]), "events": ["marauding", "riot", "plague"]}
    paths = {"events": paths.pop("events"), **paths}
    position = at(paths, cards=[RIOT, PLAGUE]).does("A", "counter riot with y6")
    assert position.at("events") == ["marauding", "plague"]
