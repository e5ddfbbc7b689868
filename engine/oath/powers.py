"""The moments at which a card has a say; one class a card, found by its id (O-8)."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, ClassVar, TypeVar

from ..core.text import Text
from .printed import DENIZENS, EDIFICES, RELICS, SITES, Cost
from .queries import Query
from .ruling import Lying, everything
from .state import Oath, Player

if TYPE_CHECKING:
    from .actions.action import Action
    from .battle import Battle
    from .events import Event, Play

Q = TypeVar("Q", bound=Query)


class Power:
    """A card's behaviour: stateless; what is printed is data. Every method is a moment of the closed list."""

    id: ClassVar[str]
    MUST: ClassVar[bool] = False
    """A modifier that applies unasked and cannot be declined."""
    DECLARES: ClassVar[tuple[str, ...]] = ()
    """Actions whose start a site's power is declared at; cards say so in their print."""
    REACTS_TO: ClassVar[tuple[type[Event], ...]] = ()

    HAS_A_SAY: ClassVar[bool] = False
    """Whether it answers questions; most do not, and questions are asked all the time."""

    def __init_subclass__(cls) -> None:
        cls.HAS_A_SAY = cls.modify is not Power.modify

    # always on

    def modify(self, g: Oath, me: Lying, query: Query) -> None:
        """A number or a permission is asked for (O-8.5); changes the question, nothing else."""

    # the act phase

    def may_act(self, g: Oath, me: Lying, player: Player) -> Text | None:
        """Why its “Action:” is of no use now; None if it may be used (O-7.2). Costs are looked at elsewhere."""
        return None

    async def act(self, g: Oath, me: Lying, player: Player) -> None:
        """The “Action:” power, its cost paid (O-7.2)."""

    async def declare(self, g: Oath, me: Lying, action: Action) -> None:
        """The modifier, its cost paid: changes the action (O-8.5)."""

    # campaigns

    def may_plan(self, g: Oath, me: Lying, battle: Battle, user: Player | None) -> Text | None:
        """Why this battle plan is of no use now; None if it may be used (O-6.4). `user` None: the bandits."""
        return None

    async def plan(self, g: Oath, me: Lying, battle: Battle, user: Player | None) -> None:
        """The battle plan, its cost paid (O-6.4)."""

    # their times

    async def when_played(self, g: Oath, me: Lying, play: Play) -> None:
        """Once, directly after a faceup play (O-5.2.6)."""

    async def wake(self, g: Oath, me: Lying, player: Player) -> None:
        """In the Wake of whoever has access (O-4.2)."""

    async def rest(self, g: Oath, me: Lying, player: Player) -> None:
        """In the Rest of whoever has access (O-4.4)."""

    # reactions

    async def after(self, g: Oath, me: Lying, event: Event) -> None:
        """Directly after an event of a kind named in `REACTS_TO` (O-8.11)."""

    async def instead(self, g: Oath, me: Lying, event: Event) -> bool:
        """In place of an event, where the text says “instead”; True if it was replaced."""
        return False


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


def asked(g: Oath, query: Q) -> Q:
    """The question after everything in force had its say."""
    for lying in everything(g):
        power = POWERS.get(lying.id)
        if power is not None and power.HAS_A_SAY:
            power.modify(g, lying, query)
    return query
