"""A store of every earlier schema is lifted to the newest, and what it held is there (D-37)."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from sqlite_utils import Database

from pbem.mail.headers import same_form
from pbem.people import People
from pbem.store.db import Damaged, Store
from pbem.store.schema import migrations

FORM = same_form("Ana@Example.org")
NAMES = [m.name for m in migrations.pending(Database(memory=True))]


def made_by(path: Path, count: int) -> None:
    """A store as it was when only the first so many migrations were there."""
    with closing(sqlite3.connect(path, isolation_level=None)) as conn:
        db = Database(conn)
        migrations.apply(db, stop_before=NAMES[count] if count < len(NAMES) else None)
        conn.execute(
            "insert into person (id, name, address, created) values (7, 'Ana', 'Ana@Example.org', 'then')"
        )
        if "people_and_addresses" in NAMES[:count]:
            conn.execute("insert into address values (?, 7, 'Ana@Example.org', 'then')", [FORM])
        conn.execute(
            "insert into game (id, title, ruleset, seats, options, seed, state, settings, created)"
            " values (1, 'Old', 'troyes', '[\"Ana\"]', '{}', x'00', 'inviting', '{}', 'then')"
        )
        conn.execute("insert into seat (game, name, person) values (1, 'Ana', 7)")


@pytest.fixture(params=range(1, len(NAMES)), ids=NAMES[:-1])
def old(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    path = tmp_path / "old.sqlite"
    made_by(path, request.param)
    return path


def shape(store: Store) -> dict[str, list[tuple[object, ...]]]:
    """Tables and indexes with their columns."""
    names = [r[0] for r in store.all("select name from sqlite_master where name not like 'sqlite_%'")]
    return {n: [tuple(r) for r in store.all(f"pragma table_info('{n}')")] for n in sorted(names)}


def test_an_old_store_gets_the_newest_shape_and_keeps_what_it_held(old: Path, tmp_path: Path) -> None:
    lifted, fresh = Store(old), Store(tmp_path / "new.sqlite")
    try:
        assert shape(lifted) == shape(fresh)
        assert lifted.all("pragma foreign_key_check") == []
        row = lifted.one("select p.name, p.unreachable from seat s join person p on p.id = s.person")
        assert row is not None
        assert tuple(row) == ("Ana", None)
        (ana,) = People(lifted).at("ana+games@example.org")
        assert (ana.id, ana.address) == (7, "Ana@Example.org")
        with pytest.raises(sqlite3.IntegrityError), lifted.tx():
            lifted.run("insert into seat (game, name, person) values (1, 'Ben', 99)")
    finally:
        lifted.close()
        fresh.close()


def test_the_file_that_is_lifted_a_second_time_stays_the_same(old: Path) -> None:
    Store(old).close()
    store = Store(old)
    assert store.all("select count(*) from address")[0][0] == 1
    store.close()


def test_a_store_of_a_newer_version_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "newer.sqlite"
    store = Store(path)
    store.conn.execute(
        "insert into _sqlite_migrations (migration_set, name, applied_at) values ('pbem', 'flying', 'then')"
    )
    store.close()
    before = path.read_bytes()
    with pytest.raises(Damaged, match=r"newer version of pbem has used this store \(flying\)"):
        Store(path)
    assert path.read_bytes() == before
