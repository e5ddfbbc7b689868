"""Checking positions, rules and data."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from .common import ConfigOption, JsonOption, configuration, console, print_json, progress, ruleset
from .errors import NotDone

if TYPE_CHECKING:
    from ..engine.core.ruleset import Ruleset
    from ..fuzz import Failure, Report


def scenario(
    files: Annotated[list[Path] | None, typer.Argument(metavar="FILE…", help="Scenario files.")] = None,
    paths: Annotated[
        str | None, typer.Option(metavar="RULESET", help="List the paths that a game's scenarios may use.")
    ] = None,
    seats: Annotated[
        str, typer.Option(metavar="NAMES", help="The seats of that list.", show_default=True)
    ] = "A,B,C",
    markdown: Annotated[
        bool, typer.Option("--markdown", help="That list as the documentation has it.")
    ] = False,
    data: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="An owner's own numbers. [default: what --config names, else the house deck]"
        ),
    ] = None,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Play positions from files, and say what came out otherwise than they expect."""
    if paths is not None:
        if markdown:
            from ..scenarios import table

            print(table(ruleset(paths)), end="")
            return
        _print_paths(paths, [name.strip() for name in seats.split(",") if name.strip()], as_json)
        return
    if not files:
        raise typer.BadParameter("name at least one file, or a game with --paths", param_hint="FILE")
    reports = [_run(file, data, config, quiet=as_json) for file in files]
    failed = sum(not report["passed"] for report in reports)
    if as_json:
        print_json(reports)
    elif len(reports) > 1 or failed:
        print(f"{len(reports) - failed} of {len(reports)} scenarios passed")
    raise typer.Exit(1 if failed else 0)


def _run(file: Path, data: Path | None, config: Path | None, quiet: bool) -> dict[str, Any]:
    """One scenario as plain data; a file that cannot be understood fails, and the others go on."""
    from ..engine.core.scenario import BadScenario
    from ..scenarios import BadFile, read, run

    try:
        document = read(file)
        report = run(document, _data(document.game, data, config))
        found = [{"where": d.where, "expected": d.expected, "found": d.found} for d in report.differences]
        result = {"file": str(file), "title": report.title, "passed": report.passed, "differences": found}
    except (BadFile, BadScenario) as e:
        near = getattr(e, "near", ())
        hint = f"; known there: {', '.join(near)}" if near else ""
        result = {"file": str(file), "title": "", "passed": False, "error": f"{e}{hint}"}
    if not quiet:
        _print_result(result)
    return result


def _data(game: str, data: Path | None, config: Path | None) -> Any:
    from .games import checked_data, owners_data

    rules = ruleset(game)
    if data is not None:
        return checked_data(data, rules)
    return owners_data(configuration(config), rules) if config is not None else None


def _print_result(result: dict[str, Any]) -> None:
    title = f" “{result['title']}”" if result["title"] else ""
    print(f"{'pass' if result['passed'] else 'FAIL'} {result['file']}{title}")
    if "error" in result:
        print(f"    {result['error']}")
    for one in result.get("differences", ()):
        print(f"    {one['where']}: expected {one['expected']}, found {one['found']}")


def _print_paths(name: str, seats: list[str], as_json: bool) -> None:
    from ..scenarios import listed

    rows = listed(ruleset(name), seats)
    if as_json:
        print_json([row.as_data() for row in rows])
        return
    from rich.table import Table as Sheet

    sheet = Sheet(box=None, pad_edge=False)
    for heading in ("path", "meaning", "accepts", "hidden"):
        sheet.add_column(heading, no_wrap=heading == "path")
    for row in rows:
        sheet.add_row(row.path, row.meaning, row.accepts, "yes" if row.hidden else "")
    console().print(sheet)


