"""HTML, parts and attachments: the orders are found where they stand, and nothing half is carried out."""

from __future__ import annotations

import base64
import os
from pathlib import Path

import pytest

from pbem.mail.classify import Kind
from pbem.mail.mime import MAX_BYTES, Mail
from pbem.sources.maildir import MaildirSource

from ..table import PbemTable
from .hand import done, entity, head, letters_of, multipart, not_done, notes, orders, post

HTML = "text/html; charset=utf-8"
TNEF = "application/ms-tnef; name=winmail.dat"


def both(plain: str, html: str) -> bytes:
    return multipart("alternative", entity(plain), entity(html, HTML))


def file(text: str, name: str = "orders.txt", disposition: str = "attachment") -> bytes:
    return entity(text, f"text/plain; charset=utf-8\r\nContent-Disposition: {disposition}; filename={name}")


@pytest.mark.parametrize(
    "plain", ["", " \r\n", "This message needs an HTML reader.\r\n", "[image: logo]\r\n"]
)
def test_troubles_b2_an_empty_text_part_beside_the_html_that_holds_the_orders(
    troyes: PbemTable, plain: str
) -> None:
    post(troyes, "Ana", both(plain, "<html><body><p>palace 1</p></body></html>\r\n"))
    done(troyes, "Ana", "palace 1")


def test_troubles_b2_the_mirror_image(troyes: PbemTable) -> None:
    post(
        troyes, "Ana", both("palace 1\r\n", "<html><body><p>Please use a text reader.</p></body></html>\r\n")
    )
    done(troyes, "Ana", "palace 1")


@pytest.mark.parametrize("tag", ["<br>", "<BR />", "<br/>"])
def test_troubles_b3_break_tags_at_the_ends_of_all_lines(troyes: PbemTable, tag: str) -> None:
    post(troyes, "Ana", f"note one{tag}\r\npalace 1{tag}\r\n{tag}\r\nAna{tag}\r\n")
    done(troyes, "Ana", "palace 1")
    assert notes(troyes) == ["one"]


@pytest.mark.parametrize("inline", ["\r\nContent-Disposition: inline", ""])
def test_troubles_b4_an_inline_part_without_a_name_is_the_body(troyes: PbemTable, inline: str) -> None:
    old = file("palace 2\r\n", "last-turn.txt", "inline")
    post(troyes, "Ana", multipart("mixed", entity("palace 1\r\n", f"text/plain{inline}"), old))
    done(troyes, "Ana", "palace 1")


def test_troubles_b4_an_old_order_file_is_not_glued_to_the_body(troyes: PbemTable) -> None:
    body = entity("note mine\r\npalace 1\r\n")
    post(
        troyes,
        "Ana",
        multipart("mixed", body, file("palace 2\r\n"), file("note old\r\n", "old.txt", "inline")),
    )
    done(troyes, "Ana", "palace 1")
    assert notes(troyes) == ["mine"]


def test_troubles_b4_two_named_texts_and_no_body_are_asked_about(troyes: PbemTable) -> None:
    post(
        troyes,
        "Ana",
        multipart("mixed", file("palace 1\r\n", "a.txt", "inline"), file("palace 2\r\n", "b.txt", "inline")),
    )
    not_done(troyes, "Ana", "Which of them do you mean?")


@pytest.mark.parametrize(("part", "said"), [("plain", "plain text"), ("html", "HTML")])
def test_troubles_b4_the_first_answer_tells_which_part_was_read(tmp_path: Path, part: str, said: str) -> None:
    table = PbemTable(tmp_path)
    table.new("Ana", "Ben")
    body = both("\r\n", "<p>join</p>\r\n") if part == "html" else entity("join\r\n")
    post(table, "Ana", body)
    assert said in table.last("Ana").flat
    table.close()


def test_troubles_b5_one_text_attachment_is_read_and_the_receipt_says_so(troyes: PbemTable) -> None:
    post(troyes, "Ana", multipart("mixed", entity("See attached.\r\n"), file("palace 1\r\n")))
    assert "read from the attachment orders.txt" in done(troyes, "Ana", "palace 1").flat


def test_troubles_b5_two_text_attachments_are_asked_about(troyes: PbemTable) -> None:
    two = multipart("mixed", entity("See attached.\r\n"), file("palace 1\r\n"), file("palace 2\r\n", "b.txt"))
    post(troyes, "Ana", two)
    receipt = not_done(troyes, "Ana", "Which of them do you mean?", "orders.txt", "b.txt")
    assert "Question" in receipt.subject
    assert troyes.asked() == ["Ana"]


def test_troubles_b5_a_body_with_orders_beats_the_attachment(troyes: PbemTable) -> None:
    post(troyes, "Ana", multipart("mixed", entity("palace 1\r\n"), file("palace 2\r\n")))
    assert "read from the attachment" not in done(troyes, "Ana", "palace 1").flat


def test_troubles_b7_winmail_dat_is_explained(troyes: PbemTable) -> None:
    packed = entity(base64.encodebytes(b"\x78\x9f\x3e\x22palace 1"), TNEF, "base64")
    post(troyes, "Ana", multipart("mixed", entity("\r\n"), packed))
    not_done(troyes, "Ana", "winmail.dat", "set Outlook to plain text")


