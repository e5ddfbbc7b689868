"""Encodings and characters: what stands in a line is what its author wrote."""

from __future__ import annotations

import pytest

from pbem.mail.judging import Judge
from pbem.mail.mime import Mail
from pbem.mail.reading import ReplyReader

from ..table import PbemTable
from .hand import done, entity, multipart, not_done, notes, orders, post

LONG = "note " + "0123456789" * 20
QP = "text/plain; charset=utf-8"


@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
def test_troubles_a1_soft_line_breaks_do_not_cut_an_order(troyes: PbemTable, end: bytes) -> None:
    cut = (b"=" + end).join(LONG.encode()[i : i + 70] for i in range(0, len(LONG), 70))
    post(troyes, "Ana", entity(cut + end + b"pala=" + end + b"ce 1" + end, QP, "quoted-printable"))
    assert notes(troyes) == ["0123456789" * 20]
    done(troyes, "Ana", "palace 1")


def test_troubles_a2_a_home_made_encoder_that_spares_all_but_the_equals_sign(troyes: PbemTable) -> None:
    body = "note a =3D é, raw\r\npalace 1\r\n".encode()
    post(troyes, "Ana", entity(body, QP, "quoted-printable"))
    assert notes(troyes) == ["a = é, raw"]
    done(troyes, "Ana", "palace 1")


def test_troubles_a2_without_a_transfer_header_the_body_is_taken_as_it_is(troyes: PbemTable) -> None:
    post(troyes, "Ana", entity("note a=20b =3D c\r\n", QP, transfer=""))
    assert notes(troyes) == ["a=20b =3D c"]
    assert "quoted-printable" not in troyes.last("Ana").flat


@pytest.mark.parametrize("body", ["palace=201\r\n", "pal=\r\nace 1\r\n", "=70alace 1\r\nThanks=21\r\n"])
def test_troubles_a2_only_what_cannot_be_read_so_is_decoded_and_the_receipt_says_so(
    troyes: PbemTable, body: str
) -> None:
    post(troyes, "Ana", entity(body, QP, transfer=""))
    assert "encoded (quoted-printable) and did not say so" in done(troyes, "Ana", "palace 1").flat


@pytest.mark.parametrize(
    "word", ["=?utf-8?x?abc?=", "=?utf-8?b?w6?=", "=?x-none?q?=E9=?=", "=?utf-8?q?=C3?="]
)
def test_troubles_a4_a_broken_word_in_a_header_stops_neither_this_mail_nor_the_next(
    troyes: PbemTable, word: str
) -> None:
    post(troyes, "Ana", "palace 1\r\n", Subject=f"Re: {word}", From=f"{word} <ana@example.org>")
    done(troyes, "Ana", "palace 1")
    post(troyes, "Ben", "palace 2\r\n", to=troyes.last("Ben", "digest"))
    done(troyes, "Ben", "palace 2")


def test_troubles_a4_what_cannot_be_read_of_a_header_is_shown_raw() -> None:
    mail = Mail(b"Subject: =?utf-8?x?abc?=\r\nFrom: =?utf-8?x?abc?= <ana@example.org>\r\n\r\n")
    assert mail.subject == "=?utf-8?x?abc?="
    assert mail.sender.name == "=?utf-8?x?abc?="
    assert mail.sender.address == "ana@example.org"


@pytest.mark.parametrize("real", ["utf-8", "iso-8859-1", "cp1252"])
@pytest.mark.parametrize("label", ["", "; charset=utf-8", "; charset=iso-8859-1", "; charset=us-ascii"])
def test_troubles_a5_accents_under_no_label_or_a_false_one(troyes: PbemTable, real: str, label: str) -> None:
    body = "look Chrétien de Troyes\r\nnote ação\r\npalâce 1\r\n".encode(real)
    post(troyes, "Ana", entity(body, f"text/plain{label}"))
    assert "CHRÉTIEN" in done(troyes, "Ana", "palace 1").text
    if label != "; charset=iso-8859-1" or real != "utf-8":
        assert notes(troyes) == ["ação"]


def test_troubles_a5_names_are_compared_without_accents_and_near_ones_offered(troyes: PbemTable) -> None:
    post(troyes, "Ana", "look chretien\r\npállacé 1\r\n")
    assert "palace 1" in not_done(troyes, "Ana", "CHRETIEN", "I cannot read").flat


