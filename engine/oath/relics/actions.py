"""Relics with an “Action:” (O-7.2)."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial

from ...core.asks import Menu, choose, reveal
from ...core.sealed import Sealed
from ...core.slots import Choice, Chosen, One
from ...core.text import Text
from .. import words
from ..actions.action import Travel
from ..actions.travel import set_out
from ..advisers import within_limit
from ..choices import whether, which_player
from ..discarding import is_locked
from ..empire import uncover
from ..empire_facts import SPACE
from ..events import RelicsTaken, happened
from ..facts import Peeked, RelicTaken, SecretsMoved
from ..forcing import passable, would_pay
from ..hooks import Power
from ..oaths import check_title
from ..powers import asked, power
from ..printed import DENIZENS, NAMES, RELIQUARY, is_vision, suit_of
from ..queries import MayGiveSecrets
from ..relic_facts import AdviserSwapped, SawAdviser, SawDeck, SawSite, TopShown, Tucked
from ..ruling import Lying, rules, suits_at
from ..state import Adviser, Card, Oath, Player, Relic, take_out
from ..taking import tuck_relic
from ..topdeck import look_at_top
from ..verbs import gain_supply

MAP_SUPPLY = 4
PIG_SEES = 3


@power("brass_horse")
class BrassHorse(Power):
    """The top card of the region's pile is shown; then one travels without Supply to a site with a card of its suit,
    or anywhere if there is none."""

    def may_act(self, g: Oath, me: Lying, player: Player) -> Text | None:
        return None if g.piles[g.region(player.pawn)] else Text("no card lies in the pile of your region")

    async def act(self, g: Oath, me: Lying, player: Player) -> None:
        region = g.region(player.pawn)
        top = g.piles[region][-1]
        card, top.card = await reveal(f"top of {region}", top.card, *(p.name for p in g.players))
        g.tell(TopShown(player.name, region, card))
        ways = self._ways(g, player, "" if is_vision(card) else suit_of(card))
        if not ways:
            return
        menu: Menu[Travel] = Menu()
        for way in ways:
            site = words.short_site(g, way.destination)
            menu.add(Text("ride to {site}", site=site), way, id=f"to.{way.destination}", also=(site,))
        prompt = Text("Brass Horse: which site do you travel to?")
        await set_out(await choose(player.name, "brass-horse", menu, prompt, section="O-7.2"))

    def _ways(self, g: Oath, player: Player, suit: str) -> list[Travel]:
        """Open ways to matching sites; to all others where no other site matches."""
        others = [n for n in range(len(g.map)) if n != player.pawn]
        matching = [n for n in others if suit and suit in suits_at(g, n)]
        allowed = tuple(matching or others)
        ways = []
        for n in allowed:
            way = Travel(g, player, n, free=True)
            way.among = allowed
            if passable(way):
                ways.append(way)
        return ways


@power("dowsing_sticks")
class DowsingSticks(Power):
    """The top relic is kept, or goes under the relic deck."""

    def may_act(self, g: Oath, me: Lying, player: Player) -> Text | None:
        return why_no_relic_drawn(g)

    async def act(self, g: Oath, me: Lying, player: Player) -> None:
        await draw_relic(g, player)


def why_no_relic_drawn(g: Oath) -> Text | None:
    """Why no relic can be drawn; None if one can."""
    return None if g.world.relics.under_seal() else Text("the relic deck is empty")


async def draw_relic(g: Oath, player: Player) -> None:
    """The top relic, seen by its drawer alone, is kept or goes under the deck."""
    top = Sealed(g.world.relics.under_seal()[0])
    relic, _ = await reveal(f"dowsing {player.name}", top, player.name)
    menu: Menu[bool] = Menu()
    menu.add(Text("keep {relic}", relic=words.thing(relic)), True, id="keep", also=(Text("keep it"),))
    menu.add(Text("tuck it under"), False, id="tuck", also=(Text("tuck"),))
    # the question is read by everybody, so it names no relic
    prompt = Text("Do you keep the relic that you drew, or tuck it under the relic deck?")
    kept = await choose(player.name, "dowsing", menu, prompt, section="O-7.2")
    g.world.relics = g.world.relics.changed(lambda deck: deck[1:])
    if not kept:
        tuck_relic(g, relic)
        g.tell(Tucked(player.name, hidden=relic))
        return
    player.relics.append(Relic(relic))
    g.tell(RelicTaken(player.name, relic))
    await happened(g, RelicsTaken(player, (relic,)))
    await check_title(g)


@power("horned_mask")
class HornedMask(Power):
    """A faceup adviser and a card at one's site change places, tokens and all; neither is played by that."""

    def may_act(self, g: Oath, me: Lying, player: Player) -> Text | None:
        if not self._advisers(g, player):
            return Text("you have no faceup adviser that may go to a site")
        return None if self._cards(g, player) else Text("no card at your site may become an adviser")

    def _advisers(self, g: Oath, player: Player) -> list[Adviser]:
        return [
            a
            for a in player.advisers
            if a.shown
            and DENIZENS[a.shown].restriction != "adviser_only"
            and not is_locked(g, player, Lying(a.shown, a, None, player))
        ]

    def _cards(self, g: Oath, player: Player) -> list[Card]:
        return [
            c
            for c in g.map[player.pawn].cards
            if c.id in DENIZENS
            and DENIZENS[c.id].restriction != "site_only"
            and not is_locked(g, player, Lying(c.id, c, player.pawn, None))
        ]

    async def act(self, g: Oath, me: Lying, player: Player) -> None:
        def advisers(chosen: Chosen) -> list[Choice]:
            return [Choice(a.shown, words.thing(a.shown), a) for a in self._advisers(g, player)]

        def cards(chosen: Chosen) -> list[Choice]:
            return [Choice(c.id, words.thing(c.id), c) for c in self._cards(g, player)]

        menu: Menu[tuple[Adviser, Card]] = Menu()
        menu.command(
            Text("exchange {adviser} for {card}"),
            lambda adviser, card: (adviser, card),
            One("adviser", Text("adviser"), advisers),
            One("card", Text("card"), cards),
            id="exchange",
        )
        prompt = Text("Horned Mask: which adviser changes places with which card?")
        adviser, card = await choose(player.name, "horned-mask", menu, prompt, section="O-7.2")
        _swap(g, player, adviser, card)
        await within_limit(g, player)


