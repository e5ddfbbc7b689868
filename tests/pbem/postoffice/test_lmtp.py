"""Mail handed over by LMTP: refused with a sentence that helps, or on the disk before it is taken."""

from __future__ import annotations

import contextlib
import errno
import smtplib
import socket
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from pbem.ports import Refused
from pbem.postoffice import lmtp, maildir
from pbem.postoffice.lmtp import LmtpCounter, Place
from pbem.postoffice.loopback import NotLoopback
from pbem.store.db import Unavailable

OURS = "games@pbem.example.org"
TOKEN = "a" * 36
DEAD = "b" * 36
MAIL = b"From: ana@example.org\r\nSubject: orders\r\n\r\n.pass\r\n\xc3\xa9\r\n"
LIMIT = 20_000

Opens = Callable[..., LmtpCounter]


@pytest.fixture
def opens(tmp_path: Path, bell: threading.Event) -> Iterator[Opens]:
    """Opens counters, on a socket unless said otherwise, and closes them."""
    with contextlib.ExitStack() as stack:

        def make(place: Place | None = None, **more: Any) -> LmtpCounter:
            settings: dict[str, Any] = {
                "good_token": lambda word: word == TOKEN,
                "on_delivery": bell.set,
                "size_limit": LIMIT,
            }
            counter = LmtpCounter(
                place or Place(tmp_path / "run" / "lmtp.sock"), tmp_path / "mail", OURS, **(settings | more)
            )
            return stack.enter_context(counter)

        yield make


def talk(counter: LmtpCounter) -> smtplib.LMTP:
    """A conversation of the machine's mail server with us."""
    place = counter.place
    if place.port:
        return smtplib.LMTP(place.host, place.port, local_hostname="mx")
    return smtplib.LMTP(str(place.path), local_hostname="mx")


def filed(tmp_path: Path) -> list[bytes]:
    return [mail.path.read_bytes() for mail in maildir.listing(tmp_path / "mail")]


def verdict(counter: LmtpCounter, recipient: str, sender: str = "ana@example.org") -> tuple[int, str]:
    """What is said to one recipient."""
    with talk(counter) as client:
        client.ehlo()
        client.mail(sender)
        code, words = client.rcpt(recipient)
        return code, words.decode()


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as held:
        return int(held.getsockname()[1])


@pytest.mark.parametrize("by", ["socket", "port"])
def test_a_mail_is_filed_with_its_plus_part_and_wakes_the_reader(
    by: str, opens: Opens, tmp_path: Path, bell: threading.Event
) -> None:
    counter = opens(Place(tmp_path, port=free_port()) if by == "port" else None)
    with talk(counter) as client:
        assert client.sendmail("ana@example.org", [f"Games+{TOKEN.upper()}@PBEM.example.org"], MAIL) == {}
    (mail,) = filed(tmp_path)
    head, _, rest = mail.partition(b"Received: ")
    assert head == (
        b"Return-Path: <ana@example.org>\r\nDelivered-To: Games+%s@PBEM.example.org\r\n"
        % TOKEN.upper().encode()
    )
    assert rest.partition(b"\r\n")[2] == MAIL
    assert bell.is_set()


@pytest.mark.parametrize(
    ("recipient", "said"),
    [
        (
            "nobody@pbem.example.org",
            "There is no <nobody@pbem.example.org> here; write to games@pbem.example.org",
        ),
        ("games@elsewhere.example", "There is no <games@elsewhere.example> here"),
        ("games2@pbem.example.org", "There is no"),
        (f"games+{DEAD}@pbem.example.org", "answer the newest letter of your game"),
        (f"games+{DEAD.upper()}@pbem.example.org", "answer the newest letter of your game"),
        (f"games+x.{DEAD}@pbem.example.org", "answer the newest letter of your game"),
    ],
)
def test_who_is_refused_hears_what_to_do(recipient: str, said: str, opens: Opens, tmp_path: Path) -> None:
    code, words = verdict(opens(), recipient)
    assert (code, words[:5]) == (550, "5.1.1")
    assert said in words
    assert filed(tmp_path) == []


def test_a_dead_token_tells_nothing_of_itself(opens: Opens) -> None:
    assert DEAD not in verdict(opens(), f"games+{DEAD}@pbem.example.org")[1]


@pytest.mark.parametrize(
    "recipient",
    ["games@pbem.example.org", "games+newsletter@pbem.example.org", f"games+{TOKEN}@pbem.example.org"],
)
def test_our_own_address_is_taken_with_any_other_plus_part(recipient: str, opens: Opens) -> None:
    assert verdict(opens(), recipient)[0] == 250


