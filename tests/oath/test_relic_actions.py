"""Relics with an “Action:”, each at work once at least."""

from __future__ import annotations

import pytest

from pbem.engine.core.sealed import Sealed
from pbem.engine.core.text import Text
from pbem.engine.oath import cards as _cards
from pbem.engine.oath import relics as _relics
from pbem.engine.oath import sites as _sites
from pbem.engine.oath.actions.minor import offer_powers
from pbem.engine.oath.queries import MayGiveSecrets
from pbem.engine.oath.state import pile_card

from .inventing import Made, on
from .positions import BELA, CARA, MAP, OREN, YARA, Stage, count
from .relic_positions import deck, with_relic

assert _cards
assert _relics
assert _sites


# Brass Horse


def horse(top: str) -> Stage:
    stage = with_relic("brass_horse").seat(YARA, at="river", secrets=1, supply=0)
    stage.g.piles["cradle"] = [pile_card(top, CARA)]
    stage.site("wastes", cards=["wolves"]).site("river", cards=["tents"])
    return stage.act(YARA, offer_powers).does(YARA, "use brass horse")


def test_brass_horse_rides_to_a_card_of_the_suit_that_is_shown() -> None:
    stage = horse("errand_boy")
    assert "Yara shows the top card of the pile of the Cradle: Errand Boy." in stage.heard(BELA)
    assert stage.options(YARA) == ["ride to Wastes"]
    stage.does(YARA, "ride to wastes")
    assert stage.player(YARA).pawn == stage.slot("wastes")
    assert stage.g.piles["cradle"][-1].card.open(BELA) == "errand_boy", "the card lies on top again"
    assert stage.player(YARA).relics[0].secrets == 1


@pytest.mark.parametrize("top", ["scryer", "elders", "faith"])
def test_brass_horse_rides_anywhere_else_where_no_other_site_matches(top: str) -> None:
    stage = horse(top)
    assert len(stage.options(YARA)) == 7
    assert stage.refusal(YARA, "ride to river")


def test_brass_horse_needs_a_card_in_the_pile() -> None:
    stage = with_relic("brass_horse").seat(YARA, at="river", secrets=1).act(YARA, offer_powers)
    assert "no card lies in the pile" in stage.refusal(YARA, "use brass horse")


def test_out_of_an_enemys_shrouded_wood_the_ruler_picks_among_what_the_horse_allows() -> None:
    stage = with_relic("brass_horse", Stage(map=("shrouded_wood", *MAP[1:])))
    stage.seat(YARA, at="shrouded_wood", secrets=1)
    stage.site("shrouded_wood", ruler=BELA).site("wastes", cards=["wolves"]).site("steppe", cards=["rangers"])
    stage.g.piles["cradle"] = [pile_card("errand_boy")]
    stage.act(YARA, offer_powers).does(YARA, "use brass horse", "ride to wastes")
    assert stage.options(BELA) == ["to Steppe", "to Wastes"]
    stage.does(BELA, "to steppe")
    assert stage.player(YARA).pawn == stage.slot("steppe")


# Dowsing Sticks


def sticks() -> Stage:
    stage = with_relic("dowsing_sticks").seat(YARA, at="river", secrets=1, favor=2)
    return stage.act(YARA, offer_powers).does(YARA, "use dowsing sticks")


def test_dowsing_sticks_keep_the_top_relic() -> None:
    stage = sticks()
    assert stage.options(YARA) == ["keep Cracked Horn", "tuck it under"]
    stage.does(YARA, "keep it")
    assert [r.id for r in stage.player(YARA).relics] == ["dowsing_sticks", "cracked_horn"]
    assert (stage.player(YARA).favor, stage.player(YARA).relics[0].secrets) == (0, 1)
    count(stage)


def test_dowsing_sticks_tuck_it_under_the_deck_in_secret() -> None:
    stage = sticks().does(YARA, "tuck it under")
    assert stage.g.world.relics.under_seal()[-1] == "cracked_horn"
    assert stage.g.world.relics.under_seal()[0] == "oracular_pig"
    assert "Cracked Horn" not in " ".join(stage.heard(BELA))
    count(stage)


