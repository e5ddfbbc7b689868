"""Relics, each at work once at least, and the Grand Scepter."""

from __future__ import annotations

from pbem.engine.core.text import english
from pbem.engine.oath import cards as _cards
from pbem.engine.oath import relics as _relics
from pbem.engine.oath import sites as _sites
from pbem.engine.oath.actions.minor import offer_adviser, offer_peeks, offer_powers
from pbem.engine.oath.actions.recovering import offer_recover
from pbem.engine.oath.actions.searching import offer_search
from pbem.engine.oath.actions.trading import offer_trading
from pbem.engine.oath.actions.travel import offer_travel
from pbem.engine.oath.actions.warbands import offer_warbands
from pbem.engine.oath.battle import Battle
from pbem.engine.oath.campaign.offering import offer_campaign
from pbem.engine.oath.empire import offer_empire
from pbem.engine.oath.printed import DARKEST_SECRET, SITES
from pbem.engine.oath.ruling import face_up, pays_for, rulers
from pbem.engine.oath.views import view

from .inventing import ATTACK, fought, steppe
from .positions import BELA, CARA, MAP, OREN, RELIQUARY, YARA, Stage, count
from .relic_positions import deck, with_relic

assert _cards
assert _relics
assert _sites


# Bandit Crown


def crowned(who: str = CARA, *, citizen: bool = False) -> Stage:
    return with_relic("bandit_crown", Stage().title(OREN), who).seat(who, at="river", citizen=citizen)


def test_bandit_crown_rules_the_sites_without_warbands() -> None:
    stage = crowned(YARA).site("steppe", ruler=BELA)
    assert rulers(stage.g, stage.slot("wastes")) == (YARA,)
    assert rulers(stage.g, stage.slot("steppe")) == (BELA,), "not those of enemies"
    assert pays_for(stage.g, stage.slot("wastes")) is stage.player(YARA)


def test_bandit_crown_of_a_citizen_makes_them_imperial() -> None:
    stage = crowned(YARA, citizen=True)
    assert rulers(stage.g, stage.slot("wastes")) == (CARA, YARA)
    assert pays_for(stage.g, stage.slot("wastes")) is stage.player(CARA)
    assert stage.g.map[stage.slot("wastes")].warbands == 0


def test_bandit_crown_defends_with_the_bandit_who_does_not_die() -> None:
    stage = crowned().seat(YARA, at="steppe", warbands=5).dice(attack="3 3 3", defense="0")
    stage.act(YARA, offer_campaign)
    assert stage.refusal(YARA, "campaign against bandits at steppe with 3")
    stage.does(YARA, "campaign against cara at steppe with 3")
    assert [line for line in stage.heard() if "and 1 for its force make 1." in line]
    assert not [line for line in stage.heard() if "killed" in line]
    stage = crowned().site("steppe", ruler=CARA, warbands=1).seat(YARA, at="steppe", warbands=5)
    fought(stage.dice(defense="0"))
    assert [line for line in stage.heard() if "and 2 for its force make 2." in line]


def test_bandit_crown_lets_the_last_warband_leave() -> None:
    stage = crowned(YARA).site("river", ruler=YARA).act(YARA, offer_warbands).does(YARA, "pick up 1")
    assert stage.player(YARA).warbands == 1
    assert rulers(stage.g, 0) == (YARA,)
    count(stage)


def test_bandit_crown_is_the_citizens_alone_while_they_attack_the_empire() -> None:
    stage = crowned(YARA, citizen=True)
    battle = Battle(stage.g, stage.player(YARA), stage.player(CARA))
    assert battle.rules(stage.player(YARA), stage.slot("wastes"))
    assert not battle.rules(stage.player(CARA), stage.slot("wastes"))


# Book of Records


def test_book_of_records_turns_the_favor_of_a_play_into_a_secret() -> None:
    stage = with_relic("book_of_records").seat(YARA, at="river", facedown=["elders"])
    stage.act(YARA, offer_adviser).does(YARA, "play adviser elders", "play to river")
    assert (stage.player(YARA).favor, stage.player(YARA).secrets) == (0, 1)
    assert stage.g.banks["nomad"] == 3
    count(stage)


