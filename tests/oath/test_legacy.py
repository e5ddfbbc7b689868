"""What a chronicle keeps (O-18.8), how one begins (O-3), and what is mended before a game (O-2)."""

from __future__ import annotations

import random
from collections import Counter

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.engine.core.text import english
from pbem.engine.oath import beginnings
from pbem.engine.oath.legacy import (
    ORDINARY_RELICS,
    Impossible,
    Legacy,
    SavedCard,
    SavedSite,
    check,
    dump,
    load,
)
from pbem.engine.oath.printed import DENIZENS, EDIFICES, PLACES, REGIONS, SITES, SUITS, VISIONS
from pbem.engine.oath.savestring import read

from .chronicles import FIRST_GAME, HORDERS, SECOND_GAME, any_chronicle, drawn

SEEDS = st.integers(0, 2**32)
FIRST = beginnings.first_game("The Long Winter")


def changed(legacy: Legacy, **fields: object) -> Legacy:
    return msgspec.structs.replace(legacy, **fields)


def with_site(legacy: Legacy, slot: int, **fields: object) -> Legacy:
    """With another site in a slot, counted from 0."""
    site = msgspec.structs.replace(legacy.map[slot], **fields)
    return changed(legacy, map=(*legacy.map[:slot], site, *legacy.map[slot + 1 :]))


def odd(legacy: Legacy) -> list[str]:
    return [english(text) for text in check(legacy)]


def visions_in(deck: tuple[str, ...]) -> tuple[int, int, int]:
    """How many Visions lie in the top 12 cards, the next 18 and the rest."""
    layers = deck[:12], deck[12:30], deck[30:]
    return tuple(sum(card in VISIONS for card in layer) for layer in layers)  # type: ignore[return-value]


def ready(legacy: Legacy) -> None:
    """O-2.1, O-2.13, O-2.14: setup finds everything where it should be."""
    check(legacy)
    assert all(site.site for site in legacy.map)
    for region in REGIONS:
        assert any(s.faceup for s, where in zip(legacy.map, PLACES, strict=True) if where == region)
    assert set(VISIONS) <= set(legacy.deck)
    assert legacy.lost_relics == []
    assert not any((site.cards or site.relics) and not site.faceup for site in legacy.map)


# what is kept


@given(SEEDS)
@settings(max_examples=50, deadline=None)
def test_o_18_8_a_chronicle_is_stored_and_comes_back(seed: int) -> None:
    legacy = any_chronicle(random.Random(seed))
    stored = msgspec.json.encode(dump(legacy))
    assert load(msgspec.json.decode(stored)) == legacy


@pytest.mark.parametrize("damage", [{"schema": 2}, {"schema": None}, {"map": "none"}, {"deck": [1]}])
def test_damaged_data_is_refused(damage: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=r"schema|damaged"):
        load({**dump(FIRST), **damage})
    with pytest.raises(ValueError, match="is a table"):
        load([dump(FIRST)])


def test_o_18_6_the_archive_is_whatever_is_nowhere_else() -> None:
    legacy = read(SECOND_GAME)
    archive = legacy.archive
    assert len(archive) == 198 + 6 - 53 - 6 - 1
    assert "hall_of_debate" not in archive
    assert set(archive) < {*DENIZENS, *EDIFICES}
    assert not set(archive) & {*legacy.deck, *legacy.dispossessed}
    assert len(legacy.unused_sites) == 23 - 8


def test_a_chronicle_prints_none_of_its_cards() -> None:
    assert repr(FIRST) == str(FIRST) == "<the chronicle 'The Long Winter' before its game 1>"


# how one begins


