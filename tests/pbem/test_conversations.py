"""Whole conversations: mails in, letters out, by the rules of the page that says what players meet."""

from __future__ import annotations

import re

import pytest

from pbem.store.inbox import State

from .table import Letter, PbemTable


def place(table: PbemTable, line: str = "palace 1") -> str:
    """Whoever is asked places a citizen; gives their name."""
    who = table.asked()[0]
    table.writes(who, line)
    return who


def first(table: PbemTable) -> str:
    return table.asked()[0]


def test_the_first_answer_is_a_rehearsal_and_the_last_one_begins_the_game(table: PbemTable) -> None:
    table.new("Ana", "Ben")
    table.writes("Ana", "join")
    said = table.last("Ana").text
    assert "you have joined" in said
    assert "It came as plain text" in said
    assert re.search(r"You quoted \d+ lines of my mail", said)
    assert "joined too: Ben" in said
    table.writes("Ben", "Join!")
    assert table.game().state == "playing"
    assert table.letters(first(table), "digest")


def test_an_answer_that_holds_both_words_is_asked_about(table: PbemTable) -> None:
    table.new("Ana", "Ben")
    table.writes("Ana", "I would rather not.\n\nWHAT YOU MAY WRITE\n  join\n  decline")
    assert "both join and decline" in table.last("Ana").flat
    table.writes("Ana", "decline", to=table.letters("Ana")[0])
    assert "You have declined" in table.last("Ana").flat


def test_a_decline_goes_to_the_moderator_who_may_put_a_robot_there(table: PbemTable) -> None:
    table.new("Ana", "Ben", moderators=["Dora"])
    table.writes("Ana", "join")
    table.writes("Ben", "decline")
    asked = table.last("Dora")
    assert "Ben has declined" in asked.text
    table.writes("Dora", "robot ben")
    assert table.game().state == "playing"
    assert "A robot takes the seat of Ben" in table.last("Dora").text


def test_an_order_is_echoed_and_the_next_player_is_asked(table: PbemTable) -> None:
    table.begun("Ana", "Ben", "Carla")
    who = place(table, "Palace 3.")
    receipt = table.last(who, "receipt")
    assert "palace 3: done" in receipt.text
    assert receipt.subject.startswith("[Troyes: The Long Winter] OK")
    assert "Your turn, setup" in table.last(first(table)).subject


def test_a_wrong_line_is_explained_and_changes_nothing(table: PbemTable) -> None:
    table.begun("Ana", "Ben")
    who = first(table)
    table.writes(who, "pallace 3")
    receipt = table.last(who, "receipt")
    assert "Not done: line 1" in receipt.subject
    assert "Nothing was done" in receipt.text
    assert "palace 3" in receipt.text
    assert table.asked() == [who]


def test_chatter_is_no_order_and_the_receipt_says_so(table: PbemTable) -> None:
    table.begun("Ana", "Ben")
    who = first(table)
    table.writes(who, "Hello all, I shall think about it tonight.")
    assert "found no line I could take as an order" in table.last(who, "receipt").text


@pytest.mark.parametrize("line", ["{d}.1", "1", "#1", "palace 1", "PALACE 1", "pal 1"])
def test_codes_numbers_and_words_mean_the_same(table: PbemTable, line: str) -> None:
    table.begun("Ana", "Ben")
    who = first(table)
    digest = str(table.last(who, "digest").message["x-pbem-digest"])
    table.writes(who, line.format(d=digest))
    assert "palace 1: done" in table.last(who, "receipt").text


def test_a_stale_code_is_recognised_and_the_open_question_comes_again(table: PbemTable) -> None:
    table.begun("Ana", "Ben")
    who = first(table)
    old = str(table.last(who, "digest").message["x-pbem-digest"])
    while not (table.asked() == [who] and table.last(who, "digest").message["x-pbem-digest"] != old):
        place(table, "1")
        if table.asked() == [who] and table.last(who).message["x-pbem-digest"] != old:
            break
    table.writes(who, f"{old}.1")
    said = table.last(who, "receipt").flat
    assert "belongs to a question that is answered already" in said
    assert "WHAT YOU MAY WRITE" in said


def test_the_same_mail_twice_changes_nothing(table: PbemTable) -> None:
    table.begun("Ana", "Ben")
    who = first(table)
    mail = table.answer(who, "palace 1")
    assert table.mail(mail).reason == "changed"
    answers = table.app.games.answers(1)
    for _ in range(2):
        assert table.mail(b"Received: from elsewhere\r\n" + mail).kind == "duplicate"
    assert table.app.games.answers(1) == answers
    assert len(table.letters(who, "again")) == 1
    assert "nothing was done again" in table.last(who).flat


