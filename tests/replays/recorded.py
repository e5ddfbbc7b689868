"""A game as it was played, written down for later versions, and the present code held to it.

A file is JSON lines, packed by xz, so that `xz -dc` shows it. The first line is a `Head`, each further line a `Step`:
the state that the step began with (`checkpoint`), its ruling and hash, the answers in their order (`tape`), and the
facts that they told (`told`: kind and fields). The last step of a game under way has a tape that ends in its middle;
that of a game that was over has none.
"""

from __future__ import annotations

import lzma
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from pbem.engine.core.canon import canonical, fingerprint
from pbem.engine.core.facts import dump_fact, kind_of, load_fact
from pbem.engine.core.ruleset import Ruleset
from pbem.engine.core.table import Entry, Misfit, News, Table
from pbem.rebuild import OneStep


class Head(msgspec.Struct, frozen=True):
    """What a game is about, and where it stands at the end of the file."""

    rules: str
    seats: tuple[str, ...]
    options: dict[str, str]
    version: str
    """Of the program that played it."""
    schema: int
    ruling: int
    legacy: Any = None
    """What the game before had left to it."""
    open: dict[str, str] = {}
    """The questions that wait: key by seat."""
    ranking: tuple[tuple[str, int], ...] = ()
    """Seats and places, of a game that is over."""


class Step(msgspec.Struct, frozen=True):
    """One action, from its checkpoint on."""

    n: int
    ruling: int
    hash: str
    checkpoint: Any
    tape: tuple[Entry, ...]
    told: tuple[tuple[str, Any], ...]


@dataclass(frozen=True, slots=True)
class Recorded:
    """A whole file."""

    head: Head
    steps: Sequence[Step]


def steps_of(news: News, ruling: int) -> list[Step]:
    """The steps of a table that has kept all its news."""
    return [
        Step(
            c.step,
            ruling,
            fingerprint(c.saved),
            c.saved,
            tuple(e for e in news.entries if e.step == c.step),
            tuple((kind_of(t.fact), dump_fact(t.fact)) for t in news.told if t.step == c.step),
        )
        for c in news.checkpoints
    ]


def write(recorded: Recorded, to: Path) -> None:
    """Write a new file; raises `FileExistsError`."""
    lines = [canonical(msgspec.to_builtins(one)) for one in (recorded.head, *recorded.steps)]
    with to.open("xb") as file:
        file.write(lzma.compress(b"\n".join(lines) + b"\n", preset=9 | lzma.PRESET_EXTREME))


def read(path: Path) -> Recorded:
    """A file that was written."""
    first, *rest = lzma.decompress(path.read_bytes()).splitlines()
    decoder = msgspec.json.Decoder(Step)
    return Recorded(msgspec.json.decode(first, type=Head), [decoder.decode(line) for line in rest])


def differences(rules: Ruleset[Any], recorded: Recorded, acknowledged: int = 0) -> Iterator[str]:
    """Where these rules do not come to what was recorded, a sentence each.

    Every checkpoint must lift and load. What began under a ruling below `acknowledged` need not play on as it did:
    its branch of the rules is gone, and that is known.
    """
    for i, step in enumerate(recorded.steps):
        if fingerprint(step.checkpoint) != step.hash:
            yield f"step {step.n}: the file was altered"
        try:
            g = rules.load(step.checkpoint)
        except ValueError as e:
            yield f"step {step.n}: its checkpoint cannot be loaded: {e}"
            continue
        rules.check(g)
        following = recorded.steps[i + 1] if i + 1 < len(recorded.steps) else None
        if step.ruling >= acknowledged:
            yield from (f"step {step.n}: {what}" for what in _step(rules, recorded.head, step, following))


def _step(rules: Ruleset[Any], head: Head, step: Step, following: Step | None) -> Iterator[str]:
    """What one step comes to, beside what it came to then."""
    one: Any = OneStep(rules, [step.ruling if following is None else following.ruling])
    table = Table(one, rules.load(step.checkpoint), step=step.n)
    try:
        table.retrace(step.tape)
    except Misfit as e:
        yield f"the tape does not fit: {e}"
        return
    if _as_told(table.news) != [dump_fact(load_fact(kind, data)) for kind, data in step.told]:
        yield "something else is told"
    if following is not None:
        yield from _border(rules, table, following)
    elif {seat: ask.key for seat, ask in table.open.items()} != head.open:
        yield f"asked is { ({seat: ask.key for seat, ask in table.open.items()}) }, not {head.open}"
    elif _ranking(rules, table) != head.ranking:
        yield f"the ranking is {_ranking(rules, table)}, not {head.ranking}"


def _as_told(news: News) -> list[Any]:
    return [dump_fact(load_fact(kind_of(t.fact), dump_fact(t.fact))) for t in news.told]


def _border(rules: Ruleset[Any], table: Table[Any], following: Step) -> Iterator[str]:
    if len(table.news.checkpoints) < 2:
        yield "its answers no longer end it"
        return
    now = fingerprint(table.news.checkpoints[1].saved)
    if now != fingerprint(rules.dump(rules.load(following.checkpoint))):
        yield f"it leads to another state than the checkpoint of step {following.n}"


def _ranking(rules: Ruleset[Any], table: Table[Any]) -> tuple[tuple[str, int], ...]:
    outcome = rules.outcome(table.g)
    return () if outcome is None else tuple((r.seat, r.place) for r in outcome.ranking)
