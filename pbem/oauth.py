"""Access tokens for mail servers that take no passwords: fetched by a refresh token (RFC 6749, section 6)."""

from __future__ import annotations

import contextlib
import http.client
import json
import logging
import os
import ssl
import tempfile
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NoReturn

from pbem.mail.hosts import is_loopback
from pbem.ports import Disconnected, Refused

log = logging.getLogger(__name__)

MARGIN = 120.0
"""Seconds before its end from which a token is not used any more; of a short-lived one the second half."""
LIFETIME = 300.0
"""Seconds that a token is taken to live where the provider does not say."""
PAUSE = 30.0
"""Seconds after a failure in which the provider is not asked again; mail is looked for more often than that."""
_MOST = 100_000
"""Bytes of an answer; a token has some thousands at most."""
_PASSING = ("temporarily_unavailable", "server_error", "slow_down")


@dataclass(frozen=True, slots=True)
class OauthClient:
    """Who we are to the provider, and where the permission of the mailbox's owner lies."""

    token_url: str
    client_id: str
    refresh_token_file: Path
    client_secret: str = field(default="", repr=False)
    """Empty for clients that have none."""
    scope: str = ""
    """Empty: what was granted at sign-in."""
    timeout: float = 30.0


@dataclass(frozen=True, slots=True)
class _Failed:
    """An answer without a token."""

    fault: Disconnected | Refused
    until: float


class AccessTokens:
    """The access tokens of one mailbox, each kept until shortly before its end. Any thread may ask."""

    def __init__(self, client: OauthClient, now: Callable[[], float] = time.monotonic) -> None:
        """Raises `Refused` for an endpoint to which secrets would go in the clear."""
        if not is_safe(client.token_url):
            raise Refused(
                f"oauth.token_url = {client.token_url!r} would send secrets in the clear. Write the provider's "
                "address, which begins with https://"
            )
        self._client = client
        self._now = now
        self._lock = threading.Lock()
        self._token, self._ends = "", 0.0
        self._unwritten = ""
        self._failed: _Failed | None = None
        self._opener = _opener(client.token_url)

    def token(self) -> str:
        """One that is good for a while. Raises `Disconnected` for faults that pass, `Refused` for others."""
        with self._lock:
            now = self._now()
            if self._token and now < self._ends:
                return self._token
            if self._failed is not None and now < self._failed.until:
                raise type(self._failed.fault)(str(self._failed.fault))
            self._token = ""
            try:
                self._fetch()
            except (Disconnected, Refused) as e:
                self._failed = _Failed(e, self._now() + PAUSE)
                raise
            self._failed = None
            return self._token

    def refused(self, token: str) -> None:
        """A server did not take this token: it is not given out again."""
        with self._lock:
            if token == self._token:
                self._token = ""

    def _fetch(self) -> None:
        """A new token by the refresh token."""
        c = self._client
        fields = {
            "grant_type": "refresh_token",
            "refresh_token": self._refresh_token(),
            "client_id": c.client_id,
        }
        fields |= {"client_secret": c.client_secret} if c.client_secret else {}
        fields |= {"scope": c.scope} if c.scope else {}
        answer = self._asked(urllib.parse.urlencode(fields).encode())
        token = answer.get("access_token")
        if not isinstance(token, str) or not token or not token.isascii() or not token.isprintable():
            self._wrong_endpoint("its answer holds no access_token")
        lifetime = _seconds(answer.get("expires_in"))
        self._token, self._ends = token, self._now() + lifetime - min(MARGIN, lifetime / 2)
        rotated = answer.get("refresh_token")
        if isinstance(rotated, str) and rotated and rotated != fields["refresh_token"]:
            self._unwritten = rotated
        if self._unwritten:
            self._keep()

    def _refresh_token(self) -> str:
        if self._unwritten:
            return self._unwritten
        path = self._client.refresh_token_file
        try:
            found = path.read_text(encoding="utf-8").strip()
        except (OSError, UnicodeDecodeError) as e:
            why = e.strerror if isinstance(e, OSError) else "it is no text"
            raise Refused(
                f"oauth.refresh_token_file: {path} cannot be read ({why}). Sign in at your provider and write "
                "the refresh token into that file."
            ) from e
        if not found:
            raise Refused(
                f"oauth.refresh_token_file: {path} is empty. Sign in at your provider and write the refresh "
                "token into it."
            )
        return found

    def _keep(self) -> None:
        """The provider has replaced the refresh token; the old one may be dead already."""
        path = self._client.refresh_token_file
        try:
            write_secret(path, self._unwritten + "\n")
        except OSError as e:
            log.error(
                "the new refresh token cannot be written to %s (%s). Give this user the right to write there "
                "before the program ends, or you will have to sign in again",
                *(path, e.strerror),
            )
            return
        self._unwritten = ""

    def _asked(self, form: bytes) -> dict[str, Any]:
        url, where = self._client.token_url, self._where
        request = urllib.request.Request(url, form, {"Accept": "application/json"})
        try:
            with self._opener.open(request, timeout=self._client.timeout) as answer:
                return self._object(answer.read(_MOST))
        except urllib.error.HTTPError as e:
            with e:
                body = b""
                with contextlib.suppress(OSError, http.client.HTTPException):
                    body = e.read(_MOST)
                self._declined(e.code, body)
        except (OSError, http.client.HTTPException) as e:
            reason = e.reason if isinstance(e, urllib.error.URLError) else e
            if isinstance(reason, ssl.SSLCertVerificationError):
                raise Refused(
                    f"the certificate of {where} is not trusted ({reason.verify_message}). Check oauth.token_url "
                    "and this machine's list of CAs."
                ) from e
            raise Disconnected(
                f"no access token from {where} ({type(reason).__name__}: {reason}). It is tried again."
            ) from e

    def _declined(self, status: int, body: bytes) -> NoReturn:
        """What an answer other than 200 means to the host."""
        try:
            answer = json.loads(body)
        except (ValueError, RecursionError):
            answer = None
        answer = answer if isinstance(answer, dict) else {}
        error = _line(answer.get("error"))
        said = f"{status} {error} {_line(answer.get('error_description'))}".strip()
        where = self._where
        if status == 429 or status >= 500 or error in _PASSING:
            raise Disconnected(f"no access token from {where} for now ({said}). It is tried again.")
        if error == "invalid_grant":
            raise Refused(
                f"{where} does not take the refresh token any more ({said}). Sign in again and write the new "
                f"refresh token into {self._client.refresh_token_file}."
            )
        if error in ("invalid_client", "unauthorized_client"):
            raise Refused(
                f"{where} does not know us ({said}). Check oauth.client_id and the client secret that "
                "oauth.client_secret_env or oauth.client_secret_file names."
            )
        if error == "invalid_scope":
            raise Refused(
                f"{where} does not grant {self._client.scope!r} ({said}). Correct oauth.scope, or leave it empty."
            )
        self._wrong_endpoint(f"it answers {said}")

    def _object(self, body: bytes) -> dict[str, Any]:
        try:
            answer = json.loads(body)
        except (ValueError, RecursionError):
            answer = None
        if not isinstance(answer, dict):
            self._wrong_endpoint("its answer is no JSON object")
        return answer

    def _wrong_endpoint(self, why: str) -> NoReturn:
        raise Refused(
            f"{self._client.token_url} gives no access token: {why}. Check oauth.token_url; it must be the "
            "provider's token endpoint."
        )

    @property
    def _where(self) -> str:
        return urllib.parse.urlsplit(self._client.token_url).netloc


