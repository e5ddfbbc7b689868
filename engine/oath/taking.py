"""Relics and banners that change hands (O-5.5, O-8.11, O-9.3); the title is looked at after each (HR-03)."""

from __future__ import annotations

from collections.abc import Sequence

from ..core.text import Text
from .events import BannerTaken, RelicsTaken, happened
from .facts import FavorMoved, RelicTaken, SecretsMoved
from .oaths import check_title
from .powers import asked
from .printed import PEOPLES_FAVOR, SCEPTER
from .queries import MayTake
from .state import Oath, Player, Relic, take_out
from .verbs import set_banner

RELIC = "relic"
"""A facedown relic at a site, as something to be taken; what it is is not known before."""
SEIZED = 2  # O-9.3: tokens that a banner burns when it is taken otherwise than by Recover


def may_take(
    g: Oath, taker: Player, target: str, owner: Player | None, site: int | None = None
) -> Text | None:
    """Why a relic or a banner may not be taken in any way; None if it may."""
    return asked(g, MayTake(player=taker, target=target, owner=owner, site=site)).why


async def take_relics(g: Oath, taker: Player, owner: Player, relics: Sequence[str]) -> None:
    """Relics of another player, all together: one taking, one look at the title after it (HR-03)."""
    for id in relics:
        relic = owner.relic(id)
        assert relic is not None
        take_out(owner.relics, relic)
        taker.relics.append(relic)
        g.tell(RelicTaken(taker.name, id))
    if SCEPTER in relics and taker is g.active:
        g.scepter_taken = True
    await happened(g, RelicsTaken(taker, tuple(relics), owner))
    await check_title(g)


async def take_at_site(
    g: Oath,
    taker: Player,
    site: int,
    index: int,
    *,
    recovered: bool = True,
    declared: tuple[str, ...] = (),
) -> None:
    """A facedown relic at a site, which turns face up in the personal bank (O-5.5.1)."""
    id = g.map[site].relics.pop(index).under_seal()
    taker.relics.append(Relic(id))
    g.tell(RelicTaken(taker.name, id))
    await happened(g, RelicsTaken(taker, (id,), None, recovered, declared))
    await check_title(g)


async def seize_banner(g: Oath, taker: Player, banner: str) -> None:
    """O-9.3: it burns two tokens and keeps at least one; the People's Favor turns to, or stays on, its Mob side."""
    there = g.banners[banner]
    owner = g.player(there.holder) if there.holder else None
    burned = min(SEIZED, there.tokens - 1)
    if burned and banner == PEOPLES_FAVOR:
        g.shared += burned
        g.tell(FavorMoved(taker.name, burned, banner, "shared"))
    elif burned:
        g.tell(SecretsMoved(taker.name, burned, banner, "shared"))
    set_banner(g, banner, taker, there.tokens - burned, mob=True)
    await happened(g, BannerTaken(taker, banner, owner))
    await check_title(g)


async def give_banner(g: Oath, giver: Player, taker: Player, banner: str) -> None:
    """A banner that is given suffers nothing (O-9.3)."""
    there = g.banners[banner]
    set_banner(g, banner, taker, there.tokens, mob=there.mob)
    await check_title(g)


async def give_relics(g: Oath, giver: Player, taker: Player, relics: Sequence[str]) -> None:
    """Relics that are given: no taking, so nothing answers it (O-8.11)."""
    for id in relics:
        relic = giver.relic(id)
        assert relic is not None
        take_out(giver.relics, relic)
        taker.relics.append(relic)
        g.tell(RelicTaken(taker.name, id))
    await check_title(g)


def tuck_relic(g: Oath, relic: str) -> None:
    """A relic that was taken out of its place goes under the relic deck."""
    g.world.relics = g.world.relics.changed(lambda deck: [*deck, relic])
