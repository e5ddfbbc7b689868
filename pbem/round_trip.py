"""A mail to ourselves: whether it is taken, where it comes in, and what the servers do to it on the way."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Literal

from .mail.compose import Letter, compose
from .mail.headers import mailboxes
from .mail.identify import results_of
from .mail.mime import Mail
from .ports import Disconnected, Fate, Fetched, Outgoing, Refused, Source, Transport
from .writing import KIND_HEADER

State = Literal["good", "bad", "skipped"]
TOKEN_HEADER = "X-Pbem-Doctor"
SKEW = timedelta(minutes=2)
"""How far the mail server's clock may be from ours; deadlines are judged by its stamps (D-40)."""
LOOK_SECONDS = 1.0
MOST = 2000
"""How many mails of the inbox are looked through for the test mails."""
RECIPIENT_HEADERS = ("delivered-to", "x-original-to", "envelope-to", "x-delivered-to", "to")


@dataclass(frozen=True, slots=True)
class Finding:
    """What one step found."""

    step: str
    state: State
    said: str
    remedy: str = ""


@dataclass(frozen=True, slots=True)
class Post:
    """The mailbox and the way into it, whatever kind they are."""

    source: Source
    transport: Transport
    address: str
    authserv_id: str = ""
    elsewhere: Callable[[str], str] = lambda nonce: ""
    """The folder outside the inbox that holds a test mail with this mark; empty if none does."""


@dataclass(slots=True)
class _Test:
    """The two mails to ourselves: to our bare address, and to one with a plus part."""

    address: str
    nonce: str = field(default_factory=lambda: secrets.token_hex(6))
    sent_at: datetime = field(default_factory=lambda: datetime.now(UTC))
    arrived: dict[str, Fetched] = field(default_factory=dict)
    keys: list[str] = field(default_factory=list)
    """All test mails found, those of earlier runs too."""

    @property
    def plus(self) -> str:
        """Our address with a plus part that nobody else uses."""
        local, _, domain = self.address.rpartition("@")
        return f"{local}+check.{self.nonce}@{domain}"

    @property
    def bounces(self) -> str:
        """The envelope sender, whose plus part a bounce comes back to."""
        local, _, domain = self.address.rpartition("@")
        return f"{local}+bounce.{self.nonce}@{domain}"

    def letters(self) -> list[Outgoing]:
        """Both mails, ready to send."""
        return [self._letter(1, "bare", self.address), self._letter(2, "plus", self.plus)]

    def _letter(self, id: int, kind: str, to: str) -> Outgoing:
        domain = self.address.rpartition("@")[2]
        letter = Letter(
            message_id=f"doctor.{kind}.{self.nonce}@{domain}",
            date=self.sent_at,
            from_name="pbem doctor",
            from_address=self.address,
            to_name="",
            to_address=to,
            subject="A test mail of pbem doctor",
            text="pbem doctor has sent this mail to itself. It may be deleted.\n",
            loop_header=(KIND_HEADER, "doctor"),
            extra=((TOKEN_HEADER, f"{kind} {self.nonce}"),),
        )
        return Outgoing(id, self.bounces, to, compose(letter))

    def notice(self, fetched: Fetched) -> None:
        """Remember a mail if it is a test mail."""
        kind, _, nonce = Mail(fetched.raw).header(TOKEN_HEADER).strip().partition(" ")
        if not nonce:
            return
        self.keys.append(fetched.key)
        if nonce == self.nonce:
            self.arrived.setdefault(kind, fetched)


# a mail to ourselves


def round_trip(post: Post, wait: float) -> Iterator[Finding]:
    """Sent, arrived, plus part and envelope kept, who vouches for senders, clocks compared, cleaned away."""
    test = _Test(post.address)
    try:
        fates = asyncio.run(post.transport.send(test.letters()))
    except (Disconnected, Refused) as e:
        yield Finding("test mail", "bad", str(e))
        return
    sent = _sent(test, fates)
    yield sent
    if sent.state == "bad":
        return
    began = time.monotonic()
    try:
        _await_mails(post.source, test, wait)
    except (Disconnected, Refused) as e:
        yield Finding("test mail arrives", "bad", str(e))
        return
    yield _arrived(post, test, time.monotonic() - began, wait)
    if test.arrived:
        yield _plus(test, fates, wait)
        yield _bounce_address(test)
        yield _vouching(post, test)
        yield _clock(test)
    yield _cleaned(post.source, test)


def _sent(test: _Test, fates: list[Fate]) -> Finding:
    if not fates or not any(f.sent for f in fates):
        answer = fates[0].answer if fates else "the connection broke"
        remedy = f"The server must let us send as {test.address}; check mail.address and smtp.user."
        return Finding("test mail", "bad", f"it was not taken: {answer}", remedy)
    return Finding("test mail", "good", f"sent to {test.address} and {test.plus}")


def _await_mails(source: Source, test: _Test, wait: float) -> None:
    end = time.monotonic() + wait
    while True:
        test.keys.clear()
        for fetched in source.fetch(MOST):
            test.notice(fetched)
        left = end - time.monotonic()
        if len(test.arrived) == 2 or left <= 0:
            return
        source.wait(min(LOOK_SECONDS, left))


