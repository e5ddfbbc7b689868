"""Battle plans: which, when, for how much, and by whom (O-6.4); the powers are invented, the costs and sides are those
printed on the cards whose ids they borrow."""

from __future__ import annotations

from pbem.engine.core.text import Text
from pbem.engine.oath.battle import ATTACKER
from pbem.engine.oath.battle_queries import (
    BanditsDefend,
    MayUsePlan,
    PlanCost,
)
from pbem.engine.oath.queries import Bandits, MayUse, RulesCard

from .inventing import Made, adds, does, fought, on, steppe
from .positions import BELA, CARA, OREN, YARA, Stage, count

# which plans, and when (O-6.4.1, O-6.4.2)


def test_o_6_4_1_the_attacker_uses_plans_one_by_one_each_once(invent: Made) -> None:
    invent("longbows", plan=adds("own", 1))
    invent("mercenaries", plan=adds("own", 3))
    stage = fought(steppe().seat(YARA, advisers=["longbows", "mercenaries"]))
    assert stage.options(YARA) == ["plan Longbows", "plan Mercenaries", "done"]
    stage.does(YARA, "plan mercenaries")
    assert "used already" in stage.refusal(YARA, "plan mercenaries")
    stage.does(YARA, "plan longbows")  # with none left nothing more is asked
    assert "Attack dice 7, defense dice 1 are rolled." in stage.heard()
    assert stage.player(YARA).favor == 3
    assert stage.player(YARA).advisers[1].favor == 1


def test_o_6_4_1_nobody_is_asked_without_a_plan_that_may_be_used(invent: Made) -> None:
    invent("mercenaries", plan=adds("own", 3))
    poor = steppe().seat(YARA, facedown=["mercenaries"])
    assert "battle-plan" not in fought(poor).asked().values()
    broke = steppe().seat(YARA, advisers=["mercenaries"])
    broke.g.shared += 4
    broke.player(YARA).favor = 0
    assert "battle-plan" not in fought(broke).asked().values()


def test_scenario_46_at_the_site_is_not_enough_ruling_is_needed(invent: Made) -> None:
    invent("longbows", plan=adds("own", 1))
    stage = fought(steppe(cards=["longbows"]))
    assert stage.asked() == {CARA: "battle-plan"}


def test_o_6_4_2_sides_are_as_printed(invent: Made) -> None:
    invent("outriders", plan=adds("own", 1))
    invent("wrestlers", plan=adds("own", 1))
    both = ["outriders", "wrestlers"]
    stage = fought(steppe(cards=both).seat(YARA, advisers=both))
    assert stage.options(YARA) == ["plan Outriders", "done"]
    stage.does(YARA, "done")
    assert stage.options(CARA) == ["plan Wrestlers", "done"]


def test_a_plan_may_say_that_it_is_of_no_use(invent: Made) -> None:
    invent("longbows", may_plan=lambda self, g, me, battle, user: Text("no wind"), plan=adds("own", 1))
    invent("outriders", plan=adds("own", 1))
    stage = fought(steppe().seat(YARA, advisers=["longbows", "outriders"]))
    assert "no wind" in stage.refusal(YARA, "plan longbows")


# costs (O-6.4.3, 48)


def test_scenario_48_a_plan_lies_on_its_card_also_on_an_occupied_one(invent: Made) -> None:
    invent("mercenaries", plan=adds("own", 3))
    stage = steppe().seat(YARA, advisers=["mercenaries"])
    stage.player(YARA).advisers[0].secrets = 1
    fought(stage).does(YARA, "plan mercenaries")
    assert stage.player(YARA).advisers[0].favor == 1


def test_o_6_4_3_who_defends_pays_into_the_bank_and_face_down(invent: Made) -> None:
    invent("mercenaries", plan=adds("own", 3))
    invent("fire_talkers", plan=adds("own", 1))
    stage = steppe().seat(CARA, favor=1, secrets=1, advisers=["mercenaries", "fire_talkers"])
    fought(stage).does(CARA, "plan mercenaries", "plan fire talkers")
    cara = stage.player(CARA)
    assert (cara.favor, cara.secrets, cara.spent) == (0, 0, 1)
    assert stage.g.banks["discord"] == 4
    assert all(a.empty for a in cara.advisers)
    assert "Attack dice 0, defense dice 2 are rolled." in stage.heard()  # four removed, three were there
    count(stage)


