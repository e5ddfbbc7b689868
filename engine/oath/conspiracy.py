"""The Conspiracy (O-11.4): burn a secret, take a relic or banner of somebody who shares the site."""

from __future__ import annotations

from ..core.asks import Menu, choose
from ..core.text import Text
from . import words
from .actions.declaring import why_not_used
from .powers import matching
from .printed import BANNERS, SUITS, Cost
from .ruling import at, faceup_suits, holds
from .state import Oath, Player
from .taking import may_take, seize_banner, take_relics
from .verbs import burn_secrets

MATCHES = 2  # O-11.4
PRICE = Cost(burn_secret=1)


def matches(g: Oath, me: Player, victim: Player) -> int:
    """How many of one's faceup advisers match a suit among the victim's faceup advisers."""
    theirs = faceup_suits(victim)
    return sum(matching(g, me, suit) for suit in SUITS if suit in theirs)


def spoils(g: Oath, me: Player) -> list[tuple[Player, str]]:
    """What may be taken, and of whom."""
    found = []
    for victim in at(g, me.pawn):
        if victim.name == me.name or matches(g, me, victim) < MATCHES:
            continue
        things = [r.id for r in victim.relics] + [b for b in BANNERS if holds(g, victim, b)]
        found += [(victim, thing) for thing in things if may_take(g, me, thing, victim) is None]
    return found


async def conspiracy(g: Oath, me: Player) -> None:
    """Its player may burn one secret for it; whether anything can be taken is seen by all (O-8.2)."""
    allowed = me.secrets and why_not_used(g, me, PRICE) is None
    found = spoils(g, me) if allowed else []
    if not found:
        return
    menu: Menu[tuple[Player, str] | None] = Menu()
    for victim, thing in found:
        menu.add(
            Text("take {thing} from {who}", thing=words.thing(thing), who=victim.name),
            (victim, thing),
            id=f"{victim.name}.{thing}",
            also=(Text("take {thing}", thing=words.thing(thing)),),
        )
    menu.add(Text("take nothing"), None, id="nothing", also=(Text("nothing"),))
    prompt = Text("The Conspiracy: for one secret you may take one of these.")
    chosen = await choose(me.name, "conspiracy", menu, prompt, section="O-11.4")
    if chosen is None:
        return
    victim, thing = chosen
    burn_secrets(g, me, PRICE.burn_secret)
    if thing in BANNERS:
        await seize_banner(g, me, thing)
    else:
        await take_relics(g, me, victim, [thing])
