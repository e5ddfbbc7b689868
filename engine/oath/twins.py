"""What is hidden from a seat, and other ways it could be (O-16)."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from ..core.sealed import Sealed
from .printed import is_vision
from .state import Oath, Player

ON_TOP = 12
"""So deep the backs of the world deck stay as they are: each may become the top one, which is public (O-16.3), in the
step that is played again with the twin."""
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
    _deal(list(_cards(g, seat)), rng)
    _deal(list(_relics(g, seat)), rng)
    _deal(list(_sites(g, seat)), rng)
    _deepen(g, rng)
    return g


def _deal(places: list[Place], rng: random.Random) -> None:
    """The cards of some zones over their places, each kind of back among its own."""
    zones = list(dict.fromkeys(p.zone for p in places))
    dealt = [z for z in zones if rng.random() > KEPT] or zones
    for vision in (False, True):
        some = [p for p in places if p.zone in dealt and is_vision(p.card) == vision]
        cards = [p.card for p in some]
        rng.shuffle(cards)
        for place, card in zip(some, cards, strict=True):
            place.put(card)


def _deepen(g: Oath, rng: random.Random) -> None:
    """The world deck's lower part in another order, backs and all, and of another number (O-16.1)."""
    deck = g.world.deck.under_seal()
    top, deep = deck[:ON_TOP], deck[ON_TOP:]
    rng.shuffle(deep)
    spare = [n for n, card in enumerate(deep) if not is_vision(card)]
    gone = [deep[n] for n in spare[: rng.randrange(3)]] if rng.random() > KEPT else []
    g.world.deck = Sealed([*top, *(card for card in deep if card not in gone)])
    g.world.dispossessed = Sealed([*g.world.dispossessed.under_seal(), *gone])


# places


def _in_list(zone: str, sealed: Sealed[list[str]], set: Callable[[list[str]], None]) -> Iterator[Place]:
    cards = list(sealed.under_seal())
    for n, card in enumerate(cards):
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
    for region, pile in g.piles.items():
        for lying in pile:
            if not lying.card.seen_by(seat):
                yield Place(f"pile of {region}", lying.card.under_seal(), _sealer(lying, "card"))
    world = g.world
    yield from _in_list("world deck", world.deck, lambda cards: setattr(world, "deck", Sealed(cards)))
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
