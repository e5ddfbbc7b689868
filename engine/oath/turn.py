"""The turn and what is around it: which piece of play comes next, by the state alone (O-4.1)."""

from __future__ import annotations

from ..core.asks import Step
from .act import act
from .chronicle.land import build
from .chronicle.saving import store
from .chronicle.vow import invite, vow
from .rest import rest
from .setup import lay_out, place_pawn
from .state import Oath
from .wake import wake


def step(g: Oath) -> Step | None:
    """The next piece of play; None when the Chronicle is closed (O-18)."""
    match g.phase:
        case "deal":
            return lay_out(g)
        case "pawns":
            return place_pawn(g)
        case "wake":
            return wake(g)
        case "act":
            return act(g)
        case "rest":
            return rest(g)
        case "vow":
            return vow(g)
        case "invite":
            return invite(g)
        case "build":
            return build(g)
        case "suit":
            return store(g)
        case _:
            return None
