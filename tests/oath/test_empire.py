"""The Empire: citizenship, exile, deals, warbands between Imperial players (O-12, O-7.5, O-14)."""

from __future__ import annotations

import random
from typing import Any

import pytest

from pbem.engine.core.asks import Menu
from pbem.engine.core.chance import Drawn
from pbem.engine.core.testing import random_answer, reads_back
from pbem.engine.core.text import Text
from pbem.engine.oath import reliquary
from pbem.engine.oath.actions.searching import offer_search
from pbem.engine.oath.actions.trading import offer_trading
from pbem.engine.oath.actions.travel import offer_travel
from pbem.engine.oath.actions.warbands import offer_warbands
from pbem.engine.oath.battle_queries import LeftBehind, MayPlace
from pbem.engine.oath.deals import bargain
from pbem.engine.oath.empire import become_citizen, exile_price, offer_empire, uncover
from pbem.engine.oath.empire_facts import Goods
from pbem.engine.oath.events import Event, RelicsTaken
from pbem.engine.oath.hooks import Power
from pbem.engine.oath.printed import PURPLE
from pbem.engine.oath.queries import MayExile, MayGiveSecrets, Query
from pbem.engine.oath.ruling import Lying
from pbem.engine.oath.state import Oath, pile_card

from .inventing import Made, on
from .positions import BELA, CARA, OREN, YARA, Stage, count, favor, relics, warbands

assert reliquary


def refusing(kind: type[Query], why: str) -> Any:
    """A power that refuses one question."""
    return on(kind, lambda query: query.refuse(Text(why)))


# becoming a Citizen (88, 89)


def joining() -> Stage:
    """88: Yara with three on the board and two on a site, a revealed Vision, the pawn in the Provinces."""
    stage = Stage().site("steppe", ruler=YARA, warbands=2).seat(YARA, at="steppe", warbands=3, supply=2)
    return stage.seat(YARA, vision="faith")


def test_scenario_88_joining_changes_board_map_vision_and_supply() -> None:
    stage = joining().act(CARA, offer_empire).does(CARA, "offer citizenship to yara with brutal")
    assert stage.asked() == {YARA: "deal"}
    stage.does(YARA, "accept")
    yara = stage.player(YARA)
    assert (yara.role, yara.warbands, yara.bank, yara.supply, yara.vision) == ("citizen", 3, 14, 7, "")
    steppe = stage.g.map[stage.slot("steppe")]
    assert (steppe.colour, steppe.warbands) == (PURPLE, 2)
    assert [c.card.under_seal() for c in stage.g.piles["hinterland"]] == ["faith"]
    assert [r.id for r in yara.relics] == ["sticky_fire"]
    assert stage.g.reliquary[0] is None
    count(stage)


def test_scenario_88_when_purple_runs_short_the_new_citizen_chooses_what_is_lost() -> None:
    stage = joining().seat(CARA, warbands=20).act(CARA, offer_empire)
    stage.does(CARA, "offer citizenship to yara with brutal").does(YARA, "accept")
    assert stage.asked() == {YARA: "lost-warbands"}
    count(stage)  # also while the question is open
    stage.does(YARA, "lose 0 of steppe")
    assert stage.asked() == {}
    assert (stage.player(YARA).warbands, stage.player(YARA).bank) == (2, 14)
    assert stage.g.map[stage.slot("steppe")].warbands == 2
    count(stage)


def test_scenario_89_offering_to_oneself_ends_the_act_phase() -> None:
    stage = Stage().seat(YARA, at="steppe", relics=["grand_scepter"]).act(YARA, offer_empire)
    assert "with yourself" in stage.refusal(
        YARA, "offer citizenship to yara with greedy giving grand scepter"
    )
    stage.does(YARA, "offer citizenship to yara with greedy")
    assert stage.g.phase == "rest"
    assert stage.player(YARA).role == "citizen"
    assert stage.g.reliquary[3] is None


def test_on_another_players_turn_the_act_phase_goes_on() -> None:
    stage = Stage().act(CARA, offer_empire).does(CARA, "offer citizenship to yara with brutal")
    assert stage.does(YARA, "accept").g.phase == "act"


def test_scenario_90_a_scepter_just_taken_offers_nothing() -> None:
    stage = Stage().seat(YARA, relics=["grand_scepter"]).seat(OREN, citizen=True)
    stage.g.scepter_taken = True
    stage.act(YARA, offer_empire)
    assert "taken in this turn" in stage.refusal(YARA, "offer citizenship to bela with brutal")
    assert "taken in this turn" in stage.refusal(YARA, "exile oren")
    assert "taken in this turn" in stage.refusal(YARA, "show brutal to bela")


