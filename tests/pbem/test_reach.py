"""Letters that come back, people who are away or want no more, and machines that answer machines."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem.config import Mail
from pbem.mail.bounces import read_bounce
from pbem.mail.mime import Mail as Opened
from pbem.store.inbox import State

from .table import Letter, PbemTable
from .test_clocks import live


@pytest.fixture
def begun(table: PbemTable) -> PbemTable:
    table.begun("Ana", "Ben", moderators=["Dora"])
    return table


def newest(table: PbemTable, who: str) -> tuple[int, str, Letter]:
    """Number, envelope sender and text of somebody's newest letter."""
    row = table.app.store.one(
        "select id, sender, raw from outbox where recipient = ? order by id desc limit 1",
        f"{who.lower()}@example.org",
    )
    assert row is not None
    return row["id"], row["sender"], Letter(bytes(row["raw"]))


def report(
    table: PbemTable,
    who: str,
    *,
    action: str = "failed",
    status: str = "5.1.1",
    to: str | None = None,
    envelope: str | None = None,
    quoted: bool = True,
) -> bytes:
    """A delivery report about somebody's newest letter (RFC 3464)."""
    number, sender, letter = newest(table, who)
    envid = f"o{number}" if envelope is None else envelope
    returned = f"Message-ID: {letter.message['message-id']}\n" if quoted else "Subject: something\n"
    return f"""Return-Path: <>
From: MAILER-DAEMON@mx.example.org
To: {to or sender}
Subject: Undelivered Mail Returned to Sender
Message-ID: <{table.clock.at.timestamp()}.{who}@mx.example.org>
Auto-Submitted: auto-replied
MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status; boundary=B

--B
Content-Type: text/plain

I could not deliver it.
--B
Content-Type: message/delivery-status

Reporting-MTA: dns; mx.example.org
{f"Original-Envelope-Id: {envid}" if envid else "X-None: x"}

Final-Recipient: rfc822; {who.lower()}@example.org
Action: {action}
Status: {status}
Diagnostic-Code: smtp; 550 no such user

--B
Content-Type: text/rfc822-headers

{returned}
--B--
""".replace("\n", "\r\n").encode()


def unreachable(table: PbemTable, who: str) -> bool:
    return table.app.people.at(f"{who.lower()}@example.org")[0].unreachable


# bounces


@pytest.mark.parametrize(
    "known_by",
    [
        {},
        {"envelope": "", "quoted": False},
        {"envelope": "", "to": "pbem@pbem.example.org"},
        {"to": "pbem@pbem.example.org"},
    ],
    ids=["all of it", "the address alone", "the Message-ID alone", "envelope and Message-ID"],
)
def test_a_report_is_matched_by_any_sign_that_only_our_letter_held(
    begun: PbemTable, known_by: dict[str, str]
) -> None:
    who = begun.asked()[0]
    filed = begun.mail(report(begun, who, **known_by))  # type: ignore[arg-type]
    assert (filed.kind, filed.reason) == ("bounce", "permanent")
    person = begun.app.people.at(f"{who.lower()}@example.org")[0]
    assert filed.person == person.id
    row = begun.app.store.one("select kind, status from failure where person = ?", person.id)
    assert row is not None
    assert tuple(row) == ("bounce", "5.1.1")
    assert f"A letter to {who} came back" in begun.last("Dora").flat


def test_a_number_that_anybody_can_guess_proves_nothing(begun: PbemTable) -> None:
    who = begun.asked()[0]
    filed = begun.mail(report(begun, who, to="pbem@pbem.example.org", quoted=False))
    assert filed.reason == "about no letter of ours"
    assert begun.app.store.all("select 1 from failure") == []


def test_three_days_of_failures_pause_the_letters_and_tell_the_moderator(begun: PbemTable) -> None:
    who = begun.asked()[0]
    for day in range(3):
        assert not unreachable(begun, who), f"after {day} days"
        begun.mail(report(begun, who))
        begun.mail(report(begun, who, status="5.2.2"))  # the same day counts once
        begun.clock.on(days=1)
    assert unreachable(begun, who)
    told = [x for x in begun.letters("Dora") if "cannot be reached" in x.subject]
    assert len(told) == 1
    assert f"extend {who} by 3 days" in told[0].flat
    count = len(begun.letters(who))
    begun.writes("Dora", "announce: hello")
    begun.writes("Dora", f"remind {who}")
    assert len(begun.letters(who)) == count


