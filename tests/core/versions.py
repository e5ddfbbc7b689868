"""Seven Sites as other versions of the program might have it: what they ask, tell, roll and store differs."""

from __future__ import annotations

from typing import Any

import msgspec

from pbem.engine.core.asks import Menu, Step, choose, roll, together
from pbem.engine.core.facts import Fact
from pbem.engine.core.migrations import Lift, lift
from pbem.engine.core.sealed import load_sealed
from pbem.engine.core.text import Text

from . import minigame
from .minigame import Game, SevenSites


class Sang(Fact, frozen=True):
    """The bard sings, to everybody or to one."""

    song: str
    to: str = ""

    def told_to(self, seat: str | None) -> Text | None:
        return Text("The bard sings of {song}.", song=self.song) if self.to in ("", seat) else None


class Version(SevenSites):
    """Seven Sites as another version has it: a bard may sing at the beginning of each action, weather may be rolled,
    something may be asked before the action or after it."""

    def __init__(
        self,
        song: str = "",
        to: str = "",
        weather: str = "",
        before: str = "",
        after: str = "",
        since: int = 0,
        ruling: int = 3,
    ) -> None:
        self.song, self.to, self.weather, self.before, self.after = song, to, weather, before, after
        self.since, self.ruling = since, ruling

    def step(self, g: Game) -> Step | None:
        return self._act(g) if g.phase == "act" else super().step(g)

    async def _act(self, g: Game) -> None:
        who = g.order[g.active]
        if self.weather:
            sun = await roll(self.weather, 1, (1, 2, 3, 4, 5, 6))
            g.journal.append(Sang(f"weather {sun[0]}"))
        if self.song:
            g.journal.append(Sang(self.song, self.to))
        if self.before and g.ruling >= self.since:
            await choose(who, self.before, one_way(), Text("Which way?"), section="M-2")
        await minigame.act(g)
        if self.after:
            await choose(who, self.after, one_way(), Text("And now?"), section="M-2")


def one_way() -> Menu[bool]:
    menu: Menu[bool] = Menu()
    menu.add(Text("onward"), True)
    return menu


class Castled(Game, kw_only=True):
    """A state of schema 3, which must know its castles."""

    castles: list[str]


class WithCastles(SevenSites):
    """Seven Sites with a newer schema, and perhaps a way up to it."""

    schema = 3

    def __init__(self, lifts: dict[int, Lift]) -> None:
        self.lifts = lifts

    def load(self, saved: Any) -> Game:
        return msgspec.convert(lift(dict(saved), self.schema, self.lifts), Castled, dec_hook=load_sealed)


class Hasty(SevenSites):
    """Seven Sites that ends with the first action."""

    def step(self, g: Game) -> Step | None:
        return self._act(g) if g.phase == "act" else super().step(g)

    async def _act(self, g: Game) -> None:
        await minigame.act(g)
        g.phase = "over"


class Auction(SevenSites):
    """Seven Sites in which the crown is bid for under another name."""

    def step(self, g: Game) -> Step | None:
        return self._bid(g) if g.phase == "bid" else super().step(g)

    async def _bid(self, g: Game) -> None:
        await together({who: self._offer(who) for who in g.order}, "bid")
        g.phase = "over"

    async def _offer(self, who: str) -> bool:
        return await choose(who, "offer", one_way(), Text("Your offer?"), section="M-4")
