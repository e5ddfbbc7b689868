"""The oath, its title, the Visions' goals and the four ends of the game (O-10, O-11, O-17)."""

from __future__ import annotations

from ..core.asks import Menu, choose, roll
from ..core.text import Text
from .endings import EndDie, Won
from .events import EndDieRolled, TitleTaken, happened
from .facts import TitleMoved
from .powers import asked
from .printed import DARKEST_SECRET, PEOPLES_FAVOR, SCEPTER, VISIONS
from .queries import Visions
from .ruling import holds, ruled_sites, treasures
from .state import Oath, Player

VISIONS_NEEDED = 3  # O-11.1
THRESHOLDS = {5: 6, 6: 5, 7: 3}
"""O-17.4: the least end die that ends the game for the Empire, by round."""
EXHAUSTED = 8  # O-17.5


# who meets the goal of an oath


def sites_count(g: Oath, player: Player) -> int:
    """O-10.4: sites ruled; the Empire counts once, for the Chancellor."""
    if player.role == "citizen":
        return 0
    return len(ruled_sites(g, player))


def score(g: Oath, oath: str, player: Player) -> int:
    """How far a player meets the goal of an oath (O-10.1); 0: not at all."""
    match oath:
        case "supremacy":
            return sites_count(g, player)
        case "protection":
            return treasures(g, player)
        case "people":
            return int(holds(g, player, PEOPLES_FAVOR))
        case _:
            return int(holds(g, player, DARKEST_SECRET))


def best(g: Oath) -> list[Player]:
    """Who meets the oath's goal best now; several in a tie, nobody where none meets it at all."""
    scores = {p.name: score(g, g.oath, p) for p in g.players}
    most = max(scores.values())
    return [p for p in g.players if most and scores[p.name] == most]


async def check_title(g: Oath) -> None:
    """O-10.2, O-10.3: the title goes at once to whoever meets the goal better; of several the holder picks."""
    candidates = best(g)
    if not candidates or any(p.name == g.title for p in candidates):
        return
    holder = g.player(g.title)
    taker = candidates[0] if len(candidates) == 1 else await _picked(holder, candidates)
    await give_title(g, taker)


async def _picked(holder: Player, candidates: list[Player]) -> Player:
    """O-10.3: the current holder chooses among those who tie."""
    menu: Menu[Player] = Menu()
    for player in candidates:
        menu.add(Text("the title to {who}", who=player.name), player, id=player.name)
    prompt = Text("Several meet the oath equally well: who shall be the Oathkeeper?")
    return await choose(
        holder.name, "title-tie", menu, prompt, section="O-10.3", kind="reaction", personal=True
    )


async def give_title(g: Oath, taker: Player) -> None:
    """It arrives on its Oathkeeper side (O-10.2)."""
    before = g.player(g.title)
    g.title, g.usurper = taker.name, False
    g.tell(TitleMoved(taker.name, False))
    await happened(g, TitleTaken(taker, before))


def flip_title(g: Oath, player: Player) -> None:
    """O-4.2: an Exile who holds the title on its Oathkeeper side turns it in the Wake."""
    if player.role == "exile" and g.title == player.name and not g.usurper:
        g.usurper = True
        g.tell(TitleMoved(player.name, True))


# winning


def meets_vision(g: Oath, player: Player, vision: str) -> bool:
    """O-11.1, O-11.2: more than every other player, and three Visions drawn so far."""
    if player.role != "exile" or g.visions_drawn < VISIONS_NEEDED:
        return False
    oath = VISIONS[vision].oath
    own = score(g, oath, player)
    return own > 0 and all(own > score(g, oath, p) for p in g.players if p.name != player.name)


def wins_in_wake(g: Oath, player: Player) -> tuple[str, ...]:
    """O-17.2, O-17.3: the ways in which an Exile wins in the victory check of their Wake."""
    if player.role != "exile":
        return ()
    ways = []
    if g.title == player.name and g.usurper:
        ways.append("usurper")
    ways += [vision for vision in visions_of(g, player) if meets_vision(g, player, vision)]
    return tuple(ways)


def visions_of(g: Oath, player: Player) -> list[str]:
    """The revealed Visions that count for a player: the own, and others as cards say."""
    own = [player.vision] if player.vision else []
    return asked(g, Visions(player=player, visions=own)).visions


def win(g: Oath, player: Player, *ways: str) -> None:
    """The game is over; what is left are the winner's decisions for the next one (O-18)."""
    g.winner, g.won_by = player.name, " ".join(ways)
    g.phase = "vow"
    g.tell(Won(player.name, ways))


async def end_of_round(g: Oath) -> None:
    """O-17.4, O-17.5: the Empire's die after rounds 5 to 7, and the end of the eighth."""
    if g.round == EXHAUSTED:
        exhausted(g)
        return
    if g.round not in THRESHOLDS or not g.player(g.title).imperial:
        return
    (rolled,) = await roll("end-die", 1)
    event = EndDieRolled(g.chancellor, result=rolled)
    await happened(g, event)
    g.tell(EndDie(g.round, rolled, event.result, THRESHOLDS[g.round]))
    if event.result >= THRESHOLDS[g.round]:
        empire_wins(g, "regime")


def exhausted(g: Oath) -> None:
    """O-17.5: the first that fits."""
    holder = g.player(g.title)
    if holder.imperial:
        empire_wins(g, "exhaustion")
        return
    if g.usurper:
        win(g, holder, "exhaustion")
        return
    order = sorted((v for v in VISIONS.values() if v.exhaustion_rank), key=lambda v: v.exhaustion_rank)
    for vision in order:
        for player in g.players:
            if vision.id in visions_of(g, player) and meets_vision(g, player, vision.id):
                win(g, player, "exhaustion", vision.id)
                return
    empire_wins(g, "exhaustion")


def empire_wins(g: Oath, way: str) -> None:
    """O-17.6: the Citizen who meets the Successor's goal, else the Chancellor."""
    successor = next((p for p in g.players if p.role == "citizen" and succeeds(g, p)), None)
    win(g, successor or g.chancellor, way)


def succeeds(g: Oath, citizen: Player) -> bool:
    """O-10.1: whether a Citizen is the Successor."""
    match g.oath:
        case "supremacy":
            own = treasures(g, citizen)
            imperial = [p for p in g.players if p.imperial and p.name != citizen.name]
            return all(own > treasures(g, p) for p in imperial)
        case "people":
            return holds(g, citizen, DARKEST_SECRET)
        case "protection":
            return holds(g, citizen, PEOPLES_FAVOR)
        case _:
            return citizen.relic(SCEPTER) is not None
