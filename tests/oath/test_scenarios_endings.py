"""The reference's scenarios of the title, the ends of the game and the Rest (parts A and I)."""

from __future__ import annotations

import pytest

from pbem.engine.oath.oaths import check_title, end_of_round, exhausted
from pbem.engine.oath.printed import DARKEST_SECRET, PEOPLES_FAVOR, PURPLE, SCEPTER
from pbem.engine.oath.rest import refreshed, rest
from pbem.engine.oath.wake import wake

from .positions import BELA, CARA, OREN, YARA, Stage, count

# A. Oath, title, endings


def three_each() -> Stage:
    """Cara and Yara rule three sites each."""
    stage = Stage()
    for site in ("river", "salt_flats", "steppe"):
        stage.site(site, ruler=CARA)
    for site in ("lush_coast", "wastes", "great_slum"):
        stage.site(site, ruler=YARA)
    return stage


def ended(stage: Stage, round: int, **dice: str) -> Stage:
    """The end of a round."""
    stage.g.round = round
    return stage.dice(**dice).run(end_of_round(stage.g))


def woken(stage: Stage, who: str) -> Stage:
    """The Wake of a player without a question in it."""
    return stage.turn(who).run(wake(stage.g))


def test_scenario_4_a_tie_does_not_stop_the_roll() -> None:
    stage = ended(three_each(), 5, end_die="6")
    assert "The end of round 5: the die shows 6; 6 ends the game." in stage.heard()
    assert (stage.g.winner, stage.g.won_by) == (CARA, "regime")


def test_scenario_5_no_roll_for_an_exile() -> None:
    stage = Stage().title(YARA).turn(BELA).dice(end_die="6")
    stage.g.round = 6
    stage.run(rest(stage.g))
    assert (stage.g.round, stage.g.phase, stage.g.winner) == (7, "wake", "")
    assert not [line for line in stage.heard() if "the die shows" in line]


@pytest.mark.parametrize(
    ("round", "die", "won"),
    [(5, "5", False), (5, "6", True), (6, "4", False), (6, "5", True), (7, "3", True), (7, "2", False)],
)
def test_scenario_6_thresholds(round: int, die: str, won: bool) -> None:
    assert bool(ended(Stage(), round, end_die=die).g.winner) == won


def test_scenario_8_the_new_oathkeeper_needs_two_wakes() -> None:
    stage = Stage(oath="people").title(YARA, usurper=True).banner(PEOPLES_FAVOR, 1, BELA)
    stage.run(check_title(stage.g))
    assert (stage.g.title, stage.g.usurper) == (BELA, False)
    woken(stage, BELA)
    assert (stage.g.winner, stage.g.usurper) == ("", True)
    woken(stage, BELA)
    assert (stage.g.winner, stage.g.won_by) == (BELA, "usurper")


def conquest(stage: Stage, drawn: int = 3) -> Stage:
    """Yara has revealed Conquest."""
    stage.g.visions_drawn = drawn
    return stage.seat(YARA, at="lush_coast", vision="conquest")


def test_scenario_9_a_tie_wins_with_no_vision() -> None:
    stage = woken(conquest(three_each()), YARA)
    assert (stage.g.winner, stage.g.phase) == ("", "act")
    stage.site("rocky_coast", ruler=YARA)
    assert woken(stage, YARA).g.winner == YARA


def test_scenario_9_nor_does_the_most_before_three_visions() -> None:
    stage = conquest(three_each().site("rocky_coast", ruler=YARA), drawn=2)
    assert woken(stage, YARA).g.winner == ""


def test_scenario_10_vision_and_title_apart() -> None:
    """After Cara has drawn level the title stays, the Vision waits, and no die is rolled for the Empire."""
    stage = conquest(three_each()).title(YARA)
    stage.run(check_title(stage.g))
    assert stage.g.title == YARA
    assert woken(stage, YARA).g.winner == ""
    ended(stage, 5, end_die="6")
    assert stage.g.winner == ""
    assert not [line for line in stage.heard() if "the die shows" in line]


