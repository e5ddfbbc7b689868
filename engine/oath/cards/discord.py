"""Discord denizens."""

from __future__ import annotations

from functools import partial

from ...core.asks import Menu, choose
from ...core.sealed import Sealed
from ...core.text import Text
from ..actions.declaring import Deed
from ..actions.travel import offer_travel
from ..battle import ATTACKER, Battle
from ..battle_queries import MayPlace
from ..campaign.offering import Start, campaign_freely
from ..card_facts import ProphecyTaken, Prophesied
from ..choices import whether, which_pile, which_player
from ..discarding import discard_seen, look_through
from ..events import CampaignOver, Event, Play, VisionDiscarded
from ..hooks import Power
from ..oaths import check_title
from ..playing import Hand, play_or_discard
from ..powers import asked, power
from ..printed import REGIONS
from ..queries import Query, Visions
from ..ruling import Lying, at, rulers, suits_at
from ..state import Oath, Player
from ..verbs import gain_warbands, kill_at_site, lose_secrets, take_favor, take_secret, to_site

_NO_ORDER = Text("no site among the targets has an Order card")
_NO_PAWN = Text("the defender's pawn is no target")


@power("a_small_favor")
class ASmallFavor(Power):
    """Four warbands."""

    async def when_played(self, g: Oath, me: Lying, play: Play) -> None:
        gain_warbands(g, play.player, 4)


@power("book_burning")
class BookBurning(Power):
    """A victory with the defender's pawn among the targets burns the secrets on their board except one."""

    def may_plan(self, g: Oath, me: Lying, battle: Battle, user: Player | None) -> Text | None:
        return None if battle.targets_pawn() else _NO_PAWN

    async def plan(self, g: Oath, me: Lying, battle: Battle, user: Player | None) -> None:
        battle.if_won[ATTACKER].append(_burn_books)


async def _burn_books(battle: Battle) -> None:
    who = battle.defender
    assert who is not None
    lose_secrets(battle.g, who, max(0, who.secrets + who.spent - 1))


@power("disgraced_captain")
class DisgracedCaptain(Power):
    """Four attack dice if a site that is a target itself has an Order card; once, however many there are."""

    def may_plan(self, g: Oath, me: Lying, battle: Battle, user: Player | None) -> Text | None:
        fits = any("order" in suits_at(g, n) for n in battle.target_sites())
        return None if fits else _NO_ORDER

    async def plan(self, g: Oath, me: Lying, battle: Battle, user: Player | None) -> None:
        battle.change_pool(ATTACKER, 4)


@power("false_prophet")
class FalseProphet(Power):
    """An Exile puts a warband onto a revealed Vision, which from then on counts for them too. If it is discarded the
    warband dies, and the Vision is theirs to play or to discard."""

    ANSWERS = (Visions,)
    REACTS_TO = (VisionDiscarded,)

    async def when_played(self, g: Oath, me: Lying, play: Play) -> None:
        player = play.player
        if player.role != "exile" or not player.bank:
            return
        prompt = Text("False Prophet: on whose Vision do you put a warband?")
        revealed = [p for p in g.from_(player) if p.vision]
        owner = await which_player(player, prompt, "O-5.2.6", revealed)
        if owner is not None:
            player.bank -= 1
            g.prophets[owner.vision] = player.colour
            g.tell(Prophesied(player.name, owner.name, owner.vision))

    def modify(self, g: Oath, me: Lying, query: Query) -> None:
        if not isinstance(query, Visions) or me.holder is not query.player:
            return
        for owner in g.players:
            theirs = g.prophets.get(owner.vision) == query.player.colour
            if theirs and owner.vision not in query.visions:
                query.visions.append(owner.vision)

    async def after(self, g: Oath, me: Lying, event: Event) -> None:
        assert isinstance(event, VisionDiscarded)
        player = me.holder
        if player is None or g.prophets.get(event.vision) != player.colour:
            return
        del g.prophets[event.vision]
        player.bank += 1
        event.taken = True
        player.hand = Sealed((*player.hand.under_seal(), event.vision), (player.name,))
        g.tell(ProphecyTaken(player.name, event.vision))
        hand = Hand(g, player, event.vision, openly=True)
        await play_or_discard(hand, partial(_discard, hand))


async def _discard(hand: Hand) -> None:
    hand.leave()
    discard_seen(hand.g, hand.player, hand.card)


