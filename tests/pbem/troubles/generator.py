"""Thousands of troublesome mails out of one right one, and what must become of each."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from hypothesis import HealthCheck, given, seed, settings
from hypothesis import strategies as st

from pbem.engine.core.asks import Ask
from pbem.engine.core.commands import Unclear
from pbem.engine.core.testing import random_answer
from pbem.engine.core.text import english
from pbem.mail.classify import Kind, classify
from pbem.mail.identify import Verdict, identify, verdict
from pbem.mail.mime import Mail
from pbem.mail.reading import ReplyReader
from pbem.mail.tokens import Purpose, Tokens
from pbem.mail.us import Us
from pbem.orders import Lines
from pbem.remarks import doubt
from pbem.writing import salted

from ..mail.harbour import US, harbour_reader
from ..table import Letter as Got
from ..table import PbemTable
from .drafts import Draft, Fate, Letter, raw
from .mutators import MUTATORS, Mutator


class Recipe(NamedTuple):
    """Which mutators, in which order, and the seed of their parameters."""

    names: tuple[str, ...]
    seed: int

    def draft(self, letter: Letter, orders: Sequence[str]) -> Draft:
        """The mail that it makes of a right one."""
        rng = random.Random(self.seed)
        draft = Draft(letter, list(orders))
        for one in MUTATORS:
            if one.name in self.names:
                one.apply(draft, rng)
        if {"all tokens lost", "another address of the same person"} <= set(self.names):
            draft.worse(Fate.NOTHING)  # who could know that it is theirs
        return draft


def recipes(among: Sequence[Mutator] = MUTATORS) -> st.SearchStrategy[Recipe]:
    """One to four mutators on top of each other."""
    names = st.lists(st.sampled_from([m.name for m in among]), min_size=1, max_size=4)
    return st.builds(Recipe, names.map(lambda some: tuple(dict.fromkeys(some))), st.integers(0, 2**32))


def generated(
    check: Callable[[Recipe], None], slice_: int, mails: int, among: Sequence[Mutator] = MUTATORS
) -> None:
    """Hand so many recipes to a check; the same ones for the same slice."""

    @seed(slice_)
    @settings(max_examples=mails, database=None, deadline=None, suppress_health_check=list(HealthCheck))
    @given(recipes(among))
    def run(recipe: Recipe) -> None:
        check(recipe)

    run()


@dataclass
class Tally:
    """What became of many mails."""

    mails: int = 0
    exceptions: int = 0
    false: int = 0
    lost: int = 0
    ends: Counter[str] = field(default_factory=Counter)
    """`SAME as ASKED`: what was expected, and what it became."""
    findings: list[str] = field(default_factory=list)

    def count(
        self, recipe: Recipe, expected: Fate, ended: Fate, done: Sequence[str], meant: Sequence[str]
    ) -> None:
        """Judge one mail: `done` are the orders that were carried out, `meant` those of its author."""
        self.mails += 1
        self.ends[f"{expected.name} as {ended.name}"] += 1
        right = list(done) == list(meant)
        if done and not right and not (expected is Fate.ANY and _is_part(done, meant)):
            self._found("false", recipe, f"{done} for {meant}")
        elif expected is Fate.SAME and not done and ended is not Fate.ASKED:
            self._found("lost", recipe, f"ended as {ended.name}")
        elif expected in (Fate.ASKED, Fate.NOTHING) and done:
            self._found("false", recipe, f"done although {expected.name}")
        elif expected is Fate.NOTHING and ended is Fate.ASKED and "seat" not in " ".join(recipe.names):
            self._found("lost", recipe, "answered although NOTHING")
        elif expected is Fate.ASKED and ended is Fate.NOTHING:
            self._found("lost", recipe, "not asked about")

    def broke(self, recipe: Recipe, fault: Exception) -> None:
        """A mail that raised."""
        self.mails += 1
        self.exceptions += 1
        self.findings.append(f"exception: {recipe}: {fault!r}")

    def _found(self, what: str, recipe: Recipe, why: str) -> None:
        if what == "false":
            self.false += 1
        else:
            self.lost += 1
        self.findings.append(f"{what}: {recipe}: {why}")

    def as_json(self) -> str:
        """For the summary of the run."""
        numbers = {n: getattr(self, n) for n in ("mails", "exceptions", "false", "lost")}
        return json.dumps({**numbers, "ends": self.ends})


def _is_part(done: Sequence[str], meant: Sequence[str]) -> bool:
    """Whether these are some of those, in their order: what is beyond repair may lose some."""
    rest = iter(meant)
    return all(one in rest for one in done)


class Position:
    """An open question with all that reads the answers to it."""

    def __init__(
        self, letter: Letter, us: Us, tokens: Tokens, salt: bytes, person: int, reader: ReplyReader
    ) -> None:
        self.letter = letter
        self.us = us
        self.tokens = tokens
        self.salt = salt
        self.person = person
        self.reader = reader

    def orders(self, rng: random.Random) -> tuple[list[str], list[str]]:
        """Lines of a right mail, and what each stands for."""
        pool = ["MOVE F1 E5", "HOLD F2", "BUILD FORT AT LIS", "TRADE T1 SPICE 2", "ATTACK F12 C3"]
        lines = rng.sample(pool, rng.randint(1, 3))
        return lines, lines

    def meaning(self, orders: Sequence[str]) -> list[str] | None:
        """What orders that were read stand for; None if one of them cannot be carried out."""
        return list(orders)

    def ended(self, data: bytes) -> tuple[Fate, list[str]]:
        """What the pure functions make of a mail: its end, and what would be done."""
        mail = Mail(data)
        if classify(mail, self.us) is not Kind.ORDERS:
            return Fate.NOTHING, []
        who = identify(mail, self.us, self.tokens, self.salt)
        mine = who.token is None or who.token.person == self.person
        judged = verdict(who, [self.letter.author] if mine else [self.letter.opponent])
        if judged is not Verdict.APPLY:
            return (Fate.NOTHING if judged is Verdict.IGNORE else Fate.ASKED), []
        reply = self.reader.read(mail)
        if reply.empty and not reply.has_block and (one := mail.only_text_attachment) is not None:
            reply = self.reader.read(one.text or "")
        done = None if reply.disagree or doubt(reply) or reply.faults else self.meaning(reply.orders)
        return (Fate.SAME, done) if done else (Fate.ASKED, [])


class TroyesPosition(Position):
    """The same with a real question of Troyes, and its real grammar."""

    def __init__(self, letter: Letter, table: PbemTable, lines: Lines, salt: bytes, person: int) -> None:
        writer = table.app.writer
        reader = ReplyReader(table.config.mail.name, writer.us.domain, lines.order)
        super().__init__(letter, writer.us, writer.tokens, salt, person, reader)
        self.lines = lines

    @property
    def ask(self) -> Ask[object]:
        assert self.lines.ask is not None
        return self.lines.ask

    def orders(self, rng: random.Random) -> tuple[list[str], list[str]]:
        pick = random_answer(self.ask, rng)
        return [english(self.ask.menu.find(pick).said(pick))], [pick]

    def meaning(self, orders: Sequence[str]) -> list[str] | None:
        try:
            return [self.lines.read(line, self.ask).pick for line in orders]
        except Unclear:
            return None


HARBOUR = """Harbour Wars - turn 7 - Ana