def test_dowsing_sticks_need_their_cost_and_a_relic() -> None:
    stage = with_relic("dowsing_sticks").seat(YARA, at="river", secrets=1, favor=1).act(YARA, offer_powers)
    assert "costs 2 favor" in stage.refusal(YARA, "use dowsing sticks")
    stage = with_relic("dowsing_sticks").seat(YARA, at="river", secrets=1, favor=2)
    stage.g.world.relics = Sealed([])
    assert "relic deck is empty" in stage.act(YARA, offer_powers).refusal(YARA, "use dowsing sticks")


# Horned Mask


def horned() -> Stage:
    stage = with_relic("horned_mask").site("river", cards=["wolves", "wayside_inn", "faithful_friend"])
    stage.seat(YARA, at="river", secrets=1, advisers=["elders", "true_names"])
    stage.g.map[0].cards[0].favor += 1
    stage.g.shared -= 1
    return stage.act(YARA, offer_powers).does(YARA, "use horned mask")


def test_horned_mask_exchanges_an_adviser_for_a_card_here() -> None:
    stage = horned().does(YARA, "exchange elders for wolves")
    assert [a.shown for a in stage.player(YARA).advisers] == ["wolves", "true_names"]
    assert stage.player(YARA).advisers[0].favor == 1
    assert [c.id for c in stage.g.map[0].cards] == ["elders", "wayside_inn", "faithful_friend"]
    assert stage.player(YARA).favor == 0, "a swap is no play"
    count(stage)


def test_horned_mask_respects_restrictions_and_locks() -> None:
    stage = horned()
    for line in ("exchange true names for wolves", "exchange elders for wayside inn"):
        assert stage.refusal(YARA, line)
    assert stage.refusal(YARA, "exchange elders for faithful friend")


# Ivory Eye


def eye() -> Stage:
    stage = with_relic("ivory_eye").site("great_slum", shown=False).site("steppe", relics=["map"])
    stage.seat(YARA, at="river", secrets=1).seat(BELA, facedown=["scryer"])
    return stage.act(YARA, offer_powers).does(YARA, "use ivory eye")


@pytest.mark.parametrize(
    ("line", "seen"),
    [
        ("look at adviser 1 of bela", "You look at a facedown adviser of Bela: Scryer."),
        ("look at relic 1 at steppe", "You look at a relic in Steppe: Map."),
    ],
)
def test_ivory_eye_looks_at_one_thing(line: str, seen: str) -> None:
    stage = eye().does(YARA, line)
    assert seen in stage.heard(YARA)
    assert not [heard for heard in stage.heard(OREN) if "Scryer" in heard or "Map" in heard]
    assert stage.player(YARA).relics[0].secrets == 1


def test_ivory_eye_looks_at_a_facedown_site() -> None:
    stage = with_relic("ivory_eye").seat(YARA, at="river", secrets=1)
    there = stage.g.map[7]
    there.shown, there.site = "", Sealed("great_slum")
    stage.act(YARA, offer_powers).does(YARA, "use ivory eye", "look at hinterland 3")
    assert "You look at the third site of the Hinterland: Great Slum." in stage.heard(YARA)
    assert "Yara looks at the third site of the Hinterland." in stage.heard(OREN)
    assert there.site.open(YARA) == "great_slum"
    assert there.shown == ""


# Map


def test_map_goes_under_the_relic_deck_for_four_supply() -> None:
    stage = with_relic("map").seat(YARA, at="river", supply=2).act(YARA, offer_powers).does(YARA, "use map")
    assert (stage.player(YARA).supply, stage.player(YARA).relics) == (6, [])
    assert stage.g.world.relics.under_seal()[-1] == "map"
    count(stage)


# Oracular Pig


