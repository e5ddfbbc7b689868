"""Conversations at the counter."""

from __future__ import annotations

import asyncio
import re
import smtplib
import socket
import threading
from datetime import UTC, datetime
from pathlib import Path

import pytest

from pbem.postoffice import maildir
from pbem.postoffice.loopback import NotLoopback
from pbem.postoffice.people import Listed
from pbem.postoffice.server import PostOffice, stamps

OURS = "pbem@pbem.example.org"
BODY = b"From: Ana <ana@example.org>\r\nSubject: hello\r\n\r\n.dot\r\ntrailing  \r\n\tbare\xe9\r\n"


def stored(office: PostOffice, address: str = OURS) -> list[bytes]:
    """The raw mails in somebody's mailbox."""
    return [mail.path.read_bytes() for mail in maildir.listing(office.mailboxes.folder(address))]


@pytest.mark.parametrize(
    "address",
    [
        OURS,
        "PBEM@Pbem.Example.ORG",
        "pbem+aebagbafayd.tok-en@pbem.example.org",
        "ana@example.org",
        "Ana@Example.org",
    ],
)
def test_our_own_address_with_any_plus_part_and_registered_people_are_served(
    counter: smtplib.SMTP, office: PostOffice, address: str
) -> None:
    assert counter.sendmail("ana@example.org", [address], BODY) == {}
    [raw] = stored(office, address)
    assert f"Delivered-To: {address}\r\n".encode() in raw


@pytest.mark.parametrize(
    "address",
    ["ben@example.org", "pbem@example.org", "pbemx@pbem.example.org", "xpbem+a@pbem.example.org", "root"],
)
def test_everybody_else_is_refused_with_a_sentence_that_says_who_is_served(
    counter: smtplib.SMTP, office: PostOffice, address: str
) -> None:
    counter.mail("ana@example.org")
    code, words = counter.rcpt(address)
    assert code == 550
    assert address.encode() in words
    assert OURS.encode() in words
    assert list(office.mailboxes.root.rglob("new/*")) == []


def test_the_mail_is_kept_byte_for_byte_below_our_three_lines(
    counter: smtplib.SMTP, office: PostOffice
) -> None:
    counter.sendmail("ana+x@example.org", [OURS], BODY, mail_options=["BODY=8BITMIME"])
    [raw] = stored(office)
    head, kept = raw[: -len(BODY)], raw[-len(BODY) :]
    assert kept == BODY
    assert re.fullmatch(
        rb"Return-Path: <ana\+x@example\.org>\r\nDelivered-To: pbem@pbem\.example\.org\r\n"
        rb"Received: from localhost by localhost \(pbem post office\) with ESMTP; [^\r\n]+\r\n",
        head,
    )


def test_the_null_sender_of_machines_is_taken(counter: smtplib.SMTP, office: PostOffice) -> None:
    counter.sendmail("", [OURS], BODY)
    assert stored(office)[0].startswith(b"Return-Path: <>\r\n")


def test_each_recipient_gets_a_copy_of_their_own(counter: smtplib.SMTP, office: PostOffice) -> None:
    counter.sendmail("ana@example.org", [OURS, "ana@example.org"], BODY)
    assert len(stored(office)) == len(stored(office, "ana@example.org")) == 1


def test_addresses_in_other_alphabets(counter: smtplib.SMTP, office: PostOffice) -> None:
    counter.command_encoding = "utf-8"
    assert counter.mail("åse@exämple.org", ["SMTPUTF8"])[0] == 250
    assert counter.rcpt("Åse@exämple.org")[0] == 250
    assert counter.data(BODY)[0] == 250
    [raw] = stored(office, "åse@exämple.org")
    assert "Delivered-To: Åse@exämple.org\r\n".encode() in raw


def test_a_mail_that_is_too_big_is_refused_when_announced_and_when_sent(
    counter: smtplib.SMTP, office: PostOffice
) -> None:
    assert counter.mail("ana@example.org", ["SIZE=200001"])[0] == 552
    counter.mail("ana@example.org")
    counter.rcpt(OURS)
    assert counter.data(BODY + (b"z" * 98 + b"\r\n") * 2100)[0] == 552
    assert counter.noop()[0] == 250
    assert stored(office) == []


