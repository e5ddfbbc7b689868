"""A player's mail carried out: scripts, questions about the game, undo; and the receipt that says so."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from .answers import Answers, Section
from .catalogue import lexicon
from .engine.core import scripts
from .engine.core.commands import nearest
from .engine.core.scripts import LineResult, Verdict
from .engine.core.table import Table
from .engine.core.text import Text
from .engine.core.undo import NoUndo, last_own
from .mail.reading import Ordered, Reason, Reply
from .moves import Moves
from .orders import Codes, Command, Lines, Verb
from .people import Person
from .personal import PERSONAL, Personal
from .remarks import Doubt, doubt, dropped, no_orders, of_this_game, remarks
from .store.db import stamp
from .store.games import Game, Games, Seat
from .writing import Cause, Writer

LONGEST_NOTE = 1000


@dataclass(slots=True)
class Result:
    """One line of the receipt."""

    line: str
    outcome: Text | None = None
    good: bool = True
    fault: bool = False
    """This is the line that stopped the others."""
    waits: bool = False
    """It is parked."""
    passed: bool = False
    """Its condition did not hold."""
    told: list[Text] = field(default_factory=list)
    instead: list[Text] = field(default_factory=list)


@dataclass(slots=True)
class Outcome:
    """What a mail came to."""

    results: list[Result] = field(default_factory=list)
    sections: list[Section] = field(default_factory=list)
    board: bool = False
    resend: bool = False
    changed: bool = False
    stopped: bool = False
    """A line could not be done; game lines after it were not tried."""
    preview: bool = False
    wanted: bool = False
    """Something was asked for that machines do not come upon by chance."""
    doubt: Doubt | None = None
    """Why nothing of the mail was done at all."""
    remarks: tuple[Text, ...] = ()


class Play:
    """Carries out what a seat wrote, inside the caller's transaction."""

    def __init__(self, games: Games, writer: Writer, moves: Moves, personal: Personal) -> None:
        self.games = games
        self.writer = writer
        self.moves = moves
        self.personal = personal
        self.answers = Answers(games, writer)

    def lines(self, game: Game, table: Table[Any] | None, seat: Seat) -> Lines:
        """What reads this seat's lines now."""
        ask = table.open.get(seat.name) if table is not None and game.paused is None else None
        codes, examples = self._codes(game, seat), game.rules.examples
        tested = {name for key in examples for name in game.rules.conditions(key)}
        return Lines(ask, codes, examples, self._not_asked(game, table), frozenset(tested))

    def _not_asked(self, game: Game, table: Table[Any] | None) -> Text:
        if game.state == "inviting":
            return Text("the game has not begun; it begins when all have joined")
        if game.state == "cancelled":
            return Text("this game was called off")
        if game.paused is not None:
            return Text("the table is paused by its moderator")
        if table is None or table.over:
            return Text("the game is over")
        return Text("you are not asked anything now; the table waits for {who}", who=tuple(table.open))

    def _codes(self, game: Game, seat: Seat) -> Codes:
        rows = self.games.store.all(
            "select d.n, d.options, q.closed from digest d left join question q on q.id = d.question"
            " where d.game = ? and d.seat = ? order by d.n desc limit 40",
            *(game.id, seat.name),
        )
        given = {r["n"]: r["options"].split("\n") for r in rows}
        return Codes(given, frozenset(r["n"] for r in rows if r["closed"] is None))

    def handle(
        self, game: Game, seat: Seat, person: Person, reply: Reply, lines: Lines, cause: Cause, now: datetime
    ) -> str:
        """Do all the lines of a mail, which `lines` reads, and write its receipt; gives a word for the inbox."""
        form = next((form for form in reply.blocks if form in range(1, seat.digests + 1)), None)
        lines = lines.answering(form or cause.digest)
        asked_before = self._question(game, seat)
        sifted = of_this_game(reply, self.games, self.writer.people, game, seat, person)
        reply, why = sifted.reply, doubt(reply) or sifted.doubt
        outcome = Outcome(doubt=why)
        if why is None:
            self._carry_out(game, seat, person, reply, lines, outcome, cause, now)
        person = self.writer.people.get(person.id)  # a line of this mail may have settled another zone
        outcome.remarks = sifted.remarks
        seat = self.games.seat(game.id, seat.name)
        word = "changed" if outcome.changed else "answered"
        if self._useless(outcome, person, now):
            word = "nothing"
            left = self.personal.reach.answers_left(person, now)
            if left == 0:
                return word
            if left == 1:
                last = self.personal.reach.fall_silent(game, person, cause, now)
                outcome.remarks = (*outcome.remarks, last)
        self._receipt(game, seat, person, reply, outcome, cause, now, asked_before)
        return word

    def _useless(self, outcome: Outcome, person: Person, now: datetime) -> bool:
        """Whether a mail held nothing for us, or nothing that counts and came faster than a person is."""
        if outcome.changed or outcome.wanted:
            return False
        return not (outcome.results or outcome.sections) or self.personal.reach.is_fast(person, now)

    def _question(self, game: Game, seat: Seat) -> int | None:
        open = self.games.open_questions(game.id)
        return next((q.id for q in open if q.seat == seat.name), None)

    def _carry_out(
        self,
        game: Game,
        seat: Seat,
        person: Person,
        reply: Reply,
        lines: Lines,
        outcome: Outcome,
        cause: Cause,
        now: datetime,
    ) -> None:
        script: list[str] = []
        for entry in reply.lines:
            said = entry.order if isinstance(entry, Ordered) else entry.line
            own = lines.command(said)
            if own is None:
                script.append(said)
                continue
            self._run(game, seat, script, lines, outcome, cause, now)
            script = []
            self._command(game, seat, person, own, said, outcome, cause, now)
        self._run(game, seat, script, lines, outcome, cause, now)

    # the game's own lines

    def _run(
        self,
        game: Game,
        seat: Seat,
        script: Sequence[str],
        lines: Lines,
        outcome: Outcome,
        cause: Cause,
        now: datetime,
    ) -> None:
        if not script:
            return
        if outcome.stopped:
            outcome.results += [Result(line, Text("not reached"), False) for line in script]
            return
        table = self.games.table(game) if game.state == "playing" and game.paused is None else None
        if table is None or seat.name not in table.open:
            self._not_now(game, table, script, lines, outcome)
            return
        result = scripts.run(
            table, seat.name, script, lines.read, preview=outcome.preview, tested=lines.tested
        )
        outcome.results += [_result(r, result, seat.name) for r in result.lines]
        outcome.stopped = result.fault is not None
        if outcome.preview:
            return
        if result.changed:
            outcome.changed = True
            self.moves.park(game, table, seat.name, result.parked, cause.inbox, now)
            self.moves.settle(game, table, cause, now, answered=seat)

    def _not_now(
        self, game: Game, table: Table[Any] | None, script: Sequence[str], lines: Lines, outcome: Outcome
    ) -> None:
        why = self._not_asked(game, table)
        outcome.stopped = True
        for n, line in enumerate(script):
            outcome.results.append(
                Result(line, Text("NOT DONE: {why}.", why=why) if n == 0 else Text("not reached"), False)
            )

    # the runner's own words

    def _command(
        self,
        game: Game,
        seat: Seat,
        person: Person,
        own: Command,
        said: str,
        outcome: Outcome,
        cause: Cause,
        now: datetime,
    ) -> None:
        if own.verb not in (Verb.HELP, Verb.JOIN, Verb.DECLINE):  # these stand in letters of ours
            outcome.wanted = True
        match own.verb:
            case Verb.PREVIEW:
                outcome.preview = True
                outcome.results.append(Result(said, Text("I show what would happen; nothing is done.")))
            case Verb.UNDO:
                self._undo(game, seat, own.undo_all, said, outcome, cause, now)
            case Verb.NOTE:
                outcome.results.append(self._note(game, seat, own.rest, said, now))
            case Verb.BOARD:
                outcome.board = True
            case Verb.RESEND:
                outcome.resend = True
            case Verb.JOIN | Verb.DECLINE:
                outcome.results.append(Result(said, Text("You have a seat in this game already.")))
            case own.verb if own.verb in PERSONAL:
                settled = self.personal.settle(person, own, cause, now)
                outcome.results.append(
                    Result(said, settled.said, settled.good, instead=list(settled.instead))
                )
            case _:
                outcome.sections.append(self.answers.section(game, seat.name, own, person, now))

    def _note(self, game: Game, seat: Seat, text: str, said: str, now: datetime) -> Result:
        if len(text) > LONGEST_NOTE:
            why = Text("a note may have {most} letters, yours has {n}", most=LONGEST_NOTE, n=len(text))
            return Result(said[:80] + "…", Text("NOT DONE: {why}.", why=why), False)
        insert = "insert into note (game, seat, text, at) values (?, ?, ?, ?)"
        self.games.store.run(insert, game.id, seat.name, text, stamp(now))
        return Result(said, Text("Noted; only you see it, in each digest."))

    def _undo(
        self,
        game: Game,
        seat: Seat,
        everything: bool,
        said: str,
        outcome: Outcome,
        cause: Cause,
        now: datetime,
    ) -> None:
        taken: list[Text] = []
        try:
            while not taken or everything:
                taken.append(self._undo_one(game, seat, cause, now))
        except NoUndo as e:
            if not taken:
                outcome.stopped = True
                outcome.results.append(Result(said, Text("NOT DONE: {why}.", why=e.why), False))
                return
        outcome.changed = True
        table = self.games.table(game)
        self.moves.unpark(game, seat.name)
        self.moves.settle(game, table, cause, now, answered=seat)
        outcome.results.append(Result(said, Text("Taken back: {those}.", those=tuple(taken))))

    def _undo_one(self, game: Game, seat: Seat, cause: Cause, now: datetime) -> Text:
        if game.state != "playing":
            raise NoUndo(Text("the game is over"))
        if game.paused is not None:
            raise NoUndo(Text("the table is paused by its moderator"))
        recent = self.games.recent(game.id, 60)
        table = self.games.table(game)
        inside = any(q.branch for q in self.games.open_questions(game.id))
        entries = [e for _, e in recent]
        # Inside an open round of answers nobody is told anything of the others' before all have ended.
        told = not inside and self._told_since(game, seat, recent)
        at = last_own(entries, seat.name, told, inside, table.began(seat.name))
        row, entry = recent[at]
        log = self.games.write_log(game.id, "undo", seat.name, {"answer": row}, now, cause.inbox)
        if entry.branch and inside and entry.step == table.step:
            self.games.void_branch(game, row, log)
        else:
            self.games.void_from(game, row, log, new_epoch=False)
        ask = self.games.table(game).open[seat.name]
        return ask.menu.find(entry.pick).said(entry.pick)

    def _told_since(self, game: Game, seat: Seat, recent: Sequence[tuple[int, Any]]) -> bool:
        own = next((row for row, e in reversed(recent) if e.seat == seat.name), None)
        return own is not None and self.writer.outbox.told_others(game.id, seat.person, own)

    # the receipt

    def _receipt(
        self,
        game: Game,
        seat: Seat,
        person: Person,
        reply: Reply,
        outcome: Outcome,
        cause: Cause,
        now: datetime,
        asked_before: int | None,
    ) -> None:
        table = self.games.table(game) if game.begun else None
        verdict, headline = self._verdict(reply, outcome)
        if not outcome.results and not outcome.sections and outcome.doubt is None:
            outcome.results += self._nearest(table, seat, reply)
        values: dict[str, Any] = {
            "verdict": verdict,
            "results": outcome.results,
            "ignored": [*outcome.remarks, *remarks(reply)],
            "sections": outcome.sections,
            "asked": None,
            "repeat": None,
            "whole": False,
            "menu": bool(outcome.results) or not (outcome.sections or outcome.board),
            "board": outcome.board,
            "seat": seat.name,
            "waiting": "",
        }
        if table is None:
            values["waiting"] = self.writer.say(person, Text("{why}.", why=self._not_asked(game, table)))
            values["board"] = False
        else:
            asked_now = self._question(game, seat)
            self._next(
                game,
                table,
                seat,
                person,
                values,
                asked_now is not None and asked_now != asked_before,
                outcome,
                now,
            )
        values["since"] = _not_told_above(values.get("since") or [], outcome.results)
        subject = self.writer.say(person, headline)
        if table is not None and values["asked"] is not None:
            subject += ". " + self.writer.headline(game, table, seat, values, person)
        self.writer.receipt(person, game, subject, values, cause, now, seat=seat)
        if values["asked"] is not None:
            self.writer.delivered(game, seat, values, now)

    def _next(
        self,
        game: Game,
        table: Table[Any],
        seat: Seat,
        person: Person,
        values: dict[str, Any],
        fresh: bool,
        outcome: Outcome,
        now: datetime,
    ) -> None:
        """What follows in the receipt: the next digest, the same question again, or whom the table waits for."""
        is_asked = seat.name in table.open and game.paused is None
        if is_asked and (fresh or outcome.resend or seat.digests == 0):
            values.update(self.writer.digest_values(game, table, seat, person, now))
            values["board"] = False
            return
        if outcome.resend:
            values.update(self.writer.digest_values(game, table, seat, person, now), whole=True, board=False)
            return
        if outcome.board:
            values.update(self.writer.position(game, table, seat.name))
        values["waiting"] = self.writer.waiting(game, table, person)
        values["foot"] = self.writer.foot(game, seat.name, seat.digests)
        if is_asked:
            values["repeat"] = self.writer.asked_again(game, table, seat)
            values["form"] = seat.digests

    def _verdict(self, reply: Reply, outcome: Outcome) -> tuple[Text, Text]:
        """The receipt's first sentence, and its verdict for the subject."""
        passed = sum(r.passed for r in outcome.results)
        done = sum(r.good for r in outcome.results) - passed
        stopped = [n for n, r in enumerate(outcome.results, 1) if r.fault]
        bad = next(iter(stopped or [n for n, r in enumerate(outcome.results, 1) if not r.good]), None)
        if outcome.doubt is not None:
            return outcome.doubt.verdict, outcome.doubt.headline
        if outcome.preview:
            return Text("This is a preview. Nothing was done."), Text("Preview")
        if not outcome.results:
            return self._no_orders(reply, outcome)
        if (waits := sum(r.waits for r in outcome.results)) and bad is None:
            said = Text(
                "I did {done} of your {n} lines. The others wait.", done=done - waits, n=len(outcome.results)
            )
            return said, Text("OK so far")
        if bad is None:
            said = Text("I read {n} line and did it.", "I read {n} lines and did them all.", n=done)
            if passed:
                said = Text(
                    "I did {done} of your {n} lines. The others were not needed.", done=done, n=done + passed
                )
            return said, Text("OK, and a question") if dropped(reply) else Text("OK")
        if outcome.changed and done:
            n = len(outcome.results)
            return Text("I did {done} of your {n} lines.", done=done, n=n), Text(
                "Part done: line {bad} was not", bad=bad
            )
        return Text("Nothing was done: line {bad} cannot be done.", bad=bad), Text(
            "Not done: line {bad}", bad=bad
        )

    def _nearest(self, table: Table[Any] | None, seat: Seat, reply: Reply) -> list[Result]:
        """For a mail without an order: the lines that were perhaps meant as one, with what they come near to."""
        ask = table.open.get(seat.name) if table is not None else None
        if ask is None:
            return []
        for one in reply.ignored:
            near = nearest(one.line, ask.menu, lexicon) if one.reason is Reason.CHAT else []
            if near:
                return [Result(one.line, Text("Did you mean one of these?"), False, instead=near)]
        return []

    def _no_orders(self, reply: Reply, outcome: Outcome) -> tuple[Text, Text]:
        if outcome.sections or outcome.board or outcome.resend:
            return Text("Here is what you asked for. Nothing was changed."), Text("Answer")
        return no_orders(reply)


