"""Subjects and threads: hints at best; the game is found without them, and never the wrong one."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pbem.mail.classify import Kind, classify
from pbem.mail.mime import Mail

from ..table import Letter, PbemTable
from .hand import PLAYERS, SEED, begun, done, not_done, orders, post

PREFIXES = [
    "AW: Re: Your turn",
    "WG: AW: SV: VS: Your turn",
    "Antw: RE[2]: Re*2: Your turn",
    "Re:Your turn",
    "Re：Your turn",
    "回复：转发: Your turn",
    "TR: RES: ENC: R: Your turn",
    "Re: Re: Re: Re: AW: Re: Re: Fwd: FW: Your turn",
]


@pytest.fixture
def two(tmp_path: Path) -> PbemTable:
    """Ana sits in two games and is asked in both."""
    table = PbemTable(tmp_path)
    for title in ("First", "Second"):
        game = table.new(*PLAYERS, title=title, seed=SEED)
        for person in PLAYERS:
            table.writes(person, "join", to=of(table, person, title))
        assert table.asked_in(title) == ["Ana"], game.title
    return table


def of(table: PbemTable, person: str, title: str) -> Letter:
    """A person's newest letter of one game."""
    return [x for x in table.letters(person) if title in x.subject][-1]


def answers(table: PbemTable, title: str) -> list[str]:
    return [a.pick for _, a in table.app.games.answers(table.app.games.find(title).id)]


@pytest.mark.parametrize("subject", PREFIXES)
def test_troubles_d1_prefixes_of_answers_in_every_tongue(troyes: PbemTable, subject: str) -> None:
    post(troyes, "Ana", "palace 1\r\n", Subject=subject)
    receipt = done(troyes, "Ana", "palace 1")
    assert receipt.subject.startswith("[Troyes: The Long Winter] OK")


@pytest.mark.parametrize("subject", PREFIXES)
def test_troubles_d1_no_prefix_makes_a_person_a_machine(troyes: PbemTable, subject: str) -> None:
    raw = f"From: ana@example.org\r\nSubject: {subject}\r\n\r\npalace 1\r\n".encode()
    assert classify(raw, troyes.app.writer.us) is Kind.ORDERS


@pytest.mark.parametrize("subject", ["", "Holiday pictures", "Re: [Troyes: Another Game] Your turn"])
def test_troubles_d2_an_edited_subject_does_not_matter(troyes: PbemTable, subject: str) -> None:
    post(troyes, "Ana", "palace 1\r\n", Subject=subject)
    done(troyes, "Ana", "palace 1")


def test_troubles_d2_a_fresh_mail_finds_the_only_open_question_of_its_sender(two: PbemTable) -> None:
    bare: dict[str, str | None] = {"To": "pbem@pbem.example.org", "In_Reply_To": None, "References": None}
    post(two, "Ana", "palace 1\r\n", None, Subject="Hi", **bare)
    assert "which of your games this is for: First and Second" in two.last("Ana").flat
    assert answers(two, "First") == answers(two, "Second") == []
    two.writes("Ana", "palace 1", to=of(two, "Ana", "First"))
    post(two, "Ana", "palace 2\r\n", None, Subject="Hi again", **bare)
    assert len(answers(two, "First")) == len(answers(two, "Second")) == 1
    two.close()


@pytest.mark.parametrize(
    "reference", ["<0100018c.ses@amazonses.example>", "<new@mx.example>", "nonsense", ""]
)
def test_troubles_d4_a_replaced_message_id_leaves_the_token_elsewhere(
    troyes: PbemTable, reference: str
) -> None:
    post(troyes, "Ana", "palace 1\r\n", None, In_Reply_To=reference, References=reference)
    done(troyes, "Ana", "palace 1")


def test_troubles_d4_our_letters_name_the_mail_they_answer_and_a_thread_of_our_own(troyes: PbemTable) -> None:
    post(troyes, "Ana", "status\r\n", Message_ID="<hers.1@example.org>")
    letter = troyes.last("Ana", "receipt").message
    assert str(letter["in-reply-to"]) == "<hers.1@example.org>"
    thread, hers = str(letter["references"]).split()
    assert hers == "<hers.1@example.org>"
    assert str(troyes.last("Ana", "digest").message["references"]).split()[0] == thread


def test_troubles_d5_recycled_thread_headers_of_another_game_do_not_win(two: PbemTable) -> None:
    second = str(of(two, "Ana", "Second").message["message-id"])
    post(two, "Ana", "palace 1\r\n", of(two, "Ana", "First"), In_Reply_To=second, References=second)
    assert len(answers(two, "First")) == 1
    assert answers(two, "Second") == []
    two.close()


