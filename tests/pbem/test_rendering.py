"""What is kept from one part of a letter for the next is true of that letter alone."""

from __future__ import annotations

import gettext
from collections.abc import Iterator
from datetime import UTC, datetime

import pytest

from pbem.digests import render
from pbem.engine.core.text import Text

COMMON = {
    "title": "The Long Winter",
    "subject": "News",
    "zone": "UTC",
    "table_zone": "UTC",
    "now": datetime(2026, 12, 1, tzinfo=UTC),
    "person": "Ana",
    "form": None,
    "foot": "The Long Winter",
}


def test_each_letter_says_its_own_texts_in_both_parts() -> None:
    for n in range(
        200
    ):  # the texts of one letter are gone before the next, whose own may come to lie in their place
        values = {**COMMON, "headline": Text("Round {n}", n=n), "lines": (Text("{n} favor", n=n + 1000),)}
        text = render.text("notice.txt.j2", "en", values)
        html = render.html("notice.html.j2", "en", values)
        for part in (text, html):
            assert f"Round {n}" in part
            assert f"{n + 1000} favor" in part


def test_html_alone_says_its_own_texts_too() -> None:
    for n in range(200):
        values = {**COMMON, "headline": Text("Round {n}", n=n), "lines": ()}
        assert f"Round {n}<" in render.html("notice.html.j2", "en", values)


class Loud(gettext.NullTranslations):
    """A language of capitals."""

    def gettext(self, message: str) -> str:
        return message.upper()


@pytest.fixture
def loud(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    monkeypatch.setattr(render, "catalogue", lambda _: Loud())
    render.environment.cache_clear()
    yield "loud"
    render.environment.cache_clear()


def test_the_words_of_templates_are_those_of_the_language(loud: str) -> None:
    values = {**COMMON, "headline": "Quiet", "lines": (), "form": 3}
    assert "YOU MAY WRITE BETWEEN THESE TWO LINES" in render.html("notice.html.j2", loud, values)
    assert "Quiet" in render.html("notice.html.j2", loud, values)
