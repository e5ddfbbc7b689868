"""Relics that are always at work."""

from __future__ import annotations

from ...core.text import Text
from ..battle import Battle
from ..battle_queries import BanditsDefend, LeftBehind, MayPlace, TargetDice
from ..hooks import Power
from ..powers import kinds_of, power
from ..printed import PURPLE
from ..queries import MayTake, MusterGain, Query, RulesCard
from ..ruling import Lying
from ..state import Oath, Player

_COMMANDED = Text("the Circlet of Command of {who} forbids it")
_DEVOTED = Text("the Ring of Devotion lets you place no warbands at sites")
RING = 2
"""Warbands more with the Ring of Devotion."""


@power("bandit_crown")
class BanditCrown(Power):
    """Bandits are the holder's: sites without warbands are theirs to rule (see `ruling.rulers`), the last warband may
    leave a site, and at targeted sites the bandit defends with them; it never dies, moves or is sacrificed."""

    MUST = True
    ANSWERS = (LeftBehind, BanditsDefend)

    def modify(self, g: Oath, me: Lying, query: Query) -> None:
        if isinstance(query, LeftBehind) and query.player is me.holder:
            query.base = 0
        elif isinstance(query, BanditsDefend) and me.holder is not None:
            defender = query.battle.defender
            if defender is not None and self._with(query.battle, defender, me.holder):
                query.do = True

    def _with(self, battle: Battle, defender: Player, holder: Player) -> bool:
        """Whether the holder's bandits are the defender's: their own, or the Empire's."""
        return holder is defender or (battle.imperial(holder) and battle.imperial(defender))


@power("circlet_of_command")
class CircletOfCommand(Power):
    """Others neither target nor take the holder's banners and other relics; the holder's pawn is one die dearer."""

    MUST = True
    ANSWERS = (MayTake, TargetDice)

    def modify(self, g: Oath, me: Lying, query: Query) -> None:
        holder = me.holder
        if holder is None:
            return
        if isinstance(query, MayTake):
            if query.owner is holder and query.player is not holder and query.target != self.id:
                query.refuse(_COMMANDED.filled(who=holder.name))
        elif (
            isinstance(query, TargetDice) and query.target.kind == "pawn" and query.battle.defender is holder
        ):
            query.more += 1


@power("grand_mask")
class GrandMask(Power):
    """In an Exile's own turn the holder rules all cards at Imperial sites, and Imperial players do not; battle plans
    are left as they are."""

    MUST = True
    ANSWERS = (RulesCard,)

    def modify(self, g: Oath, me: Lying, query: Query) -> None:
        if not isinstance(query, RulesCard) or me.holder is not g.active or g.active.imperial:
            return
        lying = query.lying
        if lying.site is None or g.map[lying.site].colour != PURPLE or "battle_plan" in kinds_of(lying.id):
            return
        query.rules = query.player is me.holder


@power("ring_of_devotion")
class RingOfDevotion(Power):
    """The holder places no warbands at sites; a Muster brings two more."""

    MUST = True
    ANSWERS = (MayPlace, MusterGain)

    def modify(self, g: Oath, me: Lying, query: Query) -> None:
        if isinstance(query, MayPlace) and query.player is me.holder:
            query.refuse(_DEVOTED)
        elif isinstance(query, MusterGain) and query.player is me.holder:
            query.more += RING
