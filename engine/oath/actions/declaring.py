"""Modifiers that are declared at the start of a major action (O-8.5), and what a power's use costs (O-8.2)."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Sequence
from typing import Any

from ...core.slots import Choice, Chosen, Many
from ...core.text import Text
from .. import words
from ..hooks import Power
from ..powers import asked, cost_of, in_force, kinds_of, modifies
from ..printed import Cost
from ..queries import MayUse
from ..ruling import Lying
from ..state import Adviser, Card, Oath, Player
from ..verbs import burn_favor, burn_secrets, lay
from .action import Action

_NO_FAVOR = Text("it costs {n} favor, you have {held} (O-8.2)")
_NO_SECRETS = Text("it costs {n} secrets face up, you have {held} (O-8.2)")
_OCCUPIED = Text("tokens lie on it already (O-8.2)")


def suit_under(lying: Lying) -> str:
    """The suit whose bank gets favor that is laid on a card out of turn; none for relics."""
    return lying.thing.suit if isinstance(lying.thing, (Card, Adviser)) else ""


def why_not_affordable(player: Player, lying: Lying, cost: Cost, *, plan: bool = False) -> Text | None:
    """O-8.2: why a power's cost cannot be paid; None if it can. Battle plans may lie on occupied cards (O-6.4.3)."""
    if cost.favor + cost.burn_favor > player.favor:
        return _NO_FAVOR.filled(n=cost.favor + cost.burn_favor, held=player.favor)
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


def why_not_used(g: Oath, player: Player, lying: Lying) -> Text | None:
    """Why a power with a cost may not be used at all (Spell Breaker and the like)."""
    if cost_of(lying.id).free:
        return None
    return asked(g, MayUse(player=player, lying=lying)).why


Modifier = tuple[Power, Lying]
Deed = Callable[[], Coroutine[Any, Any, None]]
"""What a command comes to, ready to be carried out."""


def modifiers(g: Oath, me: Player, name: str) -> list[Modifier]:
    """The modifiers that a player may declare for an action of that name now, each once; musts apply unasked."""
    found = []
    for power, lying in in_force(g):
        printed = "modifier" in kinds_of(lying.id) and name in modifies(lying.id) and not power.MUST
        if not printed and not (name in power.DECLARES and lying.site == me.pawn):
            continue
        if not lying.open_to(g, me) or why_not_affordable(me, lying, cost_of(lying.id)):
            continue
        if why_not_used(g, me, lying) is None:
            found.append((power, lying))
    return found


def using(
    me: Player,
    found: Sequence[Modifier],
    fits: Callable[[Chosen, tuple[Modifier, ...]], Text | None],
) -> Many:
    """The part of a command that declares modifiers: `using tents and portal`; `fits` says what is against some."""

    def elements(chosen: Chosen) -> list[Choice]:
        return [Choice(lying.id, words.thing(lying.id), (power, lying)) for power, lying in found]

    def check(chosen: Chosen, those: tuple[Modifier, ...]) -> Text | None:
        costs = [cost_of(lying.id) for _, lying in those]
        favor = sum(c.favor + c.burn_favor for c in costs)
        secrets = sum(c.secret + c.burn_secret for c in costs)
        if favor > me.favor:
            return _NO_FAVOR.filled(n=favor, held=me.favor)
        if secrets > me.secrets:
            return _NO_SECRETS.filled(n=secrets, held=me.secrets)
        return fits(chosen, those)

    return Many("using", Text("cards that change it"), elements, 1, len(found), check)


async def declare(action: Action, chosen: Sequence[Modifier]) -> None:
    """O-8.5: each once, paid as it is declared; what a modifier changes it changes in the questions that follow."""
    for power, lying in chosen:
        pay_cost(action.g, action.player, lying, cost_of(lying.id))
        action.declared = (*action.declared, lying.id)
        await power.declare(action.g, lying, action)
