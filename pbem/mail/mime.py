"""One raw mail, opened: headers, text and attachments, from any bytes whatever."""

from __future__ import annotations

import binascii
import email.errors
import email.policy
import re
from collections.abc import Iterator
from dataclasses import dataclass
from email.message import Message
from email.parser import BytesParser
from enum import StrEnum
from functools import cached_property
from typing import TypeAlias

from pbem.mail.headers import Mailbox, decoded, header_text, mailboxes
from pbem.mail.html import html_text
from pbem.mail.text import tidy, unflowed

MAX_BYTES = 2_000_000
"""A longer mail is not worked on, but for its headers."""
KEPT_BYTES = MAX_BYTES + 1
"""What sources read of a mail, and what is stored: enough to see that it is too long."""
MAX_PARTS = 200
MAX_NESTS = 40
"""Containers in one mail; the parser's time is their number times that of the lines."""
MAX_LINES = 5_000
MAX_RAW_LINES = 100_000
MAX_TEXT = 1_000_000
"""Characters of a text that are read."""
MAX_HTML = 400_000
SMALL_ATTACHMENT = 64_000

_QUOTED_PRINTABLE = re.compile(r"=(?:[0-9A-F]{2}|\r?\n)")
_RECEIPTS = (b"REPORT.IPM", b"IPM.Microsoft Mail.Read Receipt", b"IPM.Microsoft Mail.Non-Delivery")
_BROKEN = (email.errors.CloseBoundaryNotFoundDefect, email.errors.StartBoundaryNotFoundDefect)

AnyMessage: TypeAlias = "Message[str, str]"  # subscripting it at run time is new in Python 3.12


class Cut(StrEnum):
    """Why only the beginning of a mail is known, so that nothing in it can be relied on."""

    SIZE = "size"
    """More than `MAX_BYTES`."""
    PARTS = "parts"
    """More than `MAX_PARTS`, or more than `MAX_NESTS` containers."""
    LINES = "lines"
    """More than `MAX_RAW_LINES`, or a text of more than `MAX_LINES` or `MAX_TEXT`."""
    TRANSPORT = "transport"
    """It ends before its last boundary, or in the middle of a line: it was cut on its way."""


@dataclass(frozen=True, slots=True)
class Attachment:
    """A part that is not read as the body."""

    name: str
    mime: str
    size: int
    """Bytes, decoded."""
    text: str | None
    """Of a text attachment no longer than `SMALL_ATTACHMENT`."""


