"""The orders in a player's answer, in the order written, and what became of every other line.

A line is an order, an attempt at one, or prose (D-18). We send our form empty, so what stands between its
markers is the player's, quoted or not; outside, only unquoted lines of the player's own text count.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from operator import itemgetter

from pbem.mail.judging import MAX_ORDER, Attempt, Judge, OrderReader, Verdict, bare
from pbem.mail.layout import Author, Layout, Line, Placed, clean, split_lines
from pbem.mail.mime import MAX_LINES, MAX_TEXT, Cut, Mail
from pbem.mail.stretches import Mine, Reason, Skipped, Stretch, sorted_out
from pbem.mail.text import tidy

__all__ = [
    "Attempt",
    "Attempted",
    "Entry",
    "Ignored",
    "OrderReader",
    "Ordered",
    "Reason",
    "Reply",
    "ReplyReader",
    "TextOpener",
]

_WRAPPED = 35
"""Outside markers a line is joined with the next only if it is as long as a wrapped line at least."""
_JOINS = 3
_COUNTED = frozenset({Reason.QUOTATION, Reason.FORWARDED})
_SENTENCE_ENDS = ".!?:;)\"'"
_DROPPED = 12
"""Lines that were not read although they are orders, of which a mail is told."""
_NO_WORD = "qxzvkj"
"""What only a text of free words may go on with."""
_NUMBER = re.compile(r"\d+(?![\d.)])")
_LETTER = re.compile(r"[^\W\d_]")
_SPOILT = re.compile(r"[^\W_]\?+[^\W_]|(?<![^\W_])\?+[^\W_]|\?{3,}|\ufffd")
_SPOILT_WORDS = 3
_SPOILT_SHARE = 0.1

TextOpener = Callable[[str], str | None]
"""For a line that opens a text of several lines, the words of the line that closes it; else None."""


@dataclass(frozen=True, slots=True)
class Ordered:
    """A line that is an order."""

    line: str
    order: str
    """Normal form."""
    inside: bool
    """True between our markers."""
    number: int
    """Line of the text, from 1."""
    form: int | None = None
    """The number in the marker above, if it is inside and has one."""


@dataclass(frozen=True, slots=True)
class Attempted:
    """A line that was meant as an order and is none."""

    line: str
    why: object
    """As the order function gave it; None if it took a line between markers for prose."""
    inside: bool
    number: int = 0
    form: int | None = None


@dataclass(frozen=True, slots=True)
class Ignored:
    """A line that was not read; for `QUOTATION` and `FORWARDED` the first of `n`."""

    line: str
    reason: Reason
    n: int = 1
    number: int = 0


Entry = Ordered | Attempted


@dataclass(frozen=True, slots=True)
class Reply:
    """What was found in one mail."""

    lines: tuple[Entry, ...] = ()
    """Orders and the attempts that count, in the order written: a script stops at the first attempt."""
    attempts: list[Attempted] = field(default_factory=list)
    """All attempts, those beside a block as well, which are only reported."""
    ignored: list[Ignored] = field(default_factory=list)
    has_block: bool = False
    """True if something stands between markers."""
    unclosed: bool = False
    """True if a block has no end: the mail may have been cut on its way."""
    part: str = "plain"
    """The part of the mail that was read: `plain`, `html` or `none`."""
    disagree: bool = False
    """True if plain text and HTML hold different orders: ask."""
    cut: Cut | None = None
    """Why some of the mail is not known, if so."""
    last: str = ""
    """The last line that was read; told where the mail was cut."""
    attachments: tuple[str, ...] = ()
    """Names of the attachments; they are not read."""
    texts: int = 0
    """How many of them are small texts."""
    outlook: bool = False
    """True if the mail came as `winmail.dat`."""
    undeclared: bool = False
    """True if the text was read with an encoding undone that no header declares."""
    spoilt: bool = False
    """True if many letters have become question marks on the way."""
    below_mark: bool = False
    """True if the orders stood below the mark of a signature, and nothing above it."""
    blocks: tuple[int | None, ...] = ()
    """For each block that holds something, the number in its marker."""
    dropped: tuple[str, ...] = ()
    """Lines that are orders and were not read, although they may be the player's."""

    @property
    def orders(self) -> list[str]:
        """Normal forms of the orders, in the order written."""
        return [entry.order for entry in self.lines if isinstance(entry, Ordered)]

    @property
    def faults(self) -> list[Attempted]:
        """The attempts that count."""
        return [entry for entry in self.lines if isinstance(entry, Attempted)]

    @property
    def empty(self) -> bool:
        """True if nothing was an order or an attempt at one."""
        return not self.lines and not self.attempts