def test_o_10_7_a_usurper_who_joins_is_oathkeeper_again() -> None:
    stage = Stage(oath="people").title(YARA, usurper=True).banner("peoples_favor", 1, YARA)
    stage.act(CARA, offer_empire).does(CARA, "offer citizenship to yara with brutal").does(YARA, "accept")
    assert (stage.g.title, stage.g.usurper) == (YARA, False)


def test_o_10_4_in_supremacy_the_title_passes_to_the_chancellor() -> None:
    stage = Stage().title(YARA, usurper=True).site("steppe", ruler=YARA).site("river", ruler=YARA)
    stage.act(CARA, offer_empire).does(CARA, "offer citizenship to yara with brutal").does(YARA, "accept")
    assert (stage.g.title, stage.g.usurper) == (CARA, False)
    assert stage.g.map[stage.slot("steppe")].colour == PURPLE


# the offer (O-12.2.1, O-12.2.2, E-16)


def test_o_12_2_2_a_refusal_costs_nothing() -> None:
    stage = Stage().seat(CARA, favor=3).act(CARA, offer_empire)
    stage.does(CARA, "offer citizenship to yara with brutal giving 3 favor").does(YARA, "refuse")
    assert stage.player(YARA).role == "exile"
    assert stage.player(CARA).favor == 3
    assert stage.g.reliquary[0] is not None
    assert "Yara refuses." in stage.heard()


def test_o_12_2_1_goods_go_both_ways_at_once() -> None:
    stage = Stage(oath="protection").seat(CARA, favor=3, secrets=2).seat(YARA, favor=1, relics=["map"])
    stage.banner("darkest_secret", 3, YARA).banner("peoples_favor", 5, CARA, mob=True)
    stage.act(CARA, offer_empire)
    line = (
        "offer citizenship to yara with careless giving 2 favor, 1 secret, people's favor"
        " asking 1 favor, map, darkest secret"
    )
    stage.does(CARA, line)
    told = "gives 2 favor, 1 secret and the People's Favor and asks 1 favor, Map and the Darkest Secret."
    assert [t for t in stage.heard() if t.endswith(told)]
    stage.does(YARA, "accept")
    cara, yara = stage.player(CARA), stage.player(YARA)
    assert (cara.favor, cara.secrets, yara.favor, yara.secrets) == (2, 1, 2, 1)
    assert [r.id for r in cara.relics] == ["grand_scepter", "map"]
    banner = stage.g.banners["peoples_favor"]
    assert (banner.holder, banner.tokens, banner.mob) == (YARA, 5, True)  # given, so nothing burns (O-9.3)
    assert stage.g.banners["darkest_secret"].holder == CARA
    assert [r.id for r in yara.relics] == ["cursed_cauldron"]
    count(stage)


def test_o_12_2_5_a_scepter_that_was_given_may_be_used_at_once() -> None:
    stage = Stage().act(CARA, offer_empire)
    stage.does(CARA, "offer citizenship to yara with brutal giving grand scepter").does(YARA, "accept")
    assert stage.player(YARA).relic("grand_scepter")
    assert not stage.g.scepter_taken


def test_who_may_offer_what_to_whom() -> None:
    stage = Stage().seat(OREN, citizen=True).act(YARA, offer_empire)
    assert "do not hold the Grand Scepter" in stage.refusal(YARA, "offer citizenship to bela with brutal")
    stage.g.reliquary[1] = None
    stage.act(CARA, offer_empire)
    assert "Oren is no Exile" in stage.refusal(CARA, "offer citizenship to oren with brutal")
    assert "no relic is left there" in stage.refusal(CARA, "offer citizenship to yara with careless")
    assert "one number of favor" in stage.seat(YARA, favor=3).refusal(
        CARA, "offer citizenship to yara with brutal asking 1 favor, 2 favor"
    )
    stage.g.reliquary = [None] * 4
    assert "Reliquary is empty" in stage.act(CARA, offer_empire).refusal(
        CARA, "offer citizenship to yara with brutal"
    )


def test_a_relic_that_the_holder_knows_may_be_named() -> None:
    stage = Stage().act(CARA, offer_empire).does(CARA, "offer citizenship to yara with brass horse")
    assert "Cara offers Yara citizenship and the relic on Decadent." in stage.heard()
    assert not [t for t in stage.heard(YARA) if "Brass Horse" in t]


def test_secrets_that_may_not_be_given(invent: Made) -> None:
    invent("vow_of_silence", modify=refusing(MayGiveSecrets, "vowed to silence"))
    stage = Stage().seat(CARA, secrets=2, advisers=["vow_of_silence"]).act(CARA, offer_empire)
    refused = stage.refusal(CARA, "offer citizenship to yara with brutal giving 1 secret")
    assert "vowed to silence" in refused


