"""What a seat may see, built by listing (O-16)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

import msgspec

from ..core.ruleset import Position
from ..core.text import Text
from . import words
from .empire_facts import SPACE
from .oaths import VISIONS_NEEDED
from .powers import asked
from .printed import BANNERS, COLOURS, OATHS, REGIONS, RELIQUARY, ROUNDS, SUITS, VISIONS, is_vision, suit_of
from .queries import Capacity
from .ruling import pays_for
from .setup_facts import ROLE
from .state import Adviser, Card, Oath, PileCard, Player, Relic, Site
from .statements import effect_of
from .topdeck import known_at_top
from .words import COLOUR

PHASES = {
    "deal": (Text("setup"), "O-2"),
    "pawns": (Text("setup"), "O-2.17"),
    "wake": (Text("Wake"), "O-4.2"),
    "act": (Text("Act"), "O-4.3"),
    "rest": (Text("Rest"), "O-4.4"),
    "vow": (Text("the Chronicle"), "O-18.1"),
    "invite": (Text("the Chronicle"), "O-18.2"),
    "build": (Text("the Chronicle"), "O-18.3"),
    "suit": (Text("the Chronicle"), "O-18.4"),
    "over": (Text("end of the game"), "O-17"),
}


class View(msgspec.Struct, frozen=True):
    """A part of what a seat may see."""


class CardView(View, frozen=True):
    """A card with its suit and the tokens on it, in words; face down by its back alone."""

    id: str
    """Empty where the reader does not know it."""
    words: Text
    name: Text
    """Of a facedown one what its back shows, whoever reads it."""
    faceup: bool
    vision: bool = False
    """Whether that back is a Vision's (O-16.3)."""
    suit: str = ""
    favor: int = 0
    secrets: int = 0


class SiteView(View, frozen=True):
    """A slot of the map (O-1.7)."""

    id: str
    """Empty while it lies face down."""
    name: Text
    region: str
    ruler: Text | None
    """None: nobody rules a facedown site."""
    warbands: int
    warband_colour: Text | None
    """None: there are none."""
    favor: int
    secrets: int
    """On the site itself."""
    tokens: tuple[Text, ...]
    """The same in words."""
    capacity: int
    free: int
    cards: tuple[CardView, ...]
    relics: tuple[CardView, ...]
    pawns: tuple[str, ...]

    @property
    def relics_known(self) -> tuple[CardView, ...]:
        """The facedown relics that the reader has looked at."""
        return tuple(relic for relic in self.relics if relic.id)

    @property
    def faceup(self) -> bool:
        """Whether its front is seen."""
        return bool(self.id)


class PileView(View, frozen=True):
    """A discard pile: its number and all its backs (O-16.3)."""

    count: int
    backs: tuple[Text, ...]
    """Topmost first; equal ones together."""
    top: Text | None
    """The back on top."""


class RegionView(View, frozen=True):
    """A region with its sites from top to bottom and its discard pile."""

    id: str
    name: Text
    sites: tuple[SiteView, ...]
    pile: PileView


class PlayerView(View, frozen=True):
    """A player's public side (O-1.6)."""

    name: str
    role: Text
    colour: Text
    site: Text
    supply: int
    favor: int
    secrets: int
    spent: int
    """Secrets face down."""
    warbands: int
    warband_colour: Text
    bank: int
    advisers: tuple[CardView, ...]
    relics: tuple[CardView, ...]
    banners: tuple[BannerView, ...]
    vision: Text | None
    title: Text | None
    hand: int
    """How many cards are held."""


class BannerView(View, frozen=True):
    """The People's Favor or the Darkest Secret, and what lies on it."""

    name: Text
    favor: int
    secrets: int
    words: Text


class BankView(View, frozen=True):
    """A suit's favor bank."""

    name: Text
    favor: int


class SpaceView(View, frozen=True):
    """A space of the Imperial Reliquary."""

    name: Text
    covered: bool
    words: Text


class HeldView(View, frozen=True):
    """A card that the reader alone knows, with what it does."""

    id: str
    words: Text
    effect: Text


class OwnView(View, frozen=True):
    """What the reader knows and not everybody."""

    hand: tuple[HeldView, ...]
    advisers: tuple[HeldView, ...]
    """The own facedown ones."""
    seen: tuple[Text, ...]
    """Facedown cards, relics and sites of others or of nobody that the reader has seen, and where they lie."""


