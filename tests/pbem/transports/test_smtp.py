"""What becomes of letters: each its own fate, whatever the server says."""

from __future__ import annotations

import asyncio
import gc
import socket
import ssl
import threading
import warnings
from typing import Any

import pytest
import trustme

from pbem.ports import Disconnected, Fate, Outgoing, Refused
from pbem.transports.smtp import SmtpAccount, SmtpTransport

RAW = b"From: gm@pbem.example.org\r\n\r\n.\r\nhello \xc3\xa9\r\n"


def letter(
    n: int, recipient: str = "ana@example.org", raw: bytes = RAW, sender: str = "gm+b@pbem.example.org"
) -> Outgoing:
    return Outgoing(n, sender, recipient, raw)


def send(desk: Any, *letters: Outgoing, **settings: Any) -> list[Fate]:
    async def work(port: int) -> list[Fate]:
        defaults: dict[str, Any] = {"tls": "none", "timeout": 5.0}
        account = SmtpAccount("127.0.0.1", port, **(defaults | settings))
        return await SmtpTransport(account).send(letters)

    fates: list[Fate] = desk.run(work)
    return fates


def test_a_batch_goes_over_one_connection_one_recipient_a_letter(desk: Any) -> None:
    fates = send(desk, *(letter(n) for n in range(5)))
    assert fates == [Fate(n, sent=True, answer="taken as 7") for n in range(5)]
    assert desk.office.connections == 1
    assert desk.office.letters == [("gm+b@pbem.example.org", ["ana@example.org"], RAW)] * 5


def test_reports_will_name_the_letter(desk: Any) -> None:
    send(desk, letter(42, "ana+tag=x@example.org"))
    assert desk.office.mail_options == [["RET=HDRS", "ENVID=o42"]]
    assert desk.office.rcpt_options == [["NOTIFY=FAILURE,DELAY", "ORCPT=rfc822;ana+2Btag+3Dx@example.org"]]


def test_a_server_without_reports_is_asked_for_none(desk: Any) -> None:
    desk.office.dsn = False
    assert send(desk, letter(1))[0].sent
    assert desk.office.mail_options == desk.office.rcpt_options == [[]]


def test_a_refusal_is_of_one_letter_alone(desk: Any) -> None:
    fates = send(
        desk,
        letter(1, "550.x@example.org"),
        letter(2, "451.x@example.org"),
        letter(3, raw=b"too much\r\n"),
        letter(4),
    )
    assert [(f.id, f.sent, f.permanent) for f in fates] == [
        (1, False, True),
        (2, False, False),
        (3, False, True),
        (4, True, False),
    ]
    assert fates[0].answer == "550 no thanks"


def test_a_refused_sender_condemns_no_letter(desk: Any) -> None:
    desk.office.sender_answer = "550 the sender must be the account"
    assert [(f.sent, f.permanent) for f in send(desk, letter(1))] == [(False, False)]


def test_a_connection_that_breaks_midway_gives_the_fates_so_far(desk: Any) -> None:
    assert [f.id for f in send(desk, letter(1), letter(2, "drop.x@example.org"), letter(3))] == [1]
    assert [f.id for f in send(desk, letter(1), letter(2, "421.x@example.org"), letter(3))] == [1]


def test_a_null_sender_and_an_address_in_another_script(desk: Any) -> None:
    fates = send(desk, letter(1, sender=""), letter(2, "chloé@exämple.org"))
    assert [f.sent for f in fates] == [True, True]
    assert [sender for sender, _, _ in desk.office.letters] == ["<>", "gm+b@pbem.example.org"]
    assert desk.office.letters[1][1] == ["chloé@exämple.org"]


def test_no_letters_need_no_connection() -> None:
    assert asyncio.run(SmtpTransport(SmtpAccount("127.0.0.1", 1, tls="none")).send([])) == []


