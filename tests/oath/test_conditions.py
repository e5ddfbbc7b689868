"""What orders may hang on: how a Campaign ended, in every question that comes after it (E-13)."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from pbem.engine.core.chance import Loaded, Seeded
from pbem.engine.core.commands import read
from pbem.engine.core.scenario import Position
from pbem.engine.core.scripts import Verdict, run
from pbem.engine.core.table import Table
from pbem.engine.core.text import english
from pbem.engine.oath.act import act
from pbem.engine.oath.campaign.offering import offer_campaign
from pbem.engine.oath.rules import OathRules
from pbem.engine.oath.state import Oath
from pbem.engine.oath.wake import wake

from .inventing import Made, adds
from .positions import CARA, YARA, Stage

RULES = OathRules()
WON = {"won": 1, "lost": 0, "needed": 0}
LOST = {"won": 0, "lost": 1, "needed": 0}
SURE = {"defense": "0 0 0 0", "attack": "3 3 3 3 3"}
BAD = {"defense": "4 4 4 4", "attack": "0 0 0 0 0"}
ATTACK = "campaign against cara at steppe, pawn with 5"


def at_steppe(dice: Mapping[str, str]) -> Stage:
    """Cara with three favor rules Steppe and stands there; Yara attacks site and pawn with five warbands."""
    stage = Stage().site("steppe", ruler=CARA).seat(CARA, at="steppe", favor=3)
    return stage.seat(YARA, at="steppe", warbands=5).turn(YARA).dice(**dice)


def published(stage: Stage, who: str = YARA) -> Mapping[str, int | str]:
    """What the open question to somebody publishes."""
    return stage.table.open[who].public


def test_e_13_every_question_after_a_victory_knows_of_it() -> None:
    stage = at_steppe(SURE).act(YARA, offer_campaign).does(YARA, ATTACK)
    for line in ("put 2 on steppe", "banish cara to wastes", "burn 1"):
        assert dict(published(stage)) == WON, line
        stage.does(YARA, line)
    assert stage.asked() == {}
    assert stage.player(CARA).pawn == stage.slot("wastes")


def test_e_13_before_the_dice_nobody_knows(invent: Made) -> None:
    invent("longbows", plan=adds("own", 1))
    stage = at_steppe(SURE).seat(YARA, advisers=["longbows"]).act(YARA, offer_campaign).does(YARA, ATTACK)
    assert (
        set(published(stage)) == {"attack_dice", "defense_dice"} == set(RULES.conditions("battle-plan")[:2])
    )


def test_o_6_7_4_the_sacrifice_knows_what_it_takes() -> None:
    stage = at_steppe({"defense": "4 4 0 0", "attack": "0 0 0 0 0"}).act(YARA, offer_campaign)
    stage.does(YARA, ATTACK)
    assert dict(published(stage)) == {"needed": 4, "force": 5}
    stage.does(YARA, "sacrifice 4")
    assert dict(published(stage)) == WON


@pytest.mark.parametrize(("dice", "result"), [(SURE, WON), (BAD, LOST)])
def test_e_13_the_act_phase_knows_the_last_campaign_until_the_turn_ends(
    dice: Mapping[str, str], result: Mapping[str, int]
) -> None:
    stage = at_steppe(dice)
    stage.run(act(stage.g))
    assert "won" not in published(stage)
    stage.does(YARA, ATTACK)
    while stage.table.open:
        stage.does(
            YARA, {"place": "put 1", "banish": "banish nobody", "burn": "burn nothing"}[stage.asked()[YARA]]
        )
    stage.run(act(stage.g))
    assert {name: published(stage)[name] for name in result} == result
    stage.run(wake(stage.g)).run(act(stage.g))
    assert "won" not in published(stage)


def test_a_campaign_on_anothers_turn_is_not_the_active_players() -> None:
    stage = at_steppe(SURE).act(YARA, offer_campaign).turn(CARA).does(YARA, ATTACK)
    assert dict(published(stage)) == WON
    assert stage.g.fought == ""


# whole scripts


def yaras_turn(dice: Mapping[str, str]) -> Table[Oath]:
    """Yara's Act phase at Steppe, which Cara rules and where she stands; The Tribunal lies elsewhere."""
    position = Position(RULES, [CARA, YARA]).arrange(
        {
            "cradle 1.cards": [],
            "provinces 2.site": "Steppe",
            "provinces 2.faceup": True,
            "provinces 2.ruler": "Cara 1",
            "hinterland 2.site": "The Tribunal",
            "hinterland 2.faceup": True,
            "Cara.at": "Steppe",
            "Cara.warbands": 0,
            "Cara.favor": 3,
            "Yara.at": "Steppe",
            "Yara.warbands": 5,
            "turn": "Yara",
        }
    )
    return Table(
        RULES, position.g, chance=Loaded({k: [v] for k, v in dice.items()}, Seeded(b"script"))
    ).start()


SCRIPT = (
    ATTACK,
    "If won, put 2 on steppe; banish cara to tribunal; burn half",
    "if LOST: travel to tribunal",
    "rest",
)


def test_e_13_what_is_given_in_advance_for_a_victory() -> None:
    table = yaras_turn(SURE)
    result = run(table, YARA, SCRIPT, read, tested=RULES.conditions("act"))
    assert [r.verdict for r in result.lines] == [*(Verdict.DONE,) * 4, Verdict.PASSED, Verdict.DONE]
    assert (RULES.read(table.g, "provinces 2.ruler"), RULES.read(table.g, "Cara.at")) == (
        "Yara 2",
        "The Tribunal",
    )


def test_e_13_what_is_given_in_advance_for_a_defeat() -> None:
    table = yaras_turn(BAD)
    result = run(table, YARA, SCRIPT, read, tested=RULES.conditions("act"))
    assert [r.verdict for r in result.lines] == [Verdict.DONE, *(Verdict.PASSED,) * 3, *(Verdict.DONE,) * 2]
    assert RULES.read(table.g, "Yara.at") == "The Tribunal"


def test_e_13_a_sacrifice_in_advance() -> None:
    close = {"defense": "4 4 0 0", "attack": "0 0 0 0 0"}
    lines = (
        ATTACK,
        "if needed >= 5: sacrifice nothing",
        "if needed: sacrifice",
        "put 1",
        "banish nobody",
        "burn nothing",
    )
    result = run(yaras_turn(close), YARA, lines, read)
    assert [r.verdict for r in result.lines] == [Verdict.DONE, Verdict.PASSED, *(Verdict.DONE,) * 4]
    surely = run(yaras_turn(SURE), YARA, lines, read)
    assert [r.verdict for r in surely.lines[:4]] == [
        Verdict.DONE,
        Verdict.PASSED,
        Verdict.PASSED,
        Verdict.DONE,
    ]


def test_e_13_before_anything_was_fought_the_line_is_refused_and_nothing_is_done() -> None:
    table = yaras_turn(SURE)
    result = run(table, YARA, ("if won: rest",), read)
    assert result.fault is not None
    assert result.fault.why is not None
    assert english(result.fault.why.why) == (
        "nothing was won or lost yet; what can be tested now: round, supply, favor, secrets and warbands"
    )
    assert table.tape == []
