"""A table of Oath for tests: a position that is arranged beforehand, and people who play it by mail."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pbem.engine.core.canon import fingerprint
from pbem.engine.core.ruleset import Json
from pbem.engine.oath.rules import OathRules
from pbem.engine.oath.state import Oath

from .table import PbemTable

PEOPLE = ("Ana", "Ben", "Carla", "Dora")
"""The Chancellor and, clockwise, three Exiles."""
STEPPE = {
    "cradle 1.cards": [],
    "provinces 2.site": "Steppe",
    "provinces 2.faceup": True,
    "hinterland 2.site": "The Tribunal",
    "hinterland 2.faceup": True,
    "Ana.at": "Steppe",
    "Ana.warbands": 0,
    "Ben.at": "Steppe",
    "turn": "Ben",
}
"""The Chancellor and Ben stand at Steppe, and it is Ben's turn."""
SURE = {**STEPPE, "provinces 2.ruler": "Ana 1", "Ben.warbands": 14}
"""Ben can attack the Chancellor there so that no dice save her."""
HOPELESS = {**STEPPE, "provinces 2.ruler": "Ana 20", "Ben.warbands": 3}
"""Nothing that he rolls can win."""


class Arranged(OathRules):
    """The game, begun in the midst of play."""

    def __init__(self, paths: Mapping[str, Json]) -> None:
        self.arranged = paths

    def setup(
        self, seats: Sequence[str], options: Mapping[str, str], data: Json, legacy: Json, title: str = ""
    ) -> Oath:
        g = super().setup(seats, options, data, legacy, title)
        for path, value in self.arranged.items():
            self.write(g, path, value)
        return g


class OathTable(PbemTable):
    """People who meet in an arranged position."""

    def __init__(
        self, folder: Path, paths: Mapping[str, Json], people: Sequence[str] = PEOPLE, **table: Any
    ) -> None:
        super().__init__(folder, rulesets={"oath": Arranged(paths)}, **table)
        self.begun(*people, moderators=["Mo"], seed=bytes(32))

    def at(self, path: str) -> Json:
        """The value at a path of the vocabulary."""
        game = self.game()
        return game.rules.read(self.app.games.table(game).g, path)

    def question(self, who: str) -> str:
        """The key of what somebody is asked."""
        return self.app.games.table(self.game()).open[who].key

    def hash(self) -> str:
        """A fingerprint of position and tape."""
        table = self.app.games.table(self.game())
        answers = [[e.seat, e.key, e.pick] for e in table.tape]
        return fingerprint([table.rules.dump(table.g), table.step, answers])

    def receipt(self, who: str) -> str:
        """What somebody's newest receipt says, without its line breaks."""
        return self.last(who, "receipt").flat

    def waits(self, hours: int) -> None:
        """So long nobody writes, while the mailbox is read all the time."""
        for _ in range(hours * 60 // 8 + 1):
            self.clock.on(minutes=8)
            self.app.watch.polled(self.clock.at)
            self.app.tick()
