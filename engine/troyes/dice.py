"""Groups of dice: what may be in one, what it is worth, what it costs (T-5.2 to T-5.11)."""

from __future__ import annotations

from bisect import bisect
from collections.abc import Callable, Iterator
from functools import cached_property, lru_cache
from itertools import combinations
from typing import NamedTuple

from ..core.slots import Choice
from ..core.text import Text
from . import words
from .facts import DiceUsed, DieName
from .state import COLOURS, Dice, Seat, Troyes
from .words import GREY


class GroupDie(NamedTuple):
    """A die in some district."""

    owner: str
    colour: str
    face: int


Group = tuple[GroupDie, ...]
PRICES = (0, 2, 4, 6, 8, 12, 18)
"""All that foreign dice can cost together (T-5.3)."""
Objection = Callable[["Form", Group], Text | None]
"""The reason against using a group formed in a certain way; None if it may be used."""


_UNMIXED = {
    "red": Text("only red dice serve here (T-5.2)"),
    "white": Text("only white dice serve here (T-5.2)"),
    "yellow": Text("only yellow dice serve here (T-5.2)"),
}


class Form:
    """How a group is formed: the plain way. Deferred cards change parts of it (T-5.21)."""

    def admits(self, die: GroupDie, colour: str) -> bool:
        """Whether a die may be in a group of this colour (T-5.2)."""
        return die.colour == colour

    def refusal(self, colour: str) -> Text:
        """What is said about a die that may not be in it."""
        return _UNMIXED[colour]

    def against(self, group: Group, colour: str, me: str) -> Text | None:
        """What is wrong with the group as a whole."""
        return None

    def total(self, group: Group) -> int:
        """The group value (T-1.11)."""
        return sum(die.face for die in group)

    def price(self, group: Group, me: str) -> int:
        """T-5.3: 2, 4 or 6 for each foreign die, by the size of the whole group."""
        return sum(2 * len(group) for die in group if die.owner != me)

    def payments(self, group: Group, me: str) -> tuple[tuple[str, int], ...]:
        """T-5.4: who gets how much; the grey district's share goes to the bank."""
        each: dict[str, int] = {}
        for die in self.paid_for(group, me):
            each[die.owner] = each.get(die.owner, 0) + 2 * len(group)
        return tuple(each.items())

    def paid_for(self, group: Group, me: str) -> list[GroupDie]:
        """The dice of the group that cost something."""
        return [die for die in group if die.owner != me]


PLAIN = Form()


def _die_id(die: GroupDie, mine: bool) -> str:
    short = f"{die.colour[0]}{die.face}"
    return short if mine else f"{short}@{die.owner}"


@lru_cache(maxsize=4096)
def die_choice(die: GroupDie, mine: bool) -> Choice:
    """A die as it stands in a command: `y5`, `yellow 5`, `y5 of Ben`, `Ben's y5`."""
    short, long = words.die(die.colour, die.face), words.long_die(die.colour, die.face)
    if mine:
        also = (long, Text("my {die}", die=short), Text("own {die}", die=short))
        return Choice(_die_id(die, mine), short, die, also)
    owner = words.owner(die.owner)
    return Choice(
        _die_id(die, mine),
        Text("{die} of {owner}", die=short, owner=owner),
        die,
        (
            Text("{die} of {owner}", die=long, owner=owner),
            Text("{owner} {die}", die=short, owner=owner),
            Text("{owner} {die}", die=long, owner=owner),
        ),
    )


def barred_die(die: GroupDie, mine: bool, why: Text) -> Choice:
    """A die that is only there to say why it may not be used."""
    choice = die_choice(die, mine)
    return Choice(choice.id, choice.words, die, choice.also, why)


class Market:
    """All dice in the districts, as one player may group them."""

    def __init__(self, g: Troyes, me: Seat) -> None:
        self.me = me.name
        self.districts: list[tuple[str, Dice]] = [(me.name, me.dice)]
        self.districts += [(seat.name, seat.dice) for seat in g.seats if seat is not me]
        self.districts.append((GREY, g.grey_dice))
        self._best: dict[tuple[str, int], int] = {}
        self._foreign: dict[str, list[int]] = {}
        self._elements: dict[tuple[Form, str], list[Choice]] = {}

    @cached_property
    def dice(self) -> list[GroupDie]:
        """Every die, own ones first."""
        return [
            GroupDie(owner, colour, face)
            for owner, dice in self.districts
            for colour in COLOURS
            for face in dice[colour]
        ]

    def elements(self, form: Form, colour: str) -> list[Choice]:
        """The dice for a command; those of other colours are there to say why not."""
        key = (form, colour)
        if key not in self._elements:
            why, me = form.refusal(colour), self.me
            self._elements[key] = [
                die_choice(d, d.owner == me) if form.admits(d, colour) else barred_die(d, d.owner == me, why)
                for d in self.dice
            ]
        return self._elements[key]

    def best(self, colour: str, budget: int) -> int:
        """The highest value that a plain group of a colour can have for this much money; 0 for none."""
        key = (colour, bisect(PRICES, budget))
        if key not in self._best:
            self._best[key] = self._highest(colour, budget)
        return self._best[key]

    def _highest(self, colour: str, budget: int) -> int:
        own, foreign = self.districts[0][1][colour], self._dearest(colour)
        highest = 0
        for bought in range(len(foreign) + 1):
            for mine in range(min(3 - bought, len(own)) + 1):
                if bought * 2 * (bought + mine) <= budget:
                    highest = max(highest, sum(own[:mine]) + sum(foreign[:bought]))
        return highest

    def _dearest(self, colour: str) -> list[int]:
        """The three highest foreign dice of a colour."""
        if colour not in self._foreign:
            faces = [face for _, dice in self.districts[1:] for face in dice[colour]]
            self._foreign[colour] = sorted(faces, reverse=True)[:3]
        return self._foreign[colour]

    def groups(self, form: Form, colour: str) -> Iterator[Group]:
        """Every group that a form admits, the strongest dice first."""
        admitted = sorted((d for d in self.dice if form.admits(d, colour)), key=lambda d: -d.face)
        for size in (1, 2, 3):
            yield from combinations(admitted, size)

    def possible(self, form: Form, colour: str, objection: Objection) -> bool:
        """Whether some group of this form meets no objection."""
        return any(
            form.against(group, colour, self.me) is None and objection(form, group) is None
            for group in self.groups(form, colour)
        )


def too_poor(price: int, held: int) -> Text:
    """T-5.3, T-5.9."""
    return Text(
        "these dice cost {price}, you have {held} for them (T-5.3)", price=words.deniers(price), held=held
    )


def named_dice(group: Group, me: str) -> tuple[DieName, ...]:
    """The group as facts keep it: own dice without their owner."""
    return tuple(("" if d.owner == me else d.owner, d.colour, d.face) for d in group)


def add_die(dice: Dice, colour: str, face: int) -> None:
    """Put a die into a district."""
    dice[colour].append(face)
    dice[colour].sort(reverse=True)


def spend(g: Troyes, me: Seat, group: Group, form: Form) -> None:
    """Pay for the foreign dice (T-5.4, T-5.7) and put all of them back into the general supply (T-5.10)."""
    payments = form.payments(group, me.name)
    for owner, price in payments:
        me.deniers -= price
        if owner != GREY:
            g.seat(owner).deniers += price
    for die in group:
        g.dice_of(die.owner)[die.colour].remove(die.face)
    g.tell(DiceUsed(me.name, named_dice(group, me.name), payments))
