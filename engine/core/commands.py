"""The open question is the grammar: a line against a menu.

Four outcomes: an order; something that is barred, with the reason; something that could be several; and
something unknown, with the nearest that is known. Shapes of commands are tried from strict to lenient:
whole words, then short forms, then with words left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import lru_cache
from itertools import islice
from typing import Any

from .asks import Ask, Menu, Option, make_pick
from .slots import Chosen, Many, NotOpen, Number, One, Slot
from .text import Text
from .values import Fit, fits_many, fits_number, fits_one
from .words import ARTICLES, FILLERS, Lexicon, begins, english_only, fold, tokens

WHOLE, SHORT, SPARSE = 0, 1, 2
"""How lenient a shape is read: whole words; short forms; words left out."""

LONGEST = 40
"""Words in a line that is still looked at; no order needs so many, and reading grows with them."""

WAYS = 250
"""To lay a line's words along one command that are tried; small words would make millions of them."""


@dataclass(frozen=True, slots=True)
class Order:
    """A line that was understood: the answer's id, and how it reads canonically."""

    pick: str
    words: Text


class Unclear(Exception):
    """A line that is no order here. `why` is for the player; `instead` are lines that would be read."""

    def __init__(self, why: Text, instead: Sequence[Text] = (), barred: bool = False) -> None:
        super().__init__(why)
        self.why = why
        self.instead = tuple(instead)
        self.barred = barred


def read(line: str, ask: Ask[Any], lexicon: Lexicon = english_only) -> Order:
    """The answer that a line gives to a question; raises `Unclear`."""
    words = tokens(line)
    if not words:
        raise Unclear(Text("there is nothing on this line"))
    if len(words) > LONGEST:
        raise Unclear(Text("this line is too long for an order"))
    menu: Menu[Any] = ask.menu
    problems: list[_Problem] = []
    strict = 0
    for leniency in (WHOLE, SHORT, SPARSE):
        if leniency == SPARSE:
            strict = len(problems)
        found = list(_matches(words, menu.open(), leniency, lexicon, problems))
        if len(found) == 1:
            return found[0]
        if found:
            raise Unclear(
                Text("“{line}” could be {several}", line=line, several=tuple(_either(found))),
                [o.words for o in found[:5]],
            )
    told = problems[:strict] or _incomplete(words, menu, lexicon)
    raise _explained(line, words, menu, told, problems[strict:], lexicon)


def by_number(number: int, rest: str, ask: Ask[Any], lexicon: Lexicon = english_only) -> Order:
    """The answer given by an option's number in the digest, with what fills its slots; raises `Unclear`."""
    options = ask.menu.open()
    if not 1 <= number <= len(options):
        raise Unclear(Text("there is no option {n}; the last one is {last}", n=number, last=len(options)))
    option = options[number - 1]
    problems: list[_Problem] = []
    words = tokens(rest)
    if not words and not option.slots:
        return Order(option.id, option.words)
    found = list(_matches(words, [option], SPARSE, lexicon, problems, verb=False))
    found = found or list(_matches(words, [option], SPARSE, lexicon, problems))
    if found:
        return found[0]
    if problems:
        raise problems[0].unclear()
    raise Unclear(
        Text("option {n} is “{command}”: fill its places", n=number, command=option.shown()), [option.shown()]
    )


def only_amount(ask: Ask[Any]) -> Option[Any] | None:
    """The one open option that takes just a number, if exactly one does (D-2)."""
    found = [o for o in ask.menu.open() if len(o.slots) == 1 and isinstance(o.slots[0], Number)]
    return found[0] if len(found) == 1 else None


def verbs(menu: Menu[Any], lexicon: Lexicon = english_only) -> frozenset[str]:
    """The first words of all options, open or barred: what makes a line an attempt (D-18)."""
    found: dict[str, None] = {}
    for option in menu.options:
        for shape in _shapes(option, lexicon):
            if shape and isinstance(shape[0], str):
                found[shape[0]] = None
    return frozenset(found)


