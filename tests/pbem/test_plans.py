"""No question that a running service asks its store reads a table from end to end: campaigns live for years."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from pbem.runner import Runner
from pbem.sources.maildir import MaildirSource
from pbem.store.db import Store

from ..bench.pipeline import Nowhere
from .table import PbemTable

GROWING = (
    *("inbox", "outbox", "answer", "fact", "step", "question", "digest", "log", "note"),
    *("failure", "proof", "picture"),
)
SHORT = ("inbox_waiting", "inbox_unsettled", "outbox_queued", "question_open", "question_due")
"""Indexes of what is under way, which hold a few rows at any time."""
_SCAN = re.compile(r"SCAN (?P<table>\w+)(?: USING (?:COVERING )?INDEX (?P<index>\w+))?")


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> dict[str, None]:
    """Every statement that reaches a store, in its order."""
    seen: dict[str, None] = {}
    for name in ("all", "one", "run", "many"):
        real = getattr(Store, name)

        def noted(self: Store, sql: str, *values: Any, _real: Any = real) -> Any:
            seen[sql] = None
            return _real(self, sql, *values)

        monkeypatch.setattr(Store, name, noted)
    return seen


def ends_to_ends(store: Store, statements: dict[str, None]) -> Iterator[tuple[str, str]]:
    """The statements that read a growing table whole, each with the step of its plan that does."""
    for sql in statements:
        places = len(set(re.findall(r"\?\d", sql))) or sql.count("?")
        for step in store.conn.execute(f"explain query plan {sql}", [None] * places).fetchall():
            found = _SCAN.match(step["detail"])
            if found is not None and found["index"] not in SHORT and _names(sql, found["table"]) in GROWING:
                yield sql, step["detail"]


def _names(sql: str, alias: str) -> str:
    """The table that a plan calls by its alias."""
    before = re.findall(rf"\b(\w+) {alias}\b", sql)
    return next((table for table in before if table in GROWING), alias)


def test_no_statement_of_a_running_service_reads_a_whole_table(
    table: PbemTable, asked: dict[str, None], tmp_path: Path
) -> None:
    table.begun("Ana", "Ben", moderators=("Maria",), robots={"Carla": "random"})
    for order in (
        "status",
        "board",
        "log",
        "note hold the tower",
        "resend",
        "rules events",
        "undo",
        "1",
        "1",
    ):
        table.writes(table.asked()[0], order)
    for order in ("status", "rewind to 1", "confirm", "pause", "resume"):
        table.writes("Maria", order)
    for order in ("stop", "start", "address ben@elsewhere.example"):
        table.writes("Ben", order)
    table.mail(table.fresh("Stranger <somebody@example.org>", "what is this?"))
    table.mail(table.fresh("Ana <ana@example.org>", "status"))
    table.mail(table.fresh("Ana <ana@example.org>", "zone Europe/Lisbon"))
    for hours in (30, 30, 30):
        table.clock.on(hours=hours)
        table.app.tick()
    _serve(table, tmp_path / "mail")
    assert len(asked) > 60
    assert list(ends_to_ends(table.app.store, asked)) == []


def _serve(table: PbemTable, folder: Path) -> None:
    """The service itself looks into an empty mailbox, sends what waits, and ends."""
    for box in ("new", "cur", "tmp"):
        (folder / box).mkdir(parents=True)
    runner = Runner(table.app, MaildirSource(folder), Nowhere())

    async def once() -> None:
        await runner.take_in([])
        while await runner.send_once():
            pass
        await runner.draughtsman.close()

    asyncio.run(once())


def test_the_look_at_plans_sees_a_table_read_whole(tmp_path: Path) -> None:
    with closing(Store(tmp_path / "pbem.sqlite")) as store:
        bad = "select raw from outbox where state = 'queued' and not_before <= ? order by id"
        good = "select raw from outbox o where o.game = ? order by o.id"
        assert [sql for sql, _ in ends_to_ends(store, {bad: None, good: None})] == [bad]
        named = "select b.id from inbox b where b.sender = ?"
        assert [sql for sql, _ in ends_to_ends(store, {named: None})] == [named]
