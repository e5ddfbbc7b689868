"""Travel that somebody is made to do: nobody can be made to pay on the way (O-5.6; rulings, part E)."""

from __future__ import annotations

from ..core.asks import Kind, Menu, choose
from ..core.text import Text
from . import words
from .actions.action import Travel
from .actions.travel import permission
from .state import Oath
from .verbs import means


def passable(way: Travel) -> bool:
    """Whether a way is open without Supply, and its traveller has what else it asks."""
    may = permission(way)
    me = way.player
    return may.why is None and may.flips <= me.secrets and len(may.tolls) <= means(way.g, me)


async def would_pay(g: Oath, way: Travel) -> bool:
    """Whether the traveller pays what the way asks; who does not stays."""
    may, who = permission(way), way.player
    if not may.flips and not may.tolls:
        return True
    menu: Menu[bool] = Menu()
    menu.add(Text("pay"), True, id="pay", also=(Text("yes"),))
    menu.add(Text("stay"), False, id="stay", also=(Text("do not pay"), Text("no")))
    asked = [Text("{n} favor", n=len(may.tolls))] if may.tolls else []
    if may.flips:
        asked.append(Text("{n} secret turned face down", "{n} secrets turned face down", n=may.flips))
    prompt = Text(
        "You are made to travel to {site}. The way asks {those}. Do you pay, or stay?",
        site=words.site(g, way.destination),
        those=tuple(asked),
    )
    kind: Kind = "turn" if who is g.active else "reaction"
    return await choose(who.name, "made-to-travel", menu, prompt, section="O-5.6", kind=kind)
