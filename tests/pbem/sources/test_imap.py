"""The house rules of IMAP, each against a server that breaks them."""

from __future__ import annotations

import ssl
import threading
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
import trustme

from pbem.mail.mime import KEPT_BYTES
from pbem.ports import Disconnected, Refused
from pbem.sources.imap import ImapAccount, ImapSource

Servers = Callable[..., Any]
Sources = Callable[..., ImapSource]
MAIL = b"From: ana@example.org\r\n\r\nMOVE F1 E5\r\n"


def test_raw_bytes_with_their_arrival_oldest_first(imap_server: Servers, imap_source: Sources) -> None:
    server = imap_server(mails={12: MAIL + b"2", 3: MAIL + b"1"})
    source = imap_source(server)
    fetched = list(source.fetch())
    assert [f.raw for f in fetched] == [MAIL + b"1", MAIL + b"2"]
    assert [f.key for f in fetched] == ["imap:gm@127.0.0.1/INBOX/77/3", "imap:gm@127.0.0.1/INBOX/77/12"]
    assert fetched[0].arrived == datetime(2026, 11, 28, 8, 21, tzinfo=UTC)
    assert len(list(source.fetch(limit=1))) == 1


def test_of_an_overlong_mail_the_head_is_fetched(imap_server: Servers, imap_source: Sources) -> None:
    (fetched,) = imap_source(imap_server(mails={1: MAIL + b"x" * 3_000_000})).fetch()
    assert len(fetched.raw) == KEPT_BYTES
    assert fetched.raw.startswith(MAIL)


def test_nothing_is_flagged_deleted_expunged_or_marked_as_seen(
    imap_server: Servers, imap_source: Sources
) -> None:
    server = imap_server(mails={1: MAIL})
    source = imap_source(server)
    for fetched in source.fetch():
        source.settle(fetched.key, "Done")
    used = {
        command.split()[0] if not command.startswith("UID") else command[:8] for command in server.commands
    }
    assert used <= {"CAPABILITY", "LOGIN", "SELECT", "NOOP", "UID SEAR", "UID FETC", "UID MOVE"}
    assert all("BODY.PEEK[]<0." in c for c in server.commands if c.startswith("UID FETCH"))
    assert server.folders["Done"] == [MAIL]
    assert not server.mails


def test_move_is_known_although_it_is_listed_only_after_login(
    imap_server: Servers, imap_source: Sources
) -> None:
    server = imap_server(mails={1: MAIL}, before="IMAP4rev1", after="IMAP4rev1 MOVE UIDPLUS")
    assert len(list(imap_source(server).fetch())) == 1


@pytest.mark.parametrize("after", ["IMAP4rev1 UIDPLUS", "IMAP4rev1 MOVE"])
def test_a_server_that_cannot_move_is_refused(after: str, imap_server: Servers, imap_source: Sources) -> None:
    with pytest.raises(Refused, match="lacks"):
        list(imap_source(imap_server(after=after)).fetch())


def test_a_wrong_password_is_refused(imap_server: Servers, imap_source: Sources) -> None:
    with pytest.raises(Refused, match="password"):
        list(imap_source(imap_server(refuse_login="[AUTHENTICATIONFAILED] no")).fetch())


def test_a_login_that_cannot_be_checked_now_is_tried_again(
    imap_server: Servers, imap_source: Sources
) -> None:
    with pytest.raises(Disconnected):
        list(imap_source(imap_server(refuse_login="[UNAVAILABLE] later")).fetch())


def test_a_mailbox_that_is_not_there_is_refused(imap_server: Servers, imap_source: Sources) -> None:
    with pytest.raises(Refused, match="no mailbox"):
        list(imap_source(imap_server(no_inbox=True)).fetch())


def test_nobody_listens(imap_server: Servers, imap_source: Sources) -> None:
    server = imap_server()
    server.stop()
    with pytest.raises(Disconnected):
        list(imap_source(server).fetch())


def test_a_server_that_hangs_is_left_and_the_next_fetch_connects_anew(
    imap_server: Servers, imap_source: Sources
) -> None:
    server = imap_server(mails={1: MAIL}, hang_once="UID SEARCH")
    source = imap_source(server, timeout=0.2)
    with pytest.raises(Disconnected, match="made anew"):
        list(source.fetch())
    assert [f.raw for f in source.fetch()] == [MAIL]
    assert server.logins == 2


