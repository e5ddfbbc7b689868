"""Setting up a position by hand: each function checks its value before it changes anything.

Nothing is made and nothing lost: favor comes out of the shared bank and goes back there, warbands out of their
colour's bank, cards from wherever they lay; what makes room goes to the Archive, a relic beneath the relic deck.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from ..core.asks import Reveal, Shuffle
from ..core.ruleset import BadPath, Json
from ..core.sealed import Sealed
from ..core.spots import whole, yes_or_no
from ..core.text import Text
from ..core.words import tokens
from .printed import (
    CONSPIRACY,
    DARKEST_SECRET,
    DENIZENS,
    EDIFICES,
    MOST_SUPPLY,
    NAMES,
    PEOPLES_FAVOR,
    PURPLE,
    RELICS,
    RELIQUARY,
    ROUNDS,
    SITES,
    VISIONS,
    is_vision,
)
from .setup import lay_out as dealing
from .state import BANDITS, Adviser, Card, Oath, PileCard, Player, Relic, Role, Site
from .topdeck import put_on_top, take_out_of_deck
from .verbs import Holding

PHASES = ("wake", "act", "rest")
CHRONICLE = ("vow", "invite", "build", "suit")
"""The phases after the game, in which its winner decides (O-18)."""
WAYS = ("usurper", "regime", "exhaustion")
"""How a game is won but by a Vision (O-17)."""
ROLES: tuple[Role, ...] = ("citizen", "exile")
FACE_DOWN = " face down"
RUINED = "_ruined"


def lay_out(g: Oath) -> None:
    """Every deck in its printed order, nobody holding a card, the first seat in the Act phase of round 1."""
    run = dealing(g)
    value: Any = None
    while True:
        try:
            asked = run.send(value)
        except StopIteration:
            break
        if isinstance(asked, Shuffle):
            value = asked.read(" ".join(map(str, range(asked.n))))
        else:
            assert isinstance(asked, Reveal)
            asked.read(asked.shown)
            value = None
    g.journal.clear()
    deck = g.world.deck.under_seal()
    for player in g.players:
        deck = [*deck, *player.hand.under_seal()]
        player.hand = Sealed(())
        player.pawn = g.faceup()[0]
    g.world.deck = Sealed(deck)
    g.visions_drawn, g.placing = 0, len(g.players)
    g.phase, g.round, g.turn = "act", 1, 0


# values


def one_of(value: Json, those: Sequence[str]) -> str:
    """One of some words; raises `BadPath`."""
    folded = {word.casefold(): word for word in those}
    if not isinstance(value, str) or value.casefold() not in folded:
        raise BadPath(Text("wanted here: {those}", those=tuple(those)), those[:3])
    return folded[value.casefold()]


def thing(value: Json, *kinds: Sequence[str] | Any) -> str:
    """A card, site or relic by its id or its name, of these kinds; raises `BadPath`."""
    if isinstance(value, str):
        said = tokens(value.replace("_", " "))
        for kind in kinds:
            for id in kind:
                if value == id or said in (tokens(NAMES[id]), tokens(id.replace("_", " "))):
                    return str(id)
    raise BadPath(Text("“{value}” is nothing that can be here", value=str(value)))


def things(value: Json, *kinds: Any) -> list[str]:
    """A list of them, each once; raises `BadPath`."""
    if not isinstance(value, list):
        raise BadPath(Text("a list is wanted here"))
    found = [thing(one, *kinds) for one in value]
    if len(found) != len(set(found)):
        raise BadPath(Text("each can be there only once"))
    return found


# amounts


def set_number(owner: Any, name: str, most: int, value: Json) -> None:
    """A plain number."""
    setattr(owner, name, whole(value, most))


def set_favor(
    g: Oath, get: Callable[[], int], put: Callable[[int], None], value: Json, least: int = 0
) -> None:
    """Favor somewhere, out of the shared bank (O-15.3)."""
    wanted = whole(value, get() + g.shared, least)
    g.shared -= wanted - get()
    put(wanted)


def set_board_warbands(g: Oath, player: Player, value: Json) -> None:
    """Warbands on a board, out of the bank of those that fight for the player."""
    bank = g.chancellor if player.imperial else player
    wanted = whole(value, player.warbands + bank.bank)
    bank.bank -= wanted - player.warbands
    player.warbands = wanted


def garrison(g: Oath, site: Site) -> str:
    """Who rules a site, as it is written: `Ana 3`, `bandits`, or nothing where it lies face down."""
    if not site.warbands:
        return BANDITS if site.shown else ""
    return f"{_of_colour(g, site.colour).name} {site.warbands}"


def _of_colour(g: Oath, colour: str) -> Player:
    """In whose bank the warbands of a colour wait."""
    return next(p for p in g.players if p.colour == colour)


def set_garrison(g: Oath, site: Site, value: Json) -> None:
    """`Ana 3` or `bandits`: whose warbands stand there and how many."""
    if value == garrison(g, site):
        return
    if not isinstance(value, str) or not site.shown:
        raise BadPath(Text("“<seat> <number>” or “bandits” is wanted here, at a faceup site"))
    if value.casefold() == BANDITS:
        _clear_garrison(g, site)
        return
    colour, wanted = _troop(g, value, {site.colour: site.warbands})
    _clear_garrison(g, site)
    _of_colour(g, colour).bank -= wanted
    site.colour, site.warbands = colour, wanted


def _troop(g: Oath, value: str, there: Mapping[str, int]) -> tuple[str, int]:
    """`Ana 3` as a colour and a number that its bank has, together with those that are there already."""
    name, _, number = value.rpartition(" ")
    colour = g.player(one_of(name, [p.name for p in g.players])).banner_colour
    most = _of_colour(g, colour).bank + there.get(colour, 0)
    return colour, whole(int(number) if number.isdecimal() else number, most, 1)


def _clear_garrison(g: Oath, site: Site) -> None:
    if site.warbands:
        _of_colour(g, site.colour).bank += site.warbands
    site.colour, site.warbands = "", 0


# what lies on cards


def set_favor_on(g: Oath, card: Holding, value: Json) -> None:
    """Favor on a card in play, out of the shared bank."""
    set_favor(g, lambda: card.favor, lambda n: setattr(card, "favor", n), value)


def troops(g: Oath, relic: Relic) -> list[str]:
    """The warbands on a relic as they are written: `Ana 3`."""
    return [f"{_of_colour(g, colour).name} {n}" for colour, n in sorted(relic.caged.items()) if n]


def set_troops(g: Oath, relic: Relic, value: Json) -> None:
    """The warbands in the Obsidian Cage."""
    if not isinstance(value, list) or not all(isinstance(v, str) for v in value):
        raise BadPath(Text("a list of “<seat> <number>” is wanted here"))
    caged = [_troop(g, one, relic.caged) for one in value]
    if len({colour for colour, _ in caged}) != len(caged):
        raise BadPath(Text("each can be there only once"))
    _empty(g, [relic])
    for colour, n in caged:
        _of_colour(g, colour).bank -= n
    relic.caged = dict(caged)


def _empty(g: Oath, cards: Iterable[Holding]) -> None:
    """What lies on cards goes where it comes from: favor to the shared bank, caged warbands to their own."""
    for card in cards:
        g.shared += card.favor
        card.favor = card.secrets = 0
        if isinstance(card, Relic):
            for colour, n in sorted(card.caged.items()):
                _of_colour(g, colour).bank += n
            card.caged = {}


# players


def set_role(g: Oath, player: Player, value: Json) -> None:
    """Exile or Citizen; the warbands are exchanged for those of the new side, on the map a new Citizen's alone
    (O-12.2.3, O-12.4)."""
    role = one_of(value, ROLES)
    if player.colour == PURPLE:
        raise BadPath(Text("the first seat is the Chancellor and stays it"))
    old = g.chancellor if player.imperial else player
    new = g.chancellor if role == "citizen" else player
    garrisons = [site for site in g.map if site.colour == player.colour and role == "citizen"]
    exchanged = player.warbands + sum(site.warbands for site in garrisons)
    if old is not new and new.bank < exchanged:
        raise BadPath(Text("there are not enough warbands to exchange theirs"))
    old.bank += exchanged
    new.bank -= exchanged
    for site in garrisons:
        site.colour = PURPLE
    player.role = "citizen" if role == "citizen" else "exile"
    if player.imperial:
        _put_vision(g, player, "")
        g.usurper = g.usurper and g.title != player.name


def set_pawn(g: Oath, player: Player, value: Json) -> None:
    """The pawn at a faceup site."""
    site = thing(value, [g.map[n].shown for n in g.faceup()])
    player.pawn = next(n for n in g.faceup() if g.map[n].shown == site)


def set_vision(g: Oath, player: Player, value: Json) -> None:
    """The revealed Vision of an Exile; an empty text for none."""
    vision = thing(value, [v.id for v in VISIONS.values() if v.goal]) if value else ""
    if vision and player.role != "exile":
        raise BadPath(Text("only an Exile may reveal a Vision (O-5.2.3)"))
    _put_vision(g, player, vision)


def prophet(g: Oath, player: Player) -> str:
    """The name of whoever has a warband on a player's revealed Vision."""
    colour = g.prophets.get(player.vision, "")
    return _of_colour(g, colour).name if colour else ""


