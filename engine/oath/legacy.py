"""What a chronicle keeps between two games (O-18.8): all that survives a game, and nothing of the game itself."""

from __future__ import annotations

import unicodedata
from collections.abc import Container, Iterator, Sequence
from typing import Any

import msgspec

from ..core.migrations import Lift, lift
from ..core.text import Text
from .printed import (
    COLOURS,
    DENIZENS,
    EDIFICES,
    NAMES,
    OATHS,
    PLACES,
    PURPLE,
    REGIONS,
    RELICS,
    SCEPTER,
    SITES,
    VISIONS,
)

SCHEMA = 1
LIFTS: dict[int, Lift] = {}
"""`LIFTS[n]` makes schema n + 1 out of n."""
NEWEST = (3, 3, 3)
"""The version of the community's save string that we write."""
SUIT_ORDER = "012345"
"""What stands in the string for the order of the suits, which has no meaning any more."""
LAYERS = ((10, 2), (15, 3))
"""O-18.9: denizens and Visions of the world deck's two upper layers."""
AT_A_SITE = 3
"""How many cards and relics a save string can hold at a site; by the printed numbers there are never more."""
WORLD = 54
"""Denizens in the world deck and at sites, as a rule."""
DEAL = 21
"""O-2.15, O-2.16: how many cards six players' setup takes off the world deck."""
ORDINARY_RELICS = tuple(id for id in RELICS if id != SCEPTER)
"""O-1.3: the twenty; the Grand Scepter goes back to the box (O-18.7)."""


class SavedCard(msgspec.Struct, frozen=True):
    """A denizen or an edifice at a site, with the edifice's side (O-1.3)."""

    id: str
    ruined: bool = False


class SavedSite(msgspec.Struct, frozen=True):
    """One slot of the map; without a site it is dealt a facedown one before the next game."""

    site: str = ""
    faceup: bool = False
    cards: tuple[SavedCard, ...] = ()
    relics: tuple[str, ...] = ()
    """Face down, also from those who saved them (O-18.3)."""


class Foreign(msgspec.Struct, frozen=True):
    """What an imported save string said that has no meaning for us; exported unchanged until a game has ended."""

    version: tuple[int, int, int] = NEWEST
    suits: str = SUIT_ORDER
    slots: tuple[str, ...] = ()
    """How the three slots of each site were filled: `c` card, `r` relic, `.` nothing; empty if in the usual way."""
    players: int = 0
    """Bits of the players byte that name no colour; before version 3.3.2 the whole byte."""


class Legacy(msgspec.Struct, frozen=True):
    """A chronicle between two games (O-18.8). It holds secrets: a state keeps it `Sealed`."""

    name: str
    map: tuple[SavedSite, ...] = (SavedSite(),) * len(PLACES)
    """The eight slots in map order (O-1.1)."""
    game: int = 1
    """The number of the game to be played next."""
    oath: str = "supremacy"
    deck: tuple[str, ...] = ()
    """The world deck, top first; empty: to be made anew."""
    dispossessed: tuple[str, ...] = ()
    relics: tuple[str, ...] = ()
    """The relic deck, top first; what is missing is to be shuffled beneath it."""
    citizens: tuple[str, ...] = ()
    """Colours whose boards lie on the Citizen side, in the order of `COLOURS`, as all tuples of colours."""
    winner: str = PURPLE
    """The colour that won last; purple before the first game."""
    winner_name: str = ""
    """Empty if not known."""
    last_players: tuple[str, ...] = ()
    """The colours of the last game; empty if not known."""
    last_citizens: tuple[str, ...] = ()
    """The Citizens at the start of the last game."""
    boards: tuple[tuple[str, str], ...] = ()
    """Who had which colour in the last game; the save string does not keep it."""
    foreign: Foreign = Foreign()

    def __repr__(self) -> str:
        return f"<the chronicle {self.name!r} before its game {self.game}>"

    @property
    def archive(self) -> list[str]:
        """Every denizen and every edifice that is nowhere else, in printed order (O-18.6)."""
        elsewhere = {card.id for site in self.map for card in site.cards}
        elsewhere.update(self.deck, self.dispossessed)
        return [id for id in (*DENIZENS, *EDIFICES) if id not in elsewhere]

    @property
    def unused_sites(self) -> list[str]:
        """The sites that are not on the map, in printed order: the site deck, before it is shuffled."""
        return sites_off(self.map)

    @property
    def lost_relics(self) -> list[str]:
        """The relics that are neither at a site nor in the relic deck, in printed order."""
        there = {relic for site in self.map for relic in site.relics}
        there.update(self.relics)
        return [id for id in ORDINARY_RELICS if id not in there]

    @property
    def lost_visions(self) -> list[str]:
        """The Visions that are not in the world deck, in printed order; they are layered in anew (O-18.9)."""
        return [id for id in VISIONS if id not in self.deck]


