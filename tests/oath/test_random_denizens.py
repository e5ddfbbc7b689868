"""Random games with every denizen that is written and not of the first game on top of the world deck: every law."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
import pytest

from pbem.engine.core.testing import Compared, play
from pbem.engine.oath.beginnings import first_game
from pbem.engine.oath.legacy import dump
from pbem.engine.oath.powers import POWERS
from pbem.engine.oath.printed import DENIZENS
from pbem.engine.oath.rules import OathRules
from pbem.engine.oath.state import Oath

from .test_random import NAMES
from .test_random_edifices import laws


class WithLaterDenizens(OathRules):
    """Games of a chronicle whose world deck begins with denizens that the first game has not, in an order by the
    seed; as many others are in the Archive."""

    def __init__(self, seed: int) -> None:
        self._rng = random.Random(seed)

    def setup(
        self, seats: Sequence[str], options: Mapping[str, str], data: Any, legacy: Any, title: str = ""
    ) -> Oath:
        first = first_game("Oath")
        there = [card.id for site in first.map for card in site.cards]
        later = [id for id in DENIZENS if id in POWERS and id not in first.deck and id not in there]
        self._rng.shuffle(later)
        gone = [id for id in reversed(first.deck) if id in DENIZENS][: len(later)]
        deck = (*later, *(id for id in first.deck if id not in gone))
        return super().setup(seats, options, data, dump(msgspec.structs.replace(first, deck=deck)))


@pytest.mark.parametrize("seed", range(8))
def test_every_position_with_later_denizens_keeps_the_laws(seed: int) -> None:
    found = Compared()
    play(WithLaterDenizens(seed), NAMES[: 3 + seed % 4], 4000 + seed, look=laws(found))
    assert found.leaks == []
    assert found.differing > 0
