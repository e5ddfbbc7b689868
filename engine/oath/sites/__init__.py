"""What sites do (O-1.7); homelands are in `playing`, tokens of the Wake in `wake`."""

from . import combat, lands, ways

__all__ = ["combat", "lands", "ways"]
