"""What happens in a game of Troyes, and how each seat is told."""

from __future__ import annotations

from ..core.facts import Fact
from ..core.text import Text
from . import words

DieName = tuple[str, str, int]
"""A die as facts keep it: owner, colour, face; the owner is empty where it does not matter."""


def die_words(die: DieName) -> Text:
    """`y5`, or `y5 of Ana`."""
    owner, colour, face = die
    if not owner:
        return words.die(colour, face)
    return Text("{die} of {owner}", die=words.die(colour, face), owner=words.owner(owner))


def dice_words(dice: tuple[DieName, ...]) -> tuple[Text, ...]:
    """Several dice, in their order."""
    return tuple(die_words(d) for d in dice)


class Dealt(Fact, frozen=True):
    """The cards are dealt and a start player is found (T-2.2 to T-2.6)."""

    start: str
    rounds: int

    def told_to(self, seat: str | None) -> Text:
        return Text(
            "The cards are dealt. The game lasts {n} rounds; {who} starts.", n=self.rounds, who=self.start
        )


class CharactersDealt(Fact, frozen=True):
    """One player looks at the own characters (T-2.2)."""

    who: str
    names: tuple[str, ...]

    def told_to(self, seat: str | None) -> Text:
        if seat == self.who:
            return Text(
                "You alone know: {names} will score at the end.",
                names=tuple(words.named(n) for n in self.names),
            )
        return Text(
            "{who} looked at {n} character card.",
            "{who} looked at {n} character cards.",
            who=self.who,
            n=len(self.names),
        )


class CitizenPlaced(Fact, frozen=True):
    """A citizen came to stand on a space (T-2.7, T-5.41, T-5.42)."""

    who: str
    building: str
    row: int
    space: int

    def told_to(self, seat: str | None) -> Text:
        where = words.space(self.building, self.row, self.space)
        if self.who == words.GREY:
            return Text("A neutral citizen stands on {where}.", where=where)
        return Text("{who}’s citizen stands on {where}.", who=self.who, where=where)


class Expelled(Fact, frozen=True):
    """A citizen lost a space in a building (T-5.41, T-5.42, T-5.47)."""

    who: str
    building: str

    def told_to(self, seat: str | None) -> Text:
        place = words.BUILDING[self.building]
        if self.who == words.GREY:
            return Text("A neutral citizen left {place} for the general supply.", place=place)
        return Text("{who}’s citizen was expelled and lies at {place}.", who=self.who, place=place)


class RoundBegan(Fact, frozen=True):
    """A round begins (T-3.1)."""

    number: int
    of: int
    start: str

    def told_to(self, seat: str | None) -> Text:
        return Text("Round {n} of {of} begins; {who} starts.", n=self.number, of=self.of, who=self.start)


class ActivitiesTurnedUp(Fact, frozen=True):
    """Three activity cards are turned up (T-3.4)."""

    names: tuple[str, ...]

    def told_to(self, seat: str | None) -> Text:
        return Text("New activities: {names}.", names=tuple(words.named(n) for n in self.names))


class Income(Fact, frozen=True):
    """Income and wages of one player (T-3.5 to T-3.7)."""

    who: str
    received: int
    wages: int
    paid: int
    held: int

    def told_to(self, seat: str | None) -> Text:
        said = Text("{who} received {received}, paid {wages} in wages and holds {held}.")
        if self.paid < self.wages:
            said = Text(
                "{who} received {received}, owed {wages} in wages, paid all that was there and loses up to 2 VP."
            )
        return said.filled(
            who=self.who, received=words.deniers(self.received), wages=self.wages, held=self.held
        )


class Workforce(Fact, frozen=True):
    """The dice of one district (T-3.9, T-3.10)."""

    owner: str
    dice: tuple[DieName, ...]

    def told_to(self, seat: str | None) -> Text:
        if self.owner == words.GREY:
            return Text("The grey district has {dice}.", dice=dice_words(self.dice))
        return Text("{who} rolled {dice}.", who=self.owner, dice=dice_words(self.dice))


