"""Words as people type them, folded until two spellings of one thing are equal."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from functools import lru_cache

from .text import Text, english

Lexicon = Callable[[Text], tuple[str, ...]]
"""All wordings of a text that the reader understands, every language at once; the canonical one first."""

ARTICLES = frozenset("the an o os as um uma uns umas".split())
FILLERS = frozenset(
    "with to for of from at in on into by a e and com para de do da dos das em no na ao à por".split()
)
"""Small words that may be left out of a command, and be put in, without changing it."""

_TOKEN = re.compile(r"[^\s,;]+")
_EDGES = "\"'“”‘’«»()[]<>!?.:…*_`"


def english_only(text: Text) -> tuple[str, ...]:
    """A lexicon of one language."""
    return (english(text),)


@lru_cache(maxsize=65536)
def fold(word: str) -> str:
    """Lower case, no accents, plain quotes: the form in which words are compared."""
    plain = unicodedata.normalize("NFKD", word.replace("’", "'")).casefold()
    return "".join(c for c in plain if not unicodedata.combining(c))


@lru_cache(maxsize=65536)
def tokens(line: str) -> tuple[str, ...]:
    """The words of a line, folded, without the marks around them; `ben's` counts as `ben`."""
    found = []
    for raw in _TOKEN.findall(line):
        word = fold(raw).strip(_EDGES)
        if word.endswith("'s"):
            word = word[:-2]
        if word:
            found.append(word)
    return tuple(found)


def name_tokens(name: str) -> tuple[str, ...]:
    """The words of a name without its articles, unless it has nothing else."""
    said = tokens(name)
    return tuple(word for word in said if word not in ARTICLES) or said


def begins(word: str, full: str) -> bool:
    """Whether a word is a fair form of another: all of it, its three first letters at least, or it with an `s`, as
    `peoples` for the `People's` of a name.
    """
    if word == full:
        return True
    return (len(word) >= 3 and full.startswith(word)) or (len(full) >= 3 and word == f"{full}s")
