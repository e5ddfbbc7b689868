"""What is read as an order without its verb, and what is not even tried."""

from __future__ import annotations

from typing import Any

from pbem.engine.core.asks import Ask, Menu
from pbem.engine.core.slots import Choice, One
from pbem.engine.core.text import Text
from pbem.orders import Codes, Lines

SITES = [Choice(name, Text("{name}", name=name), name) for name in ("Tower", "Salt Flats")]


def test_no_line_with_an_address_is_laid_along_commands_whose_verb_it_has_not() -> None:
    asked: list[str] = []

    def sites(_: Any) -> list[Choice]:
        asked.append("sites")
        return SITES

    menu: Menu[Any] = Menu()
    menu.command(Text("travel to {site}"), lambda site: site, One("site", Text("site"), sites), id="travel")
    ask = Ask("Ana", "act", menu, Text("Your turn."), "M-1")
    lines = Lines(ask, Codes({1: ()}, frozenset()), {}, Text("nothing is asked"))
    assert lines.order("To Tower <ana@example.org> on Tue 1 Dec 2026 at 09:00 wrote:") is None
    assert asked == []
    assert lines.order("to the flats") == "to the flats"
    assert asked == ["sites"]


def test_lines_that_answer_another_digest_are_the_same_but_for_their_codes() -> None:
    menu: Menu[Any] = Menu()
    menu.add(Text("rest"), "rest")
    ask = Ask("Ana", "act", menu, Text("Your turn."), "M-1")
    lines = Lines(ask, Codes({1: ("rest",)}, frozenset()), {}, Text("nothing is asked"))
    stale = lines.answering(1)
    assert (stale.codes.stale, lines.codes.stale) == (True, False)
    assert stale.order("rest") == lines.order("rest") == "rest"
