"""The Rest phase, in its strict order (O-4.4)."""

from __future__ import annotations

from collections.abc import Iterator

from .facts import FavorMoved, RoundBegan, SecretsMoved
from .oaths import end_of_round
from .powers import POWERS, in_force
from .printed import MOST_SUPPLY
from .state import Oath, Player
from .verbs import Holding, gain_supply

BANDS = {
    "chancellor": ((18, 6), (11, 5), (4, 4), (0, 3)),
    "exile": ((9, 6), (4, 5), (0, 4)),
}
"""O-4.5: from so many warbands in the personal bank on, so much Supply; the first that fits."""


async def rest(g: Oath) -> None:
    """O-4.4: favor, secrets, Supply, what was saved, cards that work in the Rest; then the next turn."""
    me = g.active
    return_favor(g, me)
    return_secrets(g, me)
    refresh(g, me)
    for power, lying in in_force(g, POWERS.at_rest()):
        if lying.open_to(g, me):
            await power.rest(g, lying, me)
    await next_turn(g)


def laid(g: Oath) -> Iterator[tuple[str, str, Holding]]:
    """Everything that tokens may lie on: id, suit, and the thing."""
    for site in g.map:
        for card in site.cards:
            yield card.id, card.suit, card
    for player in g.players:
        for adviser in player.advisers:
            if adviser.shown:
                yield adviser.shown, adviser.suit, adviser
        for relic in player.relics:
            yield relic.id, "", relic


def return_favor(g: Oath, me: Player) -> None:
    """O-4.4.1: favor on denizens and edifices goes to the bank of their suit."""
    for id, suit, thing in laid(g):
        if thing.favor and suit:
            g.banks[suit] += thing.favor
            g.tell(FavorMoved(me.name, thing.favor, id, suit))
            thing.favor = 0
        elif thing.favor:  # a relic, or a card that has become a ruin, has no bank of its own
            g.shared += thing.favor
            g.tell(FavorMoved(me.name, thing.favor, id, "shared"))
            thing.favor = 0


def return_secrets(g: Oath, me: Player) -> None:
    """O-4.4.2: secrets on cards come to the board (HR-15), and all facedown ones turn face up."""
    for id, _, thing in laid(g):
        if thing.secrets:
            me.secrets += thing.secrets
            g.tell(SecretsMoved(me.name, thing.secrets, id, me.name))
            thing.secrets = 0
    me.secrets += me.spent
    me.spent = 0


def refreshed(g: Oath, player: Player) -> int:
    """O-4.5: the Supply of somebody who rests; a Citizen copies the Chancellor's."""
    if player.role == "citizen":
        return g.chancellor.supply
    return next(supply for least, supply in BANDS[player.role] if player.bank >= least)


def refresh(g: Oath, me: Player) -> None:
    """O-4.4.3, O-4.4.4: by the bank, and what was not spent on top (HR-11); the total stops at seven."""
    unspent = max(0, g.began_with - g.spent)
    me.supply = 0
    gain_supply(g, me, min(MOST_SUPPLY, refreshed(g, me) + unspent))


async def next_turn(g: Oath) -> None:
    """O-4.1: on to the left; after the last player the round ends."""
    g.turns += 1
    g.turn += 1
    g.phase = "wake"
    if g.turn < len(g.players):
        return
    g.turn = 0
    await end_of_round(g)
    if not g.winner:
        g.round += 1
        g.tell(RoundBegan(g.round))
