"""The Empire and binding deals, as they are told (O-12, O-14)."""

from __future__ import annotations

import msgspec

from ..core.facts import Fact
from ..core.text import Text
from . import words

SPACE = {
    "brutal": Text("Brutal"),
    "careless": Text("Careless"),
    "decadent": Text("Decadent"),
    "greedy": Text("Greedy"),
}
"""The four spaces of the Reliquary (O-12.6)."""


class Goods(msgspec.Struct, frozen=True):
    """What one side of a deal gives (O-14.2)."""

    favor: int = 0
    secrets: int = 0
    relics: tuple[str, ...] = ()
    banners: tuple[str, ...] = ()
    advisers: tuple[str, ...] = ()
    """Faceup ones, where a card lets them be exchanged."""
    facedown: tuple[int, ...] = ()
    """Facedown ones, by their place among all advisers of their owner, from 0."""

    @property
    def nothing(self) -> bool:
        """Whether this side gives nothing."""
        tokens = self.favor or self.secrets
        return not (tokens or self.relics or self.banners or self.advisers or self.facedown)

    def listed(self) -> tuple[Text, ...]:
        """As a list in a text."""
        favor = [Text("{n} favor", n=self.favor)] if self.favor else []
        secrets = [Text("{n} secret", "{n} secrets", n=self.secrets)] if self.secrets else []
        things = [words.thing(id) for id in (*self.relics, *self.banners, *self.advisers)]
        facedown = [Text("facedown adviser {n}", n=n + 1) for n in self.facedown]
        return (*favor, *secrets, *things, *facedown)


class Offered(Fact, frozen=True):
    """O-12.2.1: a citizenship offer with all its terms."""

    who: str
    to: str
    space: str
    giving: Goods
    asking: Goods

    def told_to(self, seat: str | None) -> Text:
        if self.giving.nothing and self.asking.nothing:
            return Text(
                "{who} offers {to} citizenship and the relic on {space}.",
                who=self.who,
                to=self.to,
                space=SPACE[self.space],
            )
        return Text(
            "{who} offers {to} citizenship and the relic on {space}, gives {giving} and asks {asking}.",
            who=self.who,
            to=self.to,
            space=SPACE[self.space],
            giving=self.giving.listed(),
            asking=self.asking.listed(),
        )


class DealProposed(Fact, frozen=True):
    """O-14.2: a binding exchange, as it is proposed."""

    who: str
    to: str
    giving: Goods
    asking: Goods

    def told_to(self, seat: str | None) -> Text:
        return Text(
            "{who} proposes a deal to {to}: gives {giving} and asks {asking}.",
            who=self.who,
            to=self.to,
            giving=self.giving.listed(),
            asking=self.asking.listed(),
        )


class Answered(Fact, frozen=True):
    """An offer or a deal was accepted, or refused."""

    who: str
    yes: bool

    def told_to(self, seat: str | None) -> Text:
        if self.yes:
            return Text("{who} accepts.", who=self.who)
        return Text("{who} refuses.", who=self.who)


class Gave(Fact, frozen=True):
    """Relics and banners that were given (O-8.11)."""

    who: str
    to: str
    things: tuple[str, ...]

    def told_to(self, seat: str | None) -> Text:
        things = tuple(words.thing(id) for id in self.things)
        return Text("{who} gives {to} {things}.", who=self.who, to=self.to, things=things)


class AdviserGiven(Fact, frozen=True):
    """An adviser has another owner; a facedown one is told by its back, but to those two."""

    who: str
    to: str
    vision: bool
    card: str = ""
    """Empty where it lies face down."""
    hidden: str = ""

    def told_to(self, seat: str | None) -> Text:
        known = self.card or (self.hidden if seat in (self.who, self.to) else "")
        what = words.thing(known) if known else words.back(self.vision)
        return Text("{who} gives {to} {what} as an adviser.", who=self.who, to=self.to, what=what)


class BecameCitizen(Fact, frozen=True):
    """O-12.2.3: a board was turned."""

    who: str

    def told_to(self, seat: str | None) -> Text:
        return Text("{who} becomes a Citizen.", who=self.who)


