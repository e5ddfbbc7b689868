"""Trying it, setting it up, serving."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .common import DEFAULT, ConfigOption, JsonOption, configuration, console, note, print_json, ruleset
from .errors import NotDone

if TYPE_CHECKING:
    from ..round_trip import Finding

LEVELS = ("debug", "info", "warning", "error")
MARKS = {"good": ("✔", "green"), "bad": ("✘", "red"), "skipped": ("–", "yellow")}


def demo(
    rules: Annotated[
        str, typer.Argument(metavar="[RULESET]", help="The game to play: oath or troyes.")
    ] = "troyes",
    watch: Annotated[
        bool, typer.Option("--watch", help="Robots take every seat and play to the end.")
    ] = False,
    seats: Annotated[
        int | None,
        typer.Option(metavar="N", help="How many play. [default: 3, or 4 with --watch]"),
    ] = None,
    seed: Annotated[int | None, typer.Option(metavar="S", help="The same seed is the same game.")] = None,
    port: Annotated[int, typer.Option(metavar="P", help="Port of the inbox page; 0 for any.")] = 8025,
    smtp_port: Annotated[int, typer.Option(metavar="P", help="Port of the post office; 0 for any.")] = 2525,
    folder: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Where the demo keeps its files. [default: a new one]")
    ] = None,
) -> None:
    """Play a real game by mail on this machine: robots answer their digests, one seat is yours."""
    from ..demo.demo import run

    raise typer.Exit(
        run(
            ruleset(rules),
            watch=watch,
            seats=seats,
            seed=seed,
            web_port=port,
            smtp_port=smtp_port,
            folder=folder,
        )
    )


def init(
    path: Annotated[Path, typer.Option("--path", metavar="FILE", help="Where to write it.")] = DEFAULT,
) -> None:
    """Write a commented config.toml to start from."""
    from importlib import resources

    template = resources.files("pbem").joinpath("config.toml").read_text(encoding="utf-8")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("x", encoding="utf-8") as file:
            file.write(template)
    except FileExistsError:
        raise NotDone(
            f"{path}: there is such a file already and it was left alone; name another with --path"
        ) from None
    print(f"{path} is written. Change what you need in it, then: pbem doctor")


def doctor(
    config: ConfigOption = None,
    wait: Annotated[
        float, typer.Option(metavar="SECONDS", help="How long the test mails may take to arrive.")
    ] = 30,
    as_json: JsonOption = False,
) -> None:
    """Check the configuration step by step, a mail to ourselves included, and say what to change."""
    from ..doctor import examine

    found = []
    for finding in examine(config or DEFAULT, wait, default=config is None):
        found.append(finding)
        if not as_json:
            _print_finding(finding)
    bad = sum(f.state == "bad" for f in found)
    skipped = sum(f.state == "skipped" for f in found)
    if as_json:
        steps = [{"step": f.step, "state": f.state, "said": f.said, "remedy": f.remedy} for f in found]
        print_json({"well": not bad, "steps": steps})
    elif bad:
        print(f"{bad} of {len(found)} steps failed.")
    elif skipped:
        print(f"Nothing failed; {skipped} of {len(found)} steps could not be tried.")
    else:
        print("All is well. Go on with: pbem run")
    raise typer.Exit(1 if bad else 0)


def _print_finding(finding: Finding) -> None:
    from rich.text import Text

    mark, colour = MARKS[finding.state]
    screen = console()
    screen.print(Text.assemble((mark, colour), " ", (finding.step, "bold"), ": ", finding.said))
    if finding.remedy:
        screen.print(Text(f"    {finding.remedy}"))


def run(
    config: ConfigOption = None,
    level: Annotated[
        str, typer.Option("--log", metavar="LEVEL", help=f"What is logged to stderr: {', '.join(LEVELS)}.")
    ] = "info",
    as_json: Annotated[
        bool, typer.Option("--log-json", help="Each line of the log is one JSON object.")
    ] = False,
) -> None:
    """Serve: read the mailbox, move the games, send the letters. Ends on Ctrl-C or SIGTERM."""
    if level not in LEVELS:
        raise typer.BadParameter(f"{level} is no level; use one of {', '.join(LEVELS)}", param_hint="--log")
    import asyncio
    import gc

    from ..service import log_to_stderr, serve

    log_to_stderr(level, as_json=as_json)
    settings = configuration(config)
    gc.freeze()  # what is loaded stays to the end; looking for garbage in it again and again costs a tenth of all time
    asyncio.run(serve(settings, lambda place: print(place, flush=True)))
    note("stopped; everything is written down")
