"""Search: draw, discard all but one, play that one (O-5.1)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial

from ...core.asks import Menu, choose, reveal
from ...core.sealed import Sealed
from ...core.slots import Choice, Chosen, One
from ...core.text import Text
from .. import words
from ..discarding import discard_drawn, in_what_order
from ..events import CardsDrawn, Searched, happened
from ..facts import CardsShown, Drew
from ..playing import Hand, play_or_discard
from ..powers import asked
from ..printed import REGIONS, VISIONS, WORLD_DECK_COST, is_vision
from ..queries import Draws, MaySearch, PileWithinReach, SearchCost
from ..state import Oath, PileCard, Player
from ..topdeck import draw_off, see_next_back
from ..verbs import spend
from .action import Search
from .declaring import Deed, Modifier, declare, modifiers, using, why_none
from .travel import pay_toll

DRAW = 3
PILE_COST = 2
WORLD = "world"

_EMPTY = Text("no card lies there (O-5.1)")
_FAR = Text("only the pile of your pawn's region is within reach (O-5.1)")
_NO_SUPPLY = Text("it costs {n} Supply, you have {left} (O-4.3.2)")
_NO_TOLL = Text("{n} favor must be paid for it, you have {held}")
_NO_SOURCE = Text("no card can be drawn anywhere within reach (O-5.1)")


def searching(
    g: Oath, me: Player, source: str, declared: tuple[str, ...] = (), *, free: bool = False
) -> Search:
    """A Search in the making."""
    action = Search(g, me, source, free=free)
    action.declared = declared
    return action


def cost(action: Search) -> int:
    """Supply of a Search (O-5.1), with all that changes it."""
    if action.free:
        return 0
    base = WORLD_DECK_COST[action.g.visions_drawn] if action.source == WORLD else PILE_COST
    query = SearchCost(player=action.player, source=action.source, base=base, declared=action.declared)
    return asked(action.g, query).value


def permission(action: Search) -> MaySearch:
    """Whether this Search is allowed, and what must be paid for it."""
    query = MaySearch(
        player=action.player, source=action.source, supply=cost(action), declared=action.declared, tolls=[]
    )
    if action.source not in (WORLD, action.g.region(action.player.pawn)):
        reach = PileWithinReach(player=action.player, source=action.source, declared=action.declared)
        if not asked(action.g, reach).allowed:
            query.refuse(_FAR)
    return asked(action.g, query)


def why_not(action: Search) -> Text | None:
    """Why this Search cannot be made; None if it can."""
    g, me = action.g, action.player
    if action.source != WORLD and not g.piles[action.source]:
        return _EMPTY
    may = permission(action)
    if may.why is not None:
        return may.why
    if may.tolls and len(may.tolls) > action.favor:
        return _NO_TOLL.filled(n=len(may.tolls), held=action.favor)
    supply = cost(action)
    return _NO_SUPPLY.filled(n=supply, left=me.supply) if supply > me.supply else None


# the command


def offer_search(menu: Menu[Deed], g: Oath, me: Player) -> None:
    """O-5.1: the world deck, or the pile of the pawn's region; cards may open other piles."""
    plain = One("source", Text("world deck or pile"), partial(_sources, g, me, lambda s: _why(g, me, s, ())))
    menu.command(
        Text("search {source}"),
        lambda source: partial(search, g, me, source),
        plain,
        id="search",
        barred=lambda: None if any(plain.legal({})) else _NO_SOURCE,
        also=(Text("search in {source}"),),
    )
    found = modifiers(g, me, Search.name)
    if not found:
        return

    def drawing(chosen: Chosen, declared: tuple[str, ...]) -> Search:
        return searching(g, me, chosen["source"], declared)

    slot = using(found, drawing, why_not)

    def reachable(source: str) -> Text | None:
        return why_none(slot, {"source": source}, _why(g, me, source, ()) or _NO_SOURCE)

    some = One("source", Text("world deck or pile"), partial(_sources, g, me, reachable))
    menu.command(
        Text("search {source} using {using}"),
        lambda source, using: partial(search, g, me, source, using),
        some,
        slot,
        id="search.using",
        barred=lambda: None if any(some.legal({})) else _NO_SOURCE,
    )


def _why(g: Oath, me: Player, source: str, declared: tuple[str, ...]) -> Text | None:
    return why_not(searching(g, me, source, declared))


def _sources(g: Oath, me: Player, why: Callable[[str], Text | None], chosen: Chosen) -> Iterator[Choice]:
    yield Choice(WORLD, Text("world deck"), WORLD, also=(Text("world"),), why=why(WORLD))
    for region in REGIONS:
        words_ = Text("pile of {region}", region=words.REGION[region])
        also = [Text("{region}", region=words.REGION[region])]
        if region == g.region(me.pawn):
            also.append(Text("pile"))
        yield Choice(region, words_, region, also=tuple(also), why=why(region))


