"""Seven Sites: the smallest game that needs everything the core has; the sample of a ruleset.

Three seats, seven sites, six kinds of plan cards. A seat travels, musters, attacks or rests, three times a
round; a defender may play a plan from a hidden hand; after each round all bid at once. Three rounds.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any

import msgspec

from pbem.engine.core.asks import Menu, Step, choose, reveal, roll, shuffle, together
from pbem.engine.core.facts import Fact
from pbem.engine.core.migrations import lift
from pbem.engine.core.ruleset import (
    BadLegacy,
    BadPath,
    BadSetup,
    Campaign,
    Entry,
    Outcome,
    PathInfo,
    Policy,
    Position,
    Ranked,
    Setting,
)
from pbem.engine.core.sealed import Sealed, dump_sealed, load_sealed
from pbem.engine.core.slots import Choice, Number, One
from pbem.engine.core.testing import random_policy
from pbem.engine.core.text import Text

SITES = ("Plains", "Mine", "Salt Flats", "Lush Coast", "Old Bridge", "Marsh", "Tower")
CARDS = ("shield wall", "ambush", "spears", "banner", "traps", "reserve")
ROUNDS, ACTIONS = 3, 3
ATTACK, DEFENSE = (0, 0, 1, 1, 2, 2), (0, 0, 0, 1, 1, 2)

# What never changes is made once: a decision costs what its menu costs.
NAMES = {site: Text("{name}", name=site) for site in SITES}
SITE, WARBANDS, FAVOR = Text("site"), Text("warbands"), Text("favor")
TRAVEL, MUSTER, ATTACK_WITH, REST = (
    Text("travel {site}"),
    Text("muster"),
    Text("attack with {force}"),
    Text("rest"),
)
BID, KEEP, NOTHING = Text("bid {n}"), Text("keep it"), Text("nothing after all")
YOUR_TURN, FOR_THE_CROWN, SURE = Text("It is your turn."), Text("Bid for the crown."), Text("Are you sure?")
RESTS_TOO = (Text("pass"), Text("end turn"))
POOR, THERE = Text("it costs 1 favor (M-2.2)"), Text("you are there")


class Site(msgspec.Struct):
    """One place and who holds it."""

    ruler: str = ""
    warbands: int = 0


class Seat(msgspec.Struct):
    """What one player has."""

    pawn: str
    favor: int = 2
    warbands: int = 3
    points: int = 0
    hand: Sealed[tuple[str, ...]] = msgspec.field(default_factory=lambda: Sealed(()))


class Game(msgspec.Struct):
    """The whole position."""

    order: list[str]
    seats: dict[str, Seat]
    sites: dict[str, Site]
    deck: Sealed[tuple[str, ...]]
    phase: str = "deal"
    round: int = 1
    active: int = 0
    acted: int = 0
    ruling: int = 0
    journal: list[Any] = []


class Moved(Fact, frozen=True):
    """A pawn went somewhere."""

    who: str
    site: str

    def told_to(self, seat: str | None) -> Text:
        return Text("{who} travelled to {site}.", who=self.who, site=self.site)


class Fought(Fact, frozen=True):
    """A site was attacked."""

    who: str
    site: str
    swords: int
    shields: int

    def told_to(self, seat: str | None) -> Text:
        return Text(
            "{who} attacked {site}: {a} against {b}.",
            who=self.who,
            site=self.site,
            a=self.swords,
            b=self.shields,
        )


class Drew(Fact, frozen=True):
    """A player got plan cards."""

    who: str
    cards: tuple[str, ...]

    def told_to(self, seat: str | None) -> Text:
        if seat == self.who:
            return Text("You drew {cards}.", cards=self.cards)
        return Text("{who} drew {n} cards.", who=self.who, n=len(self.cards))


class Bid(Fact, frozen=True):
    """All bids of a round."""

    winner: str
    bids: dict[str, int]

    def told_to(self, seat: str | None) -> Text:
        return Text("{who} bid most.", who=self.winner)


class SeatView(msgspec.Struct, frozen=True):
    """One player as somebody sees them."""

    name: str
    pawn: str
    favor: int
    warbands: int
    points: int
    cards: int
    hand: tuple[str, ...] | None


class GameView(msgspec.Struct, frozen=True):
    """The board as somebody sees it."""

    round: int
    sites: tuple[tuple[str, str, int], ...]
    seats: tuple[SeatView, ...]


async def deal(g: Game) -> None:
    """M-1: everybody gets two plans."""
    deck = await shuffle("deck", g.deck.under_seal())
    for name in g.order:
        cards, deck = tuple(deck[:2]), deck[2:]
        _, g.seats[name].hand = await reveal("deal", Sealed(cards), name)
        g.journal.append(Drew(name, cards))
    g.deck = Sealed(tuple(deck))
    g.phase = "act"


async def act(g: Game) -> None:
    """M-2: one action of the active player, to its very end."""
    who = g.order[g.active]
    action, argument, force = await choose(
        who, "action", actions(g, who), YOUR_TURN, section="M-2", favor=g.seats[who].favor
    )
    match action:
        case "travel":
            g.seats[who].pawn = argument
            g.journal.append(Moved(who, argument))
        case "muster":
            g.seats[who].favor -= 1
            g.seats[who].warbands += 2
        case "attack":
            await attack(g, who, force)
    g.acted += 1
    if action == "rest" or g.acted == ACTIONS:
        g.acted, g.active = 0, g.active + 1
        if g.active == len(g.order):
            g.phase = "bid"


Action = tuple[str, str, int]


def actions(g: Game, who: str) -> Menu[Action]:
    """M-2: what the active player may do."""
    me = g.seats[who]
    menu: Menu[Action] = Menu()
    menu.command(
        TRAVEL,
        lambda site: ("travel", site, 0),
        One("site", SITE, lambda _: _elsewhere(g, me)),
        id="travel",
    )
    menu.add(MUSTER, ("muster", "", 0), unless=[(me.favor < 1, POOR)])
    menu.command(
        ATTACK_WITH,
        lambda force: ("attack", me.pawn, force),
        Number("force", WARBANDS, lambda _: range(1, me.warbands + 1)),
        id="attack",
        barred=lambda: _no_attack(g, who),
    )
    menu.add(REST, ("rest", "", 0), also=RESTS_TOO)
    return menu


def _elsewhere(g: Game, me: Seat) -> list[Choice]:
    return [Choice(s, NAMES[s], s, why=THERE if s == me.pawn else None) for s in g.sites]


def _no_attack(g: Game, who: str) -> Text | None:
    me = g.seats[who]
    if g.sites[me.pawn].ruler == who:
        return Text("{site} is yours already (M-3.1)", site=me.pawn)
    return Text("you have no warbands (M-3.1)") if me.warbands < 1 else None


async def attack(g: Game, who: str, force: int) -> None:
    """M-3: the attacker's dice against the defender's, who may play a plan."""
    site = g.sites[g.seats[who].pawn]
    shields_more = await plan(g, site.ruler, force) if site.ruler else 0
    swords = sum(await roll("attack", force, ATTACK))
    shields = sum(await roll("defense", site.warbands, DEFENSE)) + shields_more
    g.journal.append(Fought(who, g.seats[who].pawn, swords, shields))
    g.seats[who].warbands -= force
    if swords > shields:
        site.ruler, site.warbands = who, force


async def plan(g: Game, defender: str, force: int) -> int:
    """M-3.2: asked whatever the hand holds, so that the question tells nothing."""
    hand = g.seats[defender].hand
    menu: Menu[str] = Menu()
    for card in dict.fromkeys(hand.open(defender)):
        menu.add(Text("play {card}", card=card), card, id=f"play {card}")
    menu.add(Text("done"), "")
    card = await choose(
        defender,
        "battle-plan",
        menu,
        Text("You are attacked."),
        section="M-3.2",
        kind="reaction",
        default="done",
        dice=force,
    )
    if card:
        g.seats[defender].hand = hand.changed(lambda cards: _without(cards, card))
    return 1 if card else 0


def _without(cards: tuple[str, ...], card: str) -> tuple[str, ...]:
    i = cards.index(card)
    return cards[:i] + cards[i + 1 :]


async def bid(g: Game) -> None:
    """M-4: everybody bids favor at once; most takes a point, the earlier seat where they are equal."""
    bids = await together({who: _one_bid(g, who) for who in g.order}, "bid")
    winner = max(g.order, key=lambda who: (bids[who], -g.order.index(who)))
    for who in g.order:
        g.seats[who].favor -= bids[who]
    g.seats[winner].points += 1
    for who in g.order:
        g.seats[who].favor += 1
    g.journal.append(Bid(winner, bids))
    g.active, g.round = 0, g.round + 1
    g.phase = "act" if g.round <= ROUNDS else "over"


async def _one_bid(g: Game, who: str) -> int:
    menu: Menu[int] = Menu()
    menu.command(
        BID,
        lambda n: int(n),
        Number("n", FAVOR, lambda _: range(g.seats[who].favor + 1)),
        id="bid",
    )
    amount = await choose(who, "bid", menu, FOR_THE_CROWN, section="M-4", kind="reaction")
    sure: Menu[bool] = Menu()
    sure.add(KEEP, True)
    sure.add(NOTHING, False)
    return amount if await choose(who, "sure", sure, SURE, section="M-4") else 0


class SevenSites:
    """The ruleset."""

    name = "sites"
    title = "Seven Sites"
    ruling = 3
    schema = 2
    seats: tuple[int, ...] = (2, 3)
    settings: tuple[Setting, ...] = ()
    campaigns = False
    robots: Mapping[str, Policy] = {"random": random_policy}
    examples: Mapping[str, str] = {"action": "travel Mine", "battle-plan": "play ambush"}

    def setup(
        self, seats: Sequence[str], options: Mapping[str, str], data: Any, legacy: Any, title: str = ""
    ) -> Game:
        if len(seats) not in self.seats:
            raise BadSetup(Text("two or three may play"))
        people = {s: Seat(SITES[i], hand=Sealed((), (s,))) for i, s in enumerate(seats)}
        return Game(list(seats), people, {s: Site() for s in SITES}, Sealed(CARDS + CARDS))

    def edition(self, options: Mapping[str, str], data: Any) -> Text | None:
        return None

    def step(self, g: Game) -> Step | None:
        match g.phase:
            case "deal":
                return deal(g)
            case "act":
                return act(g)
            case "bid":
                return bid(g)
        return None

    def seat_order(self, g: Game) -> tuple[str, ...]:
        return tuple(g.order)

    def view(self, g: Game, seat: str | None) -> GameView:
        sites = tuple((n, s.ruler, s.warbands) for n, s in g.sites.items())
        return GameView(g.round, sites, tuple(self._seat(n, g.seats[n], seat) for n in g.order))

    def _seat(self, name: str, s: Seat, viewer: str | None) -> SeatView:
        hand = s.hand.open(viewer) if viewer == name and s.hand.seen_by(viewer) else None
        cards = len(s.hand.under_seal())
        return SeatView(name, s.pawn, s.favor, s.warbands, s.points, cards, hand)

    def dump(self, g: Game) -> Any:
        saved = msgspec.to_builtins(g, enc_hook=dump_sealed)
        del saved["journal"]
        return {**saved, "schema": self.schema}

    def load(self, saved: Any) -> Game:
        saved = lift(dict(saved), self.schema, {1: lambda s: {**s, "round": s["turn"]}})
        try:
            return msgspec.convert(saved, Game, dec_hook=load_sealed)
        except msgspec.ValidationError as e:
            raise ValueError(str(e)) from e

    def check(self, g: Game) -> None:
        cards = [*g.deck.under_seal()] if g.phase != "deal" else []
        for s in g.seats.values():
            assert min(s.favor, s.warbands) >= 0, "somebody owes something"
            cards += s.hand.under_seal()
        assert len(cards) <= len(CARDS) * 2, "a card is doubled"

    def powers(self) -> Mapping[str, str]:
        """Uses are not counted."""
        return {}

    def counted(self, used: Counter[str]) -> AbstractContextManager[None]:
        """Nothing is counted."""
        return nullcontext()

    def ending(self, g: Game) -> tuple[Text, ...]:
        """There is one way."""
        return (Text("after the last round"),)

    def reshuffled(self, g: Game, seat: str | None, rng: random.Random) -> Game:
        others = [n for n in g.order if n != seat]
        unknown = [*g.deck.under_seal(), *(c for n in others for c in g.seats[n].hand.under_seal())]
        rng.shuffle(unknown)
        for n in others:
            size = len(g.seats[n].hand.under_seal())
            cards, unknown = tuple(unknown[:size]), unknown[size:]
            g.seats[n].hand = Sealed(cards, g.seats[n].hand.owners)
        g.deck = Sealed(tuple(unknown))
        return g

    def hidden(self, g: Game, seat: str | None) -> Any:
        return [g.deck, [g.seats[n].hand for n in g.order if n != seat]]

    def outcome(self, g: Game) -> Outcome | None:
        if g.phase != "over":
            return None
        score = {n: s.points + sum(site.ruler == n for site in g.sites.values()) for n, s in g.seats.items()}
        places = {n: 1 + sum(other > mine for other in score.values()) for n, mine in score.items()}
        ranking = sorted((Ranked(n, places[n], score[n]) for n in g.order), key=lambda r: r.place)
        return Outcome(tuple(ranking), Text("Three rounds have been played."))

    def legacy(self, g: Game) -> Any:
        return None

    def annals(self, g: Game) -> tuple[Text, ...]:
        return ()

    def read_legacy(self, text: str) -> Campaign:
        """Raises `BadLegacy`: a game of The mini-game leaves nothing to the next."""
        raise BadLegacy(Text("The mini-game has no campaigns; each game stands alone"))

    def write_legacy(self, legacy: Any) -> str:
        """Raises `BadLegacy`, as `read_legacy`."""
        raise BadLegacy(Text("The mini-game has no campaigns; each game stands alone"))

    def position(self, g: Game) -> Position:
        label = Text("round {n} of {all}", n=g.round, all=ROUNDS)
        return Position(label, "M-2", f"{g.round}/{g.active}")

    def paths(self, g: Game) -> list[PathInfo]:
        return [PathInfo(f"{n}.favor", Text("favor of {who}", who=n), "a number") for n in g.order]

    def read(self, g: Game, path: str) -> Any:
        seat, _, what = path.partition(".")
        if seat in g.seats and what in ("favor", "warbands", "pawn", "points"):
            return getattr(g.seats[seat], what)
        if seat in g.sites and what in ("ruler", "warbands"):
            return getattr(g.sites[seat], what)
        if path == "phase":
            return g.phase
        raise BadPath(Text("there is no path “{path}”", path=path), [f"{n}.favor" for n in g.order])

    def write(self, g: Game, path: str, value: Any) -> None:
        self.read(g, path)
        name, _, what = path.partition(".")
        if path == "phase":
            g.phase = value
        else:
            setattr(g.seats.get(name) or g.sites[name], what, value)

    def perform(self, g: Game, name: str) -> Step:
        if name != "bid":
            raise BadPath(Text("there is no procedure “{name}”", name=name), ["bid"])
        return bid(g)

    def lookup(self, g: Game, word: str) -> list[Entry]:
        return [Entry(Text("{name}", name=s)) for s in SITES if word.casefold() in s.casefold()]

    def picture(self, view: Any) -> str | None:
        return None

    def conditions(self, key: str) -> tuple[str, ...]:
        return {"battle-plan": ("dice",), "action": ("favor",)}.get(key, ())

    def check_data(self, data: Any) -> list[Text]:
        return []


RULES = SevenSites()
