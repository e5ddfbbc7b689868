"""An IMAP mailbox as a source. The rules of this file each come from mail that was lost without them.

Capabilities are read again after login, and MOVE and UIDPLUS demanded: without them a move is a copy and an
expunge of the whole mailbox. Raw bytes are fetched one by one, without marking them. Nothing is ever flagged
or deleted. Any fault whatever: the connection is dropped and made anew. IDLE is a hint, not the truth.
"""

from __future__ import annotations

import calendar
import contextlib
import imaplib
import random
import re
import selectors
import ssl
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Literal

from imap_tools import BaseMailBox, MailBox, MailBoxStartTls, MailBoxUnencrypted

from pbem.mail.hosts import is_loopback
from pbem.mail.mime import KEPT_BYTES
from pbem.ports import Access, Disconnected, Fetched, Refused

TlsMode = Literal["tls", "starttls", "none"]

_IDLE_MOST = 9 * 60.0
"""Seconds; some routers forget a silent connection after ten minutes."""
_POLL = 30.0
"""Seconds between two looks where the server has no IDLE."""
_SLICE = 0.5
"""Seconds after which a waiting thread notices `wake`."""
_FIRST_PAUSE, _LONGEST_PAUSE = 1.0, 300.0
_PASSING = ("[UNAVAILABLE]", "[INUSE]", "[LIMIT]", "[SERVERBUG]")
TOKEN_REMEDY = (
    "The provider has given the access token, so check that oauth.scope covers reading mail, and that user is the "
    "mailbox that was signed in."
)
_DATE = re.compile(rb'INTERNALDATE "([^"]+)"')
_DATE_FORM = re.compile(r"\s*(\d{1,2})-(\w{3})-(\d{4}) (\d\d):(\d\d):(\d\d) ([+-])(\d\d)(\d\d)")
_UID = re.compile(rb"\bUID (\d+)")
_MONTHS = {name: n for n, name in enumerate(calendar.month_abbr) if name}
"""Filled before any locale is set, in English."""


@dataclass(frozen=True, slots=True)
class ImapAccount:
    """Where the mailbox is and how to get in."""

    host: str
    port: int
    user: str
    password: str = ""
    tls: TlsMode = "tls"
    cafile: str | None = None
    """PEM file of a private CA."""
    access: Access | None = None
    """Gives access tokens for XOAUTH2, which are used instead of the password."""
    folder: str = "INBOX"
    timeout: float = 30.0
    """Seconds for each answer of the server."""


