"""Changes that are told: nothing moves in silence. What another card may answer is in `taking` and `playing`."""

from __future__ import annotations

from .facts import (
    BannerTaken,
    FavorMoved,
    SecretsMoved,
    SiteTurnedUp,
    SuppliesGained,
    SuppliesSpent,
    WarbandsGained,
    WarbandsKilled,
    WarbandsMoved,
)
from .powers import asked
from .printed import MOST_SUPPLY, NAMES, PEOPLES_FAVOR, PURPLE
from .queries import BurnGoes, FavorGoes, Purse
from .state import Adviser, Card, Oath, Player, Relic

# Supply


def spend(g: Oath, player: Player, n: int) -> None:
    """Supply of an action (O-4.3)."""
    if n:
        player.supply -= n
        g.spent += n if player is g.active else 0
        g.tell(SuppliesSpent(player.name, n, player.supply))


def gain_supply(g: Oath, player: Player, n: int) -> None:
    """It stops at the leftmost space (HR-12)."""
    gained = min(n, MOST_SUPPLY - player.supply)
    player.supply += gained
    g.began_with += gained if player is g.active else 0
    if gained:
        g.tell(SuppliesGained(player.name, gained, player.supply))


# favor: what a player pays may come out of banks that a card opens, what is taken off a board may not


def means(g: Oath, player: Player) -> int:
    """What a player can pay (O-8.2): the favor on the board, and that of banks which a card opens."""
    return player.favor + sum(g.banks[suit] for suit in asked(g, Purse(player=player)).banks)


def pay_favor(g: Oath, player: Player, n: int, to: str) -> None:
    """Favor that a player pays leaves the board, then banks that a card opens; where it comes to lie is the caller's
    business, `to` its name."""
    left = n - _off_board(g, player, min(n, player.favor), to)
    for suit in asked(g, Purse(player=player)).banks if left else ():
        paid = min(left, g.banks[suit])
        g.banks[suit] -= paid
        left -= paid
        if paid:
            g.tell(FavorMoved(player.name, paid, suit, to))


def _off_board(g: Oath, player: Player, n: int, to: str) -> int:
    player.favor -= n
    if n:
        g.tell(FavorMoved(player.name, n, player.name, to))
    return n


def receive_favor(g: Oath, player: Player, n: int, source: str) -> None:
    """Favor that has left `source` reaches a player, or the bank where a card sends it."""
    to = _lands(g, player, n)
    if n:
        g.tell(FavorMoved(player.name, n, source, to))


def _lands(g: Oath, player: Player, n: int) -> str:
    to = _landing(g, player)
    if to == player.name:
        player.favor += n
    else:
        g.banks[to] += n
    return to


def _landing(g: Oath, player: Player) -> str:
    """The name of the place where a player's favor lands."""
    return asked(g, FavorGoes(player=player)).bank or player.name


def favor_from_bank(g: Oath, player: Player, suit: str, n: int) -> int:
    """Favor out of a suit's bank, as far as it reaches (O-15.1, O-19.2); gives how much."""
    gained = min(n, g.banks[suit])
    g.banks[suit] -= gained
    receive_favor(g, player, gained, suit)
    return gained


def favor_to_bank(g: Oath, player: Player, suit: str, n: int) -> None:
    """Favor that a player pays into a suit's bank."""
    pay_favor(g, player, n, suit)
    g.banks[suit] += n


def burn_favor(g: Oath, player: Player, n: int) -> None:
    """Favor that a player burns, for a cost or because it must be, goes to the shared bank (O-8.2)."""
    to = asked(g, BurnGoes(by=player)).to if n else None
    if to is None:
        pay_favor(g, player, n, "shared")
        g.shared += n
    else:
        give_favor(g, player, to, n)


def burn_from_bank(g: Oath, actor: Player, suit: str, n: int) -> None:
    """Favor out of a suit's bank to the shared bank, as far as it reaches; `actor`: who brings it about."""
    burned = min(n, g.banks[suit])
    g.banks[suit] -= burned
    g.shared += burned
    if burned:
        g.tell(FavorMoved(actor.name, burned, suit, "shared"))


def give_favor(g: Oath, giver: Player, taker: Player, n: int) -> int:
    """Favor that a player pays another, as far as it reaches; gives how much."""
    given = min(n, means(g, giver))
    pay_favor(g, giver, given, _landing(g, taker))
    _lands(g, taker, given)
    return given


def take_favor(g: Oath, taker: Player, owner: Player, n: int) -> int:
    """Favor taken off another player's board, as far as it reaches; gives how much."""
    taken = _off_board(g, owner, min(n, owner.favor), _landing(g, taker))
    _lands(g, taker, taken)
    return taken


def favor_between_banks(g: Oath, player: Player, source: str, to: str, n: int) -> None:
    """Favor from one suit's bank into another."""
    moved = min(n, g.banks[source])
    g.banks[source] -= moved
    g.banks[to] += moved
    if moved:
        g.tell(FavorMoved(player.name, moved, source, to))


# secrets


def gain_secrets(g: Oath, player: Player, n: int) -> None:
    """Secrets out of the shared bank, which has no end (O-15.1)."""
    player.secrets += n
    if n:
        g.tell(SecretsMoved(player.name, n, "shared", player.name))


def burn_secrets(g: Oath, player: Player, n: int) -> None:
    """Faceup secrets as a cost (O-8.2)."""
    player.secrets -= n
    if n:
        g.tell(SecretsMoved(player.name, n, player.name, "shared"))


