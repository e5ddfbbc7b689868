"""What a run of the tests says at its end beside their number."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from pbem.engine.games import GAMES

DIRECTED = [
    p for p in (Path(__file__).parent / "oath").rglob("test_*.py") if not p.name.startswith("test_random")
]
UNUSED = pytest.StashKey[list[str]]()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """A line for each kind of generated mails; the numbers come with the reports, from other processes too."""
    if UNUSED in config.stash:
        unused = config.stash[UNUSED]
        powers = len(GAMES["oath"].powers())
        terminalreporter.write_line(
            f"powers of Oath: {powers - len(unused)} of {powers} used by directed tests"
        )
        if unused:
            terminalreporter.write_line(f"not used by any: {', '.join(unused)}", red=True)
    numbers: dict[str, Counter[str]] = {}
    ends: dict[str, Counter[str]] = {}
    for status in ("passed", "failed"):
        for report in terminalreporter.getreports(status):
            if getattr(report, "when", "") != "call":
                continue
            for name, value in getattr(report, "user_properties", ()):
                if name.startswith("troublesome mails"):
                    found = json.loads(value)
                    ends.setdefault(name, Counter()).update(found.pop("ends"))
                    numbers.setdefault(name, Counter()).update(found)
    for name, n in sorted(numbers.items()):
        became = ", ".join(f"{end} {count:,}" for end, count in sorted(ends[name].items()))
        terminalreporter.write_line(
            f"{name}: {n['mails']:,} mails, {n['exceptions']} exceptions, {n['false']} false orders,"
            f" {n['lost']} lost orders ({became})"
        )


@pytest.hookimpl(tryfirst=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """Whoever runs all tests of Oath hears of powers that none of them has used, and has failed."""
    terminal = session.config.pluginmanager.get_plugin("terminalreporter")
    if terminal is None:
        return
    modules, used = set(), set()
    for report in terminal.getreports("passed"):
        for name, value in report.user_properties:
            if name == "powers used":
                modules.add(report.nodeid.partition("::")[0])
                used.update(json.loads(value))
    if {path.name for path in DIRECTED} <= {Path(module).name for module in modules}:
        session.config.stash[UNUSED] = sorted(set(GAMES["oath"].powers()) - used)
        if session.config.stash[UNUSED] and not session.exitstatus:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED
