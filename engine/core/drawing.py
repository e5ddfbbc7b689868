"""Plain drawings as SVG: boxes, words and signs in the order they are drawn."""

from __future__ import annotations

from html import escape

from .text import Text, english

FONT = "DejaVu Sans"
"""The pictures are drawn with this font, which is shipped beside the templates."""
_ADVANCE = {
    letter: width
    for width, letters in (
        (0.31, " ',.IJijl’·"),
        (0.37, "-/:;\\f|"),
        (0.41, "!()[]rt"),
        (0.51, '"*_`sz–'),
        (0.58, "?FLTYackvxy"),
        (0.71, "ABCRVXZ"),
        (0.77, "DGHNOQUw"),
        (0.85, "#&+<=>M^~×"),
        (0.99, "%@Wm…"),
    )
    for letter in letters
}
_COMMON = 0.64
_BOLDER = 1.1


def wide(words: str, size: float, bold: bool = False) -> float:
    """About how wide the words come out."""
    return sum(_ADVANCE.get(letter, _COMMON) for letter in words) * size * (_BOLDER if bold else 1)


def shortened(words: str, most: float, size: float, bold: bool = False) -> str:
    """The words, their end cut off where they would be wider than there is room."""
    if wide(words, size, bold) <= most:
        return words
    while words and wide(words + "…", size, bold) > most:
        words = words[:-1]
    return words.rstrip() + "…"


def capital(said: Text) -> str:
    """A text as a heading begins."""
    words = english(said)
    return words[:1].upper() + words[1:]


def initials(names: tuple[str, ...]) -> tuple[str, ...]:
    """Letters that tell the names apart: one, two where two begin alike, one and a number where these do too."""
    return tuple(_initial(names, n) for n in range(len(names)))


def _initial(names: tuple[str, ...], n: int) -> str:
    one, two = [name[:1].upper() for name in names], [name[:2].capitalize() for name in names]
    if one.count(one[n]) == 1:
        return one[n]
    return two[n] if two.count(two[n]) == 1 else f"{one[n]}{n + 1}"


class Drawing:
    """A picture while it is drawn."""

    def __init__(self, ink: str, line: str) -> None:
        self.shapes: list[str] = []
        self.ink = ink
        self.line = line

    def box(
        self,
        x: float,
        y: float,
        w: float,
        h: float,
        fill: str,
        line: str = "",
        round: int = 6,
        more: str = "",
    ) -> None:
        """A rectangle; `more` is further attributes of it."""
        self.shapes.append(
            f'<rect x="{x:g}" y="{y:g}" width="{w:g}" height="{h:g}" rx="{round}" fill="{fill}"'
            f' stroke="{line or self.line}"{more}/>'
        )

    def under(
        self,
        at: int,
        x: float,
        y: float,
        w: float,
        h: float,
        fill: str,
        line: str = "",
        round: int = 6,
        more: str = "",
    ) -> None:
        """A rectangle beneath what has been drawn since there were `at` shapes: its height is known only now."""
        self.box(x, y, w, h, fill, line, round, more)
        self.shapes.insert(at, self.shapes.pop())

    def circle(self, x: float, y: float, radius: float, fill: str, line: str = "", more: str = "") -> None:
        """A circle about a point."""
        self.shapes.append(
            f'<circle cx="{x:g}" cy="{y:g}" r="{radius:g}" fill="{fill}" stroke="{line or self.line}"{more}/>'
        )

    def shape(
        self, points: tuple[tuple[float, float], ...], fill: str, line: str = "", more: str = ""
    ) -> None:
        """A polygon through points."""
        said = " ".join(f"{x:g},{y:g}" for x, y in points)
        self.shapes.append(f'<polygon points="{said}" fill="{fill}" stroke="{line or self.line}"{more}/>')

    def write(
        self,
        x: float,
        y: float,
        said: Text | str,
        size: int = 13,
        fill: str = "",
        bold: bool = False,
        anchor: str = "start",
    ) -> None:
        """Words on a line that begins, or ends, at a point."""
        words = escape(said if isinstance(said, str) else english(said))
        if not words:
            return
        weight = ' font-weight="bold"' if bold else ""
        self.shapes.append(
            f'<text x="{x:g}" y="{y:g}" font-size="{size}" fill="{fill or self.ink}"'
            f' text-anchor="{anchor}"{weight}>{words}</text>'
        )

    def svg(self, width: float, height: float) -> str:
        """The whole picture."""
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}" height="{height:g}" '
            f'viewBox="0 0 {width:g} {height:g}" font-family="{FONT}, sans-serif">'
            + "".join(self.shapes)
            + "</svg>"
        )
