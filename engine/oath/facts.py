"""What happens in a game of Oath, and how each seat is told: tokens, warbands, pawns, cards."""

from __future__ import annotations

from ..core.facts import Fact
from ..core.text import Text
from . import words
from .printed import NAMES


class RoundBegan(Fact, frozen=True):
    """The round marker moved (O-4.1)."""

    n: int

    def told_to(self, seat: str | None) -> Text:
        return Text("Round {n} begins.", n=self.n)


class TurnBegan(Fact, frozen=True):
    """Somebody's Wake (O-4.2)."""

    who: str

    def told_to(self, seat: str | None) -> Text:
        return Text("It is the turn of {who}.", who=self.who)


class FavorMoved(Fact, frozen=True):
    """Favor changed its place; `source` and `to` are a seat, a suit's bank, `shared`, a banner, or a card."""

    who: str
    n: int
    source: str
    to: str

    def told_to(self, seat: str | None) -> Text:
        places = {"source": _place(self.source), "to": _place(self.to)}
        return Text("{n} favor goes from {source} to {to}.", **places, n=self.n)


class SecretsMoved(Fact, frozen=True):
    """Secrets changed their place, as favor does."""

    who: str
    n: int
    source: str
    to: str

    def told_to(self, seat: str | None) -> Text:
        places = {"source": _place(self.source), "to": _place(self.to)}
        return Text(
            "{n} secret goes from {source} to {to}.",
            "{n} secrets go from {source} to {to}.",
            **places,
            n=self.n,
        )


def _place(id: str) -> Text:
    if id == "shared":
        return Text("the shared bank")
    if id in words.SUIT:
        return Text("the {suit} bank", suit=words.SUIT[id])
    return words.thing(id) if id in NAMES else Text("{who}", who=id)


class SuppliesSpent(Fact, frozen=True):
    """Supply went down (O-4.3)."""

    who: str
    n: int
    left: int

    def told_to(self, seat: str | None) -> Text:
        return Text("{who} spends {n} Supply and has {left}.", who=self.who, n=self.n, left=self.left)


class SuppliesGained(Fact, frozen=True):
    """Supply went up; it stops at seven (HR-12)."""

    who: str
    n: int
    now: int

    def told_to(self, seat: str | None) -> Text:
        return Text("{who} gains {n} Supply and has {now}.", who=self.who, n=self.n, now=self.now)


class WarbandsGained(Fact, frozen=True):
    """Warbands came from a bank to a board (O-5.3)."""

    who: str
    n: int

    def told_to(self, seat: str | None) -> Text:
        return Text("{who} gains {n} warband.", "{who} gains {n} warbands.", who=self.who, n=self.n)


class WarbandsMoved(Fact, frozen=True):
    """Warbands moved between a board and a site (O-7.5); `site`: its name when it happened."""

    who: str
    n: int
    site: str
    to_site: bool

    def told_to(self, seat: str | None) -> Text:
        if self.to_site:
            return Text(
                "{who} puts {n} warband on {site}.",
                "{who} puts {n} warbands on {site}.",
                who=self.who,
                site=self.site,
                n=self.n,
            )
        return Text(
            "{who} takes {n} warband from {site}.",
            "{who} takes {n} warbands from {site}.",
            who=self.who,
            site=self.site,
            n=self.n,
        )


class WarbandsKilled(Fact, frozen=True):
    """Warbands returned to the bank of their colour (O-15.4); `where`: a site's name, or empty for a board."""

    who: str
    n: int
    where: str = ""

    def told_to(self, seat: str | None) -> Text:
        if self.where:
            return Text(
                "{n} warband of {who} at {where} is killed.",
                "{n} warbands of {who} at {where} are killed.",
                who=self.who,
                where=self.where,
                n=self.n,
            )
        return Text(
            "{n} warband on the board of {who} is killed.",
            "{n} warbands on the board of {who} are killed.",
            who=self.who,
            n=self.n,
        )