class ImapSource:
    """One IMAP mailbox on one connection, owned by one thread; only `wake` may be called from others."""

    def __init__(self, account: ImapAccount) -> None:
        """Raises `Refused` for an account that asks for plain text to another machine."""
        if account.tls == "none" and not is_loopback(account.host):
            raise Refused(
                f'security = "none" would send the password to {account.host} in the clear. Set it to "tls" '
                '(port 993) or "starttls" (port 143); "none" is for this machine alone.'
            )
        self._account = account
        self._box: BaseMailBox | None = None
        self._validity = ""
        self._prefix = ""
        self._wake = threading.Event()
        self._failures = 0
        self._not_before = 0.0

    def fetch(self, limit: int = 50) -> Iterator[Fetched]:
        """The mails in the inbox, oldest first, left unread where they are. Raises `Disconnected` and
        `Refused`."""
        with self._dropping():
            uids = self._uids()[:limit]
        for uid in uids:
            with self._dropping():
                fetched = self._fetch(uid)
            if fetched is not None:
                yield fetched

    def settle(self, key: str, folder: str) -> None:
        """Moves one mail; one that is gone, or of an earlier life of the mailbox, is no fault."""
        _, _, rest = key.partition(f"/{self._account.folder}/")
        validity, _, uid = rest.partition("/")
        with self._dropping():
            client = self._client()
            if validity != self._validity or not uid.isdigit():
                return
            answer, data = client.uid("MOVE", uid, self._prefix + folder)
            if answer == "NO" and b"TRYCREATE" in _words(data):
                client.create(self._prefix + folder)
                answer, data = client.uid("MOVE", uid, self._prefix + folder)
            if not _gone(answer, data):
                _demand(answer, data)

    def wait(self, seconds: float) -> bool:
        """Waits with IDLE where there is a connection that can, for 9 minutes at most. Without IDLE it
        ends, as if something had come, after 30 seconds. Raises `Disconnected` if the connection breaks."""
        box = self._box
        if box is None or "IDLE" not in box.client.capabilities:
            woken = self._wake.wait(min(seconds, _POLL))
            self._wake.clear()
            return woken or (box is not None and seconds >= _POLL)
        with self._dropping():
            return self._idle(box, min(seconds, _IDLE_MOST))

    def wake(self) -> None:
        """Ends a `wait`, or the next one."""
        self._wake.set()

    def close(self) -> None:
        """Logs out if the server still listens; never raises."""
        box, self._box = self._box, None
        if box is not None:
            with contextlib.suppress(Exception):
                box.client.sock.settimeout(2)
                box.client.logout()
            _shut(box)

    def _uids(self) -> list[str]:
        client = self._client()
        _demand(*client.noop())  # lets the server tell of new mail
        answer, data = client.uid("SEARCH", "ALL")
        _demand(answer, data)
        return sorted((data[0] or b"").decode("ascii").split(), key=int)

    def _fetch(self, uid: str) -> Fetched | None:
        """One mail, of an overlong one the head; None if it is gone meanwhile."""
        answer, data = self._client().uid("FETCH", uid, f"(INTERNALDATE BODY.PEEK[]<0.{KEPT_BYTES}>)")
        if _gone(answer, data):
            return None
        _demand(answer, data)
        raw, heads = b"", []
        for item in data:  # some servers answer twice, once with an empty body
            heads.append(item[0] if isinstance(item, tuple) else item or b"")
            named = _UID.search(heads[-1])
            if isinstance(item, tuple) and (named is None or named[1].decode() == uid):
                raw = max(raw, item[1], key=len)
        if not raw:
            return None
        key = f"imap:{self._account.user}@{self._account.host}/{self._account.folder}/{self._validity}/{uid}"
        return Fetched(key, raw, _arrival(b" ".join(heads)))

    def _idle(self, box: BaseMailBox, seconds: float) -> bool:
        """Not with the library's `poll`, which takes half a line for a whole one."""
        end = time.monotonic() + seconds
        box.idle.start()  # type: ignore[no-untyped-call]
        news = b""
        while not news and not self._wake.is_set() and (left := end - time.monotonic()) > 0:
            if _speaks(box.client, min(_SLICE, left)):
                news = box.client._get_line()
        if news.startswith(b"* BYE"):
            raise Disconnected("the server has ended the connection while we waited")
        _, late = box.idle.stop()  # type: ignore[no-untyped-call]  # some servers tell only now
        woken = self._wake.is_set()
        self._wake.clear()
        return woken or bool(news) or bool(late)

    @contextlib.contextmanager
    def _dropping(self) -> Iterator[None]:
        """Any exception: the connection is worth nothing any more."""
        try:
            yield
        except (Disconnected, Refused):
            self._drop()
            raise
        except Exception as e:
            self._drop()
            raise Disconnected(
                f"the IMAP server {self._account.host}:{self._account.port} failed "
                f"({type(e).__name__}: {e}). The connection is made anew."
            ) from e

    def _drop(self) -> None:
        box, self._box = self._box, None
        if box is not None:
            _shut(box)
        if time.monotonic() >= self._not_before:
            pause = (
                min(_FIRST_PAUSE * 2 ** max(0, self._failures - 1), _LONGEST_PAUSE) if self._failures else 0.0
            )
            self._not_before = time.monotonic() + pause * random.uniform(0.5, 1.0)
            self._failures += 1

    def _client(self) -> imaplib.IMAP4:
        """The connection, made if there is none, the mailbox selected."""
        if self._box is None:
            left = self._not_before - time.monotonic()
            if left > 0:
                raise Disconnected(f"{self._account.host} is tried again in {left:.0f} seconds")
            self._box = self._connected()
            self._select(self._box.client)
            self._failures = 0
        return self._box.client

    def _connected(self) -> BaseMailBox:
        """A new connection, logged in, with everything that is needed; nothing is left open otherwise."""
        access = self._account.access
        if access is None:
            return self._entered(self._account.password)
        token = access.token()
        try:
            return self._entered(token)
        except _NotLetIn:
            access.refused(token)
        return self._entered(access.token())

    def _entered(self, secret: str) -> BaseMailBox:
        """A connection, logged in with a password or an access token. Raises `_NotLetIn` among others."""
        box = self._opened()
        try:
            self._log_in(box, secret)
            box.client._get_capabilities()  # before login they were others
            self._check(box.client.capabilities)
            if "NAMESPACE" in box.client.capabilities:
                self._prefix = _personal_prefix(box.client.namespace())
        except BaseException:
            _shut(box)
            raise
        return box

    def _opened(self) -> BaseMailBox:
        a = self._account
        try:
            if a.tls == "none":
                return MailBoxUnencrypted(a.host, a.port, timeout=a.timeout)
            context = self._tls_context()
            kind = MailBox if a.tls == "tls" else _StartTls
            return kind(a.host, a.port, timeout=a.timeout, ssl_context=context)
        except _NoStartTls as e:
            raise Refused(
                f"{a.host}:{a.port} offers no STARTTLS ({e}), so the password was not sent. Set the security "
                'of IMAP to "tls" and its port to 993. If STARTTLS has worked here before, somebody on the way '
                "may be taking it out."
            ) from e
        except ssl.SSLCertVerificationError as e:
            raise Refused(
                f"the certificate of {a.host}:{a.port} is not trusted ({e.verify_message}). If it is of "
                "your own CA, name its file in ca_file; else check the host name."
            ) from e

    def _tls_context(self) -> ssl.SSLContext:
        cafile = self._account.cafile
        try:
            return ssl.create_default_context(cafile=cafile)
        except FileNotFoundError as e:
            raise Refused(f"there is no file {cafile}. Correct ca_file, or leave it empty.") from e
        except (OSError, ssl.SSLError) as e:
            raise Refused(
                f"{cafile} holds no certificate that can be read ({e}). Correct ca_file, or leave it empty."
            ) from e

    def _log_in(self, box: BaseMailBox, secret: str) -> None:
        a = self._account
        try:
            if a.access is not None:
                log_in_by_token(box.client, a.user, secret)
            elif a.user.isascii() and secret.isascii():
                box.login(a.user, secret, initial_folder=None)
            else:
                box.login_utf8(a.user, secret, initial_folder=None)
        except imaplib.IMAP4.abort:
            raise
        except Exception as e:
            if isinstance(e, OSError) or any(word in str(e) for word in _PASSING):
                raise
            remedy = (
                "Check user and password; many providers want an application password, or a token."
                if a.access is None
                else TOKEN_REMEDY
            )
            raise _NotLetIn(f"{a.host} does not let {a.user} in ({e}). {remedy}") from e

    def _check(self, capabilities: tuple[str, ...]) -> None:
        lacking = [name for name in ("MOVE", "UIDPLUS") if name not in capabilities]
        if lacking:
            raise Refused(
                f"{self._account.host} lacks {' and '.join(lacking)}, without which mail can be lost. Use a "
                "server that has both (Dovecot, Cyrus and the large providers do), or a Maildir."
            )

    def _select(self, client: imaplib.IMAP4) -> None:
        answer, data = client.select(self._account.folder)
        if answer != "OK":
            raise Refused(
                f"{self._account.user} has no mailbox {self._account.folder} on {self._account.host} "
                f"({data!r}). Correct its name."
            )
        _, validity = client.response("UIDVALIDITY")
        first = validity[0] if validity else None
        self._validity = first.decode("ascii") if isinstance(first, bytes) else "0"


