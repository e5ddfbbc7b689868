"""Nomad denizens."""

from __future__ import annotations

from ..events import Play
from ..powers import Power, power
from ..queries import Query, TravelCost
from ..ruling import Lying
from ..state import Oath, Player
from ..verbs import gain_secrets, gain_supply, lose_secrets


@power("ancient_binding")
class AncientBinding(Power):
    """Every player burns all of their secrets except one; the user keeps the one on this card."""

    async def act(self, g: Oath, me: Lying, player: Player) -> None:
        for other in g.from_(g.chancellor):
            kept = 0 if other is player else 1
            lose_secrets(g, other, max(0, other.secrets + other.spent - kept))


@power("elders")
class Elders(Power):
    """A secret."""

    async def act(self, g: Oath, me: Lying, player: Player) -> None:
        gain_secrets(g, player, 1)


@power("faithful_friend")
class FaithfulFriend(Power):
    """Four Supply."""

    async def when_played(self, g: Oath, me: Lying, play: Play) -> None:
        gain_supply(g, play.player, 4)


@power("tents")
class Tents(Power):
    """Travelling within the region costs no Supply."""

    def modify(self, g: Oath, me: Lying, query: Query) -> None:
        if not isinstance(query, TravelCost) or me.id not in query.declared:
            return
        if g.region(query.origin) == g.region(query.destination):
            query.nothing = True
