"""The vocabulary of scenario files and corrections: every place of a position by its name."""

from __future__ import annotations

from collections.abc import Callable
from difflib import get_close_matches
from functools import partial
from typing import Any, NamedTuple

from ..core.ruleset import BadPath, Json, PathInfo
from ..core.text import Text
from . import arranging
from .scoring import score
from .state import BUILDINGS, COLOURS, ROWS, Dice, Seat, Troyes
from .words import GREY


class Spot(NamedTuple):
    """One path: how it is read and, where that is allowed, written."""

    info: PathInfo
    get: Callable[[], Json]
    set: Callable[[Json], None] | None = None


WHERE = "seat, grey or empty"
NUMBER = "number"
NAMES = "list of names"
BOOLEAN = "true or false"
CARDS = "list of cards"
DICE = "dice: r5 w2 y3"


def paths(g: Troyes) -> list[PathInfo]:
    """Every path of this position, in an order in which a position can be written again."""
    return [spot.info for spot in _spots(g).values()]


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
    spot = _find(g, path)
    if spot.set is None:
        raise BadPath(Text("“{path}” follows from other paths and cannot be set", path=path))
    spot.set(value)


def _find_anywhere(g: Troyes, path: str) -> None:
    """A misspelt path shall not deal the cards."""
    if not path.startswith(("activities", "events")):
        _find(g, path)


def _find(g: Troyes, path: str) -> Spot:
    spots = _spots(g)
    wanted = " ".join(path.split())
    if wanted in spots:
        return spots[wanted]
    folded = {key.casefold(): key for key in spots}
    if wanted.casefold() in folded:
        return spots[folded[wanted.casefold()]]
    parts = wanted.split(".")
    if parts[0] == "activities" and len(parts) > 1 and parts[1] in g.cards.activities:
        raise BadPath(
            Text("{card} is not face up; list it under “activities” first", card=parts[1]), ["activities"]
        )
    if parts[0] == "events" and len(parts) > 1 and parts[1] in g.cards.events:
        raise BadPath(
            Text("{event} is not on the table; list it under “events” first", event=parts[1]), ["events"]
        )
    near = [folded[n] for n in get_close_matches(wanted.casefold(), folded, n=3, cutoff=0.5)]
    raise BadPath(Text("there is no “{path}” in Troyes", path=path), near)


def _spots(g: Troyes) -> dict[str, Spot]:
    found: dict[str, Spot] = {}

    def add(
        path: str,
        label: Text,
        accepts: str,
        get: Callable[[], Json],
        set: Callable[[Json], None] | None = None,
        hidden: bool = False,
    ) -> None:
        found[path] = Spot(PathInfo(path, label, accepts, hidden, set is not None), get, set)

    _add_cards(g, add)
    _add_buildings(g, add)
    for seat in g.seats:
        _add_seat(g, seat, add)
    _add_table(g, add)
    return found


def _add_table(g: Troyes, add: Any) -> None:
    add("round", Text("the number of the round"), NUMBER, lambda: g.round, partial(arranging.set_round, g))
    add("rounds", Text("how many rounds there are"), NUMBER, lambda: g.rounds)
    add(
        "phase",
        Text("the phase"),
        ", ".join(arranging.PHASES),
        lambda: g.phase,
        partial(arranging.set_phase, g),
    )
    add(
        "start player",
        Text("the start player"),
        "seat",
        lambda: g.seats[g.start].name,
        partial(arranging.set_start, g),
    )
    add("turn", Text("whose turn it is"), "seat", lambda: g.active.name, partial(arranging.set_turn, g))
    add(
        "effects done",
        Text("how many events have taken effect this round"),
        NUMBER,
        lambda: g.effect,
        partial(arranging.set_effects, g),
    )
    add(
        "black dice taken",
        Text("black dice taken and not rolled yet"),
        NUMBER,
        lambda: g.black_taken,
        partial(arranging.set_taken, g),
    )
    add(
        "fought",
        Text("whether the player on turn has met the highest black die"),
        BOOLEAN,
        lambda: g.fought,
        partial(arranging.set_fought, g),
    )
    add(
        "black dice",
        Text("the black dice not beaten yet"),
        "dice: k6 k4",
        lambda: " ".join(f"k{face}" for face in g.black),
        partial(arranging.set_black, g),
    )
    add(
        "grey.dice",
        Text("the dice of the grey district"),
        DICE,
        lambda: _dice(g.grey_dice),
        partial(arranging.set_dice, g, GREY),
    )
    add("grey.supply", Text("neutral citizens in the general supply"), NUMBER, lambda: g.grey_supply)
    for colour in COLOURS:
        add(
            f"piles.{colour}",
            Text("the event pile, its top card first"),
            CARDS,
            lambda colour=colour: list(g.piles[colour].under_seal()) if g.piles else [],
            partial(arranging.set_pile, g, colour),
            True,
        )
    add(
        "undealt characters",
        Text("the characters out of the game"),
        CARDS,
        lambda: list(g.unused_characters.under_seal()),
        None,
        True,
    )