def test_troubles_a6_letters_that_became_question_marks_are_remarked_and_the_raw_mail_is_kept(
    troyes: PbemTable,
) -> None:
    body = entity("palace 1\r\n\r\nGr??e aus K?ln, das n?chste Mal sch?ner!\r\n")
    post(troyes, "Ana", body)
    assert "Many letters of your mail came as question marks" in done(troyes, "Ana", "palace 1").flat
    kept = troyes.app.store.one("select raw from inbox order by id desc limit 1")
    assert kept is not None
    assert bytes(kept["raw"]).endswith(body)


def test_troubles_a6_questions_are_not_taken_for_spoilt_letters(troyes: PbemTable) -> None:
    post(troyes, "Ana", "palace 1\r\n\r\nReally? Why not? See https://example.org/?a=b?c=d?e ok??\r\n")
    assert "question marks" not in done(troyes, "Ana", "palace 1").flat


@pytest.mark.parametrize("mark", [b"\xef\xbb\xbf", b"\xef\xbb\xbf\xef\xbb\xbf"])
def test_troubles_a7_a_byte_order_mark_before_the_first_order(troyes: PbemTable, mark: bytes) -> None:
    post(troyes, "Ana", entity(mark + b"palace 1\r\n"))
    done(troyes, "Ana", "palace 1")
    attached = entity(mark + b"palace 2\r\n", 'text/plain; charset=utf-8; name="orders.txt"')
    post(troyes, "Ben", multipart("mixed", entity("see attached\r\n"), attached))
    done(troyes, "Ben", "palace 2")


@pytest.mark.parametrize("form", ["“palace 1”", "‘palace 1’", "„palace 1“", "«palace 1»", "'palace 1'"])
def test_troubles_a9_curly_quotes_around_an_order(troyes: PbemTable, form: str) -> None:
    post(troyes, "Ana", f"{form}\r\nnote don’t “forget”\r\n")
    done(troyes, "Ana", "palace 1")
    assert notes(troyes) == ["don’t “forget”"]


@pytest.mark.parametrize("arrow", ["->", "→", "–>", "—>", "⇒", "➡", "⟶", "−>"])
def test_troubles_a10_arrows_and_dashes_in_every_spelling(arrow: str) -> None:
    judge = Judge(lambda line: line if line == "F1 -> E5" else None)
    assert judge.verdict(f"F1 {arrow} E5") == "F1 -> E5"


def test_troubles_a10_ellipsis_and_a_signature_mark_of_one_long_dash(troyes: PbemTable) -> None:
    post(troyes, "Ana", "– palace 1…\r\n—\r\npalace 2\r\n")
    assert "Ignored: “palace 2” (signature)" in done(troyes, "Ana", "palace 1").flat


@pytest.mark.parametrize("line", ["Palace 1", "PALACE 1", "Pal 1", "paLAce 1"])
def test_troubles_a11_capitals_do_not_matter(troyes: PbemTable, line: str) -> None:
    post(troyes, "Ana", f"Status\r\nNOTE Keep My Capitals\r\n{line}\r\n")
    done(troyes, "Ana", "palace 1")
    assert notes(troyes) == ["Keep My Capitals"]


INVISIBLE = (
    "\u200b\u200c\u200d\u00ad\u200e\u200f\u202a\u202c\u202e\u2060\u2066\u2069\ufeff\ufe0f\U000e0020\x00\x1b"
)


@pytest.mark.parametrize("mark", list(INVISIBLE), ids=[f"U+{ord(c):04X}" for c in INVISIBLE])
def test_troubles_a12_marks_that_nobody_sees_do_not_spoil_an_order(troyes: PbemTable, mark: str) -> None:
    post(troyes, "Ana", f"{mark}pal{mark}ace{mark} 1{mark}\r\n")
    done(troyes, "Ana", "palace 1")


def test_troubles_a12_an_error_shows_the_line_as_it_was_read_without_such_marks(troyes: PbemTable) -> None:
    post(troyes, "Ana", f"pal{INVISIBLE}lace 99\r\n")
    said = not_done(troyes, "Ana", "pallace 99").text
    assert not set(INVISIBLE) & set(said)


def test_troubles_a12_letters_that_only_look_alike_are_no_order(
    reader: ReplyReader, troyes: PbemTable
) -> None:
    assert reader.read("НОLD F1\r\n").orders == []  # the first two letters are Cyrillic
    post(troyes, "Ana", "раlасе 1\r\n")
    assert orders(troyes) == []
