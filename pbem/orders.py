"""One line of a player's mail: a word of the runner's own, a code, a number, or words of the open question."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from .catalogue import lexicon
from .engine.core.asks import Ask, Option
from .engine.core.commands import (
    Grammar,
    Order,
    Unclear,
    is_order,
    numbered,
    only_amount,
    sounds_like,
    understand,
)
from .engine.core.conditions import Conditional, conditional, why_never
from .engine.core.text import Text
from .engine.core.words import ARTICLES, begins, fold, tokens
from .mail.judging import Attempt


class Verb(StrEnum):
    """What the runner itself understands, whatever the game."""

    PREVIEW = "preview"
    UNDO = "undo"
    STATUS = "status"
    BOARD = "board"
    HELP = "help"
    RULES = "rules"
    LOG = "log"
    RESEND = "resend"
    NOTE = "note"
    LOOK = "look"
    JOIN = "join"
    DECLINE = "decline"
    STOP = "stop"
    START = "start"
    ADDRESS = "address"
    ZONE = "zone"


WORDS: Mapping[str, Verb] = {
    **{v.value: v for v in Verb},
    "rehearse": Verb.PREVIEW,
    "ensaio": Verb.PREVIEW,
    "previa": Verb.PREVIEW,
    "desfazer": Verb.UNDO,
    "estado": Verb.STATUS,
    "tabuleiro": Verb.BOARD,
    "ajuda": Verb.HELP,
    "regras": Verb.RULES,
    "rule": Verb.RULES,
    "registro": Verb.LOG,
    "reenviar": Verb.RESEND,
    "nota": Verb.NOTE,
    "ver": Verb.LOOK,
    "aceito": Verb.JOIN,
    "entrar": Verb.JOIN,
    "recuso": Verb.DECLINE,
    "parar": Verb.STOP,
    "voltar": Verb.START,
    "endereco": Verb.ADDRESS,
    "fuso": Verb.ZONE,
}
_WITH_WORDS = (Verb.HELP, Verb.RULES, Verb.LOG, Verb.NOTE, Verb.LOOK, Verb.ADDRESS, Verb.ZONE)
_NEEDS_WORDS = (Verb.RULES, Verb.NOTE, Verb.LOOK)
_SHARED = (Verb.RULES, Verb.LOOK, Verb.LOG, Verb.BOARD, Verb.JOIN, Verb.DECLINE)
"""A game may have orders that begin with these words."""
_LONGEST_WORD = 6
"""Words in the longest name that anybody would look up."""
_PLACE = re.compile(r"<?[a-z ]+>:? ")
_ALL = ("all", "everything", "tudo")
_CODE = re.compile(r"^\s*(\d{1,5})\.(\d{1,3})\b[\s:)]*(.*)$", re.S)
_NUMBER = re.compile(r"^\s*#?(\d{1,4})\b(?![.,]\d)[\s:)]*(.*)$", re.S)


@dataclass(frozen=True, slots=True)
class Command:
    """A runner's word and what stands behind it, as written."""

    verb: Verb
    rest: str = ""

    @property
    def undo_all(self) -> bool:
        """Whether everything of the turn is to be taken back."""
        return self.verb is Verb.UNDO and fold(self.rest) in _ALL


def command(line: str) -> Command | None:
    """The runner's own command in a line; None for anything else."""
    said = line.strip()
    first, _, rest = said.partition(" ")
    verb = WORDS.get(fold(first).strip(".!?:"))
    if verb is None:
        return None
    rest = rest.strip() if verb is Verb.NOTE else rest.strip().strip("<>").rstrip(".!?")
    if verb is Verb.UNDO:
        return Command(verb, rest) if not rest or fold(rest) in _ALL else None
    if rest and verb not in _WITH_WORDS:
        return None
    if verb is Verb.LOG and rest and not rest.isdecimal():
        return None
    if not rest and verb in _NEEDS_WORDS:
        return None
    if _explains(verb, rest):
        return None
    return Command(verb, rest)


def _explains(verb: Verb, rest: str) -> bool:
    """Whether a line is out of a letter of ours that says what may be written: `note <text>: …`, `help: any word …`."""
    if verb in (Verb.HELP, Verb.RULES, Verb.LOOK):
        return len(rest.split()) > _LONGEST_WORD
    return _PLACE.match(rest) is not None


@dataclass(frozen=True, slots=True)
class Codes:
    """The codes that a seat's digests gave out: option ids by digest, and which digest's question is open."""

    given: Mapping[int, Sequence[str]]
    current: frozenset[int]
    answered: int | None = None
    """The digest that is being answered, if that is known: bare numbers are of its menu."""

    @property
    def stale(self) -> bool:
        """Whether the digest that is answered asked something that has its answer already."""
        return self.answered in self.given and self.answered not in self.current