def test_o_3_2_the_scripted_first_game_deals_itself() -> None:
    """O-2.15 and O-2.16, off the bottom of the deck; then the script's own seats."""
    deck = list(FIRST.deck)
    piles = [deck.pop() for _ in REGIONS]
    assert piles == ["ancient_binding", "wayside_inn", "horse_archers"]
    for seat in beginnings.SCRIPTED_SEATS:
        assert tuple(deck.pop() for _ in range(3)) == seat.drawn
        assert seat.adviser_facedown in seat.drawn
        assert seat.pawn in [site.site for site in FIRST.map if site.faceup]
    assert len(deck) == 41
    assert [seat.color for seat in beginnings.SCRIPTED_SEATS] == ["purple", "red", "blue", "yellow"]
    assert set(beginnings.STARTERS) == {c for c in FIRST.deck if c in DENIZENS} | {
        card.id for site in FIRST.map for card in site.cards
    }
    assert FIRST.relics[:4] == ("ring_of_devotion", "whistle", "cracked_horn", "obsidian_cage")
    assert odd(FIRST) == []


@pytest.mark.parametrize("legacy", [FIRST, read(FIRST_GAME), read(SECOND_GAME), read(HORDERS)])
def test_nothing_is_drawn_where_nothing_is_open(legacy: Legacy) -> None:
    assert drawn(beginnings.dealt(legacy)) == (legacy, [])


@pytest.mark.parametrize("seed", range(20))
def test_o_3_2_the_open_start_deals_all_but_three_sites(seed: int) -> None:
    legacy, _ = drawn(beginnings.dealt(beginnings.open_start("The Long Winter")), seed)
    ready(legacy)
    assert odd(legacy) == []
    assert [legacy.map[n].site for n in (0, 2, 5)] == ["plains", "mountain", "rocky_coast"]
    assert [site.faceup for site in legacy.map].count(True) == 3
    world = [*legacy.deck, *(card.id for site in legacy.map for card in site.cards)]
    assert sorted(world) == sorted((*beginnings.STARTERS, *VISIONS))
    assert (len(legacy.map[2].relics), len(legacy.relics)) == (1, 19)


@pytest.mark.parametrize("seed", range(20))
def test_o_3_4_starting_over_makes_a_world_of_nine_of_each_suit(seed: int) -> None:
    legacy, keys = drawn(beginnings.started_over("The Long Winter", list(DENIZENS)), seed)
    starts_over(legacy)
    world = [*legacy.deck, *(card.id for site in legacy.map for card in site.cards)]
    assert Counter(DENIZENS[id].suit for id in world if id in DENIZENS) == dict.fromkeys(SUITS, 9)
    assert keys[0] == "oath"


@pytest.mark.parametrize("seed", range(20))
def test_o_3_4_the_second_variant_takes_any_54(seed: int) -> None:
    legacy, keys = drawn(beginnings.started_over_from_all("The Long Winter", "people", list(DENIZENS)), seed)
    starts_over(legacy)
    assert (legacy.oath, "oath" in keys) == ("people", False)


def starts_over(legacy: Legacy) -> None:
    """Three faceup sites on top of their regions, a denizen on each that has room, all others below."""
    ready(legacy)
    assert odd(legacy) == []
    assert [n for n, site in enumerate(legacy.map) if site.faceup] == [0, 2, 5]
    for site in legacy.map:
        assert len(site.cards) == (site.faceup and SITES[site.site].capacity > 0)
        assert len(site.relics) == (SITES[site.site].relics if site.faceup else 0)
    assert (legacy.game, legacy.dispossessed, legacy.citizens) == (1, (), ())
    assert drawn(beginnings.dealt(legacy)) == (legacy, [])


def test_o_3_4_a_site_without_room_gets_no_denizen() -> None:
    """The Drowned City comes up on top of a region now and then, with its two relics."""
    worlds = [drawn(beginnings.started_over("A", list(DENIZENS)), seed)[0] for seed in range(60)]
    cities = [site for world in worlds for site in world.map if site.site == "drowned_city" and site.faceup]
    assert cities
    assert {(len(site.cards), len(site.relics)) for site in cities} == {(0, 2)}


def test_o_18_9_the_world_deck_is_layered() -> None:
    deck, _ = drawn(beginnings.layered(beginnings.STARTERS, list(VISIONS)))
    assert visions_in(tuple(deck)) == (2, 3, 0)
    assert sorted(deck) == sorted((*beginnings.STARTERS, *VISIONS))


