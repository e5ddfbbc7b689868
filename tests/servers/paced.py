"""`pbem run` by a clock that goes on with every mail that comes, so that its letters are the same on every run.

python -m tests.servers.paced CONFIG
"""

from __future__ import annotations

import asyncio
import sqlite3
import sys
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

from pbem.config import load
from pbem.service import log_to_stderr, serve

START = datetime(2026, 12, 1, 9, 0, tzinfo=UTC)
PACE = timedelta(minutes=7)
"""Between two mails: as slow as people, and not so slow that the mailbox counts as out of reach."""


class Paced:
    """The time of day, told by how many mails have come."""

    def __init__(self, store: Path) -> None:
        self._store = store

    def now(self) -> datetime:
        """Nine o'clock and seven minutes for each mail."""
        if not self._store.exists():
            return START
        with closing(sqlite3.connect(f"file:{self._store}?mode=ro", uri=True)) as store:
            return START + PACE * (store.execute("select max(id) from inbox").fetchone()[0] or 0)

    def steady(self) -> float:
        """The same in seconds, so that this clock was never set."""
        return (self.now() - START).total_seconds()


def main() -> None:
    """Serve until told to stop."""
    log_to_stderr("warning")
    config = load(Path(sys.argv[1]))
    clock = Paced(Path(config.store.path))
    asyncio.run(serve(config, lambda place: print(place, flush=True), clock))


if __name__ == "__main__":
    main()
