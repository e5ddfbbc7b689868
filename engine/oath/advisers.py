"""How many advisers a player may have, and who goes when there are too many (O-5.2.2, O-8.9)."""

from __future__ import annotations

from ..core.asks import Menu, choose
from ..core.text import Text
from . import words
from .discarding import LOCKED, discard_adviser, is_locked
from .powers import asked
from .queries import AdviserLimit
from .ruling import Lying
from .state import Adviser, Oath, Player


def limits(g: Oath, player: Player, coming: str = "") -> AdviserLimit:
    """The limit as it will be with a card that comes face up; empty: with nothing that comes, or a facedown card."""
    query = AdviserLimit(player=player, coming=coming)
    return asked(g, query, Lying(coming, None, None, player) if coming else None)


def _counted(player: Player, limit: AdviserLimit, but: Adviser | None = None) -> list[Adviser]:
    """The advisers that count against a limit."""
    return [a for a in player.advisers if a is not but and not (a.shown and a.shown in limit.ignored)]


def too_many(g: Oath, player: Player) -> int:
    """How many of a player's advisers must go."""
    limit = limits(g, player)
    return len(_counted(player, limit)) - limit.most


def too_many_with(g: Oath, player: Player, coming: str = "", but: Adviser | None = None) -> int:
    """How many must go before another may come; `but`: the facedown one that is played."""
    limit = limits(g, player, coming)
    if limit.free:
        return 0
    place = 0 if coming and coming in limit.ignored else 1
    return len(_counted(player, limit, but)) + place - limit.most


def replaceable(g: Oath, player: Player, coming: str = "", but: Adviser | None = None) -> list[Adviser]:
    """Advisers that may be discarded so that there are fewer (O-5.2.2): unlocked ones that count."""
    counted = _counted(player, limits(g, player, coming), but)
    return [a for a in counted if why_locked(g, player, a) is None]


def why_locked(g: Oath, player: Player, adviser: Adviser) -> Text | None:
    """Why a faceup adviser cannot be discarded (O-8.8); None for all others."""
    if not adviser.shown or not is_locked(g, player, Lying(adviser.shown, adviser, None, player)):
        return None
    return LOCKED.filled(card=words.thing(adviser.shown))


async def within_limit(g: Oath, player: Player) -> None:
    """O-8.9: advisers beyond the limit are discarded, those that their owner chooses."""
    await discard_down(g, player, too_many(g, player))


async def discard_down(g: Oath, player: Player, n: int, but: Adviser | None = None) -> None:
    """So many advisers go, as far as they may; `but` is the one that has just come."""
    for _ in range(n):
        menu: Menu[Adviser] = Menu()
        free = replaceable(g, player, but=but)
        for at, adviser in enumerate(player.advisers):
            goes = any(adviser is one for one in free)
            why = None if goes else why_locked(g, player, adviser)
            if goes or why is not None:
                card = words.thing(adviser.shown or adviser.card.under_seal())
                unless = [(True, why)] if why is not None else []
                menu.add(Text("discard {card}", card=card), adviser, id=str(at), also=(card,), unless=unless)
        if not menu.open():
            return
        # the question is read by everybody, so it names no card
        prompt = Text("You have more advisers than you may have. Which one do you discard?")
        gone = await choose(player.name, "too-many-advisers", menu, prompt, section="O-8.9", kind="reaction")
        discard_adviser(g, player, player, gone)
