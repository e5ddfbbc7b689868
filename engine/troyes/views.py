"""What a seat may see, built by listing."""

from __future__ import annotations

import msgspec

from ..core.ruleset import Position
from ..core.text import Text
from . import words
from .activities import activity_of
from .cards import CharacterPrint
from .characters import COUNTS
from .events import EFFECTS
from .scoring import score
from .state import BUILDINGS, COLOUR_OF, COLOURS, EMPTY, ActivitySpace, Dice, EventOnTable, Seat, Troyes
from .verbs import strongest

PHASES = {
    "deal": (Text("setup"), "T-2"),
    "place": (Text("setup"), "T-2.7"),
    "activities": (Text("activities"), "T-3.4"),
    "income": (Text("income"), "T-3.5"),
    "workforce": (Text("workforce"), "T-3.9"),
    "events": (Text("events"), "T-4.1"),
    "effects": (Text("events"), "T-4.3"),
    "black dice": (Text("events"), "T-4.9"),
    "fights": (Text("fights"), "T-4.10"),
    "actions": (Text("actions"), "T-5.1"),
    "end": (Text("end of the round"), "T-7"),
    "scoring": (Text("end of the game"), "T-8"),
    "over": (Text("end of the game"), "T-8"),
}


class View(msgspec.Struct, frozen=True):
    """A part of what a seat may see."""


class DieView(View, frozen=True):
    """A die."""

    colour: str
    face: int
    words: Text


class SpaceView(View, frozen=True):
    """A space of a building or of the cathedral; `owner` is empty where nobody stands."""

    number: int
    owner: str
    words: Text | str


class RowView(View, frozen=True):
    """A row of a building."""

    label: Text
    spaces: tuple[SpaceView, ...]


class BuildingView(View, frozen=True):
    """A main building."""

    id: str
    colour: str
    name: Text
    wage: Text
    rows: tuple[RowView, ...]
    lying: tuple[str, ...]


class CubesView(View, frozen=True):
    """Somebody's cubes."""

    owner: str
    n: int


class ActivityView(View, frozen=True):
    """A face-up activity card."""

    id: str
    name: Text
    colour: str
    colour_words: Text
    kind: Text
    effect: Text
    divisor: int
    hire_cost: int
    vp_spots: tuple[int, ...]
    tradesmen: tuple[SpaceView, ...]
    """Leftmost first."""
    cubes: tuple[CubesView, ...]


class EventView(View, frozen=True):
    """A face-up event."""

    id: str
    name: Text
    colour: str
    colour_words: Text
    effect: Text
    divisor: int
    banners: int
    free: int
    black_dice: int
    vp_first: int
    vp_second: int
    cubes: tuple[CubesView, ...]
    """Strongest first."""


class CharacterView(View, frozen=True):
    """A character that the reader may know."""

    name: Text
    counts: Text
    thresholds: tuple[int, ...]


class PlayerView(View, frozen=True):
    """A player's public side."""

    name: str
    deniers: int
    influence: int
    supply: int
    general: int
    dice: tuple[DieView, ...]
    passed: bool
    passing: int
    won: tuple[Text, ...]
    characters: tuple[Text, ...]
    """Turned up at the end."""
    score: int | None
    """At the end."""


class OwnView(View, frozen=True):
    """What the reader alone knows."""

    vp: int
    characters: tuple[CharacterView, ...]


class TroyesView(View, frozen=True):
    """The whole table as one reader sees it."""

    seat: str | None
    seats: tuple[str, ...]
    """Everybody, in the order of the table."""
    label: Text
    round: int
    rounds: int
    phase: Text
    start: str
    active: str
    over: bool
    buildings: tuple[BuildingView, ...]
    cathedral: tuple[RowView, ...]
    grey_dice: tuple[DieView, ...]
    black_dice: tuple[DieView, ...]
    activities: tuple[ActivityView, ...]
    events: tuple[EventView, ...]
    players: tuple[PlayerView, ...]
    """Clockwise from the start player."""
    own: OwnView | None

    @property
    def me(self) -> PlayerView | None:
        """The reader's own public side."""
        return next((p for p in self.players if p.name == self.seat), None)

    @property
    def others(self) -> tuple[PlayerView, ...]:
        """Everybody else."""
        return tuple(p for p in self.players if p.name != self.seat)


