"""Positions for the tests: four seats, eight plain sites, loaded dice, commands as players write them.

Everything that is put somewhere comes out of its bank, so that each position can be counted at its end.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Coroutine, Sequence
from typing import Any

import msgspec

from pbem.engine.core.asks import Menu, choose
from pbem.engine.core.chance import Chance, Drawn, Loaded, Seeded
from pbem.engine.core.commands import Unclear, read
from pbem.engine.core.sealed import Sealed, dump_sealed, load_sealed
from pbem.engine.core.slots import NotOpen
from pbem.engine.core.table import Table
from pbem.engine.core.testing import random_answer
from pbem.engine.core.text import Text, english
from pbem.engine.oath.printed import (
    COLOURS,
    DENIZENS,
    FAVOR,
    PEOPLES_FAVOR,
    PLACES,
    PURPLE,
    RELICS,
    SCEPTER,
    SITES,
    WARBANDS,
    is_vision,
)
from pbem.engine.oath.state import Adviser, Banner, Card, Oath, Player, Relic, Site, World, full_banks

CARA, YARA, OREN, BELA = "Cara", "Yara", "Oren", "Bela"
"""The Chancellor and, clockwise, the yellow, the red and the blue player: Exiles until told otherwise."""
SEATS = {CARA: PURPLE, YARA: "yellow", OREN: "red", BELA: "blue"}
MAP = (
    "river",
    "lush_coast",
    "salt_flats",
    "standing_stones",
    "steppe",
    "rocky_coast",
    "wastes",
    "great_slum",
)
"""Two sites in the Cradle, three in the Provinces, three in the Hinterland; none has a say in a campaign."""
RELIQUARY = ("sticky_fire", "cursed_cauldron", "brass_horse", "truthful_harp")
RELIC_DECK = ("dowsing_sticks", "cracked_horn", "oracular_pig", "ivory_eye", "dragonskin_drum")

Offer = Callable[[Menu[Any], Oath, Player], None]


class Stage:
    """A position under construction, then a step in play on it."""

    def __init__(self, *, oath: str = "supremacy", seats: int = 4, map: Sequence[str] = MAP) -> None:
        names = list(SEATS)[:seats]
        players = [Player(n, SEATS[n], "exile", bank=WARBANDS[SEATS[n]]) for n in names]
        players[0].role = "chancellor"
        players[0].relics.append(Relic(SCEPTER))
        elsewhere = [id for id in SITES if id not in map]
        self.g = Oath(
            players=players,
            oath=oath,
            map=[Site(Sealed(id, tuple(names)), shown=id) for id in map],
            world=World(
                deck=Sealed(list(DENIZENS)[-20:]),
                relics=Sealed(list(RELIC_DECK)),
                sites=Sealed(elsewhere),
                dispossessed=Sealed([]),
            ),
            title=CARA,
            banks=full_banks(3),
            banners={PEOPLES_FAVOR: Banner(), "darkest_secret": Banner()},
            reliquary=[Sealed(id, (CARA,)) for id in RELIQUARY],
            round=1,
            phase="act",
        )
        self.g.shared = FAVOR - favor(self.g)
        self.loaded: dict[str, list[str]] = {}
        self.facts: list[Any] = []
        self._table: Table[Oath] | None = None

    # the map

    def slot(self, site: str | int) -> int:
        """The slot of a site that was named."""
        if isinstance(site, int):
            return site
        return next(n for n, there in enumerate(self.g.map) if there.site.under_seal() == site)

    def site(
        self,
        site: str | int,
        *,
        ruler: str = "",
        warbands: int = 0,
        cards: Sequence[str] = (),
        relics: Sequence[str] = (),
        shown: bool = True,
    ) -> Stage:
        """What lies at a site; `ruler` puts warbands there, one unless told otherwise. A ruin's id ends in
        `_ruined`."""
        there = self.g.map[self.slot(site)]
        there.shown = there.site.under_seal() if shown else ""
        there.cards += [Card(id.removesuffix("_ruined"), id.endswith("_ruined")) for id in cards]
        there.relics += [Sealed(id) for id in relics]
        if ruler:
            player = self.g.player(ruler)
            there.colour, there.warbands = player.banner_colour, warbands or 1
            self._bank(player).bank -= there.warbands
        return self

    # the players

    def player(self, name: str) -> Player:
        """One player's side."""
        return self.g.player(name)

    def _bank(self, player: Player) -> Player:
        return self.g.chancellor if player.imperial else player

    def seat(
        self,
        name: str,
        *,
        at: str | int | None = None,
        warbands: int = 0,
        favor: int = 0,
        secrets: int = 0,
        supply: int | None = None,
        citizen: bool = False,
        advisers: Sequence[str] = (),
        facedown: Sequence[str] = (),
        relics: Sequence[str] = (),
        banners: Sequence[str] = (),
        vision: str = "",
    ) -> Stage:
        """What somebody has besides what there was, and where the pawn stands."""
        player = self.g.player(name)
        if citizen:
            player.role = "citizen"
        if at is not None:
            player.pawn = self.slot(at)
        if supply is not None:
            player.supply = supply
        player.warbands += warbands
        self._bank(player).bank -= warbands
        player.favor += favor
        self.g.shared -= favor
        player.secrets += secrets
        everybody = tuple(p.name for p in self.g.players)
        player.advisers += [Adviser(Sealed(id, everybody), is_vision(id), id) for id in advisers]
        player.advisers += [Adviser(Sealed(id, (name,)), is_vision(id)) for id in facedown]
        for id in relics:
            for other in self.g.players:
                other.relics = [r for r in other.relics if r.id != id]
            player.relics.append(Relic(id))
        for banner in banners:
            self.g.banners[banner].holder = name
        player.vision = vision or player.vision
        return self

    def banner(self, banner: str, tokens: int, holder: str = "", *, mob: bool = False) -> Stage:
        """A banner with so many tokens on it."""
        there = self.g.banners[banner]
        if banner == PEOPLES_FAVOR:
            self.g.shared -= tokens - there.tokens
        there.tokens, there.holder, there.mob = tokens, holder, mob
        return self

    def title(self, name: str, *, usurper: bool = False) -> Stage:
        """Who holds the Oathkeeper title."""
        self.g.title, self.g.usurper = name, usurper
        return self

    def turn(self, name: str) -> Stage:
        """Whose turn it is."""
        self.g.turn = [p.name for p in self.g.players].index(name)
        return self

    # playing

    def dice(self, **picks: str | Sequence[str]) -> Stage:
        """Load the dice: what each key will show, one text a roll, faces counted from 0: `attack="0 0 3"`; a `_`
        in a name stands for the `-` of the key."""
        for name, value in picks.items():
            queue = self.loaded.setdefault(name.replace("_", "-"), [])
            queue.extend([value] if isinstance(value, str) else value)
        return self

    def run(self, step: Coroutine[Any, Any, Any], chance: Chance | None = None) -> Stage:
        """Play one step, as far as the first question."""
        chance = chance or Loaded(self.loaded, Seeded(b"a stage"))
        self._table = Table(_Once(step), self.g, chance=chance, keep=False)
        self._table.start()
        self._hear()
        return self

    def act(self, seat: str, *offers: Offer, chance: Chance | None = None) -> Stage:
        """It is a seat's turn, and its menu holds what these offer; what is chosen is carried out."""
        self.turn(seat)
        return self.run(_one_action(self.g, self.g.player(seat), offers), chance)

    def does(self, seat: str, *lines: str) -> Stage:
        """The seat writes lines; raises `Unclear` or `NotOpen` for one that is refused."""
        for line in lines:
            ask = self.table.open.get(seat)
            if ask is None:
                raise Unclear(Text("{seat} is not asked anything now", seat=seat))
            self.table.answer(seat, read(line, ask).pick)
            self._hear()
        return self

    def refusal(self, seat: str, line: str) -> str:
        """Why a line is refused, in English; raises `AssertionError` if it would be taken."""
        ask = self.table.open[seat]
        try:
            ask.menu.resolve(read(line, ask).pick)
        except (Unclear, NotOpen) as e:
            return english(e.why)
        raise AssertionError(f"“{line}” would be taken")

    def at_random(self, rng: random.Random) -> Stage:
        """Answer whatever is asked at random until the step is over."""
        self.table.chance = Drawn(rng)
        while self.table.open:
            seat = list(self.table.open)[rng.randrange(len(self.table.open))]
            self.table.answer(seat, random_answer(self.table.open[seat], rng))
            self._hear()
        return self

    @property
    def table(self) -> Table[Oath]:
        """The step in play."""
        assert self._table is not None, "nothing is played yet"
        return self._table

    def asked(self) -> dict[str, str]:
        """The key of the question that is open to each seat; empty once the step is over."""
        return {seat: ask.key for seat, ask in self.table.open.items()}

    def options(self, seat: str) -> list[str]:
        """What a seat may write now."""
        return [english(o.shown()) for o in self.table.open[seat].menu.open()]

    def heard(self, seat: str | None = None) -> list[str]:
        """What a seat (or the observer) has been told, in English."""
        texts = [fact.told_to(seat) for fact in self.facts]
        return [english(t) for t in texts if t is not None]

    def _hear(self) -> None:
        self.facts += [t.fact for t in self.table.drain().told]


