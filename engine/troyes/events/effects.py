"""What events do to players, one class for each kind of effect (T-4.5)."""

from __future__ import annotations

from abc import ABC, abstractmethod

from ...core.asks import Menu, choose, together
from ...core.text import Text
from .. import words
from ..buildings import enter_palace, enter_row
from ..cards import EventPrint
from ..event_facts import CathedralCubeLost, DieLost, EventCubeLost, NothingToLose, Suffered
from ..state import EMPTY, EventOnTable, Seat, Troyes
from ..verbs import lose_points
from ..words import GREY


class Effect(ABC):
    """An effect; it holds no state."""

    @abstractmethod
    async def work(self, g: Troyes, event: EventPrint) -> None:
        """Hit every player, clockwise from the start player (T-3.3)."""

    @abstractmethod
    def says(self, event: EventPrint) -> Text:
        """The effect in our own words."""


def _nothing_to_lose(g: Troyes, seat: Seat, event: EventPrint) -> None:
    """T-4.5: who cannot suffer it loses 2 VP for the card."""
    g.tell(NothingToLose(event.name, seat.name))
    lose_points(seat)


def _settled(g: Troyes, event: EventPrint, paying: list[tuple[Seat, int]]) -> dict[int, list[str]]:
    """What was paid, and by whom; who is short loses 2 VP (T-4.5)."""
    payers: dict[int, list[str]] = {}
    for seat, paid in paying:
        if not paid:
            _nothing_to_lose(g, seat, event)
            continue
        payers.setdefault(paid, []).append(seat.name)
        if paid < event.amount:
            lose_points(seat)
    return payers


class NoEffect(Effect):
    """Black dice at most."""

    async def work(self, g: Troyes, event: EventPrint) -> None:
        """Nothing."""

    def says(self, event: EventPrint) -> Text:
        """The black dice."""
        if not event.black_dice:
            return Text("no effect")
        return Text(
            "the start player takes {n} black die",
            "the start player takes {n} black dice",
            n=event.black_dice,
        )


class PayDeniers(Effect):
    """Everybody pays money."""

    async def work(self, g: Troyes, event: EventPrint) -> None:
        """As much as possible; who is short loses 2 VP."""
        paying: list[tuple[Seat, int]] = []
        for seat in g.in_order():
            paying.append((seat, min(event.amount, seat.deniers)))
            seat.deniers -= paying[-1][1]
        for paid, who in _settled(g, event, paying).items():
            g.tell(Suffered(event.name, tuple(who), deniers=paid, short=paid < event.amount))

    def says(self, event: EventPrint) -> Text:
        """The price."""
        return Text("each player pays {amount}", amount=words.deniers(event.amount))


class PayInfluence(Effect):
    """Everybody loses influence."""

    async def work(self, g: Troyes, event: EventPrint) -> None:
        """As much as possible; who is short loses 2 VP."""
        paying: list[tuple[Seat, int]] = []
        for seat in g.in_order():
            paying.append((seat, min(event.amount, seat.influence)))
            seat.influence -= paying[-1][1]
        for paid, who in _settled(g, event, paying).items():
            g.tell(Suffered(event.name, tuple(who), influence=paid, short=paid < event.amount))

    def says(self, event: EventPrint) -> Text:
        """The loss."""
        return Text("each player loses {amount}", amount=words.influence(event.amount))


class PalaceNeutral(Effect):
    """A neutral citizen takes a space of the Palace."""

    async def work(self, g: Troyes, event: EventPrint) -> None:
        """Nothing happens when no neutral citizen is left."""
        if g.grey_supply:
            g.grey_supply -= 1
            enter_palace(g, GREY, event.space - 1)

    def says(self, event: EventPrint) -> Text:
        """The space."""
        return Text(
            "a neutral citizen takes palace {space}, whoever stands there is expelled", space=event.space
        )


class RowNeutral(Effect):
    """A neutral citizen enters a row of a building and pushes."""

    def __init__(self, building: str) -> None:
        self.building = building

    async def work(self, g: Troyes, event: EventPrint) -> None:
        """Nothing happens when no neutral citizen is left."""
        if g.grey_supply:
            g.grey_supply -= 1
            enter_row(g, GREY, self.building, event.row - 1)

    def says(self, event: EventPrint) -> Text:
        """The row."""
        return Text(
            "a neutral citizen enters row {row} of {building} from the left and pushes",
            row=event.row,
            building=words.BUILDING[self.building],
        )


