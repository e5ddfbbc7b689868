"""Attack and defense dice, in campaigns and wherever else they are rolled (O-6.5)."""

from __future__ import annotations

from ..core.asks import roll
from .battle_facts import RolledAgain
from .events import Event, happened
from .printed import ATTACK_FACES, DEFENSE_FACES
from .state import Oath, Player

ATTACK, DEFENSE = "attack", "defense"
FACES = {ATTACK: ATTACK_FACES, DEFENSE: DEFENSE_FACES}


class DiceRolled(Event, kw_only=True):
    """Attack or defense dice were rolled; what answers may have them `again`."""

    kind: str
    key: str
    faces: tuple[str, ...]

    async def again(self, g: Oath) -> None:
        """All of them once more."""
        g.tell(RolledAgain(self.player.name, self.faces))
        self.faces = await rolled(f"{self.key} again", self.kind, len(self.faces))


async def rolled(key: str, kind: str, n: int) -> tuple[str, ...]:
    """The faces of so many dice, each die lying on its first to sixth face with the same chance."""
    return tuple(FACES[kind][face] for face in await roll(key, n, faces=range(6)))


async def roll_dice(g: Oath, player: Player | None, key: str, kind: str, n: int) -> tuple[str, ...]:
    """A player's roll, which cards may answer; bandits roll without that."""
    faces = await rolled(key, kind, n)
    if player is None or not faces:
        return faces
    event = DiceRolled(player, kind=kind, key=key, faces=faces)
    await happened(g, event)
    return event.faces


def shields(faces: tuple[str, ...], worthless: tuple[str, ...] = ()) -> int:
    """O-6.6.1: shields, doubled once for each doubling face."""
    scoring = [f for f in faces if f not in worthless]
    total = scoring.count("shield") + 2 * scoring.count("two shields")
    return total << scoring.count("times two")


def swords(faces: tuple[str, ...], worthless: tuple[str, ...] = (), times: int = 1) -> int:
    """O-6.7.2: full swords and half the hollow ones, rounded down; `times`: how often the roll counts."""
    scoring = [f for f in faces if f not in worthless] * times
    return scoring.count("sword") + 2 * scoring.count("skull") + scoring.count("hollow") // 2
