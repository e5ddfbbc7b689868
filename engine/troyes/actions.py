"""Phase 4: one action of the player on turn (T-5)."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from typing import Any

from ..core.asks import Menu, choose
from ..core.slots import Choice, Chosen, Number, One, Slot
from ..core.text import Text
from . import buildings, words
from .activities import Deferred, Immediate, activity_of
from .cards import ActivityPrint, EventPrint
from .citizens import BY_INFLUENCE, Source, enter_card, from_supply, source_choice, take
from .dice import PLAIN, Form, Group, spend
from .facts import Activated, Built, CubesLaid, Hired, Passed
from .influence import offer_influence
from .offer import DIE_LABEL, Deed, Offer, deed, hiring_again, same_space, spend_help
from .state import BUILDINGS, COLOUR_OF, EMPTY, ActivitySpace, EventOnTable, Seat, Troyes
from .verbs import free_banners, gain, put_on_event

FARM = 2  # T-5.50
PASSING = 2  # T-5.51

_PROMPT = Text("It is your turn: take one action, or pass. Influence may be spent first.")
_NO_CITIZEN = Text("you have no citizen for it: none in any supply, none on the board (T-5.14)")
_NO_MONEY = Text("the hire costs {price}, you have {held} (T-5.14)")
_NO_PAYMENT = Text("you cannot pay for its effect even once: it costs {costs} (T-5.9)")
_NOT_ENOUGH = Text("these dice are worth {total}, it takes {least} (T-5.19)")
_NOT_ENOUGH_EVENT = Text("these dice are worth {total}, a cube takes {least} (T-5.31)")
_ONE_DIE = Text("placing a citizen takes exactly one die (T-5.39)")
_NO_DIE = Text("no die of this colour is within your reach (T-5.39)")
_STANDS_THERE = Text("that citizen stands there already")
_COLUMN_FULL = Text("column {n} of the cathedral has no room for it (T-5.27)")
_NO_VAULT = Text("no white die within your reach finds an empty space on the cathedral (T-5.26)")

_CITIZEN_LABEL = Text("citizen")
_TIMES_LABEL = Text("number of times")
_CUBES_LABEL = Text("number of cubes")
_HIRING = Text("hiring {hiring}")
_TIMES = Text("times {times}")
_PLACING = Text("placing {placing}")
_FROM = Text("from {source}")

_BUILD = Text("build with {dice}")
_BUILD_ALSO = (Text("build cathedral with {dice}"), Text("cathedral with {dice}"))
_FARM = Text("farm with {dice}")
_FARM_ALSO = (Text("agriculture with {dice}"),)
_PASS = Text("pass")

_HIRE_EXAMPLE = Text("hiring palace 3")
_FROM_EXAMPLE = Text("from palace 3")


async def action(g: Troyes) -> bool:
    """T-5.1: one action or pass, or influence before it; True when the turn is over."""
    me = g.active
    deed = await choose(
        me.name,
        "action",
        action_menu(g, me),
        _PROMPT,
        section="T-5.1",
        round=g.round,
        deniers=me.deniers,
        influence=me.influence,
        own_dice=sum(len(faces) for faces in me.dice.values()),
    )
    return await deed()


def action_menu(g: Troyes, me: Seat) -> Menu[Deed]:
    """T-5.13 to T-5.54, then T-6."""
    menu: Menu[Deed] = Menu()
    offer = Offer(g, me)
    for card in g.face_up():
        _offer_activity(menu, offer, card)
    _offer_cathedral(menu, offer)
    for event in g.events:
        _offer_event(menu, offer, event)
    for building in BUILDINGS:
        _offer_place(menu, offer, building)
    _offer_farm(menu, offer)
    menu.command(_PASS, deed(pass_turn, g, me), id="pass")
    offer_influence(menu, g, me)
    return menu


# A. activity cards (T-5.13 to T-5.24)


@lru_cache(maxsize=256)
def _use_words(print: ActivityPrint) -> tuple[Text, tuple[Text, ...]]:
    return (
        Text("use {card} with {dice}", card=print.words),
        (
            Text("activate {card} with {dice}", card=print.words),
            Text("hire {card} with {dice}", card=print.words),
            Text("{card} with {dice}", card=print.words),
        ),
    )


def _offer_activity(menu: Menu[Deed], offer: Offer, card: ActivitySpace) -> None:
    print = offer.g.cards.activities[card.shown]
    text, also = _use_words(print)
    use = _Use(offer, card, print)
    menu.command(
        text,
        deed(use_activity, offer.g, offer.me, card),
        *use.slots(),
        id=f"use.{print.id}",
        barred=use.barred,
        also=also,
    )


class _Use:
    """The command for one activity card."""

    def __init__(self, offer: Offer, card: ActivitySpace, print: ActivityPrint) -> None:
        self.offer = offer
        self.card = card
        self.print = print
        self.activity = activity_of(print)
        self.hires = offer.me.name not in card.tradesmen
        self.hire_cost = print.hire_cost if self.hires else 0
        self.money = offer.me.deniers - self.hire_cost
        """What is left for dice and effect (T-5.9)."""

    def barred(self) -> Text | None:
        offer, me = self.offer, self.offer.me
        if self.hires and not offer.sources:
            return _NO_CITIZEN
        if self.money < 0:
            return _NO_MONEY.filled(price=words.deniers(self.hire_cost), held=me.deniers)
        if self._payable(self.money, self._most_influence()) < 1:
            return self._no_payment()
        return offer.out_of_reach(
            "use", self.print.colour, self.print.divisor, self.money - self._deniers_each(), self.objection
        )

    def _alone(self) -> bool:
        best = self.offer.market.best(self.print.colour, self.money - self._deniers_each())
        return best >= self.print.divisor

    def _most_influence(self) -> int:
        """The influence left after the cheapest way to hire."""
        only = self.hires and self.offer.sources == [BY_INFLUENCE]
        return self.offer.me.influence - (2 if only else 0)

    def _deniers_each(self) -> int:
        return self.activity.deniers_each if isinstance(self.activity, Immediate) else 0

    def _payable(self, deniers: int, influence: int) -> int:
        if isinstance(self.activity, Immediate):
            return self.activity.payable(deniers, influence)
        return 99

    def _no_payment(self) -> Text:
        a = self.print.amounts
        costs = [words.deniers(a.pay_deniers)] if a.pay_deniers else []
        costs += [words.influence(a.pay_influence)] if a.pay_influence else []
        return _NO_PAYMENT.filled(costs=tuple(costs))

    def objection(self, form: Form, group: Group) -> Text | None:
        """T-5.3, T-5.9, T-5.19."""
        total = form.total(group)
        if total < self.print.divisor:
            return _NOT_ENOUGH.filled(total=total, least=self.print.divisor)
        poor = self.offer.affordable(form, group, self.money)
        if poor is None and self.money - form.price(group, self.offer.me.name) < self._deniers_each():
            return self._no_payment()
        return poor

    def slots(self) -> tuple[Slot, ...]:
        colour = self.print.colour
        helps = self.offer.help_slots("use", colour, self.objection, self._alone)
        dice = self.offer.dice_slot(colour, self.objection, () if self.hires else hiring_again())
        times = Number("times", _TIMES_LABEL, self._bounds, _TIMES, self._most_times)
        extra: tuple[Slot, ...] = ()
        if isinstance(self.activity, Immediate):
            extra = self.activity.extra_slots(self.offer.g, self.offer.me)
        if not self.hires:
            return (*helps, dice, times, *extra)
        hiring = One("hiring", _CITIZEN_LABEL, self._sources, _HIRING, self._from_supply)
        return (*helps, hiring, dice, times, *extra)

    def _sources(self, chosen: Chosen) -> list[Choice]:
        found = []
        for source in self.offer.sources:
            short = source == BY_INFLUENCE and self._payable(99, self.offer.me.influence - 2) < 1
            found.append(source_choice(source, self._no_payment() if short else None))
        return found

    def _from_supply(self, chosen: Chosen) -> Source:
        return from_supply(self.offer.me, _HIRE_EXAMPLE)

    def _most_times(self, chosen: Chosen) -> int:
        me = self.offer.me
        form, group = chosen.get("help") or PLAIN, chosen["dice"]
        influence = me.influence - (2 if chosen.get("hiring") == BY_INFLUENCE else 0)
        payable = self._payable(self.money - form.price(group, me.name), influence)
        return min(form.total(group) // self.print.divisor, payable)

    def _bounds(self, chosen: Chosen) -> range:
        return range(1, self._most_times(chosen) + 1)


async def use_activity(
    g: Troyes,
    me: Seat,
    card: ActivitySpace,
    dice: Group,
    times: int,
    help: Deferred | None = None,
    hiring: Source | None = None,
    **extra: Any,
) -> bool:
    """T-5.13: hire if need be, then the dice, then the effect."""
    print = g.cards.activities[card.shown]
    if hiring is not None:
        hire(g, me, card, hiring)
    spend_help(g, me, help)
    spend(g, me, dice, help or PLAIN)
    activity = activity_of(print)
    if isinstance(activity, Immediate):
        g.tell(Activated(me.name, print.name, times))
        await activity.activate(g, me, times, **extra)
    else:  # T-5.20
        card.cubes[me.name] = card.cubes.get(me.name, 0) + times
        g.tell(CubesLaid(me.name, print.name, times))
    return True


def hire(g: Troyes, me: Seat, card: ActivitySpace, source: Source) -> None:
    """T-5.14: pay the card's price, put a citizen on the leftmost free space."""
    print = g.cards.activities[card.shown]
    take(g, me, source)
    me.deniers -= print.hire_cost
    space = enter_card(card, me.name)
    g.tell(Hired(me.name, print.name, print.hire_cost, space))


