"""Recover: a relic at one's site, or a banner wherever it is (O-5.5)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from ...core.asks import Menu
from ...core.slots import Choice, Chosen, Number, One
from ...core.text import Text
from .. import words
from ..events import BannerTaken, happened
from ..facts import FavorMoved, SecretsMoved
from ..oaths import check_title
from ..powers import asked, cost_of
from ..printed import BANNERS, DARKEST_SECRET, PEOPLES_FAVOR, SITES, SUITS
from ..queries import AddedToRecover, MayRecover
from ..ruling import faceup_suits, in_circle, suits_at
from ..state import Oath, Player
from ..taking import RELIC, may_take, take_at_site
from ..verbs import burn_favor, burn_secrets, favor_to_bank, means, pay_favor, set_banner, spend
from .action import Recover
from .declaring import Deed, Modifier, declare, modifiers, using

SUPPLY = 1

_NO_SUPPLY = Text("it costs {n} Supply, you have {left} (O-4.3.2)")
_NO_FAVOR = Text("it takes {n} favor, you have {held} (O-5.5)")
_NO_SECRETS = Text(
    "it takes {n} secret face up, you have {held} (O-5.5)",
    "it takes {n} secrets face up, you have {held} (O-5.5)",
)
_NO_RELIC = Text("no relic lies at your site (O-5.5.1)")
_NO_ACCESS = Text("at {who}'s site no card has a suit that none of their faceup advisers shares (O-5.5.5)")
_NO_COST = Text("this site prints no cost for relics, so none can be recovered here (O-1.7)")


# relics


def offer_recover(menu: Menu[Deed], g: Oath, me: Player) -> None:
    """O-5.5: the relics at the site, then both banners."""
    found = modifiers(g, me, Recover.name)
    _offer_relic(menu, g, me, found)
    for banner in BANNERS:
        amount = Number("n", Text("number"), partial(_amounts, g, me, banner))
        slots: tuple[Number | One, ...] = (amount,)
        text = Text("recover {banner} for {n}", banner=words.thing(banner))
        if banner == PEOPLES_FAVOR:
            text = Text("recover {banner} for {n} starting at {bank}", banner=words.thing(banner))
            slots = (amount, One("bank", Text("bank"), _banks))
        menu.command(
            text,
            partial(_banner_deed, g, me, banner),
            *slots,
            id=f"recover.{banner}",
            barred=partial(why_no_banner, g, me, banner),
        )
    _offer_secret_using(menu, g, me, found)


def recovering(g: Oath, me: Player, target: str, declared: tuple[str, ...] = ()) -> Recover:
    """A Recover in the making."""
    action = Recover(g, me, target)
    action.declared = declared
    return action


def _for(found: Sequence[Modifier], action: Recover) -> list[Modifier]:
    """The modifiers that are of use in a Recover."""
    return [(power, lying) for power, lying in found if power.may_declare(action.g, lying, action) is None]


def _offer_relic(menu: Menu[Deed], g: Oath, me: Player, found: Sequence[Modifier]) -> None:
    """O-5.5.1: one of the relics at the site, by its place where there are several."""
    several = len(g.map[me.pawn].relics) > 1
    which = [One("relic", Text("relic"), partial(_relics, g, me))] if several else []
    menu.command(
        Text("recover {relic}") if several else Text("recover relic"),
        partial(_relic_deed, g, me),
        *which,
        id="recover.relic",
        barred=lambda: why_no_relic(recovering(g, me, RELIC)),
        also=() if several else (Text("recover the relic"),),
    )
    found = _for(found, recovering(g, me, RELIC))
    if not found:
        return
    slot = using(found, lambda chosen, declared: recovering(g, me, RELIC, declared), why_no_relic)
    menu.command(
        Text("recover {relic} using {using}") if several else Text("recover relic using {using}"),
        partial(_relic_deed, g, me),
        *which,
        slot,
        id="recover.relic.using",
        barred=lambda: None if any(slot.legal({})) else why_no_relic(recovering(g, me, RELIC)),
    )


def _relic_deed(g: Oath, me: Player, relic: int = 0, using: Sequence[Modifier] = ()) -> Deed:
    return partial(recover_relic, g, me, relic, using)


def _offer_secret_using(menu: Menu[Deed], g: Oath, me: Player, found: Sequence[Modifier]) -> None:
    """O-5.5.2, O-8.5: the Darkest Secret with cards that add to the payment; then less comes off the board, or
    nothing."""
    found = _for(found, recovering(g, me, DARKEST_SECRET))
    if not found:
        return

    def fits(action: Recover) -> Text | None:
        using = [pair for pair in found if pair[1].id in action.declared]
        return why_no_banner(g, me, DARKEST_SECRET, using)

    slot = using(found, lambda chosen, declared: recovering(g, me, DARKEST_SECRET, declared), fits)
    menu.command(
        Text("recover {banner} using {using} for {n}", banner=words.thing(DARKEST_SECRET)),
        lambda using, n: partial(recover_banner, g, me, DARKEST_SECRET, n, using=using),
        slot,
        Number(
            "n", Text("number"), lambda chosen: _amounts(g, me, DARKEST_SECRET, {}, using=chosen["using"])
        ),
        id=f"recover.{DARKEST_SECRET}.using",
        barred=lambda: None if any(slot.legal({})) else why_no_banner(g, me, DARKEST_SECRET, found[:1]),
    )


def _relics(g: Oath, me: Player, chosen: Chosen) -> list[Choice]:
    """The relics by their places; whoever has peeked knows which is which."""
    count = len(g.map[me.pawn].relics)
    return [Choice(str(n), Text("relic {n}", n=n + 1), n) for n in range(count)]


def why_no_relic(action: Recover) -> Text | None:
    """O-5.5.1: why no relic can be recovered here; None if one can."""
    g, me = action.g, action.player
    there = g.map[me.pawn]
    if not there.relics:
        return _NO_RELIC
    if me.supply < SUPPLY:
        return _NO_SUPPLY.filled(n=SUPPLY, left=me.supply)
    cost = SITES[there.shown].recover
    if cost is None:  # HR-38
        return _NO_COST
    if cost.kind == "burn_secrets" and action.secrets < cost.amount:
        return _NO_SECRETS.filled(n=cost.amount, held=action.secrets)
    if cost.kind != "burn_secrets" and action.favor < cost.amount:
        return _NO_FAVOR.filled(n=cost.amount, held=action.favor)
    why = asked(g, MayRecover(player=me, target=RELIC)).why
    return why if why is not None else may_take(g, me, RELIC, None, me.pawn)


async def recover_relic(g: Oath, me: Player, index: int, using: Sequence[Modifier] = ()) -> None:
    """O-5.5.1: pay what the site prints; the relic comes face up."""
    action = recovering(g, me, RELIC)
    await declare(action, using)
    spend(g, me, SUPPLY)
    cost = SITES[g.map[me.pawn].shown].recover
    assert cost is not None
    match cost.kind:
        case "burn_secrets":
            burn_secrets(g, me, cost.amount)
        case "burn_favor":
            burn_favor(g, me, cost.amount)
        case _:
            favor_to_bank(g, me, cost.suit, cost.amount)
    await take_at_site(g, me, me.pawn, index, declared=action.declared)


# banners


def _held(g: Oath, me: Player, banner: str, using: Sequence[Modifier]) -> int:
    """What can be laid on it, once the modifiers are paid."""
    costs = [cost_of(lying.id) for _, lying in using]
    if banner == PEOPLES_FAVOR:
        return means(g, me) - sum(c.favor + c.burn_favor for c in costs)
    return me.secrets - sum(c.secret + c.burn_secret for c in costs)


def _added(g: Oath, me: Player, banner: str, declared: tuple[str, ...]) -> int:
    return asked(g, AddedToRecover(player=me, target=banner, declared=declared)).value


def _least(g: Oath, me: Player, banner: str, using: Sequence[Modifier]) -> int:
    """O-5.5.2: strictly more than lies on it, less what cards add."""
    added = _added(g, me, banner, tuple(lying.id for _, lying in using))
    return max(0, g.banners[banner].tokens + 1 - added)


def _amounts(g: Oath, me: Player, banner: str, chosen: Chosen, *, using: Sequence[Modifier] = ()) -> range:
    """From the least that is enough as far as one's own tokens reach."""
    return range(_least(g, me, banner, using), _held(g, me, banner, using) + 1)


