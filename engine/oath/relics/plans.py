"""Relics that are battle plans."""

from __future__ import annotations

from ...core.text import Text
from ..battle import ATTACKER, DEFENDER, NONE, Battle, Place
from ..campaign.forces import kill
from ..campaign.outcome import loser
from ..campaign.plans import kind_for
from ..choices import whether
from ..powers import Power, power
from ..ruling import Lying
from ..state import Oath, Player
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
            "Sticky Fire: do you kill all {n} warbands that are left, and give their owner 1 favor?", n=n
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