# B. the cathedral (T-5.25 to T-5.30)


def _offer_cathedral(menu: Menu[Deed], offer: Offer) -> None:
    g, me = offer.g, offer.me
    room = [sum(not level[column] for level in g.cathedral) for column in range(6)]

    def objection(form: Form, group: Group) -> Text | None:
        faces = Counter(die.face for die in group)
        full = next((face for face, n in faces.items() if n > room[face - 1]), None)
        if full is not None:
            return _COLUMN_FULL.filled(n=full)
        return offer.affordable(form, group, me.deniers)

    def barred() -> Text | None:
        for owner, dice in offer.market.districts:
            if (owner == me.name or me.deniers >= 2) and any(room[face - 1] for face in dice["white"]):
                return None
        return _NO_VAULT

    menu.command(
        _BUILD,
        deed(build, g, me),
        *offer.help_slots("build", "white", objection, lambda: True),
        offer.dice_slot("white", objection),
        id="build",
        barred=barred,
        also=_BUILD_ALSO,
    )


async def build(g: Troyes, me: Seat, dice: Group, help: Deferred | None = None) -> bool:
    """T-5.25, T-5.26, T-5.28: each die a cube on the lowest empty space of its column."""
    spend_help(g, me, help)
    spend(g, me, dice, help or PLAIN)
    for die in dice:
        column = die.face - 1
        level = next(i for i in range(3) if g.cathedral[i][column] == EMPTY)
        g.cathedral[level][column] = me.name
        g.tell(Built(me.name, level, column))
        gain(g, me, vp=1, influence=1 if die.face <= 3 else 2)
    return True


