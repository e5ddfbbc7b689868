"""Order mails through the whole pipeline: Maildir in, claim, apply, receipts and digests out to a sink."""

from __future__ import annotations

import asyncio
import email
import gc
import itertools
import mailbox
import random
import shutil
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from email.policy import SMTP
from pathlib import Path

from pbem.app import App
from pbem.config import Config, Mail, Table
from pbem.engine.core.asks import Ask
from pbem.engine.core.testing import random_answer
from pbem.engine.core.text import english
from pbem.engine.games import GAMES
from pbem.joining import Invitation
from pbem.ports import Fate, Fetched, Outgoing, Transport
from pbem.runner import Runner
from pbem.sources.maildir import MaildirSource
from pbem.store.db import Store
from pbem.store.games import Game
from pbem.store.inbox import Filed
from pbem.transports.smtp import SmtpAccount, SmtpTransport
from pbem.writing import Cause

from . import relay

SEATS = {"troyes": ("Ana", "Ben", "Carla", "Dora"), "oath": ("Ana", "Ben", "Carla", "Dora", "Enzo", "Fay")}
"""Who plays, by the name of the rules."""
NAMES = SEATS["troyes"]
ADDRESS = "pbem@pbem.example.org"
PICTURED = 120
"""Mails of the run with pictures, which all have to be drawn before it ends."""


def config(pictures: bool = False) -> Config:
    """What the runner under the clock is told; pictures are measured apart."""
    return Config(
        mail=Mail(address=ADDRESS, receipts_per_hour=0, pictures=pictures), table=Table(minimum_age_minutes=0)
    )


@dataclass(frozen=True, slots=True)
class Result:
    """What one run of the pipeline showed."""

    mails: int
    letters: int
    mails_per_second: float
    queued_per_second: float
    """The same where the letters are not handed over: from the mailbox to the queue."""
    p50: float
    """Milliseconds from claim to commit, as p99."""
    p99: float
    pictured_per_second: float
    """To the queue, while another process draws the pictures of the letters before."""
    relay_per_second: float
    bytes_per_answer: float

    @property
    def ratio(self) -> float:
        """The pipeline's rate as a share of the bare relay's."""
        return self.mails_per_second / self.relay_per_second


Liner = Callable[[Game, str, Ask[object]], str]
"""Finds what a seat writes to its question."""


def post(app: App, line: Liner, numbers: Iterator[int]) -> bytes | None:
    """An order mail for the first game that asks somebody; None when all games are over."""
    for game in app.games.every():
        if game.state == "playing":
            return post_for(app, game, line, numbers)
    return None


def post_for(app: App, game: Game, line: Liner, numbers: Iterator[int]) -> bytes:
    """An order mail of the first seat that a game asks."""
    seat, ask = next(iter(app.games.table(game).open.items()))
    row = app.store.one(
        "select raw from outbox where game = ? and seat = ? order by id desc limit 1", game.id, seat
    )
    assert row is not None
    return answer(bytes(row["raw"]), seat, line(game, seat, ask), next(numbers))


def answer(letter: bytes, seat: str, line: str, n: int) -> bytes:
    """A plain top-posted reply with the letter quoted below."""
    got = email.message_from_bytes(letter, policy=SMTP)
    assert isinstance(got, EmailMessage)
    body = got.get_body(("plain",))
    assert body is not None
    quoted = "\n".join(f"> {x}" for x in str(body.get_content()).splitlines())
    mail = EmailMessage(policy=SMTP)
    mail["From"], mail["To"] = f"{seat} <{seat.lower()}@example.org>", str(got["reply-to"])
    mail["Subject"], mail["Message-ID"] = f"Re: {got['subject']}", f"<{n}@bench.example.org>"
    mail["In-Reply-To"] = mail["References"] = str(got["message-id"])
    mail["Date"] = datetime(2026, 12, 1, 9, tzinfo=UTC) + timedelta(seconds=n)  # the same again is a copy
    mail.set_content(f"{line}\n\nOn Tue, 1 Dec 2026 at 09:00, Play by mail <{ADDRESS}> wrote:\n{quoted}\n")
    return mail.as_bytes()


def random_line(rng: random.Random) -> Liner:
    """Orders in full words, as a player might type them."""

    def line(game: Game, seat: str, ask: Ask[object]) -> str:
        pick = random_answer(ask, rng)
        return english(ask.menu.find(pick).said(pick))

    return line


def prepare(folder: Path, games: int, *rules: str) -> Path:
    """A store with games in which everybody has joined, of these rules by turns."""
    path = folder / "start.sqlite"
    app = App(config(), Store(path))
    for n, name in zip(range(games), itertools.cycle(rules or ["troyes"]), strict=False):
        invitation = Invitation(GAMES[name], f"Game {n}", addressed(SEATS[name]), seed=n.to_bytes(32))
        begin(app, app.new(invitation))
    app.store.conn.execute("pragma wal_checkpoint(truncate)")
    app.close()
    return path


def addressed(names: Sequence[str]) -> list[str]:
    """People as invitations have them."""
    return [f"{name} <{name.lower()}@example.org>" for name in names]


def begin(app: App, game: Game) -> None:
    """All have joined, and the letters so far are out."""
    with app.store.tx():
        app.store.run("update seat set answered = 'joined' where game = ?", game.id)
        app.joining.begin_if_all_are_here(app.games.get(game.id), Cause(f"b{game.id}"), app.clock.now())
        app.store.run("update outbox set state = 'dropped' where state = 'queued'")


