"""The public board as SVG: our own plain drawing, everything marked by letters and shapes as well as by colour."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from ..core.drawing import Drawing, capital, initials, shortened, wide
from ..core.text import Text, english
from .views import (
    PHASES,
    ActivityView,
    BuildingView,
    DieView,
    EventView,
    PlayerView,
    RowView,
    SpaceView,
    TroyesView,
)
from .words import GREY, points

WIDTH, EDGE, GAP = 640, 12, 8
"""As wide as a mail; no words are smaller than 11 points there."""
COLUMN = (WIDTH - 2 * EDGE - 2 * GAP) / 3
HALF = (WIDTH - 2 * EDGE - GAP) / 2
INK, PAPER, PANEL, LINE, PALE = "#2c2620", "#f1ead9", "#fffdf6", "#b7a67f", "#625a4d"
GOLD, VIOLET, STONE, WHITE = "#e2b53c", "#5b4a8a", "#79736a", "#ffffff"
TINT = {"red": "#f7ded8", "white": "#f3f3ef", "yellow": "#faf0cd"}
BAND = {"red": "#c8543f", "white": "#a9a598", "yellow": "#d9a92c"}
DIE = {
    "red": ("#c8543f", WHITE),
    "white": (WHITE, INK),
    "yellow": ("#f0c94a", INK),
    "black": ("#2c2620", WHITE),
}
SEAT = ("#2f6db3", "#35793f", "#b04f12", "#7a4ca0")
DASHED = ' stroke-dasharray="3 3"'
TURNS = (PHASES["fights"][0], PHASES["actions"][0])
"""When one player is on turn."""
ROW = 26


class _Piece(NamedTuple):
    """Something that stands in a line with others."""

    width: float
    draw: Callable[[float, float], None]
    """About the middle of its left end."""


class _Canvas(Drawing):
    """The pieces of this game; each sign stands about its middle."""

    def __init__(self, seats: tuple[str, ...]) -> None:
        super().__init__(INK, LINE)
        self.fills = {**dict(zip(seats, SEAT, strict=False)), GREY: STONE}
        self.marks = {**dict(zip(seats, initials(seats), strict=True)), GREY: "g"}

    def mark(self, x: float, y: float, letters: str, room: float, fill: str = WHITE, most: int = 12) -> None:
        """Letters in the middle of a sign, as large as it has room for."""
        size = min(most, int(room / max(1, wide(letters, 1, True))))
        self.write(x, y + size * 0.36, letters, size, fill, True, "middle")

    def token(self, x: float, y: float, owner: str) -> None:
        """A citizen."""
        self.circle(x, y, 11, self.fills[owner], INK)
        self.mark(x, y, self.marks[owner], 19)

    def space(self, x: float, y: float, space: SpaceView) -> None:
        """A space for a citizen; a free one has its number."""
        if space.owner:
            self.token(x, y, space.owner)
        else:
            self.circle(x, y, 11, "none", LINE, DASHED)
            self.write(x, y + 4, str(space.number), 11, PALE, False, "middle")

    def cube(self, x: float, y: float, owner: str, free: str = "") -> None:
        """A cube, or the place for one."""
        if owner:
            self.box(x - 10, y - 10, 20, 20, self.fills[owner], INK, 2)
            self.mark(x, y, self.marks[owner], 18)
        else:
            self.box(x - 10, y - 10, 20, 20, "none", LINE, 2, DASHED)
            self.write(x, y + 4, free, 11, PALE, False, "middle")

    def die(self, x: float, y: float, die: DieView) -> None:
        """A die with its short name."""
        fill, ink = DIE[die.colour]
        self.box(x - 11, y - 11, 22, 22, fill, "#6d6557", 4)
        self.mark(x, y, english(die.words), 20, ink)

    def coin(self, x: float, y: float, deniers: str) -> None:
        """Money: a round coin and its number."""
        self.circle(x, y, 13, GOLD, INK)
        self.mark(x, y, deniers, 24, INK)

    def shield(self, x: float, y: float, influence: str) -> None:
        """Influence: a shield and its number."""
        points = ((x - 11, y - 11), (x + 11, y - 11), (x + 11, y + 3), (x, y + 12), (x - 11, y + 3))
        self.shape(points, VIOLET, INK)
        self.mark(x, y - 1, influence, 19)

    def flow(self, x: float, y: float, w: float, pieces: Iterable[_Piece]) -> float:
        """Pieces one behind another, in as many lines as they need; gives where the next line stands."""
        left = x
        for piece in pieces:
            if left > x and left + piece.width > x + w:
                left, y = x, y + ROW
            piece.draw(left, y)
            left += piece.width
        return y + ROW

    def panel(self, at: int, x: float, y: float, w: float, h: float, colour: str = "") -> None:
        """A box beneath what was drawn since `at`, with a band of its colour on the left."""
        if colour:
            self.under(at, x + 1, y + 3, 5, h - 6, BAND[colour], BAND[colour], 2)
        self.under(at, x, y, w, h, TINT.get(colour, PANEL))


def picture(view: TroyesView) -> str:
    """The whole board, from what everybody may see of it."""
    c = _Canvas(view.seats)
    y = _head(c, view)
    y = _town(c, view, y)
    y = _activities(c, view.activities, y)
    y = _events(c, view.events, y)
    y = _districts(c, view, y)
    y = _legend(c, y)
    c.under(0, 0, 0, WIDTH, y, PAPER, PAPER, 0)
    return c.svg(WIDTH, y)


def _head(c: _Canvas, view: TroyesView) -> float:
    """Where the game stands, and who begins."""
    c.write(EDGE, 26, Text("Troyes, {label}", label=view.label), 17, INK, True)
    start = english(Text("start player: {who}", who=view.start))
    c.write(EDGE, 46, shortened(start, WIDTH - 2 * EDGE, 13), 13)
    return 56


# the town


def _town(c: _Canvas, view: TroyesView, top: float) -> float:
    """The main buildings side by side; below them the cathedral and the dice that are nobody's."""
    at = len(c.shapes)
    lefts = [EDGE + n * (COLUMN + GAP) for n in range(3)]
    ends = [_building(c, x, top, building) for x, building in zip(lefts, view.buildings, strict=True)]
    below: tuple[Callable[[float, float], float], ...] = (
        lambda x, y: _cathedral(c, x, y, view.cathedral),
        lambda x, y: _dice(c, x, y, Text("Grey district"), view.grey_dice),
        lambda x, y: _dice(c, x, y, Text("Black dice"), view.black_dice),
    )
    lasts = [draw(x, end + GAP) for draw, x, end in zip(below, lefts, ends, strict=True)]
    last = max(lasts)
    for x, end, building in zip(lefts, ends, view.buildings, strict=True):
        c.panel(at, x, top, COLUMN, end - top, building.colour)
        c.panel(at, x, end + GAP, COLUMN, last - end - GAP)
    return last + GAP