YOUR ORDERS OF LAST TURN
MOVE F3 C2
HOLD F1
WHAT HAPPENED, in more words than fit on a line of any mail program that wraps at seventy-two
Bernd: ATTACK F4 E5 was beaten back.

BEGIN ORDERS 7

END ORDERS 7

Write HOLD ALL if you want nothing to move."""


@cache
def harbour() -> Position:
    """The toy game."""
    tokens = Tokens([b"k" * 32])
    mine, theirs = (tokens.make(1, 7, person, Purpose.ORDERS) for person in (1, 2))
    letter = Letter(
        name=US.name,
        address=US.address,
        reply_to=f"gm+{mine}@{US.domain}",
        message_id=f"<o.{mine}.q7.1@{US.domain}>",
        subject="[Harbour Wars] Your turn 7",
        lines=tuple(HARBOUR.splitlines()),
        form=7,
        author="ana@example.org",
        opponent="bernd@example.org",
        stale="MOEV F1 E5",
        foreign="HODL F2",
        others_reply_to=f"gm+{theirs}@{US.domain}",
    )
    return Position(letter, US, tokens, b"", 1, harbour_reader())


def letter_of(table: PbemTable, who: str, got: Got) -> Letter:
    """A letter of a table as the base of drafts."""
    other = next(p for p in ("Ana", "Ben", "Carla") if p != who)
    return Letter(
        name=table.config.mail.name,
        address=table.config.mail.address,
        reply_to=got.message["reply-to"].addresses[0].addr_spec,
        message_id=str(got.message["message-id"]).strip(),
        subject=got.subject,
        lines=tuple(got.text.splitlines()),
        form=int(got.message["x-pbem-digest"]),
        author=f"{who.lower()}@example.org",
        opponent=f"{other.lower()}@example.org",
        stale="1.1",
        foreign="977.1",
        others_reply_to=table.last(other).message["reply-to"].addresses[0].addr_spec,
    )


def moved(table: PbemTable, decisions: int, rng: random.Random) -> None:
    """Play on by chance."""
    for _ in range(decisions):
        asked = table.app.games.table(table.game()).open
        who = rng.choice(list(asked))
        pick = random_answer(asked[who], rng)
        table.clock.on(minutes=3)
        table.writes(who, english(asked[who].menu.find(pick).said(pick)), to=table.letters(who)[-1])


@cache
def troyes(decisions: int) -> TroyesPosition:
    """A question in the middle of a game; the table is thrown away, what reads its answers is kept."""
    with TemporaryDirectory() as folder:
        table = PbemTable(Path(folder))
        table.begun("Ana", "Ben", "Carla", moderators=["Dora"], seed=b"\x05" * 32)
        rng = random.Random(decisions)
        moved(table, decisions, rng)
        who = table.asked()[0]
        table.writes(who, "resend", to=table.letters(who)[-1])
        got = next(x for x in reversed(table.letters(who)) if x.message["x-pbem-digest"])
        game = table.game()
        seat = table.app.games.seat(game.id, who)
        lines = table.app.intake.play.lines(game, table.app.games.table(game), seat)
        assert seat.person is not None
        salt = salted(seat.name, seat.salt)
        position = TroyesPosition(letter_of(table, who, got), table, lines, salt, seat.person)
        assert position.reader.read("x").empty
        table.close()
    return position


def read_purely(positions: Sequence[Position], tally: Tally) -> Callable[[Recipe], None]:
    """A check by the pure functions alone."""

    def check(recipe: Recipe) -> None:
        rng = random.Random(recipe.seed)
        position = positions[rng.randrange(len(positions))]
        orders, meant = position.orders(rng)
        draft = recipe.draft(position.letter, orders)
        try:
            ended, done = position.ended(raw(draft, recipe.seed))
        except Exception as e:
            tally.broke(recipe, e)
            return
        tally.count(recipe, draft.fate, ended, done, meant)

    return check
