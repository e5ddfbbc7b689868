"""Arcane denizens."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.engine.core.text import english
from pbem.engine.oath import cards as _cards
from pbem.engine.oath.actions.minor import offer_adviser, offer_powers
from pbem.engine.oath.actions.recovering import offer_recover
from pbem.engine.oath.actions.trading import offer_trading
from pbem.engine.oath.events import BannerTaken
from pbem.engine.oath.printed import CONSPIRACY, DARKEST_SECRET
from pbem.engine.oath.rolling import DEFENSE, roll_dice

from ..inventing import Made, fought, steppe
from ..positions import BELA, CARA, OREN, YARA, Stage, count

assert _cards


@pytest.fixture
def stage() -> Stage:
    return Stage()


# Acting Troupe


def traded(stage: Stage, line: str) -> Stage:
    return stage.act(YARA, offer_trading).does(YARA, line)


@pytest.mark.parametrize(("card", "favor"), [("wolves", 2), ("longbows", 2), ("elders", 1)])
def test_acting_troupe_is_a_beast_or_an_order_card_in_a_trade(stage: Stage, card: str, favor: int) -> None:
    stage.site("river", cards=[card]).seat(YARA, at="river", secrets=1, advisers=["acting_troupe"])
    traded(stage, f"trade with {card} for favor using acting troupe")
    assert stage.player(YARA).favor == favor


def test_acting_troupe_is_no_arcane_card_then(stage: Stage) -> None:
    stage.site("river", cards=["scryer", "dazzle"]).seat(
        YARA, at="river", secrets=1, advisers=["acting_troupe"]
    )
    traded(stage, "trade with dazzle for favor using acting troupe")
    assert stage.player(YARA).favor == 1


def test_acting_troupe_may_stay_arcane(stage: Stage) -> None:
    stage.site("river", cards=["dazzle"]).seat(YARA, at="river", secrets=1, advisers=["acting_troupe"])
    traded(stage, "trade with dazzle for favor")
    assert stage.player(YARA).favor == 2


def test_acting_troupe_is_a_beast_for_the_old_oak_too(stage: Stage) -> None:
    stage.site("river", cards=["the_old_oak"]).seat(YARA, at="river", favor=2, advisers=["acting_troupe"])
    traded(stage, "trade with the old oak for secrets using acting troupe and the old oak")
    assert stage.player(YARA).secrets == 2


# Alchemist


def test_alchemist_draws_four_favor_from_several_banks(stage: Stage) -> None:
    stage.site("river", cards=["alchemist"]).seat(YARA, at="river", secrets=2).act(YARA, offer_powers)
    stage.does(YARA, "use alchemist")
    assert "must be 1 to 3" in stage.refusal(YARA, "take 4 from the order bank")
    stage.does(YARA, "take 3 from the order bank", "take 1 from nomad")
    assert stage.player(YARA).favor == 4
    assert (stage.g.banks["order"], stage.g.banks["nomad"]) == (0, 2)
    assert (stage.player(YARA).secrets, stage.g.map[0].cards[0].secrets) == (0, 1)
    count(stage)


def test_alchemist_takes_what_there_is(stage: Stage) -> None:
    stage.g.banks.update(dict.fromkeys(stage.g.banks, 0), hearth=2)
    stage.g.shared += 16
    stage.seat(YARA, at="river", secrets=2, advisers=["alchemist"]).act(YARA, offer_powers)
    stage.does(YARA, "use alchemist")
    assert (stage.player(YARA).favor, stage.asked()) == (2, {})
    count(stage)


def test_alchemist_burns_a_second_secret(stage: Stage) -> None:
    stage.site("river", cards=["alchemist"]).seat(YARA, at="river", secrets=1).act(YARA, offer_powers)
    assert "costs 2 secrets" in stage.refusal(YARA, "use alchemist")


# Dazzle


def test_dazzle_discards_hearth_and_order_at_the_sites_of_the_region(stage: Stage) -> None:
    stage.site("river", cards=["longbows", "wolves"]).site("lush_coast", cards=["armed_mob", "keep"])
    stage.site("steppe", cards=["scouts"])
    stage.seat(YARA, at="river", facedown=["dazzle"], advisers=["wrestlers"])
    stage.act(YARA, offer_adviser).does(YARA, "play adviser dazzle", "as adviser", "armed mob")
    assert [c.id for c in stage.g.map[0].cards] == ["wolves"]
    assert [c.id for c in stage.g.map[1].cards] == ["keep"], "it is locked"
    assert [c.id for c in stage.g.map[stage.slot("steppe")].cards] == ["scouts"]
    assert [a.shown for a in stage.player(YARA).advisers] == ["wrestlers", "dazzle"]
    assert [c.card.under_seal() for c in stage.g.piles["provinces"]] == ["armed_mob", "longbows"]


# Fire Talkers


def test_fire_talkers_bring_three_dice_with_the_darkest_secret() -> None:
    stage = steppe().seat(YARA, advisers=["fire_talkers"], banners=[DARKEST_SECRET])
    fought(stage).does(YARA, "plan fire talkers")
    assert "Attack dice 6, defense dice 1 are rolled." in stage.heard()
    assert (stage.player(YARA).secrets, stage.player(YARA).advisers[0].secrets) == (3, 1)


def test_fire_talkers_of_a_defender_remove_three_dice() -> None:
    stage = steppe().seat(CARA, secrets=1, advisers=["fire_talkers"], banners=[DARKEST_SECRET])
    fought(stage, "campaign against cara at steppe with 2").does(CARA, "plan fire talkers")
    assert "Attack dice 0, defense dice 2 are rolled." in stage.heard()


def test_fire_talkers_want_the_darkest_secret() -> None:
    stage = steppe().seat(YARA, advisers=["fire_talkers", "mercenaries"])
    fought(stage.seat(OREN, banners=[DARKEST_SECRET]))
    assert "you do not hold the Darkest Secret" in stage.refusal(YARA, "plan fire talkers")


def test_fire_talkers_another_imperial_player_of_the_side_may_hold_it() -> None:
    stage = steppe().seat(CARA, secrets=1, advisers=["fire_talkers"])
    stage.seat(BELA, citizen=True, at="steppe", banners=[DARKEST_SECRET])
    fought(stage).does(BELA, "join the defense").does(CARA, "accept bela")
    stage.does(CARA, "plan fire talkers")
    assert "Attack dice 0, defense dice 1 are rolled." in stage.heard()


def test_fire_talkers_a_citizen_who_stays_out_does_not_count() -> None:
    stage = steppe().seat(CARA, secrets=1, advisers=["fire_talkers"])
    fought(stage.seat(BELA, citizen=True, at="river", banners=[DARKEST_SECRET]))
    assert "battle-plan" not in stage.asked().values()


# Inquisitor


def suspected(*facedown: str) -> Stage:
    stage = Stage().seat(YARA, at="river", favor=1, advisers=["inquisitor"])
    stage.seat(BELA, at="river", advisers=["wolves"], facedown=facedown).act(YARA, offer_powers)
    return stage.does(YARA, "use inquisitor")


def test_inquisitor_pays_whoever_is_innocent() -> None:
    stage = suspected("elders")
    assert "You look at the facedown adviser in place 2 of Bela: Elders." in stage.heard(YARA)
    assert "Elders" not in " ".join(stage.heard(OREN))
    assert (stage.player(BELA).favor, stage.player(YARA).advisers[0].favor) == (1, 0)
    adviser = stage.player(BELA).advisers[1]
    assert [adviser.card.seen_by(p) for p in (YARA, BELA, OREN)] == [True, True, False]
    count(stage)


def test_inquisitor_chooses_among_several() -> None:
    stage = suspected("elders", "tents")
    stage.does(YARA, "3 of bela")
    assert "You look at the facedown adviser in place 3 of Bela: Tents." in stage.heard(YARA)


def test_inquisitor_plays_the_conspiracy_that_is_found() -> None:
    stage = suspected(CONSPIRACY).does(YARA, "play it")
    assert [a.shown for a in stage.player(BELA).advisers] == ["wolves"]
    assert stage.g.world.out == [CONSPIRACY]
    assert (stage.player(BELA).favor, stage.player(YARA).advisers[0].favor) == (0, 1)


def test_inquisitor_may_keep_it_face_down() -> None:
    stage = suspected(CONSPIRACY).does(YARA, "keep it")
    kept = stage.player(YARA).advisers[1]
    assert (kept.card.under_seal(), kept.shown, kept.vision) == (CONSPIRACY, "", True)
    assert stage.player(YARA).hand.under_seal() == ()


def test_inquisitor_may_discard_it() -> None:
    stage = suspected(CONSPIRACY).does(YARA, "discard")
    assert stage.g.piles["provinces"][-1].card.under_seal() == CONSPIRACY
    assert (stage.player(YARA).hand.under_seal(), len(stage.player(BELA).advisers)) == ((), 1)


def test_inquisitor_looks_at_no_own_and_no_far_adviser(stage: Stage) -> None:
    stage.seat(YARA, at="river", favor=1, advisers=["inquisitor"], facedown=["elders"])
    stage.seat(BELA, at="wastes", facedown=["tents"]).act(YARA, offer_powers)
    assert "nobody else at your site has a facedown adviser" in stage.refusal(YARA, "use inquisitor")


# Magician's Code


def coded(secrets: int, tokens: int) -> Stage:
    stage = Stage().banner(DARKEST_SECRET, tokens)
    stage.seat(YARA, at="river", favor=2, secrets=secrets, advisers=["magicians_code"])
    return stage.act(YARA, offer_recover)


def test_magicians_code_adds_two_secrets_to_none(invent: Made) -> None:
    paid: list[int] = []

    async def after(self: object, g: object, me: object, event: BannerTaken) -> None:
        paid.append(event.paid)

    invent("vow_of_silence", reacts=(BannerTaken,), after=after)
    stage = Stage().banner(DARKEST_SECRET, 1).seat(YARA, at="river", favor=2, advisers=["magicians_code"])
    stage.seat(OREN, advisers=["vow_of_silence"]).act(YARA, offer_recover)
    stage.does(YARA, "recover darkest secret using magicians code for 0")
    banner = stage.g.banners[DARKEST_SECRET]
    assert (banner.holder, banner.tokens, paid) == (YARA, 2, [2])
    assert (stage.player(YARA).favor, stage.player(YARA).advisers[0].favor) == (0, 2)
    assert stage.player(YARA).secrets == 1  # the one that lay there
    assert "2 secrets go from the shared bank to the Darkest Secret." in stage.heard()


def test_magicians_code_the_total_must_exceed_the_value() -> None:
    stage = coded(5, 4)
    assert "must be 3 to 5" in stage.refusal(YARA, "recover darkest secret using magicians code for 2")
    stage.does(YARA, "recover darkest secret using magicians code for 3")
    assert stage.g.banners[DARKEST_SECRET].tokens == 5
    assert any("Darkest Secret using" in line for line in coded(3, 4).options(YARA))
    assert not any("Darkest Secret using" in line for line in coded(2, 4).options(YARA))


def test_magicians_code_is_left_out_as_one_likes() -> None:
    stage = coded(2, 1).does(YARA, "recover darkest secret for 2")
    assert (stage.g.banners[DARKEST_SECRET].tokens, stage.player(YARA).favor) == (2, 2)


# Spirit Snare


def test_spirit_snare_brings_a_favor_of_any_bank(stage: Stage) -> None:
    stage.site("river", cards=["spirit_snare"]).seat(YARA, at="river", secrets=1).act(YARA, offer_powers)
    stage.does(YARA, "use spirit snare", "hearth")
    assert (stage.player(YARA).favor, stage.g.banks["hearth"], stage.g.map[0].cards[0].secrets) == (1, 2, 1)
    count(stage)


def test_spirit_snare_wants_favor_in_a_bank(stage: Stage) -> None:
    stage.g.banks.update(dict.fromkeys(stage.g.banks, 0))
    stage.site("river", cards=["spirit_snare"]).seat(YARA, at="river", secrets=1).act(YARA, offer_powers)
    assert "no favor lies in any bank" in stage.refusal(YARA, "use spirit snare")


# Taming Charm


def test_taming_charm_discards_for_two_favor_those_on_the_card_among_them(stage: Stage) -> None:
    stage.site("river", cards=["taming_charm", "wolves", "longbows"]).seat(YARA, at="river", secrets=1)
    stage.g.banks["beast"] = 1
    stage.g.map[0].cards[1].favor = 2
    stage.act(YARA, offer_powers).does(YARA, "use taming charm")
    assert [c.id for c in stage.g.map[0].cards] == ["taming_charm", "longbows"]
    assert (stage.player(YARA).favor, stage.g.banks["beast"]) == (2, 1)
    count(stage)


def test_taming_charm_spares_what_is_locked_and_what_is_elsewhere(stage: Stage) -> None:
    stage.site("river", cards=["taming_charm", "vow_of_kinship"]).site("steppe", cards=["wolves"])
    stage.seat(YARA, at="river", secrets=1).act(YARA, offer_powers)
    assert "no Beast or Nomad card at your site may be discarded" in stage.refusal(YARA, "use taming charm")


# Wizard School


def test_wizard_school_gives_a_secret_and_ends_the_act_phase(stage: Stage) -> None:
    stage.site("river", cards=["wizard_school"]).seat(YARA, at="river", favor=1).act(YARA, offer_powers)
    stage.does(YARA, "use wizard school")
    assert (stage.player(YARA).secrets, stage.g.map[0].cards[0].favor, stage.g.phase) == (1, 1, "rest")


# Jinx


def jinxed(**seat: Any) -> Stage:
    """Yara, who has one secret, attacks with three dice that are blank."""
    stage = steppe().seat(YARA, advisers=["jinx"], **seat)
    return fought(stage.dice(defense="0", attack="0 0 0", attack_again="3 3 3"))


def test_jinx_rolls_the_attack_again_for_a_secret() -> None:
    stage = jinxed()
    assert stage.asked() == {YARA: "jinx"}
    assert "you have rolled 3 times a hollow sword" in english(stage.table.open[YARA].prompt)
    stage.does(YARA, "yes")
    assert (stage.player(YARA).secrets, stage.player(YARA).advisers[0].secrets) == (3, 1)
    assert stage.asked() == {YARA: "place"}, "won, and the same dice are not rolled a third time"


def test_jinx_is_left_as_one_likes() -> None:
    stage = jinxed().does(YARA, "no")
    assert stage.player(YARA).secrets == 4
    assert "sacrifice" in stage.asked().get(YARA, "")


def test_jinx_asks_nobody_who_cannot_pay_or_does_not_rule_it() -> None:
    stage = steppe().seat(YARA, advisers=["jinx"]).dice(defense="0", attack="0 0 0")
    stage.player(YARA).secrets = 0
    assert fought(stage).asked() == {YARA: "sacrifice"}
    stage = steppe(cards=["jinx"]).dice(defense="0", attack="0 0 0")  # Cara rules Steppe
    assert fought(stage).asked() == {YARA: "sacrifice"}


def test_jinx_of_a_defender_is_paid_out_of_turn() -> None:
    stage = steppe(cards=["jinx"]).seat(CARA, secrets=1).dice(defense="0", attack="0 0 0", defense_again="5")
    fought(stage)
    assert stage.asked() == {CARA: "jinx"}
    stage.does(CARA, "yes")
    assert (stage.player(CARA).secrets, stage.player(CARA).spent) == (0, 1)
    assert stage.g.map[stage.slot("steppe")].cards[0].secrets == 0


def test_jinx_serves_for_dice_outside_of_campaigns(stage: Stage) -> None:
    stage.seat(YARA, secrets=1, advisers=["jinx"]).turn(YARA).dice(hall="0 0", hall_again="2 2")
    stage.run(roll_dice(stage.g, stage.player(YARA), "hall", DEFENSE, 2)).does(YARA, "yes")
    assert "had rolled 2 times a blank" in " ".join(stage.heard())
