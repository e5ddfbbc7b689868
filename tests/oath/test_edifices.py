"""Edifices and their ruins, each side at work once at least."""

from __future__ import annotations

import pytest

from pbem.engine.core.sealed import Sealed
from pbem.engine.oath import cards as _cards
from pbem.engine.oath import edifices as _edifices
from pbem.engine.oath import relics as _relics
from pbem.engine.oath.actions.minor import offer_adviser, offer_powers
from pbem.engine.oath.actions.recovering import offer_recover
from pbem.engine.oath.actions.searching import offer_search
from pbem.engine.oath.campaign.offering import offer_campaign
from pbem.engine.oath.oaths import end_of_round
from pbem.engine.oath.printed import PEOPLES_FAVOR
from pbem.engine.oath.state import pile_card

from .inventing import fought, steppe
from .positions import BELA, CARA, OREN, YARA, Stage, count
from .relic_positions import deck, with_relic

assert _cards
assert _edifices
assert _relics


def gone(*cards: str, stage: Stage | None = None) -> Stage:
    """A position with these cards dispossessed."""
    stage = stage or Stage()
    stage.g.world.dispossessed = Sealed(list(cards))
    return stage


# Festival District


def festival() -> Stage:
    stage = Stage().site("river", cards=["festival_district"]).seat(YARA, at="river", favor=3, secrets=1)
    return stage.seat(BELA, advisers=["elders"], facedown=["wolves"], relics=["map"])


def test_festival_district_exchanges_favor_secrets_and_advisers_with_anybody() -> None:
    stage = festival().act(YARA, offer_powers).does(YARA, "use festival district")
    stage.does(YARA, "propose to bela giving 2 favor, 1 secret asking elders, facedown adviser 2")
    stage.does(BELA, "accept")
    yara, bela = stage.player(YARA), stage.player(BELA)
    assert (yara.favor, yara.secrets, bela.favor, bela.secrets) == (1, 0, 2, 1)
    assert [a.shown for a in yara.advisers] == ["elders", ""]
    assert yara.advisers[1].card.open(YARA) == "wolves"
    assert bela.advisers == []
    assert stage.asked() == {}, "one deal, for nothing"
    count(stage)


def test_festival_district_knows_no_relics() -> None:
    stage = festival().act(YARA, offer_powers).does(YARA, "use festival district")
    assert stage.refusal(YARA, "propose to bela giving 1 favor asking map")


def test_festival_district_is_for_who_rules_it_or_is_there() -> None:
    stage = festival().seat(YARA, at="wastes").act(YARA, offer_powers)
    assert stage.refusal(YARA, "use festival district")
    stage = festival().seat(YARA, at="wastes").site("river", ruler=YARA).act(YARA, offer_powers)
    assert "use Festival District" in stage.options(YARA)


# Squalid District


def end_die(die: str, *, round: int = 5, ruler: str = YARA, stage: Stage | None = None) -> Stage:
    stage = (stage or Stage()).site("river", ruler=ruler, cards=["festival_district_ruined"])
    stage.g.round = round
    return stage.dice(end_die=die).run(end_of_round(stage.g))


def test_squalid_district_lowers_the_die_that_ends_the_game() -> None:
    stage = end_die("6")
    assert stage.asked() == {YARA: "squalid-district"}
    assert stage.options(YARA) == ["raise it", "lower it", "leave it"]
    stage.does(YARA, "lower it")
    assert stage.g.winner == ""
    assert "The end of round 5: the die shows 6 and counts as 5; 6 ends the game." in stage.heard()


def test_squalid_district_raises_it_and_a_raised_six_still_ends_the_game() -> None:
    assert end_die("5").does(YARA, "raise it").g.winner == CARA
    assert end_die("6").does(YARA, "raise it").g.winner == CARA


def test_squalid_district_may_leave_it() -> None:
    assert end_die("5").does(YARA, "leave it").g.winner == ""
    assert end_die("6").does(YARA, "leave it").g.winner == CARA


def test_squalid_district_is_the_chancellors_where_the_empire_rules_and_no_citizens() -> None:
    stage = end_die("1", ruler=CARA, stage=Stage().seat(YARA, citizen=True))
    assert stage.asked() == {CARA: "squalid-district"}