def _building(c: _Canvas, x: float, y: float, building: BuildingView) -> float:
    """Its rows, and who was driven out of it; gives where it ends."""
    c.write(x + 12, y + 18, capital(building.name), 13, INK, True)
    c.write(x + 12, y + 33, building.wage, 11, PALE)
    y += 52
    for n, row in enumerate(building.rows):
        if len(building.rows) > 1:
            c.write(x + 12, y + 4, _faces(n, len(building.rows)), 11)
        step = 30 if len(building.rows) == 1 else 25
        left = x + COLUMN - 20 - step * (len(row.spaces) - 1)
        for k, space in enumerate(row.spaces):
            c.space(left + k * step, y, space)
        y += ROW
    if building.lying:
        c.write(x + 12, y + 4, Text("expelled:"), 11)
        y = c.flow(x + 68, y, COLUMN - 76, [_citizen(c, who) for who in building.lying])
    return y - 8


def _faces(n: int, rows: int) -> Text:
    """Which dice a row takes (T-5.42, T-5.43)."""
    faces = 6 // rows
    return Text("row {n}, dice {low}–{high}", n=n + 1, low=n * faces + 1, high=(n + 1) * faces)


def _cathedral(c: _Canvas, x: float, y: float, levels: tuple[RowView, ...]) -> float:
    c.write(x + 12, y + 18, capital(Text("the Cathedral")), 13, INK, True)
    y += 38
    for level in levels:
        c.write(x + 12, y + 4, level.label, 12)
        for n, space in enumerate(level.spaces):
            c.cube(x + 67 + n * 23, y, space.owner, str(space.number))
        y += 24
    return y - 4


