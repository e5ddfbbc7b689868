"""The three main buildings (T-5.39 to T-5.48)."""

from __future__ import annotations

from .facts import CitizenPlaced, Expelled
from .state import EMPTY, Troyes
from .words import GREY

ROW_OF_FACE = {
    "palace": (0, 0, 0, 0, 0, 0),
    "bishopric": (0, 0, 1, 1, 2, 2),  # T-5.43
    "city hall": (0, 0, 0, 1, 1, 1),  # T-5.43
}


def enter(g: Troyes, who: str, building: str, face: int) -> None:
    """A citizen enters by a die (T-5.41, T-5.42)."""
    if building == "palace":
        enter_palace(g, who, face - 1)
    else:
        enter_row(g, who, building, ROW_OF_FACE[building][face - 1])


def enter_palace(g: Troyes, who: str, space: int) -> None:
    """T-5.41: onto the numbered space; whoever stands there is expelled."""
    row = g.spaces["palace"][0]
    stood, row[space] = row[space], who
    if stood:
        _expel(g, stood, "palace")
    g.tell(CitizenPlaced(who, "palace", 0, space))


def enter_row(g: Troyes, who: str, building: str, number: int) -> None:
    """T-5.42: in at the left end; the others move right as far as the first gap (T-5.44)."""
    row = g.spaces[building][number]
    gap = row.index(EMPTY) if EMPTY in row else len(row) - 1
    pushed_off = row[gap]
    row[1 : gap + 1] = row[:gap]
    row[0] = who
    if pushed_off:
        _expel(g, pushed_off, building)
    g.tell(CitizenPlaced(who, building, number, 0))


def _expel(g: Troyes, who: str, building: str) -> None:
    """T-1.12; a neutral citizen goes back to the general supply (T-5.47)."""
    if who == GREY:
        g.grey_supply += 1
    else:
        g.lying[building].append(who)
    g.tell(Expelled(who, building))