class Mail:
    """A mail from raw bytes. Neither making one nor any of its attributes raises, whatever the bytes."""

    def __init__(self, raw: bytes) -> None:
        self.raw = raw
        head, self._bound = _bounded(raw)
        self.message, whole = _parsed(head)
        self._bound = self._bound or (None if whole else Cut.PARTS)
        self.fields = _fields(self.message)
        """All headers in their order, names lower case, values raw."""

    def all(self, name: str) -> list[str]:
        """The values of all headers of that name, decoded, top first."""
        return [header_text(v) for v in self.raw_values(name)]

    def header(self, name: str) -> str:
        """The first value, decoded; empty where there is none."""
        return next((header_text(v) for v in self.raw_values(name)), "")

    def has(self, name: str) -> bool:
        """True if there is such a header, be it empty."""
        return bool(self.raw_values(name))

    def raw_values(self, name: str) -> list[str]:
        """The values of all headers of that name as they came."""
        wanted = name.lower()
        return [v for n, v in self.fields if n == wanted]

    def mailboxes(self, name: str) -> list[Mailbox]:
        """The addresses in all headers of that name."""
        return mailboxes(self.raw_values(name))

    @property
    def sender(self) -> Mailbox:
        """The first address in From, the spelling kept; empty strings where there is none."""
        return next(iter(self.mailboxes("from")), Mailbox("", ""))

    @property
    def subject(self) -> str:
        """The subject, decoded."""
        return self.header("subject")

    @cached_property
    def nodes(self) -> tuple[AnyMessage, ...]:
        """All parts and containers, the inside of attached mails as well, the mail itself first."""
        return tuple(_walk(self.message, inside=True))

    @cached_property
    def parts(self) -> tuple[AnyMessage, ...]:
        """The parts that hold something, containers left out; the inside of attached mails as well."""
        return tuple(p for p in self.nodes if not p.is_multipart())

    @cached_property
    def cut(self) -> Cut | None:
        """Why some of the mail is not known, if so."""
        if self._bound is not None:
            return self._bound
        parts = list(_walk(self.message))
        if len(parts) >= MAX_PARTS:
            return Cut.PARTS
        if any(isinstance(d, _BROKEN) for p in parts for d in p.defects):
            return Cut.TRANSPORT
        texts = [_text(p) for p in self._texts] + list(self._pages)
        too_long = any(len(t) >= MAX_TEXT or t.count("\n") > MAX_LINES for t in texts)
        return Cut.LINES if too_long or any(len(page) > MAX_HTML for page in self._pages) else None

    @cached_property
    def ends_in_a_line(self) -> bool:
        """True if what stands on the last line may have been longer: the line has no end, or the next one
        was to go on with it."""
        if not self.raw.endswith((b"\n", b"\r")):
            return True
        if self.message.is_multipart():
            return False  # its last boundary is there
        written = self.raw.rstrip(b"\r\n")
        match _encoding(self.message):
            case "quoted-printable":
                return written.endswith(b"=")
            case "base64":
                last = written.rpartition(b"\n")[2].strip()
                return (
                    len(last) >= 60 and not last.endswith(b"=") and not content(self.message).endswith(b"\n")
                )
        return _parameter(self.message, "format") == "flowed" and written.endswith(b" ")

    @cached_property
    def plain(self) -> str:
        """The text/plain body, unwrapped, lines ended by `\n`; empty where there is none."""
        return _lines(tidy("\n".join(_plain_text(p) for p in self._texts)))

    @cached_property
    def undeclared(self) -> str:
        """The plain body with quoted-printable undone that no header declares; empty where there is none."""
        texts = [content(p) for p in self._texts]
        bare = all(_encoding(p) in ("", "7bit", "8bit", "binary") for p in self._texts)
        if not bare or not any(_QUOTED_PRINTABLE.search(t.decode("latin-1")) for t in texts):
            return ""
        undone = [
            decoded(binascii.a2b_qp(t), _parameter(p, "charset"))
            for p, t in zip(self._texts, texts, strict=True)
        ]
        return _lines(tidy("\n".join(undone)))

    @cached_property
    def html(self) -> str:
        """The text of the HTML body; empty where there is none."""
        return _lines(tidy("\n".join(html_text(page[:MAX_HTML]) for page in self._pages)))

    @cached_property
    def _texts(self) -> list[AnyMessage]:
        return self._bodies("text/plain")

    @cached_property
    def _page_parts(self) -> list[AnyMessage]:
        return self._bodies("text/html")

    @cached_property
    def _pages(self) -> list[str]:
        return [_text(p) for p in self._page_parts]

    @property
    def part(self) -> str:
        """Which part `text` comes from: `plain`, `html` or `none`."""
        if self.plain.strip():
            return "plain"
        return "html" if self.html.strip() else "none"

    @property
    def text(self) -> str:
        """The body to read: the plain text unless it is blank, else the HTML."""
        return self.html if self.part == "html" else self.plain

    @cached_property
    def attachments(self) -> tuple[Attachment, ...]:
        """The parts that are not the body, in order."""
        bodies = {id(p) for p in (*self._texts, *self._page_parts)}
        leaves = (p for p in _walk(self.message) if not _is_container(p))
        return tuple(_attachment(p) for p in leaves if id(p) not in bodies)

    @property
    def text_attachments(self) -> tuple[Attachment, ...]:
        """The small text attachments."""
        return tuple(a for a in self.attachments if a.text is not None)

    @property
    def only_text_attachment(self) -> Attachment | None:
        """The small text attachment, if there is exactly one; it is offered, not read (D-23)."""
        texts = self.text_attachments
        return texts[0] if len(texts) == 1 else None

    @property
    def wrapped_by_outlook(self) -> bool:
        """True if the mail came as `winmail.dat`."""
        return any(_is_tnef(p) for p in self.parts)

    @property
    def outlook_receipt(self) -> bool:
        """True if that `winmail.dat` is a read receipt or another report."""
        return any(_is_tnef(p) and any(mark in content(p) for mark in _RECEIPTS) for p in self.parts)

    def _bodies(self, mime: str) -> list[AnyMessage]:
        """Body parts of a type: those without a name; a named one only if it is all there is."""
        found = [p for p in _walk(self.message) if _mime(p) == mime and _disposition(p) != "attachment"]
        return [p for p in found if not _name(p)] or (found if len(found) == 1 else [])


