"""Income, wages and workforce (T-3): scenarios 6 to 10."""

from __future__ import annotations

from .positions import YELLOW_CARD, at, counted


def test_t_3_6_wages_are_paid_for_palace_and_bishopric() -> None:
    """Scenario 6."""
    position = at(
        {"A.deniers": 5, "palace.1": "A", "palace.2": "A", "bishopric.1.1": "A", "city hall.1.1": "A"}
    )
    assert position.perform("income").at("A.deniers") == 10


def five_in_the_palace(vp: int) -> dict[str, object]:
    spaces = {f"palace.{n}": "A" for n in range(1, 7)}
    return {**spaces, "bishopric.1.1": "A", "A.deniers": 0, "A.vp": vp}


def test_t_3_7_a_shortfall_takes_all_money_and_two_vp() -> None:
    """Scenario 7, reconstructed from the rule."""
    position = at(five_in_the_palace(5)).perform("income")
    assert (position.at("A.deniers"), position.at("A.vp")) == (0, 3)
    assert position.at("palace.6") == "A"


def test_t_4_6_a_shortfall_without_vp_loses_none() -> None:
    """Scenario 8."""
    position = at(five_in_the_palace(0)).perform("income")
    assert (position.at("A.deniers"), position.at("A.vp")) == (0, 0)


def test_d_16_the_fact_about_a_loss_tells_nothing_about_the_hidden_total() -> None:
    rich = at(five_in_the_palace(9)).perform("income").heard("B")
    poor = at(five_in_the_palace(0)).perform("income").heard("B")
    assert rich == poor
    assert any("up to 2 VP" in line for line in rich)


def test_t_3_6_tradesmen_are_not_paid() -> None:
    """Scenario 9."""
    paths = {
        "activities": ["test-yellow", "archer", "monk"],
        "activities.test-yellow.tradesmen": ["A"],
        "activities.archer.tradesmen": ["A"],
        "activities.monk.tradesmen": ["A"],
        "city hall.1.1": "A",
        "A.deniers": 5,
    }
    position = at(paths, cards=[YELLOW_CARD]).perform("income")
    assert position.at("A.deniers") == 15


def test_t_3_6_lying_citizens_are_not_paid() -> None:
    position = at({"lying.palace": ["A", "A"], "A.deniers": 5}).perform("income")
    assert position.at("A.deniers") == 15


def test_t_3_9_each_citizen_gives_a_die_of_its_building() -> None:
    """Scenario 10."""
    players = {
        "palace": ["A", "B", "C", "D", "A"],
        "bishopric": ["B", "C", "D", "A", "B", "C"],
        "city hall": ["D", "A", "B", "C", "D"],
    }
    paths: dict[str, object] = {"palace.6": "grey", "city hall.2.3": "grey"}
    for n, who in enumerate(players["palace"], 1):
        paths[f"palace.{n}"] = who
    for n, who in enumerate(players["bishopric"]):
        paths[f"bishopric.{n // 2 + 1}.{n % 2 + 1}"] = who
    for n, who in enumerate(players["city hall"]):
        paths[f"city hall.{n // 3 + 1}.{n % 3 + 1}"] = who
    position = at(paths, seats=4).dice({"workforce grey": "3 5"}).perform("workforce")
    assert position.at("grey.dice") == "r3 y5"
    dice = [die for owner in [*"ABCD", "grey"] for die in position.at(f"{owner}.dice").split()]
    assert len(dice) == 18
    counted(position)


def test_t_3_4_activities_of_the_round_are_turned_up() -> None:
    position = at({"round": 1}).perform("activities")
    assert position.at("round") == 2
    assert len(position.at("activities")) == 3
    assert all(position.g.cards.activities[card].round == 2 for card in position.at("activities"))


def test_t_3_4_no_activities_come_after_round_three() -> None:
    assert at({"round": 3}, seats=4).perform("activities").at("activities") == []
