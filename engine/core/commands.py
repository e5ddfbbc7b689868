"""The open question is the grammar: a line against a menu.

Four outcomes: an order; something that is barred, with the reason; something that could be several; and
something unknown, with the nearest that is known. Shapes of commands are tried from strict to lenient:
whole words, then short forms, then with words left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cached_property, lru_cache
from itertools import islice
from typing import Any

from .asks import Ask, Menu, Option, make_pick
from .slots import Chosen, Many, NotOpen, Number, One, Slot
from .text import Text
from .values import Fit, Offer, fits_many, fits_number, fits_one
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


class Grammar:
    """A menu made ready to be read against. What is open, and what its places take, is found out once for all ways
    to lay a line, and for all lines of a mail: a rule's reasons may be dear."""

    def __init__(self, menu: Menu[Any], lexicon: Lexicon = english_only) -> None:
        self.menu = menu
        self.lexicon = lexicon
        self._offers: dict[tuple[str, ...], Offer] = {}
        self.orders: dict[str, Order] = {}
        """Lines that were understood before."""
        self._shapes: dict[str, list[Shape]] = {}

    @cached_property
    def open(self) -> list[Option[Any]]:
        """The options that may be chosen."""
        return [option.remembering() for option in self.menu.open()]

    @cached_property
    def barred(self) -> list[tuple[Option[Any], Text]]:
        """The others, each with its reason."""
        reasons = ((option, option.barred()) for option in self.menu.options)
        return [(option, why) for option, why in reasons if why is not None]

    def shapes(self, option: Option[Any]) -> list[Shape]:
        """An option's wordings as words and places."""
        if option.id not in self._shapes:
            self._shapes[option.id] = _shapes(option, self.lexicon)
        return self._shapes[option.id]

    @cached_property
    def verbs(self) -> frozenset[str]:
        """The first words of all options, open or barred: what makes a line an attempt (D-18)."""
        shapes = (shape for option in self.menu.options for shape in self.shapes(option))
        return frozenset(shape[0] for shape in shapes if shape and isinstance(shape[0], str))

    def offer(self, option: Option[Any], slot: One | Many, picks: Mapping[str, str], chosen: Chosen) -> Offer:
        """What a place takes after what stands in those before it, by ids and by values."""
        key = (option.id, slot.name, *picks, *picks.values())
        if key not in self._offers:
            choices = slot.choices if isinstance(slot, One) else slot.elements
            self._offers[key] = Offer(list(choices(chosen)), self.lexicon)
        return self._offers[key]


def read(line: str, ask: Ask[Any], lexicon: Lexicon = english_only) -> Order:
    """The answer that a line gives to a question; raises `Unclear`."""
    return understand(line, Grammar(ask.menu, lexicon))


def understand(line: str, grammar: Grammar) -> Order:
    """The answer that a line gives to a question made ready; raises `Unclear`."""
    if line not in grammar.orders:
        grammar.orders[line] = _understood(line, grammar)
    return grammar.orders[line]


def _understood(line: str, grammar: Grammar) -> Order:
    words = tokens(line)
    if not words:
        raise Unclear(Text("there is nothing on this line"))
    if len(words) > LONGEST:
        raise Unclear(Text("this line is too long for an order"))
    strict: list[_Problem] = []
    vague: list[_Problem] = []
    for leniency in (WHOLE, SHORT, SPARSE):
        found = list(
            _matches(words, grammar.open, leniency, grammar, vague if leniency == SPARSE else strict)
        )
        if len(found) == 1:
            return found[0]
        if found:
            raise Unclear(
                Text("“{line}” could be {several}", line=line, several=tuple(_either(found))),
                [o.words for o in found[:5]],
            )
    raise _explained(line, words, grammar, strict or _incomplete(words, grammar), vague)


def is_order(line: str, grammar: Grammar) -> bool:
    """Whether a line is understood; finds out no reason why not."""
    words = tokens(line)
    if not 0 < len(words) <= LONGEST:
        return False
    counts = (len(list(_matches(words, grammar.open, n, grammar, []))) for n in (WHOLE, SHORT, SPARSE))
    return next(filter(None, counts), 0) == 1


