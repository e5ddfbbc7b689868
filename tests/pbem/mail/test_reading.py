"""Answers as people and their programs write them: the orders, the slips, and nothing else."""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.mail.mime import Mail
from pbem.mail.reading import Attempt, Attempted, Ignored, Ordered, Reason, ReplyReader

Order = Callable[[str], str | None]

DIGEST = """Harbour Wars - turn 7 report for Ana Prado
Write your reply ABOVE this line. Orders close Friday 4 December 2026, 18:00 Europe/Lisbon.

WHAT HAPPENED
Your orders for turn 6 were:
  MOVE F1 D4
  BUILD TRADER AT LIS
Fleet F1 reached D4. A storm sank one trader.

HOW TO ORDER
One order per line, between the two marker lines. Example:
  MOVE F2 C3
  TRADE T1 SPICE 2

BEGIN ORDERS 7

END ORDERS 7

You may write between these two lines, or above this whole text.
HOLD ALL is one line. To stop these mails write to gm+stop@pbem.example.org
Harbour Wars runner, a test game"""

US = "Harbour Wars <gm+t7.ana.k3xq@pbem.example.org>"
ATTRIBUTIONS = {
    "en": f"On Fri, 27 Nov 2026 at 18:02, {US} wrote:",
    "de": f"Am Fr., 27. Nov. 2026 um 18:02 Uhr schrieb {US}:",
    "fr": f"Le ven. 27 nov. 2026 à 18:02, {US} a écrit :",
    "pt": f"Em sex., 27 de nov. de 2026 às 18:02, {US} escreveu:",
    "es": f"El vie, 27 nov 2026 a las 18:02, {US} escribió:",
    "nl": f"Op vr 27 nov 2026 om 18:02 schreef {US}:",
    "sv": f"Den fre 27 nov. 2026 kl 18:02 skrev {US}:",
    "it": f"Il giorno ven 27 nov 2026 alle ore 18:02 {US} ha scritto:",
    "pl": f"pt., 27 lis 2026 o 18:02 {US} napisał(a):",
    "cs": f"pá 27. 11. 2026 v 18:02 odesílatel {US} napsal:",
    "ru": f"пт, 27 нояб. 2026 г. в 18:02, {US}:",
    "ja": f"2026年11月27日(金) 18:02 {US}:",
    "zh": f"{US} 于2026年11月27日周五 18:02写道：",
    "fi": f"pe 27. marrask. 2026 klo 18.02 {US} kirjoitti:",
}
HEADERS = {
    "en": ("From", "Sent", "To", "Subject"),
    "de": ("Von", "Gesendet", "An", "Betreff"),
    "fr": ("De\u00a0", "Envoyé\u00a0", "À\u00a0", "Objet\u00a0"),
    "pt": ("De", "Enviado", "Para", "Assunto"),
    "es": ("De", "Enviado el", "Para", "Asunto"),
    "nl": ("Van", "Verzonden", "Aan", "Onderwerp"),
    "sv": ("Från", "Skickat", "Till", "Ämne"),
    "it": ("Da", "Inviato", "A", "Oggetto"),
    "pl": ("Od", "Wysłano", "Do", "Temat"),
    "cs": ("Od", "Odesláno", "Komu", "Předmět"),
    "ru": ("От", "Отправлено", "Кому", "Тема"),
    "ja": ("差出人", "送信日時", "宛先", "件名"),
    "zh": ("发件人", "发送时间", "收件人", "主题"),
    "fi": ("Lähettäjä", "Lähetetty", "Vastaanottaja", "Aihe"),
}
ORDERS = ["MOVE F1 E5", "MOVE F2 C3", "TRADE T1 SPICE 2"]  # two of them stand in the digest as well
TYPED = "\n".join(ORDERS)


def quoted(text: str = DIGEST) -> str:
    return "\n".join(f"> {line}".rstrip() for line in text.split("\n"))