class ReplyReader:
    """Reads answers to our mails; knows our name and domain, and one order from prose."""

    def __init__(
        self, our_name: str, our_domain: str, order: OrderReader, opens: TextOpener | None = None
    ) -> None:
        self._name = our_name
        self._domain = our_domain
        self._order = order
        self._opens = opens

    def read(self, raw: bytes | str | Mail, sent: Iterable[str] = ()) -> Reply:
        """Reads a raw or opened mail, or a decoded text. `sent`: lines of the mail being answered, if known.
        Raises nothing of its own; what the order function raises beside `Attempt` passes through."""
        known = frozenset(map(clean, sent)) - {""}
        if isinstance(raw, str):
            cut = Cut.LINES if len(raw) > MAX_TEXT else None
            return self._read_text(tidy(raw[:MAX_TEXT]), known, cut=cut)
        mail = raw if isinstance(raw, Mail) else Mail(raw)
        reply = self._read_mail(mail, known)
        return replace(
            reply,
            cut=reply.cut or _lost_end(mail, reply),
            attachments=tuple(a.name for a in mail.attachments),
            texts=len(mail.text_attachments),
            outlook=mail.wrapped_by_outlook,
        )

    def _read_mail(self, mail: Mail, known: frozenset[str]) -> Reply:
        """Plain text first; the HTML where that is blank or holds nothing, and to compare the two."""
        reply = self._read_text(mail.text, known, part=mail.part, cut=mail.cut)
        if reply.below_mark and mail.text_attachments:
            reply = replace(reply, lines=(), attempts=[], below_mark=False, blocks=())
        if mail.part == "plain" and mail.undeclared:
            reply = self._undone(mail, reply, known)
        if mail.part != "plain" or not mail.html.strip() or (mail.cut and not reply.empty):
            return reply
        other = self._read_text(mail.html, known, part="html", cut=mail.cut)
        if _was_wrapped(reply.orders, other.orders) or (not reply.orders and other.orders):
            return other
        if reply.empty:
            return reply if other.empty else other
        return replace(reply, disagree=True) if _differ(reply.orders, other.orders) else reply

    def _undone(self, mail: Mail, reply: Reply, known: frozenset[str]) -> Reply:
        """A text that looks like quoted-printable and is not declared as such: as it is if that can be read
        without a fault, else decoded."""
        if reply.orders and not reply.faults:
            return reply
        other = self._read_text(mail.undeclared, known, part="plain", cut=mail.cut)
        return replace(other, undeclared=True) if other.orders else reply

    def _read_text(
        self, text: str, known: frozenset[str], *, part: str = "plain", cut: Cut | None = None
    ) -> Reply:
        lines = split_lines(text)
        if len(lines) > MAX_LINES:
            cut, lines = cut or Cut.LINES, lines[:MAX_LINES]
        judge = Judge(self._order)
        placed = Layout(self._name, self._domain, judge.is_order).place(lines, known)
        reply = self._found(judge, placed, known)
        if reply.empty and self._order_below_mark(judge, placed):
            unsigned = [
                p._replace(author=Author.PLAYER) if p.author is Author.SIGNATURE else p for p in placed
            ]
            reply = replace(self._found(judge, unsigned, known), below_mark=True)
        own = [p.line.text for p in placed if not p.line.depth and p.author is Author.PLAYER]
        last = next((line.text for line in reversed(lines) if line.text), "")
        return replace(reply, part=part, cut=cut, last=last, spoilt=_is_spoilt(own))

    @staticmethod
    def _order_below_mark(judge: Judge, placed: Sequence[Placed]) -> bool:
        """True if the first line below a signature's mark is an order in words: no signature begins so."""
        below = [p.line.text for p in placed if p.author is Author.SIGNATURE and p.line.text]
        return len(below) > 1 and judge.is_order(below[1]) and bool(_LETTER.search(below[1]))

    def _found(self, judge: Judge, placed: Sequence[Placed], known: frozenset[str]) -> Reply:
        stretches, skipped = sorted_out(placed)
        found = _Findings(judge, self._opens, known)
        for stretch in stretches:
            found.read(stretch)
        return found.reply(skipped)