def by_number(number: int, rest: str, ask: Ask[Any], lexicon: Lexicon = english_only) -> Order:
    """The answer given by an option's number in the digest, with what fills its slots; raises `Unclear`."""
    return numbered(number, rest, Grammar(ask.menu, lexicon))


def numbered(number: int, rest: str, grammar: Grammar) -> Order:
    """The answer given by an option's number to a question made ready; raises `Unclear`."""
    options = grammar.open
    if not 1 <= number <= len(options):
        raise Unclear(Text("there is no option {n}; the last one is {last}", n=number, last=len(options)))
    option = options[number - 1]
    problems: list[_Problem] = []
    words = tokens(rest)
    if not words and not option.slots:
        return Order(option.id, option.words)
    found = list(_matches(words, [option], SPARSE, grammar, problems, verb=False))
    found = found or list(_matches(words, [option], SPARSE, grammar, problems))
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
    fault: NotOpen | Fit
    depth: int

    def unclear(self) -> Unclear:
        instead = self.fault.instead if isinstance(self.fault, Fit) else ()
        return Unclear(self.fault.why, instead or (self.option.shown(),))


def _matches(
    words: Sequence[str],
    options: Sequence[Option[Any]],
    leniency: int,
    grammar: Grammar,
    problems: list[_Problem],
    verb: bool = True,
) -> Iterator[Order]:
    """Every different order that the words may be, one an option."""
    for option in options:
        for shape in grammar.shapes(option):
            if not verb:
                shape = _places_only(shape)
            order = _fit_option(words, option, shape, leniency, grammar, problems)
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
    grammar: Grammar,
    problems: list[_Problem],
) -> Order | None:
    kept: list[_Problem] = []
    for main, extras in _split_extras(words, option, grammar.lexicon):
        found: list[_Problem] = []
        laying = _Laying(leniency, option.slots[0].name if option.slots else "")
        for ways in laying.ways(main, shape):
            told: list[_Problem] = []
            for taken in ways:
                order = _fill(option, taken, extras, leniency, grammar, told)
                if order is not None:
                    return order
                if laying.first in taken and told and told[-1].depth == 0:
                    laying.hopeless[taken[laying.first]] = None
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


class _Laying:
    """How a line's words may be laid along a command."""

    def __init__(self, leniency: int, first: str = "") -> None:
        self.leniency = leniency
        self.first = first
        """The name of the place that is filled first."""
        self.hopeless: dict[tuple[str, ...], None] = {}
        """Words that it does not take, whatever falls to the others."""

    def ways(self, words: Sequence[str], shape: Shape) -> Iterator[Iterator[Way]]:
        """Ways that keep the shape's small words, then all; `WAYS` of each at most."""
        if self.leniency < SPARSE:
            yield islice(self._align(tuple(words), shape, False), WAYS)
        yield islice(self._align(tuple(words), shape, True), WAYS)

    def _align(self, words: tuple[str, ...], shape: Shape, dropping: bool) -> Iterator[Way]:
        """All ways that are not hopeless: the words that fall to each slot.

        `dropping`: whether the shape's own small words may be missing from the line.
        """
        if not shape:
            if not words:
                yield {}
            return
        head, rest = shape[0], shape[1:]
        if isinstance(head, str):
            if words and (words[0] == head or (self.leniency >= SHORT and begins(words[0], head))):
                yield from self._align(words[1:], rest, dropping)
            if (dropping and (head in FILLERS or head in ARTICLES)) or self.leniency >= SPARSE:
                yield from self._align(words, rest, dropping)
        else:
            found = False
            for n in range(len(words), 0, -1):
                taken = words[:n]
                for others in self._align(words[n:], rest, dropping):
                    found = True
                    if head.name == self.first and taken in self.hopeless:
                        break
                    yield {head.name: taken, **others}
                if found and not rest:
                    return
        if words and (words[0] in ARTICLES or words[0] in FILLERS):
            yield from self._align(words[1:], shape, dropping)


