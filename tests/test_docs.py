"""What the documents say exists, and what exists is in the documents."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import msgspec
import pytest
import typer.main

from pbem.cli.app import app
from pbem.config import Config, read
from pbem.engine.core.scenario import Document
from pbem.engine.games import GAMES
from pbem.scenarios import table

ROOT = Path(__file__).resolve().parent.parent


def flat(group: Any, before: str = "") -> dict[str, Any]:
    """All commands by their words: `inbox show`."""
    found: dict[str, Any] = {}
    for name, command in group.commands.items():
        inner = (
            flat(command, f"{before}{name} ")
            if hasattr(command, "commands")
            else {f"{before}{name}": command}
        )
        found |= inner
    return found


COMMANDS: dict[str, Any] = flat(typer.main.get_command(app))
DOCUMENT = (ROOT / "docs" / "commands.md").read_text(encoding="utf-8")
SECTIONS = dict(re.findall(r"^### `pbem ([\w -]+)`\n(.*?)(?=^##|\Z)", DOCUMENT, re.M | re.S))
KEYS = {
    f"{section}.{key.name}"
    for section, value in msgspec.structs.asdict(Config()).items()
    for key in msgspec.structs.fields(value)
}


def options(command: str) -> set[str]:
    """All names of a command's options."""
    found: set[str] = set()
    for param in COMMANDS[command].params:
        found |= {name for name in param.opts if name.startswith("-")}
    return found


def test_every_command_is_documented_and_no_other() -> None:
    assert set(SECTIONS) == set(COMMANDS)


@pytest.mark.parametrize("command", sorted(COMMANDS))
def test_every_option_is_documented_and_no_other(command: str) -> None:
    listed = set(
        re.findall(r"`(--?[a-z][\w-]*)[^`]*`", "".join(re.findall(r"^\|(.*?)\|", SECTIONS[command], re.M)))
    )
    assert listed == options(command)


@pytest.mark.parametrize("command", sorted(COMMANDS))
def test_every_command_and_option_has_help(command: str) -> None:
    assert COMMANDS[command].help
    for param in COMMANDS[command].params:
        assert param.help, param.name


def test_every_key_of_the_configuration_is_documented_and_no_other() -> None:
    part = DOCUMENT.partition("## The configuration")[2]
    assert set(re.findall(r"`(\w+\.\w+)`", part)) - {"config.toml"} == KEYS


def test_the_template_has_every_key_with_its_default() -> None:
    text = (ROOT / "pbem" / "config.toml").read_text(encoding="utf-8")
    raw = tomllib.loads(text)
    assert {f"{section}.{key}" for section, values in raw.items() for key in values} == KEYS
    assert read(raw, "config.toml") == Config()


def test_the_two_templates_are_one() -> None:
    assert (ROOT / "config.toml").read_bytes() == (ROOT / "pbem" / "config.toml").read_bytes()


def test_commands_that_documents_mention_exist() -> None:
    for path in [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]:
        for command in re.findall(r"`pbem ([a-z][\w-]*)", path.read_text(encoding="utf-8")):
            assert command in {name.split()[0] for name in COMMANDS}, f"{path.name}: pbem {command}"


def test_every_key_of_a_scenario_is_documented_and_no_other() -> None:
    text = (ROOT / "docs" / "scenario-format.md").read_text(encoding="utf-8")
    part = text.partition("## Keys")[2].partition("\n## ")[0]
    listed = re.findall(r"^\| `(\w+)` \|", part, re.M)
    assert listed == sorted(listed, key=listed.index)
    assert set(listed) == {f.name for f in msgspec.structs.fields(Document)}


@pytest.mark.parametrize("name", GAMES)
def test_the_paths_of_each_game_are_documented(name: str) -> None:
    text = (ROOT / "docs" / "scenario-format.md").read_text(encoding="utf-8")
    start = f"<!-- paths of {name}: pbem scenario --paths {name} --markdown -->\n"
    listed = text.partition(start)[2].partition("<!-- end of paths -->")[0]
    assert listed == table(GAMES[name]), f"put the output of pbem scenario --paths {name} --markdown there"


def test_the_first_example_of_the_format_passes(tmp_path: Path) -> None:
    from pbem.scenarios import read as read_file
    from pbem.scenarios import run

    text = (ROOT / "docs" / "scenario-format.md").read_text(encoding="utf-8")
    example = tmp_path / "first.toml"
    example.write_text(text.partition("```toml\n")[2].partition("```")[0], encoding="utf-8")
    assert run(read_file(example)).differences == []


@pytest.mark.parametrize("path", sorted((ROOT / "docs").rglob("*.md")), ids=lambda p: p.name)
def test_links_lead_somewhere(path: Path) -> None:
    for target in re.findall(r"\]\((?!https?:)([^)#]+)\)", path.read_text(encoding="utf-8")):
        assert (path.parent / target).exists(), target
