"""Denizens of the starting deck, each at work once at least."""

from __future__ import annotations

import pytest

from pbem.engine.core.sealed import Sealed
from pbem.engine.oath import cards as _cards
from pbem.engine.oath import sites as _sites
from pbem.engine.oath.actions.minor import offer_adviser, offer_powers
from pbem.engine.oath.actions.searching import offer_search
from pbem.engine.oath.actions.trading import offer_trading
from pbem.engine.oath.actions.travel import offer_travel
from pbem.engine.oath.printed import DARKEST_SECRET
from pbem.engine.oath.state import pile_card

from ..positions import BELA, CARA, OREN, YARA, Stage, count

assert _cards
assert _sites


@pytest.fixture
def stage() -> Stage:
    return Stage()


# Beast


def test_animal_playmates_musters_on_a_beast_card_for_nothing(stage: Stage) -> None:
    stage.site("river", cards=["wolves"]).seat(
        YARA, at="river", favor=1, supply=0, advisers=["animal_playmates"]
    )
    stage.act(YARA, offer_trading).does(YARA, "muster on wolves using animal playmates")
    assert (stage.player(YARA).warbands, stage.player(YARA).supply) == (2, 0)


def test_errand_boy_draws_from_another_regions_pile(stage: Stage) -> None:
    stage.g.piles["hinterland"] = [pile_card("elders")]
    stage.site("river", cards=["errand_boy"]).seat(YARA, at="river", favor=1)
    stage.act(YARA, offer_search).does(YARA, "search hinterland using errand boy")
    assert stage.player(YARA).hand.open(YARA) == ("elders",)
    assert stage.g.map[0].cards[0].favor == 1


def test_forest_paths_lead_to_a_beast_card_for_nothing(stage: Stage) -> None:
    stage.site("great_slum", cards=["wolves"]).seat(
        YARA, at="river", favor=1, supply=0, advisers=["forest_paths"]
    )
    stage.act(YARA, offer_travel)
    assert stage.refusal(YARA, "travel to wastes using forest paths")
    stage.does(YARA, "travel to great slum using forest paths")
    assert stage.player(YARA).pawn == stage.slot("great_slum")
    assert stage.player(YARA).favor == 0


def test_roving_terror_takes_the_place_of_a_denizen(stage: Stage) -> None:
    stage.site("river", cards=["roving_terror"]).site("steppe", cards=["elders"])
    stage.seat(YARA, at="river", secrets=1).act(YARA, offer_powers).does(YARA, "use roving terror")
    assert stage.g.map[0].cards == []
    moved = stage.g.map[stage.slot("steppe")].cards[0]
    assert (moved.id, moved.secrets) == ("roving_terror", 1)
    assert stage.g.piles["hinterland"][-1].card.under_seal() == "elders"


def test_the_old_oak_brings_one_more_secret_with_a_beast_adviser(stage: Stage) -> None:
    stage.site("river", cards=["the_old_oak"]).seat(YARA, at="river", favor=2, advisers=["wolves"])
    stage.act(YARA, offer_trading).does(YARA, "trade with the old oak for secrets using the old oak")
    assert stage.player(YARA).secrets == 2


def test_wolves_kill_on_any_board(stage: Stage) -> None:
    stage.site("river", cards=["wolves"]).seat(YARA, at="river", secrets=1, warbands=1)
    stage.seat(BELA, at="wastes", warbands=2).act(YARA, offer_powers).does(YARA, "use wolves", "bela")
    assert stage.player(BELA).warbands == 1
    count(stage)


# Hearth


def test_armed_mob_discards_an_adviser_of_whoever_holds_the_darkest_secret(stage: Stage) -> None:
    stage.site("river", cards=["armed_mob"]).seat(YARA, at="river", favor=1)
    stage.seat(OREN, at="steppe", advisers=["elders", "a_small_favor"], banners=[DARKEST_SECRET])
    stage.act(YARA, offer_powers).does(YARA, "use armed mob")
    assert [a.shown for a in stage.player(OREN).advisers] == ["a_small_favor"], "the locked one stays"