def lose_secrets(g: Oath, player: Player, n: int) -> None:
    """Secrets burned by an effect, facedown ones first, which are worth less."""
    down = min(n, player.spent)
    player.spent -= down
    player.secrets -= n - down
    if n:
        g.tell(SecretsMoved(player.name, n, player.name, "shared"))


def give_secrets(g: Oath, giver: Player, taker: Player, n: int) -> int:
    """Faceup secrets from board to board, as far as they reach; gives how many."""
    given = min(n, giver.secrets)
    giver.secrets -= given
    taker.secrets += given
    if given:
        g.tell(SecretsMoved(giver.name, given, giver.name, taker.name))
    return given


def take_secret(g: Oath, taker: Player, owner: Player) -> None:
    """A secret off another board, a faceup one if there is one; a facedown one stays face down."""
    if owner.secrets:
        owner.secrets -= 1
        taker.secrets += 1
    else:
        owner.spent -= 1
        taker.spent += 1
    g.tell(SecretsMoved(taker.name, 1, owner.name, taker.name))


# tokens on cards

Holding = Card | Adviser | Relic
"""What tokens may lie on."""


def lay(
    g: Oath, player: Player, id: str, thing: Holding, suit: str, *, favor: int = 0, secrets: int = 0
) -> None:
    """Tokens of a cost (O-8.2): onto the card in one's own turn; else favor into the card's bank at once and secrets
    face down onto the board (O-8.3)."""
    own_turn = player is g.active
    pay_favor(g, player, favor, id if own_turn else suit or "shared")
    player.secrets -= secrets
    if own_turn:
        thing.favor += favor
        thing.secrets += secrets
    else:
        player.spent += secrets
        if suit:
            g.banks[suit] += favor
        else:
            g.shared += favor
    if secrets and own_turn:
        g.tell(SecretsMoved(player.name, secrets, player.name, id))


def clear(g: Oath, player: Player, id: str, thing: Holding, suit: str) -> None:
    """Tokens leave a card that is discarded (O-5.7.3): favor to its bank, secrets face down to the acting player."""
    if thing.favor:
        g.banks[suit] += thing.favor
        g.tell(FavorMoved(player.name, thing.favor, id, suit))
    if thing.secrets:
        player.spent += thing.secrets
        g.tell(SecretsMoved(player.name, thing.secrets, id, player.name))
    thing.favor = thing.secrets = 0


# warbands


def bank_of(g: Oath, player: Player) -> Player:
    """Whose bank holds the warbands that fight for a player: purple ones are the Chancellor's (O-12.3)."""
    return g.chancellor if player.imperial else player


def gain_warbands(g: Oath, player: Player, n: int) -> int:
    """Warbands from the bank to the board, as far as it reaches (O-5.3); gives how many."""
    bank = bank_of(g, player)
    gained = min(n, bank.bank)
    bank.bank -= gained
    player.warbands += gained
    if gained:
        g.tell(WarbandsGained(player.name, gained))
    return gained


def to_site(g: Oath, player: Player, site: int, n: int) -> None:
    """Warbands from a board onto a site that holds no other colour."""
    there = g.map[site]
    player.warbands -= n
    there.warbands += n
    if n:
        there.colour = player.banner_colour
        g.tell(WarbandsMoved(player.name, n, _name(g, site), True))


def to_board(g: Oath, player: Player, site: int, n: int) -> None:
    """Warbands from a site onto a board of the same side."""
    g.map[site].leave(n)
    player.warbands += n
    if n:
        g.tell(WarbandsMoved(player.name, n, _name(g, site), False))


def kill_on_board(g: Oath, player: Player, n: int) -> int:
    """Warbands on a board return to their bank (O-15.4); gives how many."""
    killed = min(n, player.warbands)
    player.warbands -= killed
    bank_of(g, player).bank += killed
    if killed:
        g.tell(WarbandsKilled(player.name, killed))
    return killed


def kill_at_site(g: Oath, site: int, n: int) -> int:
    """Warbands on a site return to the bank of their colour; gives how many."""
    there = g.map[site]
    killed = min(n, there.warbands)
    if not killed:
        return 0
    owner = g.chancellor if there.colour == PURPLE else _of_colour(g, there.colour)
    owner.bank += killed
    there.leave(killed)
    g.tell(WarbandsKilled(owner.name, killed, _name(g, site)))
    return killed


def _of_colour(g: Oath, colour: str) -> Player:
    return next(p for p in g.players if p.colour == colour)


def _name(g: Oath, site: int) -> str:
    return NAMES[g.map[site].shown]


# banners


def set_banner(g: Oath, banner: str, holder: Player | None, tokens: int, *, mob: bool = False) -> None:
    """A banner's holder, tokens and side, as they are now; where the tokens came from was told before."""
    there = g.banners[banner]
    there.holder = holder.name if holder else ""
    there.tokens = tokens
    there.mob = mob and banner == PEOPLES_FAVOR
    if holder is not None:
        g.tell(BannerTaken(holder.name, banner, tokens, there.mob))


# sites


def turned_up(g: Oath, site: int, relics: int) -> None:
    """A site is face up and its prompt was carried out (O-5.6.3)."""
    there = g.map[site]
    g.tell(SiteTurnedUp(there.shown, there.favor, there.secrets, relics))
