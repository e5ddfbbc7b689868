"""What is told in the Chronicle (O-18)."""

from __future__ import annotations

from ...core.facts import Fact
from ...core.text import Text
from .. import words


class Vowed(Fact, frozen=True):
    """The oath of the next game (O-18.1); `vision`: the one that left no choice."""

    who: str
    oath: str
    vision: str = ""

    def told_to(self, seat: str | None) -> Text:
        if self.vision:
            return Text(
                "{who} has won by the {vision} alone, so the next oath is the {oath} (O-18.1).",
                who=self.who,
                vision=words.thing(self.vision),
                oath=words.thing(self.oath),
            )
        return Text("{who} vows the {oath} for the next game.", who=self.who, oath=words.thing(self.oath))


class BoardsTurned(Fact, frozen=True):
    """An Exile has won: all Citizens' boards turn (O-18.2)."""

    citizens: tuple[str, ...]

    def told_to(self, seat: str | None) -> Text | None:
        if not self.citizens:
            return None
        return Text(
            "The old Empire has ended: {those} is an Exile again.",
            "The old Empire has ended: {those} are Exiles again.",
            those=self.citizens,
            n=len(self.citizens),
        )


class CitizenshipAnswered(Fact, frozen=True):
    """An invited Exile has answered (O-18.2)."""

    who: str
    winner: str
    joins: bool

    def told_to(self, seat: str | None) -> Text:
        if self.joins:
            return Text("{who} becomes a Citizen of {winner}’s Empire.", who=self.who, winner=self.winner)
        return Text("{who} stays an Exile.", who=self.who)


class Built(Fact, frozen=True):
    """An edifice has replaced a denizen (O-18.3)."""

    site: str
    edifice: str
    denizen: str

    def told_to(self, seat: str | None) -> Text:
        return Text(
            "{edifice} is built at {site}; {denizen} returns to the world deck.",
            edifice=words.thing(self.edifice),
            site=words.thing(self.site),
            denizen=words.thing(self.denizen),
        )


class Repaired(Fact, frozen=True):
    """A ruin is an edifice again (O-18.3)."""

    site: str
    ruin: str
    edifice: str

    def told_to(self, seat: str | None) -> Text:
        return Text(
            "{ruin} at {site} is repaired: it is {edifice} again.",
            ruin=words.thing(self.ruin),
            site=words.thing(self.site),
            edifice=words.thing(self.edifice),
        )


class SitesKept(Fact, frozen=True):
    """Which sites stay in the world, and which faceup ones leave it; facedown ones all do (O-18.3)."""

    kept: tuple[str, ...]
    gone: tuple[str, ...]

    def told_to(self, seat: str | None) -> Text:
        if not self.gone:
            return Text("All faceup sites are kept: {kept}.", kept=_names(self.kept))
        if not self.kept:
            return Text("No site is kept; {gone} leave the world.", gone=_names(self.gone))
        return Text(
            "{kept} is kept; {gone} leaves the world.",
            "{kept} are kept; out of the world: {gone}.",
            kept=_names(self.kept),
            gone=_names(self.gone),
            n=max(len(self.kept), len(self.gone)),
        )


class Fallen(Fact, frozen=True):
    """An edifice that the winner does not rule has fallen, and the denizens around it leave (O-18.3)."""

    site: str
    ruin: str
    denizens: tuple[str, ...]

    def told_to(self, seat: str | None) -> Text:
        if not self.denizens:
            return Text(
                "At {site} there is the {ruin} now.", site=words.thing(self.site), ruin=words.thing(self.ruin)
            )
        return Text(
            "At {site} there is the {ruin} now; {those} is discarded.",
            "At {site} there is the {ruin} now; {those} are discarded.",
            site=words.thing(self.site),
            ruin=words.thing(self.ruin),
            those=_names(self.denizens),
            n=len(self.denizens),
        )


class RegionSettled(Fact, frozen=True):
    """The sites of a region in the next game, top first; empty for a facedown one (O-18.3)."""

    region: str
    sites: tuple[str, ...]

    def told_to(self, seat: str | None) -> Text:
        return Text(
            "The next map, {region}, from top to bottom: {sites}.",
            region=words.REGION[self.region],
            sites=_names(self.sites),
        )


class CardsAdded(Fact, frozen=True):
    """Denizens come into the world from the Archive, which is open to all (O-18.4, O-18.6)."""

    cards: tuple[str, ...]

    def told_to(self, seat: str | None) -> Text:
        return Text("New in the world deck: {those}.", those=_names(self.cards))


class CardsUnwritten(Fact, frozen=True):
    """Fewer denizens than six could be added, for want of powers that the program knows (HR-34)."""

    count: int

    def told_to(self, seat: str | None) -> Text:
        return Text(
            "The program knows too few of the Archive’s cards yet to add {n} more; so {n} fewer leaves the world.",
            "The program knows too few of the Archive’s cards yet to add {n} more; so {n} fewer leave the world.",
            n=self.count,
        )


class ArchiveHealed(Fact, frozen=True):
    """The Archive was too small: Dispossessed of one suit come back, all others go to the Archive (O-18.4).

    Which suit, and how many, is not told, because the Dispossessed are not looked at (O-18.5).
    """

    def told_to(self, seat: str | None) -> Text:
        return Text(
            "The Archive has too few cards of these suits. Up to six of the Dispossessed, all of one suit, come back"
            " into the world deck; all others return to the Archive."
        )


class CardsDispossessed(Fact, frozen=True):
    """Cards leave the world unseen (O-18.5)."""

    count: int

    def told_to(self, seat: str | None) -> Text:
        return Text("{n} card is dispossessed, unseen.", "{n} cards are dispossessed, unseen.", n=self.count)


class Stored(Fact, frozen=True):
    """The chronicle is ready for its next game (O-18.8)."""

    chronicle: str
    game: int

    def told_to(self, seat: str | None) -> Text:
        return Text("{chronicle} is ready for its game {n}.", chronicle=self.chronicle, n=self.game)


def _names(ids: tuple[str, ...]) -> tuple[Text, ...]:
    return tuple(words.thing(id) if id else Text("a facedown site") for id in ids)
