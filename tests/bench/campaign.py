"""The fortieth answer of one long Campaign in which many cards have a say (D-9)."""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from pbem.config import Table as House
from pbem.engine.core.asks import Ask
from pbem.engine.core.ruleset import Json
from pbem.engine.core.table import Table
from pbem.engine.core.testing import sample
from pbem.engine.oath.campaign.plans import side_of_plan
from pbem.engine.oath.powers import POWERS, in_force
from pbem.engine.oath.printed import DENIZENS, NAMES, REGIONS, SITES, SLOTS, SUITS
from pbem.engine.oath.rules import OathRules
from pbem.engine.oath.state import Oath
from pbem.store.db import Store
from pbem.store.games import Game, Games

from .pipeline import SEATS

ANSWERS = 40
CARDS = 12
"""At the least."""
PEOPLE = SEATS["oath"]
CHANCELLOR, ATTACKER, *CITIZENS = PEOPLE
SLOTS_BY_NAME = [f"{region} {n}" for region in REGIONS for n in range(1, SLOTS[region] + 1)]
OWN = 5
"""Slots that the attacker rules; the others are the Chancellor's."""


@dataclass(frozen=True, slots=True)
class Long:
    """What a Campaign of forty answers costs, in milliseconds."""

    answer: float
    load: float
    """From checkpoint and tape to the open question."""
    cards: int


class Arranged(OathRules):
    """Eight large sites full of battle plans: the attacker rules five of them, and four Citizens help the defense."""

    def setup(self, seats: Sequence[str], options: Any, data: Json, legacy: Json, title: str = "") -> Oath:
        g = super().setup(seats, options, data, legacy, title)
        spare = {side: _plans(side) for side in ("attacker", "defender")}
        sites = sorted(SITES, key=lambda id: -SITES[id].capacity)
        for n, (slot, site) in enumerate(zip(SLOTS_BY_NAME, sites, strict=False)):
            side = spare["attacker" if n < OWN else "defender"]
            self.write(g, f"{slot}.site", NAMES[site])
            self.write(g, f"{slot}.faceup", True)
            self.write(g, f"{slot}.cards", [side.pop(0) for _ in range(SITES[site].capacity) if side])
            self.write(g, f"{slot}.ruler", f"{ATTACKER if n < OWN else CHANCELLOR} 2")
        for name in CITIZENS:
            self.write(g, f"{name}.role", "citizen")
        for suit in SUITS:
            self.write(g, f"banks.{suit}", 0)
        for name in PEOPLE:
            self.write(g, f"{name}.favor", 4)
            self.write(g, f"{name}.secrets", 3)
            self.write(g, f"{name}.supply", 7)
        self.write(g, f"{ATTACKER}.warbands", 4)
        self.write(g, "turn", ATTACKER)
        return g


def _plans(side: str) -> list[str]:
    """Names of the battle plans of a side that may lie at sites."""
    found = [id for id in DENIZENS if id in POWERS.with_plan() and DENIZENS[id].restriction != "adviser_only"]
    return [NAMES[id] for id in found if side_of_plan(id) in (side, "both" if side == "attacker" else side)]


def campaigning(rng: random.Random) -> Callable[[Ask[Any]], str]:
    """Attacks, and goes on as long as there is something to be done."""

    def pick(ask: Ask[Any]) -> str:
        options = ask.menu.open()
        wanted = [o for o in options if o.id.startswith("campaign") or (ask.key != "act" and o.id != "done")]
        return sample(rng.choice(wanted or options), rng)

    return pick


def measure(folder: Path, rounds: int = 40) -> Long:
    """Load the game at its fortieth question again and again, and answer it."""
    store = Store(folder / "campaign.sqlite")
    games = Games(store, {"oath": Arranged()})
    game, table = _begun(games)
    cards = len(in_force(table.g, POWERS.with_plan()))
    assert cards >= CARDS
    pick = campaigning(random.Random(1))
    while len(table.tape) < ANSWERS - 1:
        _answer(table, pick)
        with store.tx():
            games.save(game, table, datetime.now(UTC))
    loads, answers = [], []
    for _ in range(rounds):
        began = time.process_time()
        table = games.load(game)
        loads.append(time.process_time() - began)
        assert len(table.tape) >= ANSWERS - 1
        began = time.process_time()
        _answer(table, pick)
        answers.append(time.process_time() - began)
        assert len(table.tape) >= ANSWERS
    store.close()
    return Long(1000 * statistics.median(answers), 1000 * statistics.median(loads), cards)


def _begun(games: Games) -> tuple[Game, Table[Any]]:
    now = datetime.now(UTC)
    with games.store.tx():
        game = games.create(
            games.rulesets["oath"],
            "A long fight",
            PEOPLE,
            {"unwritten": "play"},
            None,
            bytes(32),
            House(),
            now,
        )
        table = games.begin(game, now)
        games.save(game, table, now)
    return games.get(game.id), table


def _answer(table: Table[Any], pick: Callable[[Ask[Any]], str]) -> None:
    seat, ask = next(iter(table.open.items()))
    table.answer(seat, pick(ask))


if __name__ == "__main__":
    import tempfile

    with tempfile.TemporaryDirectory() as d:
        print(measure(Path(d)))
