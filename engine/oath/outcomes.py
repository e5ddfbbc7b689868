"""How a game ended, for the shell (O-17)."""

from __future__ import annotations

from ..core.ruleset import Outcome, Ranked
from ..core.text import Text
from . import words
from .endings import WAYS
from .printed import VISIONS
from .state import Oath


def outcome(g: Oath) -> Outcome | None:
    """One winner; the others share the second place, for Oath ranks nobody else."""
    if not g.winner:
        return None
    ways = tuple(words.thing(way) if way in VISIONS else WAYS[way] for way in g.won_by.split())
    ranking = [Ranked(g.winner, 1, None, ways)]
    ranking += [Ranked(p.name, 2, None) for p in g.players if p.name != g.winner]
    return Outcome(tuple(ranking), Text("{who} has won: {ways}.", who=g.winner, ways=ways))
