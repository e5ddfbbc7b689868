"""A Campaign in the making: sides, targets, pools, and what battle plans have made of them (O-6)."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import msgspec

from .actions.action import Action
from .powers import asked
from .printed import PURPLE
from .queries import Bandits
from .ruling import CROWN, holder_of, rules
from .state import Oath, Player

ATTACKER, DEFENDER = "attacker", "defender"
HALF, ALL, NONE = "half", "all", "none"
"""How much of its force a defeated side loses (O-6.8.2)."""


class Target(msgspec.Struct, frozen=True):
    """Something attacked (O-6.2.1): kind `site`, `relic`, `banner` or `pawn`; `found`: a facedown relic at a site,
    which only a card makes a target."""

    kind: str
    id: str = ""
    """The relic or banner; of a found relic its place at the site."""
    site: int = -1
    """The slot of a site; for the others that of the defender's pawn."""


class Place(msgspec.Struct, frozen=True):
    """Where warbands of a force stand: on somebody's board, or at a site (HR-06)."""

    board: str = ""
    site: int = -1

    def count(self, g: Oath) -> int:
        """How many stand there."""
        return g.player(self.board).warbands if self.board else g.map[self.site].warbands


WON, LOST = "won", "lost"
"""How a Campaign ended for its attacker."""


def published(result: str) -> dict[str, int]:
    """What the questions after a Campaign publish of it, so that orders may hang on it (E-13): `if won: …`."""
    return {WON: int(result == WON), LOST: int(result == LOST), "needed": 0} if result else {}


Effect = Callable[["Battle"], Awaitable[None]]
"""What a plan owes when the campaign is decided, or at another moment of it."""


