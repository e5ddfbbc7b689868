"""Activity cards (T-5.13 to T-5.24): scenarios 33 to 47, and at least one test for each card."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pbem.engine.core.scenario import Position
from pbem.engine.troyes.activities import CLASSES
from pbem.engine.troyes.cards import HOUSE

from .positions import WHITE_DEFERRED, YELLOW_CARD, at, counted


def using(card: str, **paths: Any) -> Position:
    """A's tradesman is on the card already."""
    return at({"activities": [card], f"activities.{card}.tradesmen": ["A"], **paths})


def with_cube(card: str, paths: dict[str, Any], more: tuple[str, ...] = ()) -> Position:
    """A has a deferred cube on the card; further cards are face up, with A's tradesman."""
    cards = {f"activities.{other}.tradesmen": ["A"] for other in more}
    return at({"activities": [card, *more], f"activities.{card}.cubes.A": 1, **cards, **paths})


# hiring


def test_t_5_14_hire_and_use() -> None:
    """Scenario 33."""
    paths = {"activities": ["test-yellow"], "A.supply": 1, "A.deniers": 3, "A.dice": "y6 y5"}
    position = at(paths, cards=[YELLOW_CARD]).does("A", "use test yellow with y6 and y5")
    assert (position.at("A.deniers"), position.at("A.supply")) == (4, 0)
    assert position.at("activities.test-yellow.tradesmen") == ["A"]
    counted(position)


def test_t_5_19_a_use_that_comes_to_nothing_is_refused() -> None:
    """Scenario 34."""
    position = at(
        {"activities": ["test-yellow"], "activities.test-yellow.tradesmen": ["A"], "A.dice": "y3 y5"},
        cards=[YELLOW_CARD],
    )
    assert "worth 3, it takes 4" in position.refusal("A", "use test yellow with y3")


def test_t_5_19_fewer_activations_are_allowed() -> None:
    """Scenario 35, reconstructed from the rule."""
    position = using("merchant", **{"A.dice": "y6 y6", "A.deniers": 0})
    position.does("A", "use merchant with y6 y6 times 1")
    assert position.at("A.deniers") == 2


def test_t_5_15_one_tradesman_each() -> None:
    """Scenario 36."""
    position = using("merchant", **{"A.dice": "y6"})
    assert "T-5.15" in position.refusal("A", "use merchant with y6 hiring supply")


def test_t_5_14_a_tradesman_from_a_building() -> None:
    """Scenario 37."""
    paths = {"activities": ["merchant"], "palace.2": "A", "A.supply": 0, "A.influence": 0, "A.dice": "r4 y6"}
    position = at(paths)
    assert "hiring palace 3" in position.refusal("A", "use merchant with y6")
    position.does("A", "use merchant with y6 hiring palace 2")
    assert (position.at("palace.2"), position.at("A.dice")) == ("empty", "r4")
    assert position.at("activities.merchant.tradesmen") == ["A"]


def test_t_5_14_a_citizen_by_influence() -> None:
    """Scenario 38."""
    position = at({"activities": ["merchant"], "A.supply": 0, "A.influence": 2, "A.dice": "y6"})
    position.does("A", "use merchant with y6 hiring influence")
    assert position.at("A.influence") == 0
    assert position.at("activities.merchant.tradesmen") == ["A"]
    counted(position)


def test_t_5_17_later_uses_cost_no_hire() -> None:
    """Scenario 39, reconstructed from the rule."""
    position = using("merchant", **{"A.dice": "y3", "A.deniers": 0}).does("A", "use merchant with y3")
    assert position.at("A.deniers") == 2


def test_t_5_14_the_hire_must_be_paid() -> None:
    position = at({"activities": ["merchant"], "A.deniers": 2, "A.dice": "y6"})
    assert "the hire costs 3 deniers, you have 2" in position.refusal("A", "use merchant with y6")


def test_t_5_9_hire_and_dice_are_paid_together() -> None:
    position = at({"activities": ["merchant"], "A.deniers": 4, "A.dice": "y4", "B.dice": "y6"})
    assert "T-5.3" in position.refusal("A", "use merchant with y6 of B")


def test_t_5_14_a_tradesman_from_another_card() -> None:
    position = at(
        {"activities": ["merchant", "archer"], "activities.archer.tradesmen": ["A"], "A.dice": "y6"}
    )
    position.does("A", "use merchant with y6 hiring archer")
    assert position.at("activities.archer.tradesmen") == []


