"""Oath as the core and the shell know it."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager

from ..core.asks import Step
from ..core.ruleset import (
    BadLegacy,
    BadSetup,
    Campaign,
    Entry,
    Json,
    Outcome,
    PathInfo,
    Policy,
    Position,
    Setting,
)
from ..core.testing import random_policy
from ..core.text import Text
from . import (
    cards,
    counts,
    edifices,
    paths,
    relics,
    reliquary,
    savestring,
    sites,
    store,
    turn,
    twins,
    uses,
    views,
)
from .battle import LOST, WON
from .known import STRICT
from .legacy import Impossible, Legacy, check
from .legacy import dump as dump_legacy
from .legacy import load as load_legacy
from .lookup import lookup
from .outcomes import annals, outcome, ways
from .picture import picture
from .powers import POWERS
from .printed import DENIZENS, NAMES, OATHS, REGIONS, SUITS
from .procedures import perform
from .setup import SCRIPTED_PLAYERS, STARTS, new_game
from .state import SCHEMA, Oath

WITH_POWERS = (cards, sites, relics, reliquary, edifices)
"""Modules that register what cards, sites and relics do; a game is played with all of them (O-8)."""
RESERVED = (
    "advisers all banks bandits bank board card cards chancellor citizen deck dispossessed exile it map nobody none "
    "oath pile piles relics reliquary round rounds shared site supply title turn vision visions warbands world"
).split()
"""Names that a seat may not have, because paths and commands use them; the names of cards and sites neither."""
TAKEN = frozenset(name.casefold() for name in (*RESERVED, *SUITS, *REGIONS, *NAMES, *NAMES.values()))

ORDERS = (
    "search world deck",
    "muster on elders",
    "trade with elders for favor",
    "recover relic",
    "campaign against ben at salt flats with 3",
    "use elders",
    "peek at relic 1",
    "offer citizenship to ben with brutal",
    "exile ben",
    "rest",
)
"""Orders for the Act phase by their verbs; those that begin like prose (`ask`, `put`) are not among them."""


class OathRules:
    """The game, every method by the module that knows it."""

    name = "oath"
    title = "Oath"
    ruling = 0
    schema = SCHEMA
    seats: tuple[int, ...] = (2, 3, 4, 5, 6)
    settings: tuple[Setting, ...] = (
        Setting("start", Text("how a new chronicle begins (O-3)"), STARTS, "open"),
        Setting(
            "oath",
            Text("the first oath, where the start is “reset from all” (O-3.4)"),
            tuple(OATHS),
            "supremacy",
        ),
        Setting(
            "unwritten",
            Text("cards whose powers the program does not know yet: play them by their suit, or refuse them"),
            ("play", STRICT),
            STRICT,
        ),
    )
    campaigns = True
    robots: Mapping[str, Policy] = {"random": random_policy}
    examples: Mapping[str, str] = {
        "pawn": "start at salt flats",
        "keep-first": "keep elders",
        "discard-order": "elders next",
        "act": "travel to salt flats",
        **{f"act.{order.split()[0]}": order for order in ORDERS},
        "keep": "keep elders",
        "play": "play elders to salt flats",
        "peoples-favor": "put 1 favor on it",
        "site-token": "take 1 secret",
        "title-tie": "title to ben",
        "battle-plan": "done",
        "join-defense": "join the defense",
        "accept-allies": "accept ben",
        "sacrifice": "sacrifice 2",
        "losses": "lose 2 of your board",
        "place": "place 2 at salt flats",
        "banish": "banish to wastes",
        "burn": "burn 2 favor",
        "made-to-travel": "pay",
        "shrouded-wood": "wastes",
        "conspiracy": "take nothing",
        "deal": "accept",
        "permission": "permit it",
        "lost-warbands": "lose 1 of your board",
        "which-bank": "nomad bank",
        "which-player": "ben",
        "which-card": "elders",
        "which-adviser": "elders",
        "which-pile": "hinterland",
        "lent-modifier": "use nothing more",
        "second-wind": "travel to wastes",
        "alchemist": "take 2 from the hearth bank",
        "inquisitor": "1 of ben",
        "which-site": "wastes",
        "wrestlers": "sacrifice nothing",
        "long-lost-heir": "yes",
        "homeland-relic": "relic 1",
        "jinx": "yes",
        "move-warbands": "move from board to salt flats 2",
        "propose": "propose to ben giving 2 favor asking map",
        "too-many-advisers": "discard elders",
        "gathering": "come",
        "brass-horse": "ride to wastes",
        "dowsing": "keep it",
        "horned-mask": "exchange elders for wolves",
        "ivory-eye": "look at adviser 1 of ben",
        "skeleton-key": "brutal",
        "key-takes": "yes",
        "sticky-fire": "yes",
        "cage": "give ben 2",
        "dragonskin-drum": "yes",
        "squalid-district": "raise it",
        "great-spire": "exchange elders",
        "fallen-spire": "exchange 2",
        "campaign": "campaign against ben at salt flats with 3",
        "board": "take the red board",
        "vow": "vow people",
        "invite": "invite ben",
        "citizenship": "become a citizen",
        "build": "build nothing",
        "suit": "add nomad",
    }

    def setup(
        self, seats: Sequence[str], options: Mapping[str, str], data: Json, legacy: Json, title: str = ""
    ) -> Oath:
        """The state before the first step; raises `BadSetup`."""
        chosen = self._options(options)
        _names(seats, self.seats)
        if data:
            raise BadSetup(Text("Oath takes no numbers of its owner"))
        saved = _saved(legacy)
        start = chosen["start"]
        if saved is None and start == "scripted" and len(seats) != SCRIPTED_PLAYERS:
            raise BadSetup(
                Text(
                    "the scripted first game is for {wanted} players, not {n} (O-3.1); the open start is for any",
                    wanted=SCRIPTED_PLAYERS,
                    n=len(seats),
                )
            )
        if saved is not None and chosen["unwritten"] == STRICT:
            _all_written(saved)
        return new_game(seats, start, chosen["oath"], saved, chosen["unwritten"], title)

    def _options(self, options: Mapping[str, str]) -> dict[str, str]:
        """Every setting with its value; raises `BadSetup`."""
        chosen = {setting.name: setting.default for setting in self.settings}
        known = {setting.name: setting.values for setting in self.settings}
        for name, value in options.items():
            if name not in known:
                raise BadSetup(
                    Text("Oath has no option “{name}”; it has {those}", name=name, those=tuple(known))
                )
            if value not in known[name]:
                raise BadSetup(
                    Text("“{name}” can be {those}, not “{value}”", name=name, those=known[name], value=value)
                )
            chosen[name] = value
        return chosen

    def edition(self, options: Mapping[str, str], data: Json) -> Text | None:
        """The line about cards without powers, while there are any."""
        missing = [id for id in DENIZENS if id not in POWERS]
        if not missing:
            return None
        if self._options(options)["unwritten"] == STRICT:
            return Text(
                "The program does not know the power of {n} denizen of the Archive yet; the Chronicle leaves it there.",
                "The program does not know the powers of {n} denizens of the Archive yet; the Chronicle leaves them"
                " there.",
                n=len(missing),
            )
        return Text(
            "The program does not know the power of {n} denizen yet; it counts by its suit alone.",
            "The program does not know the powers of {n} denizens yet; they count by their suit alone.",
            n=len(missing),
        )

    def step(self, g: Oath) -> Step | None:
        """The next piece of play."""
        return turn.step(g)

    def seat_order(self, g: Oath) -> tuple[str, ...]:
        """Clockwise from the Chancellor."""
        return tuple(player.name for player in g.players)

    def view(self, g: Oath, seat: str | None) -> views.OathView:
        """The table for one reader."""
        return views.view(g, seat)

    def dump(self, g: Oath) -> Json:
        """The state as plain data."""
        return store.dump(g)

    def load(self, saved: Json) -> Oath:
        """The way back; raises `ValueError`."""
        return store.load(saved)

    def check(self, g: Oath) -> None:
        """Count every piece; raises `AssertionError`."""
        counts.check(g)

    def powers(self) -> Mapping[str, str]:
        """Names of all cards, sites, relics and edifices whose powers are written."""
        return uses.powers()

    def counted(self, used: Counter[str]) -> AbstractContextManager[None]:
        """Count how often each does something."""
        return uses.counted(used)

    def ending(self, g: Oath) -> tuple[Text, ...]:
        """Which of the four ends it was (O-17.1)."""
        return ways(g)

    def reshuffled(self, g: Oath, seat: str | None, rng: random.Random) -> Oath:
        """A twin that this seat cannot tell from `g`."""
        return twins.reshuffle(store.load(store.dump(g)), seat, rng)

    def hidden(self, g: Oath, seat: str | None) -> Json:
        """What is hidden from a seat."""
        return twins.hidden(g, seat)

    def outcome(self, g: Oath) -> Outcome | None:
        """Who has won, once the game is over."""
        return outcome(g)

    def legacy(self, g: Oath) -> Json:
        """What the Chronicle has put away for the next game (O-18.8)."""
        ending = g.ending.under_seal()
        return None if ending is None else dump_legacy(ending)

    def annals(self, g: Oath) -> tuple[Text, ...]:
        """The game in two lines: who won how, and what was sworn for the next."""
        return annals(g)

    def read_legacy(self, text: str) -> Campaign:
        """A chronicle out of the community's save string; raises `BadLegacy` that names the place."""
        try:
            saved = savestring.read(text)
            odd = check(saved)
        except savestring.BadString as e:
            raise BadLegacy(e.why) from e
        except Impossible as e:
            raise BadLegacy(Text("the chronicle cannot be: {why}", why=e.why)) from e
        return Campaign(saved.name, dump_legacy(saved), tuple(odd))

    def write_legacy(self, legacy: Json) -> str:
        """A chronicle as the community's save string; raises `BadLegacy` for one that it cannot hold."""
        try:
            return savestring.write(load_legacy(legacy))
        except Impossible as e:
            raise BadLegacy(Text("the save string cannot hold this chronicle: {why}", why=e.why)) from e

    def position(self, g: Oath) -> Position:
        """Where the game stands."""
        return views.position(g)

    def paths(self, g: Oath) -> list[PathInfo]:
        """The scenario vocabulary."""
        return paths.paths(g)

    def read(self, g: Oath, path: str) -> Json:
        """The value at a path; raises `BadPath`."""
        return paths.read(g, path)

    def write(self, g: Oath, path: str, value: Json) -> None:
        """Set the value at a path; raises `BadPath`."""
        paths.write(g, path, value)

    def perform(self, g: Oath, name: str) -> Step:
        """A named procedure; raises `BadPath`."""
        return perform(g, name)

    def lookup(self, g: Oath, word: str) -> list[Entry]:
        """What is known under a word."""
        return lookup(g, word)

    def picture(self, view: views.OathView) -> str | None:
        """The public table as SVG."""
        return picture(view)

    def conditions(self, key: str) -> tuple[str, ...]:
        """The public facts that an order may hang on; wherever one may have been fought, how a Campaign ended."""
        result = () if key in NEVER_AFTER_A_CAMPAIGN else (WON, LOST, "needed")
        return tuple(dict.fromkeys((*CONDITIONS.get(key, ()), *result)))

    def check_data(self, data: Json) -> list[Text]:
        """Oath takes no numbers of its owner."""
        return [Text("Oath takes no numbers of its owner")]


