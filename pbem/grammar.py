"""The moderator's language: fixed, small, and the same by mail and on the command line."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from difflib import get_close_matches
from functools import cache
from typing import Any

from lark import Lark, Token, Tree
from lark.exceptions import UnexpectedInput

from .engine.core.text import Text

_GRAMMAR = r"""
start: "pause"i -> pause
     | "resume"i -> resume
     | "confirm"i -> confirm
     | "later"i -> later
     | "status"i -> status
     | "help"i -> help
     | "join"i -> join
     | "cancel"i "game"i -> cancel
     | "next"i ("with"i REST)? -> next
     | "remind"i WHO? -> remind
     | "robot"i WHO -> robot
     | "extend"i WHO "by"i NUMBER UNIT -> extend
     | "answer"i "for"i WHO ":" REST -> answer
     | "replace"i WHO "by"i REST -> replace
     | "rewind"i "to"i NUMBER -> rewind
     | "log"i NUMBER? -> log
     | "correct"i PATH "=" VALUE "because"i REST -> correct
     | "announce"i ":"? REST -> announce
WHO: /[^\s:][^:]*?(?=\s+by\b|\s*:|\s*$)/i
PATH: /[^=\s][^=]*?(?=\s*=)/
VALUE: /[^\s].*?(?=\s+because\b)/i
REST: /[^\s:].*/
NUMBER: /\d+(\.\d+)?/
UNIT: /days?|hours?|minutes?|dias?|horas?|minutos?/i
%ignore /[ \t]+/
"""

SHAPES: Mapping[str, str] = {
    "pause": "pause",
    "resume": "resume",
    "extend": "extend ben by 2 days",
    "remind": "remind ben",
    "answer": "answer for ben: pass",
    "rewind": "rewind to 57",
    "confirm": "confirm",
    "later": "later",
    "correct": "correct ben.deniers = 12 because the sale was counted twice",
    "announce": "announce: we go on after Easter",
    "replace": "replace ben by Dora <dora@example.org>",
    "robot": "robot ben",
    "cancel": "cancel game",
    "next": "next with Ana, Ben, Dora <dora@example.org>, robot Carla",
    "log": "log 30",
    "status": "status",
    "help": "help",
}
"""Every command once, as a moderator would write it."""

_UNITS = {"d": 1440, "h": 60, "m": 1}
YEAR = 365 * 24 * 60
"""In minutes; at most so far a deadline moves at once."""
MOST = 10**7
"""More than any game has answers."""


@dataclass(frozen=True, slots=True)
class Order:
    """One command of a moderator, taken apart."""

    verb: str
    who: str = ""
    rest: str = ""
    path: str = ""
    value: str = ""
    number: int = 0
    span: timedelta = timedelta()


class NotUnderstood(Exception):
    """A line that is no moderator's command. `verb_known` tells a slip from prose."""

    def __init__(self, why: Text, instead: tuple[str, ...], verb_known: bool) -> None:
        super().__init__(why)
        self.why = why
        self.instead = instead
        self.verb_known = verb_known


@cache
def _parser() -> Lark:
    return Lark(_GRAMMAR, parser="lalr", lexer="contextual", maybe_placeholders=False)


def parse(line: str) -> Order:
    """A line as a moderator's command; raises `NotUnderstood`."""
    said = " ".join(line.split())
    try:
        tree: Tree[Token] = _parser().parse(said)
    except UnexpectedInput as e:
        raise _explained(said, e) from None
    return _order(tree)


def _order(tree: Tree[Token]) -> Order:
    parts: dict[str, Any] = {}
    for token in tree.children:
        assert isinstance(token, Token)
        parts[token.type] = str(token)
    verb, number = str(tree.data), float(parts.get("NUMBER", 0))
    minutes = number * _UNITS[parts["UNIT"][0].lower()] if "UNIT" in parts else 0
    if "UNIT" in parts and not 1 <= minutes <= YEAR:
        raise NotUnderstood(
            Text("a deadline moves by a minute at least, and a year at most"), (SHAPES[verb],), True
        )
    if number > MOST:
        why = Text("{n} is too large a number here", n=parts["NUMBER"])
        raise NotUnderstood(why, (SHAPES[verb],), True)
    return Order(
        verb,
        parts.get("WHO", ""),
        parts.get("REST", ""),
        parts.get("PATH", ""),
        parts.get("VALUE", ""),
        int(number),
        timedelta(minutes=minutes),
    )


def _explained(said: str, error: UnexpectedInput) -> NotUnderstood:
    first = said.split(" ", 1)[0].casefold().rstrip(":")
    if first in SHAPES:
        why = Text(
            "“{line}” is not complete or not right at “{at}”",
            line=said,
            at=said[getattr(error, "pos_in_stream", None) or 0 :] or "…",
        )
        return NotUnderstood(why, (SHAPES[first],), True)
    near = get_close_matches(first, SHAPES, n=2, cutoff=0.7)
    why = Text("I know no command “{word}” for a moderator", word=first)
    return NotUnderstood(why, tuple(SHAPES[n] for n in near), bool(near))
