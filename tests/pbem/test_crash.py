"""Killed at every moment of its work, the runner applies each mail once and loses no letter (D-17)."""

from __future__ import annotations

import email
import email.policy
import itertools
import mailbox
import random
import signal
import smtplib
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from email.message import EmailMessage
from pathlib import Path

import pytest

from pbem.app import App
from pbem.engine.games import GAMES
from pbem.joining import Invitation
from pbem.postoffice.people import Listed
from pbem.postoffice.server import PostOffice
from pbem.rebuild import prove
from pbem.store.db import Store

from .crash_child import ADDRESS, PHASES, config

ROOT = Path(__file__).resolve().parent.parent.parent
PEOPLE = [(n, f"{n.lower()}@example.org") for n in ("Ana", "Ben", "Carla", "Dora")]
MAILS = 200
ONCE_A_BATCH = ("noted", "before send", "moved", "before move")
KILLS = 52
"""Each phase five times and a little more."""


class Campaign:
    """A table by real mail whose runner dies again and again."""

    def __init__(self, folder: Path, office: PostOffice, plant: bool) -> None:
        self.store = folder / "pbem.sqlite"
        self.office = office
        self.plant = plant
        self.sent: list[str] = []
        self.killed: Counter[str] = Counter()
        self._numbers = itertools.count(1)
        self._read: dict[str, set[str]] = {address: set() for _, address in PEOPLE}
        self.last: dict[str, EmailMessage] = {}
        self.codes: dict[str, str] = {}
        self.letters: Counter[str] = Counter()
        app = App(config(), Store(self.store))
        app.new(Invitation(GAMES["troyes"], "Crash", [f"{n} <{a}>" for n, a in PEOPLE]))
        app.close()

    def life(self, phase: str, count: int, seconds: float) -> None:
        """One life of the runner, ended by itself at a phase or by SIGTERM."""
        command = [
            sys.executable,
            "-m",
            "tests.pbem.crash_child",
            str(self.store),
            str(self.office.mailboxes.ours),
        ]
        command += [str(self.office.port), phase, str(count), *(["--plant"] if self.plant else [])]
        child = subprocess.Popen(command, cwd=ROOT)
        end = time.monotonic() + seconds
        while child.poll() is None and time.monotonic() < end:
            time.sleep(0.02)
        if child.poll() is None:
            child.send_signal(signal.SIGTERM)
        child.wait()
        if child.returncode == -signal.SIGKILL:
            self.killed[phase] += 1

    def fetch(self) -> None:
        """Everybody looks into their mailbox."""
        for _, address in PEOPLE:
            box = mailbox.Maildir(self.office.mailboxes.folder(address), create=True)
            for key in box.iterkeys():
                if key in self._read[address]:
                    continue
                self._read[address].add(key)
                message = email.message_from_bytes(box.get_bytes(key), policy=email.policy.default)
                assert isinstance(message, EmailMessage)
                self.letters[str(message["message-id"])] += 1
                self.last[address] = message
                if message["x-pbem-digest"]:
                    self.codes[address] = f"{message['x-pbem-digest']}.1"

    def write(self, n: int) -> None:
        """Some mails: a note each, and whoever has codes uses one too."""
        self.fetch()
        for address, letter in list(self.last.items())[:n]:
            number = next(self._numbers)
            order = "join" if letter["x-pbem-kind"] == "invitation" else self.codes[address]
            self._send(address, letter, f"note number {number}\n{order}\n", number)

    def _send(self, address: str, letter: EmailMessage, text: str, number: int) -> None:
        mail = EmailMessage(policy=email.policy.SMTP)
        mail["From"], mail["To"] = address, str(letter["reply-to"])
        mail["Subject"], mail["Message-ID"] = "Re: orders", f"<{number}@crash.example.org>"
        mail["Date"] = "Tue, 01 Dec 2026 09:00:00 +0000"
        mail.set_content(text)
        with smtplib.SMTP("127.0.0.1", self.office.port) as post:
            post.send_message(mail)
        self.sent.append(str(mail["Message-ID"]))


@pytest.fixture
def office(tmp_path: Path) -> Iterator[PostOffice]:
    with PostOffice(tmp_path / "mail", ADDRESS, Listed(PEOPLE), port=0) as office:
        yield office


def play(campaign: Campaign, kills: int, mails: int, rng: random.Random) -> None:
    """Mail flows while the runner is killed in every phase in turn, then it may finish."""
    campaign.life("never", 0, 1.5)
    phases = itertools.cycle(PHASES)
    while sum(campaign.killed.values()) < kills:
        campaign.write(4)
        phase = next(phases)
        campaign.life(phase, 1 if phase in ONCE_A_BATCH else rng.randrange(1, 4), 4)
    while len(campaign.sent) < mails:
        campaign.write(4)
        campaign.life("never", 0, 1.5)
    campaign.life("never", 0, 6)
    campaign.fetch()


def must_be_sound(campaign: Campaign) -> None:
    """Each mail applied exactly once, none lost, every letter delivered."""
    store = Store(campaign.store)
    try:
        rows = store.all("select message_id, state, reason from inbox")
        assert Counter(r["message_id"] for r in rows) == Counter(campaign.sent), (
            "a mail was lost or taken twice"
        )
        assert {r["state"] for r in rows} == {"applied"}, [tuple(r) for r in rows if r["state"] != "applied"]
        notes = Counter(r["text"] for r in store.all("select text from note"))
        assert set(notes.values()) <= {1}, f"applied twice: {[n for n, k in notes.items() if k > 1]}"
        out = store.all("select message_id, state from outbox")
        assert {r["state"] for r in out} == {"sent"}
        assert {f"<{r['message_id']}>" for r in out} == set(campaign.letters), "a letter was lost"
        changed = store.one("select count(*) from inbox where reason = 'changed'")
        answers = store.one("select count(*) from answer where by = 'mail' and void is null")
        assert changed is not None
        assert answers is not None
        assert changed[0] == answers[0] > 5
    finally:
        store.close()
    assert len(mailbox.Maildir(campaign.office.mailboxes.ours)) == 0, "a mail still lies in the inbox"


def test_each_mail_counts_once_however_often_the_runner_dies(tmp_path: Path, office: PostOffice) -> None:
    campaign = Campaign(tmp_path, office, plant=False)
    play(campaign, KILLS, MAILS, random.Random(7))
    must_be_sound(campaign)
    assert sum(campaign.killed.values()) >= 50
    assert set(campaign.killed) == set(PHASES), "the kills must be spread over every phase"
    app = App(config(), Store(campaign.store))
    assert prove(app.games, app.games.every()[0]).faults == []
    app.close()


def test_a_planted_double_apply_is_found(tmp_path: Path, office: PostOffice) -> None:
    campaign = Campaign(tmp_path, office, plant=True)
    play(campaign, 10, 40, random.Random(7))
    with pytest.raises(AssertionError, match="twice"):
        must_be_sound(campaign)
