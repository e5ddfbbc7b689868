"""The vocabulary of scenario files and corrections: every place of a position by its name."""

from __future__ import annotations

from functools import partial

from ..core.ruleset import BadPath, Json, PathInfo
from ..core.spots import BOOLEAN, CARDS, MOST, NUMBER, Spot, Spots, whole
from ..core.text import Text
from . import arranging
from .scoring import score
from .state import BUILDINGS, COLOURS, ROWS, Dice, Seat, Troyes
from .words import GREY

GAME = "Troyes"
WHERE = "seat, grey or empty"
NAMES = "list of names"
DICE = "dice: r5 w2 y3"


def paths(g: Troyes) -> list[PathInfo]:
    """Every path of this position, in an order in which a position can be written again."""
    return _spots(g).infos()


def read(g: Troyes, path: str) -> Json:
    """The value at a path; raises `BadPath`."""
    return _find(g, path).get()


def write(g: Troyes, path: str, value: Json) -> None:
    """Set the value at a path; raises `BadPath`, with nothing changed.

    The first value written into a game that has not been dealt lays out the cards in printed order.
    """
    if g.phase == "deal":
        _find_anywhere(g, path)
        arranging.lay_out(g)
    _must_lie_there(g, path)
    _spots(g).write(path, GAME, value)


def _find_anywhere(g: Troyes, path: str) -> None:
    """A misspelt path shall not deal the cards."""
    if not path.startswith(("activities", "events")):
        _find(g, path)


def _find(g: Troyes, path: str) -> Spot:
    _must_lie_there(g, path)
    return _spots(g).find(path, GAME)


def _must_lie_there(g: Troyes, path: str) -> None:
    """Cards have paths only while they lie on the table."""
    place, *names = " ".join(path.split()).split(".")
    card = names[0] if names else ""
    if place == "activities" and card in g.cards.activities and all(c.shown != card for c in g.activities):
        raise BadPath(Text("{card} is not face up; list it under “activities” first", card=card), [place])
    if place == "events" and card in g.cards.events and all(e.id != card for e in g.events):
        raise BadPath(Text("{event} is not on the table; list it under “events” first", event=card), [place])


def _spots(g: Troyes) -> Spots:
    found = Spots()
    _add_cards(g, found)
    _add_buildings(g, found)
    for seat in g.seats:
        _add_seat(g, seat, found)
    _add_table(g, found)
    return found


def _add_table(g: Troyes, found: Spots) -> None:
    found.add(
        "round", Text("the number of the round"), NUMBER, lambda: g.round, partial(arranging.set_round, g)
    )
    found.add("rounds", Text("how many rounds there are"), NUMBER, lambda: g.rounds)
    found.add(
        "phase",
        Text("the phase"),
        ", ".join(arranging.PHASES),
        lambda: g.phase,
        partial(arranging.set_phase, g),
    )
    found.add(
        "start player",
        Text("the start player"),
        "seat",
        lambda: g.seats[g.start].name,
        partial(arranging.set_start, g),
    )
    found.add("turn", Text("whose turn it is"), "seat", lambda: g.active.name, partial(arranging.set_turn, g))
    found.add(
        "effects done",
        Text("how many events have taken effect this round"),
        NUMBER,
        lambda: g.effect,
        partial(arranging.set_effects, g),
    )
    found.add(
        "black dice taken",
        Text("black dice taken and not rolled yet"),
        NUMBER,
        lambda: g.black_taken,
        partial(arranging.set_taken, g),
    )
    found.add(
        "fought",
        Text("whether the player on turn has met the highest black die"),
        BOOLEAN,
        lambda: g.fought,
        partial(arranging.set_fought, g),
    )
    found.add(
        "black dice",
        Text("the black dice not beaten yet"),
        "dice: k6 k4",
        lambda: " ".join(f"k{face}" for face in g.black),
        partial(arranging.set_black, g),
    )
    found.add(
        "grey.dice",
        Text("the dice of the grey district"),
        DICE,
        lambda: _dice(g.grey_dice),
        partial(arranging.set_dice, g, GREY),
    )
    found.add("grey.supply", Text("neutral citizens in the general supply"), NUMBER, lambda: g.grey_supply)
    for colour in COLOURS:
        found.add(
            f"piles.{colour}",
            Text("the event pile, its top card first"),
            CARDS,
            lambda colour=colour: list(g.piles[colour].under_seal()) if g.piles else [],
            partial(arranging.set_pile, g, colour),
            hidden=True,
        )
    found.add(
        "undealt characters",
        Text("the characters out of the game"),
        CARDS,
        lambda: list(g.unused_characters.under_seal()),
        None,
        hidden=True,
    )