def test_t_5_14_a_tradesman_who_leaves_leaves_a_gap_that_the_next_one_fills() -> None:
    paths = {
        "activities": ["merchant", "archer"],
        "activities.archer.tradesmen": ["A", "B"],
        "A.dice": "y6",
        "C.dice": "r6",
        "B.dice": "w1",
    }
    position = at(paths).dice({"archer": ["1"]}).does("A", "use merchant with y6 hiring archer")
    assert position.at("activities.archer.tradesmen") == ["empty", "B"]
    position.does("B", "pass").does("C", "use archer with r6 times 1")
    assert position.at("activities.archer.tradesmen") == ["C", "B"]
    counted(position)


# deferred cubes


def test_t_5_20_deferred_cubes() -> None:
    """Scenario 40."""
    paths = {"activities": ["test-white"], "activities.test-white.tradesmen": ["A"], "A.dice": "w5 w6"}
    position = at(paths, cards=[WHITE_DEFERRED]).does("A", "use test white with w5 w6")
    assert position.at("activities.test-white.cubes.A") == 3


def test_t_5_21_not_in_the_same_action() -> None:
    """Scenario 41."""
    paths = {"activities": ["test-white"], "activities.test-white.tradesmen": ["A"], "A.dice": "w5 w6"}
    position = at(paths, cards=[WHITE_DEFERRED])
    assert "you have no cube on Test White (T-5.21)" in position.refusal(
        "A", "use test white with w5 w6 using test white"
    )


def test_t_5_21_one_cube_per_action() -> None:
    """Scenario 42."""
    tithe = {**WHITE_DEFERRED, "id": "test-tithe", "name": "Tithe", "round": 2, "like": "tithing"}
    paths = {
        "activities": ["priest", "test-tithe"],
        "activities.priest.cubes.A": 1,
        "activities.test-tithe.cubes.A": 1,
        "A.dice": "y3",
        "B.dice": "y4",
    }
    both = at(paths, cards=[tithe])
    why = both.refusal("A", "farm with y3 and y4 of B using priest using tithe")
    assert "only one cube may help an action (T-5.21)" in why
    assert "T-5.21" in both.refusal("A", "farm with y3 using priest and tithe")
    assert at(paths, cards=[tithe]).does("A", "farm with y3 using priest").at("A.deniers") == 5 + 3
    assert at(paths, cards=[tithe]).does("A", "farm with y4 of B using tithe").at("A.deniers") == 5 + 2


def test_t_5_21_a_used_cube_leaves_the_card() -> None:
    position = with_cube("priest", {"A.dice": "y3"}).does("A", "farm with y3 using priest")
    assert position.at("activities.priest.cubes.A") == 0


def test_t_5_22_cubes_stay_over_the_rounds() -> None:
    position = with_cube("priest", {"A.dice": "y3"})
    position.does("A", "pass").does("B", "pass").does("C", "pass")
    assert position.at("activities.priest.cubes.A") == 1


def test_t_5_23_the_dice_themselves_do_not_change() -> None:
    position = with_cube("priest", {"A.dice": "y3 y2"}).does("A", "farm with y3 using priest")
    assert position.at("A.dice") == "y2"


# yellow cards


def test_artisan() -> None:
    position = using("artisan", **{"A.dice": "y4 y4", "A.deniers": 0, "A.influence": 1})
    position.does("A", "use artisan with y4 y4")
    assert (position.at("A.deniers"), position.at("A.influence")) == (6, 0)


def test_artisan_without_influence() -> None:
    position = using("artisan", **{"A.dice": "y4", "A.influence": 0})
    assert "cannot pay for its effect" in position.refusal("A", "use artisan with y4")


def test_artisan_hired_by_influence_leaves_less_to_pay_with() -> None:
    position = at({"activities": ["artisan"], "A.dice": "y6 y6", "A.influence": 3, "A.deniers": 3})
    assert "it must be 1 to 1" in position.refusal("A", "use artisan with y6 y6 hiring influence times 2")
    position.does("A", "use artisan with y6 y6 hiring influence")
    assert (position.at("A.deniers"), position.at("A.influence")) == (6, 0)


def test_artisan_cannot_be_hired_with_the_last_influence() -> None:
    position = at({"activities": ["artisan"], "A.dice": "y6", "A.influence": 2, "A.deniers": 3})
    assert "cannot pay for its effect" in position.refusal("A", "use artisan with y6 hiring influence")


def test_merchant() -> None:
    position = using("merchant", **{"A.dice": "y6 y5", "A.deniers": 0}).does("A", "use merchant with y6 y5")
    assert position.at("A.deniers") == 6


def test_miller() -> None:
    stand = {"palace.1": "A", "palace.2": "A", "bishopric.1.1": "A", "lying.palace": ["A"]}
    position = using("miller", **{**stand, "A.dice": "y6 y5", "A.deniers": 0})
    position.does("A", "use miller with y6 y5 counting palace 1")
    assert position.at("A.deniers") == 2 * 2 + 2 * 1


