"""Where dice get their answers: from a seed that anybody can check, or as they were told."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from pbem.engine.core.asks import Reveal, Roll, Shuffle
from pbem.engine.core.chance import Chance, Drawn, Loaded, Seeded
from pbem.engine.core.slots import NotOpen

DIE = range(1, 7)


def test_a_seed_answers_the_same_place_the_same_for_ever() -> None:
    for _ in range(2):
        assert Seeded(b"seed").answer(Roll("attack", 5, DIE), 12, 3) == "2 5 6 6 4"
        assert Seeded(b"seed").answer(Shuffle("deck", 6), 0, 1) == "5 3 1 4 2 0"


def test_every_place_epoch_key_and_seed_gives_its_own_answer() -> None:
    roll = Roll("attack", 12, DIE)
    answers = [
        Seeded(b"seed").answer(roll, 1, 0),
        Seeded(b"seed").answer(roll, 2, 0),
        Seeded(b"seed").answer(roll, 1, 1),
        Seeded(b"seed", epoch=1).answer(roll, 1, 0),
        Seeded(b"other").answer(roll, 1, 0),
        Seeded(b"seed").answer(Roll("defense", 12, DIE), 1, 0),
    ]
    assert len(set(answers)) == len(answers)


def test_seeded_dice_show_every_face_about_equally_often() -> None:
    seen: Counter[int] = Counter()
    for step in range(600):
        roll = Roll("die", 1, DIE)
        seen.update(roll.read(Seeded(b"seed").answer(roll, step, 0)))
    assert sorted(seen) == list(DIE)
    assert min(seen.values()) > 60


def test_dice_show_only_their_own_faces() -> None:
    skulls = Roll("attack", 3, (0, 0, 2))
    assert set(skulls.read(Seeded(b"x").answer(skulls, 0, 0))) <= {0, 2}
    assert skulls.read("0 2 2") == (0, 2, 2)
    for pick in ("1 0 0", "0 0", "0 0 0 0", "", "skull", "0 0 0.5"):
        with pytest.raises(NotOpen):
            skulls.read(pick)


def test_a_shuffle_is_an_order_of_all() -> None:
    deck = Shuffle("deck", 20)
    order = deck.read(Seeded(b"x").answer(deck, 0, 0))
    assert sorted(order) == list(range(20))
    assert order != tuple(range(20))
    for pick in ("0 1", "0 " * 20, "x"):
        with pytest.raises(NotOpen):
            deck.read(pick)


def test_a_reveal_is_answered_by_what_is_shown_whatever_the_seed() -> None:
    shown = Reveal("card", "'traps'")
    for chance in (Seeded(b"a"), Seeded(b"b", 4), Drawn(random.Random(1)), Loaded({}, Seeded(b"c"))):
        assert chance.answer(shown, 0, 0) == "'traps'"
    with pytest.raises(NotOpen):
        shown.read("'ambush'")


def test_loaded_dice_fall_as_they_were_told_in_turn_and_then_by_the_other_chance() -> None:
    other = Loaded({"die": ["1"] * 9}, Seeded(b"x"))
    loaded: Chance = Loaded({"die": ["6", "5"]}, other)
    roll = Roll("die", 1, DIE)
    assert [loaded.answer(roll, 0, n) for n in range(4)] == ["6", "5", "1", "1"]


def test_loaded_dice_refuse_what_they_cannot_show() -> None:
    for pick in ("7", "1 1", "six"):
        with pytest.raises(NotOpen):
            Loaded({"die": [pick]}, Seeded(b"x")).answer(Roll("die", 1, DIE), 0, 0)


def test_loading_dice_leaves_the_callers_list_alone() -> None:
    told = {"die": ["6"]}
    Loaded(told, Seeded(b"x")).answer(Roll("die", 1, DIE), 0, 0)
    assert told == {"die": ["6"]}
