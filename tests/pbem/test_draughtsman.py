"""Pictures are made in a process of their own, which comes, dies and goes without anybody having to look after it."""

from __future__ import annotations

import asyncio
import io
import logging
import os
import signal
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from pbem import draughtsman
from pbem.draughtsman import Draughtsman, png, serve

SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20"><rect width="40" height="20" fill="{}"/></svg>'
RED, BLUE = SVG.format("red"), SVG.format("blue")


def with_one(work: Callable[[Draughtsman], Awaitable[object]]) -> None:
    """Has something drawn, and ends the process."""

    async def drawn() -> None:
        one = Draughtsman()
        try:
            await work(one)
        finally:
            await one.close()

    asyncio.run(drawn())


def process(one: Draughtsman) -> int:
    """The number of the process that draws."""
    assert one._process is not None
    return one._process.pid


def test_a_picture_is_the_same_as_drawn_here() -> None:
    async def work(one: Draughtsman) -> None:
        assert await one.draw(RED) == png(RED)
        assert await one.draw(BLUE) == png(BLUE) != png(RED)

    with_one(work)


def test_the_same_drawing_is_drawn_once_and_kept_for_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(draughtsman, "KEPT", 2)

    async def work(one: Draughtsman) -> None:
        red = await one.draw(RED)
        assert one.has(RED)
        assert await one.draw(RED) is red
        for colour in ("blue", "green"):
            await one.draw(SVG.format(colour))
        assert not one.has(RED)
        assert one.has(BLUE)

    with_one(work)


def test_what_cannot_be_drawn_is_no_picture_and_the_next_one_is_drawn(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def work(one: Draughtsman) -> None:
        assert await one.draw("<svg") == b""
        assert await one.draw(RED) == png(RED)

    with_one(work)
    assert [r.message for r in caplog.records if r.levelno == logging.WARNING] == [
        "a board could not be drawn; its letters go out without the picture"
    ]


def test_a_process_that_somebody_has_killed_is_begun_anew() -> None:
    async def work(one: Draughtsman) -> None:
        await one.draw(RED)
        killed = process(one)
        os.kill(killed, signal.SIGKILL)
        assert await one.draw(BLUE) == png(BLUE)
        assert process(one) != killed

    with_one(work)


def test_ctrl_c_and_the_end_of_the_service_are_for_whoever_asks() -> None:
    async def work(one: Draughtsman) -> None:
        await one.draw(RED)
        told = process(one)
        for sign in (signal.SIGINT, signal.SIGTERM):
            os.kill(told, sign)
        assert await one.draw(BLUE) == png(BLUE)
        assert process(one) == told

    with_one(work)


def test_a_process_that_cannot_be_begun_costs_the_picture_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/nowhere/python")

    async def work(one: Draughtsman) -> None:
        assert await one.draw(RED) == b""

    with_one(work)


def test_one_that_hangs_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(draughtsman, "PATIENCE", 0.2)

    async def work(one: Draughtsman) -> None:
        one._process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-c", "import time; time.sleep(600)"),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
        )
        hung = process(one)
        monkeypatch.setattr(one, "_handed_over", _never)
        assert await one.draw(RED) == b""
        with pytest.raises(ProcessLookupError):
            os.kill(hung, 0)

    with_one(work)


async def _never(svg: bytes) -> bytes:
    await asyncio.sleep(600)
    return svg


def test_others_go_on_while_a_picture_is_drawn() -> None:
    async def work(one: Draughtsman) -> None:
        drawing = asyncio.create_task(one.draw(RED))
        turns = 0
        while not drawing.done():
            await asyncio.sleep(0)
            turns += 1
        assert turns > 10

    with_one(work)


def test_it_ends_when_nobody_asks_any_more() -> None:
    answers = io.BytesIO()
    asked = io.BytesIO(len(RED).to_bytes(4, "big") + RED.encode())
    serve(asked, answers)
    assert answers.getvalue()[4:] == png(RED)


def test_it_does_not_outlive_whoever_asked(tmp_path: Path) -> None:
    """Even where that one is killed on the spot."""
    asking = (
        "import asyncio, time\n"
        "from pbem.draughtsman import Draughtsman\n"
        "async def main():\n"
        f"    one = Draughtsman(); await one.draw({RED!r}); print(one._process.pid, flush=True); time.sleep(600)\n"
        "asyncio.run(main())\n"
    )
    with subprocess.Popen([sys.executable, "-c", asking], stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        drawing = int(parent.stdout.readline())
        parent.kill()
    for _ in range(200):
        if not _runs(drawing):
            return
        time.sleep(0.05)
    raise AssertionError("the process that draws goes on alone")


def _runs(process: int) -> bool:
    try:
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"
