"""What every activity card can do (T-5.13 to T-5.24)."""

from __future__ import annotations

from abc import ABC, abstractmethod
from functools import lru_cache
from typing import Any, ClassVar

from ...core.slots import Slot
from ...core.text import Text
from .. import words
from ..cards import ActivityPrint
from ..dice import Form, Group
from ..state import Seat, Troyes
from ..verbs import gain, pay

CLASSES: dict[str, type[Activity]] = {}
"""The class of each card, by the card's id."""

PLENTY = 99
"""As often as the dice allow."""
NOT_FOR_PLACING = {"place": Text("it does not serve for placing a citizen (T-5.49)")}


class Activity(ABC):
    """A card and its print; it holds no state, what changes lives in the game."""

    kind: ClassVar[Text]

    def __init_subclass__(cls, card: str = "") -> None:
        if card:
            CLASSES[card] = cls

    def __init__(self, print: ActivityPrint) -> None:
        self.print = print

    @abstractmethod
    def says(self) -> Text:
        """The effect in our own words."""


class Immediate(Activity):
    """A card that works at once, floor(value / divisor) times at most (T-5.19)."""

    kind = Text("immediate")

    @property
    def deniers_each(self) -> int:
        """What one activation costs in money."""
        return self.print.amounts.pay_deniers

    @property
    def influence_each(self) -> int:
        """What one activation costs in influence."""
        return self.print.amounts.pay_influence

    def payable(self, deniers: int, influence: int) -> int:
        """How many activations this much money and influence pays for (T-5.9)."""
        by_money = deniers // self.deniers_each if self.deniers_each else PLENTY
        by_influence = influence // self.influence_each if self.influence_each else PLENTY
        return min(by_money, by_influence)

    def extra_slots(self, g: Troyes, me: Seat) -> tuple[Slot, ...]:
        """Further parts of the command that only this card has."""
        return ()

    @abstractmethod
    async def activate(self, g: Troyes, me: Seat, times: int, **extra: Any) -> None:
        """Apply the effect this often."""


class Exchange(Immediate):
    """A card that turns some goods into others."""

    async def activate(self, g: Troyes, me: Seat, times: int, **extra: Any) -> None:
        """Pay and gain."""
        a = self.print.amounts
        pay(g, me, deniers=a.pay_deniers * times, influence=a.pay_influence * times)
        gain(g, me, deniers=a.gain_deniers * times, influence=a.gain_influence * times, vp=a.gain_vp * times)

    def says(self) -> Text:
        """The goods on both sides."""
        a = self.print.amounts
        costs = _goods(a.pay_deniers, a.pay_influence, 0)
        gains = _goods(a.gain_deniers, a.gain_influence, a.gain_vp)
        if costs:
            return Text("pay {costs}, gain {gains}", costs=costs, gains=gains)
        return Text("gain {gains}", gains=gains)


def _goods(deniers: int, influence: int, vp: int) -> tuple[Text, ...]:
    found = []
    if deniers:
        found.append(words.deniers(deniers))
    if influence:
        found.append(words.influence(influence))
    if vp:
        found.append(words.points(vp))
    return tuple(found)


class Deferred(Activity, Form):
    """A card with an hourglass: its cubes change a later group (T-5.20 to T-5.24)."""

    kind = Text("deferred")
    colours: ClassVar[tuple[str, ...]] = ()
    """The colours of the groups it serves."""
    not_for: ClassVar[dict[str, Text]] = {}
    """Actions it does not serve, with the reason (T-5.24, T-5.49)."""

    def serves(self, purpose: str, colour: str) -> Text | None:
        """The reason why a cube does not help a group of this colour in this action."""
        if colour not in self.colours:
            return Text(
                "{card} does not serve {colour} groups (T-5.24)",
                card=self.print.words,
                colour=words.COLOUR[colour],
            )
        return self.not_for.get(purpose)


class AddsToRed(Deferred):
    """Adds to the value of a red group."""

    colours = ("red",)
    not_for = NOT_FOR_PLACING

    def total(self, group: Group) -> int:
        """The group value and the addition."""
        return sum(die.face for die in group) + self.print.amounts.add

    def says(self) -> Text:
        """The effect."""
        return Text(
            "add {n} to the value of a red group, not for placing a citizen", n=self.print.amounts.add
        )


@lru_cache(maxsize=512)
def activity_of(print: ActivityPrint) -> Activity:
    """The behaviour that belongs to a print."""
    return CLASSES[print.like](print)
