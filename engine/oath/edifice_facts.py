"""Edifices and ruins at work, as they are told."""

from __future__ import annotations

from ..core.facts import Fact
from ..core.text import Text
from . import words


class DrawnSwapped(Fact, frozen=True):
    """Drawn cards went to the Dispossessed, and others came for them (Great Spire)."""

    who: str
    gone: tuple[str, ...]
    come: tuple[str, ...]

    def told_to(self, seat: str | None) -> Text:
        if seat == self.who:
            gone, come = (tuple(words.thing(c) for c in cards) for cards in (self.gone, self.come))
            return Text("You exchange {gone} for {come} of the Dispossessed.", gone=gone, come=come)
        return Text(
            "{who} exchanges {n} card for a random one of the Dispossessed.",
            "{who} exchanges {n} cards for random ones of the Dispossessed.",
            who=self.who,
            n=len(self.gone),
        )


class PileSwapped(Fact, frozen=True):
    """Denizens of a pile changed places with others that nobody has seen (Fallen Spire)."""

    who: str
    n: int
    pile: str

    def told_to(self, seat: str | None) -> Text:
        return Text(
            "{who} exchanges the topmost denizen of the pile of {region} for a random card of the Dispossessed.",
            "{who} exchanges the {n} topmost denizens of the pile of {region} for random cards of the "
            "Dispossessed.",
            who=self.who,
            n=self.n,
            region=words.REGION[self.pile],
        )


class Restored(Fact, frozen=True):
    """A ruin was turned to its intact side; `intact`: that side's id."""

    who: str
    ruin: str
    intact: str

    def told_to(self, seat: str | None) -> Text:
        return Text(
            "{who} turns over {ruin}: it is {intact} now.",
            who=self.who,
            ruin=words.thing(self.ruin),
            intact=words.thing(self.intact),
        )
