"""The list of troubles against the tests there are."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

FOLDER = Path(__file__).parent


def ids(text: str) -> set[str]:
    """The ids that tests in a file are named for."""
    return {m.upper() for m in re.findall(r"^def test_troubles_([a-i]\d+)_\w+\(", text, re.M)}


def test_troubles_list_is_complete() -> None:
    cases = tomllib.loads((FOLDER / "cases.toml").read_text(encoding="utf-8"))
    found: set[str] = set()
    for path in FOLDER.glob("test_troubles_*.py"):
        letter = path.name.removeprefix("test_troubles_")[0].upper()
        here = ids(path.read_text(encoding="utf-8"))
        assert {one[0] for one in here} == {letter}, path.name
        found |= here
    assert found == set(cases)
    assert len(cases) == 71
    assert all(len(said) > 20 and said.endswith(".") for said in cases.values())


def test_a_missing_case_would_be_seen() -> None:
    assert ids("def test_troubles_a1_x() -> None:\n    pass\n") == {"A1"}
    assert ids("# def test_troubles_a1_x()\ndef test_a1() -> None: pass") == set()