class _Findings:
    """What the stretches of one text hold, gathered one after the other."""

    def __init__(self, judge: Judge, opens: TextOpener | None, known: frozenset[str]) -> None:
        self._judge = judge
        self._opens = opens
        self._known = known
        self._entries: list[tuple[Entry, Stretch]] = []
        self._ignored: list[Ignored] = []
        self._perhaps: list[str] = []

    def read(self, stretch: Stretch) -> None:
        """Reads one stretch, line by line, joining what belongs together."""
        closers = [line.text.casefold() for line in stretch.lines] if self._opens else []
        i = 0
        while i < len(stretch.lines):
            line = stretch.lines[i]
            if not line.text:
                i += 1
                continue
            if not stretch.inside and self._goes_on(stretch.lines, i):
                if self._judge.is_order(line.text):
                    self._perhaps.append(line.text)
                self._ignored.append(Ignored(line.text, Reason.CHAT, 1, line.number))
                i += 1
                continue
            n, text = self._several(stretch.lines, i, closers) or self._joined(stretch, i)
            if not self._take(line, text, stretch):
                self._ignored += [
                    Ignored(x.text, Reason.QUOTATION, 1, x.number) for x in stretch.lines[i:] if x.text
                ]
                return
            i += n

    def reply(self, skipped: Iterable[Skipped]) -> Reply:
        """Weighs what was found: a block of the player's own beats loose orders, any block loose attempts."""
        has_block = any(s.inside for _, s in self._entries)
        own_block = any(s.inside and s.own for _, s in self._entries)
        beside = [e.line for e, s in self._entries if own_block and not s.inside and isinstance(e, Ordered)]
        blocks = {id(s): s.form for _, s in self._entries if s.inside}
        lines: list[Entry] = []
        for entry, stretch in self._entries:
            if stretch.inside or not (own_block if isinstance(entry, Ordered) else has_block):
                lines.append(entry)
            elif isinstance(entry, Ordered):
                self._ignored.append(Ignored(entry.line, Reason.BESIDE, 1, entry.number))
        return Reply(
            lines=tuple(lines),
            attempts=[e for e, _ in self._entries if isinstance(e, Attempted)],
            ignored=_counted(self._ignored, skipped),
            has_block=has_block,
            blocks=tuple(blocks.values()),
            unclosed=any(s.inside and not s.closed for _, s in self._entries),
            dropped=tuple(
                dict.fromkeys([*beside, *self._perhaps, *self._dropped(skipped, has_order=bool(lines))])
            )[:_DROPPED],
        )

    def _dropped(self, skipped: Iterable[Skipped], has_order: bool) -> Iterator[str]:
        """Orders among the lines left out that may be the player's."""
        for one in skipped:
            looked_at = one.mine is Mine.PERHAPS or (one.mine is Mine.HARDLY and not has_order)
            if looked_at and one.line.text not in self._known and self._judge.is_order(one.line.text):
                yield one.line.text

    def _goes_on(self, lines: Sequence[Line], i: int) -> bool:
        """True if line `i` is the rest of a sentence that was wrapped before it: no order, or one of a single
        word, which may be a sentence's last; that one is asked about."""
        text = lines[i].text
        if i == 0 or lines[i].number != lines[i - 1].number + 1:
            return False
        if self._judge.is_order(text) and (" " in text or not _LETTER.search(text)):
            return False
        before = lines[i - 1].text
        wrapped = len(before) >= _WRAPPED and before[-1] not in _SENTENCE_ENDS
        return wrapped and self._judge.verdict(before) is None

    def _several(self, lines: Sequence[Line], i: int, closers: Sequence[str]) -> tuple[int, str] | None:
        """The lines of a text of several lines that opens at `i`, its closing line left out."""
        closing = self._opens(bare(lines[i].text)) if self._opens else None
        if closing is None:
            return None
        try:
            end = closers.index(closing.casefold(), i + 1)
        except ValueError:
            return None
        return end + 1 - i, "\n".join(line.text for line in lines[i:end])

    def _joined(self, stretch: Stretch, i: int) -> tuple[int, str]:
        """Line `i`, or it and the next ones where a mail program has wrapped an order over them."""
        text = stretch.lines[i].text
        verdict = self._judge.verdict(text)
        if not stretch.inside and verdict is None:
            return 1, text
        long = (stretch.inside or len(text) >= _WRAPPED) and not isinstance(verdict, str)
        longer = text
        for n, line in enumerate(stretch.lines[i + 1 : i + 1 + _JOINS], 2):
            adjacent = line.text and line.number == stretch.lines[i].number + n - 1
            if not adjacent or not self._may_go_on(line.text, verdict) or len(longer) > MAX_ORDER:
                break
            longer += " " + line.text
            if self._judge.is_order(longer) and (long or not self._is_free(longer)):
                return n, longer
        return 1, text

    def _is_free(self, text: str) -> bool:
        """True for an order that ends in free text, which goes on with anything."""
        return self._judge.is_order(f"{text.partition(' #')[0]} {_NO_WORD}")

    def _may_go_on(self, text: str, before: Verdict) -> bool:
        """True if a line may be the rest of the one above: it is prose, or, where that one is no order as it
        stands, a number, which alone would be one."""
        return self._judge.verdict(text) is None or (
            not isinstance(before, str) and bool(_NUMBER.match(text))
        )

    def _take(self, line: Line, text: str, stretch: Stretch) -> bool:
        """Files one line under what it is; False if a form whose end is missing is over here."""
        open_form = stretch.inside and not stretch.closed and not stretch.own
        for piece, verdict in self._judge.pieces(text, inside=stretch.inside):
            if open_form and (verdict is None or line.text in self._known):
                return False
            self._file(piece, verdict, line.number, stretch)
        return True

    def _file(self, piece: str, verdict: Verdict, number: int, stretch: Stretch) -> None:
        entry: Entry
        if isinstance(verdict, str):
            entry = Ordered(piece, verdict, stretch.inside, number, stretch.form)
        elif verdict is not None or (stretch.inside and stretch.closed and not piece.startswith("#")):
            entry = Attempted(piece, verdict.why if verdict else None, stretch.inside, number, stretch.form)
        else:
            self._ignored.append(Ignored(piece, _prose(piece), 1, number))
            return
        self._entries.append((entry, stretch))


