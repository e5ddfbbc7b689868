"""What edifices and their ruins do, by suit (O-8); Forest Temple works in the Chronicle alone (O-18.3)."""

from __future__ import annotations

from ..core.asks import Menu, choose, reveal, shuffle
from ..core.sealed import Sealed
from ..core.slots import Number
from ..core.text import Text
from . import words
from .battle import DEFENDER, Battle
from .battle_queries import MayTarget, TargetDice
from .campaign.plans import ruled_by
from .deals import proposals
from .edifice_facts import DrawnSwapped, PileSwapped, Restored
from .events import BannerTaken, CardsDrawn, EndDieRolled, Event
from .hooks import Power
from .powers import power
from .printed import DENIZENS, PEOPLES_FAVOR, is_vision
from .queries import KeptSite, MayPlay, Query
from .relics.actions import draw_relic, why_no_relic_drawn
from .ruling import Lying, enemies, suits_at
from .state import Card, Oath, PileCard, Player
from .verbs import set_banner

FESTIVE = ("favor", "secrets", "adviser", "facedown")  # Festival District
MOST_SWAPPED = 5  # Fallen Spire

_DEBATED = Text("the Hall of Debate lets nobody target the People's Favor")
_ABANDONED = Text("the Ruined Temple lets enemies of its ruler play no Beast card face up")
_NOT_TARGETED = Text("this site is no target")
_NO_DISPOSSESSED = Text("no card is dispossessed")
_NO_DENIZEN = Text("no denizen lies in the pile of your region")


# Discord


@power("festival_district")
class FestivalDistrict(Power):
    """A binding exchange of favor, secrets and advisers with any one player, wherever they are (O-14)."""

    async def act(self, g: Oath, me: Lying, player: Player) -> None:
        others = [p for p in g.from_(player) if p is not player]
        prompt = Text(
            "Festival District: propose an exchange of favor, secrets and advisers to one player, or be done."
        )
        await proposals(g, player, others, FESTIVE, prompt, "O-14", most=1)


@power("festival_district_ruined")
class SqualidDistrict(Power):
    """Its ruler, if no Citizen, may change the die that may end the game by one; bandits leave it as it is (E-21)."""

    REACTS_TO = (EndDieRolled,)

    async def after(self, g: Oath, me: Lying, event: Event) -> None:
        assert isinstance(event, EndDieRolled)
        ruler = next((p for p in g.players if p.role != "citizen" and me.ruled_by(g, p)), None)
        if ruler is None:
            return
        menu: Menu[int] = Menu()
        menu.add(Text("raise it"), 1, id="raise", also=(Text("raise"),))
        menu.add(Text("lower it"), -1, id="lower", also=(Text("lower"),))
        menu.add(Text("leave it"), 0, id="leave", also=(Text("leave"),))
        prompt = Text(
            "Squalid District: the die that may end the game shows {n}. Do you raise or lower it by one?",
            n=event.result,
        )
        event.result += await choose(
            ruler.name, "squalid-district", menu, prompt, section="O-17.4", kind="reaction"
        )


# Arcane


async def _out_of_the_dispossessed(g: Oath, n: int, coming: list[str]) -> list[str]:
    """So many random cards of the Dispossessed, for which others come."""
    cards = await shuffle("dispossessed", g.world.dispossessed.under_seal())
    g.world.dispossessed = Sealed([*cards[n:], *coming])
    return cards[:n]


@power("great_spire")
class GreatSpire(Power):
    """Any number of the denizens that this Search drew change places with random cards of the Dispossessed; which,
    is chosen before any of them is seen."""

    REACTS_TO = (CardsDrawn,)

    async def after(self, g: Oath, me: Lying, event: Event) -> None:
        assert isinstance(event, CardsDrawn)
        action, player = event.action, event.player
        if me.id not in action.declared:
            return
        gone = await self._chosen(player, action.drawn, len(g.world.dispossessed.under_seal()))
        if not gone:
            return
        come = await _out_of_the_dispossessed(g, len(gone), gone)
        kept = [c for c in action.drawn if c not in gone]
        # with Truthful Harp others have seen what goes, not what comes (note on the card)
        hand, player.hand = await reveal(f"spire {player.name}", Sealed((*kept, *come)), player.name)
        action.drawn = list(hand)
        g.tell(DrawnSwapped(player.name, tuple(gone), tuple(come)))

    async def _chosen(self, player: Player, drawn: list[str], most: int) -> list[str]:
        gone: list[str] = []
        while len(gone) < most:
            menu: Menu[str] = Menu()
            for card in drawn:
                if not is_vision(card) and card not in gone:
                    name = words.thing(card)
                    menu.add(Text("exchange {card}", card=name), card, id=card, also=(name,))
            if not menu.options:
                break
            menu.add(Text("done"), "", id="done")
            # the question is read by everybody, so it names no card
            prompt = Text("Great Spire: which card do you exchange for a random one of the Dispossessed?")
            card = await choose(player.name, "great-spire", menu, prompt, section="O-5.1")
            if not card:
                break
            gone.append(card)
        return gone