def _bounded(raw: bytes) -> tuple[bytes, Cut | None]:
    """The part of a mail that is parsed, and why that is less than all of it, if so."""
    if len(raw) > MAX_BYTES:
        why, raw = Cut.SIZE, raw[:MAX_BYTES]
    else:
        why = None
    if raw.count(b"\n") > MAX_RAW_LINES:
        return b"\n".join(raw.split(b"\n", MAX_RAW_LINES)[:MAX_RAW_LINES]), why or Cut.LINES
    return raw, why


def _parsed(head: bytes) -> tuple[AnyMessage, bool]:
    """The message tree, and whether it is more than the headers with one text below them; compat32 keeps
    header values as they came, so that no header can raise."""
    if head.lower().count(b"multipart/") <= MAX_NESTS:
        try:
            return BytesParser(policy=email.policy.compat32).parsebytes(head), True
        except Exception:  # too deep, or a hole in the parser: the mail is then one text
            pass
    message = BytesParser(policy=email.policy.compat32).parsebytes(head, headersonly=True)
    del message["content-type"]
    return message, False


def _fields(message: AnyMessage) -> tuple[tuple[str, str], ...]:
    return tuple((name.lower(), value) for name, value in message.raw_items())


def _walk(message: AnyMessage, *, inside: bool = False) -> Iterator[AnyMessage]:
    """All parts down to `MAX_PARTS`; into attached mails only if asked to."""
    stack, seen = [message], 0
    while stack and seen < MAX_PARTS:
        part = stack.pop()
        seen += 1
        yield part
        if inside or _mime(part).startswith("multipart/"):
            stack += reversed(children(part))


def children(part: AnyMessage) -> list[AnyMessage]:
    """The parts directly in a container, none for a leaf."""
    found = part.get_payload() if part.is_multipart() else []
    return [c for c in found if isinstance(c, Message)]


def _is_tnef(part: AnyMessage) -> bool:
    return (
        _mime(part) in ("application/ms-tnef", "application/vnd.ms-tnef")
        or _name(part).lower() == "winmail.dat"
    )


def _encoding(part: AnyMessage) -> str:
    return str(part.get("content-transfer-encoding") or "").strip().lower()


def _is_container(part: AnyMessage) -> bool:
    return part.is_multipart() and _mime(part).startswith("multipart/")


def _mime(part: AnyMessage) -> str:
    return part.get_content_type()


def _disposition(part: AnyMessage) -> str:
    value = part.get("content-disposition")
    return str(value).partition(";")[0].strip().lower() if value is not None else ""


def _name(part: AnyMessage) -> str:
    try:
        return header_text(part.get_filename() or "")
    except Exception:  # RFC 2231 with an impossible charset and the like
        return "?"


def _parameter(part: AnyMessage, name: str) -> str:
    try:
        value = part.get_param(name) or ""
    except Exception:
        return ""
    return (value[2] if isinstance(value, tuple) else str(value)).lower()


def content(part: AnyMessage) -> bytes:
    """The bytes of a leaf, its transfer encoding undone as far as possible."""
    for decode in (True, False):
        try:
            data = part.get_payload(decode=decode)
        except Exception:
            continue
        if isinstance(data, bytes):
            return data
        if isinstance(data, str):
            return data.encode("utf-8", "surrogateescape")
    return b""


def _text(part: AnyMessage) -> str:
    return decoded(content(part), _parameter(part, "charset"))[:MAX_TEXT]


def _plain_text(part: AnyMessage) -> str:
    text = tidy(_text(part))
    if _parameter(part, "format") == "flowed":
        return unflowed(text, delsp=_parameter(part, "delsp") == "yes")
    return text


def _lines(text: str) -> str:
    """`text` as far as its `MAX_LINES`-th line."""
    lines = text.split("\n", MAX_LINES)
    return "\n".join(lines[:MAX_LINES])


def _attachment(part: AnyMessage) -> Attachment:
    data = content(part)
    small_text = _mime(part) == "text/plain" and len(data) <= SMALL_ATTACHMENT
    text = tidy(decoded(data, _parameter(part, "charset"))) if small_text else None
    return Attachment(_name(part), _mime(part), len(data), text)