def _banks(chosen: Chosen) -> list[Choice]:
    return [Choice(suit, words.SUIT[suit], suit) for suit in SUITS]


def has_access(g: Oath, me: Player, banner: str) -> bool:
    """O-5.5.5: the Darkest Secret of another player wants a card at the holder's site whose suit none of the holder's
    faceup advisers shares."""
    holder = g.banners[banner].holder
    if banner != DARKEST_SECRET or holder in ("", me.name):
        return True
    owner = g.player(holder)
    shared = faceup_suits(owner)
    return any(suit not in shared for suit in suits_at(g, owner.pawn))


def why_no_banner(g: Oath, me: Player, banner: str, using: Sequence[Modifier] = ()) -> Text | None:
    """Why a banner cannot be recovered; None if it can."""
    there = g.banners[banner]
    if me.supply < SUPPLY:
        return _NO_SUPPLY.filled(n=SUPPLY, left=me.supply)
    least, held = _least(g, me, banner, using), _held(g, me, banner, using)
    if held < least:
        reason = _NO_FAVOR if banner == PEOPLES_FAVOR else _NO_SECRETS
        return reason.filled(n=least, held=held)
    if not has_access(g, me, banner):
        return _NO_ACCESS.filled(who=there.holder)
    owner = g.player(there.holder) if there.holder else None
    why = asked(g, MayRecover(player=me, target=banner, owner=owner)).why
    return why if why is not None else may_take(g, me, banner, owner)


