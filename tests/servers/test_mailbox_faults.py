"""What an IMAP mailbox does when its server, the line or somebody on the way goes wrong."""

from __future__ import annotations

import base64
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from pbem.ports import Disconnected, Fetched, Refused
from pbem.sources.imap import ImapSource

from .between import Between
from .mailhost import MailHost, until
from .peers import DevelServer, ImapPeer, dovecot_account
from .test_contract import mail

Sources = Callable[..., ImapSource]


@pytest.fixture
def sources() -> Iterator[Sources]:
    """Makes sources on Dovecot, and closes them."""
    made: list[ImapSource] = []

    def make(server: MailHost, **account: Any) -> ImapSource:
        made.append(ImapSource(dovecot_account(server, **account)))
        return made[-1]

    yield make
    for source in made:
        source.close()


def fetched(source: ImapSource) -> list[Fetched]:
    """The mails as soon as there is a connection again."""

    found: list[Fetched] = []

    def look() -> bool:
        try:
            found[:] = source.fetch()
        except Disconnected:
            return False
        return True

    until(look)
    return found


def test_the_server_is_stopped_and_comes_back(mailhost: MailHost, sources: Sources) -> None:
    mailhost.deliver("games", mail(1))
    source = sources(mailhost)
    (first,) = source.fetch()
    mailhost.stop_dovecot()
    for _ in range(2):
        with pytest.raises(Disconnected):
            list(source.fetch())
    mailhost.start_dovecot()
    (again,) = fetched(source)
    assert (again.key, again.raw) == (first.key, first.raw)
    source.settle(again.key, "Done")
    assert list(source.fetch()) == []


def test_the_server_is_stopped_while_we_wait(mailhost: MailHost, sources: Sources) -> None:
    source = sources(mailhost)
    assert list(source.fetch()) == []
    ended: list[str] = []

    def wait() -> None:
        try:
            source.wait(60)
        except Disconnected:
            ended.append("disconnected")

    waiter = threading.Thread(target=wait)
    waiter.start()
    mailhost.stop_dovecot()
    waiter.join(10)
    mailhost.start_dovecot()
    mailhost.deliver("games", mail(1))
    assert ended == ["disconnected"]
    assert len(fetched(source)) == 1


def test_the_connection_is_broken_by_the_server(mailhost: MailHost, sources: Sources) -> None:
    mailhost.deliver("games", mail(1))
    source = sources(mailhost)
    (first,) = source.fetch()
    mailhost.kick("games")
    with pytest.raises(Disconnected):
        source.settle(first.key, "Done")
    source.settle(first.key, "Done")  # the first new connection is made without a pause
    assert list(source.fetch()) == []


def test_a_server_without_memory_is_restarted(devel: DevelServer) -> None:
    """All keys are of an earlier life of the mailbox: nothing of the new one is moved by them."""
    peer = ImapPeer(devel.account())
    peer.put(mail(1))
    source = peer.source()
    (old,) = source.fetch()
    devel.stop()
    devel.start()
    peer.put(mail(2))
    with pytest.raises(Disconnected):
        list(source.fetch())
    source.settle(old.key, "Done")
    assert [f.raw for f in fetched(source)] == [mail(2)]
    source.close()


@pytest.mark.parametrize("tls", ["tls", "starttls"])
def test_a_line_that_breaks_in_the_middle_of_a_mail_gives_no_half_mail(
    tls: str, mailhost: MailHost, sources: Sources
) -> None:
    long = mail(1) + b"x" * 70 * 1024 + b"\r\n"
    mailhost.deliver("games", long)
    server = mailhost.imaps if tls == "tls" else mailhost.imap
    with Between(server, cut_once_after=40_000) as line:
        source = sources(mailhost, tls=tls, port=line.port)
        with pytest.raises(Disconnected):
            list(source.fetch())
        (found,) = source.fetch()
        assert found.raw.endswith(long)
        assert line.connections == 2
        source.close()


