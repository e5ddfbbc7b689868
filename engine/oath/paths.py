"""The vocabulary of scenario files and corrections: every place of a position by its name."""

from __future__ import annotations

from functools import partial
from typing import Any

from ..core.ruleset import Json, PathInfo
from ..core.spots import BOOLEAN, CARDS, MOST, NUMBER, Spots, yes_or_no
from ..core.text import Text
from . import arranging, words
from .printed import (
    DARKEST_SECRET,
    DENIZENS,
    EDIFICES,
    NAMES,
    OATHS,
    PEOPLES_FAVOR,
    REGIONS,
    RELIQUARY,
    SLOTS,
    SUITS,
)
from .rest import laid
from .state import Adviser, Card, Oath, Player, Relic

GAME = "Oath"
SEAT = "seat"
NOBODY = "seat, or empty for nobody"
RELICS = "list of relics"
CAGE = "obsidian_cage"
"""The one relic that holds warbands."""


def paths(g: Oath) -> list[PathInfo]:
    """Every path of this position, in an order in which a position can be written again."""
    return _spots(g).infos()


def read(g: Oath, path: str) -> Json:
    """The value at a path; raises `BadPath`."""
    return _spots(g).find(path, GAME).get()


def write(g: Oath, path: str, value: Json) -> None:
    """Set the value at a path; raises `BadPath`, with nothing changed.

    The first value written into a game that has not been dealt lays everything out in printed order.
    """
    if g.phase == "deal":
        _spots(g).setter(path, GAME)  # a misspelt path shall not deal the cards
        arranging.lay_out(g)
    _spots(g).write(path, GAME, value)


def _spots(g: Oath) -> Spots:
    found = Spots()
    _add_map(g, found)
    for player in g.players:
        _add_player(g, player, found)
    _add_tokens(g, found)
    _add_shared(g, found)
    _add_decks(g, found)
    return found


def _add_map(g: Oath, found: Spots) -> None:
    """`hinterland 2.cards`: the slots of the map by region and number."""
    slots = [(region, n) for region in REGIONS for n in range(1, SLOTS[region] + 1)]
    for (region, n), there in zip(slots, g.map, strict=True):
        at = f"{region} {n}"
        found.add(
            f"{at}.site",
            Text("which site lies there"),
            "site",
            lambda there=there: _name(there.site.under_seal()),
            partial(arranging.set_site, g, there),
            hidden=not there.shown,
        )
        found.add(
            f"{at}.faceup",
            Text("whether it is face up; its prompt is not carried out"),
            BOOLEAN,
            lambda there=there: bool(there.shown),
            partial(arranging.set_faceup, g, there),
        )
        found.add(
            f"{at}.cards",
            Text("denizens, edifices and ruins there"),
            CARDS,
            lambda there=there: [
                _name(f"{c.id}{arranging.RUINED}" if c.ruined else c.id) for c in there.cards
            ],
            partial(arranging.set_cards, g, there),
        )
        found.add(
            f"{at}.relics",
            Text("facedown relics there"),
            RELICS,
            lambda there=there: [_name(r.under_seal()) for r in there.relics],
            partial(arranging.set_site_relics, g, there),
            hidden=True,
        )
        found.add(
            f"{at}.ruler",
            Text("whose warbands stand there and how many: “Ana 3”, or “bandits”"),
            "seat and number, or bandits",
            lambda there=there: arranging.garrison(g, there),
            partial(arranging.set_garrison, g, there),
        )
        found.add(
            f"{at}.favor",
            Text("favor on the site itself"),
            NUMBER,
            lambda there=there: there.favor,
            partial(_set_favor, g, there, "favor"),
        )
        found.add(
            f"{at}.secrets",
            Text("secrets on the site itself"),
            NUMBER,
            lambda there=there: there.secrets,
            partial(arranging.set_number, there, "secrets", MOST),
        )


def _set_favor(g: Oath, owner: Any, name: str, value: Json) -> None:
    arranging.set_favor(g, lambda: int(getattr(owner, name)), lambda n: setattr(owner, name, n), value)


def _name(id: str) -> str:
    return NAMES.get(id, "")


def _add_player(g: Oath, player: Player, found: Spots) -> None:
    name = player.name
    found.add(
        f"{name}.role",
        Text("Exile or Citizen; the first seat is the Chancellor"),
        "exile or citizen",
        lambda: player.role,
        partial(arranging.set_role, g, player) if player is not g.chancellor else None,
    )
    found.add(
        f"{name}.at",
        Text("the faceup site where the pawn stands"),
        "site",
        lambda: _name(g.map[player.pawn].shown),
        partial(arranging.set_pawn, g, player),
    )
    found.add(
        f"{name}.supply",
        Text("Supply, 0 to 7"),
        NUMBER,
        lambda: player.supply,
        partial(arranging.set_supply, g, player),
    )
    found.add(
        f"{name}.favor",
        Text("favor on the board"),
        NUMBER,
        lambda: player.favor,
        partial(_set_favor, g, player, "favor"),
    )
    for path, field, label in (
        ("secrets", "secrets", Text("secrets face up on the board")),
        ("facedown secrets", "spent", Text("secrets face down on the board")),
    ):
        found.add(
            f"{name}.{path}",
            label,
            NUMBER,
            lambda field=field: getattr(player, field),
            partial(arranging.set_number, player, field, MOST),
        )
    found.add(
        f"{name}.warbands",
        Text("warbands on the board"),
        NUMBER,
        lambda: player.warbands,
        partial(arranging.set_board_warbands, g, player),
    )
    found.add(f"{name}.bank", Text("warbands in the bank"), NUMBER, lambda: player.bank)
    _add_belongings(g, player, found)


