"""The activity cards: one class a card, in its colour's module, in the order of the data file."""

from . import red, white, yellow
from .card import CLASSES, Activity, Deferred, Immediate, activity_of

__all__ = ["CLASSES", "Activity", "Deferred", "Immediate", "activity_of", "red", "white", "yellow"]
