"""Taking back: the seat's own last answer, while nothing has come of it that cannot be unseen (D-3, D-5)."""

from __future__ import annotations

from collections.abc import Sequence

from .asks import DICE
from .table import MAIN, Entry
from .text import Text


class NoUndo(Exception):
    """It cannot be taken back. `why` is for the player."""

    def __init__(self, why: Text) -> None:
        super().__init__(why)
        self.why = why


def last_own(
    entries: Sequence[Entry], seat: str, told: bool, open_branch: bool = False, began: int = 0
) -> int:
    """The index of the entry that `undo` takes back.

    `entries` are the game's valid answers, oldest first; `told` says whether anything after that answer
    has gone out to another person; `open_branch`, whether a `together` is open, where the others' branches
    do not stand in the way of the seat's own, and `began`, where in it the seat's first answer stands.
    Raises `NoUndo` with the reason.
    """
    over: Entry | None = None
    for i in range(len(entries) - 1, -1, -1):
        entry = entries[i]
        if entry.seat == DICE:
            raise NoUndo(Text("something was rolled or shown since your last answer"))
        if entry.seat == seat:
            if over is not None and not _side_by_side(entry, over, began):
                raise NoUndo(Text("{who} has answered since", who=over.seat))
            if told:
                raise NoUndo(Text("the others have already been told"))
            return i
        if not (open_branch and entry.branch != MAIN):
            raise NoUndo(Text("{who} has answered since", who=entry.seat))
        over = over or entry
    raise NoUndo(Text("you have not answered anything yet"))


def _side_by_side(own: Entry, other: Entry, began: int) -> bool:
    """Whether an answer stands in the same open `together` as another that came later."""
    return own.branch != MAIN and own.step == other.step and own.n >= began