def _swap(g: Oath, player: Player, adviser: Adviser, card: Card) -> None:
    there = g.map[player.pawn].cards
    everybody = tuple(p.name for p in g.players)
    at = next(n for n, one in enumerate(there) if one is card)
    to = next(n for n, one in enumerate(player.advisers) if one is adviser)
    there[at] = Card(adviser.shown, False, adviser.favor, adviser.secrets)
    player.advisers[to] = Adviser(Sealed(card.id, everybody), False, card.id, card.favor, card.secrets)
    g.tell(AdviserSwapped(player.name, adviser.shown, card.id, g.map[player.pawn].shown))


Look = Callable[[], Awaitable[None]]


@power("ivory_eye")
class IvoryEye(Power):
    """A look at one facedown site, one facedown adviser of anybody, or one relic at any site."""

    def may_act(self, g: Oath, me: Lying, player: Player) -> Text | None:
        return (
            None if self._looks(g, player).options else Text("nothing lies face down that you have not seen")
        )

    def _looks(self, g: Oath, player: Player) -> Menu[Look]:
        menu: Menu[Look] = Menu()
        for n, there in enumerate(g.map):
            site = words.short_site(g, n)
            if not there.shown and not there.site.seen_by(player.name):
                menu.add(Text("look at {site}", site=site), partial(_see_site, g, player, n), id=f"site.{n}")
            for k, relic in enumerate(there.relics):
                if not relic.seen_by(player.name):
                    said = Text("look at relic {n} at {site}", site=site, n=k + 1)
                    menu.add(said, partial(_see_relic, g, player, n, k), id=f"relic.{n}.{k}")
        for other in g.players:
            for k, adviser in enumerate(other.advisers):
                if not adviser.shown and not adviser.card.seen_by(player.name):
                    said = Text("look at adviser {n} of {who}", who=other.name, n=k + 1)
                    menu.add(said, partial(_see_adviser, g, player, other, adviser), id=f"{other.name}.{k}")
        return menu

    async def act(self, g: Oath, me: Lying, player: Player) -> None:
        menu = self._looks(g, player)
        look = await choose(
            player.name, "ivory-eye", menu, Text("Ivory Eye: what do you look at?"), section="O-7.2"
        )
        await look()


