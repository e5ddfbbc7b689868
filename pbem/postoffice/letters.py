"""Mails as a mail program has them: read without ever failing, and answered like people answer."""

from __future__ import annotations

import contextlib
import email
import re
import smtplib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from email import policy
from email.headerregistry import Address
from email.message import EmailMessage, Message
from email.utils import format_datetime, getaddresses, make_msgid, parsedate_to_datetime

SHOWN = frozenset({"image/png", "image/jpeg", "image/gif", "image/webp"})
"""Pictures that cannot carry scripts."""

# Python folds a long message id into encoded words, which nobody reads; the longest line that RFC 5322
# allows avoids it.
WRITING = policy.SMTP.clone(max_line_length=998)
PATIENCE = 15.0
"""Seconds that a server may take to answer."""

ATTRIBUTION = "On {date}, {sender} wrote:"

_MESSAGE_ID = re.compile(r"<[^<>\s]+>")
_CONTROLS = re.compile(r"[\x00-\x1f\x7f-\x9f\s]+")


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of a mail that is not its text: a picture or an attachment."""

    number: int
    name: str
    kind: str
    """Content type, lower case."""
    cid: str
    """Content-ID without brackets; empty where it has none."""
    data: bytes


@dataclass(frozen=True, slots=True)
class Letter:
    """One mail, decoded as far as it can be."""

    headers: Message
    text: str
    """The plain text; empty where the mail has none."""
    html: str
    parts: tuple[Part, ...]

    def header(self, name: str) -> str:
        """A header on one line, decoded; empty where it is missing or hopeless."""
        try:
            value = str(self.headers[name] or "")
        except Exception:  # as in `parse`
            value = next((raw for key, raw in self.headers.raw_items() if key.lower() == name.lower()), "")
        return _CONTROLS.sub(" ", value.encode("utf-8", "replace").decode()).strip()

    @property
    def date(self) -> datetime | None:
        """The Date header, aware or naive as it was written."""
        try:
            return parsedate_to_datetime(self.header("Date"))
        except (TypeError, ValueError):
            return None

    def addresses(self, name: str) -> list[tuple[str, str]]:
        """Display name and address of each person in a header; entries without an @ are left out."""
        return [(who, address) for who, address in getaddresses([self.header(name)]) if "@" in address]

    def attachments(self) -> list[Part]:
        """The parts that the HTML text does not show by itself."""
        return [part for part in self.parts if not (part.cid and f"cid:{part.cid}" in self.html)]


def parse(raw: bytes) -> Letter:
    """Read a mail; what is broken comes out with replacement characters, or the whole as its source."""
    try:
        return _parse(raw)
    except Exception:  # the standard library raises a dozen things on mails that are malformed enough
        return Letter(Message(), raw.decode("utf-8", "replace"), "", ())


def quoted(text: str) -> str:
    """The text as a mail program quotes it, one more `>` on each line."""
    lines = text.rstrip().splitlines()
    return "".join((">" if line.startswith(">") else "> " if line else ">") + line + "\n" for line in lines)


def attribution(letter: Letter) -> str:
    """The line above a quotation, which says whose words follow."""
    date = letter.date
    when = date.strftime("%a, %d %b %Y at %H:%M") if date else "an unknown day"
    return ATTRIBUTION.format(date=when, sender=letter.header("From") or "somebody")


def below(text: str, letter: Letter) -> str:
    """The typed text with the whole quoted original below it."""
    if not letter.text.strip():
        return text.rstrip() + "\n"
    return f"{text.rstrip()}\n\n{attribution(letter)}\n\n{quoted(letter.text)}"


def reply(letter: Letter, me: tuple[str, str], body: str, otherwise: str, now: datetime) -> EmailMessage:
    """An answer from `me` (name, address) with this body, to where the letter wants its answers.

    It goes to `otherwise` if the letter names nobody. `now` is aware.
    """
    subject = letter.header("Subject")
    if not subject.lower().startswith("re:"):
        subject = f"Re: {subject}".strip()
    to = letter.addresses("Reply-To") or letter.addresses("From") or [("", otherwise)]
    message = write(me, to, subject, body, now)
    if own := _ids(letter.header("Message-ID"))[:1]:
        chain = _ids(letter.header("References")) or _ids(letter.header("In-Reply-To"))
        message["In-Reply-To"] = own[0]
        # RFC 5322 lets a long chain be cut in the middle; the first one holds the thread together.
        message["References"] = " ".join([*chain[:1], *chain[1:][-18:], *own])
    return message


def write(
    me: tuple[str, str], to: Sequence[tuple[str, str]], subject: str, body: str, now: datetime
) -> EmailMessage:
    """A new mail from `me` (name, address) to other people. `now` is aware."""
    message = EmailMessage(policy=WRITING)
    domain = me[1].rpartition("@")[2]
    message["From"] = _address(*me)
    message["To"] = [_address(*person) for person in to]
    message["Subject"] = _CONTROLS.sub(" ", subject)
    message["Date"] = format_datetime(now)
    message["Message-ID"] = make_msgid(domain=domain if domain.isascii() else "localhost")
    message.set_content(body)
    return message


def hand_in(message: EmailMessage, sender: str, recipients: Sequence[str], host: str, port: int) -> None:
    """Send a mail by SMTP. Raises `smtplib.SMTPException`, an `OSError`, if it is not taken, and other
    `OSError` if nobody answers."""
    # Our own name is given so that smtplib does not ask the resolver for it.
    with smtplib.SMTP(host, port, local_hostname="localhost", timeout=PATIENCE) as counter:
        counter.send_message(message, sender, list(recipients))


def _parse(raw: bytes) -> Letter:
    message = email.message_from_bytes(raw, policy=policy.default)
    text: str | None = None
    html: str | None = None
    parts: list[Part] = []
    for leaf in _leaves(message):
        kind = leaf.get_content_type()
        body = leaf.get_content_maintype() == "text" and not _file_name(leaf) and not _attached(leaf)
        if body and kind == "text/plain" and text is None:
            text = _decoded(leaf)
        elif body and kind == "text/html" and html is None:
            html = _decoded(leaf)
        else:
            parts.append(_part(leaf, len(parts)))
    return Letter(message, text or "", html or "", tuple(parts))


def _leaves(message: Message) -> Iterator[Message]:
    """The parts of a mail that hold something; an enclosed mail is one of them."""
    payload = message.get_payload()
    if message.get_content_maintype() == "multipart" and isinstance(payload, list):
        for part in payload:
            if isinstance(part, Message):
                yield from _leaves(part)
    else:
        yield message


def _part(leaf: Message, number: int) -> Part:
    kind = leaf.get_content_type()
    cid = Letter(leaf, "", "", ()).header("Content-ID").strip("<> ")
    name = _file_name(leaf) or ("mail.eml" if kind == "message/rfc822" else f"part-{number + 1}")
    return Part(number, name, kind, cid, _bytes(leaf))


def _bytes(leaf: Message) -> bytes:
    payload = leaf.get_payload(decode=True)
    if isinstance(payload, bytes):
        return payload
    inner = leaf.get_payload()
    with contextlib.suppress(Exception):  # an enclosed mail too broken to be written out again
        return b"".join(part.as_bytes() for part in inner if isinstance(part, Message))
    return b""


def _decoded(leaf: Message) -> str:
    data = _bytes(leaf)
    charset = leaf.get_content_charset() or "utf-8"
    try:
        text = data.decode(charset, "replace")
    except LookupError:
        text = data.decode("utf-8", "replace")
    return text.replace("\r\n", "\n")


def _file_name(leaf: Message) -> str:
    return re.sub(r"[\x00-\x1f\x7f/\\]+", "_", leaf.get_filename() or "").strip()[:150]


def _attached(leaf: Message) -> bool:
    return leaf.get_content_disposition() == "attachment"


def _ids(value: str) -> list[str]:
    return _MESSAGE_ID.findall(value)


def _address(name: str, address: str) -> Address:
    local, _, domain = address.rpartition("@")
    return Address(_CONTROLS.sub(" ", name), local, domain)
