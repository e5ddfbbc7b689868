"""What is wrong with the configuration, the store and the mailbox: step by step, each with its remedy."""

from __future__ import annotations

import asyncio
import contextlib
import imaplib
import secrets
import smtplib
import socket
import ssl
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Literal

from .config import BadConfig, Config, load
from .mail.compose import Letter, compose
from .mail.mime import Mail
from .ports import Disconnected, Fate, Fetched, Outgoing, Refused, Source, Transport
from .postoffice.people import Listed
from .postoffice.server import PostOffice
from .runner import AlreadyRunning
from .service import imap_account, lock_of, smtp_account, source_of
from .sources import imap
from .sources.imap import ImapAccount
from .store.db import Damaged, Store, Unavailable, stamp
from .transports import smtp
from .transports.smtp import SmtpAccount, SmtpTransport
from .writing import KIND_HEADER

State = Literal["good", "bad", "skipped"]
TOKEN_HEADER = "X-Pbem-Doctor"
SKEW = timedelta(minutes=2)
"""How far the mail server's clock may be from ours; deadlines are judged by its stamps (D-40)."""
LOOK_SECONDS = 1.0
MOST = 2000
"""How many mails of the inbox are looked through for the test mails."""
_PASSWORD_REMEDY = (
    "Check {}.user and the password; many providers want an application password instead of the usual one."
)
RECIPIENT_HEADERS = ("delivered-to", "x-original-to", "envelope-to", "x-delivered-to", "to")


@dataclass(frozen=True, slots=True)
class Finding:
    """What one step found."""

    step: str
    state: State
    said: str
    remedy: str = ""


@dataclass(frozen=True, slots=True)
class _Post:
    """The mailbox and the way into it, whatever kind they are."""

    source: Source
    transport: Transport


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
        return Outgoing(id, self.address, to, compose(letter))

    def notice(self, fetched: Fetched) -> None:
        """Remember a mail if it is a test mail."""
        kind, _, nonce = Mail(fetched.raw).header(TOKEN_HEADER).strip().partition(" ")
        if not nonce:
            return
        self.keys.append(fetched.key)
        if nonce == self.nonce:
            self.arrived.setdefault(kind, fetched)


def examine(path: Path, wait: float, *, default: bool = False) -> Iterator[Finding]:
    """Every step in turn; ends where nothing further can be said. With `default`, a file that is not there means
    that the defaults hold."""
    if default and not path.exists():
        said = f"there is no {path.absolute()}, so the defaults hold (`pbem init` writes one)"
        config = Config()
    else:
        try:
            config = load(path)
        except BadConfig as e:
            yield Finding("configuration", "bad", str(e), "Correct it; the other steps need it.")
            return
        said = f"{path} is understood"
    yield Finding("configuration", "good", said)
    yield _store(config)
    yield from _mail(config, wait)


def _store(config: Config) -> Finding:
    """Opens, writes, is sound."""
    path = Path(config.store.path)
    try:
        store = Store(path)
        try:
            found = store.one("pragma integrity_check")
            if found is None or found[0] != "ok":
                what = found[0] if found else "no answer"
                return Finding("store", "bad", f"{path} is damaged: {what}", "Put a backup in its place.")
            with store.tx():
                store.keep("doctor", stamp(datetime.now(UTC)).encode())
        finally:
            store.close()
    except (Damaged, Unavailable) as e:
        remedy = "Free some disk, or give read and write rights to the file and its folder."
        return Finding("store", "bad", str(e), remedy if isinstance(e, Unavailable) else "")
    except OSError as e:
        remedy = "Name a place in store.path that this user may write to."
        return Finding("store", "bad", f"{path}: {e.strerror}", remedy)
    return Finding("store", "good", f"{path} opens, can be written and is sound")


# the mailbox and the post


def _mail(config: Config, wait: float) -> Iterator[Finding]:
    try:
        lock = lock_of(config)
    except AlreadyRunning as e:
        yield Finding("mail", "skipped", str(e), "The runner would take the test mails away.")
        return
    try:
        if config.mail.source == "embedded":
            yield from _embedded(config, wait)
        else:
            yield from _servers(config, wait)
    finally:
        lock.release()


def _embedded(config: Config, wait: float) -> Iterator[Finding]:
    source = source_of(config)
    us = config.mail.address
    office = PostOffice(Path(config.mail.maildir), us, Listed(()), port=0, on_delivery=source.wake)
    try:
        with office:
            said = (
                f"the post office opens at {office.host}:{office.port}, its Maildirs in {config.mail.maildir}"
            )
            yield Finding("mailbox", "good", said)
            transport = SmtpTransport(SmtpAccount(office.host, office.port, tls="none"))
            yield from _round_trip(_Post(source, transport), us, wait)
    except OSError as e:
        remedy = "Name a folder in mail.maildir that this user may write to."
        yield Finding("mailbox", "bad", f"the post office cannot open: {e.strerror or e}", remedy)
    finally:
        source.close()


