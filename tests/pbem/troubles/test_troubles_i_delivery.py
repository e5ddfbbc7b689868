"""Delivery and display of our own letters."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.config import Mail
from pbem.ports import Fetched
from pbem.writing import BUDGET

from ..table import Letter, PbemTable
from ..test_clocks import live
from .hand import PLAYERS, begun, post
from .test_troubles_h_secrets import played


def every(table: PbemTable) -> list[Letter]:
    return [x for p in (*PLAYERS, "Dora") for x in table.letters(p)]


def test_troubles_i1_letters_have_what_filters_want(tmp_path: Path) -> None:
    table = played(begun(tmp_path), 15)
    seen = every(table)
    assert len({str(x.message["from"]) for x in seen}) == 1
    for letter in seen:
        assert len(letter.text.strip()) > 40
        assert letter.message["list-id"]
        assert str(letter.message["list-unsubscribe"]).strip().startswith("<mailto:")
        assert letter.message["message-id"].endswith("@pbem.example.org>")
        assert letter.message["auto-submitted"] in ("auto-generated", "auto-replied")
        assert letter.message["precedence"] is None
    table.close()


def test_troubles_i1_a_seat_that_answers_nothing_raises_an_alarm(tmp_path: Path) -> None:
    table = PbemTable(tmp_path, setup_hours=10, grace_hours=2, default="wait")
    table.begun(*PLAYERS, moderators=["Dora"])
    (who,) = table.asked()
    live(table, 14)
    assert len(table.letters(who, "reminder")) == 2
    assert f"{who} is late" in table.last("Dora").subject
    table.close()


def test_troubles_i2_letters_stay_below_80_kb_with_the_menu_at_the_top(tmp_path: Path) -> None:
    table = played(begun(tmp_path), 60)
    for _ in range(3):
        who = table.asked()[0]
        post(
            table,
            who,
            "note " + "long words " * 90 + "\r\n" + "log 400\r\n" * 3 + "resend\r\n",
            table.letters(who)[-1],
        )
    asking = [x for x in every(table) if "WHAT YOU MAY WRITE" in x.text and x.kind == "digest"]
    assert asking
    for letter in every(table):
        assert max(len(letter.text.encode()), len(letter.html.encode())) <= BUDGET
        assert 'src="data:' not in letter.html
    for letter in asking:
        assert 0 < letter.text.index("WHAT YOU MAY WRITE") < 600
        assert letter.text.index("WHAT YOU MAY WRITE") < letter.text.index("THE BOARD")
    table.close()


def test_troubles_i3_letters_wait_while_the_post_is_closed_and_the_clock_stands(troyes: PbemTable) -> None:
    outbox = troyes.app.outbox
    waiting = outbox.waiting()
    assert waiting == len(outbox.due(troyes.clock.at, 10_000)) > 0
    due = troyes.app.games.open_questions(1)[0].due
    with troyes.app.store.tx():
        troyes.app.store.run("update outbox set tries = 0")
        for letter in outbox.due(troyes.clock.at, 10_000):
            outbox.later(letter.id, "535 authentication failed", troyes.clock.at)
    assert outbox.due(troyes.clock.at, 10_000) == []
    assert outbox.waiting() == waiting
    troyes.app.watch.polled(troyes.clock.at)
    troyes.clock.on(hours=8)
    troyes.app.watch.polled(troyes.clock.at)
    moved = troyes.app.games.open_questions(1)[0].due
    assert due is not None
    assert moved is not None
    assert (moved - due).total_seconds() == 8 * 3600
    assert outbox.waiting() == len(outbox.due(troyes.clock.at, 10_000))


@pytest.mark.parametrize("receipts", [0, 2])
def test_troubles_i5_each_question_that_is_asked_has_a_letter_whatever_the_limits(
    tmp_path: Path, receipts: int
) -> None:
    table = PbemTable(tmp_path, mail=Mail(receipts_per_hour=receipts))
    table.begun(*PLAYERS, moderators=["Dora"])
    for n in range(30):
        asked = table.app.games.table(table.game()).open
        for who in asked:
            row = table.app.store.one(
                "select d.n from digest d join question q on q.id = d.question where q.closed is null and q.seat = ?",
                who,
            )
            assert row is not None, f"{who} was never told"
            assert [x for x in table.letters(who) if x.message["x-pbem-digest"] == str(row["n"])]
        who = next(iter(asked))
        raw = table.answer(who, f"{1 + n % 2}", to=table.letters(who)[-1])
        table.app.take(Fetched(f"i5:{n}", raw, table.clock.at))
        if table.asked() == [who] and not table.app.games.answers(1):
            break
    assert len(table.app.games.answers(1)) >= 12
    table.close()
