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


def last_own(entries: Sequence[Entry], seat: str, told: bool, open_branch: bool = False) -> int:
    """The index of the entry that `undo` takes back.

    `entries` are the game's valid answers, oldest first; `told` says whether anything after that answer
    has gone out to another person; `open_branch`, whether the seat is inside an open `together`, where
    only its own branch counts. Raises `NoUndo` with the reason.
    """
    for i in range(len(entries) - 1, -1, -1):
        entry = entries[i]
        if entry.seat == DICE:
            raise NoUndo(Text("something was rolled or shown since your last answer"))
        if entry.seat == seat:
            if told:
                raise NoUndo(Text("the others have already been told"))
            return i
        if not (open_branch and entry.branch != MAIN):
            raise NoUndo(Text("{who} has answered since", who=entry.seat))
    raise NoUndo(Text("you have not answered anything yet"))