def test_miller_counts_the_better_building_unless_told_otherwise() -> None:
    position = using("miller", **{"palace.1": "A", "palace.2": "A", "A.dice": "y6 y5", "A.deniers": 0})
    assert position.does("A", "use miller with y6 y5").at("A.deniers") == 8


def test_innkeeper() -> None:
    position = using("innkeeper", **{"A.dice": "y6", "A.deniers": 2, "A.influence": 0})
    position.does("A", "use innkeeper with y6")
    assert (position.at("A.deniers"), position.at("A.influence")) == (0, 2)


def test_blacksmith() -> None:
    position = with_cube("blacksmith", {"A.dice": "r1", "events.marauding.banners": ["A"]}, ("captain",))
    position.does("A", "use captain with r1 using blacksmith")
    assert (position.at("A.vp"), position.at("activities.blacksmith.cubes.A")) == (1, 0)


def test_militia() -> None:
    position = with_cube("militia", {"A.dice": "y4 y5", "events": ["war"]})
    position.does("A", "counter war with y4 y5 using militia")
    assert position.at("events.war.banners") == ["A", "A"]


def test_militia_takes_yellow_dice_alone() -> None:
    position = with_cube("militia", {"A.dice": "y4 r5", "events": ["war"]})
    assert "the whole group is yellow" in position.refusal("A", "counter war with y4 r5 using militia")


def test_journeyman() -> None:
    position = using("journeyman", **{"A.dice": "y6 y6", "A.deniers": 7}).does(
        "A", "use journeyman with y6 y6"
    )
    assert (position.at("A.deniers"), position.at("A.vp")) == (1, 4)


def test_goldsmith() -> None:
    position = using("goldsmith", **{"A.dice": "y5", "A.deniers": 0}).does("A", "use goldsmith with y5")
    assert (position.at("A.deniers"), position.at("A.vp")) == (2, 1)


def test_sculptor() -> None:
    position = using("sculptor", **{"A.dice": "y6 y6"}).does("A", "use sculptor with y6 y6")
    assert position.at("A.vp") == 3


# white cards


def test_tithing() -> None:
    paths = {"A.dice": "y1", "B.dice": "y6", "grey.dice": "y5 w1", "A.deniers": 0}
    position = with_cube("tithing", paths).does("A", "farm with y1, y6 of B and y5 of grey using tithing")
    assert (position.at("A.deniers"), position.at("B.deniers")) == (6, 5)


def test_tithing_takes_one_die_from_each_district() -> None:
    position = with_cube("tithing", {"B.dice": "y6 y6", "A.deniers": 4})
    position.does("A", "farm with y6 of B and y6 of B using tithing")
    assert (position.at("A.deniers"), position.at("B.deniers")) == (6, 9)


def test_monk() -> None:
    """Scenario 44."""
    position = with_cube("monk", {"A.dice": "w5", "A.deniers": 0}).does("A", "farm with w5 using monk")
    assert position.at("A.deniers") == 7


def test_monk_with_a_bought_die() -> None:
    """Scenario 45."""
    position = with_cube("monk", {"B.dice": "w5", "A.deniers": 2}).does("A", "farm with w5 of B using monk")
    assert (position.at("A.deniers"), position.at("B.deniers")) == (7, 7)


def test_monk_takes_a_single_die() -> None:
    position = with_cube("monk", {"A.dice": "w5 w4 y3"})
    assert "single white die" in position.refusal("A", "farm with w5 w4 using monk")
    assert "single white die" in position.refusal("A", "farm with w5 y3 using monk")


def test_priest() -> None:
    """Scenario 43, reconstructed from the rule: each yellow die counts 3 more, beyond 6 too."""
    position = with_cube("priest", {"A.dice": "y6 y1", "A.deniers": 0}).does(
        "A", "farm with y6 y1 using priest"
    )
    assert position.at("A.deniers") == 6


def test_apprenticeship() -> None:
    """Scenario 47, reconstructed from the rule."""
    position = with_cube("apprenticeship", {"A.dice": "y1 y2 y1", "A.deniers": 0})
    position.does("A", "farm with y1 y2 y1 using apprenticeship")
    assert position.at("A.deniers") == 7


def test_apprenticeship_not_on_the_cathedral() -> None:
    """Scenario 46."""
    position = with_cube("apprenticeship", {"A.dice": "w1"})
    assert "T-5.24" in position.refusal("A", "build with w1 using apprenticeship")


def test_templar() -> None:
    position = with_cube("templar", {"A.dice": "w6", "events": ["war"]})
    position.does("A", "counter war with w6 using templar")
    assert position.at("events.war.banners") == ["A", "A", "A"]