def test_a_mail_out_of_turn_says_whom_the_table_waits_for(table: PbemTable) -> None:
    table.begun("Ana", "Ben")
    who = first(table)
    other = "Ben" if who == "Ana" else "Ana"
    table.writes(other, "palace 2")
    assert f"the table waits for {who}" in table.last(other, "receipt").flat


def test_preview_does_nothing(table: PbemTable) -> None:
    table.begun("Ana", "Ben")
    who = first(table)
    table.writes(who, "preview\npalace 4")
    assert "palace 4: would be done" in table.last(who, "receipt").text
    assert table.asked() == [who]


def test_a_fault_later_in_a_script_undoes_all_of_it(table: PbemTable) -> None:
    table.begun("Ana", "Ben")
    place(table, "1")
    who = first(table)
    table.writes(who, "city hall row 1 space 1\npalace 99")
    said = table.last(who, "receipt").flat
    assert "Nothing was done: line 2" in said
    assert "not done, because a later line is wrong" in said
    assert table.app.games.answers(table.game().id)[1:] == []


def test_a_whole_turn_in_one_mail(table: PbemTable) -> None:
    table.begun("Ana", "Ben")
    place(table, "1")
    who = first(table)
    table.writes(who, "city hall row 1 space 1; city hall row 2 space 2\npalace 4")
    said = table.last(who, "receipt")
    assert "Part done" in said.subject
    assert "I did 2 of your 3 lines" in said.flat
    assert "your turn was over before it" in said.flat


def test_undo_takes_back_what_nobody_was_told(table: PbemTable) -> None:
    table.begun("Ana", "Ben")
    place(table, "1")
    who = place(table, "1")
    assert table.asked() == [who]
    table.writes(who, "undo")
    said = table.last(who, "receipt").text
    assert "Taken back: " in said


def test_undo_is_refused_once_the_others_were_told(table: PbemTable) -> None:
    table.begun("Ana", "Ben")
    who = place(table, "1")
    table.writes(who, "undo")
    assert "the others have already been told" in table.last(who, "receipt").text


def test_notes_are_private_and_come_back(table: PbemTable) -> None:
    table.begun("Ana", "Ben")
    who = first(table)
    other = "Ben" if who == "Ana" else "Ana"
    table.writes(who, "note watch the cathedral\nresend")
    assert "Your note: watch the cathedral" in table.last(who, "receipt").text
    place(table, "1")
    assert all("watch the cathedral" not in letter.text for letter in table.letters(other))


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("status", "is asked, since"),
        ("board", "THE BOARD"),
        ("help", "copy one, shorten it"),
        ("help undo", "undo takes back"),
        ("rules marauding", "Marauding"),
        ("look palace", "Palace"),
        ("log", "The cards are dealt"),
        ("resend", "WHAT YOU MAY WRITE"),
        ("rules zebra", "I know nothing under “zebra”"),
    ],
)
def test_questions_about_the_game_are_answered(table: PbemTable, line: str, expected: str) -> None:
    table.begun("Ana", "Ben")
    who = first(table)
    table.writes(who, line)
    assert expected in table.last(who, "receipt").text
    assert table.asked() == [who]


def test_stop_ends_the_letters_and_start_brings_them_back(table: PbemTable) -> None:
    table.begun("Ana", "Ben")
    who = first(table)
    other = "Ben" if who == "Ana" else "Ana"
    table.writes(other, "stop")
    count = len(table.letters(other))
    place(table, "1")
    assert len(table.letters(other)) == count
    table.writes(other, "start\nresend")
    assert "WHAT YOU MAY WRITE" in table.last(other).text


def test_a_right_token_from_another_address_is_held_and_its_owner_told(table: PbemTable) -> None:
    table.begun("Ana", "Ben")
    who = first(table)
    filed = table.writes(who, "palace 1", From="Mallory <mallory@elsewhere.example>")
    assert filed.state is State.HELD
    assert "from another address" in table.last(who).flat
    assert table.asked() == [who]
    assert not table.app.store.all("select 1 from outbox where recipient like '%mallory%'")


def test_another_seats_token_is_held(table: PbemTable) -> None:
    table.begun("Ana", "Ben")
    who = first(table)
    other = "Ben" if who == "Ana" else "Ana"
    filed = table.writes(other, "palace 1", to=table.last(who))
    assert filed.state is State.HELD
    assert table.asked() == [who]


def test_a_fresh_mail_without_any_token_finds_the_only_game(table: PbemTable) -> None:
    table.begun("Ana", "Ben")
    who = first(table)
    filed = table.mail(fresh(who, "palace 1"))
    assert filed.reason == "changed"


