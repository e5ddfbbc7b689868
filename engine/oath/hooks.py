"""The closed list of moments at which a card may speak (O-8): one class a card, one method a moment.

A card has no other way into the rules. What a moment needs to know, or may change, is in its arguments: a question
(`queries`, `battle_queries`), something that has just happened (`events`), an action in the making (`actions.action`,
`battle`). Which of them is for what is written down in docs/oath-hooks.md.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from ..core.text import Text
from .queries import Query
from .ruling import Lying
from .state import Oath, Player

if TYPE_CHECKING:
    from .actions.action import Action
    from .battle import Battle
    from .events import Event, Play


class Power:
    """A card's behaviour: stateless; what is printed is data. Every public method is a moment of the closed list."""

    id: ClassVar[str]
    MUST: ClassVar[bool] = False
    """A modifier that applies unasked and cannot be declined."""
    DECLARES: ClassVar[tuple[str, ...]] = ()
    """Actions at whose start a power is declared that is no printed modifier: a site's by those whose pawn is there."""
    FOR_ALL: ClassVar[bool] = False
    """Whether everybody may declare it, without access to its card."""
    ANSWERS: ClassVar[tuple[type[Query], ...]] = ()
    """The questions that `modify` answers; it is asked no other."""
    REACTS_TO: ClassVar[tuple[type[Event], ...]] = ()
    """The events that `after` answers; it is told of no other."""

    def __init_subclass__(cls) -> None:
        public = [name for name, value in vars(cls).items() if callable(value) and not name.startswith("_")]
        if stray := [name for name in public if name not in MOMENTS]:
            raise TypeError(f"{cls.__name__}: no such moment: {', '.join(stray)}")
        if (cls.modify is not Power.modify) != bool(cls.ANSWERS):
            raise TypeError(f"{cls.__name__}: `modify` and `ANSWERS` belong together")
        if (cls.after is not Power.after) != bool(cls.REACTS_TO):
            raise TypeError(f"{cls.__name__}: `after` and `REACTS_TO` belong together")

    def __setattr__(self, name: str, value: object) -> None:
        raise TypeError("a card holds no state; what changes lies in the game")

    # always on

    def modify(self, g: Oath, me: Lying, query: Query) -> None:
        """A number or a permission is asked for (O-8.5); changes the question, nothing else."""

    # the act phase

    def may_act(self, g: Oath, me: Lying, player: Player) -> Text | None:
        """Why its “Action:” is of no use now; None if it may be used (O-7.2). Costs are looked at elsewhere."""
        return None

    async def act(self, g: Oath, me: Lying, player: Player) -> None:
        """The “Action:” power, its cost paid (O-7.2)."""

    def may_declare(self, g: Oath, me: Lying, action: Action) -> Text | None:
        """Why the modifier is of no use for this action; None if it may be declared (O-8.5). Costs are looked at
        elsewhere."""
        return None

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

    async def rest(self, g: Oath, me: Lying, player: Player) -> None:
        """In the Rest of whoever has access (O-4.4)."""

    # reactions

    async def after(self, g: Oath, me: Lying, event: Event) -> None:
        """Directly after an event of a kind named in `REACTS_TO` (O-8.11)."""


MOMENTS = tuple(name for name, value in vars(Power).items() if callable(value) and not name.startswith("_"))
"""The names of all moments."""
