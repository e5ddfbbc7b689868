"""Random games out of rich positions, which those from the beginning seldom come to: every law at every decision."""

from __future__ import annotations

import random
from contextlib import suppress

import pytest

from pbem.engine.core.chance import Drawn
from pbem.engine.core.ruleset import BadPath
from pbem.engine.core.table import Table
from pbem.engine.core.testing import (
    Compared,
    keeps_secrets,
    pieces_are_kept,
    random_answer,
    reads_back,
    survives_a_reload,
    undo_is_lawful,
)
from pbem.engine.oath.advisers import too_many
from pbem.engine.oath.powers import POWERS
from pbem.engine.oath.printed import (
    DENIZENS,
    EDIFICES,
    NAMES,
    OATHS,
    REGIONS,
    RELICS,
    RELIQUARY,
    SCEPTER,
    SITES,
    SLOTS,
    VISIONS,
)
from pbem.engine.oath.state import Oath
from pbem.fuzz import shown

from .laws import everything_is_counted
from .test_random import NAMES as PEOPLE
from .test_random import RULES, hands_are_named_to_nobody_else

SLOTS_BY_NAME = [f"{region} {n}" for region in REGIONS for n in range(1, SLOTS[region] + 1)]
DECISIONS = 60
GOALS = [NAMES[vision.id] for vision in VISIONS.values() if vision.goal]


class Rich:
    """A position in which everybody has much of everything, drawn by a generator."""

    def __init__(self, seed: int) -> None:
        self.rng = rng = random.Random(seed)
        self.people = PEOPLE[: 2 + seed % 5]
        self.g: Oath = RULES.setup(self.people, {"unwritten": "play"}, None, None)
        known = [id for id in DENIZENS if id in POWERS]
        self.cards = rng.sample(known, len(known))
        self.edifices = rng.sample(list(EDIFICES), len(EDIFICES))
        self.relics = rng.sample([id for id in RELICS if id != SCEPTER], len(RELICS) - 1)
        for slot, site in zip(SLOTS_BY_NAME, rng.sample(list(SITES), len(SLOTS_BY_NAME)), strict=True):
            self._site(slot, site)
        faceup = [NAMES[self.g.map[n].shown] for n in self.g.faceup()]
        crowded = rng.choice(faceup)
        for name in self.people:
            self.put(f"{name}.at", rng.choice([crowded, crowded, *faceup]))
            self._player(name)
        self._shared()

    def put(self, path: str, *values: object) -> None:
        """One of these values, unless it cannot be in this position."""
        with suppress(BadPath):
            RULES.write(self.g, path, self.rng.choice(values))

    def _taken(self, most: int, *restrictions: str) -> list[str]:
        """Some cards of these restrictions, which nobody else gets."""
        fitting = [id for id in self.cards if DENIZENS[id].restriction in restrictions]
        taken = fitting[: self.rng.randrange(most + 1)]
        self.cards = [id for id in self.cards if id not in taken]
        return [NAMES[id] for id in taken]

    def _some_relics(self, most: int) -> list[str]:
        return [NAMES[self.relics.pop()] for _ in range(self.rng.randrange(most + 1)) if self.relics]

    def _site(self, slot: str, site: str) -> None:
        capacity = SITES[site].capacity
        self.put(f"{slot}.site", NAMES[site])
        self.put(f"{slot}.faceup", True, True, True, False)
        built = []
        if capacity and self.rng.random() < 0.2:
            built = [NAMES[self.edifices.pop() + self.rng.choice(["", "_ruined"])]]
        self.put(f"{slot}.cards", built + self._taken(capacity - len(built), "none", "site_only"))
        self.put(f"{slot}.relics", self._some_relics(1))
        self.put(f"{slot}.favor", *range(2))
        self.put(f"{slot}.secrets", *range(2))

    def _player(self, name: str) -> None:
        self.put(f"{name}.role", "exile", "exile", "citizen")
        self.put(f"{name}.supply", *range(4, 8))
        self.put(f"{name}.favor", *range(5))
        self.put(f"{name}.secrets", *range(4))
        self.put(f"{name}.warbands", *range(7))
        down = [f"{card} face down" for card in self._taken(1, "none", "adviser_only", "site_only")]
        self.put(f"{name}.advisers", self._taken(2, "none", "adviser_only") + down)
        if too_many(self.g, self.g.player(name)) > 0:  # one of them lowers the limit (O-8.9)
            self.put(f"{name}.advisers", down)
        self.put(f"{name}.vision", "", *GOALS)
        scepter = [NAMES[SCEPTER]] if name == self.people[0] else []
        self.put(f"{name}.relics", scepter + self._some_relics(2))

    def _shared(self) -> None:
        for slot in SLOTS_BY_NAME:
            self.put(f"{slot}.ruler", *(f"{name} {n}" for name in self.people for n in (1, 2)))
        for banner in ("people's favor", "darkest secret"):
            self.put(f"{banner}.holder", "", *self.people)
            self.put(f"{banner}.tokens", *range(1, 7))
        for region in REGIONS:
            self.put(f"piles.{region}", self._taken(4, "none", "adviser_only", "site_only"))
        self.put(f"reliquary.{self.rng.choice(RELIQUARY)}", "")
        self.put("oath", *(NAMES[oath] for oath in OATHS))
        self.put("title", *self.people)
        self.put("usurper", False, True)
        self.put("visions drawn", *range(5))
        self.put("round", *range(1, 9))
        self.put("turn", *self.people)


@pytest.mark.parametrize("seed", range(25))
def test_every_law_holds_in_rich_positions(seed: int) -> None:
    rich = Rich(seed)
    rng, found = rich.rng, Compared()
    secrecy = keeps_secrets(found, shown) if seed % 3 == 0 else keeps_secrets(found)
    look, counted = reads_back(), everything_is_counted()
    table = Table(RULES, rich.g, chance=Drawn(rng)).start()
    for _ in range(DECISIONS):
        if table.over:
            break
        pieces_are_kept(table, rng)
        counted(table, rng)
        hands_are_named_to_nobody_else(table, rng)
        if rng.random() < 0.15:
            secrecy(table, rng)
        if rng.random() < 0.1:
            survives_a_reload(table, rng)
            undo_is_lawful(table, rng)
            look(table, rng)
        seat = list(table.open)[rng.randrange(len(table.open))]
        table.answer(seat, random_answer(table.open[seat], rng))
        table.news.entries.clear()
    assert found.leaks == []
