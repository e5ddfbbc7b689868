"""The game Troyes."""

from .rules import TroyesRules

RULES = TroyesRules()
"""The one ruleset of this package."""