class PawnMoved(Fact, frozen=True):
    """Somebody travelled (O-5.6)."""

    who: str
    site: str

    def told_to(self, seat: str | None) -> Text:
        return Text("{who} travels to {site}.", who=self.who, site=self.site)


class PawnPut(Fact, frozen=True):
    """A pawn was put somewhere, which is no travel (O-8.11)."""

    who: str
    site: str

    def told_to(self, seat: str | None) -> Text:
        return Text("{who} comes to {site}.", who=self.who, site=self.site)


class SiteTurnedUp(Fact, frozen=True):
    """A facedown site was turned up, for good (O-5.6.3)."""

    site: str
    favor: int
    secrets: int
    relics: int

    def told_to(self, seat: str | None) -> Text:
        return Text(
            "{site} is turned up. What lies there: {those}.",
            site=words.thing(self.site),
            those=words.tokens(self.favor, self.secrets, self.relics),
        )


class CardDiscarded(Fact, frozen=True):
    """A card went to a discard pile; a facedown one is told by its back alone (O-5.7, E-06)."""

    who: str
    pile: str
    card: str = ""
    """Empty where it was never face up."""
    vision: bool = False
    hidden: str = ""
    """Which card it was, for its owner."""
    bottom: bool = False
    """It went to the bottom; `pile` may be `world` then."""

    def told_to(self, seat: str | None) -> Text:
        known = self.card or (self.hidden if seat == self.who else "")
        what = words.thing(known) if known else words.back(self.vision)
        if self.pile == "world":
            return Text("{who} puts {what} on the bottom of the world deck.", who=self.who, what=what)
        if self.bottom:
            return Text(
                "{who} puts {what} on the bottom of the pile of {region}.",
                who=self.who,
                what=what,
                region=words.REGION[self.pile],
            )
        return Text(
            "{who} discards {what} to the pile of {region}.",
            who=self.who,
            what=what,
            region=words.REGION[self.pile],
        )


class CardPlayed(Fact, frozen=True):
    """A card came into play face up (O-5.2); `site`: a site's name, empty for an adviser or a Vision."""

    who: str
    card: str
    site: str = ""

    def told_to(self, seat: str | None) -> Text:
        if self.site:
            return Text(
                "{who} plays {card} to {site}.", who=self.who, card=words.thing(self.card), site=self.site
            )
        return Text("{who} plays {card}.", who=self.who, card=words.thing(self.card))


class CardKept(Fact, frozen=True):
    """A card became a facedown adviser (O-5.2.2)."""

    who: str
    card: str
    vision: bool

    def told_to(self, seat: str | None) -> Text:
        if seat == self.who:
            return Text("You keep {card} as a facedown adviser.", card=words.thing(self.card))
        return Text("{who} keeps {what} as a facedown adviser.", who=self.who, what=words.back(self.vision))


class Drew(Fact, frozen=True):
    """Cards were drawn (O-5.1); `source`: `world` or a region."""

    who: str
    source: str
    cards: tuple[str, ...]
    visions: int
    drawn: int
    """Visions drawn from the world deck so far."""

    def told_to(self, seat: str | None) -> Text:
        source = Text("the world deck") if self.source == "world" else _pile(self.source)
        if seat == self.who:
            return Text(
                "You draw {cards} from {source}.",
                cards=tuple(words.thing(c) for c in self.cards),
                source=source,
            )
        if self.source == "world" and self.visions:
            return Text(
                "{who} draws {n} card from {source}, a Vision at the end; {drawn} have been drawn so far.",
                "{who} draws {n} cards from {source}, a Vision at the end; {drawn} have been drawn so far.",
                who=self.who,
                n=len(self.cards),
                source=source,
                drawn=self.drawn,
            )
        return Text(
            "{who} draws {n} card from {source}.",
            "{who} draws {n} cards from {source}.",
            who=self.who,
            n=len(self.cards),
            source=source,
        )


