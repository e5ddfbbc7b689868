"""A major action in the making: what was chosen, and what declared modifiers have made of it (O-8.5)."""

from __future__ import annotations

from ..discarding import Onto
from ..ruling import Lying
from ..state import Card, Oath, Player
from ..verbs import means


class Action:
    """One major action of one player, from its declaration to its end."""

    name = ""
    """`search`, `muster`, `trade`, `travel`, `recover` or `campaign`."""

    def __init__(self, g: Oath, player: Player, *, free: bool = False) -> None:
        self.g = g
        self.player = player
        self.free = free
        """Another power lets the player act without Supply."""
        self.declared: tuple[str, ...] = ()
        """Ids of the modifiers in use; each once (O-8.5)."""
        self.owed_favor = self.owed_secrets = 0
        """What the modifiers in use cost, while they are only thought of."""
        self.lent: tuple[Lying, ...] = ()
        """Cards whose modifiers may be declared too, put in place of the player's own by one that was declared."""

    @property
    def favor(self) -> int:
        """What the player can pay beyond the modifiers."""
        return means(self.g, self.player) - self.owed_favor

    @property
    def secrets(self) -> int:
        """Faceup secrets of the player beyond the modifiers."""
        return self.player.secrets - self.owed_secrets


class Search(Action):
    """O-5.1; `source`: `world`, or the region of a pile."""

    name = "search"

    def __init__(self, g: Oath, player: Player, source: str, *, free: bool = False) -> None:
        super().__init__(g, player, free=free)
        self.source = source
        self.from_bottom = False
        self.discards: Onto | None = None
        """Where a card puts all that is discarded; None: the rule's own pile."""
        self.openly = False
        """Everybody sees what is drawn and what is kept."""
        self.plays = 1
        """How many of the cards may be played."""
        self.drawn: list[str] = []


class Muster(Action):
    """O-5.3."""

    name = "muster"

    def __init__(self, g: Oath, player: Player, card: Card, site: int, *, free: bool = False) -> None:
        super().__init__(g, player, free=free)
        self.card = card
        self.site = site


class Trade(Action):
    """O-5.4; `goods`: `favor` or `secrets`."""

    name = "trade"

    def __init__(
        self, g: Oath, player: Player, card: Card, site: int, goods: str, *, free: bool = False
    ) -> None:
        super().__init__(g, player, free=free)
        self.card = card
        self.site = site
        self.goods = goods
        self.suit = card.suit
        """The suit that the card counts as."""
        self.advisers_of = player
        """Whose advisers are compared with it."""


class Travel(Action):
    """O-5.6."""

    name = "travel"

    def __init__(self, g: Oath, player: Player, destination: int, *, free: bool = False) -> None:
        super().__init__(g, player, free=free)
        self.origin = player.pawn
        self.destination = destination
        self.forced = False
        """Somebody else makes the player travel."""
        self.among: tuple[int, ...] = ()
        """The sites that a power allows; none: all."""


class Recover(Action):
    """O-5.5; `target`: a banner's id, or `relic` for one at the player's site."""

    name = "recover"

    def __init__(self, g: Oath, player: Player, target: str) -> None:
        super().__init__(g, player)
        self.target = target
