"""What goes into a letter comes out of it again, and nothing else does."""

from __future__ import annotations

import email
import email.policy
import time
from dataclasses import replace
from datetime import UTC, datetime
from email.message import EmailMessage

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.mail.compose import AUTO_REPLIED, File, Letter, Picture, compose
from pbem.mail.mime import Mail

WHEN = datetime(2026, 11, 30, 18, 2, tzinfo=UTC)
PNG = b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 3
PLAIN = Letter(
    message_id="<o.token.1@pbem.example.org>",
    date=WHEN,
    from_name="The Long Winter",
    from_address="gm@pbem.example.org",
    to_name="Ana Prado",
    to_address="ana@example.org",
    subject="[Oath: The Long Winter] Your turn, round 3 (by Thu 3 Dec 18:00)",
    text="BEGIN ORDERS 12\n\nEND ORDERS 12\n",
)
FULL = replace(
    PLAIN,
    reply_to="gm+abcdefghijklmnopqrstuvwxyz234567abcd@pbem.example.org",
    html='<p>Olá</p><img src="cid:board@pbem.example.org">',
    pictures=(Picture("board@pbem.example.org", PNG, "The board: São João"),),
    attachments=(
        File("crônica do inverno, parte 2.txt", "text/plain", b"log\n"),
        File("x.bin", "bad mime", b"\0"),
    ),
    references=tuple(f"<o.token.{n}@pbem.example.org>" for n in range(30)),
    in_reply_to="<reply@example.org>",
    list_id="winter.pbem.example.org",
    list_unsubscribe="gm+stop.token@pbem.example.org",
    auto_submitted=AUTO_REPLIED,
    loop_header=("X-Pbem-Loop", "pbem.example.org"),
    language="pt-BR",
)
HEADER_TEXT = st.text(
    st.characters(exclude_categories=["Cs", "Cc", "Zl", "Zp", "Zs"]) | st.just(" "), max_size=200
)


def parsed(letter: Letter) -> EmailMessage:
    message = email.message_from_bytes(compose(letter), policy=email.policy.default)
    assert isinstance(message, EmailMessage)
    return message


def body(message: EmailMessage, kind: str) -> str:
    part = message.get_body((kind,))
    assert part is not None
    return str(part.get_content()).replace("\r\n", "\n")


def test_every_header_comes_back() -> None:
    message = parsed(FULL)
    assert message["from"] == "The Long Winter <gm@pbem.example.org>"
    assert message["reply-to"] == f"The Long Winter <{FULL.reply_to}>"
    assert message["to"] == "Ana Prado <ana@example.org>"
    assert message["subject"] == FULL.subject
    assert message["date"].datetime == WHEN
    assert message["message-id"] == FULL.message_id
    assert message["in-reply-to"] == FULL.in_reply_to
    assert message["references"].split() == list(FULL.references)
    assert message["list-id"] == "The Long Winter <winter.pbem.example.org>"
    assert message["list-unsubscribe"].strip() == "<mailto:gm+stop.token@pbem.example.org>"
    assert message["auto-submitted"] == "auto-replied"
    assert message["x-auto-response-suppress"] == "All"
    assert message["x-pbem-loop"] == "pbem.example.org"
    assert message["content-language"] == "pt-BR"
    assert "precedence" not in message


def test_the_parts_stand_in_the_order_that_mail_programs_expect() -> None:
    message = parsed(FULL)
    assert [p.get_content_type() for p in message.walk()] == [
        "multipart/mixed",
        "multipart/alternative",
        "text/plain",
        "multipart/related",
        "text/html",
        "image/png",
        "text/plain",
        "application/octet-stream",
    ]
    pictures = [p for p in message.walk() if p.get_content_type() == "image/png"]
    assert pictures[0]["content-id"] == "<board@pbem.example.org>"
    assert pictures[0]["content-description"] == "The board: São João"
    assert pictures[0].get_payload(decode=True) == PNG
    files = list(message.iter_attachments())
    assert [f.get_filename() for f in files] == ["crônica do inverno, parte 2.txt", "x.bin"]
    assert files[0].get_content() == "log\n"


