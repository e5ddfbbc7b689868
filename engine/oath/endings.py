"""How a game ends, as it is told (O-17)."""

from __future__ import annotations

from ..core.facts import Fact
from ..core.text import Text
from . import words
from .printed import VISIONS

WAYS = {
    "usurper": Text("as the Usurper"),
    "regime": Text("by a stable regime"),
    "exhaustion": Text("as the land is exhausted"),
}


class EndDie(Fact, frozen=True):
    """The die that may end the game for the Empire was rolled (O-17.4)."""

    round: int
    rolled: int
    result: int
    needed: int

    def told_to(self, seat: str | None) -> Text:
        if self.rolled != self.result:
            return Text(
                "The end of round {n}: the die shows {rolled} and counts as {result}; {needed} ends the game.",
                n=self.round,
                rolled=self.rolled,
                result=self.result,
                needed=self.needed,
            )
        return Text(
            "The end of round {n}: the die shows {rolled}; {needed} ends the game.",
            n=self.round,
            rolled=self.rolled,
            needed=self.needed,
        )


class Won(Fact, frozen=True):
    """Somebody has won (O-17); `ways`: usurper, regime, exhaustion, or a Vision."""

    who: str
    ways: tuple[str, ...]

    def told_to(self, seat: str | None) -> Text:
        ways = tuple(words.thing(w) if w in VISIONS else WAYS[w] for w in self.ways)
        return Text("{who} has won: {ways}.", who=self.who, ways=ways)
