"""`pbem demo`: a real campaign by real mail on this machine alone, against robots that are processes of their own."""

from __future__ import annotations

import asyncio
import contextlib
import secrets
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.text import Text as Line

from ..app import App
from ..campaigns import Sequel
from ..config import Config, Mail, StoreConfig, Table
from ..engine.core.ruleset import Ruleset
from ..joining import BadGame, Invitation
from ..looking import annals
from ..postoffice.page import Page
from ..postoffice.people import Listed, Mailboxes
from ..postoffice.server import PostOffice
from ..runner import Runner
from ..sources.maildir import MaildirSource
from ..store.db import Store
from ..store.games import Game
from ..transports.smtp import SmtpAccount, SmtpTransport
from .news import News

NAMES = ("Ana", "Ben", "Carla", "Dora", "Enzo", "Fay")
ADDRESS = "games@pbem.example.org"
WATCHED, PLAYED = 4, 3
"""How many play where nobody says so, between robots and with a visitor."""
PATIENCE = 600
"""Seconds that a game between robots may take before something must be wrong."""
LOOK = 0.1
"""Seconds between two looks at how the game stands."""


@dataclass(frozen=True, slots=True)
class Count:
    """What went through the post."""

    came: int
    went: int
    failed: int


def run(
    rules: Ruleset[Any],
    watch: bool = False,
    seats: int | None = None,
    seed: int | None = None,
    web_port: int = 8025,
    smtp_port: int = 2525,
    folder: Path | None = None,
) -> int:
    """Play; gives the exit status. `folder` is kept, without it everything is thrown away at the end.

    Raises `BadGame` for a folder in which a demo was played before, and for a number of seats that the game has not.
    """
    number = seats or (WATCHED if watch else PLAYED)
    if number not in rules.seats:
        raise BadGame(f"{rules.title} is for {rules.seats[0]} to {rules.seats[-1]} players, not {number}")
    console = Console(highlight=False, markup=False, soft_wrap=True)
    place = folder or Path(tempfile.mkdtemp(prefix="pbem-demo-"))
    try:
        demo = Demo(console, place, rules, number, seed, web_port, smtp_port)
        return asyncio.run(demo.watch() if watch else demo.play())
    except KeyboardInterrupt:
        return 0
    finally:
        if folder is None:
            shutil.rmtree(place, ignore_errors=True)


