"""The public board as SVG: our own plain drawing, everything marked by letters as well as by colour."""

from __future__ import annotations

from collections.abc import Iterable

from ..core.drawing import Drawing, initials
from ..core.text import Text, english
from .views import ActivityView, BuildingView, DieView, EventView, TroyesView
from .words import GREY

WIDTH, HEIGHT = 1000, 760
INK, PAPER, PANEL, LINE = "#2c2620", "#f4eedf", "#fffdf6", "#c9b990"
TINT = {"red": "#f3d3cc", "white": "#f4f4f0", "yellow": "#f8ebbd"}
HEAD = {"red": "#9c3b2c", "white": "#6b6b66", "yellow": "#94701a"}
DIE = {
    "red": ("#c8543f", "#ffffff"),
    "white": ("#ffffff", INK),
    "yellow": ("#f0c94a", INK),
    "black": ("#2c2620", "#ffffff"),
}
SEAT = ("#2f6db3", "#3c8a4e", "#b5651d", "#7a4ca0")
GREY_FILL = "#9a958b"


class _Canvas(Drawing):
    """The pieces of this game."""

    def __init__(self, seats: tuple[str, ...]) -> None:
        super().__init__(INK, LINE)
        self.seats = seats
        self.marks = dict(zip(seats, initials(seats), strict=True))

    def panel(self, x: float, y: float, w: float, h: float, title: Text, colour: str) -> None:
        self.box(x, y, w, h, TINT.get(colour, PANEL))
        words = english(title)
        self.write(x + 12, y + 22, words[:1].upper() + words[1:], 16, HEAD.get(colour, INK), True)

    def die(self, x: float, y: float, die: DieView, size: int = 24) -> None:
        fill, ink = DIE[die.colour]
        self.box(x, y, size, size, fill, "#6d6557", 4)
        self.write(x + size / 2, y + size * 0.72, english(die.words), round(size * 0.5), ink, True, "middle")

    def token(self, x: float, y: float, owner: str, radius: int = 15) -> None:
        """A citizen or an empty space."""
        if not owner:
            self.circle(x, y, radius, "none", LINE, ' stroke-dasharray="3 3"')
            return
        fill = GREY_FILL if owner == GREY else SEAT[self.seats.index(owner)]
        mark = "n" if owner == GREY else self.marks[owner]
        self.circle(x, y, radius, fill, INK)
        self.write(x, y + radius * 0.35, mark, round(radius * 0.95), "#ffffff", True, "middle")

    def cube(self, x: float, y: float, owner: str, size: int = 20) -> None:
        """A cube or an empty place for one."""
        if not owner:
            self.box(x, y, size, size, PANEL, LINE, 2)
            return
        self.box(x, y, size, size, SEAT[self.seats.index(owner)], INK, 2)
        self.write(
            x + size / 2, y + size * 0.72, self.marks[owner], round(size * 0.58), "#ffffff", True, "middle"
        )


def picture(view: TroyesView) -> str:
    """The whole board; text stays readable at 640 pixels."""
    c = _Canvas(view.seats)
    c.box(0, 0, WIDTH, HEIGHT, PAPER, PAPER, 0)
    c.write(20, 34, Text("Troyes, {label}", label=view.label), 20, INK, True)
    c.write(980, 34, Text("start player: {who}", who=view.start), 15, INK, False, "end")
    for i, building in enumerate(view.buildings):
        _building(c, 20 + i * 324, 50, building)
    _cathedral(c, view)
    _activities(c, view.activities)
    _events(c, view)
    _districts(c, view)
    return c.svg(WIDTH, HEIGHT)


def _building(c: _Canvas, x: float, y: float, building: BuildingView) -> None:
    c.panel(x, y, 312, 172, building.name, building.colour)
    palace = len(building.rows) == 1
    for r, row in enumerate(building.rows):
        top = y + (76 if palace else 50 + r * (33 if len(building.rows) == 3 else 46))
        if not palace:
            c.write(x + 12, top + 5, row.label, 12)
        for s, space in enumerate(row.spaces):
            left = x + 34 + s * 48 if palace else x + 178 + s * 44
            c.token(left, top, space.owner)
            if palace:
                c.write(left, top + 34, str(space.number), 13, INK, False, "middle")
    if building.lying:
        c.write(x + 12, y + 160, Text("lying:"), 12)
        for i, who in enumerate(building.lying):
            c.token(x + 66 + i * 26, y + 156, who, 11)


