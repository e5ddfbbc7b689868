"""Citizens: how one becomes one, and how one ceases to be one (O-12)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from ..core.asks import Menu, choose, reveal
from ..core.slots import Choice, Chosen, Number, One
from ..core.text import Text
from . import words
from .actions.declaring import Deed
from .deals import Item, accepts, exchange, goods_of, goods_slot
from .discarding import discard_vision
from .empire_facts import (
    SPACE,
    BecameCitizen,
    Exiled,
    Offered,
    RelicShown,
    SpaceUncovered,
    SupplyRefilled,
    WarbandsFreed,
    WarbandsReplaced,
)
from .events import RelicsTaken, happened
from .facts import TitleMoved
from .oaths import check_title
from .powers import asked
from .printed import MOST_SUPPLY, PEOPLES_FAVOR, PURPLE, RELIQUARY, SCEPTER
from .queries import MayExile
from .rest import laid
from .ruling import holder_of, holds
from .state import Oath, Player, Relic
from .verbs import give_favor, means

EXILE_PRICE = 5  # O-12.4

_NO_SCEPTER = Text("you do not hold the Grand Scepter (O-12.2)")
_TAKEN_NOW = Text("the Grand Scepter was taken in this turn (O-12.2.5)")
_EMPTY = Text("the Reliquary is empty (O-12.2.1)")
_UNCOVERED = Text("no relic is left there (O-12.6)")
_NO_EXILE = Text("{who} is no Exile (O-12.2.1)")
_NO_EXILES = Text("there is no Exile (O-12.2.1)")
_YOURSELF = Text("with yourself nothing can be exchanged")
_NO_CITIZEN = Text("{who} is no Citizen (O-12.4)")
_YOU_NO_CITIZEN = Text("you are no Citizen (O-12.5)")
_NO_CITIZENS = Text("there is no other Citizen (O-12.4)")
_NOT_YOURSELF = Text("exiling yourself is another action (O-12.5)")
_PRICE = Text("it costs {n} favor, you have {held} (O-12.4)")
_OWN_PRICE = Text(
    "it costs {n} favor, for your secrets and the warbands on your board; you have {held} (O-12.5)"
)
_HOLDS_SCEPTER = Text("whoever holds the Grand Scepter cannot exile themself (O-12.5)")
_SEEN = Text("{who} has seen it")
_NOTHING_NEW = Text("the Exiles have seen all that is left in the Reliquary")


def offer_empire(menu: Menu[Deed], g: Oath, me: Player) -> None:
    """O-7.6: what the Scepter's holder may do, and a Citizen's own way out, which a line says with the same word."""
    offer_citizenship(menu, g, me)
    if me.relic(SCEPTER):
        offer_show(menu, g, me)
    menu.command(
        Text("exile yourself"),
        lambda: partial(exile_oneself, g, me),
        id="exile-oneself",
        barred=partial(_why_not_oneself, g, me),
        also=(Text("leave the empire"), Text("exile myself")),
    )
    offer_exile(menu, g, me)


def _why_no_scepter(g: Oath, me: Player) -> Text | None:
    if me.relic(SCEPTER) is None:
        return _NO_SCEPTER
    return _TAKEN_NOW if g.scepter_taken else None


# offering citizenship (O-12.2)


def offer_citizenship(menu: Menu[Deed], g: Oath, me: Player) -> None:
    """O-12.2.1: `offer citizenship to ben with brutal giving 2 favor asking map`."""

    def other(chosen: Chosen) -> Player:
        exile: Player = chosen["exile"]
        return exile

    def alone(chosen: Chosen) -> Text | None:
        return _YOURSELF if other(chosen).name == me.name else None

    menu.command(
        Text("offer citizenship to {exile} with {space}"),
        partial(_offer_deed, g, me),
        One("exile", Text("Exile"), partial(_exiles, g)),
        One("space", Text("space of the Reliquary"), partial(_spaces, g, me)),
        goods_slot("giving", Text("goods"), Text("giving {giving}"), lambda chosen: me, g, alone),
        goods_slot("asking", Text("goods"), Text("asking {asking}"), other, g, alone),
        id="citizenship",
        barred=partial(_why_no_offer, g, me),
    )


def _why_no_offer(g: Oath, me: Player) -> Text | None:
    why = _why_no_scepter(g, me)
    if why is not None:
        return why
    if not any(relic is not None for relic in g.reliquary):
        return _EMPTY
    return None if any(p.role == "exile" for p in g.players) else _NO_EXILES


def _exiles(g: Oath, chosen: Chosen) -> list[Choice]:
    return [
        Choice(
            p.name,
            Text("{who}", who=p.name),
            p,
            why=None if p.role == "exile" else _NO_EXILE.filled(who=p.name),
        )
        for p in g.players
    ]


def _spaces(g: Oath, me: Player, chosen: Chosen) -> list[Choice]:
    """By the names of the spaces; whoever knows the relic may write its name too."""
    found = []
    for name, relic in zip(RELIQUARY, g.reliquary, strict=False):
        known = relic is not None and relic.seen_by(me.name)
        also = (words.thing(relic.open(me.name)),) if relic is not None and known else ()
        found.append(Choice(name, SPACE[name], name, also, None if relic is not None else _UNCOVERED))
    return found


def _offer_deed(
    g: Oath, me: Player, exile: Player, space: str, giving: Sequence[Item], asking: Sequence[Item]
) -> Deed:
    return partial(propose, g, me, exile, space, giving, asking)


async def propose(
    g: Oath, me: Player, exile: Player, space: str, giving: Sequence[Item] = (), asking: Sequence[Item] = ()
) -> None:
    """O-12.2.1, O-12.2.2, E-16: the offer is binding as sent; the answer is yes or no, a refusal costs nothing."""
    given, wanted = goods_of(giving), goods_of(asking)
    g.tell(Offered(me.name, exile.name, space, given, wanted))
    if exile.name != me.name:
        prompt = Text(
            "{who} offers you citizenship: you get the relic on {space} and {given}, and give {wanted}.",
            who=me.name,
            space=SPACE[space],
            given=given.listed(),
            wanted=wanted.listed(),
        )
        if not await accepts(g, exile, prompt, section="O-12.2.2"):
            return
    await become_citizen(g, exile)
    exchange(g, me, exile, given, wanted)
    await uncover(g, exile, space)
    await check_title(g)


def offer_show(menu: Menu[Deed], g: Oath, me: Player) -> None:
    """O-12.2.1: the holder may show relics of the Reliquary to an Exile first."""
    space = One("space", Text("space of the Reliquary"), partial(_showable, g, me))
    menu.command(
        Text("show {space} to {exile}"),
        lambda space, exile: partial(show, g, me, space, exile),
        space,
        One("exile", Text("Exile"), partial(_unshown, g, me)),
        id="show",
        barred=lambda: _why_no_scepter(g, me) or (None if any(space.legal({})) else _NOTHING_NEW),
    )


def _showable(g: Oath, me: Player, chosen: Chosen) -> list[Choice]:
    found = []
    for choice in _spaces(g, me, chosen):
        open_to = [c for c in _unshown(g, me, {"space": choice.value}) if c.why is None]
        why = choice.why if choice.why is not None or open_to else _NOTHING_NEW
        found.append(Choice(choice.id, choice.words, choice.value, choice.also, why))
    return found


def _unshown(g: Oath, me: Player, chosen: Chosen) -> list[Choice]:
    relic = g.reliquary[RELIQUARY.index(chosen["space"])]
    found = []
    for choice in _exiles(g, chosen):
        seen = relic is None or relic.seen_by(choice.id) or choice.id == me.name
        why = choice.why or (_SEEN.filled(who=choice.id) if seen else None)
        found.append(Choice(choice.id, choice.words, choice.value, why=why))
    return found


async def show(g: Oath, me: Player, space: str, exile: Player) -> None:
    """The relic of one space, to its holder and to an Exile."""
    n = RELIQUARY.index(space)
    sealed = g.reliquary[n]
    assert sealed is not None
    relic, g.reliquary[n] = await reveal(f"reliquary {space}", sealed, me.name, exile.name)
    g.tell(RelicShown(me.name, exile.name, space, relic))


# becoming a Citizen (O-12.2.3, O-12.2.4)


async def become_citizen(g: Oath, player: Player) -> None:
    """O-12.2.3 in its order: board, warbands, Vision, title, Act phase, Supply. Cards may do this without an offer
    (O-12.2.4); the title's goal is looked at by whoever calls it, after all that belongs to it."""
    from_cages(g, player)
    sites = [n for n, site in enumerate(g.map) if site.colour == player.colour]
    lost = max(0, player.warbands + sum(g.map[n].warbands for n in sites) - g.chancellor.bank)
    going = await _lost_where(
        g, player, sites, lost
    )  # asked first: nothing is half done while a question is open
    player.role = "citizen"
    g.tell(BecameCitizen(player.name))
    turn_purple(g, player, sites, going)
    await discard_vision(g, player)
    if g.title == player.name and g.usurper:
        g.usurper = False
        g.tell(TitleMoved(player.name, False))
    end_act_phase(g, player)
    refill(g, player)


