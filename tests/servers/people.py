"""The four people at the table: they see their mail alone, choose from it, and write in their own style.

One of them acts at a time and waits for what comes of it, so that the same seed is the same exchange of letters.
"""

from __future__ import annotations

import random
import re
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Protocol

from pbem.demo.robot import Options, choose, number, options, question
from pbem.postoffice import letters
from pbem.postoffice.letters import Letter

from . import styles
from .styles import Writing

NAMES = ("Ana", "Ben", "Carla", "Dora")
PATIENCE = 60.0
"""Seconds for a letter to come."""
LOOK = 0.03
"""Seconds between two looks into the mailboxes."""
SLIPS = {"Ana": 8, "Carla": 5}
"""Who writes a wrong line now and then: at each so many of their mails."""
TWICE = {"Ben": 4, "Dora": 9}
"""Who sends one mail twice: the mail with this number of theirs."""
STATUS_EVERY = 23
"""After so many mails somebody who is not asked anything wants to know how things are."""

_REFUSED = re.compile(r"^(?:\[.*?\]\s*)?Not done\b")
_OPTION = re.compile(r"^ {1,3}(\d+\.\d+)\s+(\S.*?)(?:\s{2,}.*)?$", re.M)


class Post(Protocol):
    """A person's way to the world."""

    def send(self, who: str, raw: bytes) -> None:
        """Hand in a mail."""

    def fetch(self, who: str) -> list[bytes]:
        """What has come since the last look, oldest first."""


@dataclass(frozen=True, slots=True)
class Sent:
    """One mail, and what its writer meant."""

    who: str
    raw: bytes
    why: str
    """join, order, slip, twice, status."""
    meant: str = ""
    """The answer in the menu's full words; empty where none was meant."""
    typed: str = ""
    style: str = ""
    """Which of its writer's programs made it, and in which language."""

    @property
    def id(self) -> str:
        """Its Message-ID."""
        return letters.parse(self.raw).header("Message-ID")


@dataclass(frozen=True, slots=True)
class Got:
    """One letter that came to somebody."""

    who: str
    raw: bytes