def test_a_delay_is_no_failure(begun: PbemTable) -> None:
    who = begun.asked()[0]
    for _ in range(4):
        filed = begun.mail(report(begun, who, action="delayed", status="4.4.1"))
        assert filed.reason == "passing"
        begun.clock.on(days=1)
    assert not unreachable(begun, who)
    assert begun.app.store.all("select 1 from failure") == []


def test_a_sign_of_life_between_them_begins_anew_and_after_them_lifts_the_pause(begun: PbemTable) -> None:
    who = begun.asked()[0]
    for day in range(5):
        begun.mail(report(begun, who))
        begun.clock.on(days=1)
        if day == 1:
            begun.writes(who, "status")
    assert unreachable(begun, who)
    count = len(begun.letters(who, "digest"))
    begun.writes(who, "status", to=begun.letters(who, "digest")[-1])
    assert not unreachable(begun, who)
    assert len(begun.letters(who, "digest")) == count + 1


def test_a_complaint_pauses_at_once(begun: PbemTable) -> None:
    who = begun.asked()[0]
    raw = (
        report(begun, who)
        .replace(b"delivery-status", b"feedback-report")
        .replace(b"Reporting-MTA: dns; mx.example.org", b"Feedback-Type: abuse")
    )
    assert begun.mail(raw).kind == "complaint"
    assert unreachable(begun, who)
    assert "reported our mail as unwanted" in begun.last("Dora").flat


def test_what_the_post_refuses_for_good_counts_too(begun: PbemTable) -> None:
    who = begun.asked()[0]
    number, _, _ = newest(begun, who)
    for _ in range(3):
        with begun.app.store.tx():
            begun.app.reach.refused(number, "550 5.1.1 no such user", begun.clock.at)
        begun.clock.on(days=1)
    assert unreachable(begun, who)


def test_a_letter_to_an_address_that_is_not_confirmed_counts_for_nobody(begun: PbemTable) -> None:
    who = begun.asked()[0]
    begun.writes(who, "address wrong@nowhere.example")
    row = begun.app.store.one("select id from outbox where recipient = 'wrong@nowhere.example'")
    assert row is not None
    with begun.app.store.tx():
        begun.app.reach.refused(row["id"], "550 no such user", begun.clock.at)
    assert begun.app.store.all("select 1 from failure") == []


def test_nobody_is_answered_for_while_letters_to_them_come_back(tmp_path: Path) -> None:
    table = PbemTable(tmp_path, turn_hours=10, setup_hours=10, grace_hours=2, default="robot")
    table.begun("Ana", "Ben", moderators=["Dora"])
    table.app.watch.polled(table.clock.at)
    who = table.asked()[0]
    person = table.app.people.at(f"{who.lower()}@example.org")[0]
    with table.app.store.tx():
        table.app.people.reachable(person.id, False, table.clock.at)
    live(table, 14)
    assert table.asked() == [who]
    assert "is late: what now?" in table.last("Dora").subject
    table.close()


def test_every_letter_can_be_traced_and_unsubscribed(begun: PbemTable) -> None:
    who = begun.asked()[0]
    number, sender, letter = newest(begun, who)
    assert str(letter.message["list-unsubscribe"]).strip().startswith("<mailto:pbem+stop.")
    bounce = read_bounce(Opened(report(begun, who, envelope="", quoted=False)), begun.app.writer.tokens)
    assert bounce.token is not None
    assert "+" in sender
    assert number > 0


# away


ABSENT = {"Auto-Submitted": "auto-replied", "Subject": "Out of office: Re: your turn"}


def test_an_absence_note_becomes_one_proposal_and_no_answer(begun: PbemTable) -> None:
    who = begun.asked()[0]
    letters = len(begun.letters(who))
    moderator = len(begun.letters("Dora"))
    filed = begun.writes(who, "I am on holiday until 20 December.", None, **ABSENT)
    assert (filed.kind, filed.reason) == ("auto-reply", "the moderator was asked")
    asked = begun.last("Dora")
    assert asked.subject.endswith(f"{who} seems to be away: what now?")
    for way in (f"extend {who} by 3 days", f"remind {who}", f"answer for {who}: "):
        assert way in asked.flat
    assert "holiday" not in asked.text
    for _ in range(3):
        begun.writes(who, "I am on holiday until 20 December.", None, **ABSENT)
        begun.clock.on(days=1)
    assert len(begun.letters("Dora")) == moderator + 1
    assert len(begun.letters(who)) == letters
    begun.writes("Dora", f"extend {who} by 3 days")
    assert f"{who} may now answer until" in begun.last("Dora").flat