def test_troubles_b7_orders_beside_winmail_dat_are_done(troyes: PbemTable) -> None:
    packed = entity(base64.encodebytes(b"\x78\x9f\x3e\x22"), TNEF, "base64")
    post(troyes, "Ana", multipart("mixed", entity("palace 1\r\n"), packed))
    assert "set Outlook" not in done(troyes, "Ana", "palace 1").flat


@pytest.mark.parametrize("mark", [b"REPORT.IPM.Note.IPNRN\0", b"IPM.Microsoft Mail.Read Receipt\0"])
def test_troubles_b7_a_read_receipt_in_winmail_dat_is_never_answered(troyes: PbemTable, mark: bytes) -> None:
    packed = entity(base64.encodebytes(b"\x78\x9f\x3e\x22" + mark), TNEF, "base64")
    before = letters_of(troyes)
    filed = post(troyes, "Ana", multipart("mixed", entity("palace 1\r\n"), packed), Subject="Gelesen: x")
    assert filed.kind == Kind.AUTO_REPLY
    assert letters_of(troyes) == before
    assert orders(troyes) == []


def test_troubles_b8_of_an_overlong_mail_the_head_is_kept_and_the_receipt_names_limit_and_remedy(
    troyes: PbemTable, tmp_path: Path
) -> None:
    for box in ("new", "cur", "tmp"):
        (tmp_path / "gm" / box).mkdir(parents=True)
    picture = entity(base64.encodebytes(os.urandom(3_000_000)), "image/png; name=x.png", "base64")
    raw = head(troyes, "Ana") + multipart("mixed", entity("palace 1\r\n"), picture)
    (tmp_path / "gm/new/1.a").write_bytes(raw)
    (fetched,) = MaildirSource(tmp_path / "gm").fetch()
    filed = troyes.app.take(fetched)
    assert filed is not None
    not_done(troyes, "Ana", "longer than 2 MB", "without pictures and attachments")
    row = troyes.app.store.one("select length(raw) as n from inbox order by id desc limit 1")
    assert row is not None
    assert row["n"] == MAX_BYTES + 1 < len(raw)


@pytest.mark.parametrize("share", [0.3, 0.6, 0.9, 0.99])
def test_troubles_b9_a_mail_cut_before_its_last_boundary_applies_nothing(
    troyes: PbemTable, share: float
) -> None:
    whole = head(troyes, "Ana") + both("palace 1\r\n" * 20, "<p>palace 1</p>" * 40)
    at = whole.index(b"palace 1") + 8
    troyes.mail(whole[: at + int((len(whole) - at - 3) * share)])
    not_done(troyes, "Ana", "cut on its way", "The last line that I have is", "palace 1")
    assert troyes.asked() == ["Ana"]


@pytest.mark.parametrize("form", ["{}", "> {}"], ids=["own", "in the quotation"])
def test_troubles_b9_a_block_without_its_end_applies_nothing(troyes: PbemTable, form: str) -> None:
    lines = ["BEGIN ORDERS 1", "palace 1"]
    start = (
        "On Tue, 1 Dec 2026 at 09:00, Play by mail <pbem@pbem.example.org> wrote:\r\n" if ">" in form else ""
    )
    post(troyes, "Ana", start + "\r\n".join(form.format(line) for line in lines) + "\r\n")
    not_done(troyes, "Ana", "no line END ORDERS", "“palace 1”")


@pytest.mark.parametrize(
    ("transfer", "body"),
    [
        ("8bit", b"palace 1"),
        ("quoted-printable", b"palace 1=\r\n"),
        ("base64", base64.b64encode(b"note " + b"x" * 42 + b"\r\npalace 1") + b"\r\n"),
    ],
)
def test_troubles_b9_an_order_on_a_last_line_without_an_end_is_not_done(
    troyes: PbemTable, transfer: str, body: bytes
) -> None:
    post(troyes, "Ana", entity(body, "text/plain; charset=utf-8", transfer))
    not_done(troyes, "Ana", "cut on its way")
    assert notes(troyes) == []


def test_troubles_b9_a_moderators_command_that_was_cut_is_not_done(troyes: PbemTable) -> None:
    post(troyes, "Dora", entity(b"pause\r\nrewind to 1"))
    assert "cut on its way" in troyes.last("Dora").flat
    assert troyes.game().paused is None


def test_troubles_b10_a_line_of_20000_letters_is_one_line(troyes: PbemTable) -> None:
    post(troyes, "Ana", "palace 1 " + "x" * 20_000 + " palace 2\r\n")
    assert troyes.asked() == ["Ana"]
    post(troyes, "Ana", "note " + "palace 2 " * 2_300 + "\r\npalace 1\r\n")
    receipt = troyes.last("Ana", "receipt")
    assert "a note may have 1000 letters" in receipt.flat
    assert notes(troyes) == []
    assert [o for o in orders(troyes) if "palace.1" in o] == []
    assert Mail(b"\r\n" + b"y" * 20_000 + b"\r\n").plain.strip() == "y" * 20_000
