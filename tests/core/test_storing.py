"""What is stored and read again: facts, sealed values, old states, fingerprints; and texts as data."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from pbem.engine.core.canon import canonical, fingerprint
from pbem.engine.core.facts import Fact, dump_fact, kind_of, load_fact
from pbem.engine.core.migrations import lift
from pbem.engine.core.sealed import Leak, Sealed, dump_sealed, load_sealed
from pbem.engine.core.text import Text, english, render

from .minigame import Bid, Drew, Fought


def test_a_fact_is_stored_by_the_name_of_its_kind_and_read_again() -> None:
    for fact in (Fought("Ana", "Mine", 3, 1), Drew("Ben", ("traps", "ambush")), Bid("Ana", {"Ana": 2})):
        saved = msgspec.json.decode(msgspec.json.encode(dump_fact(fact)))
        assert load_fact(kind_of(fact), saved) == fact
    assert kind_of(Bid("Ana", {})) == "core.Bid"


def test_an_unknown_kind_of_fact_and_wrong_fields_are_refused() -> None:
    with pytest.raises(KeyError):
        load_fact("core.Dreamt", {})
    with pytest.raises(msgspec.ValidationError):
        load_fact("core.Bid", {"winner": 3})


def test_a_fact_without_wording_says_so() -> None:
    class Mute(Fact, frozen=True):
        """Nobody wrote its words."""

    with pytest.raises(TypeError, match="Mute has no wording"):
        Mute().told_to(None)


class Hand(msgspec.Struct):
    """Sealed values within a state."""

    cards: Sealed[tuple[str, ...]]
    deck: Sealed[list[int]]
    inner: Sealed[Sealed[str]]


def test_sealed_values_are_stored_with_their_owners_and_read_again() -> None:
    hand = Hand(
        Sealed(("traps",), ("Ana", "Ben")), Sealed([3, 1]), Sealed(Sealed("deep", ("Ana",)), ("Ben",))
    )
    saved = msgspec.json.decode(canonical(msgspec.to_builtins(hand, enc_hook=dump_sealed)))
    back = msgspec.convert(saved, Hand, dec_hook=load_sealed)
    assert back.cards.open("Ben") == ("traps",)
    assert back.cards.owners == ("Ana", "Ben")
    assert back.deck.under_seal() == [3, 1]
    assert not back.deck.seen_by("Ana")
    assert back.inner.open("Ben").open("Ana") == "deep"


def test_a_sealed_value_of_a_wrong_kind_is_refused_on_reading() -> None:
    saved = {"cards": {"seen_by": [], "value": 4}, "deck": {"seen_by": [], "value": []}, "inner": {}}
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(saved, Hand, dec_hook=load_sealed)


def test_only_sealed_values_are_dumped_by_their_hook() -> None:
    with pytest.raises(TypeError, match="cannot store set"):
        dump_sealed({1})


def test_a_seal_gains_owners_once_each_and_keeps_the_first_untouched() -> None:
    secret = Sealed("traps", ("Ana",))
    wider = secret.shown_to("Ben", "Ana")
    assert (secret.owners, wider.owners) == (("Ana",), ("Ana", "Ben"))
    assert secret.changed(len).open("Ana") == 5
    with pytest.raises(Leak, match="the observer may not look"):
        wider.open(None)


def lifts() -> dict[int, Any]:
    return {1: lambda s: {**s, "round": s["turn"]}, 2: lambda s: {**s, "round": s["round"] + 1}}


def test_an_old_state_is_lifted_step_by_step() -> None:
    saved = {"schema": 1, "turn": 4}
    assert lift(saved, 3, lifts()) == {"schema": 3, "turn": 4, "round": 5}
    assert saved == {"schema": 1, "turn": 4}, "what was stored is left alone"
    assert lift({"schema": 3}, 3, lifts()) == {"schema": 3}


@pytest.mark.parametrize(
    ("saved", "why"),
    [
        ({"schema": 4}, "has schema 4, this version knows up to 3"),
        ({"schema": 0}, "no way leads from schema 0 to 1"),
        ({}, "names no schema"),
        ({"schema": "2"}, "names no schema"),
    ],
)
def test_a_state_that_cannot_be_lifted_is_refused(saved: dict[str, Any], why: str) -> None:
    with pytest.raises(ValueError, match=why):
        lift(saved, 3, lifts())


def test_a_hole_among_the_lifts_is_refused() -> None:
    with pytest.raises(ValueError, match="from schema 2 to 3"):
        lift({"schema": 1, "turn": 1}, 3, {1: lifts()[1]})


def test_the_fingerprint_does_not_depend_on_the_order_of_names() -> None:
    assert canonical({"b": [1, 2], "a": None}) == b'{"a":null,"b":[1,2]}'
    assert fingerprint({"b": 1, "a": {"y": 1, "x": 2}}) == fingerprint({"a": {"x": 2, "y": 1}, "b": 1})
    assert fingerprint({"a": [1, 2]}) != fingerprint({"a": [2, 1]})
    assert fingerprint({}) == "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (Text("you pass"), "you pass"),
        (Text("{n} denier", "{n} deniers", n=1), "1 denier"),
        (Text("{n} denier", "{n} deniers", n=0), "0 deniers"),
        (Text("{who} takes {what}", who="Ana", what=Text("{n} cube", "{n} cubes", n=2)), "Ana takes 2 cubes"),
        (Text("{those}", those=()), "nothing"),
        (Text("{those}", those=("a",)), "a"),
        (Text("{those}", those=["a", Text("b"), 3]), "a, b and 3"),
        (Text("farm with {dice}"), "farm with <dice>"),
        (Text("{line}", line="{n} %s {}"), "{n} %s {}"),
    ],
)
def test_a_text_says_itself(text: Text, said: str) -> None:
    assert english(text) == said


@pytest.mark.parametrize("value", [True, None, 1.5, {"a": 1}])
def test_a_text_refuses_what_has_no_wording(value: Any) -> None:
    with pytest.raises(TypeError):
        english(Text("{x}", x=value))


def test_a_text_is_said_in_another_language_to_its_last_part() -> None:
    words = {
        "{who} takes {what}": "{who} pega {what}",
        "wood": "madeira",
        "{first} and {last}": "{first} e {last}",
    }
    said = render(
        Text("{who} takes {what}", who=("Ana", "Ben"), what=Text("wood")),
        lambda msgid: words.get(msgid, msgid),
        lambda one, many, n: one if n == 1 else many,
    )
    assert said == "Ana e Ben pega madeira"


def test_equal_texts_hash_alike_and_filling_makes_a_new_one() -> None:
    empty = Text("{a} and {b}")
    here, there = Text("{a} and {b}", a=1, b=(2,)), empty.filled(b=(2,), a=1)
    assert here == there
    assert hash(here) == hash(there)
    assert empty.params == {}
    assert Text("a") != Text("b")
    assert Text("a") != "a"