def _dice(c: _Canvas, x: float, y: float, title: Text, dice: tuple[DieView, ...]) -> float:
    c.write(x + 12, y + 18, title, 13, INK, True)
    if not dice:
        c.write(x + 12, y + 42, Text("no dice"), 12, PALE)
    return c.flow(x + 12, y + 38, COLUMN - 20, [_die(c, die) for die in dice]) - 4


# the cards


def _activities(c: _Canvas, cards: tuple[ActivityView, ...], y: float) -> float:
    """A line for each colour, a column for each round that turned one up."""
    c.write(EDGE, y + 14, Text("Activities"), 14, INK, True)
    y += 22
    for colour in TINT:
        line = [card for card in cards if card.colour == colour]
        at = len(c.shapes)
        end = max([_activity(c, _column(n), y, card) for n, card in enumerate(line)], default=y + 28)
        for n in range(3):
            if n < len(line):
                c.panel(at, _column(n), y, COLUMN, end - y, colour)
            else:
                c.write(_column(n) + 12, y + 18, Text("face down until round {n}", n=n + 1), 11, PALE)
                c.under(at, _column(n), y, COLUMN, end - y, PAPER, more=DASHED)
        y = end + GAP
    return y


def _column(n: int) -> float:
    return EDGE + n * (COLUMN + GAP)


def _activity(c: _Canvas, x: float, y: float, card: ActivityView) -> float:
    """A card: its price and divisor, the tradesmen, deferred cubes; gives where it ends."""
    c.write(x + 12, y + 17, shortened(english(card.name), COLUMN - 20, 12, True), 12, INK, True)
    price = Text(
        "{colour}, divide by {n}, hire {price}",
        colour=card.colour_words,
        n=card.divisor,
        price=card.hire_cost,
    )
    c.write(x + 12, y + 32, price, 11)
    pieces = [_space(c, space) for space in card.tradesmen]
    pieces += [_cubes(c, cubes.owner, cubes.n) for cubes in card.cubes]
    if not pieces:
        c.write(x + 12, y + 53, Text("no tradesmen"), 11, PALE)
    return c.flow(x + 12, y + 49, COLUMN - 20, pieces) - 9


def _events(c: _Canvas, events: tuple[EventView, ...], y: float) -> float:
    """Two a line, in the order they work."""
    c.write(EDGE, y + 14, Text("Events, in the order they work"), 14, INK, True)
    if not events:
        c.write(EDGE, y + 36, Text("no events"), 12, PALE)
        return y + 52
    y += 22
    for n in range(0, len(events), 2):
        pair = events[n : n + 2]
        at = len(c.shapes)
        lefts = (EDGE, EDGE + HALF + GAP)
        end = max(
            _event(c, x, y, k, event) for x, (k, event) in zip(lefts, enumerate(pair, n + 1), strict=False)
        )
        for x, event in zip(lefts, pair, strict=False):
            c.panel(at, x, y, HALF, end - y, event.colour)
        y = end + 6
    return y + 2


def _event(c: _Canvas, x: float, y: float, number: int, event: EventView) -> float:
    """An event: what counters it and is won by it on the left, the cubes on the right; gives where it ends."""
    words, cubes = 164, HALF - 184
    name = english(Text("{n}. {name}", n=number, name=event.name))
    c.write(x + 12, y + 17, shortened(name, words, 12, True), 12, INK, True)
    price = Text(
        "{colour} by {n}; {first} and {second} VP",
        colour=event.colour_words,
        n=event.divisor,
        first=event.vp_first,
        second=event.vp_second,
    )
    c.write(x + 12, y + 33, price, 11)
    end = y + 40
    if event.black_dice:
        c.write(x + 12, y + 48, Text("{n} black die", "{n} black dice", n=event.black_dice), 11)
        end = y + 55
    owners = [one.owner for one in event.cubes for _ in range(one.n)] + [""] * event.free
    return max(end, c.flow(x + HALF - cubes - 8, y + 20, cubes, [_cube(c, who) for who in owners]) - 10)


# the players


