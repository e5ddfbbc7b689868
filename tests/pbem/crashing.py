"""What the crash tests share: a table by real mail whose runner dies again and again, and what must hold then."""

from __future__ import annotations

import email
import email.policy
import hashlib
import itertools
import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from email.message import EmailMessage
from pathlib import Path
from typing import Protocol

from pbem.app import App, open_app
from pbem.config import load
from pbem.demo.robot import choose, options
from pbem.engine.games import GAMES
from pbem.joining import Invitation
from pbem.rebuild import prove

from .crash_child import PACE, PHASES, UP
from .paced import Paced

ROOT = Path(__file__).resolve().parent.parent.parent
PEOPLE = [(n, f"{n.lower()}@example.org") for n in ("Ana", "Ben", "Carla", "Dora")]
ONCE_A_BATCH = ("noted", "before send", "moved", "before move")
ANYWHERE = "anywhere"
"""Killed from outside, at whatever it does."""
LUCKY = 6
"""After so many deaths there is one life that may do everything."""
LONGEST = 20
"""Seconds for a runner to come to the phase in which it dies."""
PATIENCE = 60
"""Seconds for a runner that nobody kills to be done with everything."""


class World(Protocol):
    """The mailboxes and servers around a runner."""

    config: Path
    environment: Mapping[str, str]

    def deliver(self, sender: str, recipient: str, raw: bytes) -> None:
        """A mail to the runner."""

    def letters(self, address: str) -> list[bytes]:
        """What came to a person since the last look."""

    def left(self) -> int:
        """How many mails lie in the runner's inbox."""


