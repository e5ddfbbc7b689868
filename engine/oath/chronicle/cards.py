"""Which denizens come into the world and which leave it (O-18.4 to O-18.6)."""

from __future__ import annotations

import msgspec

from ...core.asks import Menu, choose, shuffle
from ...core.text import Text
from .. import words
from ..known import may_come
from ..powers import matching
from ..printed import DENIZENS, REGIONS, SUITS
from ..ruling import faceup_suits, in_circle
from ..state import Oath, Player
from .facts import ArchiveHealed, CardsAdded, CardsDispossessed, CardsUnwritten

ADDED = (3, 2, 1)
"""O-18.4: how many of the suit, of the next one and of the one after."""
LEAVING = 6
"""O-18.5."""


class Flow(msgspec.Struct):
    """Denizens on their way between the world, the Archive and the Dispossessed."""

    added: list[str]
    dispossessed: list[str]
    missing: int = 0
    """How many could not be added because the program does not know them (HR-34)."""


# which suit


async def suit(g: Oath) -> str:
    """O-18.4: the suit that is most common among the winner's faceup advisers; of several the winner picks."""
    best = most_common(g, g.player(g.winner))
    if len(best) == 1:
        return best[0]
    menu: Menu[str] = Menu()
    for one in best:
        first, second, third = in_circle(one)[:3]
        menu.add(
            Text("add {suit}", suit=words.SUIT[one]),
            one,
            id=one,
            also=(
                words.SUIT[one],
                Text(
                    "add {first}, {second} and {third}",
                    first=words.SUIT[first],
                    second=words.SUIT[second],
                    third=words.SUIT[third],
                ),
            ),
        )
    prompt = Text(
        "Your faceup advisers leave the choice to you: three cards of one suit come into the world, two of the next and"
        " one of the next after that in the order {circle}.",
        circle=tuple(words.SUIT[one] for one in SUITS),
    )
    return await choose(g.winner, "suit", menu, prompt, section="O-18.4", personal=True)


def most_common(g: Oath, winner: Player) -> list[str]:
    """O-18.4, HR-25: all suits where no faceup adviser has one; cards may count more than once (Marriage)."""
    suits = faceup_suits(winner)
    counts = {one: matching(g, winner, one) if one in suits else 0 for one in SUITS}
    most = max(counts.values())
    return [one for one in SUITS if counts[one] == most]


# coming


async def add_six(g: Oath, suit: str) -> Flow:
    """O-18.4: three, two and one out of the Archive, or some of the Dispossessed where it is too small."""
    wanted = list(zip(in_circle(suit), ADDED, strict=False))
    if any(len(_archived(g, one)) < count for one, count in wanted):
        return await _heal(g)
    added: list[str] = []
    for one, count in wanted:
        known = [id for id in _archived(g, one) if id in may_come(g)]
        added += (await shuffle(f"archive of {one}", known))[:count] if known else []
    if added:
        g.tell(CardsAdded(tuple(added)))
    missing = sum(ADDED) - len(added)
    if missing:
        g.tell(CardsUnwritten(missing))
    return Flow(added, list(g.world.dispossessed.under_seal()), missing)


def _archived(g: Oath, suit: str) -> list[str]:
    return [id for id in g.world.archive if id in DENIZENS and DENIZENS[id].suit == suit]


async def _heal(g: Oath) -> Flow:
    """O-18.4: six at random of the suit with most cards among the Dispossessed; all others go to the Archive."""
    there = list(g.world.dispossessed.under_seal())
    counts = {one: sum(DENIZENS[id].suit == one for id in there) for one in SUITS}
    most = [one for one in SUITS if counts[one] == max(counts.values())]
    chosen = (await shuffle("suit of the dispossessed", most))[0]  # HR-26
    of_suit = [id for id in there if DENIZENS[id].suit == chosen]
    back = (await shuffle("dispossessed", of_suit))[: sum(ADDED)] if of_suit else []
    g.tell(ArchiveHealed())
    return Flow(back, [])


# leaving


async def remove_six(g: Oath, discarded: list[str], flow: Flow) -> list[str]:
    """O-18.5: six at random out of the discard piles and the losers' advisers are dispossessed; gives the others."""
    pool = [card.card.under_seal() for region in REGIONS for card in g.piles[region]]
    pool += [a.card.under_seal() for p in g.players if p.name != g.winner for a in p.advisers]
    mixed = await shuffle("discards", [id for id in [*pool, *discarded] if id in DENIZENS])
    leaving = LEAVING - flow.missing
    gone, stay = mixed[:leaving], mixed[leaving:]  # HR-27: fewer if there are no more
    flow.dispossessed += gone
    if gone:
        g.tell(CardsDispossessed(len(gone)))
    return stay


def still_in_the_world(g: Oath) -> list[str]:
    """O-18.9: the denizens of the world deck and the winner's advisers."""
    advisers = [a.card.under_seal() for a in g.player(g.winner).advisers]
    return [id for id in (*g.world.deck.under_seal(), *advisers) if id in DENIZENS]
