"""A moderator at work by mail: every act is told, logged, and the game can still be proved."""

from __future__ import annotations

import os
import random
from pathlib import Path

from pbem.engine.core.testing import random_answer
from pbem.engine.core.text import english
from pbem.rebuild import prove

from .table import Letter, PbemTable

GOLDEN = Path(__file__).with_name("golden") / "moderating.txt"


def plays(table: PbemTable, who: str, seed: int = 1) -> str:
    """Whoever is asked answers with the first open option that needs no thought."""
    ask = table.app.games.table(table.game()).open[who]
    pick = random_answer(ask, random.Random(seed))
    line = english(ask.menu.find(pick).said(pick))
    table.writes(who, line)
    return line


def until_actions(table: PbemTable) -> None:
    """Play the set-up and the first fights, until somebody has the turn."""
    n = 0
    while True:
        asks = table.app.games.table(table.game()).open
        who, ask = next(iter(asks.items()))
        if ask.key == "action":
            return
        n += 1
        plays(table, who, n)


def transcript(table: PbemTable) -> str:
    """Every letter to the moderator and every notice to the others, without the board."""
    rows = table.app.store.all("select recipient, kind, raw from outbox order by id")
    parts = []
    for row in rows:
        if row["kind"] not in ("notice",) and not row["recipient"].startswith("dora"):
            continue
        letter = Letter(bytes(row["raw"]))
        text = letter.text.replace("\r", "").split("\nTHE BOARD")[0]
        parts.append(f"To: {row['recipient']}\nSubject: {letter.subject}\n\n{text.strip()}\n")
    return ("\n" + "-" * 40 + "\n").join(parts)


def test_pausing_stops_the_clock_and_orders(table: PbemTable) -> None:
    table.begun("Ana", "Ben", moderators=["Dora"])
    who = table.asked()[0]
    due = table.app.games.open_questions(1)[0].due
    assert due is not None
    table.writes("Dora", "pause")
    assert "The table is paused" in table.last(who).flat
    table.writes(who, "palace 1")
    assert "paused by its moderator" in table.last(who, "receipt").flat
    table.clock.on(hours=10)
    table.writes("Dora", "resume")
    assert "Deadlines have moved" in table.letters(who, "notice")[-1].flat
    later = table.app.games.open_questions(1)[0].due
    assert later is not None
    assert (later - due).total_seconds() == 36_000
    table.writes(who, "palace 1")
    assert "palace 1: done" in table.last(who, "receipt").text


def test_extending_moves_one_deadline(table: PbemTable) -> None:
    table.begun("Ana", "Ben", moderators=["Dora"])
    who = table.asked()[0]
    before = table.app.games.open_questions(1)[0].due
    table.writes("Dora", f"extend {who.lower()} by 2 days")
    after = table.app.games.open_questions(1)[0].due
    assert before is not None
    assert after is not None
    assert (after - before).days == 2
    assert "may now answer until Sunday 6 December, 09:00, UTC time" in table.last("Dora", "receipt").flat


def test_answering_for_a_silent_player_tells_them(table: PbemTable) -> None:
    table.begun("Ana", "Ben", moderators=["Dora"])
    who = table.asked()[0]
    table.writes("Dora", f"answer for {who}: palace 6")
    assert "Your moderator has answered for you: palace 6" in " ".join(
        x.flat for x in table.letters(who, "notice")
    )
    assert table.asked() != [who]


def test_a_refused_answer_changes_nothing(table: PbemTable) -> None:
    table.begun("Ana", "Ben", moderators=["Dora"])
    who = table.asked()[0]
    table.writes("Dora", f"answer for {who}: palace 77")
    assert "NOT DONE" in table.last("Dora", "receipt").text
    assert table.asked() == [who]


def test_rewinding_shows_the_difference_and_waits_for_confirm(table: PbemTable) -> None:
    table.begun("Ana", "Ben", moderators=["Dora"])
    first = table.asked()[0]
    table.writes(first, "palace 1")
    table.writes(table.asked()[0], "palace 3")
    table.writes("Dora", "rewind to 1")
    said = table.last("Dora", "receipt").flat
    assert "Rewinding to 1 would take back" in said
    assert "palace.1" in said
    assert len(table.app.games.answers(1)) == 2
    table.writes("Dora", "confirm")
    assert table.app.games.answers(1) == []
    assert table.asked() == [first]
    assert "taken back to answer 1" in " ".join(x.flat for x in table.letters("Ana", "notice"))


