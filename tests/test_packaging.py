"""The package as somebody installs it who has never seen the tree."""

from __future__ import annotations

import importlib.metadata
import os
import re
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PARTS = {"pbem": "pbem", "engine": "pbem/engine", "templates": "pbem/templates"}
"""Folders of the tree, and where they are once installed."""
KINDS = {".py", ".typed", ".toml", ".po", ".j2", ".css", ".md", ".ttf"}


class Installed:
    """A venv that holds our package, not editable; everything else in it is borrowed from this one."""

    def __init__(self, folder: Path) -> None:
        self.source, self.venv, self.elsewhere = folder / "source", folder / "venv", folder / "elsewhere"
        self.elsewhere.mkdir()
        self._copy_the_tree()
        self._run(sys.executable, "-m", "venv", self.venv)
        (self.site,) = self.venv.glob("lib/python*/site-packages")
        # Python 3.11 brings a setuptools of its own, older than the pinned one that is borrowed.
        self._pip("uninstall", "--yes", "setuptools")
        self._borrow(folder / "borrowed")
        before = set(os.listdir(self.site))
        self._pip("install", "--no-index", "--no-deps", "--no-build-isolation", self.source)
        self.names = set(os.listdir(self.site)) - before

    def _copy_the_tree(self) -> None:
        """What a build leaves behind, it leaves in the copy."""
        without_caches = shutil.ignore_patterns("__pycache__")
        for name in PARTS:
            shutil.copytree(ROOT / name, self.source / name, ignore=without_caches)
        for name in ("pyproject.toml", "README.md", "LICENSE"):
            shutil.copy(ROOT / name, self.source / name)

    def _borrow(self, shelf: Path) -> None:
        """Make our libraries importable there, without our own package and without any `.pth` of ours."""
        shelf.mkdir()
        for entry in Path(sysconfig.get_path("purelib")).iterdir():
            ours = re.match(r"(__editable__.*|pbem)\b", entry.name)
            if not ours and entry.suffix != ".pth" and entry.name != "__pycache__":
                (shelf / entry.name).symlink_to(entry)
        (self.site / "borrowed.pth").write_text(f"{shelf}\n", encoding="utf-8")

    def _run(self, *command: str | Path) -> str:
        clean = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "VIRTUAL_ENV")}
        done = subprocess.run(
            command, cwd=self.elsewhere, env=clean, capture_output=True, text=True, timeout=120, check=False
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def _pip(self, *words: str | Path) -> None:
        self._run(self.venv / "bin" / "python", "-m", "pip", "--quiet", "--disable-pip-version-check", *words)

    def pbem(self, *words: str | Path) -> str:
        """What a command says, started in an empty folder; it must go well."""
        return self._run(self.venv / "bin" / "pbem", *words)

    def python(self, code: str) -> str:
        """What a line of Python prints there."""
        return self._run(self.venv / "bin" / "python", "-c", code).strip()


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Installed]:
    folder = tmp_path_factory.mktemp("packaging")
    yield Installed(folder)
    shutil.rmtree(folder)


def files(folder: Path) -> set[str]:
    """Every file below, without what Python makes by itself."""
    found = (path for path in folder.rglob("*") if path.is_file() and "__pycache__" not in path.parts)
    return {path.relative_to(folder).as_posix() for path in found}


def test_one_name_is_taken_at_the_top(installed: Installed) -> None:
    version = importlib.metadata.version("pbem")
    assert installed.names == {"pbem", f"pbem-{version}.dist-info"}
    assert installed.python("import pbem; print(pbem.__file__)") == str(installed.site / "pbem/__init__.py")


def test_everything_in_the_tree_is_in_the_package(installed: Installed) -> None:
    expected = {
        (Path(place) / name).relative_to("pbem").as_posix()
        for part, place in PARTS.items()
        for name in files(installed.source / part)
        if not name.endswith(".pot")  # for translators, who have the tree
    }
    assert files(installed.site / "pbem") == expected
    assert {Path(name).suffix for name in expected} >= KINDS


def test_the_commands_work_from_anywhere(installed: Installed) -> None:
    assert "demo" in installed.pbem("--help")
    installed.pbem("scenario", ROOT / "docs" / "examples" / "troyes-01-first-order.toml")
    installed.pbem("init", "--path", "mine.toml")
    written = (installed.elsewhere / "mine.toml").read_bytes()
    assert written == (ROOT / "pbem" / "config.toml").read_bytes()


def test_the_demo_plays_to_its_end(installed: Installed) -> None:
    said = installed.pbem("demo", "--watch", "--seats", "2", "--port", "0", "--smtp-port", "0")
    assert re.fullmatch(r"demo: finished, \d+ mails in, \d+ mails out, 0 failed", said.splitlines()[-1])
