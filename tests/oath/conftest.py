"""What several tests of Oath begin with."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.engine.oath.events import Event
from pbem.engine.oath.hooks import Power
from pbem.engine.oath.powers import POWERS
from pbem.engine.oath.queries import Query

from .inventing import Made


@pytest.fixture
def invent(monkeypatch: pytest.MonkeyPatch) -> Made:
    """Binds an invented power to a card's id; its moments are given as functions, and the questions that its `modify`
    answers (`on` names its own) and the events that its `after` answers by kind."""

    def bind(
        id: str,
        *,
        answers: tuple[type[Query], ...] = (),
        reacts: tuple[type[Event], ...] = (),
        **moments: Any,
    ) -> None:
        answers = answers or getattr(moments.get("modify"), "answers", ())
        named = {"id": id, "ANSWERS": answers, "REACTS_TO": reacts, **moments}
        monkeypatch.setitem(POWERS, id, type("Invented", (Power,), named)())

    return bind
