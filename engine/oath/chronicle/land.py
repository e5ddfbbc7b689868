"""The winner's edifice, and the sites that are kept, fall and move (O-18.3)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

import msgspec

from ...core.asks import Menu, choose
from ...core.text import Text
from .. import words
from ..legacy import SavedCard, SavedSite
from ..powers import asked
from ..printed import EDIFICES, PLACES, REGIONS, SLOTS, EdificePrint
from ..queries import KeptSite
from ..ruling import relics_at
from ..state import Card, Oath, Site
from .facts import Built, Fallen, RegionSettled, Repaired, SitesKept
from .vow import kept_by_winner

# building and repairing


async def build(g: Oath) -> None:
    """O-18.3.1: an Imperial winner may build or repair one edifice at a site of the Empire."""
    menu: Menu[partial[None]] = Menu()
    for n in g.faceup():
        if kept_by_winner(g, n):
            _offer(g, n, menu)
    if menu.open():
        menu.add(Text("build nothing"), partial(_leave, g), id="nothing", also=(Text("nothing"),))
        prompt = Text("You may build or repair one edifice at a site that your Empire rules.")
        chosen = await choose(g.winner, "build", menu, prompt, section="O-18.3", personal=True)
        chosen()
    g.phase = "suit"


def _leave(g: Oath) -> None:
    """All stays as it is."""


def _offer(g: Oath, n: int, menu: Menu[partial[None]]) -> None:
    """What may be built at a site, and the ruin there that may be repaired."""
    site = words.site(g, n)
    for card in g.map[n].cards:
        if card.id in EDIFICES:
            if card.ruined:
                sides = EDIFICES[card.id]
                menu.add(
                    Text("repair {ruin} at {site}", ruin=words.thing(f"{card.id}_ruined"), site=site),
                    partial(_repair, g, n, card),
                    id=f"repair.{card.id}",
                    also=(Text("repair {edifice}", edifice=words.thing(sides.id)),),
                )
            continue
        edifice = of_suit(card.suit)
        menu.add(
            Text(
                "build {edifice} in place of {denizen} at {site}",
                edifice=words.thing(edifice.id),
                denizen=words.thing(card.id),
                site=site,
            ),
            partial(_build, g, n, card, edifice),
            id=f"build.{card.id}",
            unless=_against_building(g, n, edifice),
            also=(Text("replace {denizen}", denizen=words.thing(card.id)),),
        )


def of_suit(suit: str) -> EdificePrint:
    """The one edifice of a suit (O-1.3)."""
    return next(e for e in EDIFICES.values() if e.suit == suit)


def _against_building(g: Oath, n: int, edifice: EdificePrint) -> Iterator[tuple[bool, Text]]:
    there = g.map[n]
    yield (
        any(card.id in EDIFICES for card in there.cards),
        Text("{site} has an edifice already, and has room for one only (O-18.3)", site=words.site(g, n)),
    )
    yield (
        edifice.id not in g.world.archive,
        Text("{edifice} is in the world already (O-18.3)", edifice=words.thing(edifice.id)),
    )
    yield (
        not there.printed.capacity,
        Text("{site} has no room of its own for an edifice (HR-28)", site=words.site(g, n)),
    )


def _build(g: Oath, n: int, denizen: Card, edifice: EdificePrint) -> None:
    """The denizen returns to the world deck, not to a discard pile; tokens on it stay for the count."""
    there = g.map[n]
    at = next(k for k, card in enumerate(there.cards) if card is denizen)
    there.cards[at] = Card(edifice.id, favor=denizen.favor, secrets=denizen.secrets)
    g.world.archive.remove(edifice.id)
    g.world.deck = g.world.deck.changed(lambda deck: [*deck, denizen.id])
    g.tell(Built(there.shown, edifice.id, denizen.id))


def _repair(g: Oath, n: int, ruin: Card) -> None:
    ruin.ruined = False
    g.tell(Repaired(g.map[n].shown, f"{ruin.id}_ruined", ruin.id))


# keeping, falling, moving


class Land(msgspec.Struct):
    """The next map as far as it is kept, and what has come off the old one."""

    slots: list[SavedSite]
    """In map order; without a site: to be dealt a facedown one."""
    discarded: list[str]
    """Denizens that go to the discard piles."""
    relics: list[str]
    """Relics that go back into their deck."""


def settle(g: Oath) -> Land:
    """O-18.3.2 to O-18.3.5, without the sites that are dealt into the empty slots."""
    kept = [n for n in g.faceup() if _is_kept(g, n)]
    gone = [n for n in g.faceup() if n not in kept]
    land = Land([], [], [relic for n in gone for relic in relics_at(g, n)])
    land.discarded += [c.id for n in gone for c in g.map[n].cards if c.id not in EDIFICES]
    g.tell(SitesKept(tuple(g.map[n].shown for n in kept), tuple(g.map[n].shown for n in gone)))
    land.slots = moved([(PLACES[n], _after_falling(g, n, land)) for n in kept])
    return land


def _is_kept(g: Oath, n: int) -> bool:
    """O-18.3.2: what the winner rules, what has an intact edifice, and what a card keeps."""
    intact = any(card.id in EDIFICES and not card.ruined for card in g.map[n].cards)
    return asked(g, KeptSite(site=n, kept=kept_by_winner(g, n) or intact)).kept


def _after_falling(g: Oath, n: int, land: Land) -> SavedSite:
    """O-18.3.3: at a site that the winner does not rule an intact edifice falls, and the denizens leave."""
    there = g.map[n]
    cards = [SavedCard(card.id, card.ruined) for card in there.cards]
    falling = [c.id for c in cards if c.id in EDIFICES and not c.ruined]
    if falling and not kept_by_winner(g, n):
        denizens = tuple(c.id for c in cards if c.id not in EDIFICES)
        land.discarded += denizens
        cards = [SavedCard(c.id, True) for c in cards if c.id in EDIFICES]
        for edifice in falling:
            g.tell(Fallen(there.shown, f"{edifice}_ruined", denizens))
    return saved(there, cards)


def saved(there: Site, cards: Sequence[SavedCard]) -> SavedSite:
    """A kept site with what lies there; its relics stay unseen (O-18.3)."""
    return SavedSite(there.shown, True, tuple(cards), tuple(r.under_seal() for r in there.relics))


def moved(kept: Sequence[tuple[str, SavedSite]]) -> list[SavedSite]:
    """O-18.3.5: kept sites pushed towards the Cradle, those with ruins from the bottom of the map upwards."""
    ruined = [site for _, site in kept if any(card.ruined for card in site.cards)]
    whole = [(region, site) for region, site in kept if not any(card.ruined for card in site.cards)]
    rows: dict[str, list[SavedSite]] = {}
    for region in REGIONS:
        own = [site for where, site in whole if where == region]
        further = [site for where, site in whole if REGIONS.index(where) > REGIONS.index(region)]
        rows[region] = [*own, *further][: SLOTS[region]]
        whole = [(where, site) for where, site in whole if site not in rows[region]]
    slots = {region: [*row, *[SavedSite()] * (SLOTS[region] - len(row))] for region, row in rows.items()}
    for region in ("hinterland", "provinces"):
        for n in reversed(range(SLOTS[region])):
            if ruined and not slots[region][n].site:
                slots[region][n] = ruined.pop()
    return [site for region in REGIONS for site in slots[region]]


def tell_map(g: Oath, map: Sequence[SavedSite]) -> None:
    """Where everything lies next, region by region."""
    for region in REGIONS:
        row = [site for site, where in zip(map, PLACES, strict=True) if where == region]
        g.tell(RegionSettled(region, tuple(site.site if site.faceup else "" for site in row)))
