"""Machines are told from people, and a report says which letter came back."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from pbem.mail.bounces import read_bounce
from pbem.mail.classify import Kind, classify
from pbem.mail.compose import Letter, compose
from pbem.mail.mime import Mail
from pbem.mail.tokens import Purpose, Tokens
from pbem.mail.us import Us

TOKENS = Tokens([b"a key"])
BOUNCE = TOKENS.make(7, 12, 4, Purpose.BOUNCE)
STOP = TOKENS.make(7, 12, 4, Purpose.STOP)
ORDERS = TOKENS.make(7, 12, 4, Purpose.ORDERS)


def mail(*headers: str, sender: str = "Dan <dan@example.com>", body: str = "MOVE F1 E5") -> bytes:
    return "\r\n".join([*headers, f"From: {sender}", "To: gm@pbem.example.org", "", body]).encode()


@pytest.mark.parametrize(
    ("headers", "kind"),
    [
        ([], Kind.ORDERS),
        (["Auto-Submitted: no"], Kind.ORDERS),
        (["Auto-Submitted: auto-replied (vacation)"], Kind.AUTO_REPLY),
        (["Auto-Submitted: auto-notified; owner-email=x"], Kind.AUTO_REPLY),
        (["Return-Path: <>"], Kind.AUTO_REPLY),
        (["Return-Path: <dan@example.com>"], Kind.ORDERS),
        (["X-Autoreply: yes"], Kind.AUTO_REPLY),
        (["Precedence: auto_reply"], Kind.AUTO_REPLY),
        (["Precedence: bulk"], Kind.LIST),
        (["Precedence: junk"], Kind.LIST),
        (["List-Id: <x.example.com>"], Kind.LIST),
        (["List-Post: <mailto:x@example.com>"], Kind.LIST),
        (["X-Harbour-Wars-Loop: pbem.example.org"], Kind.LOOP),
        ([f"Message-ID: <o.{ORDERS}.1@pbem.example.org>"], Kind.LOOP),
        (["Message-ID: <CAB123@pbem.example.org>"], Kind.ORDERS),
        ([f"In-Reply-To: <o.{ORDERS}.1@pbem.example.org>"], Kind.ORDERS),
        (["Delivered-To: gm+stop.ana.x@pbem.example.org"], Kind.UNSUBSCRIBE),
        (["Delivered-To: GM+STOP@PBEM.example.org"], Kind.UNSUBSCRIBE),
        ([f"Delivered-To: gm+{STOP}@pbem.example.org"], Kind.UNSUBSCRIBE),
        ([f"Delivered-To: gm+{ORDERS}@pbem.example.org"], Kind.ORDERS),
        (["Delivered-To: gm+stopover@pbem.example.org"], Kind.ORDERS),
    ],
)
def test_headers_that_machines_write(headers: list[str], kind: Kind, us: Us) -> None:
    assert classify(mail(*headers), us) is kind


@pytest.mark.parametrize(
    ("sender", "kind"),
    [
        ("MAILER-DAEMON@mx.example.com", Kind.BOUNCE),
        ("Mail System <postmaster@example.com>", Kind.BOUNCE),
        ("no-reply@example.com", Kind.AUTO_REPLY),
        ("DoNotReply <do_not_reply@example.com>", Kind.AUTO_REPLY),
        ("Noreen <noreen@example.com>", Kind.ORDERS),
        ("Harbour Wars <GM+x@pbem.example.org>", Kind.LOOP),
        ("", Kind.ORDERS),
    ],
)
def test_senders_that_nobody_answers(sender: str, kind: Kind, us: Us) -> None:
    assert classify(mail(sender=sender), us) is kind


@pytest.mark.parametrize(
    "subject",
    [
        "Automatic reply: [Harbour Wars] Turn 7",
        "Out of Office: [Harbour Wars] Turn 7",
        "Out of office",
        "Auto-Reply: x",
        "Automatische Antwort: [Harbour Wars] Zug 7",
        "Abwesenheitsnotiz",
        "Réponse automatique : [Harbour Wars]",
        "=?utf-8?q?R=C3=A9ponse_automatique?=",
        "Resposta automática: [Harbour Wars]",
        "Respuesta automática: [Harbour Wars]",
        "Fuera de la oficina",
        "Risposta automatica: x",
        "Automatisch antwoord: x",
        "Autosvar: x",
        "Automatyczna odpowiedź: x",
    ],
)
def test_absence_notes_that_only_the_subject_betrays(subject: str, us: Us) -> None:
    assert classify(mail(f"Subject: {subject}"), us) is Kind.AUTO_REPLY


@pytest.mark.parametrize(
    "subject",
    ["Re: Automatic reply: x", "automatic orders", "Auto", "Automata of Troyes", "AW: Zug 7", "Office hours"],
)
def test_subjects_of_people(subject: str, us: Us) -> None:
    assert classify(mail(f"Subject: {subject}"), us) is Kind.ORDERS


def test_a_word_from_an_unsubscribe_button(us: Us) -> None:
    assert classify(mail("Subject: unsubscribe", body="unsubscribe\r\n"), us) is Kind.UNSUBSCRIBE
    assert classify(mail("Subject: unsubscribe", body="MOVE F1 E5"), us) is Kind.ORDERS


def test_our_own_letters_are_a_loop(us: Us) -> None:
    letter = Letter(
        "x@y",
        datetime.now(UTC),
        us.name,
        us.address,
        "",
        "a@b.example",
        "s",
        "t",
        loop_header=(us.loop_header, "1"),
    )
    assert classify(compose(letter), us) is Kind.LOOP


def report(kind: str, fields: str, returned: str = "", to: str = f"gm+{BOUNCE}@pbem.example.org") -> bytes:
    return (
        f"Return-Path: <>\r\nFrom: Mail <mailer-daemon@mx.example.com>\r\nTo: {to}\r\n"
        f"Content-Type: multipart/report; report-type={kind}; boundary=B\r\n\r\n"
        f"--B\r\n\r\nSorry.\r\n--B\r\nContent-Type: message/{kind}\r\n\r\n{fields}\r\n"
        f"--B\r\nContent-Type: text/rfc822-headers\r\n\r\n{returned}\r\n--B--\r\n"
    ).encode()


FAILED = (
    "Reporting-MTA: dns; mx\r\nOriginal-Envelope-Id: o4711\r\n\r\n"
    "Final-Recipient: rfc822; dan@example.com\r\n{}\r\n"
)


def test_a_letter_that_came_back_for_good(us: Us) -> None:
    raw = report(
        "delivery-status",
        FAILED.format("Action: failed\r\nStatus: 5.1.1\r\nDiagnostic-Code: smtp; 550 nobody"),
        f"Subject: x\r\nMessage-ID:\r\n <o.{ORDERS}.1@pbem.example.org>\r\n",
    )
    bounce = read_bounce(Mail(raw), TOKENS)
    assert classify(raw, us) is Kind.BOUNCE
    assert bounce.outbox_id == 4711
    assert bounce.token == TOKENS.read(BOUNCE)
    assert bounce.message_id == f"<o.{ORDERS}.1@pbem.example.org>"
    assert bounce.recipients == ("dan@example.com",)
    assert bounce.permanent
    assert (bounce.status, bounce.diagnostic) == ("5.1.1", "smtp; 550 nobody")


def test_a_delay_is_not_for_good(us: Us) -> None:
    raw = report("delivery-status", FAILED.format("Action: delayed\r\nStatus: 4.4.1"))
    assert classify(raw, us) is Kind.BOUNCE
    assert not read_bounce(Mail(raw), TOKENS).permanent


def test_a_report_of_success_is_no_bounce(us: Us) -> None:
    raw = report("delivery-status", FAILED.format("Action: delivered\r\nStatus: 2.0.0"))
    assert classify(raw, us) is Kind.AUTO_REPLY


def test_a_complaint_names_the_letter_by_its_envelope(us: Us) -> None:
    fields = (
        f"Feedback-Type: abuse\r\nOriginal-Mail-From: <gm+{BOUNCE}@pbem.example.org>\r\n"
        "Original-Rcpt-To: <dan@example.com>\r\n"
    )
    raw = report("feedback-report", fields, to="abuse@pbem.example.org")
    bounce = read_bounce(Mail(raw), TOKENS)
    assert classify(raw, us) is Kind.COMPLAINT
    assert bounce.token == TOKENS.read(BOUNCE)
    assert bounce.recipients == ("dan@example.com",)
    assert not bounce.permanent


def test_a_token_for_something_else_names_no_letter() -> None:
    raw = report("delivery-status", FAILED.format("Action: failed"), to=f"gm+{ORDERS}@pbem.example.org")
    assert read_bounce(Mail(raw), TOKENS).token is None


def test_a_bounce_of_an_old_kind(us: Us) -> None:
    body = (
        "Hi. This is the qmail-send program at example.com.\r\n"
        "I'm afraid I wasn't able to deliver your message to the following addresses.\r\n"
        "This is a permanent error; I've given up. Sorry it didn't work out.\r\n\r\n"
        "<dan@example.com>:\r\nSorry, no mailbox here by that name.\r\n\r\n"
        "--- Below this line is a copy of the message.\r\n"
    )
    raw = mail("Return-Path: <>", "Subject: failure notice", sender="x@example.com", body=body)
    assert classify(raw, us) is Kind.BOUNCE
    bounce = read_bounce(Mail(raw), TOKENS)
    assert bounce.recipients == ("dan@example.com",)
    assert bounce.permanent
    assert (bounce.outbox_id, bounce.token, bounce.message_id) == (None, None, None)
