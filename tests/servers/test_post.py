"""Letters handed to a real mail server: what arrives, what is refused, what is known after a broken line."""

from __future__ import annotations

import asyncio
import base64
from collections.abc import Sequence
from typing import Any

import pytest

from pbem.mail.bounces import read_bounce
from pbem.mail.mime import Mail
from pbem.mail.tokens import Tokens
from pbem.ports import Disconnected, Fate, Outgoing, Refused
from pbem.transports.smtp import SmtpAccount, SmtpTransport

from .between import Between
from .mailhost import HOST, MailHost, until
from .peers import ImapPeer, dovecot_account

RAW = (
    b"From: games@pbem.example.org\r\nTo: ana@example.org\r\nSubject: =?utf-8?q?=C3=A9?=\r\n"
    b"MIME-Version: 1.0\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n\r\n"
    b".\r\n..two\r\nFrom here\r\n\xc3\xa9\r\n" + b"long " * 180 + b"\r\n.\r\n"
)


def account(server: MailHost, tls: str = "starttls", **more: Any) -> SmtpAccount:
    settings: dict[str, Any] = {
        "host": HOST,
        "port": server.submission if tls == "starttls" else server.smtps,
        "tls": tls,
        "user": server.address("games"),
        "password": server.password("games"),
        "cafile": str(server.ca),
        "timeout": 10.0,
    }
    return SmtpAccount(**(settings | more))


def letter(n: int, recipient: str = "ana@example.org", raw: bytes = RAW) -> Outgoing:
    return Outgoing(n, "games+b.x@pbem.example.org", recipient, raw)


def send(account: SmtpAccount, letters: Sequence[Outgoing]) -> list[Fate]:
    """One batch; a loop that ends with it must be let close its sockets first."""

    async def work() -> list[Fate]:
        try:
            return await SmtpTransport(account).send(letters)
        finally:
            await asyncio.sleep(0.05)

    return asyncio.run(work())


def inbox(server: MailHost, user: str) -> list[bytes]:
    return ImapPeer(dovecot_account(server, user)).folder("INBOX")


@pytest.mark.parametrize("tls", ["starttls", "tls"])
def test_letters_arrive_byte_for_byte_under_their_own_sender(tls: str, mailhost: MailHost) -> None:
    fates = send(account(mailhost, tls), [letter(n) for n in range(3)])
    assert [(f.id, f.sent) for f in fates] == [(0, True), (1, True), (2, True)]
    arrived = until(lambda: (found := inbox(mailhost, "ana@example.org"))[2:] and found)
    for raw in arrived:
        assert raw.endswith(RAW.partition(b"\r\n\r\n")[2])
        assert raw.startswith(b"Return-Path: <games+b.x@pbem.example.org>\r\n")


def test_a_refused_letter_holds_up_no_other(mailhost: MailHost) -> None:
    letters = [letter(1), letter(2, "nobody@example.org"), letter(3, "ben@example.org"), letter(4, "a b@c")]
    fates = send(account(mailhost), letters)
    assert [(f.id, f.sent, f.permanent) for f in fates] == [
        (1, True, False),
        (2, False, True),
        (3, True, False),
        (4, False, True),
    ]
    assert fates[1].answer.startswith("550")
    until(lambda: inbox(mailhost, "ana@example.org") and inbox(mailhost, "ben@example.org"))


@pytest.mark.parametrize("tls", ["starttls", "tls"])
def test_a_wrong_password_is_told_with_its_remedy(tls: str, mailhost: MailHost) -> None:
    with pytest.raises(Refused, match="Check user and password"):
        send(account(mailhost, tls, password="wrong"), [letter(1)])


@pytest.mark.parametrize("tls", ["starttls", "tls"])
@pytest.mark.parametrize("fault", ["of an unknown CA", "of another name"])
def test_a_server_that_is_not_trusted_is_told_no_password(tls: str, fault: str, mailhost: MailHost) -> None:
    port = mailhost.submission if tls == "starttls" else mailhost.smtps
    with Between(port, host="127.0.0.2" if fault == "of another name" else HOST) as line:
        changed: dict[str, Any] = {"host": line.host, "port": line.port}
        if fault == "of an unknown CA":
            changed["cafile"] = None
        with pytest.raises(Refused, match="not trusted"):
            send(account(mailhost, tls, **changed), [letter(1)])
    assert not told(line, mailhost)


