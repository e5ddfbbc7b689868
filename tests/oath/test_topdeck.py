"""The top of the world deck: what is known of it, and what twins may not change (O-16)."""

from __future__ import annotations

import random

from pbem.engine.core.text import english
from pbem.engine.oath.actions.minor import offer_powers
from pbem.engine.oath.actions.searching import offer_search
from pbem.engine.oath.printed import VISIONS, is_vision
from pbem.engine.oath.rules import OathRules
from pbem.engine.oath.state import Oath
from pbem.engine.oath.topdeck import known_at_top
from pbem.engine.oath.twins import reshuffle

from .positions import BELA, YARA, Stage, copied

RULES = OathRules()


def looked(*top: str) -> Stage:
    """Yara has looked at the top of the deck with the Oracular Pig."""
    stage = Stage().seat(YARA, at="river", supply=7, relics=["oracular_pig"])
    below = [c for c in stage.g.world.deck.under_seal() if c not in top]
    stage.g.world.deck = stage.g.world.deck.changed(lambda _: [*top, *below])
    return stage.act(YARA, offer_powers).does(YARA, "use oracular pig")


def remembered(stage: Stage, seat: str) -> str:
    own = RULES.view(stage.g, seat).own
    assert own is not None
    return " ".join(english(text) for text in own.seen if "world deck" in english(text))


def test_d_10_what_was_seen_on_top_is_remembered_while_it_lies_there() -> None:
    stage = looked("elders", "tents", "wolves")
    assert "card 1 is Elders, card 2 is Tents and card 3 is Wolves" in remembered(stage, YARA)
    assert remembered(stage, BELA) == ""
    stage.seat(BELA, at="river", supply=7).act(BELA, offer_search).does(BELA, "search world deck")
    assert remembered(stage, YARA) == ""


def test_a_vision_that_ends_a_search_leaves_the_rest_known() -> None:
    stage = looked("elders", "faith", "wolves")
    stage.seat(BELA, at="river", supply=7).act(BELA, offer_search).does(BELA, "search world deck")
    assert "counted from the top, card 1 is Wolves" in remembered(stage, YARA)


def test_two_who_have_looked_know_their_own_cards() -> None:
    stage = looked("elders", "faith", "wolves")
    stage.seat(BELA, at="river", relics=["oracular_pig"]).act(BELA, offer_powers)
    stage.does(BELA, "use oracular pig")
    assert stage.g.world.looked == [(YARA, BELA)] * 3
    assert known_at_top(stage.g, None) == []


def in_layers() -> Oath:
    """A deck as it is layered, its first three cards known to Yara."""
    g = looked("elders", "tents", "wolves").g
    visions = list(VISIONS)
    plain = [c for c in g.world.deck.under_seal() if not is_vision(c)]
    order = [*plain[:4], visions[0], *plain[4:6], visions[1], *plain[6:8], visions[2], plain[8], *visions[3:]]
    g.world.deck = g.world.deck.changed(lambda _: [*order, *plain[9:]])
    return g


def backs(g: Oath) -> list[int]:
    """Where the Visions lie in the deck."""
    return [n for n, card in enumerate(g.world.deck.under_seal()) if is_vision(card)]


def test_o_16_1_a_twin_differs_beneath_the_top_card_within_the_layers() -> None:
    g = in_layers()
    twins = [reshuffle(copied(g), BELA, random.Random(seed)) for seed in range(60)]
    assert backs(g) == [4, 7, 10, 12, 13]
    assert {n for twin in twins for n in backs(twin)[:2]} == set(range(1, 8))
    assert {n for twin in twins for n in backs(twin)[2:]} == set(range(10, 14))
    assert len({len(twin.world.deck.under_seal()) for twin in twins}) > 1
    assert {len(twin.world.dispossessed.under_seal()) for twin in twins} == {0}


def test_a_twin_leaves_what_its_reader_has_seen() -> None:
    g = in_layers()
    for seed in range(60):
        twin = reshuffle(copied(g), YARA, random.Random(seed))
        assert twin.world.deck.under_seal()[:3] == g.world.deck.under_seal()[:3]
        assert twin.world.looked == g.world.looked
