"""What happens in phase 3: events turned up and suffered, black dice fought (T-4), and how each seat is told."""

from __future__ import annotations

from ..core.facts import Fact
from ..core.text import Text
from . import words
from .facts import DieName, dice_words, die_words


class EventTurnedUp(Fact, frozen=True):
    """A new event (T-4.1)."""

    name: str
    pile: str

    def told_to(self, seat: str | None) -> Text:
        return Text(
            "A new event, {colour}: {name}.", colour=words.COLOUR[self.pile], name=words.named(self.name)
        )


class BlackDiceTaken(Fact, frozen=True):
    """A military event works (T-4.4)."""

    name: str
    n: int

    def told_to(self, seat: str | None) -> Text:
        return Text(
            "{name} brings {n} black die.",
            "{name} brings {n} black dice.",
            name=words.named(self.name),
            n=self.n,
        )


class Suffered(Fact, frozen=True):
    """An event took the same from some players (T-4.5)."""

    name: str
    who: tuple[str, ...]
    deniers: int = 0
    influence: int = 0
    short: bool = False

    def told_to(self, seat: str | None) -> Text:
        said = Text("{name}: {who} pays {loss}.", "{name}: {who} pay {loss} each.")
        if self.short:
            said = Text(
                "{name}: {who} pays {loss}, which is not all of it, and loses up to 2 VP.",
                "{name}: {who} pay {loss} each, which is not all of it, and lose up to 2 VP each.",
            )
        loss = words.deniers(self.deniers) if self.deniers else words.influence(self.influence)
        return said.filled(name=words.named(self.name), who=self.who, loss=loss, n=len(self.who))


class NothingToLose(Fact, frozen=True):
    """An event found nothing to take from a player (T-4.5)."""

    name: str
    who: str

    def told_to(self, seat: str | None) -> Text:
        return Text(
            "{name}: {who} has nothing it could take, and loses up to 2 VP.",
            name=words.named(self.name),
            who=self.who,
        )


class CathedralCubeLost(Fact, frozen=True):
    """A cube went back from the cathedral."""

    name: str
    who: str
    level: int
    column: int

    def told_to(self, seat: str | None) -> Text:
        return Text(
            "{name}: {who} takes a cube back from the cathedral, {where}.",
            name=words.named(self.name),
            who=self.who,
            where=words.vault(self.level, self.column),
        )


class EventCubeLost(Fact, frozen=True):
    """A cube went back from an event."""

    name: str
    who: str
    event: str

    def told_to(self, seat: str | None) -> Text:
        return Text(
            "{name}: {who} takes a cube back from {event}.",
            name=words.named(self.name),
            who=self.who,
            event=words.named(self.event),
        )


class DieLost(Fact, frozen=True):
    """An event took a die from a district."""

    name: str
    who: str
    die: DieName

    def told_to(self, seat: str | None) -> Text:
        return Text(
            "{name}: {who} puts {die} back.",
            name=words.named(self.name),
            who=self.who,
            die=die_words(self.die),
        )


class BlackDiceRolled(Fact, frozen=True):
    """The enemies of this round (T-4.9)."""

    who: str
    faces: tuple[int, ...]

    def told_to(self, seat: str | None) -> Text:
        return Text(
            "{who} rolled the black dice: {dice}.",
            who=self.who,
            dice=tuple(words.die("black", f) for f in self.faces),
        )


class Beaten(Fact, frozen=True):
    """A black die is beaten (T-4.14)."""

    who: str
    face: int
    dice: tuple[DieName, ...]

    def told_to(self, seat: str | None) -> Text:
        return Text(
            "{who} beat {black} with {dice}.",
            who=self.who,
            black=words.die("black", self.face),
            dice=dice_words(self.dice),
        )


class NotBeaten(Fact, frozen=True):
    """A black die could not be beaten (T-4.17)."""

    who: str
    face: int

    def told_to(self, seat: str | None) -> Text:
        return Text(
            "{who} could not beat {black} and loses up to 2 VP.",
            who=self.who,
            black=words.die("black", self.face),
        )