def _servers(config: Config, wait: float) -> Iterator[Finding]:
    findings: list[Finding] = []
    source = transport = None
    try:
        source = source_of(config)
        if config.mail.source == "imap":
            findings += _imap_steps(imap_account(config))
        else:
            findings.append(_maildir(source, config.mail.maildir))
    except (BadConfig, Refused) as e:
        findings.append(Finding("mailbox", "bad", str(e)))
    try:
        account = smtp_account(config)
        transport = SmtpTransport(account)
        findings += _smtp_steps(account)
    except (BadConfig, Refused) as e:
        findings.append(Finding("post", "bad", str(e)))
    yield from findings
    try:
        if source is None or transport is None or any(f.state == "bad" for f in findings):
            yield Finding(
                "test mail", "skipped", "no mail was sent, since the steps before it must be well first"
            )
        else:
            yield from _round_trip(_Post(source, transport), config.mail.address, wait)
    finally:
        if source is not None:
            source.close()


def _maildir(source: Source, path: str) -> Finding:
    try:
        list(source.fetch(1))
    except (Disconnected, Refused) as e:
        return Finding("mailbox", "bad", str(e))
    return Finding("mailbox", "good", f"{path} is a Maildir and can be read")


def _imap_steps(account: ImapAccount) -> list[Finding]:
    """Connects, logs in, can what we need; as far as it goes."""
    where = f"{account.host}:{account.port}"
    found: list[Finding] = []
    try:
        client = _imap_client(account)
    except (OSError, imaplib.IMAP4.error) as e:
        return [Finding("mailbox connects", "bad", f"{where}: {_why(e)}", _remedy(e, "imap", account.tls))]
    found.append(Finding("mailbox connects", "good", f"{where}, {_said_of(account.tls)}"))
    try:
        try:
            _log_in(client, account)
        except (Disconnected, Refused) as e:
            return [*found, Finding("mailbox logs in", "bad", str(e))]
        except (OSError, imaplib.IMAP4.error) as e:
            remedy = imap.TOKEN_REMEDY if account.access is not None else _PASSWORD_REMEDY.format("imap")
            return [
                *found,
                Finding("mailbox logs in", "bad", f"{account.user} is not let in: {_why(e)}", remedy),
            ]
        found.append(Finding("mailbox logs in", "good", f"as {account.user}"))
        _, data = client.capability()
        words = set((data[0] or b"").decode("ascii", "replace").upper().split())
        found.append(_capabilities(words))
    except (OSError, imaplib.IMAP4.error) as e:
        found.append(Finding("mailbox capabilities", "bad", _why(e), "Try again; the server broke off."))
    finally:
        with contextlib.suppress(OSError, imaplib.IMAP4.error):
            client.logout()
    return found


def _imap_client(account: ImapAccount) -> imaplib.IMAP4:
    if account.tls == "none":
        return imaplib.IMAP4(account.host, account.port, timeout=account.timeout)
    context = ssl.create_default_context(cafile=account.cafile)
    if account.tls == "tls":
        return imaplib.IMAP4_SSL(account.host, account.port, ssl_context=context, timeout=account.timeout)
    client = imaplib.IMAP4(account.host, account.port, timeout=account.timeout)
    try:
        client.starttls(context)
    except BaseException:
        client.shutdown()
        raise
    return client


def _log_in(client: imaplib.IMAP4, account: ImapAccount) -> None:
    if account.access is not None:
        imap.log_in_by_token(client, account.user, account.access.token())
    elif account.user.isascii() and account.password.isascii():
        client.login(account.user, account.password)
    else:  # LOGIN knows no other letters
        client.authenticate("PLAIN", lambda _: f"\0{account.user}\0{account.password}".encode())


def _capabilities(words: set[str]) -> Finding:
    lacking = [name for name in ("MOVE", "UIDPLUS") if name not in words]
    if lacking:
        remedy = "Without them mail can be lost. Use a server that has both, or a Maildir (mail.source)."
        return Finding("mailbox capabilities", "bad", f"it lacks {' and '.join(lacking)}", remedy)
    if "IDLE" not in words:
        said = "MOVE, UIDPLUS; no IDLE, so new mail is seen every mail.poll_seconds"
        return Finding("mailbox capabilities", "good", said)
    return Finding("mailbox capabilities", "good", "MOVE, UIDPLUS, IDLE")


