"""The community's save string: a chronicle between two games as one line of text, read and written exactly.

Numbers are capital hexadecimal digits of fixed width, names stand as they are, nothing separates them. Versions
1.6.0 to 3.3.3 of the program that writes them are read.
"""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from typing import TypeVar

from ..core.text import Text, english
from .legacy import (
    AT_A_SITE,
    NEWEST,
    ORDINARY_RELICS,
    Foreign,
    Impossible,
    Legacy,
    SavedCard,
    SavedSite,
    check,
    is_name,
)
from .printed import COLOURS, DENIZENS, EDIFICES, NAMES, OATHS, PLACES, RELICS, SITES, VISIONS

T = TypeVar("T")

OLDEST = (1, 6, 0)
WITH_RELICS = (3, 1, 0)
"""From here on the relic deck is written."""
WITH_WINNER = (3, 3, 1)
"""From here on the last game's Citizens and winner are written."""
WITH_PLAYERS = (3, 3, 2)
"""From here on the players of the last game are written; the byte was there before, without a meaning."""
NO_NAME = "UNKNOWN"
"""Stands for the name of a winner that nobody knows."""
EMPTY = 0xFF
FACEDOWN = 24
"""Added to a site's number."""
DIGITS = "0123456789ABCDEF"

DENIZEN_NUMBERS = {id: printed.number - 1 for id, printed in DENIZENS.items()}
VISION_NUMBERS = {id: printed.save_id for id, printed in VISIONS.items()}
RELIC_NUMBERS = {id: RELICS[id].save_id for id in ORDINARY_RELICS}
EDIFICE_NUMBERS = {id: printed.save_id for id, printed in EDIFICES.items()}
"""The intact side; the ruin is one more."""
CARD_NUMBERS = {**DENIZEN_NUMBERS, **VISION_NUMBERS, **RELIC_NUMBERS, **EDIFICE_NUMBERS}
SITE_NUMBERS = {id: printed.save_id for id, printed in SITES.items()}
OATH_NUMBERS = {id: printed.code for id, printed in OATHS.items()}
COLOUR_BITS = {"purple": 0x20, "black": 0x10, "yellow": 0x08, "white": 0x04, "blue": 0x02, "red": 0x01}
AUTOMATON = 0x40
"""The bit of an automated Chancellor among the players; it has no meaning for us."""


def _by_number(numbers: Mapping[str, int]) -> dict[int, str]:
    return {number: id for id, number in numbers.items()}


_DENIZENS, _RELICS, _OATHS, _WINNERS = map(
    _by_number, (DENIZEN_NUMBERS, RELIC_NUMBERS, OATH_NUMBERS, COLOUR_BITS)
)
_WORLD = _DENIZENS | _by_number(VISION_NUMBERS)
_SITES = {number: (id, True) for id, number in SITE_NUMBERS.items()}
_SITES |= {number + FACEDOWN: (id, False) for number, (id, _) in _SITES.items()}
_SITES[EMPTY] = ("", False)
"""Sites, and whether they are face up."""
_AT_SITES = {number: (id, False) for id, number in CARD_NUMBERS.items() if id not in VISIONS}
_AT_SITES |= {number + 1: (id, True) for id, number in EDIFICE_NUMBERS.items()}
_NOTHING = {EMPTY: ("", False)}
_AT_SITES |= _NOTHING
"""What may lie in a site's slot, and whether it is a ruin."""

_COPY = Text("Copy the string once more, whole and on one line, from the program that wrote it.")
_VERSION = Text("the version of the program that wrote it")
_GAME = Text("the number of the next game")
_NAME = Text("the name of the chronicle")
_PLAYERS = Text("the players of the last game")
_CITIZENS = Text("the Citizens")
_OATH = Text("the oath")
_SUITS = Text("the order of the suits")
_WORLD_DECK = Text("the world deck")
_DISPOSSESSED = Text("the Dispossessed")
_RELIC_DECK = Text("the relic deck")
_LAST_CITIZENS = Text("the Citizens of the last game")
_WINNER = Text("the colour of the last winner")
_WINNER_NAME = Text("the name of the last winner")