def _add_seat(g: Troyes, seat: Seat, add: Any) -> None:
    name = seat.name

    def vp(value: Json) -> None:
        points = arranging.whole(value)
        seat.vp = seat.vp.changed(lambda _: points)

    add(
        f"{name}.deniers",
        Text("money held"),
        NUMBER,
        lambda: seat.deniers,
        partial(arranging.set_number, seat, "deniers", None),
    )
    add(
        f"{name}.influence",
        Text("influence, 0 to 20"),
        NUMBER,
        lambda: seat.influence,
        partial(arranging.set_number, seat, "influence", 20),
    )
    add(f"{name}.vp", Text("victory points gained so far"), NUMBER, seat.vp.under_seal, vp, True)
    add(
        f"{name}.supply",
        Text("citizens in the personal supply; the rest is in the general supply"),
        NUMBER,
        lambda: seat.supply,
        partial(arranging.set_supply, g, seat),
    )
    add(f"{name}.general", Text("citizens in the general supply"), NUMBER, lambda: seat.general)
    add(
        f"{name}.dice",
        Text("the dice of the district"),
        DICE,
        lambda: _dice(seat.dice),
        partial(arranging.set_dice, g, name),
    )
    add(
        f"{name}.passed",
        Text("whether the player has passed"),
        BOOLEAN,
        lambda: seat.passed,
        partial(arranging.set_passed, seat),
    )
    add(
        f"{name}.district deniers",
        Text("money lying in the district until the end of the round"),
        NUMBER,
        lambda: seat.passing,
        partial(arranging.set_number, seat, "passing", None),
    )
    add(
        f"{name}.characters",
        Text("the secret characters"),
        CARDS,
        lambda: list(seat.characters.under_seal()),
        partial(arranging.set_characters, g, seat),
        True,
    )
    add(
        f"{name}.event cards",
        Text("event cards won"),
        CARDS,
        lambda: list(seat.won),
        partial(arranging.set_won, g, seat),
    )
    add(
        f"{name}.score",
        Text("the final score, if the game ended now"),
        NUMBER,
        lambda: score(g, seat).total,
        None,
        True,
    )


def _add_buildings(g: Troyes, add: Any) -> None:
    for building in BUILDINGS:
        rows, spaces = ROWS[building]
        for row in range(rows):
            for space in range(spaces):
                path = f"{building}.{row + 1}.{space + 1}" if rows > 1 else f"{building}.{space + 1}"
                add(
                    path,
                    Text("who stands on this space"),
                    WHERE,
                    lambda b=building, r=row, s=space: g.spaces[b][r][s] or "empty",
                    partial(arranging.set_space, g, building, row, space),
                )
        add(
            f"lying.{building}",
            Text("citizens expelled from this building"),
            NAMES,
            lambda b=building: list(g.lying[b]),
            partial(arranging.set_lying, g, building),
        )
    for level in range(3):
        for column in range(6):
            add(
                f"cathedral.{level + 1}.{column + 1}",
                Text("whose cube is on this space: level, column"),
                "seat or empty",
                lambda level=level, c=column: g.cathedral[level][c] or "empty",
                partial(arranging.set_vault, g, level, column),
            )


def _add_cards(g: Troyes, add: Any) -> None:
    add(
        "activities",
        Text("activity cards face up"),
        CARDS,
        lambda: [card.shown for card in g.face_up()],
        partial(arranging.set_activities, g),
    )
    for card in g.activities:
        if not card.shown:
            add(
                f"face down.{card.colour}.{card.number}",
                Text("the activity card lying face down there"),
                "card",
                lambda card=card: card.card.under_seal(),
                partial(arranging.set_face_down, g, card),
                True,
            )
            continue
        add(
            f"activities.{card.shown}.tradesmen",
            Text("owners of the tradesmen, leftmost first; “empty” for a gap"),
            NAMES,
            lambda card=card: [who or "empty" for who in card.tradesmen],
            partial(arranging.set_tradesmen, g, card),
        )
        for seat in g.seats:
            add(
                f"activities.{card.shown}.cubes.{seat.name}",
                Text("deferred cubes"),
                NUMBER,
                lambda card=card, name=seat.name: card.cubes.get(name, 0),
                partial(arranging.set_cubes, card, seat.name),
            )
    add(
        "events",
        Text("events on the table, from the left"),
        CARDS,
        lambda: [e.id for e in g.events],
        partial(arranging.set_events, g),
    )
    for event in g.events:
        add(
            f"events.{event.id}.banners",
            Text("owners of the cubes, in the order of placing"),
            NAMES,
            lambda event=event: list(event.cubes),
            partial(arranging.set_banners, g, event),
        )


def _dice(dice: Dice) -> str:
    return " ".join(f"{colour[0]}{face}" for colour in COLOURS for face in dice[colour])
