"""The six characters: what each of them counts for every player (T-8.4, T-8.5)."""

from __future__ import annotations

from collections.abc import Callable

from ..core.text import Text
from .cards import CharacterPrint
from .state import BUILDINGS, Seat, Troyes

AWARDS = (1, 3, 6)


def _influence(g: Troyes, seat: Seat) -> int:
    return seat.influence


def _citizens(g: Troyes, seat: Seat) -> int:
    return sum(g.citizens_in(building, seat.name) for building in BUILDINGS)


def _event_cards(g: Troyes, seat: Seat) -> int:
    return len(seat.won)


def _deniers(g: Troyes, seat: Seat) -> int:
    return seat.deniers


def _cathedral_cubes(g: Troyes, seat: Seat) -> int:
    return sum(level.count(seat.name) for level in g.cathedral)


def _tradesmen(g: Troyes, seat: Seat) -> int:
    return sum(card.tradesmen.count(seat.name) for card in g.activities)


MEASURES: dict[str, Callable[[Troyes, Seat], int]] = {
    "hugues-de-payns": _influence,
    "chretien-de-troyes": _citizens,
    "henri-i": _event_cards,
    "thibaut-ii": _deniers,
    "urban-iv": _cathedral_cubes,
    "the-florentine": _tradesmen,
}

COUNTS = {
    "hugues-de-payns": Text("influence held at the end"),
    "chretien-de-troyes": Text("own citizens standing in the three main buildings"),
    "henri-i": Text("event cards won"),
    "thibaut-ii": Text("deniers held at the end"),
    "urban-iv": Text("own cubes on the cathedral"),
    "the-florentine": Text("own tradesmen on activity cards"),
}


def award(g: Troyes, card: CharacterPrint, seat: Seat) -> int:
    """T-8.5: 6, 3 or 1 VP for the highest threshold reached, not added up."""
    held = MEASURES[card.id](g, seat)
    reached = [vp for vp, least in zip(AWARDS, card.thresholds, strict=True) if held >= least]
    return reached[-1] if reached else 0
