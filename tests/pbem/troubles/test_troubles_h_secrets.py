"""Secrets that walk out: nothing that a seat wrote or may alone know is in a letter to somebody else."""

from __future__ import annotations

import dataclasses
import random
import re
from datetime import datetime
from pathlib import Path

import pytest

from pbem.engine.core.testing import random_answer
from pbem.engine.core.text import english
from pbem.play import Play, Result
from pbem.store.games import Game, Seat

from ..table import Letter, PbemTable
from ..test_clocks import live
from .hand import PLAYERS, SEED, begun, letters_of, post, quoted

WORD = "xylophone"


def others(table: PbemTable, person: str) -> list[Letter]:
    return [x for p in (*PLAYERS, "Dora", "Olga") if p != person for x in table.letters(p)]


def secrets(table: PbemTable) -> dict[str, str]:
    """The character that each seat alone knows."""
    found = {}
    for person in PLAYERS:
        told = [english(t) for f in table.app.games.facts(table.game().id) if (t := f.fact.told_to(person))]
        said = next(m for one in told if (m := re.search(r"You alone know: (.+?) will score", one)))
        found[person] = said[1]
    assert len(set(found.values())) == len(PLAYERS)
    return found


def played(table: PbemTable, decisions: int, seed: int = 7) -> PbemTable:
    """The same table some decisions later; everybody writes a note, and chats, with each answer."""
    rng = random.Random(seed)
    for _ in range(decisions):
        asked = table.app.games.table(table.game()).open
        if not asked:
            break
        who = rng.choice(list(asked))
        ask = asked[who]
        pick = random_answer(ask, rng)
        table.clock.on(minutes=3)
        table.writes(
            who, f"note {WORD} {who}\n{english(ask.menu.find(pick).said(pick))}\n", to=table.letters(who)[-1]
        )
    return table


def test_troubles_h1_nothing_of_an_answer_or_of_what_it_quotes_reaches_anybody_else(
    troyes: PbemTable,
) -> None:
    digest = troyes.last("Ana", "digest").text
    own = f"palace 1\r\nnote {WORD}\r\nI am going to {WORD}.\r\n-- \r\n{WORD}\r\n"
    body = f"{own}\r\n> {WORD}\r\n{quoted(digest.splitlines())}\r\n"
    sender = f"{WORD} <ana@example.org>"
    post(troyes, "Ana", body, Subject=f"Re: {WORD}", From=sender, Message_ID=f"<{WORD}@{WORD}.example>")
    for line in (
        f"say Ben: {WORD}",
        f"to Ben: {WORD}",
        f"press {WORD}",
        f"announce: {WORD}",
        f"tell all {WORD}",
    ):
        post(troyes, "Ana", f"{line}\r\n", troyes.last("Ana", "digest"))
    post(troyes, "Ben", "palace 2\r\nstatus\r\nlog\r\nresend\r\n", troyes.letters("Ben")[-1])
    assert any(WORD.encode() in x.message.as_bytes() for x in troyes.letters("Ana"))
    assert not [x for x in others(troyes, "Ana") if WORD in x.subject + x.text + x.html + str(x.message)]


def test_troubles_h1_a_planted_leak_is_seen(troyes: PbemTable, monkeypatch: pytest.MonkeyPatch) -> None:
    """The check above finds a note that would be shown to the whole table."""

    original = Play._note

    def shown(play: Play, game: Game, seat: Seat, text: str, said: str, now: datetime) -> Result:
        return original(play, game, dataclasses.replace(seat, name="Ben"), text, said, now)

    monkeypatch.setattr(Play, "_note", shown)
    post(troyes, "Ana", f"note {WORD}\r\npalace 1\r\n")
    assert [x for x in others(troyes, "Ana") if WORD in x.text]


def test_troubles_h3_no_letter_names_another_persons_address(tmp_path: Path) -> None:
    table = played(begun(tmp_path), 25)
    table.writes("Ben", "palace 1", to=table.last("Ana"), From="Ben <ben@example.org>")
    for person in (*PLAYERS, "Dora"):
        address = f"{person.lower()}@example.org"
        for letter in others(table, person):
            told = letter.kind == "code" and "another address" in letter.flat
            assert told or address not in str(letter.message), (person, letter.subject)
    table.close()