class OathView(View, frozen=True):
    """The whole table as one reader sees it."""

    seat: str | None
    seats: tuple[str, ...]
    """Everybody, in the order of the table."""
    label: Text
    round: int
    rounds: int
    active: str
    over: bool
    oath: Text
    goal: Text
    title: str
    usurper: bool
    visions_drawn: int
    visions_needed: int
    top: Text | None
    """The back of the world deck's top card; None if there is none (O-16.3). Its number nobody knows (O-16.1)."""
    regions: tuple[RegionView, ...]
    banks: tuple[BankView, ...]
    shared: int
    banners: tuple[BannerView, ...]
    """Those in the shared bank."""
    reliquary: tuple[SpaceView, ...]
    relics_left: int
    """In the relic deck."""
    players: tuple[PlayerView, ...]
    """Clockwise from the Chancellor."""
    own: OwnView | None

    @property
    def me(self) -> PlayerView | None:
        """The reader's own public side."""
        return next((p for p in self.players if p.name == self.seat), None)

    @property
    def others(self) -> tuple[PlayerView, ...]:
        """Everybody else."""
        return tuple(p for p in self.players if p.name != self.seat)


def view(g: Oath, seat: str | None) -> OathView:
    """The table for a seat, or for the observer."""
    deck = g.world.deck.under_seal()
    return OathView(
        seat=seat,
        seats=tuple(player.name for player in g.players),
        label=position(g).label,
        round=g.round,
        rounds=ROUNDS,
        active=_active(g).name,
        over=g.phase == "over",
        oath=words.thing(g.oath),
        goal=Text("{goal}", goal=OATHS[g.oath].keeper),
        title=g.title,
        usurper=g.usurper,
        visions_drawn=g.visions_drawn,
        visions_needed=VISIONS_NEEDED,
        top=words.back(is_vision(deck[0])) if deck else None,
        regions=tuple(_region(g, region, seat) for region in REGIONS),
        banks=tuple(BankView(words.SUIT[suit], g.banks.get(suit, 0)) for suit in SUITS),
        shared=g.shared,
        banners=tuple(_banner(g, b) for b in BANNERS if not g.banners[b].holder),
        reliquary=tuple(_space(g, n, seat) for n in range(len(g.reliquary))),
        relics_left=len(g.world.relics.under_seal()),
        players=tuple(_player(g, player, seat) for player in g.players),
        own=_own(g, seat),
    )


def _active(g: Oath) -> Player:
    """Whose turn it is; while pawns are placed, who places one."""
    return g.players[min(g.placing, len(g.players) - 1)] if g.phase == "pawns" else g.active


def position(g: Oath) -> Position:
    """Where the game stands."""
    phase, section = PHASES[g.phase]
    if g.phase in ("wake", "act", "rest"):
        label = Text("round {n}, {who}’s turn", n=g.round, who=g.active.name)
    else:
        label = phase
    turn = f"setup/{g.placing}" if g.phase in ("deal", "pawns") else f"turn/{g.turns}"
    return Position(label, section, turn)


# cards


def _with_tokens(name: Text, suit: str, favor: int, secrets: int) -> Text:
    """`Elders (Nomad, with 1 secret)`."""
    inside = ((words.SUIT[suit],) if suit else ()) + words.tokens(favor, secrets)
    if suit and len(inside) > 1:
        return Text("{name} ({what}, with {tokens})", name=name, what=inside[0], tokens=inside[1:])
    return Text("{name} ({what})", name=name, what=inside) if inside else name


def _card(card: Card) -> CardView:
    id = f"{card.id}_ruined" if card.ruined else card.id
    return _faceup(id, card.suit, card.favor, card.secrets)


@lru_cache(maxsize=4096)
def _said(id: str, suit: str, favor: int, secrets: int) -> Text:
    return _with_tokens(words.thing(id), suit, favor, secrets)


def _faceup(id: str, suit: str, favor: int, secrets: int, more: Text | None = None) -> CardView:
    said = _said(id, suit, favor, secrets) if more is None else _with_tokens(more, suit, favor, secrets)
    return CardView(id, said, words.thing(id), True, suit=suit, favor=favor, secrets=secrets)