def set_prophet(g: Oath, player: Player, value: Json) -> None:
    """Whose warband lies on the revealed Vision (False Prophet); an empty text for nobody's."""
    name = one_of(value, ["", *(p.name for p in g.players if p.colour != PURPLE)])
    if name and not player.vision:
        raise BadPath(Text("no Vision is revealed there"))
    if name and not g.player(name).bank and prophet(g, player) != name:
        raise BadPath(Text("no warband is left in that bank"))
    _free_prophet(g, player.vision)
    if name:
        g.player(name).bank -= 1
        g.prophets[player.vision] = g.player(name).colour


def _free_prophet(g: Oath, vision: str) -> None:
    """The warband on a Vision goes back to its bank."""
    colour = g.prophets.pop(vision, "")
    if colour:
        _of_colour(g, colour).bank += 1


def _put_vision(g: Oath, player: Player, vision: str) -> None:
    _free_prophet(g, player.vision)
    _put_away(g, [player.vision] if player.vision else [])
    player.vision = ""
    if vision:
        take_up(g, [vision])
    player.vision = vision


def set_advisers(g: Oath, player: Player, value: Json) -> None:
    """Face up by name, face down as `Elders face down`."""
    if not isinstance(value, list) or not all(isinstance(v, str) for v in value):
        raise BadPath(Text("a list of cards is wanted here"))
    down = [v.endswith(FACE_DOWN) for v in value]
    ids = things([v.removesuffix(FACE_DOWN) for v in value], DENIZENS, VISIONS)
    if any(is_vision(id) and not hidden for id, hidden in zip(ids, down, strict=True)):
        raise BadPath(Text("a Vision can be an adviser only face down (O-5.2.3)"))
    _empty(g, player.advisers)
    _put_away(g, [a.card.under_seal() for a in player.advisers])
    player.advisers = []
    take_up(g, ids)
    everybody = tuple(p.name for p in g.players)
    for id, hidden in zip(ids, down, strict=True):
        seal = Sealed(id, (player.name,) if hidden else everybody)
        player.advisers.append(Adviser(seal, is_vision(id), "" if hidden else id))


