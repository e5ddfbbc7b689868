"""Every other moment of a campaign at which a card has a say (O-6.2, O-6.5 to O-6.10); the powers are invented."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.engine.core.text import Text
from pbem.engine.oath.battle import ALL, ATTACKER, DEFENDER, NONE, Battle, Target
from pbem.engine.oath.battle_queries import (
    AttackForce,
    Losses,
    MayPlace,
    MayTarget,
    MayTargetAll,
    Pools,
    SacrificeValue,
    TargetDice,
)
from pbem.engine.oath.campaign.offering import Start, campaign_freely, offer_campaign
from pbem.engine.oath.events import CampaignOver, Event
from pbem.engine.oath.hooks import Power
from pbem.engine.oath.queries import MayCampaign
from pbem.engine.oath.rolling import DiceRolled
from pbem.engine.oath.ruling import Lying
from pbem.engine.oath.state import Oath

from .inventing import ATTACK, Made, adds, does, fought, on, steppe
from .positions import BELA, CARA, OREN, YARA, Stage, count

# targets and pools


def test_a_card_may_bar_a_target_and_a_choice_of_targets(invent: Made) -> None:
    def one(query: MayTarget) -> None:
        if query.target.kind == "relic":
            query.refuse(Text("out of reach"))

    def even(query: MayTargetAll) -> None:
        if query.dice % 2:
            query.refuse(Text("{n} dice are odd", n=query.dice))

    invent("circlet_of_command", modify=on(MayTarget, one))
    invent("giant_python", modify=on(MayTargetAll, even))
    stage = steppe().seat(CARA, at="steppe", relics=["circlet_of_command"], advisers=["giant_python"])
    stage.banner("darkest_secret", 1, CARA)
    stage.act(YARA, offer_campaign)
    assert "out of reach" in stage.refusal(YARA, "campaign against cara at steppe, circlet of command with 1")
    assert "3 dice are odd" in stage.refusal(YARA, "campaign against cara at steppe, pawn with 1")
    stage.does(YARA, "campaign against cara at steppe, darkest secret with 1")


def test_where_no_choice_of_targets_is_lawful_the_reason_is_told(invent: Made) -> None:
    def none(query: MayTargetAll) -> None:
        query.refuse(Text("the omens are bad"))

    invent("giant_python", modify=on(MayTargetAll, none))
    stage = steppe().seat(CARA, advisers=["giant_python"]).act(YARA, offer_campaign)
    assert "the omens are bad" in stage.refusal(YARA, ATTACK)


def test_a_card_may_forbid_campaigning(invent: Made) -> None:
    invent("vow_of_peace", modify=on(MayCampaign, lambda query: query.refuse(Text("you are vowed to peace"))))
    stage = steppe().seat(YARA, advisers=["vow_of_peace"]).act(YARA, offer_campaign)
    assert "vowed to peace" in stage.refusal(YARA, ATTACK)


def test_dice_of_targets_and_what_is_always_on(invent: Made) -> None:
    invent("sealing_ward", modify=on(TargetDice, lambda query: setattr(query, "more", query.more + 1)))
    invent("sticky_fire", modify=on(Pools, lambda query: setattr(query, "attack", query.attack - 5)))
    stage = steppe().seat(CARA, advisers=["sealing_ward"], relics=["sticky_fire"])
    assert "Before battle plans: attack dice 0, defense dice 4." in fought(stage).heard()  # HR-08


def test_captains_declare_from_afar_with_the_warbands_there() -> None:
    stage = Stage().site("steppe", ruler=YARA, warbands=2).seat(YARA, at="river", warbands=1, supply=0)
    stage.seat(OREN, at="steppe").dice(defense="0 0", attack="3 3 5").title(CARA)
    me = stage.player(YARA)
    start = Start(stage.g, me, free=True, origin=stage.slot("steppe"), joining=True)
    stage.turn(YARA).run(campaign_freely(stage.g, me, start, prompt=Text("Where to?")))
    assert stage.options(YARA)[-1] == "let it pass"
    stage.does(YARA, "campaign out of steppe against oren at pawn with 3")
    assert stage.asked() == {YARA: "losses"}  # the skull: from Steppe or from the board
    stage.does(YARA, "lose 1 at steppe")
    assert stage.g.map[stage.slot("steppe")].warbands == 1
    assert stage.player(YARA).warbands == 1
    assert stage.player(YARA).supply == 0
    count(stage)


def test_a_free_campaign_may_be_declined_and_is_not_asked_where_there_is_nobody() -> None:
    stage = steppe()
    me = stage.player(YARA)
    stage.turn(YARA).run(campaign_freely(stage.g, me, Start(stage.g, me, free=True), prompt=Text("?")))
    assert stage.does(YARA, "let it pass").asked() == {}
    empty = Stage().site("steppe", ruler=YARA).seat(YARA, at="steppe")
    me = empty.player(YARA)
    assert empty.run(campaign_freely(empty.g, me, Start(empty.g, me), prompt=Text("?"))).asked() == {}


def test_a_campaign_may_be_allowed_against_one_player_only() -> None:
    stage = steppe().seat(OREN, at="steppe")
    me = stage.player(YARA)
    start = Start(stage.g, me, free=True, only=stage.player(OREN))
    stage.run(campaign_freely(stage.g, me, start, prompt=Text("?")))
    assert "must be against Oren" in stage.refusal(YARA, "campaign against cara at steppe with 1")
    stage.does(YARA, "campaign against oren at pawn with 1")


def test_96_captains_of_a_citizen_take_purple_warbands_against_the_chancellor() -> None:
    stage = Stage().site("steppe", ruler=CARA, warbands=2).seat(CARA, at="steppe")
    stage.seat(YARA, citizen=True, at="river", warbands=1).dice(defense="0 0 0")
    me = stage.player(YARA)
    start = Start(stage.g, me, free=True, origin=stage.slot("steppe"), joining=True)
    stage.turn(YARA).run(campaign_freely(stage.g, me, start, prompt=Text("?")))
    assert "fight for you" in stage.refusal(YARA, "campaign out of steppe against cara at steppe with 3")
    stage.does(YARA, "campaign out of steppe against cara at pawn with 3")
    assert "The defense rolls 3 times a blank: 0 for shields and 0 for its force make 0." in stage.heard()


def test_warbands_at_other_sites_may_join_the_attack(invent: Made) -> None:
    invent("vow_of_union", modify=on(AttackForce, lambda query: query.sites.append(0)))
    stage = steppe().site(0, ruler=YARA, warbands=2).seat(YARA, advisers=["vow_of_union"])
    stage.act(YARA, offer_campaign).does(YARA, "campaign against cara at steppe with 7")


# the dice


def test_skulls_worthless_faces_and_rolls_that_count_twice(invent: Made) -> None:
    invent("outriders", plan=does(lambda battle: setattr(battle, "no_skulls", True)))
    invent("lancers", plan=does(lambda battle: setattr(battle, "rolls_count", 2)))
    invent("rain_boots", plan=does(lambda battle: battle.worthless.append("shield")))
    stage = steppe().seat(YARA, advisers=["outriders", "lancers", "rain_boots"])
    stage.dice(defense="2", attack="5 0 3")
    fought(stage).does(YARA, "plan outriders", "plan lancers", "plan rain boots")
    assert "The defense rolls a shield: 0 for shields and 2 for its force make 2." in stage.heard()
    assert [
        x for x in stage.heard() if x.endswith("an attack of 7.")
    ]  # twice (2 + 1), and one pair of hollow ones
    assert stage.player(YARA).warbands == 5


def test_a_roll_may_be_answered_with_another_one(invent: Made) -> None:
    async def after(self: Power, g: Oath, me: Lying, event: Event) -> None:
        assert isinstance(event, DiceRolled)
        if event.player.name == YARA:
            await event.again(g)

    invent("jinx", reacts=(DiceRolled,), after=after)
    stage = steppe().seat(YARA, advisers=["jinx"]).dice(defense="0", attack="0 0 0", attack_again="3 3 3")
    stage.loaded["attack again"] = stage.loaded.pop("attack-again")
    fought(stage)
    assert "Yara had rolled 3 times a hollow sword, and rolls them all again." in stage.heard()
    assert "Yara wins against Cara, 3 to 2." in stage.heard()


def test_the_pool_changes_once_more_before_the_roll(invent: Made) -> None:
    async def halved(battle: Battle) -> None:
        battle.attack_dice //= 2

    invent("mounted_patrol", plan=does(lambda battle: battle.before_roll.append(halved)))
    invent("wrestlers", plan=adds("own", 1))
    stage = steppe().seat(CARA, advisers=["mounted_patrol", "wrestlers"])
    fought(stage, "campaign against cara at steppe with 5").does(
        CARA, "plan mounted patrol", "plan wrestlers"
    )
    assert "Attack dice 2, defense dice 1 are rolled." in stage.heard()


def test_the_worth_of_a_sacrifice(invent: Made) -> None:
    invent("vow_of_peace", modify=on(SacrificeValue, lambda query: setattr(query, "nothing", True)))
    stage = steppe().seat(CARA, advisers=["vow_of_peace"]).dice(defense="0", attack="0 0 0")
    assert fought(stage).asked() == {}
    assert stage.player(YARA).warbands == 3


# the outcome


@pytest.mark.parametrize(("side", "won"), [(ATTACKER, True), (DEFENDER, False)])
def test_a_plan_may_decide_without_a_roll(invent: Made, side: str, won: bool) -> None:
    id = "longbows" if side == ATTACKER else "hearts_and_minds"
    invent(id, plan=does(lambda battle: setattr(battle, "decided", side)))
    stage = steppe().seat(YARA if won else CARA, advisers=[id], favor=3)
    fought(stage).does(YARA if won else CARA, f"plan {id.replace('_', ' ')}")
    assert not [line for line in stage.heard() if "rolls" in line]
    assert stage.player(YARA).warbands == (5 if won else 3)
    assert [line for line in stage.heard() if "without a roll" in line]


@pytest.mark.parametrize(("how", "left"), [((ALL,), 0), ((NONE,), 5), ((NONE, ALL), 5), ((ALL, NONE), 5)])
def test_losses_none_beats_all(invent: Made, how: tuple[str, ...], left: int) -> None:
    def change(battle: Battle) -> None:
        for one in how:
            battle.loses(ATTACKER, one)

    invent("longbows", plan=does(change))
    stage = steppe().seat(YARA, advisers=["longbows"]).dice(defense="4")
    fought(stage, "campaign against cara at steppe with 0").does(YARA, "plan longbows", "sacrifice nothing")
    assert stage.player(YARA).warbands == left


def test_losses_by_what_is_always_on(invent: Made) -> None:
    invent("bandit_crown", modify=on(Losses, lambda query: query.all()))
    stage = steppe().seat(CARA, relics=["bandit_crown"]).dice(defense="4")
    fought(stage, "campaign against cara at steppe with 0").does(YARA, "sacrifice nothing")
    assert stage.player(YARA).warbands == 0


def test_what_follows_in_which_order(invent: Made) -> None:
    order: list[str] = []

    def note(what: str) -> Any:
        async def effect(battle: Battle) -> None:
            order.append(what)

        return effect

    def owe(battle: Battle) -> None:
        for side in (ATTACKER, DEFENDER):
            battle.if_won[side].append(note(f"{side} won"))
            battle.if_lost[side].append(note(f"{side} lost"))
        battle.at_end.append(note("at the end"))
        battle.afterwards.append(note("afterwards"))

    async def after(self: Power, g: Oath, me: Lying, event: Event) -> None:
        assert isinstance(event, CampaignOver)
        order.append(f"over {event.won}")

    invent("longbows", plan=does(owe))
    invent("herald", reacts=(CampaignOver,), after=after)
    stage = steppe().seat(YARA, advisers=["longbows"]).seat(BELA, advisers=["herald"])
    stage.dice(defense="0", attack="3 3 3")
    fought(stage).does(YARA, "plan longbows", "place 1")
    assert order == ["defender lost", "attacker won", "at the end", "over True", "afterwards"]


def test_cards_are_discarded_at_the_end_in_their_users_order(invent: Made) -> None:
    invent("horse_archers", plan=does(lambda b: b.end_discards.append(("horse_archers", b.attacker))))
    invent("rain_boots", plan=does(lambda b: b.end_discards.append(("rain_boots", b.attacker))))
    stage = steppe().seat(YARA, advisers=["horse_archers", "rain_boots"]).dice(defense="0", attack="3 3 3")
    fought(stage).does(YARA, "plan horse archers", "plan rain boots", "place 1")
    assert stage.asked() == {YARA: "discard-order"}
    stage.does(YARA, "rain boots")
    assert [c.card.under_seal() for c in stage.g.piles["hinterland"]] == ["rain_boots", "horse_archers"]
    assert stage.player(YARA).advisers == []


def test_bandits_discard_too(invent: Made) -> None:
    invent("horse_archers", plan=does(lambda battle: battle.end_discards.append(("horse_archers", None))))
    stage = Stage().site("steppe", cards=["horse_archers"]).seat(YARA, at="steppe", warbands=3)
    fought(stage.dice(defense="4", attack="0 0 0"), "campaign against bandits at steppe with 3")
    stage.does(YARA, "sacrifice nothing")
    assert stage.g.map[stage.slot("steppe")].cards == []


def test_warbands_may_be_set_aside_instead_of_dying(invent: Made) -> None:
    invent("hospital", plan=does(lambda battle: battle.saving.append(YARA)))
    seen: list[Battle] = []
    invent("longbows", plan=does(seen.append))
    stage = steppe().seat(YARA, advisers=["hospital", "longbows"]).dice(defense="4")
    fought(stage, "campaign against cara at steppe with 0")
    stage.does(YARA, "plan hospital", "plan longbows", "sacrifice nothing")
    assert seen[0].saved == {YARA: 2}
    assert seen[0].killed[ATTACKER] == 0
    assert "2 warbands of Yara are set aside instead." in stage.heard()


def test_who_survived_a_defeat_is_known_to_what_follows(invent: Made) -> None:
    seen: list[dict[str, int]] = []

    async def note(battle: Battle) -> None:
        seen.append(battle.survivors)

    invent("longbows", plan=does(lambda battle: battle.if_won[ATTACKER].append(note)))
    stage = steppe().seat(CARA, at="steppe", warbands=4).seat(YARA, advisers=["longbows"], warbands=5)
    stage.dice(defense="0", attack=" ".join("3" * 8))
    fought(stage, "campaign against cara at steppe with 8").does(YARA, "plan longbows", "place 1")
    assert seen == [{CARA: 3}]


def test_facedown_relics_may_become_targets(invent: Made) -> None:
    def hunt(battle: Battle) -> None:
        for n in range(2):
            battle.targets.append(Target("found", str(n), 4))

    invent("outriders", plan=does(hunt))
    stage = steppe().site("steppe", relics=["map", "ring_of_devotion"]).seat(YARA, advisers=["outriders"])
    stage.dice(defense="0", attack="3 3 3")
    fought(stage).does(YARA, "plan outriders", "place 1")
    assert sorted(r.id for r in stage.player(YARA).relics) == ["map", "ring_of_devotion"]
    assert stage.g.map[4].relics == []


def test_a_card_may_forbid_placing_warbands(invent: Made) -> None:
    invent("ring_of_devotion", modify=on(MayPlace, lambda query: query.refuse(Text("the ring forbids it"))))
    stage = steppe().seat(YARA, relics=["ring_of_devotion"]).dice(defense="0", attack="3 3 3")
    assert fought(stage).asked() == {}
    assert stage.g.map[4].colour == ""
    assert stage.player(YARA).warbands == 5
