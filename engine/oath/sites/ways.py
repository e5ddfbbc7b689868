"""Sites that change how one travels (O-5.6; rulings, part E)."""

from __future__ import annotations

from ...core.text import Text
from .. import words
from ..battle_queries import MayTargetAll
from ..hooks import Power
from ..powers import asked, power
from ..printed import SITES
from ..queries import MayTravel, Query, SkipsSites, TravelCost
from ..ruling import Lying
from ..state import Oath
from .combat import through_the_pass, to_the_hidden_place

_THROUGH_PASS = Text("the way into {region} must end at {pass_} (Narrow Pass)")


def skips_sites(g: Oath, query: TravelCost | MayTravel) -> bool:
    """Whether a declared card makes site powers count for nothing (Portal, Forest Paths)."""
    if not query.declared:
        return False
    way = SkipsSites(
        player=query.player, origin=query.origin, destination=query.destination, declared=query.declared
    )
    return asked(g, way).skips


def is_coast(g: Oath, site: int) -> bool:
    """A faceup Coast."""
    there = g.map[site].shown
    return bool(there) and SITES[there].kind == "coast"


def leads_by_coast(g: Oath, origin: int, destination: int) -> bool:
    """Coast to Coast (rulings, part E)."""
    return is_coast(g, origin) and is_coast(g, destination)


class _Coast(Power):
    """Travelling from here to another Coast costs 1 Supply."""

    ANSWERS = (TravelCost,)

    def modify(self, g: Oath, me: Lying, query: Query) -> None:
        if not isinstance(query, TravelCost) or me.site != query.origin or skips_sites(g, query):
            return
        if leads_by_coast(g, query.origin, query.destination):
            query.base = 1


@power("barren_coast")
class BarrenCoast(_Coast):
    """A Coast."""


@power("lush_coast")
class LushCoast(_Coast):
    """A Coast."""


@power("rocky_coast")
class RockyCoast(_Coast):
    """A Coast."""


@power("charming_valley")
class CharmingValley(Power):
    """Travelling from here costs 1 Supply more."""

    ANSWERS = (TravelCost,)

    def modify(self, g: Oath, me: Lying, query: Query) -> None:
        if isinstance(query, TravelCost) and me.site == query.origin and not skips_sites(g, query):
            query.more += 1


@power("shrouded_wood")
class ShroudedWood(Power):
    """Travel from here costs 2 whatever the distance; an enemy who rules it names the destination (travel.py)."""

    ANSWERS = (TravelCost,)

    def modify(self, g: Oath, me: Lying, query: Query) -> None:
        if isinstance(query, TravelCost) and me.site == query.origin and not skips_sites(g, query):
            query.base = 2


@power("narrow_pass")
class NarrowPass(Power):
    """Travel from another region into this one must end here (HR-21); campaigns must come through it too."""

    ANSWERS = (MayTargetAll, MayTravel)

    def modify(self, g: Oath, me: Lying, query: Query) -> None:
        if isinstance(query, MayTargetAll):
            through_the_pass(g, me, query)
        if not isinstance(query, MayTravel) or me.site is None:
            return
        mine = g.region(me.site)
        enters = g.region(query.destination) == mine != g.region(query.origin)
        if not enters or query.destination == me.site or self._ignored(g, query):
            return
        query.refuse(_THROUGH_PASS.filled(region=words.REGION[mine], pass_=words.thing("narrow_pass")))

    @staticmethod
    def _ignored(g: Oath, query: MayTravel) -> bool:
        """Shrouded Wood, Coast to Coast, and what was declared lead past it."""
        out_of_wood = g.map[query.origin].shown == "shrouded_wood"
        by_giant = "buried_giant" in query.declared
        return (
            out_of_wood
            or by_giant
            or leads_by_coast(g, query.origin, query.destination)
            or skips_sites(g, query)
        )


@power("the_hidden_place")
class TheHiddenPlace(Power):
    """Travel to here takes a faceup secret, which turns face down; so does an attack on what is here."""

    ANSWERS = (MayTargetAll, MayTravel)

    def modify(self, g: Oath, me: Lying, query: Query) -> None:
        if isinstance(query, MayTargetAll):
            to_the_hidden_place(me, query)
        if not isinstance(query, MayTravel) or query.destination != me.site:
            return
        if g.map[query.origin].shown != "shrouded_wood" and not skips_sites(g, query):
            query.flips += 1


@power("buried_giant")
class BuriedGiant(Power):
    """Travelling from here a faceup secret turned face down makes it free and leads past the Narrow Pass."""

    DECLARES = ("travel",)
    ANSWERS = (TravelCost, MayTravel)

    def modify(self, g: Oath, me: Lying, query: Query) -> None:
        if not isinstance(query, (TravelCost, MayTravel)) or me.id not in query.declared:
            return
        if me.site != query.origin:
            return
        if isinstance(query, TravelCost):
            query.nothing = True
        else:
            query.flips += 1
