"""Setup (T-2): the seats, the deal, the placement of citizens."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache, partial
from typing import Any

from ..core.asks import Menu, choose, reveal, roll, shuffle
from ..core.sealed import Sealed
from ..core.text import Text
from . import words
from .cards import PERMANENT, PRINTED
from .facts import CharactersDealt, CitizenPlaced, Dealt
from .state import BUILDINGS, CITIZENS, COLOURS, EMPTY, ROWS, ActivitySpace, EventOnTable, Seat, Troyes
from .words import GREY

Place = tuple[str, int, int]
"""Building, row and space, counting from 0."""

PLACES: tuple[Place, ...] = tuple(
    (building, row, space)
    for building in BUILDINGS
    for row in range(ROWS[building][0])
    for space in range(ROWS[building][1])
)

_OCCUPIED = Text("{who}’s citizen stands there; a space must be empty (T-2.7)")
_NEUTRAL_THERE = Text("a neutral citizen stands there; a space must be empty (T-2.7)")
_PROMPT = Text("Place a citizen on an empty space of a main building.")


def new_game(names: Sequence[str], own_cards: str) -> Troyes:
    """T-2.1: everybody's own things; the cards are still in order, and nothing is drawn."""
    by_players = PRINTED["board"]["players"][str(len(names))]
    citizens = by_players["citizens"]
    seats = [
        Seat(name, Sealed(0, (name,)), Sealed((), (name,)), citizens, CITIZENS - citizens) for name in names
    ]
    g = Troyes(seats, by_players["rounds"], own_cards)
    cards = g.cards
    g.unused_activities = Sealed(list(cards.activities))
    g.unused_events = Sealed([e for e in cards.events if e != PERMANENT])
    g.unused_characters = Sealed(list(cards.characters))
    g.piles = {pile: Sealed([]) for pile in COLOURS}
    g.activities = [ActivitySpace(colour, n, Sealed("")) for colour in COLOURS for n in (1, 2, 3)]
    return g


async def deal(g: Troyes) -> None:
    """T-2.2 to T-2.6, and the neutral citizens of two players (T-2.9)."""
    _deal_activities(g, await shuffle("activities", g.unused_activities.under_seal()))
    _deal_events(g, await shuffle("events", g.unused_events.under_seal()))
    _deal_characters(g, await shuffle("characters", g.unused_characters.under_seal()))
    for seat in g.seats:
        hand, seat.characters = await reveal(f"characters {seat.name}", seat.characters, seat.name)
        g.tell(CharactersDealt(seat.name, tuple(g.cards.characters[id].name for id in hand)))
    (g.start,) = await roll("start player", 1, range(len(g.seats)))
    g.turn = g.start
    g.tell(Dealt(g.seats[g.start].name, g.rounds))
    if _by_players(g)["neutrals_first"]:
        for place in g.cards.neutrals:
            _put(g, GREY, place)
    g.phase = "place"


def lay_out(g: Troyes) -> None:
    """The same without chance, for positions arranged by hand: cards in their printed order."""
    _deal_activities(g, g.unused_activities.under_seal())
    _deal_events(g, g.unused_events.under_seal())
    _deal_characters(g, g.unused_characters.under_seal())
    for seat in g.seats:
        seat.characters = seat.characters.shown_to(seat.name)


def _by_players(g: Troyes) -> dict[str, Any]:
    found: dict[str, Any] = PRINTED["board"]["players"][str(len(g.seats))]
    return found


def _deal_activities(g: Troyes, deck: list[str]) -> None:
    """T-2.3: one random card of each number, face down, for each colour."""
    prints = g.cards.activities
    deck = list(deck)
    for space in g.activities:
        card = next(
            id
            for id in deck
            if (prints[id].colour, prints[id].round) == (space.colour, space.number)
            and not prints[id].invented
        )
        deck.remove(card)
        space.card = Sealed(card)
    g.unused_activities = Sealed(deck)


def _deal_events(g: Troyes, deck: list[str]) -> None:
    """T-2.4, T-2.5, T-4.7: three piles, the red one cut to the number of rounds; Marauding is there."""
    prints = g.cards.events
    for pile in COLOURS:
        cards = [id for id in deck if prints[id].pile == pile and not prints[id].invented]
        kept = cards[: g.rounds] if pile == "red" else cards
        g.piles[pile] = Sealed(kept)
        deck = [id for id in deck if id not in kept]
    g.unused_events = Sealed(deck)
    g.events = [EventOnTable(PERMANENT)]


def _deal_characters(g: Troyes, deck: list[str]) -> None:
    """T-2.2: one each, two with two players; nobody has looked yet."""
    each = _by_players(g)["characters"]
    for seat in g.seats:
        hand, deck = tuple(deck[:each]), deck[each:]
        seat.characters = Sealed(hand)
    g.unused_characters = Sealed(deck)


def placer(g: Troyes, n: int) -> int:
    """T-2.7: whose citizen comes n-th: A B C, C B A, A B C and so on."""
    lap, place = divmod(n, len(g.seats))
    if lap % 2:
        place = len(g.seats) - 1 - place
    return (g.start + place) % len(g.seats)


async def place_citizen(g: Troyes) -> None:
    """T-2.7: one citizen onto an empty space; after the last, neutral ones fill the gaps (T-2.8)."""
    me = g.active
    place = await choose(
        me.name, "place", _placement_menu(g), _PROMPT, section="T-2.7", kind="setup", left=me.supply
    )
    me.supply -= 1
    _put(g, me.name, place)
    g.turns += 1
    waiting = sum(seat.supply for seat in g.seats)
    if waiting:
        g.turn = placer(g, len(g.seats) * _by_players(g)["citizens"] - waiting)
        return
    for place in PLACES:
        building, row, space = place
        if g.spaces[building][row][space] == EMPTY:
            _put(g, GREY, place)
    g.phase = "activities"


def _put(g: Troyes, who: str, place: Place) -> None:
    building, row, space = place
    g.spaces[building][row][space] = who
    if who == GREY:
        g.grey_supply -= 1
    g.tell(CitizenPlaced(who, building, row, space))


def _placement_menu(g: Troyes) -> Menu[Place]:
    menu: Menu[Place] = Menu()
    for place, id, text, also in _placements():
        building, row, space = place
        who = g.spaces[building][row][space]
        menu.command(text, lambda place=place: place, id=id, barred=partial(_occupied, who), also=also)
    return menu


@lru_cache(maxsize=1)
def _placements() -> tuple[tuple[Place, str, Text, tuple[Text, ...]], ...]:
    return tuple(
        (place, "{}.{}.{}".format(*place), words.space(*place), (words.space_short(*place),))
        for place in PLACES
    )


def _occupied(who: str) -> Text | None:
    if not who:
        return None
    return _NEUTRAL_THERE if who == GREY else _OCCUPIED.filled(who=who)