class WarbandsReplaced(Fact, frozen=True):
    """Warbands of one colour give way to those of another; `lost`: there were too few for these."""

    who: str
    n: int
    lost: int
    purple: bool

    def told_to(self, seat: str | None) -> Text:
        if self.purple:
            return Text(
                "{n} warband of {who} is replaced by a purple one; lost: {lost}.",
                "{n} warbands of {who} are replaced by purple ones; lost: {lost}.",
                who=self.who,
                lost=self.lost,
                n=self.n,
            )
        return Text(
            "{n} purple warband of {who} is replaced by an own one; lost: {lost}.",
            "{n} purple warbands of {who} are replaced by own ones; lost: {lost}.",
            who=self.who,
            lost=self.lost,
            n=self.n,
        )


class WarbandsCaged(Fact, frozen=True):
    """Warbands of a defeated force went onto the Obsidian Cage."""

    who: str
    n: int

    def told_to(self, seat: str | None) -> Text:
        return Text(
            "{n} warband of {who} is put into the Obsidian Cage.",
            "{n} warbands of {who} are put into the Obsidian Cage.",
            who=self.who,
            n=self.n,
        )


class WarbandsFreed(Fact, frozen=True):
    """Warbands came from the Obsidian Cage to a board of their colour."""

    who: str
    n: int

    def told_to(self, seat: str | None) -> Text:
        return Text(
            "{n} warband goes from the Obsidian Cage to the board of {who}.",
            "{n} warbands go from the Obsidian Cage to the board of {who}.",
            who=self.who,
            n=self.n,
        )


class SupplyRefilled(Fact, frozen=True):
    """Supply went to the leftmost space."""

    who: str
    now: int

    def told_to(self, seat: str | None) -> Text:
        return Text("{who} has {now} Supply again.", who=self.who, now=self.now)


class SpaceUncovered(Fact, frozen=True):
    """O-12.6: a relic left the Reliquary, for good."""

    who: str
    space: str
    relic: str

    def told_to(self, seat: str | None) -> Text:
        return Text(
            "{who} gets {relic} from the Reliquary; {space} is uncovered.",
            who=self.who,
            relic=words.thing(self.relic),
            space=SPACE[self.space],
        )


class RelicShown(Fact, frozen=True):
    """O-12.2.1: a relic of the Reliquary was shown to somebody."""

    who: str
    to: str
    space: str
    relic: str

    def told_to(self, seat: str | None) -> Text:
        if seat in (self.who, self.to):
            return Text(
                "{who} shows {to} the relic on {space}: {relic}.",
                who=self.who,
                to=self.to,
                space=SPACE[self.space],
                relic=words.thing(self.relic),
            )
        return Text(
            "{who} shows {to} the relic on {space}.", who=self.who, to=self.to, space=SPACE[self.space]
        )


class Exiled(Fact, frozen=True):
    """O-12.4, O-12.5: a Citizen is an Exile again; `by` is the Citizen where they left by themself."""

    who: str
    by: str

    def told_to(self, seat: str | None) -> Text:
        if self.who == self.by:
            return Text("{who} leaves the Empire.", who=self.who)
        return Text("{by} exiles {who}.", who=self.who, by=self.by)


class Permitted(Fact, frozen=True):
    """O-7.5: what the Chancellor, or the other player, said to a move of warbands."""

    who: str
    by: str
    yes: bool

    def told_to(self, seat: str | None) -> Text:
        if self.yes:
            return Text("{by} agrees with the move of {who}.", who=self.who, by=self.by)
        return Text("{by} does not agree with the move of {who}.", who=self.who, by=self.by)


class HandedOver(Fact, frozen=True):
    """O-7.5: warbands went from one Imperial board to another."""

    who: str
    to: str
    n: int

    def told_to(self, seat: str | None) -> Text:
        return Text(
            "{who} hands {n} warband to {to}.",
            "{who} hands {n} warbands to {to}.",
            who=self.who,
            to=self.to,
            n=self.n,
        )
