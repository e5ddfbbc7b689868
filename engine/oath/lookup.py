"""What is known under a word: cards, sites, relics, terms and sections (`rules <word>`, `look <word>`)."""

from __future__ import annotations

from ..core.ruleset import Entry
from ..core.text import Text, english
from ..core.words import begins, name_tokens
from . import statements, words
from .glossary import STATEMENTS
from .ruling import face_up
from .state import Oath

MOST = 8
PRINTED = statements.everything()


def lookup(g: Oath, word: str) -> list[Entry]:
    """Entries whose name or section is the word; if there are none, those in which each word begins a word."""
    said = name_tokens(word)
    if not said:
        return []
    for test in (_same, _short):
        found = [
            Entry(s.name, (*s.lines, Text("See {section}.", section=s.section)))
            for s in STATEMENTS
            if any(test(said, name_tokens(key)) for key in (english(s.name), s.section, *s.keys))
        ]
        for id, names, lines in PRINTED:
            if any(test(said, name_tokens(name)) for name in (*names, id)):
                found.append(Entry(words.thing(id), (*lines, *_where(g, id))))
        if found:
            return found[:MOST]
    return []


def _same(said: tuple[str, ...], key: tuple[str, ...]) -> bool:
    return said == key


def _short(said: tuple[str, ...], key: tuple[str, ...]) -> bool:
    """Whether every word said begins some word of the key."""
    return all(any(begins(w, k) for k in key) for w in said)


def _where(g: Oath, id: str) -> list[Text]:
    """Where it lies face up now; nothing is said of what lies face down."""
    if any(player.vision == id for player in g.players):
        who = next(p.name for p in g.players if p.vision == id)
        return [Text("{who} has revealed it.", who=who)]
    lying = face_up(g, id)
    if lying is None:
        return []
    if lying.holder is not None:
        return [Text("{who} has it face up.", who=lying.holder.name)]
    assert lying.site is not None
    if lying.thing is None:
        return [Text("It is on the map, in {region}.", region=words.REGION[g.region(lying.site)])]
    return [Text("It lies at {site}.", site=words.site(g, lying.site))]
