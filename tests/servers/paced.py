"""`pbem run` by a clock that goes on with every mail that comes, so that its letters are the same on every run.

python -m tests.servers.paced CONFIG
"""

from __future__ import annotations

import asyncio
import sys
from datetime import timedelta
from pathlib import Path

from pbem.config import load
from pbem.service import log_to_stderr, serve
from tests.pbem.paced import Paced

PACE = timedelta(minutes=7)
"""Between two mails: as slow as people, and not so slow that the mailbox counts as out of reach."""


def main() -> None:
    """Serve until told to stop."""
    log_to_stderr("warning")
    config = load(Path(sys.argv[1]))
    clock = Paced(Path(config.store.path), PACE)
    asyncio.run(serve(config, lambda place: print(place, flush=True), clock))


if __name__ == "__main__":
    main()
