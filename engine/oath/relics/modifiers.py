"""Relics that change major actions."""

from __future__ import annotations

from ...core.asks import Kind
from ...core.text import Text
from ..actions.action import Action, Search
from ..choices import whether
from ..discarding import WORLD, Onto
from ..events import Arrived, Event
from ..hooks import Power
from ..powers import power
from ..queries import Draws, PlayReward, Query, TradeCost
from ..ruling import Lying, faceup_suits
from ..state import Oath
from ..verbs import gain_warbands

HARP = 2
"""Cards more with the Truthful Harp."""


@power("book_of_records")
class BookOfRecords(Power):
    """Playing a card to a site brings a secret in place of the favor."""

    MUST = True
    ANSWERS = (PlayReward,)

    def modify(self, g: Oath, me: Lying, query: Query) -> None:
        if isinstance(query, PlayReward) and me.holder is query.player:
            query.favor, query.secrets = 0, 1


@power("cracked_horn")
class CrackedHorn(Power):
    """What is discarded in this Search goes to the bottom of the world deck."""

    async def declare(self, g: Oath, me: Lying, action: Action) -> None:
        assert isinstance(action, Search)
        action.discards = Onto(WORLD, bottom=True)


@power("cup_of_plenty")
class CupOfPlenty(Power):
    """A Trade with a card whose suit is among one's faceup advisers costs no Supply."""

    ANSWERS = (TradeCost,)

    def modify(self, g: Oath, me: Lying, query: Query) -> None:
        if not isinstance(query, TradeCost) or me.id not in query.declared:
            return
        if query.card.suit in faceup_suits(query.player):
            query.nothing = True


@power("dragonskin_drum")
class DragonskinDrum(Power):
    """After travelling one warband; where a power or another player moves the pawn, nothing could be declared, so
    its holder is asked then."""

    REACTS_TO = (Arrived,)

    async def after(self, g: Oath, me: Lying, event: Event) -> None:
        assert isinstance(event, Arrived)
        if me.holder is not event.player:
            return
        player = event.player
        used = me.id in event.declared
        if event.free and not used:
            kind: Kind = "turn" if player is g.active else "reaction"
            prompt = Text("Dragonskin Drum: do you gain a warband after this travel?")
            used = await whether(player, "dragonskin-drum", prompt, "O-8.5", kind)
        if used:
            gain_warbands(g, player, 1)


@power("truthful_harp")
class TruthfulHarp(Power):
    """Two cards more, and everybody sees all that is drawn and the one that is kept."""

    ANSWERS = (Draws,)

    def modify(self, g: Oath, me: Lying, query: Query) -> None:
        if isinstance(query, Draws) and me.id in query.declared:
            query.more += HARP

    async def declare(self, g: Oath, me: Lying, action: Action) -> None:
        assert isinstance(action, Search)
        action.openly = True
