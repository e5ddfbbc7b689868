"""Oath by mail: what is asked of whom, what waits and goes on, what is refused and why; whole conversations."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from pbem.engine.core.ruleset import Json
from pbem.engine.core.table import Table
from pbem.engine.core.testing import play
from pbem.engine.core.text import Text, english
from pbem.engine.oath.rules import OathRules
from pbem.engine.oath.state import Oath
from pbem.orders import Codes, Lines

from .oath import HOPELESS, PEOPLE, STEPPE, SURE, OathTable

ATTACK = "campaign against ana at steppe, pawn with 10"
WHOLE_TURN = f"""{ATTACK}
if won: put 2 on steppe; banish ana to tribunal; burn half
if lost: travel to tribunal
rest"""
EMPIRE: Mapping[str, Json] = {
    "Ana.advisers": ["Longbows"],
    "Ana.favor": 3,
    "Carla.role": "citizen",
    "Carla.at": "Steppe",
    "Carla.advisers": ["Wrestlers"],
}
"""The Chancellor has a plan, and so has a Citizen beside her."""


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Tables]:
    tables = Tables(tmp_path)
    yield tables
    tables.close()


class Tables:
    """Tables in positions of their own, proved at the end."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._tables: list[OathTable] = []

    def at(self, *paths: Mapping[str, Json], **table: Any) -> OathTable:
        """A new table in a position."""
        folder = self._folder / str(len(self._tables))
        folder.mkdir()
        merged = {path: value for each in paths for path, value in each.items()}
        self._tables.append(OathTable(folder, merged, **table))
        return self._tables[-1]

    def close(self) -> None:
        """Prove and close them all."""
        for table in self._tables:
            table.close()


def letters_but(table: OathTable, *authors: str) -> list[tuple[str, str, str, str]]:
    """All letters to everybody else: to whom, subject, text, HTML."""
    return [
        (who, letter.subject, letter.text, letter.html)
        for who in (*PEOPLE, "Mo")
        if who not in authors
        for letter in table.letters(who)
    ]


# a whole turn in one mail, and what it waits for (E-01, E-13)


def test_e_13_a_whole_turn_with_what_follows_a_victory(folder: Tables) -> None:
    table = folder.at(SURE, {"Ana.favor": 3})
    table.writes("Ben", WHOLE_TURN)
    said = table.receipt("Ben")
    assert "if won: put 2 on steppe place 2 at Steppe: done." in said
    assert "if won: banish ana to tribunal banish to The Tribunal: done." in said
    assert "if lost: travel to tribunal Passed over: you won, so this was not needed." in said
    assert "I did 5 of your 6 lines. The others were not needed." in said
    assert table.at("provinces 2.ruler") == "Ben 2"
    assert (table.at("Ana.at"), table.at("Ana.favor")) == ("The Tribunal", 2)
    assert table.asked() == ["Carla"], "Ben has rested"


def test_e_13_a_whole_turn_with_what_follows_a_defeat(folder: Tables) -> None:
    table = folder.at(HOPELESS)
    table.writes("Ben", WHOLE_TURN.replace("10", "1"))
    said = table.receipt("Ben")
    assert said.count("Passed over: you lost, so this was not needed.") == 3
    assert "if lost: travel to tribunal travel to The Tribunal: done." in said
    assert table.at("provinces 2.ruler") == "Ana 20"
    assert table.at("Ben.at") == "The Tribunal"


def test_e_01_what_waits_for_the_defender_is_shown_and_goes_on(folder: Tables) -> None:
    table = folder.at(SURE, {"Ana.advisers": ["Longbows"], "Ana.favor": 3})
    table.writes("Ben", WHOLE_TURN)
    assert "I did 1 of your 6 lines. The others wait." in table.receipt("Ben")
    assert table.asked() == ["Ana"]
    table.writes("Ben", "resend")
    waiting = table.last("Ben").flat
    assert "if won: put 2 on steppe; banish ana to tribunal; burn half" in waiting
    assert "Parked until the others have answered: if lost: travel to tribunal" in waiting
    table.writes("Ana", "done")
    told = table.last("Ben", "notice").flat
    assert "place 2 at Steppe: done." in told
    assert "if lost: travel to tribunal: passed over, you won, so this was not needed." in told
    assert "rest: done." in told
    assert table.asked() == ["Carla"]