def test_squalid_district_is_not_used_by_bandits_and_only_where_a_die_is_rolled() -> None:
    stage = end_die("1", ruler="")
    assert stage.asked() == {}
    assert "The end of round 5: the die shows 1; 6 ends the game." in stage.heard()
    assert end_die("1", round=4).asked() == {}


# Great Spire


def spire(*dispossessed: str, secrets: int = 1) -> Stage:
    stage = gone(*dispossessed).site("river", cards=["great_spire"])
    stage.seat(YARA, at="river", secrets=secrets, supply=7)
    deck(stage, "wolves", "elders", "conquest")
    return stage


def test_great_spire_exchanges_denizens_that_were_drawn_and_no_visions() -> None:
    stage = spire("tents", "tents").act(YARA, offer_search)
    stage.does(YARA, "search world deck using great spire")
    assert stage.options(YARA) == ["exchange Wolves", "exchange Elders", "done"]
    stage.does(YARA, "exchange elders", "done")
    assert [o for o in stage.options(YARA) if o.startswith("keep")] == [
        "keep Wolves",
        "keep Vision of Conquest",
        "keep Tents",
    ]
    assert sorted(stage.g.world.dispossessed.under_seal()) == ["elders", "tents"]
    assert stage.g.map[0].cards[0].secrets == 1
    assert stage.player(YARA).secrets == 0
    assert "You exchange Elders for Tents of the Dispossessed." in stage.heard(YARA)
    assert "Yara exchanges 1 card for a random one of the Dispossessed." in stage.heard(BELA)
    assert "Tents" not in " ".join(stage.heard(BELA))


def test_great_spire_exchanges_no_more_than_are_dispossessed() -> None:
    stage = spire("tents").act(YARA, offer_search).does(YARA, "search world deck using great spire")
    stage.does(YARA, "exchange wolves")
    assert stage.asked() == {YARA: "keep"}
    assert stage.g.world.dispossessed.under_seal() == ["wolves"]


def test_great_spire_is_nothing_without_its_secret_or_undeclared() -> None:
    stage = spire("tents", secrets=0).act(YARA, offer_search)
    assert stage.refusal(YARA, "search world deck using great spire")
    stage = spire("tents").act(YARA, offer_search).does(YARA, "search world deck")
    assert stage.asked() == {YARA: "keep"}
    assert stage.player(YARA).secrets == 1


@pytest.mark.parametrize(("kept", "seen"), [("tents", True), ("wolves", False)])
def test_great_spire_with_truthful_harp_shows_what_comes_only_if_it_is_kept(kept: str, seen: bool) -> None:
    stage = with_relic("truthful_harp", spire("tents")).seat(YARA, secrets=1)
    stage.act(YARA, offer_search).does(YARA, "search world deck using great spire and truthful harp")
    stage.does(YARA, "exchange elders", f"keep {kept}")
    while stage.asked() == {YARA: "discard-order"}:
        stage.does(YARA, stage.options(YARA)[0])
    assert ("Tents" in " ".join(stage.heard(BELA))) is seen
    assert stage.player(YARA).hand.seen_by(BELA)


# Fallen Spire


def fallen(*pile: str, dispossessed: tuple[str, ...] = ("tents", "tents", "tents")) -> Stage:
    stage = gone(*dispossessed).site("river", cards=["great_spire_ruined"])
    stage.g.piles["cradle"] = [pile_card(card, CARA) for card in pile]
    return stage.seat(YARA, at="river", secrets=2)


def test_fallen_spire_exchanges_the_topmost_denizens_unseen_and_passes_over_visions() -> None:
    stage = fallen("wolves", "elders", "conquest", "scryer").act(YARA, offer_powers)
    stage.does(YARA, "use fallen spire", "exchange 2")
    pile = stage.g.piles["cradle"]
    assert [c.card.under_seal() for c in pile] == ["wolves", "tents", "conquest", "tents"]
    assert [c.card.owners for c in pile] == [(CARA,), (), (CARA,), ()]
    assert sorted(stage.g.world.dispossessed.under_seal()) == ["elders", "scryer", "tents"]
    assert (stage.player(YARA).secrets, stage.g.map[0].cards[0].secrets) == (0, 1)
    heard = "Yara exchanges the 2 topmost denizens of the pile of the Cradle for random cards of the Dispossessed."
    assert heard in stage.heard(YARA)