class Lines:
    """Reads lines for one seat."""

    def __init__(
        self,
        ask: Ask[Any] | None,
        codes: Codes,
        examples: Mapping[str, str],
        waits: Text,
        tested: Collection[str] = (),
    ) -> None:
        """`ask`: the open question, if any; `examples`: the game's orders by question key, for their verbs;
        `waits`: why nothing is asked, if so; `tested`: what conditions may test."""
        self.ask = ask
        self._grammar = Grammar(ask.menu, lexicon) if ask is not None else None
        self.codes = codes
        self.waits = waits
        self.tested = tested
        own = self._grammar.verbs if self._grammar is not None else frozenset[str]()
        self.asked = own
        runner = _RUNNER - _JOINING if codes.given else _RUNNER
        self.verbs = own | {tokens(e)[0] for e in examples.values()} | runner
        said = [w for o in ask.menu.options for t in (o.words, *o.also) for w in lexicon(t)] if ask else []
        self.words = frozenset(word for wording in said for word in tokens(wording)) | self.verbs
        self.alone = frozenset(w[0] for w in map(tokens, said) if len(w) == 1) | runner

    def answering(self, digest: int | None) -> Lines:
        """The same for lines that answer a certain digest, if that is known: bare numbers are of its menu."""
        lines = copy(self)
        lines.codes = replace(self.codes, answered=digest)
        return lines

    def command(self, line: str) -> Command | None:
        """The runner's own command in a line, unless the open question means its words: `look into the Reliquary`."""
        own = command(line)
        if own is None or own.verb not in _SHARED or self.ask is None:
            return own
        if tokens(line)[0] not in self.asked:
            return own
        try:
            self.read(line, self.ask)
        except Unclear as e:
            return None if e.barred else own
        return None

    def order(self, line: str) -> str | None:
        """For the reader of mails: the line if it is an order, None for prose; raises `Attempt` (D-18)."""
        hangs_on = conditional(line)
        if hangs_on is not None and (
            not hangs_on.commands or any(self._is_command(command) for command in hangs_on.commands)
        ):
            return self._conditional(line, hangs_on)
        if self.command(line) is not None:
            return line
        if _CODE.match(line) or (self.ask is not None and _lone_number(line)):
            return line
        if not sounds_like(line, self.words):
            return None  # most prose ends here, before any option is tried on it
        if not self._tried(line):
            return line if self._is_terse(line) else None
        try:
            if self.ask is None:
                raise Unclear(self.waits)
            self.read(line, self.ask)
        except Unclear as e:
            raise Attempt(e, line) from e
        return line

    def _is_terse(self, line: str) -> bool:
        """Whether a line without its verb is an order all the same: `Tower 3`. No game's words hold an address, as
        most attributions do, and those would be laid along every option."""
        return self._grammar is not None and "@" not in line and is_order(line, self._grammar)

    def _conditional(self, line: str, found: Conditional) -> str | None:
        """`if won: …` is an order whatever is asked now; `If in doubt, …` is prose, and `if one: …` an attempt, and so
        is `if won:` alone, lest the next line were done whatever happens."""
        why = why_never(found.condition, next(iter(found.commands), ""), self.tested)
        if why is None and self.tested:
            return line
        prose = not found.firm if found.commands else found.condition.name not in self.tested
        if prose:
            return None
        raise Attempt(Unclear(why or Text("this game has no conditions")), line)

    def _is_command(self, command: str) -> bool:
        """Whether something is an order for the open question or might be one for a later."""
        if _CODE.match(command) or _lone_number(command):
            return True
        return sounds_like(command, self.verbs) and self._tried(command)

    def _tried(self, line: str) -> bool:
        """Whether a line that cannot be read was meant as an order. A short word that is only near a verb is
        not enough: `Moin,` beside `Monk`, `Here we go.` beside `hire`, `Best regards` beside `beat`."""
        if not sounds_like(line, self.verbs):
            return False
        first, *others = [word for word in tokens(line) if word not in ARTICLES]
        if first in self.verbs or len(first) > _SHORT:
            return True
        if not others:
            return sounds_like(first, self.alone)
        return any(word[-1].isdigit() or any(begins(word, known) for known in self.words) for word in others)

    def read(self, line: str, ask: Ask[Any]) -> Order:
        """The answer that a line gives to a question; raises `Unclear`."""
        code = _CODE.match(line)
        if code is not None:
            return self._by_code(int(code[1]), int(code[2]), code[3], ask)
        number = _NUMBER.match(line)
        if number is not None:
            if self.codes.stale:
                told = Text(
                    "the number {n} belongs to digest {digest}, whose question is answered already",
                    n=number[1],
                    digest=self.codes.answered,
                )
                raise Unclear(told)
            return _by_number(int(number[1]), number[2], ask, self._made_ready(ask))
        return understand(line, self._made_ready(ask))

    def _made_ready(self, ask: Ask[Any]) -> Grammar:
        if ask is self.ask and self._grammar is not None:
            return self._grammar
        return Grammar(ask.menu, lexicon)

    def _by_code(self, digest: int, n: int, rest: str, ask: Ask[Any]) -> Order:
        given = self.codes.given.get(digest)
        if given is None:
            raise Unclear(Text("there was no digest {n}", n=digest))
        if not 1 <= n <= len(given):
            raise Unclear(Text("digest {digest} had {n} codes", digest=digest, n=len(given)))
        place = _place(ask.menu.open(), given[n - 1])
        if digest not in self.codes.current or place is None:
            raise Unclear(
                Text("the code {code} belongs to a question that is answered already", code=f"{digest}.{n}")
            )
        return numbered(place, rest, self._made_ready(ask))


_SHORT = 4
_RUNNER = frozenset(WORDS)
_JOINING = frozenset(word for word, verb in WORDS.items() if verb in (Verb.JOIN, Verb.DECLINE))
"""Whoever has had a digest mistypes none of these."""


def _lone_number(line: str) -> bool:
    """`3`, or `3 with y5`: a number with at most a few words, so that no sentence is taken for an order."""
    found = _NUMBER.match(line)
    return found is not None and len(tokens(found[2])) <= 8 and not re.search(r"[.,!?]", found[2])


def _by_number(number: int, rest: str, ask: Ask[Any], grammar: Grammar) -> Order:
    """D-2: the amount if just one option takes one, else the option's number."""
    amount = only_amount(ask)
    if amount is not None and not rest.strip():
        place = _place(ask.menu.open(), amount.id)
        assert place is not None
        return numbered(place, str(number), grammar)
    return numbered(number, rest, grammar)


def _place(options: Sequence[Option[Any]], id: str) -> int | None:
    return next((i for i, o in enumerate(options, 1) if o.id == id), None)