def test_a_report_is_taken_whatever_its_token(opens: Opens, tmp_path: Path) -> None:
    """Its server could only write a report about the report."""
    with talk(opens()) as client:
        client.sendmail("", [f"games+{DEAD}@pbem.example.org"], MAIL)
    assert filed(tmp_path)[0].startswith(b"Return-Path: <>\r\n")


def test_a_token_that_cannot_be_looked_up_now_is_asked_for_again(opens: Opens) -> None:
    def locked(_: str) -> bool:
        raise Unavailable("the store is locked")

    code, words = verdict(opens(good_token=locked), f"games+{TOKEN}@pbem.example.org")
    assert (code, "again later" in words) == (451, True)


def test_a_mail_that_is_too_big_is_refused_before_it_is_sent(opens: Opens, tmp_path: Path) -> None:
    counter = opens()
    with talk(counter) as client:
        client.ehlo()
        assert client.esmtp_features["size"] == str(LIMIT)
        code, words = client.mail("ana@example.org", [f"SIZE={LIMIT + 1}"])
        assert code == 552
        assert b"A mail may have 20 KB here; write your lines as plain text" in words


class Line:
    """A conversation by hand: a program that knows every answer LMTP owes."""

    def __init__(self, counter: LmtpCounter) -> None:
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.settimeout(10)
        self._socket.connect(str(counter.place.path))
        self._file = self._socket.makefile("rb")

    def __enter__(self) -> Line:
        assert self.answer().startswith("220")
        self.says("LHLO mx")
        while self.answer()[3] == "-":
            pass
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()
        self._socket.close()

    def answer(self) -> str:
        return self._file.readline().decode().rstrip("\r\n")

    def says(self, line: str) -> None:
        self._socket.sendall(line.encode() + b"\r\n")

    def asks(self, line: str) -> str:
        self.says(line)
        return self.answer()

    def begins(self, recipients: int) -> None:
        """Up to the mail itself, for some recipients."""
        assert self.asks("MAIL FROM:<ana@example.org>").startswith("250")
        for n in range(recipients):
            assert self.asks(f"RCPT TO:<games+{n}@pbem.example.org>").startswith("250")
        assert self.asks("DATA").startswith("354")

    def ends(self, body: bytes, recipients: int) -> list[str]:
        """The mail, and the answer for each recipient; there is not one more."""
        self._socket.sendall(body + b".\r\n")
        answers = [self.answer() for _ in range(recipients)]
        assert self.asks("NOOP").startswith("250")
        return answers


def test_each_recipient_gets_an_answer_and_a_copy(opens: Opens, tmp_path: Path) -> None:
    with Line(opens()) as line:
        line.begins(3)
        assert line.ends(MAIL, 3) == ["250 2.0.0 Filed"] * 3
        line.begins(1)
        assert line.ends(MAIL, 1) == ["250 2.0.0 Filed"]
    names = sorted(mail.split(b"\r\n")[1] for mail in filed(tmp_path))
    assert names == sorted(b"Delivered-To: games+%d@pbem.example.org" % n for n in (0, 0, 1, 2))