class DiceUsed(Fact, frozen=True):
    """A group of dice was spent for an action (T-5.2, T-5.4, T-5.10)."""

    who: str
    dice: tuple[DieName, ...]
    paid: tuple[tuple[str, int], ...]

    def told_to(self, seat: str | None) -> Text:
        if not self.paid:
            return Text("{who} used {dice}.", who=self.who, dice=dice_words(self.dice))
        return Text(
            "{who} used {dice} and paid {payments}.",
            who=self.who,
            dice=dice_words(self.dice),
            payments=tuple(_payment(to, n) for to, n in self.paid),
        )


def _payment(to: str, n: int) -> Text:
    if to == words.GREY:
        return Text("the bank {n}", n=n)
    return Text("{who} {n}", who=to, n=n)


class HelpUsed(Fact, frozen=True):
    """A deferred cube was taken off its card (T-5.21)."""

    who: str
    card: str

    def told_to(self, seat: str | None) -> Text:
        return Text("{who} spent a cube from {card}.", who=self.who, card=words.named(self.card))


class Hired(Fact, frozen=True):
    """A citizen became a tradesman (T-5.14)."""

    who: str
    card: str
    price: int
    place: int

    def told_to(self, seat: str | None) -> Text:
        return Text(
            "{who} hired on {card} for {price}; the tradesman is number {place} there.",
            who=self.who,
            card=words.named(self.card),
            price=words.deniers(self.price),
            place=self.place,
        )


class CameFrom(Fact, frozen=True):
    """A citizen was taken from somewhere other than the personal supply (T-5.14, T-5.40)."""

    who: str
    source: str
    building: str = ""
    row: int = 0
    space: int = 0
    card: str = ""

    def told_to(self, seat: str | None) -> Text:
        match self.source:
            case "space":
                where = words.space(self.building, self.row, self.space)
                return Text("{who}’s citizen left {where}.", who=self.who, where=where)
            case "lying":
                place = words.BUILDING[self.building]
                return Text("{who} took up the citizen lying at {place}.", who=self.who, place=place)
            case "tradesman":
                return Text("{who}’s tradesman left {card}.", who=self.who, card=words.named(self.card))
        return Text("{who} spent 2 influence for a citizen from the general supply.", who=self.who)


class Activated(Fact, frozen=True):
    """An activity card was used (T-5.19)."""

    who: str
    card: str
    times: int

    def told_to(self, seat: str | None) -> Text:
        return Text(
            "{who} used {card} once.",
            "{who} used {card} {n} times.",
            who=self.who,
            card=words.named(self.card),
            n=self.times,
        )


class CubesLaid(Fact, frozen=True):
    """Deferred cubes were put on a card (T-5.20)."""

    who: str
    card: str
    n: int

    def told_to(self, seat: str | None) -> Text:
        return Text(
            "{who} put {cubes} on {card}.",
            who=self.who,
            cubes=words.cubes(self.n),
            card=words.named(self.card),
        )


class Gained(Fact, frozen=True):
    """A player gained something."""

    who: str
    deniers: int = 0
    influence: int = 0
    vp: int = 0

    def told_to(self, seat: str | None) -> Text:
        return Text("{who} gained {gains}.", who=self.who, gains=_amounts(self))


class Paid(Fact, frozen=True):
    """A player paid for a card's effect."""

    who: str
    deniers: int = 0
    influence: int = 0

    def told_to(self, seat: str | None) -> Text:
        return Text("{who} paid {amounts}.", who=self.who, amounts=_amounts(self))


def _amounts(fact: Gained | Paid) -> tuple[Text, ...]:
    found = []
    if fact.deniers:
        found.append(words.deniers(fact.deniers))
    if fact.influence:
        found.append(words.influence(fact.influence))
    if isinstance(fact, Gained) and fact.vp:
        found.append(words.points(fact.vp))
    return tuple(found)


class ArcherRolled(Fact, frozen=True):
    """One roll of the Archer."""

    who: str
    face: int
    hit: bool

    def told_to(self, seat: str | None) -> Text:
        rolled = words.die("black", self.face)
        if self.hit:
            return Text("{who} rolled {die}: a hit.", who=self.who, die=rolled)
        return Text("{who} rolled {die}: a miss.", who=self.who, die=rolled)