def test_a_line_that_breaks_in_the_middle_of_a_mail_gives_no_half_mail(
    imap_server: Servers, imap_source: Sources
) -> None:
    server = imap_server(mails={1: MAIL}, drop_in_fetch_once=True)
    source = imap_source(server)
    with pytest.raises(Disconnected):
        list(source.fetch())
    assert [f.raw for f in source.fetch()] == [MAIL]


def test_the_second_failure_in_a_row_brings_a_pause(imap_server: Servers, imap_source: Sources) -> None:
    server = imap_server()
    server.stop()
    source = imap_source(server)
    for _ in range(2):
        with pytest.raises(Disconnected):
            list(source.fetch())
    with pytest.raises(Disconnected, match="tried again in"):
        list(source.fetch())


def test_two_answers_for_one_mail_are_one_mail(imap_server: Servers, imap_source: Sources) -> None:
    assert [f.raw for f in imap_source(imap_server(mails={1: MAIL}, twice=True)).fetch()] == [MAIL]


def test_an_impossible_arrival_is_the_present(imap_server: Servers, imap_source: Sources) -> None:
    for date in ("31-Feb-2026 09:21:00 +0100", "yesterday", "01-Xyz-2026 00:00:00 +0000"):
        source = imap_source(imap_server(mails={1: MAIL}, date=date))
        assert abs((next(source.fetch()).arrived - datetime.now(UTC)).total_seconds()) < 60


def test_settling_what_is_gone_is_no_fault(imap_server: Servers, imap_source: Sources) -> None:
    server = imap_server(mails={1: MAIL})
    source = imap_source(server)
    source.settle("imap:gm@127.0.0.1/INBOX/77/99", "Done")
    source.settle("imap:gm@127.0.0.1/INBOX/76/1", "Done")
    assert server.mails == {1: MAIL}


def test_a_missing_folder_is_made_where_the_server_wants_it(
    imap_server: Servers, imap_source: Sources
) -> None:
    server = imap_server(
        mails={1: MAIL}, folders={}, after="IMAP4rev1 MOVE UIDPLUS NAMESPACE", namespace="INBOX."
    )
    source = imap_source(server)
    for fetched in source.fetch():
        source.settle(fetched.key, "Failed")
    assert server.folders == {"INBOX.Failed": [MAIL]}


@pytest.mark.parametrize("slow", [False, True])
def test_idle_ends_when_mail_comes(slow: bool, imap_server: Servers, imap_source: Sources) -> None:
    server = imap_server(slow_news=slow)
    source = imap_source(server)
    assert list(source.fetch()) == []
    thread = threading.Thread(target=lambda: (server.idling.wait(5), server.deliver(MAIL)))
    thread.start()
    start = time.monotonic()
    assert source.wait(10) is True
    assert time.monotonic() - start < 5
    thread.join()
    assert [f.raw for f in source.fetch()] == [MAIL]


@pytest.mark.parametrize("mode", ["none", "starttls"])
def test_news_that_come_with_the_leave_to_idle_are_heard_at_once(
    mode: str, ca: trustme.CA, imap_server: Servers, imap_source: Sources
) -> None:
    server = imap_server(news_with_idle=True, tls=server_tls(ca))
    with ca.cert_pem.tempfile() as cafile:
        source = imap_source(server, tls=mode, cafile=cafile)
        list(source.fetch())
        start = time.monotonic()
        assert source.wait(10) is True
        assert time.monotonic() - start < 5
        source.close()


def test_idle_ends_when_woken_and_when_the_time_is_over(imap_server: Servers, imap_source: Sources) -> None:
    source = imap_source(imap_server())
    list(source.fetch())
    assert source.wait(0.05) is False
    source.wake()
    assert source.wait(10) is True
    assert list(source.fetch()) == []


