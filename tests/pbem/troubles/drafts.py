"""A right order mail, taken apart so that every part of it can be spoilt, and put together byte by byte."""

from __future__ import annotations

import base64
import html
import quopri
import re
import textwrap
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import IntEnum


class Fate(IntEnum):
    """How a mail must end; the strictest of a stack counts."""

    SAME = 0
    """Exactly the orders that its author meant."""
    ASKED = 1
    """Nothing is done, and the registered address hears of it or the mail is held."""
    NOTHING = 2
    """Nothing is done, and its sender is not answered."""
    ANY = 3
    """Beyond all repair: any of these, but no order that was not meant."""


@dataclass(frozen=True)
class Letter:
    """What is answered: our letter as its reader has it."""

    name: str
    """Our own."""
    address: str
    reply_to: str
    message_id: str
    subject: str
    lines: tuple[str, ...]
    form: int
    """The number in its markers."""
    author: str
    """Address of whoever answers."""
    opponent: str
    stale: str = ""
    """A code of an earlier digest, whose question is closed."""
    foreign: str = ""
    """A code that this seat was never given."""
    others_reply_to: str = ""
    """The reply address of somebody else's letter."""


@dataclass
class Draft:
    """One mail in the making. Each mutator changes some of it."""

    letter: Letter
    orders: list[str]
    """What is meant, a line each."""
    style: str = "loose"
    """`loose`, `block`: between markers in the author's own text, `filled`: in the form of the quotation."""
    before: list[str] = field(default_factory=lambda: ["Hello!", ""])
    after: list[str] = field(default_factory=lambda: ["", "Thank you, more tomorrow."])
    signature: list[str] = field(default_factory=list)
    layout: str = "top"
    attribution: str = "en"
    marks: bool = True
    """Whether quoted lines have marks."""
    width: int = 0
    """Lines are broken there, marks or not."""
    flowed: str = ""
    """`no` or `yes`: the value of delsp."""
    shape: str = "plain"
    """`plain`, `html`, `both`, `blank+html`."""
    page: str = "div"
    attached: bool = False
    charset: str = "utf-8"
    label: str | None = None
    """None: the right one; empty: none."""
    transfer: str = "8bit"
    containers: list[str] = field(default_factory=list)
    headers: dict[str, str | None] = field(default_factory=dict)
    wire: list[Callable[[bytes], bytes]] = field(default_factory=list)
    """What happens to the finished bytes."""
    delivery: str = "once"
    """`once`, `twice`, `new id`, `restart`."""
    offset: int | None = None
    """Seconds from the deadline at which it arrives."""
    fate: Fate = Fate.SAME

    def worse(self, fate: Fate) -> None:
        """The strictest fate counts."""
        self.fate = max(self.fate, fate)


ATTRIBUTIONS = {
    "en": ["On Tue, Dec 1, 2026 at 9:00 AM {name}", "<{address}> wrote:"],
    "de": ["Am Di., 1. Dez. 2026 um 09:00 Uhr schrieb {name}", "<{address}>:"],
    "fr": ["Le mar. 1 déc. 2026 à 09:00, {name}", "<{address}> a écrit :"],
    "nl": ["Op di 1 dec. 2026 om 09:00 schreef {name}", "<{address}>:"],
    "sv": ["Den tis 1 dec. 2026 kl 09:00 skrev {name}", "<{address}>:"],
    "es": ["El mar, 1 dic 2026 a las 9:00, {name}", "(<{address}>) escribió:"],
}
OUTLOOK = [
    "From: {name} <{address}>",
    "Sent: Tuesday, December 1, 2026 9:00 AM",
    "To: Somebody",
    "Subject: {subject}",
]
LAYOUTS = ("top", "top wrapped", "marked attribution", "outlook", "bottom", "interleaved", "alone")
PAGES: dict[str, Callable[[Sequence[str]], str]] = {
    "div": lambda lines: "".join(f"<div>{line or '<br>'}</div>\n" for line in lines),
    "p": lambda lines: "".join(f"<p style='margin:0'>{line}</p>\n" for line in lines),
    "br": lambda lines: "<br>\n".join(lines) + "<br>\n",
    "table": lambda lines: (
        "<table>" + "".join(f"<tr><td>{line}</td></tr>\n" for line in lines) + "</table>\n"
    ),
    "pre": lambda lines: "<pre>" + "\n".join(lines) + "</pre>\n",
}