class BadString(Exception):
    """A save string that cannot be read. `why` is for a person, with the remedy; `place` counts from 1."""

    def __init__(self, place: int, fault: Text, remedy: Text = _COPY) -> None:
        self.why = Text(
            "At character {place} of the save string: {fault} {remedy}",
            place=place,
            fault=fault,
            remedy=remedy,
        )
        self.place = place
        super().__init__(english(self.why))


# reading


def read(text: str) -> Legacy:
    """The chronicle in a save string; white space around it does not count. Raises `BadString`.

    What is odd in it without being wrong, `check` tells.
    """
    source = _Source(text)
    version = _version(source)
    game = source.number(4, _GAME, range(1, 0x10000))
    name = source.name(_NAME)
    players = source.number(2, _PLAYERS, range(0x80 if version >= WITH_PLAYERS else 0x100))
    citizens = source.colours(_CITIZENS)
    oath = source.one_of(_OATHS, _OATH)
    suits = source.digits(6, _SUITS)
    sites, slots = _sites(source)
    deck = source.deck(_WORLD_DECK, _WORLD)
    dispossessed = source.deck(_DISPOSSESSED, _DENIZENS)
    relics = source.deck(_RELIC_DECK, _RELICS)[::-1] if version >= WITH_RELICS else ()
    last: tuple[tuple[str, ...], str, str] = ((), COLOURS[0], "")
    if version >= WITH_WINNER:
        last = source.colours(_LAST_CITIZENS), source.one_of(_WINNERS, _WINNER), source.name(_WINNER_NAME)
    source.end()
    known = players & ~AUTOMATON if version >= WITH_PLAYERS else 0
    return Legacy(
        name=name,
        map=sites,
        game=game,
        oath=oath,
        deck=deck,
        dispossessed=dispossessed,
        relics=relics,
        citizens=citizens,
        winner=last[1],
        winner_name="" if last[2] == NO_NAME else last[2],
        last_players=_coloured(known),
        last_citizens=last[0],
        foreign=Foreign(version, suits, slots, players - known),
    )


def _version(source: _Source) -> tuple[int, int, int]:
    place = source.place
    version = (source.number(2, _VERSION), source.number(2, _VERSION), source.number(2, _VERSION))
    if not OLDEST <= version <= NEWEST:
        raise BadString(
            place,
            Text(
                "it says that version {version} wrote it; versions {oldest} to {newest} are understood.",
                version=_dotted(version),
                oldest=_dotted(OLDEST),
                newest=_dotted(NEWEST),
            ),
            Text(
                "Save the chronicle with one of these versions and copy that string, whole and on one line."
            ),
        )
    return version


def _dotted(version: tuple[int, int, int]) -> str:
    return ".".join(map(str, version))


def _sites(source: _Source) -> tuple[tuple[SavedSite, ...], tuple[str, ...]]:
    """The map, and how its slots were filled; the latter empty if all are filled in the usual way."""
    records = [_site(source, n) for n in range(1, len(PLACES) + 1)]
    sites = tuple(site for site, _ in records)
    slots = tuple(filling for _, filling in records)
    return sites, () if slots == tuple(map(_usual, sites)) else slots


def _site(source: _Source, n: int) -> tuple[SavedSite, str]:
    """A site's number, with 24 more if it is face down, and its three slots."""
    place = source.place
    site, faceup = source.one_of(_SITES, Text("site {n} of the map", n=n))
    if site:
        source.once(
            site,
            place,
            Text("If it is there twice as well, write FFFFFFFF here for the site and its three cards."),
        )
    cards, relics, filling = [], [], ""
    for _ in range(AT_A_SITE):
        place = source.place
        id, ruined = source.one_of(_AT_SITES if site else _NOTHING, Text("a card of site {n}", n=n))
        if not id:
            filling += "."
            continue
        source.once(id, place, Text("If it is there twice as well, write FF here."))
        if id in RELIC_NUMBERS:
            relics.append(id)
            filling += "r"
        else:
            cards.append(SavedCard(id, ruined))
            filling += "c"
    return SavedSite(site, faceup, tuple(cards), tuple(relics)), filling


