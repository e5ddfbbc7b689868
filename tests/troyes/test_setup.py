"""Setup (T-2): scenarios 1 to 5."""

from __future__ import annotations

import pytest

from pbem.engine.core.ruleset import BadSetup
from pbem.engine.core.scenario import Position
from pbem.engine.troyes import RULES

from .positions import at, counted

FREE = [
    *(f"palace {n}" for n in range(1, 7)),
    *(f"bishopric row {r} space {s}" for r in (1, 2, 3) for s in (1, 2)),
    *(f"city hall row {r} space {s}" for r in (1, 2) for s in (1, 2, 3)),
]


def dealt(seats: int) -> Position:
    return Position(RULES, list("ABCD")[:seats]).dice({"start player": "0"})


def place_all(position: Position) -> list[str]:
    """Everybody takes the next free space; who placed, in order."""
    order = []
    while "place" in position.asked().values():
        (seat,) = position.asked()
        for line in FREE:
            try:
                position.does(seat, line)
            except Exception:
                continue
            order.append(seat)
            break
    return order


def test_t_2_7_citizens_are_placed_in_a_snake() -> None:
    """Scenario 1."""
    assert place_all(dealt(3)) == list("ABC CBA ABC CBA ABC".replace(" ", ""))


def test_t_2_8_neutral_citizens_fill_two_spaces_with_four_players() -> None:
    """Scenario 2."""
    position = counted(dealt(4))
    order = place_all(position)
    assert len(order) == 16
    spaces = [who for rows in position.g.spaces.values() for row in rows for who in row]
    assert spaces.count("grey") == 2
    assert "" not in spaces


def test_t_2_8_neutral_citizens_fill_three_spaces_with_three_players() -> None:
    """Scenario 3, reconstructed from the rule."""
    position = dealt(3)
    place_all(position)
    spaces = [who for rows in position.g.spaces.values() for row in rows for who in row]
    assert spaces.count("grey") == 3
    assert "" not in spaces


def test_t_2_9_with_two_players_six_neutral_citizens_stand_first() -> None:
    position = dealt(2)
    assert position.asked() == {"A": "place"}
    assert position.at("palace.2") == position.at("city hall.2.1") == "grey"
    place_all(position)
    assert position.at("grey.supply") == 2


def test_t_2_1_start_values_with_two_players() -> None:
    """Scenario 4."""
    position = dealt(2)
    position.asked()
    for seat in "AB":
        values = [
            position.at(f"{seat}.{what}") for what in ("deniers", "influence", "supply", "general", "vp")
        ]
        assert values == [5, 4, 6, 6, 0]
        assert len(position.at(f"{seat}.characters")) == 2
    assert len(position.at("piles.red")) == 4
    assert len(position.at("piles.white")) == 4


def test_t_2_7_a_citizen_needs_an_empty_space() -> None:
    """Scenario 5."""
    position = at({"phase": "place", "palace.6": "B", "turn": "C"})
    assert "B’s citizen stands there" in position.refusal("C", "palace 6")
    assert "T-2.7" in position.refusal("C", "palace 6")


def test_t_2_7_short_forms_name_a_space() -> None:
    position = at({"phase": "place"})
    position.does("A", "bishopric 1 2")
    assert position.at("bishopric.1.2") == "A"


def test_t_2_2_only_the_owner_is_told_the_characters() -> None:
    position = dealt(3)
    position.asked()
    own = [line for line in position.heard("A") if line.startswith("You alone know")]
    assert len(own) == 1
    assert not [line for line in position.heard(None) if line.startswith("You alone know")]


@pytest.mark.parametrize("names", [["A"], list("ABCDE"), ["A", "a"], ["grey", "B"], ["A.B", "C"]])
def test_names_that_make_no_game_are_refused(names: list[str]) -> None:
    with pytest.raises(BadSetup):
        RULES.setup(names, {}, None, None)


def test_t_2_6_the_first_player_is_drawn() -> None:
    position = Position(RULES, list("ABC")).dice({"start player": "2"})
    assert position.asked() == {"C": "place"}


def test_t_2_4_the_red_pile_has_as_many_cards_as_rounds() -> None:
    for seats, rounds in ((2, 4), (3, 5), (4, 6)):
        position = dealt(seats)
        position.asked()
        assert len(position.at("piles.red")) == position.at("rounds") == rounds
