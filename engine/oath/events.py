"""What other cards may answer: moments that have just happened (O-8.11, rulings HR-18)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from .state import Oath, Player

if TYPE_CHECKING:
    from .actions.action import Search, Trade


class Event(msgspec.Struct):
    """Something that has just happened to somebody."""

    player: Player


class Play(Event):
    """A card was played face up (O-5.2)."""

    card: str
    site: int | None = None
    """Where it was played to; None: the advisers or the Revealed Vision space."""
    was_facedown: bool = False
    """It was a facedown adviser before."""
    declared: tuple[str, ...] = ()
    """The modifiers of the Search that it was drawn in."""


class RelicsTaken(Event):
    """Relics were taken, all of one taking together (HR-03)."""

    relics: tuple[str, ...]
    source: Player | None = None
    """From whom; None: from a site or the relic deck."""
    recovered: bool = False
    declared: tuple[str, ...] = ()
    """The modifiers of the Recover."""


class BannerTaken(Event):
    """A banner was taken."""

    banner: str
    source: Player | None = None
    recovered: bool = False
    paid: int = 0


class VisionDiscarded(Event, kw_only=True):
    """A revealed Vision leaves its space (O-11.3); what answers may have it `taken`, so that it reaches no pile."""

    vision: str
    taken: bool = False


class TitleTaken(Event):
    """The Oathkeeper title has another holder (O-10.2)."""

    before: Player | None = None


class Departs(Event):
    """A pawn is about to travel away (O-5.6); its warbands are still where it stands."""

    origin: int
    destination: int
    forced: bool = False


class Arrived(Event):
    """A pawn has travelled (O-5.6); a facedown site is turned up already."""

    origin: int
    site: int
    forced: bool = False
    declared: tuple[str, ...] = ()
    """The modifiers of the Travel."""
    free: bool = False
    """A power moved the pawn, so that nothing could be declared."""


class Mustered(Event):
    """A Muster is fully resolved (O-5.3)."""

    card: str
    declared: tuple[str, ...] = ()
    """The modifiers of the Muster."""


class Traded(Event, kw_only=True):
    """A Trade has brought what it brings (O-5.4)."""

    action: Trade
    favor: int
    """What was really gained."""
    secrets: int


class CardsDrawn(Event, kw_only=True):
    """A Search has drawn its cards; none is kept or discarded yet (O-5.1.2)."""

    action: Search


class Searched(Event, kw_only=True):
    """A Search is fully resolved (O-5.1)."""

    action: Search


class CampaignOver(Event):
    """A Campaign is over, with all its discards (O-6.10)."""

    won: bool
    defender: Player | None = None
    """None: the bandits."""


class EndDieRolled(Event, kw_only=True):
    """The die that may end the game was rolled (O-17.4); what answers may change the `result`."""

    result: int


async def happened(g: Oath, event: Event) -> None:
    """Everything in force that answers such an event does so, clockwise from its player (HR-18)."""
    from .powers import POWERS, in_force

    answering = in_force(g, POWERS.reacting(type(event)))
    order = [p.name for p in g.from_(event.player)] if answering else []
    answering.sort(key=lambda pair: order.index(pair[1].holder.name) if pair[1].holder else len(order))
    for power, me in answering:
        await power.after(g, me, event)