def is_safe(url: str) -> bool:
    """Whether secrets may go to this address: by https, or to this machine itself."""
    try:
        parts = urllib.parse.urlsplit(url)
        host = parts.hostname or ""
    except ValueError:
        return False
    return bool(host) and (parts.scheme == "https" or (parts.scheme == "http" and is_loopback(host)))


def write_secret(path: Path, text: str) -> None:
    """A file that is there whole, for its owner alone, or not at all. Raises `OSError`."""
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with open(handle, "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        os.replace(name, path)
    except BaseException:
        os.unlink(name)
        raise
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """Secrets go to the address that the host wrote, and to no other."""

    def redirect_request(self, *_: Any) -> None:
        """Nowhere."""


def _opener(url: str) -> urllib.request.OpenerDirector:
    handlers: list[urllib.request.BaseHandler] = [_NoRedirect()]
    if is_loopback(urllib.parse.urlsplit(url).hostname or ""):
        handlers.append(urllib.request.ProxyHandler({}))
    return urllib.request.build_opener(*handlers)


def _seconds(value: object) -> float:
    """How long a token lives; some providers write the number as text."""
    try:
        found = float(value) if isinstance(value, (int, float, str)) else LIFETIME
    except ValueError:
        return LIFETIME
    return found if 0 < found < 1e9 else LIFETIME


def _line(value: object) -> str:
    """Words of the provider, short and on one line."""
    return " ".join(str(value).split())[:200] if isinstance(value, str) else ""