def from_cages(g: Oath, player: Player) -> None:
    """Warbands of a new Citizen that lie on a relic come back first (Obsidian Cage)."""
    for holder in g.players:
        for relic in holder.relics:
            n = relic.caged.pop(player.colour, 0)
            player.warbands += n
            if n:
                g.tell(WarbandsFreed(player.name, n))


def turn_purple(g: Oath, player: Player, sites: list[int], going: list[int]) -> None:
    """Purple warbands for all on board and map, but for those that are lost because purple ones ran out (HR-31)."""
    total, lost = player.warbands + sum(g.map[n].warbands for n in sites), sum(going)
    player.bank += total
    g.chancellor.bank -= total - lost
    player.warbands -= going[-1]
    for n, gone in zip(sites, going, strict=False):
        g.map[n].colour = PURPLE
        g.map[n].leave(gone)
    if total:
        g.tell(WarbandsReplaced(player.name, total - lost, lost, True))


async def _lost_where(g: Oath, player: Player, sites: list[int], lost: int) -> list[int]:
    """How many are lost at each site, and at last on the board; the new Citizen chooses (HR-31)."""
    places = [(words.site(g, n), g.map[n].warbands) for n in sites]
    places.append((Text("your board"), player.warbands))
    going = []
    for at, (where, held) in enumerate(places):
        others = sum(count for _, count in places[at + 1 :])
        least, most = max(0, lost - others), min(lost, held)
        gone = least if least == most else await _how_many(player, where, least, most, lost)
        going.append(gone)
        lost -= gone
    return going