def test_confirm_is_refused_when_the_game_has_moved_on(table: PbemTable) -> None:
    table.begun("Ana", "Ben", moderators=["Dora"])
    table.writes(table.asked()[0], "palace 1")
    table.writes("Dora", "rewind to 1")
    table.writes(table.asked()[0], "palace 3")
    table.writes("Dora", "confirm")
    assert "the game has moved on meanwhile" in table.last("Dora", "receipt").flat
    assert len(table.app.games.answers(1)) == 2


def test_a_correction_is_announced_with_its_reason(table: PbemTable) -> None:
    table.begun("Ana", "Ben", moderators=["Dora"])
    table.writes("Dora", "correct Ana.deniers = 9 because we miscounted")
    told = " ".join(x.flat for x in table.letters("Ben", "notice"))
    assert "Ana.deniers was corrected from 5 to 9, because we miscounted" in told
    assert (
        table.app.games.table(table.game()).rules.read(table.app.games.table(table.game()).g, "Ana.deniers")
        == 9
    )


def test_what_cannot_be_corrected_is_refused_with_the_reason(table: PbemTable) -> None:
    table.begun("Ana", "Ben", moderators=["Dora"])
    for line, why in (
        ("correct Ana.denirs = 9 because typo", "Ana.deniers"),
        ("correct Ana.vp = 9 because I want", "hidden while the game is sealed"),
        ("correct Ana.deniers = many because I want", "NOT DONE"),
        ("correct palace.1 = Zoe because I want", "NOT DONE"),
        ("correct Ana.deniers = 9", "correct ben.deniers = 12 because"),
    ):
        table.writes("Dora", line)
        assert why in table.last("Dora", "receipt").flat, line
    assert prove(table.app.games, table.game()).faults == []


def test_slips_of_a_moderator_are_explained(table: PbemTable) -> None:
    table.begun("Ana", "Ben", moderators=["Dora"])
    for line, why in (
        ("extned ana by 2 days", "extend ben by 2 days"),
        ("extend zoe by 2 days", "there are Ana and Ben"),
        ("extend ana by 99999999999999 days", "a deadline moves by a minute at least, and a year at most"),
        ("extend ana by 0 days", "a deadline moves by a minute at least, and a year at most"),
        (f"rewind to {10**20}", f"{10**20} is too large a number here"),
        (f"log {10**400}", "is too large a number here"),
        (f"correct ana.deniers = {10**20} because of nothing", "NOT DONE"),
        ("rewind to 99", "NOT DONE"),
        ("resume", "not paused"),
        ("confirm", "nothing to confirm"),
        ("help", "announce: we go on"),
    ):
        table.writes("Dora", line)
        assert why in table.last("Dora", "receipt").flat, line


def test_a_whole_evening_of_moderating(table: PbemTable) -> None:
    """The golden conversation: pause, correct, rewind past a roll, answer for somebody, extend; then the proof."""
    table.begun("Ana", "Ben", "Carla", moderators=["Dora"], seed=bytes(32))
    table.writes("Dora", "join", to=table.letters("Dora")[0])
    until_actions(table)
    answers = len(table.app.games.answers(1))
    table.writes("Dora", "pause")
    table.writes("Dora", "correct Ana.deniers = 30 because the bank paid twice")
    table.writes("Dora", "resume")
    silent = table.asked()[0]
    table.writes("Dora", f"answer for {silent}: pass")
    table.writes("Dora", f"extend {table.asked()[0]} by 1 day")
    table.writes("Dora", f"remind {table.asked()[0]}")
    table.writes("Dora", f"rewind to {answers - 1}")
    rolls = table.app.store.one("select count(*) from answer where seat = 'dice' and void is null")
    table.writes("Dora", "confirm")
    assert rolls is not None
    table.writes("Dora", "rewnd to 3")
    table.writes("Dora", "announce: sorry for the mess, on we go")
    until_actions(table)
    assert prove(table.app.games, table.game()).faults == []
    said = transcript(table)
    if os.environ.get("PBEM_GOLDEN"):
        GOLDEN.parent.mkdir(exist_ok=True)
        GOLDEN.write_text(said, encoding="utf-8")
    assert said == GOLDEN.read_text(encoding="utf-8")
