"""Modifiers that are declared at the start of a major action (O-8.5), and what a power's use costs (O-8.2)."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Sequence
from typing import Any, TypeVar

from ...core.asks import Menu, choose
from ...core.slots import Choice, Chosen, Many
from ...core.text import Text
from .. import words
from ..hooks import Power
from ..powers import POWERS, asked, cost_of, in_force
from ..printed import Cost
from ..queries import MayUse
from ..ruling import Lying
from ..state import Adviser, Card, Oath, Player
from ..verbs import burn_favor, burn_secrets, lay, means
from .action import Action

_NO_FAVOR = Text("it costs {n} favor, you have {held} (O-8.2)")
_NO_SECRETS = Text(
    "it costs {n} secret face up, you have {held} (O-8.2)",
    "it costs {n} secrets face up, you have {held} (O-8.2)",
)
_OCCUPIED = Text("tokens lie on it already (O-8.2)")


def suit_under(lying: Lying) -> str:
    """The suit whose bank gets favor that is laid on a card out of turn; none for relics."""
    return lying.thing.suit if isinstance(lying.thing, (Card, Adviser)) else ""


def why_not_affordable(
    g: Oath, player: Player, lying: Lying, cost: Cost, *, plan: bool = False
) -> Text | None:
    """O-8.2: why a power's cost cannot be paid; None if it can. Battle plans may lie on occupied cards (O-6.4.3)."""
    favor = cost.favor + cost.burn_favor
    if favor and favor > means(g, player):
        return _NO_FAVOR.filled(n=favor, held=means(g, player))
    if cost.secret + cost.burn_secret > player.secrets:
        return _NO_SECRETS.filled(n=cost.secret + cost.burn_secret, held=player.secrets)
    if cost.lays and not plan and lying.thing is not None and not lying.thing.empty:
        return _OCCUPIED
    return None


def pay_cost(g: Oath, player: Player, lying: Lying, cost: Cost) -> None:
    """O-8.2, O-8.3: tokens onto the card, others to the shared bank."""
    if cost.burn_favor:
        burn_favor(g, player, cost.burn_favor)
    if cost.burn_secret:
        burn_secrets(g, player, cost.burn_secret)
    if cost.lays:
        assert lying.thing is not None
        lay(g, player, lying.id, lying.thing, suit_under(lying), favor=cost.favor, secrets=cost.secret)


def why_not_used(g: Oath, player: Player, cost: Cost) -> Text | None:
    """Why a power with such a cost may not be used at all (Spell Breaker and the like)."""
    return None if cost.free else asked(g, MayUse(player=player, cost=cost)).why


A = TypeVar("A", bound=Action)
Modifier = tuple[Power, Lying]
Deed = Callable[[], Coroutine[Any, Any, None]]
"""What a command comes to, ready to be carried out."""


def modifiers(g: Oath, me: Player, name: str) -> list[Modifier]:
    """The modifiers that a player may declare for an action of that name now, each once; musts apply unasked."""
    return [
        (power, lying)
        for power, lying in in_force(g, POWERS.declared_for(name))
        if _has_access(g, me, power, lying) and _may_pay(g, me, lying)
    ]


def _has_access(g: Oath, me: Player, power: Power, lying: Lying) -> bool:
    """O-8.1; a site's power is for those whose pawn is there."""
    return power.FOR_ALL or (lying.open_to(g, me) if lying.thing is not None else lying.site == me.pawn)


def _may_pay(g: Oath, me: Player, lying: Lying) -> bool:
    cost = cost_of(lying.id)
    return why_not_affordable(g, me, lying, cost) is None and why_not_used(g, me, cost) is None


def using(
    found: Sequence[Modifier],
    making: Callable[[Chosen, tuple[str, ...]], A],
    why_not: Callable[[A], Text | None],
) -> Many:
    """The part of a command that declares modifiers: `using tents and portal`; `making` gives the action with some of
    them declared, `why_not` says what is against it."""

    def elements(chosen: Chosen) -> list[Choice]:
        return [Choice(lying.id, words.thing(lying.id), (power, lying)) for power, lying in found]

    def check(chosen: Chosen, those: tuple[Modifier, ...]) -> Text | None:
        action = making(chosen, tuple(lying.id for _, lying in those))
        return why_not_declared(action, those) or why_not(action)

    return Many("using", Text("cards that change it"), elements, 1, len(found), check)


def why_none(slot: Many, chosen: Chosen, plain: Text) -> Text | None:
    """Why no set of the modifiers will do; of a single one its own reason is told, of several that of the action
    without them."""
    if any(slot.legal(chosen)):
        return None
    only = slot.elements(chosen)
    return slot.check(chosen, (only[0].value,)) if len(only) == 1 else plain


def why_not_declared(action: Action, those: Sequence[Modifier]) -> Text | None:
    """Why these may not be declared together; what they cost is owed from here on."""
    g, me = action.g, action.player
    costs = [cost_of(lying.id) for _, lying in those]
    action.owed_favor = sum(c.favor + c.burn_favor for c in costs)
    action.owed_secrets = sum(c.secret + c.burn_secret for c in costs)
    if action.owed_favor > means(g, me):
        return _NO_FAVOR.filled(n=action.owed_favor, held=means(g, me))
    if action.owed_secrets > me.secrets:
        return _NO_SECRETS.filled(n=action.owed_secrets, held=me.secrets)
    reasons = (power.may_declare(g, lying, action) for power, lying in those)
    return next((why for why in reasons if why is not None), None)


async def declare(action: Action, chosen: Sequence[Modifier]) -> None:
    """O-8.5: each once, paid as it is declared; what a modifier changes it changes in the questions that follow."""
    for modifier in chosen:
        await _declare(action, modifier)
    while (lent := _lent(action)) and (more := await _which_lent(action, lent)) is not None:
        await _declare(action, more)


async def _declare(action: Action, modifier: Modifier) -> None:
    power, lying = modifier
    pay_cost(action.g, action.player, lying, cost_of(lying.id))
    action.declared = (*action.declared, lying.id)
    await power.declare(action.g, lying, action)


def _lent(action: Action) -> list[Modifier]:
    """Modifiers of cards that a declared one has put in the place of the player's own."""
    g, me, found = action.g, action.player, []
    offered = POWERS.declared_for(action.name)
    for lying in action.lent:
        power = offered.get(lying.id)
        if power is None or lying.id in action.declared or not _may_pay(g, me, lying):
            continue
        if power.may_declare(g, lying, action) is None:
            found.append((power, lying))
    return found


async def _which_lent(action: Action, lent: Sequence[Modifier]) -> Modifier | None:
    menu: Menu[Modifier | None] = Menu()
    for power, lying in lent:
        card = words.thing(lying.id)
        menu.add(Text("use {card}", card=card), (power, lying), id=lying.id, also=(card,))
    menu.add(Text("use nothing more"), None, id="done", also=(Text("done"), Text("no")))
    prompt = Text("Which of the cards that stand in for yours do you use too?")
    return await choose(action.player.name, "lent-modifier", menu, prompt, section="O-8.5")
