"""Sites that change what is done at them: searching, mustering, playing."""

from __future__ import annotations

from ..hooks import Power
from ..powers import power
from ..queries import Draws, Mustered, Query
from ..ruling import Lying, rules
from ..state import Oath


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

    ANSWERS = (Mustered,)

    def modify(self, g: Oath, me: Lying, query: Query) -> None:
        if isinstance(query, Mustered) and query.site == me.site and rules(g, query.player, query.site):
            query.more += 1