def test_fallen_spire_exchanges_five_at_most() -> None:
    six = ("wolves", "elders", "rangers", "scryer", "errand_boy", "longbows")
    stage = fallen(*six, dispossessed=("tents",) * 6).act(YARA, offer_powers).does(YARA, "use fallen spire")
    assert stage.refusal(YARA, "exchange 6")
    stage.does(YARA, "exchange 5")
    assert [c.card.under_seal() for c in stage.g.piles["cradle"]] == ["wolves", *("tents",) * 5]


def test_fallen_spire_needs_both_secrets_denizens_and_dispossessed() -> None:
    stage = fallen("wolves", dispossessed=()).act(YARA, offer_powers)
    assert "no card is dispossessed" in stage.refusal(YARA, "use fallen spire")
    stage = fallen("conquest").act(YARA, offer_powers)
    assert "no denizen lies in the pile" in stage.refusal(YARA, "use fallen spire")
    stage = fallen("wolves")
    stage.player(YARA).secrets = 1
    assert "costs 2 secrets" in stage.act(YARA, offer_powers).refusal(YARA, "use fallen spire")


# Sprawling Rampart


def test_sprawling_rampart_adds_a_die_for_each_targeted_site_of_its_ruler() -> None:
    stage = steppe().site("wastes", ruler=CARA).site("river", ruler=CARA, cards=["sprawling_rampart"])
    fought(stage, "campaign against cara at steppe, wastes with 3")
    assert "Attack dice 3, defense dice 4 are rolled." in stage.heard()


def test_sprawling_rampart_of_somebody_else_adds_nothing() -> None:
    stage = fought(steppe().site("river", ruler=BELA, cards=["sprawling_rampart"]))
    assert "Attack dice 3, defense dice 1 are rolled." in stage.heard()


def test_sprawling_rampart_defends_bandits_who_rule_it() -> None:
    stage = Stage().site("river", cards=["sprawling_rampart"]).seat(YARA, at="steppe", warbands=5)
    fought(stage, "campaign against bandits at steppe with 3")
    assert "Attack dice 3, defense dice 2 are rolled." in stage.heard()


# Bandit Rampart


def test_bandit_rampart_removes_two_attack_dice_where_its_site_is_targeted() -> None:
    stage = fought(steppe(cards=["sprawling_rampart_ruined"])).does(CARA, "plan bandit rampart")
    assert "Attack dice 1, defense dice 1 are rolled." in stage.heard()


def test_bandit_rampart_is_used_by_bandits() -> None:
    stage = Stage().site("steppe", cards=["sprawling_rampart_ruined"]).seat(YARA, at="steppe", warbands=5)
    fought(stage, "campaign against bandits at steppe with 3")
    assert "Attack dice 1, defense dice 1 are rolled." in stage.heard()


def test_bandit_rampart_at_another_site_is_of_no_use() -> None:
    stage = fought(steppe().site("river", ruler=CARA, cards=["sprawling_rampart_ruined"]))
    assert CARA not in stage.asked()
    assert "Attack dice 3, defense dice 1 are rolled." in stage.heard()


# Hall of Debate


def test_hall_of_debate_lets_nobody_target_the_peoples_favor() -> None:
    stage = steppe().site("river", cards=["hall_of_debate"]).seat(CARA, at="steppe")
    stage.banner(PEOPLES_FAVOR, 1, CARA).banner("darkest_secret", 1, CARA).act(YARA, offer_campaign)
    line = "campaign against cara at steppe, {} with 3"
    assert "Hall of Debate" in stage.refusal(YARA, line.format("people's favor"))
    stage.does(YARA, line.format("darkest secret"))


# Hall of Mockery


def test_hall_of_mockery_turns_a_recovered_peoples_favor_to_the_mob() -> None:
    stage = Stage().site("river", cards=["hall_of_debate_ruined"]).banner(PEOPLES_FAVOR, 1, BELA)
    stage.seat(YARA, at="wastes", favor=2, supply=1).act(YARA, offer_recover)
    stage.does(YARA, "recover people's favor for 2 starting at order")
    banner = stage.g.banners[PEOPLES_FAVOR]
    assert (banner.holder, banner.tokens, banner.mob) == (YARA, 2, True)
    count(stage)


def test_hall_of_mockery_leaves_the_darkest_secret_alone() -> None:
    stage = Stage().site("river", cards=["hall_of_debate_ruined"]).banner("darkest_secret", 1)
    stage.seat(YARA, at="wastes", secrets=2, supply=1).act(YARA, offer_recover)
    stage.does(YARA, "recover darkest secret for 2")
    assert not any(b.mob for b in stage.g.banners.values())


