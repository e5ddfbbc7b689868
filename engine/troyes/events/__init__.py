"""Events: the queue, and one class for each effect."""

from .effects import EFFECTS, Effect
from .queue import next_effect, turn_up

__all__ = ["EFFECTS", "Effect", "next_effect", "turn_up"]
