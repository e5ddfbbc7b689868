"""Header lines as text, whatever their sender did to them."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterable
from dataclasses import dataclass

_UTF_SHIFTERS = ("utf-16", "utf16", "utf-32", "utf32", "utf-7", "utf7", "iso-2022", "hz", "ucs-2")
_NO_CHARSETS = ("punycode", "idna", "unicode", "raw_unicode", "raw-unicode", "undefined", "mbcs", "oem")
_WORD = re.compile(r"=\?([^?\s]{1,40})\?([bBqQ])\?([^?\s]*)\?=")
_GAP = re.compile(r"(\?=)[ \t\r\n]+(?==\?[^?\s]{1,40}\?[bBqQ]\?)")
_LONGEST = 50_000
"""Characters of a header value that are looked at."""
_FOLD = re.compile(r"\r?\n[ \t]|[\r\n]+")
_PLAIN_ADDRESS = re.compile(r"[^\s<>(),;:\"@]{1,64}@[^\s<>(),;:\"@]{1,255}")


def decoded(data: bytes, charset: str = "") -> str:
    """Text of `data`: strict UTF-8, then the declared charset, then cp1252. Never raises."""
    declared = charset.strip().strip("\"'").lower()
    order = ["utf-8", declared]
    if declared.startswith(_UTF_SHIFTERS):  # their bytes are often right UTF-8 as well
        order.reverse()
    for name in order:
        if not name or name.startswith(_NO_CHARSETS):
            continue
        try:
            return data.decode(name).removeprefix("\ufeff")
        except (LookupError, ValueError):
            continue
    return data.decode("cp1252", "replace")


def header_text(raw: str) -> str:
    """One header value, unfolded, its encoded words read; what cannot be read stays as it is."""
    raw = raw[:_LONGEST]
    if not raw.isascii():
        raw = decoded(raw.encode("utf-8", "surrogateescape"))
    text = _FOLD.sub(" ", raw).strip()
    if "=?" not in text:
        return text
    return _joined_words(_GAP.sub(r"\1", text)).strip()


def _joined_words(text: str) -> str:
    """Reads encoded words; neighbours in one charset are joined first, for some cut letters in two."""
    out: list[str] = []
    pending, charset, end = b"", "", 0
    for m in _WORD.finditer(text):
        if m.start() > end or m[1].lower() != charset:
            out.append(decoded(pending, charset))
            pending = b""
        out.append(text[end : m.start()])
        charset = m[1].lower()
        pending += _word_bytes(m[2], m[3])
        end = m.end()
    return "".join([*out, decoded(pending, charset), text[end:]])


def _word_bytes(encoding: str, body: str) -> bytes:
    data = body.encode("utf-8", "surrogateescape")
    if encoding in "qQ":
        return binascii.a2b_qp(data, header=True)
    try:
        return base64.b64decode(data + b"=" * (-len(data) % 4))
    except binascii.Error:
        return data


@dataclass(frozen=True, slots=True)
class Mailbox:
    """One address with the name that its owner gave it."""

    name: str
    address: str


def mailboxes(values: Iterable[str]) -> list[Mailbox]:
    """The addresses in raw header values, in order; understands what mail programs write, never raises."""
    return [box for value in values for part in _commas(value[:_LONGEST]) if (box := _mailbox(part))]


def _commas(value: str) -> list[str]:
    """Splits at commas and semicolons that stand outside quotes and brackets."""
    parts, start, quoted, angle = [], 0, False, False
    skip = False
    for i, c in enumerate(value):
        if skip:
            skip = False
        elif c == "\\" and quoted:
            skip = True
        elif c == '"':
            quoted = not quoted
        elif c in "<>" and not quoted:
            angle = c == "<"
        elif c in ",;" and not quoted and not angle:
            parts.append(value[start:i])
            start = i + 1
    return [*parts, value[start:]]


def _mailbox(part: str) -> Mailbox | None:
    name, opened, rest = part.rpartition("<")
    if opened:
        m = _PLAIN_ADDRESS.search(rest)
    else:
        name, m = "", _PLAIN_ADDRESS.search(part)
    if m is None:
        return None
    return Mailbox(header_text(re.sub(r'\\(.)|"', r"\1", name)), header_text(m[0]))


def same_form(address: str) -> str:
    """The form in which addresses are compared: casefolded, without a plus part."""
    local, at, domain = address.strip().casefold().rpartition("@")
    return local.partition("+")[0] + at + domain
