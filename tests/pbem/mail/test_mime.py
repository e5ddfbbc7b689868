"""Any bytes are a mail, and what can be read of them is read."""

from __future__ import annotations

import base64
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.mail.classify import classify
from pbem.mail.headers import mailboxes, same_form
from pbem.mail.html import html_text
from pbem.mail.mime import MAX_LINES, MAX_PARTS, Cut, Mail
from pbem.mail.reading import ReplyReader
from pbem.mail.text import tidy, unflowed
from pbem.mail.us import Us

TEXT = "ação é ñ “so”"


def mail(head: str, body: bytes | str) -> Mail:
    return Mail(head.encode() + b"\r\n\r\n" + (body if isinstance(body, bytes) else body.encode()))


def multipart(kind: str, *parts: str, end: bool = True) -> Mail:
    inner = "".join(f"--B\r\n{part}\r\n" for part in parts)
    return mail(f"Content-Type: multipart/{kind}; boundary=B", inner + ("--B--\r\n" if end else ""))


def part(body: str, kind: str = "text/plain", more: str = "") -> str:
    return f"Content-Type: {kind}{more}\r\n\r\n{body}"


@pytest.mark.parametrize(
    ("real", "transfer"),
    [
        *(
            (real, transfer)
            for real in ("utf-8", "cp1252")
            for transfer in ("8bit", "base64", "quoted-printable")
        ),
        *(("utf-16", transfer) for transfer in ("base64", "quoted-printable")),
    ],
)
def test_text_in_its_charset(real: str, transfer: str) -> None:
    data = TEXT.encode(real)
    if transfer == "base64":
        data = base64.encodebytes(data)
    elif transfer == "quoted-printable":
        data = "".join(f"={b:02X}" for b in data).encode()
    head = f"Content-Type: text/plain; charset={real}\r\nContent-Transfer-Encoding: {transfer}"
    assert mail(head, data).plain.strip() == TEXT


@pytest.mark.parametrize(
    "label", ["us-ascii", "iso-8859-5", "x-unknown", "utf-8\x00", "base64", "punycode", '"']
)
def test_utf_8_under_a_false_label(label: str) -> None:
    assert mail(f"Content-Type: text/plain; charset={label}", TEXT).plain == TEXT


def test_without_any_label() -> None:
    assert mail("Subject: x", TEXT).plain == TEXT
    assert mail("Subject: x", TEXT.encode("cp1252")).plain == TEXT
    assert mail("Content-Type: text/plain; charset=utf-8", TEXT.encode("cp1252")).plain == TEXT
    assert mail("Subject: x", b"\xef\xbb\xbfMOVE").plain == "MOVE"


def test_long_lines_come_back_whole() -> None:
    line = "SAY ANA " + "x" * 200
    wrapped = "=\r\n".join(line[i : i + 70] for i in range(0, len(line), 70))
    assert mail("Content-Transfer-Encoding: quoted-printable", wrapped).plain == line
    assert mail("Subject: x", "y" * 20_000).plain == "y" * 20_000


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        ("=?utf-8?q?R=C3=A9p?= : x", "Rép : x"),
        ("=?utf-8?b?w6k=?= =?utf-8?b?w6k=?=", "éé"),
        ("=?utf-8?q?=C3?= =?utf-8?q?=A9?=", "é"),
        ("=?iso-8859-1?q?=E9?= =?utf-8?q?=C3=A9?=", "éé"),
        ("=?x-none?q?=E9?=", "é"),
        ("=?utf-8?b?w6?=", "Ã"),
        ("=?utf-8?b?!!!?= x", "x"),
        ("=?utf-8?x?abc?=", "=?utf-8?x?abc?="),
        ("a\r\n b", "a b"),
        ("", ""),
    ],
)
def test_encoded_words_broken_or_whole(raw: str, text: str) -> None:
    assert mail(f"Subject: {raw}", "").subject == text


def test_raw_bytes_in_a_header() -> None:
    assert Mail(b"Subject: caf\xc3\xa9\r\n\r\n").subject == "café"
    assert Mail(b"Subject: caf\xe9\r\n\r\n").subject == "café"


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        (
            '"Prado, Ana" <ana@example.org>, b@example.org',
            [("Prado, Ana", "ana@example.org"), ("", "b@example.org")],
        ),
        ("=?utf-8?q?Chlo=C3=A9?= <chloe@example.org>", [("Chloé", "chloe@example.org")]),
        ('"a \\" b" <x@example.org>', [('a " b', "x@example.org")]),
        ("ana@example.org <ben@example.org>", [("ana@example.org", "ben@example.org")]),
        ("group: a@example.org; b@example.org", [("", "a@example.org"), ("", "b@example.org")]),
        ('"unclosed <x@example.org>', [("unclosed", "x@example.org")]),
        ("nobody", []),
        ("<>", []),
        ("<" * 30_000 + "@" * 30_000, []),
    ],
)
def test_addresses(raw: str, expected: list[tuple[str, str]]) -> None:
    assert [(box.name, box.address) for box in mailboxes([raw])] == expected


