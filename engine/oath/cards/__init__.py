"""What denizens do, one class a card, a suit a module, in alphabetical order (O-8)."""

from . import beast, discord, hearth, nomad

__all__ = ["beast", "discord", "hearth", "nomad"]
