"""Who stands by the defender (O-6.3)."""

from __future__ import annotations

from ...core.asks import Menu, choose, together
from ...core.slots import Choice, Many
from ...core.text import Text
from ..battle import Battle
from ..battle_facts import Joined, StayedOut
from ..state import Player


async def join(battle: Battle) -> None:
    """O-6.3.2: the Chancellor joins unasked; Citizens near if they and the defender agree. Asked is who could join
    by the pawns' places, which all can see."""
    defender = battle.defender
    if defender is None or not battle.imperial(defender):
        return
    willing = await _willing(battle, defender)
    accepted = await _accepted(defender, willing)
    for player in battle.g.players:
        unasked = player.role == "chancellor" and player.name != defender.name
        if unasked or player.name in accepted:
            _joins(battle, defender, player)
    for player in could_join(battle):
        if player.name not in accepted:
            refused = any(p.name == player.name for p in willing)
            battle.g.tell(StayedOut(player.name, defender.name, refused))


def _joins(battle: Battle, defender: Player, player: Player) -> None:
    battle.allies.append(player)
    battle.g.tell(Joined(player.name, defender.name))


def could_join(battle: Battle) -> list[Player]:
    """O-6.3.2: Citizens other than attacker and defender whose pawns are at the attacker's or a targeted site."""
    named = (battle.attacker.name, battle.defender.name if battle.defender else "")
    return [p for p in battle.g.players if p.role == "citizen" and p.name not in named and battle.near(p)]


async def _willing(battle: Battle, defender: Player) -> list[Player]:
    asked = could_join(battle)
    if not asked:
        return []
    answers = await together({p.name: _would_join(battle, defender, p) for p in asked}, "join-defense")
    return [p for p in asked if answers[p.name]]


async def _would_join(battle: Battle, defender: Player, player: Player) -> bool:
    menu: Menu[bool] = Menu()
    menu.add(Text("join the defense"), True, id="join", also=(Text("join"), Text("yes")))
    menu.add(Text("stay out"), False, id="out", also=(Text("do not join"), Text("no")))
    prompt = Text(
        "{attacker} attacks {defender}. Do you join the defense?",
        attacker=battle.attacker.name,
        defender=defender.name,
    )
    return await choose(
        player.name, "join-defense", menu, prompt, section="O-6.3.2", kind="reaction", personal=True
    )


async def _accepted(defender: Player, willing: list[Player]) -> tuple[str, ...]:
    """Names of those whom the defender lets join."""
    if not willing:
        return ()
    menu: Menu[tuple[str, ...]] = Menu()
    elements = [Choice(p.name, Text("{who}", who=p.name), p.name) for p in willing]
    menu.command(
        Text("accept {allies}"),
        lambda allies: tuple(allies),
        Many("allies", Text("Citizens"), lambda chosen: elements, 1, len(elements)),
        id="accept",
        also=(Text("{allies}"),),
    )
    menu.add(Text("accept nobody"), (), id="nobody", also=(Text("nobody"), Text("no")))
    names = tuple(p.name for p in willing)
    prompt = Text("These Citizens would join your defense: {those}. Whom do you accept?", those=names)
    return await choose(
        defender.name, "accept-allies", menu, prompt, section="O-6.3.2", kind="reaction", personal=True
    )
