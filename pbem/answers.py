"""Answers to questions about the game: status, help, rules, log, look."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from .digests import render
from .engine.core.text import Text
from .orders import Command, Verb
from .people import Person
from .store.games import Game, Games
from .writing import Writer

LOG_LINES = 20


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a receipt under its own heading."""

    title: Text
    lines: tuple[Text, ...]


class Answers:
    """Answers from what a seat may see."""

    def __init__(self, games: Games, writer: Writer) -> None:
        self.games = games
        self.writer = writer

    def section(self, game: Game, seat: str | None, own: Command, person: Person, now: datetime) -> Section:
        """The answer to one question."""
        match own.verb:
            case Verb.STATUS:
                return Section(Text("Status"), self._status(game, person))
            case Verb.LOG:
                return Section(Text("Log"), self._log(game, seat, int(own.rest or LOG_LINES)))
            case Verb.RULES | Verb.LOOK:
                return Section(Text("{word}", word=own.rest), self._lookup(game, own.rest))
        if own.rest:
            return Section(Text("Help: {word}", word=own.rest), self._help_on(game, own.rest))
        return Section(Text("Help"), GENERAL_HELP)

    def _status(self, game: Game, person: Person) -> tuple[Text, ...]:
        if game.state == "inviting":
            open = tuple(s.name for s in self.games.seats(game.id) if s.answered != "joined")
            return (Text("The game begins when all have joined. Not yet there: {who}.", who=open),)
        table = self.games.table(game)
        lines = [Text("{title}: {label}.", title=game.title, label=game.rules.position(table.g).label)]
        if game.paused is not None:
            lines.append(Text("The table is paused by its moderator."))
        for q in self.games.open_questions(game.id):
            opened = render.short(q.opened, person.zone, person.language)
            if q.due is None or game.paused is not None:
                lines.append(Text("{who} is asked, since {opened}.", who=q.seat, opened=opened))
            else:
                due = render.short(q.due, person.zone, person.language)
                lines.append(
                    Text("{who} is asked, since {opened}, until {due}.", who=q.seat, opened=opened, due=due)
                )
        if table.over:
            lines.append(Text("The game is over."))
        else:
            lines.append(Text("Times are those of {zone}.", zone=person.zone))
        return tuple(lines)

    def _log(self, game: Game, seat: str | None, n: int) -> tuple[Text, ...]:
        texts, _ = self.writer.told(game, seat, 0, min(n, 500))
        return tuple(texts[-n:]) or (Text("Nothing has happened yet."),)

    def _lookup(self, game: Game, word: str) -> tuple[Text, ...]:
        if game.state == "inviting":
            return (Text("The game has not begun."),)
        found = game.rules.lookup(self.games.table(game).g, word)
        if not found:
            return (
                Text(
                    "I know nothing under “{word}”. Try the name of a card, a building or a term.", word=word
                ),
            )
        lines: list[Text] = []
        for entry in found[:8]:
            lines.append(Text("{name}:", name=entry.name))
            lines += entry.lines
        return tuple(lines)

    def _help_on(self, game: Game, word: str) -> tuple[Text, ...]:
        if word.casefold() in CONDITION:
            return HELP_IF
        for verb, text in HELP.items():
            if verb.value == word.casefold():
                return (text,)
        if game.state == "playing":
            return self._lookup(game, word)
        return GENERAL_HELP


HELP = {
    Verb.PREVIEW: Text("preview as the first line: I show what your lines would do, and do nothing."),
    Verb.UNDO: Text(
        "undo takes back your own last answer, as long as nothing was rolled, shown, told to others or answered"
        " since. undo all goes back to the start of your turn under the same rule."
    ),
    Verb.STATUS: Text("status: whom the table waits for, and until when."),
    Verb.BOARD: Text("board: the whole board as you may see it."),
    Verb.RULES: Text("rules <word>: what we know about a card, a building or a term."),
    Verb.LOOK: Text("look <card or place>: the same as rules."),
    Verb.LOG: Text("log <number>: the last things you were told; without a number, twenty."),
    Verb.RESEND: Text("resend: your whole digest again."),
    Verb.NOTE: Text("note <text>: keeps a private note, shown in each of your digests."),
    Verb.ZONE: Text("zone <place>: your times in that time zone, like Europe/Lisbon."),
    Verb.ADDRESS: Text(
        "address <new address>: letters go there; address also <address>: you may write from there too. Both are asked"
        " first."
    ),
    Verb.STOP: Text("stop: no more mail from here; start: mail again."),
}
CONDITION = ("if", "condition", "conditions", "se")
HELP_IF = (
    Text(
        "if <condition>: <lines> does what stands after the colon, to the end of that line, only if the condition holds"
        " when its turn comes. Like this: if won: put 2 on mine; banish ben to tribunal"
    ),
    Text(
        "A condition is one fact that the open question tells everybody, alone or compared with a number: if lost: …"
        " · if not won: … · if attack-dice >= 4: … Inside a turn you may use it for what nobody can know yet; if it"
        " does not hold, the line is passed over and the next one is done."
    ),
)
GENERAL_HELP = (
    Text(
        "Answer a digest with the lines you choose: copy one, shorten it, or write its code alone, like 12.3."
    ),
    Text(
        "A mail may hold a whole turn, one line each. It is tried first; a wrong line means that nothing is done."
    ),
    Text("A line may hang on what happens: if won: put 2 on mine. help if says how."),
    *HELP.values(),
)
