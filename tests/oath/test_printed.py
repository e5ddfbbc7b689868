"""O-1: what the box holds, and that every card's facts are there."""

from __future__ import annotations

from collections import Counter

from pbem.engine.oath import printed as p


def test_o_1_3_the_cards_are_all_there() -> None:
    assert (len(p.DENIZENS), len(p.SITES), len(p.RELICS), len(p.EDIFICES), len(p.VISIONS)) == (
        198,
        23,
        21,
        6,
        5,
    )
    assert set(Counter(d.suit for d in p.DENIZENS.values()).values()) == {33}
    assert sorted(d.number for d in p.DENIZENS.values()) == list(range(1, 199))


def test_o_3_2_nine_of_each_suit_start() -> None:
    starters = [d for d in p.DENIZENS.values() if d.starting_deck]
    assert Counter(d.suit for d in starters) == dict.fromkeys(p.SUITS, 9)
    assert sorted(d.number for d in starters) == list(range(1, 55))


def test_every_power_has_its_words_and_every_name_is_its_own() -> None:
    assert all(d.effect for d in p.DENIZENS.values())
    assert all(s.power for s in p.SITES.values())
    assert len(set(p.NAMES.values())) == len(p.NAMES)


def test_o_8_2_a_power_that_lays_tokens_is_told_from_one_that_burns_them() -> None:
    assert p.DENIZENS["mercenaries"].cost.lays
    assert not p.DENIZENS["memory_of_home"].cost.lays
    assert not p.DENIZENS["memory_of_home"].cost.free
    assert p.DENIZENS["longbows"].cost.free


def test_o_5_5_a_site_with_relics_says_what_they_cost() -> None:
    for site in p.SITES.values():
        assert (site.recover is not None) == bool(site.relics), site.name


def test_o_1_7_each_suit_has_one_homeland() -> None:
    homelands = [s for s in p.SITES.values() if s.kind == "homeland"]
    assert Counter(s.homeland.suit for s in homelands if s.homeland) == dict.fromkeys(p.SUITS, 1)
