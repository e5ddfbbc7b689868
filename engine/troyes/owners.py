"""An owner's own file of card numbers (docs/troyes-cards.md): what is wrong with it, and whether it is in use."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from typing import Any

import msgspec

from ..core.text import Text
from .activities import CLASSES
from .cards import AMOUNTS, HOUSE, PERMANENT, Catalogue, catalogue
from .events import EFFECTS
from .state import COLOURS

ACTIVITY_FIELDS = ("id", "name", "colour", "round", "hire_cost", "divisor", "vp_spots", "like", *AMOUNTS)
EVENT_FIELDS = (
    "id",
    "name",
    "pile",
    "counter_colour",
    "divisor",
    "banners",
    "vp_first",
    "vp_second",
    "second_card",
    "black_dice",
    "effect",
    "amount",
    "row",
    "space",
)
CHARACTER_FIELDS = ("id", "name", "thresholds")
TOP_FIELDS = ("activity", "event", "character", "two_player_neutrals", "event_deck", "card")
LEAST = {"divisor": 1, "banners": 1, "copies": 1, "row": 1, "space": 1, "round": 1}
MOST = {"round": 3, "black_dice": 6, "space": 6, "least_face": 6}
CHOICES = {
    "colour": COLOURS,
    "counter_colour": COLOURS,
    "pile": (*COLOURS, "none"),
    "second_card": ("white", "yellow", "none"),
    "effect": tuple(EFFECTS),
    "like": tuple(CLASSES),
}
LISTS = {"vp_spots": 2, "thresholds": 3}
TEXTS = ("id", "name")


def stored(data: Any) -> str:
    """An owner's data as the game keeps it; empty where there is nothing."""
    return msgspec.json.encode(data, order="deterministic").decode() if data else ""


def edition(data: Any) -> Text | None:
    """The line about the house deck; None once every number is the owner's."""
    made_up = catalogue(stored(data)).house_facts
    if not made_up:
        return None
    if not data:
        return Text(
            "House deck: {n} card facts are made up, as the printed ones are not known to this program.",
            n=made_up,
        )
    return Text("Partly house deck: {n} card facts are still made up.", n=made_up)


def check_data(data: Any) -> list[Text]:
    """What is wrong, each line with its place; empty if the file is right."""
    if not isinstance(data, Mapping):
        return [Text("the file must be a TOML table")]
    wrong = _unknown(Text("the file"), data, TOP_FIELDS)
    wrong += _cards(data, "activity", ACTIVITY_FIELDS)
    wrong += _cards(data, "event", EVENT_FIELDS)
    wrong += _cards(data, "character", CHARACTER_FIELDS)
    wrong += _cards(data, "card", ("kind", *ACTIVITY_FIELDS, *EVENT_FIELDS))
    if data.get("event_deck", "replace") != "replace":
        wrong.append(Text("event_deck: only “replace” may stand here"))
    wrong += _neutrals(data.get("two_player_neutrals"))
    return wrong or _together(data)


def _unknown(where: Text, table: Mapping[str, Any], known: Iterable[str]) -> list[Text]:
    found = []
    for key in table:
        if key not in known:
            near = get_close_matches(key, list(known), n=1)
            if near:
                found.append(
                    Text(
                        "{where}: “{key}” is not known; did you mean “{near}”?",
                        where=where,
                        key=key,
                        near=near[0],
                    )
                )
            else:
                found.append(Text("{where}: “{key}” is not known", where=where, key=key))
    return found


def _cards(data: Mapping[str, Any], kind: str, fields: tuple[str, ...]) -> list[Text]:
    cards = data.get(kind, [])
    if not isinstance(cards, list) or not all(isinstance(card, Mapping) for card in cards):
        return [Text("{kind}: write each card as [[{kind}]]", kind=kind)]
    wrong: list[Text] = []
    seen: list[Any] = []
    for n, card in enumerate(cards, 1):
        where = Text("{kind} {id}", kind=kind, id=str(card.get("id", n)))
        wrong += _unknown(where, card, fields)
        for key, value in card.items():
            why = _bad(key, value) if key in fields else None
            if why is not None:
                wrong.append(Text("{where}: {key}: {why}", where=where, key=key, why=why))
        wrong += _identity(where, kind, card, seen)
    return wrong


