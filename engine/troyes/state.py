"""The position between two steps, as plain data."""

from __future__ import annotations

import msgspec

from ..core.facts import Fact
from ..core.sealed import Sealed
from .cards import Catalogue, catalogue
from .words import GREY

COLOURS = ("red", "white", "yellow")
"""T-1.1: military, religious, civil."""

BUILDINGS = ("palace", "bishopric", "city hall")
COLOUR_OF = {"palace": "red", "bishopric": "white", "city hall": "yellow"}
BUILDING_OF = {colour: building for building, colour in COLOUR_OF.items()}
ROWS = {"palace": (1, 6), "bishopric": (3, 2), "city hall": (2, 3)}
"""T-5.41 to T-5.43: how many rows, and how many spaces in each."""

EMPTY = ""

CITIZENS = 12  # T-1.3, of each player
NEUTRALS = 8  # T-1.3
DICE_A_COLOUR = 6  # T-1.2
MOST_INFLUENCE = 20  # T-1.6

Dice = dict[str, list[int]]
"""A district's dice: their faces by colour, highest first."""


def no_dice() -> Dice:
    """A district without dice."""
    return {colour: [] for colour in COLOURS}


class Seat(msgspec.Struct):
    """One player's side."""

    name: str
    vp: Sealed[int]
    characters: Sealed[tuple[str, ...]]
    supply: int
    """Citizens in the personal supply."""
    general: int
    """This colour's citizens in the general supply."""
    deniers: int = 5
    influence: int = 4
    dice: Dice = msgspec.field(default_factory=no_dice)
    passed: bool = False
    passing: int = 0
    """Deniers lying in the district until the end of the round (T-5.51)."""
    won: list[str] = msgspec.field(default_factory=list)
    """Event cards kept (T-5.36)."""
    revealed: tuple[str, ...] = ()
    """Characters turned up at the end (T-8.4)."""


class ActivitySpace(msgspec.Struct):
    """One of the nine places for activity cards, and what stands on its card."""

    colour: str
    number: int
    card: Sealed[str]
    shown: str = ""
    """The card's id once it is face up."""
    tradesmen: list[str] = msgspec.field(default_factory=list)
    """Owners, leftmost space first; empty where one has left again (T-5.14)."""
    cubes: dict[str, int] = msgspec.field(default_factory=dict)
    """Deferred cubes by owner (T-5.20)."""


class EventOnTable(msgspec.Struct):
    """A face-up event."""

    id: str
    cubes: list[str] = msgspec.field(default_factory=list)
    """Owners in the order of placing (T-5.34)."""


def _empty_spaces() -> dict[str, list[list[str]]]:
    return {b: [[EMPTY] * spaces for _ in range(rows)] for b, (rows, spaces) in ROWS.items()}


class Troyes(msgspec.Struct):
    """A whole game."""

    seats: list[Seat]
    """Clockwise."""
    rounds: int
    own_cards: str = ""
    """The owner's card numbers as JSON; empty for the house deck."""
    ruling: int = 0
    phase: str = "deal"
    round: int = 0
    start: int = 0
    """Index of the start player."""
    turn: int = 0
    """Index of the player whose turn it is."""
    turns: int = 0
    """How many turns have ended since the game began."""
    effect: int = 0
    """Events that have taken effect this round (T-4.3)."""
    fought: bool = False
    """Whether the player on turn has met the highest black die (T-4.10)."""
    spaces: dict[str, list[list[str]]] = msgspec.field(default_factory=_empty_spaces)
    lying: dict[str, list[str]] = msgspec.field(default_factory=lambda: {b: [] for b in BUILDINGS})
    cathedral: list[list[str]] = msgspec.field(default_factory=lambda: [[EMPTY] * 6 for _ in range(3)])
    grey_dice: Dice = msgspec.field(default_factory=no_dice)
    grey_supply: int = NEUTRALS
    activities: list[ActivitySpace] = msgspec.field(default_factory=list)
    events: list[EventOnTable] = msgspec.field(default_factory=list)
    piles: dict[str, Sealed[list[str]]] = msgspec.field(default_factory=dict)
    black_taken: int = 0
    """Black dice the start player has taken and not rolled yet (T-4.4)."""
    black: list[int] = msgspec.field(default_factory=list)
    """Black dice rolled and not beaten, highest first."""
    unused_activities: Sealed[list[str]] = msgspec.field(default_factory=lambda: Sealed([]))
    unused_events: Sealed[list[str]] = msgspec.field(default_factory=lambda: Sealed([]))
    unused_characters: Sealed[list[str]] = msgspec.field(default_factory=lambda: Sealed([]))
    journal: list[Fact] = msgspec.field(default_factory=list)

    @property
    def cards(self) -> Catalogue:
        """What is printed on the cards of this game."""
        return catalogue(self.own_cards)

    @property
    def active(self) -> Seat:
        """The player whose turn it is."""
        return self.seats[self.turn]

    def seat(self, name: str) -> Seat:
        """The player of this name."""
        for seat in self.seats:
            if seat.name == name:
                return seat
        raise KeyError(name)

    def in_order(self) -> list[Seat]:
        """Everybody, clockwise from the start player (T-3.3)."""
        return self.seats[self.start :] + self.seats[: self.start]

    def dice_of(self, owner: str) -> Dice:
        """The dice in a district, the grey one included."""
        return self.grey_dice if owner == GREY else self.seat(owner).dice

    def event(self, id: str) -> EventOnTable:
        """The face-up event of this id."""
        return next(e for e in self.events if e.id == id)

    def face_up(self) -> list[ActivitySpace]:
        """The activity cards that may be used."""
        return [a for a in self.activities if a.shown]

    def citizens_in(self, building: str, owner: str) -> int:
        """How many of an owner's citizens stand in a building."""
        return sum(row.count(owner) for row in self.spaces[building])

    def tell(self, fact: Fact) -> None:
        """Put something that happened into the journal."""
        self.journal.append(fact)


SCHEMA = 1