def sites_off(map: Sequence[SavedSite]) -> list[str]:
    """The sites that are not on a map, in printed order."""
    used = {site.site for site in map}
    return [id for id in SITES if id not in used]


def dump(legacy: Legacy) -> Any:
    """The legacy as plain data, with its schema."""
    return {**msgspec.to_builtins(legacy), "schema": SCHEMA}


def load(saved: Any) -> Legacy:
    """The legacy from any earlier schema; raises `ValueError` on damaged data."""
    if not isinstance(saved, dict):
        raise ValueError("a saved chronicle of Oath is a table")
    plain = {key: value for key, value in lift(saved, SCHEMA, LIFTS).items() if key != "schema"}
    try:
        return msgspec.convert(plain, Legacy)
    except msgspec.ValidationError as e:
        raise ValueError(f"the saved chronicle of Oath is damaged: {e}") from e


# what cannot be, and what is odd


class Impossible(Exception):
    """No chronicle can be like this. `why` is for a person."""

    def __init__(self, why: Text) -> None:
        super().__init__(why)
        self.why = why


def check(legacy: Legacy) -> list[Text]:
    """What is odd in a chronicle that can be played all the same, and what will be done about it.

    Names nothing that lies face down. Raises `Impossible` for a card that is there twice or that nobody knows.
    """
    why = next(_impossible(legacy), None)
    if why is not None:
        raise Impossible(why)
    return [*_odd_map(legacy), *_odd_world(legacy), *_odd_relics(legacy)]


def is_name(name: str) -> bool:
    """Whether a save string can hold this name: 1 to 255 bytes on one line."""
    control = any(unicodedata.category(mark) in ("Cc", "Cs", "Zl", "Zp") for mark in name)
    return not control and 1 <= len(name.encode()) <= 255


def _impossible(legacy: Legacy) -> Iterator[Text]:
    names = (legacy.name, legacy.winner_name) if legacy.winner_name else (legacy.name,)
    for name in names:
        if not is_name(name):
            yield Text("a name in a chronicle is one line of 1 to 255 letters, “{name}” is not", name=name)
    if not 1 <= legacy.game <= 0xFFFF:
        yield Text("the next game’s number must be from 1 to 65535, not {n}", n=legacy.game)
    if len(legacy.map) != len(PLACES):
        yield Text("a map has eight slots, not {n}", n=len(legacy.map))
    yield from _misplaced(legacy)
    yield from _doubled(legacy)
    for n, site in enumerate(legacy.map):
        if not site.site and (site.cards or site.relics):
            yield Text("there are cards in slot {n} of the map, where no site is", n=n + 1)


def _misplaced(legacy: Legacy) -> Iterator[Text]:
    """Everything that is unknown, or not of the kind that can be where it is."""
    exiles = COLOURS[1:]
    parts: tuple[tuple[Text, tuple[str, ...], Container[str]], ...] = (
        (Text("the map"), tuple(s.site for s in legacy.map if s.site), SITES),
        (
            Text("the cards at sites"),
            tuple(c.id for s in legacy.map for c in s.cards),
            (*DENIZENS, *EDIFICES),
        ),
        (Text("the relics at sites"), tuple(r for s in legacy.map for r in s.relics), ORDINARY_RELICS),
        (Text("the world deck"), legacy.deck, (*DENIZENS, *VISIONS)),
        (Text("the Dispossessed"), legacy.dispossessed, DENIZENS),
        (Text("the relic deck"), legacy.relics, ORDINARY_RELICS),
        (Text("the oaths"), (legacy.oath,), OATHS),
        (Text("the colours of Citizens"), (*legacy.citizens, *legacy.last_citizens), exiles),
        (Text("the colours of players"), (legacy.winner, *legacy.last_players), COLOURS),
    )
    for where, things, known in parts:
        for thing in things:
            if thing not in known:
                yield Text("“{thing}” does not belong to {where}", thing=NAMES.get(thing, thing), where=where)
    for card in (c for s in legacy.map for c in s.cards):
        if card.ruined and card.id not in EDIFICES:
            yield Text("{thing} is no edifice and cannot be in ruins", thing=NAMES.get(card.id, card.id))


def _doubled(legacy: Legacy) -> Iterator[Text]:
    """Whatever is in two places."""
    seen: set[str] = set()
    for thing in _things(legacy):
        if thing in seen:
            yield Text("{thing} is in the chronicle twice", thing=NAMES.get(thing, thing))
        seen.add(thing)


