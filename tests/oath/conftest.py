"""What several tests of Oath begin with."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.engine.oath.events import Event
from pbem.engine.oath.powers import POWERS, Power

from .inventing import Made


@pytest.fixture
def invent(monkeypatch: pytest.MonkeyPatch) -> Made:
    """Binds an invented power to a card's id: `plan`, `may_plan`, `modify` and `after` as functions."""

    def bind(id: str, *, reacts: tuple[type[Event], ...] = (), **moments: Any) -> None:
        kind = type("Invented", (Power,), {"id": id, "REACTS_TO": reacts, **moments})
        monkeypatch.setitem(POWERS, id, kind())

    return bind
