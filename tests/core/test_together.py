"""Several asked at once: any order of answers, one result; and what a branch may not do (D-3)."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import pytest

from pbem.engine.core.asks import roll, together
from pbem.engine.core.slots import NotOpen
from pbem.engine.core.table import Entry, Misfit, RulesFault, Table

from .sketch import Pad, Said, amount, answers, fresh, only_pick, table

SEATS = ("Ana", "Ben", "Carla")


async def bids(g: Pad) -> None:
    """M-1: everybody bids and is asked whether it is meant."""
    found = await together({seat: _bid(seat) for seat in SEATS}, "bids")
    g.notes.append(repr(found))
    g.journal.append(Said(repr(found)))
    g.notes.append(await only_pick("Ana", "after", "done"))


async def _bid(seat: str) -> int:
    n = await amount(seat, "bid", 5)
    return n if await only_pick(seat, "sure", "yes", "no") == "yes" else 0


LINES = {"Ana": ("give|n=1", "yes"), "Ben": ("give|n=5", "no"), "Carla": ("give|n=3", "yes")}
ORDERS = sorted(set(permutations(SEATS * 2)))


@pytest.mark.parametrize("order", ORDERS[::7])
def test_answers_in_any_order_give_the_same_result(order: tuple[str, ...]) -> None:
    game = table(bids)
    lines = {seat: iter(words) for seat, words in LINES.items()}
    for seat in order:
        assert list(game.open)
        game.answer(seat, next(lines[seat]))
    assert game.g.notes[0] == "{'Ana': 1, 'Ben': 0, 'Carla': 3}"
    assert list(game.open) == ["Ana"]
    again = fresh(game).replay(game.tape)
    assert again.g.notes == game.g.notes


def test_all_are_asked_at_once_and_a_branch_goes_on_alone() -> None:
    game = table(bids)
    assert {seat: ask.key for seat, ask in game.open.items()} == dict.fromkeys(SEATS, "bid")
    answers(game, [("Ben", "give|n=2"), ("Ben", "yes")])
    assert {seat: ask.key for seat, ask in game.open.items()} == {"Ana": "bid", "Carla": "bid"}
    with pytest.raises(NotOpen):
        game.answer("Ben", "yes")


def test_answers_stand_on_the_tape_by_branch_and_place() -> None:
    game = answers(table(bids), [("Ben", "give|n=2"), ("Ana", "give|n=1"), ("Ben", "yes")])
    assert [(e.branch, e.n) for e in game.tape] == [("Ben", 0), ("Ana", 0), ("Ben", 1)]
    assert game.place("Ana") == (0, "Ana", 1)
    assert game.place("Carla") == (0, "Carla", 0)


def test_nothing_is_told_before_the_join() -> None:
    game = answers(table(bids), [("Ben", "give|n=2"), ("Ben", "yes"), ("Ana", "give|n=1"), ("Ana", "yes")])
    assert game.drain().told == []
    answers(game, [("Carla", "give|n=0"), ("Carla", "no")])
    assert [t.fact for t in game.drain().told] == [Said("{'Ana': 1, 'Ben': 2, 'Carla': 0}")]


def test_the_frames_of_all_branches_are_shown() -> None:
    names = [name for name, _, _ in table(bids).frames()]
    assert names[0] == "bids"
    assert names.count("_bid") == 3


@pytest.mark.parametrize(
    "entry",
    [
        Entry(0, "Dora", 0, "Dora", "bid", "give|n=1"),
        Entry(0, "", 0, "Ana", "bid", "give|n=1"),
        Entry(0, "Ana", 0, "Ben", "bid", "give|n=1"),
        Entry(0, "Ana", 1, "Ana", "sure", "yes"),
        Entry(0, "Ana", 0, "Ana", "bid", "give|n=6"),
    ],
)
def test_a_tape_with_a_wrong_branch_is_noticed(entry: Entry) -> None:
    with pytest.raises(Misfit):
        fresh(table(bids)).replay([entry])


def test_a_branch_that_has_ended_takes_nothing_more() -> None:
    done = [Entry(0, "Ana", 0, "Ana", "bid", "give|n=1"), Entry(0, "Ana", 1, "Ana", "sure", "yes")]
    with pytest.raises(Misfit):
        fresh(table(bids)).replay([*done, Entry(0, "Ana", 2, "Ana", "sure", "yes")])


def fault(branch: Any) -> str:
    async def step(g: Pad) -> None:
        await together({"Ana": branch(g), "Ben": _bid("Ben")}, "both")

    with pytest.raises(RulesFault) as caught:
        answers(table(step), [("Ana", "go")])
    return str(caught.value)


async def tells(g: Pad) -> None:
    await only_pick("Ana", "first", "go")
    g.journal.append(Said("too soon"))


async def rolls(g: Pad) -> None:
    await only_pick("Ana", "first", "go")
    await roll("die", 1)


async def asks_another(g: Pad) -> None:
    await only_pick("Ana", "first", "go")
    await only_pick("Ben", "second", "go")


async def splits_again(g: Pad) -> None:
    await only_pick("Ana", "first", "go")
    await together({"Ana": _bid("Ana")}, "inner")


def test_a_branch_that_tells_is_a_fault_of_the_rules() -> None:
    assert "told something before the join" in fault(tells)


@pytest.mark.parametrize("branch", [rolls, asks_another, splits_again])
def test_a_branch_asks_its_own_seat_and_nothing_else(branch: Any) -> None:
    assert fault(branch) == "the branch of Ana may only ask Ana"


async def nothing_to_ask(g: Pad) -> None:
    """M-2: a branch may end without a question, even all of them."""
    found = await together({"Ana": _silent(1), "Ben": _silent(2)}, "silent")
    g.notes.append(repr(found))
    mixed = await together({"Ana": _silent(3), "Ben": _bid("Ben")}, "mixed")
    g.notes.append(repr(mixed))
    assert await together({}, "nobody") == {}


async def _silent(n: int) -> int:
    return n


def test_branches_that_ask_nothing_end_at_once() -> None:
    game: Table[Any] = table(nothing_to_ask)
    assert game.g.notes == ["{'Ana': 1, 'Ben': 2}"]
    assert list(game.open) == ["Ben"]
    answers(game, [("Ben", "give|n=4"), ("Ben", "yes")])
    assert game.g.notes[-1] == "{'Ana': 3, 'Ben': 4}"
    assert game.over


async def twice(g: Pad) -> None:
    """M-3: everybody bids, and again."""
    for _ in range(2):
        g.notes.append(repr(await together({seat: amount(seat, "bid", 5) for seat in SEATS[:2]}, "bids")))


def test_a_second_time_in_one_step_counts_on_so_that_every_place_on_the_tape_is_one() -> None:
    game = answers(table(twice), [("Ben", "give|n=1"), ("Ana", "give|n=2"), ("Ana", "give|n=3")])
    assert [(e.branch, e.n) for e in game.tape] == [("Ben", 0), ("Ana", 0), ("Ana", 1)]
    assert (game.began("Ana"), game.began("Ben")) == (1, 1)
    again = fresh(game).replay(game.tape)
    assert list(again.open) == ["Ben"]
    assert again.place("Ben") == (0, "Ben", 1)
