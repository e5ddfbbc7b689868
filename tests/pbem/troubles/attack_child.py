"""A process of its own that takes in whatever lies in a Maildir, and says how long it took and how much memory."""

from __future__ import annotations

import json
import re
import resource
import sys
import time
from pathlib import Path

from pbem.sources.maildir import MaildirSource

from .hand import opened


def peak() -> float:
    """The most memory that this process had, in megabytes. `ru_maxrss` alone will not do on Linux, where it
    begins with what the parent had at the fork."""
    try:
        status = Path("/proc/self/status").read_text()
    except FileNotFoundError:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return int(re.findall(r"^VmHWM:\s+(\d+) kB", status, re.M)[0]) / 1024


def main(folder: Path) -> None:
    """Work on each mail as the runner does; one line of JSON at the end."""
    table = opened(folder)
    source = MaildirSource(folder / "gm")
    took: dict[str, float] = {}
    ended: dict[str, str] = {}
    for fetched in source.fetch(limit=1000):
        start = time.process_time()
        filed = table.app.take(fetched)
        name = fetched.key.removeprefix("maildir:")
        took[name] = time.process_time() - start
        ended[name] = f"{filed.state}: {filed.kind} {filed.reason}" if filed else "done already"
        source.settle(fetched.key, "Done")
    print(json.dumps({"took": took, "ended": ended, "megabytes": peak()}))
    table.app.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
