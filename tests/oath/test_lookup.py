"""`rules <word>`: every card and thing of the game is found under its name and said in whole sentences."""

from __future__ import annotations

import re

import pytest

from pbem.catalogue import sayer
from pbem.engine.core.text import Text, english
from pbem.engine.oath import statements, words
from pbem.engine.oath.empire_facts import SPACE
from pbem.engine.oath.lookup import lookup
from pbem.engine.oath.printed import (
    BANNERS,
    DENIZENS,
    EDIFICES,
    NAMES,
    OATHS,
    RELICS,
    SITES,
    VISIONS,
    Cost,
)
from pbem.engine.oath.rules import OathRules
from pbem.engine.oath.state import Oath

RULES = OathRules()
THINGS = statements.everything()
KEYS = re.compile(r"[a-z]_[a-z]|<\w+>|\b\d[a-z]\b")
"""What only the program says: ids, places that nobody filled, codes."""


@pytest.fixture(scope="module")
def g() -> Oath:
    return RULES.setup(["Ana", "Ben", "Carla", "Dora", "Enzo", "Fay"], {}, None, None)


def test_the_whole_game_has_statements() -> None:
    assert (len(DENIZENS), len(SITES), len(EDIFICES), len(VISIONS), len(OATHS)) == (198, 23, 6, 5, 4)
    wanted = [*DENIZENS, *SITES, *RELICS, *EDIFICES, *(f"{e}_ruined" for e in EDIFICES), *VISIONS, *OATHS]
    assert sorted(id for id, _, _ in THINGS) == sorted(wanted)


@pytest.mark.parametrize(
    ("id", "lines"), [(id, lines) for id, _, lines in THINGS], ids=[t[0] for t in THINGS]
)
def test_each_thing_is_said_in_sentences(id: str, lines: tuple[Text, ...]) -> None:
    said = [sayer("en")(line) for line in lines]
    assert len(said) >= 2
    for line in said:
        assert re.match(r"[A-Z]", line), line
        assert re.search(r"[.!?][)”]?$", line), line
        assert not KEYS.search(line), line
        assert not re.search(r"\b1 (secrets|relics|cards|dice|warbands)\b|\b0 ", line), line
        assert line.count("more than every other player") < 2


@pytest.mark.parametrize("id", [*(t[0] for t in THINGS), *BANNERS])
def test_each_thing_is_found_under_its_name_and_every_other_name(g: Oath, id: str) -> None:
    asked = {english(words.thing(id)), NAMES[id], *next((names for i, names, _ in THINGS if i == id), ())}
    for name in sorted(asked):
        found = lookup(g, name)
        assert found, name
        assert NAMES[id].removeprefix("The ").replace("'", "’") in [
            english(entry.name).removeprefix("The ").replace("'", "’") for entry in found
        ]


@pytest.mark.parametrize("space", SPACE.values(), ids=english)
def test_o_12_6_each_space_of_the_reliquary_is_found(g: Oath, space: Text) -> None:
    (entry,) = lookup(g, english(space))
    assert english(entry.name) == "Imperial Reliquary"
    assert any(english(line).startswith(f"{english(space)}: ") for line in entry.lines)


def test_o_12_2_the_scepter_is_not_said_to_be_unwritten(g: Oath) -> None:
    (scepter,) = (e for e in lookup(g, "grand scepter") if "Scepter" in english(e.name))
    assert not [line for line in scepter.lines if "does not carry out" in english(line)]


def test_a_site_says_what_it_gets_when_it_is_turned_up(g: Oath) -> None:
    said = {
        name: [english(line) for line in lookup(g, name)[0].lines]
        for name in ("mine", "great slum", "drowned city")
    }
    assert "When it is turned up it gets 3 favor and 1 facedown relic." in said["mine"]
    assert "When it is turned up it gets nothing." in said["great slum"]
    assert "Site without room for cards." in said["drowned city"]


def test_o_11_a_vision_says_its_goal_once(g: Oath) -> None:
    lines = [english(line) for line in lookup(g, "vision of sanctuary")[0].lines]
    goal = "holds more relics and banners together than every other player"
    assert f"Its goal is met by an Exile who {goal}." in lines


def test_o_8_2_costs_are_said_in_words() -> None:
    cost = Cost(favor=2, secret=1, burn_favor=1, burn_secret=2)
    assert [english(line) for line in statements.cost_words(cost)] == [
        "2 favor on the card",
        "1 secret on the card",
        "1 favor burned",
        "2 secrets burned",
    ]
