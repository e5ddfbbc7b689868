"""An owner's own file of card numbers (docs/troyes-cards.md)."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from pbem.engine.core.ruleset import BadSetup
from pbem.engine.core.testing import play
from pbem.engine.core.text import english
from pbem.engine.troyes import RULES
from pbem.engine.troyes.cards import HOUSE

PAGE = Path(__file__).parents[2] / "docs" / "troyes-cards.md"


def template() -> dict[str, Any]:
    return tomllib.loads(PAGE.read_text(encoding="utf-8").split("```toml\n")[-1].split("```")[0])


def test_the_house_deck_is_named_in_each_digest() -> None:
    line = RULES.edition({}, None)
    assert line is not None
    assert english(line).startswith("House deck: ")


def test_the_template_is_complete_and_right() -> None:
    data = template()
    assert RULES.check_data(data) == []
    assert [card["id"] for card in data["activity"]] == list(HOUSE.activities)
    assert [card["id"] for card in data["event"]] == list(HOUSE.events)
    assert [card["id"] for card in data["character"]] == list(HOUSE.characters)


def test_a_complete_file_ends_the_house_deck() -> None:
    assert RULES.edition({}, template()) is None


def test_one_number_is_enough() -> None:
    data = {"activity": [{"id": "miller", "hire_cost": 7}]}
    g = RULES.setup(["Ana", "Ben"], {}, data, None)
    assert g.cards.activities["miller"].hire_cost == 7
    assert g.cards.activities["miller"].divisor == HOUSE.activities["miller"].divisor
    line = RULES.edition({}, data)
    assert line is not None
    assert english(line).startswith("Partly house deck")


def test_a_game_keeps_its_numbers_through_the_store() -> None:
    g = RULES.setup(["Ana", "Ben"], {}, {"activity": [{"id": "miller", "hire_cost": 7}]}, None)
    assert RULES.load(RULES.dump(g)).cards.activities["miller"].hire_cost == 7


def test_a_card_may_work_like_another() -> None:
    data = {"activity": [{"id": "confession", "like": "innkeeper", "pay_deniers": 1, "gain_influence": 1}]}
    g = RULES.setup(["Ana", "Ben"], {}, data, None)
    assert g.cards.activities["confession"].like == "innkeeper"


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ([], "TOML table"),
        ({"activities": []}, "did you mean “activity”"),
        ({"activity": [{"id": "millar"}]}, "known is miller"),
        ({"activity": [{"hire_cost": 3}]}, "id is missing"),
        ({"activity": [{"id": "miller"}, {"id": "miller"}]}, "twice"),
        ({"activity": [{"id": "miller", "hire": 3}]}, "did you mean “hire_cost”"),
        ({"activity": [{"id": "miller", "divisor": 0}]}, "from 1 on"),
        ({"activity": [{"id": "miller", "vp_spots": [1]}]}, "a list of 2"),
        ({"activity": [{"id": "miller", "like": "baker"}]}, "one of these"),
        ({"event": [{"id": "war", "counter_colour": "black"}]}, "one of these"),
        ({"event": [{"id": "flood"}]}, "not complete"),
        ({"event_deck": "replace"}, "red event pile has 0 cards"),
        ({"character": [{"id": "urban-iv", "thresholds": [1, 2]}]}, "a list of 3"),
        ({"two_player_neutrals": {"palace": [[1, 1]], "bishopric": [], "city_hall": []}}, "six different"),
        ({"two_player_neutrals": 3}, "are wanted"),
        ({"activity": {"id": "miller"}}, "[[activity]]"),
    ],
)
def test_mistakes_are_named_with_their_place(data: Any, words: str) -> None:
    wrong = [english(line) for line in RULES.check_data(data)]
    assert any(words in line for line in wrong), wrong
    if data:
        with pytest.raises(BadSetup):
            RULES.setup(["Ana", "Ben"], {}, data, None)


def test_invented_cards_are_never_dealt() -> None:
    card = {
        "kind": "activity",
        "id": "x",
        "name": "X",
        "colour": "red",
        "round": 1,
        "hire_cost": 1,
        "divisor": 1,
    }
    data = {"card": [{**card, "vp_spots": [1, 1], "like": "hunting", "gain_influence": 1}]}
    g = RULES.setup(["Ana", "Ben"], {}, data, None)
    assert "x" in g.cards.activities
    assert "x" in g.unused_activities.under_seal()
    RULES.check(g)


def test_games_with_the_template_end(monkeypatch: pytest.MonkeyPatch) -> None:
    original = RULES.setup
    monkeypatch.setattr(
        type(RULES),
        "setup",
        lambda self, seats, options, data, legacy: original(seats, options, template(), legacy),
    )
    assert play(RULES, ["Ana", "Ben", "Carla"], 5).decisions > 15