class _NotLetIn(Refused):
    """The server does not take user and password, or the token."""


class _NoStartTls(Exception):
    """The server, or somebody before it, will not encrypt."""


class _StartTls(MailBoxStartTls):
    """Tells a refusal of STARTTLS from a broken line, and leaves no line open."""

    def _get_mailbox_client(self) -> imaplib.IMAP4:
        client = imaplib.IMAP4(self._host, self._port, self._timeout)
        try:
            if "STARTTLS" not in client.capabilities:
                raise _NoStartTls("it is not among its capabilities")
            try:
                client.starttls(self._ssl_context)
            except imaplib.IMAP4.abort:
                raise
            except imaplib.IMAP4.error as e:
                raise _NoStartTls(str(e)) from e
        except BaseException:
            with contextlib.suppress(OSError):
                client.shutdown()
            raise
        return client


def log_in_by_token(client: imaplib.IMAP4, user: str, token: str) -> None:
    """XOAUTH2. A server that refuses tells why first, and wants an empty line before it says NO.
    Raises `imaplib.IMAP4.error`."""
    lines = iter([f"user={user}\1auth=Bearer {token}\1\1".encode()])
    client.authenticate("XOAUTH2", lambda _: next(lines, b""))


def _words(data: list[Any]) -> bytes:
    return b" ".join(d for d in data if isinstance(d, bytes))