def fuzz(
    rules: Annotated[str, typer.Argument(metavar="RULESET", help="The game: oath or troyes.")],
    number: Annotated[int, typer.Option("--games", metavar="N", min=1, help="How many random games.")] = 100,
    seats: Annotated[
        str | None, typer.Option(metavar="NUMBERS", help="Seats in turn: 2,3,4. [default: all there are]")
    ] = None,
    seed: Annotated[int, typer.Option(metavar="S", help="The first game's seed; the next has S + 1.")] = 1,
    jobs: Annotated[int, typer.Option(metavar="N", min=1, help="How many processes.")] = 2,
    as_json: JsonOption = False,
) -> None:
    """Play random games under all laws of the engine, and compare digests for leaked secrets.

    At every decision the pieces are counted. Chosen by chance, at one decision of 4 the position is reloaded from
    its checkpoint and tape, at one of 4 every option's words are read back, at one of 8 an answer is taken back,
    and at one of 2 what a reader cannot know is dealt anew and two whole digests are compared. Games with campaigns
    are played three in a row. In the end stands how often each power was used and how games ended.
    """
    from ..fuzz import run

    found = ruleset(rules)
    numbers = _seats(seats, found.seats)
    report = _watched(lambda tell: run(found.name, number, numbers, seed, jobs, tell), number, quiet=as_json)
    if as_json:
        print_json(_as_data(report, found.name))
    else:
        for failure in report.failures[:10]:
            print(
                f"{failure.kind}: seed {failure.seed}, {failure.seats} seats, {failure.where}: {failure.why}"
            )
            print(f"  once more: {again(found.name, failure)}")
        _print_uses(report, found)
        if report.blunt:
            print("too few twins differ for the comparisons to prove anything; look at `reshuffled`")
        print(report)
    raise typer.Exit(report.status)


def again(name: str, failure: Failure) -> str:
    """The command that plays just the game that failed, after those before it in its campaign."""
    return (
        f"pbem fuzz {name} --games {failure.chapter} --seats {failure.seats} --seed {failure.seed} --jobs 1"
    )


def _print_uses(report: Report, rules: Ruleset[Any]) -> None:
    """How often each power was used, the rarest first, and how games ended."""
    names = rules.powers()
    if names:
        counts = sorted((report.uses[id], name) for id, name in names.items())
        print("uses: " + ", ".join(f"{name} {n:,}" for n, name in counts))
        reached = sum(n > 0 for n, _ in counts)
        print(f"powers used: {reached} of {len(counts)}")
    ends = ", ".join(f"{ending} {n:,}" for ending, n in sorted(report.endings.items()))
    print(f"ends: {ends or 'none'}")


def _as_data(report: Report, name: str) -> dict[str, Any]:
    failures = [
        {
            "seed": f.seed,
            "seats": f.seats,
            "kind": f.kind,
            "where": f.where,
            "why": f.why,
            "again": again(name, f),
        }
        for f in report.failures
    ]
    counts = {k: getattr(report, k) for k in ("games", "decisions", "comparisons", "differing", "status")}
    return {**counts, "failures": failures, "uses": dict(report.uses), "endings": dict(report.endings)}


def _seats(text: str | None, allowed: tuple[int, ...]) -> list[int]:
    if text is None:
        return list(allowed)
    numbers = [int(part) for part in text.replace(" ", "").split(",") if part.isdecimal()]
    if not numbers or len(numbers) != len(text.split(",")) or not set(numbers) <= set(allowed):
        there = ",".join(map(str, allowed))
        raise typer.BadParameter(f"“{text}” is no list of seats; write some of {there}", param_hint="--seats")
    return numbers


def _watched(work: Any, number: int, quiet: bool) -> Report:
    """Do the work under a progress bar."""
    with progress(quiet=quiet) as bar:
        task = bar.add_task("games", total=number)

        def tell(report: Report) -> None:
            said = f"{report.games} games, {report.comparisons} comparisons, {len(report.failures)} failed"
            bar.update(task, completed=report.games, description=said)

        found: Report = work(tell)
    return found


def check_data(
    rules: Annotated[str, typer.Argument(metavar="RULESET", help="The game: oath or troyes.")],
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The owner's file of card numbers.")],
) -> None:
    """Check an owner's own file of numbers, as `[troyes] data` would use it."""
    from ..catalogue import sayer
    from .games import read_toml

    found = ruleset(rules)
    data = read_toml(file)
    wrong = found.check_data(data)
    if wrong:
        for one in wrong:
            print(f"{file}: {sayer('en')(one)}")
        count = f"{len(wrong)} thing is wrong" if len(wrong) == 1 else f"{len(wrong)} things are wrong"
        raise NotDone(f"{file}: {count} with it, so no game can use it")
    edition = found.edition({}, data)
    print(f"{file}: right. {sayer('en')(edition) if edition else 'All numbers are yours.'}")
