"""What the receipt of a mail remarks: why nothing of it may be done, what is not of this game, what was odd."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from .engine.core.text import Text
from .mail.mime import MAX_BYTES, MAX_LINES, MAX_PARTS, Cut
from .mail.reading import Reason, Reply
from .people import People, Person
from .store.games import Game, Games, Seat

_OF_A_MENU = re.compile(r"\d{1,5}\.\d{1,3}\s+\S")
"""A code with words behind it is how our own letters list what may be written."""
_LONGEST = 120


@dataclass(frozen=True, slots=True)
class Doubt:
    """Why nothing of a mail is done, and the same as the subject says it."""

    verdict: Text
    headline: Text


def doubt(reply: Reply) -> Doubt | None:
    """Why nothing of this mail may be done, if so: a part of it is missing."""
    if reply.cut is not None:
        return _cut(reply.cut, reply.last[:_LONGEST])
    if reply.unclosed:
        return Doubt(
            Text(
                "Below your block of orders there is no line END ORDERS, so some of it may be missing. The last"
                " line that I have is “{line}”. Nothing was done. Please send it again with that line.",
                line=reply.last[:_LONGEST],
            ),
            Text("Not done: the end of your orders is missing"),
        )
    return None


def _cut(why: Cut, last: str) -> Doubt:
    headline = Text("Not done: your mail is too long")
    if why is Cut.SIZE:
        told = Text(
            "Your mail is longer than {n} MB, and I read none that is. Nothing of it was done. Please send your"
            " orders again without pictures and attachments.",
            n=MAX_BYTES // 1_000_000,
        )
    elif why is Cut.PARTS:
        told = Text(
            "Your mail has too many parts; I read at most {n}, and few that stand in each other. Nothing of it"
            " was done. Please send your orders again as plain text.",
            n=MAX_PARTS,
        )
    elif why is Cut.LINES:
        told = Text(
            "Your mail has more text than I read, which is {n} lines. Nothing of it was done. Please send your"
            " orders again without the letters below them.",
            n=MAX_LINES,
        )
    else:
        told = Text(
            "Your mail was cut on its way. The last line that I have is “{line}”. Nothing of it was done. Please"
            " send it again.",
            line=last,
        )
        headline = Text("Not done: your mail was cut on its way")
    return Doubt(told, headline)


@dataclass(frozen=True, slots=True)
class Sifted:
    """An answer without the blocks that are of another game."""

    reply: Reply
    remarks: tuple[Text, ...] = ()
    doubt: Doubt | None = None


def of_this_game(
    reply: Reply, games: Games, people: People, game: Game, seat: Seat, person: Person
) -> Sifted:
    """Leaves out what stands in the form of another game's letter; each form has the number of its digest."""
    forms = [form for form in reply.blocks if form is not None]
    others = _newest(games, people, game, person) if forms else {}
    foreign = {f for f in forms if f != seat.digests and (f > max(1, seat.digests) or f in others.values())}
    if not others:
        return Sifted(reply)
    titles = tuple(others)
    if forms.count(seat.digests) > 1 and seat.digests in others.values():
        return Sifted(reply, doubt=_two_games(seat.digests, (game.title, *titles)))
    if not foreign:
        return Sifted(reply)
    remarks = tuple(
        Text(
            "The block BEGIN ORDERS {n} is not of this game; nothing of it was done. Please answer the letter of"
            " its own game: {games}.",
            n=form,
            games=tuple(t for t, newest in others.items() if newest == form) or titles,
        )
        for form in dict.fromkeys(f for f in forms if f in foreign)
    )
    return Sifted(replace(reply, lines=tuple(e for e in reply.lines if e.form not in foreign)), remarks)


def _newest(games: Games, people: People, game: Game, person: Person) -> dict[str, int]:
    """The person's other games that go on, with the number of their newest digest in each."""
    found: dict[str, int] = {}
    for number in people.games_of(person.id):
        other, seat = games.get(number), games.seat_of(number, person.id)
        if number != game.id and seat is not None and other.state in ("inviting", "playing"):
            found[other.title] = max(1, seat.digests)
    return found


