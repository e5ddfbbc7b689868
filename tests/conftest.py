"""What a run of the tests says at its end beside their number."""

from __future__ import annotations

import json
from collections import Counter

import pytest


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """A line for each kind of generated mails; the numbers come with the reports, from other processes too."""
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
