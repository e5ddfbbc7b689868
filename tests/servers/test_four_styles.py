"""A whole game of Troyes through Postfix and Dovecot: four people, each with a mail program and habits of their
own, in four languages; every answer is the one that was meant, and every letter is as it was."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pbem.app import App, open_app
from pbem.config import load
from pbem.engine.games import GAMES
from pbem.joining import Invitation
from pbem.postoffice import letters
from pbem.rebuild import prove
from tests.pbem.paced import Paced

from .accounts import PASSWORD, accounts, config_text, folder
from .mailhost import MailHost
from .meaning import each_mail_did_what_it_meant
from .paced import PACE
from .people import NAMES, People
from .styles import PROGRAMS
from .tongues import TONGUES
from .transcript import first_difference, transcript

ROOT = Path(__file__).resolve().parent.parent.parent
GOLDEN = Path(__file__).with_name("golden") / "four_styles.txt"
ADDRESSES = {who: f"{who.lower()}@example.org" for who in NAMES}
SEED = 13
"""A game in which nobody is ever asked together with somebody else, so that there is one order of mails."""


@contextmanager
def runner(host: MailHost, config: Path) -> Iterator[None]:
    """The service as a process of its own, ended in order."""
    environment = {**os.environ, PASSWORD: host.password("games")}
    command = [sys.executable, "-m", "tests.servers.paced", str(config)]
    child = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True)
    assert child.stdout is not None
    try:
        assert child.stdout.readline().startswith("Serving the mailbox of games@")
        yield
        assert child.poll() is None, "the runner has ended by itself"
    finally:
        child.send_signal(signal.SIGTERM)
        status = child.wait(20)
        child.stdout.close()
    assert status == 0


def each_letter_came_once(app: App, people: People) -> None:
    """What the runner holds for sent is what people have in their mailboxes."""
    rows = app.store.all("select message_id, recipient, state from outbox")
    assert {row["state"] for row in rows} == {"sent"}
    came = Counter((ADDRESSES[one.who], letters.parse(one.raw).header("Message-ID")) for one in people.got)
    assert came == Counter((row["recipient"], f"<{row['message_id']}>") for row in rows)


def every_style_was_used(people: People) -> None:
    """Each program of each style, and each language in each style."""
    styles = {mail.style for mail in people.sent if mail.style}
    assert styles == {f"{who} {n}" for who, programs in PROGRAMS.items() for n in range(programs)}
    turns = Counter(mail.who for mail in people.sent if mail.style)
    assert min(turns.values()) >= len(TONGUES)
    whys = Counter(mail.why for mail in people.sent)
    assert min(whys[why] for why in ("slip", "twice", "status")) >= 2, whys


def test_a_game_from_invitation_to_end_in_four_styles(mailhost: MailHost, tmp_path: Path) -> None:
    config = tmp_path / "config.toml"
    config.write_text(config_text(mailhost, tmp_path / "pbem.sqlite", ["receipts_per_hour = 0"]), "utf-8")
    seats = [f"{who} <{address}>" for who, address in ADDRESSES.items()]
    app = open_app(load(config), Paced(tmp_path / "pbem.sqlite", PACE))
    try:
        app.new(Invitation(GAMES["troyes"], "Four Hands", seats, seed=bytes([SEED]) * 32))
        with accounts(mailhost, ADDRESSES) as post, runner(mailhost, config):
            people = People(post, ADDRESSES, SEED)
            people.play()
        game = app.games.every()[0]
        assert game.state == "over"
        together = app.store.one("select count(*) from question where branch <> ''")
        assert together is not None
        assert together[0] == 0, "two people were asked at once, so that their mails have no fixed order"
        each_mail_did_what_it_meant(app, game, people)
        each_letter_came_once(app, people)
        every_style_was_used(people)
        assert prove(app.games, game).faults == []
    finally:
        app.close()
    assert folder(mailhost, "games", "INBOX") == []
    assert folder(mailhost, "games", "Failed") == []
    assert len(folder(mailhost, "games", "Done")) == len(people.sent)
    compare(transcript(people.sent, people.got))


def compare(now: str) -> None:
    """The game's mail is what it was; PBEM_GOLDEN=1 writes it down anew."""
    if os.environ.get("PBEM_GOLDEN"):
        GOLDEN.parent.mkdir(exist_ok=True)
        GOLDEN.write_text(now, encoding="utf-8")
    different = first_difference(now, GOLDEN.read_text(encoding="utf-8"))
    assert not different, f"{GOLDEN.name}, {different}"