CONDITIONS: Mapping[str, tuple[str, ...]] = {
    "act": ("round", "supply", "favor", "secrets", "warbands"),
    "peoples-favor": ("tokens", "favor"),
    "battle-plan": ("attack_dice", "defense_dice"),
    "sacrifice": ("needed", "force"),
    "permission": ("count", "left"),
}
NEVER_AFTER_A_CAMPAIGN = (
    *("board", "pawn", "keep-first", "peoples-favor", "site-token"),
    *("vow", "invite", "citizenship", "build", "suit"),
)
"""Questions of the set-up, the Wake and the Chronicle."""


def _names(seats: Sequence[str], numbers: Sequence[int]) -> None:
    """Who may play under which names; raises `BadSetup`."""
    if len(seats) not in numbers:
        raise BadSetup(Text("Oath is for 2 to 6 players, not {n}", n=len(seats)))
    if len({name.casefold() for name in seats}) != len(seats):
        raise BadSetup(Text("two seats have the same name"))
    for name in seats:
        if name.casefold() in TAKEN or any(mark in name for mark in ".,;|=@") or not name.strip():
            raise BadSetup(
                Text(
                    "a seat cannot be called “{name}”: the game has something of that name, or a mark is in it;"
                    " write another name before the address",
                    name=name,
                )
            )


