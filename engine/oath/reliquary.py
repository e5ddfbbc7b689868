"""What the uncovered spaces of the Imperial Reliquary do to the Chancellor, and to nobody else (O-12.6)."""

from __future__ import annotations

from ..core.text import Text
from .battle_queries import Losses
from .hooks import Power
from .powers import power
from .queries import Draws, MaySearch, Query, TradeGain, TravelCost
from .ruling import Lying
from .state import Oath

GREEDY_LIMIT = 2
"""Supply that a Search may cost once the greedy space is uncovered."""

_TOO_DEAR = Text("it costs {n} Supply; your uncovered Reliquary allows a Search of 2 at most (Greedy)")


@power("brutal")
class Brutal(Power):
    """Where the Chancellor attacks, the defeated side loses its whole force, whichever it is."""

    ANSWERS = (Losses,)

    def modify(self, g: Oath, me: Lying, query: Query) -> None:
        if isinstance(query, Losses) and query.battle.attacker.name == g.chancellor.name:
            query.all()


@power("careless")
class Careless(Power):
    """A Trade brings one more favor, also one for secrets; that brings one secret less."""

    ANSWERS = (TradeGain,)

    def modify(self, g: Oath, me: Lying, query: Query) -> None:
        if not isinstance(query, TradeGain) or query.player.name != g.chancellor.name:
            return
        if query.goods == "favor":
            query.more += 1
        else:
            query.more -= 1
            query.favor_too += 1


@power("decadent")
class Decadent(Power):
    """Travel into the Cradle from another region is free; travel to the Hinterland costs 1 Supply more."""

    ANSWERS = (TravelCost,)

    def modify(self, g: Oath, me: Lying, query: Query) -> None:
        if not isinstance(query, TravelCost) or query.player.name != g.chancellor.name:
            return
        to = g.region(query.destination)
        if to == "cradle" and g.region(query.origin) != "cradle":
            query.nothing = True
        elif to == "hinterland":
            query.more += 1


@power("greedy")
class Greedy(Power):
    """A Search draws two cards more; one of more than 2 Supply is not allowed."""

    ANSWERS = (Draws, MaySearch)

    def modify(self, g: Oath, me: Lying, query: Query) -> None:
        if not isinstance(query, (Draws, MaySearch)) or query.player.name != g.chancellor.name:
            return
        if isinstance(query, Draws):
            query.more += 2
        elif query.source != "adviser" and query.supply > GREEDY_LIMIT:
            query.refuse(_TOO_DEAR.filled(n=query.supply))