def block(lang: str, writer: str = US) -> str:
    values = (
        writer,
        "Friday, 27 November 2026 18:02",
        "Ana Prado <ana@example.org>",
        "[Harbour Wars] Turn 7",
    )
    return "\n".join(f"{label}: {value}" for label, value in zip(HEADERS[lang], values, strict=True))


def wrapped(attribution: str) -> str:
    head, _, tail = attribution.partition("<")
    return f"{head.rstrip()}\n<{tail}"


LAYOUTS: dict[str, Callable[[str], str]] = {
    "top": lambda lang: f"Hi!\n{TYPED}\n\nAna\n\n{ATTRIBUTIONS[lang]}\n\n{quoted()}",
    "top, wrapped": lambda lang: f"{TYPED}\n\n{wrapped(ATTRIBUTIONS[lang])}\n\n{quoted()}",
    "bottom": lambda lang: f"{ATTRIBUTIONS[lang]}\n{quoted()}\n\n{TYPED}\n\n-- \nHOLD ALL",
    "inline": lambda lang: (
        ATTRIBUTIONS[lang] + "\n" + quoted().replace("> BEGIN ORDERS 7\n>", "> BEGIN ORDERS 7\n\n" + TYPED)
    ),
    "filled form": lambda lang: ATTRIBUTIONS[lang] + "\n" + quoted(filled(TYPED)),
    "header block": lambda lang: f"{TYPED}\n\nAna\n\n{block(lang)}\n\n{DIGEST}",
    "header block, filled form": lambda lang: f"see below\n\n{block(lang)}\n\n{filled(TYPED)}",
    "unquoted attribution": lambda lang: f"{TYPED}\n\n{ATTRIBUTIONS[lang]}\n\n{DIGEST}",
    "attribution inside the quotation": lambda lang: f"{TYPED}\n\n> {ATTRIBUTIONS[lang]}\n>\n{quoted()}",
    "own block": lambda lang: (
        f"HOLD ALL\n\nBEGIN ORDERS 7\n{TYPED}\nEND ORDERS 7\n\n{ATTRIBUTIONS[lang]}\n{quoted()}"
    ),
    "an older answer below": lambda lang: (
        f"BEGIN ORDERS 7\n{TYPED}\nEND ORDERS 7\n\n{block(lang, 'Ana Prado <ana@example.org>')}\n\n"
        f"BEGIN ORDERS 7\nHOLD F9\nEND ORDERS 7\n\n{block(lang)}\n\n{DIGEST}"
    ),
    "an older answer quoted": lambda lang: (
        f"{TYPED}\n\n{ATTRIBUTIONS[lang]}\n> HOLD F9\n>\n> {ATTRIBUTIONS[lang]}\n{quoted(quoted())}"
    ),
}


def filled(orders: str) -> str:
    return DIGEST.replace("BEGIN ORDERS 7\n", f"BEGIN ORDERS 7\n{orders}")


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("lang", ATTRIBUTIONS)
def test_layouts_in_languages_that_the_reader_does_not_know(
    layout: str, lang: str, reader: ReplyReader
) -> None:
    text = LAYOUTS[layout](lang)
    assert reader.read(text).orders == ORDERS
    assert reader.read(text, DIGEST.split("\n")).orders == ORDERS
    assert not reader.read(text).faults


def test_an_untouched_copy_holds_no_order(reader: ReplyReader) -> None:
    for lang in ATTRIBUTIONS:
        for copy in (
            f"{ATTRIBUTIONS[lang]}\n{quoted()}",
            f"{block(lang)}\n\n{DIGEST}",
            f"{ATTRIBUTIONS[lang]}\n\n{DIGEST}",
        ):
            reply = reader.read(f"Thanks!\n\n{copy}")
            assert reply.empty
            assert not reply.has_block


def test_a_copy_without_any_attribution_is_known_by_its_lines(reader: ReplyReader) -> None:
    assert reader.read(f"HOLD F1\n\n{DIGEST}", DIGEST.split("\n")).orders == ["HOLD F1"]