def set_relics(g: Oath, player: Player, value: Json) -> None:
    """The faceup relics of a player."""
    ids = things(value, RELICS)
    _empty(g, player.relics)
    _beneath(g, [r.id for r in player.relics])
    player.relics = []
    take_relics(g, ids)
    player.relics = [Relic(id) for id in ids]


def set_banner_holder(g: Oath, banner: str, value: Json) -> None:
    """A seat, or nothing: the shared bank."""
    holder = one_of(value, [p.name for p in g.players]) if value else ""
    g.banners[banner].holder = holder
    g.banners[banner].mob = g.banners[banner].mob and bool(holder)


def set_banner_tokens(g: Oath, banner: str, value: Json) -> None:
    """At least one (O-22)."""
    there = g.banners[banner]
    if banner == DARKEST_SECRET:
        there.tokens = whole(value, least=1)
    else:
        set_favor(g, lambda: there.tokens, lambda n: setattr(there, "tokens", n), value, least=1)


def set_mob(g: Oath, value: Json) -> None:
    """The People's Favor on its Mob side, with somebody who holds it."""
    mob = yes_or_no(value)
    if mob and not g.banners[PEOPLES_FAVOR].holder:
        raise BadPath(Text("in the shared bank the People’s Favor lies on its normal side"))
    g.banners[PEOPLES_FAVOR].mob = mob


def set_title(g: Oath, value: Json) -> None:
    """Who holds the title, on its Oathkeeper side."""
    g.title, g.usurper = one_of(value, [p.name for p in g.players]), False


def set_usurper(g: Oath, value: Json) -> None:
    """Whether it lies on its Usurper side, which it does with Exiles alone."""
    usurper = yes_or_no(value)
    if usurper and g.player(g.title).imperial:
        raise BadPath(Text("only an Exile can be the Usurper"))
    g.usurper = usurper


def set_turn(g: Oath, value: Json) -> None:
    """Whose turn it is."""
    name = one_of(value, [p.name for p in g.players])
    g.turn = [p.name for p in g.players].index(name)
    g.spent, g.began_with, g.fought = 0, g.active.supply, ""


def set_round(g: Oath, value: Json) -> None:
    """1 to 8."""
    g.round = whole(value, ROUNDS, 1)


