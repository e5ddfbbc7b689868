"""Binding exchanges: listed goods both ways, accepted or refused as a whole (O-14, E-16, E-17)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ..core.asks import Kind, Menu, choose, reveal
from ..core.slots import Choice, Chosen, Many, One, Rng
from ..core.text import Text
from . import words
from .advisers import within_limit
from .discarding import is_locked
from .empire_facts import AdviserGiven, Answered, DealProposed, Gave, Goods
from .oaths import check_title
from .powers import asked
from .printed import BANNERS, FAVOR
from .queries import MayGiveSecrets
from .ruling import Lying, holds
from .state import Adviser, Oath, Player, take_out
from .verbs import give_favor, give_secrets, means, set_banner

Item = tuple[str, str | int]
"""One entry of a list of goods: `favor` or `secrets` with a number, `relic`, `banner` or `adviser` with an id,
`facedown` with the place of a facedown adviser."""

KINDS = ("favor", "secrets", "relic", "banner")
"""What may be exchanged with a citizenship offer (O-14.2); cards name their own."""

_FAVOR = Text("{who} has {n} favor (O-14.2)")
_SECRETS = Text("{who} has {n} faceup secret (O-14.2)", "{who} has {n} faceup secrets (O-14.2)")
_NOT_HELD = Text("{who} does not hold {thing} (O-14.2)")
_TWO_NUMBERS = Text("one number of favor and one of secrets is enough")
_NOTHING_TO_GIVE = Text("you have nothing that may be exchanged")
_NOTHING_TO_ASK = Text("nobody has anything that may be exchanged")
_NOTHING_THERE = Text("{who} has nothing that may be exchanged")
_MOST = 99
_MOST_SECRETS = 20


# the slot


class Wares(Many, frozen=True):
    """A list of goods; a random one names a few of them."""

    def sample(self, chosen: Chosen, rng: Rng) -> str:
        """A lawful list; raises `LookupError` when there is none."""
        elements = [e for e in self.elements(chosen) if e.why is None]
        for _ in range(8 if elements else 0):
            group = sorted({rng.randrange(len(elements)) for _ in range(1 + rng.randrange(3))})
            if self.check(chosen, tuple(elements[n].value for n in group)) is None:
                return ",".join(elements[n].id for n in group)
        try:
            return next(self.legal(chosen))
        except StopIteration:
            raise LookupError(self.name) from None


def goods_slot(
    name: str,
    label: Text,
    lead: Text | None,
    owner: Callable[[Chosen], Player],
    g: Oath,
    check: Callable[[Chosen], Text | None] = lambda chosen: None,
    kinds: Sequence[str] = KINDS,
) -> Wares:
    """What somebody gives, as a part that may be left out if it has a lead: `giving 3 favor, map`; `check`: what is
    against any; `kinds`: what may be given."""

    def elements(chosen: Chosen) -> list[Choice]:
        return [*items(g, owner(chosen), kinds), *_missing(g, owner(chosen), kinds)]

    def judged(chosen: Chosen, those: tuple[Item, ...]) -> Text | None:
        numbers = [kind for kind, _ in those if kind in ("favor", "secrets")]
        return _TWO_NUMBERS if len(numbers) != len(dict.fromkeys(numbers)) else check(chosen)

    return Wares(name, label, elements, 1, _MOST, judged, lead)


def items(g: Oath, owner: Player, kinds: Sequence[str] = KINDS) -> list[Choice]:
    """Everything of some kinds that a player can give: favor, faceup secrets, relics, banners, advisers."""
    why = asked(g, MayGiveSecrets(player=owner)).why
    found = [
        Choice(f"favor.{n}", Text("{n} favor", n=n), ("favor", n)) for n in range(1, means(g, owner) + 1)
    ]
    for n in range(1, owner.secrets + 1):
        said = Text("{n} secret", "{n} secrets", n=n)
        found.append(Choice(f"secrets.{n}", said, ("secrets", n), why=why))
    found += [Choice(r.id, words.thing(r.id), ("relic", r.id)) for r in owner.relics]
    found += [Choice(b, words.thing(b), ("banner", b)) for b in BANNERS if holds(g, owner, b)]
    for n, adviser in enumerate(owner.advisers):
        if not adviser.shown:
            said = Text("facedown adviser {n}", n=n + 1)
            found.append(Choice(f"facedown.{n}", said, ("facedown", n)))
        elif not is_locked(g, owner, Lying(adviser.shown, adviser, None, owner)):
            found.append(Choice(adviser.shown, words.thing(adviser.shown), ("adviser", adviser.shown)))
    return [choice for choice in found if choice.value[0] in kinds]


def _missing(g: Oath, owner: Player, kinds: Sequence[str]) -> list[Choice]:
    """What a player does not have, so that whoever promises it is told why that cannot be kept."""
    favor, secrets = means(g, owner), owner.secrets
    found = [
        Choice(f"favor.{n}", Text("{n} favor", n=n), ("favor", n), why=_FAVOR.filled(who=owner.name, n=favor))
        for n in range(favor + 1, FAVOR + 1)
    ]
    for n in range(secrets + 1, _MOST_SECRETS + 1):
        said, why = Text("{n} secret", "{n} secrets", n=n), _SECRETS.filled(who=owner.name, n=secrets)
        found.append(Choice(f"secrets.{n}", said, ("secrets", n), why=why))
    held = [r.id for p in g.players if p is not owner for r in p.relics]
    for id in (*held, *(b for b in BANNERS if not holds(g, owner, b))):
        kind, thing = "banner" if id in BANNERS else "relic", words.thing(id)
        found.append(Choice(id, thing, (kind, id), why=_NOT_HELD.filled(who=owner.name, thing=thing)))
    return [choice for choice in found if choice.value[0] in kinds]


def goods_of(those: Sequence[Item]) -> Goods:
    """A list of goods out of the entries that were named."""
    numbers = {kind: int(n) for kind, n in those if kind in ("favor", "secrets")}
    things = {k: tuple(str(id) for kind, id in those if kind == k) for k in ("relic", "banner", "adviser")}
    facedown = tuple(int(n) for kind, n in those if kind == "facedown")
    return Goods(
        numbers.get("favor", 0),
        numbers.get("secrets", 0),
        things["relic"],
        things["banner"],
        things["adviser"],
        facedown,
    )


# the deal


async def bargain(g: Oath, me: Player, other: Player, giving: Goods, asking: Goods, *, section: str) -> bool:
    """A proposal, its answer, and the exchange if it is accepted; True if it was."""
    g.tell(DealProposed(me.name, other.name, giving, asking))
    prompt = Text(
        "{who} proposes a binding deal: you get {giving} and give {asking}.",
        who=me.name,
        giving=giving.listed(),
        asking=asking.listed(),
    )
    if not await accepts(g, other, prompt, section=section):
        return False
    exchange(g, me, other, giving, asking)
    await exchange_advisers(g, me, other, giving, asking)
    await check_title(g)
    return True


async def accepts(g: Oath, other: Player, prompt: Text, *, section: str) -> bool:
    """The other party's yes or no to all of it."""
    menu: Menu[bool] = Menu()
    menu.add(Text("accept"), True, id="accept", also=(Text("yes"),))
    menu.add(Text("refuse"), False, id="refuse", also=(Text("decline"), Text("no")))
    answer = await choose(other.name, "deal", menu, prompt, section=section, kind="reaction", personal=True)
    g.tell(Answered(other.name, answer))
    return answer