def rehearse(start: Path, folder: Path, mails: int) -> list[bytes]:
    """The mails of a run, found by playing it once."""
    path = folder / "rehearsal.sqlite"
    shutil.copy(start, path)
    app = App(config(), Store(path))
    rng, numbers = random.Random(1), itertools.count(1)
    found: list[bytes] = []
    line = random_line(rng)
    while len(found) < mails and (mail := post(app, line, numbers)) is not None:
        found.append(mail)
        app.take(Fetched(f"rehearsal:{len(found)}", mail, datetime.now(UTC)))
    app.close()
    return found


def fill(folder: Path, mails: list[bytes]) -> Path:
    """A Maildir with these mails, in this order."""
    box = mailbox.Maildir(folder, create=True)
    box.close()
    for n, mail in enumerate(mails):
        (folder / "new" / f"{1_700_000_000 + n}.M{n:06}P1.bench").write_bytes(mail)
    return folder


@contextmanager
def sink() -> Iterator[int]:
    """A server that takes letters; gives its port."""
    command = [sys.executable, "-m", "tests.bench.sink"]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdin is not None
    try:
        yield int(process.stdout.readline())
    finally:
        process.stdin.close()
        process.wait()
        process.stdout.close()


class Nowhere:
    """Post that takes letters and does nothing with them."""

    async def send(self, letters: Sequence[Outgoing]) -> list[Fate]:
        """All is well."""
        return [Fate(letter.id, sent=True) for letter in letters]


async def flow(
    store: Path, maildir: Path, transport: Transport, mails: int, pictures: bool = False
) -> tuple[float, list[float]]:
    """Seconds until the last letter is out, with pictures until the last one is queued, for their drawing takes far
    longer; and each mail's milliseconds."""
    app = App(config(pictures), Store(store))
    spent: list[float] = []
    real = app.take

    def timed(fetched: Fetched) -> Filed | None:
        began = time.perf_counter()
        filed = real(fetched)
        spent.append((time.perf_counter() - began) * 1000)
        return filed

    app.take = timed  # type: ignore[method-assign]
    runner = Runner(app, MaildirSource(maildir), transport)
    gc.collect()
    gc.freeze()  # as `pbem run` does
    began = time.perf_counter()
    serving = asyncio.create_task(runner.run())
    while len(spent) < mails or app.intake.inbox.unsettled() or (app.outbox.waiting() and not pictures):
        await asyncio.sleep(0.01)
    total = time.perf_counter() - began
    runner.stop()
    await serving
    gc.unfreeze()
    answers = app.store.one("select count(*) from inbox where reason = 'changed'")
    assert answers is not None
    assert answers[0] == mails, "not every mail was an answer"
    app.close()
    return total, spent


def measure(
    folder: Path,
    rules: str = "troyes",
    mails: int = 500,
    games: int = 12,
    say: Callable[[str], None] = print,
) -> Result:
    """One run of the pipeline and of the bare relay, with the same mails and letters of the same size."""
    say(f"preparing games of {rules} and mails")
    start = prepare(folder, games, rules)
    written = rehearse(start, folder, mails)
    store = folder / "run.sqlite"
    renewed(store, start)
    say("from the mailbox to the queue")
    quick, _ = asyncio.run(flow(store, fill(folder / "queued", written), Nowhere(), len(written)))
    renewed(store, start)
    say("the same while pictures are drawn")
    few = written[:PICTURED]
    pictured, _ = asyncio.run(flow(store, fill(folder / "pictured", few), Nowhere(), len(few), pictures=True))
    renewed(store, start)
    with sink() as port:
        say(f"{len(written)} mails through the pipeline")
        post = SmtpTransport(SmtpAccount(host="127.0.0.1", port=port, tls="none"))
        total, spent = asyncio.run(flow(store, fill(folder / "run", written), post, len(written)))
        text, html, letters, per_answer = sizes(store)
        say("the same through a relay that reads nothing")
        bare = relay.run(fill(folder / "relay", written), folder / "relay.sqlite", port, text, html)
    cuts = statistics.quantiles(spent, n=100)
    n = len(written)
    beside = len(few) / pictured
    return Result(n, letters, n / total, n / quick, cuts[49], cuts[98], beside, bare, per_answer)


def renewed(store: Path, start: Path) -> None:
    """The store as it was at the start."""
    for name in store.parent.glob(f"{store.name}*"):
        name.unlink()
    shutil.copy(start, store)


def sizes(store: Path) -> tuple[str, str, int, float]:
    """A letter of middling length, how many were sent, and bytes in the store for each answer."""
    opened = Store(store)
    raws = sorted(
        (bytes(r["raw"]) for r in opened.all("select raw from outbox where state = 'sent'")), key=len
    )
    middle = email.message_from_bytes(raws[len(raws) // 2], policy=SMTP)
    assert isinstance(middle, EmailMessage)
    text, html = (middle.get_body((kind,)) for kind in ("plain", "html"))
    assert text is not None
    assert html is not None
    row = opened.one(
        "select (select sum(length(pick) + length(key) + 60) from answer) + (select sum(length(saved) + 120) from step)"
        " + (select sum(length(data) + 60) from fact) as bytes, (select count(*) from answer where seat <> 'dice') as n"
    )
    assert row is not None
    opened.close()
    return str(text.get_content()), str(html.get_content()), len(raws), row["bytes"] / row["n"]
