"""Every dependency has its line in docs/dependencies.md, and every line there is a dependency."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
DOCUMENT = (ROOT / "docs" / "dependencies.md").read_text(encoding="utf-8")
EXTRAS = {"To test": "test", "To work on it": "dev"}


def names(requirements: list[str]) -> set[str]:
    """The packages of a list of requirements, without ourselves."""
    found = {re.split(r"[\s<>=!~\[;]", one, maxsplit=1)[0].lower() for one in requirements}
    return found - {PROJECT["name"]}


def section(title: str) -> str:
    return DOCUMENT.partition(f"## {title}\n")[2].partition("\n## ")[0]


def rows(title: str) -> list[list[str]]:
    """The cells of a section's table, without its head."""
    lines = [line for line in section(title).splitlines() if line.startswith("| `")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def test_every_dependency_is_named_and_no_other() -> None:
    wanted = {"To run": names(PROJECT["dependencies"])}
    wanted |= {title: names(PROJECT["optional-dependencies"][extra]) for title, extra in EXTRAS.items()}
    found = {title: {row[0].strip("`") for row in rows(title)} for title in wanted}
    assert found == wanted


def test_every_extra_is_on_the_page() -> None:
    assert sorted(EXTRAS.values()) == sorted(PROJECT["optional-dependencies"])


def test_every_line_says_for_what_why_and_instead_of_what() -> None:
    for title in ("To run", *EXTRAS):
        for row in rows(title):
            assert len(row) == 4, row
            assert all(row), row


def test_every_package_is_pinned() -> None:
    constraints = (ROOT / "constraints.txt").read_text(encoding="utf-8")
    pinned = {spelled(name) for name in re.findall(r"^([\w.-]+)==", constraints, re.M)}
    assert {spelled(name) for name in names(PROJECT["dependencies"])} - pinned == set()


def spelled(name: str) -> str:
    """The one spelling of a package's name."""
    return re.sub(r"[-_.]+", "-", name).lower()
