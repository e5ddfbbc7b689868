"""Quoting, signatures, wrapping: what the player wrote is told from what we wrote."""

from __future__ import annotations

import re

import pytest

from pbem.mail.reading import ReplyReader

from ..table import PbemTable
from .hand import done, entity, head, multipart, not_done, notes, orders, post, quoted, wrote

OUTLOOK = (
    "From: {name} <{address}>\r\nSent: Tuesday, December 1, 2026 9:00 AM\r\nTo: Ana\r\nSubject: Your turn\r\n"
)
YAHOO = "On Tuesday, December 1, 2026 at 09:00:12 AM GMT, {name} <{address}> wrote:\r\n"
WRAPPED = {
    "en": "On Tue, Dec 1, 2026 at 9:00 AM {name}\r\n<{address}> wrote:",
    "de": "Am Di., 1. Dez. 2026 um 09:00 Uhr schrieb {name}\r\n<{address}>:",
    "fr": "Le mar. 1 déc. 2026 à 09:00, {name}\r\n<{address}> a écrit :",
    "nl": "Op di 1 dec. 2026 om 09:00 schreef {name}\r\n<{address}>:",
    "sv": "Den tis 1 dec. 2026 kl 09:00 skrev {name}\r\n<{address}>:",
    "es": "El mar, 1 dic 2026 a las 9:00, {name}\r\n(<{address}>) escribió:",
    "three lines": "On Tue, Dec 1, 2026 at 9:00 AM\r\n{name}\r\n<{address}> wrote:",
}


def digest(table: PbemTable) -> list[str]:
    return table.last("Ana", "digest").text.splitlines()


@pytest.mark.parametrize("form", [OUTLOOK, YAHOO], ids=["outlook", "yahoo"])
def test_troubles_c1_the_menu_in_an_unmarked_copy_is_not_executed(troyes: PbemTable, form: str) -> None:
    copy = wrote(troyes, form) + "\r\n" + "\r\n".join(digest(troyes)) + "\r\n"
    post(troyes, "Ana", f"Thanks, I shall think about it.\r\n\r\n{copy}")
    not_done(troyes, "Ana", "found no line I could take as an order")
    post(troyes, "Ana", f"palace 1\r\n\r\n{copy}", to=troyes.last("Ana", "digest"))
    assert "a question" not in done(troyes, "Ana", "palace 1").subject


@pytest.mark.parametrize("lang", WRAPPED)
def test_troubles_c2_attributions_wrapped_in_several_languages(troyes: PbemTable, lang: str) -> None:
    lines = [x for x in digest(troyes) if x]
    post(
        troyes, "Ana", f"palace 1\r\n\r\n{wrote(troyes, WRAPPED[lang])}\r\n\r\n" + "\r\n".join(lines) + "\r\n"
    )
    done(troyes, "Ana", "palace 1")


def test_troubles_c2_an_attribution_with_a_mark_of_its_own(troyes: PbemTable) -> None:
    post(troyes, "Ana", f"palace 1\r\n\r\n> {wrote(troyes)}\r\n>\r\n{quoted(digest(troyes))}\r\n")
    done(troyes, "Ana", "palace 1")


def test_troubles_c2_what_wrapping_leaves_of_a_quoted_line_is_quoted_and_asked_about_if_it_is_an_order(
    troyes: PbemTable,
) -> None:
    lines = [
        "> You may still go to the bishopric, or else to the palace, which means",
        "palace 2",
        "> and so on, until the end of this long line that somebody wrapped, see",
        "The Long Winter",
        "> above",
    ]
    post(troyes, "Ana", "palace 1\r\n\r\n" + wrote(troyes) + "\r\n" + "\r\n".join(lines) + "\r\n")
    receipt = done(troyes, "Ana", "palace 1")
    assert "Did you mean these lines as orders, too? “palace 2”." in receipt.flat
    assert "a question" in receipt.subject


@pytest.mark.parametrize("blank", ["", "\r\n"])
def test_troubles_c3_answers_between_the_quoted_lines_are_read(troyes: PbemTable, blank: str) -> None:
    lines = digest(troyes)
    at = next(i for i, line in enumerate(lines) if "city hall row 2 space 3" in line)
    above, below = quoted(lines[:at]), quoted(lines[at:])
    post(troyes, "Ana", f"{wrote(troyes)}\r\n{above}\r\n{blank}palace 1\r\n{blank}{below}\r\n")
    done(troyes, "Ana", "palace 1")