def _usual(site: SavedSite) -> str:
    """Cards from the left, relics from the right."""
    cards, relics = len(site.cards), len(site.relics)
    return "c" * cards + "." * (AT_A_SITE - cards - relics) + "r" * relics


def _coloured(bits: int) -> tuple[str, ...]:
    return tuple(colour for colour in COLOURS if bits & COLOUR_BITS[colour])


class _Source:
    """A string that is read from left to right, and what has been met in it."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = len(text) - len(text.lstrip())
        self.met: dict[str, int] = {}

    @property
    def place(self) -> int:
        """The next character, counted from 1."""
        return self.at + 1

    def digits(self, width: int, what: Text) -> str:
        """The next digits; raises `BadString` where the string ends or something else stands."""
        found = self.text[self.at : self.at + width]
        for n, mark in enumerate(found):
            if mark not in DIGITS:
                raise BadString(
                    self.place + n,
                    Text(
                        "{what} should stand here, in digits 0 to 9 and A to F, not “{mark}”.",
                        what=what,
                        mark=mark if mark.isprintable() else "?",
                    ),
                )
        if len(found) < width:
            self._cut(what)
        self.at += width
        return found

    def _cut(self, what: Text) -> None:
        raise BadString(len(self.text) + 1, Text("it ends, but {what} should stand here.", what=what))

    def number(self, width: int, what: Text, known: Container[int] | None = None) -> int:
        """The next number, which has to be one of the known ones."""
        place, found = self.place, self.digits(width, what)
        number = int(found, 16)
        if known is not None and number not in known:
            raise BadString(
                place,
                Text("{what} should stand here, and {found} is no number for that.", what=what, found=found),
            )
        return number

    def one_of(self, known: Mapping[int, T], what: Text) -> T:
        """What the next number stands for."""
        return known[self.number(2, what, known)]

    def colours(self, what: Text) -> tuple[str, ...]:
        """Citizens, as bits; purple has no Citizen side."""
        return _coloured(self.number(2, what, range(COLOUR_BITS[COLOURS[0]])))

    def name(self, what: Text) -> str:
        """A name with its length, which counts bytes."""
        place, length = self.place, self.number(2, what, range(1, 0x100))
        start, size = self.at, 0
        while size < length:
            if self.at == len(self.text):
                self._cut(what)
            size += len(self.text[self.at].encode(errors="surrogatepass"))
            self.at += 1
        name = self.text[start : self.at]
        if size > length or not is_name(name):
            raise BadString(
                place,
                Text(
                    "{what} should follow, {n} bytes long and on one line; “{found}” is not.",
                    what=what,
                    n=length,
                    found="".join(mark if mark.isprintable() else "?" for mark in name),
                ),
            )
        return name

    def deck(self, what: Text, known: Mapping[int, str]) -> tuple[str, ...]:
        """A number of cards and so many cards, in the order in which they stand."""
        counted = self.place
        count = self.number(2, Text("the number of cards in {deck}", deck=what))
        cards = []
        for n in range(1, count + 1):
            place = self.place
            card = Text("card {n} of {count} in {deck}", n=n, count=count, deck=what)
            cards.append(self.one_of(known, card))
            self.once(
                cards[-1],
                place,
                Text(
                    "If it is there twice as well, take these two digits out, and at character {counted} write {less}"
                    " for {count}.",
                    counted=counted,
                    less=_hex(count - 1),
                    count=_hex(count),
                ),
            )
        return tuple(cards)

    def once(self, id: str, place: int, mend: Text) -> None:
        """Note that a card or site stands here; raises `BadString` if it stood before."""
        if id in self.met:
            raise BadString(
                place,
                Text(
                    "{card} stands here, which there is only once, and stood at character {first} already.",
                    card=NAMES[id],
                    first=self.met[id],
                ),
                Text("{copy} {mend}", copy=_COPY, mend=mend),
            )
        self.met[id] = place

    def end(self) -> None:
        """Raises `BadString` if more follows than white space."""
        more = self.text[self.at :].rstrip()
        if more:
            raise BadString(
                self.place,
                Text(
                    "the string should end here, but {n} more character follows.",
                    "the string should end here, but {n} more characters follow.",
                    n=len(more),
                ),
            )


# writing


def write(legacy: Legacy) -> str:
    """The save string of a chronicle: of an imported one the very string it came in.

    Raises `Impossible` for what no chronicle can be, and for what no string can say.
    """
    check(legacy)
    for n, site in enumerate(legacy.map, 1):
        if len(site.cards) + len(site.relics) > AT_A_SITE:
            raise Impossible(
                Text(
                    "a save string has room for three cards and relics at a site, and in slot {n} of the map are more",
                    n=n,
                )
            )
    version = _writable(legacy)
    parts = [
        *map(_hex, version),
        f"{legacy.game:04X}",
        _named(legacy.name),
        _hex(legacy.foreign.players | _bits(legacy.last_players)),
        _hex(_bits(legacy.citizens)),
        _hex(OATH_NUMBERS[legacy.oath]),
        legacy.foreign.suits,
        *(_record(site, filling) for site, filling in zip(legacy.map, _filling(legacy), strict=True)),
        _counted(legacy.deck),
        _counted(legacy.dispossessed),
    ]
    if version >= WITH_RELICS:
        parts.append(_counted(legacy.relics[::-1]))
    if version >= WITH_WINNER:
        parts += [_hex(_bits(legacy.last_citizens)), _hex(COLOUR_BITS[legacy.winner])]
        parts.append(_named(legacy.winner_name or NO_NAME))
    return "".join(parts)


def _writable(legacy: Legacy) -> tuple[int, int, int]:
    """The version it came in, or ours where that one has no place for something."""
    version = legacy.foreign.version
    too_much = (
        (WITH_RELICS, bool(legacy.relics)),
        (WITH_WINNER, bool(legacy.last_citizens or legacy.winner_name or legacy.winner != COLOURS[0])),
        (WITH_PLAYERS, bool(legacy.last_players)),
    )
    return NEWEST if any(there and version < since for since, there in too_much) else version


def _hex(number: int) -> str:
    return f"{number:02X}"


def _named(name: str) -> str:
    return _hex(len(name.encode())) + name


def _bits(colours: Sequence[str]) -> int:
    return sum(COLOUR_BITS[colour] for colour in colours)


def _counted(cards: Sequence[str]) -> str:
    return _hex(len(cards)) + "".join(_hex(CARD_NUMBERS[card]) for card in cards)


def _filling(legacy: Legacy) -> list[str]:
    """How each site's slots are filled: as they were, as long as that fits."""
    usual = [_usual(site) for site in legacy.map]
    slots = legacy.foreign.slots
    fits = len(slots) == len(usual) and all(sorted(a) == sorted(b) for a, b in zip(slots, usual, strict=True))
    return list(slots) if fits else usual


def _record(site: SavedSite, filling: str) -> str:
    number = SITE_NUMBERS[site.site] + FACEDOWN * (not site.faceup) if site.site else EMPTY
    cards = iter([_hex(CARD_NUMBERS[card.id] + card.ruined) for card in site.cards])
    relics = iter([_hex(CARD_NUMBERS[relic]) for relic in site.relics])
    slots = {"c": cards, "r": relics}
    return _hex(number) + "".join(_hex(EMPTY) if slot == "." else next(slots[slot]) for slot in filling)
