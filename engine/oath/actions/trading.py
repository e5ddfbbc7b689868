"""Muster and Trade: tokens on a card at one's site for warbands, favor or secrets (O-5.3, O-5.4)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any, TypeVar

from ...core.asks import Menu
from ...core.slots import Choice, Chosen, One
from ...core.text import Text
from .. import words
from ..events import Mustered, Traded, happened
from ..powers import asked
from ..queries import (
    AdviserSuits,
    CardWithinReach,
    Matches,
    MayMusterOn,
    MayTrade,
    MusterCost,
    MusterGain,
    TradeCost,
    TradeGain,
)
from ..ruling import faceup_suits
from ..state import Card, Oath, Player
from ..verbs import favor_from_bank, gain_secrets, gain_warbands, lay, spend
from .action import Action, Muster, Trade
from .declaring import Deed, Modifier, declare, modifiers, using, why_none
from .travel import pay_toll

MUSTER_SUPPLY = TRADE_SUPPLY = 1
MUSTER_GAIN = 2
FOR_SECRETS = 2
"""Favor that a Trade for secrets asks."""

_RUIN = Text("a ruin cannot be used (O-5.3)")
_OCCUPIED = Text("tokens lie on it already (O-5.3, O-5.4)")
_NO_SUPPLY = Text("it costs {n} Supply, you have {left} (O-4.3.2)")
_NO_FAVOR = Text("it takes {n} favor, you have {held} ({section})")
_NO_SECRET = Text("it takes a faceup secret, you have none (O-5.4)")
_FAR = Text("only a card at your pawn's site is within reach (O-5.4)")
_NO_CARD = Text("no card at your site can be used for it (O-5.3, O-5.4)")
_NO_TOLL = Text("{n} favor must be paid for it, you have {held}")

A = TypeVar("A", bound=Action)
At = tuple[int, Card]
"""A site and a card there."""


def _why_not_card(card: Card, *, occupied_too: bool) -> Text | None:
    if not card.suit:
        return _RUIN
    return None if card.empty or occupied_too else _OCCUPIED


# Muster


def mustering(g: Oath, me: Player, at: At, declared: tuple[str, ...] = (), *, free: bool = False) -> Muster:
    """A Muster in the making."""
    action = Muster(g, me, at[1], at[0], free=free)
    action.declared = declared
    return action


def muster_cost(action: Muster) -> int:
    """Supply of a Muster, with all that changes it."""
    if action.free:
        return 0
    query = MusterCost(player=action.player, card=action.card, base=MUSTER_SUPPLY, declared=action.declared)
    return asked(action.g, query).value


def why_no_muster(action: Muster) -> Text | None:
    """Why a card cannot be mustered on; None if it can."""
    me = action.player
    may = asked(action.g, MayMusterOn(player=me, card=action.card, declared=action.declared))
    if may.why is not None:
        return may.why
    why = _why_not_card(action.card, occupied_too=may.occupied_too)
    if why is not None:
        return why
    if may.pays == "secret" and action.secrets < 1:
        return _NO_SECRET
    if may.pays == "favor" and action.favor < 1:
        return _NO_FAVOR.filled(n=1, held=action.favor, section="O-5.3")
    supply = muster_cost(action)
    return _NO_SUPPLY.filled(n=supply, left=me.supply) if supply > me.supply else None


async def muster(
    g: Oath, me: Player, card: At, using: Sequence[Modifier] = (), *, free: bool = False
) -> None:
    """O-5.3: a favor on the card, two warbands out of the bank as far as it reaches."""
    action = mustering(g, me, card, free=free)
    await declare(action, using)
    spend(g, me, muster_cost(action))
    may = asked(g, MayMusterOn(player=me, card=action.card, declared=action.declared))
    paid = {"secrets": 1} if may.pays == "secret" else {"favor": 1}
    lay(g, me, action.card.id, action.card, action.card.suit, **paid)
    query = MusterGain(
        player=me, card=action.card, site=action.site, base=MUSTER_GAIN, declared=action.declared
    )
    gain_warbands(g, me, asked(g, query).value)
    await happened(g, Mustered(me, action.card.id, action.declared))


# Trade


def trading(
    g: Oath, me: Player, at: At, goods: str, declared: tuple[str, ...] = (), *, free: bool = False
) -> Trade:
    """A Trade in the making."""
    action = Trade(g, me, at[1], at[0], goods, free=free)
    action.declared = declared
    return action


def trade_cost(action: Trade) -> int:
    """Supply of a Trade, with all that changes it."""
    if action.free:
        return 0
    query = TradeCost(player=action.player, card=action.card, base=TRADE_SUPPLY, declared=action.declared)
    return asked(action.g, query).value


def permission(action: Trade) -> MayTrade:
    """Whether this card may be traded with, and what must be paid for it."""
    query = MayTrade(
        player=action.player,
        card=action.card,
        site=action.site,
        goods=action.goods,
        declared=action.declared,
    )
    if action.site != action.player.pawn and not _within_reach(action):
        query.refuse(_FAR)
    return asked(action.g, query)


def _within_reach(action: Trade) -> bool:
    """Whether a card lets the player trade at a site where the pawn is not."""
    query = CardWithinReach(player=action.player, site=action.site, declared=action.declared)
    return asked(action.g, query).allowed


def why_no_trade(action: Trade) -> Text | None:
    """Why a card cannot be traded with; None if it can."""
    me = action.player
    why = _why_not_card(action.card, occupied_too=False)
    if why is not None:
        return why
    may = permission(action)
    if may.why is not None:
        return may.why
    favor = len(may.tolls) + (FOR_SECRETS if action.goods == "secrets" else 0)
    if favor > action.favor:
        told = _NO_TOLL if action.goods == "favor" else _NO_FAVOR.filled(section="O-5.4")
        return told.filled(n=favor, held=action.favor)
    if action.goods == "favor" and action.secrets < 1:
        return _NO_SECRET
    supply = trade_cost(action)
    return _NO_SUPPLY.filled(n=supply, left=me.supply) if supply > me.supply else None


async def trade(
    g: Oath, me: Player, goods: str, card: At, using: Sequence[Modifier] = (), *, free: bool = False
) -> None:
    """O-5.4: a secret for favor, or two favor for secrets; each matching faceup adviser brings one more."""
    action = trading(g, me, card, goods, free=free)
    await declare(action, using)
    spend(g, me, trade_cost(action))
    for toll in permission(action).tolls:
        pay_toll(g, me, toll)
    gain = yield_of(action)
    if goods == "favor":
        lay(g, me, action.card.id, action.card, action.card.suit, secrets=1)
    else:
        lay(g, me, action.card.id, action.card, action.card.suit, favor=FOR_SECRETS)
    favor, secrets = (gain.value, 0) if goods == "favor" else (gain.favor_too, gain.value)
    gain_secrets(g, me, secrets)
    favor = 0 if gain.no_favor else favor_from_bank(g, me, action.card.suit, favor)
    await happened(g, Traded(me, action=action, favor=favor, secrets=secrets))


def yield_of(action: Trade) -> TradeGain:
    """O-5.4: one favor, or nothing, and one more for each matching faceup adviser; with all that changes it."""
    suits, me = adviser_suits(action), action.player
    matches = Matches(player=action.advisers_of, suit=action.suit, base=suits.count(action.suit))
    return asked(
        action.g,
        TradeGain(
            player=me,
            card=action.card,
            goods=action.goods,
            base=asked(action.g, matches).value + (1 if action.goods == "favor" else 0),
            declared=action.declared,
            advisers_of=action.advisers_of,
            suits=tuple(suits),
        ),
    )


def adviser_suits(action: Trade) -> list[str]:
    """What the faceup advisers count as in this Trade."""
    query = AdviserSuits(
        player=action.player,
        advisers_of=action.advisers_of,
        suit=action.suit,
        suits=faceup_suits(action.advisers_of),
        declared=action.declared,
    )
    return asked(action.g, query).suits


# the commands


def offer_trading(menu: Menu[Deed], g: Oath, me: Player) -> None:
    """O-5.3, O-5.4: each plainly, and with cards that change it."""
    mustering_on = (Text("muster on {card}"), Text("muster on {card} using {using}"))
    _offer(
        menu, g, me, "muster", mustering_on, partial(mustering, g, me), why_no_muster, partial(muster, g, me)
    )
    for goods, texts in (
        ("favor", (Text("trade with {card} for favor"), Text("trade with {card} for favor using {using}"))),
        (
            "secrets",
            (Text("trade with {card} for secrets"), Text("trade with {card} for secrets using {using}")),
        ),
    ):
        making, act = partial(_trade_for, g, me, goods), partial(trade, g, me, goods)
        _offer(menu, g, me, f"trade.{goods}", texts, making, why_no_trade, act)


def _trade_for(g: Oath, me: Player, goods: str, at: At, declared: tuple[str, ...]) -> Trade:
    return trading(g, me, at, goods, declared)


Making = Callable[[At, tuple[str, ...]], A]


def _offer(
    menu: Menu[Deed],
    g: Oath,
    me: Player,
    id: str,
    texts: tuple[Text, Text],
    making: Making[A],
    why_not: Callable[[A], Text | None],
    act: Callable[..., Any],
) -> None:
    """One command over the cards at the site, and the same with modifiers, which may open cards elsewhere."""
    plain = One("card", Text("card"), partial(_cards, g, [me.pawn], lambda card: why_not(making(card, ()))))
    menu.command(
        texts[0],
        lambda card: partial(act, card),
        plain,
        id=id,
        barred=lambda: None if any(plain.legal({})) else _reasons(plain),
    )
    found = modifiers(g, me, id.partition(".")[0])
    if not found:
        return
    slot = using(found, lambda chosen, declared: making(chosen["card"], declared), why_not)
    some = One(
        "card",
        Text("card"),
        partial(
            _cards,
            g,
            _sites_with(g, me, id, found),
            lambda card: why_none(slot, {"card": card}, why_not(making(card, ())) or _NO_CARD),
        ),
    )
    menu.command(
        texts[1],
        lambda card, using: partial(act, card, using),
        some,
        slot,
        id=f"{id}.using",
        barred=lambda: None if any(some.legal({})) else _reasons(some),
    )


def _sites_with(g: Oath, me: Player, id: str, found: Sequence[Modifier]) -> list[int]:
    """The sites whose cards come into question with some of these modifiers."""
    declared = tuple(lying.id for _, lying in found)
    sites = [me.pawn]
    for n in g.faceup() if id.startswith("trade") else ():
        query = CardWithinReach(player=me, site=n, declared=declared)
        if n != me.pawn and asked(g, query).allowed:
            sites.append(n)
    return sites


def _cards(
    g: Oath, sites: Sequence[int], why: Callable[[At], Text | None], chosen: Chosen
) -> Iterator[Choice]:
    return (
        Choice(card.id, words.thing(card.id), (n, card), why=why((n, card)))
        for n in sites
        for card in g.map[n].cards
    )


def _reasons(slot: One) -> Text:
    """Why none of the cards will do: the reason that all share, else each with its own."""
    barred = {c.words: c.why for c in slot.choices({}) if c.why is not None}
    reasons = list(dict.fromkeys(barred.values()))
    if len(reasons) < 2:
        return reasons[0] if reasons else _NO_CARD
    return Text(
        "{those}", those=tuple(Text("{card}: {why}", card=card, why=why) for card, why in barred.items())
    )