class LoseCathedralCube(Effect):
    """Everybody takes back cubes from the cathedral that have no cube above them."""

    async def work(self, g: Troyes, event: EventPrint) -> None:
        """One seat after the other: a cube that is gone may uncover another."""
        for seat in g.in_order():
            for _ in range(event.amount):
                uncovered = _uncovered(g, seat)
                if not uncovered:
                    _nothing_to_lose(g, seat, event)
                    break
                level, column = await self._which(seat, event, uncovered)
                g.cathedral[level][column] = EMPTY
                g.tell(CathedralCubeLost(event.name, seat.name, level, column))

    async def _which(
        self, seat: Seat, event: EventPrint, uncovered: list[tuple[int, int]]
    ) -> tuple[int, int]:
        if len(uncovered) == 1:
            return uncovered[0]
        menu: Menu[tuple[int, int]] = Menu()
        for level, column in uncovered:
            menu.add(
                words.vault(level, column),
                (level, column),
                id=f"{level + 1}.{column + 1}",
                also=(Text("column {column}", column=column + 1),),
            )
        prompt = Text("{event}: which of your cubes on the cathedral do you take back?", event=event.words)
        return await choose(seat.name, "lose-cathedral-cube", menu, prompt, section="T-4.5", kind="reaction")

    def says(self, event: EventPrint) -> Text:
        """The loss."""
        return Text(
            "each player takes back {cubes} from the cathedral with no cube above it",
            cubes=words.cubes(event.amount),
        )


def _uncovered(g: Troyes, seat: Seat) -> list[tuple[int, int]]:
    return [
        (level, column)
        for level in range(3)
        for column in range(6)
        if g.cathedral[level][column] == seat.name and (level == 2 or not g.cathedral[level + 1][column])
    ]


class LoseEventCube(Effect):
    """Everybody takes back cubes from events."""

    async def work(self, g: Troyes, event: EventPrint) -> None:
        """All choose at once: no choice changes another's."""
        able = g.in_order()
        for _ in range(event.amount):
            chosen = await together({s.name: self._which(g, s, event) for s in able}, "lose-event-cube")
            for seat in able:
                self._lose(g, seat, event, chosen[seat.name])
            able = [seat for seat in able if chosen[seat.name] is not None]

    async def _which(self, g: Troyes, seat: Seat, event: EventPrint) -> EventOnTable | None:
        held = [e for e in g.events if seat.name in e.cubes]
        if len(held) <= 1:
            return held[0] if held else None
        menu: Menu[EventOnTable] = Menu()
        for e in held:
            menu.add(Text("cube from {event}", event=g.cards.events[e.id].words), e, id=e.id)
        prompt = Text("{event}: from which event do you take a cube back?", event=event.words)
        return await choose(seat.name, "lose-event-cube", menu, prompt, section="T-4.5", kind="reaction")

    def _lose(self, g: Troyes, seat: Seat, event: EventPrint, held: EventOnTable | None) -> None:
        if held is None:
            _nothing_to_lose(g, seat, event)
            return
        newest = len(held.cubes) - 1 - held.cubes[::-1].index(seat.name)
        del held.cubes[newest]
        g.tell(EventCubeLost(event.name, seat.name, g.cards.events[held.id].name))

    def says(self, event: EventPrint) -> Text:
        """The loss."""
        return Text("each player takes back {cubes} from an event", cubes=words.cubes(event.amount))


class DiscardYellowDie(Effect):
    """Everybody puts yellow dice of the own district back."""

    async def work(self, g: Troyes, event: EventPrint) -> None:
        """All choose at once: no choice changes another's."""
        able = g.in_order()
        for _ in range(event.amount):
            chosen = await together({s.name: self._which(s, event) for s in able}, "discard-die")
            for seat in able:
                self._discard(g, seat, event, chosen[seat.name])
            able = [seat for seat in able if chosen[seat.name] is not None]

    async def _which(self, seat: Seat, event: EventPrint) -> int | None:
        faces = list(dict.fromkeys(seat.dice["yellow"]))
        if len(faces) <= 1:
            return faces[0] if faces else None
        menu: Menu[int] = Menu()
        for face in faces:
            menu.add(words.die("yellow", face), face, id=f"y{face}", also=(words.long_die("yellow", face),))
        prompt = Text("{event}: which yellow die do you put back?", event=event.words)
        return await choose(seat.name, "discard-die", menu, prompt, section="T-4.5", kind="reaction")

    def _discard(self, g: Troyes, seat: Seat, event: EventPrint, face: int | None) -> None:
        if face is None:
            _nothing_to_lose(g, seat, event)
            return
        seat.dice["yellow"].remove(face)
        g.tell(DieLost(event.name, seat.name, ("", "yellow", face)))

    def says(self, event: EventPrint) -> Text:
        """The loss."""
        return Text(
            "each player puts {n} yellow die back", "each player puts {n} yellow dice back", n=event.amount
        )


EFFECTS: dict[str, Effect] = {
    "none": NoEffect(),
    "pay_deniers": PayDeniers(),
    "pay_influence": PayInfluence(),
    "palace_neutral": PalaceNeutral(),
    "bishopric_neutral": RowNeutral("bishopric"),
    "city_hall_neutral": RowNeutral("city hall"),
    "lose_cathedral_cube": LoseCathedralCube(),
    "lose_event_cube": LoseEventCube(),
    "discard_yellow_die": DiscardYellowDie(),
}
