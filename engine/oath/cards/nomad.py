"""Nomad denizens."""

from __future__ import annotations

from ...core.asks import Kind, Menu, choose
from ...core.text import Text
from .. import words
from ..battle import Battle
from ..choices import which_card
from ..deals import proposals
from ..discarding import is_locked
from ..events import Play
from ..hooks import Power
from ..moving import put_pawn, redistribute, swap_at_sites
from ..powers import power
from ..printed import suit_of
from ..queries import AdviserLimit, FavorGoes, Purse, Query, TravelCost
from ..ruling import Lying, at
from ..state import Card, Oath, Player
from ..verbs import favor_to_bank, gain_secrets, gain_supply, lose_secrets

GATHERED = ("favor", "secrets", "relic", "adviser", "facedown")  # The Gathering
MANY = 99


@power("ancient_binding")
class AncientBinding(Power):
    """Every player burns all of their secrets except one; the user keeps the one on this card."""

    async def act(self, g: Oath, me: Lying, player: Player) -> None:
        for other in g.from_(g.chancellor):
            kept = 0 if other is player else 1
            lose_secrets(g, other, max(0, other.secrets + other.spent - kept))


@power("elders")
class Elders(Power):
    """A secret."""

    async def act(self, g: Oath, me: Lying, player: Player) -> None:
        gain_secrets(g, player, 1)


@power("faithful_friend")
class FaithfulFriend(Power):
    """Four Supply."""

    async def when_played(self, g: Oath, me: Lying, play: Play) -> None:
        gain_supply(g, play.player, 4)


@power("family_wagon")
class FamilyWagon(Power):
    """Any number of Nomad advisers, and one that is none; a facedown one is none (ruling)."""

    ANSWERS = (AdviserLimit,)

    def modify(self, g: Oath, me: Lying, query: Query) -> None:
        if isinstance(query, AdviserLimit) and me.holder is query.player:
            query.at_most(1)
            query.ignored += [a.shown for a in query.player.advisers if a.suit == "nomad"]
            if query.coming and suit_of(query.coming) == "nomad":
                query.ignored.append(query.coming)


@power("great_herd")
class GreatHerd(Power):
    """This card may change places with a Nomad card at another site; neither is played by that (O-8.11)."""

    async def when_played(self, g: Oath, me: Lying, play: Play) -> None:
        assert isinstance(me.thing, Card)
        assert me.site is not None
        herd = [
            (n, card)
            for n in g.faceup()
            if n != me.site
            for card in g.map[n].cards
            if card.suit == "nomad" and not is_locked(g, play.player, Lying(card.id, card, n, None))
        ]
        prompt = Text("Great Herd: with which Nomad card does it change places?")
        found = await which_card(g, play.player, prompt, "O-5.2.6", herd, may_decline=True)
        if found is not None:
            swap_at_sites(g, play.player, (me.site, me.thing), found)


@power("horse_archers")
class HorseArchers(Power):
    """Three attack dice more, or fewer for a defender; this card is discarded at the end."""

    async def plan(self, g: Oath, me: Lying, battle: Battle, user: Player | None) -> None:
        battle.change_pool(battle.side_of(user), 3)
        battle.end_discards.append((self.id, user))


@power("rain_boots")
class RainBoots(Power):
    """Defense faces with a single shield count nothing; this card is discarded at the end."""

    async def plan(self, g: Oath, me: Lying, battle: Battle, user: Player | None) -> None:
        battle.worthless.append("shield")
        battle.end_discards.append((self.id, user))


@power("tents")
class Tents(Power):
    """Travelling within the region costs no Supply."""

    ANSWERS = (TravelCost,)

    def modify(self, g: Oath, me: Lying, query: Query) -> None:
        if not isinstance(query, TravelCost) or me.id not in query.declared:
            return
        if g.region(query.origin) == g.region(query.destination):
            query.nothing = True


@power("the_gathering")
class TheGathering(Power):
    """From the Chancellor on everybody may put their pawn here; then those here, in the same order, may propose
    binding exchanges of favor, secrets, relics and advisers to each other, as many as they like (O-14)."""

    async def when_played(self, g: Oath, me: Lying, play: Play) -> None:
        assert me.site is not None
        for player in g.players:
            if player.pawn != me.site and await _comes(g, player, me.site):
                put_pawn(g, player, me.site)
        prompt = Text("The Gathering: propose exchanges to those who are here, or be done.")
        for player in at(g, me.site):
            others = [p for p in at(g, me.site) if p is not player]
            if others:
                await proposals(g, player, others, GATHERED, prompt, "O-14", most=MANY)


async def _comes(g: Oath, player: Player, site: int) -> bool:
    kind: Kind = "turn" if player is g.active else "reaction"
    menu: Menu[bool] = Menu()
    menu.add(Text("come"), True, id="come", also=(Text("yes"),))
    menu.add(Text("stay away"), False, id="stay", also=(Text("no"), Text("stay")))
    prompt = Text("The Gathering is at {site}. Do you put your pawn there?", site=words.site(g, site))
    return await choose(player.name, "gathering", menu, prompt, section="O-5.2.6", kind=kind)


@power("vow_of_kinship")
class VowOfKinship(Power):
    """The holder's favor lies in the Nomad bank: what they have goes there, what they get goes there, and they may pay
    out of it. Nobody makes them, and nobody takes it from them there."""

    ANSWERS = (FavorGoes, Purse)

    async def when_played(self, g: Oath, me: Lying, play: Play) -> None:
        favor_to_bank(g, play.player, "nomad", play.player.favor)

    def modify(self, g: Oath, me: Lying, query: Query) -> None:
        if isinstance(query, FavorGoes) and me.holder is query.player:
            query.bank = "nomad"
        elif isinstance(query, Purse) and me.holder is query.player:
            query.banks.append("nomad")


@power("warning_signals")
class WarningSignals(Power):
    """The user moves any number of warbands among the own board and the sites that are theirs, one staying wherever
    some are lifted; this card is discarded at the end. Bandits have none to move (HR-05)."""

    async def plan(self, g: Oath, me: Lying, battle: Battle, user: Player | None) -> None:
        battle.end_discards.append((self.id, user))
        if user is not None:
            sites = [n for n in range(len(g.map)) if battle.rules(user, n)]
            await redistribute(g, user, sites, Text("Warning Signals: which warbands do you move?"), "O-6.4")