def _banner_deed(g: Oath, me: Player, banner: str, n: int, bank: str = "") -> Deed:
    return partial(recover_banner, g, me, banner, n, bank)


async def recover_banner(
    g: Oath, me: Player, banner: str, n: int, bank: str = "", using: Sequence[Modifier] = ()
) -> None:
    """O-5.5.2 to O-5.5.4: what is paid now lies on it, what lay there goes away."""
    action = recovering(g, me, banner)
    await declare(action, using)
    spend(g, me, SUPPLY)
    added = _added(g, me, banner, action.declared)
    there = g.banners[banner]
    owner = g.player(there.holder) if there.holder else None
    old = there.tokens
    if banner == PEOPLES_FAVOR:
        pay_favor(g, me, n, banner)
        _scatter(g, me, old, bank)
    else:
        me.secrets -= n
        for secrets, source in ((n, me.name), (added, "shared")):
            if secrets:
                g.tell(SecretsMoved(me.name, secrets, source, banner))
        _old_secrets(g, me, owner, old)
    set_banner(g, banner, me, n + added)
    await happened(g, BannerTaken(me, banner, owner, recovered=True, paid=n + added))
    await check_title(g)


def _scatter(g: Oath, me: Player, old: int, first: str) -> None:
    """O-5.5.3: the old favor one by one to the banks, from one on in circle order, around again if needed."""
    circle = in_circle(first)
    for n in range(old):
        g.banks[circle[n % len(circle)]] += 1
    for k, suit in enumerate(circle):
        count = len(range(k, old, len(circle)))
        if count:
            g.tell(FavorMoved(me.name, count, PEOPLES_FAVOR, suit))


def _old_secrets(g: Oath, me: Player, owner: Player | None, old: int) -> None:
    """O-5.5.4: the taker takes one, the previous holder the rest; from oneself all; the shared bank keeps the rest."""
    mine = old if owner is me else min(1, old)
    me.secrets += mine
    g.tell(SecretsMoved(me.name, mine, DARKEST_SECRET, me.name))
    rest = old - mine
    if not rest:
        return
    if owner is not None:
        owner.secrets += rest
    g.tell(SecretsMoved(me.name, rest, DARKEST_SECRET, owner.name if owner else "shared"))
