"""Battle plans: first the attacker's, then those of the defending side (O-6.4)."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from ...core.asks import Kind, Menu, choose, together
from ...core.text import Text
from .. import words
from ..actions.declaring import pay_cost, why_not_affordable, why_not_used
from ..battle import ATTACKER, DEFENDER, Battle
from ..battle_facts import PlanLapsed, PlanUsed
from ..battle_queries import MayUsePlan, PlanCost
from ..hooks import Power
from ..powers import POWERS, asked, cost_of, in_force
from ..printed import DENIZENS, EDIFICES, RELICS, Cost
from ..queries import RulesCard
from ..ruling import Lying, rulers
from ..state import BANDITS, Oath, Player
from ..verbs import means

Plan = tuple[Power, Lying]
Before = tuple[tuple[str, str], ...]
"""Plans that a side uses already: id and user."""

_OTHER_SIDE = {
    ATTACKER: Text("it is a plan for those who defend (O-6.4.2)"),
    DEFENDER: Text("it is a plan for those who attack (O-6.4.2)"),
}
_YOU_ARE_ATTACKED = Text(
    "{attacker} attacks you: attack dice {attack}, defense dice {defense}. Which battle plan do you use next?"
)
_YOU_HELP = Text(
    "{attacker} attacks {defender}, and you defend too: attack dice {attack}, defense dice {defense}. Which battle plan"
    " do you use next?"
)
_USED = Text("it is used already (O-6.4.1)")
_NO_FAVOR = Text("it costs {n} favor, you have {held} left (O-8.2)")
_NO_SECRETS = Text(
    "it costs {n} secret face up, you have {held} left (O-8.2)",
    "it costs {n} secrets face up, you have {held} left (O-8.2)",
)


# which plans there are


def side_of_plan(id: str) -> str:
    """O-6.4.2: `attacker`, `defender` or `both`, as printed."""
    if id in DENIZENS:
        return DENIZENS[id].side
    if id in RELICS:
        return RELICS[id].side
    sides = EDIFICES[id.removesuffix("_ruined")]
    return (sides.ruined if id.endswith("_ruined") else sides.intact).side


def _for_side(g: Oath, side: str) -> list[Plan]:
    """Everything faceup that is a battle plan of a side."""
    return [
        (power, lying)
        for power, lying in in_force(g, POWERS.with_plan())
        if side_of_plan(lying.id) in (side, "both")
    ]


def ruled_by(battle: Battle, user: Player | None, lying: Lying) -> bool:
    """O-6.4.1, O-6.3.1: whether somebody rules a plan's card in this campaign; None: the bandits (HR-05)."""
    if user is None:
        return lying.site is not None and rulers(battle.g, lying.site) == (BANDITS,)
    ruled = lying.ruled_by(battle.g, user)
    if lying.holder is None:
        ruled = lying.site is not None and battle.rules(user, lying.site)
    return asked(battle.g, RulesCard(player=user, lying=lying, rules=ruled)).rules


def plans_of(battle: Battle, user: Player | None) -> list[Plan]:
    """The plans that somebody rules and that are for their side."""
    return [p for p in _for_side(battle.g, battle.side_of(user)) if ruled_by(battle, user, p[1])]


def total_cost(battle: Battle, user: Player | None, lying: Lying) -> Cost:
    """What a plan asks, with what enemies' cards add to it."""
    own = cost_of(lying.id)
    more = asked(battle.g, PlanCost(battle=battle, player=user, lying=lying))
    return msgspec.structs.replace(
        own,
        favor=own.favor + more.favor,
        secret=own.secret + more.secrets,
        burn_favor=own.burn_favor + more.burn_favor,
    )


# whether one may be used


def permission(battle: Battle, user: Player | None, plan: Plan, before: Before) -> MayUsePlan:
    """Whether a plan may be used after those that its side uses already."""
    power, lying = plan
    cost = total_cost(battle, user, lying)
    side = battle.side_of(user)
    query = MayUsePlan(battle=battle, player=user, side=side, lying=lying, cost=cost, before=before)
    if any(id == lying.id for id, _ in before):
        query.refuse(_USED)
    asked(battle.g, query)
    why = power.may_plan(battle.g, lying, battle, user)
    if why is not None:
        query.refuse(why)
    return query


def why_not(
    battle: Battle, user: Player, plan: Plan, before: Before, promised: Sequence[Cost]
) -> Text | None:
    """Why a player may not use a plan now, with so much promised to other plans; None if it may be used."""
    may = permission(battle, user, plan, before)
    if may.why is not None:
        return may.why
    why = why_not_affordable(battle.g, user, plan[1], may.cost, plan=True)
    if why is None:
        why = _why_promised(battle.g, user, may.cost, promised)
    return why if why is not None else why_not_used(battle.g, user, may.cost)


def _why_promised(g: Oath, user: Player, cost: Cost, promised: Sequence[Cost]) -> Text | None:
    favor = means(g, user) - sum(c.favor + c.burn_favor for c in promised)
    secrets = user.secrets - sum(c.secret + c.burn_secret for c in promised)
    if cost.favor + cost.burn_favor > favor:
        return _NO_FAVOR.filled(n=cost.favor + cost.burn_favor, held=favor)
    if cost.secret + cost.burn_secret > secrets:
        return _NO_SECRETS.filled(n=cost.secret + cost.burn_secret, held=secrets)
    return None


def _before(battle: Battle, side: str) -> Before:
    return tuple(battle.used[side])


