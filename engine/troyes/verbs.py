"""Changes that are told: nothing moves in silence."""

from __future__ import annotations

from .facts import Countered, CubesOnEvent, Gained, Paid
from .state import MOST_INFLUENCE, EventOnTable, Seat, Troyes


def gain(g: Troyes, seat: Seat, *, deniers: int = 0, influence: int = 0, vp: int = 0) -> None:
    """Gain from the bank; influence beyond 20 is lost (T-1.6)."""
    kept = min(influence, MOST_INFLUENCE - seat.influence)
    seat.deniers += deniers
    seat.influence += kept
    if vp:
        seat.vp = seat.vp.changed(lambda held: held + vp)
    if deniers or kept or vp:
        g.tell(Gained(seat.name, deniers, kept, vp))


def pay(g: Troyes, seat: Seat, *, deniers: int = 0, influence: int = 0) -> None:
    """Pay to the bank what a card's effect costs."""
    seat.deniers -= deniers
    seat.influence -= influence
    if deniers or influence:
        g.tell(Paid(seat.name, deniers, influence))


def lose_points(seat: Seat, n: int = 2) -> None:
    """Lose VP, never below zero (T-4.6). The fact that goes with it tells the nominal amount alone."""
    seat.vp = seat.vp.changed(lambda held: max(0, held - n))


def free_banners(g: Troyes, event: EventOnTable) -> int:
    """How many cubes an event still takes."""
    return g.cards.events[event.id].banners - len(event.cubes)


def put_on_event(g: Troyes, seat: Seat, event: EventOnTable, n: int) -> None:
    """Put cubes on free banners, 1 influence each (T-5.31, T-5.32); a full event is countered at once."""
    n = min(n, free_banners(g, event))
    event.cubes += [seat.name] * n
    g.tell(CubesOnEvent(seat.name, g.cards.events[event.id].name, n))
    gain(g, seat, influence=n)
    if free_banners(g, event) == 0:
        _counter(g, event)


def _counter(g: Troyes, event: EventOnTable) -> None:
    """T-5.33 to T-5.38: pay the first two, give the card to the first, close up the queue."""
    card = g.cards.events[event.id]
    ranking = strongest(event)
    g.tell(Countered(card.name, ranking[0], stays=card.pile == "none"))
    for name, vp in zip(ranking, (card.vp_first, card.vp_second), strict=False):
        gain(g, g.seat(name), vp=vp)
    event.cubes = []
    if card.pile == "none":  # T-5.37
        return
    g.seat(ranking[0]).won.append(event.id)
    g.events.remove(event)


def strongest(event: EventOnTable) -> list[str]:
    """Who has most cubes on an event; of equals, whoever came first (T-5.34)."""
    first_come = list(dict.fromkeys(event.cubes))
    return sorted(first_come, key=lambda name: -event.cubes.count(name))
