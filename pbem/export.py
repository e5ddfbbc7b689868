"""A finished game as one zip file that explains itself, and the check that nothing in it was changed."""

from __future__ import annotations

import hashlib
import os
import zipfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from . import __version__
from .pictures import complete
from .store.games import Game, unpack

if TYPE_CHECKING:
    from .app import App

FORMAT = 1
MANIFEST = "manifest.json"
_LONGEST = 512 * 2**20
"""Bytes of one file in a zip that we are willing to unpack."""
_EPOCH = (1980, 1, 1, 0, 0, 0)
"""The date of every file in the zip, so that the same game gives the same bytes."""


class BadExport(Exception):
    """A game that is not exported, or a file that is no sound export; the text says what is wrong."""


@dataclass(frozen=True, slots=True)
class Export:
    """What stands in an export: its manifest, and its other files by name."""

    manifest: Mapping[str, Any]
    files: Mapping[str, bytes]

    def rows(self, name: str) -> list[dict[str, Any]]:
        """The lines of one of its JSON-lines files."""
        return [msgspec.json.decode(line) for line in self.files[f"{name}.jsonl"].splitlines()]

    def counts(self) -> dict[str, int]:
        """How much there is of everything."""
        counts = {name: len(self.rows(name)) for name in ("checkpoints", "answers", "facts", "log")}
        return {**counts, "mails": sum(name.endswith(".eml") for name in self.files)}


def write_export(app: App, game: Game, to: Path) -> Export:
    """Write a finished or cancelled game to a new file; raises `BadExport` for a live one, and where there is a
    file already."""
    if game.state in ("inviting", "playing"):
        raise BadExport(
            f"“{game.title}” is not over, and an export would open its secrets; it can be exported when it has ended"
        )
    if to.exists():
        raise BadExport(f"{to}: there is such a file already and it was left alone; name another with -o")
    files = dict(_files(app, game))
    manifest = {
        "format": FORMAT,
        "program": f"pbem {__version__}",
        "game": game.title,
        "rules": game.rules.name,
        "files": {name: hashlib.sha256(content).hexdigest() for name, content in files.items()},
    }
    to.parent.mkdir(parents=True, exist_ok=True)
    half = to.with_name(to.name + ".part")
    with zipfile.ZipFile(half, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in ((MANIFEST, _pretty(manifest)), *files.items()):
            info = zipfile.ZipInfo(name, _EPOCH)
            info.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(info, content)
    os.replace(half, to)
    return Export(manifest, files)


def read_export(path: Path) -> Export:
    """A checked export; raises `BadExport` with the first thing that is wrong."""
    try:
        with zipfile.ZipFile(path) as archive:
            files = {i.filename: _content(archive, i, path) for i in archive.infolist()}
    except OSError as e:
        raise BadExport(f"{path}: cannot be read: {e.strerror or e}") from e
    except (zipfile.BadZipFile, EOFError, RuntimeError, ValueError) as e:
        raise BadExport(f"{path}: this is no sound zip file: {e}") from e
    manifest = _manifest(files.pop(MANIFEST, None), path)
    named = manifest["files"]
    for name in sorted({*named, *files}):
        if name not in files:
            raise BadExport(f"{path}: {name} is missing from it")
        if name not in named:
            raise BadExport(f"{path}: {name} does not belong to it")
        if hashlib.sha256(files[name]).hexdigest() != named[name]:
            raise BadExport(f"{path}: {name} was changed after it was written")
    return Export(manifest, files)


def _content(archive: zipfile.ZipFile, info: zipfile.ZipInfo, path: Path) -> bytes:
    if info.file_size > _LONGEST:
        raise BadExport(f"{path}: {info.filename} is too long to be a part of a game")
    try:
        return archive.read(info)
    except Exception as e:  # zlib and zipfile raise a dozen kinds for a damaged part
        raise BadExport(f"{path}: {info.filename} is damaged ({e})") from e


def _manifest(content: bytes | None, path: Path) -> dict[str, Any]:
    if content is None:
        raise BadExport(f"{path}: it has no {MANIFEST}, so it is no export of ours")
    try:
        manifest = msgspec.json.decode(content)
    except msgspec.DecodeError as e:
        raise BadExport(f"{path}: {MANIFEST} is damaged ({e})") from e
    if not isinstance(manifest, dict) or not isinstance(manifest.get("files"), dict):
        raise BadExport(f"{path}: {MANIFEST} is not one of ours")
    if manifest.get("format") != FORMAT:
        raise BadExport(f"{path}: its format is {manifest.get('format')!r}; this program reads {FORMAT}")
    return manifest


# what goes in


def _files(app: App, game: Game) -> Iterable[tuple[str, bytes]]:
    store = app.store
    yield "setup.json", _pretty(_setup(app, game))
    yield (
        "checkpoints.jsonl",
        _lines(
            {
                **_row(r, "n", "hash", "ruling", "version", "position", "at", "void"),
                "state": unpack(r["saved"]),
            }
            for r in store.all("select * from step where game = ? order by id", game.id)
        ),
    )
    yield (
        "answers.jsonl",
        _lines(
            _row(r, "id", "step", "branch", "ord", "seat", "key", "pick", "by", "inbox", "at", "void")
            for r in store.all("select * from answer where game = ? order by id", game.id)
        ),
    )
    yield (
        "facts.jsonl",
        _lines(
            {**_row(r, "id", "step", "ordinal", "kind", "at", "void"), "data": msgspec.json.decode(r["data"])}
            for r in store.all("select * from fact where game = ? order by id", game.id)
        ),
    )
    yield (
        "log.jsonl",
        _lines(
            {**_row(r, "id", "at", "kind", "who", "inbox"), "data": msgspec.json.decode(r["data"])}
            for r in store.all("select * from log where game = ? order by id", game.id)
        ),
    )
    for r in store.all("select id, raw from inbox where game = ? order by id", game.id):
        yield f"mails/in-{r['id']:06}.eml", bytes(r["raw"])
    for r in store.all("select id, raw from outbox where game = ? order by id", game.id):
        yield f"mails/out-{r['id']:06}.eml", complete(app.writer.pictures, bytes(r["raw"]))


def _setup(app: App, game: Game) -> dict[str, Any]:
    people = {s.name: app.people.get(s.person).name for s in app.games.seats(game.id) if s.person}
    return {
        "title": game.title,
        "rules": game.rules.name,
        "seats": list(game.seats),
        "people": people,
        "robots": {s.name: s.robot for s in app.games.seats(game.id) if s.robot},
        "options": dict(game.options),
        "data": game.data,
        "state": game.state,
        "seed": game.seed.hex(),
        "epoch": game.epoch,
        "table": msgspec.to_builtins(game.table),
    }


def _row(row: Any, *names: str) -> dict[str, Any]:
    return {name: row[name] for name in names}


def _lines(rows: Iterable[Mapping[str, Any]]) -> bytes:
    return b"".join(msgspec.json.encode(row) + b"\n" for row in rows)


def _pretty(value: Any) -> bytes:
    return msgspec.json.format(msgspec.json.encode(value), indent=2) + b"\n"