def text_lines(draft: Draft) -> list[str]:
    """The text of the whole mail."""
    letter = draft.letter
    fill = {"name": letter.name, "address": letter.address, "subject": letter.subject}
    style = "block" if draft.style == "filled" and draft.layout == "alone" else draft.style
    orders = [] if style == "filled" or draft.attached else list(draft.orders)
    if style == "block" and orders:
        orders = [f"BEGIN ORDERS {letter.form}", *orders, f"END ORDERS {letter.form}"]
    body = ["See the file.", ""] if draft.attached else draft.before
    own = [*body, *orders, *draft.after]
    copy = list(letter.lines)
    if style == "filled" and not draft.attached:
        at = copy.index(f"BEGIN ORDERS {letter.form}")
        copy[at + 1 : at + 2] = draft.orders
    attribution = [line.format(**fill) for line in ATTRIBUTIONS[draft.attribution]]
    if draft.layout != "top wrapped":
        attribution = [" ".join(attribution)]
    return _laid_out(draft, own, copy, attribution, [line.format(**fill) for line in OUTLOOK])


def _laid_out(
    draft: Draft, own: list[str], copy: list[str], attribution: list[str], block: list[str]
) -> list[str]:
    quoted = [f"> {line}".rstrip() for line in copy] if draft.marks else copy
    match draft.layout:
        case "alone":
            return [*own, *draft.signature]
        case "outlook":
            return [*own, *draft.signature, "", *block, "", *copy]
        case "marked attribution":
            return [*own, *draft.signature, "", *(f"> {line}" for line in attribution), ">", *_marked(copy)]
        case "bottom":
            return [*attribution, *_marked(copy), "", *own, *draft.signature]
        case "interleaved":
            at = len(copy) // 3
            above, below = _marked(copy[:at]), _marked(copy[at:])
            return [*attribution, *above, "", *own, "", *below]
    return [*own, *draft.signature, "", *attribution, "", *quoted]


def _marked(lines: Sequence[str]) -> list[str]:
    return [f"> {line}".rstrip() for line in lines]


def _broken(lines: Sequence[str], width: int) -> list[str]:
    """Lines broken at a width, as some programs do when they send: the mark of a quotation is not repeated."""
    out: list[str] = []
    for line in lines:
        out += textwrap.wrap(line, width, break_long_words=False, break_on_hyphens=False) or [""]
    return out


def _flowed(lines: Sequence[str], width: int, delsp: str) -> list[str]:
    """The same in a way that can be undone (RFC 3676)."""
    joint = " " if delsp == "no" else "  "
    out: list[str] = []
    for line in lines:
        found = re.match(r"((?:> ?)*)(.*)", line)
        mark, rest = (found[1], found[2]) if found else ("", line)
        parts = textwrap.wrap(rest, width, break_long_words=False, break_on_hyphens=False) or [""]
        depth = mark.count(">")
        if not depth:  # stuffing
            parts = [f" {part}" if part.startswith((">", " ", "From ")) else part for part in parts]
        lead = ">" * depth + " " * bool(depth)
        out += [lead + part + joint for part in parts[:-1]] + [(lead + parts[-1]).rstrip()]
    return out