def _lost_end(mail: Mail, reply: Reply) -> Cut | None:
    """`TRANSPORT` if the mail's last line is an order or an attempt whose end may be missing."""
    last = reply.lines[-1] if reply.lines else None
    return Cut.TRANSPORT if last and mail.ends_in_a_line and last.line in reply.last else None


def _is_spoilt(lines: Iterable[str]) -> bool:
    """True if many words have question marks in place of letters."""
    words = [word for line in lines for word in line.split() if "/" not in word]
    bad = sum(1 for word in words if _SPOILT.search(word))
    return bad >= _SPOILT_WORDS and bad >= _SPOILT_SHARE * len(words)


def _prose(text: str) -> Reason:
    if len(text) > MAX_ORDER:
        return Reason.TOO_LONG
    return Reason.COMMENT if text.startswith("#") else Reason.CHAT


def _counted(ignored: Iterable[Ignored], skipped: Iterable[Skipped]) -> list[Ignored]:
    """In the order written; copies and forwarded text, which may be long, as one entry each."""
    found = [(one.number, one.reason, one.line) for one in ignored]
    found += [(line.number, reason, line.text) for line, reason, _ in skipped]
    found.sort(key=itemgetter(0))
    counts = Counter(reason for _, reason, _ in found)
    out: list[Ignored] = []
    told: set[Reason] = set()
    for number, reason, line in found:
        if reason not in _COUNTED:
            out.append(Ignored(line, reason, 1, number))
        elif reason not in told:
            told.add(reason)
            out.append(Ignored(line, reason, counts[reason], number))
    return out


def _folded(orders: Iterable[str]) -> list[str]:
    return [" ".join(order.casefold().split()) for order in orders]


def _differ(plain: Sequence[str], html: Sequence[str]) -> bool:
    """True if both parts hold orders, and not the same."""
    return bool(plain and html) and _folded(plain) != _folded(html)


def _was_wrapped(plain: Sequence[str], html: Sequence[str]) -> bool:
    """True if the orders of the plain text are those of the HTML, but for ends lost to hard line wrapping."""
    pairs = list(zip(_folded(plain), _folded(html), strict=False))
    if not pairs or len(plain) != len(html):
        return False
    return _differ(plain, html) and all(b == a or b.startswith(a + " ") for a, b in pairs)
