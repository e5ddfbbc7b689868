"""Exports, proofs and backups on the command line."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

Pbem = Any


def test_a_finished_game_is_exported_and_checked(finished: Pbem) -> None:
    said = finished("export", "Robots")
    assert said.status == 0
    assert "Robots.zip" in said.out
    assert finished("export", "--check", "Robots.zip").out.endswith("sound\n")
    assert finished("export", "Robots", "-o", "other.zip", "--json").json["facts"] > 0
    again = finished("export", "Robots")
    assert again.status == 1
    assert "-o" in again.err


def test_an_export_that_was_changed_is_refused(finished: Pbem) -> None:
    finished("export", "Robots")
    place = Path("Robots.zip")
    place.write_bytes(place.read_bytes()[:-300])
    said = finished("export", "--check", "Robots.zip")
    assert said.status == 1
    assert "Robots.zip" in said.err


def test_a_live_game_is_not_exported(pbem: Pbem) -> None:
    pbem("new", "troyes", "--seats", "Ana <ana@example.org>, Ben <ben@example.org>")
    said = pbem("export", "1")
    assert said.status == 1
    assert "when it has ended" in said.err
    assert pbem("export").status == 2


def test_games_are_proved(finished: Pbem) -> None:
    assert finished("rebuild", "Robots").out.endswith("proved\n")
    found = finished("rebuild", "--all", "--json")
    assert found.status == 0
    assert found.json[0]["proved"]
    assert finished("rebuild").status == 2
    assert finished("rebuild", "Robots", "--all").status == 2


def test_a_title_in_brackets_is_a_title(pbem: Pbem) -> None:
    for name in ("A", "B"):
        assert (
            pbem(
                "new", "troyes", "--robot", f"{name}1", "--robot", f"{name}2", "--title", f"[/{name}]"
            ).status
            == 0
        )
    assert "[/A]" in pbem("games").out
    assert "[/B]: " in pbem("rebuild", "--all").out


def test_what_does_not_fit_is_told_with_its_place(finished: Pbem) -> None:
    with sqlite3.connect("var/pbem.sqlite") as other:
        row = other.execute("select id, step from answer where key = 'place' limit 1").fetchone()
        other.execute("update answer set pick = 'nowhere' where id = ?", (row[0],))
    other.close()
    said = finished("rebuild", "Robots")
    assert said.status == 1
    assert f"Robots, step {row[1]}, answer {row[0]}:" in said.out
    found = finished("rebuild", "Robots", "--json")
    assert found.status == 1
    assert found.json[0]["faults"][0]["answer"] == row[0]


def test_a_game_that_has_not_begun_has_nothing_to_prove(pbem: Pbem) -> None:
    pbem("new", "troyes", "--seats", "Ana <ana@example.org>, Ben <ben@example.org>")
    assert "has not begun" in pbem("rebuild", "1").err
    assert pbem("rebuild", "--all").out == "No game has begun yet.\n"


def test_backups_are_whole_and_replace_nothing(finished: Pbem) -> None:
    assert finished("backup").status == 0
    assert len(list(Path("var/backups").glob("*.sqlite"))) == 1
    said = finished("backup", "copies/mine.sqlite")
    assert said.status == 0
    assert "checked" in said.out
    again = finished("backup", "copies/mine.sqlite")
    assert again.status == 1
    assert "left alone" in again.err
    Path("config.toml").write_text('[store]\npath = "copies/mine.sqlite"\n')
    assert finished("rebuild", "--all").status == 0


def test_a_place_where_no_backup_can_be_written(finished: Pbem) -> None:
    Path("file").write_text("in the way")
    said = finished("backup", "file/copy.sqlite")
    assert said.status == 1
    assert "file" in said.err
