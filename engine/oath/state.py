"""The position between two steps, as plain data (O-1, O-16)."""

from __future__ import annotations

from typing import Literal, TypeVar

import msgspec

from ..core.facts import Fact
from ..core.sealed import Sealed
from .legacy import Legacy
from .printed import (
    BANNERS,
    EDIFICES,
    MOST_SUPPLY,
    NEXT_REGION,
    PLACES,
    PURPLE,
    REGIONS,
    SITES,
    SUITS,
    EdificeSide,
    SitePrint,
    is_vision,
    suit_of,
)

T = TypeVar("T")
Role = Literal["chancellor", "citizen", "exile"]
BANDITS = "bandits"
"""Who rules a faceup site without warbands (O-13)."""
NOBODY = ""


class Card(msgspec.Struct):
    """A denizen or an edifice at a site, and the tokens on it."""

    id: str
    ruined: bool = False
    favor: int = 0
    secrets: int = 0

    @property
    def suit(self) -> str:
        """Its suit; a ruin has none (O-1.10)."""
        return "" if self.ruined else suit_of(self.id)

    @property
    def empty(self) -> bool:
        """Whether no token lies on it (O-8.2)."""
        return not (self.favor or self.secrets)

    @property
    def edifice(self) -> EdificeSide | None:
        """The side that is up, if it is an edifice."""
        if self.id not in EDIFICES:
            return None
        return EDIFICES[self.id].ruined if self.ruined else EDIFICES[self.id].intact


class Adviser(msgspec.Struct):
    """A card beside a board, face up or face down (O-1.6)."""

    card: Sealed[str]
    vision: bool
    """What its back shows (O-16.3)."""
    shown: str = ""
    """The card's id once it is face up."""
    favor: int = 0
    secrets: int = 0

    @property
    def suit(self) -> str:
        """The suit of a faceup denizen; facedown cards have none (O-19.1)."""
        return suit_of(self.shown) if self.shown else ""

    @property
    def empty(self) -> bool:
        """Whether no token lies on it."""
        return not (self.favor or self.secrets)


class Relic(msgspec.Struct):
    """A faceup relic of a player."""

    id: str
    favor: int = 0
    secrets: int = 0
    caged: dict[str, int] = msgspec.field(default_factory=dict)
    """Warbands on it, by colour (Obsidian Cage)."""

    @property
    def empty(self) -> bool:
        """Whether no token lies on it."""
        return not (self.favor or self.secrets)


class Site(msgspec.Struct):
    """One of the eight slots of the map and what lies there (O-1.7)."""

    site: Sealed[str]
    shown: str = ""
    """The site's id once it is face up."""
    favor: int = 0
    secrets: int = 0
    colour: str = ""
    """Whose warbands stand here; empty where none do."""
    warbands: int = 0
    cards: list[Card] = msgspec.field(default_factory=list)
    relics: list[Sealed[str]] = msgspec.field(default_factory=list)
    """Face down (O-5.5); whoever has peeked owns the seal."""

    @property
    def printed(self) -> SitePrint:
        """What is printed on a faceup site."""
        return SITES[self.shown]

    def leave(self, count: int) -> None:
        """Warbands go; an empty site is nobody's colour."""
        self.warbands -= count
        if not self.warbands:
            self.colour = ""


class Player(msgspec.Struct):
    """One player's side (O-1.6)."""

    name: str
    colour: str
    role: Role
    pawn: int = 0
    """Index of the site where it stands."""
    favor: int = 0
    secrets: int = 0
    """Face up, on the board."""
    spent: int = 0
    """Secrets face down on the board (O-8.2)."""
    warbands: int = 0
    """On the board: purple ones of an Imperial player, else of the own colour."""
    bank: int = 0
    """Unused warbands of the own colour; a Citizen's wait here (O-12.3)."""
    supply: int = MOST_SUPPLY
    advisers: list[Adviser] = msgspec.field(default_factory=list)
    relics: list[Relic] = msgspec.field(default_factory=list)
    vision: str = ""
    """The revealed Vision (O-11.3)."""
    hand: Sealed[tuple[str, ...]] = msgspec.field(default_factory=lambda: Sealed(()))
    """Cards drawn and not yet played, kept or discarded (O-16.2)."""

    @property
    def imperial(self) -> bool:
        """Chancellor or Citizen (O-12.1)."""
        return self.role != "exile"

    @property
    def banner_colour(self) -> str:
        """The colour of the warbands that fight for this player."""
        return PURPLE if self.imperial else self.colour

    def relic(self, id: str) -> Relic | None:
        """A relic that this player holds."""
        return next((r for r in self.relics if r.id == id), None)

    def adviser(self, id: str) -> Adviser | None:
        """A faceup adviser."""
        return next((a for a in self.advisers if a.shown == id), None)


class Banner(msgspec.Struct):
    """People's Favor or Darkest Secret (O-9)."""

    tokens: int = 1
    holder: str = NOBODY
    """Empty: it is in the shared bank."""
    mob: bool = False


class PileCard(msgspec.Struct):
    """A card of a discard pile; its back is public (O-16.3)."""

    card: Sealed[str]
    vision: bool


