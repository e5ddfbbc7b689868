"""What several tests of Oath begin with."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from pbem.engine.oath.events import Event
from pbem.engine.oath.hooks import Power
from pbem.engine.oath.powers import POWERS
from pbem.engine.oath.queries import Query
from pbem.engine.oath.uses import counted

from .inventing import Made

USED: Counter[str] = Counter()


@pytest.fixture(autouse=True, scope="session")
def counting() -> Iterator[None]:
    """Powers are counted while they are tested."""
    with counted(USED):
        yield


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    """A directed test says which powers it has used; what random games reach is no proof for any of them."""
    USED.clear()
    yield
    if not item.path.name.startswith("test_random"):
        item.user_properties.append(("powers used", json.dumps(sorted(+USED))))


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
