"""Defeat, victory, and what remains to be done (O-6.8 to O-6.11)."""

from __future__ import annotations

from ...core.asks import Menu, choose
from ...core.slots import Number
from ...core.text import Text
from .. import words
from ..actions.action import Travel
from ..actions.travel import set_out
from ..battle import ALL, ATTACKER, DEFENDER, HALF, NONE, Battle, Effect
from ..battle_facts import Banished
from ..battle_queries import Losses, MayPlace
from ..discarding import discard_adviser, discard_at_site, in_what_order, is_locked
from ..events import CampaignOver, happened
from ..forcing import passable, would_pay
from ..oaths import check_title
from ..powers import asked
from ..printed import BANNERS
from ..ruling import face_up
from ..state import Adviser, Card, Player
from ..taking import RELIC, may_take, seize_banner, take_at_site, take_relics
from ..verbs import burn_favor, to_site
from .forces import by_home, kill_from, send_home
from .plans import kind_for

_SURVIVORS = Text("what is left of your force there (O-6.9)")


def loser(battle: Battle) -> str:
    """The side that is defeated."""
    return DEFENDER if battle.won else ATTACKER


def winner(battle: Battle) -> str:
    """The side that is victorious."""
    return ATTACKER if battle.won else DEFENDER


async def _each(battle: Battle, effects: list[Effect]) -> None:
    for effect in effects:
        await effect(battle)


# step 6 (O-6.8)