def test_e_01_a_later_fault_tells_which_lines_fell(folder: Tables) -> None:
    table = folder.at(SURE, {"Ana.advisers": ["Longbows"]})
    table.writes("Ben", f"{ATTACK}\nif won: put 99 on steppe; banish nobody\nrest")
    table.writes("Ana", "done")
    told = table.last("Ben", "notice").flat
    assert "if won: put 99 on steppe: not done" in told
    assert "0 to 14" in told
    assert "if won: banish nobody: dropped." in told
    assert "rest: dropped." in told
    assert table.question("Ben") == "place"
    assert table.last("Ben").kind == "digest"


@pytest.mark.parametrize(
    "form", ["{}", "BEGIN ORDERS 1\n{}\nEND ORDERS 1", "Hello,\n\n{}\n\nBest wishes\nBen"]
)
@pytest.mark.parametrize(
    "won", ["if won: ", "If won, ", "IF WON: ", "if I win: ", "if not lost: ", "if won = 1: "]
)
def test_e_13_a_condition_in_many_spellings(folder: Tables, form: str, won: str) -> None:
    table = folder.at(SURE)
    table.writes("Ben", form.format(f"1.3 ana at steppe with 9\n{won}put 3 on steppe\nrest"))
    assert table.at("provinces 2.ruler") == "Ben 3"
    assert table.asked() == ["Carla"]


def test_e_13_a_code_may_hang_on_a_condition(folder: Tables) -> None:
    table = folder.at(SURE)
    table.writes("Ben", "campaign against ana at steppe with 9")
    code = f"{table.last('Ben').message['x-pbem-digest']}.1"
    table.writes("Ben", f"if won: {code} 3; rest")
    assert table.at("provinces 2.ruler") == "Ben 3"


def test_e_13_nothing_was_fought_yet(folder: Tables) -> None:
    table = folder.at(SURE)
    before = table.hash()
    table.writes("Ben", "travel to tribunal\nif won: rest")
    said = table.receipt("Ben")
    assert (
        "nothing was won or lost yet; what can be tested now: round, supply, favor, secrets and warbands"
        in said
    )
    assert "travel to tribunal travel to The Tribunal: not done, because a later line is wrong." in said
    assert table.hash() == before


@pytest.mark.parametrize("form", ["{}", "BEGIN ORDERS 1\n{}\nEND ORDERS 1"])
def test_e_13_a_condition_alone_on_its_line_lets_nothing_happen(folder: Tables, form: str) -> None:
    table = folder.at(SURE)
    before = table.hash()
    table.writes("Ben", form.format(f"{ATTACK}\nif won:\nput 2 on steppe\nrest"))
    assert "write what is to be done on the same line, like this: if won: …" in table.receipt("Ben")
    assert table.hash() == before


def test_e_13_prose_about_winning_is_prose(folder: Tables) -> None:
    table = folder.at(SURE)
    table.writes("Ben", "If I won, I would be glad.\nIf won, fine; if lost, fine too.\nIf so:\n\nrest")
    assert "I read 1 line and did it." in table.receipt("Ben")


# the plans of the defence, in one round (O-6.4, E-13)


def attacked(folder: Tables) -> OathTable:
    """Ben attacks; the Citizen has joined, the Chancellor has accepted her: both are asked for plans."""
    table = folder.at(SURE, EMPIRE)
    table.writes("Ben", ATTACK)
    assert table.asked() == ["Carla"]
    table.writes("Carla", "join")
    table.writes("Ana", "accept carla")
    return table


@pytest.mark.parametrize("order", [("Ana", "Carla"), ("Carla", "Ana")])
def test_o_6_4_all_defenders_are_asked_side_by_side_and_served_in_order(
    folder: Tables, order: tuple[str, str]
) -> None:
    table = attacked(folder)
    assert table.asked() == ["Ana", "Carla"]
    assert "Ben attacks you: attack dice 10, defense dice 4. Which battle plan" in table.last("Ana").flat
    assert "Ben attacks Ana, and you defend too: attack dice 10" in table.last("Carla").flat
    lines = {"Ana": "longbows", "Carla": "wrestlers"}
    others = {who: len(table.letters(who)) for who in ("Ben", "Dora", order[1])}
    table.writes(order[0], lines[order[0]])
    assert {who: len(table.letters(who)) for who in others} == others, (
        "nobody is told before all have answered"
    )
    table.writes("Ben", "log\nstatus")
    assert "uses Longbows" not in table.receipt("Ben")
    assert "uses Wrestlers" not in table.receipt("Ben")
    table.writes(order[1], lines[order[1]])
    table.writes("Ben", "log 40")
    log = table.receipt("Ben")
    assert 0 < log.index("Longbows") < log.index("Wrestlers"), "the defender first, then the Allies"


