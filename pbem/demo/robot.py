"""A robot player: a process that sees only its own Maildir and answers its mail by SMTP, like anybody.

`python -m pbem.demo.robot --maildir DIR --address ana@example.org --smtp-port N --seed S --delay X`
"""

from __future__ import annotations

import argparse
import os
import random
import re
import smtplib
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from pbem.postoffice import letters, maildir
from pbem.postoffice.letters import Letter

POLL = 0.02
"""Seconds between two looks at whether the Maildir has changed."""
LOOK = 0.5
"""Seconds after which it is read whatever its time stamps say; they may be coarser than two deliveries."""
PATIENCE = 60.0
"""Seconds for which the post office may be out of reach, as when the runner is started again."""
REFUSALS = 50
"""Refused lines in a row after which the robot believes that no line of its own will ever do."""

KIND, DIGEST, GAME = "X-Pbem-Kind", "X-Pbem-Digest", "List-Id"
MENU = "WHAT YOU MAY WRITE"
JOIN = "join"

_OPTION = re.compile(r"^ {1,3}(\d+\.\d+)\s+(\S.*?)\s*$")
_MORE = re.compile(r"^\s{2,}(\S.*?)\s*$")
_EXAMPLE = re.compile(r"^e\.g\.\s+", re.IGNORECASE)
_NOT_DONE = re.compile(r"^(?:\[.*?\]\s*)?Not done\b", re.IGNORECASE)
_BEGIN = re.compile(r"^> BEGIN ORDERS\b.*\n", re.MULTILINE)

Options = dict[str, tuple[str, ...]]
"""The complete lines of each option, by its code; none where a slot is left to the reader's wit."""


class GaveUp(Exception):
    """The robot finds nothing to say that would be taken. Its text is for the host."""


@dataclass(slots=True)
class Player:
    """What a robot remembers between two mails."""

    seed: int
    answered: set[str] = field(default_factory=set)
    """The digests it has answered, each by its number."""
    refusals: int = 0
    last_sent: str = ""
    """Message-ID of its last mail; empty if that was in an earlier life."""
    _open: Options = field(default_factory=dict)
    _tried: set[str] = field(default_factory=set)

    def line(self, letter: Letter) -> str | None:
        """What to write in answer to a letter, or None for silence. Raises `GaveUp`."""
        match letter.header(KIND).lower():
            case "invitation":
                return JOIN if self._first_time(f"invitation {letter.header('Message-ID')}") else None
            case "digest" | "receipt" | "reminder":
                return self._order(letter)
        return None

    def _order(self, letter: Letter) -> str | None:
        menu = options(letter.text)
        asked_before = bool(menu) and question(letter, menu) in self.answered
        if self._refused(letter, asked_before):
            self.refusals += 1
        elif menu and not asked_before:
            self.refusals, self._tried = 0, set()
        else:
            return None
        if self.refusals >= REFUSALS:
            raise GaveUp(f"{REFUSALS} lines in a row were refused, see “{letter.header('Subject')}”")
        if not (menu or self._open):
            return None  # something else of ours was refused, such as our `join`; that is for people to mend
        if menu:
            self._open = menu
            self.answered.add(question(letter, menu))
        line = choose(self._open, self._tried, dice(self.seed, letter, "line"))
        self._tried.add(line)
        return line

    def _refused(self, letter: Letter, asked_before: bool) -> bool:
        """Whether a receipt says no: in its subject, or by asking the same thing again.

        A receipt for an older mail of ours says nothing about the question that is open now.
        """
        if letter.header(KIND).lower() != "receipt":
            return False
        about = letter.header("In-Reply-To")
        if about and self.last_sent and about != self.last_sent:
            return False
        return asked_before or bool(_NOT_DONE.match(letter.header("Subject")))

    def _first_time(self, question: str) -> bool:
        if question in self.answered:
            return False
        self.answered.add(question)
        return True


