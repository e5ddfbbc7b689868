"""What words may fill a slot: one choice, several elements, a number."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from difflib import get_close_matches
from functools import cached_property, lru_cache

from .slots import Choice, Chosen, Many, Number, One
from .text import Text
from .words import ARTICLES, FILLERS, Lexicon, begins, tokens

_BEFORE_NAMES = ARTICLES | {"a"}
_JOINTS = frozenset("and e plus + & mais".split())


class Fit(Exception):
    """Words that fill this slot with nothing, or with more than one thing. What is told of it is made when somebody
    asks: most of the words that are tried are tried in other ways too, and that one is read."""

    def __init__(self, why: Callable[[], Text], instead: Callable[[], Sequence[Text]] = tuple) -> None:
        super().__init__()
        self._why = why
        self._instead = instead

    @property
    def why(self) -> Text:
        """What is wrong, for the player."""
        return self._why()

    @property
    def instead(self) -> tuple[Text, ...]:
        """What was probably meant."""
        return tuple(self._instead())


def fits_number(slot: Number, words: Sequence[str], chosen: Chosen) -> str:
    """The id of a number; raises `Fit` where the words are none, `NotOpen` where it is out of bounds."""
    if len(words) == 1 and words[0].isdecimal():
        return str(slot.resolve(words[0], chosen))
    raise Fit(lambda: Text("“{words}” is no number", words=" ".join(words)))


class Offer:
    """The choices of one place, with their names: looked up as often as there are ways to lay a line's words."""

    def __init__(self, choices: Sequence[Choice], lexicon: Lexicon) -> None:
        self.choices = choices
        self.lexicon = lexicon

    @cached_property
    def all(self) -> Names:
        """The names of all choices."""
        return Names(self.choices, self.lexicon)

    @cached_property
    def open(self) -> Names:
        """The names of those that may be chosen."""
        return Names([c for c in self.choices if c.why is None], self.lexicon)

    @cached_property
    def each(self) -> Names:
        """The names of all choices, of equal ones once."""
        unique: dict[str, Choice] = {}
        for choice in self.choices:
            unique.setdefault(choice.id, choice)
        return Names(list(unique.values()), self.lexicon)


def fits_one(slot: One, words: Sequence[str], offer: Offer) -> str:
    """The id of the one choice that the words name; raises `Fit`."""
    found = offer.open.named(words) or offer.all.named(words)
    if len(found) == 1:
        return found[0].id
    said = " ".join(words)
    if found:
        raise _several(said, found)
    raise _none(slot, said, offer.choices, lambda: _near(said, offer.choices, offer.lexicon))


def fits_many(slot: Many, words: Sequence[str], offer: Offer) -> str:
    """The ids of the elements that the words name one after the other; raises `Fit`."""
    picked: list[str] = []
    left = list(words)
    while left:
        if left[0] in _JOINTS or left[0] in ARTICLES or (left[0] in FILLERS and len(left[0]) > 1):
            left.pop(0)
            continue
        n, found = offer.each.longest(left)
        if len(found) != 1:
            said = " ".join(left[:n])
            raise _several(said, found) if found else _none(slot, said, offer.choices)
        picked.append(found[0].id)
        left = left[n:]
    order = [choice.id for choice, _ in offer.each.forms]
    return ",".join(sorted(picked, key=order.index))


def _several(said: str, found: Sequence[Choice]) -> Fit:
    named = tuple(c.words for c in found[:5])
    return Fit(lambda: Text("“{words}” could be {several}", words=said, several=named))


def _none(
    slot: One | Many, said: str, choices: Sequence[Choice], near: Callable[[], Sequence[Text]] = tuple
) -> Fit:
    def why() -> Text:
        those = _few(choices)
        return Text("I find no {what} “{words}”; there is {those}", what=slot.label, words=said, those=those)

    return Fit(why, near)


def _few(choices: Sequence[Choice]) -> tuple[Text, ...]:
    seen: dict[str, Text] = {}
    for choice in choices:
        if choice.why is None:
            seen.setdefault(choice.id, choice.words)
    return tuple(seen.values())[:24]


Words = tuple[str, ...]


@lru_cache(maxsize=65536)
def _forms(text: Text, lexicon: Lexicon) -> tuple[tuple[Words, Words], ...]:
    """Every wording of a text as words: all of them, and without the small ones; a name may lose its article."""
    wordings = [tokens(wording) for wording in lexicon(text)]
    bare = [words[1:] for words in wordings if len(words) > 1 and words[0] in _BEFORE_NAMES]
    return tuple((words, _plain(words)) for words in (*wordings, *bare))


class Names:
    """What some choices are called, made ready to be looked up several times."""

    def __init__(self, choices: Sequence[Choice], lexicon: Lexicon) -> None:
        self.forms = [(c, [f for t in (c.words, *c.also) for f in _forms(t, lexicon)]) for c in choices]
        self.words = {w for _, its in self.forms for full, _ in its for w in full}
        self.most = max((len(full) for _, its in self.forms for full, _ in its), default=0)
        self._known: dict[str, bool] = {}

    def known(self, word: str) -> bool:
        """Whether a word stands in any name, short forms counted; prose fails here, quickly."""
        if word not in self._known:
            self._known[word] = word in self.words or any(begins(word, w) for w in self.words)
        return self._known[word]

    def named(self, words: Sequence[str], sparse: bool = True) -> list[Choice]:
        """The choices that the words name: exactly, else by short forms, else with words left out."""
        said = tuple(w for w in words if w not in ARTICLES) or tuple(words)
        plain = _plain(said)
        if not all(map(self.known, plain)):
            return []
        for test in (_same, _short, _sparse) if sparse else (_same, _short):
            found: dict[str, Choice] = {}
            for choice, its in self.forms:
                if any(test(said, plain, full, bare) for full, bare in its):
                    found.setdefault(choice.id, choice)
            if found:
                return list(found.values())
        return []

    def longest(self, words: Sequence[str]) -> tuple[int, list[Choice]]:
        """How many words name a choice here, and which; several where they are ambiguous."""
        ambiguous: tuple[int, list[Choice]] = (1, [])
        if not self.known(words[0]):
            return ambiguous
        for n in range(min(self.most + 1, len(words)), 0, -1):
            found = self.named(words[:n], sparse=n == 1)
            if len(found) == 1:
                return n, found
            if found and not ambiguous[1]:
                ambiguous = (n, found)
        return ambiguous


def _plain(words: Sequence[str]) -> Words:
    return tuple(w for w in words if w not in FILLERS or len(w) == 1)


def _same(said: Words, plain: Words, full: Words, bare: Words) -> bool:
    return said == full or (plain == bare and bool(plain))


def _short(said: Words, plain: Words, full: Words, bare: Words) -> bool:
    return len(plain) == len(bare) and all(begins(w, f) for w, f in zip(plain, bare, strict=True))


def _sparse(said: Words, plain: Words, full: Words, bare: Words) -> bool:
    """Whether the words are some of the full ones, in their order."""
    rest = iter(bare)
    return bool(plain) and all(any(begins(w, f) for f in rest) for w in plain)


def _near(said: str, choices: Sequence[Choice], lexicon: Lexicon) -> list[Text]:
    names = {w.lower(): c.words for c in choices if c.why is None for w in lexicon(c.words)}
    return [names[n] for n in get_close_matches(said, names, n=2, cutoff=0.6)]
