"""Hands mails in at an SMTP port, in a process of its own: python -m tests.bench.feeder PORT FOLDER RECIPIENT.

Begins when a line comes on standard input, and prints the time at which it began.
"""

from __future__ import annotations

import smtplib
import sys
import time
from pathlib import Path


def main() -> None:
    """One connection, one mail after the other, in the order of their names."""
    port, folder, recipient = int(sys.argv[1]), Path(sys.argv[2]), sys.argv[3]
    mails = [path.read_bytes() for path in sorted(folder.iterdir())]
    with smtplib.SMTP("127.0.0.1", port, local_hostname="localhost", timeout=30) as post:
        sys.stdin.readline()
        print(time.time(), flush=True)
        for mail in mails:
            post.sendmail("feeder@example.org", [recipient], mail)


if __name__ == "__main__":
    main()