def test_o_12_2_1_the_holder_may_show_a_relic_first() -> None:
    stage = Stage().act(CARA, offer_empire).does(CARA, "show greedy to yara")
    assert [t for t in stage.heard(YARA) if "Truthful Harp" in t]
    assert not [t for t in stage.heard(OREN) + stage.heard(None) if "Truthful Harp" in t]
    assert stage.g.reliquary[3] is not None
    assert stage.g.reliquary[3].seen_by(YARA)
    stage.act(CARA, offer_empire)
    assert "Yara has seen it" in stage.refusal(CARA, "show greedy to yara")
    stage.does(CARA, "show greedy to oren")


# without an offer (O-12.2.4)


def test_o_12_2_4_a_card_makes_a_citizen_without_a_relic() -> None:
    stage = joining().turn(YARA)
    stage.run(become_citizen(stage.g, stage.player(YARA)))
    assert stage.player(YARA).role == "citizen"
    assert stage.g.phase == "rest"
    assert all(relic is not None for relic in stage.g.reliquary)
    count(stage)


@pytest.mark.parametrize(("taken", "heard"), [(True, 1), (False, 0)])
def test_a_relic_of_the_reliquary_is_taken_or_given(taken: bool, heard: int, invent: Made) -> None:
    answered: list[Event] = []

    async def after(self: Power, g: Oath, me: Lying, event: Event) -> None:
        answered.append(event)

    invent("relic_thief", reacts=(RelicsTaken,), after=after)
    stage = Stage().seat(BELA, advisers=["relic_thief"])
    stage.run(uncover(stage.g, stage.player(YARA), "greedy", taken=taken))
    assert [r.id for r in stage.player(YARA).relics] == ["truthful_harp"]
    assert len(answered) == heard


# exiling (92, 93)


def test_scenario_92_after_exile() -> None:
    stage = Stage().seat(YARA, citizen=True, warbands=2, supply=1).site("steppe", ruler=CARA)
    stage.seat(CARA, favor=4).act(CARA, offer_empire)  # five, less one for the title
    stage.does(CARA, "exile yara")
    yara = stage.player(YARA)
    assert (yara.role, yara.warbands, yara.bank, yara.supply, yara.favor) == ("exile", 2, 12, 7, 4)
    assert stage.g.map[stage.slot("steppe")].colour == PURPLE
    assert stage.g.phase == "act"
    count(stage)


@pytest.mark.parametrize(
    ("title", "banner", "price"),
    [(OREN, "", 5), (CARA, CARA, 3), (YARA, YARA, 7), (CARA, YARA, 5), (YARA, CARA, 5)],
)
def test_o_12_4_what_it_costs(title: str, banner: str, price: int) -> None:
    stage = Stage().seat(YARA, citizen=True).title(title)
    stage.banner("peoples_favor", 1, banner)
    assert exile_price(stage.g, stage.player(CARA), stage.player(YARA)) == price


def test_o_12_4_who_cannot_be_exiled(invent: Made) -> None:
    stage = Stage().seat(YARA, citizen=True, relics=["grand_scepter"]).seat(OREN, citizen=True)
    stage.act(YARA, offer_empire)
    assert "costs 5 favor, you have 0" in stage.refusal(YARA, "exile oren")
    stage.seat(YARA, favor=5).act(YARA, offer_empire)
    assert "another action" in stage.refusal(YARA, "exile yara")
    assert "Cara is no Citizen" in stage.refusal(YARA, "exile cara")
    assert "holds the Grand Scepter" in stage.refusal(YARA, "exile yourself")
    assert "you are no Citizen" in stage.act(BELA, offer_empire).refusal(BELA, "exile yourself")
    invent("council_seat", modify=refusing(MayExile, "has a seat"))
    stage.seat(OREN, advisers=["council_seat"]).act(YARA, offer_empire)
    assert "has a seat" in stage.refusal(YARA, "exile oren")


def test_o_12_4_more_purple_warbands_than_own_ones() -> None:
    stage = Stage().seat(YARA, citizen=True, warbands=16).seat(CARA, favor=5).act(CARA, offer_empire)
    stage.does(CARA, "exile yara")
    assert (stage.player(YARA).warbands, stage.player(YARA).bank) == (14, 0)
    count(stage)


