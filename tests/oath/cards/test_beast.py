"""Beast denizens: campaigns and citizenship."""

from __future__ import annotations

from pbem.engine.oath import cards as _cards
from pbem.engine.oath.actions.minor import offer_adviser
from pbem.engine.oath.actions.travel import offer_travel
from pbem.engine.oath.battle import Battle
from pbem.engine.oath.campaign.offering import offer_campaign

from ..inventing import Made, adds, fought, steppe
from ..positions import CARA, OREN, YARA, Stage, count

assert _cards


# Long-Lost Heir


def heir(citizen: bool = False) -> Stage:
    stage = Stage().site("steppe", ruler=YARA, warbands=2)
    stage.seat(YARA, at="river", warbands=1, supply=1, facedown=["long_lost_heir"], citizen=citizen)
    return stage.act(YARA, offer_adviser).does(YARA, "play adviser long-lost heir")


def test_long_lost_heir_makes_an_exile_a_citizen_without_a_relic() -> None:
    stage = heir().does(YARA, "as adviser")
    assert stage.asked() == {YARA: "long-lost-heir"}
    stage.does(YARA, "yes")
    yara = stage.player(YARA)
    assert (yara.role, yara.supply, yara.warbands, yara.relics) == ("citizen", 7, 1, [])
    assert stage.g.phase == "rest"
    assert stage.g.map[stage.slot("steppe")].colour == "purple"
    assert all(space is not None for space in stage.g.reliquary)
    count(stage)


def test_long_lost_heir_may_be_declined() -> None:
    stage = heir().does(YARA, "as adviser", "no")
    assert (stage.player(YARA).role, stage.player(YARA).supply, stage.g.phase) == ("exile", 1, "act")
    assert [a.shown for a in stage.player(YARA).advisers] == ["long_lost_heir"]


def test_long_lost_heir_asks_no_citizen_and_lies_at_no_site() -> None:
    stage = Stage().seat(YARA, at="river", facedown=["long_lost_heir"], citizen=True)
    stage.act(YARA, offer_adviser).does(YARA, "play adviser long-lost heir")
    assert "adviser only" in stage.refusal(YARA, "play to river")
    assert stage.does(YARA, "as adviser").asked() == {}


# Rangers


def test_rangers_lose_nothing_to_skulls() -> None:
    stage = steppe().seat(YARA, advisers=["rangers"]).dice(attack="5 5 5", defense="0")
    fought(stage).does(YARA, "plan rangers")
    assert "Attack dice 3, defense dice 1 are rolled." in stage.heard(), "one defense die is too few"
    assert stage.player(YARA).warbands == 5
    assert stage.player(YARA).favor == 3


def test_rangers_count_the_defense_pool_as_it_is_when_they_are_used() -> None:
    stage = Stage().site("steppe", ruler=CARA, warbands=2).title(OREN)
    stage.seat(CARA, at="steppe", relics=["map"])
    stage.seat(YARA, at="steppe", warbands=5, favor=4, advisers=["rangers"])
    fought(stage, "campaign against cara at steppe, map with 3").does(YARA, "plan rangers")
    assert "Before battle plans: attack dice 3, defense dice 4." in stage.heard()
    assert "Attack dice 5, defense dice 4 are rolled." in stage.heard()


def test_rangers_get_nothing_for_dice_that_the_defense_adds_later(invent: Made) -> None:
    invent("keep", plan=lambda self, g, me, battle, user: _more(battle))
    stage = fought(steppe(cards=["keep"]).seat(YARA, advisers=["rangers"])).does(YARA, "plan rangers")
    stage.does(CARA, "plan keep")
    assert "Attack dice 3, defense dice 4 are rolled." in stage.heard()


async def _more(battle: Battle) -> None:
    battle.defense_dice += 3


def test_rangers_are_no_plan_of_a_defender_and_cost_favor() -> None:
    assert CARA not in fought(steppe().seat(CARA, favor=1, advisers=["rangers"])).asked()
    stage = Stage().site("steppe", ruler=CARA, warbands=2).title(OREN)
    stage.seat(YARA, at="steppe", warbands=5, advisers=["rangers"])
    assert fought(stage).asked().get(YARA) != "battle-plan", "without favor it cannot be paid"


# True Names


def test_true_names_bar_plans_of_the_holders_suits(invent: Made) -> None:
    invent("longbows", plan=adds("own", 1))
    invent("rain_boots", plan=adds("own", 1))
    stage = steppe().seat(CARA, advisers=["true_names", "elders"])
    stage.seat(YARA, advisers=["rangers", "rain_boots", "longbows"])
    fought(stage)
    assert "bars plans of Beast" in stage.refusal(YARA, "plan rangers")
    assert "bars plans of Nomad" in stage.refusal(YARA, "plan rain boots")
    assert stage.options(YARA) == ["plan Longbows", "done"]


