"""Playing stored games again from their answers, and proving that the same comes out (D-4).

Each step is proved by itself, with everything later out of sight: from its checkpoint, its answers must lead to
just the checkpoint that is stored next. The first checkpoint must follow from the setup, a corrected one from
the one it took the place of.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec

from .engine.core.asks import DICE, Chancy, Reveal
from .engine.core.canon import canonical, fingerprint
from .engine.core.chance import Seeded
from .engine.core.facts import dump_fact, kind_of
from .engine.core.ruleset import BadPath, Ruleset
from .engine.core.slots import NotOpen
from .engine.core.table import Checkpoint, RulesFault, Table, Told
from .store.games import Game, Games, entry_of, unpack

Progress = Callable[[int, int], None]
"""Called with the number of steps done and of all steps."""


@dataclass(frozen=True, slots=True)
class Fault:
    """Something stored that does not follow from what came before it."""

    step: int
    what: str
    answer: int | None = None
    """The row of the answer that does not fit, where it is one."""

    def __str__(self) -> str:
        place = f"step {self.step}" + (f", answer {self.answer}" if self.answer is not None else "")
        return f"{place}: {self.what}"


@dataclass(slots=True)
class Proof:
    """What was proved about one game, and what does not fit."""

    game: str
    steps: int = 0
    answers: int = 0
    facts: int = 0
    corrections: int = 0
    rolls: int = 0
    from_seed: int = 0
    """How many of the rolls and shuffles follow from the game's seed."""
    faults: list[Fault] = field(default_factory=list)

    @property
    def proved(self) -> bool:
        """Whether everything fits."""
        return not self.faults


class _TapeEnds(Exception):
    """Chance is asked for something that is not on the tape."""


class _Altered(Exception):
    """An answer on the tape does not fit."""

    def __init__(self, row: int, why: str) -> None:
        super().__init__(why)
        self.row = row


class OneStep:
    """The ruleset, but for one step; each border gets the ruling number that is stored for it."""

    def __init__(self, rules: Ruleset[Any], rulings: Sequence[int]) -> None:
        self._rules = rules
        self._rulings = list(rulings)
        self._begun = False

    @property
    def ruling(self) -> int:
        return self._rulings.pop(0) if len(self._rulings) > 1 else self._rulings[0]

    def step(self, g: Any) -> Any:
        if self._begun:
            return None
        self._begun = True
        return self._rules.step(g)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._rules, name)


class _FromTape:
    """Chance that says what is on the tape, and counts which rolls follow from the seed."""

    def __init__(self, game: Game, rows: Mapping[int, sqlite3.Row], proof: Proof) -> None:
        self.rows = rows
        self.used: set[int] = set()
        self._proof = proof
        self._epochs = [Seeded(game.seed, epoch) for epoch in range(game.epoch + 1)]

    def answer(self, asked: Chancy, step: int, n: int) -> str:
        row = self.rows.get(n)
        if row is None:
            raise _TapeEnds
        if row["key"] != asked.key:
            raise _Altered(row["id"], f"“{asked.key}” is rolled here, not “{row['key']}”")
        pick = str(row["pick"])
        try:
            asked.read(pick)
        except NotOpen:
            raise _Altered(row["id"], f"“{asked.key}” cannot come out as it is stored") from None
        self.used.add(row["id"])
        if not isinstance(asked, Reveal):
            self._proof.rolls += 1
            self._proof.from_seed += any(s.answer(asked, step, n) == pick for s in self._epochs)
        return pick


def prove(games: Games, game: Game, progress: Progress | None = None) -> Proof:
    """Play a stored game again, step by step, and compare."""
    return _Prover(games, game).run(progress or (lambda done, all: None))


