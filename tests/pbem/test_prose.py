"""Greetings and closes around an order: words that only begin like one stop nothing, slips are still told."""

from __future__ import annotations

import pytest

from .table import PbemTable
from .test_moderating import until_actions


@pytest.mark.parametrize(
    "prose",
    [
        "Moin,",
        "Moin zusammen!",
        "Here we go.",
        "Best regards",
        "Best,",
        "Boas",
        "Gruß,",
        "Salut,",
        "Good luck all",
    ],
)
def test_a_greeting_above_or_below_an_order_stops_nothing(table: PbemTable, prose: str) -> None:
    table.begun("Ana", "Ben", "Carla", "Dora", seed=bytes(32))
    for text in (f"{prose}\n\npalace 1\n", f"palace 2\n\n{prose}\nZ.\n"):
        who = table.asked()[0]
        table.writes(who, text)
        assert table.asked() != [who], table.last(who, "receipt").text
        assert f"“{prose}” (not an order)" in table.last(who, "receipt").text


@pytest.mark.parametrize("slip", ["plaace 1", "palce", "pala 9", "palace seven", "undp"])
def test_a_slip_stops_what_follows_it(table: PbemTable, slip: str) -> None:
    table.begun("Ana", "Ben", seed=bytes(32))
    who = table.asked()[0]
    table.writes(who, f"{slip}\npalace 1\n")
    assert table.asked() == [who]
    assert "line 1 cannot be done" in table.last(who, "receipt").text


def test_a_mistyped_pass_stops_what_follows_it(table: PbemTable) -> None:
    table.begun("Ana", "Ben", seed=bytes(32))
    until_actions(table)
    who = table.asked()[0]
    table.writes(who, "psas\ncitizen\n")
    assert "line 1 cannot be done" in table.last(who, "receipt").text


def test_a_mistyped_join_is_told(table: PbemTable) -> None:
    table.new("Ana", "Ben")
    table.writes("Ana", "jion")
    assert "jion" in table.last("Ana", "receipt").text
    assert table.app.games.seats(1)[0].answered == "asked"
