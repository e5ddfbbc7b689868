"""Binding exchanges: listed goods both ways, accepted or refused as a whole (O-14, E-16, E-17)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ..core.asks import Menu, choose
from ..core.slots import Choice, Chosen, Many, Rng
from ..core.text import Text
from . import words
from .empire_facts import Answered, DealProposed, Gave, Goods
from .oaths import check_title
from .powers import asked
from .printed import BANNERS
from .queries import MayGiveSecrets
from .ruling import holds
from .state import Oath, Player, take_out
from .verbs import give_favor, give_secrets, set_banner

Item = tuple[str, str | int]
"""One entry of a list of goods: `favor` or `secrets` with a number, `relic` or `banner` with an id."""

_TWO_NUMBERS = Text("one number of favor and one of secrets is enough")
_MOST = 99


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
    lead: Text,
    owner: Callable[[Chosen], Player],
    g: Oath,
    check: Callable[[Chosen], Text | None] = lambda chosen: None,
) -> Wares:
    """What somebody gives, as a part that may be left out: `giving 3 favor, map`; `check`: what is against any."""

    def elements(chosen: Chosen) -> list[Choice]:
        return items(g, owner(chosen))

    def judged(chosen: Chosen, those: tuple[Item, ...]) -> Text | None:
        kinds = [kind for kind, _ in those if kind in ("favor", "secrets")]
        return _TWO_NUMBERS if len(kinds) != len(dict.fromkeys(kinds)) else check(chosen)

    return Wares(name, label, elements, 1, _MOST, judged, lead)


def items(g: Oath, owner: Player) -> list[Choice]:
    """Everything that a player can give: favor, faceup secrets, relics, banners."""
    why = asked(g, MayGiveSecrets(player=owner)).why
    found = [Choice(f"favor.{n}", Text("{n} favor", n=n), ("favor", n)) for n in range(1, owner.favor + 1)]
    for n in range(1, owner.secrets + 1):
        said = Text("{n} secret", "{n} secrets", n=n)
        found.append(Choice(f"secrets.{n}", said, ("secrets", n), why=why))
    found += [Choice(r.id, words.thing(r.id), ("relic", r.id)) for r in owner.relics]
    return [*found, *(Choice(b, words.thing(b), ("banner", b)) for b in BANNERS if holds(g, owner, b))]


def goods_of(those: Sequence[Item]) -> Goods:
    """A list of goods out of the entries that were named."""
    numbers = {kind: int(n) for kind, n in those if kind in ("favor", "secrets")}
    things = {kind: tuple(str(id) for k, id in those if k == kind) for kind in ("relic", "banner")}
    return Goods(numbers.get("favor", 0), numbers.get("secrets", 0), things["relic"], things["banner"])


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
    await check_title(g)
    return True


async def accepts(g: Oath, other: Player, prompt: Text, *, section: str) -> bool:
    """The other party's yes or no to all of it."""
    menu: Menu[bool] = Menu()
    menu.add(Text("accept"), True, id="accept", also=(Text("yes"),))
    menu.add(Text("refuse"), False, id="refuse", also=(Text("no"),))
    answer = await choose(other.name, "deal", menu, prompt, section=section, kind="reaction")
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
