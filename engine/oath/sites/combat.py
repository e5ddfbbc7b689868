"""Sites that change how one campaigns at them (O-6.2; rulings, part E)."""

from __future__ import annotations

from ...core.text import Text
from .. import words
from ..battle_queries import MayTargetAll, Pools
from ..hooks import Power
from ..powers import power
from ..printed import SITES
from ..queries import Query
from ..ruling import Lying
from ..state import Oath

_PASS_FIRST = Text("a campaign into {region} must have {pass_} among its targets (Narrow Pass)")


class _Field(Power):
    """An attacker with any target here has more attack dice, or fewer; once, however many targets there are."""

    ANSWERS = (Pools,)

    def modify(self, g: Oath, me: Lying, query: Query) -> None:
        if isinstance(query, Pools) and me.site is not None and query.battle.targets_site(me.site):
            query.attack += SITES[self.id].attack_dice


@power("plains")
class Plains(_Field):
    """One attack die more."""


@power("mountain")
class Mountain(_Field):
    """One attack die fewer."""


def through_the_pass(g: Oath, me: Lying, query: MayTargetAll) -> None:
    """Narrow Pass: targets in its region, attacked from another, only together with the Pass itself, unless the
    attacker rules it."""
    battle, here = query.battle, me.site
    assert here is not None
    region = g.region(here)
    from_outside = g.region(battle.site) != region
    enters = any(g.region(t.site) == region for t in query.targets)
    passes = any(t.kind == "site" and t.site == here for t in query.targets)
    if from_outside and enters and not passes and not battle.rules(battle.attacker, here):
        query.refuse(_PASS_FIRST.filled(region=words.REGION[region], pass_=words.thing("narrow_pass")))


def to_the_hidden_place(me: Lying, query: MayTargetAll) -> None:
    """The Hidden Place: a faceup secret turns face down, once, however many targets are there."""
    if any(t.site == me.site for t in query.targets):
        query.flips += 1
