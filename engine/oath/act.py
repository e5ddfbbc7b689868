"""The Act phase: one action after the other, until the player rests (O-4.3)."""

from __future__ import annotations

from functools import partial

from ..core.asks import Menu, choose, publishing
from ..core.text import Text
from .actions.declaring import Deed
from .actions.minor import offer_adviser, offer_peeks, offer_powers
from .actions.recovering import offer_recover
from .actions.searching import offer_search
from .actions.trading import offer_trading
from .actions.travel import offer_travel
from .actions.warbands import offer_warbands
from .battle import published
from .campaign.offering import offer_campaign
from .empire import offer_empire
from .state import Oath, Player


async def act(g: Oath) -> None:
    """O-4.3.1: any number of actions in any order; one is finished before the next begins."""
    me = g.active
    prompt = Text("It is your turn; you have {n} Supply. Act, or rest to end your turn.", n=me.supply)
    asked = choose(
        me.name,
        "act",
        act_menu(g, me),
        prompt,
        section="O-4.3",
        round=g.round,
        supply=me.supply,
        favor=me.favor,
        secrets=me.secrets,
        warbands=me.warbands,
    )
    deed = await publishing(asked, me.name, **published(g.fought))
    await deed()


def act_menu(g: Oath, me: Player) -> Menu[Deed]:
    """The major actions (O-5, O-6), the minor ones (O-7), and the end of the phase."""
    menu: Menu[Deed] = Menu()
    offer_search(menu, g, me)
    offer_trading(menu, g, me)
    offer_recover(menu, g, me)
    offer_travel(menu, g, me)
    offer_campaign(menu, g, me)
    offer_adviser(menu, g, me)
    offer_powers(menu, g, me)
    offer_peeks(menu, g, me)
    offer_warbands(menu, g, me)
    offer_empire(menu, g, me)
    menu.command(
        Text("rest"), lambda: partial(end_act_phase, g), id="rest", also=(Text("end my turn"), Text("done"))
    )
    return menu


async def end_act_phase(g: Oath) -> None:
    """On to the Rest (O-4.4)."""
    g.phase = "rest"