async def defeat(battle: Battle) -> None:
    """O-6.8: half of the defeated force dies, none, or all; the rest goes home; then “if you are defeated”."""
    side = loser(battle)
    if battle.force(side):
        share = {HALF: battle.force(side) // 2, NONE: 0, ALL: battle.force(side)}
        await kill_from(battle, side, by_home(battle, side), share[losses(battle, side)])
        send_home(battle, side)
    await _each(battle, battle.if_lost[side])


def losses(battle: Battle, side: str) -> str:
    """What the defeated side loses: `half`, `none` or `all`."""
    return asked(battle.g, Losses(battle=battle, side=side, how=battle.losses[side])).how


# step 7 (O-6.9)


async def victory(battle: Battle) -> None:
    """O-6.9: warbands on the targeted sites, relics and banners, then pawn and favor."""
    await place(battle)
    await check_title(battle.g)
    await spoils(battle)
    if battle.targets_pawn():
        await banish(battle)
        await burn(battle)


async def place(battle: Battle) -> None:
    """O-6.9.1: any number of the surviving force on each targeted site, in map order."""
    g, me = battle.g, battle.attacker
    for site in battle.target_sites():
        there = g.map[site]
        free = not there.warbands or there.colour == me.banner_colour
        if not free or asked(g, MayPlace(player=me, site=site)).why is not None:
            continue
        for source in battle.places(ATTACKER):
            if source.site == site or not source.count(g):
                continue
            n = await _how_many(battle, site, source.site)
            if source.site >= 0:
                g.map[source.site].leave(n)
                me.warbands += n
            to_site(g, me, site, n)


async def _how_many(battle: Battle, site: int, source: int) -> int:
    """How many warbands from the board, or from a site that fought too, stay at a targeted site."""
    g, me = battle.g, battle.attacker
    there = me.warbands if source < 0 else g.map[source].warbands
    menu: Menu[int] = Menu()
    menu.command(
        Text("place {count} at {site}", site=words.short_site(g, site)),
        lambda count: int(count),
        Number("count", Text("number"), lambda chosen: range(there + 1), limit=_SURVIVORS),
        id="place",
        also=(
            Text("place {count}"),
            Text("leave {count} at {site}", site=words.short_site(g, site)),
            Text("put {count} on {site}", site=words.short_site(g, site)),
            Text("put {count}"),
        ),
    )
    where = Text("on your board") if source < 0 else Text("at {site}", site=words.site(g, source))
    prompt = Text(
        "You have {n} warband {where}. Do you place it at {site}? Without any it is the bandits'.",
        "How many of your {n} warbands {where} do you place at {site}? Without any it is the bandits'.",
        n=there,
        where=where,
        site=words.site(g, site),
    )
    return await choose(
        me.name, "place", menu, prompt, section="O-6.9", kind=kind_for(battle, me), personal=True
    )


async def spoils(battle: Battle) -> None:
    """O-6.9.2: every targeted relic, all in one taking (HR-03), and every targeted banner."""
    g, me = battle.g, battle.attacker
    who = battle.defender
    if who is not None:
        relics = [t.id for t in battle.targets if t.kind == "relic" and who.relic(t.id)]
        relics = [id for id in relics if may_take(g, me, id, who) is None]
        if relics:
            battle.taken += relics
            await take_relics(g, me, who, relics)
    found = [t for t in battle.targets if t.kind == "found"]
    found = [t for t in found if may_take(g, me, RELIC, None, t.site) is None]
    for target in sorted(found, key=lambda t: (t.site, -int(t.id))):
        battle.taken.append(g.map[target.site].relics[int(target.id)].under_seal())
        await take_at_site(g, me, target.site, int(target.id), recovered=False)
    for banner in BANNERS:
        if who is not None and any(t.id == banner for t in battle.targets):
            held = g.banners[banner].holder == who.name
            if held and may_take(g, me, banner, who) is None:
                await seize_banner(g, me, banner)


async def banish(battle: Battle) -> None:
    """O-6.9.3: the attacker may make the pawn travel, without Supply, wherever that travel would be lawful."""
    g, me, who = battle.g, battle.attacker, battle.defender
    assert who is not None
    menu: Menu[Travel | None] = Menu()
    for n in range(len(g.map)):
        way = _way(battle, who, n)
        if passable(way):
            site = words.short_site(g, n)
            also = (
                Text("{site}", site=site),
                words.site(g, n),
                Text("banish {who} to {site}", who=who.name, site=site),
                Text("banish the pawn to {site}", site=site),
            )
            menu.add(Text("banish to {site}", site=site), way, id=f"to.{n}", also=also)
    if not menu.options:
        return
    menu.add(Text("banish nobody"), None, id="none", also=(Text("nobody"), Text("no")))
    prompt = Text("You may banish the pawn of {who} to another site.", who=who.name)
    chosen = await choose(
        me.name, "banish", menu, prompt, section="O-6.9.3", kind=kind_for(battle, me), personal=True
    )
    if chosen is None:
        return
    if not await would_pay(g, chosen):
        g.tell(Banished(who.name, me.name, refused=True))
        return
    g.tell(Banished(who.name, me.name))
    await set_out(chosen)


def _way(battle: Battle, who: Player, site: int) -> Travel:
    way = Travel(battle.g, who, site, free=True)
    way.forced = True
    return way


async def burn(battle: Battle) -> None:
    """O-6.9.3: the attacker may burn half of the owner's favor, rounded down."""
    me, who = battle.attacker, battle.defender
    assert who is not None
    half = who.favor // 2
    if not half:
        return
    menu: Menu[bool] = Menu()
    menu.add(
        Text("burn {n} favor", n=half), True, id="burn", also=(Text("burn"), Text("burn half"), Text("yes"))
    )
    menu.add(Text("burn nothing"), False, id="nothing", also=(Text("burn none"), Text("no")))
    prompt = Text("{who} has {held} favor. You may burn {n} of it.", who=who.name, held=who.favor, n=half)
    if await choose(
        me.name, "burn", menu, prompt, section="O-6.9.3", kind=kind_for(battle, me), personal=True
    ):
        burn_favor(battle.g, who, half)


# step 8 (O-6.10)


async def conclude(battle: Battle) -> None:
    """O-6.10: “if you are victorious”, then what is discarded at the end, then what others answer, then what follows
    for those who fought."""
    await _each(battle, battle.if_won[winner(battle)])
    await _each(battle, battle.at_end)
    await discards(battle)
    await check_title(battle.g)
    await happened(battle.g, CampaignOver(battle.attacker, bool(battle.won), battle.defender))
    await _each(battle, battle.afterwards)


async def discards(battle: Battle) -> None:
    """All at once, the attacker's before those of the defending side; each player orders their own (O-5.7.2)."""
    owed = [(id, user) for id, user in battle.end_discards if face_up(battle.g, id) is not None]
    users = [battle.attacker, *battle.defenders()]
    for user in users:
        mine = [id for id, who in owed if who is not None and who.name == user.name]
        for id in await in_what_order(battle.g, user, mine):
            _discard(battle, user, id)
    for id in [id for id, who in owed if who is None]:  # the bandits' cards go by the one who acts
        _discard(battle, battle.attacker, id)


def _discard(battle: Battle, actor: Player, id: str) -> None:
    lying = face_up(battle.g, id)
    if lying is None or is_locked(battle.g, actor, lying):
        return
    if isinstance(lying.thing, Adviser):
        assert lying.holder is not None
        discard_adviser(battle.g, actor, lying.holder, lying.thing)
    elif isinstance(lying.thing, Card):
        assert lying.site is not None
        discard_at_site(battle.g, actor, lying.site, lying.thing)
