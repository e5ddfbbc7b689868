"""Events (T-4.1 to T-4.8): scenarios 11, 23 to 25, and every effect."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.engine.troyes.cards import HOUSE

from .positions import at, counted, event

TAX = event("tax", "Tax", effect="pay_deniers", amount=3)
TOLL = event("toll", "Toll", effect="pay_deniers", amount=3)


def test_t_4_1_a_red_card_brings_a_card_of_the_pile_it_shows() -> None:
    position = at({"events": ["marauding"], "piles.red": ["war"], "piles.white": ["heresy"]})
    position.perform("events")
    assert position.at("events") == ["marauding", "war", "heresy"]


def test_t_4_1_an_empty_second_pile_brings_nothing() -> None:
    position = at({"events": ["marauding"], "piles.red": ["war"], "piles.white": []}).perform("events")
    assert position.at("events") == ["marauding", "war"]


def test_t_4_4_military_events_bring_black_dice() -> None:
    """Scenario 11, reconstructed from the rule."""
    position = at({"phase": "effects", "events": ["marauding", "war"], "A.dice": "w6"})
    position.dice({"black dice": "2 6 4"})
    assert position.asked() == {"A": "fight"}
    assert position.at("black dice") == "k6 k4 k2"


def test_t_4_8_six_black_dice_are_all_there_are() -> None:
    raiders = [event(f"raid-{n}", f"Raid {n}", black_dice=6) for n in (1, 2)]
    position = at({"events": ["raid-1", "raid-2"], "piles.red": []}, cards=raiders)
    position.dice({"black dice": "6 6 5 5 4 4"}).perform("events")
    assert position.at("black dice") == "k6 k6 k5 k5 k4 k4"


def test_t_4_5_each_player_pays_the_event() -> None:
    """Scenario 23, reconstructed from the rule."""
    position = at({"events": ["tax"], "A.deniers": 5, "A.vp": 5}, cards=[TAX]).perform("effects")
    assert (position.at("A.deniers"), position.at("A.vp")) == (2, 5)


def test_t_4_5_who_cannot_suffer_in_full_loses_two_vp() -> None:
    """Scenario 24."""
    position = at({"events": ["tax"], "B.deniers": 2, "B.vp": 5}, cards=[TAX]).perform("effects")
    assert (position.at("B.deniers"), position.at("B.vp")) == (0, 3)


def test_t_4_5_two_such_events_add_up() -> None:
    """Scenario 25."""
    paths = {"events": ["tax", "toll"], "B.deniers": 2, "B.vp": 5}
    position = at(paths, cards=[TAX, TOLL]).perform("effects")
    assert (position.at("B.deniers"), position.at("B.vp")) == (0, 1)


def house(id: str) -> str:
    assert id in HOUSE.events
    return id


@pytest.mark.parametrize(
    ("id", "dice"),
    [
        ("marauding", 1),
        ("war", 2),
        ("border-raid", 1),
        ("robber-band", 1),
        ("siege", 2),
        ("feud", 1),
        ("invasion", 2),
        ("highwaymen", 1),
    ],
)
def test_military_event(id: str, dice: int) -> None:
    position = at({"events": [house(id)]}).perform("effects")
    assert position.g.black_taken == dice


def test_succession_conflict() -> None:
    position = at({"events": [house("succession-conflict")], "palace.6": "B"}).perform("effects")
    assert position.at("palace.6") == "grey"
    assert position.at("lying.palace") == ["B"]
    counted(position)


def test_succession_conflict_without_a_neutral_citizen_left() -> None:
    greys: dict[str, object] = {f"palace.{n}": "grey" for n in range(1, 6)}
    greys |= {"bishopric.1.1": "grey", "bishopric.1.2": "grey", "bishopric.2.1": "grey", "palace.6": "B"}
    position = at({**greys, "events": ["succession-conflict"]}).perform("effects")
    assert position.at("palace.6") == "B"


def test_civil_war() -> None:
    position = at({"events": [house("civil-war")], "A.deniers": 7}).perform("effects")
    assert position.at("A.deniers") == 4


def test_heresy() -> None:
    position = at({"events": [house("heresy")], "A.influence": 2, "B.influence": 0, "B.vp": 4})
    position.perform("effects")
    assert (position.at("A.influence"), position.at("B.influence"), position.at("B.vp")) == (1, 0, 2)


def test_excommunication() -> None:
    paths = {"events": [house("excommunication")], "bishopric.1.1": "A", "bishopric.1.2": "B"}
    position = at(paths).perform("effects")
    assert (position.at("bishopric.1.1"), position.at("bishopric.1.2")) == ("grey", "A")
    assert position.at("lying.bishopric") == ["B"]
    counted(position)


def test_cracked_vault_takes_a_cube_with_none_above_it() -> None:
    paths = {
        "phase": "effects",
        "events": [house("cracked-vault")],
        "cathedral.1.1": "A",
        "cathedral.2.1": "B",
        "cathedral.1.2": "A",
        "cathedral.1.3": "A",
    }
    position = at(paths)
    assert position.asked() == {"A": "lose-cathedral-cube"}
    assert "I cannot read" in position.refusal("A", "level 1 column 1")
    position.does("A", "level 1 column 2")
    assert position.at("cathedral.1.2") == "empty"
    assert position.at("cathedral.2.1") == "empty"
    assert position.at("cathedral.1.1") == "A"


def test_cracked_vault_without_a_cube_costs_two_vp() -> None:
    position = at({"events": ["cracked-vault"], "A.vp": 3}).perform("effects")
    assert position.at("A.vp") == 1


def test_doubt_asks_everybody_at_once() -> None:
    paths = {
        "phase": "effects",
        "events": ["marauding", "war", house("doubt")],
        "events.marauding.banners": ["A", "B"],
        "events.war.banners": ["A", "A", "B"],
        "C.vp": 2,
    }
    position = at(paths)
    assert position.asked() == {"A": "lose-event-cube", "B": "lose-event-cube"}
    position.does("B", "cube from war").does("A", "cube from marauding")
    assert position.at("events.marauding.banners") == ["B"]
    assert position.at("events.war.banners") == ["A", "A"]
    assert position.at("C.vp") == 0


def test_drought() -> None:
    position = at({"events": [house("drought")], "A.deniers": 2}).perform("effects")
    assert position.at("A.deniers") == 0


def test_unrest() -> None:
    paths = {"events": [house("unrest")], "city hall.1.1": "A", "city hall.1.2": "B", "city hall.1.3": "C"}
    position = at(paths).perform("effects")
    row = [position.at(f"city hall.1.{n}") for n in (1, 2, 3)]
    assert (row, position.at("lying.city hall")) == (["grey", "A", "B"], ["C"])


def test_empty_granaries() -> None:
    paths = {
        "phase": "effects",
        "events": [house("empty-granaries")],
        "A.dice": "y5 y2 r3",
        "B.dice": "y4 y4",
        "C.vp": 2,
    }
    position = at(paths)
    assert position.asked() == {"A": "discard-die"}
    position.does("A", "y2")
    assert (position.at("A.dice"), position.at("B.dice"), position.at("C.vp")) == ("r3 y5", "y4", 0)


def test_t_4_5_an_effect_for_two_dice_costs_two_vp_once_for_the_card() -> None:
    dearth = event("dearth", "Dearth", effect="discard_yellow_die", amount=2)
    position = at({"events": ["dearth"], "A.vp": 5, "B.vp": 5, "B.dice": "y3"}, cards=[dearth])
    position.perform("effects")
    assert (position.at("A.vp"), position.at("B.vp"), position.at("B.dice")) == (3, 3, "")


def test_every_event_of_the_deck_has_its_test() -> None:
    source = Path(__file__).read_text(encoding="utf-8")
    assert [id for id in HOUSE.events if f'"{id}"' not in source] == []
