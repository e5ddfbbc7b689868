"""The games, by name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .core.ruleset import Ruleset
from .oath import RULES as OATH
from .troyes import RULES as TROYES

GAMES: Mapping[str, Ruleset[Any]] = {rules.name: rules for rules in (TROYES, OATH)}