async def _see_site(g: Oath, player: Player, n: int) -> None:
    there, region = g.map[n], g.region(n)
    place = [k for k in range(len(g.map)) if g.region(k) == region].index(n)
    site, there.site = await reveal(f"site {n}", there.site, player.name)
    g.tell(SawSite(player.name, region, place, site))


async def _see_relic(g: Oath, player: Player, n: int, k: int) -> None:
    there = g.map[n]
    relic, there.relics[k] = await reveal(f"relic {n} {k}", there.relics[k], player.name)
    g.tell(Peeked(player.name, relic, NAMES[there.shown]))


async def _see_adviser(g: Oath, player: Player, owner: Player, adviser: Adviser) -> None:
    card, adviser.card = await reveal(f"adviser of {owner.name}", adviser.card, player.name)
    g.tell(SawAdviser(player.name, owner.name, card))


@power("map")
class Map(Power):
    """It goes under the relic deck, for four Supply."""

    async def act(self, g: Oath, me: Lying, player: Player) -> None:
        assert isinstance(me.thing, Relic)
        take_out(player.relics, me.thing)
        tuck_relic(g, self.id)
        g.tell(Tucked(player.name, self.id))
        gain_supply(g, player, MAP_SUPPLY)
        await check_title(g)


@power("oracular_pig")
class OracularPig(Power):
    """A secret look at the top three cards of the world deck; nothing is drawn."""

    def may_act(self, g: Oath, me: Lying, player: Player) -> Text | None:
        return None if g.world.deck.under_seal() else Text("the world deck is empty")

    async def act(self, g: Oath, me: Lying, player: Player) -> None:
        g.tell(SawDeck(player.name, await look_at_top(g, player, PIG_SEES, f"pig {player.name}")))


@power("skeleton_key")
class SkeletonKey(Power):
    """Where the Chancellor rules one's site: a look at one relic of the Reliquary, which may be taken."""

    def may_act(self, g: Oath, me: Lying, player: Player) -> Text | None:
        if not rules(g, g.chancellor, player.pawn):
            return Text("the Chancellor does not rule your site")
        return None if any(space is not None for space in g.reliquary) else Text("the Reliquary is empty")

    async def act(self, g: Oath, me: Lying, player: Player) -> None:
        menu: Menu[int] = Menu()
        for n, sealed in enumerate(g.reliquary):
            if sealed is not None:
                menu.add(SPACE[RELIQUARY[n]], n, id=RELIQUARY[n])
        prompt = Text("Skeleton Key: which space of the Reliquary do you open?")
        n = await choose(player.name, "skeleton-key", menu, prompt, section="O-7.2")
        sealed = g.reliquary[n]
        assert sealed is not None
        relic, g.reliquary[n] = await reveal(f"reliquary {RELIQUARY[n]}", sealed, player.name)
        g.tell(Peeked(player.name, relic, ""))
        prompt = Text("Skeleton Key: do you take the relic on {space}?", space=SPACE[RELIQUARY[n]])
        if await whether(player, "key-takes", prompt, "O-12.6"):
            await uncover(g, player, RELIQUARY[n], taken=True)
            await check_title(g)


@power("whistle")
class Whistle(Power):
    """Somebody's pawn at another site must travel here without Supply, if it can; its player then gets the secret."""

    def may_act(self, g: Oath, me: Lying, player: Player) -> Text | None:
        return None if self._callable(g, player) else Text("no pawn could travel to your site")

    def _callable(self, g: Oath, player: Player) -> list[Player]:
        return [p for p in g.from_(player) if passable(self._way(g, p, player.pawn))]

    def _way(self, g: Oath, who: Player, site: int) -> Travel:
        way = Travel(g, who, site, free=True)
        way.forced = True
        return way

    async def act(self, g: Oath, me: Lying, player: Player) -> None:
        prompt = Text("Whistle: whose pawn travels to your site?")
        who = await which_player(player, prompt, "O-7.2", self._callable(g, player))
        assert who is not None
        way = self._way(g, who, player.pawn)
        if not await would_pay(g, way):
            return
        await set_out(way)
        assert isinstance(me.thing, Relic)
        given = me.thing.secrets
        may_give = asked(g, MayGiveSecrets(player=player)).why is None
        if given and may_give and who.pawn == player.pawn:
            me.thing.secrets = 0
            who.secrets += given
            g.tell(SecretsMoved(player.name, given, self.id, who.name))
