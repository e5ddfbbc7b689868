"""What the winner decides about oaths and people: the next oath, and who is invited to citizenship (O-18.1, O-18.2)."""

from __future__ import annotations

from ...core.asks import Menu, choose, together
from ...core.text import Text
from .. import words
from ..printed import COLOURS, OATHS, VISIONS
from ..ruling import rules
from ..state import Oath, Player
from .facts import BoardsTurned, CitizenshipAnswered, Vowed


async def vow(g: Oath) -> None:
    """O-18.1: a win by a Vision alone vows its oath; any other leaves all oaths but the one just played."""
    winner = g.player(g.winner)
    forced = vision_alone(g)
    g.vowed = VISIONS[forced].oath if forced else await _chosen_oath(g, winner)
    g.tell(Vowed(winner.name, g.vowed, forced))
    g.phase = "build" if winner.imperial else "invite"


def vision_alone(g: Oath) -> str:
    """The Vision that the game was won by, if nothing else was fulfilled with it (HR-33)."""
    ways = [way for way in g.won_by.split() if way != "exhaustion"]
    return ways[0] if len(ways) == 1 and ways[0] in VISIONS else ""


async def _chosen_oath(g: Oath, winner: Player) -> str:
    menu: Menu[str] = Menu()
    for oath in OATHS:
        played = Text("it was the oath of this game; vow another (O-18.1)")
        name = words.thing(oath)
        menu.add(
            Text("vow {oath}", oath=name), oath, id=oath, unless=[(oath == g.oath, played)], also=(name,)
        )
    prompt = Text("You have won: vow the oath of the next game.")
    return await choose(winner.name, "vow", menu, prompt, section="O-18.1", personal=True)


async def invite(g: Oath) -> None:
    """O-18.2: all Citizens' boards turn to Exile; other Exiles may be offered citizenship, all at once."""
    winner = g.player(g.winner)
    g.tell(BoardsTurned(tuple(p.name for p in g.players if p.role == "citizen")))
    invited = await _invited(g, winner)
    answers = (
        await together({p.name: _answered(winner, p) for p in invited}, "citizenship") if invited else {}
    )
    for name, joins in answers.items():
        g.tell(CitizenshipAnswered(name, winner.name, joins))
    g.joined = tuple(name for name, joins in answers.items() if joins)
    g.phase = "suit"


async def _invited(g: Oath, winner: Player) -> list[Player]:
    """O-18.2: never those who were just turned; one after the other, until the winner is done."""
    left = [p for p in g.players if p.role == "exile" and p is not winner]
    invited: list[Player] = []
    while left:
        chosen = await _next_invited(winner, left, invited)
        if chosen is None:
            break
        invited.append(chosen)
        left = [p for p in left if p is not chosen]
    return invited


async def _next_invited(winner: Player, left: list[Player], invited: list[Player]) -> Player | None:
    menu: Menu[Player | None] = Menu()
    for player in left:
        menu.add(Text("invite {who}", who=player.name), player, id=player.name)
    if invited:
        menu.add(Text("invite nobody else"), None, id="done", also=(Text("done"),))
        prompt = Text(
            "You invite {those}. Whom else do you offer citizenship in your Empire?",
            those=tuple(p.name for p in invited),
        )
    else:
        menu.add(Text("invite nobody"), None, id="done", also=(Text("done"),))
        prompt = Text("Whom do you offer citizenship in your Empire?")
    return await choose(winner.name, "invite", menu, prompt, section="O-18.2", personal=True)


async def _answered(winner: Player, player: Player) -> bool:
    menu: Menu[bool] = Menu()
    menu.add(Text("become a Citizen"), True, id="accept", also=(Text("yes"), Text("accept")))
    menu.add(Text("stay an Exile"), False, id="stay", also=(Text("no"), Text("refuse"), Text("decline")))
    prompt = Text(
        "{winner} offers you citizenship: your board begins the next game as a Citizen’s, and the sites that you rule"
        " are kept as {winner}’s.",
        winner=winner.name,
    )
    return await choose(
        player.name, "citizenship", menu, prompt, section="O-18.2", kind="reaction", personal=True
    )


def next_citizens(g: Oath) -> tuple[str, ...]:
    """O-18.2, O-18.8: the colours whose boards lie on their Citizen side now; unused boards stay as they were."""
    if not g.player(g.winner).imperial:
        return tuple(p.colour for p in _by_colour(g) if p.name in g.joined)
    roles = {p.colour: p.role for p in g.players}
    unused = dict.fromkeys(g.last_citizens, "citizen")
    return tuple(c for c in COLOURS[1:] if roles.get(c, unused.get(c)) == "citizen")


def _by_colour(g: Oath) -> list[Player]:
    return sorted(g.players, key=lambda p: COLOURS.index(p.colour))


def kept_by_winner(g: Oath, site: int) -> bool:
    """O-18.3: whether a site counts as the winner's; those of Exiles who have joined do (O-18.2)."""
    winner = g.player(g.winner)
    return any(rules(g, p, site) for p in g.players if p is winner or p.name in g.joined)