def _adviser(adviser: Adviser, seat: str | None) -> CardView:
    if adviser.shown:
        return _faceup(adviser.shown, adviser.suit, adviser.favor, adviser.secrets)
    back = words.back(adviser.vision)
    if not adviser.card.seen_by(seat):
        return CardView("", Text("{back} face down", back=back), back, False, adviser.vision)
    card = adviser.card.open(seat)
    return CardView(card, Text("{card} face down", card=words.thing(card)), back, False, adviser.vision)


# the map


def _region(g: Oath, region: str, seat: str | None) -> RegionView:
    sites = tuple(_site(g, n, seat) for n in range(len(g.map)) if g.region(n) == region)
    return RegionView(region, words.REGION[region], sites, _pile(g.piles[region]))


def _site(g: Oath, n: int, seat: str | None) -> SiteView:
    there = g.map[n]
    pawns = tuple(p.name for p in g.players if p.pawn == n and _has_pawn(g, p))
    if not there.shown:
        return SiteView("", words.site(g, n), g.region(n), None, 0, None, 0, 0, (), 0, 0, (), (), pawns)
    capacity = asked(g, Capacity(site=n, base=there.printed.capacity)).value
    return SiteView(
        there.shown,
        words.thing(there.shown),
        g.region(n),
        _ruler(g, n),
        there.warbands,
        COLOUR[there.colour] if there.warbands else None,
        there.favor,
        there.secrets,
        words.tokens(there.favor, there.secrets),
        capacity,
        max(0, capacity - len(there.cards)),
        tuple(_card(card) for card in there.cards),
        tuple(_relic_at(there, k, seat) for k in range(len(there.relics))),
        pawns,
    )


def _has_pawn(g: Oath, player: Player) -> bool:
    """In setup the pawns come one after the other (O-2.17)."""
    if g.phase == "deal":
        return False
    return g.phase != "pawns" or g.players.index(player) < g.placing


def _ruler(g: Oath, n: int) -> Text:
    owner = pays_for(g, n)
    if owner is not None and owner.imperial:
        return Text("the Empire")
    return Text("{who}", who=owner.name) if owner is not None else Text("bandits")


def _relic_at(site: Site, k: int, seat: str | None) -> CardView:
    relic, back = site.relics[k], Text("a relic")
    if relic.seen_by(seat):
        return CardView(relic.open(seat), words.thing(relic.open(seat)), back, False)
    return CardView("", Text("an unknown relic"), back, False)


def _pile(pile: list[PileCard]) -> PileView:
    visions = [lying.vision for lying in reversed(pile)]
    return PileView(len(pile), tuple(_backs(visions)), words.back(visions[0]) if pile else None)


def _backs(visions: list[bool]) -> Iterator[Text]:
    """Equal backs that lie on one another, together."""
    at = 0
    while at < len(visions):
        n = next((k for k in range(at, len(visions)) if visions[k] != visions[at]), len(visions)) - at
        if visions[at]:
            yield Text("{n} Vision", "{n} Visions", n=n)
        else:
            yield Text("{n} denizen", "{n} denizens", n=n)
        at += n


# players and banks


def _player(g: Oath, player: Player, seat: str | None) -> PlayerView:
    return PlayerView(
        player.name,
        ROLE[player.role],
        COLOUR[player.colour],
        words.site(g, player.pawn) if _has_pawn(g, player) else Text("nowhere yet"),
        player.supply,
        player.favor,
        player.secrets,
        player.spent,
        player.warbands,
        COLOUR[player.banner_colour],
        player.bank,
        tuple(_adviser(adviser, seat) for adviser in player.advisers),
        tuple(_faceup(r.id, "", r.favor, r.secrets, _relic(r)) for r in player.relics),
        tuple(_banner(g, b) for b in BANNERS if g.banners[b].holder == player.name),
        _vision(g, player) if player.vision else None,
        _title(g, player),
        len(player.hand.under_seal()),
    )


def _vision(g: Oath, player: Player) -> Text:
    vision, prophet = words.thing(player.vision), g.prophets.get(player.vision)
    if prophet is None:
        return vision
    return Text("{vision}, with a {colour} warband on it", vision=vision, colour=COLOUR[prophet])


