"""Every moment outside of campaigns at which a card has a say and none that is written has one yet; invented powers."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.engine.core.commands import Unclear
from pbem.engine.core.slots import NotOpen
from pbem.engine.core.text import Text
from pbem.engine.oath import cards as _cards
from pbem.engine.oath import sites as _sites
from pbem.engine.oath.actions.action import Action, Search, Trade
from pbem.engine.oath.actions.minor import offer_adviser
from pbem.engine.oath.actions.recovering import offer_recover
from pbem.engine.oath.actions.searching import offer_search
from pbem.engine.oath.actions.trading import offer_trading
from pbem.engine.oath.actions.travel import offer_travel
from pbem.engine.oath.battle import ATTACKER, Battle
from pbem.engine.oath.campaign.offering import offer_campaign
from pbem.engine.oath.conspiracy import conspiracy
from pbem.engine.oath.discarding import Onto
from pbem.engine.oath.empire import become_citizen
from pbem.engine.oath.events import (
    Departs,
    Event,
    Mustered,
    Play,
    RelicsTaken,
    Searched,
    Traded,
    VisionDiscarded,
)
from pbem.engine.oath.oaths import visions_of, wins_in_wake
from pbem.engine.oath.powers import matching
from pbem.engine.oath.printed import DARKEST_SECRET, PEOPLES_FAVOR, is_vision
from pbem.engine.oath.queries import (
    AdviserLimit,
    BurnGoes,
    Capacity,
    CardWithinReach,
    Matches,
    MayPlay,
    MaySearch,
    MayTake,
    MayTravel,
    MayUse,
    PlaySites,
    RoomFirst,
    TradeCost,
    TradeGain,
    TravelCost,
    Visions,
)
from pbem.engine.oath.ruling import Lying
from pbem.engine.oath.state import Oath, pile_card

from .inventing import Made, does, fought, on, steppe
from .positions import BELA, CARA, OREN, YARA, Stage, count

assert _cards
assert _sites


RELICS_LIE = (
    "river",
    "lush_coast",
    "salt_flats",
    "mine",
    "drowned_city",
    "rocky_coast",
    "wastes",
    "great_slum",
)


@pytest.fixture
def stage() -> Stage:
    return Stage()


def told(kind: type[Event], seen: list[Any]) -> Any:
    """What `after` a power hears."""

    async def after(self: object, g: Oath, me: Lying, event: Event) -> None:
        assert isinstance(event, kind)
        seen.append(event)

    return after


def drawn(stage: Stage, *cards: str) -> Stage:
    """These cards lie on the pile of the Cradle, first one on top."""
    stage.g.piles["cradle"] = [pile_card(card) for card in reversed(cards)]
    return stage


# powers with a cost (O-8.2)


def test_a_surcharge_makes_a_power_with_a_cost(invent: Made) -> None:
    def no_secrets(query: MayUse) -> None:
        if query.cost.secret or query.cost.burn_secret:
            query.refuse(Text("the spell is broken"))

    invent("spell_breaker", modify=on(MayUse, no_secrets))
    stage = Stage(
        map=("river", "the_hidden_place", "salt_flats", "mine", "steppe", "plains", "wastes", "buried_giant")
    )
    stage.site("mine", cards=["spell_breaker"]).seat(YARA, at="river", secrets=3, favor=3)
    stage.act(YARA, offer_travel)
    assert "the spell is broken" in stage.refusal(YARA, "travel to the hidden place")
    stage.seat(CARA, at="the_hidden_place").seat(YARA, at="the_hidden_place", warbands=2)
    stage.site("the_hidden_place", ruler=CARA).act(YARA, offer_campaign)
    assert "the spell is broken" in stage.refusal(YARA, "campaign against cara at hidden place with 1")
    stage.seat(YARA, advisers=["elders", "tents"]).seat(CARA, advisers=["great_herd", "oracle"])
    assert stage.run(conspiracy(stage.g, stage.player(YARA))).asked() == {}


def test_what_modifiers_cost_is_not_there_for_the_action(invent: Made) -> None:
    invent("portal", modify=on(TravelCost, lambda query: setattr(query, "nothing", True)))
    stage = Stage(
        map=("river", "the_hidden_place", "salt_flats", "mine", "steppe", "plains", "wastes", "buried_giant")
    )
    stage.site("river", cards=["portal"]).seat(YARA, at="river", secrets=1).act(YARA, offer_travel)
    with pytest.raises((Unclear, NotOpen)):
        stage.does(YARA, "travel to hidden place using portal")
    stage.seat(YARA, secrets=1).act(YARA, offer_travel).does(YARA, "travel to hidden place using portal")
    assert (stage.player(YARA).secrets, stage.player(YARA).spent) == (0, 1)


def test_burned_favor_may_go_to_somebody(invent: Made) -> None:
    stage = Stage(map=RELICS_LIE)
    invent("vow_of_renewal", modify=on(BurnGoes, lambda query: setattr(query, "to", stage.player(BELA))))
    stage.site(0, cards=["vow_of_renewal"]).site("drowned_city", relics=["map"])
    stage.seat(YARA, at="drowned_city", favor=3).act(YARA, offer_recover).does(YARA, "recover relic")
    assert (stage.player(YARA).favor, stage.player(BELA).favor) == (1, 2)
    count(stage)


# playing (O-5.2)


def test_a_card_may_open_further_sites(stage: Stage, invent: Made) -> None:
    def anywhere(query: PlaySites) -> None:
        if "new_growth" in query.declared:
            query.sites += stage.g.faceup()

    invent("new_growth", modify=on(PlaySites, anywhere))
    drawn(stage, "wolves").seat(YARA, at="river", advisers=["new_growth"])
    stage.act(YARA, offer_search).does(YARA, "search pile using new growth", "keep wolves")
    assert any("Wastes" in option for option in stage.options(YARA))
    stage.does(YARA, "play wolves to wastes")
    assert [c.id for c in stage.g.map[stage.slot("wastes")].cards] == ["wolves"]


def test_a_card_may_let_another_go_first(stage: Stage, invent: Made) -> None:
    def rotate(query: RoomFirst) -> None:
        if "crop_rotation" in query.declared:
            query.too(query.site)

    invent("crop_rotation", modify=on(RoomFirst, rotate))
    full = stage.g.map[stage.slot("river")].printed.capacity
    drawn(stage, "wolves").site("river", cards=["elders", "tents", "keep"][:full])
    stage.seat(YARA, at="river", advisers=["crop_rotation"]).act(YARA, offer_search)
    stage.does(
        YARA, "search pile using crop rotation", "keep wolves", "play wolves to river discarding elders"
    )
    assert "wolves" in [c.id for c in stage.g.map[0].cards]
    assert "elders" not in [c.id for c in stage.g.map[0].cards]


def test_a_card_that_is_played_speaks_already(stage: Stage, invent: Made) -> None:
    def salted(query: Capacity) -> None:
        query.unlimited = query.coming == "salt_the_earth"

    invent("salt_the_earth", modify=on(Capacity, salted))
    full = stage.g.map[0].printed.capacity
    drawn(stage, "salt_the_earth").site("river", cards=["elders", "tents", "keep"][:full])
    stage.seat(YARA, at="river").act(YARA, offer_search).does(YARA, "search pile", "keep salt the earth")
    stage.does(YARA, "play salt the earth to river")
    assert stage.g.map[0].cards[-1].id == "salt_the_earth"


def test_a_card_may_judge_where_it_is_played_itself(stage: Stage, invent: Made) -> None:
    def not_here(query: MayPlay) -> None:
        if query.card == "salt_the_earth":
            query.refuse(Text("a locked card lies there"))

    invent("salt_the_earth", modify=on(MayPlay, not_here))
    drawn(stage, "salt_the_earth").seat(YARA, at="river").act(YARA, offer_search)
    stage.does(YARA, "search pile", "keep salt the earth")
    assert "a locked card lies there" in stage.refusal(YARA, "play salt the earth to river")


def test_two_cards_of_a_search_may_be_played_one_of_them_to_a_site(stage: Stage, invent: Made) -> None:
    async def declare(self: object, g: Oath, me: Lying, action: Action) -> None:
        assert isinstance(action, Search)
        action.plays = 2

    def one_to_a_site(query: MayPlay) -> None:
        if query.played and "site" not in query.played and query.where != "site":
            query.refuse(Text("one of the two must go to a site"))

    invent("land_warden", declare=declare, modify=on(MayPlay, one_to_a_site))
    drawn(stage, "wolves", "elders", "tents").seat(YARA, at="river", favor=1, advisers=["land_warden"])
    stage.act(YARA, offer_search).does(YARA, "search pile using land warden", "keep wolves", "keep elders")
    stage.does(YARA, "play wolves as adviser")
    assert "one of the two must go to a site" in stage.refusal(YARA, "play elders as adviser")
    stage.does(YARA, "play elders to river")
    assert [a.shown for a in stage.player(YARA).advisers] == ["land_warden", "wolves"]


def test_discards_may_go_on_top_of_another_pile(stage: Stage, invent: Made) -> None:
    async def declare(self: object, g: Oath, me: Lying, action: Action) -> None:
        assert isinstance(action, Search)
        action.discards = Onto("hinterland")

    invent("bracken", declare=declare)
    drawn(stage, "wolves", "elders").seat(YARA, at="river", advisers=["bracken"])
    stage.g.piles["hinterland"] = [pile_card("keep")]
    stage.act(YARA, offer_search).does(YARA, "search pile using bracken", "discard all", "wolves next")
    assert [c.card.under_seal() for c in stage.g.piles["hinterland"]] == ["keep", "wolves", "elders"]


@pytest.mark.parametrize(
    ("invented", "advisers", "line", "left"),
    [
        ("at most one", ["elders"], "play wolves as adviser discarding elders", ["wolves"]),
        ("without nomads", ["elders", "tents", "oracle"], "play wolves as adviser", 4),
        ("needs no place", ["elders", "keep", "scouts"], "play wolves as adviser", 4),
    ],
)
def test_a_card_may_change_how_many_advisers_there_may_be(
    stage: Stage, invent: Made, invented: str, advisers: list[str], line: str, left: Any
) -> None:
    def limit(query: AdviserLimit) -> None:
        match invented:
            case "at most one":
                query.at_most(1)
            case "without nomads":
                query.ignored += ["elders", "tents", "oracle"]
            case _:
                query.free = query.coming == "wolves"

    invent("wolves", modify=on(AdviserLimit, limit))
    drawn(stage, "wolves").seat(YARA, at="river", advisers=advisers).act(YARA, offer_search)
    stage.does(YARA, "search pile", "keep wolves", line)
    shown = [a.shown for a in stage.player(YARA).advisers]
    assert (shown if isinstance(left, list) else len(shown)) == left


def test_a_limit_that_falls_by_more_than_one_asks_who_goes(stage: Stage, invent: Made) -> None:
    invent("wolves", modify=on(AdviserLimit, lambda query: query.at_most(2)))
    drawn(stage, "wolves").seat(YARA, at="river", advisers=["elders", "scouts", "tents"])
    stage.act(YARA, offer_search)
    stage.does(YARA, "search pile", "keep wolves", "play wolves as adviser discarding elders")
    assert stage.asked() == {YARA: "too-many-advisers"}
    assert stage.options(YARA) == ["discard Scouts", "discard Tents"]
    stage.does(YARA, "discard scouts")
    assert [a.shown for a in stage.player(YARA).advisers] == ["tents", "wolves"]


def test_the_conspiracy_is_a_vision_that_is_played(invent: Made) -> None:
    def policed(query: MayPlay) -> None:
        if query.where == "vision" and is_vision(query.card):
            query.refuse(Text("no Vision is shown here"))

    seen: list[Any] = []
    invent("book_binders", reacts=(Play,), after=told(Play, seen))
    stage = Stage().site("river", cards=["secret_police"]).seat(BELA, advisers=["book_binders"])
    stage.seat(YARA, at="river", facedown=["conspiracy"])
    stage.act(YARA, offer_adviser).does(YARA, "play adviser conspiracy", "play it")
    assert [(play.card, play.was_facedown) for play in seen] == [("conspiracy", True)]
    invent("secret_police", modify=on(MayPlay, policed))
    stage = Stage().site("river", cards=["secret_police"]).seat(YARA, at="river", facedown=["conspiracy"])
    stage.act(YARA, offer_adviser).does(YARA, "play adviser conspiracy")
    assert "no Vision is shown here" in stage.refusal(YARA, "play it")


# Search and Muster


def test_a_search_and_a_muster_are_told_with_what_was_declared(stage: Stage, invent: Made) -> None:
    seen: list[Any] = []
    invent("hunting_party", reacts=(Searched,), after=told(Searched, seen))
    invent("knights_errant", reacts=(Mustered,), after=told(Mustered, seen))
    drawn(stage, "wolves").site("river", cards=["elders"])
    stage.seat(YARA, at="river", favor=1, advisers=["hunting_party", "knights_errant"])
    stage.act(YARA, offer_search).does(YARA, "search pile using hunting party", "discard all")
    stage.act(YARA, offer_trading).does(YARA, "muster on elders using knights errant")
    assert [seen[0].action.source, seen[0].action.declared] == ["cradle", ("hunting_party",)]
    assert seen[1].declared == ("knights_errant",)


def test_a_toll_is_asked_for_playing_a_facedown_adviser_too(stage: Stage, invent: Made) -> None:
    lying = Lying("forced_labor", None, 0, None)
    invent("forced_labor", modify=on(MaySearch, lambda query: query.tolls.append(lying)))
    stage.site("river", cards=["forced_labor"], ruler=CARA).seat(YARA, at="river", facedown=["elders"])
    stage.act(YARA, offer_adviser)
    assert "1 favor must be paid for it, you have 0" in stage.refusal(YARA, "play adviser elders")
    stage.seat(YARA, favor=1).act(YARA, offer_adviser).does(YARA, "play adviser elders")
    assert (stage.player(YARA).favor, stage.player(CARA).favor) == (0, 1)


# Trade


def test_a_card_may_bring_another_sites_cards_within_reach(stage: Stage, invent: Made) -> None:
    def library(query: CardWithinReach) -> None:
        query.allowed = "map_library" in query.declared and stage.g.region(query.site) == "cradle"

    invent("map_library", modify=on(CardWithinReach, library))
    stage.site("river", cards=["map_library"]).site("lush_coast", cards=["elders"]).site(
        "wastes", cards=["wolves"]
    )
    stage.seat(YARA, at="river", secrets=2).act(YARA, offer_trading)
    with pytest.raises(Unclear):
        stage.does(YARA, "trade with wolves for favor using map library")
    stage.does(YARA, "trade with elders for favor using map library")
    assert (stage.player(YARA).favor, stage.g.map[1].cards[0].secrets) == (1, 1)


def test_a_modifier_may_put_other_advisers_in_the_place_of_ones_own(stage: Stage, invent: Made) -> None:
    def alone(self: object, g: Oath, me: Lying, action: Action) -> Text | None:
        return Text("your own are out of use") if len(action.declared) > 1 else None

    async def declare(self: object, g: Oath, me: Lying, action: Action) -> None:
        assert isinstance(action, Trade)
        action.advisers_of = other = stage.player(BELA)
        action.lent = tuple(Lying(a.shown, a, None, other) for a in other.advisers)

    seen: list[Any] = []
    invent("master_of_disguise", may_declare=alone, declare=declare)
    invent("secret_signal", reacts=(Traded,), after=told(Traded, seen))
    invent("acting_troupe")
    stage.site("river", cards=["elders"]).seat(BELA, advisers=["tents", "secret_signal"])
    stage.seat(YARA, at="river", secrets=2, advisers=["master_of_disguise", "acting_troupe"])
    stage.act(YARA, offer_trading)
    both = "trade with elders for favor using master of disguise and acting troupe"
    assert "your own are out of use" in stage.refusal(YARA, both)
    stage.does(YARA, "trade with elders for favor using master of disguise")
    assert stage.options(YARA) == ["use Secret Signal", "use nothing more"]
    stage.does(YARA, "use secret signal")
    assert seen[0].action.declared == ("master_of_disguise", "secret_signal")
    assert (seen[0].favor, stage.player(YARA).favor) == (2, 2)  # Bela's Tents match


def test_a_modifier_that_wants_something_is_barred_without_it(stage: Stage, invent: Made) -> None:
    def wants(self: object, g: Oath, me: Lying, action: Action) -> Text | None:
        return None if action.player.warbands else Text("no warband stands on your board")

    async def declare(self: object, g: Oath, me: Lying, action: Action) -> None:
        action.player.warbands -= 1
        action.player.bank += 1

    def free(query: TradeCost) -> None:
        query.nothing = "awaited_return" in query.declared

    invent("awaited_return", may_declare=wants, declare=declare, modify=on(TradeCost, free))
    stage.site("river", cards=["elders"]).seat(
        YARA, at="river", secrets=1, supply=0, advisers=["awaited_return"]
    )
    line = "trade with elders for favor using awaited return"
    assert "no warband stands on your board" in stage.act(YARA, offer_trading).refusal(YARA, line)
    stage.seat(YARA, warbands=1).act(YARA, offer_trading).does(YARA, line)
    assert (stage.player(YARA).favor, stage.player(YARA).supply, stage.player(YARA).warbands) == (1, 0, 0)


def test_a_trade_may_bring_no_favor_whatever_else_adds_to_it(stage: Stage, invent: Made) -> None:
    seen: list[Any] = []
    invent("vow_of_poverty", modify=on(TradeGain, lambda query: setattr(query, "no_favor", True)))
    invent("secret_signal", reacts=(Traded,), after=told(Traded, seen))
    stage.site("river", cards=["elders"]).seat(
        YARA, at="river", secrets=1, advisers=["vow_of_poverty", "tents"]
    )
    stage.seat(BELA, advisers=["secret_signal"]).act(YARA, offer_trading).does(
        YARA, "trade with elders for favor"
    )
    assert (stage.player(YARA).favor, seen[0].favor, stage.g.banks["nomad"]) == (0, 0, 3)


def test_an_adviser_may_count_for_two(stage: Stage, invent: Made) -> None:
    def married(query: Matches) -> None:
        query.more += query.suit == "hearth"

    invent("marriage", modify=on(Matches, married))
    stage.seat(YARA, at="river", secrets=1, advisers=["marriage"])
    stage.seat(BELA, at="river", advisers=["armed_mob"], relics=["map"])
    assert matching(stage.g, stage.player(YARA), "hearth") == 2
    stage.run(conspiracy(stage.g, stage.player(YARA)))
    assert stage.asked() == {YARA: "conspiracy"}


# Recover


def test_a_modifier_may_belong_to_the_recovery_of_a_relic(invent: Made) -> None:
    def for_relics(self: object, g: Oath, me: Lying, action: Action) -> Text | None:
        return None if getattr(action, "target", "") == "relic" else Text("it is for relics")

    seen: list[Any] = []
    invent("relic_worship", may_declare=for_relics, reacts=(RelicsTaken,), after=told(RelicsTaken, seen))
    stage = Stage(map=RELICS_LIE).site("drowned_city", relics=["map"]).banner(DARKEST_SECRET, 1)
    stage.seat(YARA, at="drowned_city", favor=3, secrets=3, advisers=["relic_worship"]).act(
        YARA, offer_recover
    )
    assert not [o for o in stage.options(YARA) if "Darkest Secret using" in o]
    stage.does(YARA, "recover relic using relic worship")
    assert (seen[0].relics, seen[0].recovered, seen[0].declared) == (("map",), True, ("relic_worship",))


def test_a_relic_at_a_site_may_be_out_of_reach_there(invent: Made) -> None:
    def locked(query: MayTake) -> None:
        if query.site == 0:
            query.refuse(Text("it is locked for you"))

    invent("ancient_bloodline", modify=on(MayTake, locked))
    stage = Stage(map=("deep_woods", "drowned_city", *RELICS_LIE[2:4], "steppe", *RELICS_LIE[5:]))
    stage.site("deep_woods", relics=["map"]).site("drowned_city", relics=["brass_horse"])
    stage.seat(BELA, advisers=["ancient_bloodline"]).seat(YARA, at="deep_woods", secrets=2, favor=2)
    stage.act(YARA, offer_recover)
    assert "it is locked for you" in stage.refusal(YARA, "recover relic")
    stage.seat(YARA, facedown=["wolves"]).act(YARA, offer_adviser)
    stage.does(YARA, "play adviser wolves", "play to deep woods")
    assert stage.player(YARA).relics == []
    stage.seat(YARA, at="drowned_city").act(YARA, offer_recover).does(YARA, "recover relic")
    assert [r.id for r in stage.player(YARA).relics] == ["brass_horse"]


# Travel


def test_leaving_is_told_before_the_pawn_has_moved(stage: Stage, invent: Made) -> None:
    seen: list[Any] = []

    async def after(self: object, g: Oath, me: Lying, event: Event) -> None:
        assert isinstance(event, Departs)
        seen.append((event.origin, event.destination, event.player.pawn))

    invent("grasping_vines", reacts=(Departs,), after=after)
    stage.site("river", cards=["grasping_vines"], ruler=CARA).seat(YARA, at="river")
    stage.act(YARA, offer_travel).does(YARA, "travel to lush coast")
    assert seen == [(0, 1, 0)]


def test_a_power_that_everybody_may_declare_for_a_toll(stage: Stage, invent: Made) -> None:
    def way(self: object, g: Oath, me: Lying, query: Any) -> None:
        if me.id not in query.declared or query.destination != me.site:
            return
        if isinstance(query, TravelCost):
            query.nothing = True
        else:
            query.tolls.append(me)

    invent("way_station", answers=(TravelCost, MayTravel), modify=way, DECLARES=("travel",), FOR_ALL=True)
    stage.site("wastes", cards=["way_station"], ruler=BELA).seat(YARA, at="river", supply=0, favor=1)
    stage.act(YARA, offer_travel).does(YARA, "travel to wastes using way station")
    assert (stage.player(YARA).pawn, stage.player(BELA).favor) == (stage.slot("wastes"), 1)


# Visions


def test_another_vision_may_count_for_somebody(invent: Made) -> None:
    def prophet(query: Visions) -> None:
        if query.player.name == YARA:
            query.visions.append("rebellion")

    invent("false_prophet", modify=on(Visions, prophet))
    stage = Stage().seat(YARA, advisers=["false_prophet"], banners=[PEOPLES_FAVOR])
    stage.g.visions_drawn = 3
    assert visions_of(stage.g, stage.player(YARA)) == ["rebellion"]
    assert wins_in_wake(stage.g, stage.player(YARA)) == ("rebellion",)
    assert wins_in_wake(stage.g, stage.player(BELA)) == ()


@pytest.mark.parametrize("taken", [True, False])
def test_a_vision_that_is_discarded_may_be_taken(stage: Stage, invent: Made, taken: bool) -> None:
    async def after(self: object, g: Oath, me: Lying, event: Event) -> None:
        assert isinstance(event, VisionDiscarded)
        event.taken = taken

    invent("false_prophet", reacts=(VisionDiscarded,), after=after)
    stage.seat(OREN, advisers=["false_prophet"]).seat(YARA, at="river", vision="faith")
    stage.run(become_citizen(stage.g, stage.player(YARA)))
    assert stage.player(YARA).vision == ""
    assert [c.card.under_seal() for c in stage.g.piles["provinces"]] == ([] if taken else ["faith"])


# what a campaign has taken


def test_what_was_taken_is_known_at_the_end(invent: Made) -> None:
    seen: list[str] = []

    async def hunted(battle: Battle) -> None:
        seen.extend(battle.taken)

    invent("outriders", plan=does(lambda battle: battle.if_won[ATTACKER].append(hunted)))
    stage = steppe().seat(CARA, at="steppe", relics=["map"])
    stage.seat(YARA, advisers=["outriders"]).dice(defense="0 0 0 0", attack="3 3 3")
    fought(stage, "campaign against cara at steppe, map with 3").does(YARA, "plan outriders", "place 1")
    assert seen == ["map"]