def test_troubles_d5_thread_headers_of_another_seat_do_not_move_it(troyes: PbemTable) -> None:
    bens = str(troyes.last("Ben").message["message-id"])
    post(troyes, "Ana", "palace 1\r\n", None, In_Reply_To=bens, References=bens)
    done(troyes, "Ana", "palace 1")


@pytest.mark.parametrize("damaged", ["<<>>", "<" * 5000, "<a@b> <" + "x" * 3000, "<o.aaaa@pbem.example.org>"])
def test_troubles_d5_damaged_thread_headers_are_no_hint(troyes: PbemTable, damaged: str) -> None:
    post(troyes, "Ana", "palace 1\r\n", None, In_Reply_To=damaged, References=damaged)
    done(troyes, "Ana", "palace 1")


def test_troubles_d6_two_letters_of_a_seat_never_look_the_same(troyes: PbemTable) -> None:
    for n in range(12):
        who = troyes.asked()[0]
        troyes.clock.on(minutes=7)
        troyes.writes(who, f"{1 + n % 3}", to=troyes.letters(who)[-1])
    asking = [x for x in troyes.letters("Ana") if x.message["x-pbem-digest"] and x.kind != "invitation"]
    assert len(asking) >= 4
    assert all(re.search(r"Troyes: The Long Winter.*(setup|round)", x.subject) for x in asking)
    seen = [(x.subject, x.text.split("\n\n")[0]) for x in asking]
    assert len(set(seen)) == len(seen)
    numbers = [x.text.rstrip().rpartition("digest ")[2] for x in asking if x.kind == "digest"]
    assert len(set(numbers)) == len(numbers)


def test_troubles_d7_a_block_of_another_game_is_left_alone_and_its_game_named(two: PbemTable) -> None:
    two.writes("Ana", "palace 1", to=of(two, "Ana", "First"))
    while (who := two.asked_in("First")[0]) != "Ana":
        two.writes(who, "1", to=of(two, who, "First"))
    mine, theirs = (str(of(two, "Ana", t).message["x-pbem-digest"]) for t in ("First", "Second"))
    assert mine != theirs
    body = "".join(
        f"BEGIN ORDERS {n}\r\n{line}\r\nEND ORDERS {n}\r\n\r\n"
        for n, line in ((mine, "bishopric row 1 space 1"), (theirs, "palace 4"))
    )
    before = len(answers(two, "First"))
    post(two, "Ana", body, of(two, "Ana", "First"))
    said = two.last("Ana", "receipt").flat
    assert "bishopric row 1 space 1: done" in said
    assert f"The block BEGIN ORDERS {theirs} is not of this game" in said
    assert "Second" in said
    assert len(answers(two, "First")) == before + 1
    assert answers(two, "Second") == []
    two.close()


def test_troubles_d7_two_blocks_that_could_be_of_either_game_are_asked_about(two: PbemTable) -> None:
    body = "BEGIN ORDERS 1\r\npalace 1\r\nEND ORDERS 1\r\nBEGIN ORDERS 1\r\npalace 2\r\nEND ORDERS 1\r\n"
    post(two, "Ana", body, of(two, "Ana", "First"))
    receipt = two.last("Ana", "receipt")
    assert "cannot tell which is for which of your games: First and Second" in receipt.flat
    assert "Question" in receipt.subject
    assert answers(two, "First") == answers(two, "Second") == []
    two.close()


def test_troubles_d7_whoever_plays_one_game_may_write_several_blocks(tmp_path: Path) -> None:
    table = begun(tmp_path)
    post(
        table,
        "Ana",
        "BEGIN ORDERS 1\r\nnote a\r\nEND ORDERS 1\r\nBEGIN ORDERS 1\r\npalace 2\r\nEND ORDERS 1\r\n",
    )
    done(table, "Ana", "palace 2")
    table.close()


def test_troubles_d7_two_seats_in_one_mail_count_for_the_one_that_is_named(troyes: PbemTable) -> None:
    post(troyes, "Ana", "palace 1\r\n", None, Cc=str(troyes.last("Ben").message["reply-to"]))
    done(troyes, "Ana", "palace 1")
    assert len(orders(troyes)) == 1
    post(troyes, "Carla", "palace 2\r\n", None, Cc=str(troyes.last("Ben").message["reply-to"]))
    not_done(troyes, "Carla", "waits for Ben")
    assert Mail(b"").subject == ""
