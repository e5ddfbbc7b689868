"""The same mails through the whole program: claimed, identified, read, carried out, answered."""

from __future__ import annotations

import itertools
import random
import re
import shutil
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from functools import cache
from pathlib import Path
from tempfile import mkdtemp

from pbem import clocks
from pbem.engine.core.testing import random_answer
from pbem.engine.core.text import english
from pbem.ports import Fetched
from pbem.store.inbox import Filed, State

from ..table import PbemTable
from .drafts import Draft, Fate, raw
from .generator import Recipe, Tally, letter_of, moved
from .hand import opened

NAMES = ("Ana", "Ben", "Carla")
A_TABLE = 10
"""Mails to one copy of the table."""
_MESSAGE_ID = re.compile(rb"^Message-ID: <", re.M)


class Broken(Exception):
    """A mail that was filed as failed."""


@cache
def middle() -> Path:
    """The store of a table in the middle of its game, made once; its folder goes with the process."""
    folder = Path(mkdtemp(prefix="pbem-troubles-"))
    table = opened(folder)
    table.begun(*NAMES, moderators=["Dora"], seed=b"\x05" * 32)
    moved(table, 24, random.Random(24))
    table.app.store.conn.execute("pragma wal_checkpoint(truncate)")
    table.close()
    return folder / "pbem.sqlite"


class Tables:
    """Copies of that table, one after the other."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._table: PbemTable | None = None
        self._left = 0
        self._numbers = itertools.count(1)

    def next(self) -> PbemTable:
        """The present copy, or a new one after some mails."""
        if self._table is None or not self._left:
            self.close()
            place = self.folder / str(next(self._numbers))
            place.mkdir()
            shutil.copy(middle(), place / "pbem.sqlite")
            self._table, self._left = opened(place), A_TABLE
            row = self._table.app.store.one("select max(created) as at from outbox")
            assert row is not None
            self._table.clock.at = datetime.fromisoformat(row["at"])
        self._left -= 1
        return self._table

    def reopen(self) -> PbemTable:
        """The same store in a new process, as far as the program can tell."""
        assert self._table is not None
        now, path = self._table.clock.at, self._table.path
        self._table.app.close()
        self._table = opened(path.parent)
        self._table.clock.at = now
        return self._table

    def close(self) -> None:
        """Prove the game and let go of it."""
        if self._table is not None:
            self._table.close()
            self._table = None


def delivered(tables: Tables, draft: Draft, data: bytes, number: int) -> Iterator[Filed]:
    """The mail arrives, once or twice."""
    table = tables.next()
    at = table.clock.now()
    if draft.offset is not None:
        game = table.game()
        due = table.app.games.open_questions(game.id)[0].due
        assert due is not None
        at = due + clocks.grace(game) + timedelta(seconds=draft.offset)
        table.clock.at = max(table.clock.at, at)
    first = Fetched(f"{number}:1", data, at)
    if draft.delivery == "restart":
        if table.app.intake.take(first) is not None:
            table = tables.reopen()
            table.app.recover()
    elif (filed := table.app.take(first)) is not None:
        yield filed
    if draft.delivery != "once":
        again = data if draft.delivery != "new id" else _MESSAGE_ID.sub(b"Message-ID: <again.", data, count=1)
        if (filed := table.app.take(Fetched(f"{number}:2", again, at))) is not None:
            yield filed


def through_the_intake(folder: Path, tally: Tally) -> tuple[Callable[[Recipe], None], Tables]:
    """A check by the whole program."""
    tables = Tables(folder)
    numbers = itertools.count(1)

    def check(recipe: Recipe) -> None:
        number = next(numbers)
        table = tables.next()
        tables._left += 1
        table.clock.on(hours=25)
        game = table.game()
        who, ask = next(iter(table.app.games.table(game).open.items()))
        got = next(x for x in reversed(table.letters(who)) if x.message["x-pbem-digest"])
        pick = random_answer(ask, random.Random(recipe.seed))
        draft = recipe.draft(letter_of(table, who, got), [english(ask.menu.find(pick).said(pick))])
        answers = len(table.app.games.answers(game.id))
        row = table.app.store.one("select max(id) from outbox")
        assert row is not None
        try:
            filed = list(delivered(tables, draft, raw(draft, number), number))
            if any(one.state in (State.FAILED, State.ASIDE) for one in filed):
                raise Broken(filed)
        except Exception as e:
            tally.broke(recipe, e)
            return
        table = tables._table or table
        new = [a.pick for _, a in table.app.games.answers(game.id)[answers:] if a.by == "mail"]
        told = table.app.store.all(
            "select kind from outbox where id > ? and (recipient = ? or kind = 'code')",
            row[0],
            draft.letter.author,
        )
        asked = bool(told) or any(one.kind == "held" for one in filed)
        ended = Fate.SAME if new else Fate.ASKED if asked else Fate.NOTHING
        tally.count(recipe, draft.fate, ended, new, [pick])

    return check, tables
