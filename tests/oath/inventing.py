"""Invented powers for the tests: what they change, and a battle in which they are tried."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pbem.engine.oath.battle import Battle
from pbem.engine.oath.campaign.offering import offer_campaign
from pbem.engine.oath.hooks import Power
from pbem.engine.oath.queries import Query
from pbem.engine.oath.ruling import Lying
from pbem.engine.oath.state import Oath, Player

from .positions import CARA, OREN, YARA, Stage

Made = Callable[..., None]
"""What the fixture `invent` gives: it binds moments to a card's id."""
ATTACK = "campaign against cara at steppe with 3"


def adds(side: str, dice: int) -> Any:
    """A plan that changes the pool."""

    async def plan(self: Power, g: Oath, me: Lying, battle: Battle, user: Player | None) -> None:
        battle.change_pool(battle.side_of(user) if side == "own" else side, dice)

    return plan


def does(change: Callable[[Battle], Any]) -> Any:
    """A plan that does something to the battle."""

    async def plan(self: Power, g: Oath, me: Lying, battle: Battle, user: Player | None) -> None:
        change(battle)

    return plan


def on(kind: type[Query], change: Callable[[Any], Any]) -> Any:
    """An always-on power that answers one question."""

    def modify(self: Power, g: Oath, me: Lying, query: Query) -> None:
        change(query)

    modify.answers = (kind,)  # type: ignore[attr-defined]
    return modify


def steppe(**cards: list[str]) -> Stage:
    """Cara rules Steppe with two warbands, from afar; Yara attacks there with five."""
    stage = Stage().site("steppe", ruler=CARA, warbands=2, cards=cards.get("cards", [])).title(OREN)
    return stage.seat(YARA, at="steppe", warbands=5, favor=4, secrets=4)


def fought(stage: Stage, line: str = ATTACK, who: str = YARA) -> Stage:
    return stage.act(who, offer_campaign).does(who, line)
