"""One raw mail, opened: headers, text and attachments, from any bytes whatever."""

from __future__ import annotations

import email.errors
import email.policy
from collections.abc import Iterator
from dataclasses import dataclass
from email.message import Message
from email.parser import BytesParser
from functools import cached_property
from typing import TypeAlias

from pbem.mail.headers import Mailbox, decoded, header_text, mailboxes
from pbem.mail.html import html_text
from pbem.mail.text import tidy, unflowed

MAX_BYTES = 2_000_000
"""What stands behind is not looked at."""
MAX_PARTS = 200
MAX_NESTS = 40
"""Containers in one mail; the parser's time is their number times that of the lines."""
MAX_LINES = 5_000
MAX_RAW_LINES = 100_000
MAX_TEXT = 1_000_000
"""Characters of a text that are read."""
MAX_HTML = 400_000
SMALL_ATTACHMENT = 64_000

AnyMessage: TypeAlias = "Message[str, str]"  # subscripting it at run time is new in Python 3.12


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
        head, self.cut = _bounded(raw)
        self.message = _parsed(head)
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
    def parts(self) -> tuple[AnyMessage, ...]:
        """The parts that hold something, containers left out; the inside of attached mails as well."""
        return tuple(p for p in _walk(self.message, inside=True) if not p.is_multipart())

    @cached_property
    def incomplete(self) -> bool:
        """True if the mail ends before its last boundary: it was cut on its way."""
        broken = (email.errors.CloseBoundaryNotFoundDefect, email.errors.StartBoundaryNotFoundDefect)
        return any(isinstance(d, broken) for p in _walk(self.message) for d in p.defects)

    @cached_property
    def plain(self) -> str:
        """The text/plain body, unwrapped, lines ended by `\\n`; empty where there is none."""
        return _lines(tidy("\n".join(_plain_text(p) for p in self._bodies("text/plain"))))

    @cached_property
    def html(self) -> str:
        """The text of the HTML body; empty where there is none."""
        pages = (_text(p)[:MAX_HTML] for p in self._bodies("text/html"))
        return _lines(tidy("\n".join(html_text(page) for page in pages)))

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
        bodies = {id(p) for t in ("text/plain", "text/html") for p in self._bodies(t)}
        leaves = (p for p in _walk(self.message) if not _is_container(p))
        return tuple(_attachment(p) for p in leaves if id(p) not in bodies)

    @property
    def only_text_attachment(self) -> Attachment | None:
        """The small text attachment, if there is exactly one; it is offered, not read (D-23)."""
        texts = [a for a in self.attachments if a.text is not None]
        return texts[0] if len(texts) == 1 else None

    @property
    def wrapped_by_outlook(self) -> bool:
        """True if the mail came as `winmail.dat`."""
        tnef = ("application/ms-tnef", "application/vnd.ms-tnef")
        return any(a.mime in tnef or a.name.lower() == "winmail.dat" for a in self.attachments)

    def _bodies(self, mime: str) -> list[AnyMessage]:
        """Body parts of a type: those without a name; a named one only if it is all there is."""
        found = [p for p in _walk(self.message) if _mime(p) == mime and _disposition(p) != "attachment"]
        return [p for p in found if not _name(p)] or found[:1]


def _bounded(raw: bytes) -> tuple[bytes, bool]:
    """The part of a mail that is parsed, and whether that is less than all of it."""
    head = raw[:MAX_BYTES]
    if head.count(b"\n") > MAX_RAW_LINES:
        head = b"\n".join(head.split(b"\n", MAX_RAW_LINES)[:MAX_RAW_LINES])
    return head, len(head) < len(raw)


def _parsed(head: bytes) -> AnyMessage:
    """The message tree; compat32 keeps header values as they came, so that no header can raise."""
    if head.lower().count(b"multipart/") <= MAX_NESTS:
        try:
            return BytesParser(policy=email.policy.compat32).parsebytes(head)
        except Exception:  # too deep, or a hole in the parser: the mail is then one text
            pass
    message = BytesParser(policy=email.policy.compat32).parsebytes(head, headersonly=True)
    del message["content-type"]
    return message


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
