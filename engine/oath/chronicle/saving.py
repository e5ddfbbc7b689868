"""The world is put away for the next game: cards, relics, map, boards (O-18.3 to O-18.9)."""

from __future__ import annotations

from collections.abc import Sequence

from ...core.asks import shuffle
from ...core.sealed import Sealed
from ..beginnings import filled, layered, sited, turned
from ..legacy import Legacy, SavedSite
from ..printed import COLOURS, SCEPTER, VISIONS
from ..state import Oath
from .cards import add_six, remove_six, still_in_the_world, suit
from .facts import Stored
from .land import Land, settle, tell_map
from .vow import next_citizens


async def store(g: Oath) -> None:
    """O-18.4 to O-18.9. The table itself stays as the game ended; what comes of it is the next beginning."""
    chosen = await suit(g)
    land = settle(g)
    map = turned(await sited(land.slots))
    tell_map(g, map)
    flow = await add_six(g, chosen)
    stay = await remove_six(g, land.discarded, flow)
    map, relics = await _relics(g, land, map)
    deck = await layered([*still_in_the_world(g), *stay, *flow.added], list(VISIONS))
    g.ending = Sealed(
        Legacy(
            g.chronicle,
            tuple(map),
            g.game + 1,
            g.vowed,
            tuple(deck),
            tuple(flow.dispossessed),
            tuple(relics),
            next_citizens(g),
            g.player(g.winner).colour,
            g.winner,
            tuple(c for c in COLOURS if any(p.colour == c for p in g.players)),
            g.last_citizens,
            boards=tuple((p.name, p.colour) for p in g.players),
        )
    )
    g.phase = "over"
    g.tell(Stored(g.chronicle, g.game + 1))


async def _relics(g: Oath, land: Land, map: Sequence[SavedSite]) -> tuple[list[SavedSite], list[str]]:
    """O-18.7: the losers' relics into their deck, sites filled from it, the winner's and the Reliquary's on top."""
    lost = [r.id for p in g.players if p.name != g.winner for r in p.relics if r.id != SCEPTER]
    deck = await shuffle("relic deck", [*g.world.relics.under_seal(), *land.relics, *lost])
    map, deck = filled(map, deck)
    kept = [r.id for r in g.player(g.winner).relics if r.id != SCEPTER]
    kept += [space.under_seal() for space in g.reliquary if space is not None]
    return map, [*await shuffle("relics on top", kept), *deck]