def _relic(relic: Relic) -> Text:
    caged = tuple(
        Text("{n} {colour}", n=relic.caged[c], colour=COLOUR[c]) for c in COLOURS if relic.caged.get(c)
    )
    if not caged:
        return words.thing(relic.id)
    return Text("{relic}, holding warbands: {caged}", relic=words.thing(relic.id), caged=caged)


def _title(g: Oath, player: Player) -> Text | None:
    if g.title != player.name:
        return None
    return Text("Usurper") if g.usurper else Text("Oathkeeper")


def _banner(g: Oath, banner: str) -> BannerView:
    there = g.banners[banner]
    favor, secrets = (0, there.tokens) if banner == "darkest_secret" else (there.tokens, 0)
    name = words.thing(banner)
    if there.mob:
        name = Text("{banner}, Mob side up", banner=name)
    return BannerView(
        name,
        favor,
        secrets,
        Text("{banner} with {tokens} on it", banner=name, tokens=words.tokens(favor, secrets)),
    )


def _space(g: Oath, n: int, seat: str | None) -> SpaceView:
    """A space of the Reliquary: covered, known to the reader, or uncovered and at work (O-12.6)."""
    name, relic = SPACE[RELIQUARY[n]], g.reliquary[n]
    if relic is None:
        return SpaceView(name, False, Text("{space} (uncovered)", space=name))
    if relic.seen_by(seat):
        known = words.thing(relic.open(seat))
        return SpaceView(
            name, True, Text("{space} (face down; you know it: {relic})", space=name, relic=known)
        )
    return SpaceView(name, True, Text("{space} (face down)", space=name))


# what one reader knows


def _own(g: Oath, viewer: str | None) -> OwnView | None:
    if viewer is None:
        return None
    me = g.player(viewer)
    hand = tuple(_held(card) for card in me.hand.open(viewer)) if me.hand.seen_by(viewer) else ()
    down = tuple(_held(a.card.open(viewer)) for a in me.advisers if not a.shown)
    return OwnView(hand, down, tuple(_seen(g, viewer)))


def _held(card: str) -> HeldView:
    suit = Text("Vision") if card in VISIONS else words.SUIT[suit_of(card)]
    return HeldView(card, Text("{name} ({what})", name=words.thing(card), what=suit), effect_of(card))


def _seen(g: Oath, viewer: str) -> Iterator[Text]:
    """Facedown things that the reader has lawfully looked at, place by place."""
    for n, site in enumerate(g.map):
        where = words.site(g, n)
        if not site.shown and site.site.seen_by(viewer):
            yield Text("{site} is {name}", site=where, name=words.thing(site.site.open(viewer)))
        for relic in site.relics:
            if relic.seen_by(viewer):
                yield Text("at {site} lies {relic}", site=where, relic=words.thing(relic.open(viewer)))
    for player in g.players:
        for adviser in player.advisers:
            if player.name != viewer and not adviser.shown and adviser.card.seen_by(viewer):
                card = words.thing(adviser.card.open(viewer))
                yield Text("{who} has {card} face down", who=player.name, card=card)
    for name, space in zip(RELIQUARY, g.reliquary, strict=False):
        if space is not None and space.seen_by(viewer):
            relic_there = words.thing(space.open(viewer))
            yield Text(
                "in the Reliquary, {space} is covered by {relic}", space=SPACE[name], relic=relic_there
            )
    deck = g.world.deck.under_seal()
    top = tuple(
        Text("card {n} is {card}", card=words.thing(deck[n]), n=n + 1) for n in known_at_top(g, viewer)
    )
    if top:
        yield Text("in the world deck, counted from the top, {cards}", cards=top)
    for region in REGIONS:
        known = _known(g.piles[region], viewer)
        if known:
            yield Text(
                "in the discard pile of {region}, counted from the top, {cards}",
                region=words.REGION[region],
                cards=known,
            )


def _known(pile: list[PileCard], viewer: str) -> tuple[Text, ...]:
    """The cards of a pile that the reader knows, each with its number."""
    return tuple(
        Text("card {n} is {card}", card=words.thing(lying.card.open(viewer)), n=n)
        for n, lying in enumerate(reversed(pile), 1)
        if lying.card.seen_by(viewer)
    )
