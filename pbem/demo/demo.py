"""`pbem demo`: a real campaign by real mail on this machine alone, against robots that are processes of their own."""

from __future__ import annotations

import asyncio
import contextlib
import secrets
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

from ..app import App
from ..catalogue import Say, sayer
from ..config import Config, Mail, StoreConfig, Table
from ..joining import Invitation
from ..postoffice.page import Page
from ..postoffice.people import Listed, Mailboxes
from ..postoffice.server import PostOffice
from ..runner import Runner
from ..sources.maildir import MaildirSource
from ..store.db import Store
from ..store.games import Game
from ..transports.smtp import SmtpAccount, SmtpTransport

NAMES = ("Ana", "Ben", "Carla", "Dora")
ADDRESS = "games@pbem.example.org"
PATIENCE = 600
"""Seconds that a game between robots may take before something must be wrong."""


@dataclass(frozen=True, slots=True)
class Count:
    """What went through the post."""

    came: int
    went: int
    failed: int


def run(
    watch: bool = False,
    seats: int | None = None,
    seed: int | None = None,
    web_port: int = 8025,
    smtp_port: int = 2525,
    folder: Path | None = None,
) -> int:
    """Play; gives the exit status. `folder` is kept, without it everything is thrown away at the end."""
    console = Console(highlight=False)
    place = folder or Path(tempfile.mkdtemp(prefix="pbem-demo-"))
    try:
        demo = Demo(console, place, seats or (4 if watch else 3), seed, web_port, smtp_port)
        return asyncio.run(demo.watch() if watch else demo.play())
    except KeyboardInterrupt:
        return 0
    finally:
        if folder is None:
            shutil.rmtree(place, ignore_errors=True)