def test_scenario_12_a_vision_wins_a_round_before_the_usurper() -> None:
    def overtaken() -> Stage:
        stage = Stage().site("river", ruler=CARA).site("lush_coast", ruler=YARA).site("wastes", ruler=YARA)
        stage.seat(YARA, at="lush_coast").turn(YARA)
        stage.run(check_title(stage.g))
        assert (stage.g.title, stage.g.usurper) == (YARA, False)
        return stage

    with_vision = woken(conquest(overtaken()), YARA)
    assert (with_vision.g.winner, with_vision.g.won_by) == (YARA, "conquest")
    without = woken(overtaken(), YARA)
    assert (without.g.winner, without.g.usurper) == ("", True)
    woken(without, YARA)
    assert (without.g.winner, without.g.won_by) == (YARA, "usurper")


def test_scenario_13_a_fresh_oathkeeper_does_not_win_in_round_8() -> None:
    stage = ended(conquest(three_each()).title(YARA), 8)
    assert (stage.g.winner, stage.g.won_by) == (CARA, "exhaustion")
    assert ended(Stage().title(YARA, usurper=True), 8).g.winner == YARA


def test_scenario_14_of_two_visions_rebellion_goes_before_faith() -> None:
    stage = Stage().title(OREN).seat(YARA, vision="faith").seat(BELA, vision="rebellion")
    stage.banner(DARKEST_SECRET, 1, YARA).banner(PEOPLES_FAVOR, 1, BELA)
    stage.g.visions_drawn = 3
    exhausted(stage.g)
    assert (stage.g.winner, stage.g.won_by) == (BELA, "exhaustion rebellion")


def test_scenario_16_the_successor_of_supremacy_has_more() -> None:
    stage = Stage().seat(CARA, relics=["map"])
    stage.seat(YARA, citizen=True, relics=["whistle"], banners=[PEOPLES_FAVOR])
    assert ended(stage, 8).g.winner == CARA
    stage.g.winner = ""
    assert ended(stage.seat(YARA, relics=["grand_mask"]), 8).g.winner == YARA


def test_scenario_17_in_devotion_a_scepter_abroad_makes_no_successor() -> None:
    stage = Stage(oath="devotion").seat(YARA, citizen=True).seat(BELA, relics=[SCEPTER])
    assert ended(stage, 8).g.winner == CARA
    stage.g.winner = ""
    assert ended(stage.seat(YARA, relics=[SCEPTER]), 8).g.winner == YARA


# I. Rest


def test_scenario_84_favor_goes_to_the_banks_and_secrets_to_the_board() -> None:
    stage = Stage().site("steppe", cards=["hearts_and_minds"]).seat(YARA, secrets=1, advisers=["tents"])
    hearth, nomad = stage.g.map[stage.slot("steppe")].cards[0], stage.player(YARA).advisers[0]
    hearth.favor, nomad.favor, hearth.secrets, stage.player(YARA).spent = 2, 1, 1, 1
    stage.g.shared -= 3
    stage.turn(YARA).run(rest(stage.g))
    assert (stage.g.banks["hearth"], stage.g.banks["nomad"]) == (5, 4)
    assert (stage.player(YARA).secrets, stage.player(YARA).spent) == (3, 0)
    assert hearth.empty
    assert nomad.empty
    count(stage)


@pytest.mark.parametrize(
    ("bank", "unspent", "supply"), [(7, 0, 4), (7, 2, 6), (7, 4, 7), (10, 0, 4), (4, 0, 4)]
)
def test_scenario_85_what_was_not_spent_is_saved_up_to_seven(bank: int, unspent: int, supply: int) -> None:
    stage = Stage().seat(CARA, warbands=24 - bank).turn(CARA)
    stage.g.began_with, stage.g.spent = 7, 7 - unspent
    stage.run(rest(stage.g))
    assert stage.player(CARA).supply == supply


@pytest.mark.parametrize(
    ("who", "bank", "supply"),
    [(YARA, 9, 6), (YARA, 8, 5), (YARA, 3, 4), (CARA, 18, 6), (CARA, 11, 5), (CARA, 3, 3)],
)
def test_scenario_86_bands(who: str, bank: int, supply: int) -> None:
    stage = Stage()
    player = stage.player(who)
    stage.seat(who, warbands=player.bank - bank)
    assert refreshed(stage.g, player) == supply


def test_scenario_86_a_citizen_copies_the_chancellor() -> None:
    stage = Stage().seat(YARA, citizen=True).seat(CARA, supply=2)
    assert stage.player(YARA).banner_colour == PURPLE
    assert refreshed(stage.g, stage.player(YARA)) == 2