def exchange(g: Oath, me: Player, other: Player, giving: Goods, asking: Goods) -> None:
    """O-8.11: both sides give, at once; nothing is taken, so nothing answers it, and banners suffer nothing (O-9.3).
    The title is looked at once, after it (HR-03)."""
    _give(g, me, other, giving)
    _give(g, other, me, asking)


def _give(g: Oath, giver: Player, taker: Player, goods: Goods) -> None:
    give_favor(g, giver, taker, goods.favor)
    give_secrets(g, giver, taker, goods.secrets)
    for id in goods.relics:
        relic = giver.relic(id)
        assert relic is not None
        take_out(giver.relics, relic)
        taker.relics.append(relic)
    if goods.relics or goods.banners:
        g.tell(Gave(giver.name, taker.name, (*goods.relics, *goods.banners)))
    for banner in goods.banners:
        there = g.banners[banner]
        set_banner(g, banner, taker, there.tokens, mob=there.mob)


# advisers


async def exchange_advisers(g: Oath, me: Player, other: Player, giving: Goods, asking: Goods) -> None:
    """Advisers change their owners, at once and with the tokens on them; whoever has too many then discards down to
    the limit (O-8.9)."""
    mine, theirs = _advisers(me, giving), _advisers(other, asking)
    for adviser in mine:
        await _hand_adviser(g, me, other, adviser)
    for adviser in theirs:
        await _hand_adviser(g, other, me, adviser)
    for player in (me, other) if mine or theirs else ():
        await within_limit(g, player)


