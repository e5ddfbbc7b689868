"""Cards that leave their place: discards, and what a lock forbids (O-5.7, O-8.8)."""

from __future__ import annotations

from collections.abc import Sequence

from ..core.asks import Menu, choose, reveal
from ..core.sealed import Sealed
from ..core.text import Text
from . import words
from .facts import CardDiscarded, LookedThrough
from .powers import asked
from .printed import DENIZENS, EDIFICES, NEXT_REGION, is_vision
from .queries import Locked
from .ruling import Lying
from .state import Adviser, Card, Oath, PileCard, Player, take_out
from .verbs import clear


def is_locked(g: Oath, by: Player, lying: Lying) -> bool:
    """O-8.8: whether a faceup card is locked for a player; some are locked for enemies only."""
    printed = (
        DENIZENS[lying.id].locked if lying.id in DENIZENS else lying.id.removesuffix("_ruined") in EDIFICES
    )
    return asked(g, Locked(by=by, lying=lying, locked=printed)).locked


WORLD = "world"


def lay_down(g: Oath, card: PileCard, pile: str, bottom: str = "") -> str:
    """A card onto a pile, or to the bottom of another one, or of the world deck, where a card says so; gives where."""
    if bottom == WORLD:
        g.world.deck = g.world.deck.changed(lambda cards: [*cards, card.card.under_seal()])
    elif bottom:
        g.piles[bottom].insert(0, card)
    else:
        g.piles[pile].append(card)
    return bottom or pile


def discard_drawn(
    g: Oath, actor: Player, cards: Sequence[str], *, region: str | None = None, bottom: str = ""
) -> None:
    """O-5.7.1: cards out of a hand, face down on the pile of the region after the pawn's, first one lowest."""
    pile = NEXT_REGION[region or g.region(actor.pawn)]
    for card in reversed(cards) if bottom else cards:
        to = lay_down(g, PileCard(Sealed(card, (actor.name,)), is_vision(card)), pile, bottom)
        g.tell(CardDiscarded(actor.name, to, vision=is_vision(card), hidden=card, bottom=bool(bottom)))


def discard_adviser(g: Oath, actor: Player, owner: Player, adviser: Adviser, *, bottom: str = "") -> None:
    """O-5.7: an adviser, face up or face down, goes by the acting player's pawn."""
    pile = NEXT_REGION[g.region(actor.pawn)]
    take_out(owner.advisers, adviser)
    if adviser.shown:
        clear(g, actor, adviser.shown, adviser, adviser.suit)
        _everybody_saw(g, actor, pile, adviser.shown, bottom)
    else:
        to = lay_down(g, PileCard(adviser.card, adviser.vision), pile, bottom)
        hidden = adviser.card.under_seal()
        g.tell(CardDiscarded(owner.name, to, vision=adviser.vision, hidden=hidden, bottom=bool(bottom)))


def discard_at_site(g: Oath, actor: Player, site: int, card: Card, *, bottom: str = "") -> None:
    """O-5.7.1: a card at a site goes by the pawn's region if it lies there, else by its own."""
    region = g.region(site)
    pile = NEXT_REGION[region if region != g.region(actor.pawn) else g.region(actor.pawn)]
    take_out(g.map[site].cards, card)
    clear(g, actor, card.id, card, card.suit)
    if actor is g.active:
        g.discarded.append((site, card.suit))
    _everybody_saw(g, actor, pile, card.id, bottom)


def discard_vision(g: Oath, player: Player, *, bottom: str = "") -> None:
    """O-11.3: a revealed Vision goes to the pile, as a card that everybody has seen."""
    if not player.vision:
        return
    pile = NEXT_REGION[g.region(player.pawn)]
    card, player.vision = player.vision, ""
    _everybody_saw(g, player, pile, card, bottom)


def _everybody_saw(g: Oath, actor: Player, pile: str, card: str, bottom: str) -> None:
    """It lies face down now, but whoever was there remembers it: the seal knows all who have seen it."""
    seen = PileCard(Sealed(card, tuple(p.name for p in g.players)), is_vision(card))
    to = lay_down(g, seen, pile, bottom)
    g.tell(CardDiscarded(actor.name, to, card=card, bottom=bool(bottom)))


async def look_through(g: Oath, player: Player, region: str, most: int, key: str) -> None:
    """So many cards from the top of a pile are seen by one player alone (O-16.2); `key` names what shows them."""
    top = g.piles[region][-most:][::-1]
    seen = Sealed(tuple(c.card.under_seal() for c in top))
    cards, _ = await reveal(f"{key} {player.name}", seen, player.name)
    for card in top:
        card.card = card.card.shown_to(player.name)
    g.tell(LookedThrough(player.name, region, tuple(cards)))


async def in_what_order(g: Oath, player: Player, cards: Sequence[str]) -> list[str]:
    """O-5.7.2: the player chooses the order of cards that are discarded together, top-most last (E-11)."""
    left, ordered = list(cards), []
    while len(set(left)) > 1:
        menu: Menu[str] = Menu()
        for card in left:
            menu.add(Text("{card} next", card=words.thing(card)), card, id=card, also=(words.thing(card),))
        prompt = Text("Which of these do you discard first? The last one lies on top.")
        chosen = await choose(player.name, "discard-order", menu, prompt, section="O-5.7.2")
        left.remove(chosen)
        ordered.append(chosen)
    return [*ordered, *left]
