"""What the tests of both games' pictures look at: where shapes lie, and whether words lie on words."""

from __future__ import annotations

import re
from itertools import combinations
from xml.etree.ElementTree import Element

from pbem.engine.core.drawing import wide

Box = tuple[float, float, float, float]
"""Left, top, right, bottom."""


def points(shape: Element) -> list[tuple[float, float]]:
    """Corners of a shape, or of the words."""
    if shape.text is not None:
        left, top, right, bottom = covered(shape)
        return [(left, top), (right, bottom)]
    at = {name: float(value) for name, value in shape.attrib.items() if re.fullmatch(r"-?[\d.]+", value)}
    if "points" in shape.attrib:
        pairs = (pair.split(",") for pair in shape.attrib["points"].split())
        return [(float(x), float(y)) for x, y in pairs]
    if "r" in at:
        return [(at["cx"] - at["r"], at["cy"] - at["r"]), (at["cx"] + at["r"], at["cy"] + at["r"])]
    return [(at["x"], at["y"]), (at["x"] + at["width"], at["y"] + at["height"])]


def covered(words: Element) -> Box:
    """What a line of words covers: about as wide as it is drawn, as high as its capitals."""
    size = float(words.attrib["font-size"])
    length = wide(words.text or "", size, words.attrib.get("font-weight") == "bold")
    x, y = float(words.attrib["x"]), float(words.attrib["y"])
    left = x - length * {"start": 0, "middle": 0.5, "end": 1}[words.attrib["text-anchor"]]
    return left, y - 0.73 * size, left + length, y


def lines(root: Element) -> list[Element]:
    """The lines of words in a picture, in the order they were drawn."""
    return [shape for shape in root if shape.tag.endswith("text") and shape.text]


def laid_on_one_another(root: Element) -> list[tuple[str | None, str | None]]:
    """Words that cover one another."""
    return [(a.text, b.text) for a, b in combinations(lines(root), 2) if _meet(covered(a), covered(b))]


def _meet(a: Box, b: Box) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]