def _advisers(owner: Player, goods: Goods) -> list[Adviser]:
    return [
        a
        for n, a in enumerate(owner.advisers)
        if a.shown in goods.advisers or (not a.shown and n in goods.facedown)
    ]


async def _hand_adviser(g: Oath, giver: Player, taker: Player, adviser: Adviser) -> None:
    take_out(giver.advisers, adviser)
    if not adviser.shown:
        card, adviser.card = await reveal(f"adviser of {giver.name}", adviser.card, taker.name)
        g.tell(AdviserGiven(giver.name, taker.name, adviser.vision, hidden=card))
    else:
        g.tell(AdviserGiven(giver.name, taker.name, adviser.vision, adviser.shown))
    taker.advisers.append(adviser)


# where a card lets somebody propose


async def proposals(
    g: Oath,
    me: Player,
    others: Sequence[Player],
    kinds: Sequence[str],
    prompt: Text,
    section: str,
    *,
    most: int,
) -> None:
    """One player proposes exchanges to some others, as many as `most` that are accepted, until done."""
    made = 0
    while made < most:
        menu = _proposing(g, me, others, kinds)
        if not any(option.id != "done" for option in menu.open()):
            return
        kind: Kind = "turn" if me is g.active else "reaction"
        terms = await choose(me.name, "propose", menu, prompt, section=section, kind=kind, personal=True)
        if terms is None:
            return
        other, giving, asking = terms
        made += await bargain(g, me, other, giving, asking, section=section)


Terms = tuple[Player, Goods, Goods]


def _proposing(g: Oath, me: Player, others: Sequence[Player], kinds: Sequence[str]) -> Menu[Terms | None]:
    """`propose to ben giving 2 favor asking map`; one of the two lists may be left out."""
    menu: Menu[Terms | None] = Menu()
    anybody = One("other", Text("player"), lambda chosen: _partners(others, lambda other: True))
    owners = One(
        "other",
        Text("player"),
        lambda chosen: _partners(others, lambda other: _owns(g, other, kinds)),
    )
    goods = Text("goods")
    menu.command(
        Text("propose to {other} giving {giving}"),
        _terms,
        anybody,
        goods_slot("giving", goods, None, lambda chosen: me, g, kinds=kinds),
        goods_slot("asking", goods, Text("asking {asking}"), _other, g, kinds=kinds),
        id="give",
        barred=lambda: None if _owns(g, me, kinds) else _NOTHING_TO_GIVE,
    )
    menu.command(
        Text("propose to {other} asking {asking}"),
        _terms,
        owners,
        goods_slot("asking", goods, None, _other, g, kinds=kinds),
        id="ask",
        barred=lambda: None if any(owners.legal({})) else _NOTHING_TO_ASK,
    )
    menu.add(Text("done"), None, id="done", also=(Text("no deal"), Text("no")))
    return menu


def _owns(g: Oath, player: Player, kinds: Sequence[str]) -> bool:
    return any(c.why is None for c in items(g, player, kinds))


def _partners(others: Sequence[Player], has: Callable[[Player], bool]) -> list[Choice]:
    return [
        Choice(
            p.name, Text("{who}", who=p.name), p, why=None if has(p) else _NOTHING_THERE.filled(who=p.name)
        )
        for p in others
    ]


def _other(chosen: Chosen) -> Player:
    other: Player = chosen["other"]
    return other


def _terms(other: Player, asking: Sequence[Item], giving: Sequence[Item] = ()) -> Terms:
    return other, goods_of(giving), goods_of(asking)
