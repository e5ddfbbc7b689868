"""Cards that leave their place: discards, and what a lock forbids (O-5.7, O-8.8)."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from ..core.asks import Kind, Menu, choose, reveal
from ..core.sealed import Sealed
from ..core.text import Text
from . import words
from .events import VisionDiscarded, happened
from .facts import CardDiscarded, LookedThrough
from .powers import asked
from .printed import DENIZENS, EDIFICES, NEXT_REGION, is_vision
from .queries import Locked
from .ruling import Lying
from .state import Adviser, Card, Oath, PileCard, Player, take_out
from .verbs import clear

LOCKED = Text("{card} is locked: no discard touches it (O-8.8)")


def is_locked(g: Oath, by: Player, lying: Lying) -> bool:
    """O-8.8: whether a faceup card is locked for a player; some are locked for enemies only."""
    printed = (
        DENIZENS[lying.id].locked if lying.id in DENIZENS else lying.id.removesuffix("_ruined") in EDIFICES
    )
    return asked(g, Locked(by=by, lying=lying, locked=printed)).locked


WORLD = "world"


class Onto(msgspec.Struct, frozen=True):
    """Where a card says that discards go: a region's pile or, at its bottom alone, the world deck."""

    pile: str
    bottom: bool = False


def lay_down(g: Oath, card: PileCard, onto: Onto) -> None:
    """A card onto a pile, or under it."""
    if onto.pile == WORLD:
        g.world.deck = g.world.deck.changed(lambda cards: [*cards, card.card.under_seal()])
    elif onto.bottom:
        g.piles[onto.pile].insert(0, card)
    else:
        g.piles[onto.pile].append(card)


def discard_drawn(
    g: Oath, actor: Player, cards: Sequence[str], *, region: str | None = None, onto: Onto | None = None
) -> None:
    """O-5.7.1: cards out of a hand, face down on the pile of the region after the pawn's, first one lowest."""
    onto = onto or Onto(NEXT_REGION[region or g.region(actor.pawn)])
    for card in reversed(cards) if onto.bottom else cards:
        lay_down(g, PileCard(Sealed(card, (actor.name,)), is_vision(card)), onto)
        g.tell(CardDiscarded(actor.name, onto.pile, vision=is_vision(card), hidden=card, bottom=onto.bottom))


def discard_adviser(
    g: Oath, actor: Player, owner: Player, adviser: Adviser, *, onto: Onto | None = None
) -> None:
    """O-5.7: an adviser, face up or face down, goes by the acting player's pawn."""
    onto = onto or Onto(NEXT_REGION[g.region(actor.pawn)])
    take_out(owner.advisers, adviser)
    if adviser.shown:
        clear(g, actor, adviser.shown, adviser, adviser.suit)
        _everybody_saw(g, actor, adviser.shown, onto)
    else:
        lay_down(g, PileCard(adviser.card, adviser.vision), onto)
        hidden = adviser.card.under_seal()
        g.tell(CardDiscarded(owner.name, onto.pile, vision=adviser.vision, hidden=hidden, bottom=onto.bottom))


def discard_at_site(g: Oath, actor: Player, site: int, card: Card, *, onto: Onto | None = None) -> None:
    """O-5.7.1: a card at a site goes by the pawn's region if it lies there, else by its own."""
    take_out(g.map[site].cards, card)
    clear(g, actor, card.id, card, card.suit)
    if actor is g.active:
        g.discarded.append((site, card.suit))
    _everybody_saw(g, actor, card.id, onto or Onto(NEXT_REGION[g.region(site)]))


async def discard_vision(g: Oath, player: Player, *, onto: Onto | None = None) -> None:
    """O-11.3: a revealed Vision goes to the pile, as a card that everybody has seen, unless a card takes it."""
    if not player.vision:
        return
    card, player.vision = player.vision, ""
    event = VisionDiscarded(player, vision=card)
    await happened(g, event)
    if not event.taken:
        discard_seen(g, player, card, onto=onto)


def discard_seen(g: Oath, actor: Player, card: str, *, onto: Onto | None = None) -> None:
    """A card that everybody has seen, to the pile of the region after the pawn's."""
    _everybody_saw(g, actor, card, onto or Onto(NEXT_REGION[g.region(actor.pawn)]))


def _everybody_saw(g: Oath, actor: Player, card: str, onto: Onto) -> None:
    """It lies face down now, but whoever was there remembers it: the seal knows all who have seen it."""
    lay_down(g, PileCard(Sealed(card, tuple(p.name for p in g.players)), is_vision(card)), onto)
    g.tell(CardDiscarded(actor.name, onto.pile, card=card, bottom=onto.bottom))


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
    kind: Kind = "setup" if g.phase == "pawns" else "turn"
    while len(set(left)) > 1:
        menu: Menu[str] = Menu()
        for card in left:
            menu.add(Text("{card} next", card=words.thing(card)), card, id=card, also=(words.thing(card),))
        prompt = Text("Which of these do you discard first? The last one lies on top.")
        chosen = await choose(player.name, "discard-order", menu, prompt, section="O-5.7.2", kind=kind)
        left.remove(chosen)
        ordered.append(chosen)
    return [*ordered, *left]