@pytest.mark.parametrize(
    "swap",
    [(b"STARTTLS", b"XVERSION"), (b"220 2.0.0 Ready", b"454 4.7.0 not today")],
    ids=["taken out", "refused"],
)
def test_where_somebody_on_the_way_hinders_starttls_no_password_is_told(
    swap: tuple[bytes, bytes], mailhost: MailHost
) -> None:
    with Between(mailhost.submission, swap=swap) as line:
        with pytest.raises((Refused, Disconnected), match=r"TLS|not today"):
            send(account(mailhost, port=line.port), [letter(1)])
        assert line.connections == 1
    assert not told(line, mailhost)
    assert b"AUTH" not in line.heard.upper()
    assert b"MAIL FROM" not in line.heard.upper()


def told(line: Between, server: MailHost) -> bool:
    """Whether the password went over the line in any form that can be read there."""
    secret, user = server.password("games").encode(), server.address("games").encode()
    forms = (secret, base64.b64encode(secret), base64.b64encode(b"\0" + user + b"\0" + secret))
    return any(form in line.heard for form in forms)


def test_a_failure_after_the_handing_over_names_the_letter(mailhost: MailHost) -> None:
    """Postfix takes the letter, cannot deliver it and reports to the bounce address, with our ENVID."""
    assert [f.sent for f in send(account(mailhost), [letter(4711, "eve+x@elsewhere.example")])] == [True]
    (report,) = until(lambda: inbox(mailhost, "games"))
    mail = Mail(report)
    assert mail.header("delivered-to") == "games+b.x@pbem.example.org"
    bounce = read_bounce(mail, Tokens([b"key"]))
    assert bounce.outbox_id == 4711
    assert bounce.permanent
    assert bounce.recipients == ("eve+x@elsewhere.example",)
    assert bounce.status.startswith("5.")


def test_a_line_that_breaks_midway_gives_the_fates_so_far(mailhost: MailHost) -> None:
    letters = [letter(n, raw=RAW.replace(b"long", b"n%03d" % n)) for n in range(20)]
    with Between(mailhost.submission, cut_once_after=4_000) as line:
        fates = send(account(mailhost, port=line.port), letters)
        assert 0 < len(fates) < 20
        assert all(f.sent for f in fates)
        fates += send(account(mailhost, port=line.port), letters[len(fates) :])
    assert [f.id for f in fates] == list(range(20))

    def arrived() -> list[bytes]:
        found = inbox(mailhost, "ana@example.org")
        return found if all(any(b"n%03d " % n in raw for raw in found) for n in range(20)) else []

    assert len(until(arrived)) <= 21  # the letter on which the line broke may be there twice


def test_a_server_that_is_stopped_is_tried_again(mailhost: MailHost) -> None:
    mailhost.stop_postfix()
    with pytest.raises(Disconnected, match="tried again"):
        send(account(mailhost), [letter(1)])
    mailhost.start_postfix()
    assert [f.sent for f in send(account(mailhost), [letter(1)])] == [True]
    until(lambda: inbox(mailhost, "ana@example.org"))


def test_a_server_that_falls_silent_is_left(mailhost: MailHost) -> None:
    with Between(mailhost.submission, silent=True) as line, pytest.raises(Disconnected):
        send(account(mailhost, port=line.port, timeout=1.0), [letter(1)])


def test_a_port_where_nobody_can_log_in_is_told_with_its_remedy(mailhost: MailHost) -> None:
    with pytest.raises(Refused, match=r"cannot do what is asked of it.*Check security .* and port"):
        send(account(mailhost, port=mailhost.mx), [letter(1)])


def test_relaying_for_strangers_is_refused_and_is_not_the_letters_fault(mailhost: MailHost) -> None:
    """Without a login nobody gets out: that is for the host to mend, and the letter stays queued."""
    fates = send(account(mailhost, tls="none", port=mailhost.submission, user=""), [letter(1)])
    assert [(f.sent, f.permanent) for f in fates] == [(False, False)]