def _add_belongings(g: Oath, player: Player, found: Spots) -> None:
    name = player.name
    found.add(
        f"{name}.advisers",
        Text("advisers; a facedown one with “face down” after its name"),
        CARDS,
        lambda: [_adviser(a) for a in player.advisers],
        partial(arranging.set_advisers, g, player),
        hidden=True,
    )
    found.add(
        f"{name}.relics",
        Text("relics held"),
        RELICS,
        lambda: [_name(r.id) for r in player.relics],
        partial(arranging.set_relics, g, player),
    )
    found.add(
        f"{name}.vision",
        Text("the revealed Vision"),
        "Vision, or empty",
        lambda: _name(player.vision),
        partial(arranging.set_vision, g, player),
    )
    found.add(
        f"{name}.prophet",
        Text("whose warband lies on the revealed Vision"),
        "seat, or empty",
        lambda: arranging.prophet(g, player),
        partial(arranging.set_prophet, g, player),
    )
    found.add(
        f"{name}.hand",
        Text("cards drawn and not yet played"),
        CARDS,
        lambda: [_name(card) for card in player.hand.under_seal()],
        hidden=True,
    )


def _adviser(adviser: Adviser) -> str:
    return _name(adviser.card.under_seal()) + ("" if adviser.shown else arranging.FACE_DOWN)


def _add_tokens(g: Oath, found: Spots) -> None:
    """`Elders.favor`: what lies on cards and relics that are in play face up."""
    for id, _, card in laid(g):
        there = f"{id}{arranging.RUINED}" if isinstance(card, Card) and card.ruined else id
        name = words.thing(there)
        found.add(
            f"{_name(there)}.favor",
            Text("favor lying on {card}", card=name),
            NUMBER,
            lambda card=card: card.favor,
            partial(arranging.set_favor_on, g, card),
        )
        found.add(
            f"{_name(there)}.secrets",
            Text("secrets lying on {card}", card=name),
            NUMBER,
            lambda card=card: card.secrets,
            partial(arranging.set_number, card, "secrets", MOST),
        )
        if isinstance(card, Relic) and id == CAGE:
            found.add(
                f"{_name(there)}.warbands",
                Text("warbands lying on {card}: “Ana 3”", card=name),
                "list of seat and number",
                lambda card=card: arranging.troops(g, card),
                partial(arranging.set_troops, g, card),
            )


def _add_shared(g: Oath, found: Spots) -> None:
    for banner, word in ((PEOPLES_FAVOR, "people's favor"), (DARKEST_SECRET, "darkest secret")):
        there = g.banners[banner]
        found.add(
            f"{word}.holder",
            Text("who holds {banner}", banner=words.thing(banner)),
            NOBODY,
            lambda there=there: there.holder,
            partial(arranging.set_banner_holder, g, banner),
        )
        found.add(
            f"{word}.tokens",
            Text("what lies on {banner}", banner=words.thing(banner)),
            NUMBER,
            lambda there=there: there.tokens,
            partial(arranging.set_banner_tokens, g, banner),
        )
    found.add(
        "people's favor.mob",
        Text("whether the People’s Favor lies on its Mob side"),
        BOOLEAN,
        lambda: g.banners[PEOPLES_FAVOR].mob,
        partial(arranging.set_mob, g),
    )
    for suit in SUITS:
        found.add(
            f"banks.{suit}",
            Text("favor in the {suit} bank", suit=words.SUIT[suit]),
            NUMBER,
            lambda suit=suit: g.banks.get(suit, 0),
            partial(_set_bank, g, suit),
        )
    found.add("shared favor", Text("favor in the shared bank"), NUMBER, lambda: g.shared)
    found.add(
        "oath",
        Text("the oath in force"),
        "oath",
        lambda: _name(g.oath),
        lambda value: setattr(g, "oath", arranging.thing(value, OATHS)),
    )
    found.add("title", Text("who holds the title"), SEAT, lambda: g.title, partial(arranging.set_title, g))
    found.add(
        "usurper",
        Text("whether the title lies on its Usurper side"),
        BOOLEAN,
        lambda: g.usurper,
        partial(arranging.set_usurper, g),
    )
    _add_time(g, found)


