"""The numbers and permissions of a Campaign that cards may change (O-6, O-8.7)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from .printed import Cost
from .queries import May, Number, Query
from .ruling import Lying
from .state import Player

if TYPE_CHECKING:
    from .battle import Battle, Target


# declaring (O-6.2)


class AttackForce(Query, kw_only=True):
    """Sites whose warbands join the attacking force."""

    battle: Battle
    sites: list[int] = msgspec.field(default_factory=list)


class MayTarget(May, kw_only=True):
    """A single target of a campaign."""

    battle: Battle
    target: Target


class MayTargetAll(May, kw_only=True):
    """All targets of a campaign together."""

    battle: Battle
    targets: tuple[Target, ...]
    dice: int = 0
    """Defense dice that these targets add."""
    flips: int = 0
    """Faceup secrets that must be turned face down (The Hidden Place)."""


class TargetDice(Number, kw_only=True):
    """Defense dice of one target (O-6.2.1)."""

    battle: Battle
    target: Target


class Pools(Query, kw_only=True):
    """What is always on and changes the pools, when they are collected; attack dice that are removed and not there
    become defense dice (O-6.4.6, HR-08)."""

    battle: Battle
    attack: int = 0
    defense: int = 0


# battle plans (O-6.4)


class PlanCost(Query, kw_only=True):
    """Tokens beyond its own cost that a battle plan asks."""

    battle: Battle
    player: Player | None
    """Who would use it; None: the bandits."""
    lying: Lying
    favor: int = 0
    """Put on the card."""
    secrets: int = 0
    """Put on the card."""
    burn_favor: int = 0


class MayUsePlan(May, kw_only=True):
    """Using a battle plan."""

    battle: Battle
    player: Player | None
    """Who would use it; None: the bandits."""
    side: str
    lying: Lying
    cost: Cost
    """All that it asks."""
    before: tuple[tuple[str, str], ...] = ()
    """Plans that this side uses already, and who."""
    alone: bool = False
    """It bars all other plans of its side; bandits begin with it."""


# the totals (O-6.6, O-6.7)


class BanditsDefend(Query, kw_only=True):
    """Whether the bandits of the targeted sites add to the defense."""

    battle: Battle
    do: bool = False


class SacrificeValue(Number, kw_only=True):
    """What each sacrificed warband adds to the attack; 0: none may be sacrificed (O-6.7.4)."""

    battle: Battle


# the outcome (O-6.8, O-6.9)


class Losses(Query, kw_only=True):
    """What a defeated side loses: `half`, `none` or `all`; none beats all."""

    battle: Battle
    side: str
    how: str = "half"

    def all(self) -> None:
        """Its whole force, unless none of it may die."""
        if self.how != "none":
            self.how = "all"


class MayPlace(May, kw_only=True):
    """Placing warbands on a site, in whatever way."""

    player: Player
    site: int


class LeftBehind(Number, kw_only=True):
    """How many warbands must stay at a site from which some are lifted (O-7.5)."""

    player: Player
    site: int
