"""Letters to a mail server by SMTP, a batch on one connection."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import aiosmtplib
from aiosmtplib import SMTP, SMTPException, SMTPResponseException

from pbem.mail.hosts import is_loopback
from pbem.ports import Access, Disconnected, Fate, Outgoing, Refused

TlsMode = Literal["tls", "starttls", "none"]

_OURS_TO_MEND = frozenset({530, 534, 535, 538})
"""Answers to a letter that are about our login; the letter itself is well."""
TOKEN_REMEDY = (
    "The provider has given the access token, so check that oauth.scope covers sending mail, and that user is the "
    "mailbox that was signed in."
)
_GONE = 421
_TOO_BIG = 552


class _NotLetIn(Refused):
    """The server does not take user and password, or the token."""


@dataclass(frozen=True, slots=True)
class SmtpAccount:
    """The server that takes our letters, and how to get in."""

    host: str
    port: int
    tls: TlsMode = "starttls"
    user: str = ""
    """Empty: no login."""
    password: str = ""
    cafile: str | None = None
    """PEM file of a private CA."""
    access: Access | None = None
    """Gives access tokens for XOAUTH2, which are used instead of the password."""
    timeout: float = 30.0
    """Seconds for each answer of the server."""


class SmtpTransport:
    """Hands letters over; knows no queue and forgets everything between two batches."""

    def __init__(self, account: SmtpAccount) -> None:
        """Raises `Refused` for an account that would send a password in the clear to another machine."""
        if account.tls == "none" and account.user and not is_loopback(account.host):
            raise Refused(
                f'security = "none" would send the password to {account.host} in the clear. Set it to "starttls" '
                '(port 587) or "tls" (port 465); "none" with a password is for this machine alone.'
            )
        self._account = account

    async def send(self, letters: Sequence[Outgoing]) -> list[Fate]:
        """One fate for each letter, in order; fewer if the connection breaks midway. Raises `Disconnected`
        if there is no connection, `Refused` if the server does not let us in."""
        if not letters:
            return []
        client = await self._connected()
        line = client.transport
        fates: list[Fate] = []
        try:
            for letter in letters:
                fate = await _handed_over(client, letter)
                if fate is None:
                    break
                fates.append(fate)
            await _leave(client)
        finally:
            await _hang_up(client, line)
        return fates

    async def _connected(self) -> SMTP:
        access = self._account.access
        if access is None:
            return await self._entered(None)
        token = await asyncio.to_thread(access.token)
        try:
            return await self._entered(token)
        except _NotLetIn:
            access.refused(token)
        return await self._entered(await asyncio.to_thread(access.token))

    async def _entered(self, token: str | None) -> SMTP:
        """A connection, logged in with the password or with a token. Raises `_NotLetIn` among others."""
        a = self._account
        client = SMTP(
            hostname=a.host,
            port=a.port,
            timeout=a.timeout,
            use_tls=a.tls == "tls",
            start_tls=a.tls == "starttls",
            tls_context=self._tls_context(),
        )
        try:
            await client.connect()
            if client.is_ehlo_or_helo_needed:  # `supports_extension` asks nobody
                await _greet(client)
            if token is not None:
                await client.auth_xoauth2(a.user, token)
            elif a.user:
                await client.login(a.user, a.password)
        except BaseException as e:
            await _hang_up(client, client.transport)
            raise self._fault(e) from e
        return client

    def _tls_context(self) -> ssl.SSLContext | None:
        if self._account.tls == "none":
            return None
        try:
            return ssl.create_default_context(cafile=self._account.cafile)
        except (OSError, ssl.SSLError) as e:
            raise Refused(
                f"{self._account.cafile} holds no certificate that can be read ({e}). Correct ca_file, or "
                "leave it empty."
            ) from e

    def _fault(self, e: BaseException) -> BaseException:
        """What a failed connection means to the host of the runner."""
        a, where = self._account, f"{self._account.host}:{self._account.port}"
        causes = (e, e.__cause__, e.__context__)
        if any(isinstance(c, ssl.SSLCertVerificationError) for c in causes):
            return Refused(
                f"the certificate of {where} is not trusted ({e}). If it is of your own CA, name its file in "
                "ca_file; else check the host name."
            )
        if isinstance(e, aiosmtplib.SMTPAuthenticationError) and e.code >= 500:
            remedy = (
                "Check user and password; many providers want an application password, or a token."
                if a.access is None
                else TOKEN_REMEDY
            )
            return _NotLetIn(f"{where} does not let {a.user} in ({e.code} {e.message}). {remedy}")
        if isinstance(e, aiosmtplib.SMTPNotSupported) or _is_lacking(e):
            return Refused(
                f'{where} cannot do what is asked of it ({e}). Check security ("tls", "starttls") and port.'
            )
        if isinstance(e, SMTPException | OSError):
            return Disconnected(f"no connection to {where} ({type(e).__name__}: {e}). It is tried again.")
        return e


def _is_lacking(e: BaseException) -> bool:
    """Whether the server does not know STARTTLS or logins at all; the library tells so in words alone."""
    return isinstance(e, SMTPException) and any(
        word in str(e) for word in ("STARTTLS", "SMTP AUTH extension")
    )


async def _greet(client: SMTP) -> None:
    try:
        await client.ehlo()
    except aiosmtplib.SMTPHeloError:
        await client.helo()


async def _handed_over(client: SMTP, letter: Outgoing) -> Fate | None:
    """What the server says to one letter, None if it is gone."""
    mail_options, rcpt_options = _options(client, letter)
    try:
        refused, answer = await client.sendmail(
            letter.sender,
            [letter.recipient],
            letter.raw,
            mail_options=mail_options,
            rcpt_options=rcpt_options,
        )
    except aiosmtplib.SMTPRecipientsRefused as e:
        first = e.recipients[0] if e.recipients else None
        return _failed(letter, first.code, first.message) if first else _failed(letter, 0, str(e))
    except aiosmtplib.SMTPSenderRefused as e:
        return _failed(letter, e.code, e.message, about_letter=e.code == _TOO_BIG)
    except SMTPResponseException as e:
        return None if e.code < 0 else _failed(letter, e.code, e.message)
    except aiosmtplib.SMTPNotSupported as e:
        return Fate(letter.id, sent=False, permanent=True, answer=str(e))
    except (SMTPException, OSError):
        return None
    except ValueError as e:  # an address that cannot be written in SMTP at all
        return Fate(letter.id, sent=False, permanent=True, answer=str(e))
    if refused:
        response = next(iter(refused.values()))
        return _failed(letter, response.code, response.message)
    return Fate(letter.id, sent=True, answer=answer)


def _failed(letter: Outgoing, code: int, words: str, *, about_letter: bool = True) -> Fate | None:
    """The fate of a letter that was refused; for good only if the answer is about this letter."""
    if code == _GONE:
        return None
    permanent = about_letter and 500 <= code < 600 and code not in _OURS_TO_MEND
    return Fate(letter.id, sent=False, permanent=permanent, answer=f"{code} {words}")


def _options(client: SMTP, letter: Outgoing) -> tuple[list[str], list[str]]:
    """Options of MAIL and RCPT: the number by which a report names this letter, where the server knows."""
    mail, rcpt = [], []
    if client.supports_extension("dsn"):
        mail += ["RET=HDRS", f"ENVID=o{letter.id}"]
        rcpt += ["NOTIFY=FAILURE,DELAY"]
        if letter.recipient.isascii():
            rcpt.append(f"ORCPT=rfc822;{_xtext(letter.recipient)}")
    if not (letter.recipient + letter.sender).isascii():
        mail.append("SMTPUTF8")
    return mail, rcpt


def _xtext(text: str) -> str:
    return "".join(c if "!" <= c <= "~" and c not in "+=" else f"+{ord(c):02X}" for c in text)


async def _leave(client: SMTP) -> None:
    try:
        if client.is_connected:
            await client.quit()
    except (SMTPException, OSError):
        return  # the letters are over there, manners or not


async def _hang_up(client: SMTP, line: asyncio.BaseTransport | None) -> None:
    """Close the connection for good; under TLS the library would go on waiting for the server's farewell."""
    client.close()
    if isinstance(line, asyncio.WriteTransport):
        line.abort()
        await asyncio.sleep(0)