# Ruined Temple


def temple(ruler: str, *, card: str = "wolves", who: str = YARA) -> Stage:
    stage = Stage().site("river", ruler=ruler, cards=["forest_temple_ruined"])
    stage.seat(who, at="steppe", facedown=[card])
    return stage


@pytest.mark.parametrize("ruler", [OREN, CARA, ""])
def test_ruined_temple_lets_enemies_of_its_ruler_play_no_beasts_face_up(ruler: str) -> None:
    stage = temple(ruler).act(YARA, offer_adviser).does(YARA, "play adviser wolves")
    assert "Ruined Temple" in stage.refusal(YARA, "play wolves to steppe")
    assert stage.options(YARA) == ["discard Wolves"]


def test_ruined_temple_does_not_bind_its_ruler_nor_their_friends() -> None:
    stage = temple(YARA).act(YARA, offer_adviser).does(YARA, "play adviser wolves", "play wolves to steppe")
    assert [c.id for c in stage.g.map[stage.slot("steppe")].cards] == ["wolves"]
    stage = temple(CARA).seat(YARA, citizen=True).act(YARA, offer_adviser)
    stage.does(YARA, "play adviser wolves", "play wolves to steppe")
    assert [c.id for c in stage.g.map[stage.slot("steppe")].cards] == ["wolves"]


def test_ruined_temple_minds_beasts_alone() -> None:
    stage = temple(OREN, card="elders").act(YARA, offer_adviser)
    stage.does(YARA, "play adviser elders", "play elders to steppe")
    assert [c.id for c in stage.g.map[stage.slot("steppe")].cards] == ["elders"]


# Ancient Forge, Broken Forge


def forge(card: str, *, favor: int = 2, secrets: int = 2) -> Stage:
    return Stage().site("river", cards=[card]).seat(YARA, at="river", favor=favor, secrets=secrets)


def test_ancient_forge_keeps_the_top_relic() -> None:
    stage = forge("ancient_forge").act(YARA, offer_powers).does(YARA, "use ancient forge")
    assert stage.options(YARA) == ["keep Dowsing Sticks", "tuck it under"]
    stage.does(YARA, "keep it")
    assert [r.id for r in stage.player(YARA).relics] == ["dowsing_sticks"]
    card = stage.g.map[0].cards[0]
    assert (card.favor, card.secrets) == (2, 0)
    assert (stage.player(YARA).favor, stage.player(YARA).secrets) == (0, 1), "the secret is burned"
    count(stage)


def test_ancient_forge_tucks_it_under_in_secret() -> None:
    stage = forge("ancient_forge").act(YARA, offer_powers).does(YARA, "use ancient forge", "tuck it under")
    assert stage.g.world.relics.under_seal()[-1] == "dowsing_sticks"
    assert "Dowsing" not in " ".join(stage.heard(BELA))


def test_ancient_forge_needs_its_cost_and_a_relic() -> None:
    stage = forge("ancient_forge", favor=1).act(YARA, offer_powers)
    assert "costs 2 favor" in stage.refusal(YARA, "use ancient forge")
    stage = forge("ancient_forge", secrets=0).act(YARA, offer_powers)
    assert "costs 1 secret face up" in stage.refusal(YARA, "use ancient forge")
    stage = forge("ancient_forge")
    stage.g.world.relics = Sealed([])
    assert "relic deck is empty" in stage.act(YARA, offer_powers).refusal(YARA, "use ancient forge")


def test_broken_forge_turns_to_its_intact_side_with_what_lies_on_it() -> None:
    stage = forge("ancient_forge_ruined").act(YARA, offer_powers).does(YARA, "use broken forge")
    card = stage.g.map[0].cards[0]
    assert (card.ruined, card.suit, card.favor, card.secrets) == (False, "nomad", 2, 2)
    assert "Yara turns over Broken Forge: it is Ancient Forge now." in stage.heard()
    stage.seat(YARA, favor=2, secrets=1).act(YARA, offer_powers)
    assert "tokens lie on it" in stage.refusal(YARA, "use ancient forge")
    count(stage)


def test_broken_forge_needs_its_cost() -> None:
    stage = forge("ancient_forge_ruined", secrets=1).act(YARA, offer_powers)
    assert "costs 2 secrets" in stage.refusal(YARA, "use broken forge")
