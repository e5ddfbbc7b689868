"""The top of the world deck: what is drawn off it, whose back all see, who has looked at it (O-16.1, O-16.3)."""

from __future__ import annotations

from collections.abc import Container, Sequence

from ..core.asks import reveal
from ..core.sealed import Sealed
from .printed import is_vision
from .state import Oath, Player


def draw_off(g: Oath, count: int) -> list[str]:
    """So many cards off the top, and with them what was known of them there."""
    world = g.world
    cards = world.deck.under_seal()[:count]
    world.deck = world.deck.changed(lambda deck: deck[count:])
    world.looked = world.looked[count:]
    return cards


async def see_next_back(g: Oath) -> None:
    """O-16.3: the back of the card that now lies on top is seen by all."""
    deck = g.world.deck.under_seal()
    back = Sealed(is_vision(deck[0]) if deck else None)
    await reveal("next back", back, *(p.name for p in g.players))


async def look_at_top(g: Oath, player: Player, most: int, key: str) -> tuple[str, ...]:
    """So many cards are seen by one player, who knows them as long as they lie there."""
    world = g.world
    cards, _ = await reveal(key, Sealed(tuple(world.deck.under_seal()[:most])), player.name)
    seen = [*world.looked, *[()] * (len(cards) - len(world.looked))]
    world.looked = [
        (*who, player.name) if n < len(cards) and player.name not in who else who
        for n, who in enumerate(seen)
    ]
    return cards


def known_at_top(g: Oath, seat: str | None) -> list[int]:
    """Where in the deck, from 0, the cards lie that a seat knows."""
    return [n for n, who in enumerate(g.world.looked) if seat in who]


# by hand


def put_on_top(g: Oath, cards: Sequence[str]) -> None:
    """Cards that nobody has looked at onto the deck."""
    world = g.world
    world.deck = world.deck.changed(lambda deck: [*cards, *deck])
    world.looked = [*[()] * len(cards), *world.looked]


def take_out_of_deck(g: Oath, cards: Container[str]) -> None:
    """Cards out of the deck, wherever they lie in it."""
    world = g.world
    deck = world.deck.under_seal()
    world.looked = [who for card, who in zip(deck, world.looked, strict=False) if card not in cards]
    world.deck = world.deck.changed(lambda deck: [card for card in deck if card not in cards])