def test_a_slip_between_markers_is_a_fault_in_its_place(reader: ReplyReader) -> None:
    reply = reader.read("BEGIN ORDERS 7\nMOVE F1 E5\nMOEV F2 E6\nwhatever that is\nHOLD F2\nEND ORDERS 7")
    assert reply.lines == (
        Ordered("MOVE F1 E5", "MOVE F1 E5", True, 2, 7),
        Attempted("MOEV F2 E6", ("unknown", "moev"), True, 3, 7),
        Attempted("whatever that is", None, True, 4, 7),
        Ordered("HOLD F2", "HOLD F2", True, 5, 7),
    )
    assert reply.attempts == reply.faults
    assert reply.has_block
    assert not reply.unclosed


def test_a_slip_in_the_form_of_the_copy_is_a_fault(reader: ReplyReader) -> None:
    for text in (quoted(filled("MOVE F1 E5\nHLOD F2")), filled("MOVE F1 E5\nHLOD F2")):
        reply = reader.read(f"{ATTRIBUTIONS['en']}\n{text}")
        assert reply.orders == ["MOVE F1 E5"]
        assert [(a.line, a.inside) for a in reply.faults] == [("HLOD F2", True)]


def test_a_loose_slip_is_a_fault_where_there_is_no_block(reader: ReplyReader) -> None:
    reply = reader.read("MOVE F1 E5\nHodl F2\nI hope this works")
    assert reply.lines == (
        Ordered("MOVE F1 E5", "MOVE F1 E5", False, 1),
        Attempted("Hodl F2", ("unknown", "hodl"), False, 2),
    )
    assert reply.ignored == [Ignored("I hope this works", Reason.CHAT, 1, 3)]


def test_a_slip_beside_a_block_is_only_reported(reader: ReplyReader) -> None:
    reply = reader.read("Hodl F2\nHOLD ALL\n\nBEGIN ORDERS 7\nMOVE F1 E5\nEND ORDERS 7")
    assert reply.orders == ["MOVE F1 E5"]
    assert not reply.faults
    assert [a.line for a in reply.attempts] == ["Hodl F2"]
    assert Ignored("HOLD ALL", Reason.BESIDE, 1, 2) in reply.ignored


def test_blocks_are_read_one_after_the_other(reader: ReplyReader) -> None:
    block = "BEGIN ORDERS 7\n{}\nEND ORDERS 7\n"
    assert reader.read(block.format("HOLD F2") + "Oh, and\n" + block.format("HOLD F1")).orders == [
        "HOLD F2",
        "HOLD F1",
    ]
    assert reader.read(block.format("") + "HOLD F1").orders == ["HOLD F1"]


def test_a_block_without_an_end(reader: ReplyReader) -> None:
    reply = reader.read(
        f"BEGIN ORDERS 7\nMOVE F1 E5\nHLOD F2\nGreetings, Ana\n\n{ATTRIBUTIONS['en']}\n{quoted()}"
    )
    assert reply.unclosed
    assert reply.orders == ["MOVE F1 E5"]
    assert [a.line for a in reply.faults] == ["HLOD F2"]
    cut = filled("MOVE F1 E5").replace("END ORDERS 7\n", "")
    for text in (f"{ATTRIBUTIONS['en']}\n{quoted(cut)}", f"{block('en')}\n\n{cut}"):
        reply = reader.read(text)
        assert reply.orders == ["MOVE F1 E5"]
        assert not reply.faults


@pytest.mark.parametrize(
    "opening",
    [
        "My orders for Harbour Wars, turn 7:",
        "Game: Harbour Wars\nTurn: 7\nPlayer: Ana",
        "-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256",
        "Hello, 2 things:",
        "to gm@pbem:",
    ],
)
def test_an_opening_that_only_resembles_an_attribution(opening: str, reader: ReplyReader) -> None:
    assert reader.read(f"{opening}\n\n{TYPED}").orders == ORDERS