def _set_bank(g: Oath, suit: str, value: Json) -> None:
    arranging.set_favor(g, lambda: g.banks[suit], lambda n: g.banks.update({suit: n}), value)


def _add_time(g: Oath, found: Spots) -> None:
    found.add("round", Text("the round, 1 to 8"), NUMBER, lambda: g.round, partial(arranging.set_round, g))
    found.add("turn", Text("whose turn it is"), SEAT, lambda: g.active.name, partial(arranging.set_turn, g))
    _add_ending(g, found)
    found.add(
        "phase",
        Text("the phase; those from “vow” on are the Chronicle’s, once somebody has won"),
        ", ".join((*arranging.PHASES, *arranging.CHRONICLE)),
        lambda: g.phase,
        partial(arranging.set_phase, g),
    )
    found.add(
        "visions drawn",
        Text("Visions drawn from the world deck so far"),
        NUMBER,
        lambda: g.visions_drawn,
        partial(arranging.set_number, g, "visions_drawn", 5),
    )
    found.add(
        "scepter taken",
        Text("whether the Grand Scepter was taken in this turn"),
        BOOLEAN,
        lambda: g.scepter_taken,
        lambda value: setattr(g, "scepter_taken", yes_or_no(value)),
    )


def _add_ending(g: Oath, found: Spots) -> None:
    """How the game was won, and what the Chronicle has settled so far."""
    found.add("winner", Text("who has won"), NOBODY, lambda: g.winner, partial(arranging.set_winner, g))
    found.add(
        "won by",
        Text("in which ways: {those}, or a Vision", those=arranging.WAYS),
        "list of ways",
        lambda: [NAMES.get(way, way) for way in g.won_by.split()],
        partial(arranging.set_won_by, g),
    )
    found.add(
        "vowed",
        Text("the oath of the next game"),
        "oath, or empty",
        lambda: _name(g.vowed),
        lambda value: setattr(g, "vowed", arranging.thing(value, OATHS) if value else ""),
    )
    found.add(
        "joined",
        Text("Exiles who have accepted the winner’s citizenship"),
        "list of seats",
        lambda: list(g.joined),
        partial(arranging.set_joined, g),
    )


def _add_decks(g: Oath, found: Spots) -> None:
    for region in REGIONS:
        found.add(
            f"piles.{region}",
            Text("the discard pile, its top card first"),
            CARDS,
            lambda region=region: [_name(c.card.under_seal()) for c in reversed(g.piles[region])],
            partial(arranging.set_pile, g, region),
            hidden=True,
        )
    for n, space in arranging.spaces(g) or list(enumerate(RELIQUARY)):
        found.add(
            f"reliquary.{space}",
            Text("the relic on this space; empty when it is uncovered"),
            "relic, or empty",
            partial(_on_space, g, n),
            partial(arranging.set_space, g, n),
            hidden=True,
        )
    found.add(
        "relic deck",
        Text("the relic deck, topmost first; what is set lies on top"),
        RELICS,
        lambda: [_name(r) for r in g.world.relics.under_seal()],
        partial(arranging.set_relic_deck, g),
        hidden=True,
    )
    found.add(
        "world deck",
        Text("the world deck, topmost first; what is set lies on top"),
        CARDS,
        lambda: [_name(c) for c in g.world.deck.under_seal()],
        partial(arranging.set_world_deck, g),
        hidden=True,
    )
    _add_what_is_out(g, found)


def _add_what_is_out(g: Oath, found: Spots) -> None:
    """Cards and sites that are in no game until something brings them (O-18.6)."""
    found.add(
        "site deck",
        Text("sites that are not on the map, topmost first; what is set lies on top"),
        "list of sites",
        lambda: [_name(site) for site in g.world.sites.under_seal()],
        partial(arranging.set_site_deck, g),
        hidden=True,
    )
    found.add(
        "dispossessed",
        Text("denizens that have left the world; those of before go to the Archive"),
        CARDS,
        lambda: [_name(card) for card in g.world.dispossessed.under_seal()],
        partial(arranging.set_dispossessed, g),
        hidden=True,
    )
    found.add(
        "archive",
        Text("denizens in the Archive; those of before go to the Dispossessed"),
        CARDS,
        lambda: [_name(card) for card in arranging.in_archive(g, DENIZENS)],
        partial(arranging.set_archive, g),
        hidden=True,
    )
    found.add(
        "edifices",
        Text("edifices in the Archive, which are not built"),
        CARDS,
        lambda: [_name(card) for card in arranging.in_archive(g, EDIFICES)],
    )
    found.add(
        "out of the game",
        Text("the Conspiracy, once it was played"),
        CARDS,
        lambda: [_name(card) for card in g.world.out],
        partial(arranging.set_out, g),
    )


def _on_space(g: Oath, n: int) -> str:
    relic = g.reliquary[n] if n < len(g.reliquary) else None
    return _name(relic.under_seal()) if relic is not None else ""
