"""The public table as SVG: our own plain drawing, everything marked by letters and shapes as well as by colour."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from ..core.drawing import Drawing, capital, initials, shortened, wide
from ..core.text import Text, english
from .views import BannerView, CardView, OathView, PlayerView, RegionView, SiteView
from .words import COLOUR

WIDTH, EDGE, GAP = 640, 12, 8
"""As wide as a mail; no words are smaller than 11 points there."""
COLUMN = (WIDTH - 2 * EDGE - 2 * GAP) / 3
HALF = (WIDTH - 2 * EDGE - GAP) / 2
INK, PAPER, PANEL, LINE, PALE = "#2c2620", "#f1ead9", "#fffdf6", "#b7a67f", "#6b6355"
GOLD, VIOLET, BACK, STONE = "#e2b53c", "#5b4a8a", "#7b8794", "#8d877b"
SUIT = {
    "discord": "#a8322a",
    "arcane": "#7a3f95",
    "order": "#2d5291",
    "hearth": "#b4631a",
    "beast": "#45733a",
    "nomad": "#1d7a78",
}
PAINT = {
    COLOUR["purple"]: "#6b3fa0",
    COLOUR["red"]: "#bb3528",
    COLOUR["blue"]: "#2f6db3",
    COLOUR["yellow"]: "#e3b422",
    COLOUR["white"]: "#ffffff",
    COLOUR["black"]: "#2b2b2b",
}
DARK_ON = (PAINT[COLOUR["yellow"]], PAINT[COLOUR["white"]], GOLD)
DASHED = ' stroke-dasharray="3 3"'
ROW = 19


class _Item(NamedTuple):
    """A sign with words behind it, and tokens behind these."""

    sign: Callable[[float, float], None]
    words: str
    favor: int = 0
    secrets: int = 0
    fill: str = INK

    @property
    def width(self) -> float:
        """How much of a line it takes."""
        return 22 + wide(self.words, 12) + 20 * bool(self.favor) + 22 * bool(self.secrets)


class _Canvas(Drawing):
    """The pieces of this game; each sign stands about its middle."""

    def __init__(self, view: OathView) -> None:
        super().__init__(INK, LINE)
        names = tuple(player.name for player in view.players)
        self.marks = dict(zip(names, initials(names), strict=True))
        self.paints = {player.name: PAINT[player.colour] for player in view.players}

    def mark(self, x: float, y: float, letters: str, on: str, size: int = 11) -> None:
        """Letters in the middle of a sign."""
        self.write(x, y + size * 0.36, letters, size, INK if on in DARK_ON else "#ffffff", True, "middle")

    def suit(self, x: float, y: float, suit: str) -> None:
        """A denizen: its suit's colour and letter."""
        fill = SUIT[suit]
        self.circle(x, y, 8, fill, INK)
        self.mark(x, y, suit[0].upper(), fill)

    def card(self, x: float, y: float, card: CardView) -> None:
        """A card as it lies: by its suit, as a ruin, or by its back."""
        if not card.faceup:
            self.box(x - 6, y - 8, 12, 16, BACK, INK, 2)
            self.mark(x, y, "V" if card.vision else "?", BACK, 10)
        elif card.suit:
            self.suit(x, y, card.suit)
        else:
            self.box(x - 7, y - 7, 14, 14, STONE, INK, 1)
            self.mark(x, y, "–", STONE)

    def relic(self, x: float, y: float, covered: bool = True) -> None:
        """A relic: a stone with six corners; an empty place for one is dashed."""
        corners = ((-8, 0), (-4, -7), (4, -7), (8, 0), (4, 7), (-4, 7))
        points = tuple((x + a, y + b) for a, b in corners)
        self.shape(points, BACK if covered else "none", INK if covered else LINE, "" if covered else DASHED)
        if covered:
            self.mark(x, y, "R", BACK, 10)

    def coin(self, x: float, y: float, favor: int | str) -> None:
        """Favor: a round coin and its number."""
        self.circle(x, y, 8, GOLD, INK)
        self.mark(x, y, str(favor), GOLD)

    def secret(self, x: float, y: float, secrets: int | str, spent: bool = False) -> None:
        """Secrets: a square on its corner and its number; spent ones are not filled."""
        points = ((x - 10, y), (x, y - 10), (x + 10, y), (x, y + 10))
        self.shape(points, PANEL if spent else VIOLET, VIOLET)
        self.write(x, y + 4, str(secrets), 11, VIOLET if spent else "#ffffff", True, "middle")

    def warbands(self, x: float, y: float, count: int, fill: str) -> None:
        """Warbands: a shield and its number."""
        points = ((x - 9, y - 9), (x + 9, y - 9), (x + 9, y + 2), (x, y + 10), (x - 9, y + 2))
        self.shape(points, fill, INK)
        self.mark(x, y - 1, str(count), fill)

    def pawn(self, x: float, y: float, name: str) -> None:
        """A pawn: its player's colour and letter."""
        fill = self.paints[name]
        self.shape(((x - 11, y + 10), (x, y - 14), (x + 11, y + 10)), fill, INK)
        self.mark(x, y + 4, self.marks[name], fill, 11 if len(self.marks[name]) == 1 else 9)

    def flow(self, x: float, y: float, w: float, items: Iterable[_Item]) -> float:
        """Items one behind another, in as many lines as they need; gives where the next line stands."""
        left = x
        for item in items:
            if left > x and left + item.width > x + w:
                left, y = x, y + ROW
            item.sign(left + 8, y)
            words = shortened(item.words, w - 24, 12)
            self.write(left + 20, y + 4, words, 12, item.fill)
            end = left + 24 + wide(words, 12)
            if item.favor:
                self.coin(end + 6, y, item.favor)
                end += 20
            if item.secrets:
                self.secret(end + 8, y, item.secrets)
                end += 20
            left = end + 8
        return y + ROW


