"""Setup (O-2): the saved map, the decks, everybody's own things, the pawns."""

from __future__ import annotations

from collections.abc import Sequence

from ..core.asks import Menu, choose, reveal, shuffle
from ..core.sealed import Sealed
from ..core.text import Text
from . import words
from .beginnings import dealt, first_game, open_start, started_over, started_over_from_all
from .boards import boards, seated
from .discarding import discard_drawn, in_what_order
from .facts import CardKept, PawnMoved, RoundBegan, TitleMoved
from .known import may_come
from .legacy import Legacy, SavedSite
from .oaths import check_title
from .printed import (
    BANNERS,
    FAVOR,
    NAMES,
    OATHS,
    PLACES,
    PURPLE,
    REGIONS,
    RELIQUARY,
    SCEPTER,
    WARBANDS,
    is_vision,
)
from .setup_facts import Began, HandDealt
from .state import Adviser, Banner, Card, Oath, PileCard, Player, Relic, Site, World, full_banks
from .verbs import set_banner

UNNAMED = "Oath"
"""The name of a chronicle that has none."""
BOARD_WARBANDS = 3  # O-2.9
RELIQUARY_SPACES = 4  # O-2.13
HAND = 3  # O-2.16
STARTS = ("scripted", "open", "reset", "reset from all")
"""How a chronicle may begin (O-3)."""
SCRIPTED_PLAYERS = 4  # O-3.1


def new_game(
    names: Sequence[str], start: str, oath: str, legacy: Legacy | None, unwritten: str, title: str
) -> Oath:
    """O-2.5, O-2.6: the seats; nothing is drawn before the first step."""
    nothing: Sealed[list[str]] = Sealed([])
    world = World(nothing, nothing, nothing, nothing)
    players = seated(names, legacy)
    g = Oath(players, oath, [Site(Sealed("")) for _ in PLACES], world, players[0].name)
    g.start, g.unwritten = start, unwritten
    g.chronicle = legacy.name if legacy else title or UNNAMED
    g.beginning = Sealed(legacy)
    return g


async def lay_out(g: Oath) -> None:
    """O-2.1 to O-2.16: everything but the pawns."""
    legacy = await _beginning(g)
    g.chronicle, g.game, g.oath = legacy.name, legacy.game, legacy.oath
    g.last_citizens = legacy.citizens
    g.beginning = Sealed(None)
    await boards(g, legacy)
    _shared_things(g)
    _roles(g, legacy)
    await _map(g, legacy)
    g.world.archive = legacy.archive
    g.world.dispossessed = Sealed(list(legacy.dispossessed))
    g.world.sites = Sealed(await shuffle("site deck", legacy.unused_sites))
    g.tell(Began(g.chronicle, g.game, g.oath, tuple((p.name, p.role) for p in g.players)))
    _own_things(g)
    _warbands_on_map(g)
    _oath_gift(g)
    for n in g.faceup():
        prompt_tokens(g, n)
    await _reliquary(g)
    _seed_piles(g)
    await _hands(g)
    g.phase = "pawns"


async def _beginning(g: Oath) -> Legacy:
    """What the chronicle brings; a new one begins as it was asked for (O-3)."""
    saved = g.beginning.under_seal()
    if saved is None:
        match g.start:
            case "scripted":
                saved = first_game(g.chronicle)
            case "reset":
                saved = await started_over(g.chronicle, may_come(g))
            case "reset from all":
                saved = await started_over_from_all(g.chronicle, g.oath, may_come(g))
            case _:
                saved = open_start(g.chronicle)
    return await dealt(saved)


def _shared_things(g: Oath) -> None:
    """O-2.2 to O-2.4."""
    g.banks = full_banks(4 if len(g.players) > 4 else 3)
    g.banners = {b: Banner() for b in BANNERS}
    g.shared = FAVOR - sum(g.banks.values()) - 1  # one favor lies on the People's Favor
    g.visions_drawn = 0


def _roles(g: Oath, legacy: Legacy) -> None:
    """O-2.6: the boards start on the side that was saved for their colour."""
    for player in g.players:
        if player.colour != PURPLE:
            player.role = "citizen" if player.colour in legacy.citizens else "exile"


async def _map(g: Oath, legacy: Legacy) -> None:
    """O-2.1: the saved sites with what belongs to them; faceup ones are known to all."""
    everybody = tuple(p.name for p in g.players)
    g.map = [_site(saved, everybody) for saved in legacy.map]
    g.world.relics = Sealed(list(legacy.relics))
    g.world.deck = Sealed(list(legacy.deck))


def _site(saved: SavedSite, everybody: tuple[str, ...]) -> Site:
    site = Site(Sealed(saved.site))
    if saved.faceup:
        site.site, site.shown = Sealed(saved.site, everybody), saved.site
    site.cards = [Card(c.id, c.ruined) for c in saved.cards]
    site.relics = [Sealed(relic) for relic in saved.relics]
    return site