async def _one_action(g: Oath, me: Player, offers: Sequence[Offer]) -> None:
    menu: Menu[Any] = Menu()
    for offer in offers:
        offer(menu, g, me)
    deed = await choose(me.name, "action", menu, Text("What do you do?"), section="O-4.3")
    await deed()


class _Once:
    """As much of a ruleset as a table needs for a single step."""

    ruling = 0

    def __init__(self, step: Coroutine[Any, Any, Any]) -> None:
        self._steps = [step]

    def step(self, g: Oath) -> Coroutine[Any, Any, Any] | None:
        return self._steps.pop() if self._steps else None

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(f"a stage has no {name}")


def copied(g: Oath) -> Oath:
    """The same position, through plain data."""
    saved = msgspec.to_builtins(g, enc_hook=dump_sealed)
    return msgspec.convert(saved, Oath, dec_hook=load_sealed)


# counting (O-22)


def favor(g: Oath) -> int:
    """All the favor there is; always 36 (O-15.3)."""
    total = g.shared + sum(g.banks.values()) + g.banners[PEOPLES_FAVOR].tokens
    for site in g.map:
        total += site.favor + sum(c.favor for c in site.cards)
    for player in g.players:
        total += player.favor + sum(a.favor for a in player.advisers) + sum(r.favor for r in player.relics)
    return total


