"""Travel (O-5.6): to another site, which is turned up if it lies face down."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from ...core.asks import Menu, choose, reveal
from ...core.sealed import Sealed
from ...core.slots import Choice, Chosen, Many, One
from ...core.text import Text
from .. import words
from ..events import Arrived, Departs, happened
from ..facts import PawnMoved, SiteTurnedUp
from ..powers import asked
from ..printed import NAMES, SITES, TRAVEL, Cost
from ..queries import MayTravel, SkipsSites, TravelCost
from ..ruling import Lying, enemies, pays_for
from ..state import Oath, Player
from ..verbs import burn_favor, give_favor, spend
from .action import Travel
from .declaring import Deed, Modifier, declare, modifiers, using, why_none, why_not_used

_HERE = Text("your pawn stands there already (O-5.6.2)")
_NO_SUPPLY = Text("it costs {n} Supply, you have {left} (O-4.3.2)")
_NO_WAY = Text("no site is within reach (O-5.6)")
_NO_SECRET = Text(
    "it takes {n} faceup secret to be turned face down, you have {held}",
    "it takes {n} faceup secrets to be turned face down, you have {held}",
)
_NO_TOLL = Text("{n} favor must be paid on the way, you have {held}")


def cost(travel: Travel) -> int:
    """Supply of travelling (O-5.6.1), with all that changes it."""
    g = travel.g
    if travel.free:
        return 0
    base = TRAVEL[g.region(travel.origin)][g.region(travel.destination)]
    query = TravelCost(
        player=travel.player,
        origin=travel.origin,
        destination=travel.destination,
        base=base,
        declared=travel.declared,
    )
    return asked(g, query).value


def permission(travel: Travel) -> MayTravel:
    """Whether the way is open, and what must be paid on it."""
    query = MayTravel(
        player=travel.player,
        origin=travel.origin,
        destination=travel.destination,
        declared=travel.declared,
        tolls=[],
    )
    if travel.destination == travel.origin:
        query.refuse(_HERE)
    asked(travel.g, query)
    if query.flips and (why := why_not_used(travel.g, travel.player, Cost(secret=query.flips))) is not None:
        query.refuse(why)
    return query


def why_not(travel: Travel) -> Text | None:
    """Why this travel cannot be made; None if it can."""
    may = permission(travel)
    if may.why is not None:
        return may.why
    me = travel.player
    if may.flips > travel.secrets:
        return _NO_SECRET.filled(n=may.flips, held=travel.secrets)
    if may.tolls and len(may.tolls) > travel.favor:
        return _NO_TOLL.filled(n=len(may.tolls), held=travel.favor)
    supply = cost(travel)
    if supply > me.supply:
        return _NO_SUPPLY.filled(n=supply, left=me.supply)
    return None


# the command


def offer_travel(menu: Menu[Deed], g: Oath, me: Player, *, free: bool = False) -> None:
    """O-5.6: to any other site, plainly or with cards that change the way; `free`: another power lets the player travel
    without Supply."""
    where = One("site", Text("site"), partial(_sites, g, me, free))
    menu.command(
        Text("travel to {site}"),
        partial(_deed, g, me, free),
        where,
        id="travel",
        barred=lambda: _why_nowhere(where),
        also=(Text("go to {site}"),),
    )
    found = modifiers(g, me, Travel.name)
    if not found:
        return

    def going(chosen: Chosen, declared: tuple[str, ...]) -> Travel:
        return _travelling(g, me, chosen["site"], declared, free)

    slot = using(found, going, why_not)
    anywhere = One("site", Text("site"), partial(_sites_using, g, me, free, slot))
    menu.command(
        Text("travel to {site} using {using}"),
        partial(_deed, g, me, free),
        anywhere,
        slot,
        id="travel.using",
        barred=lambda: None if any(anywhere.legal({})) else _NO_WAY,
        also=(Text("go to {site} using {using}"),),
    )


def _why_nowhere(where: One) -> Text | None:
    """Why no site is within reach; of the same reason everywhere, that one."""
    reasons = []
    for choice in where.choices({}):
        if choice.why is None:
            return None
        reasons += [choice.why] if choice.why != _HERE else []
    return reasons[0] if all(why == reasons[0] for why in reasons) else _NO_WAY


def _travelling(g: Oath, me: Player, site: int, declared: tuple[str, ...], free: bool) -> Travel:
    """A Travel in the making."""
    action = Travel(g, me, site, free=free)
    action.declared = declared
    return action


def _sites(g: Oath, me: Player, free: bool, chosen: Chosen) -> Iterator[Choice]:
    return (_site(g, n, why_not(_travelling(g, me, n, (), free))) for n in range(len(g.map)))


def _sites_using(g: Oath, me: Player, free: bool, slot: Many, chosen: Chosen) -> Iterator[Choice]:
    """Sites within reach with some of the cards; not every set of them will do."""
    for n in range(len(g.map)):
        reason = why_not(_travelling(g, me, n, (), free)) or _NO_WAY
        yield _site(g, n, why_none(slot, {"site": n}, reason))


def _site(g: Oath, n: int, why: Text | None) -> Choice:
    return Choice(str(n), words.short_site(g, n), n, also=(words.site(g, n),), why=why)


def _deed(g: Oath, me: Player, free: bool, site: int, using: Sequence[Modifier] = ()) -> Deed:
    return partial(travel, g, me, site, using, free=free)


async def travel(
    g: Oath, me: Player, destination: int, using: Sequence[Modifier] = (), *, free: bool = False
) -> None:
    """O-5.6: modifiers, Supply, the way's own demands, the arrival."""
    action = Travel(g, me, destination, free=free)
    await declare(action, using)
    spend(g, me, cost(action))
    await set_out(action)


