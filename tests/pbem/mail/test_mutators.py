"""A right order mail, spoilt in every way that programs on its path spoil mails, gives the same orders."""

from __future__ import annotations

import base64
import html
import quopri
import textwrap
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.mail.classify import classify
from pbem.mail.mime import Mail
from pbem.mail.reading import ReplyReader
from pbem.mail.us import Us

SAMPLES = sorted(Path(__file__).with_name("samples").glob("*.eml"))
LONG = "SAY BERND Let us keep the peace at São João until turn nine and then split the spice in equal shares"
ORDERS = ["MOVE F1 E5", "HOLD F2", LONG]
BODY = "Olá!\n\nMOVE F1 E5\nHOLD F2\n" + LONG + "\n\nAna\n"
HEAD = "From: Ana <ana@example.org>\nTo: gm@pbem.example.org\nMIME-Version: 1.0\n"

ENCODERS: dict[str, Callable[[bytes], bytes]] = {
    "8bit": lambda data: data,
    "base64": base64.encodebytes,
    "quoted-printable": quopri.encodestring,
}
PAGES: dict[str, Callable[[list[str]], str]] = {
    "div": lambda lines: "".join(f"<div>{line or '<br>'}</div>" for line in lines),
    "p": lambda lines: "".join(f"<p style='margin:0'>{line}</p>\n" for line in lines),
    "br": lambda lines: "<br>\n".join(lines),
    "table": lambda lines: (
        "<table>"
        + "".join(f"<tr><td>{line.replace(' ', '</td><td>', 1)}</td></tr>" for line in lines)
        + "</table>"
    ),
    "pre": lambda lines: "<pre>" + "\n".join(lines) + "</pre>",
    "bold": lambda lines: "<ul>" + "".join(f"<li><b>{line}</b>" for line in lines) + "</ul>",
}


def part(
    data: bytes, kind: str = "text/plain", charset: str = "utf-8", transfer: str = "8bit", more: str = ""
) -> bytes:
    head = f"Content-Type: {kind}; charset={charset}{more}\nContent-Transfer-Encoding: {transfer}\n\n"
    return head.encode() + ENCODERS[transfer](data)


def container(kind: str, *parts: bytes, boundary: str = "B") -> bytes:
    mark = f"--{boundary}".encode()
    head = f"Content-Type: multipart/{kind}; boundary={boundary}\n\n".encode()
    return head + b"".join(mark + b"\n" + p + b"\n" for p in parts) + mark + b"--\n"


def page(layout: str) -> bytes:
    return f"<html><body>{PAGES[layout]([html.escape(line) for line in BODY.split(chr(10))])}</body></html>".encode()


def same(reader: ReplyReader, body: bytes) -> bool:
    raw = HEAD.encode() + body
    return all(reader.read(form).orders == ORDERS for form in (raw, raw.replace(b"\n", b"\r\n")))


@pytest.mark.parametrize("transfer", ENCODERS)
@pytest.mark.parametrize("charset", ["utf-8", "iso-8859-1", "windows-1252"])
@pytest.mark.parametrize("label", ["right", "us-ascii", "x-none", "utf-8"])
def test_charsets_and_transfer_encodings(
    transfer: str, charset: str, label: str, reader: ReplyReader
) -> None:
    named = charset if label == "right" else label
    assert same(reader, part(BODY.encode(charset), charset=named, transfer=transfer))


@pytest.mark.parametrize("layout", PAGES)
def test_html_of_every_build(layout: str, reader: ReplyReader) -> None:
    assert same(reader, part(page(layout), "text/html"))
    assert same(reader, container("alternative", part(b""), part(page(layout), "text/html")))
    assert same(reader, container("alternative", part(BODY.encode()), part(page(layout), "text/html")))


@pytest.mark.parametrize("width", [40, 60, 72, 76, 80])
def test_hard_wrapping_where_the_html_is_whole(width: int, reader: ReplyReader) -> None:
    wrapped = "\n".join("\n".join(textwrap.wrap(line, width)) for line in BODY.split("\n"))
    assert same(reader, container("alternative", part(wrapped.encode()), part(page("div"), "text/html")))


@pytest.mark.parametrize("delsp", ["no", "yes"])
@pytest.mark.parametrize("width", [40, 72, 80])
def test_flowed_wrapping(width: int, delsp: str, reader: ReplyReader) -> None:
    joint = " " if delsp == "no" else "  "
    lines = [(joint + "\n").join(textwrap.wrap(line, width)) for line in BODY.split("\n")]
    assert same(reader, part("\n".join(lines).encode(), more=f"; format=flowed; delsp={delsp}"))


@pytest.mark.parametrize("depth", range(1, 7))
def test_containers_in_containers(depth: int, reader: ReplyReader) -> None:
    body = part(BODY.encode())
    for n in range(depth):
        body = container(("mixed", "related", "signed")[n % 3], body, boundary=f"B{n}")
    assert same(reader, body)


@pytest.mark.parametrize(
    "change",
    [
        lambda text: text.replace("\n", "  \n"),
        lambda text: text.replace("MOVE F1", "move\u00a0f1").replace("HOLD", "Hold"),
        lambda text: text.replace("HOLD F2", "HO\u200bLD\u2003F2\u200e"),
        lambda text: text.replace("HOLD F2", "\u2013 HOLD F2"),
        lambda text: text.replace("HOLD F2", "\u201cHOLD F2\u201d"),
        lambda text: text.replace("MOVE F1 E5\nHOLD F2", "MOVE F1 E5; HOLD F2"),
        lambda text: "\ufeff" + text,
        lambda text: text + "\n-- \nAna 7\nHOLD ALL\n",
        lambda text: text + "\nSent from my phone 7\n",
        lambda text: text + "\n________________________________\nThis mail is confidential.\n",
        lambda text: (
            "BEGIN ORDERS 7\n" + text.partition("\n\n")[2].partition("\n\n")[0] + "\nEND ORDERS 7\nHOLD ALL"
        ),
        lambda text: "\n".join(f"{line}<br>" for line in text.split("\n")),
        lambda text: text.replace("\n", "\r\n").replace("\r\n", "\r"),
    ],
)
def test_what_keyboards_and_people_do(change: Callable[[str], str], reader: ReplyReader) -> None:
    assert same(reader, part(change(BODY).encode()))


@settings(max_examples=60)
@given(sample=st.sampled_from(SAMPLES), share=st.floats(0, 1))
def test_a_mail_cut_anywhere_never_raises(sample: Path, share: float) -> None:
    raw = sample.read_bytes()
    us = Us("Harbour Wars", "pbem.example.org", "gm+stop@pbem.example.org", "X-Loop")
    reader = ReplyReader("Harbour Wars", "pbem.example.org", lambda line: line if line.isupper() else None)
    cut = raw[: int(len(raw) * share)]
    classify(cut, us)
    reader.read(cut)


@settings(max_examples=60)
@given(sample=st.sampled_from(SAMPLES), place=st.floats(0, 1), dirt=st.binary(min_size=1, max_size=4))
def test_a_mail_spoilt_anywhere_never_raises(sample: Path, place: float, dirt: bytes) -> None:
    raw = sample.read_bytes()
    at = int(len(raw) * place)
    mail = Mail(raw[:at] + dirt + raw[at + len(dirt) :])
    assert isinstance(mail.text, str)
    assert mail.part in ("plain", "html", "none")