def test_o_18_7_faceup_sites_are_filled_off_the_top_of_the_deck() -> None:
    map = [SavedSite("drowned_city", True, relics=("map",)), SavedSite("mine"), SavedSite("mountain", True)]
    sites, deck = beginnings.filled(map, ["whistle", "grand_mask", "brass_horse"])
    assert [site.relics for site in sites] == [("map", "whistle"), (), ("grand_mask",)]
    assert deck == ["brass_horse"]
    crowded = SavedSite("mine", True, (SavedCard("jinx"), SavedCard("portal"), SavedCard("tutor")))
    assert beginnings.filled([crowded], deck) == ([crowded], deck)


# what is odd, and is mended


@given(SEEDS)
@settings(max_examples=200, deadline=None)
def test_any_chronicle_can_be_made_ready(seed: int) -> None:
    legacy = any_chronicle(random.Random(seed))
    made, _ = drawn(beginnings.dealt(legacy), seed)
    ready(made)
    if legacy.deck:
        assert tuple(card for card in made.deck if card in legacy.deck) == legacy.deck
    kept = tuple(relic for relic in made.relics if relic in legacy.relics)
    assert kept == legacy.relics[: len(kept)]
    for old, new in zip(legacy.map, made.map, strict=True):
        assert new.site == old.site or not old.site
        assert (new.cards, new.relics[: len(old.relics)]) == (old.cards, old.relics)


@pytest.mark.parametrize("lost", [["faith"], ["faith", "conspiracy"], [*VISIONS]])
@pytest.mark.parametrize("seed", range(10))
def test_o_18_9_lost_visions_are_layered_in_anew(lost: list[str], seed: int) -> None:
    legacy = changed(FIRST, deck=tuple(card for card in FIRST.deck if card not in lost))
    assert len(odd(legacy)) == 1
    made, _ = drawn(beginnings.dealt(legacy), seed)
    assert visions_in(made.deck) == (2, 3, 0)
    assert tuple(card for card in made.deck if card not in lost) == legacy.deck


def test_lost_relics_come_beneath_the_relic_deck() -> None:
    legacy = changed(FIRST, relics=FIRST.relics[:10])
    assert odd(legacy) == ["9 relics are missing; they will be shuffled and put beneath the relic deck"]
    made, keys = drawn(beginnings.dealt(legacy))
    assert made.relics[:10] == FIRST.relics[:10]
    assert sorted(made.relics) == sorted(FIRST.relics)
    assert keys == ["lost relics"]


def test_o_18_7_a_site_without_its_relic_gets_one_from_beneath_the_deck() -> None:
    legacy = with_site(FIRST, 2, relics=())
    assert "Mountain has fewer relics than it should; it will get more (O-18.7)" in odd(legacy)
    made, _ = drawn(beginnings.dealt(legacy))
    assert (made.map[2].relics, made.relics) == (("ivory_eye",), FIRST.relics)