class Demo:
    """One table, its post office, its page and its robots."""

    def __init__(
        self,
        console: Console,
        folder: Path,
        rules: Ruleset[Any],
        seats: int,
        seed: int | None,
        web_port: int,
        smtp_port: int,
    ) -> None:
        """Raises `BadGame`."""
        self.console = console
        self.rules = rules
        self.seed = secrets.randbelow(10**6) if seed is None else seed
        self.people = [(name, f"{name.lower()}@example.org") for name in NAMES[:seats]]
        self.web_port = web_port
        store = folder / "pbem.sqlite"
        if store.exists():
            raise BadGame(f"a demo was played in {folder} before; name another folder, or remove this one")
        config = Config(
            mail=Mail(address=ADDRESS, name="Play by mail", poll_seconds=5, receipts_per_hour=0),
            table=Table(minimum_age_minutes=0),
            store=StoreConfig(path=str(store)),
        )
        self.app = App(config, Store(store))
        self.source = MaildirSource(Mailboxes(folder / "mail", ADDRESS).ours)
        self.office = PostOffice(
            *(folder / "mail", ADDRESS, Listed(self.people)), port=smtp_port, on_delivery=self.source.wake
        )
        self.robots: list[subprocess.Popen[bytes]] = []
        self.serving: asyncio.Task[None] | None = None

    async def watch(self) -> int:
        """Robots in every seat, until the game is over, and the next one set up if it is one of a campaign."""
        async with self._open():
            with self._page(None) as page:
                self._say(
                    f"{self.rules.title} by mail between robots, each of them a process with a mailbox of its own."
                )
                self._say(f"You may read their letters while they play: {page.url}people")
                self._say()
                game = self._invite("A game between robots")
                self._start_robots(self.people, delay=0.0)
                await self._follow(game, self._finished)
                if self.rules.campaigns and self._finished(game):
                    return self._conclude(await self._go_on(game), self._set_up)
            return self._conclude(game, self._finished)

    async def play(self) -> int:
        """One seat for the visitor, until they leave."""
        async with self._open():
            name, address = self.people[0]
            with self._page(address) as page:
                self._welcome(page.inbox_url(address))
                game = self._invite("Your first game")
                self._start_robots(self.people[1:], delay=0.2)
                await self._accompany(game, News(self.app, game, self._say, visitor=name))
        return 0

    # its parts

    @contextlib.asynccontextmanager
    async def _open(self) -> AsyncIterator[None]:
        """Post office and runner, closed again whatever happens."""
        async with self.office:
            post = SmtpTransport(SmtpAccount(host="127.0.0.1", port=self.office.port, tls="none"))
            runner = Runner(self.app, self.source, post)
            runner.stop_on_signals()
            self.serving = asyncio.create_task(runner.run())
            try:
                yield
            finally:
                self._end_robots()
                runner.stop()
                await self.serving
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
        seed = sha256(f"demo {self.seed}".encode()).digest()
        return self.app.new(Invitation(self.rules, title, seats, seed=seed))

    async def _go_on(self, game: Game) -> Game:
        """The next game of the campaign, as far as its first turn."""
        assert game.campaign is not None
        campaign = self.app.campaigns.get(game.campaign)
        self._say()
        for line in annals(self.app, campaign):
            self._say(f"       {line}".rstrip())
        self._say()
        following = self.app.next(campaign, Sequel())
        self._start_robots(self.people, delay=0.0, games=2)
        await self._follow(following, self._set_up)
        return following

    def _start_robots(self, people: Sequence[tuple[str, str]], delay: float, games: int = 1) -> None:
        for n, (name, address) in enumerate(people):
            told = {
                "maildir": self.office.mailboxes.folder(address),
                "address": address,
                "name": name,
                "smtp-port": self.office.port,
                "seed": self.seed + n,
                "delay": delay,
                "games": games,
            }
            words = [word for option, value in told.items() for word in (f"--{option}", str(value))]
            self.robots.append(subprocess.Popen([sys.executable, "-m", "pbem.demo.robot", *words]))

    def _end_robots(self) -> None:
        for robot in self.robots:
            if robot.poll() is None:
                robot.terminate()
        for robot in self.robots:
            robot.wait()

    # how it goes

    def _say(self, line: str = "") -> None:
        self.console.print(line)

    def _welcome(self, inbox: str) -> None:
        name, *robots = (name for name, _ in self.people)
        self._say(f"{self.rules.title} by mail. You are {name}; robots play for {' and '.join(robots)}.")
        self._say("Nothing leaves this machine. Open your inbox in a browser:")
        self.console.print(Line(f"\n    {inbox}\n", "bold"))
        self._say("Open the invitation there and answer: join")
        self._say("Each letter that asks you something shows what you may write. A line that is wrong does")
        self._say("no harm, the answer says what would be right. Try also: preview, undo, help")
        self._say("Ctrl-C ends the demo.")
        self._say()

    async def _accompany(self, game: Game, news: News) -> None:
        """Until the visitor leaves."""
        told_of_robots = False
        while self._open_still():
            await asyncio.sleep(LOOK)
            news.look()
            if not told_of_robots and self._lost_a_robot():
                told_of_robots = True
                self._say("A robot has given up, so this game will not go on. Ctrl-C ends the demo.")

    async def _follow(self, game: Game, there: Callable[[Game], bool]) -> None:
        """Until the game between robots is where it shall come to, or cannot get there."""
        began = time.monotonic()
        news = News(self.app, game, self._say)
        with self.console.status("Waiting for the robots to join") as status:
            while self._open_still() and not there(game):
                await asyncio.sleep(LOOK)
                news.look()
                count, seconds = self.count(), time.monotonic() - began
                status.update(f"{count.came} mails in, {count.went} out, {seconds:.0f} s")
                if seconds > PATIENCE or count.failed or self._lost_a_robot():
                    break

    def _lost_a_robot(self) -> bool:
        """Whether one has given up; a terminal that is closed ends them together with us."""
        return any(r.poll() not in (None, 0, -signal.SIGTERM) for r in self.robots)

    def _open_still(self) -> bool:
        return self.serving is not None and not self.serving.done()

    def _finished(self, game: Game) -> bool:
        return (
            self.app.games.get(game.id).state == "over"
            and self.app.outbox.waiting() == 0
            and all(r.poll() is not None for r in self.robots)
        )

    def _set_up(self, game: Game) -> bool:
        """Whether all have joined and everybody's first choices are made."""
        now = self.app.games.get(game.id)
        return now.state == "playing" and all(
            ask.kind != "setup" for ask in self.app.games.table(now).open.values()
        )

    def _conclude(self, game: Game, there: Callable[[Game], bool]) -> int:
        count = self.count()
        if not there(game):
            stopped = not self._open_still()
            self._say("Stopped before the end." if stopped else "The game did not come to its end.")
            return 1
        print(f"demo: finished, {count.came} mails in, {count.went} mails out, {count.failed} failed")
        return 0 if count.failed == 0 and not self._lost_a_robot() else 1

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