@pytest.mark.parametrize("ending", [b"\n.\n", b"\n.\r\n", b"\r\n.\n", b"\r.\r", b"\r.\r\n"])
def test_a_second_mail_cannot_be_smuggled_behind_half_an_ending(
    office: PostOffice, bell: threading.Event, ending: bytes
) -> None:
    smuggled = (
        b"MAIL FROM:<evil@example.org>\r\nRCPT TO:<pbem@pbem.example.org>\r\nDATA\r\nSubject: two\r\n\r\n"
    )
    with socket.create_connection(("127.0.0.1", office.port), timeout=10) as line:
        answers = line.makefile("rb")
        answers.readline()
        for command in (
            b"HELO x",
            b"MAIL FROM:<ana@example.org>",
            b"RCPT TO:<pbem@pbem.example.org>",
            b"DATA",
        ):
            line.sendall(command + b"\r\n")
            answers.readline()
        line.sendall(b"Subject: one\r\n\r\ntext" + ending + smuggled + b"\r\n.\r\nQUIT\r\n")
        said = answers.read()
        answers.close()
    assert said.count(b"250 ") == 1
    assert len(stored(office)) == 1
    assert b"Subject: two" in stored(office)[0]


@pytest.mark.parametrize("command", [b"MAIL FROM:<a\rX-Evil: 1@b.c>", b"MAIL FROM:<a\xff@b.c>"])
def test_an_address_cannot_carry_a_header_line(office: PostOffice, command: bytes) -> None:
    with socket.create_connection(("127.0.0.1", office.port), timeout=10) as line:
        answers = line.makefile("rb")
        answers.readline()
        line.sendall(b"EHLO x\r\n" + command + b"\r\nQUIT\r\n")
        said = answers.read()
        answers.close()
    assert b"\r\n553 5.1.3 " in said or b"\r\n501 " in said


def test_the_name_in_helo_cannot_carry_anything_either() -> None:
    now = datetime(2026, 11, 30, 18, 0, tzinfo=UTC)
    raw = stamps("<>", OURS, "evil\r\nX: (y)\u00e9", now)
    assert b"\r\nReceived: from evilX:y by localhost (pbem post office) with ESMTP; Mon, 30 Nov" in raw
    assert raw.count(b"\r\n") == raw.count(b"\n") == 3


def test_mail_for_us_rings_at_once_and_mail_for_others_does_not(
    counter: smtplib.SMTP, office: PostOffice, bell: threading.Event
) -> None:
    counter.sendmail(OURS, ["ana@example.org"], BODY)
    assert not bell.is_set()
    counter.sendmail("ana@example.org", ["pbem+x@pbem.example.org"], BODY)
    assert bell.is_set()
    assert stored(office)


def test_a_bell_that_breaks_does_not_lose_the_mail(tmp_path: Path) -> None:
    def broken() -> None:
        raise RuntimeError("no")

    with PostOffice(tmp_path, OURS, Listed([]), port=0, on_delivery=broken) as office:
        with smtplib.SMTP("127.0.0.1", office.port, local_hostname="localhost") as conversation:
            assert conversation.sendmail("ana@example.org", [OURS], BODY) == {}
        assert len(stored(office)) == 1


def test_a_full_disk_asks_the_sender_to_try_again(
    counter: smtplib.SMTP, office: PostOffice, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(folder: Path, raw: bytes) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(maildir, "deliver", full)
    with pytest.raises(smtplib.SMTPDataError) as refused:
        counter.sendmail("ana@example.org", [OURS], BODY)
    assert refused.value.smtp_code == 451


def test_a_taken_port_gives_the_next_free_one(tmp_path: Path) -> None:
    with PostOffice(tmp_path, OURS, Listed([]), port=0) as first:
        taken = first.port
        with PostOffice(tmp_path, OURS, Listed([]), port=taken) as second:
            assert taken < second.port <= taken + 50
        assert second.port == 0


@pytest.mark.parametrize("host", ["0.0.0.0", "192.0.2.1", "example.org", "::", ""])
def test_it_refuses_to_listen_where_others_could_reach_it(tmp_path: Path, host: str) -> None:
    with pytest.raises(NotLoopback, match="loopback"):
        PostOffice(tmp_path, OURS, Listed([]), host=host, port=0)


def test_a_port_that_cannot_be_had_is_an_error_in_the_caller(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def forbidden(*_: object, **__: object) -> socket.socket:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(socket, "create_server", forbidden)
    with pytest.raises(PermissionError), PostOffice(tmp_path, OURS, Listed([]), port=25):
        pass


def test_it_runs_in_the_callers_loop_and_ends_open_conversations(tmp_path: Path) -> None:
    async def talk() -> bytes:
        async with PostOffice(tmp_path, OURS, Listed([]), port=0) as office:
            reader, writer = await asyncio.open_connection("127.0.0.1", office.port)
            greeting = await reader.readline()
            await office.stop()
            assert await reader.read() == b""
            assert len(asyncio.all_tasks()) == 1
            writer.close()
        return greeting

    assert asyncio.run(talk()).startswith(b"220 localhost ")