class Battle(Action):
    """One Campaign (O-6)."""

    name = "campaign"

    def __init__(
        self, g: Oath, player: Player, defender: Player | None, *, free: bool = False, site: int | None = None
    ) -> None:
        super().__init__(g, player, free=free)
        self.attacker = player
        self.defender = defender
        """None: the bandits."""
        self.site = player.pawn if site is None else site
        """Where it is declared from; a card may name another than the pawn's."""
        self.allies: list[Player] = []
        """Imperial players who joined the defense (O-6.3), clockwise from the Chancellor."""
        self.outsider = _outsider(player, defender)
        """The Citizen who is not Imperial in this campaign (O-6.3.1)."""
        self.targets: list[Target] = []
        self.joined_sites: list[int] = []
        """Sites whose warbands belong to the attacking force; normally none."""
        self.attack_dice = 0
        self.defense_dice = 0
        self.used: dict[str, list[tuple[str, str]]] = {ATTACKER: [], DEFENDER: []}
        """Plans used by each side: id and user, who is empty for the bandits."""
        self.no_skulls = False
        """Skulls kill nothing."""
        self.rolls_count = 1
        """How often the attack roll counts."""
        self.faces: tuple[str, ...] = ()
        """What the attack rolled."""
        self.shields: tuple[str, ...] = ()
        """What the defense rolled."""
        self.worthless: list[str] = []
        """Faces of either die that score nothing."""
        self.attack = 0
        self.defense = 0
        """The totals, once they are known."""
        self.sacrifice_value = 1
        self.losses = {ATTACKER: HALF, DEFENDER: HALF}
        self.decided: str | None = None
        """The side that wins without a roll."""
        self.won: bool | None = None
        """For the attacker, once it is decided."""
        self.killed: dict[str, int] = {ATTACKER: 0, DEFENDER: 0}
        """Warbands killed in this campaign, by side."""
        self.survivors: dict[str, int] = {}
        """What is left of the defeated force, by the player on whose board it is now."""
        self.taken: list[str] = []
        """Relics that the attacker took as targets."""
        self.saving: list[str] = []
        """Players whose warbands are set aside instead of dying; a card gives them back at the end."""
        self.saved: dict[str, int] = {}
        """How many were set aside, by player; until then they lie in their bank."""
        self.before_roll: list[Effect] = []
        """Last changes of the pools, after all plans."""
        self.if_won: dict[str, list[Effect]] = {ATTACKER: [], DEFENDER: []}
        self.if_lost: dict[str, list[Effect]] = {ATTACKER: [], DEFENDER: []}
        self.at_end: list[Effect] = []
        """After the winner's effects, before the discards; these may change the list of discards."""
        self.end_discards: list[tuple[str, Player | None]] = []
        """Cards that are discarded at the end, and whose plans they were (O-6.10); None: the bandits'."""
        self.afterwards: list[Effect] = []
        """Free actions and the like, when all else is done."""

    # sides

    @property
    def civil(self) -> bool:
        """Whether the Empire fights itself (O-6.3.1)."""
        return self.outsider is not None

    def side_of(self, player: Player | None) -> str:
        """Which side somebody fights on; None: the bandits."""
        return ATTACKER if player is not None and player.name == self.attacker.name else DEFENDER

    def defenders(self) -> list[Player]:
        """The defender and the Allies; nobody against bandits."""
        return [*([self.defender] if self.defender else []), *self.allies]

    def enemies_of(self, player: Player | None) -> list[Player]:
        """O-1.12: an attacker's are the defender and all Allies, a defender's the attacker alone."""
        return self.defenders() if self.side_of(player) == ATTACKER else [self.attacker]

    def takes_part(self, player: Player) -> bool:
        """Whether somebody is the attacker, the defender or an Ally."""
        return any(p.name == player.name for p in (self.attacker, *self.defenders()))

    def imperial(self, player: Player) -> bool:
        """Whether somebody counts as Imperial in this campaign (O-6.3.1)."""
        outside = self.outsider is not None and self.outsider.name == player.name
        return player.imperial and not outside

    def rules(self, player: Player, site: int) -> bool:
        """Whether a player rules a site in this campaign: the Citizen outside has no share of purple ones."""
        there = self.g.map[site]
        if there.colour == PURPLE and not self.imperial(player):
            return False
        if self.outsider is not None and not there.warbands:
            crowned = holder_of(self.g, CROWN)
            if crowned is not None and (player is self.outsider or crowned is self.outsider):
                return there.shown != "" and player is crowned  # bandits of the one side only
        return rules(self.g, player, site)

    # targets

    def target_sites(self) -> list[int]:
        """The sites that are targets themselves, in map order."""
        return sorted(t.site for t in self.targets if t.kind == "site")

    def targets_site(self, site: int) -> bool:
        """Whether a site, or a thing at it, is a target."""
        return any(t.site == site for t in self.targets)

    def targets_pawn(self) -> bool:
        """Whether the defender's pawn and favor are a target."""
        return any(t.kind == "pawn" for t in self.targets)

    # forces (O-6.8.1)

    def near(self, player: Player) -> bool:
        """O-6.6.3: whether a pawn stands at the attacker's site or at a targeted one."""
        return player.pawn == self.site or player.pawn in self.target_sites()

    def places(self, side: str) -> list[Place]:
        """Where the force of a side stands now; sites before boards."""
        if side == ATTACKER:
            return [*(Place(site=n) for n in self._attacking_sites()), Place(board=self.attacker.name)]
        sites = [Place(site=n) for n in self.target_sites() if self._defended(n)]
        return [*sites, *(Place(board=p.name) for p in self.defenders() if self.near(p))]

    def _attacking_sites(self) -> list[int]:
        colour = self.attacker.banner_colour
        return [n for n in sorted(self.joined_sites) if self.g.map[n].colour == colour]

    def _defended(self, site: int) -> bool:
        return (
            self.defender is not None
            and self.g.map[site].colour == self.defender.banner_colour
            and site not in self.joined_sites
        )

    def force(self, side: str) -> int:
        """How many warbands a side fights with."""
        return sum(place.count(self.g) for place in self.places(side))

    def bandits_joining(self) -> int:
        """Bandits at joined sites fight for the holder of the Bandit Crown: they bring dice, and cannot die."""
        sites = [n for n in self.joined_sites if not self.g.map[n].warbands]
        return sum(asked(self.g, Bandits(site=n, base=1)).value for n in sites)

    # what plans change

    def change_pool(self, side: str, dice: int) -> None:
        """A ± plan (O-6.4.6): the attacker adds attack dice, a defender removes them; each that is not there becomes
        a defense die."""
        if side == ATTACKER:
            self.attack_dice += dice
            return
        removed = min(dice, self.attack_dice)
        self.attack_dice -= removed
        self.defense_dice += dice - removed

    def loses(self, side: str, how: str) -> None:
        """What a side loses if it is defeated; none beats all (O-6.8)."""
        if self.losses[side] != NONE:
            self.losses[side] = how


def _outsider(attacker: Player, defender: Player | None) -> Player | None:
    """O-6.3.1: a Citizen who attacks an Imperial player, or whom the Chancellor attacks."""
    if defender is None or not (attacker.imperial and defender.imperial):
        return None
    return attacker if attacker.role == "citizen" else defender