def picture(view: OathView) -> str:
    """The whole table, from what everybody may see of it."""
    c = _Canvas(view)
    y = _head(c, view)
    y = _map(c, view, y)
    y = _players(c, view, y)
    y = _legend(c, y)
    c.under(0, 0, 0, WIDTH, y, PAPER, PAPER)
    return c.svg(WIDTH, y)


def _head(c: _Canvas, view: OathView) -> float:
    """Where the game stands, its oath, and who keeps it."""
    c.write(EDGE, 26, capital(view.label), 17, INK, True)
    rounds = Text("{n} rounds at most", n=view.rounds)
    c.write(WIDTH - EDGE, 26, rounds, 13, INK, False, "end")
    oath = Text("{oath}: who {goal}", oath=view.oath, goal=view.goal)
    c.write(EDGE, 46, oath, 12)
    title = (
        Text("Usurper: {who}", who=view.title) if view.usurper else Text("Oathkeeper: {who}", who=view.title)
    )
    c.write(EDGE, 64, title, 12, INK, True)
    visions = Text(
        "Visions drawn: {n} (at {needed} they can win)", n=view.visions_drawn, needed=view.visions_needed
    )
    c.write(WIDTH - EDGE, 64, visions, 12, INK, False, "end")
    return 76


# the map


def _map(c: _Canvas, view: OathView, top: float) -> float:
    """The regions side by side; the banks below the Cradle, the decks where there is room."""
    ends = [_region(c, EDGE + n * (COLUMN + GAP), top, region) for n, region in enumerate(view.regions)]
    ends[0] = _banks(c, EDGE, ends[0], view)
    n = ends.index(min(ends))
    ends[n] = _decks(c, EDGE + n * (COLUMN + GAP), ends[n], view)
    return max(ends)


def _region(c: _Canvas, x: float, y: float, region: RegionView) -> float:
    c.write(x, y + 14, shortened(capital(region.name), COLUMN, 14, True), 14, INK, True)
    y += 22
    for n, site in enumerate(region.sites, 1):
        y = (_site(c, x, y, site) if site.faceup else _facedown(c, x, y, n)) + GAP
    pile = region.pile
    there = Text("discards: {n}, on top {back}", n=pile.count, back=pile.top)
    c.write(x + 4, y + 8, there if pile.count else Text("discards: none"), 12, PALE)
    return y + 20


