"""Where dice and shuffles get their answers: from a seed, in a way anybody can check afterwards."""

from __future__ import annotations

import hashlib
import hmac
import random
from collections.abc import Mapping
from typing import Protocol

from .asks import Chancy, Reveal, Roll, Shuffle


class Chance(Protocol):
    """Answers rolls, shuffles and reveals."""

    def answer(self, asked: Chancy, step: int, n: int) -> str:
        """What goes on the tape for the n-th answer of a step."""


def _drawn(asked: Chancy, rng: random.Random) -> str:
    if isinstance(asked, Roll):
        return " ".join(str(asked.faces[rng.randrange(len(asked.faces))]) for _ in range(asked.n))
    if isinstance(asked, Shuffle):
        order = list(range(asked.n))
        rng.shuffle(order)
        return " ".join(map(str, order))
    return asked.shown


class Seeded:
    """Chance from a secret seed: every answer follows from the seed, the epoch, the step and its place.

    `epoch` counts rewinds, so that dice which were taken back do not fall the same way again (D-15).
    """

    def __init__(self, seed: bytes, epoch: int = 0) -> None:
        self.seed = seed
        self.epoch = epoch

    def answer(self, asked: Chancy, step: int, n: int) -> str:
        """The answer for this place; the same for ever."""
        if isinstance(asked, Reveal):
            return asked.shown
        place = f"{self.epoch}/{step}/{n}/{asked.key}".encode()
        return _drawn(asked, random.Random(hmac.digest(self.seed, place, hashlib.sha256)))


class Drawn:
    """Chance from a generator that the caller owns: for random play, quick and not to be replayed."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng

    def answer(self, asked: Chancy, step: int, n: int) -> str:
        """The generator's next answer."""
        return _drawn(asked, self.rng)


class Loaded:
    """Dice that fall as they were told, by key; anything else falls to `otherwise`."""

    def __init__(self, picks: Mapping[str, list[str]], otherwise: Chance) -> None:
        self.picks = {key: list(queue) for key, queue in picks.items()}
        self.otherwise = otherwise

    def answer(self, asked: Chancy, step: int, n: int) -> str:
        """The next told answer for this key; raises `NotOpen` where the dice cannot show it."""
        queue = self.picks.get(asked.key)
        if not queue:
            return self.otherwise.answer(asked, step, n)
        pick = queue.pop(0)
        asked.read(pick)
        return pick
