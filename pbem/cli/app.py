"""All commands under one name."""

from __future__ import annotations

import typer

from .campaigns import app as chronicle
from .campaigns import next_game
from .check import check_data, fuzz, scenario
from .games import games, mod, new, show, where
from .inbox import app as inbox
from .keeping import backup, export, keys, rebuild, restore
from .serve import demo, doctor, init, run
from .upgrading import upgrade

app = typer.Typer(
    name="pbem",
    help="Long board games by e-mail.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
    rich_markup_mode=None,
)

for name, command in (
    ("demo", demo),
    ("init", init),
    ("doctor", doctor),
    ("run", run),
    ("new", new),
    ("next", next_game),
    ("games", games),
    ("show", show),
    ("where", where),
    ("mod", mod),
    ("export", export),
    ("rebuild", rebuild),
    ("upgrade", upgrade),
    ("backup", backup),
    ("restore", restore),
    ("keys", keys),
    ("scenario", scenario),
    ("fuzz", fuzz),
    ("check-data", check_data),
):
    app.command(name)(command)
app.add_typer(chronicle, name="chronicle")
app.add_typer(inbox, name="inbox")
