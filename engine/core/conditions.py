"""Conditional lines of a script: `if won: put 2 on mine; banish ben to tribunal`.

All that stands after the colon, to the line's end, is done only if the condition holds when the line's turn comes. A
condition tests only what the open question publishes with itself (`Ask.public`), so nothing hidden can be read by one.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any

from .commands import Unclear
from .text import Text
from .words import fold

Public = Mapping[str, int | str]
"""What a question publishes with itself."""

_LINE = re.compile(
    r"(?P<said>(?:if|se)\s+(?P<no>not\s+|n[aã]o\s+)?(?P<name>[^\W\d_](?:[\w' -]{0,60}\w)?)"
    r"(?:\s*(?P<sign><=|>=|==|!=|[<>=≤≥≠])\s*(?P<value>[\w-]+))?)"
    r"(?:\s*(?P<mark>[:,])|\s+then\b)(?P<rest>.*)",
    re.I,
)
_SIGNS: Mapping[str, Callable[[Any, Any], bool]] = {
    "<=": operator.le,
    ">=": operator.ge,
    "=": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    ">": operator.gt,
}
_OTHER_SIGNS = {"≤": "<=", "≥": ">=", "==": "=", "≠": "!="}
_SAME: Mapping[str, str] = {
    **dict.fromkeys(("win", "victory", "victorious", "venci", "vencer", "ganhei", "ganhar"), "won"),
    **dict.fromkeys(("lose", "defeat", "defeated", "perdi", "perder"), "lost"),
}
_FOR = ("i", "we", "eu")
_OUTCOMES: Mapping[tuple[str, bool], Text] = {
    ("won", False): Text("you lost, so this was not needed"),
    ("won", True): Text("you won, so this was not needed"),
    ("lost", False): Text("you won, so this was not needed"),
    ("lost", True): Text("you lost, so this was not needed"),
}
"""How a line that was passed over is accounted for, by its condition and whether that was denied."""


@dataclass(frozen=True, slots=True)
class Condition:
    """What must hold so that a line is done."""

    said: str
    """As written: `if won`."""
    name: str
    """In the spelling of questions: `attack_dice`."""
    denied: bool = False
    sign: str = ""
    value: str = ""

    def holds(self, public: Public) -> bool:
        """Whether it holds by what a question publishes; raises `Unclear` where the question does not know it."""
        if self.name not in public:
            raise Unclear(_unknown(self.name, public))
        return self._tested(public[self.name]) != self.denied

    def _tested(self, found: int | str) -> bool:
        if not self.sign:
            return found not in (0, "")
        if isinstance(found, str) and self.sign in ("=", "!="):
            return _SIGNS[self.sign](fold(found), fold(self.value))
        if isinstance(found, str) or not self.value.isdecimal():
            raise Unclear(
                Text("“{name}” cannot be compared with {value}", name=shown(self.name), value=self.value)
            )
        return _SIGNS[self.sign](found, int(self.value))

    @property
    def why_passed_over(self) -> Text:
        """What is told of a line when it did not hold."""
        outcome = None if self.sign else _OUTCOMES.get((self.name, self.denied))
        return outcome or Text("“{said}” does not hold, so this was not needed", said=self.said)


@dataclass(frozen=True, slots=True)
class Conditional:
    """A line taken apart."""

    condition: Condition
    commands: tuple[str, ...]
    """What is done if it holds, one after the other; nothing where its writer went on in the next line."""
    firm: bool
    """Whether a colon parts the two, as hardly anybody writes in prose."""


def conditional(line: str) -> Conditional | None:
    """A conditional line, by its form alone; None for any other."""
    found = _LINE.fullmatch(line.strip())
    if found is None:
        return None
    rest = re.sub(r"^\s*then\b", "", found["rest"], flags=re.I)
    commands = tuple(command for piece in rest.split(";") if (command := piece.strip()))
    said = " ".join(found["said"].split())
    sign = found["sign"] or ""
    condition = Condition(
        said, _name(found["name"]), bool(found["no"]), _OTHER_SIGNS.get(sign, sign), found["value"] or ""
    )
    return Conditional(condition, commands, found["mark"] == ":")


def _name(said: str) -> str:
    words = re.split(r"[\s_-]+", fold(said))
    if len(words) > 1 and words[0] in _FOR:
        words = words[1:]
    name = "_".join(words)
    return _SAME.get(name, name)


def why_never(condition: Condition, command: str, tested: Collection[str]) -> Text | None:
    """Why a command can never be done by its condition; None if it can. `tested`: what the game's questions publish."""
    if not command:
        return Text("write what is to be done on the same line, like this: {said}: …", said=condition.said)
    if conditional(command) is not None:
        return Text("a line has one condition; write what has another one on a line of its own")
    if not tested or condition.name in tested:
        return None
    those = tuple(sorted(shown(name) for name in tested))
    return Text("there is no condition “{name}”; there are {those}", name=shown(condition.name), those=those)


def shown(name: str) -> str:
    """A published fact as it is written in lines: `attack-dice`."""
    return name.replace("_", "-")


def _unknown(name: str, public: Public) -> Text:
    those = tuple(shown(each) for each in public)
    if name in ("won", "lost"):
        if those:
            return Text("nothing was won or lost yet; what can be tested now: {those}", those=those)
        return Text("nothing was won or lost yet, and nothing else can be tested now")
    if those:
        return Text(
            "“{name}” is not known here; what can be tested now: {those}", name=shown(name), those=those
        )
    return Text("“{name}” is not known here, and nothing else can be tested now", name=shown(name))
