"""A whole game by real mail between processes, and the proof of it afterwards."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from pbem.engine.games import GAMES
from pbem.rebuild import prove
from pbem.store.db import Store
from pbem.store.games import Games

PATIENCE = 120


def watched(folder: Path, *more: str) -> subprocess.CompletedProcess[str]:
    words = ("--watch", "--port", "0", "--smtp-port", "0", "--seed", "7", "--folder", str(folder), *more)
    return subprocess.run(
        [sys.executable, "-c", "from pbem.cli import main; main()", "demo", *words],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )


def test_robots_play_a_game_by_mail_to_its_end(tmp_path: Path) -> None:
    done = watched(tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    last = done.stdout.splitlines()[-1]
    counts = re.fullmatch(r"demo: finished, (\d+) mails in, (\d+) mails out, 0 failed", last)
    assert counts
    came, went = map(int, counts.groups())
    assert came > 50
    assert went > came
    rounds = re.findall(r"Round (\d) of \d", done.stdout)  # as often as it looks: robots are quick
    assert rounds == sorted(rounds)
    assert len(set(rounds)) > 1
    assert re.search(r"^ +1\. \w+: \d+ VP$", done.stdout, re.M)
    store = Store(tmp_path / "pbem.sqlite")
    try:
        games = Games(store, GAMES)
        (game,) = games.every()
        proof = prove(games, game)
    finally:
        store.close()
    assert [str(fault) for fault in proof.faults] == []
    assert proof.rolls == proof.from_seed > 0


def test_robots_play_oath_through_the_chronicle_into_the_second_game(tmp_path: Path) -> None:
    done = watched(tmp_path, "oath", "--seats", "2")
    assert (done.returncode, done.stderr) == (0, "")
    assert re.fullmatch(
        r"demo: finished, \d+ mails in, \d+ mails out, 0 failed", done.stdout.splitlines()[-1]
    )
    assert re.search(r"Game 1, Oath of Supremacy: \w+, \w+ \w+, has won in round \d", done.stdout)
    assert re.search(r"Sworn next: Oath of (?!Supremacy)", done.stdout)
    store = Store(tmp_path / "pbem.sqlite")
    try:
        games = Games(store, GAMES)
        first, second = games.every()
        faults = [str(fault) for game in (first, second) for fault in prove(games, game).faults]
        assert games.table(second).g.round >= 1
    finally:
        store.close()
    assert (first.state, second.state) == ("over", "playing")
    assert faults == []


def test_a_folder_is_played_in_once(tmp_path: Path) -> None:
    (tmp_path / "pbem.sqlite").touch()
    done = watched(tmp_path)
    assert done.returncode == 1
    assert done.stderr == (
        f"pbem: a demo was played in {tmp_path} before; name another folder, or remove this one\n"
    )


@pytest.mark.parametrize("seats", ["1", "5"])
def test_troyes_is_for_two_to_four(seats: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", "from pbem.cli import main; main()", "demo", "--seats", seats],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert done.returncode == 1
    assert done.stderr == f"pbem: Troyes is for 2 to 4 players, not {seats}\n"
