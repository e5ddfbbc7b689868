"""Who rules what, who is whose enemy, where things lie: the questions that every rule asks (O-1.8 to O-1.11)."""

from __future__ import annotations

from collections.abc import Container, Iterator

from .printed import BANNERS, PURPLE, RELICS, RELIQUARY, SUITS
from .state import BANDITS, Adviser, Card, Oath, Player, Relic

CROWN = "bandit_crown"
"""Its holder rules the sites without warbands; the rest of what it does is among the relics."""


def rulers(g: Oath, site: int) -> tuple[str, ...]:
    """O-1.8: names of those who rule a site; every Imperial player rules a purple one (O-12.1), the bandits a
    faceup one without warbands, nobody a facedown one."""
    there = g.map[site]
    if not there.shown:
        return ()
    crowned = holder_of(g, CROWN) if not there.warbands else None
    if not there.warbands and crowned is None:
        return (BANDITS,)
    colour = crowned.banner_colour if crowned else there.colour
    return tuple(p.name for p in g.players if p.banner_colour == colour)


def rules(g: Oath, player: Player, site: int) -> bool:
    """Whether a player rules a site; the same as being among its rulers, and asked far more often."""
    there = g.map[site]
    if not there.shown:
        return False
    if there.warbands:
        return there.colour == player.banner_colour
    crowned = holder_of(g, CROWN)
    return crowned is not None and crowned.banner_colour == player.banner_colour


def ruled_sites(g: Oath, player: Player) -> list[int]:
    """The sites that a player rules, in map order."""
    return [n for n in range(len(g.map)) if rules(g, player, n)]


def pays_for(g: Oath, site: int) -> Player | None:
    """Who is paid where the ruler of a site is paid: the Chancellor for the Empire, nobody for bandits (HR-22)."""
    there = g.map[site]
    if not there.shown:
        return None
    if not there.warbands:
        crowned = holder_of(g, CROWN)
        return g.chancellor if crowned is not None and crowned.imperial else crowned
    if there.colour == PURPLE:
        return g.chancellor
    return next(p for p in g.players if p.colour == there.colour)


def enemies(player: Player, other: Player) -> bool:
    """O-1.11: an Exile's are all others, an Imperial player's are the Exiles."""
    return player.name != other.name and not (player.imperial and other.imperial)


def at(g: Oath, site: int) -> list[Player]:
    """Whose pawns stand at a site, clockwise from the Chancellor."""
    return [p for p in g.players if p.pawn == site]


def holder_of(g: Oath, relic: str) -> Player | None:
    """Who holds a faceup relic."""
    return next((p for p in g.players if p.relic(relic)), None)


def holds(g: Oath, player: Player, banner: str) -> bool:
    """Whether a player holds a banner."""
    return g.banners[banner].holder == player.name


def treasures(g: Oath, player: Player) -> int:
    """Relics and banners together (O-10.1); Reliquary relics are nobody's (O-10.6)."""
    return len(player.relics) + sum(holds(g, player, b) for b in BANNERS)


def faceup_suits(player: Player) -> list[str]:
    """The suits of a player's faceup advisers, one each (O-19.1)."""
    return [a.suit for a in player.advisers if a.suit]


def suits_at(g: Oath, site: int) -> list[str]:
    """The suits of the cards at a site, one each; ruins have none."""
    return [c.suit for c in g.map[site].cards if c.suit]


def in_circle(first: str) -> list[str]:
    """The six suits from one on, in circle order (O-1.2)."""
    start = SUITS.index(first)
    return [*SUITS[start:], *SUITS[:start]]


def poorest_banks(g: Oath) -> list[str]:
    """The banks with the least favor, in circle order."""
    least = min(g.banks.values())
    return [suit for suit in SUITS if g.banks[suit] == least]


def relics_at(g: Oath, site: int) -> list[str]:
    """The facedown relics at a site, for the rules alone."""
    return [relic.under_seal() for relic in g.map[site].relics]


def defense_of(relic: str) -> int:
    """The dice that a relic adds as a target (O-6.2.1)."""
    return RELICS[relic].defense


# everything with a power on it


class Lying:
    """A faceup thing with a power, and where it lies."""

    __slots__ = ("holder", "id", "site", "thing")

    def __init__(
        self, id: str, thing: Card | Adviser | Relic | None, site: int | None, holder: Player | None
    ) -> None:
        self.id = id
        self.thing = thing
        """What carries the tokens; None for a site, a banner or a space of the Reliquary."""
        self.site = site
        """Where it lies, if at a site; a relic, adviser or banner is where its holder is."""
        self.holder = holder
        """Whose adviser, relic or banner it is."""

    def ruled_by(self, g: Oath, player: Player) -> bool:
        """Whether a player rules this card (O-1.8)."""
        if self.holder is not None:
            return self.holder.name == player.name
        if self.site is None:
            return False
        ruled = rules(g, player, self.site)
        if self.thing is None:
            return ruled
        from .powers import asked
        from .queries import RulesCard

        return asked(g, RulesCard(player=player, lying=self, rules=ruled)).rules

    def open_to(self, g: Oath, player: Player) -> bool:
        """O-8.1: access to its power, by ruling it or by a pawn at its site."""
        return self.ruled_by(g, player) or (self.holder is None and self.site == player.pawn)


def everything(g: Oath, among: Container[str]) -> Iterator[Lying]:
    """Those of some powers that lie face up, in a fixed order: the map from top to bottom, then the players clockwise,
    then banners and uncovered spaces of the Reliquary, which work for the Chancellor alone (O-12.6)."""
    for n, site in enumerate(g.map):
        if site.shown in among:
            yield Lying(site.shown, None, n, None)
        for card in site.cards:
            id = (
                f"{card.id}_ruined" if card.ruined else card.id
            )  # a ruin is another power than the edifice it was
            if id in among:
                yield Lying(id, card, n, None)
    for player in g.players:
        for adviser in player.advisers:
            if adviser.shown in among:
                yield Lying(adviser.shown, adviser, None, player)
        for relic in player.relics:
            if relic.id in among:
                yield Lying(relic.id, relic, None, player)
    for banner in BANNERS:
        if banner in among:
            holder = g.banners[banner].holder
            yield Lying(banner, None, None, g.player(holder) if holder else None)
    for space, covered in zip(RELIQUARY, g.reliquary, strict=False):
        if covered is None and space in among:
            yield Lying(space, None, None, g.chancellor)


def face_up(g: Oath, id: str) -> Lying | None:
    """A faceup thing by its id; None if it lies nowhere."""
    return next(everything(g, (id,)), None)