def test_a_fresh_mail_is_asked_about_when_two_games_wait_for_its_sender(table: PbemTable) -> None:
    for title in ("First", "Second"):
        table.begun("Ana", "Ben", title=title)
        while table.asked_in(title) != ["Ana"]:
            table.writes("Ben", "1", to=[x for x in table.letters("Ben") if title in x.subject][-1])
    filed = table.mail(fresh("Ana", "palace 1"))
    assert filed.reason == "which game?"
    assert "which of your games this is for: First and Second" in table.last("Ana").flat


def fresh(person: str, text: str) -> bytes:
    """A mail that answers nothing."""
    address = f"{person.lower()}@example.org"
    head = f"From: {person} <{address}>\r\nTo: pbem@pbem.example.org\r\nSubject: hi\r\nMessage-ID: <x@{person}>\r\n"
    return f"{head}Date: Tue, 01 Dec 2026 09:00:00 +0000\r\n\r\n{text}\r\n".encode()


def test_a_strangers_mail_gets_one_answer_a_day(table: PbemTable) -> None:
    table.begun("Ana", "Ben")
    for n in range(3):
        table.mail(fresh("Zoe", f"hello {n}").replace(b"<x@", f"<{n}@".encode()))
    rows = table.app.store.all("select 1 from outbox where recipient = 'zoe@example.org'")
    assert len(rows) == 1


def test_machines_are_never_answered(table: PbemTable) -> None:
    table.begun("Ana", "Ben")
    who = first(table)
    count = len(table.app.store.all("select 1 from outbox"))
    table.writes(who, "palace 1", table.last(who), **{"Auto-Submitted": "auto-replied"})
    assert len(table.app.store.all("select 1 from outbox")) == count
    assert table.asked() == [who]


def test_html_says_the_same_as_the_text(table: PbemTable) -> None:
    table.begun("Ana", "Ben")
    letter = table.last(first(table), "digest")
    for said in ("palace 1", "Please answer by", "BEGIN ORDERS", "The board"):
        assert said.casefold() in letter.html.casefold()
    assert "<script" not in letter.html
    assert "style=" in letter.html


def test_a_name_with_markup_stays_text(table: PbemTable) -> None:
    table.begun("Ana", "Ben", title="<script>alert(1)</script>")
    letter = table.last(first(table), "digest")
    assert "<script>" not in letter.html
    assert "&lt;script&gt;" in letter.html


def headers_of(letter: Letter) -> set[str]:
    return {name.lower() for name in letter.message}


def test_letters_carry_what_mail_programs_need(table: PbemTable) -> None:
    table.begun("Ana", "Ben")
    who = first(table)
    letter = table.last(who, "digest")
    wanted = {
        "list-id",
        "list-unsubscribe",
        "auto-submitted",
        "references",
        "in-reply-to",
        "message-id",
        "reply-to",
    }
    assert wanted <= headers_of(letter)
    token = re.search(r"\+([a-z2-7]{36})@", str(letter.message["reply-to"]))
    assert token is not None
    assert token[1] in str(letter.message["message-id"])
    assert token[1] not in letter.subject
    assert token[1] not in letter.text
    assert token[1] not in letter.html
    place(table, "1")
    receipt = table.last(who, "receipt")
    assert str(receipt.message["in-reply-to"]).endswith(f"{who.lower()}@example.org>")


def test_the_last_letter_opens_every_secret_and_attaches_the_log(table: PbemTable) -> None:
    table.begun("Ana", "Ben")
    while table.game().state == "playing":
        who = first(table)
        ask = table.app.games.table(table.game()).open[who]
        words = [o.id for o in ask.menu.open()]
        table.writes(
            who, "pass" if "pass" in words else "1" if not ask.menu.open()[0].slots else words_for(table, who)
        )
    end = table.last("Ana", "end")
    assert "The game is over" in end.subject
    assert any(part.get_filename() == "log.txt" for part in end.message.walk())
    assert table.asked() == []


def words_for(table: PbemTable, who: str) -> str:
    """The first example of the newest letter that has one."""
    example = re.search(r"^\s+e\.g\. (.+)$", table.last(who).text, re.M)
    return example[1] if example else "1"


def test_the_unsubscribe_button_of_a_mail_program_works(table: PbemTable) -> None:
    table.begun("Ana", "Ben")
    who = first(table)
    button = re.search(r"mailto:([^>]+)>", str(table.last(who).message["list-unsubscribe"]))
    assert button is not None
    filed = table.writes(who, "", To=button[1])
    assert filed.kind == "unsubscribe"
    count = len(table.letters(who))
    table.writes("Ben" if who == "Ana" else "Ana", "status")
    place(table, "1")
    while table.asked() != [who]:
        place(table, "1")
    assert [x.kind for x in table.letters(who)[count:]] == ["receipt"]