def _districts(c: _Canvas, view: TroyesView, y: float) -> float:
    """Two a line in the order of the table, each line as high as the taller needs."""
    players = {player.name: player for player in view.players}
    ordered = [players[name] for name in view.seats]
    for n in range(0, len(ordered), 2):
        pair = ordered[n : n + 2]
        at = len(c.shapes)
        end = max(_player(c, EDGE + k * (HALF + GAP), y, player, view) for k, player in enumerate(pair))
        for k, player in enumerate(pair):
            turn = view.phase in TURNS and player.name == view.active
            line, more = (INK, ' stroke-width="3"') if turn else (LINE, "")
            c.under(at, EDGE + k * (HALF + GAP), y, HALF, end - y, PANEL, line, more=more)
        y = end + GAP
    return y


def _player(c: _Canvas, x: float, y: float, player: PlayerView, view: TroyesView) -> float:
    """One player's side; gives where it ends."""
    c.token(x + 20, y + 20, player.name)
    role = _role(player, view)
    c.write(x + HALF - 10, y + 24, role, 12, INK, False, "end")
    c.write(x + 37, y + 25, shortened(player.name, HALF - 62 - wide(role, 12), 14, True), 14, INK, True)
    c.coin(x + 20, y + 48, str(player.deniers))
    c.shield(x + 48, y + 48, str(player.influence))
    stock = Text("supply {supply}, general supply {general}", supply=player.supply, general=player.general)
    c.write(x + 66, y + 52, stock, 12)
    if player.dice:
        y = c.flow(x + 9, y + 75, HALF - 18, [_die(c, die) for die in player.dice]) - 3
    else:
        c.write(x + 10, y + 78, Text("no dice"), 12, PALE)
        y += 95
    for line in _further(player):
        c.write(x + 10, y + 2, line, 12)
        y += 17
    return y - 4


def _role(player: PlayerView, view: TroyesView) -> str:
    """What stands beside the name."""
    if player.score is not None:
        return english(points(player.score))
    return english(Text("start player")) if player.name == view.start else ""


def _further(player: PlayerView) -> Sequence[Text]:
    """What is not there at most times."""
    lines = []
    if player.passed:
        lines.append(
            Text(
                "passed, {n} denier in the district", "passed, {n} deniers in the district", n=player.passing
            )
        )
    if player.won:
        lines.append(Text("{n} event card won", "{n} event cards won", n=len(player.won)))
    lines += [Text("character: {name}", name=name) for name in player.characters]
    return lines


# pieces in a line


def _citizen(c: _Canvas, owner: str) -> _Piece:
    return _Piece(25, lambda x, y: c.token(x + 11, y, owner))


def _space(c: _Canvas, space: SpaceView) -> _Piece:
    return _Piece(25, lambda x, y: c.space(x + 11, y, space))


def _cube(c: _Canvas, owner: str) -> _Piece:
    return _Piece(23, lambda x, y: c.cube(x + 11, y, owner))


def _die(c: _Canvas, die: DieView) -> _Piece:
    return _Piece(26, lambda x, y: c.die(x + 11, y, die))


def _cubes(c: _Canvas, owner: str, n: int) -> _Piece:
    """Several cubes of one owner: how many, and one of them."""
    words = english(Text("{n} ×", n=n))

    def draw(x: float, y: float) -> None:
        c.write(x, y + 4, words, 12)
        c.cube(x + wide(words, 12) + 14, y, owner)

    return _Piece(wide(words, 12) + 32, draw)


def _legend(c: _Canvas, y: float) -> float:
    """What the signs mean."""
    signs: list[tuple[Callable[[float, float], None], Text]] = [
        (lambda x, y: c.circle(x, y, 8, STONE, INK), Text("citizen (g is grey)")),
        (lambda x, y: c.box(x - 8, y - 8, 16, 16, STONE, INK, 2), Text("cube")),
        (lambda x, y: c.coin(x, y, ""), Text("deniers")),
        (lambda x, y: c.shield(x, y, ""), Text("influence")),
        (lambda x, y: c.circle(x, y, 8, "none", LINE, DASHED), Text("free")),
    ]
    return c.flow(EDGE, y + 10, WIDTH - 2 * EDGE, [_sign(c, sign, said) for sign, said in signs])


def _sign(c: _Canvas, sign: Callable[[float, float], None], said: Text) -> _Piece:
    words = english(said)

    def draw(x: float, y: float) -> None:
        sign(x + 11, y)
        c.write(x + 28, y + 4, words, 12)

    return _Piece(wide(words, 12) + 44, draw)