def test_an_absence_note_to_the_bounce_address_is_understood(begun: PbemTable) -> None:
    who = begun.asked()[0]
    _, sender, _ = newest(begun, who)
    raw = begun.fresh(
        f"{who.lower()}@example.org", "Bin im Urlaub.", to=sender, Auto_Submitted="auto-replied"
    )
    assert begun.mail(raw).reason == "the moderator was asked"


def test_nobody_is_bothered_about_somebody_who_is_not_asked(begun: PbemTable) -> None:
    other = next(p for p in ("Ana", "Ben") if p not in begun.asked())
    count = len(begun.letters("Dora"))
    assert begun.writes(other, "Away.", None, **ABSENT).reason == ""
    assert len(begun.letters("Dora")) == count


def test_a_read_receipt_is_no_absence(begun: PbemTable) -> None:
    who = begun.asked()[0]
    head = f"From: {who.lower()}@example.org\r\nTo: {begun.last(who).message['reply-to']}\r\n".encode()
    kind = b"Content-Type: multipart/report; report-type=disposition-notification; boundary=B\r\n\r\n"
    body = b"--B\r\nContent-Type: message/disposition-notification\r\n\r\nDisposition: displayed\r\n--B--\r\n"
    filed = begun.mail(head + kind + body)
    assert (filed.kind, filed.reason) == ("auto-reply", "")
    assert not [x for x in begun.letters("Dora") if "away" in x.subject]


# stop


def test_a_signed_unsubscription_counts_and_is_confirmed(begun: PbemTable) -> None:
    who = begun.asked()[0]
    address = str(begun.last(who).message["list-unsubscribe"]).strip(" <>").removeprefix("mailto:")
    begun.mail(begun.fresh(f"{who.lower()}@example.org", "", to=address))
    assert begun.app.people.at(f"{who.lower()}@example.org")[0].stopped
    assert "You get no more mail from here" in begun.last(who).flat
    assert f"{who} wants no more mail" in begun.last("Dora").flat


def test_an_unsubscription_that_nothing_proves_changes_nothing(tmp_path: Path) -> None:
    table = PbemTable(tmp_path, mail=Mail(source="imap"))
    table.begun("Ana", "Ben")
    for _ in range(2):
        filed = table.mail(table.fresh("ana@example.org", "", to="pbem+stop@pbem.example.org"))
        assert filed.state is State.HELD
    assert not table.app.people.at("ana@example.org")[0].stopped
    assert len(table.letters("Ana", "unproved")) == 1
    table.close()


def test_start_brings_the_mail_back(begun: PbemTable) -> None:
    who = begun.asked()[0]
    begun.writes(who, "stop")
    assert f"{who} wants no more mail" in begun.last("Dora").flat
    begun.writes(who, "start")
    assert not begun.app.people.at(f"{who.lower()}@example.org")[0].stopped


# storms


@pytest.fixture
def open_to_all(tmp_path: Path) -> Iterator[PbemTable]:
    """A table whose mailbox anybody in the world can write to."""
    table = PbemTable(tmp_path, mail=Mail(source="imap"))
    table.begun("Ana", "Ben", moderators=["Dora"])
    yield table
    table.close()


def test_mails_with_nothing_in_them_are_answered_three_times_an_hour(open_to_all: PbemTable) -> None:
    begun = open_to_all
    who = begun.asked()[0]
    digest = begun.letters(who, "digest")[-1]
    before = len(begun.letters(who))
    for _ in range(12):
        begun.clock.on(minutes=3)
        begun.writes(who, "Thank you for your message, we will come back to you.", to=digest)
    assert len(begun.letters(who)) == before + 3
    assert "mail number 3 within an hour" in begun.last(who).flat
    assert len([x for x in begun.letters("Dora") if "nothing in them" in x.subject]) == 1
    begun.writes(who, "status", to=digest)
    assert begun.last(who).kind == "receipt"
    begun.clock.on(hours=1)
    begun.writes(who, "Thank you.", to=digest)
    assert len(begun.letters(who)) == before + 5


def test_somebody_who_tries_and_fails_is_always_answered(open_to_all: PbemTable) -> None:
    begun = open_to_all
    who = begun.asked()[0]
    before = len(begun.letters(who))
    for _ in range(8):
        begun.clock.on(minutes=4)
        begun.writes(who, "palace 77")
    assert len(begun.letters(who)) == before + 8