def test_book_of_records_binds_its_holder_only_and_leaves_the_homeland_alone() -> None:
    stage = with_relic("book_of_records", None, BELA).seat(YARA, at="river", facedown=["elders"])
    stage.act(YARA, offer_adviser).does(YARA, "play adviser elders", "play to river")
    assert (stage.player(YARA).favor, stage.player(YARA).secrets) == (1, 0)
    home = next(id for id, site in SITES.items() if site.homeland and site.homeland.reward == "favor")
    stage = with_relic("book_of_records", Stage(map=(home, *MAP[1:])))
    stage.seat(YARA, at=home, facedown=["wayside_inn"])
    stage.act(YARA, offer_adviser).does(YARA, "play adviser wayside inn", "play to " + SITES[home].name)
    assert (stage.player(YARA).favor, stage.player(YARA).secrets) == (1, 1)


# Circlet of Command


def commanded() -> Stage:
    stage = steppe(cards=["wolves"]).seat(CARA, at="steppe", relics=["circlet_of_command", "map"])
    return stage.banner(DARKEST_SECRET, 1, CARA)


def test_circlet_of_command_forbids_its_holders_things_as_targets_but_not_itself() -> None:
    stage = commanded().act(YARA, offer_campaign)
    for thing in ("map", "darkest secret", "grand scepter"):
        assert "Circlet of Command" in stage.refusal(YARA, f"campaign against cara at steppe, {thing} with 3")
    stage.does(YARA, "campaign against cara at steppe, circlet of command with 3")
    assert "Before battle plans: attack dice 3, defense dice 2." in stage.heard()


def test_circlet_of_command_makes_the_pawn_one_die_dearer() -> None:
    stage = fought(commanded(), "campaign against cara at steppe, pawn with 3")
    plain = fought(steppe().seat(CARA, at="steppe"), "campaign against cara at steppe, pawn with 3")
    assert "Before battle plans: attack dice 3, defense dice 3." in plain.heard()
    assert "Before battle plans: attack dice 3, defense dice 4." in stage.heard()


def test_circlet_of_command_bars_others_from_recovering_and_not_its_holder() -> None:
    stage = commanded().seat(YARA, secrets=4, supply=7).act(YARA, offer_recover)
    assert "Circlet of Command" in stage.refusal(YARA, "recover the darkest secret with 2")
    stage = commanded().seat(CARA, secrets=4, supply=7).act(CARA, offer_recover)
    stage.does(CARA, "recover the darkest secret with 2")
    assert stage.g.banners[DARKEST_SECRET].tokens == 2


# Cracked Horn


def test_cracked_horn_puts_what_is_discarded_under_the_world_deck() -> None:
    stage = with_relic("cracked_horn").seat(YARA, at="river", supply=7)
    deck(stage, "elders", "tents", "faith")
    stage.act(YARA, offer_search).does(
        YARA, "search world using cracked horn", "keep elders", "faith", "discard"
    )
    assert stage.g.world.deck.under_seal()[-3:] == ["tents", "faith", "elders"], "each lower"
    assert stage.g.visions_drawn == 1
    assert not any(stage.g.piles.values())
    assert "Yara puts a denizen on the bottom of the world deck." in stage.heard(BELA)
    assert "Yara puts Tents on the bottom of the world deck." in stage.heard(YARA)


def test_cracked_horn_takes_advisers_that_make_room_too() -> None:
    stage = with_relic("cracked_horn").seat(
        YARA, at="river", supply=7, advisers=["wolves", "scryer", "rangers"]
    )
    deck(stage, "elders", "tents", "errand_boy")
    stage.act(YARA, offer_search).does(YARA, "search world using cracked horn", "keep elders", "tents")
    stage.does(YARA, "play elders as adviser discarding wolves")
    assert stage.g.world.deck.under_seal()[-1] == "wolves"


def test_without_the_cracked_horn_declared_cards_go_to_the_pile() -> None:
    stage = with_relic("cracked_horn").seat(YARA, at="river", supply=7)
    deck(stage, "elders", "tents", "errand_boy")
    stage.act(YARA, offer_search).does(YARA, "search world", "keep elders", "tents", "keep it")
    assert len(stage.g.piles["provinces"]) == 2


# Cup of Plenty


def test_cup_of_plenty_trades_for_nothing_in_an_advisers_suit() -> None:
    stage = with_relic("cup_of_plenty").site("river", cards=["wolves", "elders"])
    stage.seat(YARA, at="river", secrets=2, supply=0, advisers=["rangers"]).act(YARA, offer_trading)
    assert stage.refusal(YARA, "trade with elders for favor using cup of plenty")
    stage.does(YARA, "trade with wolves for favor using cup of plenty")
    assert (stage.player(YARA).favor, stage.player(YARA).supply) == (2, 0)


