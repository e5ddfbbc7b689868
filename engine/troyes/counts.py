"""Every piece is somewhere, once."""

from __future__ import annotations

from .cards import PERMANENT
from .state import BUILDINGS, CITIZENS, COLOURS, DICE_A_COLOUR, EMPTY, MOST_INFLUENCE, NEUTRALS, Troyes
from .words import GREY


def check(g: Troyes) -> None:
    """Count all pieces; raises `AssertionError` that names what is lost or doubled."""
    _citizens(g)
    _dice(g)
    _activities(g)
    _events(g)
    _characters(g)
    _amounts(g)


def _same(what: str, found: object, wanted: object) -> None:
    if found != wanted:
        raise AssertionError(f"{what}: {found}, not {wanted}")


def on_board(g: Troyes, name: str) -> int:
    """Citizens of an owner in buildings, lying beside them, and on activity cards."""
    standing = sum(g.citizens_in(building, name) for building in BUILDINGS)
    lying = sum(who.count(name) for who in g.lying.values())
    return standing + lying + sum(card.tradesmen.count(name) for card in g.activities)


def _citizens(g: Troyes) -> None:
    """T-1.3."""
    for seat in g.seats:
        _same(f"citizens of {seat.name}", on_board(g, seat.name) + seat.supply + seat.general, CITIZENS)
        if seat.supply < 0 or seat.general < 0:
            raise AssertionError(f"{seat.name} has a supply below zero")
    _same("neutral citizens", on_board(g, GREY) + g.grey_supply, NEUTRALS)
    for card in g.activities:
        tradesmen = [who for who in card.tradesmen if who]
        _same(f"tradesmen on {card.shown}", tradesmen, list(dict.fromkeys(tradesmen)))


def _dice(g: Troyes) -> None:
    """T-1.2."""
    for colour in COLOURS:
        faces = [f for dice in (*(s.dice for s in g.seats), g.grey_dice) for f in dice[colour]]
        if len(faces) > DICE_A_COLOUR or any(not 1 <= f <= 6 for f in faces):
            raise AssertionError(f"{colour} dice: {faces}")
    if len(g.black) > DICE_A_COLOUR:
        raise AssertionError(f"black dice: {g.black}")


def _activities(g: Troyes) -> None:
    """T-1.7."""
    placed = [space.card.under_seal() for space in g.activities if space.card.under_seal()]
    _same("activity cards", sorted(placed + g.unused_activities.under_seal()), sorted(g.cards.activities))
    for space in g.activities:
        if space.shown:
            _same("the card on its space", space.shown, space.card.under_seal())
        if any(n < 1 for n in space.cubes.values()):
            raise AssertionError(f"cubes on {space.shown}: {space.cubes}")


def _events(g: Troyes) -> None:
    """T-1.8."""
    found = [event.id for event in g.events]
    found += [id for seat in g.seats for id in seat.won]
    found += [id for pile in g.piles.values() for id in pile.under_seal()]
    found += g.unused_events.under_seal()
    if PERMANENT not in found:
        found.append(PERMANENT)
    _same("event cards", sorted(found), sorted(g.cards.events))
    for event in g.events:
        if len(event.cubes) > g.cards.events[event.id].banners:
            raise AssertionError(f"cubes on {event.id}: {event.cubes}")


def _characters(g: Troyes) -> None:
    """T-1.9."""
    held = [id for seat in g.seats for id in seat.characters.under_seal()]
    _same("characters", sorted(held + g.unused_characters.under_seal()), sorted(g.cards.characters))


def _amounts(g: Troyes) -> None:
    for seat in g.seats:
        if seat.deniers < 0 or seat.vp.under_seal() < 0 or seat.passing < 0:
            raise AssertionError(f"{seat.name} holds less than nothing")
        if not 0 <= seat.influence <= MOST_INFLUENCE:
            raise AssertionError(f"{seat.name} has {seat.influence} influence")
    for column in range(6):
        stack = [level[column] != EMPTY for level in g.cathedral]
        if stack != sorted(stack, reverse=True):
            raise AssertionError(f"column {column + 1} of the cathedral hangs in the air")
