"""A thousand mails at Dovecot while the runner is killed a hundred times: each counts once, and every letter
that it wrote comes out of Postfix, into its reader's mailbox (D-17)."""

from __future__ import annotations

import random
import smtplib
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path

import pytest

from tests.pbem.crash_child import PHASES
from tests.pbem.crashing import ANYWHERE, Campaign

from .accounts import PASSWORD, config_text, folder
from .mailhost import HOST, MailHost

MAILS, KILLS, BURST = 1000, 100, 10
GAMES = 3
BY_POSTFIX = 10
"""Each so-manieth mail comes through Postfix, the others straight by LMTP, which is quicker."""


class Servers:
    """Our mailbox at Dovecot, Postfix for our letters, and everybody's mailbox at the same Dovecot."""

    def __init__(self, folder: Path, host: MailHost) -> None:
        self._host = host
        self._read: set[Path] = set()
        self._delivered = 0
        self.environment: Mapping[str, str] = {PASSWORD: host.password("games")}
        self.config = folder / "config.toml"
        text = config_text(host, folder / "pbem.sqlite", ["receipts_per_hour = 0", "poll_seconds = 1"])
        self.config.write_text(text, encoding="utf-8")

    def deliver(self, sender: str, recipient: str, raw: bytes) -> None:
        self._delivered += 1
        if self._delivered % BY_POSTFIX:
            self._host.deliver(recipient, raw, sender)
            return
        with smtplib.SMTP(HOST, self._host.mx, local_hostname="localhost") as post:
            post.sendmail(sender, [recipient], raw)

    def letters(self, address: str) -> list[bytes]:
        """Read from the disk: nobody logs in, so that all of it lies in `new`."""
        name, _, domain = address.partition("@")
        there = sorted((self._host.folder / "mail" / domain / name / "new").glob("*"))
        new = [path for path in there if path not in self._read]
        self._read.update(new)
        return [path.read_bytes() for path in new]

    def left(self) -> int:
        return len(folder(self._host, "games", "INBOX"))

    def done(self) -> int:
        """How many mails were moved away as done."""
        return len(folder(self._host, "games", "Done"))


def test_a_thousand_mails_and_a_hundred_deaths(mailhost: MailHost, tmp_path: Path) -> None:
    servers = Servers(tmp_path, mailhost)
    with closing(Campaign(servers, random.Random(11), games=GAMES)) as campaign:
        campaign.play(KILLS, MAILS, BURST)
        campaign.must_be_sound()
        assert len(campaign.sent) == MAILS
        assert sum(campaign.killed.values()) >= KILLS
        assert set(campaign.killed) == {*PHASES, ANYWHERE}
        assert servers.done() == MAILS
        assert mailhost.queue() == []


def test_a_planted_double_apply_is_found(mailhost: MailHost, tmp_path: Path) -> None:
    with closing(Campaign(Servers(tmp_path, mailhost), random.Random(11), plant=True)) as campaign:
        campaign.play(10, 60, BURST)
        with pytest.raises(AssertionError, match="twice"):
            campaign.must_be_sound()