def options(text: str) -> Options:
    """The menu in a mail's text: each open option with the lines that can be copied."""
    found: dict[str, list[str]] = {}
    code, words, example = "", "", ""
    for line in _menu(text):
        if option := _OPTION.match(line):
            code, example = option[1], ""
            words = re.split(r"\s{2,}", option[2])[0]
            found[code] = _whole(words)
        elif (more := _MORE.match(line)) and code:
            if _EXAMPLE.match(more[1]):
                words, example = "", _EXAMPLE.sub("", more[1])
            elif example.endswith(";"):  # a list of examples that went on
                example = more[1]
            elif words:  # the option itself went on
                words = f"{words} {more[1]}"
                found[code] = _whole(words)
                continue
            else:
                continue
            found[code] += [one.strip() for one in example.split(";") if one.strip()]
    return {code: tuple(dict.fromkeys(lines)) for code, lines in found.items()}


def _whole(words: str) -> list[str]:
    """The words as a line to copy, unless places in them are to be filled."""
    return [] if "<" in words else [words]


def choose(menu: Options, tried: set[str], rng: random.Random) -> str:
    """Any option, then any of its complete lines; what was refused already only when nothing else is left.

    Raises `GaveUp` if the menu holds no complete line.
    """
    whole = [lines for lines in menu.values() if lines]
    fresh = [left for lines in whole if (left := tuple(line for line in lines if line not in tried))]
    if not whole:
        raise GaveUp("I am asked something, but the mail holds no line that I could copy")
    return rng.choice(rng.choice(fresh or whole))


def question(letter: Letter, menu: Options) -> str:
    """The game and the digest that asks."""
    return f"{letter.header(GAME)} {number(letter, menu)}"


def number(letter: Letter, menu: Options) -> str:
    """The number of the digest that asks, from the header or else from the codes of its menu."""
    return letter.header(DIGEST) or next(iter(menu)).partition(".")[0]


def dice(seed: int, letter: Letter, purpose: str) -> random.Random:
    """The robot's luck for one letter; the same after a restart, so that it says the same thing again.

    It hangs on the number of the question and not on names or dates, so that a game can be played again.
    """
    return random.Random(f"{seed} {purpose} {letter.header(DIGEST) or letter.header('Message-ID')}")


def body(line: str, letter: Letter, rng: random.Random) -> str:
    """The line as one of the ways in which people answer: alone, above the quotation, or inside its form."""
    original = letters.quoted(letter.text)
    style = rng.choice(("alone", "above", "inside", "inside quoted"))
    if style.startswith("inside") and _BEGIN.search(original):
        mark = "> " if style == "inside quoted" else ""
        filled = _BEGIN.sub(lambda begin: f"{begin[0]}{mark}{line}\n", original, count=1)
        return f"{letters.attribution(letter)}\n\n{filled}"
    return line + "\n" if style == "alone" else letters.below(line, letter)


def is_end(letter: Letter) -> bool:
    """Whether the game is over."""
    return letter.header(KIND).lower() == "end"