def sounds_like(line: str, known: frozenset[str]) -> bool:
    """Whether a line begins with one of these words or nearly so."""
    words = [w for w in tokens(line) if w not in ARTICLES]
    if not words:
        return False
    first = words[0]
    if first in known or any(begins(first, v) for v in known):
        return True
    cutoff = 0.75 if len(first) >= 4 else 0.8  # a word of three letters has more neighbours by chance
    return len(first) >= 3 and bool(get_close_matches(first, sorted(known), n=1, cutoff=cutoff))


# shapes: an option's words as literals and slots

Shape = tuple[str | Slot, ...]


@lru_cache(maxsize=16384)
def _pieces(wording: str) -> tuple[str, ...]:
    """Folded words of a wording, places kept as `<name>`."""
    found: list[str] = []
    for raw in wording.split():
        found += [raw] if raw.startswith("<") and raw.endswith(">") else tokens(raw)
    return tuple(found)


def _shapes(option: Option[Any], lexicon: Lexicon) -> list[Shape]:
    slots = {f"<{s.name}>": s for s in option.slots}
    return [
        tuple(slots.get(piece, piece) for piece in _pieces(wording))
        for text in (option.words, *option.also)
        for wording in lexicon(text)
    ]


def _leads(slot: Slot, lexicon: Lexicon) -> list[tuple[str, ...]]:
    """How an optional part begins, in each language: (`times`,), (`using`,)."""
    if slot.lead is None:
        return []
    return [tuple(p for p in _pieces(w) if not p.startswith("<")) for w in lexicon(slot.lead)]


@dataclass(frozen=True, slots=True)
class _Problem:
    """A command whose verb fits and whose slot does not."""

    option: Option[Any]
    why: Text
    instead: tuple[Text, ...]
    depth: int

    def unclear(self) -> Unclear:
        return Unclear(self.why, self.instead or (self.option.shown(),))


def _matches(
    words: Sequence[str],
    options: Sequence[Option[Any]],
    leniency: int,
    lexicon: Lexicon,
    problems: list[_Problem],
    verb: bool = True,
) -> Iterator[Order]:
    """Every different order that the words may be, one an option."""
    for option in options:
        for shape in _shapes(option, lexicon):
            if not verb:
                shape = _places_only(shape)
            order = _fit_option(words, option, shape, leniency, lexicon, problems)
            if order is not None:
                yield order
                break


def _places_only(shape: Shape) -> Shape:
    while shape and isinstance(shape[0], str):
        shape = shape[1:]
    return shape


def _fit_option(
    words: Sequence[str],
    option: Option[Any],
    shape: Shape,
    leniency: int,
    lexicon: Lexicon,
    problems: list[_Problem],
) -> Order | None:
    kept: list[_Problem] = []
    for main, extras in _split_extras(words, option, lexicon):
        found: list[_Problem] = []
        hopeless: dict[Sequence[str], None] = {}
        for ways in _ways(main, shape, leniency):
            told: list[_Problem] = []
            for taken in ways:
                first = taken.get(option.slots[0].name, ()) if option.slots else ()
                if first in hopeless:
                    continue
                order = _fill(option, taken, extras, leniency, lexicon, told)
                if order is not None:
                    return order
                if first and told and told[-1].depth == 0:
                    hopeless[first] = None
            found = found or told  # what is wrong with the line by its own small words comes first
        kept = kept or found  # what is wrong with the line as it was cut comes first
    problems += kept
    return None


