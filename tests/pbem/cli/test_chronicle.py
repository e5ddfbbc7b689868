"""Chronicles carried between programs, and gone on with, on the command line (O-18, D-38)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pbem.app import open_app
from pbem.config import load
from tests.oath.chronicles import FIRST_GAME, HORDERS, KNOWN, NOT_STARTED, SECOND_GAME

UNWRITTEN = ("--option", "unwritten=play")


@pytest.mark.parametrize("string", KNOWN)
def test_each_known_string_comes_out_as_it_came_in(pbem: Any, string: str) -> None:
    Path("saved.txt").write_text(string + "\n")
    said = pbem("chronicle", "import", "saved.txt")
    assert said.status == 0
    title = said.out.split("“")[1].split("”")[0]
    assert pbem("chronicle", "export", title).out == string + "\n"
    assert pbem("chronicle", "export", title, "-o", "out.txt").status == 0
    assert Path("out.txt").read_text() == string + "\n"
    assert pbem("chronicle", "export", title, "-o", "out.txt").status == 1


@pytest.mark.parametrize(
    ("string", "why"),
    [
        (FIRST_GAME[:-9], "At character"),
        (FIRST_GAME[:60] + "Z" + FIRST_GAME[61:], "At character"),
        ("09" + FIRST_GAME[2:], "At character 1 of the save string"),
        (HORDERS.replace("6D76", "6D6D", 1), "twice"),
        ("", "At character 1"),
    ],
)
def test_a_string_that_cannot_be_is_refused_with_the_place(pbem: Any, string: str, why: str) -> None:
    Path("saved.txt").write_text(string)
    said = pbem("chronicle", "import", "saved.txt")
    assert said.status == 1
    assert why in said.err
    assert "Traceback" not in said.err
    assert pbem("chronicle", "export", "anything").status == 1


def test_files_that_are_no_strings_are_refused(pbem: Any) -> None:
    Path("noise.bin").write_bytes(b"\xff\xfe\x00")
    Path("long.txt").write_text("0" * 70_000)
    for name in ("noise.bin", "long.txt", "missing.txt"):
        said = pbem("chronicle", "import", name)
        assert (said.status, "Traceback" in said.err) == (1, False)
        assert name in said.err


def test_an_imported_chronicle_is_played_and_its_string_then_opens_a_seal(pbem: Any) -> None:
    Path("saved.txt").write_text(HORDERS)
    assert pbem("chronicle", "import", "saved.txt", "--title", "Horders").status == 0
    seats = ("--seats", "Ana <ana@example.org>, robot Ben")
    refused = pbem("next", "Horders", *seats)
    assert refused.status == 1
    assert "unwritten=play" in refused.err
    assert "nobody has played it here yet" in pbem("next", "Horders").err
    said = pbem("next", "Horders", *seats, *UNWRITTEN)
    assert said.status == 0
    assert "“Horders” is game 1" in said.out
    assert "has begun with it" in pbem("chronicle", "export", "Horders").err
    assert pbem("chronicle", "export", "Horders", "--unseal").out == HORDERS + "\n"
    app = open_app(load(Path("config.toml")))
    log = [row["kind"] for row in app.store.all("select kind from log order by id")]
    app.close()
    assert log[-1] == "unseal"


def test_the_page_of_a_campaign_that_was_not_played_here(pbem: Any) -> None:
    Path("saved.txt").write_text(SECOND_GAME)
    pbem("chronicle", "import", "saved.txt")
    said = pbem("show", "Benis the Dinosaur")
    assert said.status == 0
    assert "No game of it was played here yet." in said.out
    assert pbem("show", "Benis the Dinosaur", "--json").json["games"] == []


def test_a_chronicle_that_was_never_started_is_dealt_when_it_is_played(pbem: Any) -> None:
    Path("saved.txt").write_text(NOT_STARTED)
    said = pbem("chronicle", "import", "saved.txt")
    assert "there is no world deck" in said.out
    people = "Ana <ana@example.org>, robot Ben"
    assert pbem("next", "Empire and Exile", "--seats", people).status == 0