# drawing


async def search(
    g: Oath, me: Player, source: str, using: Sequence[Modifier] = (), *, free: bool = False
) -> None:
    """O-5.1: pay, draw, discard, play."""
    action = searching(g, me, source, free=free)
    await declare(action, using)
    supply = cost(action)
    may = permission(action)
    spend(g, me, supply)
    for toll in may.tolls:
        pay_toll(g, me, toll)
    await draw(action)
    await happened(g, CardsDrawn(me, action=action))
    await sort_out(action)
    await happened(g, Searched(me, action=action))


async def draw(action: Search) -> None:
    """O-5.1.2: one by one from the top; a Vision of the world deck ends it and moves the marker."""
    g, me = action.g, action.player
    query = Draws(player=me, source=action.source, base=DRAW, least=0, declared=action.declared)
    count = asked(g, query).value
    cards = _from_world(g, count) if action.source == WORLD else _from_pile(action, count)
    visions = [c for c in cards if is_vision(c)]
    if action.source == WORLD:
        # a Vision that Cracked Horn put under the deck is drawn again; the marker stays on its last space
        g.visions_drawn = min(len(VISIONS), g.visions_drawn + len(visions))
    hand, me.hand = await reveal(f"draw {me.name}", Sealed(tuple(cards)), *_seers(action))
    action.drawn = list(hand)
    if action.source == WORLD:
        await see_next_back(g)
    g.tell(Drew(me.name, action.source, tuple(hand), len(visions), g.visions_drawn))
    if action.openly:
        g.tell(CardsShown(me.name, tuple(hand)))


def _seers(action: Search) -> tuple[str, ...]:
    """Who sees the cards of this Search."""
    return tuple(p.name for p in action.g.players) if action.openly else (action.player.name,)


def _from_world(g: Oath, count: int) -> list[str]:
    top = g.world.deck.under_seal()[:count]
    ending = next((n for n, card in enumerate(top, 1) if is_vision(card)), len(top))
    return draw_off(g, ending)


def _from_pile(action: Search, count: int) -> list[str]:
    """Visions in a discard pile neither stop the drawing nor move the marker."""
    pile = action.g.piles[action.source]
    count = min(count, len(pile))
    taken: list[PileCard] = pile[:count] if action.from_bottom else pile[len(pile) - count :][::-1]
    action.g.piles[action.source] = pile[count:] if action.from_bottom else pile[: len(pile) - count]
    return [card.card.under_seal() for card in taken]


# sorting out


async def sort_out(action: Search) -> None:
    """O-5.1.3, O-5.1.4: all but one go, in an order of the player's choice; the one is played or goes too."""
    g, me = action.g, action.player
    kept = await _kept(action, action.drawn)
    left = list(action.drawn)
    for card in kept:
        left.remove(card)
    gone = await in_what_order(g, me, left)
    me.hand = Sealed(tuple(kept), me.hand.owners)
    if action.openly and kept:
        _, me.hand = await reveal(f"kept {me.name}", me.hand, *_seers(action))
        g.tell(CardsShown(me.name, tuple(kept), kept=True))
    _put_away(action, gone)
    played: list[str] = []
    for card in kept:
        hand = Hand(
            g,
            me,
            card,
            declared=action.declared,
            openly=action.openly,
            onto=action.discards,
            played=tuple(played),
        )
        await play_or_discard(hand, partial(_discard_it, action, card))
        played += [hand.went] if hand.went else []


async def _kept(action: Search, hand: list[str]) -> list[str]:
    """Which cards are left to be played: one, or more where a card allows it."""
    kept: list[str] = []
    while hand and len(kept) < action.plays:
        left = [c for c in hand if c not in kept]
        if not left:
            break
        menu: Menu[str] = Menu()
        for card in left:
            menu.add(Text("keep {card}", card=words.thing(card)), card, id=card, also=(words.thing(card),))
        menu.add(Text("discard all"), "", id="none", also=(Text("discard the rest"), Text("none")))
        # the question is read by everybody (who is waited for, and for what), so it names no card
        prompt = Text("Which of the cards that you drew do you keep, to play it?")
        chosen = await choose(action.player.name, "keep", menu, prompt, section="O-5.1")
        if not chosen:
            break
        kept.append(chosen)
    return kept


def _put_away(action: Search, cards: Sequence[str]) -> None:
    g, me = action.g, action.player
    discard_drawn(g, me, cards, onto=action.discards)


async def _discard_it(action: Search, card: str) -> None:
    """The one that was kept goes too (O-5.1.4)."""
    Hand(action.g, action.player, card).leave()
    _put_away(action, [card])