def _fill(
    option: Option[Any],
    taken: Mapping[str, Sequence[str]],
    extras: Mapping[str, Sequence[str]],
    leniency: int,
    grammar: Grammar,
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
            pick = _fit_slot(option, slot, words, grammar, picks, chosen)
            chosen[slot.name] = slot.resolve(pick, chosen)
        except NotOpen as e:
            if leniency < SPARSE or not _only_places(option):
                problems.append(_Problem(option, e, depth))
            return None
        except Fit as e:
            problems.append(_Problem(option, e, depth))
            return None
        picks[slot.name] = pick
    pick = make_pick(option, picks)
    return Order(pick, option.said(pick))


def _only_places(option: Option[Any]) -> bool:
    return option.words.msgid.startswith("{")


def _fit_slot(
    option: Option[Any],
    slot: Slot,
    words: Sequence[str],
    grammar: Grammar,
    picks: Mapping[str, str],
    chosen: Chosen,
) -> str:
    """The id that words give a slot; raises `Fit`, or `NotOpen` with the rule's reason."""
    match slot:
        case Number():
            return fits_number(slot, words, chosen)
        case Many():
            return fits_many(slot, words, grammar.offer(option, slot, picks, chosen))
        case One():
            return fits_one(slot, words, grammar.offer(option, slot, picks, chosen))
    raise TypeError(f"no way to read {type(slot).__name__}")


# when nothing fits


def _incomplete(words: Sequence[str], grammar: Grammar) -> list[_Problem]:
    """Commands that the line begins and does not end: `attack tower` where `with 3` is wanted too."""
    problems: list[_Problem] = []
    for option in grammar.open:
        for shape in grammar.shapes(option):
            for end, piece in enumerate(shape):
                if not isinstance(piece, str) and _verb(shape[:end]):
                    _fit_option(words, option, shape[:end], SHORT, grammar, problems)
    return problems


def _verb(shape: Shape) -> bool:
    return any(isinstance(p, str) and p not in FILLERS and p not in ARTICLES for p in shape)


def _either(found: Sequence[Order]) -> list[Text]:
    return [Text("“{words}”", words=o.words) for o in found[:5]]


def _explained(
    line: str,
    words: Sequence[str],
    grammar: Grammar,
    problems: list[_Problem],
    vague: list[_Problem],
) -> Unclear:
    """What the whole words say comes before what they might say with some left out."""
    for leniencies, troubles in (((WHOLE, SHORT), problems), ((SPARSE,), vague)):
        barred = _barred(words, grammar, leniencies)
        if barred is not None:
            return barred
        if leniencies == (SPARSE,):
            troubles = [p for p in vague if any(_meant(words, s) for s in grammar.shapes(p.option))]
        if troubles:
            return max(troubles, key=lambda p: p.depth).unclear()
    near = _nearest(line, grammar.open, grammar.lexicon)
    return Unclear(
        Text("I cannot read “{line}” here", line=line), near or [o.shown() for o in grammar.open[:4]]
    )


def _barred(words: Sequence[str], grammar: Grammar, leniencies: Sequence[int]) -> Unclear | None:
    """The reason of the closed command that the line says most of."""
    for leniency in leniencies:
        found: list[tuple[int, Option[Any], Text]] = []
        for option, why in grammar.barred:
            for shape in grammar.shapes(option):
                if leniency == SPARSE and not _meant(words, shape):
                    continue
                if any(True for ways in _Laying(leniency).ways(words, shape) for _ in ways):
                    found.append((sum(piece in words for piece in shape), option, why))
        if found:
            _, option, why = max(found, key=lambda each: each[0])
            told = Text("“{words}” is not open to you: {why}", words=option.shown(), why=why)
            return Unclear(told, barred=True)
    return None


def _meant(words: Sequence[str], shape: Shape) -> bool:
    """Whether a line with words left out still says most of a command, or nothing but words of it."""
    literals = [p for p in shape if isinstance(p, str) and p not in FILLERS and p not in ARTICLES]
    said = [p for p in literals if any(begins(w, p) for w in words)]
    return 2 * len(said) > len(literals) or all(any(begins(w, p) for p in literals) for w in words)


def nearest(line: str, menu: Menu[Any], lexicon: Lexicon = english_only) -> list[Text]:
    """Up to three open options that a mistyped line was probably meant to be, best first."""
    return _nearest(line, menu.open(), lexicon)


def _nearest(line: str, options: Sequence[Option[Any]], lexicon: Lexicon) -> list[Text]:
    wordings: dict[str, Text] = {}
    for option in options:
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