def _own_things(g: Oath) -> None:
    """O-2.7 to O-2.9: Supply, favor, secrets, warbands."""
    for player in g.players:
        favor = 2 if player.role == "chancellor" else 1
        player.favor, player.secrets = favor, 1
        g.shared -= favor
        player.bank = WARBANDS[player.colour]
    for player in g.players:
        bank = g.chancellor if player.imperial else player
        player.warbands = min(BOARD_WARBANDS, bank.bank)
        bank.bank -= player.warbands
    g.chancellor.relics.append(Relic(SCEPTER))


def _warbands_on_map(g: Oath) -> None:
    """O-2.10: two purple ones on the top faceup Cradle site, one on every other faceup site with a denizen or an intact
    edifice."""
    faceup = g.faceup()
    top = next((n for n in faceup if g.region(n) == "cradle"), None)
    for n in faceup:
        inhabited = any(not card.ruined for card in g.map[n].cards)
        count = 2 if n == top else int(inhabited)
        if count:
            g.map[n].colour, g.map[n].warbands = PURPLE, count
            g.chancellor.bank -= count


def _oath_gift(g: Oath) -> None:
    """O-2.11: the banner of the oath, and the title."""
    gift = OATHS[g.oath].setup_gift
    if gift:
        set_banner(g, gift, g.chancellor, 1)
    g.title, g.usurper = g.chancellor.name, False
    g.tell(TitleMoved(g.title, False))


def prompt_tokens(g: Oath, site: int) -> None:
    """O-2.12: favor and secrets as the site's prompt says; its relics were saved with it."""
    there = g.map[site]
    favor = min(there.printed.favor, g.shared)
    g.shared -= favor
    there.favor, there.secrets = favor, there.printed.secrets


async def _reliquary(g: Oath) -> None:
    """O-2.13: four off the relic deck, face down on the spaces at random; the Scepter's holder may look (O-7.4)."""
    deck = g.world.relics.under_seal()
    drawn = await shuffle("reliquary", deck[:RELIQUARY_SPACES])
    g.world.relics = Sealed(deck[RELIQUARY_SPACES:])
    spaces: list[Sealed[str] | None] = [Sealed(relic) for relic in drawn]
    g.reliquary = [*spaces, *[None] * (len(RELIQUARY) - len(spaces))]  # HR-29


def _seed_piles(g: Oath) -> None:
    """O-2.15: one unseen card off the bottom of the world deck for each discard pile."""
    for region in REGIONS:
        card = _from_bottom(g, 1)[0]
        g.piles[region].append(PileCard(Sealed(card), is_vision(card)))


def _from_bottom(g: Oath, count: int) -> list[str]:
    deck = g.world.deck.under_seal()
    taken = deck[-count:][::-1]
    g.world.deck = Sealed(deck[:-count])
    return taken


async def _hands(g: Oath) -> None:
    """O-2.16: three cards each off the bottom; Visions among them move the marker (HR-20)."""
    for player in g.players:
        cards = tuple(_from_bottom(g, HAND))
        hand, player.hand = await reveal(f"hand {player.name}", Sealed(cards), player.name)
        g.visions_drawn += sum(map(is_vision, hand))
        g.tell(HandDealt(player.name, tuple(hand)))


# O-2.17


async def place_pawn(g: Oath) -> None:
    """One player: a pawn on a faceup site, one card kept face down, two discarded to the next region's pile."""
    me = g.players[g.placing]
    faceup = g.faceup()
    me.pawn = faceup[0] if me.role == "chancellor" else await _chosen_site(g, me, faceup)
    g.tell(PawnMoved(me.name, NAMES[g.map[me.pawn].shown]))
    kept = await _kept(me)
    rest = list(me.hand.under_seal())
    rest.remove(kept)
    gone = await in_what_order(g, me, rest)
    me.hand = Sealed(())
    me.advisers.append(Adviser(Sealed(kept, (me.name,)), is_vision(kept)))
    g.tell(CardKept(me.name, kept, is_vision(kept)))
    discard_drawn(g, me, gone)
    g.placing += 1
    if g.placing == len(g.players):
        await check_title(g)
        g.phase, g.round, g.turn = "wake", 1, 0
        g.tell(RoundBegan(1))


async def _chosen_site(g: Oath, me: Player, faceup: list[int]) -> int:
    menu: Menu[int] = Menu()
    for n in faceup:
        menu.add(Text("start at {site}", site=words.site(g, n)), n, id=str(n), also=(words.site(g, n),))
    prompt = Text("Put your pawn on a faceup site.")
    return await choose(me.name, "pawn", menu, prompt, section="O-2.17", kind="setup")


async def _kept(me: Player) -> str:
    menu: Menu[str] = Menu()
    for card in me.hand.under_seal():
        menu.add(Text("keep {card}", card=words.thing(card)), card, id=card, also=(words.thing(card),))
    prompt = Text("Keep one of your cards as a facedown adviser; the others are discarded.")
    return await choose(me.name, "keep-first", menu, prompt, section="O-2.17", kind="setup")
