"""Where a citizen for a card or a building may come from (T-5.14, T-5.40)."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from ..core.slots import Choice, NotOpen
from ..core.text import Text
from . import words
from .facts import CameFrom
from .state import BUILDINGS, EMPTY, ActivitySpace, Seat, Troyes


class Source(NamedTuple):
    """A place that a citizen comes from; the fields after `kind` only where they matter."""

    kind: str
    """supply, influence, space, lying or tradesman."""
    building: str = ""
    row: int = 0
    space: int = 0
    card: str = ""
    """The activity card's id."""
    name: str = ""
    """The activity card's name."""


SUPPLY = Source("supply")
BY_INFLUENCE = Source("influence")

_LYING = {
    "palace": Text("lying at palace"),
    "bishopric": Text("lying at bishopric"),
    "city hall": Text("lying at city hall"),
}


def sources(g: Troyes, me: Seat) -> list[Source]:
    """Every place that has a citizen for this player now."""
    found = [SUPPLY] if me.supply else []
    if me.general and me.influence >= 2:
        found.append(BY_INFLUENCE)
    for building in BUILDINGS:
        for r, row in enumerate(g.spaces[building]):
            found += [Source("space", building, r, s) for s, who in enumerate(row) if who == me.name]
        if me.name in g.lying[building]:
            found.append(Source("lying", building))
    for card in g.face_up():
        if me.name in card.tradesmen:
            found.append(Source("tradesman", card=card.shown, name=g.cards.activities[card.shown].name))
    return found


@lru_cache(maxsize=512)
def source_choice(source: Source, why: Text | None = None) -> Choice:
    """A source as it stands in a command: `supply`, `influence`, `palace 3`, `Miller`."""
    match source.kind:
        case "supply":
            return Choice("supply", Text("supply"), source, (Text("personal supply"),), why)
        case "influence":
            return Choice("influence", Text("influence"), source, (Text("general supply"),), why)
        case "space":
            place = (source.building, source.row, source.space)
            also = (words.space_short(*place),)
            return Choice(
                f"{source.building}.{source.row}.{source.space}", words.space(*place), source, also, why
            )
        case "lying":
            return Choice(f"lying.{source.building}", _LYING[source.building], source, (), why)
        case _:
            return Choice(f"card.{source.card}", words.named(source.name), source, (), why)


_EMPTY_SUPPLY = Text(
    "your personal supply is empty: say where the citizen comes from, for example “{example}” (T-5.14)"
)


def from_supply(me: Seat, example: Text) -> Source:
    """The source when none is named; raises `NotOpen` when the personal supply is empty."""
    if not me.supply:
        raise NotOpen(_EMPTY_SUPPLY.filled(example=example))
    return SUPPLY


def enter_card(card: ActivitySpace, name: str) -> int:
    """T-5.14: onto the leftmost free tradesman space; gives its number, from 1."""
    if EMPTY not in card.tradesmen:
        card.tradesmen.append(EMPTY)
    space = card.tradesmen.index(EMPTY)
    card.tradesmen[space] = name
    return space + 1


def _leave(card: ActivitySpace, name: str) -> None:
    """The space stays free; the others do not move up."""
    card.tradesmen[card.tradesmen.index(name)] = EMPTY
    while card.tradesmen and card.tradesmen[-1] == EMPTY:
        card.tradesmen.pop()


def take(g: Troyes, me: Seat, source: Source) -> None:
    """Take a citizen from its place, into the player's hand."""
    match source.kind:
        case "supply":
            me.supply -= 1
            return
        case "influence":
            me.influence -= 2
            me.general -= 1
        case "space":  # T-5.18, T-5.45: a gap stays
            g.spaces[source.building][source.row][source.space] = EMPTY
        case "lying":
            g.lying[source.building].remove(me.name)
        case "tradesman":
            _leave(next(a for a in g.activities if a.shown == source.card), me.name)
    g.tell(CameFrom(me.name, source.kind, source.building, source.row, source.space, source.name))