def _not_told_above(since: Sequence[Text], results: Sequence[Result]) -> list[Text]:
    """What has happened, without that which stands beneath the lines of the receipt already."""
    above = [told for result in results for told in result.told]
    kept = []
    for told in since:
        if told in above:
            above.remove(told)
        else:
            kept.append(told)
    return kept


def _result(one: LineResult, whole: scripts.ScriptResult, seat: str) -> Result:
    result = Result(one.said)
    words = one.words or Text("{line}", line=one.line)
    match one.verdict:
        case Verdict.DONE:
            result.outcome = Text("{words}: done.", words=words)
        case Verdict.WOULD:
            result.outcome = Text("{words}: would be done.", words=words)
        case Verdict.BACK:
            result.outcome, result.good = (
                Text("{words}: not done, because a later line is wrong.", words=words),
                False,
            )
        case Verdict.PARKED:
            result.outcome, result.waits = Text("Waits until the others have answered."), True
        case Verdict.PASSED:
            assert one.only_if is not None
            result.outcome, result.passed = Text("Passed over: {why}.", why=one.only_if.why_passed_over), True
        case Verdict.NOT_REACHED:
            result.outcome, result.good = _why_not_reached(whole)
        case Verdict.FAULT:
            assert one.why is not None
            result.outcome, result.good = Text("NOT DONE: {why}.", why=one.why.why), False
            result.fault = True
            result.instead = list(one.why.instead)
    result.told = [t for told in one.told if (t := told.fact.told_to(seat)) is not None]
    if one.chance and one.verdict is Verdict.DONE:
        result.told.append(Text("This showed something new, so it stays."))
    return result


def _why_not_reached(whole: scripts.ScriptResult) -> tuple[Text, bool]:
    if whole.fault is not None:
        return Text("not reached"), False
    if not whole.foreseen:
        return Text("nobody can know beforehand what this will meet"), True
    return Text("not done: your turn was over before it"), False
