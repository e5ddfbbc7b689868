"""mypy --strict over the package as it is installed: `engine` and `templates` live inside `pbem`.

mypy cannot map folders to packages, so it gets a folder of links that has the installed shape.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FARM = ROOT / ".types"


def plant() -> None:
    """Make or renew the folder of links."""
    package = FARM / "pbem"
    package.mkdir(parents=True, exist_ok=True)
    for old in package.iterdir():
        old.unlink()
    wanted = {path.name: path for path in (ROOT / "pbem").iterdir() if path.name != "__pycache__"}
    wanted |= {"engine": ROOT / "engine", "templates": ROOT / "templates"}
    for name, path in wanted.items():
        (package / name).symlink_to(path)
    tests = FARM / "tests"
    if not tests.exists():
        tests.symlink_to(ROOT / "tests")


def check() -> subprocess.CompletedProcess[str]:
    """Run mypy; its report is in `stdout`."""
    plant()
    command = [
        sys.executable,
        "-m",
        "mypy",
        "--config-file",
        str(ROOT / "pyproject.toml"),
        "-p",
        "pbem",
        "-p",
        "tests",
    ]
    return subprocess.run(
        command, cwd=FARM, capture_output=True, text=True, env={**os.environ, "MYPYPATH": str(FARM)}
    )


if __name__ == "__main__":
    done = check()
    print(done.stdout, end="")
    print(done.stderr, end="", file=sys.stderr)
    sys.exit(done.returncode)