def _add_seat(g: Troyes, seat: Seat, found: Spots) -> None:
    name = seat.name

    def vp(value: Json) -> None:
        points = whole(value)
        seat.vp = seat.vp.changed(lambda _: points)

    found.add(
        f"{name}.deniers",
        Text("money held"),
        NUMBER,
        lambda: seat.deniers,
        partial(arranging.set_number, seat, "deniers", MOST),
    )
    found.add(
        f"{name}.influence",
        Text("influence, 0 to 20"),
        NUMBER,
        lambda: seat.influence,
        partial(arranging.set_number, seat, "influence", 20),
    )
    found.add(f"{name}.vp", Text("victory points gained so far"), NUMBER, seat.vp.under_seal, vp, hidden=True)
    found.add(
        f"{name}.supply",
        Text("citizens in the personal supply; the rest is in the general supply"),
        NUMBER,
        lambda: seat.supply,
        partial(arranging.set_supply, g, seat),
    )
    found.add(f"{name}.general", Text("citizens in the general supply"), NUMBER, lambda: seat.general)
    found.add(
        f"{name}.dice",
        Text("the dice of the district"),
        DICE,
        lambda: _dice(seat.dice),
        partial(arranging.set_dice, g, name),
    )
    found.add(
        f"{name}.passed",
        Text("whether the player has passed"),
        BOOLEAN,
        lambda: seat.passed,
        partial(arranging.set_passed, seat),
    )
    found.add(
        f"{name}.district deniers",
        Text("money lying in the district until the end of the round"),
        NUMBER,
        lambda: seat.passing,
        partial(arranging.set_number, seat, "passing", MOST),
    )
    found.add(
        f"{name}.characters",
        Text("the secret characters"),
        CARDS,
        lambda: list(seat.characters.under_seal()),
        partial(arranging.set_characters, g, seat),
        hidden=True,
    )
    found.add(
        f"{name}.event cards",
        Text("event cards won"),
        CARDS,
        lambda: list(seat.won),
        partial(arranging.set_won, g, seat),
    )
    found.add(
        f"{name}.score",
        Text("the final score, if the game ended now"),
        NUMBER,
        lambda: score(g, seat).total,
        None,
        hidden=True,
    )


def _add_buildings(g: Troyes, found: Spots) -> None:
    for building in BUILDINGS:
        rows, spaces = ROWS[building]
        for row in range(rows):
            for space in range(spaces):
                path = f"{building}.{row + 1}.{space + 1}" if rows > 1 else f"{building}.{space + 1}"
                found.add(
                    path,
                    Text("who stands on this space"),
                    WHERE,
                    lambda b=building, r=row, s=space: g.spaces[b][r][s] or "empty",
                    partial(arranging.set_space, g, building, row, space),
                )
        found.add(
            f"lying.{building}",
            Text("citizens expelled from this building"),
            NAMES,
            lambda b=building: list(g.lying[b]),
            partial(arranging.set_lying, g, building),
        )
    for level in range(3):
        for column in range(6):
            found.add(
                f"cathedral.{level + 1}.{column + 1}",
                Text("whose cube is on this space: level, column"),
                "seat or empty",
                lambda level=level, c=column: g.cathedral[level][c] or "empty",
                partial(arranging.set_vault, g, level, column),
            )


def _add_cards(g: Troyes, found: Spots) -> None:
    found.add(
        "activities",
        Text("activity cards face up"),
        CARDS,
        lambda: [card.shown for card in g.face_up()],
        partial(arranging.set_activities, g),
    )
    for card in g.activities:
        if not card.shown:
            found.add(
                f"face down.{card.colour}.{card.number}",
                Text("the activity card lying face down there"),
                "card",
                lambda card=card: card.card.under_seal(),
                partial(arranging.set_face_down, g, card),
                hidden=True,
            )
            continue
        found.add(
            f"activities.{card.shown}.tradesmen",
            Text("owners of the tradesmen, leftmost first; “empty” for a gap"),
            NAMES,
            lambda card=card: [who or "empty" for who in card.tradesmen],
            partial(arranging.set_tradesmen, g, card),
        )
        for seat in g.seats:
            found.add(
                f"activities.{card.shown}.cubes.{seat.name}",
                Text("deferred cubes"),
                NUMBER,
                lambda card=card, name=seat.name: card.cubes.get(name, 0),
                partial(arranging.set_cubes, card, seat.name),
            )
    found.add(
        "events",
        Text("events on the table, from the left"),
        CARDS,
        lambda: [e.id for e in g.events],
        partial(arranging.set_events, g),
    )
    for event in g.events:
        found.add(
            f"events.{event.id}.banners",
            Text("owners of the cubes, in the order of placing"),
            NAMES,
            lambda event=event: list(event.cubes),
            partial(arranging.set_banners, g, event),
        )


def _dice(dice: Dice) -> str:
    return " ".join(f"{colour[0]}{face}" for colour in COLOURS for face in dice[colour])