def _things(legacy: Legacy) -> Iterator[str]:
    """All cards, relics and sites, place by place."""
    for site in legacy.map:
        if site.site:
            yield site.site
        yield from (card.id for card in site.cards)
        yield from site.relics
    yield from legacy.deck
    yield from legacy.dispossessed
    yield from legacy.relics


def _odd_map(legacy: Legacy) -> Iterator[Text]:
    """O-18.3: what a map between two games does not look like."""
    missing = sum(not site.site for site in legacy.map)
    if missing:
        yield Text(
            "{n} slot of the map has no site; it will be dealt a random facedown site",
            "{n} slots of the map have no site; they will be dealt random facedown sites",
            n=missing,
        )
    for n, site in enumerate(legacy.map):
        if site.site and not site.faceup and (site.cards or site.relics):
            yield Text("the site in slot {n} of the map has cards; it will be face up", n=n + 1)
        elif site.site and site.faceup:
            yield from _odd_site(site)
    for region in REGIONS:
        if not any(s.faceup for s, where in zip(legacy.map, PLACES, strict=True) if where == region):
            yield Text(
                "no site of the {region} is face up; its top one will be (O-18.3)", region=region.capitalize()
            )


def _odd_site(site: SavedSite) -> Iterator[Text]:
    """What the printed limits of a faceup site and of its cards do not allow; it stays so."""
    name, printed = NAMES[site.site], SITES[site.site]
    salted = any(card.id == "salt_the_earth" for card in site.cards)
    room = 1 if salted else printed.capacity
    if len(site.cards) > room:
        yield Text("{site} has more cards than room for them; they stay (O-1.7)", site=name)
    if sum(card.id in EDIFICES for card in site.cards) > 1:
        yield Text("{site} has more than one edifice; they stay (O-18.3)", site=name)
    for card in site.cards:
        if card.id in DENIZENS and DENIZENS[card.id].restriction == "adviser_only":
            yield Text(
                "{card} is at {site}, but can only be an adviser; it stays", card=NAMES[card.id], site=name
            )
    if len(site.relics) < printed.relics:
        yield Text("{site} has fewer relics than it should; it will get more (O-18.7)", site=name)
    if len(site.relics) > printed.relics:
        yield Text("{site} has more relics than it should; they stay (O-18.7)", site=name)


def _odd_world(legacy: Legacy) -> Iterator[Text]:
    """O-18.4 to O-18.6, O-18.9: what the world deck and the Dispossessed usually add up to."""
    if not legacy.deck:
        yield Text("there is no world deck; it will be made of starter denizens and the Visions (O-3.2)")
    else:
        yield from _odd_deck(legacy)
    usual = 6 * (legacy.game - 1)
    if len(legacy.dispossessed) > usual:
        yield Text(
            "{there} denizens are dispossessed; before game {game} there should be {usual} at most (O-18.5)",
            there=len(legacy.dispossessed),
            game=legacy.game,
            usual=usual,
        )


def _odd_deck(legacy: Legacy) -> Iterator[Text]:
    denizens = sum(card in DENIZENS for card in legacy.deck)
    world = denizens + sum(card.id in DENIZENS for site in legacy.map for card in site.cards)
    if world != WORLD:
        yield Text(
            "{there} denizens are in the world deck and at sites, usually there are {usual}; they stay as they are",
            there=world,
            usual=WORLD,
        )
    if len(legacy.deck) < DEAL:
        yield Text(
            "the world deck has fewer than {n} cards; the deal of six players takes so many (O-2.16)", n=DEAL
        )
    if legacy.lost_visions:
        yield Text(
            "{n} Vision is missing; it will be put into the world deck anew (O-18.9)",
            "{n} Visions are missing; they will be put into the world deck anew (O-18.9)",
            n=len(legacy.lost_visions),
        )
    elif not _layered(legacy.deck):
        yield Text("the Visions lie otherwise in the world deck than usual; it stays as it is (O-18.9)")


def _layered(deck: tuple[str, ...]) -> bool:
    """O-18.9: two Visions in the top 12 cards, three in the next 18; fewer denizens leave shorter layers."""
    for denizens, visions in LAYERS:
        layer, deck = deck[: denizens + visions], deck[denizens + visions :]
        if sum(card in VISIONS for card in layer) != visions:
            return False
    return True


def _odd_relics(legacy: Legacy) -> Iterator[Text]:
    """O-18.7: all twenty are at sites and in the relic deck."""
    if not legacy.relics:
        yield Text("there is no relic deck; the relics that are not at sites will be shuffled to make it")
    elif legacy.lost_relics:
        yield Text(
            "{n} relic is missing; it will be put beneath the relic deck",
            "{n} relics are missing; they will be shuffled and put beneath the relic deck",
            n=len(legacy.lost_relics),
        )
