"""Muster and Trade: tokens on a card at one's site for warbands, favor or secrets (O-5.3, O-5.4)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from ...core.asks import Menu
from ...core.slots import Choice, Chosen, One
from ...core.text import Text
from .. import words
from ..events import Mustered, happened
from ..powers import asked
from ..queries import AdviserSuits, Matches, MayMusterOn, MayTrade, MusterCost, TradeCost, Traded
from ..queries import Mustered as MusterGain
from ..state import Card, Oath, Player
from ..verbs import favor_from_bank, gain_secrets, gain_warbands, lay, spend
from .action import Muster, Trade
from .declaring import Deed, Modifier, declare, modifiers, using
from .travel import pay_toll

MUSTER_SUPPLY = TRADE_SUPPLY = 1
MUSTER_GAIN = 2
FOR_SECRETS = 2
"""Favor that a Trade for secrets asks."""

_RUIN = Text("a ruin cannot be used (O-5.3)")
_OCCUPIED = Text("tokens lie on it already (O-5.3)")
_NO_SUPPLY = Text("it costs {n} Supply, you have {left} (O-4.3.2)")
_NO_FAVOR = Text("it takes {n} favor, you have {held}")
_NO_SECRET = Text("it takes a faceup secret, you have none (O-5.4)")
_NO_CARD = Text("no card at your site can be used for it")
_NO_TOLL = Text("{n} favor must be paid for it, you have {held}")

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
    if may.pays == "secret" and not me.secrets:
        return _NO_SECRET
    if may.pays == "favor" and not me.favor:
        return _NO_FAVOR.filled(n=1, held=me.favor)
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
    await happened(g, Mustered(me, action.card.id))


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
        player=action.player, card=action.card, goods=action.goods, declared=action.declared, tolls=[]
    )
    return asked(action.g, query)


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
    if favor > me.favor:
        return (_NO_TOLL if action.goods == "favor" else _NO_FAVOR).filled(n=favor, held=me.favor)
    if action.goods == "favor" and not me.secrets:
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
    suits = adviser_suits(action)
    matches = asked(
        g, Matches(player=me, suit=action.suit, base=suits.count(action.suit), declared=action.declared)
    ).value
    base = 1 + matches if goods == "favor" else matches
    query = Traded(
        player=me, card=action.card, goods=goods, base=base, declared=action.declared, suits=tuple(suits)
    )
    if goods == "favor":
        lay(g, me, action.card.id, action.card, action.card.suit, secrets=1)
    else:
        lay(g, me, action.card.id, action.card, action.card.suit, favor=FOR_SECRETS)
    gained = asked(g, query)
    if goods == "favor":
        favor_from_bank(g, me, action.card.suit, gained.value)
    else:
        gain_secrets(g, me, gained.value)
        favor_from_bank(g, me, action.card.suit, gained.favor_too)


def adviser_suits(action: Trade) -> list[str]:
    """What the faceup advisers count as in this Trade."""
    suits = [a.suit for a in action.player.advisers if a.suit]
    query = AdviserSuits(player=action.player, suit=action.suit, suits=suits, declared=action.declared)
    return asked(action.g, query).suits


# the commands


def offer_trading(menu: Menu[Deed], g: Oath, me: Player) -> None:
    """O-5.3, O-5.4: each plainly, and with cards that change it."""
    for id, texts, why, act in (
        (
            "muster",
            (Text("muster on {card}"), Text("muster on {card} using {using}")),
            partial(_musters, g, me),
            partial(muster, g, me),
        ),
        (
            "trade.favor",
            (Text("trade with {card} for favor"), Text("trade with {card} for favor using {using}")),
            partial(_trades, g, me, "favor"),
            partial(trade, g, me, "favor"),
        ),
        (
            "trade.secrets",
            (Text("trade with {card} for secrets"), Text("trade with {card} for secrets using {using}")),
            partial(_trades, g, me, "secrets"),
            partial(trade, g, me, "secrets"),
        ),
    ):
        _offer(menu, g, me, id, texts, why, act)


def _musters(g: Oath, me: Player, card: At, declared: tuple[str, ...]) -> Text | None:
    return why_no_muster(mustering(g, me, card, declared))


def _trades(g: Oath, me: Player, goods: str, card: At, declared: tuple[str, ...]) -> Text | None:
    return why_no_trade(trading(g, me, card, goods, declared))


Why = Callable[[At, tuple[str, ...]], Text | None]


def _offer(
    menu: Menu[Deed],
    g: Oath,
    me: Player,
    id: str,
    texts: tuple[Text, Text],
    why: Why,
    act: Callable[..., Any],
) -> None:
    """One command over the cards at the site, and the same with modifiers."""
    plain = One("card", Text("card"), partial(_cards, g, me, lambda card: why(card, ())))
    menu.command(
        texts[0],
        lambda card: partial(act, card),
        plain,
        id=id,
        barred=lambda: None if any(plain.legal({})) else _first_reason(plain),
    )
    found = modifiers(g, me, id.partition(".")[0])
    if not found:
        return

    def fits(chosen: Chosen, those: tuple[Modifier, ...]) -> Text | None:
        return why(chosen["card"], tuple(lying.id for _, lying in those))

    slot = using(me, found, fits)
    some = One(
        "card",
        Text("card"),
        partial(_cards, g, me, lambda card: None if any(slot.legal({"card": card})) else why(card, ())),
    )
    menu.command(
        texts[1],
        lambda card, using: partial(act, card, using),
        some,
        slot,
        id=f"{id}.using",
        barred=lambda: None if any(some.legal({})) else _first_reason(some),
    )


def _cards(g: Oath, me: Player, why: Callable[[At], Text | None], chosen: Chosen) -> list[Choice]:
    return [
        Choice(card.id, words.thing(card.id), (me.pawn, card), why=why((me.pawn, card)))
        for card in g.map[me.pawn].cards
    ]


def _first_reason(slot: One) -> Text:
    """Why none of the cards will do: the reason of the only one, else in general."""
    reasons = [c.why for c in slot.choices({}) if c.why is not None]
    return reasons[0] if len(reasons) == 1 else _NO_CARD
