"""Minor actions, which cost no Supply (O-7): facedown advisers, powers, peeks."""

from __future__ import annotations

from functools import partial

from ...core.asks import Menu, reveal
from ...core.slots import Choice, Chosen, One
from ...core.text import Text
from .. import words
from ..discarding import discard_adviser
from ..facts import Peeked
from ..playing import Hand, play_or_discard
from ..powers import POWERS, asked, cost_of, in_force
from ..printed import NAMES, RELIQUARY, SCEPTER
from ..queries import MaySearch
from ..ruling import Lying
from ..state import Adviser, Oath, Player
from ..verbs import means
from .declaring import Deed, pay_cost, why_not_affordable, why_not_used
from .travel import pay_toll

_NO_ADVISER = Text("you have no facedown adviser (O-7.1)")
_NO_RELIC = Text("no relic lies at your site that you have not seen (O-7.3)")
_NO_TOLL = Text("{n} favor must be paid for it, you have {held}")
_TAKEN_NOW = Text("the Grand Scepter was taken in this turn (O-12.2.5)")


# facedown advisers


def offer_adviser(menu: Menu[Deed], g: Oath, me: Player) -> None:
    """O-7.1: turn up a facedown adviser, play it to the site, or discard it."""
    which = One("adviser", Text("adviser"), partial(_facedown, me))
    menu.command(
        Text("play adviser {adviser}"),
        lambda adviser: partial(play_adviser, g, me, adviser),
        which,
        id="adviser",
        barred=partial(_why_no_adviser, g, me, which),
        also=(Text("turn up {adviser}"),),
    )


def _facedown(me: Player, chosen: Chosen) -> list[Choice]:
    return [
        Choice(str(n), words.thing(a.card.under_seal()), a) for n, a in enumerate(me.advisers) if not a.shown
    ]


def _why_no_adviser(g: Oath, me: Player, which: One) -> Text | None:
    if not any(which.legal({})):
        return _NO_ADVISER
    may = asked(g, MaySearch(player=me, source="adviser", tolls=[]))
    if may.why is not None:
        return may.why
    held = means(g, me)
    return _NO_TOLL.filled(n=len(may.tolls), held=held) if len(may.tolls) > held else None


async def play_adviser(g: Oath, me: Player, adviser: Adviser) -> None:
    """O-7.1: as in step 4 of a Search."""
    for toll in asked(g, MaySearch(player=me, source="adviser", tolls=[])).tolls:
        pay_toll(g, me, toll)
    hand = Hand(g, me, adviser.card.under_seal(), adviser=adviser)
    await play_or_discard(hand, partial(_discard, g, me, adviser))


async def _discard(g: Oath, me: Player, adviser: Adviser) -> None:
    discard_adviser(g, me, me, adviser)


# powers


def offer_powers(menu: Menu[Deed], g: Oath, me: Player) -> None:
    """O-7.2: every “Action:” that is open to the player, barred with its reason where it is of no use now."""
    for _, lying in in_force(g, POWERS.with_action()):
        if not lying.open_to(g, me):
            continue
        menu.command(
            Text("use {card}", card=words.thing(lying.id)),
            partial(_use_deed, g, me, lying),
            id=f"use.{lying.id}",
            barred=partial(why_not_use, g, me, lying),
            also=(words.thing(lying.id),),
        )


def _use_deed(g: Oath, me: Player, lying: Lying) -> Deed:
    return partial(use, g, me, lying)


def why_not_use(g: Oath, me: Player, lying: Lying) -> Text | None:
    """Why a power cannot be used now; None if it can."""
    if lying.id == SCEPTER and g.scepter_taken:
        return _TAKEN_NOW
    cost = cost_of(lying.id)
    why = why_not_affordable(g, me, lying, cost)
    if why is None:
        why = why_not_used(g, me, cost)
    return why if why is not None else POWERS[lying.id].may_act(g, lying, me)


async def use(g: Oath, me: Player, lying: Lying) -> None:
    """O-7.2, O-8.2: the cost, then the power."""
    pay_cost(g, me, lying, cost_of(lying.id))
    await POWERS[lying.id].act(g, lying, me)


# peeks


def offer_peeks(menu: Menu[Deed], g: Oath, me: Player) -> None:
    """O-7.3, O-7.4: a relic at the site, and with the Scepter those in the Reliquary."""
    unseen = One("relic", Text("relic"), partial(_unseen, g, me))
    menu.command(
        Text("peek at {relic}"),
        lambda relic: partial(peek, g, me, relic),
        unseen,
        id="peek",
        barred=lambda: None if any(unseen.legal({})) else _NO_RELIC,
        also=(Text("look at {relic}"),),
    )
    if me.relic(SCEPTER) and not g.scepter_taken and _sealed_spaces(g, me):
        menu.command(
            Text("look into the Reliquary"), lambda: partial(look_into_reliquary, g, me), id="reliquary"
        )


def _unseen(g: Oath, me: Player, chosen: Chosen) -> list[Choice]:
    relics = g.map[me.pawn].relics
    return [
        Choice(str(n), Text("relic {n}", n=n + 1), n) for n, r in enumerate(relics) if not r.seen_by(me.name)
    ]


async def peek(g: Oath, me: Player, n: int) -> None:
    """O-7.3: from now on it may be looked at again at any time."""
    there = g.map[me.pawn]
    relic, there.relics[n] = await reveal(f"relic {me.pawn} {n}", there.relics[n], me.name)
    g.tell(Peeked(me.name, relic, NAMES[there.shown]))


def _sealed_spaces(g: Oath, me: Player) -> list[int]:
    return [n for n, relic in enumerate(g.reliquary) if relic is not None and not relic.seen_by(me.name)]


async def look_into_reliquary(g: Oath, me: Player) -> None:
    """O-7.4: whoever holds the Scepter knows all four."""
    for n in _sealed_spaces(g, me):
        sealed = g.reliquary[n]
        assert sealed is not None
        relic, g.reliquary[n] = await reveal(f"reliquary {RELIQUARY[n]}", sealed, me.name)
        g.tell(Peeked(me.name, relic, ""))
