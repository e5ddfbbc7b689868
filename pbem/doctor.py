"""What is wrong with the configuration, the store and the mailbox: step by step, each with its remedy."""

from __future__ import annotations

import contextlib
import imaplib
import shutil
import smtplib
import socket
import ssl
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

from .config import BadConfig, Config, load
from .ports import Disconnected, Refused, Source
from .postoffice.people import Listed
from .postoffice.server import PostOffice
from .round_trip import Finding, Post, round_trip
from .runner import AlreadyRunning
from .service import counter_of, imap_account, lock_of, smtp_account, source_of
from .sources import imap
from .sources.imap import ImapAccount
from .spam import spam_in_imap, spam_in_maildir
from .store.db import Damaged, Store, Unavailable, stamp
from .transports import smtp
from .transports.smtp import SmtpAccount, SmtpTransport

LEAST_FREE = 100_000_000
"""Bytes that must be free on the store's disk."""
_PASSWORD_REMEDY = (
    "Check {}.user and the password; many providers want an application password instead of the usual one."
)


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
    free = shutil.disk_usage(path.parent).free
    if free < LEAST_FREE:
        said = f"only {free // 1_000_000} MB are free on the disk of {path}"
        return Finding("store", "bad", said, "Free some; every mail is kept, and so are 48 hourly backups.")
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
            yield from round_trip(Post(source, transport, us), wait)
    except OSError as e:
        remedy = "Name a folder in mail.maildir that this user may write to."
        yield Finding("mailbox", "bad", f"the post office cannot open: {e.strerror or e}", remedy)
    finally:
        source.close()


def _servers(config: Config, wait: float) -> Iterator[Finding]:
    with contextlib.ExitStack() as opened:
        yield from _connected(config, wait, opened)


def _connected(config: Config, wait: float, opened: contextlib.ExitStack) -> Iterator[Finding]:
    findings: list[Finding] = []
    source = transport = None
    try:
        source = source_of(config)
        opened.callback(source.close)
        if config.mail.source == "imap":
            findings += _imap_steps(imap_account(config))
        elif config.mail.source == "lmtp":
            counter = opened.enter_context(counter_of(config, lambda _: True, source))
            findings.append(Finding("mailbox", "good", f"LMTP is spoken at {counter.place}"))
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
            us, vouches = config.mail.address, config.mail.authserv_id
            yield from round_trip(Post(source, transport, us, vouches, _elsewhere(config)), wait)
    finally:
        if source is not None:
            source.close()


def _elsewhere(config: Config) -> Callable[[str], str]:
    """Looks for a test mail where the inbox is not."""

    def look(nonce: str) -> str:
        if config.mail.source != "imap":
            return spam_in_maildir(Path(config.mail.maildir), nonce)
        account = imap_account(config)
        try:
            client = _imap_client(account)
        except (OSError, imaplib.IMAP4.error):
            return ""
        try:
            _log_in(client, account)
            return spam_in_imap(client, nonce)
        except (OSError, imaplib.IMAP4.error, Disconnected, Refused):
            return ""  # the steps before have said what is wrong
        finally:
            with contextlib.suppress(OSError, imaplib.IMAP4.error):
                client.logout()

    return look


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
