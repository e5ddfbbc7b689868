"""All powers that are written, by the id of their card, and who of those in play has a say (O-8)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, TypeVar

from .hooks import Power
from .printed import DENIZENS, EDIFICES, RELICS, SITES, Cost
from .queries import Matches, Query
from .ruling import Lying, everything, faceup_suits
from .state import Oath, Player

if TYPE_CHECKING:
    from .events import Event

Q = TypeVar("Q", bound=Query)


class Powers(dict[str, Power]):
    """Powers by the id of their card; a ruin's ends in `_ruined`. Who has a say in what is worked out once, because it
    is asked all the time."""

    def __init__(self) -> None:
        super().__init__()
        self._by: dict[object, Mapping[str, Power]] = {}

    def __setitem__(self, id: str, power: Power) -> None:
        super().__setitem__(id, power)
        self._by.clear()

    def __delitem__(self, id: str) -> None:
        super().__delitem__(id)
        self._by.clear()

    def answering(self, kind: type[Query]) -> Mapping[str, Power]:
        """Those that answer a question of this kind."""
        return self._those(kind, lambda power: kind in power.ANSWERS)

    def reacting(self, kind: type[Event]) -> Mapping[str, Power]:
        """Those that answer an event of this kind."""
        return self._those(kind, lambda power: kind in power.REACTS_TO)

    def at_rest(self) -> Mapping[str, Power]:
        """Those that work in the Rest."""
        return self._those("rest", lambda power: type(power).rest is not Power.rest)

    def with_action(self) -> Mapping[str, Power]:
        """Those with an “Action:”."""
        return self._those("action", lambda power: "action" in kinds_of(power.id))

    def with_plan(self) -> Mapping[str, Power]:
        """Those that are battle plans."""
        return self._those("battle_plan", lambda power: "battle_plan" in kinds_of(power.id))

    def declared_for(self, action: str) -> Mapping[str, Power]:
        """Those that a player may declare for an action of that name, or leave: modifiers, and what stands in for
        one."""
        return self._those(action, lambda power: is_declared(power, action))

    def _those(self, what: object, has: Callable[[Power], bool]) -> Mapping[str, Power]:
        if what not in self._by:
            self._by[what] = {id: power for id, power in self.items() if has(power)}
        return self._by[what]


POWERS = Powers()
"""All powers that are written."""
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


def is_declared(power: Power, action: str) -> bool:
    """Whether a power is declared at the start of an action of that name, by a player who may as well leave it."""
    if "modifier" in kinds_of(power.id) and action in modifies(power.id):
        return not power.MUST
    return action in power.DECLARES


def in_force(g: Oath, among: Mapping[str, Power]) -> list[tuple[Power, Lying]]:
    """Those of some powers that lie face up, in the fixed order of `everything`."""
    return [(among[lying.id], lying) for lying in everything(g, among)] if among else []


def asked(g: Oath, query: Q, coming: Lying | None = None) -> Q:
    """The question after everything in force had its say, and a card that is about to come into play."""
    answering = POWERS.answering(type(query))
    if not answering:
        return query
    for lying in everything(g, answering):
        answering[lying.id].modify(g, lying, query)
    if coming is not None and coming.id in answering:
        answering[coming.id].modify(g, coming, query)
    return query


def matching(g: Oath, player: Player, suit: str) -> int:
    """How many of a player's faceup advisers match a suit (O-1.10)."""
    return asked(g, Matches(player=player, suit=suit, base=faceup_suits(player).count(suit))).value