class People:
    """Everybody at the table."""

    def __init__(
        self, post: Post, addresses: Mapping[str, str], seed: int, patience: float = PATIENCE
    ) -> None:
        """`seed`: the same chooses the same; `patience`: seconds for a letter to come."""
        self.post = post
        self._patience = patience
        self.addresses = addresses
        self.seed = seed
        self.sent: list[Sent] = []
        self.got: list[Got] = []
        self.ended: set[str] = set()
        self._unread: dict[str, list[Letter]] = {who: [] for who in NAMES}
        self._wrote: dict[str, Letter] = {}
        self._answered: set[tuple[str, str]] = set()
        self._turns = dict.fromkeys(NAMES, 0)

    def play(self) -> None:
        """From the invitations to the end. Fails if nothing comes any more, or an answer is not what was meant."""
        self._wait_for(
            lambda: NAMES[0] if all(self._unread.values()) else None, "everybody's invitation"
        )  # they are sent all at once and come in any order, but people join in that of their seats
        while len(self.ended) < len(NAMES):
            who = self._wait_for(lambda: next((w for w in NAMES if self._unread[w]), None), "a letter")
            self._deal(who, self._unread[who].pop(0))

    # reading

    def _look(self) -> None:
        for who in NAMES:
            for raw in self.post.fetch(who):
                self.got.append(Got(who, raw))
                self._unread[who].append(letters.parse(raw))

    def _wait_for(self, found: Callable[[], str | None], what: str) -> str:
        end = time.monotonic() + self._patience
        while True:
            self._look()
            if (it := found()) is not None:
                return it
            assert time.monotonic() < end, f"{what} did not come"
            time.sleep(LOOK)

    def _answer_to(self, who: str, mail: Sent) -> Letter:
        """The letter that answers a mail; it stays unread for the question it may hold."""
        id = mail.id

        def there() -> str | None:
            return who if any(x.header("In-Reply-To") == id for x in self._unread[who]) else None

        self._wait_for(there, f"the receipt for “{mail.typed}” of {who}")
        return next(x for x in self._unread[who] if x.header("In-Reply-To") == id)

    # answering

    def _deal(self, who: str, letter: Letter) -> None:
        match letter.header("X-Pbem-Kind"):
            case "invitation":
                self._write(who, letter, "join", "join")
            case "end":
                self.ended.add(who)
            case "digest" | "receipt":
                menu = options(letter.text)
                if menu and (who, question(letter, menu)) not in self._answered:
                    self._answered.add((who, question(letter, menu)))
                    self._order(who, letter, menu)

    def _order(self, who: str, letter: Letter, menu: Options) -> None:
        turn = self._turns[who]
        rng = random.Random(f"{self.seed} {who} {turn}")
        meant = choose(menu, set(), rng)
        if who in SLIPS and turn % SLIPS[who] == SLIPS[who] - 1:
            slip = slipped(meant, number(letter, menu), turn // SLIPS[who])
            letter = self._write(who, letter, slip, "slip")
        typed = rng.choice(spellings(meant, letter.text))
        self._write(who, letter, typed, "order", meant)
        if TWICE.get(who) == turn:
            self._again(who, self.sent[-1])
        if len(self.sent) % STATUS_EVERY == 0:
            other = NAMES[(NAMES.index(who) + 1) % len(NAMES)]
            # The letter last answered is there for certain; a newer one may still be on its way.
            self._write(other, self._wrote[other], "status", "status")

    def _write(self, who: str, letter: Letter, line: str, why: str, meant: str = "") -> Letter:
        """Send a mail and wait for its receipt, which must be as it was meant."""
        self._wrote[who] = letter
        writing = Writing(who, self.addresses[who], letter, line, self._turns[who])
        self._turns[who] += 1
        raw = styles.mail(writing, len(self.sent) + 1).as_bytes()
        mail = Sent(who, raw, why, meant, line, writing.style)
        self.sent.append(mail)
        self.post.send(who, raw)
        receipt = self._answer_to(who, mail)
        refused = bool(_REFUSED.match(receipt.header("Subject")))
        assert refused == (why == "slip"), (
            f"{who} wrote “{line}” and got:\n{receipt.text}\nfor:\n{raw.decode()}"
        )
        return receipt

    def _again(self, who: str, mail: Sent) -> None:
        """The same mail a second time, which is told."""
        self.sent.append(Sent(who, mail.raw, "twice"))
        self.post.send(who, mail.raw)

        def there() -> str | None:
            return who if any(x.header("X-Pbem-Kind") == "again" for x in self._unread[who]) else None

        self._wait_for(there, f"word that a mail of {who} came twice")


def spellings(line: str, letter: str) -> tuple[str, ...]:
    """Ways to type a line of the menu: its words, as a phone writes them, its code, a short form."""
    found = [line, f"{line[0].upper()}{line[1:]}."]
    shapes = {code: words.partition("<")[0].split(" [")[0] for code, words in _OPTION.findall(letter)}
    for code, words in shapes.items():
        if line == words.strip():
            found.append(code)
        elif words.endswith(" ") and line.startswith(words):
            found.append(f"{code} {line.removeprefix(words)}")
    short = shortened(line)
    rivals = {shortened(other) for lines in options(letter).values() for other in lines if other != line}
    if short not in rivals:
        found.append(short)
    return tuple(found)


def shortened(line: str) -> str:
    """Long words cut down, small ones left out: `bish row 1 spac 2`."""
    words = [word for word in line.split(" ") if word not in ("of", "with")]
    return " ".join(
        word[:4] if len(word) > 4 and word.isalpha() and word.islower() else word for word in words
    )


def slipped(line: str, number: str, turn: int) -> str:
    """A line that is no order now: mistyped, of a question long answered, of no option, or dreamt up."""
    first, _, rest = line.partition(" ")
    mistyped = f"{first[:1]}{first[2:3]}{first[1:2]}{first[3:]} {rest}".strip()
    wrong = [f"{number}.99", "1.1", mistyped, f"{first} the moon with r6"]
    return wrong[turn % 4 if mistyped != line and len(first) > 3 else 0]
