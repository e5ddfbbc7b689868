"""One SQLite file, one writer at a time, every write under `BEGIN IMMEDIATE` (D-17)."""

from __future__ import annotations

import secrets
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from sqlite_utils import Database

from .schema import migrations


class Damaged(Exception):
    """The database cannot be used; the text names the file, what is wrong, and what to do."""


class Unavailable(Exception):
    """The database cannot be written now (disk full, locked, gone); nothing of the last step happened."""


def stamp(at: datetime) -> str:
    """An instant as the tables hold it: UTC, microseconds, sortable as text."""
    return at.astimezone(UTC).replace(tzinfo=None).isoformat(timespec="microseconds") + "Z"


def instant(text: str) -> datetime:
    """The way back from `stamp`."""
    return datetime.fromisoformat(text)


class Store:
    """The open database. One connection, one thread."""

    def __init__(self, path: Path) -> None:
        """Open or make the file and lift it to the newest schema; raises `Damaged` and leaves it as it was."""
        self.path = path
        path.parent.mkdir(parents=True, exist_ok=True)
        fresh = not path.exists() or path.stat().st_size == 0
        self.conn = sqlite3.connect(path, isolation_level=None, timeout=30)
        self.conn.row_factory = sqlite3.Row
        try:
            self._prepare(fresh)
        except sqlite3.OperationalError as e:
            self.conn.close()
            raise Unavailable(f"{path}: {e}") from e
        except sqlite3.DatabaseError as e:
            self.conn.close()
            raise Damaged(
                f"{path}: this is no sound database ({e}). Put a backup in its place; it was not touched"
            ) from e
        except Damaged:
            self.conn.close()
            raise
        self.db = Database(self.conn)

    def _prepare(self, fresh: bool) -> None:
        self.conn.execute("pragma busy_timeout = 30000")
        self.conn.execute(
            "pragma foreign_keys = off"
        )  # a table that others refer to may have to be made anew
        if not fresh:
            self._must_be_ours()
        self.conn.execute("pragma journal_mode = wal")
        self.conn.execute("pragma synchronous = full")
        self.conn.execute("begin immediate")
        try:
            migrations.apply(Database(self.conn))
            self.conn.execute("insert or ignore into setting values ('key.0', ?)", (secrets.token_bytes(32),))
            self.conn.execute("commit")
        except BaseException:
            if self.conn.in_transaction:
                self.conn.execute("rollback")
            raise
        self.conn.execute("pragma foreign_keys = on")

    def _must_be_ours(self) -> None:
        found = self.conn.execute("pragma quick_check(1)").fetchone()[0]
        if found != "ok":
            raise Damaged(f"{self.path}: damaged ({found}). Put a backup in its place; it was not touched")
        tables = {row[0] for row in self.conn.execute("select name from sqlite_master where type = 'table'")}
        if tables and "game" not in tables:
            raise Damaged(f"{self.path}: this database is not one of ours; name another file in store.path")
        if "_sqlite_migrations" in tables:
            self._must_not_be_newer()

    def _must_not_be_newer(self) -> None:
        """An older program may not write what it does not know."""
        known = {m.name for m in migrations.pending(Database(memory=True))}
        there = self.conn.execute("select name from _sqlite_migrations where migration_set = 'pbem'")
        newer = sorted({row[0] for row in there} - known)
        if newer:
            raise Damaged(
                f"{self.path}: a newer version of pbem has used this store ({newer[0]}); install that version, or"
                " `pbem restore` a backup from before"
            )

    @contextmanager
    def tx(self, durable: bool = True) -> Iterator[None]:
        """All of it or nothing. Raises `Unavailable` where the file cannot be written now.

        Not `durable`: it outlives this process and need not outlive a power cut, so that nobody waits for the disk.
        """
        if self.conn.in_transaction:
            yield
            return
        try:
            self.conn.execute(f"pragma synchronous = {'full' if durable else 'normal'}")
            self.conn.execute("begin immediate")
        except sqlite3.OperationalError as e:
            raise Unavailable(f"{self.path}: {e}") from e
        try:
            yield
            self.conn.execute("commit")
        except BaseException as e:
            self._roll_back()
            if isinstance(e, sqlite3.OperationalError) and not isinstance(e, sqlite3.ProgrammingError):
                raise Unavailable(f"{self.path}: {e}") from e
            raise

    def _roll_back(self) -> None:
        if self.conn.in_transaction:
            self.conn.execute("rollback")

    def all(self, sql: str, *values: Any) -> list[sqlite3.Row]:
        """Every row of a query."""
        return self.conn.execute(sql, values).fetchall()

    def one(self, sql: str, *values: Any) -> sqlite3.Row | None:
        """The first row of a query, if any."""
        row: sqlite3.Row | None = self.conn.execute(sql, values).fetchone()
        return row

    def run(self, sql: str, *values: Any) -> int:
        """Carry out a statement inside `tx`; gives the id of an inserted row."""
        assert self.conn.in_transaction, "writes belong into tx()"
        return self.conn.execute(sql, values).lastrowid or 0

    def many(self, sql: str, rows: Sequence[tuple[Any, ...]]) -> None:
        """Carry out a statement for many rows inside `tx`."""
        assert self.conn.in_transaction, "writes belong into tx()"
        self.conn.executemany(sql, rows)

    def setting(self, name: str) -> bytes | None:
        """A value kept beside the games: signing keys, the last poll."""
        row = self.one("select value from setting where name = ?", name)
        return None if row is None else bytes(row[0])

    def keep(self, name: str, value: bytes) -> None:
        """Set such a value."""
        self.run(
            "insert into setting values (?, ?) on conflict (name) do update set value = excluded.value",
            name,
            value,
        )

    def keys(self) -> list[bytes]:
        """The signing keys, oldest first."""
        rows = self.all(
            "select value from setting where name like 'key.%' order by cast(substr(name, 5) as integer)"
        )
        return [bytes(r[0]) for r in rows]

    def backup(self, to: Path) -> None:
        """A copy of the whole database as it is now, even while it is in use."""
        with sqlite3.connect(to) as copy:
            self.conn.backup(copy)
        copy.close()

    def close(self) -> None:
        """Let go of the file."""
        self.conn.close()