class Robot:
    """A player, its mailbox and its way to the post office."""

    def __init__(
        self,
        folder: Path,
        address: str,
        smtp: tuple[str, int],
        seed: int,
        delay: float,
        name: str = "",
        games: int = 1,
    ) -> None:
        """`delay` in seconds, for each answer; `games`: how many shall end, those of earlier lives too."""
        self._folder = folder
        self._me = (name, address)
        self._smtp = smtp
        self._delay = delay
        self._player = Player(seed)
        self._read: set[str] = set()
        self._stamps: tuple[int, ...] = ()
        self._looked = 0.0
        self._games = games

    def play(self, goes_on: Callable[[], bool]) -> None:
        """Answer mail until its games have ended or `goes_on` says no. Raises `GaveUp`, or `OSError` without a post
        office."""
        while goes_on():
            for key, letter, done in self._new():
                if not is_end(letter):
                    self._deal_with(key, letter, done)
                    continue
                self._games -= 1
                if not self._games:
                    return
            time.sleep(POLL)

    def _new(self) -> Iterator[tuple[str, Letter, bool]]:
        """Key and letter of what came since the last look, and whether an earlier life answered it."""
        stamps, now = self._stamp(), time.monotonic()
        if stamps == self._stamps and now - self._looked < LOOK:
            return
        self._stamps, self._looked = stamps, now
        for mail in maildir.listing(self._folder):
            if mail.key in self._read:
                continue
            raw = maildir.read(self._folder, mail.key)
            if raw is not None:
                yield mail.key, letters.parse(raw), maildir.REPLIED in mail.flags
            self._read.add(mail.key)

    def _stamp(self) -> tuple[int, ...]:
        try:
            return tuple((self._folder / part).stat().st_mtime_ns for part in ("new", "cur"))
        except FileNotFoundError:  # nothing was delivered yet
            return ()

    def _deal_with(self, key: str, letter: Letter, done: bool) -> None:
        line = self._player.line(letter)
        if line is not None and not done:
            time.sleep(self._delay)
            self._send(line, letter)
            maildir.mark(self._folder, key, maildir.SEEN + maildir.REPLIED)
        else:
            maildir.mark(self._folder, key, maildir.SEEN)

    def _send(self, line: str, letter: Letter) -> None:
        text = body(line, letter, dice(self._player.seed, letter, "style"))
        message = letters.reply(letter, self._me, text, "", datetime.now().astimezone())
        recipients = [address.addr_spec for address in message["To"].addresses]
        until = time.monotonic() + PATIENCE
        while True:
            try:
                letters.hand_in(message, self._me[1], recipients, *self._smtp)
            except OSError as error:
                if is_final(error) or time.monotonic() > until:
                    raise
                time.sleep(POLL)
            else:
                self._player.last_sent = message["Message-ID"]
                return


def is_final(error: OSError) -> bool:
    """Whether the post office will never take this mail (5xx), as against not now."""
    match error:
        case smtplib.SMTPRecipientsRefused():
            return all(code >= 500 for code, _ in error.recipients.values())
        case smtplib.SMTPResponseException():
            return error.smtp_code >= 500
    return False


def main(arguments: Sequence[str] | None = None) -> int:
    """The command: exit status 0 after the end of the game, 1 if the robot is at its wit's end."""
    parser = argparse.ArgumentParser(
        prog="python -m pbem.demo.robot", description="A robot that plays by mail."
    )
    parser.add_argument("--maildir", type=Path, required=True, help="the robot's own Maildir")
    parser.add_argument("--address", required=True, help="the robot's own address")
    parser.add_argument("--name", default="", help="the name in its From header")
    parser.add_argument("--smtp-host", default="127.0.0.1")
    parser.add_argument("--smtp-port", type=int, required=True)
    parser.add_argument("--seed", type=int, default=0, help="the same seed plays the same answers")
    parser.add_argument("--delay", type=float, default=0.0, help="seconds of thought for each answer")
    parser.add_argument("--games", type=int, default=1, help="how many games shall end before it leaves")
    given = parser.parse_args(arguments)
    robot = Robot(
        *(given.maildir, given.address, (given.smtp_host, given.smtp_port), given.seed, given.delay),
        *(given.name, given.games),
    )
    parent = os.getppid()
    try:
        robot.play(lambda: os.getppid() == parent)  # whoever started us may be killed; nobody plays on alone
    except (GaveUp, OSError) as reason:
        print(f"{given.address}: {reason}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        pass
    return 0


def _menu(text: str) -> Iterator[str]:
    """The indented lines of the menu: from its heading to the next line that begins at the margin."""
    inside = begun = False
    for line in text.splitlines():
        if line.startswith(MENU):
            inside, begun = True, False
        elif inside and line.startswith(" "):
            begun = True
            yield line
        elif inside and line and begun:
            return


if __name__ == "__main__":
    sys.exit(main())
