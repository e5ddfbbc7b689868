"""A table for tests: a store, a clock that is set by hand, and people who answer their letters."""

from __future__ import annotations

import email
import email.policy
import itertools
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from pathlib import Path
from typing import Any

from pbem.app import App
from pbem.config import Config, Mail, Table
from pbem.engine.core.ruleset import Ruleset
from pbem.engine.games import GAMES
from pbem.joining import Invitation
from pbem.ports import Fetched
from pbem.rebuild import prove
from pbem.store.db import Store
from pbem.store.games import Game
from pbem.store.inbox import Filed

START = datetime(2026, 12, 1, 9, 0, tzinfo=UTC)


class HandClock:
    """A clock that stands until it is moved."""

    def __init__(self) -> None:
        self.at = START
        self.lived = 0.0

    def now(self) -> datetime:
        return self.at

    def steady(self) -> float:
        return self.lived

    def on(self, **length: float) -> None:
        """Time passes: `on(hours=3)`."""
        self.at += timedelta(**length)
        self.lived += timedelta(**length).total_seconds()

    def jump(self, **length: float) -> None:
        """Somebody sets it: `jump(hours=-3)`."""
        self.at += timedelta(**length)


class Letter:
    """A letter that somebody got."""

    def __init__(self, raw: bytes) -> None:
        message = email.message_from_bytes(raw, policy=email.policy.default)
        assert isinstance(message, EmailMessage)
        self.raw = raw
        self.message = message

    @property
    def subject(self) -> str:
        return str(self.message["subject"])

    @property
    def kind(self) -> str:
        return str(self.message["x-pbem-kind"])

    @property
    def text(self) -> str:
        body = self.message.get_body(("plain",))
        assert body is not None
        return str(body.get_content())

    @property
    def flat(self) -> str:
        """The text without its line breaks."""
        return " ".join(self.text.split())

    @property
    def html(self) -> str:
        body = self.message.get_body(("html",))
        assert body is not None
        return str(body.get_content())


class PbemTable:
    """The whole program without mailbox and post: mails go in, letters come out."""

    def __init__(
        self,
        folder: Path,
        rulesets: Mapping[str, Ruleset[Any]] = GAMES,
        mail: Mail | None = None,
        **table: Any,
    ) -> None:
        self.clock = HandClock()
        self.config = Config(mail=mail or Mail(), table=Table(**{"minimum_age_minutes": 0, **table}))
        self.rulesets = rulesets
        self.path = folder / "pbem.sqlite"
        self.app = App(self.config, Store(self.path), self.clock, rulesets)
        self.transcript: list[str] = []
        self.sound = True
        """Whether its games can be proved at the end; False for a test that alters the store by hand."""
        self._numbers = itertools.count(1)
        self._seen = 0

    def new(
        self, *people: str, title: str = "The Long Winter", moderators: Sequence[str] = (), **more: Any
    ) -> Game:
        """Invite people by their names."""
        seats = [f"{p} <{p.lower()}@example.org>" for p in people]
        chairs = [f"{m} <{m.lower()}@example.org>" for m in moderators]
        rules = next(iter(self.rulesets.values()))
        return self.app.new(Invitation(rules, title, seats, chairs, **more))

    def begun(self, *people: str, **more: Any) -> Game:
        """A game in which everybody has joined."""
        game = self.new(*people, **more)
        for person in people:
            self.writes(person, "join")
        return self.app.games.get(game.id)

    def letters(self, person: str, kind: str | None = None) -> list[Letter]:
        """Everything a person got, oldest first."""
        rows = self.app.store.all(
            "select raw, kind from outbox where recipient = ? order by id", f"{person.lower()}@example.org"
        )
        return [Letter(bytes(r["raw"])) for r in rows if kind in (None, r["kind"])]

    def last(self, person: str, kind: str | None = None) -> Letter:
        """The newest letter a person got."""
        return self.letters(person, kind)[-1]

    def writes(self, person: str, text: str, to: Letter | None = None, **headers: str) -> Filed:
        """A person answers their newest letter, or another one."""
        return self.mail(self.answer(person, text, to, **headers))

    def answer(self, person: str, text: str, to: Letter | None = None, **headers: str) -> bytes:
        """The mail that a plain mail program makes of an answer."""
        letter = to or self.last(person)
        n = next(self._numbers)
        mail = EmailMessage(policy=email.policy.SMTP)
        mail["From"] = f"{person} <{person.lower()}@example.org>"
        mail["To"] = str(letter.message["reply-to"])
        mail["Subject"] = f"Re: {letter.subject}"
        mail["Message-ID"] = f"<{n}.{person.lower()}@example.org>"
        mail["In-Reply-To"] = str(letter.message["message-id"])
        mail["References"] = str(letter.message["message-id"])
        mail["Date"] = self.clock.now()
        for name, value in headers.items():
            del mail[name]
            mail[name] = value
        quoted = "\n".join(f"> {line}" for line in letter.text.splitlines())
        sender = self.config.mail.name
        mail.set_content(
            f"{text}\n\nOn Tue, 1 Dec 2026 at 09:00, {sender} <{self.config.mail.address}> wrote:\n{quoted}\n"
        )
        return mail.as_bytes()

    def fresh(self, sender: str, text: str, to: str = "pbem@pbem.example.org", **headers: str) -> bytes:
        """A mail that answers none of our letters; `sender` as it stands in From."""
        n = next(self._numbers)
        mail = EmailMessage(policy=email.policy.SMTP)
        mail["From"], mail["To"], mail["Subject"] = sender, to, "My move"
        mail["Message-ID"] = f"<{n}.fresh@example.org>"
        mail["Date"] = self.clock.now()
        for name, value in headers.items():
            mail[name.replace("_", "-")] = value
        mail.set_content(f"{text}\n")
        return mail.as_bytes()

    def mail(self, raw: bytes) -> Filed:
        """A mail arrives, whatever it is."""
        n = next(self._numbers)
        filed = self.app.take(Fetched(f"test:{n}", raw, self.clock.now()))
        assert filed is not None
        return filed

    def skip(self, mails: int) -> None:
        """Number mails on from those that another table has put into the same store."""
        self._numbers = itertools.count(2 * mails + 1)

    def game(self) -> Game:
        """The only game, as it is now."""
        return self.app.games.every()[0]

    def asked(self) -> list[str]:
        """The seats that are asked something."""
        return list(self.app.games.table(self.game()).open)

    def asked_in(self, title: str) -> list[str]:
        """The seats that are asked something in one game."""
        return list(self.app.games.table(self.app.games.find(title)).open)

    def close(self) -> None:
        """Prove every game that was played, and let go of the store."""
        for game in self.app.games.every():
            if self.sound and game.state in ("playing", "over"):
                assert prove(self.app.games, game).faults == [], game.title
        self.app.close()
