"""Where a chronicle begins: the scripted first game, the open one, starting over; and what an import lacks (O-3)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import Any

import msgspec

from ..core.asks import shuffle
from ..core.data import load
from .legacy import AT_A_SITE, LAYERS, ORDINARY_RELICS, Legacy, SavedCard, SavedSite, sites_off
from .printed import DENIZENS, OATHS, PLACES, REGIONS, SITES, SUITS, VISIONS

TOP_SLOTS = tuple(PLACES.index(region) for region in REGIONS)
"""The top slot of each region."""
OF_EACH_SUIT = 9
"""O-3.2, O-3.4: how many denizens of each suit a world begins with."""


class ScriptedSeat(msgspec.Struct, frozen=True):
    """What a player of the scripted first game draws, keeps and where the pawn begins (O-3.2)."""

    color: str
    pawn: str
    drawn: tuple[str, ...]
    adviser_facedown: str


_SCRIPT: dict[str, Any] = load(__package__, "first_game.toml")
SCRIPTED_SEATS = msgspec.convert(_SCRIPT["scripted_seat"], tuple[ScriptedSeat, ...])
"""In turn order, the Chancellor first."""
STARTERS = tuple(id for id, printed in DENIZENS.items() if printed.starting_deck)
"""O-3.2: the 54 denizens of a first game."""


# what is fixed


def first_game(name: str) -> Legacy:
    """O-3.2: the scripted first game, for four; no card of it is left to chance.

    Set up by O-2.13 to O-2.16 it deals itself: the decks lie so that each of `SCRIPTED_SEATS` draws its cards.
    """
    script = _SCRIPT["scripted"]
    first = (script["discard_first"][region] for region in REGIONS)
    dealt = [*first, *chain.from_iterable(seat.drawn for seat in SCRIPTED_SEATS)]
    return Legacy(
        name,
        tuple(_scripted_site(row) for row in _SCRIPT["scripted_site"]),
        oath=_SCRIPT["oath"],
        deck=(*script["world_deck"], *reversed(dealt)),
        relics=(*script["reliquary"], *script["relic_deck"]),
    )


def _scripted_site(row: dict[str, Any]) -> SavedSite:
    cards = tuple(SavedCard(id) for id in row["denizens"])
    return SavedSite(row["site"], row["faceup"], cards, tuple(row["relics"]))


def open_start(name: str) -> Legacy:
    """The first game for any number of players: its three faceup sites; all else is open until `dealt`."""
    slots = [SavedSite()] * len(PLACES)
    for row in _SCRIPT["open"]["faceup"]:
        slot = PLACES.index(row["region"]) + row["slot"] - 1
        slots[slot] = SavedSite(row["site"], True, tuple(SavedCard(id) for id in row["denizens"]))
    return Legacy(name, tuple(slots), oath=_SCRIPT["oath"])


# what is drawn


async def started_over(name: str, known: Sequence[str]) -> Legacy:
    """O-3.4: a new world, nine of the known denizens of each suit, the oath drawn."""
    oath = (await shuffle("oath", list(OATHS)))[0]
    world: list[str] = []
    for suit in SUITS:
        of_suit = [id for id in known if DENIZENS[id].suit == suit]
        world += (await shuffle(f"{suit} denizens", of_suit))[:OF_EACH_SUIT]
    return await _new_world(name, oath, await shuffle("denizens", world))


async def started_over_from_all(name: str, oath: str, known: Sequence[str]) -> Legacy:
    """O-3.4, the second variant: 54 of all known denizens whatever their suit, the oath chosen."""
    drawn = await shuffle("denizens", known)
    return await _new_world(name, oath, drawn[: OF_EACH_SUIT * len(SUITS)])


async def _new_world(name: str, oath: str, world: list[str]) -> Legacy:
    """O-3.4: eight sites, the top one of each region face up with the next denizen that may lie there."""
    sites = await shuffle("sites", list(SITES))
    willing = [id for id in world if DENIZENS[id].restriction != "adviser_only"]
    slots = [SavedSite(site) for site in sites[: len(PLACES)]]
    for slot in TOP_SLOTS:
        site = slots[slot].site
        cards = (SavedCard(willing.pop(0)),) if SITES[site].capacity else ()
        slots[slot] = SavedSite(site, True, cards)
    on_map = [card.id for site in slots for card in site.cards]
    deck = await layered([id for id in world if id not in on_map], list(VISIONS))
    map, relics = filled(slots, await shuffle("relic deck", ORDINARY_RELICS))
    return Legacy(name, tuple(map), oath=oath, deck=tuple(deck), relics=tuple(relics))


async def layered(denizens: Sequence[str], visions: Sequence[str]) -> list[str]:
    """O-18.9: a world deck, top first: 10 denizens and 2 Visions, 15 and the other 3, then the rest."""
    denizens, visions = await shuffle("world deck", denizens), await shuffle("visions", visions)
    deck: list[str] = []
    for n, (some, seen) in enumerate(LAYERS, 1):
        deck += await shuffle(f"layer {n}", [*denizens[:some], *visions[:seen]])
        denizens, visions = denizens[some:], visions[seen:]
    return [*deck, *denizens]


def filled(map: Sequence[SavedSite], deck: Sequence[str]) -> tuple[list[SavedSite], list[str]]:
    """O-18.7: every faceup site filled up to its relics off the top of the deck, and what is left of the deck.

    A site that an import has crowded gets no more than it can be saved with.
    """
    deck, sites = list(deck), []
    for site in map:
        wanted = SITES[site.site].relics - len(site.relics) if site.faceup else 0
        wanted = min(wanted, AT_A_SITE - len(site.cards) - len(site.relics))
        if wanted > 0:
            site = msgspec.structs.replace(site, relics=(*site.relics, *deck[:wanted]))
            deck = deck[wanted:]
        sites.append(site)
    return sites, deck


# what an imported or an open chronicle lacks


async def dealt(legacy: Legacy) -> Legacy:
    """The chronicle with everything that setup takes for granted (O-2.1, O-2.13, O-2.14); the same one, and nothing
    drawn, if nothing is open. Decks that are there keep their order."""
    map = turned(await sited(legacy.map))
    deck = await _world_deck(legacy)
    relics = [*legacy.relics, *await _shuffled("lost relics", legacy.lost_relics)]
    # From beneath, because the top of a chronicled relic deck belongs to the Reliquary (O-18.7).
    map, beneath = filled(map, relics[::-1])
    return msgspec.structs.replace(legacy, map=tuple(map), deck=tuple(deck), relics=tuple(beneath[::-1]))


async def _shuffled(key: str, things: list[str]) -> list[str]:
    """Shuffled if there is anything to shuffle."""
    return await shuffle(key, things) if things else []


async def sited(map: Sequence[SavedSite]) -> list[SavedSite]:
    """O-18.3: random facedown sites in the open slots."""
    if all(site.site for site in map):
        return list(map)
    new = iter(await shuffle("sites", sites_off(map)))
    return [site if site.site else SavedSite(next(new)) for site in map]


def turned(map: Sequence[SavedSite]) -> list[SavedSite]:
    """O-18.3: a site with cards is face up, and so is the top one of a region that has none."""
    up = [site.faceup or bool(site.cards or site.relics) for site in map]
    for region, top in zip(REGIONS, TOP_SLOTS, strict=True):
        if not any(shown for shown, where in zip(up, PLACES, strict=True) if where == region):
            up[top] = True
    return [msgspec.structs.replace(site, faceup=shown) for site, shown in zip(map, up, strict=True)]


async def _world_deck(legacy: Legacy) -> list[str]:
    """O-2.14: the saved deck, with Visions that are missing layered in; without one, that of a first game."""
    if not legacy.deck:
        free = legacy.archive
        return await layered([id for id in STARTERS if id in free], list(VISIONS))
    visions = await _shuffled("lost visions", legacy.lost_visions)
    deck, below = [], list(legacy.deck)
    for n, (denizens, wanted) in enumerate(LAYERS, 1):
        layer = _layer(below, denizens)
        below = below[len(layer) :]
        lacks = max(0, wanted - sum(card in VISIONS for card in layer))
        deck += await _mixed_in(f"lost visions of layer {n}", layer, visions[:lacks])
        visions = visions[lacks:]
    return [*deck, *below]


def _layer(deck: list[str], denizens: int) -> list[str]:
    """The top of the deck down to so many denizens, and the Visions among and directly beneath them."""
    count = 0
    for n, card in enumerate(deck):
        count += card in DENIZENS
        if count > denizens:
            return deck[:n]
    return deck


async def _mixed_in(key: str, cards: list[str], more: list[str]) -> list[str]:
    """Further cards at random places, the others in their order."""
    if not more:
        return cards
    places = (await shuffle(key, range(len(cards) + len(more))))[: len(more)]
    new, old = iter(more), iter(cards)
    return [next(new) if n in places else next(old) for n in range(len(cards) + len(more))]