async def _how_many(player: Player, where: Text, least: int, most: int, lost: int) -> int:
    menu: Menu[int] = Menu()
    menu.command(
        Text("lose {count} of {where}", where=where),
        lambda count: int(count),
        Number("count", Text("number"), lambda chosen: range(least, most + 1)),
        id="lose",
        also=(Text("lose {count}"),),
    )
    prompt = Text(
        "There are too few purple warbands: {n} of yours will be lost. How many of those on {where}?",
        where=where,
        n=lost,
    )
    return await choose(player.name, "lost-warbands", menu, prompt, section="O-12.2.3", kind="reaction")


def end_act_phase(g: Oath, player: Player) -> None:
    """In their own turn no further actions follow; the current one is still carried out."""
    if player is g.active and g.phase == "act":
        g.phase = "rest"


def refill(g: Oath, player: Player) -> None:
    """Supply to the leftmost space; as a refill it counts nothing for what is saved (HR-11)."""
    player.supply = MOST_SUPPLY
    g.tell(SupplyRefilled(player.name, player.supply))


async def uncover(g: Oath, player: Player, space: str, *, taken: bool = False) -> None:
    """O-12.6: the relic of a space comes to a player, face up, and the space stays uncovered; `taken`: it is not
    given, so that others may answer it."""
    n = RELIQUARY.index(space)
    sealed = g.reliquary[n]
    assert sealed is not None
    relic, _ = await reveal(f"reliquary {space}", sealed, *(p.name for p in g.players))
    g.reliquary[n] = None
    player.relics.append(Relic(relic))
    g.tell(SpaceUncovered(player.name, space, relic))
    if taken:
        await happened(g, RelicsTaken(player, (relic,)))


