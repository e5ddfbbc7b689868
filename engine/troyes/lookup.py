"""What is known under a word: cards, places, terms and sections (`rules <word>`, `look <word>`)."""

from __future__ import annotations

from ..core.ruleset import Entry
from ..core.text import Text, english
from ..core.words import begins, name_tokens
from . import words
from .activities import activity_of
from .cards import ActivityPrint, CharacterPrint, EventPrint
from .characters import COUNTS
from .events import EFFECTS
from .glossary import STATEMENTS, Statement
from .state import BUILDINGS, Troyes

MOST = 8


def lookup(g: Troyes, word: str) -> list[Entry]:
    """Entries whose name, section or key begins like the word; exact ones alone if there are any."""
    said = name_tokens(word)
    if not said:
        return []
    for test in (_same, _short):
        found = [entry for keys, entry in _everything(g) if any(test(said, name_tokens(key)) for key in keys)]
        if found:
            return found[:MOST]
    return []


def _same(said: tuple[str, ...], key: tuple[str, ...]) -> bool:
    return said == key


def _short(said: tuple[str, ...], key: tuple[str, ...]) -> bool:
    """Whether every word said begins some word of the key."""
    return all(any(begins(w, k) for k in key) for w in said)


def _everything(g: Troyes) -> list[tuple[tuple[str, ...], Entry]]:
    found = [(_keys(s), _statement(g, s)) for s in STATEMENTS]
    cards = g.cards
    found += [((a.name, a.id), _activity(g, a)) for a in cards.activities.values()]
    found += [((e.name, e.id), _event(g, e)) for e in cards.events.values()]
    found += [((c.name, c.id), _character(c)) for c in cards.characters.values()]
    return found


def _statement(g: Troyes, s: Statement) -> Entry:
    lines = [*s.lines, Text("See {section}.", section=s.section)]
    building = english(s.name).lower()
    if building in BUILDINGS:
        lines += _standing(g, building)
    return Entry(s.name, tuple(lines))


def _standing(g: Troyes, building: str) -> list[Text]:
    """Who is in a building now."""
    found = []
    for r, row in enumerate(g.spaces[building]):
        for n, who in enumerate(row):
            if who:
                where = words.space(building, r, n)
                found.append(Text("{where}: {who}", where=where, who=words.owner(who)))
    return [Text("Now there: {those}.", those=tuple(found))] if found else []


def _keys(s: Statement) -> tuple[str, ...]:
    return (english(s.name), s.section, *s.keys)


def _activity(g: Troyes, print: ActivityPrint) -> Entry:
    activity = activity_of(print)
    lines = [
        Text(
            "Activity card, {colour}, round {n}, {kind}.",
            colour=words.COLOUR[print.colour],
            n=print.round,
            kind=activity.kind,
        ),
        Text("Effect: {effect}.", effect=activity.says()),
        Text(
            "Hire {price}; one use for each {n} of the group’s value; VP of the first spaces: {vp}.",
            price=words.deniers(print.hire_cost),
            n=print.divisor,
            vp=print.vp_spots,
        ),
    ]
    lines += _made_up(print.house)
    card = next((a for a in g.face_up() if a.shown == print.id), None)
    if card is None:
        lines.append(Text("It is not face up in this game."))
    elif card.tradesmen:
        lines.append(Text("Tradesmen there: {who}.", who=tuple(who for who in card.tradesmen if who)))
    return Entry(print.words, tuple(lines))


def _event(g: Troyes, print: EventPrint) -> Entry:
    lines = [
        Text("Effect each round: {effect}.", effect=EFFECTS[print.effect].says(print)),
        Text(
            "Countered with {colour} dice, a cube for each {n}; {banners} banners; {first} and {second} VP.",
            colour=words.COLOUR[print.counter_colour],
            n=print.divisor,
            banners=print.banners,
            first=print.vp_first,
            second=print.vp_second,
        ),
    ]
    if print.black_dice and print.effect != "none":
        lines.insert(0, Text("It brings {n} black die.", "It brings {n} black dice.", n=print.black_dice))
    lines += _made_up(print.house)
    if any(event.id == print.id for event in g.events):
        lines.append(Text("It is on the table now."))
    return Entry(print.words, tuple(lines))


def _character(card: CharacterPrint) -> Entry:
    one, three, six = card.thresholds
    lines = [
        Text("Character: counts {what}.", what=COUNTS[card.id]),
        Text(
            "{one} give 1 VP, {three} give 3 VP, {six} give 6 VP, to everybody.",
            one=one,
            three=three,
            six=six,
        ),
    ]
    return Entry(card.words, (*lines, *_made_up(card.house)))


def _made_up(house: tuple[str, ...]) -> list[Text]:
    if not house:
        return []
    return [Text("Not known from the box and made up for the house deck: {facts}.", facts=house)]