def test_confession() -> None:
    position = with_cube("confession", {"A.dice": "r6 w5 y1", "A.deniers": 0})
    position.does("A", "farm with r6 w5 y1 using confession")
    assert position.at("A.deniers") == 6


def test_confession_needs_a_die_of_the_colour() -> None:
    position = with_cube("confession", {"A.dice": "r6 w5 y1"})
    assert "must have the colour" in position.refusal("A", "farm with r6 w5 using confession")


def test_pilgrimage() -> None:
    position = using("pilgrimage", **{"A.dice": "w5", "A.influence": 0}).does("A", "use pilgrimage with w5")
    assert (position.at("A.vp"), position.at("A.influence")) == (1, 1)


def test_glassmaker() -> None:
    position = using("glassmaker", **{"A.dice": "w6 w6 w6"}).does("A", "use glassmaker with w6 w6 w6")
    assert position.at("A.vp") == 6


def test_white_3_unidentified() -> None:
    card = "white-3-unidentified"
    assert using(card, **{"A.dice": "w4"}).does("A", "use white iii with w4").at("A.vp") == 1


# red cards


def test_archer_hits_and_stops() -> None:
    position = using("archer", **{"A.dice": "r6", "events": ["marauding", "war"], "A.influence": 0})
    position.dice({"archer": ["3", "2"]})
    position.does("A", "use archer with r6")
    assert position.asked() == {"A": "archer-event"}
    position.does("A", "cube on war")
    assert position.asked() == {"A": "archer-roll"}
    position.does("A", "roll").does("A", "enough")
    assert position.at("events.war.banners") == ["A"]
    assert position.at("A.influence") == 1
    assert position.asked() == {"B": "action"}


def test_diplomat() -> None:
    position = using("diplomat", **{"A.dice": "r3", "A.deniers": 0, "A.influence": 0})
    position.does("A", "use diplomat with r3")
    assert (position.at("A.deniers"), position.at("A.influence")) == (1, 1)


def test_knight() -> None:
    position = using("knight", **{"A.dice": "r6 r1 r1", "events": ["marauding", "war"]})
    position.does("A", "use knight with r6").does("A", "cube on war").does("A", "cube on marauding")
    assert position.at("events.war.banners") == position.at("events.marauding.banners") == ["A"]
    assert position.asked() == {"B": "action"}


def test_knight_may_place_fewer() -> None:
    position = using("knight", **{"A.dice": "r6 r1 r1", "events": ["marauding", "war"]})
    position.does("A", "use knight with r6").does("A", "enough")
    assert position.at("events.war.banners") == []


def test_hunting() -> None:
    position = using("hunting", **{"A.dice": "r5", "A.influence": 0}).does("A", "use hunting with r5")
    assert position.at("A.influence") == 2


def test_mercenary() -> None:
    position = using("mercenary", **{"A.dice": "r4", "A.deniers": 0}).does("A", "use mercenary with r4")
    assert position.at("A.deniers") == 4


def test_red_2_unidentified() -> None:
    position = with_cube("red-2-unidentified", {"A.dice": "r4", "events": ["war"]})
    position.does("A", "counter war with r4 using red ii house card")
    assert position.at("events.war.banners") == ["A", "A"]


def test_captain() -> None:
    banners = {
        "events": ["marauding", "war"],
        "events.marauding.banners": ["A"],
        "events.war.banners": ["A", "A"],
    }
    position = using("captain", **{**banners, "A.dice": "r6 r6"}).does("A", "use captain with r6 r6")
    assert position.at("A.vp") == 4


def test_red_3_unidentified_a() -> None:
    card = "red-3-unidentified-a"
    assert using(card, **{"A.dice": "r4"}).does("A", "use red iii first with r4").at("A.vp") == 1


def test_red_3_unidentified_b() -> None:
    position = using("red-3-unidentified-b", **{"A.dice": "r5", "A.influence": 1})
    position.does("A", "use red iii second with r5")
    assert (position.at("A.vp"), position.at("A.influence")) == (2, 0)


# the whole deck


def test_every_card_has_its_class_and_its_test() -> None:
    assert sorted(CLASSES) == sorted(HOUSE.activities)
    source = Path(__file__).read_text(encoding="utf-8")
    assert [card for card in CLASSES if f"def test_{card.replace('-', '_')}" not in source] == []


@pytest.mark.parametrize("colour", ["red", "white", "yellow"])
def test_t_1_7_three_cards_of_each_number_and_colour(colour: str) -> None:
    for number in (1, 2, 3):
        cards = [c for c in HOUSE.activities.values() if (c.colour, c.round) == (colour, number)]
        assert len(cards) == 3