def _arrived(post: Post, test: _Test, seconds: float, wait: float) -> Finding:
    if test.arrived:
        return Finding("test mail arrives", "good", f"after {seconds:.1f} seconds")
    if folder := post.elsewhere(test.nonce):
        remedy = (
            "Players' mails will land there too. Move it to the inbox by hand, tell the provider that mail of"
            f" {test.address} is no spam, or add a filter that leaves mail to this mailbox alone."
        )
        return Finding("test mail arrives", "bad", f"it was put into the folder {folder}", remedy)
    remedy = (
        f"Does mail to {test.address} come into this very mailbox? Look into its spam folder, and try again with "
        "--wait 300."
    )
    return Finding("test mail arrives", "bad", f"nothing came within {wait:.0f} seconds", remedy)


def _plus(test: _Test, fates: list[Fate], wait: float) -> Finding:
    step, remedy = (
        "plus address",
        (
            "Who writes is told by a token after the plus; without it only the reply headers tell. Turn on plus "
            "addresses (Postfix and Dovecot: recipient_delimiter = +), or use another provider."
        ),
    )
    fetched = test.arrived.get("plus")
    if fetched is None:
        refused = next((f.answer for f in fates if f.id == 2 and not f.sent), "")
        why = (
            f"the server refuses it ({refused})" if refused else f"it did not come within {wait:.0f} seconds"
        )
        return Finding(step, "bad", f"mail to {test.plus}: {why}", remedy)
    mail = Mail(fetched.raw)
    kept = [name for name in RECIPIENT_HEADERS if test.nonce in mail.header(name)]
    if not kept:
        return Finding(step, "bad", "the mail came, but its plus part was cut off everywhere", remedy)
    return Finding(step, "good", f"kept in {', '.join(name.title() for name in kept)}")


def _bounce_address(test: _Test) -> Finding:
    """Whether bounces will come to the address that tells whose they are."""
    mail = Mail(next(iter(test.arrived.values())).raw)
    back = next((box.address for box in mailboxes([mail.header("return-path")])), "")
    if not back:
        return Finding(
            "bounce address", "good", "the server does not show it; bounces are told by what they hold"
        )
    if test.nonce in back:
        return Finding("bounce address", "good", "bounces come to an address of their own")
    said = f"the server makes it {back}, so a bounce is told only by what it holds"
    return Finding("bounce address", "good", said)


def _vouching(post: Post, test: _Test) -> Finding:
    """Whether our server says who is genuine, and by which name."""
    mail = Mail(next(iter(test.arrived.values())).raw)
    names = [name for value in mail.all("authentication-results") if (name := results_of(value)[0])]
    ours = post.authserv_id.casefold()
    if ours and ours in names:
        return Finding("who vouches", "good", f"{post.authserv_id} says who is genuine")
    if ours:
        found = f", but {', '.join(names)}" if names else ""
        said = f"no Authentication-Results of {post.authserv_id} stand in the test mail{found}"
        remedy = "If mail of others has none either, empty mail.authserv_id or correct it."
        return Finding("who vouches", "bad" if names else "good", said, remedy)
    if names:
        said = f"the server writes verdicts as {names[0]}, which are not believed"
        remedy = f'mail.authserv_id = "{names[0]}" spares those a code who write without answering a letter.'
        return Finding("who vouches", "good", said, remedy)
    said = "nobody; whoever writes without answering a letter is sent a code first"
    return Finding("who vouches", "good", said)


def _clock(test: _Test) -> Finding:
    """The stamps by which deadlines are judged, against our own clock."""
    arrived = next(iter(test.arrived.values())).arrived
    now = datetime.now(UTC)
    ahead = arrived - now if arrived > now else min(arrived - test.sent_at, timedelta())
    if abs(ahead) <= SKEW:
        return Finding("clock", "good", "the mail server's clock and ours agree")
    way = "ahead of" if ahead > timedelta() else "behind"
    minutes = round(abs(ahead).total_seconds() / 60)
    long = f"{minutes} minutes" if minutes < 120 else f"{minutes / 60:.1f} hours"
    said = f"the mail server's clock is {long} {way} ours"
    return Finding("clock", "bad", said, "Deadlines are judged by it: set this machine's clock by NTP.")


def _cleaned(source: Source, test: _Test) -> Finding:
    if not test.keys:
        return Finding("cleaning up", "good", "there is nothing to put away")
    try:
        for key in test.keys:
            source.settle(key, "Done")
        left = sum(fetched.key in test.keys for fetched in source.fetch(MOST))
    except (Disconnected, Refused) as e:
        return Finding("cleaning up", "bad", str(e))
    if left:
        said = f"{left} test mails could not be moved to Done"
        return Finding("cleaning up", "bad", said, "Give this user the right to move mails in this mailbox.")
    return Finding("cleaning up", "good", f"{len(test.keys)} test mails are in Done")
