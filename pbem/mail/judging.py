"""Order, attempt or prose: what one line is, in every spelling that keyboards and programs make of it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

MAX_ORDER = 32_768
"""Characters; a longer line is no order."""
_PIECES = 50

_BOLD = re.compile(r"^([*_]{1,2})(.+)\1$")
_BULLET = re.compile(r"^(?:[•\-*–—·]|\(?\d{1,3}[.)])\s+")
_COMMENT = re.compile(r"\s+#.*$")
_LINK = re.compile(r"\s?<(?:mailto|https?):[^<>\s]*>")
_CLOSING = " .,;:!?*_\"'`"
_FOLDED = str.maketrans(
    {
        **dict.fromkeys("\u2018\u2019\u201a\u201b\u2032\u00b4\u02bc`", "'"),
        **dict.fromkeys("\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb", '"'),
        **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212", "-"),
        **dict.fromkeys("\u2192\u21d2\u27a1\u2794\u27f6", "->"),
    }
)


class Attempt(Exception):
    """Raised by an order function: the line was meant as an order but is none."""

    def __init__(self, why: object = None, line: str = "") -> None:
        """`why`: a typed reason of any kind, handed on untouched; `line`: what was tried."""
        super().__init__(why, line)
        self.why = why
        self.line = line


OrderReader = Callable[[str], str | None]
"""Normal form of one order; None for prose; raises `Attempt`. Gets one line, or, for a text of several
lines, these joined by line ends."""

Verdict = str | Attempt | None
"""Normal form, fault, or prose."""


class Judge:
    """Asks the order function, once for each spelling."""

    def __init__(self, order: OrderReader) -> None:
        self._order = order
        self._known: dict[str, Verdict] = {}

    def is_order(self, text: str) -> bool:
        """True if the line is an order as it stands."""
        return isinstance(self.verdict(text), str)

    def verdict(self, text: str) -> Verdict:
        """What a clean line is: the first spelling that is an order wins, the plainest attempt is told."""
        if text not in self._known:
            self._known[text] = self._judged(text)
        return self._known[text]

    def pieces(self, text: str, *, inside: bool) -> list[tuple[str, Verdict]]:
        """The line as a whole if it is an order, else its parts between semicolons if one of them is, or two are meant
        as one: orders for questions that come later cannot be read yet.
        Outside markers the first part must be more than prose; a text of several lines is never parted."""
        found, rest = [(text, self.verdict(text))], text
        parts: list[tuple[str, Verdict]] = []
        while (
            ";" in rest
            and "\n" not in rest
            and not isinstance(self.verdict(rest), str)
            and len(parts) < _PIECES
        ):
            head, _, rest = (part.strip() for part in rest.partition(";"))
            if head:
                parts.append((head, self.verdict(head)))
        if rest:
            parts.append((rest, self.verdict(rest)))
        meant = [v for _, v in parts if v is not None]
        whole = len(parts) == 1 or (len(meant) < 2 and not any(isinstance(v, str) for v in meant))
        if whole or len(parts) > _PIECES or (not inside and parts[0][1] is None):
            return found
        return parts

    def _judged(self, text: str) -> Verdict:
        fault: Attempt | None = None
        for spelling in _spellings(text):
            try:
                order = self._order(spelling)
            except Attempt as e:
                fault = e.with_traceback(None)
                continue
            if order is not None:
                return order
        return fault


def bare(text: str) -> str:
    """A line without the marks of a list or of bold type around it."""
    if text[:1] in "*_" and len(text) <= MAX_ORDER:
        text = _BOLD.sub(r"\2", text).strip()
    return _BULLET.sub("", text)


def _spellings(text: str) -> Iterator[str]:
    """What may have been meant: as written, without a comment, with plain punctuation and none at the end."""
    if len(text) > MAX_ORDER:
        return
    line = bare(text)
    if line:
        yield line
    short = _COMMENT.sub("", line) if "#" in line else line
    if short and short != line:
        yield short
    plain = _LINK.sub("", short.translate(_FOLDED)).strip(_CLOSING)
    if plain and plain != short:
        yield plain
