"""What is printed on Oath's cards and boards (O-1)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

import msgspec

from ..core.data import load

SUITS = ("discord", "arcane", "order", "hearth", "beast", "nomad")
"""O-1.2: in circle order; the six favor banks lie so on the map."""
REGIONS = ("cradle", "provinces", "hinterland")
SLOTS = {"cradle": 2, "provinces": 3, "hinterland": 3}
"""O-1.1."""
PLACES = tuple(region for region in REGIONS for _ in range(SLOTS[region]))
"""The region of each of the eight slots, in map order."""
NEXT_REGION = {"cradle": "provinces", "provinces": "hinterland", "hinterland": "cradle"}
"""O-5.7: where the cards go that are discarded in a region."""
TRAVEL = {
    "cradle": {"cradle": 1, "provinces": 2, "hinterland": 4},
    "provinces": {"cradle": 2, "provinces": 2, "hinterland": 2},
    "hinterland": {"cradle": 4, "provinces": 2, "hinterland": 3},
}
"""O-5.6.1: Supply by region of origin and destination."""
WORLD_DECK_COST = (2, 3, 3, 4, 4, 4)
"""O-5.1: Supply of a Search in the world deck, by Visions drawn so far."""
PURPLE = "purple"
COLOURS = (PURPLE, "red", "blue", "yellow", "white", "black")
WARBANDS = {PURPLE: 24, **dict.fromkeys(COLOURS[1:], 14)}
"""O-1.4."""
FAVOR = 36
MOST_SUPPLY = 7
ROUNDS = 8
ATTACK_FACES = ("hollow", "hollow", "hollow", "sword", "sword", "skull")
"""O-6.5; `skull`: two swords and a skull."""
DEFENSE_FACES = ("blank", "blank", "shield", "shield", "two shields", "times two")
PEOPLES_FAVOR, DARKEST_SECRET = "peoples_favor", "darkest_secret"
BANNERS = (PEOPLES_FAVOR, DARKEST_SECRET)
SCEPTER = "grand_scepter"
CONSPIRACY = "conspiracy"
RELIQUARY = ("brutal", "careless", "decadent", "greedy")
"""O-12.6: the four spaces and what each gives when it is uncovered."""


class Cost(msgspec.Struct, frozen=True):
    """What a power asks: tokens laid on its card, and tokens burned (O-8.2)."""

    favor: int = 0
    secret: int = 0
    burn_favor: int = 0
    burn_secret: int = 0

    @property
    def free(self) -> bool:
        """Whether it asks nothing."""
        return not (self.favor or self.secret or self.burn_favor or self.burn_secret)

    @property
    def lays(self) -> bool:
        """Whether tokens come to lie on the card, so that it must be empty (O-8.2)."""
        return bool(self.favor or self.secret)


class DenizenPrint(msgspec.Struct, frozen=True):
    """A denizen (O-1.3)."""

    id: str
    name: str
    number: int
    suit: str
    kind: str
    effect: str
    starting_deck: bool = False
    restriction: str = "none"
    locked: bool = False
    also_kinds: tuple[str, ...] = ()
    modifies: tuple[str, ...] = ()
    side: str = ""
    cost: Cost = Cost()
    must: bool = False
    rulings: tuple[str, ...] = ()

    @property
    def kinds(self) -> tuple[str, ...]:
        """All kinds of power on it."""
        return (self.kind, *self.also_kinds)


class RecoverCost(msgspec.Struct, frozen=True):
    """What a relic at a site costs (O-5.5.1): `favor_to_bank` (of `suit`), `burn_favor` or `burn_secrets`."""

    kind: str
    amount: int
    suit: str = ""


class Homeland(msgspec.Struct, frozen=True):
    """What a site gives for a card of its suit played there."""

    suit: str
    reward: str
    amount: int = 1


class SitePrint(msgspec.Struct, frozen=True):
    """A site (O-1.7)."""

    id: str
    save_id: int
    name: str
    capacity: int
    kind: str
    power: str
    relics: int = 0
    favor: int = 0
    secrets: int = 0
    recover: RecoverCost | None = None
    timing: str = ""
    mandatory: bool = False
    homeland: Homeland | None = None
    attack_dice: int = 0
    takes: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    note: str = ""
    card_no: int = 0


class RelicPrint(msgspec.Struct, frozen=True):
    """A relic; `defense`: dice when it is a target (O-6.2.1)."""

    id: str
    name: str
    defense: int
    kind: tuple[str, ...]
    power: str
    save_id: int = -1
    side: str = ""
    modifies: tuple[str, ...] = ()
    cost: Cost = Cost()
    mandatory: bool = False
    special: bool = False
    aliases: tuple[str, ...] = ()
    note: str = ""
    card_no: int = 0


class EdificeSide(msgspec.Struct, frozen=True):
    """One side of an edifice."""

    name: str
    kind: str
    power: str
    side: str = ""
    modifies: tuple[str, ...] = ()
    cost: Cost = Cost()
    aliases: tuple[str, ...] = ()
    note: str = ""
    card_no: int = 0


class EdificePrint(msgspec.Struct, frozen=True):
    """An edifice and its ruin (O-1.3); `save_id` is the intact side's, one more the ruin's."""

    id: str
    suit: str
    save_id: int
    intact: EdificeSide
    ruined: EdificeSide


class VisionPrint(msgspec.Struct, frozen=True):
    """A Vision (O-11); the Conspiracy has no goal."""

    id: str
    save_id: int
    name: str
    oath: str = ""
    goal: str = ""
    exhaustion_rank: int = 0
    effect: str = ""
    aliases: tuple[str, ...] = ()


class OathPrint(msgspec.Struct, frozen=True):
    """An oath (O-10)."""

    id: str
    code: int
    name: str
    keeper: str
    successor: str
    vision: str
    setup_gift: str = ""


T = TypeVar("T")


def _all(part: str, row: str, kind: type[T]) -> dict[str, T]:
    """A data file's rows by id."""
    rows: list[Mapping[str, Any]] = load(__package__, f"{part}.toml")[row]
    return {str(r["id"]): msgspec.convert(r, kind) for r in rows}


DENIZENS = _all("denizens", "denizen", DenizenPrint)
SITES = _all("sites", "site", SitePrint)
RELICS = _all("relics", "relic", RelicPrint)
EDIFICES = _all("edifices", "edifice", EdificePrint)
VISIONS = _all("visions", "vision", VisionPrint)
OATHS = _all("oaths", "oath", OathPrint)


def is_vision(card: str) -> bool:
    """Whether a world card is a Vision, which its back shows (O-16.3)."""
    return card in VISIONS


def suit_of(card: str) -> str:
    """The suit of a denizen or an intact edifice; empty for Visions."""
    if card in DENIZENS:
        return DENIZENS[card].suit
    return EDIFICES[card].suit if card in EDIFICES else ""


NAMES = {
    **{id: d.name for id, d in DENIZENS.items()},
    **{id: s.name for id, s in SITES.items()},
    **{id: r.name for id, r in RELICS.items()},
    **{id: e.intact.name for id, e in EDIFICES.items()},
    **{f"{id}_ruined": e.ruined.name for id, e in EDIFICES.items()},
    **{id: v.name for id, v in VISIONS.items()},
    **{id: o.name for id, o in OATHS.items()},
    PEOPLES_FAVOR: "People's Favor",
    DARKEST_SECRET: "Darkest Secret",
}
"""What everything is called, by id; a ruin is another thing than the edifice it was."""
