"""Questions that many powers ask: which bank, which player, which card."""

from __future__ import annotations

from collections.abc import Sequence

from ..core.asks import Kind, Menu, choose
from ..core.text import Text
from . import words
from .printed import SUITS
from .state import Adviser, Card, Oath, Player


async def which_bank(me: Player, prompt: Text, section: str, banks: Sequence[str] = SUITS) -> str:
    """One of the favor banks; a single one is taken without a question (HR-24)."""
    if len(banks) == 1:
        return banks[0]
    menu: Menu[str] = Menu()
    for suit in banks:
        menu.add(Text("the {suit} bank", suit=words.SUIT[suit]), suit, id=suit, also=(words.SUIT[suit],))
    return await choose(me.name, "which-bank", menu, prompt, section=section)


async def which_player(
    me: Player, prompt: Text, section: str, players: Sequence[Player], *, may_decline: bool = False
) -> Player | None:
    """One of these players; None where that may be declined, or where there is nobody."""
    if not players:
        return None
    if len(players) == 1 and not may_decline:
        return players[0]
    menu: Menu[Player | None] = Menu()
    for player in players:
        menu.add(Text("{who}", who=player.name), player, id=player.name)
    if may_decline:
        menu.add(Text("nobody"), None, id="nobody", also=(Text("no"),))
    return await choose(me.name, "which-player", menu, prompt, section=section)


async def which_card(
    g: Oath,
    me: Player,
    prompt: Text,
    section: str,
    cards: Sequence[tuple[int, Card]],
    *,
    may_decline: bool = False,
) -> tuple[int, Card] | None:
    """One of these cards at sites; None where that may be declined, or where there is none."""
    if not cards:
        return None
    if len(cards) == 1 and not may_decline:
        return cards[0]
    menu: Menu[tuple[int, Card] | None] = Menu()
    for site, card in cards:
        name = words.thing(f"{card.id}_ruined" if card.ruined else card.id)
        menu.add(
            Text("{card} at {site}", card=name, site=words.short_site(g, site)),
            (site, card),
            id=f"{site}.{card.id}",
            also=(name,),
        )
    if may_decline:
        menu.add(Text("none"), None, id="none", also=(Text("no"),))
    return await choose(me.name, "which-card", menu, prompt, section=section)


async def which_site(g: Oath, me: Player, prompt: Text, section: str, sites: Sequence[int]) -> int:
    """One of these sites; a single one is taken without a question."""
    if len(sites) == 1:
        return sites[0]
    menu: Menu[int] = Menu()
    for n in sites:
        menu.add(Text("{site}", site=words.short_site(g, n)), n, id=str(n), also=(words.site(g, n),))
    return await choose(me.name, "which-site", menu, prompt, section=section)


async def which_pile(me: Player, prompt: Text, section: str, regions: Sequence[str]) -> str:
    """The discard pile of one of these regions."""
    if len(regions) == 1:
        return regions[0]
    menu: Menu[str] = Menu()
    for region in regions:
        name = words.REGION[region]
        menu.add(
            Text("the pile of {region}", region=name),
            region,
            id=region,
            also=(name, Text("pile of {region}", region=name)),
        )
    return await choose(me.name, "which-pile", menu, prompt, section=section)


async def which_adviser(
    me: Player, prompt: Text, section: str, advisers: Sequence[tuple[Player, Adviser]]
) -> tuple[Player, Adviser]:
    """One of these faceup advisers; there is at least one."""
    if len(advisers) == 1:
        return advisers[0]
    menu: Menu[tuple[Player, Adviser]] = Menu()
    for owner, adviser in advisers:
        card = words.thing(adviser.shown)
        menu.add(
            Text("{card} of {who}", card=card, who=owner.name),
            (owner, adviser),
            id=f"{owner.name}.{adviser.shown}",
            also=(card,),
        )
    return await choose(me.name, "which-adviser", menu, prompt, section=section)


async def whether(me: Player, key: str, prompt: Text, section: str, kind: Kind = "turn") -> bool:
    """Yes or no."""
    menu: Menu[bool] = Menu()
    menu.add(Text("yes"), True, id="yes")
    menu.add(Text("no"), False, id="no")
    return await choose(me.name, key, menu, prompt, section=section, kind=kind)