async def use(battle: Battle, user: Player | None, plan: Plan) -> None:
    """O-6.4.3: the cost is paid, then the plan works."""
    power, lying = plan
    cost = total_cost(battle, user, lying)
    if user is not None:
        pay_cost(battle.g, user, lying, cost)
    battle.used[battle.side_of(user)].append((lying.id, user.name if user else ""))
    battle.g.tell(PlanUsed(user.name if user else "", lying.id))
    await power.plan(battle.g, lying, battle, user)


# the attacker's


def kind_for(battle: Battle, player: Player) -> Kind:
    """What a question of the campaign is to the deadlines of a player."""
    return "turn" if player is battle.g.active else "reaction"


async def attackers_plans(battle: Battle) -> None:
    """O-6.4.1: one after the other, until the attacker is done or has none that may be used."""
    me = battle.attacker
    while battle.decided is None:
        menu = _plan_menu(battle, me, _before(battle, ATTACKER), ())
        if len(menu.open()) == 1:
            return
        plan = await _asked_for(battle, me, menu, Text("Which battle plan do you use next for your attack?"))
        if plan is None:
            return
        await use(battle, me, plan)


def _plan_menu(battle: Battle, user: Player, before: Before, promised: Sequence[Cost]) -> Menu[Plan | None]:
    """The plans that a player rules, open or barred, and an end of it."""
    menu: Menu[Plan | None] = Menu()
    for power, lying in plans_of(battle, user):
        why = why_not(battle, user, (power, lying), before, promised)
        card = words.thing(lying.id)
        menu.add(
            Text("plan {card}", card=card),
            (power, lying),
            id=f"plan.{lying.id}",
            unless=[(True, why)] if why is not None else (),
            also=(card, Text("use {card}", card=card)),
        )
    menu.add(Text("done"), None, id="done", also=(Text("no plan"), Text("no more plans")))
    return menu


def _explain_others(battle: Battle, user: Player, menu: Menu[Plan | None]) -> None:
    """Plans that a player rules and that are for the other side, so that whoever writes one is told why not."""
    side = battle.side_of(user)
    for power, lying in _for_side(battle.g, DEFENDER if side == ATTACKER else ATTACKER):
        if side_of_plan(lying.id) != "both" and ruled_by(battle, user, lying):
            card = words.thing(lying.id)
            menu.add(
                Text("plan {card}", card=card),
                (power, lying),
                id=f"plan.{lying.id}",
                unless=[(True, _OTHER_SIDE[side])],
                also=(card, Text("use {card}", card=card)),
            )


async def _asked_for(battle: Battle, user: Player, menu: Menu[Plan | None], prompt: Text) -> Plan | None:
    _explain_others(battle, user, menu)
    return await choose(
        user.name,
        "battle-plan",
        menu,
        prompt,
        section="O-6.4",
        kind=kind_for(battle, user),
        personal=True,
        attack_dice=battle.attack_dice,
        defense_dice=battle.defense_dice,
    )


# the defending side's


async def defenders_plans(battle: Battle) -> None:
    """O-6.4: the bandits use what is free; players are asked all at once and served in order: the defender first,
    then the Allies clockwise. Asked is who has a plan that may be used, and all that lies face up."""
    if battle.decided is not None:
        return
    if battle.defender is None:
        await _bandits_plans(battle)
        return
    asked_now = [p for p in battle.defenders() if len(_plan_menu(battle, p, (), ()).open()) > 1]
    if not asked_now:
        return
    chosen = await together({p.name: _chosen_plans(battle, p) for p in asked_now}, "battle-plans")
    for player in asked_now:
        for plan in chosen[player.name]:
            await _use_if_still(battle, player, plan)


async def _chosen_plans(battle: Battle, user: Player) -> list[Plan]:
    """One player's plans, in the order in which they are used; nothing is paid before all have chosen."""
    chosen: list[Plan] = []
    while True:
        before = tuple((lying.id, user.name) for _, lying in chosen)
        promised = [total_cost(battle, user, lying) for _, lying in chosen]
        menu = _plan_menu(battle, user, before, promised)
        if len(menu.open()) == 1:
            return chosen
        plan = await _asked_for(battle, user, menu, _defend(battle, user))
        if plan is None:
            return chosen
        chosen.append(plan)


def _defend(battle: Battle, user: Player) -> Text:
    """The question to the defender, or to an Ally: who attacks whom, and how strongly so far."""
    assert battle.defender is not None
    whole = _YOU_ARE_ATTACKED if user.name == battle.defender.name else _YOU_HELP
    return whole.filled(
        attacker=battle.attacker.name,
        defender=battle.defender.name,
        attack=battle.attack_dice,
        defense=battle.defense_dice,
    )


async def _use_if_still(battle: Battle, user: Player, plan: Plan) -> None:
    """O-6.4.4: a plan at a purple site goes to the first who pays; what comes too late is told."""
    late = battle.decided is not None or not ruled_by(battle, user, plan[1])
    if late or why_not(battle, user, plan, _before(battle, DEFENDER), ()) is not None:
        battle.g.tell(PlanLapsed(user.name, plan[1].id))
        return
    await use(battle, user, plan)


async def _bandits_plans(battle: Battle) -> None:
    """O-6.4.5, HR-05: every plan without a cost at all sites that they rule; one that bars others comes first."""
    free = [p for p in plans_of(battle, None) if total_cost(battle, None, p[1]).free]
    free.sort(key=lambda p: not permission(battle, None, p, ()).alone)
    for plan in free:
        if permission(battle, None, plan, _before(battle, DEFENDER)).why is None and battle.decided is None:
            await use(battle, None, plan)
