"""What is kept from one part of a letter for the next is true of that letter alone."""

from __future__ import annotations

from datetime import UTC, datetime

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