class _Prover:
    def __init__(self, games: Games, game: Game) -> None:
        self.store = games.store
        self.game = game
        self.games = games
        self.rules = game.rules
        self.proof = Proof(game.title)

    def run(self, progress: Progress) -> Proof:
        rows = self.store.all("select * from step where game = ? and void is null order by n", self.game.id)
        self._nothing_is_missing([row["n"] for row in rows])
        for i, row in enumerate(rows):
            following = rows[i + 1] if i + 1 < len(rows) else None
            self._step(row, following)
            self.proof.steps += 1
            progress(i + 1, len(rows))
        return self.proof

    def _fault(self, step: int, what: str, answer: int | None = None) -> None:
        self.proof.faults.append(Fault(step, what, answer))

    def _nothing_is_missing(self, steps: list[int]) -> None:
        for n in sorted(set(range(len(steps))) - set(steps)):
            self._fault(n, "its checkpoint is missing")
        if not steps and self.game.begun:
            self._fault(0, "the game has begun and has no checkpoint")
        for table in ("answer", "fact"):
            rows = self.store.all(
                f"select distinct step from {table} where game = ? and void is null", self.game.id
            )
            for row in rows:
                if row["step"] not in steps:
                    self._fault(row["step"], f"there are {table}s for a step that has no checkpoint")

    def _saved(self, row: sqlite3.Row) -> Any:
        """A checkpoint's content, its hash and its ruling number compared; None if it cannot be used."""
        try:
            saved = unpack(row["saved"])
            g = self.rules.load(saved)
        except ValueError as e:
            self._fault(row["n"], f"the stored checkpoint cannot be read: {e}")
            return None
        if fingerprint(saved) != row["hash"]:
            self._fault(row["n"], "the stored checkpoint does not have its stored hash; it was altered")
        if g.ruling != row["ruling"]:
            self._fault(row["n"], "the ruling number beside the checkpoint is not the one in it")
        return saved

    # one step

    def _step(self, row: sqlite3.Row, following: sqlite3.Row | None) -> None:
        saved = self._saved(row)
        if row["n"] == 0:
            self._first(self._origin(row))
        if saved is None:
            return
        self._origin(row, count=True)
        rulings = [row["ruling"], following["ruling"] if following is not None else self.rules.ruling]
        tape = self.store.all(
            "select * from answer where game = ? and step = ? and void is null order by id",
            *(self.game.id, row["n"]),
        )
        self.proof.answers += len(tape)
        dice = {r["ord"]: r for r in tape if r["seat"] == DICE}
        chance = _FromTape(self.game, dice, self.proof)
        rules: Any = OneStep(self.rules, rulings)
        table = Table(rules, self.rules.load(saved), step=row["n"], chance=chance)
        if not self._played(table, tape, row["n"]):
            return
        for left in dice.values():
            if left["id"] not in chance.used:
                self._fault(row["n"], "the dice are not asked here", left["id"])
        self._facts(row["n"], table.news.told)
        if following is None:
            self._last(row, table)
        else:
            self._leads_on(row, table.news.checkpoints, following)

    def _played(self, table: Table[Any], tape: Sequence[sqlite3.Row], step: int) -> bool:
        """Feed the tape to the step; False where that cannot be done to its end."""
        current: int | None = None
        try:
            table.start()
            for row in tape:
                if row["seat"] != DICE:
                    current = row["id"]
                    self._answer(table, row)
        except _TapeEnds:
            self._fault(step, "the dice's answer is missing", current)
        except _Altered as e:
            self._fault(step, str(e), e.row)
        except (RulesFault, ArithmeticError, LookupError, ValueError, TypeError, AssertionError) as e:
            self._fault(step, f"the rules cannot go on from here ({type(e).__name__})", current)
        else:
            return True
        return False

    def _answer(self, table: Table[Any], row: sqlite3.Row) -> None:
        """One stored answer to the question that is open; raises `_Altered` with what does not fit."""
        entry = entry_of(row)
        ask = table.open.get(entry.seat)
        if ask is None:
            waits = ", ".join(table.open) or "nobody"
            raise _Altered(row["id"], f"{entry.seat} is not asked anything here; asked is {waits}")
        if ask.key != entry.key:
            raise _Altered(row["id"], f"{entry.seat} is asked “{ask.key}” here, not “{entry.key}”")
        if table.place(entry.seat) != (entry.step, entry.branch, entry.n):
            raise _Altered(row["id"], f"the answer of {entry.seat} to “{entry.key}” stands in another place")
        try:
            table.answer(entry.seat, entry.pick, entry.by)
        except NotOpen:
            why = f"what {entry.seat} is said to have answered to “{entry.key}” is not open there"
            raise _Altered(row["id"], why) from None

    def _facts(self, step: int, told: Sequence[Told]) -> None:
        rows = self.store.all(
            "select * from fact where game = ? and step = ? and void is null order by ordinal",
            *(self.game.id, step),
        )
        self.proof.facts += len(rows)
        stored = [(r["ordinal"], r["kind"], r["data"]) for r in rows]
        again = [(t.ordinal, kind_of(t.fact), canonical(dump_fact(t.fact)).decode()) for t in told]
        if stored != again:
            at = next((i for i, (a, b) in enumerate(zip(stored, again, strict=False)) if a != b), None)
            where = (
                f"fact {at} was altered" if at is not None else f"{len(stored)} are stored, {len(again)} told"
            )
            self._fault(step, f"the stored facts are not those that the answers tell: {where}")

    def _leads_on(self, row: sqlite3.Row, checkpoints: Sequence[Checkpoint], following: sqlite3.Row) -> None:
        """The step must have ended, at what is stored next."""
        if len(checkpoints) < 2:
            self._fault(row["n"], "its answers end before the step does, and there are later steps")
            return
        if following["n"] != row["n"] + 1:
            return  # the gap was told already
        first = self._origin(following)
        if fingerprint(checkpoints[1].saved) != fingerprint(self._content(first)):
            self._fault(following["n"], f"its checkpoint is not what step {row['n']} and its answers lead to")

    def _last(self, row: sqlite3.Row, table: Table[Any]) -> None:
        """The newest step waits for just the questions that are stored as open; of a game that is over, it is
        the end."""
        if len(table.news.checkpoints) > 1:
            self._fault(row["n"], "its answers end the step, and the next checkpoint is missing")
        elif self.game.state == "over" and self.rules.outcome(table.g) is None:
            self._fault(row["n"], "the game is marked as over and is not")
        open = self.store.all(
            "select step, branch, ord, seat, key from question where game = ? and closed is null",
            self.game.id,
        )
        stored = sorted(tuple(r) for r in open)
        again = sorted((*table.place(s), s, ask.key) for s, ask in table.open.items())
        if stored != again and len(table.news.checkpoints) == 1:
            asked = ", ".join(f"{s} “{k}”" for *_, s, k in again) or "nobody"
            self._fault(row["n"], f"the questions stored as open are not those that are: asked is {asked}")

    # where checkpoints come from

    def _content(self, row: sqlite3.Row) -> Any:
        try:
            return unpack(row["saved"])
        except ValueError:
            return None

    def _first(self, row: sqlite3.Row) -> None:
        """The first checkpoint is the setup, with the ruling number pinned to it."""
        g = self.games.set_up(self.game)
        g.ruling = row["ruling"]
        if fingerprint(self.rules.dump(g)) != fingerprint(self._content(row)):
            self._fault(0, "the first checkpoint is not what seats, options and data set up")

    def _origin(self, row: sqlite3.Row, count: bool = False) -> sqlite3.Row:
        """The checkpoint that play came to, before corrections made this one of it; each is proved on the way
        when `count` is set."""
        while True:
            log = self._correction(row)
            if log is None:
                return row
            data = msgspec.json.decode(log["data"])
            before = self.store.one("select * from step where id = ?", data["checkpoint"])
            if before is None or before["n"] != row["n"] or before["game"] != self.game.id:
                self._fault(row["n"], f"correction {log['id']} names a checkpoint that is not there")
                return row
            if count:
                self._corrected(before, row, data, log["id"])
            row = before

    def _correction(self, row: sqlite3.Row) -> sqlite3.Row | None:
        """The log entry that made this checkpoint, if a correction did."""
        return self.store.one(
            "select l.* from log l where l.game = ?1 and l.kind = 'correct'"
            " and json_extract(l.data, '$.step') = ?2 and (select min(s.id) from step s where s.game = ?1"
            " and s.n = ?2 and s.id > json_extract(l.data, '$.checkpoint')) = ?3 limit 1",
            *(self.game.id, row["n"], row["id"]),
        )

    def _corrected(self, before: sqlite3.Row, after: sqlite3.Row, data: Mapping[str, Any], log: int) -> None:
        self.proof.corrections += 1
        saved = self._saved(before)
        if saved is None:
            return
        g = self.rules.load(saved)
        try:
            self.rules.write(g, data["path"], data["value"])
        except BadPath:
            self._fault(after["n"], f"correction {log} of {data['path']} cannot be made")
            return
        if fingerprint(self.rules.dump(g)) != fingerprint(self._content(after)):
            self._fault(after["n"], f"its checkpoint is not what correction {log} of {data['path']} makes")
