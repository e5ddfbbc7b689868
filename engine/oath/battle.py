"""A Campaign in the making: sides, targets, pools, and what battle plans have made of them (O-6)."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import msgspec

from .actions.action import Action
from .state import Oath, Player

ATTACKER, DEFENDER = "attacker", "defender"


class Target(msgspec.Struct, frozen=True):
    """Something attacked (O-6.2.1): kind `site`, `relic`, `banner` or `pawn`."""

    kind: str
    id: str = ""
    """The relic or banner."""
    site: int = -1
    """The slot of a site; for the others that of the defender's pawn."""


Effect = Callable[["Battle"], Awaitable[None]]
"""What a plan owes when the campaign is decided."""


class Battle(Action):
    """One Campaign (O-6)."""

    name = "campaign"

    def __init__(self, g: Oath, player: Player, defender: Player | None, *, free: bool = False) -> None:
        super().__init__(g, player, free=free)
        self.attacker = player
        self.defender = defender
        """None: the bandits."""
        self.site = player.pawn
        """Where it is declared from; a card may name another."""
        self.allies: list[Player] = []
        """Imperial players who joined the defense (O-6.3)."""
        self.civil = False
        """The Empire fights itself: the Citizen is not Imperial here (O-6.3.1)."""
        self.targets: list[Target] = []
        self.attack_force: dict[str, int] = {"board": 0}
        """Warbands by place: `board`, or `site 3`; dice, skulls, sacrifices and losses come from these."""
        self.attack_dice = 0
        self.defense_dice = 0
        self.used: dict[str, list[tuple[str, str]]] = {ATTACKER: [], DEFENDER: []}
        """Plans used by each side: id and user."""
        self.barred_plans: dict[str, bool] = {ATTACKER: False, DEFENDER: False}
        self.no_skulls = False
        self.faces: tuple[str, ...] = ()
        self.shields: tuple[str, ...] = ()
        self.filters: list[Callable[[str], bool]] = []
        """Faces of the defense that score nothing."""
        self.sacrifice_value = 1
        self.losses = "half"
        """Of the defeated side: `half`, `none` or `all`; none beats all (O-6.8)."""
        self.decided: str | None = None
        """The side that wins without a roll."""
        self.won: bool | None = None
        """For the attacker, once it is decided."""
        self.killed: dict[str, int] = {ATTACKER: 0, DEFENDER: 0}
        """Warbands killed in this campaign, by side."""
        self.if_won: dict[str, list[Effect]] = {ATTACKER: [], DEFENDER: []}
        self.if_lost: dict[str, list[Effect]] = {ATTACKER: [], DEFENDER: []}
        self.end_discards: list[tuple[str, Player | None]] = []
        """Cards that are discarded at the end, and by whom (O-6.10)."""
        self.afterwards: list[Effect] = []
        """Free actions and the like, when all else is done."""

    def side_of(self, player: Player | None) -> str:
        """Which side somebody fights on."""
        return ATTACKER if player is not None and player.name == self.attacker.name else DEFENDER

    def defenders(self) -> list[Player]:
        """The defender and the Allies; nobody against bandits."""
        return [*([self.defender] if self.defender else []), *self.allies]

    def change_pool(self, side: str, dice: int) -> None:
        """A ± plan (O-6.4.6): the attacker adds attack dice, a defender removes them; each that is not there becomes
        a defense die."""
        if side == ATTACKER:
            self.attack_dice += dice
            return
        removed = min(dice, self.attack_dice)
        self.attack_dice -= removed
        self.defense_dice += dice - removed

    def targets_site(self, site: int) -> bool:
        """Whether a site, or a thing at it, is a target."""
        return any(t.site == site for t in self.targets)
