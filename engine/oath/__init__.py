"""The game Oath."""

from .rules import OathRules

RULES = OathRules()
"""The one ruleset of this package."""
