"""The end of the game (T-8): scenarios 73 to 79, and every character."""

from __future__ import annotations

from typing import Any

import pytest

from .positions import YELLOW_CARD, at, event

NO_AWARDS = {
    "A.influence": 0,
    "B.influence": 0,
    "C.influence": 0,
    "A.deniers": 0,
    "B.deniers": 0,
    "C.deniers": 0,
}
LEVELS = {
    f"cathedral.{level}.{column}": seat
    for column, seat in ((1, "A"), (2, "B"), (3, "C"))
    for level in (1, 2, 3)
}
PLAIN = {"A.characters": ["henri-i"], "B.characters": ["thibaut-ii"], "C.characters": ["hugues-de-payns"]}


def end(paths: dict[str, Any], cards: list[dict[str, Any]] | None = None) -> Any:
    return at({**PLAIN, **NO_AWARDS, **paths}, cards=cards)


def test_t_8_2_a_level_without_an_own_cube_costs_two_vp() -> None:
    """Scenario 73."""
    assert end({"A.vp": 10, "cathedral.1.1": "A"}).at("A.score") == 6


def test_t_8_6_the_loss_does_not_go_below_zero() -> None:
    assert end({"A.vp": 1}).at("A.score") == 0


def test_t_8_2_uncountered_events() -> None:
    """Scenario 74."""
    events = [event(f"e{n}", f"Event {n}") for n in (1, 2, 3)]
    paths = {"events": ["e1", "e2", "e3"], "events.e1.banners": ["A", "A"], "events.e2.banners": ["A"]}
    assert end({**LEVELS, **paths}, events).at("A.score") == 2


def test_t_8_3_marauding_counts() -> None:
    assert end({**LEVELS, "events": ["marauding"], "events.marauding.banners": ["A"]}).at("A.score") == 1


def test_t_8_4_each_character_scores_for_every_player() -> None:
    """Scenario 75, reconstructed from the rule."""
    position = end({**LEVELS, "A.influence": 10, "B.influence": 5})
    assert (position.at("A.score"), position.at("B.score"), position.at("C.score")) == (3, 1, 0)


def test_t_8_5_awards_do_not_add_up() -> None:
    """Scenario 76."""
    assert end({**LEVELS, "A.influence": 15}).at("A.score") == 6


def test_t_2_2_undealt_characters_do_not_score() -> None:
    """Scenario 77."""
    position = end({**LEVELS, "palace.1": "A", "palace.2": "A", "palace.3": "A"}).perform("scoring")
    assert position.at("A.score") == 0
    outcome = position.rules.outcome(position.g)
    assert outcome is not None
    assert len(outcome.ranking[0].why) == 1 + 3
    assert len(position.at("undealt characters")) == 3


def test_t_5_16_tradesmen() -> None:
    """Scenario 78."""
    paths = {**LEVELS, "activities": ["test-yellow"], "activities.test-yellow.tradesmen": ["B", "A", "C"]}
    position = end(paths, [YELLOW_CARD])
    assert [position.at(f"{s}.score") for s in "ABC"] == [1, 2, 0]


def test_t_8_7_equal_scores_share_the_win() -> None:
    """Scenario 79, reconstructed from the rule."""
    position = end({**LEVELS, "A.vp": 4, "B.vp": 4, "C.vp": 1}).perform("scoring")
    outcome = position.rules.outcome(position.g)
    assert outcome is not None
    assert [(r.seat, r.place, r.score) for r in outcome.ranking] == [("A", 1, 4), ("B", 1, 4), ("C", 3, 1)]
    assert outcome.reason.params["who"] == ("A", "B")


@pytest.mark.parametrize(
    ("character", "paths"),
    [
        ("hugues-de-payns", {"A.influence": 15}),
        ("chretien-de-troyes", {f"palace.{n}": "A" for n in range(1, 7)} | {"bishopric.1.1": "A"}),
        ("henri-i", {"A.event cards": ["war", "siege", "feud", "heresy", "doubt"]}),
        ("thibaut-ii", {"A.deniers": 18}),
        ("urban-iv", {f"cathedral.{level}.{n}": "A" for n in (4, 5) for level in (1, 2, 3)}),
        (
            "the-florentine",
            {"activities": ["archer", "monk", "miller", "hunting", "templar", "militia"]}
            | {f"activities.{card}.tradesmen": ["B", "C", "A"] for card in ("archer", "monk", "miller")}
            | {f"activities.{card}.tradesmen": ["B", "C", "A"] for card in ("hunting", "templar", "militia")},
        ),
    ],
)
def test_character(character: str, paths: dict[str, Any]) -> None:
    position = at(
        {
            "A.characters": [character],
            **NO_AWARDS,
            **LEVELS,
            **paths,
            "B.characters": position_others(character)[0:1],
        }
    )
    position.perform("scoring")
    outcome = position.rules.outcome(position.g)
    assert outcome is not None
    name = position.g.cards.characters[character].name
    why = next(r.why for r in outcome.ranking if r.seat == "A")
    award = next(
        line for line in why if line.params.get("character") and line.params["character"].msgid == name
    )
    assert award.params["points"].params["n"] == 6


def position_others(character: str) -> list[str]:
    return [c for c in ("henri-i", "thibaut-ii") if c != character]


def test_at_the_end_everything_is_open() -> None:
    position = end({**LEVELS, "B.vp": 4}).perform("scoring")
    view = position.rules.view(position.g, None)
    assert [p.score for p in view.players] == [0, 4, 0]
    assert all(p.characters for p in view.players)
