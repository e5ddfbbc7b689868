"""Runners that kill themselves at a given moment of their work, for the crash tests.

python -m tests.pbem.crash_child CONFIG SINCE [--plant]

Each line of standard input, PHASE COUNT SECONDS, is one life: a process of its own, forked from one that has
everything loaded. It says `life PID`, then `serving` once it does, and at its end `ended STATUS` is said of it.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from pbem.config import Config, load
from pbem.intake import Intake
from pbem.ports import Fetched
from pbem.runner import Runner
from pbem.service import opened
from pbem.sources.imap import ImapSource
from pbem.sources.maildir import MaildirSource
from pbem.store.inbox import Claimed, Inbox
from pbem.store.outbox import Outbox

from .paced import Paced

PACE = timedelta(seconds=50)
UP = "serving"
"""What it prints once it serves."""
PHASES: dict[str, tuple[tuple[type[Any], ...], str, bool]] = {
    "before claim": ((Inbox,), "claim", True),
    "claimed": ((Inbox,), "claim", False),
    "in apply": ((Inbox,), "file", False),
    "applied": ((Intake,), "apply", False),
    "before move": ((MaildirSource, ImapSource), "settle", True),
    "moved": ((MaildirSource, ImapSource), "settle", False),
    "noted": ((Inbox,), "settled", False),
    "before send": ((Outbox,), "due", False),
    "taken by SMTP": ((Outbox,), "sent", True),
    "marked sent": ((Outbox,), "sent", False),
}
"""Where it may die: at the entry of a method, or at its end."""


def die_at(phase: str, count: int) -> None:
    """Arrange for SIGKILL at the count-th time that a phase is reached."""
    owners, name, at_entry = PHASES[phase]
    left = [count]
    for owner in owners:
        setattr(owner, name, deadly(getattr(owner, name), left, at_entry))


def deadly(real: Callable[..., Any], left: list[int], at_entry: bool) -> Callable[..., Any]:
    """A method that is the last thing a process does once it was called so often."""

    def armed(*args: Any, **more: Any) -> Any:
        left[0] -= 1
        if left[0] <= 0 and at_entry:
            os.kill(os.getpid(), signal.SIGKILL)
        result = real(*args, **more)
        if left[0] <= 0:
            os.kill(os.getpid(), signal.SIGKILL)
        return result

    return armed


def plant_a_double_apply() -> None:
    """What the tests must find: a mail that is met again, since it was not moved away in time, counts again."""
    real = Inbox.claim

    def forgetful(self: Inbox, mail: Fetched, message_id: str, sender: str, now: datetime) -> Claimed | None:
        claimed = real(self, mail, message_id, sender, now)
        if claimed is not None:
            return claimed
        row = self.store.one("select id from inbox where key = ?", mail.key)
        assert row is not None
        return Claimed(row["id"], mail.key, mail.raw, mail.arrived, 1)

    Inbox.claim = forgetful  # type: ignore[method-assign]


def announce() -> None:
    """Say so when the runner begins."""
    real = Runner.run

    async def run(self: Runner) -> None:
        print(UP, flush=True)
        await real(self)

    Runner.run = run  # type: ignore[method-assign]


async def live(config: Config, since: float) -> None:
    """Serve until killed or told to stop."""
    async with opened(config, Paced(Path(config.store.path), PACE, since)) as service:
        service.runner.stop_on_signals()
        await service.runner.run()


def main() -> None:
    """Bring forth one life after the other, until the end of standard input."""
    config, since = load(Path(sys.argv[1])), float(sys.argv[2])
    announce()
    if "--plant" in sys.argv:
        plant_a_double_apply()
    for line in sys.stdin:
        phase, count, seconds = line.rstrip("\n").split("\t")
        pid = os.fork()
        if pid == 0:
            print(f"life {os.getpid()}", flush=True)
            signal.alarm(int(seconds))  # no life lasts for ever, whatever becomes of the test
            if phase in PHASES:
                die_at(phase, int(count))
            asyncio.run(live(config, since))
            os._exit(0)
        _, status = os.waitpid(pid, 0)
        print(f"ended {os.waitstatus_to_exitcode(status)}", flush=True)


if __name__ == "__main__":
    main()