def _cathedral(c: _Canvas, view: TroyesView) -> None:
    x, y = 20, 234
    c.panel(x, y, 312, 172, Text("the Cathedral"), "white")
    for r, level in enumerate(view.cathedral):
        c.write(x + 12, y + 58 + r * 34, level.label, 12)
        for s, space in enumerate(level.spaces):
            c.cube(x + 78 + s * 36, y + 42 + r * 34, space.owner, 24)
    for n in range(6):
        c.write(x + 90 + n * 36, y + 156, str(n + 1), 13, INK, False, "middle")


def _activities(c: _Canvas, cards: tuple[ActivityView, ...]) -> None:
    c.panel(344, 234, 636, 172, Text("activities"), "")
    for row, colour in enumerate(("red", "white", "yellow")):
        for column, card in enumerate(card for card in cards if card.colour == colour):
            _activity(c, 356 + column * 206, 264 + row * 46, card)


def _activity(c: _Canvas, x: float, y: float, card: ActivityView) -> None:
    c.box(x, y, 200, 42, TINT[card.colour])
    c.write(x + 8, y + 16, _short(english(card.name), 14), 13, INK, True)
    c.write(
        x + 192,
        y + 16,
        Text("{colour} by {n}", colour=card.colour_words, n=card.divisor),
        12,
        INK,
        False,
        "end",
    )
    for i, space in enumerate(card.tradesmen):
        c.token(x + 16 + i * 22, y + 30, space.owner, 9)
    left = x + 180
    for cubes in reversed(card.cubes):
        c.cube(left, y + 22, cubes.owner, 15)
        c.write(left - 4, y + 34, Text("{n} ×", n=cubes.n), 11, INK, False, "end")
        left -= 46


def _short(name: str, most: int) -> str:
    return name if len(name) <= most else name[: most - 1] + "…"


def _events(c: _Canvas, view: TroyesView) -> None:
    c.panel(20, 418, 960, 216, Text("events, from the left"), "")
    for i, event in enumerate(view.events[:14]):
        _event(c, 32 + (i % 7) * 135.5, 448 + (i // 7) * 92, event)
    if view.black_dice:
        c.write(700, 440, Text("black dice:"), 13)
        for i, die in enumerate(view.black_dice):
            c.die(790 + i * 30, 422, die)


def _event(c: _Canvas, x: float, y: float, event: EventView) -> None:
    c.box(x, y, 130, 86, TINT[event.colour])
    c.write(x + 8, y + 18, _short(english(event.name), 15), 12, INK, True)
    c.write(
        x + 8,
        y + 36,
        Text(
            "{first} / {second} VP, {colour} by {n}",
            first=event.vp_first,
            second=event.vp_second,
            colour=event.colour_words,
            n=event.divisor,
        ),
        11,
    )
    owners = [cubes.owner for cubes in event.cubes for _ in range(cubes.n)]
    for i, who in enumerate([*owners, *[""] * event.free][:6]):
        c.cube(x + 8 + i * 19, y + 44, who, 17)
    if event.black_dice:
        c.write(x + 8, y + 78, Text("{n} black die", "{n} black dice", n=event.black_dice), 12)


def _districts(c: _Canvas, view: TroyesView) -> None:
    players = {player.name: player for player in view.players}
    boxes: list[tuple[str, str, Iterable[DieView]]] = [
        (name, _money(view, name), players[name].dice) for name in view.seats
    ]
    boxes.append((GREY, "", view.grey_dice))
    wide = 960 / len(boxes)
    for i, (name, money, dice) in enumerate(boxes):
        x = 20 + i * wide
        c.box(x, 646, wide - 8, 100, PANEL)
        c.token(x + 20, 666, name, 12)
        title: Text | str = Text("grey district") if name == GREY else _short(name, 11)
        c.write(x + 38, 671, title, 14, INK, True)
        c.write(x + wide - 16, 671, money, 12, INK, False, "end")
        across = int((wide - 24) // 26)
        for n, die in enumerate(dice):
            c.die(x + 10 + (n % across) * 26, 686 + (n // across) * 28, die, 23)


def _money(view: TroyesView, name: str) -> str:
    player = next(p for p in view.players if p.name == name)
    said = Text("{deniers} d, {influence} inf", deniers=player.deniers, influence=player.influence)
    return english(Text("{said}, passed", said=said) if player.passed else said)
