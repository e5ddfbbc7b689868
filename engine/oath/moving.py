"""Cards that change places, pawns and warbands that are moved by a card (O-8.11): no play, no travel, no permission."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from ..core.asks import Kind, Menu, choose
from ..core.slots import Choice, Chosen, Number, One
from ..core.text import Text
from . import words
from .battle_queries import LeftBehind, MayPlace
from .facts import CardMoved, PawnPut
from .powers import asked
from .printed import NAMES
from .state import Card, Oath, Player
from .verbs import to_board, to_site

BOARD = -1
"""The own board among places that warbands move between; the others are slots of the map."""

_STAYS = Text("none of your warbands there may be moved")
_SAME = Text("they stand there already")

# cards


def swap_at_sites(g: Oath, player: Player, one: tuple[int, Card], other: tuple[int, Card]) -> None:
    """Two cards at sites change places, with the tokens on them."""
    (here, mine), (there, theirs) = one, other
    at = next(n for n, card in enumerate(g.map[here].cards) if card is mine)
    to = next(n for n, card in enumerate(g.map[there].cards) if card is theirs)
    g.map[here].cards[at], g.map[there].cards[to] = theirs, mine
    g.tell(CardMoved(player.name, mine.id, g.map[there].shown))
    g.tell(CardMoved(player.name, theirs.id, g.map[here].shown))


# pawns


def put_pawn(g: Oath, player: Player, site: int) -> None:
    """A pawn is put onto another faceup site: no travel, so nothing is paid and nothing answers it."""
    player.pawn = site
    g.tell(PawnPut(player.name, NAMES[g.map[site].shown]))


# warbands


async def redistribute(g: Oath, me: Player, sites: Sequence[int], prompt: Text, section: str) -> None:
    """Warbands move among one's board and some sites, as often as one likes."""
    kind: Kind = "turn" if me is g.active else "reaction"
    source = One("source", Text("place"), partial(_sources, g, me, sites))
    target = One("target", Text("place"), partial(_targets, g, me, sites))
    while any(source.legal({})):
        menu: Menu[tuple[int, int, int] | None] = Menu()
        menu.command(
            Text("move from {source} to {target} {count}"),
            lambda source, target, count: (source, target, count),
            source,
            target,
            Number("count", Text("number"), lambda chosen: range(1, _movable(g, me, chosen["source"]) + 1)),
            id="move",
            also=(Text("from {source} to {target} {count}"),),
        )
        menu.add(Text("done"), None, id="done", also=(Text("nothing"), Text("no")))
        chosen = await choose(me.name, "move-warbands", menu, prompt, section=section, kind=kind)
        if chosen is None:
            return
        _move(g, me, *chosen)


def _movable(g: Oath, me: Player, place: int) -> int:
    if place == BOARD:
        return me.warbands
    there = g.map[place]
    if there.colour != me.banner_colour:
        return 0
    return max(0, there.warbands - asked(g, LeftBehind(player=me, site=place, base=1)).value)


def _why_not_to(g: Oath, me: Player, place: int) -> Text | None:
    return None if place == BOARD else asked(g, MayPlace(player=me, site=place)).why


def _sources(g: Oath, me: Player, sites: Sequence[int], chosen: Chosen) -> list[Choice]:
    return [
        _place(g, n, None if _movable(g, me, n) and _reachable(g, me, sites, n) else _STAYS)
        for n in (BOARD, *sites)
    ]


def _reachable(g: Oath, me: Player, sites: Sequence[int], source: int) -> bool:
    return any(c.why is None for c in _targets(g, me, sites, {"source": source}))


def _targets(g: Oath, me: Player, sites: Sequence[int], chosen: Chosen) -> list[Choice]:
    return [_place(g, n, _SAME if n == chosen["source"] else _why_not_to(g, me, n)) for n in (BOARD, *sites)]


def _place(g: Oath, n: int, why: Text | None) -> Choice:
    if n == BOARD:
        return Choice("board", Text("board"), n, also=(Text("my board"), Text("your board")), why=why)
    return Choice(str(n), words.short_site(g, n), n, also=(words.site(g, n),), why=why)


def _move(g: Oath, me: Player, source: int, target: int, count: int) -> None:
    """By way of the board, as warbands move (O-7.5)."""
    if source != BOARD:
        to_board(g, me, source, count)
    if target != BOARD:
        to_site(g, me, target, count)