def _facedown(c: _Canvas, x: float, y: float, n: int) -> float:
    c.box(x, y, COLUMN, 28, PAPER, LINE, more=DASHED)
    c.write(x + 8, y + 18, Text("site {n}, face down", n=n), 12, PALE)
    return y + 28


def _site(c: _Canvas, x: float, y: float, site: SiteView) -> float:
    """A site's box, as high as what lies there; gives where it ends."""
    at = len(c.shapes)
    c.write(x + 8, y + 18, shortened(capital(site.name), COLUMN - 56, 13, True), 13, INK, True)
    end = _lying(c, x + 8, y + 36, site)
    for n, name in enumerate(site.pawns):
        c.pawn(x + 20 + n * 27, end + 8, name)
    end += 24 if site.pawns else -6
    c.under(at, x, y, COLUMN, end - y, PANEL)
    return end


def _lying(c: _Canvas, x: float, y: float, site: SiteView) -> float:
    """Who rules, the cards, the free places, the relics."""
    left = x + COLUMN - 24
    if site.secrets:
        c.secret(left, y - 22, site.secrets)
        left -= 22
    if site.favor:
        c.coin(left, y - 22, site.favor)
    _ruler(c, x, y, site)
    y += ROW + 1
    for card in site.cards:
        y = c.flow(x, y, COLUMN - 16, [_item(c, card)])
    for _ in range(site.free):
        c.circle(x + 8, y, 8, "none", LINE, DASHED)
        c.write(x + 20, y + 4, Text("free"), 12, PALE)
        y += ROW
    for n in range(len(site.relics)):
        c.relic(x + 8 + n * 20, y)
    if site.relics:
        said = Text("{n} relic, face down", "{n} relics, face down", n=len(site.relics))
        c.write(x + 2 + len(site.relics) * 20, y + 4, said, 12, PALE)
        y += ROW
    return y


def _ruler(c: _Canvas, x: float, y: float, site: SiteView) -> None:
    if site.warband_colour is not None:
        c.warbands(x + 8, y, site.warbands, PAINT[site.warband_colour])
    if site.ruler is not None:
        c.write(x + (24 if site.warbands else 0), y + 4, capital(site.ruler), 12, INK, True)


def _item(c: _Canvas, card: CardView) -> _Item:
    def sign(x: float, y: float) -> None:
        c.card(x, y, card)

    name = card.name if card.faceup else Text("{back}, face down", back=card.name)
    return _Item(sign, english(name), card.favor, card.secrets)


def _banks(c: _Canvas, x: float, y: float, view: OathView) -> float:
    """The favor banks, and what lies in the shared one."""
    at, end = len(c.shapes), y + 36
    c.write(x + 8, y + 18, Text("Favor banks"), 13, INK, True)
    for n, (suit, bank) in enumerate(zip(SUIT, view.banks, strict=True)):
        left = x + 8 + (n % 2) * 96
        c.suit(left + 8, end, suit)
        c.write(left + 20, end + 4, bank.name, 12)
        c.coin(left + 82, end, bank.favor)
        end += ROW * (n % 2)
    c.write(x + 8, end + 4, Text("shared bank"), 12)
    c.coin(x + 186, end, view.shared)
    for banner in view.banners:
        end = c.flow(x + 8, end + ROW, COLUMN - 16, [_banner(c, banner)]) - ROW
    c.under(at, x, y, COLUMN, end + 14 - y, PANEL)
    return end + 14 + GAP