def test_promised_tokens_pay_once_only(invent: Made) -> None:
    invent("mercenaries", plan=adds("own", 3))
    invent("extra_provisions", plan=adds("own", 1))
    stage = fought(steppe().seat(CARA, favor=1, advisers=["mercenaries", "extra_provisions"]))
    stage.does(CARA, "plan mercenaries")
    assert CARA not in stage.asked()


def test_what_an_enemy_adds_to_the_cost(invent: Made) -> None:
    invent("longbows", plan=adds("own", 1))
    invent("outriders", plan=adds("own", 1))

    def dearer(query: PlanCost) -> None:
        if query.player is not None and query.battle.side_of(query.player) == ATTACKER:
            query.burn_favor += 3

    invent("insect_swarm", modify=on(PlanCost, dearer))
    stage = fought(
        steppe().seat(CARA, advisers=["insect_swarm"]).seat(YARA, advisers=["longbows", "outriders"])
    )
    stage.does(YARA, "plan longbows")
    assert stage.player(YARA).favor == 1
    assert stage.asked().get(YARA) != "battle-plan"  # one favor is too little for the other


# permissions


def test_a_card_may_bar_plans(invent: Made) -> None:
    invent("longbows", plan=adds("own", 1))
    invent("outriders", plan=adds("own", 1))

    def none_of_order(query: MayUsePlan) -> None:
        if query.side == ATTACKER and query.lying.id == "longbows":
            query.refuse(Text("tamed"))

    invent("beast_tamer", modify=on(MayUsePlan, none_of_order))
    stage = fought(
        steppe().seat(CARA, advisers=["beast_tamer"]).seat(YARA, advisers=["longbows", "outriders"])
    )
    assert "tamed" in stage.refusal(YARA, "plan longbows")


def only_plan(query: MayUsePlan) -> None:
    """No plan before it, none after it, on the user's side."""
    own = query.lying.id == "code_of_honor"
    if own and query.before:
        query.refuse(Text("it stands alone"))
    if own:
        query.alone = True
    elif any(id == "code_of_honor" for id, _ in query.before):
        query.refuse(Text("the code forbids it"))


def test_a_plan_that_stands_alone(invent: Made) -> None:
    invent("longbows", plan=adds("own", 1))
    invent("code_of_honor", plan=adds("own", 2), modify=on(MayUsePlan, only_plan))
    stage = fought(steppe().seat(YARA, advisers=["longbows", "code_of_honor"])).does(
        YARA, "plan code of honor"
    )
    assert "Attack dice 5, defense dice 1 are rolled." in stage.heard()
    stage = fought(steppe().seat(YARA, advisers=["longbows", "code_of_honor"])).does(YARA, "plan longbows")
    assert "Attack dice 4, defense dice 1 are rolled." in stage.heard()


def test_a_power_with_a_cost_may_be_barred_altogether(invent: Made) -> None:
    invent("fire_talkers", plan=adds("own", 1))
    invent("spell_breaker", modify=on(MayUse, lambda query: query.refuse(Text("broken"))))
    stage = fought(steppe().seat(YARA, advisers=["fire_talkers"]).seat(CARA, advisers=["spell_breaker"]))
    assert "battle-plan" not in stage.asked().values()


def test_a_card_may_decide_who_rules_a_card(invent: Made) -> None:
    invent("longbows", plan=adds("own", 1))

    def masked(query: RulesCard) -> None:
        query.rules = query.player.name == YARA

    invent("grand_mask", modify=on(RulesCard, masked))
    stage = fought(steppe(cards=["longbows"]).seat(YARA, relics=["grand_mask"]))
    assert stage.asked() == {YARA: "battle-plan"}


# the defending side (O-6.4.4, E-13)


def empire() -> Stage:
    """Bela attacks Citizen Yara at Steppe; Cara joins; both rule what lies at purple Steppe."""
    stage = Stage().seat(YARA, citizen=True, at="steppe", favor=1).seat(CARA, at="river", favor=1)
    stage.site("steppe", ruler=CARA, cards=["mercenaries"]).title(OREN)
    return stage.seat(BELA, at="steppe", warbands=5)


