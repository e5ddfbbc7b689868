"""Stored games are played again from their answers; whatever was altered by hand is found."""

from __future__ import annotations

import json
import random
import sqlite3
from collections.abc import Callable
from typing import Any

import pytest

from pbem.engine.core.testing import random_answer
from pbem.rebuild import Proof, prove
from pbem.store.games import pack, unpack
from pbem.writing import Cause

from .table import PbemTable


def play_on(table: PbemTable, answers: int, seed: int = 1) -> None:
    """People answer at random, as often as that; written down as the pipeline does it."""
    rng = random.Random(seed)
    app = table.app
    for _ in range(answers):
        game = table.game()
        live = app.games.table(game)
        if live.over:
            return
        seat, ask = next(iter(live.open.items()))
        with app.store.tx():
            live.answer(seat, random_answer(ask, rng))
            cause = Cause(f"t{game.revision}")
            app.moves.settle(game, live, cause, table.clock.now(), app.games.seat(game.id, seat))


@pytest.fixture(autouse=True)
def _the_same_dice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pbem.joining.secrets.token_bytes", lambda n: b"d" * n)


@pytest.fixture
def played(table: PbemTable) -> PbemTable:
    """A game of two under way."""
    table.begun("Ana", "Ben", moderators=["Mo"])
    play_on(table, 30)
    return table


def proof(table: PbemTable) -> Proof:
    return prove(table.app.games, table.game())


def by_hand(table: PbemTable, sql: str, *values: Any) -> None:
    """Somebody opens the database with another program."""
    table.sound = False
    with sqlite3.connect(table.path) as other:
        assert other.execute(sql, values).rowcount == 1
    other.close()


def test_a_game_under_way_is_proved(played: PbemTable) -> None:
    found = proof(played)
    assert found.faults == []
    assert found.steps > 10
    assert found.answers >= 30
    assert found.facts > 20
    assert found.from_seed == found.rolls > 3


def test_a_finished_game_is_proved_and_progress_is_told(table: PbemTable) -> None:
    table.new(robots={"Ana": "random", "Ben": "random"})
    seen: list[tuple[int, int]] = []
    found = prove(table.app.games, table.game(), lambda done, all: seen.append((done, all)))
    assert found.faults == []
    assert table.game().state == "over"
    assert seen[-1] == (found.steps, found.steps)


def test_a_game_with_undone_answers_is_proved(table: PbemTable) -> None:
    table.begun("Ana", "Ben", moderators=["Mo"])
    undone = 0
    for n in range(12):
        asked = table.asked()[0]
        play_on(table, 1, seed=n)
        if n % 2:
            undone += table.writes(asked, "undo").reason == "changed"
    assert undone
    assert proof(table).faults == []


def test_a_line_taken_back_out_of_a_mail_leaves_the_facts_of_the_others(table: PbemTable) -> None:
    """The lines of a mail are written down together; only the last one's facts may go with it."""
    table.begun("Ana", "Ben")
    app = table.app
    while table.app.games.table(table.game()).open[table.asked()[0]].key != "action":
        play_on(table, 1)
    other = table.asked()[0]
    assert table.writes(other, "pass").reason == "changed"
    game, who = table.game(), table.asked()[0]
    assert who != other
    live = app.games.table(game)
    with app.store.tx():
        for seed in (1, 2):
            live.answer(who, random_answer(live.open[who], random.Random(seed)))
        app.moves.settle(game, live, Cause("one mail"), table.clock.now(), app.games.seat(game.id, who))
    assert table.asked() == [who]
    assert table.writes(who, "undo").reason == "changed"
    assert proof(table).faults == []


def test_a_rewound_game_is_proved_and_its_new_dice_are_too(played: PbemTable) -> None:
    game = played.game()
    assert played.app.moderate(game, "rewind to 12").good
    assert played.app.moderate(played.game(), "confirm").good
    play_on(played, 20, seed=2)
    found = proof(played)
    assert found.faults == []
    assert played.game().epoch == 1
    assert found.from_seed == found.rolls > 3


def test_corrections_are_proved_too(played: PbemTable) -> None:
    for value in (17, 18):
        ruling = played.app.moderate(
            played.game(), f"correct Ana.deniers = {value} because it was miscounted"
        )
        assert ruling.good
        if "confirm" in played.app.writer.say(played.app.people.everybody()[0], ruling.said[-1]):
            assert played.app.moderate(played.game(), "confirm").good
    play_on(played, 3, seed=3)
    found = proof(played)
    assert found.faults == []
    assert found.corrections == 2


