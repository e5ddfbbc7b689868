"""Phase 3, first part: new events come in, then all of them work from left to right (T-4.1 to T-4.7)."""

from __future__ import annotations

from ...core.asks import reveal
from ..event_facts import BlackDiceTaken, EventTurnedUp
from ..state import EventOnTable, Troyes
from .effects import EFFECTS


async def turn_up(g: Troyes) -> None:
    """T-4.1: the top red card, and one of the pile whose symbol it shows."""
    red = await _top_of(g, "red")
    if red is None:
        return
    second = g.cards.events[red].second_card
    if second != "none":
        await _top_of(g, second)


async def _top_of(g: Troyes, pile: str) -> str | None:
    """A pile's top card to the right end of the queue; nothing if the pile is empty."""
    if not g.piles[pile].under_seal():
        return None
    top, _ = await reveal(f"{pile} event", g.piles[pile].changed(lambda ids: ids[0]))
    g.piles[pile] = g.piles[pile].changed(lambda ids: ids[1:])
    g.events.append(EventOnTable(top))
    g.tell(EventTurnedUp(g.cards.events[top].name, pile))
    return top


async def next_effect(g: Troyes) -> None:
    """T-4.3: the next event from the left works."""
    event = g.events[g.effect]
    print = g.cards.events[event.id]
    if print.black_dice:  # T-4.4
        g.black_taken += print.black_dice
        g.tell(BlackDiceTaken(print.name, print.black_dice))
    await EFFECTS[print.effect].work(g, print)
    g.effect += 1