# Cursed Cauldron


def test_cursed_cauldron_brings_a_warband_for_each_that_was_killed() -> None:
    stage = with_relic("cursed_cauldron", Stage().site("steppe", ruler=CARA, warbands=4).title(OREN))
    stage.seat(YARA, at="steppe", warbands=5).dice(attack="3 3 3 3 3", defense="0")
    fought(stage, ATTACK.replace("3", "5")).does(YARA, "plan cursed cauldron", "place 0")
    assert stage.player(CARA).warbands == 2
    assert stage.player(YARA).warbands == 5 + 2
    count(stage)


def test_cursed_cauldron_counts_skulls_for_a_defender_and_nothing_in_defeat() -> None:
    stage = with_relic("cursed_cauldron", steppe(), CARA).dice(attack="5 0 0", defense="2")
    stage.seat(CARA, warbands=0)
    fought(stage).does(CARA, "plan cursed cauldron").does(YARA, "sacrifice nothing")
    assert stage.player(YARA).warbands == 2, "one to the skull, two of four to the defeat"
    assert stage.player(CARA).warbands == 3
    stage = with_relic("cursed_cauldron", steppe(), CARA).dice(attack="3 3 3", defense="0")
    fought(stage).does(CARA, "plan cursed cauldron").does(YARA, "place 0")
    assert stage.player(CARA).warbands == 1
    count(stage)


def test_cursed_cauldron_brings_a_citizen_purple_ones_in_a_civil_war_too() -> None:
    stage = with_relic("cursed_cauldron", Stage().site("steppe", ruler=CARA, warbands=4).title(OREN))
    stage.seat(YARA, at="steppe", citizen=True, warbands=5).dice(attack="3 3 3 3 3", defense="0")
    fought(stage, ATTACK.replace("3", "5")).does(YARA, "plan cursed cauldron", "place 0")
    assert stage.player(YARA).warbands == 5 + 2
    count(stage)


# Dragonskin Drum


def test_dragonskin_drum_brings_a_warband_after_a_travel_that_declares_it() -> None:
    stage = with_relic("dragonskin_drum").seat(YARA, at="river", supply=7).act(YARA, offer_travel)
    stage.does(YARA, "travel to steppe using dragonskin drum")
    assert stage.player(YARA).warbands == 1
    stage.act(YARA, offer_travel).does(YARA, "travel to wastes")
    assert (stage.player(YARA).warbands, stage.asked()) == (1, {})


def test_dragonskin_drum_is_offered_where_somebody_else_makes_one_travel() -> None:
    stage = with_relic("dragonskin_drum", with_relic("whistle", None, BELA)).seat(YARA, at="steppe")
    stage.seat(BELA, at="wastes", secrets=1).act(BELA, offer_powers).does(BELA, "use whistle", "yara")
    assert stage.asked() == {YARA: "dragonskin-drum"}
    stage.does(YARA, "yes")
    assert stage.player(YARA).warbands == 1


# Grand Mask


def masked(active: str = YARA) -> Stage:
    stage = with_relic("grand_mask").site("steppe", ruler=CARA, cards=["elders", "horse_archers"])
    stage.seat(YARA, at="river", favor=2, warbands=2).seat(CARA, at="wastes", favor=2)
    return stage.act(active, offer_powers)


def test_grand_mask_rules_the_cards_at_imperial_sites_in_the_holders_turn() -> None:
    stage = masked().does(YARA, "use elders")
    assert stage.player(YARA).secrets == 1
    assert "use Elders" in masked(CARA).options(CARA)


def test_grand_mask_helps_no_citizen_and_no_battle_plan() -> None:
    stage = with_relic("grand_mask").site("steppe", ruler=CARA, cards=["elders", "horse_archers"])
    stage.site("wastes", ruler=BELA).seat(YARA, at="wastes", warbands=3).seat(CARA, at="steppe", warbands=1)
    fought(stage, "campaign against bela at wastes with 3")
    assert stage.asked().get(YARA) != "battle-plan"
    assert stage.g.player(YARA).role == "exile"