def warbands(g: Oath) -> dict[str, int]:
    """All warbands of each colour in the game: banks, boards, sites."""
    total = {colour: 0 for colour in COLOURS if any(p.colour == colour for p in g.players)}
    for player in g.players:
        total[player.colour] += player.bank
        total[player.banner_colour] += player.warbands
        for relic in player.relics:
            for colour, n in relic.caged.items():
                total[colour] += n
    for site in g.map:
        if site.colour:
            total[site.colour] += site.warbands
    for prophet in g.prophets.values():
        total[prophet] += 1
    return total


def relics(g: Oath) -> list[str]:
    """Every relic of the game, wherever it is."""
    found = [*g.world.relics.under_seal(), *(r.under_seal() for r in g.reliquary if r is not None)]
    found += [r.under_seal() for site in g.map for r in site.relics]
    return sorted(found + [r.id for p in g.players for r in p.relics])


def count(stage: Stage) -> None:
    """O-22: nothing is lost and nothing is made."""
    g = stage.g
    assert favor(g) == FAVOR
    assert warbands(g) == {colour: WARBANDS[colour] for colour in warbands(g)}
    assert len(set(relics(g))) == len(relics(g))
    assert set(relics(g)) <= {*RELICS, SCEPTER}
    for n, site in enumerate(g.map):
        assert site.warbands >= 0, PLACES[n]
        assert bool(site.warbands) == bool(site.colour), PLACES[n]
        assert site.shown or not site.warbands, PLACES[n]
    for player in g.players:
        assert min(player.favor, player.secrets, player.spent, player.warbands, player.bank) >= 0, player.name
        assert not player.vision or player.role == "exile"
    assert not g.usurper or g.player(g.title).role == "exile"
    assert all(b.tokens >= 1 for b in g.banners.values())
