"""A runner that kills itself at a given moment of its work, for the crash test.

python -m tests.pbem.crash_child STORE MAILDIR SMTP_PORT PHASE COUNT [--plant]
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from pbem.app import App
from pbem.config import Config, Mail, Table
from pbem.intake import Intake
from pbem.runner import Runner
from pbem.sources.maildir import MaildirSource
from pbem.store.db import Store
from pbem.store.inbox import Inbox
from pbem.store.outbox import Outbox
from pbem.transports.smtp import SmtpAccount, SmtpTransport

ADDRESS = "games@pbem.example.org"
PHASES: dict[str, tuple[type[Any], str, bool]] = {
    "before claim": (Inbox, "claim", True),
    "claimed": (Inbox, "claim", False),
    "in apply": (Inbox, "file", False),
    "applied": (Intake, "apply", False),
    "before move": (MaildirSource, "settle", True),
    "moved": (MaildirSource, "settle", False),
    "noted": (Inbox, "settled", False),
    "before send": (Outbox, "due", False),
    "taken by SMTP": (Outbox, "sent", True),
    "marked sent": (Outbox, "sent", False),
}
"""Where it may die: at the entry of a method, or at its end."""


def config() -> Config:
    """What the crash test's runner is told."""
    return Config(
        mail=Mail(address=ADDRESS, poll_seconds=1, receipts_per_hour=0), table=Table(minimum_age_minutes=0)
    )


def die_at(phase: str, count: int) -> None:
    """Arrange for SIGKILL at the count-th time that a phase is reached."""
    owner, name, at_entry = PHASES[phase]
    real: Callable[..., Any] = getattr(owner, name)
    left = [count]

    def armed(*args: Any, **more: Any) -> Any:
        left[0] -= 1
        if left[0] <= 0 and at_entry:
            os.kill(os.getpid(), signal.SIGKILL)
        result = real(*args, **more)
        if left[0] <= 0:
            os.kill(os.getpid(), signal.SIGKILL)
        return result

    setattr(owner, name, armed)


def plant_a_double_apply() -> None:
    """What the test must find: a mail that is met again counts again."""
    real = Inbox.claim
    lives = os.getpid()

    def forgetful(self: Inbox, mail: Any, message_id: str, sender: str, now: Any) -> Any:
        from dataclasses import replace

        return real(self, replace(mail, key=f"{mail.key}#{lives}"), message_id, sender, now)

    Inbox.claim = forgetful  # type: ignore[method-assign]
    Inbox.copy_of = lambda self, mail: None  # type: ignore[method-assign]


async def main() -> None:
    """Serve until killed or told to stop."""
    store, maildir, port, phase, count = sys.argv[1:6]
    if "--plant" in sys.argv:
        plant_a_double_apply()
    if phase != "never":
        die_at(phase, int(count))
    app = App(config(), Store(Path(store)))
    post = SmtpTransport(SmtpAccount(host="127.0.0.1", port=int(port), tls="none"))
    runner = Runner(app, MaildirSource(maildir), post)
    runner.stop_on_signals()
    await runner.run()
    app.close()


if __name__ == "__main__":
    asyncio.run(main())