def test_troubles_c4_genuine_lines_below_a_line_that_looks_like_an_attribution_are_asked_about(
    troyes: PbemTable,
) -> None:
    post(troyes, "Ana", f"{wrote(troyes, 'My orders for {name}, 1 Dec 2026, 18:00:')}\r\npalace 1\r\n")
    receipt = not_done(troyes, "Ana", "Did you mean these lines as orders, too? “palace 1”.")
    assert "Question" in receipt.subject


def test_troubles_c4_orders_outside_the_block_and_below_the_mark_are_listed_and_asked_about(
    troyes: PbemTable,
) -> None:
    post(
        troyes, "Ana", "palace 3\r\nBEGIN ORDERS 1\r\npalace 1\r\nEND ORDERS 1\r\n-- \r\nAna\r\npalace 2\r\n"
    )
    receipt = done(troyes, "Ana", "palace 1")
    assert "Ignored: “palace 3” (outside your block of orders)" in receipt.flat
    assert "Ignored: “palace 2” (signature)" in receipt.flat
    assert "Did you mean these lines as orders, too? “palace 3” and “palace 2”" in receipt.flat
    assert "a question" in receipt.subject


def test_troubles_c4_lines_with_colons_and_hyphens_are_not_dropped(troyes: PbemTable) -> None:
    post(troyes, "Ana", "Hello - and here:\r\nMy plan: as before\r\nTurn: 1\r\nGame: ours\r\n- palace 1\r\n")
    done(troyes, "Ana", "palace 1")


@pytest.mark.parametrize("mark", ["-- ", "--", "—"])
def test_troubles_c6_orders_below_a_mark_with_none_above_it_are_read_and_the_receipt_says_so(
    troyes: PbemTable, mark: str
) -> None:
    post(
        troyes, "Ana", f"Hello!\r\n{mark}\r\npalace 1\r\n\r\n{wrote(troyes)}\r\n{quoted(digest(troyes))}\r\n"
    )
    assert "below the mark of a signature" in done(troyes, "Ana", "palace 1").flat


def test_troubles_c6_the_mark_ends_the_orders_once_there_is_one_and_the_receipt_says_so(
    troyes: PbemTable,
) -> None:
    post(troyes, "Ana", "palace 1\r\n-- \r\nAna\r\nFlat 3\r\n3\r\n")
    assert "Ignored: “Flat 3” (signature)" in done(troyes, "Ana", "palace 1").flat


def test_troubles_c6_a_bare_number_in_a_signature_is_never_an_order(troyes: PbemTable) -> None:
    post(troyes, "Ana", "Hello, more tomorrow!\r\n-- \r\nAna\r\n3\r\n")
    not_done(troyes, "Ana")
    assert orders(troyes) == []


def test_troubles_c7_no_closing_word_is_needed_and_none_that_is_glued_on_does_harm(troyes: PbemTable) -> None:
    post(troyes, "Ana", "palace 1\r\n")
    done(troyes, "Ana", "palace 1")
    post(troyes, "Ben", "BEGIN ORDERS 1\r\npalace 2\r\nEND ORDERS 1***signoff\r\npalace 3\r\n")
    done(troyes, "Ben", "palace 2")


@pytest.mark.parametrize("cut", ["city hall row 2\r\nspace 3", "city hall row 2 space\r\n3"])
def test_troubles_c8_an_order_that_was_wrapped_is_joined(troyes: PbemTable, cut: str) -> None:
    post(troyes, "Ana", f"BEGIN ORDERS 1\r\n{cut}\r\nEND ORDERS 1\r\n")
    done(troyes, "Ana", "city hall row 2 space 3")


def test_troubles_c8_a_wrapped_loose_order_is_joined_but_a_greeting_is_not(reader: ReplyReader) -> None:
    long = "BUILD " + "X" * 40
    assert reader.read(f"{long}\nAT LIS\n").orders == [f"{long} AT LIS"]
    assert reader.read("TRADE T1\nKind regards\n").orders == []


@pytest.mark.parametrize(
    ("delsp", "body"),
    [
        ("no", "note one \r\ntwo\r\n palace 1\r\n"),
        ("yes", "note one  \r\ntwo\r\n pal \r\nace 1\r\n"),
        ("yes", "note one  \r\ntwo\r\npalace 1\r\n-- \r\nAna\r\n"),
    ],
)
def test_troubles_c9_flowed_text(troyes: PbemTable, delsp: str, body: str) -> None:
    post(troyes, "Ana", entity(body, f"text/plain; charset=utf-8; format=flowed; delsp={delsp}"))
    done(troyes, "Ana", "palace 1")
    assert notes(troyes) == ["one two"]


