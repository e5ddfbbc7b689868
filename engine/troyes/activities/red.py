"""Red activity cards: the military domain."""

from __future__ import annotations

from typing import Any

from ...core.asks import Menu, choose, roll
from ...core.text import Text
from .. import words
from ..facts import ArcherRolled
from ..state import EventOnTable, Seat, Troyes
from ..verbs import free_banners, gain, put_on_event
from .card import AddsToRed, Exchange, Immediate


def _with_room(g: Troyes) -> list[EventOnTable]:
    return [event for event in g.events if free_banners(g, event)]


def _events_menu(g: Troyes) -> Menu[EventOnTable | None]:
    menu: Menu[EventOnTable | None] = Menu()
    for event in _with_room(g):
        menu.add(Text("cube on {event}", event=g.cards.events[event.id].words), event, id=event.id)
    return menu


class Archer(Immediate, card="archer"):
    """Rolls one after the other, each a cube on an event if it hits; the player may stop (T-10.6)."""

    async def activate(self, g: Troyes, me: Seat, times: int, **extra: Any) -> None:
        """At least one roll."""
        for shot in range(times):
            if not _with_room(g) or (shot and not await self._again(me, times - shot)):
                return
            await self._shoot(g, me)

    async def _again(self, me: Seat, left: int) -> bool:
        menu: Menu[bool] = Menu()
        menu.add(Text("roll"), True, id="roll", also=(Text("shoot"),))
        menu.add(Text("enough"), False, id="enough", also=(Text("done"),))
        prompt = Text(
            "Roll again for the Archer? One roll is left.",
            "Roll again for the Archer? {n} rolls are left.",
            n=left,
        )
        return await choose(me.name, "archer-roll", menu, prompt, section="T-10.6", rolls_left=left)

    async def _shoot(self, g: Troyes, me: Seat) -> None:
        (face,) = await roll("archer", 1)
        hit = face >= self.print.amounts.least_face
        g.tell(ArcherRolled(me.name, face, hit))
        if hit:
            menu = _events_menu(g)
            prompt = Text("The Archer hits: on which event do you put your cube?")
            event = await choose(me.name, "archer-event", menu, prompt, section="T-5.32")
            if event is not None:
                put_on_event(g, me, event, 1)

    def says(self) -> Text:
        """The effect."""
        return Text(
            "roll a black die; on {n} or more put an own cube on a free banner of any event",
            n=self.print.amounts.least_face,
        )


class Diplomat(Exchange, card="diplomat"):
    """Gain 1 influence and 1 denier."""


class Knight(Immediate, card="knight"):
    """Cubes on events, up to one for each red die left in the own district."""

    async def activate(self, g: Troyes, me: Seat, times: int, **extra: Any) -> None:
        """The dice used for this action are gone already and do not count."""
        for left in range(len(me.dice["red"]) * times, 0, -1):
            if not _with_room(g):
                return
            menu = _events_menu(g)
            menu.add(Text("enough"), None, id="enough", also=(Text("done"),))
            prompt = Text(
                "The Knight may place {n} more cube on events.",
                "The Knight may place {n} more cubes on events.",
                n=left,
            )
            event = await choose(me.name, "knight", menu, prompt, section="T-5.32", cubes_left=left)
            if event is None:
                return
            put_on_event(g, me, event, 1)

    def says(self) -> Text:
        """The effect."""
        return Text(
            "put own cubes on free banners of events, up to one for each red die left in your district"
        )


class Hunting(Exchange, card="hunting"):
    """Gain 1 influence."""


class Mercenary(Exchange, card="mercenary"):
    """Gain 4 deniers."""


class RedTwo(AddsToRed, card="red-2-unidentified"):
    """Add 4 to the value of a red group."""


class Captain(Immediate, card="captain"):
    """VP for each event that holds an own cube, Marauding included."""

    async def activate(self, g: Troyes, me: Seat, times: int, **extra: Any) -> None:
        """Events on the table now."""
        held = sum(me.name in event.cubes for event in g.events)
        gain(g, me, vp=self.print.amounts.per_event * held * times)

    def says(self) -> Text:
        """The effect."""
        return Text(
            "gain {vp} for each event that holds an own cube", vp=words.points(self.print.amounts.per_event)
        )


class RedThreeFirst(Exchange, card="red-3-unidentified-a"):
    """Gain 1 VP."""


class RedThreeSecond(Exchange, card="red-3-unidentified-b"):
    """Pay 1 influence, gain 2 VP."""