@power("key_to_the_city")
class KeyToTheCity(Power):
    """Unless a pawn of its ruler stands at this site, all warbands here die and one of the player's comes here. At a
    purple site any Imperial pawn is a ruler's (ruling)."""

    async def when_played(self, g: Oath, me: Lying, play: Play) -> None:
        assert me.site is not None
        if any(p.name in rulers(g, me.site) for p in at(g, me.site)):
            return
        kill_at_site(g, me.site, g.map[me.site].warbands)
        gained = gain_warbands(g, play.player, 1)
        if asked(g, MayPlace(player=play.player, site=me.site)).why is None:
            to_site(g, play.player, me.site, gained)
        await check_title(g)


@power("mercenaries")
class Mercenaries(Power):
    """Three attack dice more or fewer; this card is discarded if the user's side is defeated."""

    async def plan(self, g: Oath, me: Lying, battle: Battle, user: Player | None) -> None:
        async def leaves(battle: Battle) -> None:
            battle.end_discards.append((self.id, user))

        side = battle.side_of(user)
        battle.change_pool(side, 3)
        battle.if_lost[side].append(leaves)


@power("naysayers")
class Naysayers(Power):
    """In the Rest, while an Exile has the Oathkeeper title, on either side: 1 favor of the Chancellor's."""

    async def rest(self, g: Oath, me: Lying, player: Player) -> None:
        owner = g.chancellor
        if g.player(g.title).role != "exile" or not owner.favor or player is owner:
            return
        prompt = Text("Naysayers: do you take 1 favor from {who}?", who=owner.name)
        if await whether(player, "naysayers", prompt, "O-4.4"):
            take_favor(g, player, owner, 1)


@power("scryer")
class Scryer(Power):
    """Look secretly through one whole discard pile."""

    def may_act(self, g: Oath, me: Lying, player: Player) -> Text | None:
        return None if any(g.piles.values()) else Text("no card lies in any discard pile")

    async def act(self, g: Oath, me: Lying, player: Player) -> None:
        piles = [region for region in REGIONS if g.piles[region]]
        region = await which_pile(player, Text("Scryer: which discard pile do you look at?"), "O-7.2", piles)
        await look_through(g, player, region, len(g.piles[region]), "scryer")


@power("second_wind")
class SecondWind(Power):
    """After a victory, when all else of the campaign is done: a free Travel, then a free Campaign, each or none."""

    async def plan(self, g: Oath, me: Lying, battle: Battle, user: Player | None) -> None:
        battle.afterwards.append(_go_on)


async def _go_on(battle: Battle) -> None:
    g, me = battle.g, battle.attacker
    if not battle.won or _act_phase_over(g, me):
        return
    menu: Menu[Deed] = Menu()
    offer_travel(menu, g, me, free=True)
    if menu.open():
        menu.add(Text("stay"), _stay, id="stay", also=(Text("no"), Text("nowhere")))
        prompt = Text("Second Wind: you may travel without Supply, and then attack again.")
        deed = await choose(
            me.name,
            "second-wind",
            menu,
            prompt,
            section="O-5.6",
            kind="turn" if me is g.active else "reaction",
        )
        await deed()
    prompt = Text("Second Wind: you may attack again without Supply.")
    await campaign_freely(g, me, Start(g, me, free=True), prompt=prompt)


def _act_phase_over(g: Oath, me: Player) -> bool:
    """Whether another plan has ended the user's own Act phase (Martial Culture)."""
    return me is g.active and g.phase != "act"


async def _stay() -> None:
    """The Travel is let pass."""


@power("sleight_of_hand")
class SleightOfHand(Power):
    """A secret of a player at one's site who has two or more on the board."""

    def may_act(self, g: Oath, me: Lying, player: Player) -> Text | None:
        return None if self._prey(g, player) else Text("nobody else at your site has two secrets")

    def _prey(self, g: Oath, player: Player) -> list[Player]:
        return [p for p in at(g, player.pawn) if p is not player and p.secrets + p.spent > 1]

    async def act(self, g: Oath, me: Lying, player: Player) -> None:
        prompt = Text("Sleight of Hand: from whom do you take a secret?")
        prey = await which_player(player, prompt, "O-7.2", self._prey(g, player))
        assert prey is not None
        take_secret(g, player, prey)


@power("sneak_attack")
class SneakAttack(Power):
    """Directly after another player's Campaign, a Campaign against that player without Supply, in their turn."""

    REACTS_TO = (CampaignOver,)

    async def after(self, g: Oath, me: Lying, event: Event) -> None:
        player, other = me.holder, event.player
        if player is not None and player is not other:
            start = Start(g, player, free=True, only=other)
            prompt = Text("Sneak Attack: you may attack {who} now without Supply.", who=other.name)
            await campaign_freely(g, player, start, prompt=prompt)
