"""What the player on turn has to work with, and the parts that commands share."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from functools import cached_property, lru_cache, partial
from itertools import combinations
from typing import Any

from ..core.slots import Choice, Chosen, Many, NotOpen, One, Slot
from ..core.text import Text
from .activities import Deferred, activity_of
from .buildings import ROW_OF_FACE
from .citizens import Source, source_choice, sources
from .dice import PLAIN, Form, Group, GroupDie, Market, Objection, too_poor
from .facts import HelpUsed
from .state import BUILDINGS, ROWS, Seat, Troyes

Deed = Callable[[], Coroutine[Any, Any, bool]]
"""What a command does; the result says whether the turn is over."""


def deed(do: Callable[..., Coroutine[Any, Any, bool]], *known: Any) -> Callable[..., Deed]:
    """For a command: what it does once its parts are filled; they are handed over by name."""

    def build(**parts: Any) -> Deed:
        return partial(do, *known, **parts)

    return build


DICE_LABEL = {"red": Text("red dice"), "white": Text("white dice"), "yellow": Text("yellow dice")}
DIE_LABEL = {"red": Text("red die"), "white": Text("white die"), "yellow": Text("yellow die")}

_NO_GROUP = {
    "red": Text("no red dice are within your reach (T-5.2)"),
    "white": Text("no white dice are within your reach (T-5.2)"),
    "yellow": Text("no yellow dice are within your reach (T-5.2)"),
}
_TOO_LOW = {
    "red": Text("it takes a value of {least}; your best red group has {best} (T-5.12)"),
    "white": Text("it takes a value of {least}; your best white group has {best} (T-5.12)"),
    "yellow": Text("it takes a value of {least}; your best yellow group has {best} (T-5.12)"),
}
_HELP_LABEL = Text("cube on a card")
_USING = Text("using {help}")
_ONE_CUBE = Text("only one cube may help an action (T-5.21)")
_NOT_ALONE = Text("your dice do not do it alone: say which cube helps, “using …” (T-5.21)")
_NO_USE = Text("no group of dice within your reach makes use of it now")


class Offer:
    """The dice in reach, the cubes that may help, the citizens at hand."""

    def __init__(self, g: Troyes, me: Seat) -> None:
        self.g = g
        self.me = me
        self.market = Market(g, me)

    @cached_property
    def sources(self) -> list[Source]:
        """Where a citizen may come from (T-5.14)."""
        return sources(self.g, self.me)

    @cached_property
    def deferred(self) -> list[tuple[Deferred, int]]:
        """The deferred cards that are face up, and how many cubes this player has on each."""
        found = []
        for card in self.g.face_up():
            activity = activity_of(self.g.cards.activities[card.shown])
            if isinstance(activity, Deferred):
                found.append((activity, card.cubes.get(self.me.name, 0)))
        return found

    @cached_property
    def helps(self) -> list[Deferred]:
        """The cards whose cubes may help (T-5.21)."""
        return [card for card, cubes in self.deferred if cubes]

    def out_of_reach(
        self, purpose: str, colour: str, least: int, budget: int, objection: Objection
    ) -> Text | None:
        """Why no group of the colour reaches a value; None if one does, with help or without."""
        best = self.market.best(colour, budget)
        if best >= least or self.helped(purpose, colour, objection):
            return None
        if not best:
            return _NO_GROUP[colour]
        return _TOO_LOW[colour].filled(least=least, best=best)

    def helped(self, purpose: str, colour: str, objection: Objection) -> bool:
        """Whether a cube makes it possible."""
        return any(
            help.serves(purpose, colour) is None and self.market.possible(help, colour, objection)
            for help in self.helps
        )

    def affordable(self, form: Form, group: Group, budget: int) -> Text | None:
        """T-5.3: whether the money suffices for the dice."""
        price = form.price(group, self.me.name)
        return too_poor(price, budget) if price > budget else None

    # parts of commands

    def help_slots(
        self, purpose: str, colour: str, objection: Objection, alone: Callable[[], bool]
    ) -> tuple[Slot, ...]:
        """`using priest`, for a player who has a cube to spend; needed where the dice alone do not do."""
        if not self.helps:
            return ()

        def without(chosen: Chosen) -> None:
            if not alone():
                raise NotOpen(_NOT_ALONE)

        def choices(chosen: Chosen) -> list[Choice]:
            found = [self._help_choice(card, n, purpose, colour, objection) for card, n in self.deferred]
            return found + _pairs(tuple(c.words for c in found))

        return (One("help", _HELP_LABEL, choices, _USING, without),)

    def _help_choice(
        self, card: Deferred, cubes: int, purpose: str, colour: str, objection: Objection
    ) -> Choice:
        why: Text | None = None
        if not cubes:
            why = _no_cube(card)
        else:
            why = card.serves(purpose, colour)
            if why is None and not self.market.possible(card, colour, objection):
                why = _NO_USE
        return Choice(card.print.id, card.print.words, card, (), why)

    def dice_slot(
        self, colour: str, objection: Objection, also: tuple[Choice, ...] = (), label: Text | None = None
    ) -> Many:
        """One to three dice of a colour, formed with the help that was named."""
        me = self.me.name

        def elements(chosen: Chosen) -> list[Choice]:
            dice = self.market.elements(_form(chosen), colour)
            return [*dice, *self._without_cubes, *also] if also or self._without_cubes else dice

        def check(chosen: Chosen, group: Group) -> Text | None:
            form = _form(chosen)
            return form.against(group, colour, me) or objection(form, group)

        return Many("dice", label or DICE_LABEL[colour], elements, 1, 3, check)

    @cached_property
    def _without_cubes(self) -> list[Choice]:
        """`using priest` where no cube is there to be used: only to say so."""
        if self.helps:
            return []
        return [
            Choice(
                f"using.{card.print.id}",
                Text("using {card}", card=card.print.words),
                None,
                (),
                _no_cube(card),
            )
            for card, _ in self.deferred
        ]


def _form(chosen: Chosen) -> Form:
    return chosen.get("help") or PLAIN


def _no_cube(card: Deferred) -> Text:
    return Text("you have no cube on {card} (T-5.21)", card=card.print.words)


@lru_cache(maxsize=64)
def _pairs(names: tuple[Text, ...]) -> list[Choice]:
    """Two cubes at once: only to say why not."""
    return [
        Choice(f"both.{i}", Text("{one} {other}", one=one, other=other), None, (), _ONE_CUBE)
        for i, pair in enumerate(combinations(names, 2))
        for one, other in (pair, pair[::-1])
    ]


@lru_cache(maxsize=1)
def hiring_again() -> tuple[Choice, ...]:
    """`hiring …` on a card where one's tradesman stands: only to say why not (T-5.15)."""
    why = Text("you have a tradesman there: one for each player on a card (T-5.15)")
    places = [Source("supply"), Source("influence"), *(Source("lying", b) for b in BUILDINGS)]
    for building in BUILDINGS:
        rows, spaces = ROWS[building]
        places += [Source("space", building, r, s) for r in range(rows) for s in range(spaces)]
    return tuple(
        Choice(f"again.{i}", Text("hiring {source}", source=source_choice(place).words), None, (), why)
        for i, place in enumerate(places)
    )


def spend_help(g: Troyes, me: Seat, help: Deferred | None) -> None:
    """T-5.21: the cube that helped leaves its card."""
    if help is None:
        return
    card = next(a for a in g.activities if a.shown == help.print.id)
    card.cubes[me.name] -= 1
    if not card.cubes[me.name]:
        del card.cubes[me.name]
    g.tell(HelpUsed(me.name, help.print.name))


def same_space(source: Source, building: str, die: GroupDie) -> bool:
    """Whether a Palace citizen would come back to the very space it leaves."""
    row, space = ROW_OF_FACE[building][die.face - 1], die.face - 1
    return building == "palace" and source[:4] == ("space", "palace", row, space)
