"""Relics at work, as they are told."""

from __future__ import annotations

from ..core.facts import Fact
from ..core.text import Text
from . import words


class TopShown(Fact, frozen=True):
    """The top card of a discard pile was shown to everybody (Brass Horse)."""

    who: str
    pile: str
    card: str

    def told_to(self, seat: str | None) -> Text:
        return Text(
            "{who} shows the top card of the pile of {region}: {card}.",
            who=self.who,
            region=words.REGION[self.pile],
            card=words.thing(self.card),
        )


class Tucked(Fact, frozen=True):
    """A relic went under the relic deck; `relic` is empty where it was not face up."""

    who: str
    relic: str = ""
    hidden: str = ""

    def told_to(self, seat: str | None) -> Text:
        known = self.relic or (self.hidden if seat == self.who else "")
        what = words.thing(known) if known else Text("the relic")
        return Text("{who} tucks {what} under the relic deck.", who=self.who, what=what)


class AdviserSwapped(Fact, frozen=True):
    """A faceup adviser and a card at a site changed places (Horned Mask)."""

    who: str
    adviser: str
    card: str
    site: str

    def told_to(self, seat: str | None) -> Text:
        return Text(
            "{adviser}, an adviser of {who}, changes places with {card} at {site}.",
            adviser=words.thing(self.adviser),
            who=self.who,
            card=words.thing(self.card),
            site=words.thing(self.site),
        )


class SawSite(Fact, frozen=True):
    """Somebody looked at a facedown site: which one of its region, from 0, as all see it."""

    who: str
    region: str
    place: int
    site: str

    def told_to(self, seat: str | None) -> Text:
        where = {"which": words.ORDINAL[self.place], "region": words.REGION[self.region]}
        if seat == self.who:
            return Text(
                "You look at the {which} site of {region}: {site}.", **where, site=words.thing(self.site)
            )
        return Text("{who} looks at the {which} site of {region}.", who=self.who, **where)


class SawAdviser(Fact, frozen=True):
    """Somebody looked at a facedown adviser."""

    who: str
    owner: str
    card: str

    def told_to(self, seat: str | None) -> Text:
        if seat == self.who:
            card = words.thing(self.card)
            return Text("You look at a facedown adviser of {owner}: {card}.", owner=self.owner, card=card)
        return Text("{who} looks at a facedown adviser of {owner}.", who=self.who, owner=self.owner)


class SawDeck(Fact, frozen=True):
    """Somebody looked at the top of the world deck, topmost first (Oracular Pig)."""

    who: str
    cards: tuple[str, ...]

    def told_to(self, seat: str | None) -> Text:
        if seat == self.who:
            cards = tuple(words.thing(c) for c in self.cards)
            return Text("You look at the top of the world deck, topmost first: {cards}.", cards=cards)
        return Text("{who} looks at the top of the world deck.", who=self.who)
