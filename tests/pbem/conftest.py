"""A table for every test that wants one."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from .table import PbemTable


@pytest.fixture
def table(tmp_path: Path) -> Iterator[PbemTable]:
    table = PbemTable(tmp_path)
    yield table
    table.close()
