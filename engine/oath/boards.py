"""Who sits where and plays which board (O-2.5, O-2.6); boards keep their sides from game to game."""

from __future__ import annotations

from collections.abc import Sequence

from ..core.asks import Menu, choose
from ..core.text import Text
from .legacy import Legacy
from .printed import COLOURS, PURPLE
from .setup_facts import ROLE
from .state import Oath, Player
from .words import COLOUR


def seated(names: Sequence[str], legacy: Legacy | None) -> list[Player]:
    """O-2.5: clockwise from the Chancellor, who is the last winner, or the first named; whoever has played before keeps
    the board, the others are given free ones for now."""
    first = _chancellor(names, legacy)
    order = [*names[first:], *names[:first]]
    kept = _kept(order[1:], legacy)
    free = iter(colour for colour in COLOURS[1:] if colour not in kept.values())
    colours = [PURPLE, *(kept.get(name) or next(free) for name in order[1:])]
    return [
        Player(name, colour, "chancellor" if colour == PURPLE else "exile")
        for name, colour in zip(order, colours, strict=True)
    ]


def _chancellor(names: Sequence[str], legacy: Legacy | None) -> int:
    winner = legacy.winner_name.casefold() if legacy else ""
    return next((n for n, name in enumerate(names) if name.casefold() == winner), 0)


def _kept(names: Sequence[str], legacy: Legacy | None) -> dict[str, str]:
    """The boards of those who have one from the last game."""
    had = {name.casefold(): colour for name, colour in legacy.boards} if legacy else {}
    return {name: had[name.casefold()] for name in names if had.get(name.casefold(), PURPLE) != PURPLE}


async def boards(g: Oath, legacy: Legacy) -> None:
    """O-2.6: in turn order each player without a board takes one; asked only where the sides differ."""
    kept = _kept([p.name for p in g.players[1:]], legacy)
    free = [colour for colour in COLOURS[1:] if colour not in kept.values()]
    for player in g.players[1:]:
        if player.name not in kept:
            player.colour = await _board(player, free, legacy)
            free.remove(player.colour)


async def _board(player: Player, free: Sequence[str], legacy: Legacy) -> str:
    citizens = [colour for colour in free if colour in legacy.citizens]
    if not citizens or len(citizens) == len(free):
        return free[0]
    menu: Menu[str] = Menu()
    for colour in free:
        role = ROLE["citizen" if colour in citizens else "exile"]
        menu.add(
            Text("take the {colour} board", colour=COLOUR[colour]),
            colour,
            id=colour,
            also=(COLOUR[colour], Text("{colour} {role}", colour=COLOUR[colour], role=role)),
        )
    prompt = Text(
        "Take a free board. You begin as a Citizen with {citizens}, and as an Exile with any other.",
        citizens=tuple(COLOUR[colour] for colour in citizens),
    )
    return await choose(player.name, "board", menu, prompt, section="O-2.6", kind="setup")