class World(msgspec.Struct):
    """What a chronicle keeps beside the map: decks and the cards out of play (O-18)."""

    deck: Sealed[list[str]]
    """The world deck, top first."""
    relics: Sealed[list[str]]
    """The relic deck, top first."""
    sites: Sealed[list[str]]
    """Sites that are not on the map."""
    dispossessed: Sealed[list[str]]
    archive: list[str] = msgspec.field(default_factory=list)
    """Denizens and edifices that are nowhere else; public by deduction."""
    looked: list[tuple[str, ...]] = msgspec.field(default_factory=list)
    """Who has looked at the world deck's topmost cards and so knows them, topmost first; that they looked is public."""
    out: list[str] = msgspec.field(default_factory=list)
    """Out of the game until the Chronicle: the Conspiracy once it was played (O-11.4)."""


class Oath(msgspec.Struct):
    """A whole game."""

    players: list[Player]
    """Clockwise from the Chancellor (O-2.5)."""
    oath: str
    map: list[Site]
    world: World
    title: str
    """Who holds the Oathkeeper title."""
    usurper: bool = False
    """Whether it lies on its Usurper side."""
    banks: dict[str, int] = msgspec.field(default_factory=dict)
    shared: int = 0
    """Favor in the shared bank."""
    banners: dict[str, Banner] = msgspec.field(default_factory=lambda: {b: Banner() for b in BANNERS})
    reliquary: list[Sealed[str] | None] = msgspec.field(default_factory=list)
    """In the order brutal, careless, decadent, greedy; None is uncovered (O-12.6)."""
    piles: dict[str, list[PileCard]] = msgspec.field(default_factory=lambda: {r: [] for r in REGIONS})
    """The discard piles, bottom first."""
    prophets: dict[str, str] = msgspec.field(default_factory=dict)
    """Whose warband lies on a revealed Vision, by its colour (False Prophet)."""
    visions_drawn: int = 0
    round: int = 0
    turn: int = 0
    """Index of the player whose turn it is."""
    turns: int = 0
    """How many turns have ended."""
    phase: str = "deal"
    spent: int = 0
    """Supply spent in this turn, of what the player began it with (HR-11)."""
    began_with: int = 0
    """Supply at the start of this turn, and what was gained in it."""
    scepter_taken: bool = False
    """Whether the Scepter was taken in this turn, so that it cannot be used (O-12.2.5)."""
    fought: str = ""
    """`won` or `lost`: the active player's last Campaign in this turn; empty before the first."""
    discarded: list[tuple[int, str]] = msgspec.field(default_factory=list)
    """Site and suit of the cards that the active player discarded in this turn."""
    winner: str = ""
    won_by: str = ""
    """usurper, vision, regime or exhaustion (O-17)."""
    chronicle: str = ""
    game: int = 1
    beginning: Sealed[Legacy | None] = msgspec.field(default_factory=lambda: Sealed(None))
    """What the chronicle brings, until it is laid out."""
    last_citizens: tuple[str, ...] = ()
    """Colours that were Citizens when this game began (O-18.8)."""
    start: str = ""
    """How a new chronicle begins: scripted, open, reset, or reset from all."""
    unwritten: str = "play"
    """Whether cards may come into play whose powers the program does not know: play, or refuse."""
    vowed: str = ""
    """The next game's oath (O-18.1)."""
    joined: tuple[str, ...] = ()
    """Exiles who are Citizens of the winner's new Empire (O-18.2)."""
    ending: Sealed[Legacy | None] = msgspec.field(default_factory=lambda: Sealed(None))
    """What the Chronicle leaves to the next game (O-18.8)."""
    placing: int = 0
    """How many players have placed their pawns (O-2.17)."""
    ruling: int = 0
    journal: list[Fact] = msgspec.field(default_factory=list)

    @property
    def active(self) -> Player:
        """The player whose turn it is."""
        return self.players[self.turn]

    @property
    def chancellor(self) -> Player:
        """There is exactly one."""
        return self.players[0]

    def player(self, name: str) -> Player:
        """The player of this name; raises `KeyError`."""
        for player in self.players:
            if player.name == name:
                return player
        raise KeyError(name)

    def from_(self, first: Player) -> list[Player]:
        """Everybody, clockwise from one player."""
        at = self.players.index(first)
        return self.players[at:] + self.players[:at]

    def region(self, site: int) -> str:
        """The region of a slot (O-1.1)."""
        return PLACES[site]

    def pile_after(self, region: str) -> list[PileCard]:
        """Where cards go that are discarded in a region (O-5.7)."""
        return self.piles[NEXT_REGION[region]]

    def faceup(self) -> list[int]:
        """The slots whose site is face up, in map order."""
        return [n for n, site in enumerate(self.map) if site.shown]

    def tell(self, fact: Fact) -> None:
        """Put something that happened into the journal."""
        self.journal.append(fact)


def take_out(things: list[T], thing: T) -> None:
    """This very thing out of a list; sealed ones must not be compared."""
    for n, one in enumerate(things):
        if one is thing:
            del things[n]
            return
    raise ValueError("it does not lie there")


def pile_card(card: str, *seen_by: str) -> PileCard:
    """A card for a discard pile, with those who know it."""
    return PileCard(Sealed(card, seen_by), is_vision(card))


def full_banks(favor: int) -> dict[str, int]:
    """The six favor banks with so much favor each (O-2.4)."""
    return dict.fromkeys(SUITS, favor)


SCHEMA = 1
