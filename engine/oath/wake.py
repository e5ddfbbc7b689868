"""The Wake phase, in its strict order (O-4.2, HR-01)."""

from __future__ import annotations

from ..core.asks import Menu, choose
from ..core.text import Text
from . import words
from .facts import FavorMoved, SecretsMoved, TurnBegan
from .oaths import flip_title, win, wins_in_wake
from .printed import PEOPLES_FAVOR, SITES
from .ruling import holds, poorest_banks
from .state import Oath, Player
from .verbs import means, pay_favor, receive_favor, set_banner

MOB_AT = 6  # O-9.4


async def wake(g: Oath) -> None:
    """O-4.2: People's Favor, victory, the title's flip, the site; no card of the game works in the Wake."""
    me = g.active
    g.tell(TurnBegan(me.name))
    g.spent, g.began_with = 0, me.supply
    g.scepter_taken, g.discarded, g.fought = False, [], ""
    await peoples_favor(g, me)
    ways = wins_in_wake(g, me)
    if ways:
        win(g, me, *ways)
        return
    flip_title(g, me)
    await site_token(g, me)
    g.phase = "act"


async def peoples_favor(g: Oath, me: Player) -> None:
    """O-9.4: put one favor on the banner, or move one from it to a poorest bank; twice for the Mob."""
    if not holds(g, me, PEOPLES_FAVOR):
        return
    banner = g.banners[PEOPLES_FAVOR]
    for _ in range(2 if banner.mob else 1):
        await _put_or_return(g, me)
    if banner.tokens >= MOB_AT and not banner.mob:
        set_banner(g, PEOPLES_FAVOR, me, banner.tokens, mob=True)


async def _put_or_return(g: Oath, me: Player) -> None:
    banner = g.banners[PEOPLES_FAVOR]
    menu: Menu[str] = Menu()
    if means(g, me):
        menu.add(Text("put 1 favor on it"), "put", id="put", also=(Text("put"),))
    if banner.tokens > 1:
        for suit in poorest_banks(g):
            menu.add(
                Text("return 1 favor to the {suit} bank", suit=words.SUIT[suit]),
                suit,
                id=f"return.{suit}",
                also=(Text("return to {suit}", suit=words.SUIT[suit]), Text("{suit}", suit=words.SUIT[suit])),
            )
    if (
        menu.options and not me.favor and banner.tokens == 1
    ):  # a bank that a card opens is spent by choice alone
        menu.add(Text("leave it"), "leave", id="leave", also=(Text("leave"),))
    options = menu.open()
    if not options:  # with one on it and none on the board nothing happens
        return
    if len(options) == 1:
        chosen = options[0].resolve(options[0].id)
    else:
        prompt = Text(
            "You hold the People's Favor, with {n} on it: put 1 favor on it, or return 1 to a poorest bank.",
            n=banner.tokens,
        )
        chosen = await choose(
            me.name, "peoples-favor", menu, prompt, section="O-9.4", tokens=banner.tokens, favor=me.favor
        )
    if chosen == "put":
        pay_favor(g, me, 1, PEOPLES_FAVOR)
        banner.tokens += 1
    elif chosen != "leave":
        banner.tokens -= 1
        g.banks[chosen] += 1
        g.tell(FavorMoved(me.name, 1, PEOPLES_FAVOR, chosen))


async def site_token(g: Oath, me: Player) -> None:
    """O-4.2: at Mine, Salt Flats or Drowned City one token that is left on it may be taken (HR-13)."""
    there = g.map[me.pawn]
    if SITES[there.shown].kind != "opportunity" or not (there.favor or there.secrets):
        return
    menu: Menu[str] = Menu()
    if there.favor:
        menu.add(Text("take 1 favor from it"), "favor", id="favor", also=(Text("favor"),))
    if there.secrets:
        menu.add(Text("take 1 secret from it"), "secret", id="secret", also=(Text("secret"),))
    menu.add(Text("take nothing"), "nothing", id="nothing", also=(Text("nothing"), Text("no")))
    prompt = Text("You wake at {site} and may take a token from it.", site=words.thing(there.shown))
    chosen = await choose(me.name, "site-token", menu, prompt, section="O-4.2")
    if chosen == "favor":
        there.favor -= 1
        receive_favor(g, me, 1, there.shown)
    elif chosen == "secret":
        there.secrets -= 1
        me.secrets += 1
        g.tell(SecretsMoved(me.name, 1, there.shown, me.name))