class CardsShown(Fact, frozen=True):
    """Cards that were drawn are shown to everybody; or the one that is `kept`."""

    who: str
    cards: tuple[str, ...]
    kept: bool = False

    def told_to(self, seat: str | None) -> Text:
        cards = tuple(words.thing(c) for c in self.cards)
        if self.kept:
            return Text("{who} keeps {cards}, as all can see.", who=self.who, cards=cards)
        return Text("{who} shows everybody the cards: {cards}.", who=self.who, cards=cards)


def _pile(region: str) -> Text:
    return Text("the discard pile of {region}", region=words.REGION[region])


class RelicTaken(Fact, frozen=True):
    """A relic came face up to somebody (O-5.5.1)."""

    who: str
    relic: str

    def told_to(self, seat: str | None) -> Text:
        return Text("{who} takes {relic}.", who=self.who, relic=words.thing(self.relic))


class Peeked(Fact, frozen=True):
    """Somebody looked at a facedown relic (O-7.3, O-7.4); `site` is empty for the Reliquary."""

    who: str
    relic: str
    site: str

    def told_to(self, seat: str | None) -> Text:
        where = Text("{site}", site=self.site) if self.site else Text("the Reliquary")
        if seat == self.who:
            return Text(
                "You look at a relic in {where}: {relic}.", where=where, relic=words.thing(self.relic)
            )
        return Text("{who} looks at a relic in {where}.", who=self.who, where=where)


class BannerTaken(Fact, frozen=True):
    """A banner has another holder, or another number of tokens (O-9)."""

    who: str
    banner: str
    tokens: int
    mob: bool

    def told_to(self, seat: str | None) -> Text:
        if self.mob:
            return Text(
                "{who} has {banner} with {n} on it, on its Mob side.",
                who=self.who,
                banner=words.thing(self.banner),
                n=self.tokens,
            )
        return Text(
            "{who} has {banner} with {n} on it.", who=self.who, banner=words.thing(self.banner), n=self.tokens
        )


class TitleMoved(Fact, frozen=True):
    """The Oathkeeper title has another holder, or lies on its other side (O-10.2)."""

    who: str
    usurper: bool

    def told_to(self, seat: str | None) -> Text:
        if self.usurper:
            return Text("{who} is the Usurper.", who=self.who)
        return Text("{who} is the Oathkeeper.", who=self.who)


class CardMoved(Fact, frozen=True):
    """A card at a site lies at another one now; it was not played (O-8.11)."""

    who: str
    card: str
    site: str

    def told_to(self, seat: str | None) -> Text:
        return Text("{card} moves to {site}.", card=words.thing(self.card), site=words.thing(self.site))


class AdviserSeen(Fact, frozen=True):
    """Somebody looked at a facedown adviser of another player (O-16.2)."""

    who: str
    owner: str
    place: int
    card: str

    def told_to(self, seat: str | None) -> Text:
        if seat == self.who:
            return Text(
                "You look at the facedown adviser in place {n} of {owner}: {card}.",
                n=self.place + 1,
                owner=self.owner,
                card=words.thing(self.card),
            )
        return Text(
            "{who} looks at the facedown adviser in place {n} of {owner}.",
            who=self.who,
            n=self.place + 1,
            owner=self.owner,
        )


class ConspiracyFound(Fact, frozen=True):
    """The Conspiracy was found among facedown advisers, and comes to whoever found it."""

    who: str
    owner: str

    def told_to(self, seat: str | None) -> Text:
        return Text(
            "{who} finds the Conspiracy among the advisers of {owner}.", who=self.who, owner=self.owner
        )


class LookedThrough(Fact, frozen=True):
    """Somebody looked at cards of a discard pile, topmost first (O-16.2)."""

    who: str
    pile: str
    cards: tuple[str, ...]

    def told_to(self, seat: str | None) -> Text:
        pile = _pile(self.pile)
        if seat == self.who:
            cards = tuple(words.thing(c) for c in self.cards)
            return Text("You look at {cards} in {pile}, topmost first.", cards=cards, pile=pile)
        return Text(
            "{who} looks at {n} card of {pile}.",
            "{who} looks at {n} cards of {pile}.",
            who=self.who,
            n=len(self.cards),
            pile=pile,
        )
