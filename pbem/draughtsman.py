"""Pictures as PNG, made in a process of their own: each takes two tenths of a second, in which a process can do
nothing else."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import signal
import sys
from asyncio.subprocess import PIPE, Process
from collections import OrderedDict
from functools import cache
from importlib import resources
from typing import BinaryIO

import resvg_py

log = logging.getLogger(__name__)

PIXELS = 900
"""How wide a picture is drawn: more than mails show, for sharp screens; larger ones take longer."""
KEPT = 32
"""Pictures that are kept: those of one position go to several people."""
PATIENCE = 60.0
"""Seconds for one picture."""
UNDRAWN = "a board could not be drawn; its letters go out without the picture"
"""What the log says of it."""
_LENGTH = 4
"""Bytes before a drawing, and before its picture, that say how long it is."""


@cache
def _fonts() -> list[str]:
    """Ours alone, so that a picture does not depend on the machine."""
    folder = resources.files("pbem.templates").joinpath("fonts")
    return [str(folder.joinpath(name)) for name in ("DejaVuSans.ttf", "DejaVuSans-Bold.ttf")]


def png(svg: str) -> bytes:
    """A drawing as PNG; what cannot be drawn is no picture, and its reader has the words."""
    with contextlib.suppress(ValueError):
        return resvg_py.svg_to_bytes(
            svg_string=svg, skip_system_fonts=True, font_files=_fonts(), width=PIXELS
        )
    return b""


class Draughtsman:
    """Has pictures drawn. The process begins with the first one and ends with this or with whoever has this; one that
    dies is begun anew."""

    def __init__(self) -> None:
        self._process: Process | None = None
        self._kept: OrderedDict[str, bytes] = OrderedDict()

    def has(self, svg: str) -> bool:
        """Whether a picture is at hand."""
        return svg in self._kept

    async def draw(self, svg: str) -> bytes:
        """A drawing as PNG, empty where it cannot be drawn."""
        picture = self._kept.pop(svg, None) or await self._drawn(svg)
        if not picture:
            log.warning(UNDRAWN)
            return b""
        self._kept[svg] = picture
        while len(self._kept) > KEPT:
            self._kept.popitem(last=False)
        return picture

    async def _drawn(self, svg: str) -> bytes:
        for _ in range(2):
            try:
                async with asyncio.timeout(PATIENCE):
                    return await self._handed_over(svg.encode())
            except (OSError, EOFError) as e:
                log.info("the process that draws has ended: %s", type(e).__name__)
                await self.close()
        return b""

    async def _handed_over(self, svg: bytes) -> bytes:
        if self._process is None:
            command = (sys.executable, "-P", "-m", "pbem.draughtsman")
            self._process = await asyncio.create_subprocess_exec(*command, stdin=PIPE, stdout=PIPE)
        to, back = self._process.stdin, self._process.stdout
        assert to is not None
        assert back is not None
        to.write(len(svg).to_bytes(_LENGTH, "big") + svg)
        await to.drain()
        return await back.readexactly(int.from_bytes(await back.readexactly(_LENGTH), "big"))

    async def close(self) -> None:
        """End the process; the next picture begins another."""
        process, self._process = self._process, None
        if process is not None:
            with contextlib.suppress(ProcessLookupError):  # it is gone already
                process.kill()  # between two pictures it has nothing to lose
            await process.wait()


def serve(asked: BinaryIO, answers: BinaryIO) -> None:
    """Draw what is asked for until nobody asks any more."""
    while length := asked.read(_LENGTH):
        picture = png(asked.read(int.from_bytes(length, "big")).decode())
        answers.write(len(picture).to_bytes(_LENGTH, "big") + picture)
        answers.flush()


if __name__ == "__main__":
    for sign in (signal.SIGINT, signal.SIGTERM):  # they reach both of us, and whoever asks ends this in order
        signal.signal(sign, signal.SIG_IGN)
    serve(sys.stdin.buffer, sys.stdout.buffer)
