"""`pbem run`: one thread that reads the mailbox, one loop that does everything else."""

from __future__ import annotations

import asyncio
import fcntl
import logging
import os
import random
import signal
import threading
from collections.abc import Sequence
from concurrent.futures import CancelledError
from datetime import datetime, timedelta
from pathlib import Path

from apscheduler.schedulers.asyncio import AsyncIOScheduler

from .app import App
from .draughtsman import Draughtsman
from .pictures import completed
from .ports import Disconnected, Fate, Fetched, Refused, Source, Transport
from .store.db import Unavailable

log = logging.getLogger("pbem.runner")

TICK_SECONDS = 10
SEND_SECONDS = 5
BATCH = 50
GATHERED_SECONDS = 0.1
"""While mails are worked on one after the other, their letters wait so long for company: a look at the queue and a
commit serve them all."""
STOP_SECONDS = 10.0
"""For which queued letters still go out when the service is to end, since many may have to be drawn. The rest stays
queued."""
POLL_NOTED_EVERY = timedelta(seconds=20)
KEPT_BACKUPS = 48


class AlreadyRunning(Exception):
    """Another runner serves this store; the text says which file tells so."""


class Lock:
    """Keeps out a second poller (D-31); the kernel lets go of it however the process ends."""

    def __init__(self, path: Path) -> None:
        """Raises `AlreadyRunning`."""
        self.path = path
        path.parent.mkdir(parents=True, exist_ok=True)
        self.file = path.open("a+")
        try:
            fcntl.flock(self.file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            self.file.close()
            raise AlreadyRunning(f"{path}: another pbem run serves this store; stop it first") from None

    def release(self) -> None:
        """Let the next one in."""
        fcntl.flock(self.file, fcntl.LOCK_UN)
        self.file.close()


class Runner:
    """Serves until it is told to stop."""

    def __init__(self, app: App, source: Source, transport: Transport) -> None:
        self.app = app
        self.source = source
        self.transport = transport
        self.draughtsman = Draughtsman()
        self.trouble: dict[str, str] = {}
        """What is wrong now, by part; empty while all is well."""
        self._stop = asyncio.Event()
        self._send = asyncio.Event()
        self._send.set()  # letters that an earlier life has left go out at once
        self._ended = threading.Event()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._until: float | None = None

    async def run(self) -> None:
        """Serve; returns after `stop`. What is out of reach meanwhile stands in `trouble` and is tried again."""
        self._loop = asyncio.get_running_loop()
        self.app.recover()
        poller = threading.Thread(target=self._poll_forever, name="mailbox", daemon=True)
        scheduler = self._scheduler()
        scheduler.start()
        poller.start()
        sender = asyncio.create_task(self._send_forever())
        try:
            await self._stop.wait()
        finally:
            self._until = self._loop.time() + STOP_SECONDS
            self._ended.set()
            scheduler.shutdown(wait=False)
            self.source.wake()
            await asyncio.to_thread(poller.join, 10)
            self._send.set()
            await sender
            await self.draughtsman.close()
            self.source.close()

    def stop(self) -> None:
        """End `run` soon, after what is in hand; from the loop's thread or a signal handler."""
        self._stop.set()

    def stop_on_signals(self) -> None:
        """SIGTERM and SIGINT end the service in order."""
        loop = asyncio.get_running_loop()
        for sign in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(sign, self.stop)

    def _scheduler(self) -> AsyncIOScheduler:
        """Ticks only: what is due is a question to the store, asked again and again."""
        scheduler = AsyncIOScheduler(
            timezone="UTC", job_defaults={"coalesce": True, "max_instances": 1, "misfire_grace_time": None}
        )
        scheduler.add_job(self._tick, "interval", seconds=TICK_SECONDS)
        scheduler.add_job(self._send.set, "interval", seconds=SEND_SECONDS)
        scheduler.add_job(self.source.wake, "interval", seconds=self.app.config.mail.poll_seconds)
        scheduler.add_job(self._housekeeping, "interval", hours=1)
        return scheduler

    # the mailbox's own thread

    def _poll_forever(self) -> None:
        tries = 0
        while not self._ended.is_set():
            try:
                busy = self._poll_once()
                tries = 0
            except CancelledError:
                return
            except Exception as e:
                if self._ended.is_set():
                    return
                tries += 1
                self._in_trouble("mailbox", _why(e))
                self._ended.wait(min(300.0, 2.0**tries) * (0.5 + random.random()))
                continue
            self._well("mailbox")
            if not busy and not self._ended.is_set():
                self.source.wait(self.app.config.mail.poll_seconds)

    def _poll_once(self) -> bool:
        """Take in what is there and settle what is done with; True if there may be more."""
        batch = list(self.source.fetch(BATCH))
        assert self._loop is not None
        done = asyncio.run_coroutine_threadsafe(self.take_in(batch), self._loop).result()
        settled = []
        for mail, key, folder in done:
            self.source.settle(key, folder)
            settled.append(mail)
        if settled:
            asyncio.run_coroutine_threadsafe(self._note_settled(settled), self._loop).result()
        return len(batch) == BATCH

    async def take_in(self, batch: Sequence[Fetched]) -> list[tuple[int, str, str]]:
        """Work on a batch of mails in order; gives what can be moved on the server now."""
        self.app.watch.back(self.app.clock.now())
        loop = asyncio.get_running_loop()
        sent = loop.time()
        for fetched in batch:
            if self._stop.is_set():
                break
            self.app.take(fetched)
            if loop.time() - sent > GATHERED_SECONDS:
                self._send.set()
                sent = loop.time()
            await asyncio.sleep(0)
        if batch:
            self._send.set()
        now = self.app.clock.now()
        last = self.app.watch.last_poll()
        if last is None or now - last > POLL_NOTED_EVERY or self.app.ticks.due():
            self.app.watch.polled(now)
        return self.app.intake.inbox.unsettled()

    async def _note_settled(self, mails: list[int]) -> None:
        self.app.intake.inbox.settled(mails)

    # the loop's own work

    async def _tick(self) -> None:
        try:
            self.app.tick()
            self._well("store")
        except Unavailable as e:
            self._in_trouble("store", str(e))
        if self.app.watch.calm:
            self._in_trouble("clock", "it jumped; nothing falls due for ten minutes")
        else:
            self._well("clock")
        if self.app.ticks.due():
            self.source.wake()
        self._send.set()

    async def _send_forever(self) -> None:
        while True:
            await self._send.wait()
            self._send.clear()
            try:
                while await self.send_once() and not self._late():
                    pass
            except Exception as e:  # whatever it is, letters stay queued and the next tick tries again
                self._in_trouble("post", _why(e))
            if self._ended.is_set():
                return

    async def send_once(self) -> int:
        """Hand over one batch of letters; gives how many were taken."""
        now = self.app.clock.now()
        waiting = self.app.outbox.due(now)
        if not waiting:
            return 0
        taken = 0
        async for letters in completed(self.app.writer.pictures, self.draughtsman, waiting):
            fates = await self.transport.send(letters)
            self._note_fates(fates, now)
            taken += sum(f.sent for f in fates)
            if self._late():
                break
        self._well("post")
        return taken

    def _late(self) -> bool:
        """Whether the service was told to end, and some time ago."""
        return self._until is not None and asyncio.get_running_loop().time() > self._until

    def _note_fates(self, fates: Sequence[Fate], now: datetime) -> None:
        with self.app.store.tx():
            for fate in fates:
                if fate.sent:
                    self.app.outbox.sent(fate.id, fate.answer, now)
                elif fate.permanent:
                    log.warning("letter %d was refused for good", fate.id)
                    self.app.outbox.refused(fate.id, fate.answer)
                    self.app.reach.refused(fate.id, fate.answer, now)
                else:
                    self.app.outbox.later(fate.id, fate.answer, now)

    async def _housekeeping(self) -> None:
        """An hourly backup beside the store; the newest are kept."""
        folder = self.app.store.path.parent / "backups"
        try:
            folder.mkdir(exist_ok=True)
            name = self.app.clock.now().strftime("%Y%m%d-%H%M%S.sqlite")
            self.app.store.backup(folder / name)
            for old in sorted(folder.glob("*.sqlite"))[:-KEPT_BACKUPS]:
                os.unlink(old)
            self._well("backup")
        except OSError as e:
            self._in_trouble("backup", str(e))

    # how it is

    def _in_trouble(self, part: str, why: str) -> None:
        if self.trouble.get(part) != why:
            log.warning("%s: %s", part, why)
        self.trouble[part] = why

    def _well(self, part: str) -> None:
        if self.trouble.pop(part, None) is not None:
            log.info("%s: all is well again", part)


def _why(fault: Exception) -> str:
    """A fault in words for the host; what nobody foresaw is told by its kind, its details at debug level."""
    if isinstance(fault, (Disconnected, Refused, Unavailable)):
        return str(fault)
    log.debug("not foreseen", exc_info=fault)
    return f"a fault in the program ({type(fault).__name__}); with --log-level debug it is told whole"