def test_true_names_leave_plans_without_a_suit_alone(invent: Made) -> None:
    invent("sticky_fire", plan=adds("own", 1))
    stage = steppe().seat(CARA, advisers=["true_names"]).seat(YARA, relics=["sticky_fire"])
    assert fought(stage).options(YARA) == ["plan Sticky Fire", "done"]


def test_true_names_say_nothing_in_the_campaigns_of_others() -> None:
    stage = steppe().seat(OREN, at="river", advisers=["true_names"]).seat(YARA, advisers=["rangers"])
    assert fought(stage).options(YARA) == ["plan Rangers", "done"]


def test_true_names_do_not_bind_their_holder() -> None:
    stage = steppe().seat(YARA, advisers=["true_names", "rangers"])
    assert fought(stage).options(YARA) == ["plan Rangers", "done"]


def test_true_names_work_for_an_attacker_too() -> None:
    stage = steppe().seat(CARA, advisers=["horse_archers"]).seat(YARA, advisers=["true_names", "elders"])
    assert CARA not in fought(stage).asked()
    assert CARA in fought(steppe().seat(CARA, advisers=["horse_archers"])).asked()


# Vow of Union


def united() -> Stage:
    """Yara, who holds it, rules River and Wastes and stands at River; so does Cara."""
    stage = Stage().site("river", ruler=YARA, warbands=2).site("wastes", ruler=YARA, warbands=1).title(OREN)
    return stage.seat(YARA, at="river", advisers=["vow_of_union"]).seat(CARA, at="river")


def test_vow_of_union_brings_the_warbands_of_all_sites_to_the_attack() -> None:
    stage = united().seat(YARA, warbands=1).dice(defense="0 0", attack="5 5 5 0").act(YARA, offer_campaign)
    line = "campaign against cara at pawn with 5"
    assert "must be 0 to 4" in stage.refusal(YARA, line)
    stage.does(YARA, line.replace("5", "4"))
    assert stage.asked() == {YARA: "losses"}, "three skulls: which of the four?"
    stage.does(YARA, "lose 2 at river", "lose 1 at wastes")
    assert (stage.g.map[0].warbands, stage.g.map[6].warbands, stage.player(YARA).warbands) == (0, 0, 1)
    count(stage)


def test_vow_of_union_adds_nothing_of_the_empire_to_a_citizen_against_it() -> None:
    stage = Stage().site("river", ruler=CARA, warbands=3).seat(YARA, citizen=True)
    stage.seat(YARA, at="river", warbands=1, advisers=["vow_of_union"]).act(YARA, offer_campaign)
    assert "must be 0 to 1" in stage.refusal(YARA, "campaign against cara at river with 2")
    stage.seat(OREN, at="river")
    stage.act(YARA, offer_campaign)
    assert "must be 0 to 4" in stage.refusal(YARA, "campaign against oren at pawn with 5")


def test_vow_of_union_bandits_of_the_crown_bring_dice_and_do_not_die() -> None:
    stage = united().seat(YARA, relics=["bandit_crown"]).dice(defense="0 0", attack="5 5 5 5 5 5 5 5 5")
    stage.act(YARA, offer_campaign)
    # two warbands at River, one at Wastes, and a bandit at each of the six other faceup sites
    assert "must be 0 to 9" in stage.refusal(YARA, "campaign against cara at pawn with 10")
    stage.does(YARA, "campaign against cara at pawn with 9")
    assert [site.warbands for site in stage.g.map] == [0] * 8
    count(stage)


def test_vow_of_union_holds_its_holder_where_they_rule() -> None:
    united().act(YARA, offer_travel).does(YARA, "travel to lush coast")
    stage = united().seat(YARA, warbands=1).act(YARA, offer_travel)
    assert "nobody leaves a site that they rule" in stage.refusal(YARA, "travel to lush coast")
    stage.seat(YARA, at="lush_coast").act(YARA, offer_travel).does(YARA, "travel to wastes")


def test_vow_of_union_a_beaten_holder_cannot_be_banished() -> None:
    stage = (
        united()
        .seat(YARA, warbands=1, favor=2)
        .seat(CARA, warbands=4)
        .dice(defense="0 0 0", attack="3 3 3 3")
    )
    stage.site("great_slum").act(CARA, offer_campaign).does(
        CARA, "campaign against yara at river, pawn with 4"
    )
    stage.does(CARA, "place 0")
    # River is the bandits' now, so that Yara does not rule it any more and may be made to go
    assert stage.asked() == {CARA: "banish"}
