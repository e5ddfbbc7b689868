"""The engine's laws on the sample game, and that planted faults are caught."""

from __future__ import annotations

import random
from typing import Any

import pytest

from pbem.engine.core import testing as laws
from pbem.engine.core.asks import Menu, choose
from pbem.engine.core.sealed import Leak, Sealed
from pbem.engine.core.table import Table
from pbem.engine.core.text import Text

from .minigame import RULES, Game, GameView, SeatView, SevenSites, act, plan

SEATS = ["Ana", "Ben", "Carla"]
ALL = (laws.pieces_are_kept, laws.survives_a_reload, laws.reads_back(), laws.undo_is_lawful)


def everything(table: Table[Any], rng: random.Random) -> None:
    for law in ALL:
        law(table, rng)


@pytest.mark.parametrize("seed", range(40))
def test_random_games_keep_every_law(seed: int) -> None:
    assert laws.play(RULES, SEATS, seed, look=everything).decisions > 9


@pytest.mark.parametrize("seed", range(20))
def test_the_same_seed_is_the_same_game(seed: int) -> None:
    assert laws.play(RULES, SEATS, seed) == laws.play(RULES, SEATS, seed)


def compared(rules: SevenSites, games: int = 30) -> laws.Compared:
    found = laws.Compared()
    for seed in range(games):
        laws.play(rules, SEATS, seed, look=laws.keeps_secrets(found))
    return found


def test_nobody_sees_what_is_hidden() -> None:
    found = compared(RULES)
    assert found.leaks == []
    assert found.comparisons > 500
    assert found.differing / found.comparisons > 0.9


class LeaksInTheMenu(SevenSites):
    """Shows the defender's plans as a barred option's reason to the attacker."""

    def step(self, g: Game) -> Any:
        return leaky_act(g) if g.phase == "act" else super().step(g)


async def leaky_act(g: Game) -> None:
    who = g.order[g.active]
    other = g.order[g.active - 1]
    menu: Menu[str] = Menu()
    menu.add(
        Text("fear"), "", unless=[("traps" in g.seats[other].hand.under_seal(), Text("there are traps"))]
    )
    menu.add(Text("go on"), "")
    await choose(who, "fear", menu, Text("Go on?"), section="M-0")
    await act(g)


class LeaksInACount(SevenSites):
    """Counts the traps in another's hand."""

    def _seat(self, name: str, s: Any, viewer: str | None) -> SeatView:
        view = super()._seat(name, s, viewer)
        return SeatView(
            name,
            view.pawn,
            view.favor,
            view.warbands,
            s.hand.under_seal().count("traps"),
            view.cards,
            view.hand,
        )


class LeaksInWhoIsAsked(SevenSites):
    """Asks for plans only those who hold one that matters."""

    def step(self, g: Game) -> Any:
        return asks_the_able(g) if g.phase == "act" and g.round > 1 else super().step(g)


async def asks_the_able(g: Game) -> None:
    other = g.order[(g.active + 1) % len(g.order)]
    if "ambush" in g.seats[other].hand.under_seal():
        await plan(g, other, 1)
    await act(g)


class LeaksInTheOrder(SevenSites):
    """Lists the players by their cards."""

    def view(self, g: Game, seat: str | None) -> GameView:
        view = super().view(g, seat)
        by_hand = sorted(view.seats, key=lambda s: g.seats[s.name].hand.under_seal())
        return GameView(view.round, view.sites, tuple(by_hand))


@pytest.mark.parametrize("rules", [LeaksInTheMenu(), LeaksInACount(), LeaksInWhoIsAsked(), LeaksInTheOrder()])
def test_a_planted_leak_is_found(rules: SevenSites) -> None:
    assert compared(rules, games=8).leaks


class ForgetsOnReload(SevenSites):
    """Loses a point of favor in each load, as a wrong undo would."""

    def load(self, saved: Any) -> Game:
        g = super().load(saved)
        if g.round == 2:
            g.seats["Ana"].favor += 1
        return g


def test_a_wrong_undo_is_caught() -> None:
    with pytest.raises(laws.Broken, match="leaves something behind"):
        laws.play(ForgetsOnReload(), SEATS, 1, look=laws.undo_is_lawful)


def test_a_sealed_value_reaches_no_text() -> None:
    secret = Sealed(("traps",), ("Ana",))
    assert secret.open("Ana") == ("traps",)
    assert repr(secret) == "<sealed>"
    with pytest.raises(Leak):
        secret.open("Ben")
    for use in (str, list, len, bool, lambda s: f"{s}", lambda s: s == secret, lambda s: "x" + s):
        with pytest.raises(Leak):
            use(secret)
