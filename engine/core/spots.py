"""A game's scenario vocabulary as a table: each path with how it is read and, where that is allowed, written."""

from __future__ import annotations

from collections.abc import Callable
from difflib import get_close_matches
from typing import NamedTuple

from .ruleset import BadPath, Json, PathInfo
from .text import Text

NUMBER = "number"
BOOLEAN = "true or false"
CARDS = "list of cards"


class Spot(NamedTuple):
    """One path: how it is read and, where that is allowed, written."""

    info: PathInfo
    get: Callable[..., Json]
    set: Callable[[Json], None] | None = None


class Spots(dict[str, Spot]):
    """The paths of one position, in an order in which the position can be written again."""

    def add(
        self,
        path: str,
        label: Text,
        accepts: str,
        get: Callable[..., Json],
        set: Callable[[Json], None] | None = None,
        *,
        hidden: bool = False,
    ) -> None:
        """Enter a path; `hidden`: some seat may not know its value."""
        self[path] = Spot(PathInfo(path, label, accepts, hidden, set is not None), get, set)

    def infos(self) -> list[PathInfo]:
        """What can be said about every path."""
        return [spot.info for spot in self.values()]

    def find(self, path: str, game: str) -> Spot:
        """The spot of this name, in any case and spacing; raises `BadPath` with the nearest names."""
        wanted = " ".join(path.split())
        if wanted in self:
            return self[wanted]
        folded = {key.casefold(): key for key in self}
        if wanted.casefold() in folded:
            return self[folded[wanted.casefold()]]
        near = [folded[n] for n in get_close_matches(wanted.casefold(), folded, n=3, cutoff=0.5)]
        raise BadPath(Text("there is no “{path}” in {game}", path=path, game=game), near)

    def write(self, path: str, game: str, value: Json) -> None:
        """Set the value at a path; raises `BadPath`, with nothing changed."""
        self.setter(path, game)(value)

    def setter(self, path: str, game: str) -> Callable[[Json], None]:
        """What writes to this path; raises `BadPath` if there is no such path or it follows from others."""
        set = self.find(path, game).set
        if set is None:
            raise BadPath(Text("“{path}” follows from other paths and cannot be set", path=path))
        return set


MOST = 9999
"""More than there can be of anything in a game, and little enough for every column of a digest."""


def whole(value: Json, most: int = MOST, least: int = 0) -> int:
    """A whole number; raises `BadPath`."""
    if not isinstance(value, int) or isinstance(value, bool) or value < least:
        raise BadPath(Text("a whole number from {n} on is wanted here", n=least))
    if value > most:
        raise BadPath(Text("{n} is the most that is possible here", n=most))
    return value


def yes_or_no(value: Json) -> bool:
    """True or false; raises `BadPath`."""
    if not isinstance(value, bool):
        raise BadPath(Text("true or false is wanted here"))
    return value
