"""Phase 3, second part: the black dice (T-4.9 to T-4.20)."""

from __future__ import annotations

from ..core.asks import Menu, choose, roll
from ..core.slots import Choice, Chosen, Many, One
from ..core.text import Text
from . import words
from .activities import Deferred, activity_of
from .dice import Group, GroupDie, barred_die, die_choice, named_dice
from .event_facts import Beaten, BlackDiceRolled, NotBeaten
from .influence import offer_influence, own_dice
from .influence import possible as influence_possible
from .offer import Deed, deed
from .state import COLOURS, DICE_A_COLOUR, Seat, Troyes
from .verbs import gain, lose_points
from .words import GREY

_HIGHEST_FIRST = Text("the highest black die comes first: {highest} (T-4.10)")
_ONLY_OWN = Text("only dice of your own district fight (T-4.13)")
_NO_CUBES = Text("cubes on activity cards do not help in a fight (T-4.13)")
_TOO_WEAK = Text("{strength} is below {face}; red dice count double (T-4.11)")
_OUT_OF_REACH = Text("your dice reach {strength}, the lowest black die has {face} (T-4.17)")
_MUST_FIGHT = Text("your dice can beat {face}: fighting is compulsory (T-4.17)")


def strength(group: Group) -> int:
    """T-4.11: the total of the dice; red dice count double."""
    return sum(2 * die.face if die.colour == "red" else die.face for die in group)


async def roll_black_dice(g: Troyes) -> None:
    """T-4.9: the start player rolls all collected black dice, six at most (T-4.8)."""
    faces = await roll("black dice", min(g.black_taken, DICE_A_COLOUR))
    g.black_taken = 0
    g.black = sorted(faces, reverse=True)
    if faces:
        g.tell(BlackDiceRolled(g.seats[g.start].name, tuple(g.black)))


async def fight(g: Troyes) -> bool:
    """T-4.10: the player on turn against the highest black die, then freely (T-4.15); True when done."""
    me = g.active
    if g.fought:
        return await _further(g, me)
    dice = tuple(own_dice(me))
    face, reach = g.black[0], strength(dice)
    if not influence_possible(me):
        if reach < face:
            return lose_fight(g, me)
        if _all_are_needed(dice, face):  # T-10.4, D-7: one set of dice alone wins
            return await beat(g, me, face, dice)
    deed = await choose(
        me.name,
        "fight",
        _fight_menu(g, me),
        Text(
            "You must fight the highest black die, {black}. Your dice reach {n}.",
            black=words.die("black", face),
            n=reach,
        ),
        section="T-4.10",
        kind="reaction",
        black=face,
        strength=reach,
    )
    return await deed()


async def _further(g: Troyes, me: Seat) -> bool:
    """T-4.15: more black dice, if any can be beaten at all."""
    reach = strength(tuple(own_dice(me)))
    if not g.black or (reach < g.black[-1] and not influence_possible(me)):
        return True
    deed = await choose(
        me.name,
        "further",
        _further_menu(g, me),
        Text("You may beat further black dice, or be done. Your dice reach {n}.", n=reach),
        section="T-4.15",
        kind="reaction",
        default="done",
        black=g.black[0],
        strength=reach,
    )
    return await deed()


def _all_are_needed(dice: Group, face: int) -> bool:
    return all(strength(dice) - strength((die,)) < face for die in dice)


def _fight_menu(g: Troyes, me: Seat) -> Menu[Deed]:
    menu: Menu[Deed] = Menu()
    reach, face = strength(tuple(own_dice(me))), g.black[0]
    _offer_fight(menu, g, me, highest_only=True)
    menu.command(
        Text("lose"),
        deed(_give_up, g, me),
        id="lose",
        barred=lambda: _MUST_FIGHT.filled(face=words.die("black", face)) if reach >= face else None,
        also=(Text("decline"),),
    )
    offer_influence(menu, g, me)
    return menu


def _further_menu(g: Troyes, me: Seat) -> Menu[Deed]:
    menu: Menu[Deed] = Menu()
    _offer_fight(menu, g, me, highest_only=False)
    menu.command(Text("done"), deed(_done), id="done", also=(Text("no more"),))
    offer_influence(menu, g, me)
    return menu


def _offer_fight(menu: Menu[Deed], g: Troyes, me: Seat, highest_only: bool) -> None:
    reach, lowest = strength(tuple(own_dice(me))), g.black[-1]
    least = g.black[0] if highest_only else lowest

    known: list[list[Choice]] = []

    def barred_ones() -> list[Choice]:
        if not known:
            known.append(_never_in_fights(g, me))
        return known[0]

    def black_dice(chosen: Chosen) -> list[Choice]:
        return [
            _black_choice(face, _why_not(g, face, reach, highest_only)) for face in dict.fromkeys(g.black)
        ]

    def dice(chosen: Chosen) -> list[Choice]:
        return [*(die_choice(die, True) for die in own_dice(me)), *barred_ones()]

    def check(chosen: Chosen, group: Group) -> Text | None:
        total, face = strength(group), chosen["black"]
        return _TOO_WEAK.filled(strength=total, face=words.die("black", face)) if total < face else None

    menu.command(
        Text("fight {black} with {dice}"),
        deed(beat, g, me),
        One("black", Text("black die"), black_dice),
        Many("dice", Text("own dice"), dice, 1, 3 * DICE_A_COLOUR, check),
        id="fight",
        barred=lambda: (
            _OUT_OF_REACH.filled(strength=reach, face=words.die("black", least)) if reach < least else None
        ),
        also=(Text("beat {black} with {dice}"),),
    )


def _why_not(g: Troyes, face: int, reach: int, highest_only: bool) -> Text | None:
    if highest_only and face != g.black[0]:
        return _HIGHEST_FIRST.filled(highest=words.die("black", g.black[0]))
    if reach < face:
        return _TOO_WEAK.filled(strength=reach, face=words.die("black", face))
    return None


def _black_choice(face: int, why: Text | None) -> Choice:
    return Choice(f"k{face}", words.die("black", face), face, (words.long_die("black", face),), why)


def _never_in_fights(g: Troyes, me: Seat) -> list[Choice]:
    """Foreign dice and deferred cubes: only to say why not."""
    found = [
        barred_die(GroupDie(owner, colour, face), False, _ONLY_OWN)
        for owner in (*(s.name for s in g.seats if s is not me), GREY)
        for colour in COLOURS
        for face in dict.fromkeys(g.dice_of(owner)[colour])
    ]
    for card in g.face_up():
        activity = activity_of(g.cards.activities[card.shown])
        if isinstance(activity, Deferred):
            name = activity.print.words
            found.append(
                Choice(f"using.{card.shown}", Text("using {card}", card=name), None, (name,), _NO_CUBES)
            )
    return found


async def beat(g: Troyes, me: Seat, black: int, dice: Group) -> bool:
    """T-4.14: the dice are spent, the black die is gone, 1 influence."""
    for die in dice:
        me.dice[die.colour].remove(die.face)
    g.black.remove(black)
    g.fought = True
    g.tell(Beaten(me.name, black, named_dice(dice, me.name)))
    gain(g, me, influence=1)
    return not g.black


def lose_fight(g: Troyes, me: Seat) -> bool:
    """T-4.17: 2 VP, the black die is discarded, own dice are kept."""
    face = g.black.pop(0)
    g.tell(NotBeaten(me.name, face))
    lose_points(me)
    return True


async def _give_up(g: Troyes, me: Seat) -> bool:
    return lose_fight(g, me)


async def _done() -> bool:
    return True