def _smtp_steps(account: SmtpAccount) -> list[Finding]:
    """Connects and logs in, as far as it goes."""
    where = f"{account.host}:{account.port}"
    try:
        client = _smtp_client(account)
    except (OSError, smtplib.SMTPException) as e:
        return [Finding("post connects", "bad", f"{where}: {_why(e)}", _remedy(e, "smtp", account.tls))]
    found = [Finding("post connects", "good", f"{where}, {_said_of(account.tls)}")]
    try:
        if account.user:
            _log_in_to_post(client, account)
            found.append(Finding("post logs in", "good", f"as {account.user}"))
        else:
            found.append(Finding("post logs in", "good", "no login is asked for (smtp.user is empty)"))
    except UnicodeEncodeError:
        said = "user or password have letters outside ASCII; the test mail will tell"
        found.append(Finding("post logs in", "skipped", said))
    except (Disconnected, Refused) as e:
        found.append(Finding("post logs in", "bad", str(e)))
    except (OSError, smtplib.SMTPException) as e:
        remedy = smtp.TOKEN_REMEDY if account.access is not None else _PASSWORD_REMEDY.format("smtp")
        found.append(Finding("post logs in", "bad", f"{account.user} is not let in: {_why(e)}", remedy))
    finally:
        with contextlib.suppress(OSError, smtplib.SMTPException):
            client.quit()
        client.close()
    return found


def _log_in_to_post(client: smtplib.SMTP, account: SmtpAccount) -> None:
    if account.access is None:
        client.login(account.user, account.password)
        return
    lines = iter([f"user={account.user}\1auth=Bearer {account.access.token()}\1\1"])
    client.ehlo_or_helo_if_needed()
    client.auth("XOAUTH2", lambda _=None: next(lines, ""))


def _smtp_client(account: SmtpAccount) -> smtplib.SMTP:
    context = None if account.tls == "none" else ssl.create_default_context(cafile=account.cafile)
    us = "localhost"  # or else the resolver would be asked for our name
    if account.tls == "tls":
        return smtplib.SMTP_SSL(
            account.host, account.port, local_hostname=us, timeout=account.timeout, context=context
        )
    client = smtplib.SMTP(account.host, account.port, local_hostname=us, timeout=account.timeout)
    try:
        if account.tls == "starttls":
            client.starttls(context=context)
    except BaseException:
        client.close()
        raise
    return client


def _said_of(tls: str) -> str:
    return {"tls": "encrypted", "starttls": "encrypted by STARTTLS", "none": "not encrypted"}[tls]


def _why(e: Exception) -> str:
    if isinstance(e, ssl.SSLCertVerificationError):
        return f"its certificate is not trusted ({e.verify_message})"
    if isinstance(e, smtplib.SMTPResponseException):
        words = (
            e.smtp_error.decode(errors="replace") if isinstance(e.smtp_error, bytes) else str(e.smtp_error)
        )
        return f"{e.smtp_code} {words}"
    if isinstance(e, OSError) and e.strerror:
        return e.strerror
    return " ".join(str(e).split()) or type(e).__name__


def _remedy(e: Exception, section: str, tls: str) -> str:
    """What to change when a server cannot be reached."""
    if isinstance(e, ssl.SSLCertVerificationError):
        return (
            f"Check {section}.host; if the certificate is of your own CA, name its file in {section}.ca_file."
        )
    if isinstance(e, FileNotFoundError):
        return f"There is no such file; correct {section}.ca_file or leave it empty."
    if isinstance(e, socket.gaierror):
        return f"Check the spelling of {section}.host, and that this machine is connected."
    if isinstance(e, ConnectionRefusedError):
        return f"Nothing listens there; check {section}.port."
    if isinstance(e, TimeoutError):
        return f"Nobody answers there; check {section}.host, {section}.port and firewalls."
    usual = {"imap": '993 with "tls", 143 with "starttls"', "smtp": '465 with "tls", 587 with "starttls"'}
    return f'{section}.port and {section}.security = "{tls}" must fit together: usual are {usual[section]}.'


# a mail to ourselves


def _round_trip(post: _Post, address: str, wait: float) -> Iterator[Finding]:
    """Sent, arrived, plus part kept, clocks compared, cleaned away."""
    test = _Test(address)
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
    yield _arrived(test, time.monotonic() - began, wait)
    if test.arrived:
        yield _plus(test, fates, wait)
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


def _arrived(test: _Test, seconds: float, wait: float) -> Finding:
    if test.arrived:
        return Finding("test mail arrives", "good", f"after {seconds:.1f} seconds")
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


def _clock(test: _Test) -> Finding:
    """The stamps by which deadlines are judged, against our own clock."""
    arrived = next(iter(test.arrived.values())).arrived
    now = datetime.now(UTC)
    ahead = arrived - now if arrived > now else min(arrived - test.sent_at, timedelta())
    if abs(ahead) <= SKEW:
        return Finding("clock", "good", "the mail server's clock and ours agree")
    way = "ahead of" if ahead > timedelta() else "behind"
    minutes = abs(ahead).total_seconds() / 60
    said = f"the mail server's clock is {minutes:.0f} minutes {way} ours"
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
