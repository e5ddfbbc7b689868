"""Relics that are battle plans."""

from __future__ import annotations

from ...core.asks import Menu, choose
from ...core.slots import Choice, Chosen, Number, One
from ...core.text import Text
from ..battle import ATTACKER, DEFENDER, NONE, Battle, Place
from ..campaign.forces import kill
from ..campaign.outcome import loser
from ..campaign.plans import kind_for
from ..choices import whether
from ..empire_facts import WarbandsCaged, WarbandsFreed
from ..hooks import Power
from ..powers import power
from ..ruling import Lying
from ..state import Oath, Player, Relic
from ..verbs import gain_warbands, give_favor


def other_side(battle: Battle, user: Player) -> str:
    """The side of somebody's enemies."""
    return DEFENDER if battle.side_of(user) == ATTACKER else ATTACKER


@power("cursed_cauldron")
class CursedCauldron(Power):
    """If the user wins: a warband for each warband of the enemy that was killed in this campaign."""

    async def plan(self, g: Oath, me: Lying, battle: Battle, user: Player | None) -> None:
        assert user is not None

        async def boil(battle: Battle) -> None:
            gain_warbands(g, user, battle.killed[other_side(battle, user)])

        battle.if_won[battle.side_of(user)].append(boil)


@power("obsidian_cage")
class ObsidianCage(Power):
    """If the user wins, all that is left of the enemy's force goes onto this relic; its Action moves warbands from
    here to boards of their colour."""

    async def plan(self, g: Oath, me: Lying, battle: Battle, user: Player | None) -> None:
        assert user is not None
        cage = me.thing
        assert isinstance(cage, Relic)

        async def close(battle: Battle) -> None:
            for name in battle.survivors:
                _cage(g, battle, g.player(name), cage)

        battle.if_won[battle.side_of(user)].append(close)

    def may_act(self, g: Oath, me: Lying, player: Player) -> Text | None:
        assert isinstance(me.thing, Relic)
        return None if any(me.thing.caged.values()) else Text("no warband lies on it")

    async def act(self, g: Oath, me: Lying, player: Player) -> None:
        cage = me.thing
        assert isinstance(cage, Relic)

        def boards(chosen: Chosen) -> list[Choice]:
            free = [p for p in g.players if cage.caged.get(p.banner_colour)]
            return [Choice(p.name, Text("{who}", who=p.name), p) for p in free]

        menu: Menu[tuple[Player, int]] = Menu()
        menu.command(
            Text("give {who} {count}"),
            lambda who, count: (who, count),
            One("who", Text("player"), boards),
            Number(
                "count", Text("number"), lambda chosen: range(1, cage.caged[chosen["who"].banner_colour] + 1)
            ),
            id="free",
        )
        prompt = Text("Obsidian Cage: whose board gets how many of the warbands of its colour?")
        who, count = await choose(player.name, "cage", menu, prompt, section="O-7.2")
        cage.caged[who.banner_colour] -= count
        who.warbands += count
        g.tell(WarbandsFreed(who.name, count))


def _cage(g: Oath, battle: Battle, whose: Player, cage: Relic) -> None:
    n = min(battle.survivors[whose.name], whose.warbands)
    battle.survivors[whose.name] = 0
    if n:
        whose.warbands -= n
        cage.caged[whose.banner_colour] = cage.caged.get(whose.banner_colour, 0) + n
        g.tell(WarbandsCaged(whose.name, n))


@power("sticky_fire")
class StickyFire(Power):
    """If the user wins: they may kill all that is left of the enemy's force, and then give the enemy 1 favor, also
    where a card saves those warbands."""

    async def plan(self, g: Oath, me: Lying, battle: Battle, user: Player | None) -> None:
        assert user is not None

        async def burn(battle: Battle) -> None:
            await self._burn(g, battle, user)

        battle.if_won[battle.side_of(user)].append(burn)

    async def _burn(self, g: Oath, battle: Battle, user: Player) -> None:
        side, survivors = loser(battle), [(who, n) for who, n in battle.survivors.items() if n]
        if not survivors:
            return
        n = sum(n for _, n in survivors)
        prompt = Text(
            "Sticky Fire: do you kill the {n} warband that is left, and give its owner 1 favor?",
            "Sticky Fire: do you kill all {n} warbands that are left, and give their owner 1 favor?",
            n=n,
        )
        if not await whether(user, "sticky-fire", prompt, "O-6.9", kind_for(battle, user)):
            return
        if battle.losses[side] != NONE:
            for who, left in survivors:
                kill(battle, side, Place(board=who), left)
                battle.survivors[who] = 0
        enemy = battle.defender if side == DEFENDER else battle.attacker
        if enemy is not None:
            give_favor(g, user, enemy, 1)