def test_a_server_that_falls_silent_is_left_and_found_again(mailhost: MailHost, sources: Sources) -> None:
    mailhost.deliver("games", mail(1))
    with Between(mailhost.imaps) as line:
        source = sources(mailhost, port=line.port, timeout=1.0)
        assert len(list(source.fetch())) == 1
        line.silent = True
        with pytest.raises(Disconnected):
            list(source.fetch())
        with pytest.raises(Disconnected):  # neither does a new connection get an answer
            list(source.fetch())
        line.silent = False
        assert len(fetched(source)) == 1
        source.close()


def test_the_capabilities_after_login_are_those_that_count(mailhost: MailHost) -> None:
    """Dovecot tells of MOVE only then: whoever trusts the first list copies and expunges instead."""
    peer = ImapPeer(dovecot_account(mailhost))
    with peer.client() as client:
        greeting = client.welcome.decode()
        assert "IMAP4rev1" in greeting
        assert not {"MOVE", "UIDPLUS"} & set(greeting.replace("]", " ").split())
        assert {"MOVE", "UIDPLUS", "IDLE"} <= set(client.capabilities)


@pytest.mark.parametrize("tls", ["tls", "starttls"])
def test_a_server_of_an_unknown_ca_is_told_no_password(
    tls: str, mailhost: MailHost, sources: Sources
) -> None:
    with Between(mailhost.imaps if tls == "tls" else mailhost.imap) as line:
        source = sources(mailhost, tls=tls, port=line.port, cafile=None)
        with pytest.raises(Refused, match="not trusted"):
            list(source.fetch())
    assert not told(line, mailhost)


@pytest.mark.parametrize("tls", ["tls", "starttls"])
def test_a_server_of_another_name_is_told_no_password(tls: str, mailhost: MailHost, sources: Sources) -> None:
    """Of the right CA, but for another machine."""
    server = mailhost.imaps if tls == "tls" else mailhost.imap
    with Between(server, host="127.0.0.2") as line:
        source = sources(mailhost, tls=tls, port=line.port, host=line.host)
        with pytest.raises(Refused, match="not trusted"):
            list(source.fetch())
        assert line.connections == 1
    assert not told(line, mailhost)


@pytest.mark.parametrize(
    "swap",
    [(b" STARTTLS", b""), (b" OK Begin TLS", b" NO not today"), (b"* OK [", b"* PREAUTH [")],
    ids=["taken out", "refused", "let in at once"],
)
def test_where_somebody_on_the_way_hinders_starttls_no_password_is_told(
    swap: tuple[bytes, bytes], mailhost: MailHost, sources: Sources
) -> None:
    with Between(mailhost.imap, swap=swap) as line:
        source = sources(mailhost, tls="starttls", port=line.port)
        with pytest.raises(Refused, match="STARTTLS"):
            list(source.fetch())
        assert line.connections == 1
    assert not told(line, mailhost)
    assert b"LOGIN" not in line.heard.upper()


def told(line: Between, host: MailHost) -> bool:
    """Whether the password went over the line in any form that can be read there."""
    secret = host.password("games").encode()
    plain = b"\0" + host.address("games").encode() + b"\0" + secret
    return any(form in line.heard for form in (secret, base64.b64encode(secret), base64.b64encode(plain)))


@pytest.mark.parametrize("tls", ["tls", "starttls"])
def test_a_wrong_password_is_told_with_its_remedy(tls: str, mailhost: MailHost, sources: Sources) -> None:
    port = mailhost.imaps if tls == "tls" else mailhost.imap
    source = sources(mailhost, tls=tls, port=port, password="wrong")
    with pytest.raises(Refused, match="Check user and password"):
        list(source.fetch())


def test_tls_at_the_port_for_starttls_and_the_other_way_round(mailhost: MailHost, sources: Sources) -> None:
    for tls, port in (("tls", mailhost.imap), ("starttls", mailhost.imaps)):
        source = sources(mailhost, tls=tls, port=port, timeout=2.0)
        with pytest.raises((Disconnected, Refused)):
            list(source.fetch())
