"""Addresses and identity: who may act is settled by signature and registered address together."""

from __future__ import annotations

import logging
import re
from pathlib import Path

import pytest

from pbem.config import Mail
from pbem.joining import BadGame, Invitation
from pbem.store.inbox import State

from ..table import Letter, PbemTable
from .hand import PLAYERS, SEED, done, head, not_done, orders, post

BARE: dict[str, str | None] = {"To": "pbem@pbem.example.org", "In_Reply_To": None, "References": None}


@pytest.fixture
def outside(tmp_path: Path) -> PbemTable:
    """A table on a mailbox that all the world writes to."""
    table = PbemTable(tmp_path, mail=Mail(source="imap", authserv_id="mx.example.org"))
    table.begun(*PLAYERS, moderators=["Dora"], seed=SEED)
    return table


def code(letter: Letter) -> str:
    found = re.search(r"[a-z2-9]{4}-[a-z2-9]{4}", letter.flat)
    assert found is not None
    return found[0]


@pytest.mark.parametrize("sender", ["ANA@EXAMPLE.ORG", "Ana@Example.org", "aNa@example.ORG"])
def test_troubles_f1_the_case_of_an_address_does_not_matter_and_its_spelling_is_kept(
    troyes: PbemTable, sender: str
) -> None:
    post(troyes, "Ana", "palace 1\r\n", From=f"Ana <{sender}>")
    done(troyes, "Ana", "palace 1")
    people = [p.address for p in troyes.app.people.everybody()]
    assert people.count("ana@example.org") == 1
    assert sender not in people


def test_troubles_f3_the_base_of_a_sub_address_is_the_same_mailbox(tmp_path: Path) -> None:
    table = PbemTable(tmp_path)
    seats = ["Ana <ana+games@example.org>", "Ben <ben@example.org>"]
    table.app.new(Invitation(table.rulesets["troyes"], "Winter", seats, seed=SEED))
    invitation = table.last("ana+games")
    table.mail(table.answer("Ana", "join", invitation, From="Ana <ana@example.org>"))
    assert table.last("ana+games").kind == "receipt"
    assert table.letters("ana") == []
    table.close()


def test_troubles_f4_another_account_of_the_same_person_is_held_and_confirmed_with_one_word(
    outside: PbemTable,
) -> None:
    filed = post(outside, "Ana", "palace 1\r\n", From="Ana at work <ana@work.example>")
    assert filed.state is State.HELD
    asking = outside.last("Ana", "code")
    assert orders(outside) == []
    assert not outside.app.store.all("select 1 from outbox where recipient like '%work.example'")
    outside.writes("Ana", f"code {code(asking)} always", to=asking)
    done(outside, "Ana", "palace 1")
    post(outside, "Ana", "status\r\n", From="ana@work.example")
    assert outside.last("Ana").kind == "receipt"
    assert not outside.app.store.all("select 1 from outbox where recipient like '%work.example'")
    outside.close()


@pytest.mark.parametrize(
    "sender", ["ana=example.org@forwarder.example", "srs0=x=y=example.org=ana@relay.example"]
)
def test_troubles_f5_a_forwarder_that_rewrites_the_sender_is_held_by_its_token_and_advised(
    outside: PbemTable, sender: str
) -> None:
    filed = post(outside, "Ana", "palace 1\r\n", From=sender)
    assert filed.state is State.HELD
    asking = outside.last("Ana", "code")
    assert "Write always behind that" in asking.flat
    assert sender in asking.flat
    outside.close()


def test_troubles_f6_players_who_share_a_mailbox_need_leave_and_are_told_apart_by_token(
    tmp_path: Path,
) -> None:
    table = PbemTable(tmp_path)
    seats = ["Eva <family@example.org>", "Tom <family@example.org>", "Ana <ana@example.org>"]
    with pytest.raises(BadGame):
        table.app.new(Invitation(table.rulesets["troyes"], "Home", seats))
    table.app.new(Invitation(table.rulesets["troyes"], "Home", seats, shared=True, seed=SEED))
    assert "Eva and Tom share one mailbox" in table.last("Ana", "invitation").flat
    for letter in table.letters("Family", "invitation"):
        table.mail(table.answer("Family", "join", letter))
    table.writes("Ana", "join", to=table.last("Ana", "invitation"))
    (who,) = table.asked_in("Home")
    digests = [x for x in table.letters("Family", "digest") if f"{who}: Place" in x.flat]
    assert who in ("Eva", "Tom")
    assert len(digests) == 1
    table.mail(table.answer("Family", "palace 1", digests[0]))
    assert [a.seat for _, a in table.app.games.answers(1)] == [who]
    table.close()


@pytest.mark.parametrize("stale", [False, True], ids=["no token", "a stale token"])
def test_troubles_f8_a_forged_from_line_applies_nothing_and_its_victim_sees_it(
    outside: PbemTable, stale: bool
) -> None:
    to = "pbem+" + "a" * 36 + "@pbem.example.org" if stale else "pbem@pbem.example.org"
    raw = head(outside, "Ana", None, **{**BARE, "To": to}) + b"\r\npalace 1\r\n"
    filed = outside.mail(raw)
    assert filed.state is State.HELD
    assert orders(outside) == []
    assert outside.last("Ana").kind in ("code", "refused")
    outside.close()


def test_troubles_f8_a_right_token_that_our_server_takes_for_forged_is_held(outside: PbemTable) -> None:
    failed = b"Authentication-Results: mx.example.org; dmarc=fail header.from=example.org\r\n"
    filed = outside.mail(failed + head(outside, "Ana") + b"\r\npalace 1\r\n")
    assert filed.state is State.HELD
    assert orders(outside) == []
    outside.close()


def test_troubles_f8_every_receipt_goes_to_the_registered_address(troyes: PbemTable) -> None:
    post(troyes, "Ana", "palace 1\r\n", None, Reply_To="evil@evil.example", Sender="evil@evil.example")
    done(troyes, "Ana", "palace 1")
    assert not troyes.app.store.all("select 1 from outbox where recipient like '%evil%' or raw like '%evil%'")


@pytest.mark.parametrize("friend", ["friend@example.net", "ben@example.org"])
def test_troubles_f9_a_forwarded_letter_gives_its_reader_no_rights(outside: PbemTable, friend: str) -> None:
    digest = outside.last("Ana", "digest")
    filed = post(outside, "Ben", "palace 1\r\n", digest, From=friend)
    assert filed.state is State.HELD
    assert orders(outside) == []
    assert outside.last("Ana").kind == "code"
    row = outside.app.store.one("select reason from inbox order by id desc limit 1")
    assert row is not None
    assert "token and address disagree" in row["reason"]
    outside.close()


def test_troubles_f10_tokens_stand_in_no_text_no_log_and_no_letter_to_others(
    troyes: PbemTable, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    address = str(troyes.last("Ana", "digest").message["reply-to"])
    token = re.search(r"\+([a-z2-7]{36})@", address)
    assert token is not None
    post(
        troyes,
        "Ana",
        f"note {address}\r\nhello {address}\r\npalace 1 {token[1]}\r\n",
        Subject=f"Re: {token[1]}",
    )
    not_done(troyes, "Ana")
    post(troyes, "Ana", "palace 1\r\n", troyes.last("Ana", "digest"))
    done(troyes, "Ana", "palace 1")
    assert token[1] not in caplog.text
    for person in ("Ben", "Carla", "Dora"):
        for letter in troyes.letters(person):
            assert token[1].encode() not in letter.message.as_bytes()
    mine = troyes.letters("Ana", "receipt")[-1]
    assert token[1] not in mine.subject
