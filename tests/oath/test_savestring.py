"""The community's save string: every string comes back as it was, and a bad one says where and what to do."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.engine.core.text import english
from pbem.engine.oath import beginnings
from pbem.engine.oath.legacy import Foreign, Impossible, Legacy, SavedSite, check
from pbem.engine.oath.printed import NAMES
from pbem.engine.oath.savestring import BadString, read, write

from .chronicles import FIRST_GAME, HORDERS, KNOWN, NOT_STARTED, SECOND_GAME, any_chronicle

SEEDS = st.integers(0, 2**32)
DIGITS = "0123456789ABCDEF"
OLD = "010600" + SECOND_GAME[6:-34]
"""The second game as a version wrote it that kept no relic deck."""


def refused(text: str) -> BadString:
    with pytest.raises(BadString) as caught:
        read(text)
    return caught.value


def said(text: str) -> str:
    return english(refused(text).why)


def changed(text: str, place: int, new: str) -> str:
    """With other characters from a place on, counted from 1."""
    return text[: place - 1] + new + text[place - 1 + len(new) :]


def same_or_refused(text: str) -> bool:
    """Whether it was read; then it is a chronicle that can be, and comes back as it was."""
    try:
        legacy = read(text)
    except BadString:
        bad = refused(text)
        assert 1 <= bad.place <= len(text) + 1
        assert english(bad.why).startswith(f"At character {bad.place} of the save string: ")
        return False
    check(legacy)
    whole, written = text.lstrip(), write(legacy)
    assert whole.startswith(written)  # white space behind the last name may be the name's own
    assert not whole[len(written) :].strip()
    return True


# what strings say


@pytest.mark.parametrize("text", [*KNOWN, OLD])
def test_a_known_string_comes_back_as_it_was(text: str) -> None:
    assert write(read(text)) == text
    assert read(f"\n  {text}\n ") == read(text)


def test_the_string_of_a_chronicle_not_started_is_the_open_start() -> None:
    legacy = read(NOT_STARTED)
    assert legacy.foreign == Foreign((3, 3, 2))
    assert write(beginnings.open_start("Empire and Exile")) == changed(NOT_STARTED, 1, "030303")


def test_the_string_of_the_first_game_is_the_scripted_one() -> None:
    legacy = read(FIRST_GAME)
    scripted = beginnings.first_game("The Chrysanthemum Chronicle")
    assert (legacy.map, legacy.deck, legacy.relics) == (scripted.map, scripted.deck, scripted.relics)
    assert (legacy.oath, legacy.game, legacy.dispossessed) == ("supremacy", 1, ())
    assert (legacy.winner, legacy.winner_name) == ("purple", "")
    assert legacy.last_players == ("blue", "white", "black")
    assert check(legacy) == []


def test_a_second_game_is_read_in_every_part() -> None:
    legacy = read(SECOND_GAME)
    assert (legacy.name, legacy.game, legacy.oath) == ("Benis the Dinosaur", 2, "devotion")
    assert legacy.citizens == ("yellow", "white")
    assert [(s.site, s.faceup, [c.id for c in s.cards], list(s.relics)) for s in legacy.map] == [
        ("drowned_city", True, [], ["truthful_harp", "book_of_records"]),
        ("mountain", True, ["taming_charm"], ["dragonskin_drum"]),
        ("shrouded_wood", True, ["wizard_school", "hall_of_debate"], ["cursed_cauldron"]),
        ("lush_coast", True, [], []),
        ("rocky_coast", True, ["tinkers_fair"], []),
        ("river", True, ["bear_traps"], []),
        ("charming_valley", False, [], []),
        ("buried_giant", False, [], []),
    ]
    assert (len(legacy.deck), legacy.deck[0]) == (54, "sanctuary")
    assert [NAMES[id] for id in legacy.dispossessed] == [
        "Forest Paths",
        "The Gathering",
        "Scryer",
        "Ancient Binding",
        "Wolves",
        "Animal Playmates",
    ]
    assert (len(legacy.relics), legacy.relics[0], legacy.relics[-1]) == (16, "horned_mask", "map")
    assert [english(odd) for odd in check(legacy)] == [
        "53 denizens are in the world deck and at sites, usually there are 54; they stay as they are"
    ]


def test_the_horders_have_everything() -> None:
    legacy = read(HORDERS)
    assert (legacy.oath, legacy.citizens, len(legacy.deck)) == ("supremacy", ("black",), 55)
    assert [card.ruined for card in legacy.map[1].cards] == [False, False]
    assert (check(legacy), legacy.lost_relics) == ([], [])


def test_a_ruin_is_the_edifices_other_side() -> None:
    place = HORDERS.index("C6DC") + 1
    card = read(changed(HORDERS, place, "C7")).map[1].cards[1]
    assert (card.id, card.ruined) == ("sprawling_rampart", True)


def test_an_old_version_has_no_relic_deck_and_says_that_one_is_shuffled() -> None:
    legacy = read(OLD)
    assert (legacy.foreign.version, legacy.relics, legacy.winner) == ((1, 6, 0), (), "purple")
    assert any(english(odd).startswith("there is no relic deck; the relics") for odd in check(legacy))


def test_the_slots_of_a_site_come_back_as_they_were() -> None:
    place = FIRST_GAME.index("0403FFFF") + 1
    text = changed(FIRST_GAME, place, "04FFFF03")
    assert read(text).map == read(FIRST_GAME).map
    assert write(read(text)) == text


def test_a_winner_and_his_citizens_come_back_as_they_were() -> None:
    text = FIRST_GAME.replace("002007UNKNOWN", "0A0106Ana  B")
    legacy = read(text)
    assert (legacy.winner, legacy.winner_name, legacy.last_citizens) == ("red", "Ana  B", ("blue", "yellow"))
    assert write(legacy) == text


def test_what_an_import_cannot_hold_is_written_in_our_version() -> None:
    legacy = read(OLD)
    ours = Legacy("A", legacy.map, relics=("map", "whistle"), foreign=legacy.foreign)
    assert write(ours).startswith("030303")
    assert read(write(ours)).relics == ("map", "whistle")


def test_nothing_impossible_is_written() -> None:
    with pytest.raises(Impossible):
        write(Legacy("A", deck=("garrison", "garrison")))


def test_a_string_has_no_room_for_more_than_three_things_at_a_site() -> None:
    legacy = read(FIRST_GAME)
    crowded = SavedSite("plains", True, legacy.map[0].cards, ("grand_mask", "map", "whistle"))
    with pytest.raises(Impossible, match="in slot 1 of the map are more"):
        write(Legacy("A", (crowded, *legacy.map[1:])))


# strings that are not as they should be


@pytest.mark.parametrize("text", [*KNOWN, OLD])
def test_a_string_that_was_cut_says_what_is_missing(text: str) -> None:
    for length in range(len(text)):
        bad = refused(text[:length])
        assert bad.place == length + 1
        assert "it ends, but" in english(bad.why)


@pytest.mark.parametrize("text", [*KNOWN, OLD])
def test_one_altered_character_is_refused_or_makes_another_chronicle(text: str) -> None:
    read_all = [
        same_or_refused(changed(text, place, new))
        for place in range(1, len(text) + 1)
        for new in DIGITS
        if new != text[place - 1]
    ]
    assert {True, False} == set(read_all)


@pytest.mark.parametrize("mark", ["g", "a", " ", "é", "\n", "\x00", "\ud800", "٣"])
def test_what_is_no_digit_is_refused_where_it_stands(mark: str) -> None:
    start = SECOND_GAME.index("Benis")
    named = range(start + 1, start + 19)
    for place in range(2, len(SECOND_GAME)):
        if place not in named:
            assert refused(changed(SECOND_GAME, place, mark)).place == place


@pytest.mark.parametrize("version", ["010503", "000000", "030304", "030400", "040000", "FFFFFF"])
def test_a_foreign_version_says_which_are_understood(version: str) -> None:
    text = version + FIRST_GAME[6:]
    assert "versions 1.6.0 to 3.3.3 are understood. Save the chronicle with one of" in said(text)
    assert refused(text).place == 1


def test_a_card_twice_is_refused_with_both_places_and_the_way_to_mend_it() -> None:
    first, second = SECOND_GAME.index("36D230") + 5, SECOND_GAME.index("0AD629") + 1
    assert said(changed(SECOND_GAME, second, "30")) == (
        f"At character {second} of the save string: Memory of Home stands here, which there is only once, and stood"
        f" at character {first} already. Copy the string once more, whole and on one line, from the program that"
        f" wrote it. If it is there twice as well, take these two digits out, and at character {first - 4} write 35"
        " for 36."
    )


def test_a_relic_that_an_old_version_wrote_twice_can_be_mended_as_is_said() -> None:
    count = SECOND_GAME.index("10EAE6") + 1
    twice = changed(SECOND_GAME, count, "11") + "DD"
    first = SECOND_GAME.index("DDEC") + 1
    assert (
        f"Truthful Harp stands here, which there is only once, and stood at character {first} alre"
        in said(twice)
    )
    assert said(twice).endswith(
        f"If it is there twice as well, take these two digits out, and at character {count} write 10 for 11."
    )


@pytest.mark.parametrize(
    ("place", "new", "part"),
    [
        (
            "0724FFE9",
            "0424FFE9",
            "If it is there twice as well, write FFFFFFFF here for the site and its three cards.",
        ),
        ("19FFFFFF0B19", "19FFFFFF0B24", "If it is there twice as well, write FF here."),
        ("20FFFFFF", "1CFFFFFF", "Plains stands here, which there is only once"),
        ("160000", "960000", "the players of the last game should stand here, and 96 is no number for that."),
        ("160000", "162000", "the Citizens should stand here, and 20 is no number for that."),
        ("160000", "160004", "the oath should stand here, and 04 is no number for that."),
        ("0724FF", "0724D2", "a card of site 3 should stand here, and D2 is no number for that."),
        ("0724FF", "2F24FF", "site 3 of the map should stand here, and 2F is no number for that."),
        ("20FFFFFF", "FFFFFF01", "a card of site 2 should stand here, and 01 is no number for that."),
        (
            "38061B",
            "38C61B",
            "card 1 of 56 in the world deck should stand here, and C6 is no number for that.",
        ),
        ("E5002007", "E6002007", "Skeleton Key stands here, which there is only once"),
        (
            "002007U",
            "000007U",
            "the colour of the last winner should stand here, and 00 is no number for that.",
        ),
        ("002007U", "002006U", "the string should end here, but 1 more character follows."),
        (
            "00011B",
            "00001B",
            "the number of the next game should stand here, and 0000 is no number for that.",
        ),
        ("00011B", "000100", "the name of the chronicle should stand here, and 00 is no number for that."),
    ],
)
def test_each_part_says_what_it_should_be(place: str, new: str, part: str) -> None:
    assert FIRST_GAME.count(place) == 1
    assert part in said(FIRST_GAME.replace(place, new))


def test_a_name_broken_over_two_lines_is_refused() -> None:
    text = NOT_STARTED.replace("Empire and Exile", "Empire and\nExile")
    assert refused(text).place == 11
    assert (
        "the name of the chronicle should follow, 16 bytes long and on one line; “Empire and?Exile” is not."
        in said(text)
    )


def test_a_names_length_counts_bytes() -> None:
    text = NOT_STARTED.replace("10Empire and Exile", "02é")
    assert read(text).name == "é"
    assert write(read(text)) == text
    assert "1 bytes long" in said(NOT_STARTED.replace("10Empire and Exile", "01é"))


# whatever may come


@given(SEEDS)
@settings(max_examples=300, deadline=None)
def test_any_chronicle_comes_back_as_it_was(seed: int) -> None:
    legacy = any_chronicle(random.Random(seed))
    check(legacy)
    text = write(legacy)
    assert read(text) == legacy
    assert write(read(text)) == text


@given(st.text() | st.text(DIGITS) | st.text(DIGITS).map(lambda more: FIRST_GAME[:12] + more))
@settings(max_examples=500, deadline=None)
def test_no_text_does_more_than_be_refused(text: str) -> None:
    same_or_refused(text)


@given(SEEDS, st.data())
@settings(max_examples=300, deadline=None)
def test_no_spoilt_string_does_more_than_be_refused(seed: int, data: st.DataObject) -> None:
    rng = random.Random(seed)
    text = write(any_chronicle(rng))
    for _ in range(rng.randrange(1, 4)):
        at, length = rng.randrange(len(text)), rng.choice((0, 1, 2, 8))
        text = text[:at] + data.draw(st.text(DIGITS, max_size=4) | st.text(max_size=3)) + text[at + length :]
    same_or_refused(text)
