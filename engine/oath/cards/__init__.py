"""What denizens do, one class a card, a suit a module, in alphabetical order (O-8)."""

from . import arcane, beast, discord, hearth, nomad, order

__all__ = ["arcane", "beast", "discord", "hearth", "nomad", "order"]