# exiling (O-12.4, O-12.5)


def offer_exile(menu: Menu[Deed], g: Oath, me: Player) -> None:
    """O-12.4: the Scepter's holder exiles another Citizen, who gets favor for it."""
    who = One("citizen", Text("Citizen"), partial(_citizens, g, me))
    menu.command(
        Text("exile {citizen}"),
        lambda citizen: partial(exile, g, me, citizen),
        who,
        id="exile",
        barred=lambda: _why_no_scepter(g, me) or _why_none_of(who, me),
    )


def _why_none_of(who: One, me: Player) -> Text | None:
    """The reason against the only one who comes into question, else that there is nobody."""
    if any(who.legal({})):
        return None
    others = [c for c in who.choices({}) if c.value.role == "citizen" and c.id != me.name]
    return others[0].why if others else _NO_CITIZENS


def _citizens(g: Oath, me: Player, chosen: Chosen) -> list[Choice]:
    return [Choice(p.name, Text("{who}", who=p.name), p, why=_why_not_exiled(g, me, p)) for p in g.players]


def _why_not_exiled(g: Oath, me: Player, citizen: Player) -> Text | None:
    if citizen.role != "citizen":
        return _NO_CITIZEN.filled(who=citizen.name)
    if citizen.name == me.name:
        return _NOT_YOURSELF
    price = exile_price(g, me, citizen)
    if price > means(g, me):
        return _PRICE.filled(n=price, held=means(g, me))
    return asked(g, MayExile(player=me, citizen=citizen)).why


def exile_price(g: Oath, payer: Player, citizen: Player) -> int:
    """O-12.4, HR-32: five favor, less and more for title and People's Favor on either side."""
    price = EXILE_PRICE
    price -= (g.title == payer.name) + holds(g, payer, PEOPLES_FAVOR)
    return price + (g.title == citizen.name) + holds(g, citizen, PEOPLES_FAVOR)


async def exile(g: Oath, me: Player, citizen: Player) -> None:
    """O-12.4: it cannot be refused."""
    give_favor(g, me, citizen, exile_price(g, me, citizen))
    await become_exile(g, citizen, me)


def _why_not_oneself(g: Oath, me: Player) -> Text | None:
    if me.role != "citizen":
        return _YOU_NO_CITIZEN
    if me.relic(SCEPTER):
        return _HOLDS_SCEPTER
    price = own_exile_price(g, me)
    if price > means(g, me):
        return _OWN_PRICE.filled(n=price, held=means(g, me))
    return asked(g, MayExile(player=me, citizen=me)).why


def own_exile_price(g: Oath, me: Player) -> int:
    """O-12.5: for each secret on the board and on cards, and each warband on the board."""
    on_cards = sum(thing.secrets for _, _, thing in laid(g))
    return me.secrets + me.spent + on_cards + me.warbands


async def exile_oneself(g: Oath, me: Player) -> None:
    """O-12.5: the Scepter's holder is paid; the Act phase ends."""
    holder = holder_of(g, SCEPTER)
    if holder is not None:
        give_favor(g, me, holder, own_exile_price(g, me))
    await become_exile(g, me, me)
    end_act_phase(g, me)


async def become_exile(g: Oath, citizen: Player, by: Player) -> None:
    """O-12.4: the board, own warbands on it as far as there are (HR-30), Supply; those on the map stay purple."""
    purple = citizen.warbands
    own = min(purple, citizen.bank)
    citizen.role = "exile"
    g.chancellor.bank += purple
    citizen.bank -= own
    citizen.warbands = own
    g.tell(Exiled(citizen.name, by.name))
    if purple:
        g.tell(WarbandsReplaced(citizen.name, own, purple - own, False))
    refill(g, citizen)
    await check_title(g)