def test_grand_mask_takes_those_cards_from_the_empire() -> None:
    stage = masked()
    elders, archers = face_up(stage.g, "elders"), face_up(stage.g, "horse_archers")
    assert elders is not None
    assert archers is not None
    cara, yara = stage.player(CARA), stage.player(YARA)
    assert (elders.ruled_by(stage.g, yara), elders.ruled_by(stage.g, cara)) == (True, False)
    assert (archers.ruled_by(stage.g, yara), archers.ruled_by(stage.g, cara)) == (False, True)
    stage.turn(CARA)
    assert (elders.ruled_by(stage.g, yara), elders.ruled_by(stage.g, cara)) == (False, True)


# Obsidian Cage


def caged() -> Stage:
    stage = with_relic("obsidian_cage", Stage().site("steppe", ruler=BELA, warbands=4).title(OREN))
    stage.seat(YARA, at="steppe", warbands=5).dice(attack="3 3 3 3 3", defense="0")
    fought(stage, "campaign against bela at steppe with 5")
    return stage.does(YARA, "plan obsidian cage", "place 0")


def test_obsidian_cage_holds_what_is_left_of_the_enemy() -> None:
    stage = caged()
    assert stage.player(YARA).relics[0].caged == {"blue": 2}
    assert (stage.player(BELA).warbands, stage.player(BELA).bank) == (0, 12)
    count(stage)


def test_obsidian_cage_lets_them_go_to_a_board_of_their_colour() -> None:
    stage = caged().act(YARA, offer_powers).does(YARA, "use obsidian cage")
    assert stage.refusal(YARA, "give oren 1")
    stage.does(YARA, "give bela 1")
    assert (stage.player(BELA).warbands, stage.player(YARA).relics[0].caged) == (1, {"blue": 1})
    stage.act(YARA, offer_powers).does(YARA, "use obsidian cage", "give bela 1").act(YARA, offer_powers)
    assert "no warband lies on it" in stage.refusal(YARA, "use obsidian cage")
    count(stage)


def test_obsidian_cage_gives_back_the_warbands_of_a_new_citizen_as_purple_ones() -> None:
    stage = (
        caged()
        .act(CARA, offer_empire)
        .does(CARA, "offer citizenship to bela with brutal")
        .does(BELA, "accept")
    )
    assert (stage.player(BELA).warbands, stage.player(BELA).banner_colour) == (2, "purple")
    assert not any(stage.player(YARA).relics[0].caged.values())
    count(stage)


# Ring of Devotion


def test_ring_of_devotion_musters_two_more_and_places_none() -> None:
    stage = with_relic("ring_of_devotion").site("steppe", ruler=YARA, cards=["wolves"])
    stage.seat(YARA, at="steppe", favor=1, supply=7).act(YARA, offer_trading).does(YARA, "muster on wolves")
    assert stage.player(YARA).warbands == 4
    stage.act(YARA, offer_warbands)
    assert "Ring of Devotion" in stage.refusal(YARA, "put down 1")


def test_ring_of_devotion_leaves_a_won_site_to_the_bandits() -> None:
    stage = with_relic("ring_of_devotion", steppe()).dice(attack="3 3 3", defense="0")
    fought(stage)
    assert stage.asked() == {}
    assert stage.g.map[stage.slot("steppe")].warbands == 0


# Sticky Fire


def fire(**more: list[str]) -> Stage:
    stage = with_relic("sticky_fire", Stage().site("steppe", ruler=CARA, warbands=4).title(OREN))
    stage.seat(YARA, at="steppe", warbands=5, favor=1).dice(attack="3 3 3 3 3", defense="0")
    stage.seat(CARA, advisers=more.get("advisers", []))
    fought(stage, ATTACK.replace("3", "5")).does(YARA, "plan sticky fire")
    for card in more.get("advisers", []):
        stage.does(CARA, f"plan {card.replace('_', ' ')}")
    return stage.does(YARA, "place 0")


def test_sticky_fire_kills_what_is_left_for_one_favor() -> None:
    stage = fire()
    assert stage.asked() == {YARA: "sticky-fire"}
    stage.does(YARA, "yes")
    assert (stage.player(CARA).warbands, stage.player(CARA).favor, stage.player(YARA).favor) == (0, 1, 0)
    count(stage)


def test_sticky_fire_may_be_let_be() -> None:
    stage = fire().does(YARA, "no")
    assert (stage.player(CARA).warbands, stage.player(CARA).favor) == (2, 0)


def test_sticky_fire_costs_its_favor_though_a_doctor_saves_them() -> None:
    stage = fire(advisers=["traveling_doctor"]).does(YARA, "yes")
    assert (stage.player(CARA).warbands, stage.player(CARA).favor) == (4, 1)