def test_o_6_4_what_the_first_has_answered_is_in_no_letter_before_the_last_answers(folder: Tables) -> None:
    letters = []
    for answer in ("longbows", "done"):
        table = attacked(folder)
        table.writes("Ana", answer)
        for who in ("Ben", "Carla", "Dora"):
            table.writes(who, "resend\nstatus\nboard\nlog")
        letters.append(letters_but(table, "Ana"))
    assert letters[0] == letters[1]


def test_d_3_a_plan_can_be_taken_back_while_the_other_still_thinks(folder: Tables) -> None:
    table = attacked(folder)
    table.writes("Carla", "wrestlers")
    table.writes("Carla", "undo")
    assert "Taken back: plan Wrestlers." in table.receipt("Carla")
    assert table.asked() == ["Ana", "Carla"]


def test_o_6_4_1_who_has_no_plan_face_up_is_not_asked_as_all_can_see(folder: Tables) -> None:
    table = folder.at(SURE, {"Ana.advisers": ["Longbows face down"]})
    table.writes("Ben", ATTACK)
    assert table.question("Ben") == "place"


@pytest.mark.parametrize("open_plan", [True, False])
def test_o_16_2_what_the_defender_holds_face_down_changes_no_letter_of_the_others(
    folder: Tables, open_plan: bool
) -> None:
    letters = []
    for hidden in ("Longbows", "Elders"):
        mine = [f"{hidden} face down", *(["Scouts", "Wrestlers"] if open_plan else [])]
        table = folder.at(
            SURE, {"world deck": ["Longbows", "Elders"]}, {"Ana.advisers": mine, "Ana.favor": 3}
        )
        table.writes("Ben", WHOLE_TURN)
        for who in ("Ben", "Carla", "Dora"):
            table.writes(who, "resend\nstatus\nboard\nlog")
        if open_plan:
            assert table.asked() == ["Ana"]
            table.writes("Ana", "done")
        letters.append(letters_but(table, "Ana"))
    assert letters[0] == letters[1]


# being made to pay (O-5.6, E-03)


def banished_into_hiding(folder: Tables) -> OathTable:
    """Ben sends the beaten Chancellor to a site that asks a secret of whoever enters it."""
    table = folder.at(SURE, {"hinterland 2.site": "The Hidden Place", "Ana.favor": 3, "Ana.secrets": 1})
    table.writes("Ben", f"{ATTACK}\nput 2; banish ana to the hidden place; burn nothing")
    assert table.asked() == ["Ana"]
    assert "The way asks 1 secret turned face down. Do you pay, or stay?" in table.last("Ana").flat
    return table


def test_e_03_who_is_made_to_travel_is_asked_and_may_stay(folder: Tables) -> None:
    table = banished_into_hiding(folder)
    table.writes("Ana", "stay")
    assert (table.at("Ana.at"), table.at("Ana.secrets")) == ("Steppe", 1)
    assert "burn nothing: done" in table.last("Ben", "notice").flat


def test_e_03_who_pays_goes(folder: Tables) -> None:
    table = banished_into_hiding(folder)
    table.writes("Ana", "pay")
    assert (table.at("Ana.at"), table.at("Ana.facedown secrets")) == ("The Hidden Place", 1)


@pytest.mark.parametrize(("answer", "left"), [("refuse", 3), ("permit it", 1)])
def test_e_03_a_citizen_picks_up_what_the_chancellor_permits(folder: Tables, answer: str, left: int) -> None:
    table = folder.at(STEPPE, {"Ben.role": "citizen", "provinces 2.ruler": "Ana 3"})
    table.writes("Ben", "pick up 2\nrest")
    assert table.question("Ana") == "permission"
    table.writes("Ana", answer)
    assert table.at("provinces 2.ruler") == f"Ana {left}"
    assert "rest: done." in table.last("Ben", "notice").flat


