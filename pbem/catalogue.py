"""The words of each language: message catalogues, and how texts are said with them (D-1)."""

from __future__ import annotations

import gettext
from collections.abc import Callable
from functools import cache, lru_cache
from importlib import resources

from babel.messages.pofile import read_po

from .engine.core.text import Text, render

LANGUAGES = ("en",)
"""The languages that a person may choose; the first stands in wherever a translation is missing."""

Say = Callable[[Text], str]


class _Catalogue(gettext.NullTranslations):
    """A catalogue read from its source file, so that nothing has to be compiled after a change."""

    def __init__(self, language: str) -> None:
        super().__init__()
        self.words: dict[str, str] = {}
        self.plurals: dict[tuple[str, str], tuple[str, ...]] = {}
        place = resources.files("pbem").joinpath("locale", language, "LC_MESSAGES", "pbem.po")
        with place.open("rb") as file:
            catalogue = read_po(file, locale=language)
        for message in catalogue:
            if not message.id:
                continue
            if isinstance(message.id, str):
                if message.string:
                    self.words[message.id] = str(message.string)
            elif message.string and all(message.string):
                one, many = message.id
                self.plurals[one, many] = tuple(message.string)

    def gettext(self, message: str) -> str:
        """The wording of a message; the message itself where it is missing."""
        return self.words.get(message, message)

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        """The wording for a number."""
        forms = self.plurals.get((msgid1, msgid2))
        if forms is None:
            return msgid1 if n == 1 else msgid2
        return forms[0 if n == 1 else min(1, len(forms) - 1)]


@cache
def catalogue(language: str) -> gettext.NullTranslations:
    """A language's catalogue; English for a language that we do not have."""
    return _Catalogue(language if language in LANGUAGES else LANGUAGES[0])


@cache
def sayer(language: str) -> Say:
    """How texts are said in a language."""
    words = catalogue(language)

    def say(text: Text) -> str:
        return render(text, words.gettext, words.ngettext)

    return say


@lru_cache(maxsize=32768)
def lexicon(text: Text) -> tuple[str, ...]:
    """All wordings that the reader of orders understands, English first."""
    said = dict.fromkeys(sayer(language)(text) for language in LANGUAGES)
    return tuple(said)