# C. events (T-5.31 to T-5.38)


@lru_cache(maxsize=256)
def _counter_words(print: EventPrint) -> tuple[Text, tuple[Text, ...]]:
    return (
        Text("counter {event} with {dice}", event=print.words),
        (Text("{event} with {dice}", event=print.words),),
    )


def _offer_event(menu: Menu[Deed], offer: Offer, event: EventOnTable) -> None:
    g, me = offer.g, offer.me
    print = g.cards.events[event.id]

    def objection(form: Form, group: Group) -> Text | None:
        total = form.total(group)
        if total < print.divisor:
            return _NOT_ENOUGH_EVENT.filled(total=total, least=print.divisor)
        return offer.affordable(form, group, me.deniers)

    def most(chosen: Chosen) -> int:
        total = (chosen.get("help") or PLAIN).total(chosen["dice"])
        return min(int(total) // print.divisor, free_banners(g, event))

    text, also = _counter_words(print)
    menu.command(
        text,
        deed(counter, g, me, event),
        *offer.help_slots(
            "counter",
            print.counter_colour,
            objection,
            lambda: offer.market.best(print.counter_colour, me.deniers) >= print.divisor,
        ),
        offer.dice_slot(print.counter_colour, objection),
        Number("placing", _CUBES_LABEL, lambda chosen: range(1, most(chosen) + 1), _PLACING, most),
        id=f"counter.{event.id}",
        barred=lambda: offer.out_of_reach(
            "counter", print.counter_colour, print.divisor, me.deniers, objection
        ),
        also=also,
    )


async def counter(
    g: Troyes, me: Seat, event: EventOnTable, dice: Group, placing: int, help: Deferred | None = None
) -> bool:
    """T-5.31, T-5.32."""
    spend_help(g, me, help)
    spend(g, me, dice, help or PLAIN)
    put_on_event(g, me, event, placing)
    return True


# D. a citizen into a main building (T-5.39 to T-5.49)

_PLACE = {
    "palace": Text("place palace with {dice}"),
    "bishopric": Text("place bishopric with {dice}"),
    "city hall": Text("place city hall with {dice}"),
}
_PLACE_ALSO = {
    "palace": (Text("palace with {dice}"), Text("place {dice} in palace")),
    "bishopric": (Text("bishopric with {dice}"), Text("place {dice} in bishopric")),
    "city hall": (Text("city hall with {dice}"), Text("place {dice} in city hall")),
}


def _offer_place(menu: Menu[Deed], offer: Offer, building: str) -> None:
    g, me, colour = offer.g, offer.me, COLOUR_OF[building]

    def objection(form: Form, group: Group) -> Text | None:
        if len(group) != 1:
            return _ONE_DIE
        if offer.sources and all(same_space(source, building, group[0]) for source in offer.sources):
            return _STANDS_THERE
        return offer.affordable(form, group, me.deniers)

    def from_where(chosen: Chosen) -> list[Choice]:
        die = chosen["dice"][0]
        return [
            source_choice(source, _STANDS_THERE if same_space(source, building, die) else None)
            for source in offer.sources
        ]

    def alone() -> bool:
        if len(offer.sources) > 1:
            return offer.market.best(colour, me.deniers) > 0
        return offer.market.possible(PLAIN, colour, objection)

    def barred() -> Text | None:
        if not offer.sources:
            return _NO_CITIZEN
        return None if alone() or offer.helped("place", colour, objection) else _NO_DIE

    menu.command(
        _PLACE[building],
        deed(place, g, me, building),
        *offer.help_slots("place", colour, objection, alone),
        offer.dice_slot(colour, objection, label=DIE_LABEL[colour]),
        One("source", _CITIZEN_LABEL, from_where, _FROM, lambda chosen: from_supply(me, _FROM_EXAMPLE)),
        id=f"place.{building}",
        barred=barred,
        also=_PLACE_ALSO[building],
    )


async def place(
    g: Troyes, me: Seat, building: str, dice: Group, source: Source, help: Deferred | None = None
) -> bool:
    """T-5.39 to T-5.42."""
    spend_help(g, me, help)
    spend(g, me, dice, help or PLAIN)
    take(g, me, source)
    buildings.enter(g, me.name, building, dice[0].face)
    return True


# E. agriculture (T-5.50)


def _offer_farm(menu: Menu[Deed], offer: Offer) -> None:
    g, me = offer.g, offer.me

    def objection(form: Form, group: Group) -> Text | None:
        total = form.total(group)
        if total < FARM:
            return _NOT_ENOUGH.filled(total=total, least=FARM)
        return offer.affordable(form, group, me.deniers)

    menu.command(
        _FARM,
        deed(farm, g, me),
        *offer.help_slots(
            "farm", "yellow", objection, lambda: offer.market.best("yellow", me.deniers) >= FARM
        ),
        offer.dice_slot("yellow", objection),
        id="farm",
        barred=lambda: offer.out_of_reach("farm", "yellow", FARM, me.deniers, objection),
        also=_FARM_ALSO,
    )


async def farm(g: Troyes, me: Seat, dice: Group, help: Deferred | None = None) -> bool:
    """T-5.50: floor(value / 2) deniers."""
    form = help or PLAIN
    spend_help(g, me, help)
    spend(g, me, dice, form)
    gain(g, me, deniers=form.total(dice) // FARM)
    return True


# F. pass (T-5.51 to T-5.53)


async def pass_turn(g: Troyes, me: Seat) -> bool:
    """T-5.51: 2 deniers into the own district."""
    me.passed = True
    me.passing = PASSING
    g.tell(Passed(me.name))
    return True