@pytest.mark.parametrize(
    ("body", "code", "said"),
    [
        (b"x" * 70 + b"\r\n", 552, "A mail may have 20 KB"),
        (b"y" * 40_000 + b"\r\n", 554, "A line of this mail"),
    ],
)
def test_a_mail_that_proves_too_big_is_refused_for_each(
    body: bytes, code: int, said: str, opens: Opens, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lmtp._Talk, "line_length_limit", 8192)
    counter = opens(size_limit=LIMIT if code == 552 else 10 * LIMIT)
    with Line(counter) as line:
        line.begins(2)
        answers = line.ends(body * (LIMIT // len(body) + 1), 2)
        assert answers[0] == answers[1]
        assert answers[0].startswith(str(code))
        assert said in answers[0]
        line.begins(1)
        assert line.ends(MAIL, 1) == ["250 2.0.0 Filed"]
    assert len(filed(tmp_path)) == 1


def test_a_long_line_is_no_reason_to_refuse(opens: Opens, tmp_path: Path) -> None:
    with talk(opens()) as client:
        client.sendmail("ana@example.org", [OURS], b"\r\n" + b"z" * 15_000 + b"\r\n")
    assert filed(tmp_path)[0].endswith(b"z" * 15_000 + b"\r\n")


@pytest.mark.parametrize(("fault", "code"), [(errno.ENOSPC, 452), (errno.EDQUOT, 452), (errno.EIO, 451)])
def test_a_mail_that_cannot_be_written_is_not_taken(
    fault: int,
    code: int,
    opens: Opens,
    tmp_path: Path,
    bell: threading.Event,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    counter, real = opens(), maildir.deliver

    def deliver(folder: Path, raw: bytes) -> None:
        if b"games+1@" in raw:
            raise OSError(fault, "it does not go")
        real(folder, raw)

    monkeypatch.setattr(maildir, "deliver", deliver)
    with Line(counter) as line:
        line.begins(3)
        answers = line.ends(MAIL, 3)
    assert [answer[:3] for answer in answers] == ["250", str(code), "250"]
    assert "please send it again later" in answers[1]
    assert len(filed(tmp_path)) == 2
    assert bell.is_set()


def test_nobody_is_woken_for_nothing(
    opens: Opens, bell: threading.Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    def deliver(*_: object) -> None:
        raise OSError(errno.ENOSPC, "full")

    monkeypatch.setattr(maildir, "deliver", deliver)
    with talk(opens()) as client, pytest.raises(smtplib.SMTPDataError):
        client.sendmail("ana@example.org", [OURS], MAIL)
    assert not bell.is_set()


def test_a_crowd_of_recipients_is_asked_to_come_in_parts(opens: Opens) -> None:
    with Line(opens()) as line:
        line.asks("MAIL FROM:<ana@example.org>")
        answers = [
            line.asks(f"RCPT TO:<games+{n}@pbem.example.org>") for n in range(lmtp.MOST_RECIPIENTS + 1)
        ]
    assert {answer[:3] for answer in answers[:-1]} == {"250"}
    assert answers[-1].startswith("452")


def test_helo_of_another_protocol_and_nonsense_are_answered(opens: Opens) -> None:
    with Line(opens()) as line:
        assert line.asks("EHLO mx")[:3] == "500"
        assert line.asks("DATA")[:3] == "503"
        assert line.asks("RCPT TO:<games@pbem.example.org>")[:3] == "503"
        assert line.asks("MAIL FROM:<ana@example.org>")[:3] == "250"
        assert line.asks('RCPT TO:<"a b"@pbem.example.org>')[0] == "5"


def test_a_socket_that_a_dead_process_left_is_taken_over_and_a_living_one_is_not(
    opens: Opens, tmp_path: Path
) -> None:
    path = tmp_path / "lmtp.sock"
    with socket.socket(socket.AF_UNIX) as left:
        left.bind(str(path))
    first = opens(Place(path))
    assert verdict(first, OURS)[0] == 250
    with pytest.raises(Refused, match=r"lmtp\.socket: .*let no other program use it"):
        opens(Place(path))
    assert verdict(first, OURS)[0] == 250


def test_the_socket_goes_with_its_counter(tmp_path: Path) -> None:
    path = tmp_path / "lmtp.sock"
    with LmtpCounter(Place(path), tmp_path / "mail", OURS, lambda _: True):
        assert path.is_socket()
    assert not path.exists()


def test_places_that_cannot_be_opened_are_named_with_a_remedy(opens: Opens, tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = int(taken.getsockname()[1])
        with pytest.raises(Refused, match=rf"lmtp\.port = {port} cannot be opened .*Name another"):
            opens(Place(tmp_path, port=port))
    (tmp_path / "file").touch()
    with pytest.raises(Refused, match=r"lmtp\.socket: .*Name a path in a folder"):
        opens(Place(tmp_path / "file" / "lmtp.sock"))
    with pytest.raises(Refused, match="longer than the 107 bytes"):
        opens(Place(tmp_path / ("x" * 120)))
    with pytest.raises(NotLoopback):
        opens(Place(tmp_path, "192.0.2.1", 24))


def test_a_file_that_is_no_socket_is_left_alone(opens: Opens, tmp_path: Path) -> None:
    (tmp_path / "precious").write_text("x")
    with pytest.raises(Refused, match=r"lmtp\.socket"):
        opens(Place(tmp_path / "precious"))
    assert (tmp_path / "precious").read_text() == "x"


def test_a_conversation_that_is_open_at_the_end_is_broken_off(tmp_path: Path) -> None:
    place = Place(tmp_path / "lmtp.sock")
    with LmtpCounter(place, tmp_path / "mail", OURS, lambda _: True) as counter:
        line = Line(counter)
        line.__enter__()
        line.begins(1)
    assert line.answer() == ""
    line.__exit__()
    assert filed(tmp_path) == []
