"""Machines that answer: they are never answered, and nothing of theirs is an order."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.config import Mail
from pbem.joining import BadGame, Invitation
from pbem.mail.classify import Kind
from pbem.sources.maildir import MaildirSource

from ..table import Letter, PbemTable
from .hand import PLAYERS, SEED, entity, head, letters_of, multipart, orders, post


@pytest.fixture
def outside(tmp_path: Path) -> PbemTable:
    """A table on a mailbox that all the world writes to."""
    table = PbemTable(tmp_path, mail=Mail(source="imap", authserv_id="mx.example.org"))
    table.begun(*PLAYERS, moderators=["Dora"], seed=SEED)
    return table


def judged(raw: bytes) -> bytes:
    """What our own server vouches for."""
    return b"Authentication-Results: mx.example.org; dmarc=pass header.from=x\r\n" + raw


def report(table: PbemTable, letter: Letter, body: str = "It could not be delivered.\r\n") -> bytes:
    """A delivery report that quotes the whole of a letter."""
    status = "Reporting-MTA: dns; mx\r\n\r\nFinal-Recipient: rfc822; ana@example.org\r\n"
    status += "Action: failed\r\nStatus: 5.1.1\r\n"
    parts = multipart(
        "report",
        entity(body),
        entity(status, "message/delivery-status", ""),
        entity(letter.message.as_bytes(), "message/rfc822", ""),
        more="; report-type=delivery-status",
    )
    return head(table, "Ana", letter, From="MAILER-DAEMON@mx.example", Return_Path="<>") + parts


def test_troubles_e2_two_robots_do_not_talk_for_long(outside: PbemTable) -> None:
    before = letters_of(outside)
    for n in range(12):
        post(outside, "Ana", f"Your request was received. Ticket {n}.\r\n", Subject=f"[Ticket {n}] received")
        outside.clock.on(seconds=20)
    assert len([x for x in outside.letters("Ana", "receipt") if "no order" in x.subject]) == 3
    assert "with nothing in them" in outside.last("Dora").subject
    assert letters_of(outside) - before <= 4
    outside.close()


def test_troubles_e2_ever_new_names_of_one_domain_are_capped(outside: PbemTable) -> None:
    for n in range(20):
        raw = f"From: ticket{n}@robots.example\r\nTo: pbem@pbem.example.org\r\nMessage-ID: <{n}@r>\r\n"
        outside.mail(judged(f"{raw}\r\nTicket {n}\r\n".encode()))
    rows = outside.app.store.all("select 1 from outbox where recipient like '%@robots.example'")
    assert len(rows) <= 5
    outside.close()


@pytest.mark.parametrize(
    "sender",
    ["no-reply@example.org", "noreply@example.org", "donotreply@example.org", "do-not-reply+x@example.org"],
)
def test_troubles_e3_an_answer_of_a_mailbox_that_nobody_reads(troyes: PbemTable, sender: str) -> None:
    before = letters_of(troyes)
    filed = post(troyes, "Ana", "palace 1\r\nThis mailbox is not read.\r\n", From=sender)
    assert filed.kind == Kind.AUTO_REPLY
    assert letters_of(troyes) == before
    assert orders(troyes) == []


def test_troubles_e4_our_own_letter_come_back_is_a_loop(troyes: PbemTable) -> None:
    before = letters_of(troyes)
    for letter in troyes.letters("Ana"):
        assert troyes.mail(letter.message.as_bytes()).kind == Kind.LOOP
    bare = troyes.last("Ana").message
    del bare["x-pbem-kind"]
    del bare["date"]
    assert troyes.mail(bare.as_bytes()).kind == Kind.LOOP
    assert letters_of(troyes) == before
    assert orders(troyes) == []


def test_troubles_e4_our_own_address_is_never_a_player(troyes: PbemTable) -> None:
    for sender in ("pbem@pbem.example.org", "Pbem+anything@pbem.example.org"):
        assert post(troyes, "Ana", "palace 1\r\n", From=sender).kind == Kind.LOOP
    assert orders(troyes) == []


def test_troubles_e5_a_bounce_that_quotes_our_letter_is_no_answer(troyes: PbemTable) -> None:
    letter = troyes.last("Ana", "digest")
    to_ana = len(troyes.letters("Ana"))
    filed = troyes.mail(report(troyes, letter, "palace 1\r\n" + letter.text))
    assert filed.kind == Kind.BOUNCE
    assert orders(troyes) == []
    assert len(troyes.letters("Ana")) == to_ana
    assert not troyes.app.store.all("select 1 from outbox where recipient like 'mailer-daemon%'")


@pytest.mark.parametrize("sender", ["MAILER-DAEMON@mx.example", "postmaster@example.org", "ana@example.org"])
def test_troubles_e5_a_null_sender_is_never_answered(troyes: PbemTable, sender: str) -> None:
    before = letters_of(troyes)
    filed = post(troyes, "Ana", "palace 1\r\n", From=sender, Return_Path="<>")
    assert filed.kind in (Kind.BOUNCE, Kind.AUTO_REPLY)
    assert letters_of(troyes) == before
    assert orders(troyes) == []


def test_troubles_e7_each_letter_has_an_envelope_sender_of_its_own(troyes: PbemTable) -> None:
    rows = troyes.app.store.all("select sender, person, recipient from outbox")
    tokens = troyes.app.writer.tokens
    for row in rows:
        token = tokens.find(row["sender"])
        assert token is not None
        assert token.person == row["person"]
    assert len({r["sender"] for r in rows}) >= len({r["recipient"] for r in rows})


def test_troubles_e7_permanent_bounces_reach_the_moderator_and_pause_the_seat(troyes: PbemTable) -> None:
    letter = troyes.last("Ana", "digest")
    for day in range(3):
        raw = report(troyes, letter).replace(b"Message-ID: <h", f"Message-ID: <{day}".encode(), 1)
        assert troyes.mail(raw).reason == "permanent"
        troyes.clock.on(days=1)
    assert "Ana does not get their mail" in "".join(x.subject for x in troyes.letters("Dora"))
    assert "Ana cannot be reached" in troyes.last("Dora").subject
    before = len(troyes.letters("Ana"))
    troyes.writes("Dora", "announce: hello")
    assert len(troyes.letters("Ana")) == before
    assert "hello" in troyes.last("Ben").text


@pytest.mark.parametrize(
    "address", ["", "ana", "ana@", "@example.org", "ana@example", "a b@example.org", "<>"]
)
def test_troubles_e8_a_malformed_address_is_refused_when_a_game_is_set_up(
    tmp_path: Path, address: str
) -> None:
    table = PbemTable(tmp_path)
    with pytest.raises(BadGame, match=r"has no address|cannot be a name"):
        table.app.new(invitation(table, f"Ana <{address}>"))
    assert letters_of(table) == 0
    table.close()


def invitation(table: PbemTable, person: str) -> Invitation:
    return Invitation(table.rulesets["troyes"], "Winter", [person, "Ben <ben@example.org>"])


def test_troubles_e8_nothing_but_the_invitation_goes_to_an_address_before_it_has_answered(
    tmp_path: Path,
) -> None:
    table = PbemTable(tmp_path)
    table.new("Ana", "Ben", moderators=["Dora"])
    table.writes("Dora", "announce: hello")
    table.writes("Ben", "join")
    table.clock.on(days=2)
    table.app.tick()
    assert {x.kind for x in table.letters("Ana")} <= {"invitation", "notice"}
    assert table.game().state == "inviting"
    table.close()


def test_troubles_e9_no_link_of_ours_does_anything_when_it_is_fetched(troyes: PbemTable) -> None:
    troyes.writes("Ana", "palace 1", From="elsewhere@example.net")
    for letter in [*troyes.letters("Ana"), *troyes.letters("Dora"), *troyes.letters("Ben")]:
        assert "https://" not in letter.text.replace("https://www.gnu", "")
        assert 'href="http' not in letter.html
        assert 'src="http' not in letter.html
        assert "List-Unsubscribe-Post" not in letter.message


def test_troubles_e9_a_source_marks_nothing_as_read_and_follows_nothing(tmp_path: Path) -> None:
    for box in ("new", "cur", "tmp"):
        (tmp_path / "gm" / box).mkdir(parents=True)
    (tmp_path / "gm/new/1.a").write_bytes(b"From: x@example.org\n\nhttp://127.0.0.1:1/join\n")
    assert len(list(MaildirSource(tmp_path / "gm").fetch())) == 1
    assert (tmp_path / "gm/new/1.a").exists()