class Built(Fact, frozen=True):
    """A cube on the cathedral (T-5.25)."""

    who: str
    level: int
    column: int

    def told_to(self, seat: str | None) -> Text:
        return Text(
            "{who} built on the cathedral, {where}.",
            who=self.who,
            where=words.vault(self.level, self.column),
        )


class CubesOnEvent(Fact, frozen=True):
    """Cubes against an event (T-5.31, T-5.32)."""

    who: str
    event: str
    n: int

    def told_to(self, seat: str | None) -> Text:
        return Text(
            "{who} put {cubes} on {event}.",
            who=self.who,
            cubes=words.cubes(self.n),
            event=words.named(self.event),
        )


class Countered(Fact, frozen=True):
    """An event's banners are full (T-5.33 to T-5.37)."""

    event: str
    first: str
    stays: bool

    def told_to(self, seat: str | None) -> Text:
        if self.stays:
            return Text(
                "{event} is countered, first {who}; it stays, and its banners are empty again.",
                event=words.named(self.event),
                who=self.first,
            )
        return Text(
            "{event} is countered; {who} keeps the card.", event=words.named(self.event), who=self.first
        )


class Rerolled(Fact, frozen=True):
    """1 influence: a die rolled again (T-6.2)."""

    who: str
    colour: str
    old: int
    new: int

    def told_to(self, seat: str | None) -> Text:
        return Text(
            "{who} spent 1 influence and rolled {old} again: {new}.",
            who=self.who,
            old=words.die(self.colour, self.old),
            new=words.die(self.colour, self.new),
        )


class CitizenFetched(Fact, frozen=True):
    """2 influence: a citizen into the personal supply (T-6.3)."""

    who: str

    def told_to(self, seat: str | None) -> Text:
        return Text("{who} spent 2 influence for a citizen into the personal supply.", who=self.who)


class Turned(Fact, frozen=True):
    """4 influence: dice turned over (T-6.4)."""

    who: str
    old: tuple[DieName, ...]
    new: tuple[DieName, ...]

    def told_to(self, seat: str | None) -> Text:
        return Text(
            "{who} spent 4 influence and turned {old} over to {new}.",
            who=self.who,
            old=dice_words(self.old),
            new=dice_words(self.new),
        )


class Passed(Fact, frozen=True):
    """A player passed (T-5.51)."""

    who: str

    def told_to(self, seat: str | None) -> Text:
        return Text("{who} passed; 2 deniers lie in the district.", who=self.who)


class PassingMoney(Fact, frozen=True):
    """A passed player's turn came round again (T-5.51, T-5.53)."""

    who: str
    lying: int

    def told_to(self, seat: str | None) -> Text:
        return Text("{who} has passed: {n} deniers lie in the district now.", who=self.who, n=self.lying)


class NoDiceLeft(Fact, frozen=True):
    """The actions end because the dice ran out (T-7.1, T-7.2)."""

    def told_to(self, seat: str | None) -> Text:
        return Text("No dice are left: the actions of this round are over.")


class RoundEnded(Fact, frozen=True):
    """The end of a round for one player (T-7.3)."""

    who: str
    collected: int
    returned: int

    def told_to(self, seat: str | None) -> Text:
        said = Text("{who} took {n} from the district and took back {home}.")
        if not self.returned:
            said = Text("{who} took {n} from the district.")
        elif not self.collected:
            said = Text("{who} took back {home}.")
        home = Text("{n} expelled citizen", "{n} expelled citizens", n=self.returned)
        return said.filled(who=self.who, n=words.deniers(self.collected), home=home)


class CharactersRevealed(Fact, frozen=True):
    """A player's characters are turned up (T-8.4)."""

    who: str
    names: tuple[str, ...]

    def told_to(self, seat: str | None) -> Text:
        return Text(
            "{who} held {names}; it counts for everybody.",
            "{who} held {names}; they count for everybody.",
            who=self.who,
            names=tuple(words.named(n) for n in self.names),
            n=len(self.names),
        )


class Scored(Fact, frozen=True):
    """A player's final score (T-8.2)."""

    who: str
    total: int

    def told_to(self, seat: str | None) -> Text:
        return Text("{who} ends with {total}.", who=self.who, total=words.points(self.total))