def test_o_6_4_4_a_plan_at_a_purple_site_goes_to_the_defender_first(invent: Made) -> None:
    invent("mercenaries", plan=adds("own", 3))
    stage = fought(empire(), "campaign against yara at steppe with 5", BELA)
    assert stage.asked() == {CARA: "battle-plan", YARA: "battle-plan"}
    stage.does(CARA, "plan mercenaries").does(YARA, "plan mercenaries")
    assert "Yara uses Mercenaries." in stage.heard()
    assert "Cara cannot use Mercenaries any more." in stage.heard()
    assert (stage.player(CARA).favor, stage.player(YARA).favor) == (1, 0)
    assert "Attack dice 2, defense dice 1 are rolled." in stage.heard()


def test_o_6_4_4_the_ally_has_it_where_the_defender_leaves_it(invent: Made) -> None:
    invent("mercenaries", plan=adds("own", 3))
    stage = fought(empire(), "campaign against yara at steppe with 5", BELA)
    stage.does(YARA, "done").does(CARA, "plan mercenaries")
    assert (stage.player(CARA).favor, stage.player(YARA).favor) == (0, 1)


def test_scenario_96_no_plans_at_purple_sites_in_a_civil_war(invent: Made) -> None:
    for id in ("longbows", "mercenaries", "wrestlers"):
        invent(id, plan=adds("own", 1))
    stage = Stage().site("steppe", ruler=CARA, cards=["longbows"]).seat(CARA, at="river", favor=1)
    stage.seat(YARA, citizen=True, at="steppe", warbands=3, favor=1, advisers=["mercenaries"])
    fought(stage)
    assert stage.options(YARA) == ["plan Mercenaries", "done"]
    stage.does(YARA, "done")
    assert stage.options(CARA) == ["plan Longbows", "done"]
    stage = Stage().site("steppe", ruler=CARA, cards=["wrestlers"]).seat(CARA, at="steppe", warbands=3)
    fought(stage.seat(YARA, citizen=True, at="steppe"), "campaign against yara at pawn with 0", CARA)
    assert YARA not in stage.asked()


# bandits (82, HR-05)


def bandits(*at_steppe: str, far: tuple[str, ...] = ()) -> Stage:
    stage = Stage().site("steppe", cards=at_steppe).site("wastes", cards=far)
    return stage.seat(YARA, at="steppe", warbands=3)


AGAINST_BANDITS = "campaign against bandits at steppe with 3"


def test_scenario_82_bandits_use_the_free_plan_and_not_the_paid_one(invent: Made) -> None:
    invent("keep", plan=does(lambda battle: setattr(battle, "defense_dice", battle.defense_dice + 2)))
    invent("extra_provisions", plan=adds("own", 1))
    stage = fought(bandits("keep", "extra_provisions"), AGAINST_BANDITS)
    assert "The bandits use Keep." in stage.heard()
    assert not [line for line in stage.heard() if "Extra Provisions" in line]
    assert "Attack dice 3, defense dice 3 are rolled." in stage.heard()


def test_hr_05_bandits_use_plans_at_all_their_sites(invent: Made) -> None:
    invent("longbows", plan=adds("own", 1))
    stage = fought(bandits(far=("longbows",)), AGAINST_BANDITS)
    assert "Attack dice 2, defense dice 1 are rolled." in stage.heard()


def test_bandits_begin_with_a_plan_that_stands_alone(invent: Made) -> None:
    invent("longbows", plan=adds("own", 1))
    invent("code_of_honor", plan=adds("own", 2), modify=on(MayUsePlan, only_plan))
    stage = fought(bandits("longbows", "code_of_honor"), AGAINST_BANDITS)
    assert "Attack dice 1, defense dice 1 are rolled." in stage.heard()


def test_how_many_bandits_there_are(invent: Made) -> None:
    invent("bandit_chief", modify=on(Bandits, lambda query: setattr(query, "more", query.more + 1)))
    stage = fought(bandits().seat(CARA, advisers=["bandit_chief"]).dice(defense="0"), AGAINST_BANDITS)
    assert "The defense rolls a blank: 0 for shields and 2 for its force make 2." in stage.heard()


def test_bandits_that_fight_for_a_player(invent: Made) -> None:
    invent("bandit_crown", modify=on(BanditsDefend, lambda query: setattr(query, "do", True)))
    stage = fought(steppe().seat(CARA, relics=["bandit_crown"]).dice(defense="0"))
    assert "The defense rolls a blank: 0 for shields and 3 for its force make 3." in stage.heard()