class Demo:
    """One table, its post office, its page and its robots."""

    def __init__(
        self, console: Console, folder: Path, seats: int, seed: int | None, web_port: int, smtp_port: int
    ) -> None:
        self.console = console
        self.seed = secrets.randbelow(10**6) if seed is None else seed
        self.people = [(name, f"{name.lower()}@example.org") for name in NAMES[:seats]]
        self.web_port = web_port
        config = Config(
            mail=Mail(address=ADDRESS, name="Play by mail", poll_seconds=5, receipts_per_hour=0),
            table=Table(minimum_age_minutes=0),
            store=StoreConfig(path=str(folder / "pbem.sqlite")),
        )
        self.app = App(config, Store(folder / "pbem.sqlite"))
        self.source = MaildirSource(Mailboxes(folder / "mail", ADDRESS).ours)
        self.office = PostOffice(
            *(folder / "mail", ADDRESS, Listed(self.people)), port=smtp_port, on_delivery=self.source.wake
        )
        self.robots: list[subprocess.Popen[bytes]] = []
        self.runner: Runner | None = None

    async def watch(self) -> int:
        """Robots in every seat, until the game is over."""
        async with self._open():
            game = self._invite("A game between robots")
            self._start_robots(self.people, delay=0.0)
            with self._page(None):
                status = await self._follow(game)
        return status

    async def play(self) -> int:
        """One seat for the visitor, until they leave."""
        async with self._open():
            game = self._invite("Your first game")
            self._start_robots(self.people[1:], delay=0.2)
            name, address = self.people[0]
            with self._page(address) as page:
                self.console.print(f"You are {name}. Your letters are at:")
                self.console.print(f"\n    {page.inbox_url(address)}\n")
                self.console.print(
                    "Open the invitation and answer join. Ctrl-C ends the demo.", soft_wrap=True
                )
                await self._serve(game)
        return 0

    # its parts

    @contextlib.asynccontextmanager
    async def _open(self) -> AsyncIterator[None]:
        """Post office and runner, closed again whatever happens."""
        async with self.office:
            post = SmtpTransport(SmtpAccount(host="127.0.0.1", port=self.office.port, tls="none"))
            self.runner = Runner(self.app, self.source, post)
            self.runner.stop_on_signals()
            serving = asyncio.create_task(self.runner.run())
            try:
                yield
            finally:
                self.runner.stop()
                await serving
                await self._end_robots()
        self.app.close()

    def _page(self, you: str | None) -> Page:
        robots = [a for _, a in self.people if a != you]
        return Page(
            self.office.mailboxes.root,
            ADDRESS,
            Listed(self.people),
            self.office.port,
            port=self.web_port,
            you=you,
            robots=robots,
        )

    def _invite(self, title: str) -> Game:
        seats = [f"{name} <{address}>" for name, address in self.people]
        return self.app.new(Invitation(self.app.games.rulesets["troyes"], title, seats))

    def _start_robots(self, people: Sequence[tuple[str, str]], delay: float) -> None:
        for n, (name, address) in enumerate(people):
            maildir = self.office.mailboxes.folder(address)
            command = [
                sys.executable,
                "-m",
                "pbem.demo.robot",
                "--maildir",
                str(maildir),
                "--address",
                address,
            ]
            command += [
                "--smtp-port",
                str(self.office.port),
                "--seed",
                str(self.seed + n),
                "--delay",
                str(delay),
            ]
            self.robots.append(subprocess.Popen([*command, "--name", name]))

    async def _end_robots(self) -> None:
        for robot in self.robots:
            with contextlib.suppress(subprocess.TimeoutExpired):
                await asyncio.to_thread(robot.wait, 5)
            if robot.poll() is None:
                robot.terminate()
                await asyncio.to_thread(robot.wait)

    # how it goes

    async def _follow(self, game: Game) -> int:
        began = time.monotonic()
        say = sayer("en")
        columns = (SpinnerColumn(), TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
        with Progress(*columns, console=self.console, transient=True) as progress:
            task = progress.add_task("invitations", total=None)
            while not self._finished(game) and time.monotonic() - began < PATIENCE:
                await asyncio.sleep(0.1)
                count = self.count()
                label = self._label(game, say)
                progress.update(task, description=f"{label}: {count.came} mails in, {count.went} out")
                if any(r.poll() not in (None, 0) for r in self.robots):
                    break
        return self._conclude(game)

    def _label(self, game: Game, say: Say) -> str:
        now = self.app.games.get(game.id)
        if now.state == "inviting":
            return "invitations"
        return say(now.rules.position(self.app.games.table(now).g).label)

    def _finished(self, game: Game) -> bool:
        return (
            self.app.games.get(game.id).state == "over"
            and self.app.outbox.waiting() == 0
            and all(r.poll() is not None for r in self.robots)
        )

    def _conclude(self, game: Game) -> int:
        count = self.count()
        if not self._finished(game):
            self.console.print("The game did not come to its end; something is wrong.")
            return 1
        for line in self._ranking(game):
            self.console.print(line)
        end = f"demo: finished, {count.came} mails in, {count.went} mails out, {count.failed} failed"
        print(end)
        return 0 if count.failed == 0 and all(r.returncode == 0 for r in self.robots) else 1

    def _ranking(self, game: Game) -> list[str]:
        table = self.app.games.table(self.app.games.get(game.id))
        outcome = game.rules.outcome(table.g)
        return [f"{r.place}. {r.seat}: {r.score} VP" for r in outcome.ranking] if outcome else []

    async def _serve(self, game: Game) -> None:
        """Until the visitor leaves; says once that the game is over."""
        assert self.runner is not None
        said = False
        while not self.runner.stopping:
            await asyncio.sleep(0.2)
            if not said and self.app.games.get(game.id).state == "over":
                said = True
                self.console.print(
                    "The game is over; the last letter says who has won. Ctrl-C ends the demo."
                )

    def count(self) -> Count:
        """Mails so far."""
        one = self.app.store.one
        came = one("select count(*) from inbox where state in ('applied', 'held')")
        went = one("select count(*) from outbox where state = 'sent'")
        failed = one(
            "select (select count(*) from inbox where state in ('failed', 'aside')) +"
            " (select count(*) from outbox where state = 'failed')"
        )
        return Count(*(row[0] if row else 0 for row in (came, went, failed)))