def _identity(where: Text, kind: str, card: Mapping[str, Any], seen: list[Any]) -> list[Text]:
    id = card.get("id")
    if id is None:
        return [Text("{where}: the id is missing", where=where)]
    if id in seen:
        return [Text("{where}: this id stands twice in the file", where=where)]
    seen.append(id)
    known = _published(kind) or [str(id)]
    if id not in known:
        near = get_close_matches(str(id), known, n=1)
        return [Text("{where}: there is no such card; known is {near}", where=where, near=near or known)]
    if kind == "card" and card.get("kind") not in ("activity", "event"):
        return [Text("{where}: kind must be “activity” or “event”", where=where)]
    return []


def _published(kind: str) -> list[str]:
    """The ids a file may use; none where it may bring its own."""
    if kind == "activity":
        return list(HOUSE.activities)
    return list(HOUSE.characters) if kind == "character" else []


def _bad(key: str, value: Any) -> Text | None:
    """What is wrong with one value."""
    if key == "kind":
        return None
    if key in TEXTS:
        return None if isinstance(value, str) and value else Text("a text is wanted")
    if key in CHOICES:
        return None if value in CHOICES[key] else Text("one of these is wanted: {those}", those=CHOICES[key])
    if key in LISTS:
        right = isinstance(value, (list, tuple)) and len(value) >= LISTS[key] and all(map(_number, value))
        return None if right else Text("a list of {n} whole numbers is wanted", n=LISTS[key])
    if not _number(value) or value < LEAST.get(key, 0):
        return Text("a whole number from {n} on is wanted", n=LEAST.get(key, 0))
    if value > MOST.get(key, 99):
        return Text("{n} is the most that is possible", n=MOST.get(key, 99))
    return None


def _number(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _neutrals(table: Any) -> list[Text]:
    """T-2.9: six positions."""
    if table is None:
        return []
    rows = {"palace": (1, 6), "bishopric": (3, 2), "city_hall": (2, 3)}
    if not isinstance(table, Mapping) or set(table) != set(rows):
        return [Text("two_player_neutrals: palace, bishopric and city_hall are wanted")]
    places = [(key, *place) for key in rows for place in table[key]]
    right = all(
        len(place) == 3
        and _number(place[1])
        and _number(place[2])
        and 1 <= place[1] <= rows[place[0]][0]
        and 1 <= place[2] <= rows[place[0]][1]
        for place in places
    )
    if not right or len(dict.fromkeys(places)) != 6:
        return [Text("two_player_neutrals: six different places [row, space] are wanted (T-2.9)")]
    return []


def _together(data: Mapping[str, Any]) -> list[Text]:
    """Whether a game can be made of it: every card complete, enough cards in each pile."""
    try:
        made = Catalogue(data)
    except (msgspec.ValidationError, KeyError, TypeError) as e:
        return [Text("a card is not complete: {why}", why=str(e))]
    wrong: list[Text] = []
    dealt = {(a.colour, a.round) for a in made.activities.values() if not a.invented}
    wrong += [
        Text("no activity card is left for {colour} {n}", colour=colour, n=number)
        for colour in COLOURS
        for number in (1, 2, 3)
        if (colour, number) not in dealt
    ]
    red = sum(e.pile == "red" and not e.invented for e in made.events.values())
    if red < 6:
        wrong.append(Text("the red event pile has {n} cards, four players need 6", n=red))
    permanent = [e.id for e in made.events.values() if e.pile == "none" and not e.invented]
    if permanent != [PERMANENT]:
        wrong.append(Text("only {id} may have the pile “none”", id=PERMANENT))
    return wrong