@pytest.mark.parametrize(
    "mark",
    [
        "*** BEGIN ORDERS 7 ***",
        "--- BEGIN ORDERS 7 ---",
        "begin orders 7",
        "> BEGIN ORDERS 7",
        "BEGIN ORDERS",
        "*BEGIN ORDERS 7*",
    ],
)
def test_markers_as_programs_leave_them(mark: str, reader: ReplyReader) -> None:
    text = f"{mark}\nMOVE F1 E5\n{mark.replace('BEGIN', 'END').replace('begin', 'end')}"
    prefix = f"{ATTRIBUTIONS['en']}\n" if mark.startswith(">") else ""
    reply = reader.read(prefix + text)
    assert reply.orders == ["MOVE F1 E5"]
    assert reply.has_block


@pytest.mark.parametrize(
    "line",
    [
        "move f1 e5",
        "  Move\tF1   E5.  ",
        "- MOVE F1 E5",
        "1. MOVE F1 E5",
        "(2) MOVE F1 E5",
        "• MOVE F1 E5",
        "*MOVE F1 E5*",
        "__MOVE F1 E5__",
        "MOVE F1 E5 # at last",
        "MOVE F1 E5…",
        "ＭＯＶＥ F1 E5",
        "MO\u00adVE\u00a0F1\u200b E5\u202c",
        "MOVE F1 E5!!",
        '"MOVE F1 E5"',
        "\ufeffMOVE F1 E5",
    ],
)
def test_spellings_of_one_order(line: str, reader: ReplyReader) -> None:
    assert reader.read(line).orders == ["MOVE F1 E5"]
    assert reader.read(f"BEGIN ORDERS 7\n{line}\nEND ORDERS 7").orders == ["MOVE F1 E5"]


@pytest.mark.parametrize(
    ("line", "orders", "slips"),
    [
        ("MOVE F1 E5; HOLD F2", ["MOVE F1 E5", "HOLD F2"], []),
        ("MOVE F1 E5;;HOLD F2;", ["MOVE F1 E5", "HOLD F2"], []),
        ("SAY ANA yes; but HOLD F2", ["SAY ANA yes; but HOLD F2"], []),
        ("MOVE F1 E5; SAY ANA a; b", ["MOVE F1 E5", "SAY ANA a; b"], []),
        ("MOEV F1 E5; HOLD F2", ["HOLD F2"], ["MOEV F1 E5"]),
        ("MOEV F1 E5; HLOD F2", [], ["MOEV F1 E5", "HLOD F2"]),
        ("well; HOLD F2", [], []),
    ],
)
def test_several_orders_on_a_line(
    line: str, orders: list[str], slips: list[str], reader: ReplyReader
) -> None:
    reply = reader.read(line)
    assert reply.orders == orders
    assert [a.line for a in reply.attempts] == slips


def test_free_text_stays_as_it_was_written(reader: ReplyReader) -> None:
    assert reader.read("say ana Meet me at C3: #1, OK?").orders == ["SAY ANA Meet me at C3: #1, OK?"]


def test_an_order_that_was_wrapped_is_joined(reader: ReplyReader) -> None:
    long = "TRADE\nT1\nSPICE 2"
    assert reader.read(f"BEGIN ORDERS 7\n{long}\nHOLD F1\nEND ORDERS 7").orders == [
        "TRADE T1 SPICE 2",
        "HOLD F1",
    ]
    assert reader.read("BUILD " + "X" * 40 + "\nAT LIS").orders == ["BUILD " + "X" * 40 + " AT LIS"]


def test_a_short_loose_line_is_not_joined_with_a_greeting(reader: ReplyReader) -> None:
    reply = reader.read("say ana\nKind regards")
    assert reply.orders == []
    assert [a.line for a in reply.faults] == ["say ana"]


def test_a_verb_at_the_start_of_a_wrapped_sentence_is_no_slip(reader: ReplyReader) -> None:
    reply = reader.read("If you are not that person, please delete it at once and\nhold nobody liable.")
    assert reply.empty
    assert len(reply.ignored) == 2


