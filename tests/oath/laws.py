"""What must hold of Oath at every decision besides the laws of every game (O-22)."""

from __future__ import annotations

import operator
import random
from collections.abc import Callable
from typing import Any

from pbem.engine.core.table import Table
from pbem.engine.core.testing import Broken, Deep
from pbem.engine.oath.advisers import too_many
from pbem.engine.oath.powers import asked
from pbem.engine.oath.queries import Capacity
from pbem.engine.oath.rest import laid
from pbem.engine.oath.state import Oath

from .positions import favor, warbands

KEEPS: dict[str, Callable[[Any, Any], bool]] = {
    "favor": operator.eq,
    "warbands": operator.eq,
    "Visions drawn": operator.le,
    "uncovered spaces": lambda old, new: all(now for was, now in zip(old, new, strict=True) if was),
}
"""How each of these may change."""


def everything_is_counted() -> Deep:
    """Favor, warbands, Visions drawn and uncovered spaces from decision to decision; between steps the rest of it."""
    before: dict[str, Any] = {}

    def law(table: Table[Oath], rng: random.Random) -> None:
        g = table.g
        if g.phase == "deal":
            return
        now: dict[str, Any] = {
            "favor": favor(g),
            "warbands": warbands(g),
            "Visions drawn": g.visions_drawn,
            "uncovered spaces": [relic is None for relic in g.reliquary],
        }
        for what in before:
            if not KEEPS[what](before[what], now[what]):
                raise Broken(f"{what}: {before[what]}, then {now[what]}")
        before.update(now)
        if not table.tape:
            between_steps(g)

    return law


def between_steps(g: Oath) -> None:
    """O-22: nobody has more than there is room for; between turns no token lies on a card and no secret face down."""
    for n, site in enumerate(g.map):
        room = asked(g, Capacity(site=n, base=site.printed.capacity)).value if site.shown else 0
        _at_most(f"cards at {site.shown or n}", len(site.cards), room)
        _at_most(f"relics at {site.shown or n}", len(site.relics), len(site.relics) if site.shown else 0)
    for player in g.players:
        _at_most(f"advisers of {player.name} beyond the limit", too_many(g, player), 0)
        if g.phase != "pawns":
            _at_most(f"cards held by {player.name}", len(player.hand.under_seal()), 0)
    if g.phase == "wake":
        _between_turns(g)


def _between_turns(g: Oath) -> None:
    for id, _, thing in laid(g):
        _at_most(f"tokens on {id}", thing.favor + thing.secrets, 0)
    rested = g.players[g.turn - 1]
    if g.turns:
        _at_most(f"facedown secrets of {rested.name}", rested.spent, 0)


def _at_most(what: str, found: int, room: int) -> None:
    if found > room:
        raise Broken(f"{what}: {found}, not more than {room}")
