"""Numbers and permissions that cards may change (O-8.5), each a question of its own kind.

A question starts from the rule's own value; everything in force is asked to change it (`Power.modify`), in a fixed
order that does not matter: values are set, then added to, then overridden; a refusal stands whoever else agrees
(O-0.3).
"""

from __future__ import annotations

import msgspec

from ..core.text import Text
from .printed import Cost
from .ruling import Lying
from .state import Card, Player


class Query(msgspec.Struct):
    """A question to everything in force."""


class Number(Query):
    """A number that may be set, added to, and made nothing. A modifier speaks only where it was declared (O-8.5)."""

    base: int = 0
    more: int = 0
    nothing: bool = False
    """Spend no Supply: it beats every increase (O-8.10)."""
    least: int = 0
    declared: tuple[str, ...] = ()
    """Ids of the modifiers in use."""

    @property
    def value(self) -> int:
        """What it comes to."""
        return 0 if self.nothing else max(self.least, self.base + self.more)


class May(Query):
    """A permission; the first reason against it is told."""

    why: Text | None = None
    declared: tuple[str, ...] = ()
    """Ids of the modifiers in use."""

    def refuse(self, why: Text) -> None:
        """It is not allowed, whoever else agrees."""
        if self.why is None:
            self.why = why


# Supply and other costs


class SearchCost(Number, kw_only=True):
    """Supply of a Search (O-5.1); `source`: `world`, or the region of a pile."""

    player: Player
    source: str


class MusterCost(Number, kw_only=True):
    """Supply of a Muster on a card (O-5.3)."""

    player: Player
    card: Card


class TradeCost(Number, kw_only=True):
    """Supply of a Trade with a card (O-5.4)."""

    player: Player
    card: Card


class TravelCost(Number, kw_only=True):
    """Supply of travelling (O-5.6)."""

    player: Player
    origin: int
    destination: int


# where favor comes from and goes to


class Purse(Query, kw_only=True):
    """Banks out of which a player may pay favor as if it lay on the board (O-8.2); that is an option, so nobody is made
    to."""

    player: Player
    banks: list[str] = msgspec.field(default_factory=list)


class FavorGoes(Query, kw_only=True):
    """Where favor goes that would reach a player's board: a bank, or nothing for the board."""

    player: Player
    bank: str = ""


class BurnGoes(Query, kw_only=True):
    """Who gets favor that a player burns; None: the shared bank."""

    by: Player
    to: Player | None = None


# amounts


class Draws(Number, kw_only=True):
    """How many cards a Search draws (O-5.1)."""

    player: Player
    source: str


class MusterGain(Number, kw_only=True):
    """Warbands that a Muster brings (O-5.3)."""

    player: Player
    card: Card
    site: int


class TradeGain(Number, kw_only=True):
    """Favor or secrets that a Trade brings (O-5.4); `goods`: `favor` or `secrets`."""

    player: Player
    card: Card
    goods: str
    advisers_of: Player
    """Whose advisers they are: the player's own, or those that a card puts in their place."""
    suits: tuple[str, ...] = ()
    """The suits that the faceup advisers count as."""
    favor_too: int = 0
    """Favor that a Trade for secrets brings besides (Careless)."""
    no_favor: bool = False
    """Whatever else would be gained, favor is not."""


class Matches(Number, kw_only=True):
    """How many faceup advisers of a player match a suit (O-1.10)."""

    player: Player
    suit: str


class AdviserSuits(Query, kw_only=True):
    """The suits of a player's faceup advisers as they are compared in a Trade (O-5.4); `suit`: the traded card's."""

    player: Player
    advisers_of: Player
    """Whose advisers they are: the player's own, or those that a card puts in their place."""
    suit: str
    suits: list[str]
    declared: tuple[str, ...] = ()


class AdviserLimit(Query, kw_only=True):
    """How many advisers a player may have; several limits: the lowest (O-8.9)."""

    player: Player
    coming: str = ""
    """The card that is to come face up; its own text counts already. Empty: none, or one face down."""
    limit: int = 3
    more: int = 0
    ignored: list[str] = msgspec.field(default_factory=list)
    """Faceup cards that do not count."""
    free: bool = False
    """The card that comes needs no place."""

    def at_most(self, limit: int) -> None:
        """A card's own limit."""
        self.limit = min(self.limit, limit)

    @property
    def most(self) -> int:
        """What it comes to."""
        return self.limit + self.more


class Capacity(Number, kw_only=True):
    """How many cards a site holds (O-1.7)."""

    site: int
    coming: str = ""
    """The card that is to be played there; its own text counts already."""
    unlimited: bool = False
    """There is always room for the card that comes."""


class Bandits(Number, kw_only=True):
    """How many bandits defend a site (O-13.1)."""

    site: int


