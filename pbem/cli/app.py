"""All commands under one name."""

from __future__ import annotations

import typer

from . import check, games, keeping, serve

app = typer.Typer(
    name="pbem",
    help="Long board games by e-mail.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
    rich_markup_mode=None,
)

for name, command in (
    ("demo", serve.demo),
    ("init", serve.init),
    ("doctor", serve.doctor),
    ("run", serve.run),
    ("new", games.new),
    ("games", games.games),
    ("show", games.show),
    ("where", games.where),
    ("mod", games.mod),
    ("export", keeping.export),
    ("rebuild", keeping.rebuild),
    ("backup", keeping.backup),
    ("scenario", check.scenario),
    ("fuzz", check.fuzz),
    ("check-data", check.check_data),
):
    app.command(name)(command)