def view(g: Troyes, seat: str | None) -> TroyesView:
    """The table for a seat, or for the observer."""
    return TroyesView(
        seat=seat,
        seats=tuple(holder.name for holder in g.seats),
        label=position(g).label,
        round=g.round,
        rounds=g.rounds,
        phase=PHASES[g.phase][0],
        start=g.seats[g.start].name,
        active=g.active.name,
        over=g.phase == "over",
        buildings=tuple(_building(g, building) for building in BUILDINGS),
        cathedral=tuple(_level(g, level) for level in (2, 1, 0)),
        grey_dice=_dice(g.grey_dice),
        black_dice=tuple(DieView("black", face, words.die("black", face)) for face in g.black),
        activities=tuple(_activity(g, card) for card in g.face_up()),
        events=tuple(_event(g, event) for event in g.events),
        players=tuple(_player(g, holder) for holder in g.in_order()),
        own=_own(g, seat),
    )


def position(g: Troyes) -> Position:
    """Where the game stands."""
    phase, section = PHASES[g.phase]
    label = Text("round {n} of {of}, {phase}", n=g.round, of=g.rounds, phase=phase) if g.round else phase
    return Position(label, section, f"{g.round}/{g.phase}/{g.effect}/{g.turns}")


def _dice(dice: Dice) -> tuple[DieView, ...]:
    return tuple(
        DieView(colour, face, words.die(colour, face)) for colour in COLOURS for face in dice[colour]
    )


def _space(number: int, who: str) -> SpaceView:
    return SpaceView(number, who, Text("empty") if who == EMPTY else words.owner(who))


WAGE_WORDS = {
    "palace": Text("wage 2 a citizen"),
    "bishopric": Text("wage 1 a citizen"),
    "city hall": Text("no wages"),
}
ROW_WORDS = {
    "palace": (Text("spaces"),),
    "bishopric": (Text("row 1 (dice 1 and 2)"), Text("row 2 (dice 3 and 4)"), Text("row 3 (dice 5 and 6)")),
    "city hall": (Text("row 1 (dice 1 to 3)"), Text("row 2 (dice 4 to 6)")),
}
LEVEL_WORDS = (Text("level 1"), Text("level 2"), Text("level 3"))


def _building(g: Troyes, building: str) -> BuildingView:
    rows = tuple(
        RowView(label, tuple(_space(n, who) for n, who in enumerate(row, 1)))
        for label, row in zip(ROW_WORDS[building], g.spaces[building], strict=True)
    )
    return BuildingView(
        building,
        COLOUR_OF[building],
        words.BUILDING[building],
        WAGE_WORDS[building],
        rows,
        tuple(g.lying[building]),
    )


def _level(g: Troyes, level: int) -> RowView:
    return RowView(LEVEL_WORDS[level], tuple(_space(n, who) for n, who in enumerate(g.cathedral[level], 1)))


def _activity(g: Troyes, card: ActivitySpace) -> ActivityView:
    print = g.cards.activities[card.shown]
    activity = activity_of(print)
    return ActivityView(
        print.id,
        print.words,
        print.colour,
        words.COLOUR[print.colour],
        activity.kind,
        activity.says(),
        print.divisor,
        print.hire_cost,
        print.vp_spots,
        tuple(_space(n, who) for n, who in enumerate(card.tradesmen, 1)),
        tuple(CubesView(s.name, card.cubes[s.name]) for s in g.in_order() if s.name in card.cubes),
    )


def _event(g: Troyes, event: EventOnTable) -> EventView:
    print = g.cards.events[event.id]
    return EventView(
        print.id,
        print.words,
        print.counter_colour,
        words.COLOUR[print.counter_colour],
        EFFECTS[print.effect].says(print),
        print.divisor,
        print.banners,
        print.banners - len(event.cubes),
        print.black_dice,
        print.vp_first,
        print.vp_second,
        tuple(CubesView(who, event.cubes.count(who)) for who in strongest(event)),
    )


def _player(g: Troyes, seat: Seat) -> PlayerView:
    return PlayerView(
        seat.name,
        seat.deniers,
        seat.influence,
        seat.supply,
        seat.general,
        _dice(seat.dice),
        seat.passed,
        seat.passing,
        tuple(g.cards.events[id].words for id in seat.won),
        tuple(g.cards.characters[id].words for id in seat.revealed),
        score(g, seat).total if g.phase == "over" else None,
    )


def _own(g: Troyes, viewer: str | None) -> OwnView | None:
    if viewer is None:
        return None
    seat = g.seat(viewer)
    held = tuple(_character(g.cards.characters[id]) for id in seat.characters.open(viewer))
    return OwnView(seat.vp.open(viewer), held)


def _character(card: CharacterPrint) -> CharacterView:
    return CharacterView(card.words, COUNTS[card.id], card.thresholds)
