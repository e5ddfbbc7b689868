"""A game from its checkpoint on: answers, tapes that fit and tapes that do not, copies, news, places."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from pbem.engine.core.asks import DICE, reveal, roll, shuffle
from pbem.engine.core.chance import Loaded, Seeded
from pbem.engine.core.sealed import Sealed
from pbem.engine.core.slots import NotOpen
from pbem.engine.core.table import Entry, Misfit, Table
from pbem.engine.core.text import english

from .sketch import Pad, Said, Sketch, answers, fresh, pick, table


async def two_questions(g: Pad) -> None:
    """M-1: two words, a roll between them."""
    await pick(g, "Ana", "first", "left", "right", "-up")
    g.journal.append(Said("a word"))
    rolled = await roll("die", 2)
    g.notes.append(str(rolled))
    g.journal.append(Said("a roll"))
    await pick(g, "Ben", "second", "yes", "no")


async def one_question(g: Pad) -> None:
    """M-2: one word."""
    await pick(g, "Ana", "third", "end")


def played() -> Table[Any]:
    return answers(table(two_questions, one_question), [("Ana", "left")])


def misfit(entry: Entry, *before: Entry, game: Table[Any] | None = None) -> str:
    with pytest.raises(Misfit) as caught:
        fresh(game or played()).replay([*before, entry])
    assert caught.value.entry is entry
    return str(caught.value)


FIRST = Entry(0, "", 0, "Ana", "first", "left")
ROLL = Entry(0, "", 1, DICE, "die", "3 4", DICE)
SECOND = Entry(0, "", 2, "Ben", "second", "yes")


def test_an_answer_brings_the_next_question_and_rolls_on_the_way() -> None:
    game = played()
    assert list(game.open) == ["Ben"]
    assert [(e.n, e.seat, e.key) for e in game.tape] == [(0, "Ana", "first"), (1, DICE, "die")]
    assert game.tape[1].by == DICE


def test_an_answer_that_is_not_open_changes_nothing() -> None:
    game = played()
    before = game.rules.dump(game.g), list(game.tape), dict(game.open)
    for seat, word, why in (
        ("Ana", "left", "you are not asked anything now"),
        ("Ben", "perhaps", "“perhaps” is not among the options"),
    ):
        with pytest.raises(NotOpen) as caught:
            game.answer(seat, word)
        assert english(caught.value.why) == why
    assert (game.rules.dump(game.g), game.tape, game.open) == before


def test_a_barred_answer_is_refused_with_its_reason() -> None:
    with pytest.raises(NotOpen) as caught:
        table(two_questions).answer("Ana", "up")
    assert english(caught.value.why) == "not today"


def test_a_step_ends_and_the_next_begins_with_a_checkpoint_and_an_empty_tape() -> None:
    game = played()
    game.answer("Ben", "no")
    assert (game.step, game.tape, game.told) == (1, [], [])
    assert game.checkpoint["notes"][-1] == "Ben: no"
    game.answer("Ana", "end")
    assert game.over
    assert game.open == {}


def test_a_tape_brings_another_table_to_the_same_place() -> None:
    game = played()
    again = fresh(game).replay(game.tape)
    assert again.rules.dump(again.g) == game.rules.dump(game.g)
    assert again.tape == game.tape
    assert list(again.open) == ["Ben"]
    assert again.drain().entries == [], "what is on the tape already is no news"


def test_a_tape_that_ends_before_a_roll_goes_on_with_new_dice() -> None:
    game = fresh(played(), chance=Loaded({"die": ["6 6"]}, Seeded(b"x"))).replay([FIRST])
    assert game.g.notes == ["Ana: left", "(6, 6)"]
    assert [e.key for e in game.drain().entries] == ["die"], "the roll is news"


def test_a_tape_that_ends_its_step_brings_the_next_checkpoint_as_news() -> None:
    """When it was written down, the step went on; so nobody has written down what comes after it."""
    game = fresh(played()).replay([FIRST, ROLL, SECOND])
    assert (game.step, list(game.open)) == (1, ["Ana"])
    assert (game.news.entries, game.news.told) == ([], [])
    assert [c.step for c in game.news.checkpoints] == [1]
    assert fresh(played()).replay([FIRST, ROLL]).news.checkpoints == []


def test_retracing_tells_everything_once_more() -> None:
    game = fresh(played()).retrace([FIRST, ROLL])
    assert [(t.ordinal, t.after) for t in game.news.told] == [(0, 1), (1, 2)]
    assert game.news.entries == [FIRST, ROLL]
    assert [c.step for c in game.news.checkpoints] == [0]


def test_replay_pins_no_new_ruling() -> None:
    game = played()
    assert game.g.ruling == Sketch.ruling
    state = game.rules.load(game.checkpoint)
    state.ruling = 3
    assert Table(game.rules, state, chance=None).replay([FIRST]).g.ruling == 3


@pytest.mark.parametrize(
    ("entry", "why"),
    [
        (Entry(0, "", 0, "Ana", "zeroth", "left"), "open is “first”"),
        (Entry(0, "", 0, "Ben", "first", "left"), "somebody else is asked"),
        (Entry(1, "", 0, "Ana", "first", "left"), "the game is in step 0"),
        (Entry(0, "", 1, "Ana", "first", "left"), "open is “first”"),
        (Entry(0, "Ana", 0, "Ana", "first", "left"), "open is “nothing”"),
        (Entry(0, "", 0, "Ana", "first", "down"), "what was answered is not open"),
        (Entry(0, "", 0, "Ana", "first", "up"), "what was answered is not open"),
        (Entry(0, "", 0, "Ana", "first", "left|n=1"), "what was answered is not open"),
        (Entry(0, "", 0, DICE, "first", "3"), "nothing is rolled here"),
    ],
)
def test_a_tape_with_a_wrong_answer_is_noticed(entry: Entry, why: str) -> None:
    assert misfit(entry).endswith(why)


@pytest.mark.parametrize(
    ("entry", "why"),
    [
        (Entry(0, "", 1, DICE, "die", "3 7"), "what was answered is not open"),
        (Entry(0, "", 1, DICE, "die", "3"), "what was answered is not open"),
        (Entry(0, "", 1, DICE, "die", "three four"), "what was answered is not open"),
        (Entry(0, "", 1, DICE, "dice", "3 4"), "open is “die”"),
        (Entry(0, "", 1, "Ana", "die", "3 4"), "somebody else is asked"),
        (Entry(0, "", 1, "Ben", "second", "yes"), "open is “die”"),
    ],
)
def test_a_tape_with_dice_that_cannot_fall_is_noticed(entry: Entry, why: str) -> None:
    assert misfit(entry, FIRST).endswith(why)


def test_a_tape_that_goes_on_after_the_end_is_noticed() -> None:
    game = table(one_question)
    late = Entry(0, "", 1, "Ana", "third", "end")
    assert "the game is in step" in misfit(late, Entry(0, "", 0, "Ana", "third", "end"), game=game)


async def deals(g: Pad) -> None:
    """M-3: cards are shuffled and shown."""
    order = await shuffle("deck", ["a", "b", "c"])
    card, sealed = await reveal("card", Sealed(order[0]), "Ana")
    g.notes.append(f"{card} for {sealed.owners}")
    await pick(g, "Ana", "third", "end")


def test_a_shuffle_and_a_reveal_are_on_the_tape() -> None:
    game = table(deals)
    assert [(e.key, e.by) for e in game.tape] == [("deck", DICE), ("card", DICE)]
    assert sorted(game.tape[0].pick.split()) == ["0", "1", "2"]
    assert fresh(game).replay(game.tape).g.notes == game.g.notes


@pytest.mark.parametrize("order", ["0 1", "0 1 1", "1 2 3", "a b c", ""])
def test_a_tape_with_an_order_that_is_none_is_noticed(order: str) -> None:
    assert "is not open" in misfit(Entry(0, "", 0, DICE, "deck", order, DICE), game=table(deals))


def test_a_tape_that_saw_something_else_is_noticed() -> None:
    game = table(deals)
    other = Entry(0, "", 1, DICE, "card", "'z'", DICE)
    assert "is not open" in misfit(other, game.tape[0], game=game)


def test_a_copy_moves_alone() -> None:
    game = played()
    copy = game.copy(chance=Seeded(b"y"))
    copy.answer("Ben", "yes")
    assert copy.step == 1
    assert (game.step, list(game.open)) == (0, ["Ben"])


def test_a_copy_without_chance_stops_at_the_first_roll() -> None:
    copy = table(two_questions).copy()
    assert copy.blocked is None
    copy.answer("Ana", "left")
    assert copy.blocked is not None
    assert (copy.blocked.key, copy.open) == ("die", {})
    with pytest.raises(NotOpen):
        copy.answer("Ben", "yes")


def test_news_are_told_once() -> None:
    game = played()
    news = game.drain()
    assert [e.key for e in news.entries] == ["first", "die"]
    assert [(t.ordinal, t.fact) for t in news.told] == [(0, Said("a word")), (1, Said("a roll"))]
    assert [t.after for t in news.told] == [1, 2], "each fact comes after the answer that caused it"
    assert [c.step for c in news.checkpoints] == [0]
    assert game.drain() == type(news)()


def test_the_journal_is_empty_whenever_the_table_waits() -> None:
    assert played().g.journal == []


def test_without_keep_no_border_is_dumped() -> None:
    rules: Any = Sketch(one_question)
    game = Table(rules, Pad(), keep=False).start()
    assert game.checkpoint is None
    assert game.drain().checkpoints == []


def test_a_table_says_where_an_answer_will_stand() -> None:
    assert played().place("Ben") == (0, "", 2)


def test_a_table_says_where_in_the_rules_it_waits() -> None:
    frames = played().frames()
    assert [(name, doc) for name, _, doc in frames][:2] == [
        ("two_questions", "M-1: two words, a roll between them."),
        ("pick", "Ask a seat for one of these words, and note it."),
    ]
    assert all(line > 0 for _, line, _ in frames)


async def rolls_nothing(g: Pad) -> None:
    """M-4: no dice are no roll."""
    assert await roll("none", 0) == ()
    await pick(g, "Ana", "third", "end")


def test_no_dice_are_not_rolled() -> None:
    assert table(rolls_nothing).tape == []


def test_the_store_can_write_an_entry_and_read_it_again() -> None:
    entry = played().tape[0]
    assert msgspec.json.decode(msgspec.json.encode(entry), type=Entry) == entry
