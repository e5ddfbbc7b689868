"""The Campaign from its declaration to its end, step by step (O-6, E-13)."""

from __future__ import annotations

from ...core.asks import publishing
from ..battle import LOST, WON, Battle, published
from ..battle_facts import CampaignDeclared, PoolsCollected, SecretsTurned
from ..battle_queries import Pools
from ..oaths import check_title
from ..powers import asked
from ..verbs import spend
from .fighting import decide, fight
from .joining import join
from .outcome import conclude, defeat, victory
from .plans import attackers_plans, defenders_plans
from .targets import SUPPLY, dice_of, judged

TITLE_DICE = {False: 1, True: 2}
"""O-6.2.5: defense dice of the Oathkeeper, and of the Usurper."""


async def campaign(battle: Battle) -> None:
    """O-6: defender, targets, Allies, pools; battle plans; the roll; defeat; victory; the end."""
    declare(battle)
    await join(battle)
    collect(battle)
    await attackers_plans(battle)
    await defenders_plans(battle)
    for change in battle.before_roll:
        await change(battle)
    if battle.decided is None:
        await fight(battle)
    else:
        decide(battle)
    result = WON if battle.won else LOST
    if battle.attacker is battle.g.active:
        battle.g.fought = result
    await publishing(aftermath(battle), battle.attacker.name, **published(result))


async def aftermath(battle: Battle) -> None:
    """O-6.8 to O-6.10: what comes of it; each question to the attacker says who has won."""
    await defeat(battle)
    if battle.won:
        await victory(battle)
    await check_title(battle.g)
    await conclude(battle)


def declare(battle: Battle) -> None:
    """O-6.1, O-6.2: what was named, and what it costs."""
    g, me = battle.g, battle.attacker
    if not battle.free:
        spend(g, me, SUPPLY)
    flips = judged(battle, battle.targets).flips
    me.secrets -= flips
    me.spent += flips
    things = [g.map[t.site].shown if t.kind == "site" else t.id for t in battle.targets if t.kind != "pawn"]
    against = battle.defender.name if battle.defender else ""
    g.tell(CampaignDeclared(me.name, against, tuple(things), battle.targets_pawn(), battle.attack_dice))
    if flips:
        g.tell(SecretsTurned(me.name, flips))


def collect(battle: Battle) -> None:
    """O-6.2: dice of the targets, of the title, and of what is always on."""
    battle.defense_dice = sum(dice_of(battle, t) for t in battle.targets) + title_dice(battle)
    more = asked(battle.g, Pools(battle=battle))
    battle.attack_dice += more.attack
    battle.defense_dice += more.defense
    if battle.attack_dice < 0:  # HR-08
        battle.defense_dice -= battle.attack_dice
        battle.attack_dice = 0
    battle.g.tell(PoolsCollected(battle.attack_dice, battle.defense_dice))


def title_dice(battle: Battle) -> int:
    """O-6.2.5, O-6.3.3: the title counts for whoever defends, and for an Ally; it is not a battle plan (O-8.7)."""
    g = battle.g
    return TITLE_DICE[g.usurper] if any(p.name == g.title for p in battle.defenders()) else 0
