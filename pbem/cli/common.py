"""What all commands share: their options, the configuration, the open program, printing."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from .errors import NotDone

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress

    from ..app import App
    from ..config import Config
    from ..engine.core.ruleset import Ruleset

DEFAULT = Path("config.toml")
PIPED_WIDTH = 160
"""Columns where the output is no screen, so that nothing is cut off for a program that reads it."""

ConfigOption = Annotated[
    Path | None,
    typer.Option("--config", "-c", metavar="FILE", help="The configuration. [default: config.toml]"),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON, for programs.")]
SharedOption = Annotated[
    bool, typer.Option("--shared", help="Two seats may have one mailbox; the table is told.")
]
GameArgument = Annotated[str, typer.Argument(metavar="GAME", help="The game's title or number.")]


def configuration(path: Path | None) -> Config:
    """The configuration in a file; without a name and a file, the defaults. Raises `BadConfig`."""
    from ..config import Config, load

    if path is None and not DEFAULT.exists():
        note(f"{DEFAULT.absolute()}: there is no such file, so the defaults hold; `pbem init` writes one")
        return Config()
    return load(path or DEFAULT)


@contextmanager
def opened(path: Path | None, *, make: bool = False) -> Iterator[App]:
    """The program on the configured store; with `make`, a store that is not there yet is made."""
    from ..app import open_app

    config = configuration(path)
    if not make:
        store_of(config)
    app = open_app(config)
    try:
        yield app
    finally:
        app.close()


def store_of(config: Config) -> Path:
    """Where the configured store is; raises `NotDone` where there is none yet."""
    store = Path(config.store.path)
    if not store.exists():
        raise NotDone(f"{store.absolute()}: there is no store yet; `pbem new` makes it with the first game")
    return store


def ruleset(name: str) -> Ruleset[Any]:
    """The rules of a game by name; raises `NotDone` with the names that there are."""
    from ..engine.games import GAMES

    found = GAMES.get(name.casefold())
    if found is None:
        raise NotDone(f"there are no rules called “{name}”; there is: {', '.join(GAMES)}")
    return found


def console(*, stderr: bool = False) -> Console:
    """Where people read; what players wrote is never taken for markup."""
    from rich.console import Console

    screen = (sys.stderr if stderr else sys.stdout).isatty()
    return Console(stderr=stderr, markup=False, highlight=False, width=None if screen else PIPED_WIDTH)


def progress(*, quiet: bool = False) -> Progress:
    """A bar for people who watch; nothing where nobody does."""
    from rich.progress import Progress

    return Progress(console=console(stderr=True), transient=True, disable=quiet or not sys.stderr.isatty())


def note(sentence: str) -> None:
    """A remark beside the output."""
    print(f"pbem: {sentence}", file=sys.stderr)


def print_json(value: Any) -> None:
    """Plain data for a program."""
    print(json.dumps(value, ensure_ascii=False, indent=2))
