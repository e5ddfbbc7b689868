"""Scenarios and the fuzzer on the command line."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pbem.fuzz import Failure, Report

Pbem = Any
GOOD = """
game = "troyes"
seats = ["Ana", "Ben"]
title = "money is counted"
commands = ["Ana: farm with y5 and y4"]
[arrange]
"Ana.dice" = "y5 y4"
"Ana.deniers" = 0
"grey.dice" = "w1"
[expect]
"Ana.deniers" = 4
"""


def test_a_scenario_passes_or_fails_with_the_difference(pbem: Pbem) -> None:
    Path("good.toml").write_text(GOOD)
    Path("bad.toml").write_text(GOOD.replace('"Ana.deniers" = 4', '"Ana.deniers" = 5'))
    said = pbem("scenario", "good.toml")
    assert said.status == 0, said.out
    assert "pass good.toml “money is counted”" in said.out
    said = pbem("scenario", "good.toml", "bad.toml")
    assert said.status == 1
    assert "Ana.deniers: expected 5, found 4" in said.out
    assert "1 of 2 scenarios passed" in said.out
    found = pbem("scenario", "good.toml", "bad.toml", "--json").json
    assert [one["passed"] for one in found] == [True, False]


def test_paths_may_be_written_without_quotes(pbem: Pbem) -> None:
    text = GOOD.replace('"Ana.deniers"', "Ana.deniers")
    assert text != GOOD
    Path("plain.toml").write_text(text)
    assert pbem("scenario", "plain.toml").status == 0


@pytest.mark.parametrize(
    ("change", "hint"),
    [
        (("game =", "gaem ="), "did you mean game"),
        (('"troyes"', '"chess"'), "there is: troyes, oath"),
        (("Ana.deniers", "Ana.deneirs"), "arrange.Ana.deneirs"),
        (('["Ana", "Ben"]', '["Ana"]'), "2, 3 or 4 players"),
        (('["Ana", "Ben"]', "7"), "seats"),
        (("[arrange]", "[arrange"), "not TOML"),
    ],
)
def test_a_scenario_that_is_not_understood_names_the_place(
    pbem: Pbem, change: tuple[str, str], hint: str
) -> None:
    Path("wrong.toml").write_text(GOOD.replace(*change, 1))
    said = pbem("scenario", "wrong.toml")
    assert said.status == 1
    assert hint in said.out
    assert "wrong.toml" in said.out


def test_a_misspelt_path_names_the_nearest(pbem: Pbem) -> None:
    Path("wrong.toml").write_text(GOOD.replace("Ana.deniers", "Ana.deneirs", 1))
    assert "known there: Ana.deniers" in pbem("scenario", "wrong.toml").out


def test_the_paths_are_listed(pbem: Pbem) -> None:
    said = pbem("scenario", "--paths", "troyes", "--seats", "Ana,Ben")
    assert said.status == 0
    assert "Ana.deniers" in said.out
    listed = pbem("scenario", "--paths", "troyes", "--json").json
    hidden = {row["path"] for row in listed if row["hidden"]}
    assert "A.characters" in hidden
    assert "2, 3 or 4" in pbem("scenario", "--paths", "troyes", "--seats", "Ana").err


def test_files_or_paths_are_needed(pbem: Pbem) -> None:
    assert pbem("scenario").status == 2
    assert "nothing.toml: cannot be read" in pbem("scenario", "nothing.toml").out


def test_the_fuzzer_ends_with_one_line(pbem: Pbem) -> None:
    said = pbem("fuzz", "troyes", "--games", "1", "--seats", "2", "--jobs", "1")
    assert said.status == 0
    last = said.out.splitlines()[-1]
    assert last.startswith("1 games, ")
    assert last.endswith("leaks 0, misfits 0, broken 0, status 0")


def test_a_failure_comes_with_the_command_that_repeats_it(
    pbem: Pbem, monkeypatch: pytest.MonkeyPatch
) -> None:
    failure = Failure(17, 3, "leak", "Ana sees …5…, not …6…", "decision 40, action")
    monkeypatch.setattr("pbem.fuzz.run", lambda *_: Report(1, 40, 20, 20, [failure]))
    said = pbem("fuzz", "troyes", "--games", "1")
    assert said.status == 1
    assert "pbem fuzz troyes --games 1 --seats 3 --seed 17 --jobs 1" in said.out
    assert said.out.splitlines()[-1].endswith("leaks 1, misfits 0, broken 0, status 1")
    found = pbem("fuzz", "troyes", "--games", "1", "--json")
    assert found.json["failures"][0]["seed"] == 17


@pytest.mark.parametrize("seats", ["5", "2,x", "", "2;3"])
def test_seats_that_a_game_does_not_have(pbem: Pbem, seats: str) -> None:
    said = pbem("fuzz", "troyes", "--seats", seats)
    assert said.status == 2
    assert "2,3,4" in said.err
