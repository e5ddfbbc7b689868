"""Hearth denizens."""

from __future__ import annotations

from ...core.text import Text
from ..battle import NONE, Battle
from ..choices import which_adviser, which_bank
from ..deals import proposals
from ..discarding import discard_adviser, is_locked, look_through
from ..events import Event, Play
from ..hooks import Power
from ..powers import power
from ..printed import DARKEST_SECRET, DENIZENS, PEOPLES_FAVOR, SUITS
from ..ruling import Lying
from ..state import Adviser, Oath, Player
from ..verbs import favor_between_banks, favor_from_bank, gain_supply, set_banner

FAIR = ("favor", "secrets", "relic")  # Tinker's Fair
LOOKED_AT = 3  # Tavern Songs


@power("armed_mob")
class ArmedMob(Power):
    """Discard a faceup adviser of whoever holds the Darkest Secret, unless they hold the People's Favor too."""

    def may_act(self, g: Oath, me: Lying, player: Player) -> Text | None:
        return None if self._prey(g, player) else Text("nobody has an adviser that it may discard")

    def _prey(self, g: Oath, player: Player) -> list[tuple[Player, Adviser]]:
        holder = g.banners[DARKEST_SECRET].holder
        if not holder or g.banners[PEOPLES_FAVOR].holder == holder:
            return []
        owner = g.player(holder)
        return [
            (owner, a)
            for a in owner.advisers
            if a.shown and not is_locked(g, player, Lying(a.shown, a, None, owner))
        ]

    async def act(self, g: Oath, me: Lying, player: Player) -> None:
        prompt = Text("Armed Mob: which adviser is discarded?")
        owner, adviser = await which_adviser(player, prompt, "O-7.2", self._prey(g, player))
        discard_adviser(g, player, owner, adviser)


@power("extra_provisions")
class ExtraProvisions(Power):
    """One defense die more."""

    async def plan(self, g: Oath, me: Lying, battle: Battle, user: Player | None) -> None:
        battle.defense_dice += 1


@power("memory_of_home")
class MemoryOfHome(Power):
    """One bank is emptied into the Hearth bank."""

    async def act(self, g: Oath, me: Lying, player: Player) -> None:
        banks = [suit for suit in SUITS if suit != "hearth"]
        bank = await which_bank(player, Text("Memory of Home: which bank goes to Hearth?"), "O-7.2", banks)
        favor_between_banks(g, player, bank, "hearth", g.banks[bank])


@power("storyteller")
class Storyteller(Power):
    """The Darkest Secret grows by one secret out of the shared bank."""

    async def act(self, g: Oath, me: Lying, player: Player) -> None:
        banner = g.banners[DARKEST_SECRET]
        holder = g.player(banner.holder) if banner.holder else None
        set_banner(g, DARKEST_SECRET, holder, banner.tokens + 1)


@power("tavern_songs")
class TavernSongs(Power):
    """Look secretly at the top three cards of the discard pile of one's region."""

    def may_act(self, g: Oath, me: Lying, player: Player) -> Text | None:
        return None if g.piles[g.region(player.pawn)] else Text("no card lies in the pile of your region")

    async def act(self, g: Oath, me: Lying, player: Player) -> None:
        region = g.region(player.pawn)
        await look_through(g, player, region, LOOKED_AT, "tavern songs")


@power("tinkers_fair")
class TinkersFair(Power):
    """A binding exchange of favor, secrets and relics with any one player, wherever they are (O-14)."""

    async def act(self, g: Oath, me: Lying, player: Player) -> None:
        others = [p for p in g.from_(player) if p is not player]
        prompt = Text(
            "Tinker's Fair: propose an exchange of favor, secrets and relics to one player, or be done."
        )
        await proposals(g, player, others, FAIR, prompt, "O-14", most=1)


@power("traveling_doctor")
class TravelingDoctor(Power):
    """If the user's side is defeated, nobody of it dies for that, and this card is discarded at the end."""

    async def plan(self, g: Oath, me: Lying, battle: Battle, user: Player | None) -> None:
        async def leaves(battle: Battle) -> None:
            battle.end_discards.append((self.id, user))

        side = battle.side_of(user)
        battle.loses(side, NONE)
        battle.if_lost[side].append(leaves)


@power("wayside_inn")
class WaysideInn(Power):
    """Two Supply."""

    async def act(self, g: Oath, me: Lying, player: Player) -> None:
        gain_supply(g, player, 2)


@power("welcoming_party")
class WelcomingParty(Power):
    """A denizen played face up out of this Search brings 1 favor from the Hearth bank."""

    REACTS_TO = (Play,)

    async def after(self, g: Oath, me: Lying, event: Event) -> None:
        assert isinstance(event, Play)
        used = me.id in event.declared and event.card in DENIZENS and event.card != me.id
        if used and not event.was_facedown:
            favor_from_bank(g, event.player, "hearth", 1)
