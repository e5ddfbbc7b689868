"""The open question as a digest prints it: codes, words, examples, reasons."""

from __future__ import annotations

import contextlib
import random
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from ..engine.core.asks import Ask, Option, make_pick, parse_pick
from ..engine.core.slots import NotOpen, Slot
from ..engine.core.testing import sample
from ..engine.core.text import Text

EXAMPLES = 2


@dataclass(frozen=True, slots=True)
class Offered:
    """One open option: its code, its words, and whole lines that can be copied where it has places to fill."""

    code: str
    id: str
    words: Text
    more: tuple[Text, ...]
    """What may be added to it, by its first word alone: `hiring`."""
    examples: tuple[Text, ...]


@dataclass(frozen=True, slots=True)
class Barred:
    """One option that is not open, and why."""

    words: Text
    why: Text


@dataclass(frozen=True, slots=True)
class Asked:
    """A question as its seat reads it."""

    prompt: Text
    section: str
    due: datetime | None
    silent: Text
    options: tuple[Offered, ...]
    more: tuple[Text, ...]
    """Everything that may be added to one option or another, once: `hiring <citizen>`."""
    barred: tuple[Barred, ...]
    ask: str


def asked(ask: Ask[Any], number: int, due: datetime | None, silent: Text, hints: str) -> Asked:
    """The question for digest `number`; its examples depend on that number and on the menu alone."""
    rng = random.Random(f"{number} {ask.key}")
    offered: list[Offered] = []
    barred: list[Barred] = []
    more: dict[Text, None] = {}
    for option in ask.menu.options:
        why = option.barred()
        if why is not None:
            barred.append(Barred(_plainly(option), why))
            continue
        code = f"{number}.{len(offered) + 1}"
        extras = [(s.lead, s) for s in option.slots if s.lead is not None]
        more |= dict.fromkeys(lead.filled(**{s.name: _place(s)}) for lead, s in extras)
        first = tuple(lead.filled(**{s.name: ""}) for lead, s in extras)
        examples = _examples(option.remembering(), rng)
        offered.append(Offered(code, option.id, _plainly(option), first, examples))
    return Asked(ask.prompt, ask.section, due, silent, tuple(offered), tuple(more), tuple(barred), hints)


def _plainly(option: Option[Any]) -> Text:
    """An option with its places to fill, without those that may be left out."""
    return option.words.filled(**{s.name: _place(s) for s in option.slots if s.lead is None})


def _place(slot: Slot) -> Text:
    return Text("<{label}>", label=slot.label)


def _examples(option: Option[Any], rng: random.Random) -> tuple[Text, ...]:
    """A few lawful lines, the plainest first: without the parts that may be left out, where that is lawful."""
    if not option.slots:
        return ()
    found: dict[str, Text] = {}
    for _ in range(EXAMPLES + 1):
        if len(found) == EXAMPLES:
            break
        try:
            pick = _plain(option, sample(option, rng))
        except LookupError:
            break
        found.setdefault(pick, option.said(pick))
    return tuple(found[pick] for pick in sorted(found, key=len))


def _plain(option: Option[Any], pick: str) -> str:
    """The same answer without those of its optional parts that it can do without."""
    kept = parse_pick(pick)
    for slot in option.slots:
        if slot.lead is None or slot.name not in kept:
            continue
        fewer = {name: value for name, value in kept.items() if name != slot.name}
        with contextlib.suppress(NotOpen):
            option.resolve(make_pick(option, fewer))
            kept = fewer
    return make_pick(option, kept)