def test_oracular_pig_sees_three_cards_and_draws_none() -> None:
    stage = with_relic("oracular_pig").seat(YARA, at="river")
    deck(stage, "elders", "faith", "tents")
    before = stage.g.world.deck.under_seal()
    stage.act(YARA, offer_powers).does(YARA, "use oracular pig")
    assert [line for line in stage.heard(YARA) if "topmost first: Elders, " in line and "Tents" in line]
    assert "Elders" not in " ".join(stage.heard(BELA))
    assert (stage.g.world.deck.under_seal(), stage.g.visions_drawn) == (before, 0)


# Skeleton Key


def key(*, rule: bool = True) -> Stage:
    stage = with_relic("skeleton_key").seat(YARA, at="river", secrets=2)
    if rule:
        stage.site("river", ruler=CARA)
    return stage.act(YARA, offer_powers)


def test_skeleton_key_opens_a_space_and_may_take_the_relic() -> None:
    stage = key().does(YARA, "use skeleton key", "careless")
    assert "You look at a relic in the Reliquary: Cursed Cauldron." in stage.heard(YARA)
    assert "Cursed Cauldron" not in " ".join(stage.heard(BELA))
    stage.does(YARA, "yes")
    assert stage.g.reliquary[1] is None
    assert [r.id for r in stage.player(YARA).relics] == ["skeleton_key", "cursed_cauldron"]
    assert (stage.player(YARA).secrets, stage.player(YARA).relics[0].secrets) == (0, 1)
    count(stage)


def test_skeleton_key_may_leave_it_and_remembers() -> None:
    stage = key().does(YARA, "use skeleton key", "careless", "no")
    space = stage.g.reliquary[1]
    assert space is not None
    assert space.open(YARA) == "cursed_cauldron"


def test_skeleton_key_needs_the_chancellors_site() -> None:
    assert "does not rule your site" in key(rule=False).refusal(YARA, "use skeleton key")


# Whistle


def whistle(stage: Stage | None = None, at: str = "steppe") -> Stage:
    return with_relic("whistle", stage).seat(YARA, at=at, secrets=1)


def test_whistle_calls_a_pawn_and_gives_it_the_secret() -> None:
    stage = (
        whistle().seat(BELA, at="wastes", supply=0).act(YARA, offer_powers).does(YARA, "use whistle", "bela")
    )
    assert stage.player(BELA).pawn == stage.slot("steppe")
    assert (stage.player(BELA).secrets, stage.player(YARA).relics[0].secrets) == (1, 0)


def test_whistle_leaves_the_secret_with_somebody_sworn_to_silence(invent: Made) -> None:
    invent("vow_of_silence", modify=on(MayGiveSecrets, lambda query: query.refuse(Text("sworn"))))
    stage = whistle().seat(BELA, at="wastes", advisers=["vow_of_silence"]).act(YARA, offer_powers)
    stage.does(YARA, "use whistle", "bela")
    assert (stage.player(BELA).pawn, stage.player(BELA).secrets) == (stage.slot("steppe"), 0)
    assert stage.player(YARA).relics[0].secrets == 1


PLACES = (
    "river",
    "lush_coast",
    "narrow_pass",
    "the_hidden_place",
    "steppe",
    "rocky_coast",
    "wastes",
    "great_slum",
)


def test_whistle_makes_nobody_turn_a_secret_for_the_hidden_place() -> None:
    stage = whistle(Stage(map=PLACES), "the_hidden_place").seat(BELA, at="steppe", secrets=1)
    stage.act(YARA, offer_powers).does(YARA, "use whistle")
    assert stage.asked() == {BELA: "made-to-travel"}
    stage.does(BELA, "stay")
    assert stage.player(BELA).pawn == stage.slot("steppe")
    assert stage.player(YARA).relics[0].secrets == 1


def test_whistle_fails_across_the_narrow_pass_unless_one_stands_there() -> None:
    stage = whistle(Stage(map=PLACES), "steppe").seat(BELA, at="wastes").act(YARA, offer_powers)
    assert "no pawn could travel" in stage.refusal(YARA, "use whistle")
    stage = (
        whistle(Stage(map=PLACES), "narrow_pass").act(YARA, offer_powers).does(YARA, "use whistle", "bela")
    )
    assert stage.player(BELA).pawn == stage.slot("narrow_pass")