def _gone(answer: str, data: list[Any]) -> bool:
    """Whether the server says that somebody else has moved or expunged the mail meanwhile (RFC 5530)."""
    return answer == "NO" and b"[EXPUNGEISSUED]" in _words(data)


def _demand(answer: str, data: Any) -> None:
    if answer != "OK":
        raise imaplib.IMAP4.error(f"{answer} {data!r}")


def _speaks(client: imaplib.IMAP4, seconds: float) -> bool:
    """Whether the server says something, or hangs up, within some seconds. What came together with its last
    answer lies in our buffer already, where no selector looks."""
    if _ready(client):
        return True
    with selectors.DefaultSelector() as selector:
        selector.register(client.sock, selectors.EVENT_READ)
        return bool(selector.select(seconds)) and _ready(client) is not None


def _ready(client: imaplib.IMAP4) -> bytes | None:
    """The beginning of what can be read without waiting; None if that is not a word of the server (TLS also
    talks to itself), nothing at the end of the connection."""
    line = client.sock
    patience = line.gettimeout()
    line.settimeout(0)
    try:
        found: bytes = client.file.peek(1)  # type: ignore[union-attr]
        return found
    except (BlockingIOError, ssl.SSLWantReadError):
        return None
    finally:
        line.settimeout(patience)


def _shut(box: BaseMailBox) -> None:
    with contextlib.suppress(Exception):
        box.client.shutdown()


def _arrival(head: bytes) -> datetime:
    """INTERNALDATE as UTC; the present where the server gives none that can be read."""
    found = _DATE.search(head)
    m = _DATE_FORM.match(found[1].decode("ascii", "replace")) if found else None
    if m is None:
        return datetime.now(UTC)
    zone = timedelta(hours=int(m[8]), minutes=int(m[9])) * (-1 if m[7] == "-" else 1)
    month = _MONTHS.get(m[2].title(), 0)
    day, year, hour, minute, second = (int(m[n]) for n in (1, 3, 4, 5, 6))
    try:
        return datetime(year, month, day, hour, minute, second, tzinfo=UTC) - zone
    except (ValueError, OverflowError):
        return datetime.now(UTC)


def _personal_prefix(answer: tuple[str, list[Any]]) -> str:
    """What stands before the names of a user's own folders: `INBOX.` on some servers."""
    data = answer[1][0] if answer[1] else None
    m = re.match(rb'\(\("([^"]*)"', data) if isinstance(data, bytes) else None
    return m[1].decode("ascii", "replace") if m else ""
