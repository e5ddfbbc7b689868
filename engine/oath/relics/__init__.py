"""What relics do, one class a relic, in alphabetical order by kind (O-8); what the Grand Scepter does is in `empire`
and `actions.minor`, since it is offered with every other order."""

from . import actions, lasting, modifiers, plans

__all__ = ["actions", "lasting", "modifiers", "plans"]
