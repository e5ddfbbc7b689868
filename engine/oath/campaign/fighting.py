"""The dice, skulls and sacrifices (O-6.5 to O-6.7)."""

from __future__ import annotations

from ...core.asks import Menu, choose
from ...core.text import Text
from ..battle import ATTACKER, DEFENDER, Battle
from ..battle_facts import AttackRolled, CampaignDecided, DefenseRolled, PoolsFinal, Sacrificed
from ..battle_queries import BanditsDefend, SacrificeValue
from ..powers import asked
from ..queries import Bandits
from ..rolling import ATTACK, DEFENSE, roll_dice, shields, swords
from .forces import each_apart, kill_from
from .plans import kind_for


async def fight(battle: Battle) -> None:
    """O-6.6, O-6.7, E-14: the defense is rolled first, then the attack; skulls kill before all else."""
    battle.g.tell(PoolsFinal(battle.attack_dice, battle.defense_dice))
    await roll_defense(battle)
    await roll_attack(battle)
    await skulls(battle)
    await sacrifice(battle)
    battle.won = battle.attack > battle.defense  # O-6.7.3: a tie goes to the defender
    _tell(battle, by_roll=True)


def decide(battle: Battle) -> None:
    """The campaign is decided without a roll."""
    battle.won = battle.decided == ATTACKER
    _tell(battle, by_roll=False)


def _tell(battle: Battle, *, by_roll: bool) -> None:
    against = battle.defender.name if battle.defender else ""
    battle.g.tell(
        CampaignDecided(
            battle.attacker.name, against, bool(battle.won), battle.attack, battle.defense, by_roll
        )
    )


async def roll_defense(battle: Battle) -> None:
    """O-6.6: shields, warbands at targeted sites and on boards near; against bandits one for each site."""
    g = battle.g
    battle.shields = await roll_dice(g, battle.defender, DEFENSE, DEFENSE, battle.defense_dice)
    scored = shields(battle.shields, tuple(battle.worthless))
    force = battle.force(DEFENDER) + bandits(battle)
    battle.defense = scored + force
    g.tell(DefenseRolled(battle.shields, scored, force, battle.defense))


def bandits(battle: Battle) -> int:
    """O-6.6.2, O-13.1: those at the targeted sites, if they fight for the defender."""
    do = asked(battle.g, BanditsDefend(battle=battle, do=battle.defender is None)).do
    sites = battle.target_sites() if do else []
    return sum(asked(battle.g, Bandits(site=n, base=1)).value for n in sites)


async def roll_attack(battle: Battle) -> None:
    """O-6.7.2."""
    g = battle.g
    battle.faces = await roll_dice(g, battle.attacker, ATTACK, ATTACK, battle.attack_dice)
    battle.attack = swords(battle.faces, tuple(battle.worthless), battle.rolls_count)
    g.tell(AttackRolled(battle.attacker.name, battle.faces, battle.attack))


async def skulls(battle: Battle) -> None:
    """O-6.7.1, HR-07: each kills one of the attacker's force; those beyond it do nothing more."""
    count = 0 if battle.no_skulls else battle.faces.count("skull") * battle.rolls_count
    await kill_from(battle, ATTACKER, each_apart(battle, ATTACKER), count)


async def sacrifice(battle: Battle) -> None:
    """O-6.7.4: none, or exactly as many as make the attack one higher than the defense."""
    me, needed = battle.attacker, sacrifice_needed(battle)
    if not needed or needed > battle.force(ATTACKER):
        return
    menu: Menu[bool] = Menu()
    menu.add(Text("sacrifice {n}", n=needed), True, id="sacrifice", also=(Text("sacrifice"), Text("yes")))
    menu.add(Text("sacrifice nothing"), False, id="none", also=(Text("sacrifice none"), Text("no")))
    prompt = Text(
        "Your attack is {attack}, the defense {defense}. If you sacrifice {n} of your force of {force}, you win.",
        attack=battle.attack,
        defense=battle.defense,
        n=needed,
        force=battle.force(ATTACKER),
    )
    if not await choose(
        me.name,
        "sacrifice",
        menu,
        prompt,
        section="O-6.7.4",
        kind=kind_for(battle, me),
        personal=True,
        needed=needed,
        force=battle.force(ATTACKER),
    ):
        return
    battle.attack += needed * _value(battle)
    battle.g.tell(Sacrificed(me.name, needed, battle.attack))
    await kill_from(battle, ATTACKER, each_apart(battle, ATTACKER), needed)


def sacrifice_needed(battle: Battle) -> int:
    """How many warbands it takes to win; 0 where none are needed, or none may be sacrificed."""
    short = battle.defense + 1 - battle.attack
    value = _value(battle)
    return -(-short // value) if short > 0 and value > 0 else 0


def _value(battle: Battle) -> int:
    return asked(battle.g, SacrificeValue(battle=battle, base=battle.sacrifice_value)).value