def set_phase(g: Oath, value: Json) -> None:
    """Those of the turn, or of the Chronicle after somebody has won."""
    phase = one_of(value, (*PHASES, *CHRONICLE))
    if phase in CHRONICLE and not g.winner:
        raise BadPath(Text("nobody has won yet"), ["winner"])
    g.phase = phase


def set_winner(g: Oath, value: Json) -> None:
    """Who has won; while the game goes on nobody has."""
    if not value and g.phase not in PHASES:
        raise BadPath(Text("the game is over"), ["phase"])
    g.winner = one_of(value, [p.name for p in g.players]) if value else ""


def set_won_by(g: Oath, value: Json) -> None:
    """All ways that were fulfilled, Visions among them."""
    goals = [v.id for v in VISIONS.values() if v.goal]
    if not isinstance(value, list):
        raise BadPath(Text("a list is wanted here"))
    g.won_by = " ".join(one if one in WAYS else thing(one, goals) for one in value)


def set_joined(g: Oath, value: Json) -> None:
    """Exiles, by the names of their seats."""
    if not isinstance(value, list):
        raise BadPath(Text("a list is wanted here"))
    exiles = [p.name for p in g.players if p.role == "exile" and p.name != g.winner]
    g.joined = tuple(one_of(one, exiles) for one in value)


def set_supply(g: Oath, player: Player, value: Json) -> None:
    """0 to 7."""
    player.supply = whole(value, MOST_SUPPLY)
    if player is g.active:
        g.spent, g.began_with = 0, player.supply


# sites


def set_site(g: Oath, site: Site, value: Json) -> None:
    """Which site lies in a slot, its facing unchanged; the old one goes where the new one was, the site deck or another
    slot."""
    new, old = thing(value, SITES), site.site.under_seal()
    for other in g.map:
        if other.site.under_seal() == new:
            _lie(other, old)
    g.world.sites = g.world.sites.changed(lambda deck: [old if id == new else id for id in deck])
    _lie(site, new)


def _lie(site: Site, id: str) -> None:
    site.site = Sealed(id, site.site.owners)
    site.shown = id if site.shown else ""


def set_faceup(g: Oath, site: Site, value: Json) -> None:
    """Face up without its prompt being carried out; face down everything that lies there leaves."""
    if yes_or_no(value):
        site.site = site.site.shown_to(*(p.name for p in g.players))
        site.shown = site.site.under_seal()
        return
    if any(g.map[p.pawn] is site for p in g.players):
        raise BadPath(Text("a pawn stands there"))
    _clear_garrison(g, site)
    g.shared += site.favor
    site.favor = site.secrets = 0
    set_cards(g, site, [])
    set_site_relics(g, site, [])
    site.site, site.shown = Sealed(site.site.under_seal()), ""


def set_cards(g: Oath, site: Site, value: Json) -> None:
    """Denizens and edifices at a site; a ruin by its own name."""
    edifices = [*EDIFICES, *(f"{id}{RUINED}" for id in EDIFICES)]
    ids = things(value, DENIZENS, edifices)
    if ids and not site.shown:
        raise BadPath(Text("no card can lie at a facedown site"))
    plain = [id.removesuffix(RUINED) for id in ids]
    _empty(g, site.cards)
    _put_away(g, [card.id for card in site.cards])
    site.cards = []
    take_up(g, plain)
    site.cards = [Card(id.removesuffix(RUINED), id.endswith(RUINED)) for id in ids]


def set_site_relics(g: Oath, site: Site, value: Json) -> None:
    """Facedown relics that nobody has looked at."""
    ids = things(value, RELICS)
    if ids and not site.shown:
        raise BadPath(Text("no relic can lie at a facedown site"))
    _beneath(g, [r.under_seal() for r in site.relics])
    site.relics = []
    take_relics(g, ids)
    site.relics = [Sealed(id) for id in ids]


# decks


def set_pile(g: Oath, region: str, value: Json) -> None:
    """A discard pile, its top card first; nobody has seen them."""
    ids = things(value, DENIZENS, VISIONS)
    _put_away(g, [c.card.under_seal() for c in g.piles[region]])
    g.piles[region] = []
    take_up(g, ids)
    g.piles[region] = [PileCard(Sealed(id), is_vision(id)) for id in reversed(ids)]


def set_world_deck(g: Oath, value: Json) -> None:
    """Its top cards, topmost first; what was in it lies beneath."""
    ids = things(value, DENIZENS, VISIONS)
    take_up(g, ids)
    put_on_top(g, ids)


def set_relic_deck(g: Oath, value: Json) -> None:
    """Its top relics, topmost first; what was in it lies beneath."""
    ids = things(value, RELICS)
    take_relics(g, ids)
    g.world.relics = g.world.relics.changed(lambda rest: [*ids, *rest])