def _split_extras(
    words: Sequence[str], option: Option[Any], lexicon: Lexicon
) -> Iterator[tuple[Sequence[str], dict[str, Sequence[str]]]]:
    """The words cut at the leads of optional parts; uncut where no lead stands."""
    cuts: list[tuple[int, int, Slot]] = []
    for slot in option.slots:
        for lead in _leads(slot, lexicon):
            cuts += [(i, len(lead), slot) for i in range(len(words) - len(lead)) if _starts(words[i:], lead)]
    if cuts:
        cuts.sort(key=lambda c: c[0])
        ends = [c[0] for c in cuts[1:]] + [len(words)]
        extras: dict[str, Sequence[str]] = {}
        for (i, n, slot), end in zip(cuts, ends, strict=True):
            extras[slot.name] = [*extras.get(slot.name, ()), *words[i + n : end]]
        yield words[: cuts[0][0]], extras
    yield words, {}


def _starts(words: Sequence[str], lead: Sequence[str]) -> bool:
    return bool(lead) and all(begins(w, full) for w, full in zip(words, lead, strict=False))


Way = dict[str, tuple[str, ...]]
"""The words that fall to each slot, by its name."""


def _ways(words: Sequence[str], shape: Shape, leniency: int) -> Iterator[Iterator[Way]]:
    """Ways to lay the words along the shape: those that keep its small words, then all; `WAYS` of each at most."""
    if leniency < SPARSE:
        yield islice(_align(tuple(words), shape, leniency, False), WAYS)
    yield islice(_align(tuple(words), shape, leniency, True), WAYS)


def _align(words: tuple[str, ...], shape: Shape, leniency: int, dropping: bool) -> Iterator[Way]:
    """All ways to lay the words along the shape: the words that fall to each slot.

    `dropping`: whether the shape's own small words may be missing from the line.
    """
    if not shape:
        if not words:
            yield {}
        return
    head, rest = shape[0], shape[1:]
    if isinstance(head, str):
        if words and (words[0] == head or (leniency >= SHORT and begins(words[0], head))):
            yield from _align(words[1:], rest, leniency, dropping)
        if (dropping and (head in FILLERS or head in ARTICLES)) or leniency >= SPARSE:
            yield from _align(words, rest, leniency, dropping)
    else:
        first = True
        for n in range(len(words), 0, -1):
            for taken in _align(words[n:], rest, leniency, dropping):
                yield {head.name: words[:n], **taken}
                first = False
            if not first and not rest:
                return
    if words and (words[0] in ARTICLES or words[0] in FILLERS):
        yield from _align(words[1:], shape, leniency, dropping)


def _fill(
    option: Option[Any],
    taken: Mapping[str, Sequence[str]],
    extras: Mapping[str, Sequence[str]],
    leniency: int,
    lexicon: Lexicon,
    problems: list[_Problem],
) -> Order | None:
    chosen: dict[str, Any] = {}
    picks: dict[str, str] = {}
    for depth, slot in enumerate(option.slots):
        words = taken.get(slot.name) or extras.get(slot.name)
        try:
            if words is None:
                if slot.lead is None:
                    raise NotOpen(Text("it lacks its {what}", what=slot.label))
                chosen[slot.name] = slot.absent(chosen)
                continue
            pick = fit_slot(slot, words, chosen, lexicon)
            chosen[slot.name] = slot.resolve(pick, chosen)
        except NotOpen as e:
            if leniency < SPARSE or not _only_places(option):
                problems.append(_Problem(option, e.why, (), depth))
            return None
        except Fit as e:
            problems.append(_Problem(option, e.why, e.instead, depth))
            return None
        picks[slot.name] = pick
    pick = make_pick(option, picks)
    return Order(pick, option.said(pick))


def _only_places(option: Option[Any]) -> bool:
    return option.words.msgid.startswith("{")


def fit_slot(slot: Slot, words: Sequence[str], chosen: Chosen, lexicon: Lexicon) -> str:
    """The id that words give a slot; raises `Fit`, or `NotOpen` with the rule's reason."""
    match slot:
        case Number():
            return fits_number(slot, words, chosen)
        case Many():
            return fits_many(slot, words, chosen, lexicon)
        case One():
            return fits_one(slot, words, chosen, lexicon)
    raise TypeError(f"no way to read {type(slot).__name__}")


# when nothing fits


