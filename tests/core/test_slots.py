"""The places of a command: what may stand in them, what is drawn for them, what they refuse."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.engine.core.asks import Menu, make_pick, parse_pick
from pbem.engine.core.slots import Choice, Many, NotOpen, Number, One, Slot, remembering
from pbem.engine.core.testing import sample
from pbem.engine.core.text import Text, english


def choice(name: str, why: str | None = None) -> Choice:
    return Choice(name, Text("{name}", name=name), name.upper(), why=Text(why) if why else None)


def one(*choices: Choice) -> One:
    return One("site", Text("site"), lambda _: choices)


def number(least: int, most: int) -> Number:
    return Number("n", Text("number"), lambda _: range(least, most + 1))


def many(*names: str, least: int = 1, most: int = 2, check: Any = None) -> Many:
    elements = [choice(n.lstrip("-"), "spent" if n.startswith("-") else None) for n in names]
    if check is None:
        return Many("dice", Text("dice"), lambda _: elements, least, most)
    return Many("dice", Text("dice"), lambda _: elements, least, most, check)


def refusal(slot: Slot, pick: str) -> str:
    with pytest.raises(NotOpen) as caught:
        slot.resolve(pick, {})
    return english(caught.value.why)


def test_one_gives_the_chosen_value_and_its_words() -> None:
    slot = one(choice("mine"), choice("marsh", "flooded"))
    assert list(slot.legal({})) == ["mine"]
    assert slot.resolve("mine", {}) == "MINE"
    assert english(slot.said("mine", {})) == "mine"


def test_one_refuses_what_is_barred_and_what_is_not_there() -> None:
    slot = one(choice("mine"), choice("marsh", "flooded"))
    assert refusal(slot, "marsh") == "flooded"
    assert refusal(slot, "moon") == "“moon” is not among the choices"
    with pytest.raises(NotOpen):
        slot.said("moon", {})


def test_one_without_a_lawful_choice_has_no_sample() -> None:
    with pytest.raises(LookupError):
        one(choice("marsh", "flooded")).sample({}, random.Random(1))


def test_a_number_stays_within_its_bounds() -> None:
    slot = number(1, 3)
    assert list(slot.legal({})) == ["1", "2", "3"]
    assert slot.resolve("2", {}) == 2
    for pick in ("0", "4", "-1", "", "x", "1.5", "9" * 5000):
        assert refusal(slot, pick) == "it must be 1 to 3"


def test_a_number_with_steps_takes_only_those() -> None:
    slot = Number("n", Text("number"), lambda _: range(0, 10, 5))
    assert slot.resolve("5", {}) == 5
    assert refusal(slot, "3") == "it must be 0 to 5"


def test_a_number_without_bounds_is_never_possible() -> None:
    assert refusal(number(1, 0), "1") == "no number is possible here"
    with pytest.raises(LookupError):
        number(1, 0).sample({}, random.Random(1))


def test_a_group_lists_equal_elements_once_and_counts_them() -> None:
    slot = many("r6", "r6", "y3")
    assert list(slot.legal({})) == ["r6", "y3", "r6,r6", "r6,y3"]
    assert slot.resolve("r6,r6", {}) == ("R6", "R6")
    assert refusal(slot, "y3,y3") == "“y3” is not there, or not so often"


def test_a_group_comes_in_the_order_of_its_elements() -> None:
    assert many("r6", "y3", "w1").resolve("w1,r6", {}) == ("R6", "W1")


def test_a_group_has_a_least_and_a_most() -> None:
    slot = many("a", "b", "c", "d", least=2, most=3)
    assert refusal(slot, "a") == "it takes at least 2"
    assert refusal(slot, "") == "it takes at least 2"
    assert refusal(slot, "a,b,c,d") == "it takes at most 3"


def test_a_group_may_be_empty_where_none_are_needed() -> None:
    slot = many("a", least=0, most=1)
    assert list(slot.legal({})) == ["", "a"]
    assert slot.resolve("", {}) == ()


def test_a_group_refuses_a_barred_element_with_its_reason() -> None:
    slot = many("a", "-b")
    assert refusal(slot, "a,b") == "spent"
    assert list(slot.legal({})) == ["a"]


def test_a_group_is_checked_as_a_whole() -> None:
    slot = many("a", "b", "c", check=lambda _, g: None if "A" in g else Text("with the a"))
    assert refusal(slot, "b,c") == "with the a"
    assert list(slot.legal({})) == ["a", "a,b", "a,c"]


def test_a_group_that_no_draw_finds_is_found_by_looking_through_all() -> None:
    names = [f"e{i}" for i in range(12)]
    slot = many(*names, most=2, check=lambda _, g: None if g == ("E10", "E11") else Text("no"))
    assert slot.sample({}, random.Random(1)) == "e10,e11"


def test_a_group_without_a_lawful_filling_has_no_sample() -> None:
    for slot in (many("a", least=2), many("-a"), many("a", check=lambda _, __: Text("never"))):
        with pytest.raises(LookupError):
            slot.sample({}, random.Random(1))


@given(
    st.lists(st.sampled_from(["a", "b", "c", "-d", "e"]), max_size=7),
    st.integers(0, 3),
    st.integers(0, 4),
    st.integers(0, 999),
)
@settings(max_examples=200, deadline=None)
def test_a_sample_is_always_lawful_and_every_lawful_filling_resolves(
    names: list[str], least: int, more: int, seed: int
) -> None:
    slot = many(*names, least=least, most=least + more)
    legal = list(slot.legal({}))
    assert len(legal) == len(set(legal))
    for pick in legal:
        slot.resolve(pick, {})
    try:
        drawn = slot.sample({}, random.Random(seed))
    except LookupError:
        assert legal == []
    else:
        assert drawn in legal


def test_every_lawful_filling_is_drawn_in_time() -> None:
    slot, rng = many("a", "b", "c"), random.Random(1)
    drawn = Counter(slot.sample({}, rng) for _ in range(400))
    assert set(drawn) == set(slot.legal({}))


def composed() -> Menu[Any]:
    menu: Menu[Any] = Menu()
    menu.command(
        Text("use {card} with {dice}"),
        lambda card, dice, times: (card, dice, times),
        One("card", Text("card"), lambda _: [choice("miller"), choice("monk")]),
        Many(
            "dice",
            Text("dice"),
            lambda chosen: [choice(f"{chosen['card'][1].lower()}{n}") for n in range(3)],
            1,
            2,
        ),
        Number(
            "times",
            Text("number"),
            lambda c: range(1, len(c["dice"]) + 1),
            Text("times {times}"),
            lambda _: 1,
        ),
        id="use",
    )
    return menu


def test_each_slot_sees_those_before_it() -> None:
    menu = composed()
    assert menu.resolve("use|card=miller|dice=i0,i2|times=2") == ("MILLER", ("I0", "I2"), 2)
    assert menu.resolve("use|card=monk|dice=o1") == ("MONK", ("O1",), 1)
    for pick in (
        "use|card=monk|dice=i1",
        "use|card=monk|dice=o1|times=2",
        "use|card=monk",
        "use",
        "use|dice=o1",
    ):
        with pytest.raises(NotOpen):
            menu.resolve(pick)


def test_a_command_says_itself_in_its_canonical_words() -> None:
    option = composed().options[0]
    assert english(option.said("use|card=monk|dice=o1,o2|times=2")) == "use monk with o1 and o2 times 2"
    assert english(option.said("use|card=monk|dice=o1")) == "use monk with o1"
    assert english(option.shown()) == "use <card> with <dice> [times <number>]"


def test_a_pick_is_written_in_the_order_of_the_slots_and_read_again() -> None:
    option = composed().options[0]
    pick = make_pick(option, {"dice": "o1", "card": "monk"})
    assert pick == "use|card=monk|dice=o1"
    assert parse_pick(pick) == {"card": "monk", "dice": "o1"}


@pytest.mark.parametrize("seed", range(30))
def test_a_sample_of_a_whole_command_resolves(seed: int) -> None:
    menu = composed()
    menu.resolve(sample(menu.options[0], random.Random(seed)))


def test_a_menu_keeps_barred_options_apart_from_open_ones() -> None:
    menu: Menu[int] = Menu()
    menu.add(Text("go"), 1, unless=[(False, Text("a")), (True, Text("b")), (True, Text("c"))])
    menu.add(Text("stay"), 2)
    assert [o.id for o in menu.open()] == ["stay"]
    why = menu.options[0].barred()
    assert why is not None
    assert english(why) == "b", "the first condition that holds gives the reason"


def test_a_place_that_remembers_asks_its_rules_once_after_the_same_values() -> None:
    asked: list[tuple[Any, ...]] = []

    def targets(chosen: Any) -> list[Choice]:
        asked.append(tuple(chosen.values()))
        return [choice(f"{chosen['site']} {n}") for n in "ab"]

    menu: Menu[Any] = Menu()
    places = one(choice("mine"), choice("marsh")), One("target", Text("target"), targets)
    menu.command(Text("raid {target} at {site}"), lambda site, target: (site, target), *places, id="raid")
    option = menu.options[0].remembering()
    for pick in (
        "raid|site=mine|target=MINE b",
        "raid|site=mine|target=MINE a",
        "raid|site=marsh|target=MARSH a",
    ):
        assert option.resolve(pick) == tuple(parse_pick(pick)[name].upper() for name in ("site", "target"))
        assert english(option.said(pick)).startswith("raid M")
    assert asked == [("MINE",), ("MARSH",)]


def test_a_place_that_remembers_takes_no_new_value_for_an_old_one() -> None:
    slot = remembering(One("n", Text("n"), lambda chosen: [choice("".join(chosen["word"]))]))
    for n in range(200):  # each list is gone before the next, which may come to lie in the same place
        assert list(slot.legal({"word": list(str(n))})) == [str(n)]
