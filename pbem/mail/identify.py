"""Who sent a mail, by four signals, and what may be done with it."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from typing import Literal

from pbem.mail.headers import header_text, same_form
from pbem.mail.mime import Mail
from pbem.mail.tokens import Purpose, Salt, Token, Tokens, candidates
from pbem.mail.us import Us

Dmarc = Literal["pass", "fail"]

_ADDRESSES = ("delivered-to", "x-original-to", "to", "cc")
_THREAD = ("in-reply-to", "references")
_ANSWERS = frozenset({Purpose.ORDERS, Purpose.JOIN, Purpose.MODERATOR})
_COMMENT = re.compile(r"\([^()]*\)")
_QUOTED = re.compile(r'"[^"]*"')
_BY = re.compile(r"\bby\s+([^\s;()]+)", re.I)


@dataclass(frozen=True, slots=True)
class Found:
    """A right token and the header that it stood in."""

    token: Token
    where: str
    """`delivered-to`, `x-original-to`, `to`, `cc`, `in-reply-to` or `references`."""


@dataclass(frozen=True, slots=True)
class Identity:
    """What a mail says about who sent it."""

    token: Token | None
    where: str
    """Where the token stood; empty where there is none."""
    sender: str
    """The address in From as it is spelled there; empty where there is none."""
    display_name: str
    dmarc: Dmarc | None
    """What our own mail server found out; None where it said nothing that can be trusted."""
    forged: bool
    """True if there is no right token, but something in its place that looks like one."""
    conflicting: bool
    """True if right tokens of several games or people stand in the mail."""
    found: tuple[Found, ...] = ()
    """All right tokens, the surest place first."""


class Verdict(StrEnum):
    """What may be done with a mail. Receipts go to the registered address, always."""

    APPLY = "apply"
    HOLD = "hold"
    """Apply nothing; tell the registered address and ask: was this you?"""
    CODE = "code"
    """Apply nothing; send a one-time code to the registered address."""
    REFUSE = "refuse"
    """A token that is not ours: a typed refusal, and a line in the log."""
    IGNORE = "ignore"
    """A stranger: help at most once a day, or nothing."""


def identify(
    mail: Mail, us: Us, tokens: Tokens, salt: Salt = b"", purposes: Collection[Purpose] = _ANSWERS
) -> Identity:
    """Reads all four signals; Reply-To is not one of them. Never raises."""
    found, forged = [], False
    read = cache(lambda word: tokens.read(word, salt))  # an answer names the same letter in several headers
    for where, text in _places(mail, us):
        for word in candidates(text):
            token = read(word)
            if token is None:
                forged = True
            elif token.purpose in purposes:
                found.append(Found(token, where))
    first = found[0] if found else None
    return Identity(
        token=first.token if first else None,
        where=first.where if first else "",
        sender=mail.sender.address,
        display_name=mail.sender.name,
        dmarc=dmarc(mail.fields, us),
        forged=forged and not found,
        conflicting=len({(f.token.game, f.token.person) for f in found}) > 1,
        found=tuple(found),
    )


def verdict(identity: Identity, registered: Collection[str]) -> Verdict:
    """What the table of signals says. `registered`: the addresses of the person that the token names, or,
    without a token, of everybody whom From could mean."""
    known = is_registered(identity.sender, registered)
    if identity.forged:
        return Verdict.REFUSE
    if identity.token is not None:
        return Verdict.APPLY if known and identity.dmarc != "fail" else Verdict.HOLD
    if not known:
        return Verdict.IGNORE
    return Verdict.APPLY if identity.dmarc == "pass" else Verdict.CODE


def is_registered(sender: str, registered: Iterable[str]) -> bool:
    """True if `sender` is one of these addresses, whatever the case or the plus part."""
    return bool(sender) and same_form(sender) in map(same_form, registered)


def _places(mail: Mail, us: Us) -> Iterator[tuple[str, str]]:
    """The texts that may hold a token: plus parts of our address, then our ids in the thread."""
    local, _, domain = (re.escape(part) for part in us.address.casefold().rpartition("@"))
    ours = re.compile(rf"(?<![^\s<>\",;:(]){local}\+([^@\s<>\",;]{{1,64}})@{domain}(?![\w.-]*\w)")
    our_id = re.compile(rf"<([^<>@\s]{{1,200}})@{re.escape(us.domain.casefold())}>")
    for names, pattern in ((_ADDRESSES, ours), (_THREAD, our_id)):
        for name in names:
            for value in mail.all(name):
                for part in pattern.findall(value[:20_000].casefold()):
                    yield name, part


def dmarc(fields: Iterable[tuple[str, str]], us: Us) -> Dmarc | None:
    """The result of our own server's DMARC check, from headers in their order, names lower case.

    Only a header of our server's name counts that stands above the first Received line of another host:
    what stands below was written before the mail reached us, by anybody."""
    own = {us.authserv_id.casefold(), *(host.casefold() for host in us.hosts)} - {""}
    for name, value in fields:
        if name == "received":
            by = _BY.search(_without_comments(header_text(value)))
            if by is None or by[1].casefold() not in own:
                return None
        elif name == "authentication-results" and us.authserv_id:
            server, result = results_of(header_text(value))
            if server == us.authserv_id.casefold() and result is not None:
                return result
    return None


def results_of(value: str) -> tuple[str, Dmarc | None]:
    """Server name and DMARC result of one Authentication-Results header (RFC 8601)."""
    server, *methods = _QUOTED.sub("", _without_comments(value)).casefold().split(";")
    name = (server.split() or [""])[0]
    for method in methods:
        what, _, rest = method.partition("=")
        if what.strip().partition("/")[0] == "dmarc":
            words = rest.split()
            if words and words[0] in ("pass", "fail"):
                return name, "pass" if words[0] == "pass" else "fail"
    return name, None


def _without_comments(value: str) -> str:
    value = value[:20_000]
    for _ in range(5):  # comments may stand in comments
        shorter = _COMMENT.sub(" ", value)
        if shorter == value:
            break
        value = shorter
    return value