def _incomplete(words: Sequence[str], menu: Menu[Any], lexicon: Lexicon) -> list[_Problem]:
    """Commands that the line begins and does not end: `attack tower` where `with 3` is wanted too."""
    problems: list[_Problem] = []
    for option in menu.open():
        for shape in _shapes(option, lexicon):
            for end, piece in enumerate(shape):
                if not isinstance(piece, str) and _verb(shape[:end]):
                    _fit_option(words, option, shape[:end], SHORT, lexicon, problems)
    return problems


def _verb(shape: Shape) -> bool:
    return any(isinstance(p, str) and p not in FILLERS and p not in ARTICLES for p in shape)


def _either(found: Sequence[Order]) -> list[Text]:
    return [Text("“{words}”", words=o.words) for o in found[:5]]


def _explained(
    line: str,
    words: Sequence[str],
    menu: Menu[Any],
    problems: list[_Problem],
    vague: list[_Problem],
    lexicon: Lexicon,
) -> Unclear:
    """What the whole words say comes before what they might say with some left out."""
    for leniencies, troubles in (((WHOLE, SHORT), problems), ((SPARSE,), vague)):
        barred = _barred(words, menu, leniencies, lexicon)
        if barred is not None:
            return barred
        if leniencies == (SPARSE,):
            troubles = [p for p in vague if any(_meant(words, s) for s in _shapes(p.option, lexicon))]
        if troubles:
            return max(troubles, key=lambda p: p.depth).unclear()
    near = nearest(line, menu, lexicon)
    if near:
        return Unclear(Text("I cannot read “{line}” here", line=line), near)
    return Unclear(Text("I cannot read “{line}” here", line=line), [o.shown() for o in menu.open()[:4]])


def _barred(
    words: Sequence[str], menu: Menu[Any], leniencies: Sequence[int], lexicon: Lexicon
) -> Unclear | None:
    """The reason of the closed command that the line says most of."""
    for leniency in leniencies:
        found: list[tuple[int, Text]] = []
        for option in menu.options:
            why = option.barred()
            if why is None:
                continue
            told = Text("“{words}” is not open to you: {why}", words=option.shown(), why=why)
            for shape in _shapes(option, lexicon):
                if leniency == SPARSE and not _meant(words, shape):
                    continue
                if any(True for ways in _ways(words, shape, leniency) for _ in ways):
                    found.append((sum(piece in words for piece in shape), told))
        if found:
            return Unclear(max(found, key=lambda each: each[0])[1], barred=True)
    return None


def _meant(words: Sequence[str], shape: Shape) -> bool:
    """Whether a line with words left out still says most of a command, or nothing but words of it."""
    literals = [p for p in shape if isinstance(p, str) and p not in FILLERS and p not in ARTICLES]
    said = [p for p in literals if any(begins(w, p) for w in words)]
    return 2 * len(said) > len(literals) or all(any(begins(w, p) for p in literals) for w in words)


def nearest(line: str, menu: Menu[Any], lexicon: Lexicon = english_only) -> list[Text]:
    """Up to three open options that a mistyped line was probably meant to be, best first."""
    wordings: dict[str, Text] = {}
    for option in menu.open():
        for wording in lexicon(option.words):
            wordings.setdefault(fold(wording), option.shown())
    whole = get_close_matches(fold(line), wordings, n=3, cutoff=0.6)
    if whole:
        return _each_once([wordings[w] for w in whole])
    by_verb: dict[str, list[Text]] = {}
    for wording, shown in wordings.items():
        by_verb.setdefault(wording.split(" ", 1)[0], []).append(shown)
    first = (tokens(line) or ("",))[0]
    close = [*(v for v in by_verb if v == first), *get_close_matches(first, by_verb, n=2, cutoff=0.6)]
    return _each_once([shown for v in close for shown in by_verb[v]])[:3]


def _each_once(texts: Sequence[Text]) -> list[Text]:
    kept: list[Text] = []
    for text in texts:
        if text not in kept:
            kept.append(text)
    return kept
