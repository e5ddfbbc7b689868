"""What is told while a game is set up (O-2)."""

from __future__ import annotations

from ..core.facts import Fact
from ..core.text import Text
from . import words

ROLE = {"chancellor": Text("Chancellor"), "citizen": Text("Citizen"), "exile": Text("Exile")}


class Began(Fact, frozen=True):
    """A game of a chronicle begins (O-2.3, O-2.6)."""

    chronicle: str
    game: int
    oath: str
    roles: tuple[tuple[str, str], ...]

    def told_to(self, seat: str | None) -> Text:
        return Text(
            "{chronicle}, game {n}. The oath is the {oath}. {roles}.",
            chronicle=self.chronicle,
            n=self.game,
            oath=words.thing(self.oath),
            roles=tuple(Text("{who}: {role}", who=who, role=ROLE[role]) for who, role in self.roles),
        )


class HandDealt(Fact, frozen=True):
    """One player looks at the first three cards (O-2.16)."""

    who: str
    cards: tuple[str, ...]

    def told_to(self, seat: str | None) -> Text:
        if seat == self.who:
            return Text("You alone know: you drew {cards}.", cards=tuple(words.thing(c) for c in self.cards))
        return Text("{who} drew three cards.", who=self.who)
