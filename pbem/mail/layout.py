"""Who wrote which line of an answer: the player, we ourselves in the copy below it, or somebody else.

Nothing here knows a language. An attribution or a header block that names us starts a copy of our mail,
one that names another starts text that is not the player's; quotation marks do the rest.
"""

from __future__ import annotations

import itertools
import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from enum import StrEnum
from typing import NamedTuple

_INVISIBLE = re.compile(
    "[\x00-\x08\x0e-\x1b\x7f\u00ad\u034f\u061c\u180e\ufeff\u200b-\u200f\u202a-\u202e\u2060-\u206f"
    "\ufe00-\ufe0f\ufff9-\ufffb\U000e0000-\U000e0fff]"
)
_QUOTE = re.compile(r"\s?+((?:>\s?+)*+)")  # possessive: a line of a million marks needs no memory
_LABEL = re.compile(r"^\W{0,3}[^\W\d][\w .]{0,18}\s?[:\uff1a]\s?\S")  # "Von: x", "De : x", in any script
_RULE = re.compile(r"^-{3,}\s?\w.*\w\s?-{3,}$")  # "--- Original Message ---"
_YEAR = re.compile(r"\d{4}")
_CLOCK = re.compile(r"\d{1,2}[:.h]\d\d")
_BRACKETED = re.compile(r"<[^<>]+@[^<>]+>")
_ITEM = re.compile(r"(\d{1,5})\.(\d{1,3}) +\S")
_SIGNATURE_MARKS = ("--", "\u2014")  # some keyboards make one long dash of two
_COLONS = (":", "\uff1a")
_HEADER_BLOCK = 12
_ATTRIBUTION = 260
_LABEL_LINE = 2_000
_LONGEST = 32_768
"""Letters of a line that are made plain; some become eighteen. A longer one is no order anyway."""


class Author(StrEnum):
    """Who wrote a line."""

    PLAYER = "player"
    SIGNATURE = "signature"
    COPY = "copy"
    """Our own mail, sent back below the answer."""
    OTHER = "other"
    """Another person, or the player in an earlier mail."""
    CUT = "cut"
    """An attribution or header block between two of these."""


class Line(NamedTuple):
    """One line as it came, and what is known of it."""

    number: int
    """From 1, as the sender counts."""
    depth: int
    """Marks of quotation before it."""
    text: str
    """Normal form: no invisible letters, single blanks, compatible letters made plain."""


class Placed(NamedTuple):
    """A line with its author."""

    line: Line
    author: Author
    region: int
    """Number of the stretch between two cuts."""


def clean(text: str) -> str:
    """A line without invisible letters, with single blanks and plain forms of letters (NFKC)."""
    if len(text) <= _LONGEST and not (text.isascii() and text.isprintable()):
        text = unicodedata.normalize("NFKC", _INVISIBLE.sub("", text))
    return " ".join(text.split())


def split_lines(text: str) -> list[Line]:
    """The lines of a decoded text with their depth of quotation."""
    lines = []
    for number, raw in enumerate(text.split("\n"), 1):
        marks = _QUOTE.match(raw)
        end = marks.end() if marks else 0
        lines.append(Line(number, marks[1].count(">") if marks else 0, clean(raw[end:])))
    return lines


