"""A clock that goes on with every mail that comes, so that nobody is taken for a machine that writes too fast."""

from __future__ import annotations

import sqlite3
import time
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

START = datetime(2099, 12, 1, 9, 0, tzinfo=UTC)
"""Far ahead, since servers stamp what arrives by the real time, and no mail may seem to come after its deadline."""


class Paced:
    """The time of day, told by how many mails have come."""

    def __init__(self, store: Path, pace: timedelta, since: float | None = None) -> None:
        """`pace`: how long it is from one mail to the next; `since`: an instant of the machine's own clock from
        which its time is added, without it the clock stands between two mails."""
        self._store = store
        self._pace = pace
        self._since = since

    def now(self) -> datetime:
        """Nine o'clock, and the pace of each mail."""
        passed = timedelta(seconds=0.0 if self._since is None else time.time() - self._since)
        if not self._store.exists():
            return START + passed
        with closing(sqlite3.connect(f"file:{self._store}?mode=ro", uri=True)) as store:
            mails = store.execute("select max(id) from inbox").fetchone()[0] or 0
        return START + passed + self._pace * mails

    def steady(self) -> float:
        """The same in seconds: this clock was never set."""
        return (self.now() - START).total_seconds()
