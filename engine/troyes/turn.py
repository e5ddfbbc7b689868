"""The round (T-3): which piece of play comes next, by the state alone."""

from __future__ import annotations

from ..core.asks import Step, reveal, roll
from . import actions, fights
from .events import next_effect, turn_up
from .facts import (
    ActivitiesTurnedUp,
    Income,
    NoDiceLeft,
    PassingMoney,
    RoundBegan,
    RoundEnded,
    Workforce,
)
from .scoring import score_game
from .setup import deal, place_citizen
from .state import BUILDING_OF, BUILDINGS, COLOURS, Dice, Seat, Troyes, no_dice
from .verbs import lose_points
from .words import GREY

WAGES = {"palace": 2, "bishopric": 1, "city hall": 0}  # T-3.6
INCOME = 10  # T-3.5


def step(g: Troyes) -> Step | None:
    """The next piece of play; None when the game is over."""
    match g.phase:
        case "deal":
            return deal(g)
        case "place":
            return place_citizen(g)
        case "activities":
            return turn_up_activities(g)
        case "income":
            return income(g)
        case "workforce":
            return workforce(g)
        case "events":
            return events(g)
        case "effects":
            return effect(g)
        case "black dice":
            return black_dice(g)
        case "fights":
            return fight_turn(g)
        case "actions":
            return action_turn(g)
        case "end":
            return end_round(g)
        case "scoring":
            return score_game(g)
        case _:
            return None


async def turn_up_activities(g: Troyes) -> None:
    """Phase 0 (T-3.4): in the first three rounds three activity cards are turned up."""
    g.round += 1
    g.turn = g.start
    g.tell(RoundBegan(g.round, g.rounds, g.active.name))
    new = [space for space in g.activities if space.number == g.round and not space.shown]
    for space in new:
        space.shown, space.card = await reveal(
            f"{space.colour} {space.number}", space.card, *(s.name for s in g.seats)
        )
    if new:
        g.tell(ActivitiesTurnedUp(tuple(g.cards.activities[space.shown].name for space in new)))
    g.phase = "income"


async def income(g: Troyes) -> None:
    """Phase 1 (T-3.5 to T-3.8): 10 deniers, then wages; there is no choice."""
    for seat in g.in_order():
        wages = sum(WAGES[building] * g.citizens_in(building, seat.name) for building in BUILDINGS)
        seat.deniers += INCOME
        paid = min(wages, seat.deniers)
        seat.deniers -= paid
        g.tell(Income(seat.name, INCOME, wages, paid, seat.deniers))
        if paid < wages:
            lose_points(seat)  # T-3.7
    g.phase = "workforce"


async def workforce(g: Troyes) -> None:
    """Phase 2 (T-3.9 to T-3.11): a die for each citizen in a main building."""
    for seat in g.in_order():
        seat.dice = await _rolled(g, seat.name)
    g.grey_dice = await _rolled(g, GREY)
    g.phase = "events"


async def _rolled(g: Troyes, owner: str) -> Dice:
    """An owner's dice: red ones first, then white, then yellow."""
    numbers = {colour: g.citizens_in(BUILDING_OF[colour], owner) for colour in COLOURS}
    faces = list(await roll(f"workforce {owner}", sum(numbers.values())))
    dice = {}
    for colour in COLOURS:
        dice[colour] = sorted((faces.pop(0) for _ in range(numbers[colour])), reverse=True)
    told = tuple(("", colour, face) for colour in COLOURS for face in dice[colour])
    if told:
        g.tell(Workforce(owner, told))
    return dice


async def events(g: Troyes) -> None:
    """Phase 3 (T-4.1): new events."""
    await turn_up(g)
    g.effect = 0
    g.phase = "effects"


async def effect(g: Troyes) -> None:
    """T-4.3: all events work, from left to right, one a step."""
    await next_effect(g)
    if g.effect == len(g.events):
        g.phase = "black dice"


async def black_dice(g: Troyes) -> None:
    """T-4.9: the enemies are rolled."""
    await fights.roll_black_dice(g)
    g.turn, g.fought = g.start, False
    g.phase = "fights" if g.black else "actions"


async def fight_turn(g: Troyes) -> None:
    """T-4.10: the player on turn fights; then the next to the left, until no black die is left."""
    if not await fights.fight(g):
        return
    g.turns += 1
    g.turn, g.fought = (g.turn + 1) % len(g.seats), False
    if not g.black:
        g.turn, g.phase = g.start, "actions"


async def action_turn(g: Troyes) -> None:
    """Phase 4 (T-5.1): one action of the player on turn."""
    if not any_dice(g):
        g.tell(NoDiceLeft())
        g.phase = "end"
        return
    if await actions.action(g):
        g.turns += 1
        next_turn(g)


def any_dice(g: Troyes) -> bool:
    """Whether a die is left in any district (T-7.1)."""
    return any(faces for dice in (*(s.dice for s in g.seats), g.grey_dice) for faces in dice.values())


def next_turn(g: Troyes) -> None:
    """T-5.51, T-5.53: on to the next who has not passed; a denier for each who has. T-7.1: or the end."""
    if all(seat.passed for seat in g.seats):
        g.phase = "end"
        return
    if not any_dice(g):
        return
    g.turn = (g.turn + 1) % len(g.seats)
    while g.active.passed:
        g.active.passing += 1
        g.tell(PassingMoney(g.active.name, g.active.passing))
        g.turn = (g.turn + 1) % len(g.seats)


async def end_round(g: Troyes) -> None:
    """Phase 5 (T-7.3, T-7.4), and the end of the game after the last round (T-8.1)."""
    for seat in g.in_order():
        _gather(g, seat)
    g.grey_dice = no_dice()
    if g.round == g.rounds:
        g.phase = "scoring"
        return
    g.start = (g.start + 1) % len(g.seats)
    g.turn = g.start
    g.phase = "activities"


def _gather(g: Troyes, seat: Seat) -> None:
    """T-7.3: the deniers of the district, the lying citizens; unused dice go back."""
    returned = 0
    for building in BUILDINGS:
        lying = g.lying[building]
        returned += lying.count(seat.name)
        g.lying[building] = [who for who in lying if who != seat.name]
    if seat.passing or returned:
        g.tell(RoundEnded(seat.name, seat.passing, returned))
    seat.deniers += seat.passing
    seat.supply += returned
    seat.passing, seat.passed, seat.dice = 0, False, no_dice()