def set_site_deck(g: Oath, value: Json) -> None:
    """Its top sites, topmost first; what was in it lies beneath."""
    ids = things(value, g.world.sites.under_seal())
    g.world.sites = g.world.sites.changed(lambda rest: [*ids, *(id for id in rest if id not in ids)])


def set_dispossessed(g: Oath, value: Json) -> None:
    """The Dispossessed (O-18.6); those of before go to the Archive."""
    ids = things(value, DENIZENS)
    g.world.archive += g.world.dispossessed.under_seal()
    g.world.dispossessed = Sealed([])
    take_up(g, ids)
    g.world.dispossessed = Sealed(ids)


def in_archive(g: Oath, kind: Iterable[str]) -> list[str]:
    """The cards of a kind in the Archive."""
    return [id for id in g.world.archive if id in kind]


def set_archive(g: Oath, value: Json) -> None:
    """The denizens in the Archive (O-18.6); those of before go to the Dispossessed."""
    ids = things(value, DENIZENS)
    others = [id for id in in_archive(g, DENIZENS) if id not in ids]
    take_up(g, [*ids, *others])
    g.world.archive += ids
    g.world.dispossessed = g.world.dispossessed.changed(lambda cards: [*cards, *others])


def set_out(g: Oath, value: Json) -> None:
    """The Conspiracy once it was played (O-11.4); taken back it lies beneath the world deck."""
    ids = things(value, [CONSPIRACY])
    _put_away(g, g.world.out)
    g.world.out = []
    take_up(g, ids)
    g.world.out = ids


def set_space(g: Oath, n: int, value: Json) -> None:
    """A relic on a space of the Reliquary; an empty text uncovers it."""
    id = thing(value, RELICS) if value else ""
    old = g.reliquary[n]
    if old is not None:
        _beneath(g, [old.under_seal()])
    g.reliquary[n] = None
    if id:
        take_relics(g, [id])
        g.reliquary[n] = Sealed(id)


def spaces(g: Oath) -> list[tuple[int, str]]:
    """The spaces of the Reliquary with their names."""
    return [(n, RELIQUARY[n]) for n in range(len(g.reliquary))]


# where cards come from and go to


def _put_away(g: Oath, ids: Sequence[str]) -> None:
    """Denizens and edifices to the Archive, Visions beneath the world deck."""
    g.world.archive += [id for id in ids if not is_vision(id)]
    visions = [id for id in ids if is_vision(id)]
    g.world.deck = g.world.deck.changed(lambda deck: [*deck, *visions])


def take_up(g: Oath, ids: Sequence[str]) -> None:
    """World cards and edifices from wherever they are."""
    wanted = frozenset(ids)
    for site in g.map:
        _empty(g, [card for card in site.cards if card.id in wanted])
        site.cards = [card for card in site.cards if card.id not in wanted]
    for id in ids:
        _free_prophet(g, id)
    for player in g.players:
        gone = [a for a in player.advisers if a.card.under_seal() in wanted]
        _empty(g, gone)
        player.advisers = [a for a in player.advisers if a.card.under_seal() not in wanted]
        player.hand = player.hand.changed(lambda hand: tuple(c for c in hand if c not in wanted))
        player.vision = "" if player.vision in wanted else player.vision
    for region, pile in g.piles.items():
        g.piles[region] = [card for card in pile if card.card.under_seal() not in wanted]
    world = g.world
    take_out_of_deck(g, wanted)
    world.dispossessed = world.dispossessed.changed(lambda cards: [c for c in cards if c not in wanted])
    world.archive = [c for c in world.archive if c not in wanted]
    world.out = [c for c in world.out if c not in wanted]


def take_relics(g: Oath, ids: Sequence[str]) -> None:
    """Relics from wherever they are; one on a space of the Reliquary leaves it uncovered."""
    wanted = frozenset(ids)
    for player in g.players:
        _empty(g, [r for r in player.relics if r.id in wanted])
        player.relics = [r for r in player.relics if r.id not in wanted]
    for site in g.map:
        site.relics = [r for r in site.relics if r.under_seal() not in wanted]
    g.reliquary = [None if r is not None and r.under_seal() in wanted else r for r in g.reliquary]
    g.world.relics = g.world.relics.changed(lambda deck: [r for r in deck if r not in wanted])


def _beneath(g: Oath, ids: Sequence[str]) -> None:
    g.world.relics = g.world.relics.changed(lambda deck: [*deck, *(i for i in ids if i not in deck)])
