"""The house rules that a machine can see."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem.engine.games import GAMES

from . import types as typing_check

ROOT = Path(__file__).resolve().parent.parent
CODE = sorted(p for folder in ("engine", "pbem", "tests", "templates") for p in (ROOT / folder).rglob("*.py"))
ENGINE = sorted((ROOT / "engine").rglob("*.py"))
FOREIGN = frozenset(
    "asyncio threading multiprocessing socket ssl http urllib time datetime os io pathlib tempfile shutil subprocess"
    " sqlite3 secrets uuid pickle logging selectors signal jinja2 aiosmtplib imap_tools sqlite_utils apscheduler"
    " babel rich typer".split()
)
CHANCE_ALLOWED = {"chance.py", "testing.py", "ruleset.py", "twins.py", "rules.py", "minigame.py"}
"""Where a generator is handed in or made of a seed; nowhere is one made of nothing."""


def ids(paths: list[Path]) -> list[str]:
    return [str(p.relative_to(ROOT)) for p in paths]


def imports(path: Path) -> Iterator[str]:
    """Every module a file imports, relative ones as `.name`."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (a.name for a in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield "." * node.level + (node.module or "")


@pytest.mark.parametrize("path", ENGINE, ids=ids(ENGINE))
def test_the_engine_touches_nothing_but_its_state(path: Path) -> None:
    found = {name.split(".")[0] for name in imports(path) if not name.startswith(".")}
    assert not found & FOREIGN
    if path.name == "data.py":
        return
    assert "tomllib" not in found
    calls = [n.func for n in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if isinstance(n, ast.Call)]
    assert not [
        c for c in calls if isinstance(c, ast.Name) and c.id in ("open", "print", "input", "exec", "eval")
    ]


@pytest.mark.parametrize("path", ENGINE, ids=ids(ENGINE))
def test_the_engine_makes_no_chance_of_its_own(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "random":
            assert node.attr == "Random", f"line {node.lineno}: random.{node.attr} uses hidden state"
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "Random":
            assert node.args, f"line {node.lineno}: a generator needs a seed"


def sets_walked_over(tree: ast.AST) -> Iterator[int]:
    """Lines where a loop or a comprehension walks over a set made on the spot."""
    for node in ast.walk(tree):
        walked: list[ast.expr] = []
        if isinstance(node, (ast.For, ast.AsyncFor)):
            walked = [node.iter]
        elif isinstance(node, (ast.ListComp, ast.GeneratorExp, ast.DictComp)):
            walked = [g.iter for g in node.generators]
        for one in walked:
            made_by_call = (
                isinstance(one, ast.Call)
                and isinstance(one.func, ast.Name)
                and one.func.id in ("set", "frozenset")
            )
            if isinstance(one, (ast.Set, ast.SetComp)) or made_by_call:
                yield one.lineno


@pytest.mark.parametrize("path", ENGINE, ids=ids(ENGINE))
def test_no_set_is_walked_over(path: Path) -> None:
    assert list(sets_walked_over(ast.parse(path.read_text(encoding="utf-8")))) == []


def test_a_walked_set_would_be_seen() -> None:
    assert list(sets_walked_over(ast.parse("for x in {1, 2}: pass\n[y for y in set(z)]"))) == [1, 2]


@pytest.mark.parametrize("path", ENGINE, ids=ids(ENGINE))
def test_no_step_holds_on_to_anything_while_it_waits(path: Path) -> None:
    """A step may be dropped at any question, so no `try/finally` and no `with` may stand around an `await`."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        held = isinstance(node, (ast.With, ast.AsyncWith)) or (isinstance(node, ast.Try) and node.finalbody)
        if held:
            assert not any(isinstance(inner, ast.Await) for inner in ast.walk(node))


def layer(path: Path) -> str:
    """core, a game's name, or `games` for the list of them."""
    parts = path.relative_to(ROOT / "engine").parts
    return parts[0] if len(parts) > 1 else "games"


@pytest.mark.parametrize("path", ENGINE, ids=ids(ENGINE))
def test_import_borders_of_the_engine(path: Path) -> None:
    """The core knows no game, games know no other game, nothing in here knows the shell."""
    depth = len(path.relative_to(ROOT / "engine").parts) - 1
    for name in imports(path):
        assert not name.startswith(("pbem", "engine")), "inside the engine imports are relative"
        dots = len(name) - len(name.lstrip("."))
        if layer(path) == "games" or dots == 0:
            continue
        assert dots <= depth + 1
        if dots == depth + 1:
            assert name.lstrip(".").split(".")[0] in ("core", layer(path))
            assert layer(path) != "core" or name.lstrip(".").startswith("core")


@pytest.mark.parametrize(
    "path", sorted((ROOT / "pbem").rglob("*.py")), ids=lambda p: str(p.relative_to(ROOT))
)
def test_the_shell_sees_views_and_never_states(path: Path) -> None:
    for name in imports(path):
        assert not re.search(r"engine\.(?!core)\w+\.", name), "a game is reached through engine.games alone"
    text = path.read_text(encoding="utf-8")
    assert "under_seal" not in text


@pytest.mark.parametrize("path", CODE, ids=ids(CODE))
def test_modules_stay_short(path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) <= 600


@pytest.mark.parametrize("path", CODE, ids=ids(CODE))
def test_nothing_is_left_for_later(path: Path) -> None:
    if path == Path(__file__).resolve():
        return
    text = path.read_text(encoding="utf-8")
    assert not re.search(r"\b(TODO|FIXME|XXX|NotImplementedError)\b", text)
    assert not re.search(r"class \w*(Manager|Helper|Util|Base)\b", text)


def test_ruff_is_content() -> None:
    for command in (["check", "."], ["format", "--check", "."]):
        done = subprocess.run(
            [sys.executable, "-m", "ruff", *command], cwd=ROOT, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stdout


def test_mypy_is_content() -> None:
    done = typing_check.check()
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("hash_seed", ["1", "2"])
def test_a_game_does_not_depend_on_the_hash_seed(hash_seed: str) -> None:
    code = (
        "from pbem.engine.core.testing import play; from pbem.engine.games import GAMES;"
        "print([play(r, ['A', 'B', 'C'], s).fingerprint for r in GAMES.values() for s in range(3)])"
    )
    env = {**os.environ, "PYTHONHASHSEED": hash_seed}
    seen = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=env, check=True
    ).stdout
    zero = {**os.environ, "PYTHONHASHSEED": "0"}
    assert (
        seen
        == subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, env=zero, check=True
        ).stdout
    )


@pytest.mark.parametrize("name", GAMES)
def test_every_ruling_of_a_game_has_its_line(name: str) -> None:
    text = (ROOT / "engine" / name / "RULINGS.md").read_text(encoding="utf-8")
    numbered = [int(n) for n in re.findall(r"^- (\d+)\b", text, re.M)]
    assert numbered == list(range(1, GAMES[name].ruling + 1))
    assert bool(numbered) != ("the newest number is 0" in text)
