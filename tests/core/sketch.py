"""A game of a dozen lines: its steps are handed in, so that a test can say exactly what is asked."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from pbem.engine.core.asks import Menu, Step, choose
from pbem.engine.core.chance import Chance, Seeded
from pbem.engine.core.facts import Fact
from pbem.engine.core.ruleset import Position
from pbem.engine.core.slots import Number
from pbem.engine.core.table import Table
from pbem.engine.core.text import Text


class Pad(msgspec.Struct):
    """A state that only keeps notes."""

    notes: list[str] = []
    at: int = 0
    turn: str = "1"
    ruling: int = 0
    journal: list[Any] = []


class Said(Fact, frozen=True):
    """Something was said aloud."""

    what: str

    def told_to(self, seat: str | None) -> Text:
        return Text("{what}", what=self.what)


Play = Callable[[Pad], Step]


class Sketch:
    """A ruleset as far as a table and a script need one: one step after the other."""

    ruling = 7

    def __init__(self, *steps: Play) -> None:
        self.steps = steps

    def step(self, g: Pad) -> Step | None:
        if g.at >= len(self.steps):
            return None
        g.at += 1
        return self.steps[g.at - 1](g)

    def dump(self, g: Pad) -> Any:
        return {"notes": list(g.notes), "at": g.at, "turn": g.turn}

    def load(self, saved: Any) -> Pad:
        return msgspec.convert(saved, Pad)

    def position(self, g: Pad) -> Position:
        return Position(Text("somewhere"), "M-0", g.turn)


def table(*steps: Play, chance: Chance | None = None) -> Table[Any]:
    """A started table of these steps; its dice fall by a fixed seed unless told otherwise."""
    rules: Any = Sketch(*steps)
    return Table(rules, Pad(), chance=chance or Seeded(b"sketch")).start()


def fresh(played: Table[Any], chance: Chance | None = None) -> Table[Any]:
    """A table at the checkpoint of another, not started, for a tape to be tried on."""
    return Table(played.rules, played.rules.load(played.checkpoint), step=played.step, chance=chance)


async def pick(g: Pad, seat: str, key: str, *words: str) -> str:
    """Ask a seat for one of these words, and note it."""
    word = await only_pick(seat, key, *words)
    g.notes.append(f"{seat}: {word}")
    return word


async def only_pick(seat: str, key: str, *words: str) -> str:
    """Ask a seat for one of these words; a word that begins with a minus is barred."""
    menu: Menu[str] = Menu()
    for word in words:
        name = word.lstrip("-")
        menu.add(Text("{word}", word=name), name, id=name, unless=[(word != name, Text("not today"))])
    return await choose(seat, key, menu, Text("Choose."), section="M-0")


async def amount(seat: str, key: str, most: int) -> int:
    """Ask a seat for a number."""
    menu: Menu[int] = Menu()
    menu.command(
        Text("give {n}"), lambda n: int(n), Number("n", Text("number"), lambda _: range(most + 1)), id="give"
    )
    return await choose(seat, key, menu, Text("How many?"), section="M-0")


def answers(played: Table[Any], lines: Sequence[tuple[str, str]]) -> Table[Any]:
    """Answer one after the other."""
    for seat, word in lines:
        played.answer(seat, word)
    return played
