"""Yellow activity cards: the civil domain."""

from __future__ import annotations

from typing import Any

from ...core.slots import Chosen, Number, Slot
from ...core.text import Text
from ..dice import GroupDie
from ..state import Seat, Troyes
from ..verbs import gain
from .card import AddsToRed, Deferred, Exchange, Immediate


class Artisan(Exchange, card="artisan"):
    """Pay 1 influence, gain 6 deniers."""


class Merchant(Exchange, card="merchant"):
    """Gain 2 deniers."""


class Miller(Immediate, card="miller"):
    """Money for own citizens in the Palace or in the Bishopric, chosen anew for each activation."""

    def extra_slots(self, g: Troyes, me: Seat) -> tuple[Slot, ...]:
        """`counting palace 2`: this many activations count the Palace, the others the Bishopric."""

        def bounds(chosen: Chosen) -> range:
            return range(chosen["times"] + 1)

        def better(chosen: Chosen) -> int:
            in_palace, in_bishopric = _standing(g, me)
            times: int = chosen["times"]
            return times if in_palace >= in_bishopric else 0

        label = Text("how often the Palace counts")
        return (Number("palace", label, bounds, Text("counting palace {palace}"), better),)

    async def activate(self, g: Troyes, me: Seat, times: int, **extra: Any) -> None:
        """Lying citizens do not count."""
        in_palace, in_bishopric = _standing(g, me)
        counted = in_palace * extra["palace"] + in_bishopric * (times - extra["palace"])
        gain(g, me, deniers=self.print.amounts.per_citizen * counted)

    def says(self) -> Text:
        """The effect."""
        return Text(
            "choose the Palace or the Bishopric: gain {n} deniers for each own citizen standing there",
            n=self.print.amounts.per_citizen,
        )


def _standing(g: Troyes, me: Seat) -> tuple[int, int]:
    return g.citizens_in("palace", me.name), g.citizens_in("bishopric", me.name)


class Innkeeper(Exchange, card="innkeeper"):
    """Pay 1 denier, gain 1 influence."""


class Blacksmith(AddsToRed, card="blacksmith"):
    """Add 5 to the value of a red group."""


class Militia(Deferred, card="militia"):
    """Yellow dice used as if they were red."""

    colours = ("red",)

    def admits(self, die: GroupDie, colour: str) -> bool:
        """The whole group is yellow."""
        return die.colour == "yellow"

    def refusal(self, colour: str) -> Text:
        """Red dice do not join."""
        return Text("with the Militia the whole group is yellow dice (T-5.24)")

    def says(self) -> Text:
        """The effect."""
        return Text("use a group of yellow dice as if they were red")


class Journeyman(Exchange, card="journeyman"):
    """Pay 3 deniers, gain 2 VP."""


class Goldsmith(Exchange, card="goldsmith"):
    """Gain 1 VP and 2 deniers."""


class Sculptor(Exchange, card="sculptor"):
    """Gain 1 VP."""