@pytest.mark.parametrize("fault", ["bye_in_idle", "drop_in_idle"])
def test_a_connection_lost_while_waiting_is_made_anew(
    fault: str, imap_server: Servers, imap_source: Sources
) -> None:
    server = imap_server(mails={1: MAIL}, **{fault: True})
    source = imap_source(server)
    list(source.fetch())
    start = time.monotonic()
    with pytest.raises(Disconnected):
        source.wait(10)
    assert time.monotonic() - start < 5
    assert len(list(source.fetch())) == 1


def test_without_idle_or_connection_a_wait_is_a_sleep(imap_server: Servers, imap_source: Sources) -> None:
    source = imap_source(imap_server(after="IMAP4rev1 MOVE UIDPLUS"))
    assert source.wait(0.02) is False
    list(source.fetch())
    assert source.wait(0.02) is False
    source.wake()
    assert source.wait(5) is True


@pytest.fixture(scope="module")
def ca() -> trustme.CA:
    return trustme.CA()


def server_tls(ca: trustme.CA, name: str = "127.0.0.1") -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    ca.issue_cert(name).configure_cert(context)
    return context


@pytest.mark.parametrize("mode", ["tls", "starttls"])
def test_tls_with_a_private_ca(mode: str, ca: trustme.CA, imap_server: Servers, imap_source: Sources) -> None:
    server = imap_server(mails={1: MAIL}, tls=server_tls(ca), implicit=mode == "tls")
    with ca.cert_pem.tempfile() as cafile:
        source = imap_source(server, tls=mode, cafile=cafile)
        assert len(list(source.fetch())) == 1
        source.wake()
        assert source.wait(5) is True
        source.close()


@pytest.mark.parametrize("mode", ["tls", "starttls"])
def test_an_unknown_ca_is_refused(
    mode: str, ca: trustme.CA, imap_server: Servers, imap_source: Sources
) -> None:
    server = imap_server(tls=server_tls(ca), implicit=mode == "tls")
    with pytest.raises(Refused, match="ca_file"):
        list(imap_source(server, tls=mode).fetch())


def test_a_cafile_that_is_not_there_is_refused(imap_server: Servers, imap_source: Sources) -> None:
    with pytest.raises(Refused, match="there is no file"):
        list(imap_source(imap_server(), tls="tls", cafile="/nowhere/ca.pem").fetch())


def test_a_cafile_that_holds_no_certificate_is_refused(
    imap_server: Servers, imap_source: Sources, tmp_path: Path
) -> None:
    (tmp_path / "ca.pem").write_text("my CA")
    with pytest.raises(Refused, match="holds no certificate that can be read"):
        list(imap_source(imap_server(), tls="tls", cafile=str(tmp_path / "ca.pem")).fetch())


def test_plain_text_to_another_machine_is_refused() -> None:
    with pytest.raises(Refused, match="in the clear"):
        ImapSource(ImapAccount("mail.example.org", 143, "gm", "secret", tls="none"))


class Access:
    """Gives tokens in their order, and remembers which were refused."""

    def __init__(self, *tokens: str) -> None:
        self.tokens = list(tokens)
        self.unwanted: list[str] = []

    def token(self) -> str:
        return self.tokens[0]

    def refused(self, token: str) -> None:
        self.unwanted.append(token)
        self.tokens.remove(token)


def test_a_token_is_used_instead_of_the_password(imap_server: Servers, imap_source: Sources) -> None:
    server = imap_server(mails={1: MAIL})
    assert len(list(imap_source(server, access=Access("fresh")).fetch())) == 1
    assert any(c.startswith("AUTHENTICATE XOAUTH2") for c in server.commands)
    assert not any(c.startswith("LOGIN") for c in server.commands)


def test_a_token_that_is_refused_is_replaced_once(imap_server: Servers, imap_source: Sources) -> None:
    access = Access("one", "two", "three")
    source = imap_source(imap_server(refuse_login="[AUTHENTICATIONFAILED] no"), access=access)
    with pytest.raises(Refused, match=r"oauth\.scope"):
        list(source.fetch())
    assert access.unwanted == ["one"]


def test_closing_twice_and_with_a_dead_server_is_no_fault(imap_server: Servers, imap_source: Sources) -> None:
    server = imap_server()
    source = imap_source(server)
    list(source.fetch())
    server.stop()
    source.close()
    source.close()