def test_nobody_listens(desk: Any) -> None:
    with pytest.raises(Disconnected, match="tried again"):
        asyncio.run(SmtpTransport(SmtpAccount("127.0.0.1", 1, tls="none", timeout=2)).send([letter(1)]))


@pytest.fixture(scope="module")
def ca() -> trustme.CA:
    return trustme.CA()


def server_tls(ca: trustme.CA) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    ca.issue_cert("127.0.0.1").configure_cert(context)
    return context


def use_tls(desk: Any, ca: trustme.CA, mode: str) -> None:
    if mode == "tls":
        desk.implicit_tls = server_tls(ca)
    else:
        desk.options = {"tls_context": server_tls(ca), "require_starttls": True}


@pytest.mark.parametrize("mode", ["tls", "starttls"])
@pytest.mark.filterwarnings("ignore:Requiring AUTH")
def test_tls_and_login(mode: str, desk: Any, ca: trustme.CA) -> None:
    use_tls(desk, ca, mode)
    desk.options |= {
        "authenticator": desk.office.authenticate,
        "auth_required": True,
        "auth_require_tls": mode != "tls",
    }
    with ca.cert_pem.tempfile() as cafile:
        assert send(desk, letter(1), tls=mode, cafile=cafile, user="gm", password="secret")[0].sent
        with pytest.raises(Refused, match="password"):
            send(desk, letter(1), tls=mode, cafile=cafile, user="gm", password="wrong")


def test_a_server_that_does_not_hang_up_is_not_waited_for(ca: trustme.CA) -> None:
    """It says 221, and then neither closes the connection nor bids TLS farewell."""
    done = threading.Event()
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def serve() -> None:
            with server_tls(ca).wrap_socket(listening.accept()[0], server_side=True) as line:
                line.sendall(b"220 here\r\n")
                while command := line.recv(1000):
                    line.sendall(b"221 bye\r\n" if command.startswith(b"QUIT") else b"250 so be it\r\n")
                    if command.startswith(b"QUIT"):
                        break
                done.wait(20)

        server = threading.Thread(target=serve)
        server.start()
        with ca.cert_pem.tempfile() as cafile, warnings.catch_warnings(record=True) as heard:
            warnings.simplefilter("always")
            account = SmtpAccount(
                "127.0.0.1", listening.getsockname()[1], tls="tls", cafile=cafile, timeout=5
            )
            asyncio.run(SmtpTransport(account).send([letter(1, raw=b"Subject: x\r\n\r\nx\r\n")]))
            gc.collect()
        done.set()
        server.join()
    assert [str(w.message) for w in heard if "unclosed" in str(w.message)] == []


@pytest.mark.parametrize("mode", ["tls", "starttls"])
@pytest.mark.filterwarnings("ignore:.*SSL.*")
def test_an_unknown_ca_is_refused(mode: str, desk: Any, ca: trustme.CA) -> None:
    use_tls(desk, ca, mode)
    with pytest.raises(Refused, match="ca_file"):
        send(desk, letter(1), tls=mode)


def test_a_server_without_starttls_is_refused(desk: Any) -> None:
    with pytest.raises(Refused, match="Check security"):
        send(desk, letter(1), tls="starttls")


def test_a_cafile_that_is_not_there_is_refused(desk: Any) -> None:
    with pytest.raises(Refused, match="Correct ca_file"):
        send(desk, letter(1), tls="starttls", cafile="/nowhere/ca.pem")


def test_a_password_in_the_clear_to_another_machine_is_refused() -> None:
    with pytest.raises(Refused, match="in the clear"):
        SmtpTransport(SmtpAccount("mail.example.org", 25, tls="none", user="gm", password="x"))
    SmtpTransport(SmtpAccount("mail.example.org", 25, tls="none"))


def test_a_login_that_the_server_demands_midway_condemns_no_letter(desk: Any) -> None:
    desk.office.sender_answer = "530 log in first"
    assert [(f.sent, f.permanent) for f in send(desk, letter(1))] == [(False, False)]
