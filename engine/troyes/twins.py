"""What is hidden from a seat, and other ways it could be (T-10.1)."""

from __future__ import annotations

import random
from typing import Any

from ..core.sealed import Sealed
from .state import COLOURS, Troyes


def hidden(g: Troyes, seat: str | None) -> Any:
    """Everything that this seat cannot know, as plain data."""
    return {
        "characters": {
            s.name: list(s.characters.under_seal()) for s in g.seats if not _knows_hand(g, s, seat)
        },
        "points": {s.name: s.vp.under_seal() for s in g.seats if not _knows_points(g, s, seat)},
        "activities": [space.card.under_seal() for space in g.activities if not space.shown],
        "piles": {pile: list(g.piles[pile].under_seal()) for pile in COLOURS},
    }


def _knows_hand(g: Troyes, holder: Any, seat: str | None) -> bool:
    return g.phase == "over" or holder.characters.seen_by(seat)


def _knows_points(g: Troyes, holder: Any, seat: str | None) -> bool:
    return g.phase == "over" or holder.vp.seen_by(seat)


def reshuffle(g: Troyes, seat: str | None, rng: random.Random) -> Troyes:
    """Deal anew, in place, what this seat cannot know."""
    if g.phase == "deal":
        return g
    _characters(g, seat, rng)
    _activities(g, rng)
    _piles(g, rng)
    for holder in g.seats:
        if not _knows_points(g, holder, seat):
            points = rng.randrange(30)
            holder.vp = holder.vp.changed(lambda _, points=points: points)  # type: ignore[misc]
    return g


def _characters(g: Troyes, seat: str | None, rng: random.Random) -> None:
    """T-2.2: the hands of others and the cards never dealt."""
    unknown = [s for s in g.seats if not _knows_hand(g, s, seat)]
    if not unknown:
        return
    pool = [id for s in unknown for id in s.characters.under_seal()] + g.unused_characters.under_seal()
    rng.shuffle(pool)
    for holder in unknown:
        n = len(holder.characters.under_seal())
        hand, pool = tuple(pool[:n]), pool[n:]
        holder.characters = holder.characters.changed(lambda _, hand=hand: hand)  # type: ignore[misc]
    g.unused_characters = Sealed(pool)


def _activities(g: Troyes, rng: random.Random) -> None:
    """T-2.3: the card on a face-down space is any of its colour and number."""
    prints = g.cards.activities
    unused = g.unused_activities.under_seal()
    for space in g.activities:
        lies = space.card.under_seal()
        if space.shown or not lies:
            continue
        kin = [
            id
            for id in (*unused, lies)
            if (prints[id].colour, prints[id].round) == (space.colour, space.number)
            and not prints[id].invented
        ]
        new = kin[rng.randrange(len(kin))]
        unused = [id for id in (*unused, lies) if id != new]
        space.card = Sealed(new)
    g.unused_activities = Sealed(unused)


def _piles(g: Troyes, rng: random.Random) -> None:
    """T-2.4: the order of the piles, and which red cards were cut away."""
    prints = g.cards.events
    cut = g.unused_events.under_seal()
    for pile in COLOURS:
        kept = g.piles[pile].under_seal()
        pool = kept + [id for id in cut if prints[id].pile == pile and not prints[id].invented]
        rng.shuffle(pool)
        g.piles[pile] = Sealed(pool[: len(kept)])
        cut = [id for id in cut if id not in pool] + pool[len(kept) :]
    g.unused_events = Sealed(cut)
