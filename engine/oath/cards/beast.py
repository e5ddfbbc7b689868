"""Beast denizens."""

from __future__ import annotations

from ...core.text import Text
from .. import words
from ..battle import Battle
from ..battle_queries import AttackForce, MayUsePlan
from ..choices import whether, which_card, which_player
from ..discarding import discard_at_site, is_locked
from ..empire import become_citizen
from ..events import Play
from ..facts import CardMoved
from ..hooks import Power
from ..oaths import check_title
from ..powers import power
from ..printed import DENIZENS
from ..queries import MayTravel, MusterCost, PileWithinReach, Query, SkipsSites, TradeGain, TravelCost
from ..ruling import Lying, faceup_suits, rules, suits_at
from ..state import Adviser, Card, Oath, Player, take_out
from ..verbs import kill_on_board

MANY_DICE = 4  # Rangers
_UNITED = Text("with warbands on the board nobody leaves a site that they rule (Vow of Union)")
_TRUE_NAMED = Text("{who} knows its true name: True Names bars plans of {suit}")


@power("animal_playmates")
class AnimalPlaymates(Power):
    """This Muster costs no Supply if the card used is a Beast card."""

    ANSWERS = (MusterCost,)

    def modify(self, g: Oath, me: Lying, query: Query) -> None:
        if isinstance(query, MusterCost) and me.id in query.declared and query.card.suit == "beast":
            query.nothing = True


@power("errand_boy")
class ErrandBoy(Power):
    """This Search may draw from the discard pile of another region."""

    ANSWERS = (PileWithinReach,)

    def modify(self, g: Oath, me: Lying, query: Query) -> None:
        if isinstance(query, PileWithinReach) and me.id in query.declared and query.source != "world":
            query.allowed = True


@power("forest_paths")
class ForestPaths(Power):
    """Travel that ends at a site with a Beast card costs no Supply, and site powers are ignored."""

    ANSWERS = (TravelCost, SkipsSites)

    def modify(self, g: Oath, me: Lying, query: Query) -> None:
        if not isinstance(query, (TravelCost, SkipsSites)) or me.id not in query.declared:
            return
        if "beast" not in suits_at(g, query.destination) or not g.map[query.destination].shown:
            return
        if isinstance(query, TravelCost):
            query.nothing = True
        else:
            query.skips = True


@power("long_lost_heir")
class LongLostHeir(Power):
    """An Exile may become a Citizen without an offer (O-12.2.4): no relic, full Supply, the Act phase ends."""

    async def when_played(self, g: Oath, me: Lying, play: Play) -> None:
        if play.player.role != "exile":
            return
        prompt = Text("Long-Lost Heir: do you become a Citizen? Your Act phase ends then.")
        if await whether(play.player, "long-lost-heir", prompt, "O-12.2.4"):
            await become_citizen(g, play.player)
            await check_title(g)


@power("rangers")
class Rangers(Power):
    """Skulls kill nothing; two attack dice more against a defense pool of four dice or more, as it is now."""

    async def plan(self, g: Oath, me: Lying, battle: Battle, user: Player | None) -> None:
        battle.no_skulls = True
        if battle.defense_dice >= MANY_DICE:
            battle.change_pool(battle.side_of(user), 2)


@power("roving_terror")
class RovingTerror(Power):
    """This card moves to another site in exchange for a denizen there, which is discarded first."""

    def may_act(self, g: Oath, me: Lying, player: Player) -> Text | None:
        if me.site is None:
            return Text("it lies at no site")
        return None if self._prey(g, me, player) else Text("no denizen at another site may be discarded")

    def _prey(self, g: Oath, me: Lying, player: Player) -> list[tuple[int, Card]]:
        return [
            (n, card)
            for n in g.faceup()
            if n != me.site
            for card in g.map[n].cards
            if card.id in DENIZENS and not is_locked(g, player, Lying(card.id, card, n, None))
        ]

    async def act(self, g: Oath, me: Lying, player: Player) -> None:
        prompt = Text("Roving Terror: which denizen is discarded, to make its place free?")
        found = await which_card(g, player, prompt, "O-7.2", self._prey(g, me, player))
        assert found is not None
        assert isinstance(me.thing, Card)
        assert me.site is not None
        site, prey = found
        discard_at_site(g, player, site, prey)
        take_out(g.map[me.site].cards, me.thing)
        g.map[site].cards.append(me.thing)
        g.tell(CardMoved(player.name, me.id, g.map[site].shown))


@power("the_old_oak")
class TheOldOak(Power):
    """Trading with this card for secrets brings one more with at least one Beast adviser."""

    ANSWERS = (TradeGain,)

    def modify(self, g: Oath, me: Lying, query: Query) -> None:
        if not isinstance(query, TradeGain) or me.id not in query.declared or query.card is not me.thing:
            return
        if query.goods == "secrets" and "beast" in query.suits:
            query.more += 1


@power("true_names")
class TrueNames(Power):
    """The holder's enemies in a campaign may use no battle plan of a suit among the holder's faceup advisers."""

    MUST = True
    ANSWERS = (MayUsePlan,)

    def modify(self, g: Oath, me: Lying, query: Query) -> None:
        if not isinstance(query, MayUsePlan) or me.holder is None or not query.battle.takes_part(me.holder):
            return
        if query.side == query.battle.side_of(me.holder):
            return
        thing = query.lying.thing
        suit = thing.suit if isinstance(thing, (Card, Adviser)) else ""
        if suit and suit in faceup_suits(me.holder):
            query.refuse(_TRUE_NAMED.filled(who=me.holder.name, suit=words.SUIT[suit]))


@power("vow_of_union")
class VowOfUnion(Power):
    """When the holder attacks, warbands at all sites that they rule fight too; bandits there bring dice alone. With
    warbands on the board they do not travel away from a site that they rule, whoever makes them."""

    ANSWERS = (AttackForce, MayTravel)

    def modify(self, g: Oath, me: Lying, query: Query) -> None:
        if isinstance(query, AttackForce) and query.battle.attacker is me.holder:
            query.sites += [n for n in range(len(g.map)) if query.battle.rules(query.battle.attacker, n)]
        elif isinstance(query, MayTravel) and query.player is me.holder and self._stays(g, query):
            query.refuse(_UNITED)

    def _stays(self, g: Oath, query: MayTravel) -> bool:
        return query.player.warbands > 0 and rules(g, query.player, query.origin)


@power("wolves")
class Wolves(Power):
    """One warband on a player's board is killed."""

    def may_act(self, g: Oath, me: Lying, player: Player) -> Text | None:
        return None if any(p.warbands for p in g.players) else Text("no warband stands on any board")

    async def act(self, g: Oath, me: Lying, player: Player) -> None:
        prompt = Text("Wolves: on whose board is a warband killed?")
        prey = await which_player(player, prompt, "O-7.2", [p for p in g.players if p.warbands])
        assert prey is not None
        kill_on_board(g, prey, 1)
