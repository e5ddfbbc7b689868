"""What is printed: the house deck, with the numbers of an owner's own file laid over it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property, lru_cache
from typing import Any

import msgspec

from ..core.data import load
from ..core.text import Text
from . import words

PRINTED = {
    part: load(__package__, f"{part}.toml") for part in ("activities", "events", "characters", "board")
}

AMOUNTS = (
    "pay_deniers",
    "pay_influence",
    "gain_deniers",
    "gain_influence",
    "gain_vp",
    "per_citizen",
    "per_event",
    "add",
    "add_each",
    "becomes",
    "copies",
    "least_face",
)
"""The numbers in the effects of activity cards; each card uses a few of them."""


class Amounts(msgspec.Struct, frozen=True):
    """The numbers in a card's effect."""

    pay_deniers: int = 0
    pay_influence: int = 0
    gain_deniers: int = 0
    gain_influence: int = 0
    gain_vp: int = 0
    per_citizen: int = 0
    per_event: int = 0
    add: int = 0
    add_each: int = 0
    becomes: int = 0
    copies: int = 1
    least_face: int = 1


class ActivityPrint(msgspec.Struct, frozen=True, cache_hash=True):
    """An activity card's print (T-5.13 to T-5.24)."""

    id: str
    name: str
    colour: str
    round: int
    hire_cost: int
    divisor: int
    vp_spots: tuple[int, ...]
    like: str
    """The card whose effect it has; its own id for a published card."""
    amounts: Amounts
    house: tuple[str, ...] = ()
    """The facts that are numbers of the house deck."""
    invented: bool = False
    """A card of a scenario: never dealt."""

    @property
    def words(self) -> Text:
        """Its name."""
        return words.named(self.name)


class EventPrint(msgspec.Struct, frozen=True, cache_hash=True):
    """An event card's print (T-4, T-5.31 to T-5.37)."""

    id: str
    name: str
    pile: str
    counter_colour: str
    divisor: int
    banners: int
    vp_first: int
    vp_second: int
    second_card: str = "none"
    black_dice: int = 0
    effect: str = "none"
    amount: int = 0
    row: int = 1
    space: int = 1
    house: tuple[str, ...] = ()
    invented: bool = False

    @property
    def words(self) -> Text:
        """Its name."""
        return words.named(self.name)


class CharacterPrint(msgspec.Struct, frozen=True):
    """A character's print (T-8.5)."""

    id: str
    name: str
    thresholds: tuple[int, int, int]
    house: tuple[str, ...] = ()

    @property
    def words(self) -> Text:
        """Its name."""
        return words.named(self.name)


PERMANENT = "marauding"
"""The event that is never removed (T-4.7)."""


class Catalogue:
    """All cards of one game, with the numbers in use."""

    def __init__(self, own: Mapping[str, Any]) -> None:
        self.activities = {a.id: a for a in _activities(own)}
        self.events = {e.id: e for e in _events(own)}
        self.characters = {c.id: c for c in _characters(own)}
        neutrals = own.get("two_player_neutrals")
        self.neutrals_are_house = neutrals is None
        self.neutrals = _positions(neutrals or PRINTED["board"]["two_player_neutrals"]["stand_in"])

    @cached_property
    def house_facts(self) -> int:
        """How many of the numbers in use were made up by us."""
        cards: Iterable[Any] = (*self.activities.values(), *self.events.values(), *self.characters.values())
        return sum(len(card.house) for card in cards) + (6 if self.neutrals_are_house else 0)


def _laid_over(printed: Mapping[str, Any], own: Mapping[str, Any]) -> dict[str, Any]:
    """Facts of one card: the owner's before the published before the house's."""
    facts = {**printed.get("stand_in", {}), **printed.get("published", {}), **own}
    house = tuple(key for key in printed.get("stand_in", {}) if key not in own)
    base = {k: v for k, v in printed.items() if k not in ("stand_in", "published")}
    return {**base, **facts, "house": house}


def _cards(part: str, kind: str, own: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The printed cards with an owner's facts, then the owner's further ones, then invented ones."""
    mine = {card["id"]: card for card in own.get(kind, ())}
    printed = PRINTED[part][kind]
    if kind == "event" and own.get("event_deck") == "replace":
        printed = [card for card in printed if card["id"] in mine or card["id"] == PERMANENT]
    known = {card["id"] for card in printed}
    cards = [_laid_over(card, mine.get(card["id"], {})) for card in printed]
    cards += [dict(card) for card in mine.values() if card["id"] not in known]
    for card in own.get("card", ()):
        if card.get("kind") == kind:
            cards.append({**card, "invented": True})
    return cards


def _activities(own: Mapping[str, Any]) -> list[ActivityPrint]:
    found = []
    for card in _cards("activities", "activity", own):
        amounts = Amounts(**{key: card[key] for key in AMOUNTS if key in card})
        facts = {key: value for key, value in card.items() if key not in AMOUNTS and key != "kind"}
        facts.setdefault("like", card["id"])
        found.append(msgspec.convert({**facts, "amounts": amounts}, ActivityPrint))
    return found


def _events(own: Mapping[str, Any]) -> list[EventPrint]:
    return [
        msgspec.convert({k: v for k, v in card.items() if k != "kind"}, EventPrint)
        for card in _cards("events", "event", own)
    ]


def _characters(own: Mapping[str, Any]) -> list[CharacterPrint]:
    return [msgspec.convert(card, CharacterPrint) for card in _cards("characters", "character", own)]


def _positions(neutrals: Mapping[str, Any]) -> tuple[tuple[str, int, int], ...]:
    """T-2.9: building, row, space, counting from 0."""
    return tuple(
        (building, row - 1, space - 1)
        for building, key in (("palace", "palace"), ("bishopric", "bishopric"), ("city hall", "city_hall"))
        for row, space in neutrals[key]
    )


HOUSE = Catalogue({})


@lru_cache(maxsize=64)
def _owners(own_cards: str) -> Catalogue:
    return Catalogue(msgspec.json.decode(own_cards))


def catalogue(own_cards: str) -> Catalogue:
    """The cards of a game that was set up with these numbers of its owner (JSON; empty for none)."""
    return _owners(own_cards) if own_cards else HOUSE
