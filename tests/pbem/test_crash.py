"""Killed at every moment of its work, the runner applies each mail once and loses no letter (D-17)."""

from __future__ import annotations

import mailbox
import random
import smtplib
from collections.abc import Iterator, Mapping
from contextlib import closing
from pathlib import Path

import pytest

from pbem.postoffice.people import Listed
from pbem.postoffice.server import PostOffice

from .crash_child import PHASES
from .crashing import ANYWHERE, PEOPLE, Campaign

ADDRESS = "games@pbem.example.org"
MAILS = 200
KILLS = 55
"""Each phase five times."""


class Maildirs:
    """The embedded post office: our mailbox is a Maildir, and so is everybody's."""

    environment: Mapping[str, str] = {}

    def __init__(self, folder: Path, office: PostOffice) -> None:
        self._office = office
        self._read: set[Path] = set()
        self.config = folder / "config.toml"
        self.config.write_text(
            f'[mail]\nsource = "maildir"\naddress = "{ADDRESS}"\nmaildir = "{office.mailboxes.ours}"\n'
            f"poll_seconds = 1\nreceipts_per_hour = 0\n\n"
            f'[smtp]\nhost = "127.0.0.1"\nport = {office.port}\nsecurity = "none"\n\n'
            f'[table]\nminimum_age_minutes = 0.0\n\n[store]\npath = "{folder / "pbem.sqlite"}"\n',
            encoding="utf-8",
        )

    def deliver(self, sender: str, recipient: str, raw: bytes) -> None:
        with smtplib.SMTP("127.0.0.1", self._office.port) as post:
            post.sendmail(sender, [recipient], raw)

    def letters(self, address: str) -> list[bytes]:
        there = sorted((self._office.mailboxes.folder(address) / "new").glob("*"))
        new = [path for path in there if path not in self._read]
        self._read.update(new)
        return [path.read_bytes() for path in new]

    def left(self) -> int:
        return len(mailbox.Maildir(self._office.mailboxes.ours))


@pytest.fixture
def world(tmp_path: Path) -> Iterator[Maildirs]:
    with PostOffice(tmp_path / "mail", ADDRESS, Listed(PEOPLE), port=0) as office:
        yield Maildirs(tmp_path, office)


def test_each_mail_counts_once_however_often_the_runner_dies(world: Maildirs) -> None:
    with closing(Campaign(world, random.Random(7))) as campaign:
        campaign.play(KILLS, MAILS, burst=4)
        campaign.must_be_sound()
        assert sum(campaign.killed.values()) >= KILLS
        assert set(campaign.killed) == {*PHASES, ANYWHERE}, "the kills must be spread over every phase"


def test_a_planted_double_apply_is_found(world: Maildirs) -> None:
    with closing(Campaign(world, random.Random(7), plant=True)) as campaign:
        campaign.play(10, 40, burst=4)
        with pytest.raises(AssertionError, match="twice"):
            campaign.must_be_sound()