class PlayReward(Query, kw_only=True):
    """What a player gets for playing a card to a site (O-5.2.1): favor of its bank, or secrets (Book of Records)."""

    player: Player
    card: str
    favor: int = 1
    secrets: int = 0


# permissions


class MayPlay(May, kw_only=True):
    """Playing a card: `where` is `site`, `adviser`, `facedown` or `vision` (O-5.2); its own text counts already."""

    player: Player
    card: str
    where: str
    site: int
    played: tuple[str, ...] = ()
    """Where earlier cards of the same Search went."""


class PlaySites(Query, kw_only=True):
    """Further sites to which a card may be played (O-5.2.1)."""

    player: Player
    card: str
    declared: tuple[str, ...] = ()
    sites: list[int] = msgspec.field(default_factory=list)


class RoomFirst(Query, kw_only=True):
    """Sites of which a denizen may be discarded before a card is played to a site (O-5.2.5)."""

    player: Player
    site: int
    declared: tuple[str, ...] = ()
    sites: list[int] = msgspec.field(default_factory=list)

    def too(self, site: int) -> None:
        """Another site, each once."""
        if site not in self.sites:
            self.sites.append(site)


class MaySearch(May, kw_only=True):
    """Searching, or playing a facedown adviser (`source` is `adviser`); `tolls` must be paid for it (O-8.5)."""

    player: Player
    source: str
    supply: int = 0
    """What it costs (Greedy)."""
    tolls: list[Lying] = msgspec.field(default_factory=list)


class PileWithinReach(Query, kw_only=True):
    """Whether a discard pile of another region may be drawn from."""

    player: Player
    source: str
    declared: tuple[str, ...] = ()
    allowed: bool = False


class CardWithinReach(Query, kw_only=True):
    """Whether the cards at a site where the pawn is not may be traded with."""

    player: Player
    site: int
    declared: tuple[str, ...] = ()
    allowed: bool = False


class MayTrade(May, kw_only=True):
    """Trading with a card."""

    player: Player
    card: Card
    site: int
    goods: str
    tolls: list[Lying] = msgspec.field(default_factory=list)


class MayTravel(May, kw_only=True):
    """Travelling, also when somebody else makes one travel."""

    player: Player
    origin: int
    destination: int
    tolls: list[Lying] = msgspec.field(default_factory=list)
    flips: int = 0
    """Faceup secrets that must be turned face down (The Hidden Place)."""


class SkipsSites(Query, kw_only=True):
    """Whether site powers count for nothing on a way (Portal, Forest Paths), by what was declared."""

    player: Player
    origin: int
    destination: int
    declared: tuple[str, ...] = ()
    skips: bool = False


class MayCampaign(May, kw_only=True):
    """Starting a Campaign."""

    player: Player


class MayMusterOn(May, kw_only=True):
    """Mustering on a card."""

    player: Player
    card: Card
    occupied_too: bool = False
    """Tokens on the card are no hindrance (Pressgangs)."""
    pays: str = "favor"
    """What is laid on the card: `favor` or `secret` (Initiation Rite)."""


class MayRecover(May, kw_only=True):
    """Recovering a banner or a relic; `target`: its id, `relic` for an unseen one."""

    player: Player
    target: str
    owner: Player | None = None


class AddedToRecover(Number, kw_only=True):
    """Tokens out of the shared bank that join the payment of a Recover (O-5.5)."""

    player: Player
    target: str


class MayTake(May, kw_only=True):
    """Taking a banner or a relic in whatever way (O-8.11); `target`: its id, `relic` for an unseen one."""

    player: Player
    target: str
    owner: Player | None = None
    site: int | None = None
    """Where it lies, if at a site."""


class MayUse(May, kw_only=True):
    """Using a power with a cost: a card's, a site's, or the Conspiracy's."""

    player: Player
    cost: Cost
    """All that it asks, with what others add; a secret that is turned face down counts as one laid down."""


class MayExile(May, kw_only=True):
    """Exiling a Citizen, or oneself (O-12.4, O-12.5)."""

    player: Player
    citizen: Player


class MayGiveSecrets(May, kw_only=True):
    """Giving secrets away (O-8.11)."""

    player: Player


class Locked(Query, kw_only=True):
    """Whether a card may be discarded, moved or swapped by a player (O-8.8)."""

    by: Player
    lying: Lying
    locked: bool = False


class RulesCard(Query, kw_only=True):
    """Whether a player rules a card at a site: the cards, not the site (Grand Mask)."""

    player: Player
    lying: Lying
    rules: bool = False


class Visions(Query, kw_only=True):
    """The revealed Visions with whose goals a player may win (O-11.2)."""

    player: Player
    visions: list[str]


# the Chronicle


class KeptSite(Query, kw_only=True):
    """Whether a faceup site stays in the world after the game (O-18.3)."""

    site: int
    kept: bool
