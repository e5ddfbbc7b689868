"""Letters go out soon: each by itself when mails come one by one, together when many wait."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

import pytest

from pbem import runner
from pbem.ports import Fate, Fetched, Outgoing
from pbem.runner import Runner
from pbem.sources.maildir import MaildirSource

from .table import PbemTable


class Counting:
    """Post that remembers how many letters it was handed at a time."""

    def __init__(self) -> None:
        self.batches: list[int] = []

    async def send(self, letters: Sequence[Outgoing]) -> list[Fate]:
        """All is well."""
        self.batches.append(len(letters))
        return [Fate(letter.id, sent=True) for letter in letters]


def handed_over(table: PbemTable, folder: Path, mails: int) -> list[int]:
    """What the post is handed, batch by batch, while so many mails that lay in the mailbox are worked on."""
    who = table.asked()[0]
    batch = []
    for n in range(mails):
        table.clock.on(minutes=1)
        batch.append(Fetched(f"waiting:{n}", table.answer(who, "status"), table.clock.now()))
    for box in ("new", "cur", "tmp"):
        (folder / box).mkdir(parents=True)
    post = Counting()

    async def serve() -> None:
        serving = Runner(table.app, MaildirSource(folder), post)
        running = asyncio.create_task(serving.run())
        while table.app.outbox.waiting():  # what was written before
            await asyncio.sleep(0.01)
        post.batches.clear()
        await serving.take_in(batch)
        while table.app.outbox.waiting():
            await asyncio.sleep(0.01)
        serving.stop()
        await running

    asyncio.run(serve())
    return post.batches


def test_letters_of_mails_that_wait_together_go_out_together(
    table: PbemTable, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runner, "GATHERED_SECONDS", 600)
    table.begun("Ana", "Ben")
    assert handed_over(table, tmp_path / "mail", 6) == [6]


def test_no_letter_waits_long_for_company(
    table: PbemTable, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runner, "GATHERED_SECONDS", 0)
    table.begun("Ana", "Ben")
    assert handed_over(table, tmp_path / "mail", 6) == [1] * 6


def test_a_service_that_is_told_to_end_does_not_wait_for_hundreds_of_letters(
    table: PbemTable, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runner, "STOP_SECONDS", -1)
    table.begun("Ana", "Ben")
    for n in range(3):
        table.writes(table.asked()[0], f"note {n}")
        table.writes(table.asked()[0], "1")
    waiting = table.app.outbox.waiting()
    for box in ("new", "cur", "tmp"):
        (tmp_path / "mail" / box).mkdir(parents=True)
    post = Counting()

    async def serve() -> None:
        serving = Runner(table.app, MaildirSource(tmp_path / "mail"), post)
        serving.stop()
        await serving.run()

    asyncio.run(serve())
    assert len(post.batches) == 1
    assert table.app.outbox.waiting() == waiting - post.batches[0] > 0, (
        "the rest goes out after the next start"
    )
