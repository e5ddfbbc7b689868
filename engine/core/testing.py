"""Tests that every game gets for nothing: random play, reloads, reading back, undo, secrecy."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec

from .asks import Ask, Option, make_pick
from .canon import canonical, fingerprint
from .chance import Drawn, Seeded
from .commands import read
from .ruleset import Ruleset
from .sealed import dump_sealed
from .slots import NotOpen
from .table import Entry, Misfit, Table
from .text import Text, english
from .words import Lexicon, english_only

Deep = Callable[[Table[Any], random.Random], None]


class Broken(AssertionError):
    """A law of the engine does not hold in this game."""


def sample(option: Option[Any], rng: random.Random) -> str:
    """An answer's id for an option, its slots filled lawfully, optional ones half of the time.

    Raises `LookupError` where a slot has no lawful value.
    """
    picks: dict[str, str] = {}
    chosen: dict[str, Any] = {}
    for slot in option.slots:
        if slot.lead is None or rng.random() < 0.5:
            try:
                picks[slot.name] = slot.sample(chosen, rng)
            except LookupError:
                if slot.lead is None:
                    raise
        if slot.name not in picks:
            try:
                chosen[slot.name] = slot.absent(chosen)
                continue
            except NotOpen:  # here and now the part may not be left out
                picks[slot.name] = slot.sample(chosen, rng)
        chosen[slot.name] = slot.resolve(picks[slot.name], chosen)
    return make_pick(option, picks)


def random_answer(ask: Ask[Any], rng: random.Random) -> str:
    """A uniformly chosen open option (D-27); raises `Broken` at a dead end."""
    options = ask.menu.open()
    if not options:
        raise Broken(f"{ask.seat} cannot answer “{ask.key}”")
    option = options[rng.randrange(len(options))]
    try:
        return sample(option, rng)
    except LookupError as e:
        raise Broken(f"“{english(option.shown())}” is open and has no lawful value for {e}") from e


def random_policy(view: Any, ask: Ask[Any], rng: random.Random) -> str:
    """The robot `random`, for every game."""
    return random_answer(ask, rng)


@dataclass(slots=True)
class Played:
    """A random game: how long it was, how it ended, and its last state's fingerprint."""

    decisions: int
    steps: int
    fingerprint: str
    ending: tuple[Text, ...] = ()
    legacy: Any = None
    """What it leaves to the next game of a campaign."""


def play(
    rules: Ruleset[Any],
    seats: Sequence[str],
    seed: int,
    options: Mapping[str, str] | None = None,
    look: Deep | None = None,
    limit: int = 20_000,
    legacy: Any = None,
) -> Played:
    """One random game to its end; `look` is called at every decision. Raises `Broken` if it does not end.

    `legacy` is what the game before has left.
    """
    rng = random.Random(seed)
    g = rules.setup(seats, options or {}, None, legacy)
    table = Table(rules, g, chance=Drawn(rng), keep=look is not None).start()
    decisions = 0
    while not table.over:
        if look is not None:
            look(table, rng)
        seat = (
            list(table.open)[rng.randrange(len(table.open))]
            if len(table.open) > 1
            else next(iter(table.open))
        )
        table.answer(seat, random_answer(table.open[seat], rng))
        table.news.entries.clear()
        decisions += 1
        if decisions > limit:
            raise Broken(f"the game with seed {seed} does not end")
    rules.check(g)
    if rules.outcome(g) is None:
        raise Broken("the game is over and has no outcome")
    end = fingerprint(rules.dump(g))
    return Played(decisions, table.step, end, rules.ending(g), rules.legacy(g))


# the laws, each for one position


def pieces_are_kept(table: Table[Any], rng: random.Random) -> None:
    """Every piece is somewhere, once."""
    table.rules.check(table.g)


def survives_a_reload(table: Table[Any], rng: random.Random) -> None:
    """From its stored checkpoint and tape the game comes to the same place and the same state, and goes on alike: with
    the same answer and the same chance to the same state again, the same menus all the way.

    JSON sorts the keys of what it stores, so whatever walks a stored dictionary in its own order is found here.
    """
    luck = rng.randbytes(8)
    live, again = table.copy(chance=Seeded(luck)), stored(table)
    again.chance = Seeded(luck)
    _same_place(live, again, "after a reload")
    seat, ask = rng.choice(list(live.open.items()))
    pick = random_answer(ask, rng)
    for one in (live, again):
        one.answer(seat, pick)
    _same_place(live, again, f"after a reload and {pick} to “{ask.key}”")


def _same_place(live: Table[Any], again: Table[Any], when: str) -> None:
    if menus(again) != menus(live):
        raise Broken(f"{when} {menus(again)} is open, not {menus(live)}")
    if canonical(again.rules.dump(again.g)) != canonical(live.rules.dump(live.g)):
        raise Broken(f"{when} the state differs")


def stored(table: Table[Any]) -> Table[Any]:
    """The game once more, from what a store would hold: JSON and entries."""
    saved = msgspec.json.decode(canonical(table.checkpoint))
    again = Table(table.rules, table.rules.load(saved), step=table.step)
    return again.replay([Entry(e.step, e.branch, e.n, e.seat, e.key, e.pick, e.by) for e in table.tape])