def test_a_text_of_several_lines_is_one_order(toy_order: Order) -> None:
    def opens(line: str) -> str | None:
        return "end press" if line.lower().startswith("say ") else None

    reader = ReplyReader("Harbour Wars", "pbem.example.org", toy_order, opens)
    text = "HOLD F1\nsay ana Dear Ana,\nHOLD ALL is my plan.\n\nDan\nEnd Press\nHOLD F2"
    assert reader.read(text).orders == [
        "HOLD F1",
        "SAY ANA Dear Ana,\nHOLD ALL is my plan.\n\nDan",
        "HOLD F2",
    ]
    assert reader.read("say ana hello\nHOLD F2").orders == ["SAY ANA hello", "HOLD F2"]


def test_the_words_of_a_text_without_addressee_are_no_orders() -> None:
    def press(line: str) -> str | None:
        if line.startswith("to "):
            raise Attempt("nobody of that name", line)
        return line if line == "HOLD ALL" else None

    reader = ReplyReader("Harbour Wars", "pbem.example.org", press, lambda _: "end press")
    reply = reader.read("to nobody: I wait;\nnow; HOLD ALL\nHOLD ALL\nend press")
    assert (reply.orders, [a.why for a in reply.faults]) == ([], ["nobody of that name"])


def test_what_was_ignored_is_told(reader: ReplyReader) -> None:
    reply = reader.read(f"# mine\nHOLD F1\n\nBye\n-- \nDan\nHOLD ALL\n\n{ATTRIBUTIONS['en']}\n{quoted()}")
    assert [(i.line, i.reason) for i in reply.ignored[:5]] == [
        ("# mine", Reason.COMMENT),
        ("Bye", Reason.CHAT),
        ("--", Reason.SIGNATURE),
        ("Dan", Reason.SIGNATURE),
        ("HOLD ALL", Reason.SIGNATURE),
    ]
    assert [(i.reason, i.n) for i in reply.ignored[5:]] == [(Reason.QUOTATION, 15)]


def test_a_forwarded_block_is_not_the_players(reader: ReplyReader) -> None:
    rule = "---------- Forwarded message ---------"
    reply = reader.read(
        f"HOLD F1\n\n{rule}\n{block('en', 'Ana <ana@example.org>')}\n\nBEGIN ORDERS 7\nHOLD ALL\nEND ORDERS 7"
    )
    assert reply.orders == ["HOLD F1"]
    assert Reason.FORWARDED in {i.reason for i in reply.ignored}


def test_a_line_with_a_mark_in_an_unquoted_copy_does_not_make_it_the_players(reader: ReplyReader) -> None:
    copy = DIGEST.replace("WHAT HAPPENED", "> travel plains\nWHAT HAPPENED")
    assert reader.read(f"HOLD F1\n\n{block('en')}\n\n{copy}").orders == ["HOLD F1"]


def test_press_that_looks_like_headers_is_read() -> None:
    def press(line: str) -> str | None:
        return line if line.lower().startswith("to ") else None

    lines = ["to ana: hello", "to ben: hello", "to all: hello"]
    assert ReplyReader("Harbour Wars", "pbem.example.org", press).read("\n".join(lines)).orders == lines


def both(plain: str, html: str) -> Mail:
    parts = (("plain", plain), ("html", html))
    inner = "".join(f"--B\r\nContent-Type: text/{kind}\r\n\r\n{text}\r\n" for kind, text in parts)
    return Mail(f"Content-Type: multipart/alternative; boundary=B\r\n\r\n{inner}--B--\r\n".encode())


def test_the_html_is_read_where_the_plain_text_holds_nothing(reader: ReplyReader) -> None:
    reply = reader.read(both("Please use an HTML reader.", "<p>HOLD F1</p>"))
    assert (reply.orders, reply.part) == (["HOLD F1"], "html")
    slip = reader.read(both("Hodl the HTML, please.", "<p>HOLD F1</p>"))
    assert (slip.orders, slip.faults) == (["HOLD F1"], [])


