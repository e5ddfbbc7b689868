"""`pbem upgrade` on the command line, and `pbem run` on a store that another version has left."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

import pytest

from pbem import __version__
from pbem.app import open_app
from pbem.config import load
from pbem.engine.games import GAMES
from pbem.runner import Lock
from pbem.writing import Cause

Pbem = Any
SCHEMA, RULING = GAMES["troyes"].schema, GAMES["troyes"].ruling


@pytest.fixture
def under_way(pbem: Pbem) -> Pbem:
    """Ana and Ben play; one of them is asked where a citizen shall stand."""
    seats = ("--seats", "Ana <ana@example.org>, Ben <ben@example.org>")
    assert pbem("new", "troyes", *seats, "--title", "Under Way").status == 0
    by_hand("update seat set answered = 'joined'")
    app = open_app(load(Path("config.toml")))
    with app.store.tx():
        app.joining.begin_if_all_are_here(app.games.get(1), Cause("test"), app.clock.now())
    app.close()
    return pbem


def by_hand(sql: str) -> None:
    """Somebody opens the store with another program; here it stands for what another version has left."""
    with sqlite3.connect("var/pbem.sqlite") as other:
        assert other.execute(sql).rowcount != 0
    other.close()


def test_nothing_is_under_way(finished: Pbem) -> None:
    said = finished("upgrade", "--check")
    assert (said.status, said.out) == (0, "No game is under way.\n")


def test_what_is_unchanged_is_told_with_its_numbers(under_way: Pbem) -> None:
    said = under_way("upgrade", "--check")
    assert said.status == 0
    assert said.out == f"Under Way: unchanged [written by {__version__}, schema {SCHEMA}, ruling {RULING}]\n"
    found = under_way("upgrade", "--check", "--json").json
    assert found["games"][0]["verdict"] == "unchanged"
    assert found["rulings"] == {}
    assert list(Path("var").glob(".upgrade-check-*")) == []


def test_a_check_leaves_an_older_store_to_the_version_that_serves_it(under_way: Pbem) -> None:
    by_hand("delete from _sqlite_migrations where name = 'pictures'")
    by_hand("drop table picture")
    assert under_way("upgrade", "--check").status == 0
    with sqlite3.connect("var/pbem.sqlite") as other:
        tables = {row[0] for row in other.execute("select name from sqlite_master")}
    other.close()
    assert "picture" not in tables


def test_what_is_changed_is_told_accepted_and_then_unchanged(under_way: Pbem) -> None:
    by_hand("update question set key = 'parley'")
    said = under_way("upgrade", "--check")
    assert said.status == 1
    assert "Under Way: another question: open would be “place” to " in said.out
    assert "1 of 1 games are not taken up as they stand: `pbem upgrade --accept`" in said.out
    assert under_way("upgrade", "--check", "--json").json["games"][0]["verdict"] == "another question"
    accepted = under_way("upgrade", "--accept")
    assert accepted.status == 0
    assert "1 of 1 games put in order; their players are told." in accepted.out
    assert under_way("upgrade", "--check").status == 0
    assert under_way("rebuild", "Under Way").status == 0


def test_a_game_that_cannot_be_loaded_is_set_aside(under_way: Pbem) -> None:
    by_hand("update step set saved = x'00'")
    assert under_way("upgrade", "--check").status == 1
    said = under_way("upgrade", "--accept")
    assert said.status == 1
    assert "1 of 1 cannot go on with this version; they wait" in said.out
    listed = under_way("games", "--json").json[0]
    assert (listed["state"], listed["where"]) == ("paused", "cannot be loaded; see pbem upgrade --check")


def test_serving_does_not_begin_before_the_games_are_in_order(under_way: Pbem) -> None:
    by_hand("update step set version = '0.0.1'")
    by_hand("update question set key = 'parley'")
    said = under_way("run")
    assert said.status == 1
    assert "does not take up “Under Way” as it stands" in said.err
    assert "pbem upgrade --accept" in said.err


def test_nothing_is_accepted_while_it_is_served(under_way: Pbem) -> None:
    lock = Lock(Path("var/run.lock"))
    said = under_way("upgrade", "--accept")
    lock.release()
    assert said.status == 1
    assert "another pbem run serves this store" in said.err


def test_one_of_the_two_must_be_said(under_way: Pbem) -> None:
    assert under_way("upgrade").status == 2
    assert under_way("upgrade", "--check", "--accept").status == 2


def test_there_must_be_a_store(pbem: Pbem) -> None:
    said = pbem("upgrade", "--check")
    assert said.status == 1
    assert "there is no store yet" in said.err