def test_sticky_fire_pays_the_defender_alone_of_the_empire() -> None:
    stage = with_relic("sticky_fire", Stage().site("steppe", ruler=CARA, warbands=2).title(OREN))
    stage.seat(YARA, at="steppe", warbands=10, favor=2).seat(CARA, at="steppe", warbands=2)
    stage.seat(BELA, at="steppe", citizen=True, warbands=2)
    fought(
        stage.dice(attack="3 3 3 3 3 3 3 3 3 3", defense="0"), "campaign against bela at steppe with 10"
    ).does(YARA, "plan sticky fire")
    stage.does(CARA, "lose 2").does(YARA, "place 0", "yes")
    assert (stage.player(CARA).warbands, stage.player(BELA).warbands) == (0, 0)
    assert (stage.player(CARA).favor, stage.player(BELA).favor, stage.player(YARA).favor) == (0, 1, 1)
    count(stage)


def test_sticky_fire_of_a_defeated_side_does_nothing() -> None:
    stage = with_relic("sticky_fire", steppe(), CARA).dice(attack="3 3 3", defense="0")
    fought(stage).does(CARA, "plan sticky fire").does(YARA, "place 0")
    assert stage.asked() == {}
    assert stage.player(YARA).warbands == 5


# Truthful Harp


def test_truthful_harp_draws_two_more_for_all_to_see() -> None:
    stage = with_relic("truthful_harp").seat(YARA, at="river", supply=7)
    deck(stage, "elders", "tents", "scryer", "wolves", "errand_boy")
    stage.act(YARA, offer_search).does(YARA, "search world using truthful harp")
    shown = "Yara shows everybody the cards: Elders, Tents, Scryer, Wolves and Errand Boy."
    assert shown in stage.heard(BELA)
    stage.does(YARA, "keep scryer", "elders", "tents", "wolves", "keep it")
    assert "Yara keeps Scryer, as all can see." in stage.heard(BELA)
    assert stage.player(YARA).advisers[0].card.open(BELA) == "scryer"
    assert stage.player(YARA).advisers[0].shown == ""


def test_truthful_harp_still_stops_at_a_vision_and_may_be_left_out() -> None:
    stage = with_relic("truthful_harp").seat(YARA, at="river", supply=7)
    deck(stage, "elders", "faith", "tents", "scryer", "wolves")
    stage.act(YARA, offer_search).does(YARA, "search world using truthful harp")
    assert len(stage.player(YARA).hand.open(BELA)) == 2
    stage = with_relic("truthful_harp").seat(YARA, at="river", supply=7).act(YARA, offer_search)
    stage.does(YARA, "search world")
    assert len(stage.player(YARA).hand.open(YARA)) == 3
    assert not stage.player(YARA).hand.seen_by(BELA)


# the Grand Scepter


def test_grand_scepter_taken_in_a_campaign_rests_in_that_turn() -> None:
    stage = steppe().seat(CARA, at="steppe").dice(attack="3 3 3 3 3", defense="0 0 0 0 0 0")
    fought(stage, "campaign against cara at steppe, grand scepter with 5").does(YARA, "place 1")
    assert stage.player(YARA).relic("grand_scepter")
    stage.act(YARA, offer_empire, offer_peeks)
    assert "taken in this turn" in stage.refusal(YARA, "offer citizenship to bela with brutal")
    assert stage.refusal(YARA, "look into the reliquary")
    stage.g.scepter_taken = False
    stage.act(YARA, offer_empire, offer_peeks).does(YARA, "look into the reliquary")
    assert all(space is not None and space.seen_by(YARA) for space in stage.g.reliquary)


def test_grand_scepter_given_may_be_used_at_once() -> None:
    stage = Stage().site("river", cards=["tinkers_fair"]).seat(YARA, at="river", favor=1)
    stage.act(YARA, offer_powers).does(YARA, "use tinker's fair")
    stage.does(YARA, "propose to cara giving 1 favor asking the grand scepter").does(CARA, "accept")
    stage.act(YARA, offer_empire, offer_peeks).does(YARA, "look into the reliquary")
    assert stage.g.reliquary[0] is not None
    assert stage.g.reliquary[0].open(YARA) == RELIQUARY[0]


def test_bandit_crown_is_seen_where_sites_without_warbands_are_shown() -> None:
    sites = [site for region in view(crowned(YARA).g, OREN).regions for site in region.sites]
    assert [english(site.ruler) for site in sites if site.ruler is not None] == [YARA] * 8
