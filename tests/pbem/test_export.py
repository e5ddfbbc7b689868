"""Exports hold everything of a finished game, and notice when they were changed."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from pbem.export import BadExport, read_export, write_export

from .table import PbemTable


@pytest.fixture
def finished(table: PbemTable) -> PbemTable:
    """A game that robots have played to its end, with a person who moderated."""
    table.new(robots={"Ana": "random", "Ben": "random"}, moderators=["Mo"])
    assert table.game().state == "over"
    return table


@pytest.fixture
def exported(finished: PbemTable, tmp_path: Path) -> Path:
    place = tmp_path / "game.zip"
    write_export(finished.app, finished.game(), place)
    return place


def test_everything_is_in_it(finished: PbemTable, exported: Path) -> None:
    found = read_export(exported)
    one = finished.app.store.one
    for name, table in (("answers", "answer"), ("facts", "fact"), ("checkpoints", "step"), ("log", "log")):
        stored = one(f"select count(*) from {table}")
        assert stored is not None
        assert len(found.rows(name)) == stored[0] > 0
    letters = one("select count(*) from outbox")
    assert letters is not None
    assert found.counts()["mails"] == letters[0] > 0
    setup = json.loads(found.files["setup.json"])
    assert setup["seats"] == ["Ana", "Ben"]
    assert setup["seed"] == finished.game().seed.hex()
    assert found.rows("checkpoints")[-1]["state"]["phase"] == "over"


def test_mails_of_players_are_in_it(table: PbemTable, tmp_path: Path) -> None:
    game = table.new("Ana", "Ben", moderators=["Mo"])
    table.writes("Ana", "join")
    assert table.app.moderate(table.game(), "cancel game").good
    found = write_export(table.app, table.app.games.get(game.id), tmp_path / "cancelled.zip")
    came = [content for name, content in found.files.items() if name.startswith("mails/in-")]
    assert len(came) == 1
    assert b"join" in came[0]


def test_the_same_game_gives_the_same_bytes(finished: PbemTable, exported: Path, tmp_path: Path) -> None:
    write_export(finished.app, finished.game(), tmp_path / "again.zip")
    assert (tmp_path / "again.zip").read_bytes() == exported.read_bytes()


def test_a_live_game_is_not_exported(table: PbemTable, tmp_path: Path) -> None:
    table.new("Ana", "Ben")
    with pytest.raises(BadExport, match="not over"):
        write_export(table.app, table.game(), tmp_path / "game.zip")
    assert not (tmp_path / "game.zip").exists()


def test_a_file_that_is_there_is_left_alone(finished: PbemTable, exported: Path) -> None:
    before = exported.read_bytes()
    with pytest.raises(BadExport, match="left alone"):
        write_export(finished.app, finished.game(), exported)
    assert exported.read_bytes() == before


def repacked(path: Path, change: Callable[[dict[str, bytes]], None]) -> Path:
    """The same zip with its content changed."""
    with zipfile.ZipFile(path) as archive:
        content = {name: archive.read(name) for name in archive.namelist()}
    change(content)
    other = path.with_name("changed.zip")
    with zipfile.ZipFile(other, "w") as archive:
        for name, data in content.items():
            archive.writestr(name, data)
    return other


def alter_answers(content: dict[str, bytes]) -> None:
    content["answers.jsonl"] = content["answers.jsonl"].replace(b"pass", b"hire", 1)


def drop_facts(content: dict[str, bytes]) -> None:
    del content["facts.jsonl"]


def add_mail(content: dict[str, bytes]) -> None:
    content["mails/in-999999.eml"] = b"From: somebody\r\n\r\npass\r\n"


def drop_manifest(content: dict[str, bytes]) -> None:
    del content["manifest.json"]


def break_manifest(content: dict[str, bytes]) -> None:
    content["manifest.json"] = b"{"


def other_manifest(content: dict[str, bytes]) -> None:
    content["manifest.json"] = b"[]"


def newer_format(content: dict[str, bytes]) -> None:
    content["manifest.json"] = b'{"format": 99, "files": {}}'


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (alter_answers, "answers.jsonl was changed"),
        (drop_facts, "facts.jsonl is missing"),
        (add_mail, "does not belong"),
        (drop_manifest, "no manifest"),
        (break_manifest, "manifest.json is damaged"),
        (other_manifest, "not one of ours"),
        (newer_format, "format is 99"),
    ],
)
def test_a_changed_export_is_refused(
    exported: Path, change: Callable[[dict[str, bytes]], None], why: str
) -> None:
    with pytest.raises(BadExport, match=why):
        read_export(repacked(exported, change))


def cut(content: bytes) -> Iterator[bytes]:
    """Files as broken disks leave them."""
    yield b""
    yield content[: len(content) // 2]
    yield content[:200] + b"\0" * 400 + content[600:]
    yield b"no zip at all"


def test_a_damaged_export_is_refused(exported: Path, tmp_path: Path) -> None:
    for n, content in enumerate(cut(exported.read_bytes())):
        place = tmp_path / f"damaged-{n}.zip"
        place.write_bytes(content)
        with pytest.raises(BadExport, match=str(place)):
            read_export(place)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadExport, match="cannot be read"):
        read_export(tmp_path / "nothing.zip")
