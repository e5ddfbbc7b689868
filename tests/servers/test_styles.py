"""Whole games in four styles without any server, so that many are played; what is read must be what was meant."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.mail.layout import Author, Layout
from tests.pbem.table import PbemTable

from .meaning import each_mail_did_what_it_meant
from .people import NAMES, People

ADDRESSES = {who: f"{who.lower()}@example.org" for who in NAMES}


class Direct:
    """Everybody's mail goes straight in, and letters come straight out of the outbox."""

    def __init__(self, table: PbemTable) -> None:
        self._table = table
        self._seen = dict.fromkeys(NAMES, 0)

    def send(self, who: str, raw: bytes) -> None:
        """A mail comes, some minutes after the last."""
        self._table.clock.on(minutes=7)
        self._table.mail(raw)

    def fetch(self, who: str) -> list[bytes]:
        """What was written since the last look."""
        rows = self._table.app.store.all(
            "select id, raw from outbox where recipient = ? and id > ? order by id",
            *(ADDRESSES[who], self._seen[who]),
        )
        self._seen[who] = max([self._seen[who], *(row["id"] for row in rows)])
        return [bytes(row["raw"]) for row in rows]


def played(folder: Path, seed: int) -> None:
    """One game to its end, every answer compared."""
    table = PbemTable(folder)
    try:
        table.new(*NAMES, seed=bytes([seed]) * 32)
        people = People(Direct(table), ADDRESSES, seed, patience=0)
        people.play()
        each_mail_did_what_it_meant(table.app, table.game(), people)
    except BaseException:
        table.sound = False
        raise
    finally:
        table.close()


@pytest.mark.parametrize("seed", [4, 16, 20])
def test_every_answer_in_every_style_is_read_as_it_was_meant(tmp_path: Path, seed: int) -> None:
    played(tmp_path, seed)


def test_a_reader_that_knows_no_header_blocks_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Layout, "_header_block", lambda *_: (0, Author.OTHER))
    with pytest.raises(AssertionError, match=r"Dora wrote|did not come"):
        played(tmp_path, 4)


def test_a_reader_that_leaves_forms_alone_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pbem.mail.stretches.marker", lambda text: None)
    with pytest.raises(AssertionError, match="Carla wrote"):
        played(tmp_path, 4)