def test_a_letter_of_text_is_one_part() -> None:
    assert parsed(PLAIN).get_content_type() == "text/plain"
    assert parsed(replace(PLAIN, html="<p>x</p>")).get_content_type() == "multipart/alternative"


def test_pictures_without_html_are_attachments() -> None:
    message = parsed(replace(FULL, html=None, attachments=()))
    assert [a.get_content_type() for a in message.iter_attachments()] == ["image/png"]


def test_no_line_is_long_and_every_line_ends_in_crlf() -> None:
    raw = compose(
        replace(FULL, text="x" * 5_000 + "\né" * 500 + "=" * 500, subject="wörd " * 100, to_name="n" * 300)
    )
    assert max(map(len, raw.split(b"\r\n"))) <= 78
    assert raw.count(b"\n") == raw.count(b"\r\n") == raw.count(b"\r")


def test_no_line_of_the_text_reads_as_an_envelope() -> None:
    text = "From here\nFrom From \n.\n..\nFrom " + "x" * 200 + "\n"
    raw = compose(replace(PLAIN, text=text))
    assert not any(line.startswith(b"From ") or line == b"." for line in raw.split(b"\r\n"))
    assert body(parsed(replace(PLAIN, text=text)), "plain") == text


def test_a_value_cannot_add_a_header() -> None:
    evil = "x\r\nBcc: everybody@example.com\n\rX-Evil: 1\u2028Y-Evil: 1\x00"
    message = parsed(
        replace(
            FULL,
            message_id=evil,
            from_name=evil,
            from_address=evil,
            to_name=evil,
            to_address=evil,
            subject=evil,
            reply_to=evil,
            references=(evil,),
            in_reply_to=evil,
            list_id=evil,
            list_unsubscribe=evil,
            auto_submitted=evil,
            loop_header=(evil, evil),
            language=evil,
            pictures=(Picture(evil, PNG, evil),),
            attachments=(File(evil, evil, b""),),
        )
    )
    names = {name.lower() for part in message.walk() for name in part}
    assert not names & {"bcc", "x-evil", "y-evil"}


def test_a_naive_date_is_an_error() -> None:
    with pytest.raises(ValueError, match="time zone"):
        compose(replace(PLAIN, date=datetime(2026, 1, 1)))


@settings(max_examples=50)
@given(name=HEADER_TEXT, subject=HEADER_TEXT, filename=HEADER_TEXT)
def test_any_name_and_subject_come_back(name: str, subject: str, filename: str) -> None:
    letter = replace(
        PLAIN, from_name=name, to_name=name, subject=subject, attachments=(File(filename, "text/plain", b""),)
    )
    raw = compose(letter)
    assert max(map(len, raw.split(b"\r\n"))) <= 78
    mail = Mail(raw)
    assert mail.sender.name == name.strip()
    assert mail.sender.address == PLAIN.from_address
    assert mail.subject == subject.strip()
    assert mail.attachments[0].name == (filename.strip().replace("/", "_")[:150] or "file")
    assert parsed(letter)["subject"].split() == subject.split()
    assert parsed(letter)["from"].addresses[0].addr_spec == PLAIN.from_address


@settings(max_examples=50)
@given(text=st.text(), html=st.text())
def test_any_text_comes_back(text: str, html: str) -> None:
    message = parsed(replace(PLAIN, text=text, html=html))
    for kind, sent in (("plain", text), ("html", html)):
        lines = sent.encode("utf-8", "replace").decode().replace("\r\n", "\n").replace("\r", "\n")
        assert body(message, kind).removesuffix("\n") == lines.removesuffix("\n")


def test_a_large_letter_takes_little_time() -> None:
    letter = replace(PLAIN, text="Ana, é a sua vez.\n" * 550, html="<td style='color:#333'>São</td>\n" * 650)
    compose(letter)
    start = time.perf_counter()
    for _ in range(20):
        compose(letter)
    assert (time.perf_counter() - start) / 20 < 0.02  # it is under 1 ms on a quiet machine
