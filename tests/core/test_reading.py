"""A line against a menu: what is read, what is refused, and with which words."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.engine.core.asks import Ask, Menu
from pbem.engine.core.commands import (
    LONGEST,
    Grammar,
    Unclear,
    by_number,
    is_order,
    nearest,
    only_amount,
    read,
    sounds_like,
    understand,
)
from pbem.engine.core.slots import Choice, Many, NotOpen, Number, One
from pbem.engine.core.text import Text, english
from pbem.engine.core.words import begins, fold, tokens

SITES = ("Plains", "Salt Flats", "Salt Mine", "Évora", "The Old Bridge", "Tower")
DICE = ("r6", "r6", "y3", "w1")
PORTUGUESE = {
    "rest": "descansar",
    "travel to {site}": "viajar para {site}",
    "attack {site} with {force}": "atacar {site} com {force}",
    "times {times}": "vezes {times}",
    "roll {dice}": "rolar {dice}",
}


def both(text: Text) -> tuple[str, ...]:
    """A lexicon of two languages."""
    here = english(text)
    there = PORTUGUESE.get(text.msgid)
    return (here,) if there is None else (here, english(Text(there, **text.params)))


def named(name: str, why: str = "", also: Sequence[str] = ()) -> Choice:
    reason = Text(why) if why else None
    return Choice(name, Text("{name}", name=name), name, tuple(Text(a) for a in also), reason)


def sites(_: Any) -> list[Choice]:
    return [named(s, "you are there" if s == "Plains" else "") for s in SITES]


def warbands(chosen: Any) -> range:
    """As many as the name of the site has letters, so that one slot depends on another."""
    return range(1, len(chosen["site"]) + 1)


def same_colour(_: Any, dice: tuple[Any, ...]) -> Text | None:
    return None if len({d[0] for d in dice}) == 1 else Text("dice of one colour only")


def menu() -> Menu[Any]:
    m: Menu[Any] = Menu()
    m.add(Text("rest"), "rest", also=(Text("end the turn"), Text("pass")))
    m.add(Text("shield wall"), "wall")
    m.add(Text("shield brothers"), "brothers")
    m.add(Text("muster"), "muster", unless=[(False, Text("never")), (True, Text("it costs 1 favor"))])
    m.command(Text("travel to {site}"), lambda site: site, One("site", Text("site"), sites), id="travel")
    m.command(
        Text("attack {site} with {force}"),
        lambda site, force: (site, force),
        One("site", Text("site"), sites),
        Number("force", Text("warbands"), warbands),
        id="attack",
    )
    m.command(
        Text("roll {dice}"),
        lambda dice, times: (dice, times),
        Many("dice", Text("dice"), lambda _: [named(d) for d in DICE], 1, 3, same_colour),
        Number("times", Text("number"), lambda _: range(1, 4), Text("times {times}"), lambda _: 1),
        id="roll",
    )
    return m


def ask(m: Menu[Any] | None = None) -> Ask[Any]:
    return Ask("Ana", "action", m or menu(), Text("Your turn."), "M-2")


def pick(line: str, lexicon: Any = None) -> str:
    return read(line, ask(), lexicon).pick if lexicon else read(line, ask()).pick


def refused(line: str, m: Menu[Any] | None = None) -> Unclear:
    with pytest.raises(Unclear) as caught:
        read(line, ask(m))
    return caught.value


def why(line: str) -> str:
    return english(refused(line).why)


def instead(line: str) -> list[str]:
    return [english(t) for t in refused(line).instead]


@pytest.mark.parametrize(
    "line",
    ["rest", "Rest", "REST.", " “rest” ", "*rest*", "the rest", "pass", "end the turn", "end turn", "res"],
)
def test_whole_words_synonyms_and_short_forms_are_read(line: str) -> None:
    assert pick(line) == "rest"


def test_an_order_comes_back_in_its_canonical_words() -> None:
    order = read("att evora 3", ask())
    assert order.pick == "attack|site=Évora|force=3"
    assert english(order.words) == "attack Évora with 3"


@pytest.mark.parametrize(
    ("line", "site"),
    [
        ("travel to Tower", "Tower"),
        ("travel tower", "Tower"),
        ("trav tow", "Tower"),
        ("travel to the tower", "Tower"),
        ("travel salt mine", "Salt Mine"),
        ("travel to mine", "Salt Mine"),
        ("travel evora", "Évora"),
        ("travel ÉVORA", "Évora"),
        ("travel old bridge", "The Old Bridge"),
        ("travel bridge", "The Old Bridge"),
        ("travel to the old bridge", "The Old Bridge"),
        ("flats", "Salt Flats"),
    ],
)
def test_names_may_be_shortened_and_lose_articles_accents_and_case(line: str, site: str) -> None:
    assert pick(line) == f"travel|site={site}"


def test_two_letters_are_no_short_form() -> None:
    assert begins("res", "rest")
    assert not begins("re", "rest")
    assert "I cannot read" in why("re")


def test_a_short_form_of_two_options_is_told_with_both() -> None:
    assert why("shield") == "“shield” could be “shield wall” and “shield brothers”"
    assert instead("shield") == ["shield wall", "shield brothers"]


def test_a_short_form_of_two_values_is_told_with_both() -> None:
    assert why("travel salt") == "“salt” could be Salt Flats and Salt Mine"


def test_what_is_barred_is_told_with_its_reason() -> None:
    error = refused("muster")
    assert error.barred
    assert english(error.why) == "“muster” is not open to you: it costs 1 favor"


def test_of_two_barred_commands_the_one_that_the_line_says_more_of_is_told() -> None:
    m: Menu[Any] = Menu()
    thing, card = One("thing", Text("thing"), sites), One("card", Text("card"), sites)
    number = Number("n", Text("number"), lambda _: range(3))
    m.command(Text("recover {thing}"), str, thing, id="plain", barred=lambda: Text("it costs 3"))
    wording = Text("recover {thing} using {card} for {n}")
    m.command(wording, str, thing, card, number, id="using", barred=lambda: Text("no card helps"))
    assert "it costs 3" in english(refused("recover tower", m).why)
    assert "no card helps" in english(refused("recover tower using evora for 2", m).why)


def test_a_barred_value_is_told_with_its_reason() -> None:
    assert why("travel plains") == "you are there"


def test_a_number_out_of_bounds_is_told_with_the_bounds_that_the_earlier_slot_gives() -> None:
    assert why("attack tower with 6") == "it must be 1 to 5"
    assert pick("attack salt flats with 6") == "attack|site=Salt Flats|force=6"


def test_a_number_that_no_machine_reads_is_out_of_bounds() -> None:
    assert why("attack tower with " + "9" * 5000) == "it must be 1 to 5"


def test_numbers_go_on_the_tape_in_one_spelling() -> None:
    assert pick("attack tower with 03") == "attack|site=Tower|force=3"


def test_words_where_a_number_is_wanted_are_told() -> None:
    assert why("attack tower with many") == "“many” is no number"


def test_an_unknown_value_is_told_with_those_there_are_and_the_nearest() -> None:
    error = refused("travel to tovwer")
    assert english(error.why).startswith("I find no site “tovwer”; there is Salt Flats, Salt Mine")
    assert [english(t) for t in error.instead] == ["Tower"]


def test_a_mistyped_verb_is_answered_with_the_nearest() -> None:
    assert why("shieldwal") == "I cannot read “shieldwal” here"
    assert "shield wall" in instead("shieldwal")
    assert instead("travle tower") == ["travel to <site>"]


def test_something_altogether_unknown_is_answered_with_what_is_open() -> None:
    assert instead("xyzzy") == ["rest", "shield wall", "shield brothers", "travel to <site>"]


def test_a_missing_part_is_named() -> None:
    assert why("attack tower") == "it lacks its warbands"


def test_equal_elements_may_be_named_as_often_as_they_are_there() -> None:
    assert pick("roll r6") == "roll|dice=r6"
    assert pick("roll r6 and r6") == "roll|dice=r6,r6"
    assert "not so often" in why("roll r6 r6 r6")


def test_a_group_is_read_in_any_order_and_written_in_one() -> None:
    free: Menu[Any] = Menu()
    free.command(
        Text("take {dice}"),
        lambda dice: dice,
        Many("dice", Text("dice"), lambda _: [named(d) for d in DICE], 1, 2),
        id="t",
    )
    assert read("take w1, y3", ask(free)).pick == read("take y3 + w1", ask(free)).pick == "t|dice=y3,w1"
    assert english(refused("take y3 w1 r6", free).why) == "it takes at most 2"


def test_a_group_that_the_rule_refuses_is_told_with_the_rule() -> None:
    assert why("roll r6 y3") == "dice of one colour only"


def test_an_unknown_element_is_told_with_those_there_are() -> None:
    assert why("roll r6 b2") == "I find no dice “b2”; there is r6, y3 and w1"


@pytest.mark.parametrize("line", ["roll r6 times 2", "roll r6, times 2", "roll the r6 tim 2"])
def test_an_optional_part_stands_behind_its_own_word(line: str) -> None:
    assert pick(line) == "roll|dice=r6|times=2"


def test_an_optional_part_may_be_left_out() -> None:
    assert ask().menu.resolve(pick("roll r6")) == (("r6",), 1)
    assert english(read("roll r6 times 3", ask()).words) == "roll r6 times 3"


def test_a_fault_in_an_optional_part_is_told() -> None:
    assert why("roll r6 times 9") == "it must be 1 to 3"


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("descansar", "rest"),
        ("viajar para a Tower", "travel|site=Tower"),
        ("viajar Tower", "travel|site=Tower"),
        ("atacar evora com 2", "attack|site=Évora|force=2"),
        ("rolar r6 e r6 vezes 2", "roll|dice=r6,r6|times=2"),
        ("roll r6 vezes 2", "roll|dice=r6|times=2"),
        ("travel to Tower", "travel|site=Tower"),
    ],
)
def test_two_languages_are_read_at_once(line: str, expected: str) -> None:
    assert pick(line, both) == expected


def test_an_empty_line_says_so() -> None:
    assert why("  \t ") == "there is nothing on this line"
    assert why("...") == "there is nothing on this line"


def test_a_line_that_no_order_needs_is_refused_unread() -> None:
    assert why("rest " * (LONGEST + 1)) == "this line is too long for an order"


def test_an_option_may_be_chosen_by_its_number_with_what_fills_its_places() -> None:
    assert by_number(1, "", ask()).pick == "rest"
    assert by_number(4, "tower", ask()).pick == "travel|site=Tower"
    assert by_number(4, "travel to tower", ask()).pick == "travel|site=Tower"
    assert by_number(6, "r6 times 2", ask()).pick == "roll|dice=r6|times=2"


@pytest.mark.parametrize(
    ("number", "rest", "reason"),
    [
        (0, "", "there is no option 0; the last one is 6"),
        (7, "", "there is no option 7; the last one is 6"),
        (4, "nowhere", "I find no site “nowhere”; there is"),
        (5, "tower 9", "it must be 1 to 5"),
    ],
)
def test_a_number_that_gives_no_order_says_why(number: int, rest: str, reason: str) -> None:
    with pytest.raises(Unclear) as caught:
        by_number(number, rest, ask())
    assert english(caught.value.why).startswith(reason)


def test_an_option_with_places_wants_them_filled() -> None:
    with pytest.raises(Unclear) as caught:
        by_number(4, "", ask())
    assert english(caught.value.why) in ("site is missing", "option 4 is “travel to <site>”: fill its places")


def test_words_behind_the_number_of_a_plain_option_are_not_swallowed() -> None:
    with pytest.raises(Unclear):
        by_number(1, "tower", ask())


def test_a_bare_number_is_an_amount_where_one_option_alone_takes_one() -> None:
    bid: Menu[Any] = Menu()
    bid.command(Text("bid {n}"), lambda n: n, Number("n", Text("favor"), lambda _: range(5)), id="bid")
    bid.add(Text("pass"), 0)
    found = only_amount(ask(bid))
    assert found is not None
    assert found.id == "bid"
    assert only_amount(ask()) is None
    bid.command(Text("raise by {n}"), lambda n: n, Number("n", Text("favor"), lambda _: range(5)), id="raise")
    assert only_amount(ask(bid)) is None


def test_the_first_words_of_a_menu_tell_an_attempt_from_prose() -> None:
    known = Grammar(menu(), both).verbs
    assert {"rest", "travel", "viajar", "attack", "muster", "pass", "end"} <= known
    for attempt in ("travle tower", "the rest", "trav", "atacar"):
        assert sounds_like(attempt, known), attempt
    for prose in ("good morning", "", "I think", "the"):
        assert not sounds_like(prose, known), prose


def test_the_nearest_are_the_open_ones_at_most_three_and_each_once() -> None:
    near = [english(t) for t in nearest("shield wal", menu())]
    assert near[0] == "shield wall"
    assert len(near) == len(set(near)) <= 3
    assert nearest("mustre", menu()) == []


def test_words_are_compared_without_case_accents_and_marks() -> None:
    assert fold("ÉVORA") == "evora"
    assert fold("ﬁnd") == "find"
    assert tokens("Ben’s (dice), “now”!") == ("ben", "dice", "now")


WORDS = (
    "travel attack roll rest to with times and the a e 3 99 tower salt evora r6 y3 <site> | = , ; “ \u0301"
)
LINES = st.one_of(
    st.text(max_size=60),
    st.lists(
        st.sampled_from(WORDS.split()),
        max_size=45,
    ).map(" ".join),
)


def complete(*texts: Text) -> None:
    """Every one of them says something."""
    assert all(english(text) for text in texts)


@given(LINES)
@settings(max_examples=400, deadline=None)
def test_no_text_raises_anything_but_unclear(line: str) -> None:
    for lexicon in (None, both):
        try:
            ask().menu.resolve(pick(line, lexicon))
        except Unclear as e:
            complete(e.why, *e.instead)


@given(st.integers(-3, 12), LINES)
@settings(max_examples=200, deadline=None)
def test_no_number_raises_anything_but_unclear(number: int, rest: str) -> None:
    try:
        ask().menu.resolve(by_number(number, rest, ask()).pick)
    except Unclear as e:
        complete(e.why, *e.instead)


@given(st.text(max_size=40))
@settings(max_examples=300, deadline=None)
def test_no_answer_on_a_tape_raises_anything_but_not_open(text: str) -> None:
    for start in ("", "rest|", "travel|", "attack|site=Tower|force=", "roll|dice=", "roll|dice=r6|times="):
        try:
            menu().resolve(start + text)
        except NotOpen as e:
            complete(e.why)


def test_an_answer_with_a_place_that_the_command_does_not_have_is_refused() -> None:
    assert menu().resolve("roll|dice=r6|times=2") == (("r6",), 2)
    for stray in ("roll|dice=r6|turns=2", "rest|n=1", "rest|", "travel|site=Tower|x"):
        with pytest.raises(NotOpen):
            menu().resolve(stray)


@pytest.mark.parametrize(
    "line", ["a " * 40, "the to with " * 13, "attack " + "with 1 " * 19, "roll " + "r6 " * 39]
)
def test_no_line_takes_long(line: str) -> None:
    """Once such a line took a minute; a second leaves room for the slowest machine."""
    before = time.process_time()
    with pytest.raises(Unclear):
        read(line, ask(), both)
    assert time.process_time() - before < 1


def test_a_long_lawful_line_is_still_read() -> None:
    dice = [named(f"{c}{n}", also=[f"{n} {c}"]) for c in ("red", "white", "yellow") for n in range(1, 7)]
    wide: Menu[Any] = Menu()
    wide.command(
        Text("use {card} for {site} with {dice}"),
        lambda card, site, dice: len(dice),
        One("card", Text("card"), lambda _: [named(c) for c in ("Miller", "Old Miller", "Glass Blower")]),
        One("site", Text("site"), sites),
        Many("dice", Text("dice"), lambda _: dice, 1, 18),
        id="use",
    )
    line = "use the glass blower for the old bridge with " + " and ".join(f"the {d.id}" for d in dice[:10])
    assert len(tokens(line)) > 35
    assert wide.resolve(read(line, ask(wide), both).pick) == 10


@pytest.mark.parametrize(
    "line",
    [
        "play the old oak and the tents",
        "play old oak, tents",
        "play tents and old oak",
        "play tinkers fair, old oak",
    ],
)
def test_a_name_in_a_list_may_lose_its_article_and_its_apostrophe(line: str) -> None:
    menu: Menu[object] = Menu()
    cards = [named("The Old Oak"), named("Tents"), named("Tinker's Fair"), named("A Small Favor")]
    menu.command(
        Text("play {cards}"), lambda cards: cards, Many("cards", Text("cards"), lambda _: cards, 1, 4), id="p"
    )
    picked = read(line, Ask("Ana", "k", menu, Text("?"), "X-1")).pick
    assert "The Old Oak" in picked
    assert len(picked.split(",")) == 2


def test_what_the_small_words_of_a_line_part_is_explained_as_it_is_parted() -> None:
    """What stands behind `with` is the number; it is not sought among the words before it."""
    goods = [named("Map"), Choice("Horn", Text("Cracked Horn"), "Horn", why=Text("it is out of reach"))]
    menu: Menu[object] = Menu()
    menu.command(
        Text("take {goods} with {n}"),
        lambda goods, n: goods,
        Many("goods", Text("goods"), lambda _: goods, 1, 2),
        Number("n", Text("number"), lambda _: range(5)),
        id="take",
    )
    with pytest.raises(Unclear) as caught:
        read("take map, cracked horn with 2", Ask("Ana", "k", menu, Text("?"), "X-1"))
    assert english(caught.value.why) == "it is out of reach"


def test_what_a_place_takes_is_found_out_once_for_all_ways_and_lines() -> None:
    asked: list[dict[str, Any]] = []

    def dear(chosen: Any) -> list[Choice]:
        asked.append(dict(chosen))
        return sites(chosen)

    m: Menu[Any] = Menu()
    m.command(Text("travel to {site}"), lambda site: site, One("site", Text("site"), dear), id="travel")
    grammar = Grammar(m)
    for line in ("On Tue 1 Dec at 9 the Bridge wrote", "travel to the moon", "travel plain salt tower"):
        with pytest.raises(Unclear):
            understand(line, grammar)
    assert asked == [{}]


@pytest.mark.parametrize(
    "line", ["travel tower", "tower", "attack tower 3", "rest", "salt", "moon", "muster", ""]
)
def test_whether_a_line_is_an_order_is_known_without_its_reasons(line: str) -> None:
    m = menu()
    try:
        read(line, ask(m))
        fits = True
    except Unclear:
        fits = False
    reasons = 0

    def count() -> Text:
        nonlocal reasons
        reasons += 1
        return Text("not today")

    grammar = Grammar(m)
    assert grammar.open
    m.command(Text("{word}"), lambda word: word, id="never", barred=count)
    assert is_order(line, grammar) is fits
    assert reasons == 0
