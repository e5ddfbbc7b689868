"""Denizens at work, as they are told."""

from __future__ import annotations

from ..core.facts import Fact
from ..core.text import Text
from . import words


class Prophesied(Fact, frozen=True):
    """A warband came to lie on a revealed Vision (False Prophet)."""

    who: str
    owner: str
    vision: str

    def told_to(self, seat: str | None) -> Text:
        return Text(
            "{who} puts a warband on {vision}, which {owner} has revealed.",
            who=self.who,
            owner=self.owner,
            vision=words.thing(self.vision),
        )


class ProphecyTaken(Fact, frozen=True):
    """That Vision was discarded: the warband died, and its player has the Vision in hand."""

    who: str
    vision: str

    def told_to(self, seat: str | None) -> Text:
        return Text(
            "The warband of {who} on {vision} is killed; {who} plays the Vision or discards it.",
            who=self.who,
            vision=words.thing(self.vision),
        )