def _page(lines: Sequence[str], page: str) -> str:
    """The same text as HTML: runs of quoted lines stand in block quotes."""
    out: list[str] = []
    run: list[str] = []
    inside = False
    for line in [*lines, None]:
        quoted = line is not None and line.startswith(">")
        if line is None or quoted != inside:
            part = PAGES[page](run) if run else ""
            out.append(f"<blockquote>{part}</blockquote>\n" if inside and part else part)
            run, inside = [], quoted
        if line is not None:
            run.append(html.escape(line.removeprefix(">").removeprefix(" ") if quoted else line))
    return f"<html><head><title>x</title></head><body>{''.join(out)}</body></html>\n"


def _entity(text: str, mime: str, draft: Draft, more: str = "") -> bytes:
    """A part with its headers, in the draft's charset and transfer encoding."""
    charset = draft.charset
    try:
        data = text.encode(charset)
    except UnicodeEncodeError:
        charset, data = "utf-8", text.encode()
    label = charset if draft.label is None else draft.label
    transfer = draft.transfer
    if charset == "utf-16" and transfer != "quoted-printable":
        transfer = "base64"
    if transfer == "7bit" and not text.isascii():
        transfer = "quoted-printable"
    if transfer == "base64":
        data = base64.encodebytes(data).replace(b"\n", b"\r\n")
    elif transfer == "quoted-printable" and charset == "utf-16":
        rows = [data[i : i + 24] for i in range(0, len(data), 24)]
        data = b"=\r\n".join(b"".join(b"=%02X" % b for b in row) for row in rows) + b"\r\n"
    elif transfer == "quoted-printable":
        data = quopri.encodestring(data.replace(b"\r\n", b"\n")).replace(b"\n", b"\r\n")
    parameter = f"; charset={label}" if label else ""
    head = f"Content-Type: {mime}{parameter}{more}\r\nContent-Transfer-Encoding: {transfer}\r\n\r\n"
    return head.encode() + data


def container(kind: str, parts: Sequence[bytes], boundary: str) -> bytes:
    """Parts in a container."""
    mark = f"--{boundary}".encode()
    head = f'Content-Type: multipart/{kind}; boundary="{boundary}"\r\n\r\n'.encode()
    return head + b"".join(mark + b"\r\n" + p + b"\r\n" for p in parts) + mark + b"--\r\n"


def body(draft: Draft) -> bytes:
    """The mail without its own headers."""
    lines = text_lines(draft)
    plain, more = lines, ""
    if draft.flowed:
        plain, more = (
            _flowed(lines, draft.width or 72, draft.flowed),
            f"; format=flowed; delsp={draft.flowed}",
        )
    elif draft.width and draft.shape != "html":
        plain = _broken(lines, draft.width)
    text = _entity("\r\n".join(plain) + "\r\n", "text/plain", draft, more)
    page = _entity(_page(lines, draft.page), "text/html", draft)
    blank = _entity("\r\n", "text/plain", draft)
    made = {"plain": text, "html": page}.get(draft.shape)
    if made is None:
        made = container("alternative", [blank if draft.shape == "blank+html" else text, page], "alt")
    if draft.attached:
        name = '; name="orders.txt"\r\nContent-Disposition: attachment; filename="orders.txt"'
        file = _entity("\r\n".join(draft.orders) + "\r\n", "text/plain", draft, name)
        made = container("mixed", [made, file], "att")
    for n, kind in enumerate(draft.containers):
        made = container(kind, [made], f"c{n}")
    return made


def raw(draft: Draft, number: int) -> bytes:
    """The mail as it arrives."""
    letter = draft.letter
    values: dict[str, str | None] = {
        "From": f"Somebody <{letter.author}>",
        "To": letter.reply_to,
        "Subject": f"Re: {letter.subject}",
        "Message-ID": f"<{number}.{letter.author}>",
        "In-Reply-To": letter.message_id,
        "References": letter.message_id,
        "Date": "Tue, 01 Dec 2026 09:00:00 +0000",
        "MIME-Version": "1.0",
        **draft.headers,
    }
    head = "".join(f"{name}: {value}\r\n" for name, value in values.items() if value is not None)
    made = head.encode("utf-8", "surrogateescape") + body(draft)
    for change in draft.wire:
        made = change(made)
    return made