def test_parts_that_disagree_are_told(reader: ReplyReader) -> None:
    assert reader.read(both("HOLD F1", "<p>HOLD F2</p>")).disagree
    assert not reader.read(both("HOLD F1", "<p>hold  <b>f1</b></p>")).disagree
    assert not reader.read(both("HOLD F1", "<p></p>")).disagree


def test_free_text_that_was_cut_by_wrapping_is_taken_from_the_html(reader: ReplyReader) -> None:
    reply = reader.read(
        both("HOLD F1\r\nSAY ANA one two\r\nthree", "<p>HOLD F1<br>SAY ANA one two three</p>")
    )
    assert (reply.orders, reply.disagree) == (["HOLD F1", "SAY ANA one two three"], False)


def test_other_faults_of_the_order_function_are_not_hidden() -> None:
    def broken(line: str) -> str | None:
        raise KeyError(line)

    with pytest.raises(KeyError):
        ReplyReader("x", "example.org", broken).read("a")


def test_an_attempt_keeps_what_it_was_given() -> None:
    why = object()
    attempt = Attempt(why, "line")
    assert attempt.why is why
    assert attempt.line == "line"


WORDS = st.sampled_from(
    [
        "hold",
        "on",
        "move",
        "the",
        "F1",
        "E5",
        "all",
        "please",
        "build",
        "AT",
        "LIS",
        "trade",
        "I",
        "we",
        ";",
        "-",
        "#",
        ",",
    ]
)
CHAT = st.lists(WORDS, min_size=1, max_size=8).map(" ".join)
ANY_LINE = st.sampled_from(
    [
        *DIGEST.split("\n"),
        *quoted().split("\n"),
        *ATTRIBUTIONS.values(),
        *block("de").split("\n"),
        "-- ",
        "",
        "END ORDERS 7",
    ]
)


@settings(max_examples=200)
@given(st.lists(CHAT, max_size=6))
def test_an_order_is_always_a_line_that_is_one(lines: list[str]) -> None:
    allowed = {"HOLD F1", "HOLD ALL"}
    reader = ReplyReader(
        "Harbour Wars", "pbem.example.org", lambda x: x.upper() if x.upper() in allowed else None
    )
    pieces = {p.strip(" -#,.").upper() for line in lines for p in line.partition("#")[0].split(";")}
    text = "\n".join(lines)
    assert set(reader.read(text).orders) <= allowed & pieces | ({*allowed} if "#" in text else set())


@settings(max_examples=200)
@given(st.lists(ANY_LINE | CHAT | st.text(max_size=30), max_size=40))
def test_no_text_raises_and_every_line_is_accounted_for(lines: list[str]) -> None:
    reader = ReplyReader("Harbour Wars", "pbem.example.org", lambda x: x if x.startswith("hold F1") else None)
    for sent in ((), DIGEST.split("\n")):
        reply = reader.read("\n".join(lines), sent)
        numbers = [entry.number for entry in reply.lines]
        assert numbers == sorted(numbers)
        assert all(i.n >= 1 and i.number >= 1 for i in reply.ignored)


@pytest.mark.parametrize(
    "text",
    [
        "MOVE F1 E5\n" * 100_000,
        "x " * 500_000,
        "MOEV F1 E5;" * 90_000,
        f"{ATTRIBUTIONS['en']}\n" * 20_000,
        "BEGIN ORDERS 7\n" + "MOEV\n" * 100_000,
        f"{block('en')}\n" * 20_000,
        "\n".join(itertools.repeat(quoted(), 500)),
        "-" * 500_000 + "a" + "-" * 500_000,
    ],
    ids=range(8),
)
def test_large_texts_take_little_time(text: str, reader: ReplyReader) -> None:
    start = time.process_time()
    reply = reader.read(text, DIGEST.split("\n"))
    assert time.process_time() - start < 3
    assert len(reply.lines) <= 5_000