def _decks(c: _Canvas, x: float, y: float, view: OathView) -> float:
    """The Reliquary, two spaces a line; the decks."""
    at, end = len(c.shapes), y + 36
    c.write(x + 8, y + 18, Text("Reliquary and decks"), 13, INK, True)
    for n, space in enumerate(view.reliquary):
        left = x + 8 + (n % 2) * 96
        c.relic(left + 8, end, space.covered)
        c.write(left + 20, end + 4, space.name, 12)
        end += ROW * (n % 2)
    c.write(x + 8, end + 4, Text("relic deck: {n}", n=view.relics_left), 12)
    top = Text("world deck: {back} on top", back=view.top) if view.top else Text("world deck: empty")
    c.write(x + 8, end + ROW + 4, top, 12)
    end += ROW + 14
    c.under(at, x, y, COLUMN, end - y, PANEL)
    return end + GAP


# the players


def _players(c: _Canvas, view: OathView, y: float) -> float:
    """Two players a line, each line as high as the taller needs."""
    for n in range(0, len(view.players), 2):
        pair = view.players[n : n + 2]
        at = len(c.shapes)
        end = max(_player(c, EDGE + k * (HALF + GAP), y, player) for k, player in enumerate(pair))
        for k, player in enumerate(pair):
            turn = player.name == view.active and not view.over
            line, more = (INK, ' stroke-width="3"') if turn else (LINE, "")
            c.under(at, EDGE + k * (HALF + GAP), y, HALF, end - y, PANEL, line, more=more)
        y = end + GAP
    return y


def _player(c: _Canvas, x: float, y: float, player: PlayerView) -> float:
    """One player's side; gives where it ends."""
    c.pawn(x + 20, y + 20, player.name)
    name = shortened(player.name, HALF / 2, 14, True)
    c.write(x + 38, y + 20, name, 14, INK, True)
    c.write(x + 44 + wide(name, 14, True), y + 20, player.role, 12)
    if player.title is not None:
        c.write(x + HALF - 8, y + 20, player.title, 12, INK, True, "end")
    _stock(c, x + 46, y + 38, player)
    y = c.flow(x + 10, y + 62, HALF - 20, _held(c, player))
    return y - 4


def _stock(c: _Canvas, x: float, y: float, player: PlayerView) -> None:
    """Favor, secrets, warbands, Supply."""
    c.coin(x, y, player.favor)
    c.secret(x + 24, y, player.secrets)
    if player.spent:
        c.secret(x + 46, y, player.spent, spent=True)
    c.warbands(x + 72, y, player.warbands, PAINT[player.warband_colour])
    stock = Text("{n} in the bank, Supply {supply}", n=player.bank, supply=player.supply)
    c.write(x + 88, y + 4, stock, 12)


def _held(c: _Canvas, player: PlayerView) -> list[_Item]:
    """Advisers, relics, banners and the revealed Vision, one behind another."""
    items = [_item(c, adviser) for adviser in player.advisers]
    items += [_Item(c.relic, english(r.name), r.favor, r.secrets) for r in player.relics]
    items += [_banner(c, banner) for banner in player.banners]
    if player.vision is not None:
        items.append(_Item(_flag(c), english(player.vision)))
    return items or [_Item(lambda x, y: None, english(Text("no advisers, no relics")), fill=PALE)]


def _banner(c: _Canvas, banner: BannerView) -> _Item:
    return _Item(_flag(c), capital(banner.name), banner.favor, banner.secrets)


def _flag(c: _Canvas) -> Callable[[float, float], None]:
    def sign(x: float, y: float) -> None:
        c.shape(((x - 6, y - 8), (x + 8, y - 4), (x - 6, y + 1), (x - 6, y + 9)), GOLD, INK)

    return sign


def _legend(c: _Canvas, y: float) -> float:
    """What the signs mean."""
    items = [
        _Item(lambda x, y: c.coin(x, y, ""), english(Text("favor"))),
        _Item(lambda x, y: c.secret(x, y, ""), english(Text("secrets"))),
        _Item(lambda x, y: c.warbands(x, y, 0, STONE), english(Text("warbands"))),
        _Item(c.relic, english(Text("relic"))),
        _Item(lambda x, y: c.box(x - 6, y - 8, 12, 16, BACK, INK, 2), english(Text("card face down"))),
        _Item(_flag(c), english(Text("banner or Vision"))),
    ]
    return c.flow(EDGE, y + 8, WIDTH - 2 * EDGE, items)
