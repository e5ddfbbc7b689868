"""The vocabulary of scenario files: every path can be read, written ones checked."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from pbem.engine.core.ruleset import BadPath
from pbem.engine.core.scenario import Position
from pbem.engine.troyes import RULES

from .positions import at, counted


def test_every_path_reads_back_what_was_written() -> None:
    """A position copied path by path is the same position."""
    position = at(
        {
            "activities": ["miller", "monk", "archer"],
            "activities.miller.tradesmen": ["B", "A"],
            "activities.monk.cubes.C": 2,
            "events": ["marauding", "war"],
            "events.war.banners": ["A", "C"],
            "palace.3": "A",
            "bishopric.2.1": "grey",
            "lying.city hall": ["C"],
            "cathedral.1.4": "B",
            "A.dice": "r5 w2 y3",
            "A.district deniers": 3,
            "B.event cards": ["siege"],
            "C.characters": ["urban-iv"],
            "black dice": "k6 k1",
        }
    )
    twin = Position(RULES, list("ABC"))
    for info in RULES.paths(position.g):
        if info.writable:
            twin.arrange({info.path: position.at(info.path)})
    for info in RULES.paths(position.g):
        assert twin.at(info.path) == position.at(info.path), info.path
    counted(twin)


def test_hidden_paths_are_marked() -> None:
    hidden = {info.path for info in RULES.paths(at().g) if info.hidden}
    assert {"A.vp", "A.characters", "piles.red", "undealt characters", "A.score"} <= hidden
    assert "A.deniers" not in hidden


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("A.deniers", -1),
        ("A.deniers", "many"),
        ("A.deniers", True),
        ("A.influence", 21),
        ("A.dice", "r7"),
        ("A.dice", "r1 r1 r1 r1 r1 r1 r1"),
        ("A.supply", 13),
        ("A.passed", 1),
        ("palace.3", "Zoe"),
        ("cathedral.2.1", "A"),
        ("cathedral.1.1", "grey"),
        ("black dice", "k7"),
        ("black dice", "k1 k1 k1 k1 k1 k1 k1"),
        ("activities", ["merchant", "miller"]),
        ("activities", ["baker"]),
        ("activities", "miller"),
        ("events", ["war", "war"]),
        ("events.marauding.banners", ["A", "A", "A", "A", "A"]),
        ("phase", "tea"),
        ("start player", "D"),
        ("round", 9),
        ("A.characters", ["henri-i", "urban-iv"]),
        ("A.characters", ["nobody"]),
        ("rounds", 5),
        ("lying.palace", ["grey"]),
    ],
)
def test_a_wrong_value_is_refused_and_changes_nothing(path: str, value: Any) -> None:
    position = at()
    before = RULES.dump(position.g)
    with pytest.raises(BadPath):
        position.arrange({path: value})
    assert RULES.dump(position.g) == before


def test_a_misspelt_path_names_what_is_near() -> None:
    with pytest.raises(BadPath) as refused:
        at({"A.denier": 3})
    assert "A.deniers" in refused.value.near


def test_a_card_that_is_not_face_up_says_what_to_do() -> None:
    with pytest.raises(BadPath) as refused:
        at({"activities.miller.tradesmen": ["A"]})
    assert refused.value.near == ("activities",)


def test_a_thirteenth_citizen_is_refused() -> None:
    spaces: dict[str, Any] = {f"palace.{n}": "A" for n in range(1, 7)}
    spaces |= {f"bishopric.{r}.{s}": "A" for r in (1, 2, 3) for s in (1, 2)}
    position = at(spaces)
    before = RULES.dump(position.g)
    with pytest.raises(BadPath):
        position.arrange({"city hall.1.1": "A"})
    assert RULES.dump(position.g) == before


def test_unknown_procedures_are_refused() -> None:
    with pytest.raises(BadPath) as refused:
        at().perform("incomes")
    assert "income" in refused.value.near


def test_a_position_in_play_still_plays() -> None:
    position = at({"A.dice": "y6"}).does("A", "farm with y6")
    assert position.asked() == {"B": "action"}
    assert position.at("A.deniers") == 8


def test_every_path_stands_in_the_documentation() -> None:
    page = (Path(__file__).parents[2] / "docs" / "troyes-paths.md").read_text(encoding="utf-8")
    documented = {_family(name) for name in re.findall(r"`([a-zA-Z][^`\"]*)`", page)}
    position = at({"activities": ["miller", "monk"], "events": ["marauding", "war"]})
    missing = {_family(info.path) for info in RULES.paths(position.g)} - documented
    assert sorted(missing) == []


def _family(path: str) -> str:
    """A path without what varies: seats, cards, numbers, colours."""
    parts = path.split(".")
    names = ("A", "B", "C", "miller", "monk", "marauding", "war", "red", "white", "yellow")
    return ".".join("*" if part in names or part.isdigit() else part for part in parts)