@pytest.mark.parametrize("where", ["To", "Cc", "In-Reply-To", "References", "nowhere"])
def test_troubles_c11_one_token_is_enough_wherever_it_stands_and_the_quotation_is_not_needed(
    troyes: PbemTable, where: str
) -> None:
    letter = troyes.last("Ana", "digest").message
    bare: dict[str, str | None] = {"To": "pbem@pbem.example.org", "In_Reply_To": None, "References": None}
    given = {
        "To": {"To": str(letter["reply-to"])},
        "Cc": {"Cc": str(letter["reply-to"])},
        "In-Reply-To": {"In_Reply_To": str(letter["message-id"])},
        "References": {"References": f"<x@example.org> {letter['message-id']}"},
        "nowhere": {},
    }
    post(troyes, "Ana", "palace 1\r\n", None, **{**bare, **given[where]})
    done(troyes, "Ana", "palace 1")


def test_troubles_c11_no_token_stands_where_players_would_show_it(troyes: PbemTable) -> None:
    letter = troyes.last("Ana", "digest")
    token = re.search(r"\+([a-z2-7]{36})@", str(letter.message["reply-to"]))
    assert token is not None
    assert token[1] not in letter.subject + letter.text + letter.html
    assert token[1].encode() in head(troyes, "Ana")


@pytest.mark.parametrize(
    "line",
    [
        "*palace 1*",
        "**palace 1**",
        "_palace 1_",
        "* palace 1",
        "• palace 1",
        "1) palace 1",
        "`palace 1`",
        "palace 1 <mailto:ana@example.org>",
        "palace 1 <https://example.org/palace>",
    ],
)
def test_troubles_c12_decoration_from_html_is_stripped(troyes: PbemTable, line: str) -> None:
    post(troyes, "Ana", f"{line}\r\n")
    done(troyes, "Ana", "palace 1")


def test_troubles_c1_a_menu_without_any_sign_of_quotation_is_not_executed(troyes: PbemTable) -> None:
    post(troyes, "Ana", "palace 6\r\n" + "\r\n".join(digest(troyes)) + "\r\n")
    done(troyes, "Ana", "palace 6")


@pytest.mark.parametrize("lang", ["nl", "sv"])
def test_troubles_c2_an_attribution_whose_first_line_holds_but_the_date(
    reader: ReplyReader, lang: str
) -> None:
    lines = {
        "nl": "Op di 1 dec. 2026 om 09:00 schreef\nHarbour Wars <gm@pbem.example.org>:",
        "sv": "Den tis 1 dec. 2026 kl 09:00 skrev\nHarbour Wars\n<gm@pbem.example.org>:",
    }
    assert reader.read(f"HOLD F2\n\n{lines[lang]}\n\nLAST TURN\nMOVE F3 C2\nHOLD F1\n").orders == ["HOLD F2"]


def test_troubles_c8_a_short_line_that_is_an_order_itself_is_joined_if_the_next_one_goes_on_with_it() -> None:
    def fights(line: str) -> str | None:
        return line if line in ("fight k3 with r2 and", "fight k3 with r2 and w5") else None

    reader = ReplyReader("Play by mail", "pbem.example.org", fights)
    assert reader.read("fight k3 with r2 and\nw5  # so\n").orders == ["fight k3 with r2 and w5"]
    assert reader.read("fight k3 with r2 and\n\nw5\n").orders == ["fight k3 with r2 and"]


def test_troubles_c6_a_command_in_a_signature_is_none_although_the_orders_are_in_a_file(
    troyes: PbemTable,
) -> None:
    file = entity("palace 1\r\n", "text/plain; name=orders.txt")
    body = entity("See the file.\r\n-- \r\nAna Prado\r\npalace 2\r\n")
    post(troyes, "Ana", multipart("mixed", body, file))
    done(troyes, "Ana", "palace 1")


def test_troubles_c8_the_last_word_of_a_wrapped_sentence_is_no_order_but_asked_about(
    troyes: PbemTable,
) -> None:
    post(troyes, "Ana", "palace 1\r\n\r\nI wonder whether some of us would rather like to\r\nstop\r\n")
    assert "Did you mean these lines as orders, too? “stop”" in done(troyes, "Ana", "palace 1").flat
    assert not [p for p in troyes.app.people.everybody() if p.stopped]