@power("great_spire_ruined")
class FallenSpire(Power):
    """Up to five of the topmost denizens of one's region's pile change places with random cards of the Dispossessed;
    nobody sees them, and Visions stay where they are."""

    def may_act(self, g: Oath, me: Lying, player: Player) -> Text | None:
        if not g.world.dispossessed.under_seal():
            return _NO_DISPOSSESSED
        return None if self._denizens(g, player) else _NO_DENIZEN

    def _denizens(self, g: Oath, player: Player) -> list[PileCard]:
        """Those of the pile, topmost first."""
        return [card for card in reversed(g.piles[g.region(player.pawn)]) if not card.vision]

    async def act(self, g: Oath, me: Lying, player: Player) -> None:
        denizens = self._denizens(g, player)
        most = min(MOST_SWAPPED, len(denizens), len(g.world.dispossessed.under_seal()))
        menu: Menu[int] = Menu()
        menu.command(
            Text("exchange {n}"),
            lambda n: n,
            Number("n", Text("number"), lambda chosen: range(1, most + 1)),
            id="exchange",
        )
        prompt = Text("Fallen Spire: how many denizens of the pile do you exchange, unseen?")
        n = await choose(player.name, "fallen-spire", menu, prompt, section="O-7.2")
        gone = [card.card.under_seal() for card in denizens[:n]]
        for place, card in zip(denizens, await _out_of_the_dispossessed(g, n, gone), strict=False):
            place.card = Sealed(card)
        g.tell(PileSwapped(player.name, n, g.region(player.pawn)))


# Order


@power("sprawling_rampart")
class SprawlingRampart(Power):
    """Each site among the targets is one defense die more where the defender, or the bandits, rule this card."""

    ANSWERS = (TargetDice,)

    def modify(self, g: Oath, me: Lying, query: Query) -> None:
        if not isinstance(query, TargetDice) or query.target.kind != "site":
            return
        if ruled_by(query.battle, query.battle.defender, me):
            query.more += 1


@power("sprawling_rampart_ruined")
class BanditRampart(Power):
    """Two attack dice fewer if this site itself is a target; bandits use it too (O-6.4.5)."""

    def may_plan(self, g: Oath, me: Lying, battle: Battle, user: Player | None) -> Text | None:
        return None if me.site in battle.target_sites() else _NOT_TARGETED

    async def plan(self, g: Oath, me: Lying, battle: Battle, user: Player | None) -> None:
        battle.change_pool(DEFENDER, 2)


# Hearth


@power("hall_of_debate")
class HallOfDebate(Power):
    """Nobody can target the People's Favor; it can still be recovered."""

    ANSWERS = (MayTarget,)

    def modify(self, g: Oath, me: Lying, query: Query) -> None:
        if isinstance(query, MayTarget) and query.target.id == PEOPLES_FAVOR:
            query.refuse(_DEBATED)


@power("hall_of_debate_ruined")
class HallOfMockery(Power):
    """A People's Favor that is recovered turns to its Mob side."""

    REACTS_TO = (BannerTaken,)

    async def after(self, g: Oath, me: Lying, event: Event) -> None:
        assert isinstance(event, BannerTaken)
        banner = g.banners[PEOPLES_FAVOR]
        if event.recovered and event.banner == PEOPLES_FAVOR and not banner.mob:
            set_banner(g, PEOPLES_FAVOR, g.player(banner.holder), banner.tokens, mob=True)


# Beast


@power("forest_temple")
class ForestTemple(Power):
    """In the Chronicle all sites with a Beast card are kept, whoever rules them (O-18.3)."""

    ANSWERS = (KeptSite,)

    def modify(self, g: Oath, me: Lying, query: Query) -> None:
        if isinstance(query, KeptSite) and "beast" in suits_at(g, query.site):
            query.kept = True


@power("forest_temple_ruined")
class RuinedTemple(Power):
    """Enemies of its ruler play no Beast card face up; while bandits rule it, nobody does."""

    ANSWERS = (MayPlay,)

    def modify(self, g: Oath, me: Lying, query: Query) -> None:
        if not isinstance(query, MayPlay) or query.where not in ("site", "adviser"):
            return
        if query.card not in DENIZENS or DENIZENS[query.card].suit != "beast":
            return
        rulers = [p for p in g.players if me.ruled_by(g, p)]
        if not rulers or any(enemies(p, query.player) for p in rulers):
            query.refuse(_ABANDONED)


# Nomad


@power("ancient_forge")
class AncientForge(Power):
    """The top relic is kept, or goes under the relic deck."""

    def may_act(self, g: Oath, me: Lying, player: Player) -> Text | None:
        return why_no_relic_drawn(g)

    async def act(self, g: Oath, me: Lying, player: Player) -> None:
        await draw_relic(g, player)


@power("ancient_forge_ruined")
class BrokenForge(Power):
    """It is turned to its intact side; what was paid stays on it."""

    async def act(self, g: Oath, me: Lying, player: Player) -> None:
        assert isinstance(me.thing, Card)
        me.thing.ruined = False
        g.tell(Restored(player.name, self.id, me.thing.id))
