"""What words may fill a slot: one choice, several elements, a number."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches

from .slots import Choice, Chosen, Many, Number, One
from .text import Text
from .words import ARTICLES, FILLERS, Lexicon, begins, tokens

_JOINTS = frozenset("and e plus + & mais".split())


class Fit(Exception):
    """Words that fill this slot with nothing, or with more than one thing."""

    def __init__(self, why: Text, instead: Sequence[Text] = ()) -> None:
        super().__init__(why)
        self.why = why
        self.instead = tuple(instead)


def fits_number(slot: Number, words: Sequence[str], chosen: Chosen) -> str:
    """The id of a number; raises `Fit` where the words are none, `NotOpen` where it is out of bounds."""
    if len(words) == 1 and words[0].isdecimal():
        slot.resolve(words[0], chosen)
        return words[0]
    raise Fit(Text("“{words}” is no number", words=" ".join(words)))


def fits_one(slot: One, words: Sequence[str], chosen: Chosen, lexicon: Lexicon) -> str:
    """The id of the one choice that the words name; raises `Fit`."""
    choices = slot.choices(chosen)
    found = _named(words, [c for c in choices if c.why is None], lexicon)
    found = found or _named(words, choices, lexicon)
    if len(found) == 1:
        return found[0].id
    said = " ".join(words)
    if found:
        raise Fit(Text("“{words}” could be {several}", words=said, several=tuple(c.words for c in found[:5])))
    raise Fit(
        Text(
            "I find no {what} “{words}”; there is {those}", what=slot.label, words=said, those=_few(choices)
        ),
        _near(said, choices, lexicon),
    )


def fits_many(slot: Many, words: Sequence[str], chosen: Chosen, lexicon: Lexicon) -> str:
    """The ids of the elements that the words name one after the other; raises `Fit`."""
    elements = slot.elements(chosen)
    unique: dict[str, Choice] = {}
    for element in elements:
        unique.setdefault(element.id, element)
    picked: list[str] = []
    left = list(words)
    while left:
        if left[0] in _JOINTS or left[0] in ARTICLES or (left[0] in FILLERS and len(left[0]) > 1):
            left.pop(0)
            continue
        n, ids = _longest(left, list(unique.values()), lexicon)
        if len(ids) != 1:
            raise _no_element(slot, left, ids, elements, n)
        picked.append(ids[0].id)
        left = left[n:]
    order = {key: i for i, key in enumerate(unique)}
    return ",".join(sorted(picked, key=lambda p: order[p]))


def _longest(words: Sequence[str], elements: Sequence[Choice], lexicon: Lexicon) -> tuple[int, list[Choice]]:
    """How many words name an element here, at most five, and which."""
    ambiguous: tuple[int, list[Choice]] = (1, [])
    for n in range(min(5, len(words)), 0, -1):
        found = _named(words[:n], elements, lexicon, sparse=n == 1)
        if len(found) == 1:
            return n, found
        if found and not ambiguous[1]:
            ambiguous = (n, found)
    return ambiguous


def _no_element(
    slot: Many, words: Sequence[str], found: Sequence[Choice], elements: Sequence[Choice], n: int
) -> Fit:
    said = " ".join(words[:n])
    if found:
        return Fit(
            Text("“{words}” could be {several}", words=said, several=tuple(c.words for c in found[:5]))
        )
    return Fit(
        Text(
            "I find no {what} “{words}”; there is {those}", what=slot.label, words=said, those=_few(elements)
        )
    )


def _few(choices: Sequence[Choice]) -> tuple[Text, ...]:
    seen: dict[str, Text] = {}
    for choice in choices:
        if choice.why is None:
            seen.setdefault(choice.id, choice.words)
    return tuple(seen.values())[:24]


def _named(
    words: Sequence[str], choices: Sequence[Choice], lexicon: Lexicon, sparse: bool = True
) -> list[Choice]:
    """The choices that the words name: exactly, else by short forms, else with words left out."""
    said = [w for w in words if w not in ARTICLES] or list(words)
    for test in (_same, _short, _sparse) if sparse else (_same, _short):
        found: dict[str, Choice] = {}
        for choice in choices:
            if any(test(said, tokens(w)) for t in (choice.words, *choice.also) for w in lexicon(t)):
                found.setdefault(choice.id, choice)
        if found:
            return list(found.values())
    return []


def _plain(words: Sequence[str]) -> list[str]:
    return [w for w in words if w not in FILLERS or len(w) == 1]


def _same(said: Sequence[str], full: Sequence[str]) -> bool:
    return tuple(said) == tuple(full) or (_plain(said) == _plain(full) != [])


def _short(said: Sequence[str], full: Sequence[str]) -> bool:
    said, full = _plain(said), _plain(full)
    return len(said) == len(full) and all(begins(w, f) for w, f in zip(said, full, strict=True))


def _sparse(said: Sequence[str], full: Sequence[str]) -> bool:
    """Whether the words are some of the full ones, in their order."""
    rest = iter(full)
    kept = _plain(said)
    return bool(kept) and all(any(begins(w, f) for f in rest) for w in kept)


def _near(said: str, choices: Sequence[Choice], lexicon: Lexicon) -> list[Text]:
    names = {w.lower(): c.words for c in choices if c.why is None for w in lexicon(c.words)}
    return [names[n] for n in get_close_matches(said, names, n=2, cutoff=0.6)]
