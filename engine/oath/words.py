"""The game's own words: names of cards, places and things, one text for each."""

from __future__ import annotations

from functools import cache

from ..core.text import Text
from .printed import BANNERS, NAMES, PLACES, REGIONS, SUITS
from .state import Oath

SUIT = {
    "discord": Text("Discord"),
    "arcane": Text("Arcane"),
    "order": Text("Order"),
    "hearth": Text("Hearth"),
    "beast": Text("Beast"),
    "nomad": Text("Nomad"),
}
COLOUR = {
    "purple": Text("purple"),
    "red": Text("red"),
    "blue": Text("blue"),
    "yellow": Text("yellow"),
    "white": Text("white"),
    "black": Text("black"),
}
REGION = {
    "cradle": Text("the Cradle"),
    "provinces": Text("the Provinces"),
    "hinterland": Text("the Hinterland"),
}
ORDINAL = (Text("first"), Text("second"), Text("third"))
TITLE = Text("the Oathkeeper title")
assert tuple(SUIT) == SUITS
assert tuple(REGION) == REGIONS


@cache
def thing(id: str) -> Text:
    """The name of a card, site, relic or banner; proper names are not translated."""
    if id in BANNERS:
        return Text("the {banner}", banner=NAMES[id])
    return Text("{name}", name=NAMES[id])


def tokens(favor: int, secrets: int, relics: int = 0) -> tuple[Text, ...]:
    """What lies somewhere, in words; what is not there is not named."""
    found = []
    if favor:
        found.append(Text("{n} favor", n=favor))
    if secrets:
        found.append(Text("{n} secret", "{n} secrets", n=secrets))
    if relics:
        found.append(Text("{n} facedown relic", "{n} facedown relics", n=relics))
    return tuple(found)


def site(g: Oath, n: int) -> Text:
    """A site by its name, a facedown one by its place on the map (O-1.1)."""
    if g.map[n].shown:
        return thing(g.map[n].shown)
    return Text("the {which} site of {region}", which=ORDINAL[_PLACE[n]], region=REGION[g.region(n)])


def short_site(g: Oath, n: int) -> Text:
    """A site as it is written in orders: `Salt Flats`, or `cradle 2` while it is face down."""
    if g.map[n].shown:
        return thing(g.map[n].shown)
    return Text("{region} {n}", region=_WORD[g.region(n)], n=_PLACE[n] + 1)


_PLACE = [PLACES[:n].count(region) for n, region in enumerate(PLACES)]
"""The place of each slot within its region."""
_WORD = {"cradle": Text("cradle"), "provinces": Text("provinces"), "hinterland": Text("hinterland")}


def back(vision: bool) -> Text:
    """What the back of a card shows (O-16.3)."""
    return Text("a Vision") if vision else Text("a denizen")
