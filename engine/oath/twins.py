"""What is hidden from a seat, and other ways it could be (O-16)."""

from __future__ import annotations

import random
from collections.abc import Callable, Container, Iterator
from typing import Any, NamedTuple

from ..core.sealed import Sealed
from .legacy import LAYERS
from .printed import is_vision
from .state import Oath, Player
from .topdeck import known_at_top

DECK = "world deck"
LOWER = LAYERS[1][1]
"""Visions in the second layer (O-18.9)."""
KEPT = 0.35
"""How often a zone is left alone, so that some twins fit a step in which cards of it were shown to others."""


class Place(NamedTuple):
    """One place that holds a card which this seat cannot know, and how another is put there."""

    zone: str
    card: str
    put: Callable[[str], None]


def hidden(g: Oath, seat: str | None) -> Any:
    """Everything that this seat cannot know, as plain data."""
    return [[p.zone, p.card] for places in (_cards, _relics, _sites) for p in places(g, seat)]


def reshuffle(g: Oath, seat: str | None, rng: random.Random) -> Oath:
    """Deal anew, in place, what this seat cannot know; every back stays where it is seen."""
    if g.phase == "deal":
        return g
    if DECK in _deal(list(_cards(g, seat)), rng):
        _order(g, seat, rng)
    _deal(list(_relics(g, seat)), rng)
    _deal(list(_sites(g, seat)), rng)
    return g


def _deal(places: list[Place], rng: random.Random) -> list[str]:
    """The cards of some zones over their places, each kind of back among its own; gives those zones."""
    zones = list(dict.fromkeys(p.zone for p in places))
    dealt = [z for z in zones if rng.random() > KEPT] or zones
    for vision in (False, True):
        some = [p for p in places if p.zone in dealt and is_vision(p.card) == vision]
        cards = [p.card for p in some]
        rng.shuffle(cards)
        for place, card in zip(some, cards, strict=True):
            place.put(card)
    return dealt


def _order(g: Oath, seat: str | None, rng: random.Random) -> None:
    """O-16.1: the world deck beneath its top card in another order, backs and all, and of another number.

    What is too many goes to the Archive, of which nothing is shown before the Chronicle; the number of the Dispossessed
    is known.
    """
    deck = list(g.world.deck.under_seal())
    fixed = {0, *known_at_top(g, seat)}
    layers = [[n for n in layer if n not in fixed] for layer in _layers(deck)]
    for layer in layers:
        cards = [deck[n] for n in layer]
        rng.shuffle(cards)
        for n, card in zip(layer, cards, strict=True):
            deck[n] = card
    gone = [deck[n] for n in layers[-1][: rng.randrange(3)]] if not g.winner and rng.random() > KEPT else []
    g.world.deck = Sealed([card for card in deck if card not in gone])
    g.world.archive += gone


def _layers(deck: list[str]) -> list[range]:
    """Stretches of the deck that surely belong to one layer each, and so could lie in any order (O-18.9).

    That there are two Visions in the top layer, three in the next and none beneath is known to all; where a layer ends
    is not in the state, but its Visions all lie before that.
    """
    visions = [n for n, card in enumerate(deck) if is_vision(card)]
    upper, lower = visions[:-LOWER], visions[-LOWER:]
    top = range(upper[-1] + 1) if upper else range(0)
    middle = range(lower[0], lower[-1] + 1) if lower else range(0)
    return [top, middle, range(lower[-1] + 1 if lower else 0, len(deck))]


# places


def _in_list(
    zone: str, sealed: Sealed[list[str]], set: Callable[[list[str]], None], known: Container[int] = ()
) -> Iterator[Place]:
    """The places of a list but for those that the seat knows."""
    cards = list(sealed.under_seal())
    for n, card in enumerate(cards):
        if n not in known:
            yield Place(zone, card, _putter(cards, n, set))


def _putter(cards: list[str], n: int, set: Callable[[list[str]], None]) -> Callable[[str], None]:
    def put(card: str) -> None:
        cards[n] = card
        set(cards)

    return put


def _cards(g: Oath, seat: str | None) -> Iterator[Place]:
    """Denizens and Visions: facedown advisers, hands, piles, the world deck, the Dispossessed."""
    for player in g.players:
        for adviser in player.advisers:
            if not adviser.card.seen_by(seat) and not adviser.shown:
                yield Place(f"advisers of {player.name}", adviser.card.under_seal(), _sealer(adviser, "card"))
        if not player.hand.seen_by(seat):
            held = Sealed(list(player.hand.under_seal()))
            yield from _in_list(f"hand of {player.name}", held, _hand_setter(player))
    for region, pile in sorted(g.piles.items()):
        for lying in pile:
            if not lying.card.seen_by(seat):
                yield Place(f"pile of {region}", lying.card.under_seal(), _sealer(lying, "card"))
    world = g.world
    yield from _in_list(
        DECK, world.deck, lambda cards: setattr(world, "deck", Sealed(cards)), known_at_top(g, seat)
    )
    yield from _in_list(
        "dispossessed", world.dispossessed, lambda cards: setattr(world, "dispossessed", Sealed(cards))
    )


def _sealer(thing: Any, name: str) -> Callable[[str], None]:
    """Another card under the same seal."""

    def put(card: str) -> None:
        setattr(thing, name, getattr(thing, name).changed(lambda _: card))

    return put


def _hand_setter(player: Player) -> Callable[[list[str]], None]:
    def set(cards: list[str]) -> None:
        player.hand = player.hand.changed(lambda _: tuple(cards))

    return set


def _relics(g: Oath, seat: str | None) -> Iterator[Place]:
    """Relics at sites, in the Reliquary, in their deck."""
    for n, site in enumerate(g.map):
        for k, relic in enumerate(site.relics):
            if not relic.seen_by(seat):
                yield Place(f"relics of site {n}", relic.under_seal(), _slot(site.relics, k))
    for k, space in enumerate(g.reliquary):
        if space is not None and not space.seen_by(seat):
            yield Place("reliquary", space.under_seal(), _slot(g.reliquary, k))
    world = g.world
    yield from _in_list("relic deck", world.relics, lambda cards: setattr(world, "relics", Sealed(cards)))


def _slot(sealed: list[Any], k: int) -> Callable[[str], None]:
    def put(card: str) -> None:
        sealed[k] = sealed[k].changed(lambda _: card)

    return put


def _sites(g: Oath, seat: str | None) -> Iterator[Place]:
    """Facedown sites of the map and the site deck."""
    for n, site in enumerate(g.map):
        if not site.shown and not site.site.seen_by(seat):
            yield Place(f"site {n}", site.site.under_seal(), _sealer(site, "site"))
    world = g.world
    yield from _in_list("site deck", world.sites, lambda cards: setattr(world, "sites", Sealed(cards)))