def test_troubles_h4_there_is_no_way_to_write_to_another_seat_by_mistake(troyes: PbemTable) -> None:
    before = len(others(troyes, "Ana"))
    for line in ("Turkey: attack me", "to b: hello", "B C: hello", "all: hello", "say: hello", "Ben, hello"):
        post(troyes, "Ana", f"{line} {WORD}\r\n")
    assert len(others(troyes, "Ana")) == before


def test_troubles_h4_an_announcement_needs_its_text_and_goes_to_the_named_table_only(
    troyes: PbemTable,
) -> None:
    before = letters_of(troyes)
    post(troyes, "Dora", "announce\r\n")
    post(troyes, "Dora", "announce:\r\n", troyes.letters("Dora")[0])
    assert letters_of(troyes) == before + 2
    assert not [x for x in others(troyes, "Dora") if "announce" in x.subject.casefold()]
    post(troyes, "Dora", f"announce: {WORD}\r\n-- \r\nmy private words\r\n", troyes.letters("Dora")[0])
    for person in PLAYERS:
        assert WORD in troyes.last(person).text
        assert "private words" not in troyes.last(person).text


def test_troubles_h5_subjects_say_public_things_alone(tmp_path: Path) -> None:
    table = played(begun(tmp_path), 40)
    hidden = secrets(table)
    for person in (*PLAYERS, "Dora"):
        for letter in table.letters(person):
            rest = letter.subject.removeprefix("[Troyes: The Long Winter] ")
            assert WORD not in rest
            assert not [name for name in hidden.values() if name in rest], rest
            assert re.fullmatch(
                r"(OK|OK so far|Part done: line \d+ was not|Not done: .*|Answer|News, .*|Preview|.*Your turn, .*"
                r"|You are invited to a game of Troyes|Welcome, \w+: you have joined|A question to you, .*"
                r"|OK\. .*|Part done: line \d+ was not\. .*|You moderate “The Long Winter”|You are asked, .*)",
                rest,
            ), rest
    table.close()


def test_troubles_h5_why_a_seat_is_late_or_silent_is_not_told_to_the_others(tmp_path: Path) -> None:
    table = PbemTable(tmp_path, setup_hours=10, grace_hours=2)
    table.begun(*PLAYERS, moderators=["Dora"], seed=SEED)
    post(
        table, "Ana", f"I am in hospital, {WORD}\r\n", Auto_Submitted="auto-replied", Subject=f"Away: {WORD}"
    )
    live(table, 14)
    assert "is late" in table.last("Dora").subject
    for person in ("Ben", "Carla", "Dora"):
        assert not [x for x in table.letters(person) if WORD in x.subject + x.text]
    table.close()


def test_troubles_h6_a_fault_tells_the_player_a_number_and_nobody_a_state(
    troyes: PbemTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    hidden = secrets(troyes)

    def broken(*_: object) -> None:
        raise ValueError(f"state: {hidden}")

    digest = troyes.last("Ana", "digest")
    monkeypatch.setattr(Play, "handle", broken)
    post(troyes, "Ana", "palace 1\r\n", digest)
    said = troyes.last("Ana").flat
    assert re.search(r"It is kept; number \d+\.", said)
    assert len(said) < 400
    assert "ValueError" not in said
    assert "ValueError in broken" in troyes.last("Dora").flat
    for letter in (troyes.last("Ana"), troyes.last("Dora")):
        assert not [name for name in hidden.values() if name in str(letter.message) + letter.text]


def test_troubles_h8_logs_and_views_of_one_seat_show_no_other_ones_secrets(tmp_path: Path) -> None:
    table = PbemTable(tmp_path)
    table.begun(*PLAYERS, moderators=["Dora"], observers=["Olga <olga@example.org>"], seed=SEED)
    hidden = secrets(table)
    played(table, 60)
    for person in PLAYERS:
        post(table, person, "log 400\r\nboard\r\nresend\r\nstatus\r\n", table.letters(person)[-1])
    table.clock.on(days=2)
    table.app.tick()
    post(table, "Dora", "log 400\r\nstatus\r\n", table.letters("Dora")[0])
    assert table.letters("Olga", "digest")
    assert table.game().state == "playing"
    for person, name in hidden.items():
        assert any(name in x.flat for x in table.letters(person))
        assert not [x.subject for x in others(table, person) if name in x.flat]
    table.close()