class Layout:
    """Finds the author of each line of one text."""

    def __init__(self, our_name: str, our_domain: str, is_order: Callable[[str], bool]) -> None:
        """`is_order` is asked only where a line of the player's could be taken for a header."""
        self._name = our_name.casefold()
        self._domain = "@" + our_domain.casefold()
        self._is_order = is_order

    def place(self, lines: Sequence[Line], sent: frozenset[str] = frozenset()) -> list[Placed]:
        """Each line with its author. `sent`: clean lines of the mail that is being answered, if known."""
        return list(self._placed(lines, sent))

    def _placed(self, lines: Sequence[Line], sent: frozenset[str]) -> Iterator[Placed]:
        author, signature, region, i = Author.PLAYER, False, 0, 0
        while i < len(lines):
            line = lines[i]
            n, next_author = self._cut(lines, i)
            if n:
                author, signature, region = next_author, False, region + 1
                yield from (Placed(cut, Author.CUT, region) for cut in lines[i : i + n])
                i += n
                continue
            if line.depth:
                signature = False
                if author is Author.PLAYER and self._is_quoted_attribution(line):
                    author, region = Author.COPY, region + 1
            elif author is Author.PLAYER and self._copy_starts(lines, i, sent):
                author, signature, region = Author.COPY, False, region + 1
            elif line.text in _SIGNATURE_MARKS:
                signature = True
            yield Placed(line, Author.SIGNATURE if signature else author, region)
            i += 1

    def _cut(self, lines: Sequence[Line], i: int) -> tuple[int, Author]:
        """How many lines from `i` on divide two authors, and who wrote what follows."""
        line = lines[i]
        if line.depth or not line.text:
            return 0, Author.PLAYER
        n, author = self._header_block(lines, i) if _has_colon(line.text) else (0, Author.OTHER)
        if not n:
            n, author = self._attribution(lines, i)
        if not n and _is_rule(line.text):
            return 1, Author.OTHER
        return n, author

    def _ours(self, text: str) -> bool:
        """True if the text names us; our name alone may stand in a line of the player's, so that it counts
        only beside an address or a date."""
        folded = text.casefold()
        return self._domain in folded or (self._name in folded and _dated(text))

    def _header_block(self, lines: Sequence[Line], i: int) -> tuple[int, Author]:
        """A block of From, Sent, To, Subject, unquoted, as Outlook writes it in any language."""
        block: list[str] = []
        for line in lines[i : i + _HEADER_BLOCK]:
            if line.depth or not _is_label(line.text, inside=bool(block)):
                break
            block.append(line.text)
        if not self._is_header(block):
            return 0, Author.OTHER
        block = list(itertools.takewhile(self._is_no_order, block))  # asked last: a real grammar is slow
        if not self._is_header(block):
            return 0, Author.OTHER
        date_first = _YEAR.search(block[0]) and "@" not in block[0]
        writer = (block[1] if date_first else block[0]).casefold()
        ours = self._domain in writer or self._name in writer
        return len(block), Author.COPY if ours else Author.OTHER

    def _is_header(self, block: Sequence[str]) -> bool:
        if len(block) < 3:
            return False
        whole = " ".join(block)
        return "@" in whole or self._ours(whole)

    def _is_no_order(self, text: str) -> bool:
        return "@" in text or self._name in text.casefold() or not self._is_order(text)

    def _attribution(self, lines: Sequence[Line], i: int) -> tuple[int, Author]:
        """One to three lines that end in a colon and name us, or any address and a time of day."""
        length = 0
        for n, line in enumerate(lines[i : i + 3], 1):
            length += len(line.text)
            if line.depth or not line.text or length > _ATTRIBUTION:
                break
            if line.text.endswith(_COLONS) and (
                author := self._attributed([x.text for x in lines[i : i + n]])
            ):
                if self._is_order(lines[i].text):
                    break
                return n, author
        return 0, Author.OTHER

    def _attributed(self, part: Sequence[str]) -> Author | None:
        """The writer that these lines name, None if they are no attribution."""
        text = " ".join(part)
        if not re.search(r"\d", text):
            return None
        ours = self._ours(text)
        if len(part) > 1:
            first, tail = part[0], " ".join(part[1:])
            opens = self._name in first.casefold() or "@" in first or "<" in first
            opens = opens or bool(_YEAR.search(first) and _CLOCK.search(first))
            if not opens and (self._name in tail.casefold() or not ours):
                return None
        if ours:
            return Author.COPY
        return Author.OTHER if _BRACKETED.search(text) and _CLOCK.search(text) else None

    def _is_quoted_attribution(self, line: Line) -> bool:
        """Apple's programs put the attribution inside the quotation."""
        text = line.text
        fits = line.depth == 1 and len(text) < _ATTRIBUTION and text.endswith(_COLONS)
        return fits and bool(re.search(r"\d", text)) and self._ours(text)

    def _copy_starts(self, lines: Sequence[Line], i: int, sent: frozenset[str]) -> bool:
        """True if a menu of ours or three lines of our mail follow here without any attribution."""
        if _is_menu(lines[i].text, lines[i + 1].text if i + 1 < len(lines) else ""):
            return True
        if lines[i].text not in sent:
            return False
        run = [line.text for line in lines[i : i + 12] if line.text][:3]
        return len(run) == 3 and all(
            text in sent and marker(text) is None and not self._is_order(text) for text in run
        )


def _is_menu(line: str, below: str) -> bool:
    """True for the first two lines of a list of what may be written, as our letters have it: 12.1, 12.2."""
    first, second = _ITEM.match(line), _ITEM.match(below)
    if first is None or second is None:
        return False
    return first[1] == second[1] and (first[2], second[2]) == ("1", "2")


def _has_colon(text: str) -> bool:
    return any(colon in text for colon in _COLONS)


def _is_label(text: str, *, inside: bool) -> bool:
    """True for `From: x`, or, inside a block, for a list of people that goes on."""
    if not text or len(text) > _LABEL_LINE:
        return False
    return bool(_LABEL.match(text)) or (inside and bool(_BRACKETED.search(text[:_ATTRIBUTION])))


def _is_rule(text: str) -> bool:
    """True for a line like `--- Original Message ---`; a signed mail begins with one that divides nothing."""
    fits = len(text) < _ATTRIBUTION and bool(_RULE.match(text))
    return fits and marker(text) is None and "PGP SIGNED" not in text


def _dated(text: str) -> bool:
    return bool(_YEAR.search(text) or _CLOCK.search(text))


_MARKER = re.compile(
    r"\W{0,8}(?:(BEGIN|END) ORDERS(?: (\d{1,9}))?\W{0,8}|(END) ORDERS \d{1,9}\W.{0,30})", re.I
)  # some web mailers glue what follows to the end
_MARKER_LINE = 40


class Marker(StrEnum):
    """The two lines around a form."""

    BEGIN = "begin"
    END = "end"


def marker(text: str) -> Marker | None:
    """Which marker line the text is, if it is one; programs may put stars or dashes around it."""
    if len(text) > _MARKER_LINE or "orders" not in text.lower():
        return None
    m = _MARKER.fullmatch(text)
    return Marker((m[1] or m[3]).lower()) if m else None


def marked(text: str) -> int | None:
    """The number that a marker line names, if any: that of the digest whose form it is."""
    m = _MARKER.fullmatch(text)
    return int(m[2]) if m and m[2] else None