def reads_back(lexicon: Lexicon = english_only) -> Deep:
    """Every open option's own words are read as that option."""

    def look(table: Table[Any], rng: random.Random) -> None:
        for ask in table.open.values():
            _ids_differ(ask)
            for option in ask.menu.open():
                pick = sample(option, rng)
                words = english(option.said(pick))
                back = read(words, ask, lexicon).pick
                if ask.menu.resolve(back) != ask.menu.resolve(pick) and back != pick:
                    raise Broken(f"“{words}” is read as {back}, it means {pick}")

    return look


def _ids_differ(ask: Ask[Any]) -> None:
    ids = [o.id for o in ask.menu.options]
    if len(ids) != len(set(ids)):
        raise Broken(f"two options of “{ask.key}” share an id: {sorted(i for i in ids if ids.count(i) > 1)}")


def undo_is_lawful(table: Table[Any], rng: random.Random) -> None:
    """An answer that is taken back leaves what was there before it."""
    before = canonical(table.rules.dump(table.g)), questions(table)
    trial = stored(table)
    seat = next(iter(trial.open))
    trial.chance = Drawn(random.Random(rng.random()))
    trial.answer(seat, random_answer(trial.open[seat], rng))
    back = stored(table)
    if (canonical(back.rules.dump(back.g)), questions(back)) != before:
        raise Broken(f"undo of an answer to “{table.open[seat].key}” leaves something behind")


def menus(table: Table[Any]) -> list[tuple[str, str, list[str]]]:
    """Who is asked what, and the options in their order."""
    return [(seat, ask.key, [o.id for o in ask.menu.options]) for seat, ask in table.open.items()]


def questions(table: Table[Any]) -> list[tuple[str, str]]:
    """Who is asked what."""
    return [(seat, ask.key) for seat, ask in table.open.items()]


# secrecy


@dataclass(slots=True)
class Compared:
    """How many comparisons were made, and with how many twins that really differ."""

    comparisons: int = 0
    differing: int = 0
    leaks: list[str] = field(default_factory=list)


Shown = Callable[[Table[Any], str | None], Any]
"""Everything a reader gets to see of a position, as plain data; for the shell's tests, whole mails."""


def seen(table: Table[Any], seat: str | None) -> Any:
    """What the engine lets a seat see: its view, its question, who is waited for, what it was told."""
    view = msgspec.to_builtins(table.rules.view(table.g, seat), enc_hook=_plain)
    told = [t.fact.told_to(seat) for t in table.told]
    return [view, _waiting(table), [english(t) for t in told if t is not None], _menu(table, seat)]


def _plain(value: object) -> Any:
    if isinstance(value, Text):
        return english(value)
    raise TypeError(f"a view holds {type(value).__name__}")


def _waiting(table: Table[Any]) -> list[Any]:
    return [[s, a.key, english(a.prompt), dict(a.public)] for s, a in table.open.items()]


def _menu(table: Table[Any], seat: str | None) -> list[Any]:
    ask = table.open.get(seat) if seat else None
    if ask is None:
        return []
    lines = []
    for option in ask.menu.options:
        why = option.barred()
        lines.append([option.id, english(option.shown()), None if why is None else english(why)])
    return lines


def keeps_secrets(
    found: Compared, shown: Shown = seen, readers: Callable[..., Iterator[Any]] | None = None
) -> Deep:
    """Deal anew what a reader cannot know; not one byte of what the reader sees may differ."""

    def look(table: Table[Any], rng: random.Random) -> None:
        seats: list[str | None] = [*table.rules.seat_order(table.g), None]
        reader = seats[rng.randrange(len(seats))]
        twin, differs = twin_of(table, reader, rng)
        if twin is None:
            return
        found.comparisons += 1
        found.differing += differs
        here, there = canonical(shown(table, reader)), canonical(shown(twin, reader))
        if here != there:
            found.leaks.append(_first_difference(here, there, reader))

    return look


def twin_of(table: Table[Any], reader: str | None, rng: random.Random, tries: int = 8) -> tuple[Any, bool]:
    """The same game with everything hidden from the reader dealt anew, and whether it really differs.

    None when no twin fits the tape, because the step itself has shown what was to be dealt anew.
    """
    rules = table.rules
    base = rules.load(table.checkpoint)
    hidden = canonical(msgspec.to_builtins(rules.hidden(base, reader), enc_hook=dump_sealed))
    best: Table[Any] | None = None
    for _ in range(tries):
        dealt = rules.reshuffled(rules.load(table.checkpoint), reader, rng)
        differs = canonical(msgspec.to_builtins(rules.hidden(dealt, reader), enc_hook=dump_sealed)) != hidden
        try:
            twin = Table(rules, dealt, step=table.step).replay(table.tape)
        except Misfit:
            continue
        if differs:
            return twin, True
        best = twin
    return best, False


def _first_difference(here: bytes, there: bytes, reader: str | None) -> str:
    at = next(
        (i for i, (a, b) in enumerate(zip(here, there, strict=False)) if a != b), min(len(here), len(there))
    )
    ours, theirs = (x[max(0, at - 60) : at + 60].decode(errors="replace") for x in (here, there))
    return f"{reader or 'the observer'} sees …{ours}…, not …{theirs}…"
