"""Spending influence before a fight or an action (T-6)."""

from __future__ import annotations

from ..core.asks import Menu, roll
from ..core.slots import Choice, Chosen, Many, One
from ..core.text import Text
from .dice import Group, GroupDie, add_die, barred_die, die_choice, named_dice
from .facts import CitizenFetched, Rerolled, Turned
from .offer import Deed, deed
from .state import COLOURS, Seat, Troyes

REROLL, FETCH, TURN = 1, 2, 4  # T-6.2 to T-6.4

_REROLL, _REROLL_ALSO = Text("reroll {die}"), (Text("roll {die} again"),)
_FETCH, _FETCH_ALSO = Text("citizen"), (Text("fetch citizen"),)
_TURN, _TURN_ALSO = Text("turn {dice}"), (Text("turn over {dice}"), Text("flip {dice}"))
_OWN_DIE = Text("own die")
_OWN_DICE = Text("1 to 3 own dice")

_NO_DICE = Text("there are no dice in your district (T-6.2)")
_DICE_TO_TURN = Text("there are no dice in your district (T-6.4)")
_TOO_LITTLE = Text("it takes {n} influence, you have {held} (T-6)")
_GENERAL_EMPTY = Text("no citizen of yours is left in the general supply (T-6.3)")
_ONLY_OWN = Text("influence changes only dice of your own district (T-5.11)")


def own_dice(me: Seat) -> list[GroupDie]:
    """The dice of the own district."""
    return [GroupDie(me.name, colour, face) for colour in COLOURS for face in me.dice[colour]]


def offer_influence(menu: Menu[Deed], g: Troyes, me: Seat) -> None:
    """T-6.1: several uses, in any order, each seen before the next is decided (T-6.5)."""

    def lacking(n: int) -> Text | None:
        return _TOO_LITTLE.filled(n=n, held=me.influence) if me.influence < n else None

    known: list[list[Choice]] = []

    def foreign() -> list[Choice]:
        if not known:
            known.append(_foreign(g, me))
        return known[0]

    def each(chosen: Chosen) -> list[Choice]:
        return [*(die_choice(die, True) for die in dict.fromkeys(own_dice(me))), *foreign()]

    def all_own(chosen: Chosen) -> list[Choice]:
        return [*(die_choice(die, True) for die in own_dice(me)), *foreign()]

    has_dice = any(me.dice[colour] for colour in COLOURS)
    menu.command(
        _REROLL,
        deed(reroll, g, me),
        One("die", _OWN_DIE, each),
        id="reroll",
        barred=lambda: lacking(REROLL) or (None if has_dice else _NO_DICE),
        also=_REROLL_ALSO,
    )
    menu.command(
        _FETCH,
        deed(fetch_citizen, g, me),
        id="citizen",
        barred=lambda: lacking(FETCH) or (None if me.general else _GENERAL_EMPTY),
        also=_FETCH_ALSO,
    )
    menu.command(
        _TURN,
        deed(turn_over, g, me),
        Many("dice", _OWN_DICE, all_own, 1, 3),
        id="turn",
        barred=lambda: lacking(TURN) or (None if has_dice else _DICE_TO_TURN),
        also=_TURN_ALSO,
    )


def possible(me: Seat) -> bool:
    """Whether any influence could change anything about the own dice."""
    return me.influence >= REROLL and any(me.dice[colour] for colour in COLOURS)


def _foreign(g: Troyes, me: Seat) -> list[Choice]:
    """Dice of the others: only to say why not."""
    return [
        barred_die(GroupDie(seat.name, colour, face), False, _ONLY_OWN)
        for seat in g.seats
        if seat is not me
        for colour in COLOURS
        for face in dict.fromkeys(seat.dice[colour])
    ]


async def reroll(g: Troyes, me: Seat, die: GroupDie) -> bool:
    """T-6.2: 1 influence, one own die."""
    me.influence -= REROLL
    (face,) = await roll("reroll", 1)
    me.dice[die.colour].remove(die.face)
    add_die(me.dice, die.colour, face)
    g.tell(Rerolled(me.name, die.colour, die.face, face))
    return False


async def fetch_citizen(g: Troyes, me: Seat) -> bool:
    """T-6.3: 2 influence, a citizen from the general to the personal supply."""
    me.influence -= FETCH
    me.general -= 1
    me.supply += 1
    g.tell(CitizenFetched(me.name))
    return False


async def turn_over(g: Troyes, me: Seat, dice: Group) -> bool:
    """T-6.4: 4 influence, up to three own dice to their opposite faces."""
    me.influence -= TURN
    turned = tuple(die._replace(face=7 - die.face) for die in dice)
    for die in dice:
        me.dice[die.colour].remove(die.face)
    for die in turned:
        add_die(me.dice, die.colour, die.face)
    g.tell(Turned(me.name, named_dice(dice, me.name), named_dice(turned, me.name)))
    return False
