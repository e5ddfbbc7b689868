"""The one place in the engine that touches a file: printed facts, read once, at import (D-12)."""

from __future__ import annotations

import tomllib
from importlib import resources
from typing import Any


def load(package: str, name: str) -> dict[str, Any]:
    """A TOML file from a game's `data` folder; `package` is the caller's `__package__`."""
    text = resources.files(package).joinpath("data", name).read_text(encoding="utf-8")
    return tomllib.loads(text)
