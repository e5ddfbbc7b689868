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

from . import campaign, chronicle, core, drawing, growth, memory, pipeline, servers

PAGE = Path(__file__).resolve().parent.parent.parent / "docs" / "benchmarks.md"
RUNS = 5
SERVER_RUNS = 3


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


def games_per_minute(rules: str, games: int = 60) -> tuple[float, float]:
    """Random games with four seats a minute of one core's own time, and decisions a second."""
    decisions = 0
    began = time.process_time()
    for seed in range(games):
        decisions += play(GAMES[rules], ["Ana", "Ben", "Carla", "Dora"], seed).decisions
    spent = time.process_time() - began
    return games / spent * 60, decisions / spent


BEGUN = time.monotonic()


def say(text: str) -> None:
    """Progress, apart from the results."""
    print(f"{time.monotonic() - BEGUN:4.0f} s  {text}", file=sys.stderr, flush=True)


Row = tuple[str, str, str]
"""What was measured, the figure, and what was to be reached."""


def main() -> None:
    """Measure everything and write the page."""
    runs: dict[str, list[pipeline.Result]] = {}
    rows = [
        *mails("oath", "Oath, six seats", "100", runs),
        *mails("troyes", "Troyes, four seats", "", runs),
        *the_past(),
        *forty(),
        *played(),
        *resident(),
        *drawn(),
        *through_servers(),
    ]
    write(rows, runs)


def mails(rules: str, title: str, wanted: str, runs: dict[str, list[pipeline.Result]]) -> list[Row]:
    """The rows of the pipeline with one game: the run of the middle, and of the first row the best one too, in which
    others on the same machine took least from it."""
    for n in range(RUNS):
        say(f"order mails, {title}, run {n + 1} of {RUNS}")
        with tempfile.TemporaryDirectory() as folder:
            runs.setdefault(rules, []).append(pipeline.measure(Path(folder), rules, say=say))
    found = sorted(runs[rules], key=lambda r: r.mails_per_second)
    middle = found[len(found) // 2]
    queued = sorted(r.queued_per_second for r in found)
    pictured = statistics.median(r.pictured_per_second for r in found)
    ratio = statistics.median(r.ratio for r in found)
    return [
        (
            f"order mails until their letters are queued, {title}",
            f"{queued[-1]:.0f} mails/s, in the middle of {RUNS} runs {queued[len(queued) // 2]:.0f}",
            wanted,
        ),
        ("the same while their pictures are drawn", f"{pictured:.0f} mails/s", ""),
        ("the same without pictures, handed over by SMTP", f"{middle.mails_per_second:.0f} mails/s", ""),
        ("the bare relay in the same run", f"{middle.relay_per_second:.0f} mails/s", ""),
        ("ratio of these two", f"{ratio:.2f}", "0.50"),
        ("a mail from claim to commit, p50", f"{middle.p50:.1f} ms", ""),
        ("a mail from claim to commit, p99", f"{middle.p99:.1f} ms", "100"),
        ("bytes an answer, checkpoints and facts with it", f"{middle.bytes_per_answer:.0f}", ""),
    ]


def the_past() -> list[Row]:
    """The rows of long games and long campaigns."""
    with tempfile.TemporaryDirectory() as folder:
        say("a long game, early and late")
        grown = growth.measure(Path(folder))
    with tempfile.TemporaryDirectory() as folder:
        say("a hundred games of one chronicle")
        hundredth = chronicle.measure(Path(folder))
    return [
        ("a mail after 10 answers, Troyes", f"{grown.early:.1f} ms", ""),
        (f"a mail after {grown.past:,} answers", f"{grown.late:.1f} ms", ""),
        ("growth", f"{grown.factor:.2f}", "at most 1.20"),
        ("a mail in the first game of a chronicle, Oath", f"{hundredth.early:.1f} ms", ""),
        (f"a mail in game {hundredth.past}", f"{hundredth.late:.1f} ms", ""),
        ("growth", f"{hundredth.factor:.2f}", "at most 1.20"),
    ]


def forty() -> list[Row]:
    """The rows of the long Campaign."""
    say("a long Campaign")
    with tempfile.TemporaryDirectory() as folder:
        found = campaign.measure(Path(folder))
    what = f"the {campaign.ANSWERS}th answer of a Campaign with {found.cards} battle plans in force"
    return [
        (what, f"{found.answer:.1f} ms", ""),
        ("loading that game from checkpoint and tape", f"{found.load:.1f} ms", ""),
    ]


def played() -> list[Row]:
    """The rows of random games, and of the core by itself."""
    rows: list[Row] = []
    for rules, wanted in (("troyes", "1,000"), ("oath", "200")):
        title = GAMES[rules].title
        say(f"random games of {title}")
        minute, decisions = games_per_minute(rules)
        rows.append((f"random games, {title}, four seats, a minute and core", f"{minute:.0f}", wanted))
        rows.append(("decisions a second in them", f"{decisions:.0f}", "10,000"))
    say("the core with the mini-game")
    row = "the core's own decisions a second, mini-game"
    return [*rows, (row, f"{core.decisions_per_second():.0f}", "100,000")]


def resident() -> list[Row]:
    """The rows of the memory."""
    say("pbem run with a thousand games")
    with tempfile.TemporaryDirectory() as folder:
        taken = memory.measure(Path(folder))
    return [
        (f"memory of pbem run with {taken.games:,} live games", f"{taken.most:.0f} MB", "under 300"),
        ("its start, until it takes mail", f"{taken.start:.1f} s", ""),
    ]


def drawn() -> list[Row]:
    """The rows of the pictures, two a game."""
    say("pictures")
    rows: list[Row] = []
    for rules in GAMES.values():
        cost = drawing.measure(rules)
        rows.append(
            (f"a board of {rules.title} drawn while a mail is worked on", f"{cost.drawing:.1f} ms", "")
        )
        size = f"{cost.png:.0f} ms, {cost.kilobytes:.0f} KB"
        rows.append((f"the same as PNG, when its letter goes out, {rules.title}", size, ""))
    return rows


def through_servers() -> list[Row]:
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
        runs = servers.measure(Path(folder), SERVER_RUNS, say=say)
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


def write(rows: list[Row], runs: dict[str, list[pipeline.Result]]) -> None:
    """Print the table and put it into the page, between its markers."""
    lines = ["| what | measured | to reach |", "|---|---|---|", *(f"| {a} | {b} | {c} |" for a, b, c in rows)]
    table = "\n".join(lines)
    print(table)
    head = f"Machine: {machine()}. {time.strftime('%d %B %Y')}.\n"
    for rules, found in runs.items():
        spent = ", ".join(f"{r.mails_per_second:.0f}" for r in found)
        head += f"Pipeline, {GAMES[rules].title}: {RUNS} runs of {found[0].mails} mails ({spent} mails/s).\n"
    text = PAGE.read_text(encoding="utf-8")
    before, _, rest = text.partition("<!-- measured -->")
    _, _, after = rest.partition("<!-- end -->")
    PAGE.write_text(f"{before}<!-- measured -->\n{head}\n{table}\n<!-- end -->{after}", encoding="utf-8")


if __name__ == "__main__":
    main()
