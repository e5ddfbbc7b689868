"""The scenario files of the documentation run as they are."""

from __future__ import annotations

import tomllib
from pathlib import Path

import msgspec
import pytest

from pbem.engine.core.scenario import Document, run
from pbem.engine.oath.rules import OathRules

FILES = sorted((Path(__file__).parents[2] / "docs" / "examples" / "oath").glob("*.toml"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_example(path: Path) -> None:
    doc = msgspec.convert(tomllib.loads(path.read_text(encoding="utf-8")), Document)
    assert run(OathRules(), doc).differences == []


def test_there_are_enough_of_them() -> None:
    assert len(FILES) >= 20
