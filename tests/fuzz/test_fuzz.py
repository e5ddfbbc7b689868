"""The fuzzer finds what is planted, and nothing where nothing is."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import pytest

from pbem import fuzz
from pbem.engine.core import testing as laws
from pbem.engine.core.ruleset import Ruleset
from pbem.engine.core.table import Table
from pbem.engine.games import GAMES

from ..core.minigame import RULES, SevenSites
from ..core.test_laws import ForgetsOnReload, LeaksInACount, LeaksInTheMenu, LeaksInWhoIsAsked

GAMES_OF_SOME = 6


def played(rules: Ruleset[Any], games: int, look_at: laws.Shown = fuzz.shown) -> fuzz.Report:
    report = fuzz.Report()
    for seats, seed, _ in fuzz.games(games, rules.seats, 1):
        report.add(fuzz.play(rules, seats, seed, look_at))
    return report


@pytest.mark.parametrize("name", GAMES)
def test_random_games_keep_all_laws_and_all_secrets(name: str) -> None:
    report = played(GAMES[name], GAMES_OF_SOME)
    assert report.failures == []
    assert report.comparisons > 100
    assert report.share >= fuzz.LEAST_DIFFERING
    assert report.status == 0


@pytest.mark.parametrize("name", GAMES)
def test_the_same_seed_is_the_same_game(name: str) -> None:
    assert fuzz.play(GAMES[name], 3, 5) == fuzz.play(GAMES[name], 3, 5)


@pytest.mark.parametrize(
    ("rules", "kind"),
    [
        (LeaksInACount(), "leak"),
        (LeaksInTheMenu(), "leak"),
        (LeaksInWhoIsAsked(), "leak"),
        (ForgetsOnReload(), "broken"),
    ],
)
def test_what_is_planted_is_found(rules: SevenSites, kind: str) -> None:
    report = played(rules, 8, laws.seen)
    assert report.number(kind) > 0
    assert report.status == 1
    assert f"status {report.status}" in str(report)


def leaky_digest(table: Table[Any], seat: str | None) -> str:
    """A template that prints what only the owners of a hand may know."""
    hands = [s.hand.under_seal() for s in table.g.seats.values()]
    return f"{seat} reads {hands}"


def test_a_leak_in_the_digest_alone_is_found() -> None:
    assert played(RULES, 3, laws.seen).failures == []
    found = played(RULES, 3, leaky_digest)
    assert {f.kind for f in found.failures} == {"leak"}
    assert found.failures[0].where.startswith("decision")


class NeverDealsAnew(SevenSites):
    """A twin that is the same game, with which a leak could never show."""

    def reshuffled(self, g: Any, seat: str | None, rng: random.Random) -> Any:
        return g


def test_twins_that_are_no_twins_prove_nothing() -> None:
    report = played(NeverDealsAnew(), 60, laws.seen)
    assert report.failures == []
    assert report.blunt
    assert report.status == 1


class EndsInTheMiddle(SevenSites):
    """Raises in the rules, as any fault would."""

    def check(self, g: Any) -> None:
        if g.round == 2:
            raise ZeroDivisionError("planted")


def test_any_exception_is_a_finding_and_the_other_games_go_on() -> None:
    report = played(EndsInTheMiddle(), 3, laws.seen)
    assert report.games == 3
    assert report.number("broken") == 3
    assert "planted" in report.failures[0].why


@pytest.mark.parametrize("jobs", [1, 2])
def test_games_are_shared_among_processes(jobs: int) -> None:
    told: list[int] = []
    report = fuzz.run("troyes", 4, [2, 3], 11, jobs, lambda so_far: told.append(so_far.games))
    assert report.failures == []
    assert told == [1, 2, 3, 4]


def test_a_failed_game_is_found_again_by_its_seed_and_seats() -> None:
    def once(games: Sequence[tuple[int, int, int]]) -> list[fuzz.Report]:
        return [fuzz.play(LeaksInACount(), seats, seed, laws.seen) for seats, seed, _ in games]

    first = next(f for r in once(fuzz.games(6, (2, 3), 40)) for f in r.failures)
    again = once(fuzz.games(1, (first.seats,), first.seed))
    assert again[0].failures == [first]


def test_a_campaign_is_played_on_with_what_each_game_leaves() -> None:
    report = fuzz.play(GAMES["oath"], 3, 9, chapters=3)
    assert (report.games, report.failures) == (3, [])
    assert sum(report.endings.values()) >= 3
    assert set(report.uses) <= set(GAMES["oath"].powers())
    assert +report.uses


def test_campaigns_are_cut_to_the_number_of_games() -> None:
    assert fuzz.games(7, (2, 4), 5, chapters=3) == [(2, 5, 3), (4, 6, 3), (2, 7, 1)]
