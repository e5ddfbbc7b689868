"""White activity cards: the religious domain."""

from __future__ import annotations

from typing import ClassVar

from ...core.text import Text
from ..dice import Group, GroupDie
from ..state import COLOURS
from .card import NOT_FOR_PLACING, Deferred, Exchange


class Tithing(Deferred, card="tithing"):
    """Up to one yellow die from each other district without paying."""

    colours = ("yellow",)

    def paid_for(self, group: Group, me: str) -> list[GroupDie]:
        """The first die from each other district is free; a second one is bought."""
        free = {me: 0}
        paid = []
        for die in group:
            if die.owner != me and free.setdefault(die.owner, 1):
                free[die.owner] = 0
            elif die.owner != me:
                paid.append(die)
        return paid

    def price(self, group: Group, me: str) -> int:
        """Only the dice that are not free cost something."""
        return 2 * len(group) * len(self.paid_for(group, me))

    def against(self, group: Group, colour: str, me: str) -> Text | None:
        """A cube is not wasted on a group of own dice."""
        if all(die.owner == me for die in group):
            return Text("Tithing takes dice of other districts, and there is none in this group (T-5.21)")
        return None

    def says(self) -> Text:
        """The effect."""
        return Text("take up to one yellow die from each other district into a group without paying")


class Copied(Deferred):
    """A single white die that becomes several dice of another colour."""

    not_for: ClassVar[dict[str, Text]] = {
        "place": Text("it makes more than one die, and placing a citizen takes exactly one (T-5.39)"),
    }

    def admits(self, die: GroupDie, colour: str) -> bool:
        """White dice alone."""
        return die.colour == "white"

    def refusal(self, colour: str) -> Text:
        """Other dice do not join."""
        return Text("{card} takes a single white die (T-5.24)", card=self.print.words)

    def against(self, group: Group, colour: str, me: str) -> Text | None:
        """Exactly one die."""
        if len(group) > 1:
            return Text("{card} takes a single white die (T-5.24)", card=self.print.words)
        return None

    def total(self, group: Group) -> int:
        """The die's value, so many times."""
        return sum(die.face for die in group) * self.print.amounts.copies


class Monk(Copied, card="monk"):
    """A single white die becomes a group of three yellow dice of its value."""

    colours = ("yellow",)

    def says(self) -> Text:
        """The effect."""
        return Text(
            "a single white die becomes {n} yellow dice of its value; no other die joins",
            n=self.print.amounts.copies,
        )


class Priest(Deferred, card="priest"):
    """Adds to each yellow die of a group."""

    colours = ("yellow",)
    not_for: ClassVar[dict[str, Text]] = NOT_FOR_PLACING

    def total(self, group: Group) -> int:
        """A die may exceed 6."""
        return sum(die.face + self.print.amounts.add_each for die in group)

    def says(self) -> Text:
        """The effect."""
        return Text(
            "add {n} to each yellow die of a group, not for placing a citizen", n=self.print.amounts.add_each
        )


class Apprenticeship(Deferred, card="apprenticeship"):
    """Every die of a group becomes the same number."""

    colours = COLOURS
    not_for: ClassVar[dict[str, Text]] = {
        **NOT_FOR_PLACING,
        "build": Text("Apprenticeship does not serve for the cathedral (T-5.24)"),
    }

    def total(self, group: Group) -> int:
        """The same for each die."""
        return len(group) * self.print.amounts.becomes

    def says(self) -> Text:
        """The effect."""
        return Text(
            "every die of a group becomes {n}, not for placing a citizen and not for the cathedral",
            n=self.print.amounts.becomes,
        )


class Templar(Copied, card="templar"):
    """One white die becomes two red dice of its value."""

    colours = ("red",)

    def says(self) -> Text:
        """The effect."""
        return Text(
            "a single white die becomes {n} red dice of its value; no other die joins",
            n=self.print.amounts.copies,
        )


class Confession(Deferred, card="confession"):
    """A group may mix dice of all colours; it counts as one of them."""

    colours = COLOURS
    not_for: ClassVar[dict[str, Text]] = {
        "place": Text("placing a citizen takes exactly one die: nothing can be mixed (T-5.39)")
    }

    def admits(self, die: GroupDie, colour: str) -> bool:
        """Any colour."""
        return True

    def against(self, group: Group, colour: str, me: str) -> Text | None:
        """One die at least has the colour of the group, and a cube is not wasted."""
        if all(die.colour != colour for die in group):
            return Text("one die at least must have the colour that is needed (T-5.24)")
        if all(die.colour == colour for die in group):
            return Text("all these dice have one colour: keep your cube of Confession (T-5.21)")
        return None

    def says(self) -> Text:
        """The effect."""
        return Text("a group may mix dice of all colours; it counts as one of the colours in it")


class Pilgrimage(Exchange, card="pilgrimage"):
    """Gain 1 VP and 1 influence."""


class Glassmaker(Exchange, card="glassmaker"):
    """Gain 3 VP."""


class WhiteThree(Exchange, card="white-3-unidentified"):
    """Gain 1 VP."""