def _two_games(form: int, titles: Sequence[str]) -> Doubt:
    return Doubt(
        Text(
            "Your mail has two blocks BEGIN ORDERS {n}, and I cannot tell which is for which of your games:"
            " {games}. Nothing was done. Please answer each game's own letter.",
            n=form,
            games=tuple(titles),
        ),
        Text("Question: which game?"),
    )


# what the receipt remarks


def dropped(reply: Reply) -> tuple[str, ...]:
    """Lines that were not read although they are orders, those of our own menus left out."""
    return tuple(line for line in reply.dropped if not _OF_A_MENU.match(line))


def remarks(reply: Reply) -> list[Text]:
    """What was not read, and why, and what was odd about the mail, for the receipt."""
    return [*_oddities(reply), *_ignored(reply)]


def _oddities(reply: Reply) -> list[Text]:
    lines: list[Text] = []
    if reply.part == "attachment":
        lines.append(Text("Your orders were read from the attachment {names}.", names=reply.attachments))
    if reply.undeclared:
        lines.append(
            Text("Your mail was encoded (quoted-printable) and did not say so; I have read it decoded.")
        )
    if reply.spoilt:
        lines.append(
            Text(
                "Many letters of your mail came as question marks: a server on its way does not know them. You"
                " may write all names without accents."
            )
        )
    if reply.below_mark:
        lines.append(
            Text(
                "Your orders stood below the mark of a signature, “--”; they were read, as none stood above."
            )
        )
    if lost := dropped(reply):
        asked = Text(
            "Did you mean these lines as orders, too? {lines}. They stand in a quotation, below a signature's"
            " mark, outside your block or at the end of a sentence, so I did not do them. If you mean them, please"
            " send them again.",
            lines=tuple(f"“{line[:80]}”" for line in lost),
        )
        lines.append(asked)
    return lines


def _ignored(reply: Reply) -> list[Text]:
    said = {
        Reason.SIGNATURE: Text("signature"),
        Reason.CHAT: Text("not an order"),
        Reason.COMMENT: Text("comment"),
        Reason.FORWARDED: Text("somebody else's text"),
        Reason.BESIDE: Text("outside your block of orders"),
        Reason.TOO_LONG: Text("too long"),
    }
    lines: list[Text] = []
    for one in reply.ignored[:12]:
        if one.reason is Reason.QUOTATION:
            lines.append(Text("Ignored: {n} quoted line.", "Ignored: {n} quoted lines.", n=one.n))
        else:
            lines.append(Text("Ignored: “{line}” ({why}).", line=one.line[:80], why=said[one.reason]))
    if reply.has_block:
        outside = [a for a in reply.attempts if not a.inside and a not in reply.lines]
        lines += [
            Text("Not read, because it stands outside your block: “{line}”.", line=a.line[:80])
            for a in outside
        ]
    return lines


def no_orders(reply: Reply) -> tuple[Text, Text]:
    """What is said of a mail in which nothing was found to do, and the same for the subject."""
    headline = Text("Not done: I found no order")
    if dropped(reply):
        return (
            Text("I found no order in your mail, save in lines that I did not read; nothing was done."),
            Text("Question: did you mean these lines?"),
        )
    if reply.outlook:
        return (
            Text(
                "I found no order in your mail. It came packed in a file winmail.dat, which only Outlook can"
                " open. Please set Outlook to plain text (File, Options, Mail, “Compose messages in this format”)"
                " and send your orders again."
            ),
            headline,
        )
    if reply.texts > 1:
        return (
            Text(
                "I found no order in your mail itself, and {n} text files with it ({names}). Which of them do"
                " you mean? Nothing was done. Please send that one alone, or write the orders into the mail.",
                n=reply.texts,
                names=reply.attachments,
            ),
            Text("Question: which file?"),
        )
    if reply.attachments:
        why = Text(
            "I found no order in your mail. Attachments are not read ({names}); please write the orders into"
            " the mail itself.",
            names=reply.attachments,
        )
        return why, headline
    first = next((i.line for i in reply.ignored if i.reason is Reason.CHAT), "")
    if first:
        said = Text(
            "I read your mail and found no line I could take as an order. It said: “{line}”.",
            line=first[:_LONGEST],
        )
        return said, headline
    return Text("I read your mail and found nothing in it."), headline
