"""Sites that change what is done at them: searching, mustering, playing."""

from __future__ import annotations

from ..hooks import Power
from ..powers import power
from ..queries import Draws, MusterGain, Query, RoomFirst
from ..ruling import Lying, rules
from ..state import Oath


@power("great_slum")
class GreatSlum(Power):
    """A denizen here may go before a card is played to this site."""

    ANSWERS = (RoomFirst,)

    def modify(self, g: Oath, me: Lying, query: Query) -> None:
        if isinstance(query, RoomFirst) and query.site == me.site:
            query.too(query.site)


@power("marshes")
class Marshes(Power):
    """Searching with the pawn here one draws one card fewer."""

    ANSWERS = (Draws,)

    def modify(self, g: Oath, me: Lying, query: Query) -> None:
        if isinstance(query, Draws) and query.player.pawn == me.site:
            query.more -= 1


@power("river")
class River(Power):
    """Mustering from a card here brings one more warband to whoever rules this site."""

    ANSWERS = (MusterGain,)

    def modify(self, g: Oath, me: Lying, query: Query) -> None:
        if isinstance(query, MusterGain) and query.site == me.site and rules(g, query.player, query.site):
            query.more += 1
