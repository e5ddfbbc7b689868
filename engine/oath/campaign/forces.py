"""Warbands of a force that die or go home, and who chooses which (O-6.8, HR-06)."""

from __future__ import annotations

from collections.abc import Sequence

from ...core.asks import Menu, choose
from ...core.slots import Number
from ...core.text import Text
from .. import words
from ..battle import ATTACKER, Battle, Place
from ..battle_facts import ForceReturned, WarbandsSaved
from ..printed import NAMES, PURPLE
from ..state import Oath, Player
from ..verbs import kill_at_site, kill_on_board
from .plans import kind_for

Group = tuple[Place, ...]
"""Places among which it does not matter where a warband dies."""


def owner(g: Oath, place: Place) -> Player:
    """Whose warbands stand at a place; purple ones on the map are the Chancellor's."""
    if place.board:
        return g.player(place.board)
    colour = g.map[place.site].colour
    return g.chancellor if colour == PURPLE else next(p for p in g.players if p.colour == colour)


def kill(battle: Battle, side: str, place: Place, n: int) -> int:
    """Warbands at one place die, or are set aside where a card says so; gives how many."""
    g = battle.g
    n = min(n, place.count(g))
    if not n:
        return 0
    whose = owner(g, place)
    if place.board:
        kill_on_board(g, whose, n)
    else:
        kill_at_site(g, place.site, n)
    if whose.name in battle.saving:
        battle.saved[whose.name] = battle.saved.get(whose.name, 0) + n
        g.tell(WarbandsSaved(whose.name, n))
    else:
        battle.killed[side] += n
    return n


# who dies


def each_apart(battle: Battle, side: str) -> list[Group]:
    """While the force still fights it matters where a warband dies."""
    return [(place,) for place in battle.places(side) if place.count(battle.g)]


def by_home(battle: Battle, side: str) -> list[Group]:
    """After a defeat only the board matters to which the survivors go."""
    g = battle.g
    groups: dict[str, list[Place]] = {}
    for place in battle.places(side):
        if place.count(g):
            groups.setdefault(owner(g, place).name, []).append(place)
    return [tuple(group) for group in groups.values()]


def chooser(battle: Battle, side: str) -> Player:
    """O-6.8.3: the attacker for the attacking force, the Chancellor for the Empire, else the defender."""
    if side == ATTACKER:
        return battle.attacker
    assert battle.defender is not None
    return battle.g.chancellor if battle.imperial(battle.defender) else battle.defender


async def kill_from(battle: Battle, side: str, groups: Sequence[Group], n: int) -> None:
    """So many warbands of a side die; asked is only where it matters which."""
    g = battle.g
    left = min(n, sum(_count(g, group) for group in groups))
    for at, group in enumerate(groups):
        others = sum(_count(g, other) for other in groups[at + 1 :])
        least, most = max(0, left - others), min(left, _count(g, group))
        dying = least if least == most else await _how_many(battle, side, group, least, most, left)
        left -= dying
        for place in group:
            dying -= kill(battle, side, place, dying)


def _count(g: Oath, group: Group) -> int:
    return sum(place.count(g) for place in group)


async def _how_many(battle: Battle, side: str, group: Group, least: int, most: int, left: int) -> int:
    who = chooser(battle, side)
    where = tuple(place_words(battle.g, place) for place in group)
    menu: Menu[int] = Menu()
    menu.command(
        Text("lose {count} {where}", where=where),
        lambda count: int(count),
        Number("count", Text("number"), lambda chosen: range(least, most + 1)),
        id="lose",
        also=(Text("lose {count}"), Text("kill {count}")),
    )
    prompt = Text("{n} of the warbands that fight must die. How many of them {where}?", n=left, where=where)
    return await choose(
        who.name, "losses", menu, prompt, section="O-6.8", kind=kind_for(battle, who), personal=True
    )


def place_words(g: Oath, place: Place) -> Text:
    """Where warbands stand: `on the board of Cara`, `at Steppe`."""
    if place.board:
        return Text("on the board of {who}", who=place.board)
    return Text("at {site}", site=words.thing(g.map[place.site].shown))


# who goes home


def send_home(battle: Battle, side: str) -> None:
    """O-6.8.2, O-6.8.3: survivors at sites go to their owner's board, wherever the pawn is."""
    g = battle.g
    for place in battle.places(side):
        n = place.count(g)
        if not n:
            continue
        whose = owner(g, place)
        battle.survivors[whose.name] = battle.survivors.get(whose.name, 0) + n
        if place.board:
            continue
        g.map[place.site].leave(n)
        whose.warbands += n
        g.tell(ForceReturned(whose.name, n, NAMES[g.map[place.site].shown]))
