"""A table at which Ana is asked."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem.mail.reading import ReplyReader

from ..mail.harbour import harbour_reader
from ..table import PbemTable
from .hand import begun


@pytest.fixture
def troyes(tmp_path: Path) -> Iterator[PbemTable]:
    """A begun game of Ana, Ben and Carla, Dora moderating; Ana is asked."""
    table = begun(tmp_path)
    yield table
    table.close()


@pytest.fixture
def reader() -> ReplyReader:
    """A reader of the toy game."""
    return harbour_reader()