@pytest.mark.parametrize(
    ("legacy", "said"),
    [
        (
            with_site(FIRST, 1, cards=(SavedCard("jinx"),)),
            "the site in slot 2 of the map has cards; it will be face up",
        ),
        (
            with_site(FIRST, 0, faceup=False, cards=()),
            "no site of the Cradle is face up; its top one will be (O-18.3)",
        ),
        (
            with_site(FIRST, 1, site=""),
            "1 slot of the map has no site; it will be dealt a random facedown site",
        ),
        (
            with_site(FIRST, 5, cards=(SavedCard("elders"), SavedCard("jinx"), SavedCard("portal"))),
            "Rocky Coast has more cards than room for them; they stay (O-1.7)",
        ),
        (
            with_site(
                FIRST, 5, cards=(SavedCard("forest_temple"), SavedCard("sprawling_rampart", ruined=True))
            ),
            "Rocky Coast has more than one edifice; they stay (O-18.3)",
        ),
        (
            with_site(FIRST, 5, cards=(SavedCard("assassin"),)),
            "Assassin is at Rocky Coast, but can only be an adviser; it stays",
        ),
        (
            with_site(changed(FIRST, relics=FIRST.relics[1:]), 5, relics=FIRST.relics[:1]),
            "Rocky Coast has more relics than it should; they stay (O-18.7)",
        ),
        (
            changed(FIRST, deck=()),
            "there is no world deck; it will be made of starter denizens and the Visions (O-3.2)",
        ),
        (
            changed(FIRST, deck=FIRST.deck[:20]),
            "the world deck has fewer than 21 cards; the deal of six players takes so many (O-2.16)",
        ),
        (
            changed(FIRST, deck=FIRST.deck[::-1]),
            "the Visions lie otherwise in the world deck than usual; it stays as it is (O-18.9)",
        ),
        (
            changed(FIRST, dispossessed=("jinx",)),
            "1 denizens are dispossessed; before game 1 there should be 0 at most (O-18.5)",
        ),
        (
            changed(FIRST, relics=()),
            "there is no relic deck; the relics that are not at sites will be shuffled to make it",
        ),
    ],
)
def test_what_is_odd_is_said(legacy: Legacy, said: str) -> None:
    assert said in odd(legacy)


def test_salt_the_earth_makes_room_at_the_drowned_city() -> None:
    site = SavedSite("drowned_city", True, (SavedCard("salt_the_earth"),), ("map", "whistle"))
    relics = tuple(relic for relic in ORDINARY_RELICS if relic not in site.relics)
    legacy = Legacy("A", (site, *FIRST.map[1:2], SavedSite("plains", True), *FIRST.map[3:]), relics=relics)
    assert not any("room" in line or "relics" in line for line in odd(legacy))


@pytest.mark.parametrize(
    ("legacy", "why"),
    [
        (changed(FIRST, name=""), "a name in a chronicle is one line"),
        (changed(FIRST, name="two\nlines"), "a name in a chronicle is one line"),
        (changed(FIRST, winner_name="é" * 128), "a name in a chronicle is one line"),
        (changed(FIRST, game=0), "must be from 1 to 65535, not 0"),
        (changed(FIRST, game=65536), "must be from 1 to 65535, not 65536"),
        (changed(FIRST, map=FIRST.map[1:]), "a map has eight slots, not 7"),
        (changed(FIRST, oath="faith"), "“Vision of Faith” does not belong to the oaths"),
        (changed(FIRST, citizens=("purple",)), "“purple” does not belong to the colours of Citizens"),
        (changed(FIRST, winner="pink"), "“pink” does not belong to the colours of players"),
        (changed(FIRST, deck=("unheard_of",)), "“unheard_of” does not belong to the world deck"),
        (changed(FIRST, relics=("grand_scepter",)), "does not belong to the relic deck"),
        (changed(FIRST, dispossessed=("faith",)), "does not belong to the Dispossessed"),
        (with_site(FIRST, 0, site="atlantis"), "“atlantis” does not belong to the map"),
        (with_site(FIRST, 0, cards=(SavedCard("faith"),)), "does not belong to the cards at sites"),
        (with_site(FIRST, 0, relics=("jinx",)), "does not belong to the relics at sites"),
        (with_site(FIRST, 0, cards=(SavedCard("jinx", True),)), "Jinx is no edifice"),
        (with_site(FIRST, 0, site="", relics=()), "there are cards in slot 1 of the map, where no site is"),
        (changed(FIRST, dispossessed=("garrison",)), "Garrison is in the chronicle twice"),
        (with_site(FIRST, 0, site="mountain"), "Mountain is in the chronicle twice"),
        (with_site(FIRST, 0, relics=("ivory_eye",)), "Ivory Eye is in the chronicle twice"),
    ],
)
def test_what_cannot_be_is_refused(legacy: Legacy, why: str) -> None:
    with pytest.raises(Impossible) as caught:
        check(legacy)
    assert why in english(caught.value.why)
