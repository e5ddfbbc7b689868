"""`make bench`: measures, prints, and writes docs/benchmarks.md with the machine's name."""

from __future__ import annotations

import os
import platform
import statistics
import sys
import tempfile
import time
from pathlib import Path

from pbem.engine.core.testing import play
from pbem.engine.games import GAMES

from . import core, drawing, growth, pipeline, servers

PAGE = Path(__file__).resolve().parent.parent.parent / "docs" / "benchmarks.md"
RUNS = 3


def machine() -> str:
    """Name, processor, cores, Python."""
    model = ""
    info = Path("/proc/cpuinfo")
    if info.exists():
        model = next(
            (x.split(":", 1)[1].strip() for x in info.read_text().splitlines() if "model name" in x), ""
        )
    what = model or platform.processor()
    return f"{platform.node()}: {what}, {os.cpu_count()} cores, Python {platform.python_version()}"


def games_per_minute(games: int = 60) -> tuple[float, float]:
    """Random Troyes games with four seats a minute of one core's own time, and decisions a second."""
    decisions = 0
    began = time.process_time()
    for seed in range(games):
        decisions += play(GAMES["troyes"], ["Ana", "Ben", "Carla", "Dora"], seed).decisions
    spent = time.process_time() - began
    return games / spent * 60, decisions / spent


def say(text: str) -> None:
    """Progress, apart from the results."""
    print(text, file=sys.stderr, flush=True)


def main() -> None:
    """Measure everything and write the page."""
    say("the core with the mini-game")
    per_second = core.decisions_per_second()
    say("random games of Troyes")
    minute, decisions = games_per_minute()
    runs = []
    for n in range(RUNS):
        with tempfile.TemporaryDirectory() as folder:
            say(f"pipeline, run {n + 1} of {RUNS}")
            runs.append(pipeline.measure(Path(folder), say=say))
    runs.sort(key=lambda r: r.mails_per_second)
    middle = runs[len(runs) // 2]
    with tempfile.TemporaryDirectory() as folder:
        say("a long game, early and late")
        grown = growth.measure(Path(folder))
    say("pictures")
    pictures = drawn()
    through = through_servers()
    ratio = statistics.median(r.ratio for r in runs)
    rows = [
        ("order mails through the whole pipeline", f"{middle.mails_per_second:.0f} mails/s", "100"),
        ("the bare relay in the same run", f"{middle.relay_per_second:.0f} mails/s", ""),
        ("ratio of the two", f"{ratio:.2f}", "0.50"),
        ("a mail from claim to commit, p50", f"{middle.p50:.1f} ms", ""),
        ("a mail from claim to commit, p99", f"{middle.p99:.1f} ms", "100"),
        ("random Troyes games, four seats, a minute and core", f"{minute:.0f}", "1,000"),
        ("decisions a second in them", f"{decisions:.0f}", ""),
        ("the core's own decisions a second, mini-game", f"{per_second:.0f}", "100,000"),
        ("a mail after 10 answers", f"{grown.early:.1f} ms", ""),
        (f"a mail after {grown.answers:,} answers", f"{grown.late:.1f} ms", ""),
        ("growth", f"{grown.factor:.2f}", "under 1.20"),
        ("bytes an answer, checkpoints and facts with it", f"{middle.bytes_per_answer:.0f}", ""),
        *pictures,
        *through,
    ]
    write(rows, [r.mails_per_second for r in runs], middle.mails)


def drawn() -> list[tuple[str, str, str]]:
    """The rows of the pictures, two a game."""
    rows = []
    for rules in GAMES.values():
        cost = drawing.measure(rules)
        rows.append(
            (f"a board of {rules.title} drawn while a mail is worked on", f"{cost.drawing:.1f} ms", "")
        )
        size = f"{cost.png:.0f} ms, {cost.kilobytes:.0f} KB"
        rows.append((f"the same as PNG, when its letter goes out, {rules.title}", size, ""))
    return rows


def through_servers() -> list[tuple[str, str, str]]:
    """The rows of Postfix and Dovecot; where they are absent they say so."""
    names = (
        "order mails through Postfix, the pipeline and Dovecot",
        "the bare relay through the same servers",
        "ratio of these two",
        "a mail from hand-in to the receipt in its writer's mailbox, p50",
        "the same, p99",
    )
    if absent := servers.absent():
        return [(name, absent, "") for name in names]
    with tempfile.TemporaryDirectory() as folder:
        runs = servers.measure(Path(folder), RUNS, say=say)
    middle = sorted(runs, key=lambda r: r.mails_per_second)[len(runs) // 2]
    cuts = statistics.quantiles([wait for run in runs for wait in run.waits], n=100)
    values = (
        f"{middle.mails_per_second:.0f} mails/s",
        f"{middle.relay_per_second:.0f} mails/s",
        f"{statistics.median(r.ratio for r in runs):.2f}",
        f"{1000 * cuts[49]:.0f} ms",
        f"{1000 * cuts[98]:.0f} ms",
    )
    return [(name, value, "") for name, value in zip(names, values, strict=True)]


def write(rows: list[tuple[str, str, str]], spread: list[float], mails: int) -> None:
    """Print the table and put it into the page, between its markers."""
    lines = ["| what | measured | to reach |", "|---|---|---|", *(f"| {a} | {b} | {c} |" for a, b, c in rows)]
    table = "\n".join(lines)
    print(table)
    spent = ", ".join(f"{x:.0f}" for x in spread)
    head = f"Machine: {machine()}. {time.strftime('%d %B %Y')}.\n"
    head += f"Pipeline: {RUNS} runs of {mails} mails ({spent} mails/s).\n"
    text = PAGE.read_text(encoding="utf-8")
    before, _, rest = text.partition("<!-- measured -->")
    _, _, after = rest.partition("<!-- end -->")
    PAGE.write_text(f"{before}<!-- measured -->\n{head}\n{table}\n<!-- end -->{after}", encoding="utf-8")


if __name__ == "__main__":
    main()
