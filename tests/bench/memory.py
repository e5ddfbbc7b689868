"""What `pbem run` takes of the memory while a thousand games wait for their players."""

from __future__ import annotations

import itertools
import random
import re
import shutil
import signal
import smtplib
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from pbem.app import App
from pbem.store.db import Store

from .pipeline import ADDRESS, config, post_for, prepare, random_line

GAMES = 1000
PATIENCE = 300.0
CONFIG = """
[mail]
address = "{address}"
maildir = "{folder}/mail"
receipts_per_hour = 0
[store]
path = "{store}"
[table]
minimum_age_minutes = 0
[web]
port = 0
smtp_port = 0
"""


@dataclass(frozen=True, slots=True)
class Taken:
    """Megabytes that are resident after some mails, and the most that ever were; seconds until it served."""

    now: float
    most: float
    start: float
    games: int


def measure(folder: Path, mails: int = 100) -> Taken:
    """Start the real command on a store with half Troyes, half Oath, and answer one mail in each of some games."""
    store = prepare(folder, GAMES, "troyes", "oath")
    written = orders(store, mails)
    (folder / "config.toml").write_text(CONFIG.format(address=ADDRESS, folder=folder, store=store))
    began = time.monotonic()
    with serving(folder / "config.toml") as (process, port):
        start = time.monotonic() - began
        with smtplib.SMTP("127.0.0.1", port, local_hostname="localhost", timeout=30) as post:
            for mail in written:
                post.sendmail("feeder@example.org", [ADDRESS], mail)
        _wait_for(store, len(written))
        status = Path(f"/proc/{process.pid}/status").read_text()
    return Taken(_megabytes(status, "VmRSS"), _megabytes(status, "VmHWM"), start, GAMES)


def orders(store: Path, mails: int) -> list[bytes]:
    """An order mail for each of the last games; the service finds the store as it was."""
    copy = store.with_name("orders.sqlite")
    shutil.copy(store, copy)
    app = App(config(), Store(copy))
    line, numbers = random_line(random.Random(1)), itertools.count(1)
    written = [post_for(app, game, line, numbers) for game in app.games.every()[-mails:]]
    app.close()
    return written


@contextmanager
def serving(path: Path) -> Iterator[tuple[subprocess.Popen[str], int]]:
    """`pbem run`, once it takes mail; gives the port of its post office."""
    command = [
        sys.executable,
        "-c",
        "from pbem.cli import main; main()",
        "run",
        "--config",
        str(path),
        "--log",
        "error",
    ]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    try:
        taken = next(found for line in process.stdout if (found := re.search(r"by SMTP at \S+:(\d+)", line)))
        yield process, int(taken[1])
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(60)
        process.stdout.close()


def _wait_for(path: Path, mails: int) -> None:
    """Until that many mails are done, and all their letters out."""
    store, end = Store(path), time.monotonic() + PATIENCE
    done = "select count(*) from inbox where reason = 'changed'"
    queued = "select count(*) from outbox where state = 'queued'"
    while (store.all(done)[0][0], store.all(queued)[0][0]) != (mails, 0):
        assert time.monotonic() < end, "the service does not bring everything"
        time.sleep(0.1)
    store.close()


def _megabytes(status: str, name: str) -> float:
    found = re.search(rf"^{name}:\s+(\d+) kB", status, re.M)
    assert found is not None
    return int(found[1]) / 1024