# offers and deals (O-12.2, O-14, E-16, E-17)

OFFER = {
    **STEPPE,
    "turn": "Ana",
    "Ana.favor": 3,
    "Ben.favor": 2,
    "Ben.relics": ["Map"],
    "reliquary.brutal": "Brass Horse",
}


def test_e_16_an_offer_is_asked_with_all_its_terms_and_binds_until_it_is_answered(folder: Tables) -> None:
    table = folder.at(OFFER)
    table.writes("Ana", "offer citizenship to ben with brutal giving 2 favor asking map\nrest")
    asked = "Ana offers you citizenship: you get the relic on Brutal and 2 favor, and give Map."
    assert asked in table.last("Ben").flat
    open_offer = table.hash()
    for line, why in (
        ("undo", "the others have already been told"),
        ("offer citizenship to carla with brutal", "the table waits for Ben"),
    ):
        table.writes("Ana", line)
        assert why in table.receipt("Ana")
        assert table.hash() == open_offer
    table.writes("Ben", "accept")
    assert table.at("Ben.role") == "citizen"
    assert (table.at("Ben.relics"), table.at("Ben.favor")) == (["Brass Horse"], 4)
    assert table.at("Ana.relics")[-1] == "Map"
    assert "rest: done." in table.last("Ana", "notice").flat


@pytest.mark.parametrize("no", ["refuse", "decline", "no"])
def test_o_12_2_2_a_refusal_costs_nothing(folder: Tables, no: str) -> None:
    table = folder.at(OFFER)
    table.writes("Ana", "offer citizenship to ben with brutal giving 2 favor asking map")
    table.writes("Ben", no)
    assert (table.at("Ben.role"), table.at("Ben.relics"), table.at("Ana.favor")) == ("exile", ["Map"], 3)
    assert table.asked() == ["Ana"]


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("giving 9 favor", "Ana has 3 favor (O-14.2)"),
        ("giving 3 secrets", "Ana has 1 faceup secret (O-14.2)"),
        ("asking 3 favor", "Ben has 2 favor (O-14.2)"),
        ("asking grand scepter", "Ben does not hold The Grand Scepter (O-14.2)"),
        ("giving map", "Ana does not hold Map (O-14.2)"),
        ("asking the people's favor", "Ben does not hold the People's Favor (O-14.2)"),
    ],
)
def test_e_17_what_cannot_be_kept_cannot_be_offered(folder: Tables, line: str, why: str) -> None:
    refused(folder.at(OFFER), "Ana", f"offer citizenship to ben with brutal {line}", why)


def refused(table: OathTable, who: str, line: str, why: str) -> None:
    """A line is refused with its reason, and nothing has changed."""
    before = table.hash()
    table.writes(who, line)
    assert why in table.receipt(who)
    assert "Not done: line 1" in table.last(who, "receipt").subject
    assert table.hash() == before


# what nobody else decides (E-05, D-26)

TIE = {
    **SURE,
    "Ben.warbands": 10,
    "Carla.warbands": 1,
    "cradle 1.ruler": "Carla 1",
    "provinces 1.ruler": "Carla 1",
    "hinterland 1.ruler": "Ben 1",
}
VICTORY = {"winner": "Ben", "won by": ["usurper"], "turn": "Ben"}


@pytest.mark.parametrize("default", ["harmless", "robot"])
@pytest.mark.parametrize(
    ("position", "lines", "who", "key"),
    [
        ({**SURE, "Ana.advisers": ["Longbows"]}, ATTACK, "Ana", "battle-plan"),
        ({**SURE, **EMPIRE}, ATTACK, "Carla", "join-defense"),
        (SURE, ATTACK, "Ben", "place"),
        (SURE, f"{ATTACK}\nput 2", "Ben", "banish"),
        (TIE, "campaign against ana at steppe with 10\nput 2", "Ana", "title-tie"),
        ({**STEPPE, "Ben.role": "citizen", "provinces 2.ruler": "Ana 3"}, "pick up 2", "Ana", "permission"),
        ({**VICTORY, "phase": "vow"}, "", "Ben", "vow"),
        ({**VICTORY, "phase": "invite"}, "", "Ben", "invite"),
        ({**VICTORY, "phase": "invite"}, "invite carla; invite nobody else", "Carla", "citizenship"),
        ({**VICTORY, "phase": "suit"}, "", "Ben", "suit"),
    ],
)
def test_e_05_silence_answers_nothing_that_only_its_player_may_decide(
    folder: Tables, default: str, position: Mapping[str, Json], lines: str, who: str, key: str
) -> None:
    table = folder.at(position, default=default, turn_hours=1, reaction_hours=1, grace_hours=0)
    if lines:
        table.writes("Ben", lines)
    assert table.question(who) == key
    assert "the table waits for Mo to decide" in table.last(who).flat
    table.waits(hours=2)
    assert table.question(who) == key
    assert f"{who} has not answered in time. The table waits for your decision." in table.last("Mo").flat


