"""What a delivery report or a complaint says: which letter, whose address, and whether for good."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from pbem.mail.detectors import failures
from pbem.mail.headers import decoded, header_text, mailboxes
from pbem.mail.mime import AnyMessage, Mail, content
from pbem.mail.tokens import Purpose, Salt, Token, Tokens

_ENVID = re.compile(r"^o(\d{1,18})$")
_ID = re.compile(r"<[^<>\s]{1,500}>")


@dataclass(frozen=True, slots=True)
class Bounce:
    """What is known of a letter that came back; the surest sign stands first."""

    outbox_id: int | None
    """From `Original-Envelope-Id: o<id>`."""
    token: Token | None
    """The bounce token of the address that the report was sent to, or of the letter that it quotes."""
    message_id: str | None
    """Message-ID of the letter, with brackets, from the headers that came back."""
    recipients: tuple[str, ...]
    """Addresses that the report complains about."""
    permanent: bool
    """True if no further try makes sense; False for a delay, or when nothing is said."""
    status: str
    """`5.1.1` and the like; empty where it is not given."""
    diagnostic: str
    """The other server's words, for the log."""


def read_bounce(mail: Mail, tokens: Tokens, salt: Salt = b"") -> Bounce:
    """Reads a delivery report (RFC 3464 and older forms) or a complaint (RFC 5965); never raises."""
    reports = [p for p in mail.parts if _reports(p)]
    recipients = _unique(_recipients(reports))
    temporary, permanent = (set(), set()) if recipients else failures(mail.message)
    actions = [_field(p, "action").lower() for p in reports]
    status = next((s for p in reports if (s := _field(p, "status"))), "")
    return Bounce(
        outbox_id=_outbox_id(reports),
        token=_token(mail, tokens, salt),
        message_id=_returned_id(mail),
        recipients=recipients or _unique(sorted(permanent | temporary)),
        permanent=("failed" in actions and not status.startswith("4")) or bool(permanent),
        status=status.partition(" ")[0],
        diagnostic=next((d for p in reports if (d := _field(p, "diagnostic-code"))), "")[:500],
    )


def _reports(part: AnyMessage) -> bool:
    names = ("final-recipient", "original-envelope-id", "reporting-mta", "feedback-type", "original-rcpt-to")
    return any(part[n] is not None for n in names) or part.get_content_type() == "message/feedback-report"


def _field(part: AnyMessage, name: str) -> str:
    value = part[name]
    return header_text(str(value)) if value is not None else ""


def _recipients(reports: Iterable[AnyMessage]) -> Iterator[str]:
    for part in reports:
        for name in ("original-recipient", "final-recipient", "original-rcpt-to"):
            value = _field(part, name)
            found = mailboxes([value.rpartition(";")[2]])
            if found:
                yield found[0].address
                break


def _unique(addresses: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(addresses))


def _outbox_id(reports: Iterable[AnyMessage]) -> int | None:
    matches = (_ENVID.match(_field(p, "original-envelope-id").strip()) for p in reports)
    return next((int(m[1]) for m in matches if m), None)


def _token(mail: Mail, tokens: Tokens, salt: Salt) -> Token | None:
    """The bounce token: in the address the report came to, else in the envelope sender it quotes."""
    places = [v for n in ("delivered-to", "x-original-to", "to") for v in mail.all(n)]
    places += [_field(p, "original-mail-from") for p in mail.parts]
    found = (tokens.find(text, salt) for text in places)
    return next((t for t in found if t is not None and t.purpose is Purpose.BOUNCE), None)


def _returned_id(mail: Mail) -> str | None:
    """Message-ID in the returned letter, be it attached whole or as bare headers."""
    for part in mail.nodes[1:]:
        text = _field(part, "message-id")
        if part.get_content_type() in ("text/rfc822-headers", "message/rfc822-headers"):
            text = _id_line(decoded(content(part)))
        if m := _ID.search(text):
            return m[0]
    return None


def _id_line(headers: str) -> str:
    lines = re.sub(r"\r?\n[ \t]+", " ", headers[:100_000]).splitlines()
    return next((line for line in lines if line.lower().startswith("message-id:")), "")