def test_addresses_are_compared_without_case_and_plus_part() -> None:
    assert same_form(" Ana+Games@Example.ORG") == same_form("ana@example.org")


def test_flowed_text_is_joined_for_each_depth() -> None:
    flowed = "one \ntwo\n three\n> a \n> b\n>> c \n> d\n-- \nsig \nend \n"
    assert unflowed(flowed) == "one two\nthree\n> a b\n>> c \n> d\n-- \nsig end "
    assert unflowed("on \ne", delsp=True) == "one"
    assert mail("Content-Type: text/plain; format=flowed; delsp=yes", "on \r\ne").plain == "one"


def test_break_tags_at_all_line_ends_are_dropped() -> None:
    assert tidy("MOVE F1 E5<br>\r\n\r\nHOLD F2<BR />\r\n") == "MOVE F1 E5\n\nHOLD F2\n"
    assert tidy("use <br>\nfreely") == "use <br>\nfreely"


def test_html_line_by_line() -> None:
    page = """<html><head><title>x</title><style>y</style></head><body><!-- z --><p>MOVE <b>F1</b>
      E5</p><div>HOLD&nbsp;F2<br>a<script>b</script></div><table><tr><td>TRADE</td><td>T1</td></tr><tr><th>x</th>
      </tr></table><ul><li>one<li>two</ul>above<hr>below<pre>p  q\nr</pre>
      <blockquote>old<blockquote><p>older</p></blockquote>old</blockquote>new"""
    assert html_text(page).split("\n") == [
        *("MOVE F1 E5", "HOLD F2", "a", "TRADE T1", "x", "one", "two", "above", "below", "p  q", "r"),
        *("> old", ">> older", "> old", "new"),
    ]


def test_the_plain_part_is_read_unless_it_is_blank() -> None:
    both = multipart("alternative", part("plain"), part("<p>html</p>", "text/html"))
    assert (both.part, both.text.strip()) == ("plain", "plain")
    blank = multipart("alternative", part(" \r\n"), part("<p>html</p>", "text/html"))
    assert (blank.part, blank.text.strip()) == ("html", "html")
    assert mail("Subject: x", "").part == "none"


def test_what_is_the_body_and_what_is_attached() -> None:
    inline = multipart("mixed", part("one", more="\r\nContent-Disposition: inline"), part("two"))
    assert inline.plain.split() == ["one", "two"]
    named = multipart("mixed", part("body"), part("MOVE", more="; name=x.txt"))
    assert named.plain.strip() == "body"
    assert [(a.name, a.text) for a in named.attachments] == [("x.txt", "MOVE")]
    only = multipart("mixed", part("body", more="; name=body.txt\r\nContent-Disposition: inline"))
    assert only.plain.strip() == "body"
    letter = multipart("mixed", part("see below"), part("Subject: y\r\n\r\nMOVE F1 E5", "message/rfc822"))
    assert letter.plain.strip() == "see below"
    assert [a.mime for a in letter.attachments] == ["message/rfc822"]


def test_one_small_text_attachment_is_offered() -> None:
    one = multipart("mixed", part(""), part("\ufeffMOVE", more="; name=x.txt"), part("x", "image/png"))
    assert one.only_text_attachment is not None
    assert one.only_text_attachment.text == "MOVE"
    two = multipart("mixed", part(""), part("a", more="; name=x.txt"), part("b", more="; name=y.txt"))
    assert two.only_text_attachment is None
    big = multipart("mixed", part(""), part("a" * 100_000, more="; name=x.txt"))
    assert big.only_text_attachment is None


def test_outlooks_wrapping_is_noticed() -> None:
    assert multipart("mixed", part("x"), part("y", "application/ms-tnef")).wrapped_by_outlook
    assert not multipart("mixed", part("x"), part("y", "image/png")).wrapped_by_outlook


def test_a_mail_that_was_cut_is_noticed() -> None:
    assert multipart("mixed", part("x"), end=False).cut is Cut.TRANSPORT
    assert multipart("mixed", part("x")).cut is None
    assert Mail(b"Subject: x\r\n\r\n" + b"x" * 2_500_000).cut is Cut.SIZE


