"""Every piece is somewhere, once (O-22)."""

from __future__ import annotations

from collections.abc import Iterator

from .printed import (
    BANNERS,
    CONSPIRACY,
    DENIZENS,
    EDIFICES,
    FAVOR,
    MOST_SUPPLY,
    PEOPLES_FAVOR,
    PLACES,
    PURPLE,
    RELICS,
    ROUNDS,
    SITES,
    VISIONS,
    WARBANDS,
    is_vision,
)
from .rest import laid
from .state import NOBODY, Oath

ONE_EACH = (*DENIZENS, *EDIFICES, *VISIONS)


def check(g: Oath) -> None:
    """Count all pieces; raises `AssertionError` that names what is lost or doubled."""
    if g.phase == "deal":
        return
    _favor(g)
    _warbands(g)
    _cards(g)
    _sites(g)
    _relics(g)
    _banners(g)
    _title(g)
    _bounds(g)


def _same(what: str, found: object, wanted: object) -> None:
    if found != wanted:
        raise AssertionError(f"{what}: {found}, not {wanted}")


def _favor(g: Oath) -> None:
    """O-15.3: always 36."""
    places = [g.shared, *g.banks.values(), g.banners[PEOPLES_FAVOR].tokens]
    places += [player.favor for player in g.players]
    places += [site.favor for site in g.map]
    places += [thing.favor for _, _, thing in laid(g)]
    if any(n < 0 for n in places):
        raise AssertionError(f"favor below zero: {places}")
    _same("favor", sum(places), FAVOR)


def _warbands(g: Oath) -> None:
    """O-22: 24 purple ones, 14 of each other colour in play."""
    for colour in (PURPLE, *(p.colour for p in g.players if p.colour != PURPLE)):
        owner = next(p for p in g.players if p.colour == colour)
        found = owner.bank
        found += sum(p.warbands for p in g.players if p.banner_colour == colour)
        found += sum(site.warbands for site in g.map if site.colour == colour)
        found += sum(relic.caged.get(colour, 0) for p in g.players for relic in p.relics)
        found += sum(prophet == colour for prophet in g.prophets.values())
        _same(f"warbands of {colour}", found, WARBANDS[colour])
    fighting = [p.banner_colour for p in g.players]
    for n, site in enumerate(g.map):
        if site.warbands and not site.shown:
            raise AssertionError(f"warbands on the facedown site {n}")
        if site.colour and site.colour not in fighting:
            raise AssertionError(f"site {n} has warbands of “{site.colour}”, for whom nobody fights")
        if bool(site.colour) != bool(site.warbands):
            raise AssertionError(f"site {n} has {site.warbands} warbands of “{site.colour}”")


def _found(g: Oath) -> Iterator[str]:
    """Every world card and edifice, wherever it is."""
    for site in g.map:
        yield from (card.id for card in site.cards)
    for player in g.players:
        yield from (a.card.under_seal() for a in player.advisers)
        yield from player.hand.under_seal()
        if player.vision:
            yield player.vision
    for pile in g.piles.values():
        yield from (card.card.under_seal() for card in pile)
    yield from g.world.deck.under_seal()
    yield from g.world.dispossessed.under_seal()
    yield from g.world.archive
    yield from g.world.out


def _cards(g: Oath) -> None:
    """O-22: each card in exactly one place."""
    found = sorted(_found(g))
    if found != sorted(ONE_EACH):
        lost = sorted(set(ONE_EACH) - set(found))
        doubled = sorted({id for id in found if found.count(id) > 1})
        raise AssertionError(f"cards lost: {lost}; doubled: {doubled}")
    if any(out != CONSPIRACY for out in g.world.out):
        raise AssertionError(f"out of the game: {g.world.out}")
    for player in g.players:
        for adviser in player.advisers:
            if adviser.shown:
                _same("a faceup adviser", adviser.shown, adviser.card.under_seal())
            _same("the back of an adviser", adviser.vision, is_vision(adviser.card.under_seal()))
    if len(g.world.looked) > len(g.world.deck.under_seal()):
        raise AssertionError(f"looked at in the world deck: {len(g.world.looked)} cards, which are not there")
    for region, pile in g.piles.items():
        for lying in pile:
            _same(f"a back in the pile of {region}", lying.vision, is_vision(lying.card.under_seal()))


def _sites(g: Oath) -> None:
    """O-22: eight sites on the map, the others in their deck."""
    on_map = [site.site.under_seal() for site in g.map]
    _same("slots", len(on_map), len(PLACES))
    _same("sites", sorted([*on_map, *g.world.sites.under_seal()]), sorted(SITES))
    for site in g.map:
        if site.shown:
            _same("a faceup site", site.shown, site.site.under_seal())


def _relics(g: Oath) -> None:
    """The twenty and the Scepter."""
    found = [r.id for p in g.players for r in p.relics]
    found += [r.under_seal() for site in g.map for r in site.relics]
    found += [r.under_seal() for r in g.reliquary if r is not None]
    found += g.world.relics.under_seal()
    _same("relics", sorted(found), sorted(RELICS))


def _banners(g: Oath) -> None:
    """O-22: with one player or in the shared bank, where the People's Favor is no Mob; at least one token on each."""
    holders = [NOBODY, *(player.name for player in g.players)]
    for banner in BANNERS:
        there = g.banners[banner]
        if there.holder not in holders:
            raise AssertionError(f"{banner} is with {there.holder}, who does not play")
        if there.tokens < 1:
            raise AssertionError(f"{banner} has {there.tokens}")
        if there.mob and (banner != PEOPLES_FAVOR or not there.holder):
            raise AssertionError(f"{banner} lies on its Mob side")


def _title(g: Oath) -> None:
    """O-22: with one player; the Usurper is an Exile; one Chancellor; Visions with Exiles."""
    holder = g.player(g.title)
    if g.usurper and holder.role != "exile":
        raise AssertionError(f"{holder.name}, {holder.role}, is Usurper")
    _same("Chancellors", [p.name for p in g.players if p.role == "chancellor"], [g.players[0].name])
    for player in g.players:
        if player.vision and player.role != "exile":
            raise AssertionError(f"{player.name}, {player.role}, has revealed {player.vision}")


def _bounds(g: Oath) -> None:
    for player in g.players:
        counts = (player.favor, player.secrets, player.spent, player.warbands, player.bank)
        if any(n < 0 for n in counts) or not 0 <= player.supply <= MOST_SUPPLY:
            raise AssertionError(f"{player.name} has {counts} and {player.supply} Supply")
    secrets = [site.secrets for site in g.map] + [thing.secrets for _, _, thing in laid(g)]
    if any(n < 0 for n in secrets):
        raise AssertionError(f"secrets below zero: {secrets}")
    if not 0 <= g.round <= ROUNDS or not 0 <= g.visions_drawn <= len(VISIONS):
        raise AssertionError(f"round {g.round}, {g.visions_drawn} Visions")