def test_scenario_93_exiling_yourself() -> None:
    stage = Stage().seat(YARA, citizen=True, at="river", warbands=2, favor=4, secrets=1, relics=["map"])
    stage.player(YARA).relics[0].secrets = 1
    stage.act(YARA, offer_empire).does(YARA, "exile yourself")
    yara = stage.player(YARA)
    assert (yara.role, yara.favor, yara.warbands, yara.bank) == ("exile", 0, 2, 12)
    assert stage.player(CARA).favor == 4
    assert stage.g.phase == "rest"
    count(stage)


def test_scenario_93_whoever_cannot_pay_stays() -> None:
    stage = Stage().seat(YARA, citizen=True, warbands=3, favor=2).act(YARA, offer_empire)
    assert "costs 3 favor" in stage.refusal(YARA, "exile yourself")


# warbands (24, O-7.5)


def test_scenario_24_a_citizen_lifts_with_the_chancellors_yes_and_puts_down_without() -> None:
    stage = Stage().site("steppe", ruler=CARA, warbands=3).seat(YARA, citizen=True, at="steppe", warbands=1)
    stage.act(YARA, offer_warbands).does(YARA, "pick up 2")
    assert stage.asked() == {CARA: "permission"}
    stage.does(CARA, "permit it")
    assert (stage.player(YARA).warbands, stage.g.map[4].warbands) == (3, 1)
    stage.act(YARA, offer_warbands).does(YARA, "put down 3")
    assert stage.asked() == {}
    assert (stage.player(YARA).warbands, stage.g.map[4].warbands) == (0, 4)
    count(stage)


def test_scenario_24_the_chancellor_may_refuse() -> None:
    stage = Stage().site("steppe", ruler=CARA, warbands=3).seat(YARA, citizen=True, at="steppe")
    stage.act(YARA, offer_warbands).does(YARA, "pick up 2").does(CARA, "refuse")
    assert (stage.player(YARA).warbands, stage.g.map[4].warbands) == (0, 3)
    assert "Cara does not agree with the move of Yara." in stage.heard()


def test_o_7_5_the_last_one_stays_and_only_a_ruler_puts_down() -> None:
    stage = Stage().site("steppe", ruler=YARA, warbands=1).seat(YARA, at="steppe", warbands=1)
    stage.act(YARA, offer_warbands)
    assert "last warband must stay" in stage.refusal(YARA, "pick up 1")
    stage.seat(YARA, at="river").act(YARA, offer_warbands)
    assert "none of your warbands stand at River" in stage.refusal(YARA, "pick up 1")
    assert "do not rule River" in stage.refusal(YARA, "put down 1")


def test_o_7_5_the_chancellor_and_exiles_ask_nobody() -> None:
    stage = Stage().site("steppe", ruler=YARA, warbands=3).seat(YARA, at="steppe").act(YARA, offer_warbands)
    assert stage.does(YARA, "pick up 2").asked() == {}
    assert stage.player(YARA).warbands == 2


def test_cards_may_free_the_last_or_forbid_to_place(invent: Made) -> None:
    invent("bandit_crown", modify=on(LeftBehind, lambda query: setattr(query, "nothing", True)))
    invent("ring_of_devotion", modify=refusing(MayPlace, "the ring forbids it"))
    stage = Stage().site("steppe", ruler=YARA).seat(YARA, at="steppe", relics=["bandit_crown"], warbands=1)
    stage.seat(YARA, relics=["ring_of_devotion"]).act(YARA, offer_warbands)
    assert "the ring forbids it" in stage.refusal(YARA, "put down 1")
    stage.does(YARA, "pick up 1")
    assert stage.g.map[4].colour == ""


def imperial_pair() -> Stage:
    return Stage().seat(YARA, citizen=True, at="wastes", warbands=2).seat(CARA, at="wastes", warbands=3)


def test_o_7_5_two_imperial_players_hand_warbands_over_if_both_agree() -> None:
    stage = imperial_pair().act(YARA, offer_warbands).does(YARA, "hand cara 2").does(CARA, "permit it")
    assert (stage.player(YARA).warbands, stage.player(CARA).warbands) == (0, 5)
    stage = imperial_pair().act(YARA, offer_warbands).does(YARA, "ask cara for 3").does(CARA, "yes")
    assert (stage.player(YARA).warbands, stage.player(CARA).warbands) == (5, 0)
    stage = imperial_pair().act(CARA, offer_warbands).does(CARA, "hand yara 1").does(YARA, "refuse")
    assert (stage.player(YARA).warbands, stage.player(CARA).warbands) == (2, 3)
    stage = imperial_pair().seat(CARA, at="river").act(YARA, offer_warbands)
    assert "no other Imperial player is at your site" in stage.refusal(YARA, "hand cara 1")


# deals that cards allow (O-14)