def test_memory_of_home_empties_a_bank_into_hearth(stage: Stage) -> None:
    stage.site("river", cards=["memory_of_home"]).seat(YARA, at="river", secrets=1)
    stage.act(YARA, offer_powers).does(YARA, "use memory of home", "order")
    assert (stage.g.banks["order"], stage.g.banks["hearth"]) == (0, 6)
    assert stage.player(YARA).secrets == 0
    count(stage)


def test_storyteller_feeds_the_darkest_secret_wherever_it_is(stage: Stage) -> None:
    stage.site("river", cards=["storyteller"]).seat(YARA, at="river", favor=1)
    stage.act(YARA, offer_powers).does(YARA, "use storyteller")
    assert (stage.g.banners[DARKEST_SECRET].tokens, stage.g.banners[DARKEST_SECRET].holder) == (2, "")


def test_tavern_songs_show_three_cards_to_one_alone(stage: Stage) -> None:
    stage.g.piles["cradle"] = [pile_card(c) for c in ("tents", "elders", "wolves", "scryer")]
    stage.site("river", cards=["tavern_songs"]).seat(YARA, at="river")
    stage.act(YARA, offer_powers).does(YARA, "use tavern songs")
    assert "You look at Scryer, Wolves and Elders" in " ".join(stage.heard(YARA))
    assert "Scryer" not in " ".join(stage.heard(BELA))
    assert not stage.g.piles["cradle"][0].card.seen_by(YARA)


def test_wayside_inn_refreshes(stage: Stage) -> None:
    stage.site("river", cards=["wayside_inn"]).seat(YARA, at="river", favor=2, supply=3)
    stage.act(YARA, offer_powers).does(YARA, "use wayside inn").act(YARA, offer_powers)
    assert stage.player(YARA).supply == 5
    assert "tokens lie on it" in stage.refusal(YARA, "use wayside inn")


def test_welcoming_party_pays_for_a_denizen_that_was_drawn(stage: Stage) -> None:
    below = [c for c in stage.g.world.deck.under_seal() if c not in ("elders", "tents", "scryer")]
    stage.g.world.deck = Sealed(["elders", "tents", "scryer", *below])
    stage.site("river", cards=["welcoming_party"]).seat(YARA, at="river", supply=7)
    stage.act(YARA, offer_search).does(YARA, "search world using welcoming party", "keep elders", "tents")
    stage.does(YARA, "play to river")
    assert stage.player(YARA).favor == 2
    assert (stage.g.banks["hearth"], stage.g.banks["nomad"]) == (2, 2)


# Nomad


def test_ancient_binding_leaves_everybody_one_secret(stage: Stage) -> None:
    stage.site("river", cards=["ancient_binding"]).seat(YARA, at="river", secrets=4)
    stage.seat(BELA, secrets=3).seat(CARA, secrets=1)
    stage.act(YARA, offer_powers).does(YARA, "use ancient binding")
    assert [stage.player(p).secrets for p in (YARA, BELA, CARA)] == [0, 1, 1]
    assert stage.g.map[0].cards[0].secrets == 1


def test_elders_give_a_secret_for_two_favor(stage: Stage) -> None:
    stage.site("river", cards=["elders"]).seat(YARA, at="river", favor=2)
    stage.act(YARA, offer_powers).does(YARA, "use elders")
    assert (stage.player(YARA).secrets, stage.player(YARA).favor) == (1, 0)


def test_faithful_friend_brings_supply_when_it_is_played(stage: Stage) -> None:
    stage.seat(YARA, at="river", supply=2, facedown=["faithful_friend"])
    stage.act(YARA, offer_adviser).does(YARA, "play adviser faithful friend", "as adviser")
    assert stage.player(YARA).supply == 6


def test_tents_make_the_region_free(stage: Stage) -> None:
    stage.seat(YARA, at="wastes", favor=1, supply=0, advisers=["tents"]).act(YARA, offer_travel)
    assert stage.refusal(YARA, "travel to river using tents")
    stage.does(YARA, "travel to great slum using tents")
    assert stage.player(YARA).pawn == stage.slot("great_slum")
