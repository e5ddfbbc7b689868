"""The game's own words: names of dice, places and cards, one text for each."""

from __future__ import annotations

from functools import lru_cache

from ..core.text import Text

GREY = "grey"
"""The owner of neutral citizens, and of the grey district's dice (T-1.10)."""

COLOUR = {"red": Text("red"), "white": Text("white"), "yellow": Text("yellow")}
BUILDING = {
    "palace": Text("the Palace"),
    "bishopric": Text("the Bishopric"),
    "city hall": Text("the City Hall"),
}

NAMES = {
    name.msgid: name
    for name in (
        Text("Artisan"),
        Text("Merchant"),
        Text("Miller"),
        Text("Innkeeper"),
        Text("Blacksmith"),
        Text("Militia"),
        Text("Journeyman"),
        Text("Goldsmith"),
        Text("Sculptor"),
        Text("Tithing"),
        Text("Monk"),
        Text("Priest"),
        Text("Apprenticeship"),
        Text("Templar"),
        Text("Confession"),
        Text("Pilgrimage"),
        Text("Glassmaker"),
        Text("White III house card"),
        Text("Archer"),
        Text("Diplomat"),
        Text("Knight"),
        Text("Hunting"),
        Text("Mercenary"),
        Text("Red II house card"),
        Text("Captain"),
        Text("Red III first house card"),
        Text("Red III second house card"),
        Text("Marauding"),
        Text("War"),
        Text("Border Raid"),
        Text("Robber Band"),
        Text("Siege"),
        Text("Succession Conflict"),
        Text("Civil War"),
        Text("Feud"),
        Text("Invasion"),
        Text("Heresy"),
        Text("Excommunication"),
        Text("Cracked Vault"),
        Text("Doubt"),
        Text("Drought"),
        Text("Unrest"),
        Text("Empty Granaries"),
        Text("Highwaymen"),
        Text("Hugues de Payns"),
        Text("Chrétien de Troyes"),
        Text("Henri I"),
        Text("Thibaut II"),
        Text("Urban IV"),
        Text("The Florentine"),
    )
}
"""Names of the cards we know; a card of an owner's own file may bring another."""


@lru_cache(maxsize=256)
def named(name: str) -> Text:
    """A card's name as a text."""
    return NAMES.get(name) or Text("{name}", name=name)


def deniers(n: int) -> Text:
    """An amount of money."""
    return Text("{n} denier", "{n} deniers", n=n)


def influence(n: int) -> Text:
    """An amount of influence."""
    return Text("{n} influence", n=n)


def points(n: int) -> Text:
    """Victory points."""
    return Text("{n} VP", n=n)


def cubes(n: int) -> Text:
    """A number of cubes."""
    return Text("{n} cube", "{n} cubes", n=n)


@lru_cache(maxsize=64)
def die(colour: str, face: int) -> Text:
    """A die's short name, `y5`."""
    return {
        "red": Text("r{n}", n=face),
        "white": Text("w{n}", n=face),
        "yellow": Text("y{n}", n=face),
        "black": Text("k{n}", n=face),
    }[colour]


@lru_cache(maxsize=64)
def long_die(colour: str, face: int) -> Text:
    """A die's long name, `yellow 5`."""
    return {
        "red": Text("red {n}", n=face),
        "white": Text("white {n}", n=face),
        "yellow": Text("yellow {n}", n=face),
        "black": Text("black {n}", n=face),
    }[colour]


def owner(name: str) -> str | Text:
    """Whose district it is: a player's name, or the grey one."""
    return Text("grey") if name == GREY else name


@lru_cache(maxsize=64)
def space(building: str, row: int, number: int) -> Text:
    """A space of a main building; `row` and `number` count from 0."""
    if building == "palace":
        return Text("palace {space}", space=number + 1)
    if building == "bishopric":
        return Text("bishopric row {row} space {space}", row=row + 1, space=number + 1)
    return Text("city hall row {row} space {space}", row=row + 1, space=number + 1)


@lru_cache(maxsize=64)
def space_short(building: str, row: int, number: int) -> Text:
    """The same in short: `bishopric 1 2`."""
    if building == "palace":
        return Text("palace space {space}", space=number + 1)
    if building == "bishopric":
        return Text("bishopric {row} {space}", row=row + 1, space=number + 1)
    return Text("city hall {row} {space}", row=row + 1, space=number + 1)


@lru_cache(maxsize=32)
def vault(level: int, column: int) -> Text:
    """A space of the cathedral; both count from 0."""
    return Text("level {level} column {column}", level=level + 1, column=column + 1)