def test_e_05_an_offer_is_answered_by_nobody_else(folder: Tables) -> None:
    table = folder.at(OFFER, default="robot", reaction_hours=1, grace_hours=0)
    table.writes("Ana", "offer citizenship to ben with brutal")
    table.waits(hours=2)
    assert table.question("Ben") == "deal"


def test_d_26_a_robot_may_answer_what_is_no_persons_own(folder: Tables) -> None:
    table = folder.at(SURE, default="robot", turn_hours=1, grace_hours=0)
    assert "a robot answers this one question for you" in table.last("Ben").flat
    table.waits(hours=2)
    assert next(e.by for _, e in table.app.games.answers(1) if e.seat == "Ben") == "deadline"


# two steps of knowledge (E-02)


@pytest.mark.parametrize(
    "line", ["search world deck", "campaign against ana at steppe with 10", "travel to provinces 3"]
)
def test_e_02_what_was_rolled_or_shown_stays(folder: Tables, line: str) -> None:
    table = folder.at(SURE)
    table.writes("Ben", line)
    after = table.hash()
    table.writes("Ben", "undo")
    assert "NOT DONE" in table.receipt("Ben")
    assert table.hash() == after


def test_e_02_plain_bookkeeping_can_be_taken_back(folder: Tables) -> None:
    table = folder.at(SURE)
    before = table.hash()
    table.writes("Ben", "travel to tribunal")
    table.writes("Ben", "undo")
    assert "Taken back: travel to The Tribunal." in table.receipt("Ben")
    assert table.hash() == before


# the Chronicle by mail (E-22, O-18)


def test_e_22_an_exile_vows_invites_and_adds_in_one_mail(folder: Tables) -> None:
    table = folder.at({**VICTORY, "phase": "vow"})
    table.writes("Ben", "vow people\ninvite carla; invite dora\nadd nomad")
    assert table.asked() == ["Carla", "Dora"]
    assert "Ben offers you citizenship" in table.last("Carla").flat
    table.writes("Dora", "decline")
    table.writes("Carla", "accept")
    assert "add Nomad: done." in " ".join(letter.flat for letter in table.letters("Ben", "notice"))
    assert table.game().state == "over"
    assert table.at("joined") == ["Carla"]
    assert table.letters("Ben", "end")


def test_e_22_the_chancellor_vows_builds_and_adds_in_one_mail(folder: Tables) -> None:
    table = folder.at({"winner": "Ana", "won by": ["regime"], "phase": "vow", "provinces 1.ruler": "Ana 2"})
    table.writes("Ana", "vow devotion\nreplace taming charm\nadd nomad")
    assert table.game().state == "over", table.receipt("Ana")
    assert "I read 3 lines and did them all." in table.receipt("Ana")


def test_o_18_1_the_oath_just_played_cannot_be_vowed(folder: Tables) -> None:
    table = folder.at({**VICTORY, "phase": "vow"})
    refused(table, "Ben", "vow supremacy", "it was the oath of this game; vow another (O-18.1)")


# what cannot be done, and why

POOR = {
    **SURE,
    "Ben.favor": 0,
    "Ben.secrets": 0,
    "Ben.supply": 2,
    "Carla.at": "Plains",
    "provinces 2.cards": ["Elders", "Wolves"],
    "Elders.favor": 1,
    "provinces 2.relics": ["Dowsing Sticks"],
}


