"""Whatever goes wrong, the host reads a sentence and never a traceback."""

from __future__ import annotations

import importlib
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from pbem.cli import errors
from pbem.engine.core.table import Entry, Misfit

Pbem = Any


def test_every_known_error_exists() -> None:
    for name in [*errors.KNOWN, errors.MISFIT]:
        module, _, kind = name.rpartition(".")
        assert issubclass(getattr(importlib.import_module(module), kind), Exception)


@pytest.mark.parametrize(
    ("content", "hint"),
    [
        ("[mail]\nsorce = 'imap'\n", "did you mean source"),
        ("[mail\n", "not TOML"),
        ("[table]\nzone = 'Mars/Phobos'\n", "Europe/Lisbon"),
    ],
)
def test_a_wrong_configuration(pbem: Pbem, content: str, hint: str) -> None:
    Path("wrong.toml").write_text(content)
    for command in (("games",), ("run",), ("backup",), ("rebuild", "--all")):
        said = pbem(*command, "--config", "wrong.toml")
        assert said.status == 1
        assert said.err.startswith("pbem: wrong.toml")
        assert hint in said.err
        assert len(said.err.splitlines()) == 1


def test_a_configuration_that_is_not_there(pbem: Pbem) -> None:
    said = pbem("games", "--config", "nothing.toml")
    assert said.status == 1
    assert "nothing.toml: there is no such file; `pbem init` writes one" in said.err
    Path("config.toml").unlink()
    said = pbem("games")
    assert "config.toml: there is no such file, so the defaults hold" in said.err


def test_a_store_that_is_not_there(pbem: Pbem) -> None:
    said = pbem("games")
    assert said.status == 1
    assert "there is no store yet" in said.err
    assert not Path("var/pbem.sqlite").exists()


@pytest.mark.parametrize("content", [b"not a database " * 300, b"SQLite format 3\0" + b"\xff" * 4080])
def test_a_store_that_is_damaged_is_left_as_it_is(pbem: Pbem, content: bytes) -> None:
    Path("var").mkdir()
    Path("var/pbem.sqlite").write_bytes(content)
    for command in (("games",), ("run",), ("show", "1"), ("backup",)):
        said = pbem(*command)
        assert said.status == 1
        assert "var/pbem.sqlite" in said.err
        assert "backup" in said.err
    assert Path("var/pbem.sqlite").read_bytes() == content


def test_somebody_elses_database(pbem: Pbem) -> None:
    Path("var").mkdir()
    with sqlite3.connect("var/pbem.sqlite") as other:
        other.execute("create table recipes (name text)")
    other.close()
    said = pbem("games")
    assert said.status == 1
    assert "store.path" in said.err


def test_a_fault_of_the_program_is_written_down(pbem: Pbem, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: Any) -> Any:
        raise ZeroDivisionError("planted")

    pbem("new", "troyes", "--robot", "Ana", "--robot", "Ben")
    monkeypatch.setattr("pbem.store.games.Games.every", broken)
    said = pbem("games")
    assert said.status == 1
    assert len(said.err.splitlines()) == 1
    assert "var/pbem-fault.txt" in said.err
    assert "planted" in Path("var/pbem-fault.txt").read_text()


def test_a_fault_that_cannot_be_written_down(pbem: Pbem) -> None:
    Path("config.toml").write_text('[store]\npath = "file/pbem.sqlite"\n')
    Path("file").write_text("in the way")
    sentence = errors.written_down(ValueError("planted"), ["games", "--config=config.toml"])
    assert "could not be written" in sentence


def test_answers_that_do_not_fit_the_rules_lead_to_rebuild() -> None:
    misfit = Misfit(Entry(3, "", 0, "Ana", "place", "palace 1"), "open is “bid”")
    assert "pbem rebuild" in (errors.explained(misfit) or "")


def test_a_store_that_breaks_later_leads_to_the_doctor() -> None:
    broken = sqlite3.OperationalError("disk I/O error")
    assert "pbem doctor" in (errors.explained(broken) or "")


def test_help_loads_nothing_heavy() -> None:
    """The runner is started again and again; what a command does not need is not loaded for it."""
    code = (
        "import sys, pbem.cli.app; "
        "print([m for m in ('jinja2', 'babel', 'sqlite_utils', 'lark', 'pbem.app', 'asyncio') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_the_systems_own_errors_name_the_file() -> None:
    assert errors.explained(PermissionError(13, "Permission denied", "var/x")) == "var/x: Permission denied"
    assert errors.explained(ValueError("?")) is None


def test_usage_is_told_with_status_2(pbem: Pbem) -> None:
    for words in (("gaems",), ("games", "--jsn"), ("backup", "a", "b")):
        assert pbem(*words).status == 2
    assert pbem("--help").status == 0
    assert "doctor" in pbem("--help").out


def test_init_writes_once(pbem: Pbem) -> None:
    said = pbem("init")
    assert said.status == 1
    assert "left alone" in said.err
    assert pbem("init", "--path", "deep/mine.toml").status == 0
    assert "[mail]" in Path("deep/mine.toml").read_text()
    assert pbem("new", "troyes", "--robot", "A", "--robot", "B", "--config", "deep/mine.toml").status == 0


def test_the_doctor_on_the_command_line(pbem: Pbem) -> None:
    said = pbem("doctor", "--wait", "5")
    assert said.status == 0
    assert "All is well" in said.out
    assert pbem("doctor", "--json").json["well"]
    Path("config.toml").write_text("[mail]\nsource = 'imap'\n")
    said = pbem("doctor")
    assert said.status == 1
    assert "imap.host" in said.out


def test_a_level_that_is_none(pbem: Pbem) -> None:
    said = pbem("run", "--log", "loud")
    assert said.status == 2
    assert "warning" in said.err


def test_the_demo_gets_its_options(pbem: Pbem, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: dict[str, Any] = {}

    def run(rules: Any, **options: Any) -> int:
        seen.update(options, game=rules.name)
        return 3

    monkeypatch.setattr("pbem.demo.demo.run", run)
    said = pbem("demo", "--watch", "--seats", "4", "--seed", "7", "--port", "0", "--smtp-port", "0")
    assert said.status == 3
    ports = {"web_port": 0, "smtp_port": 0}
    assert seen == {"game": "troyes", "watch": True, "seats": 4, "seed": 7, "folder": None, **ports}
    assert pbem("demo", "oath").status == 3
    assert seen["game"] == "oath"
    assert pbem("demo", "chess").status == 1