def test_o_14_2_a_binding_deal() -> None:
    stage = Stage().seat(YARA, favor=3).seat(OREN, secrets=2)
    yara, oren = stage.player(YARA), stage.player(OREN)
    deal = bargain(stage.g, yara, oren, Goods(favor=2), Goods(secrets=1), section="O-14.2")
    stage.run(deal).does(OREN, "accept")
    assert (yara.favor, yara.secrets, oren.favor, oren.secrets) == (1, 1, 2, 1)
    deal = bargain(stage.g, yara, oren, Goods(favor=1), Goods(), section="O-14.2")
    stage.run(deal).does(OREN, "refuse")
    assert yara.favor == 1
    assert "Yara proposes a deal to Oren: gives 1 favor and asks nothing." in stage.heard()


# the Reliquary (98, O-12.6)


def test_scenario_98_the_space_works_on_the_chancellor_whoever_made_the_offer() -> None:
    stage = Stage(oath="devotion").seat(YARA, relics=["grand_scepter"]).act(YARA, offer_empire)
    stage.does(YARA, "offer citizenship to oren with decadent").does(OREN, "accept")
    stage.seat(CARA, at="salt_flats", supply=1).act(CARA, offer_travel)
    assert "costs 3 Supply" in stage.refusal(CARA, "travel to wastes")
    stage.does(CARA, "travel to river")
    assert stage.player(CARA).supply == 1
    stage.seat(OREN, at="salt_flats", supply=1).act(OREN, offer_travel)
    refused = stage.refusal(OREN, "travel to river")
    assert "costs 2 Supply" in refused or "no site is within reach" in refused


def test_o_12_6_careless_trades() -> None:
    stage = Stage().site("steppe", cards=["elders"]).seat(CARA, at="steppe", favor=2, secrets=1)
    stage.g.reliquary[1] = None
    stage.act(CARA, offer_trading).does(CARA, "trade with elders for favor")
    assert stage.player(CARA).favor == 2 + 2
    stage = Stage().site("steppe", cards=["elders"]).seat(CARA, at="steppe", favor=2, advisers=["tents"])
    stage.g.reliquary[1] = None
    stage.act(CARA, offer_trading).does(CARA, "trade with elders for secrets")
    assert (stage.player(CARA).favor, stage.player(CARA).secrets) == (1, 0)


def test_o_12_6_greedy_searches() -> None:
    stage = Stage().seat(CARA, at="steppe")
    stage.g.reliquary[3] = None
    stage.act(CARA, offer_search).does(CARA, "search world deck")
    assert [t for t in stage.heard() if "Cara draws 5 cards" in t]
    stage = Stage().seat(CARA, at="steppe")
    stage.g.reliquary[3], stage.g.visions_drawn = None, 1
    stage.g.piles["provinces"].append(pile_card("elders"))
    assert "a Search of 2 at most" in stage.act(CARA, offer_search).refusal(CARA, "search world deck")


# nothing is lost


@pytest.mark.parametrize("seed", range(60))
def test_random_dealings_keep_every_piece(seed: int) -> None:
    rng = random.Random(seed)
    stage = Stage(oath=rng.choice(["supremacy", "people", "protection", "devotion"]))
    for name in (CARA, YARA, OREN, BELA):
        stage.seat(
            name,
            at=rng.randrange(2),
            citizen=name in (YARA, OREN) and rng.random() < 0.6,
            warbands=rng.randrange(6),
            favor=rng.randrange(4),
            secrets=rng.randrange(3),
        )
    stage.seat(rng.choice([CARA, YARA, BELA]), relics=["grand_scepter"])
    stage.banner("darkest_secret", 2, rng.choice([CARA, YARA, OREN]))
    for n in range(8):
        stage.site(n, ruler=rng.choice(["", CARA, YARA, BELA]), warbands=1)
    look = reads_back()
    before = favor(stage.g), warbands(stage.g), relics(stage.g)
    for _ in range(12):
        who = rng.choice([CARA, YARA, OREN, BELA])
        stage.g.phase = "act"
        if not _open(stage, who):
            continue
        stage.act(who, offer_empire, offer_warbands, chance=Drawn(rng))
        while stage.table.open:
            look(stage.table, rng)
            ((seat, ask),) = stage.table.open.items()
            stage.table.answer(seat, random_answer(ask, rng))
        count(stage)
        assert (favor(stage.g), warbands(stage.g), relics(stage.g)) == before


def _open(stage: Stage, who: str) -> bool:
    menu: Menu[object] = Menu()
    for offer in (offer_empire, offer_warbands):
        offer(menu, stage.g, stage.player(who))  # type: ignore[arg-type]
    return bool(menu.open())
