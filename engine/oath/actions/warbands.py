"""Moving warbands between board and site, and between Imperial boards (O-7.5)."""

from __future__ import annotations

from functools import partial

from ...core.asks import Menu, choose
from ...core.slots import Choice, Chosen, Number, One
from ...core.text import Text
from .. import words
from ..battle_queries import LeftBehind, MayPlace
from ..empire_facts import HandedOver, Permitted
from ..powers import asked
from ..ruling import at, rules
from ..state import Oath, Player
from ..verbs import to_board, to_site
from .declaring import Deed

_NOT_YOURS = Text("none of your warbands stand at {site} (O-7.5)")
_LAST = Text("the last warband must stay at {site} (O-7.5)")
_NONE = Text("no warband is on your board")
_NO_RULER = Text("you do not rule {site} (O-7.5)")
_NOBODY = Text("no other Imperial player is at your site (O-7.5)")
_NOTHING = Text("neither of you has a warband on the board")
_NUMBER = Text("number")
_BUT_THE_LAST = Text("your warbands at the site, but for the last (O-7.5)")
_ON_BOARD = Text("the warbands on your board (O-7.5)")


def offer_warbands(menu: Menu[Deed], g: Oath, me: Player) -> None:
    """O-7.5: pick up all but the last, put down any number; Imperial players may hand them over."""
    menu.command(
        Text("pick up {count}"),
        lambda count: partial(pick_up, g, me, count),
        Number("count", _NUMBER, lambda chosen: range(1, movable(g, me) + 1), limit=_BUT_THE_LAST),
        id="pick-up",
        barred=partial(_why_no_pick_up, g, me),
        also=(Text("pick up {count} warbands"), Text("pick up {count} warband")),
    )
    menu.command(
        Text("put down {count}"),
        lambda count: partial(put_down, g, me, count),
        Number("count", _NUMBER, lambda chosen: range(1, me.warbands + 1), limit=_ON_BOARD),
        id="put-down",
        barred=partial(_why_no_put_down, g, me),
        also=(Text("put down {count} warbands"), Text("put down {count} warband")),
    )
    if me.imperial:
        offer_handing(menu, g, me)


# between board and site


def movable(g: Oath, me: Player) -> int:
    """How many warbands may be lifted from the site of the pawn."""
    there = g.map[me.pawn]
    if there.colour != me.banner_colour:
        return 0
    return max(0, there.warbands - asked(g, LeftBehind(player=me, site=me.pawn, base=1)).value)


def _why_no_pick_up(g: Oath, me: Player) -> Text | None:
    if movable(g, me):
        return None
    site = words.site(g, me.pawn)
    yours = g.map[me.pawn].colour == me.banner_colour
    return _LAST.filled(site=site) if yours else _NOT_YOURS.filled(site=site)


def _why_no_put_down(g: Oath, me: Player) -> Text | None:
    if not me.warbands:
        return _NONE
    if not rules(g, me, me.pawn):
        return _NO_RULER.filled(site=words.site(g, me.pawn))
    return asked(g, MayPlace(player=me, site=me.pawn)).why


async def pick_up(g: Oath, me: Player, count: int) -> None:
    """From the site to the board; a Citizen asks the Chancellor."""
    if me.role == "citizen":
        prompt = Text(
            "{who} would pick up {n} of the {all} purple warbands at {site}. Do you permit it?",
            who=me.name,
            all=g.map[me.pawn].warbands,
            site=words.site(g, me.pawn),
            n=count,
        )
        if not await permitted(g, me, g.chancellor, prompt, count, g.map[me.pawn].warbands - count):
            return
    to_board(g, me, me.pawn, count)


async def put_down(g: Oath, me: Player, count: int) -> None:
    """From the board to the site; nobody is asked."""
    to_site(g, me, me.pawn, count)


async def permitted(g: Oath, me: Player, by: Player, prompt: Text, count: int, left: int) -> bool:
    """E-03: permission is an explicit answer; what a standing order may look at is the number and what is left."""
    menu: Menu[bool] = Menu()
    menu.add(Text("permit it"), True, id="permit", also=(Text("permit"), Text("yes")))
    menu.add(Text("refuse"), False, id="refuse", also=(Text("no"),))
    answer = await choose(
        *(by.name, "permission", menu, prompt),
        section="O-7.5",
        kind="reaction",
        personal=True,
        count=count,
        left=left,
    )
    g.tell(Permitted(me.name, by.name, answer))
    return answer


# between Imperial boards


def offer_handing(menu: Menu[Deed], g: Oath, me: Player) -> None:
    """Two Imperial players whose pawns share a site, whoever rules it, if both agree."""
    giving = One("other", Text("Imperial player"), lambda chosen: _others(g, me, True))
    menu.command(
        Text("hand {other} {count}"),
        lambda other, count: partial(hand_over, g, me, me, other, count),
        giving,
        Number("count", _NUMBER, lambda chosen: range(1, me.warbands + 1)),
        id="hand",
        barred=partial(_why_no_handing, giving),
        also=(Text("hand {other} {count} warbands"), Text("hand {other} {count} warband")),
    )
    taking = One("other", Text("Imperial player"), lambda chosen: _others(g, me, False))
    menu.command(
        Text("ask {other} for {count}"),
        lambda other, count: partial(hand_over, g, me, other, me, count),
        taking,
        Number("count", _NUMBER, _their_warbands),
        id="ask",
        barred=partial(_why_no_handing, taking),
        also=(Text("ask {other} for {count} warbands"), Text("ask {other} for {count} warband")),
    )


def _others(g: Oath, me: Player, giving: bool) -> list[Choice]:
    found = []
    for player in at(g, me.pawn):
        if player.imperial and player.name != me.name:
            giver = me if giving else player
            why = None if giver.warbands else _NOTHING
            found.append(Choice(player.name, Text("{who}", who=player.name), player, why=why))
    return found


def _their_warbands(chosen: Chosen) -> range:
    other: Player = chosen["other"]
    return range(1, other.warbands + 1)


def _why_no_handing(slot: One) -> Text | None:
    if any(slot.legal({})):
        return None
    return next((c.why for c in slot.choices({}) if c.why is not None), _NOBODY)


async def hand_over(g: Oath, me: Player, giver: Player, taker: Player, count: int) -> None:
    """The one whose turn it is asks; the other agrees or not."""
    other = taker if giver is me else giver
    prompt = (
        Text(
            "{who} would hand you {n} warband. Do you agree?",
            "{who} would hand you {n} warbands. Do you agree?",
            who=me.name,
            n=count,
        )
        if giver is me
        else Text("{who} asks you for {n} of your warbands. Do you agree?", who=me.name, n=count)
    )
    if await permitted(g, me, other, prompt, count, giver.warbands - count):
        giver.warbands -= count
        taker.warbands += count
        g.tell(HandedOver(giver.name, taker.name, count))
