"""All powers that are written, by the id of their card, and who of those in play has a say (O-8)."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from .hooks import Power
from .printed import DENIZENS, EDIFICES, RELICS, SITES, Cost
from .queries import Matches, Query
from .ruling import Lying, everything, faceup_suits
from .state import Oath, Player

Q = TypeVar("Q", bound=Query)


POWERS: dict[str, Power] = {}
"""All powers that are written, by the id of their card; a ruin's ends in `_ruined`."""
P = TypeVar("P", bound=type[Power])


def power(id: str) -> Callable[[P], P]:
    """Binds a class to the card of an id."""

    def bind(kind: P) -> P:
        kind.id = id
        POWERS[id] = kind()
        return kind

    return bind


def cost_of(id: str) -> Cost:
    """What a card's power asks."""
    for cards in (DENIZENS, RELICS):
        if id in cards:
            return cards[id].cost
    if id.removesuffix("_ruined") in EDIFICES:
        sides = EDIFICES[id.removesuffix("_ruined")]
        return (sides.ruined if id.endswith("_ruined") else sides.intact).cost
    return Cost()


def kinds_of(id: str) -> tuple[str, ...]:
    """The kinds of power on a card."""
    if id in DENIZENS:
        return DENIZENS[id].kinds
    if id in RELICS:
        return RELICS[id].kind
    if id in SITES:
        return (SITES[id].kind,)
    if id.removesuffix("_ruined") in EDIFICES:
        sides = EDIFICES[id.removesuffix("_ruined")]
        return ((sides.ruined if id.endswith("_ruined") else sides.intact).kind,)
    return ()


def modifies(id: str) -> tuple[str, ...]:
    """The major actions that a card's modifier belongs to."""
    if id in DENIZENS:
        return DENIZENS[id].modifies
    if id in RELICS:
        return RELICS[id].modifies
    if id.removesuffix("_ruined") in EDIFICES:
        sides = EDIFICES[id.removesuffix("_ruined")]
        return (sides.ruined if id.endswith("_ruined") else sides.intact).modifies
    return ()


def in_force(g: Oath) -> list[tuple[Power, Lying]]:
    """Everything faceup whose power is written, in the fixed order of `everything`."""
    return [(POWERS[lying.id], lying) for lying in everything(g) if lying.id in POWERS]


def asked(g: Oath, query: Q, coming: Lying | None = None) -> Q:
    """The question after everything in force had its say, and a card that is about to come into play."""
    for lying in everything(g):
        _say(g, lying, query)
    if coming is not None:
        _say(g, coming, query)
    return query


def _say(g: Oath, lying: Lying, query: Query) -> None:
    power = POWERS.get(lying.id)
    if power is not None and type(query) in power.ANSWERS:
        power.modify(g, lying, query)


def matching(g: Oath, player: Player, suit: str) -> int:
    """How many of a player's faceup advisers match a suit (O-1.10)."""
    return asked(g, Matches(player=player, suit=suit, base=faceup_suits(player).count(suit))).value