def _saved(legacy: Json) -> Legacy | None:
    """The chronicle to go on with; raises `BadSetup` for one that cannot be."""
    if legacy is None:
        return None
    try:
        saved = load_legacy(legacy)
        check(saved)
    except Impossible as e:
        raise BadSetup(Text("the chronicle cannot be: {why}", why=e.why)) from e
    except ValueError as e:
        raise BadSetup(Text("the saved chronicle cannot be read")) from e
    return saved


def _all_written(saved: Legacy) -> None:
    """D-38 in its strict form: a saved world has no card whose power is not written; raises `BadSetup`."""
    missing = [NAMES[id] for id in _in_world(saved) if id not in POWERS]
    if missing:
        raise BadSetup(
            Text(
                "the program does not know the power of {n} card of this chronicle yet: {those}. With the option"
                " unwritten=play it counts by its suit alone",
                "the program does not know the powers of {n} cards of this chronicle yet: {those}. With the option"
                " unwritten=play they count by their suit alone",
                n=len(missing),
                those=tuple(missing),
            )
        )


def _in_world(saved: Legacy) -> list[str]:
    """Denizens and edifices in the world deck and on the map."""
    deck = [id for id in saved.deck if id in DENIZENS]
    on_map = [f"{c.id}_ruined" if c.ruined else c.id for s in saved.map for c in s.cards]
    return [*deck, *on_map]