class Lives:
    """The process from which runners are forked, one at a time."""

    def __init__(self, world: World, since: float, plant: bool) -> None:
        command = [sys.executable, "-m", "tests.pbem.crash_child", str(world.config), str(since)]
        environment = {**os.environ, **world.environment}
        self._source = subprocess.Popen(
            [*command, *(["--plant"] if plant else [])],
            cwd=ROOT,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def begin(self, phase: str, count: int, seconds: int) -> int:
        """A new life of so many seconds at most; gives its process id."""
        assert self._source.stdin is not None
        self._source.stdin.write(f"{phase}\t{count}\t{seconds}\n")
        self._source.stdin.flush()
        return int(self._said("life "))

    def until_it_serves(self) -> None:
        """Wait until it has begun to work."""
        self._said(UP)

    def end(self) -> int:
        """Wait for its end; gives the exit status, negative for a signal."""
        return int(self._said("ended "))

    def close(self) -> None:
        """No more lives."""
        assert self._source.stdin is not None
        assert self._source.stdout is not None
        self._source.stdin.close()
        self._source.wait(PATIENCE)
        self._source.stdout.close()

    def _said(self, words: str) -> str:
        assert self._source.stdout is not None
        for line in self._source.stdout:
            if line.startswith(words):
                return line.removeprefix(words).strip()
        raise AssertionError(f"“{words}” was never said")


class Campaign:
    """Mail flows while the runner is killed in every phase in turn, then it may finish."""

    def __init__(self, world: World, rng: random.Random, games: int = 1, plant: bool = False) -> None:
        self.world = world
        self.rng = rng
        self.sent: list[str] = []
        self.killed: Counter[str] = Counter()
        self.letters: dict[tuple[str, str], set[str]] = {}
        """Each letter that came, by recipient and Message-ID: the fingerprints of what stood in it."""
        self.copies = 0
        """Letters that came once more than they had to."""
        self._since = time.time()
        self._numbers = itertools.count(1)
        self._newest: dict[tuple[str, str], EmailMessage] = {}
        self._lines: dict[tuple[str, str], str] = {}
        self._used: dict[tuple[str, str], str] = {}
        with self.app() as app:
            for n in range(games):
                seats = [f"{name} <{address}>" for name, address in PEOPLE]
                app.new(Invitation(GAMES["troyes"], f"Crash {n}", seats, seed=bytes([n]) * 32))
        self._lives = Lives(world, self._since, plant)

    @contextmanager
    def app(self) -> Iterator[App]:
        """The program on the store, while no runner is."""
        config = load(self.world.config)
        app = open_app(config, Paced(Path(config.store.path), PACE, self._since))
        try:
            yield app
        finally:
            app.close()

    def close(self) -> None:
        """No runner any more."""
        self._lives.close()

    def play(self, kills: int, mails: int, burst: int) -> None:
        """So many deaths and so many mails, a burst of them before each death; then everything is finished."""
        self.finish()
        phases = itertools.cycle([*PHASES, ANYWHERE])
        while sum(self.killed.values()) < kills:
            if sum(self.killed.values()) % LUCKY == 0:
                self.finish()  # or the pile of mails would only grow, and the game stand still
            self.write(min(burst, max(4, mails - len(self.sent))))
            phase = next(phases)
            self.life(phase, 1 if phase in ONCE_A_BATCH else self.rng.randrange(1, burst))
        while len(self.sent) < mails:
            self.write(min(burst, mails - len(self.sent)))
            self.finish()
        self.finish()

    # the runner

    def life(self, phase: str, count: int) -> None:
        """One life of the runner, which ends in a phase, or somewhere; in order if it never comes there."""
        pid = self._lives.begin(phase, count, LONGEST)
        if phase == ANYWHERE:
            self._lives.until_it_serves()
            time.sleep(self.rng.uniform(0.0, 0.6))  # no waiting for anything: a moment by chance
            os.kill(pid, signal.SIGKILL)
        self.killed[phase] += self._lives.end() == -signal.SIGKILL

    def finish(self) -> None:
        """A life in which everything that has come is done, and everything that is written is sent."""
        pid = self._lives.begin("never", 0, PATIENCE)
        self._lives.until_it_serves()
        end = time.monotonic() + PATIENCE - 5
        try:
            while not self._is_done():
                assert time.monotonic() < end, f"the runner does not finish: {self._state()}"
                time.sleep(0.02)
        finally:
            os.kill(pid, signal.SIGTERM)
            status = self._lives.end()
        assert status == 0

    def _is_done(self) -> bool:
        came, open, queued = self._state()
        return came >= len(self.sent) and not open and not queued

    def _state(self) -> tuple[int, int, int]:
        """Mails that were claimed; those of them that are not done or not moved; letters that wait."""
        with closing(
            sqlite3.connect(f"file:{load(self.world.config).store.path}?mode=ro", uri=True)
        ) as store:
            found: tuple[int, int, int] = store.execute(
                "select (select count(distinct message_id) from inbox),"
                " (select count(*) from inbox where state = 'claimed' or settled = 0),"
                " (select count(*) from outbox where state = 'queued')"
            ).fetchone()
        return found

    # the people

    def fetch(self) -> None:
        """Everybody looks into their mailbox."""
        for _, address in PEOPLE:
            for raw in self.world.letters(address):
                letter = email.message_from_bytes(raw, policy=email.policy.default)
                assert isinstance(letter, EmailMessage)
                self._keep(address, letter, raw)

    def _keep(self, address: str, letter: EmailMessage, raw: bytes) -> None:
        came = self.letters.setdefault((address, str(letter["message-id"])), set())
        self.copies += bool(came)
        came.add(hashlib.sha256(raw.partition(b"\r\nFrom: ")[2] or raw.partition(b"\nFrom: ")[2]).hexdigest())
        game = address, str(letter["list-id"])
        self._newest[game] = letter
        body = letter.get_body(("plain",))
        menu = options(str(body.get_content())) if body is not None else {}
        if menu:
            self._lines[game] = choose(menu, set(), self.rng)

    def write(self, mails: int) -> None:
        """Some mails: a note each, and a line that was offered. Who has a new one writes first, the others use
        up their last again."""
        self.fetch()
        turns = itertools.chain(list(self._lines), itertools.cycle(list(self._newest)))
        for game in itertools.islice(turns, mails):
            number = next(self._numbers)
            letter = self._newest[game]
            line = "join" if letter["x-pbem-kind"] == "invitation" else self._line(game)
            self._send(game[0], letter, f"note number {number}\n{line}\n", number)

    def _line(self, game: tuple[str, str]) -> str:
        if game in self._lines:
            self._used[game] = self._lines.pop(game)
        return self._used.get(game, "status")

    def _send(self, address: str, letter: EmailMessage, text: str, number: int) -> None:
        mail = EmailMessage(policy=email.policy.SMTP)
        mail["From"], mail["To"] = address, str(letter["reply-to"])
        mail["Subject"], mail["Message-ID"] = "Re: orders", f"<{number}@crash.example.org>"
        mail["Date"] = "Tue, 01 Dec 2026 09:00:00 +0000"
        mail.set_content(text)
        self.world.deliver(address, letter["reply-to"].addresses[0].addr_spec, mail.as_bytes())
        self.sent.append(str(mail["Message-ID"]))

    # what must hold

    def must_be_sound(self) -> None:
        """Each mail applied exactly once, none lost, every letter delivered, the same one under the same id."""
        self.fetch()
        with self.app() as app:
            rows = app.store.all("select message_id, state, reason from inbox")
            assert Counter(r["message_id"] for r in rows) == Counter(self.sent), (
                "a mail was lost or taken twice"
            )
            assert {r["state"] for r in rows} == {"applied"}, [
                tuple(r) for r in rows if r["state"] != "applied"
            ]
            joined = {r["message_id"] for r in rows if r["reason"] == "invitation"}
            noted = Counter(
                f"<{r['text'].split()[-1]}@crash.example.org>" for r in app.store.all("select text from note")
            )
            assert noted == Counter(set(self.sent) - joined), "a note was lost or made twice"
            changed = app.store.one("select count(*) from inbox where reason = 'changed'")
            answers = app.store.one("select count(*) from answer where by = 'mail' and void is null")
            assert changed is not None
            assert answers is not None
            assert changed[0] == answers[0] > len(self.sent) // 100, (changed[0], answers[0])
            self._letters_are_sound(app)
            for game in app.games.every():
                assert prove(app.games, game).faults == []
        assert self.world.left() == 0, "a mail still lies in the inbox"

    def _letters_are_sound(self, app: App) -> None:
        out = app.store.all("select message_id, recipient, state from outbox")
        assert {r["state"] for r in out} == {"sent"}
        assert {(r["recipient"], f"<{r['message_id']}>") for r in out} == set(self.letters), (
            "a letter was lost"
        )
        assert all(len(ways) == 1 for ways in self.letters.values()), "two letters under one Message-ID"