@pytest.mark.parametrize(
    ("line", "why"),
    [
        (
            "campaign against ana at mountain with 3",
            "Steppe must be a target too, because Ana rules it (O-6.2.2)",
        ),
        ("campaign against dora at pawn with 3", "Dora neither rules Steppe nor has a pawn there (O-6.1.1)"),
        ("campaign against ben at steppe with 3", "you cannot attack yourself (O-6.1.2)"),
        (
            "campaign against bandits at steppe with 1",
            "a player rules Steppe, so there are no bandits (O-6.1.1)",
        ),
        (
            "campaign against ana at steppe with 15",
            "0 to 14: no more attack dice than warbands that fight (O-6.2.4)",
        ),
        ("campaign against ana at steppe, tribunal with 1", "Ana does not rule The Tribunal (O-6.2.1)"),
        ("muster on elders", "Elders: tokens lie on it already (O-5.3, O-5.4)"),
        ("muster on wolves", "Wolves: it takes 1 favor, you have 0 (O-5.3)"),
        ("trade with wolves for favor", "Wolves: it takes a faceup secret, you have none (O-5.4)"),
        ("trade with wolves for secrets", "Wolves: it takes 2 favor, you have 0 (O-5.4)"),
        ("use wolves", "it costs 1 secret face up, you have 0 (O-8.2)"),
        ("use elders", "(O-8.2)"),
        ("travel to steppe", "your pawn stands there already (O-5.6.2)"),
        ("recover relic", "(O-5.5)"),
        ("recover the people's favor for 2", "it takes 2 favor, you have 0 (O-5.5)"),
        ("pick up 1", "none of your warbands stand at Steppe (O-7.5)"),
        ("put down 3", "you do not rule Steppe (O-7.5)"),
        ("exile carla", "you do not hold the Grand Scepter (O-12.2)"),
        ("exile yourself", "you are no Citizen (O-12.5)"),
    ],
)
def test_what_cannot_be_done_is_refused_with_its_reason(folder: Tables, line: str, why: str) -> None:
    refused(folder.at(POOR), "Ben", line, why)


@pytest.mark.parametrize("line", ["search world deck", "campaign against ana at steppe with 3"])
def test_o_4_3_2_what_costs_too_much_supply_is_refused(folder: Tables, line: str) -> None:
    refused(folder.at(POOR, {"Ben.supply": 1}), "Ben", line, "it costs 2 Supply, you have 1 (O-4.3.2)")


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("play longbows to steppe", "Steppe has no room for another card (O-5.2.1)"),
        (
            "play longbows as adviser discarding small favor",
            "A Small Favor is locked: no discard touches it (O-8.8)",
        ),
    ],
)
def test_full_places_and_locked_cards_are_refused_with_their_reason(
    folder: Tables, line: str, why: str
) -> None:
    advisers = ["A Small Favor", "Scouts", "Naysayers", "Longbows face down"]
    table = folder.at(SURE, {"provinces 2.cards": ["Elders", "Wolves"], "Ben.advisers": advisers})
    table.writes("Ben", "play adviser longbows")
    refused(table, "Ben", line, why)


@pytest.mark.parametrize(
    ("who", "line", "why"),
    [
        ("Ben", "plan wrestlers", "it is a plan for those who defend (O-6.4.2)"),
        ("Ben", "plan mercenaries", "it costs 1 favor, you have 0 (O-8.2)"),
        ("Ana", "rain boots", "it is a plan for those who attack (O-6.4.2)"),
    ],
)
def test_plans_of_the_wrong_side_and_dear_ones_are_refused_with_their_reason(
    folder: Tables, who: str, line: str, why: str
) -> None:
    bens = {"Ben.advisers": ["Wrestlers", "Mercenaries", "Scouts"], "Ben.favor": 0}
    table = folder.at(SURE, bens, {"Ana.advisers": ["Longbows", "Rain Boots"]})
    table.writes("Ben", ATTACK)
    if who == "Ana":
        table.writes("Ben", "done")
    refused(table, who, line, why)


# the runner's own words and the game's


@pytest.mark.parametrize("seed", range(6))
def test_no_wording_of_an_open_question_is_taken_for_a_word_of_the_runner(seed: int) -> None:
    rules = OathRules()

    def mine(table: Table[Oath], rng: random.Random) -> None:
        for ask in table.open.values():
            lines = Lines(ask, Codes({1: ()}, frozenset()), rules.examples, Text("Nothing is asked."))
            for option in ask.menu.open():
                for wording in (option.words, *option.also) if not option.slots else ():
                    assert lines.command(english(wording)) is None, english(wording)

    play(rules, PEOPLE, seed, look=mine)
