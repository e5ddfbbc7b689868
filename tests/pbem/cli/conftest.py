"""The command line in a folder of its own."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from pbem import cli


@dataclass(frozen=True)
class Said:
    """What a command printed, and its exit status."""

    status: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


Pbem = Callable[..., Said]


@pytest.fixture(autouse=True)
def log_as_it_was() -> Iterator[None]:
    """A command may turn the log on; the next test has another stderr."""
    before = list(logging.getLogger().handlers)
    yield
    for handler in logging.getLogger().handlers[:]:
        if handler not in before:
            logging.getLogger().removeHandler(handler)


@pytest.fixture
def pbem(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Pbem:
    """`pbem("games", "--json")`, in an empty folder that has a configuration."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("pbem.joining.secrets.token_bytes", lambda n: b"d" * n)
    (tmp_path / "config.toml").write_text(
        '[web]\nport = 0\nsmtp_port = 0\n[store]\npath = "var/pbem.sqlite"\n[table]\nminimum_age_minutes = 0\n'
    )

    def run(*words: str) -> Said:
        capsys.readouterr()
        status = cli.run(list(words))
        said = capsys.readouterr()
        return Said(status, said.out, said.err)

    return run


@pytest.fixture
def finished(pbem: Pbem) -> Pbem:
    """The same, after a game between robots."""
    said = pbem("new", "troyes", "--robot", "Ana=random", "--robot", "Ben=random", "--title", "Robots")
    assert said.status == 0
    return pbem
