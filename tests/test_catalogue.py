"""The message catalogues: complete, with every place kept, and the same as the source in English."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from pbem.catalogue import LANGUAGES, lexicon, sayer
from pbem.engine.core.text import Text, english

from . import catalogue

UNTRANSLATED: dict[str, list[str]] = {"en": []}
"""What each language has no words for; the English ones stand in."""

NOT_LITERAL = {
    "engine/core/text.py: Text(self.msgid, self.plural, **{**self.params, **more})": "the same message, filled",
    "pbem/cli/serve.py: Text(f'    {finding.remedy}')": "a piece of a terminal's screen, no message",
}
"""Calls whose message cannot be read off the source, and why that is right."""


def texts() -> Iterator[Text]:
    """Every message of the code with something in each place."""
    for key in catalogue.collect().messages:
        one, many = (key, None) if isinstance(key, str) else key
        if "%(" not in one:
            names = catalogue.places(one + (many or "")) + (["n"] if many else [])
            yield Text(one, many, **{name: 3 if name == "n" else f"a {name}" for name in names})


def test_the_catalogues_are_up_to_date() -> None:
    stale = [
        str(path.relative_to(catalogue.ROOT))
        for path, content in catalogue.written().items()
        if not path.exists() or path.read_text(encoding="utf-8") != content
    ]
    assert stale == [], "run `make catalogue`"


def test_every_message_is_written_where_it_is_said() -> None:
    unreadable = set(catalogue.collect().unreadable)
    assert unreadable - set(NOT_LITERAL) == set(), "a message must be a literal, so that it can be translated"
    assert set(NOT_LITERAL) - unreadable == set(), "an exception that is none any more"


def test_no_message_is_said_with_and_without_a_plural() -> None:
    messages = catalogue.collect().messages
    assert [key for key in messages if isinstance(key, tuple) and key[0] in messages] == []


def test_a_language_that_can_be_chosen_has_a_catalogue_and_the_other_way_round() -> None:
    assert sorted(LANGUAGES) == catalogue.languages() == sorted(UNTRANSLATED)


@pytest.mark.parametrize("language", catalogue.languages())
def test_every_place_of_a_message_stands_in_its_translation(language: str) -> None:
    assert catalogue.misplaced(language) == []


@pytest.mark.parametrize("language", catalogue.languages())
def test_what_is_not_translated_is_known(language: str) -> None:
    assert catalogue.untranslated(language) == UNTRANSLATED[language]


def test_english_through_the_catalogue_is_the_english_of_the_source() -> None:
    say = sayer("en")
    some = list(texts())
    assert len(some) > 500
    for text in some:
        assert say(text) == english(text)
        assert lexicon(text)[0] == english(text)


def test_a_plural_of_the_catalogue_follows_the_number() -> None:
    say = sayer("en")
    assert say(Text("{n} denier", "{n} deniers", n=1)) == "1 denier"
    assert say(Text("{n} denier", "{n} deniers", n=2)) == "2 deniers"


def test_a_language_that_we_do_not_have_is_answered_in_english() -> None:
    assert sayer("eo")(Text("you have not answered anything yet")) == "you have not answered anything yet"