async def set_out(action: Travel) -> None:
    """Tolls and flips are paid, a Shrouded Wood's ruler names the destination, the pawn moves."""
    g, me = action.g, action.player
    may = permission(action)
    for toll in may.tolls:
        pay_toll(g, me, toll)
    me.secrets -= may.flips
    me.spent += may.flips
    action.destination = await _led_astray(action)
    await arrive(g, me, action.destination, forced=action.forced, declared=action.declared, free=action.free)


def pay_toll(g: Oath, me: Player, toll: Lying) -> None:
    """One favor to the ruler of a card: to the Chancellor for the Empire, burned for bandits (HR-22)."""
    to = (
        toll.holder
        if toll.holder is not None
        else pays_for(g, toll.site if toll.site is not None else me.pawn)
    )
    if to is None:
        burn_favor(g, me, 1)
    else:
        give_favor(g, me, to, 1)


async def _led_astray(action: Travel) -> int:
    """Shrouded Wood: an enemy player who rules it chooses where the way out leads."""
    g, me = action.g, action.player
    if _skips(action) or g.map[action.origin].shown != "shrouded_wood":
        return action.destination
    ruler = pays_for(g, action.origin)
    if ruler is None or not enemies(me, ruler):
        return action.destination
    menu: Menu[int] = Menu()
    ways = [n for n in open_ways(g, me) if not action.among or n in action.among]
    for n in ways:
        menu.add(Text("to {site}", site=words.short_site(g, n)), n, id=str(n), also=(words.short_site(g, n),))
    prompt = Text("{who} leaves Shrouded Wood, which you rule: where to?", who=me.name)
    return await choose(ruler.name, "shrouded-wood", menu, prompt, section="O-5.6", kind="reaction")


def _skips(action: Travel) -> bool:
    """Whether site powers count for nothing on this way."""
    way = SkipsSites(
        player=action.player,
        origin=action.origin,
        destination=action.destination,
        declared=action.declared,
    )
    return asked(action.g, way).skips


def open_ways(g: Oath, me: Player) -> Iterator[int]:
    """Sites that somebody could travel to without Supply."""
    for n in range(len(g.map)):
        if n != me.pawn and permission(Travel(g, me, n, free=True)).why is None:
            yield n


async def arrive(
    g: Oath,
    me: Player,
    site: int,
    *,
    forced: bool = False,
    declared: tuple[str, ...] = (),
    free: bool = False,
) -> None:
    """O-5.6.3, O-5.6.4: the pawn and the warbands on the board come along; a facedown site is turned up."""
    await happened(g, Departs(me, me.pawn, site, forced))
    origin, me.pawn = me.pawn, site
    if not g.map[site].shown:
        await turn_up(g, site)
    g.tell(PawnMoved(me.name, NAMES[g.map[site].shown]))
    await happened(g, Arrived(me, origin, site, forced, declared, free))


async def turn_up(g: Oath, site: int) -> None:
    """O-5.6.3: for good; its prompt brings relics face down, favor and secrets."""
    there = g.map[site]
    there.shown, there.site = await reveal(f"site {site}", there.site, *(p.name for p in g.players))
    prompt(g, site)


def prompt(g: Oath, site: int) -> None:
    """What a site's reveal prompt lays on it (O-1.7), as far as there is enough (O-15.1)."""
    there, printed = g.map[site], SITES[g.map[site].shown]
    favor = min(printed.favor, g.shared)
    g.shared -= favor
    there.favor += favor
    there.secrets += printed.secrets
    deck = g.world.relics.under_seal()
    drawn = deck[: printed.relics]
    g.world.relics = g.world.relics.changed(lambda cards: cards[printed.relics :])
    there.relics += [Sealed(relic) for relic in drawn]
    g.tell(SiteTurnedUp(there.shown, favor, printed.secrets, len(drawn)))