@pytest.mark.parametrize("depth", [1, 6])
def test_a_body_deep_in_containers(depth: int) -> None:
    body = part("MOVE F1 E5")
    for n in range(depth):
        kind = ("mixed", "related", "signed")[n % 3]
        body = f"Content-Type: multipart/{kind}; boundary=B{n}\r\n\r\n--B{n}\r\n{body}\r\n--B{n}--\r\n"
    assert Mail(body.encode()).plain.strip() == "MOVE F1 E5"


def nest(depth: int) -> bytes:
    return b"".join(
        b"Content-Type: multipart/mixed; boundary=b%d\r\n\r\n--b%d\r\n" % (n, n) for n in range(depth)
    )


BOMBS = {
    "ten thousand parts": b"Content-Type: multipart/mixed; boundary=B\r\n\r\n" + b"--B\r\n\r\nx\r\n" * 10_000,
    "a deep nest": nest(2_000) + b"x\r\n" * 50_000,
    "a nest as deep as is parsed": nest(39) + b"x\n" * 90_000,
    "letters in letters": b"Content-Type: message/rfc822\r\n\r\n" * 3_000,
    "a long line": b"Subject: x\r\n\r\n" + b"MOVE F1 E5;" * 90_000,
    "many lines": b"Subject: x\r\n\r\n" + b"MOVE F1 E5\r\n" * 100_000,
    "many labels": b"Subject: x\r\n\r\n" + b"From: x\r\n" * 100_000,
    "many openings": b"Subject: x\r\n\r\n" + b"BEGIN ORDERS 1\r\n" * 100_000,
    "many marks": b"Subject: x\r\n\r\n" + b"> " * 500_000,
    "many colons": b"Subject: x\r\n\r\n" + b"1 gm@pbem.example.org 2:\r\nx\r\n" * 50_000,
    "many headers": b"To: gm@pbem.example.org\r\n" * 80_000 + b"\r\nx",
    "a long header": b"To: " + b"<a@b>," * 300_000 + b"\r\n\r\nx",
    "deep html": b"Content-Type: text/html\r\n\r\n" + b"<div>" * 100_000,
    "deep bold": b"Content-Type: text/html\r\n\r\n" + b"<b><i><p>" * 40_000,
    "quotes in html": b"Content-Type: text/html\r\n\r\n" + b"<blockquote>x" * 990,
    "words in a header": b"Subject: " + b"=?utf-8?q?x?= " * 100_000 + b"\r\n\r\n",
    "dashes": b"Subject: x\r\n\r\n" + b"-" * 900_000,
    "stars": b"Subject: x\r\n\r\n" + b"*" * 900_000 + b"x",
}


@pytest.mark.parametrize("name", BOMBS)
def test_a_bomb_is_harmless(name: str, us: Us, reader: ReplyReader) -> None:
    start = time.process_time()
    opened = Mail(BOMBS[name])
    classify(opened, us)
    reader.read(opened)
    assert time.process_time() - start < 5
    assert len(opened.parts) <= MAX_PARTS
    assert len(opened.text.split("\n")) <= MAX_LINES


def everything(opened: Mail) -> None:
    """Touches all that a mail has."""
    for name in ("plain", "html", "text", "part", "parts", "attachments", "sender", "subject"):
        getattr(opened, name)
    opened.mailboxes("to")
    assert opened.only_text_attachment is None or opened.only_text_attachment.text is not None


PIECES = st.sampled_from(
    [
        b"Content-Type: multipart/mixed; boundary=B\r\n",
        b"Content-Type: text/html; charset=\xff\r\n",
        b"Content-Type: text/plain; charset*=utf-8''%ff; format=flowed\r\n",
        b"Content-Type: multipart/report; report-type=delivery-status; boundary=B\r\n",
        b"Content-Disposition: attachment; filename*0*=x'y'%zz; filename=\r\n",
        b"Content-Transfer-Encoding: base64\r\n",
        b"Content-Transfer-Encoding: x-uuencode\r\n",
        b"From: =?utf-8?b?\xff?= <\xe9@x>\r\n",
        b"\r\n",
        b"--B\r\n",
        b"--B--\r\n",
        b"begin 644 x\r\n",
        b"<blockquote><p>x</blockquote>",
        b"BEGIN ORDERS 7\r\n",
        b"> END ORDERS 7\r\n",
        b"=",
        b"\x00",
    ]
)


@settings(max_examples=300)
@given(st.lists(PIECES | st.binary(max_size=30), max_size=20).map(b"".join))
def test_no_bytes_raise(raw: bytes) -> None:
    us = Us("Harbour Wars", "pbem.example.org", "gm+stop@pbem.example.org", "X-Loop", authserv_id="mx")
    opened = Mail(raw)
    everything(opened)
    classify(raw, us)
    ReplyReader(
        "Harbour Wars", "pbem.example.org", lambda line: line if line.startswith("MOVE") else None
    ).read(raw)