def test_a_correction_altered_by_hand_is_found(played: PbemTable) -> None:
    said = played.app.moderate(played.game(), "correct Ana.deniers = 17 because it was miscounted").said
    if len(said) > 1:
        played.app.moderate(played.game(), "confirm")
    row = played.app.store.one("select id, data from log where kind = 'correct'")
    assert row is not None
    played.sound = False
    with sqlite3.connect(played.path) as other:
        data = {**json.loads(row["data"]), "value": 16}
        other.execute("update log set data = ? where id = ?", (json.dumps(data), row["id"]))
    other.close()
    assert "correction" in proof(played).faults[0].what


def nth(table: PbemTable, sql: str) -> sqlite3.Row:
    rows = table.app.store.all(sql)
    found: sqlite3.Row = rows[len(rows) // 2]
    return found


def alter_pick(table: PbemTable) -> int:
    row = nth(table, "select id, step, pick from answer where key = 'place' and void is null")
    by_hand(table, "update answer set pick = 'nowhere' where id = ?", row["id"])
    return int(row["step"])


def alter_pick_lawfully(table: PbemTable) -> int:
    """An answer that was open too, but was not given."""
    row = nth(table, "select id, step from answer where key = 'action' and pick <> 'pass' and void is null")
    by_hand(table, "update answer set pick = 'pass' where id = ?", row["id"])
    return int(row["step"])


def alter_seat(table: PbemTable) -> int:
    row = nth(table, "select id, step, seat from answer where seat <> 'dice' and void is null")
    by_hand(
        table, "update answer set seat = ? where id = ?", "Ben" if row["seat"] == "Ana" else "Ana", row["id"]
    )
    return int(row["step"])


def alter_key(table: PbemTable) -> int:
    row = nth(table, "select id, step from answer where seat <> 'dice' and void is null")
    by_hand(table, "update answer set key = 'bid' where id = ?", row["id"])
    return int(row["step"])


def alter_dice(table: PbemTable) -> int:
    row = nth(table, "select id, step from answer where seat = 'dice' and key like '%dice%' and void is null")
    by_hand(table, "update answer set pick = '9 9' where id = ?", row["id"])
    return int(row["step"])


def lose_answer(table: PbemTable) -> int:
    row = nth(table, "select id, step from answer where seat <> 'dice' and void is null")
    by_hand(table, "update answer set void = 999 where id = ?", row["id"])
    return int(row["step"])


def alter_checkpoint(table: PbemTable) -> int:
    row = nth(table, "select id, n, saved from step where void is null")
    saved = unpack(row["saved"])
    saved["round"] = saved["round"] + 1
    by_hand(table, "update step set saved = ? where id = ?", pack(saved), row["id"])
    return int(row["n"])


def break_checkpoint(table: PbemTable) -> int:
    row = nth(table, "select id, n, saved from step where void is null")
    by_hand(table, "update step set saved = ? where id = ?", bytes(row["saved"])[:20], row["id"])
    return int(row["n"])


def lose_checkpoint(table: PbemTable) -> int:
    row = nth(table, "select id, n from step where void is null")
    by_hand(table, "update step set void = 999 where id = ?", row["id"])
    return int(row["n"])


def alter_fact(table: PbemTable) -> int:
    row = nth(table, "select id, step from fact where void is null and data like '%\"Ana\"%'")
    by_hand(table, "update fact set data = replace(data, '\"Ana\"', '\"Ben\"') where id = ?", row["id"])
    return int(row["step"])


def lose_fact(table: PbemTable) -> int:
    row = nth(table, "select id, step from fact where void is null")
    by_hand(table, "update fact set void = 999 where id = ?", row["id"])
    return int(row["step"])


@pytest.mark.parametrize(
    "alter",
    [
        alter_pick,
        alter_pick_lawfully,
        alter_seat,
        alter_key,
        alter_dice,
        lose_answer,
        alter_checkpoint,
        break_checkpoint,
        lose_checkpoint,
        alter_fact,
        lose_fact,
    ],
)
def test_what_was_altered_by_hand_is_found_at_its_place(
    played: PbemTable, alter: Callable[[PbemTable], int]
) -> None:
    step = alter(played)
    faults = proof(played).faults
    assert faults
    assert min(f.step for f in faults) in (step, step + 1)
    assert all(f.what for f in faults)


def test_an_altered_seed_shows_in_the_rolls(played: PbemTable) -> None:
    by_hand(played, "update game set seed = ? where id = 1", b"x" * 32)
    found = proof(played)
    assert found.faults == []
    assert found.from_seed < found.rolls


def test_another_setup_shows_in_the_first_checkpoint(played: PbemTable) -> None:
    by_hand(played, "update game set seats = ? where id = 1", '["Ben", "Ana"]')
    assert proof(played).faults[0].step == 0


def test_an_altered_open_question_is_found(played: PbemTable) -> None:
    by_hand(played, "update question set key = 'bid' where closed is null")
    assert "questions" in proof(played).faults[0].what
