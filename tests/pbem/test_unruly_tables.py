"""Unruly tables: random players who mistype, ask, take back and talk, a moderator who repairs; all stays sound."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from pbem.engine.core.asks import Ask
from pbem.engine.core.testing import random_answer
from pbem.engine.core.text import english
from pbem.store.inbox import Filed, State

from .table import PbemTable

NAMES = ("Ana", "Ben", "Carla")
WORDS = (
    "status|board|help|undo|undo all|log|resend|note hm|rules knight|look palace|preview|stop|start|join|help undo"
    "|3|7 y5|4.1|2.99|Thank you all, see you tomorrow"
).split("|")
MAILS = 120


class Unruly:
    """A table at which anything may be written."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.rng = random.Random(seed)
        self.table = PbemTable(folder)
        self.table.begun(*NAMES, moderators=["Dora"], seed=bytes([seed]) * 32)

    def one(self) -> Filed | None:
        """One mail of somebody, or time that passes."""
        asked = self.table.app.games.table(self.table.game()).open
        dice = self.rng.random()
        if dice < 0.7 and asked:
            who = self.rng.choice(list(asked))
            return self.table.writes(who, self.turn(asked[who]))
        if dice < 0.85:
            return self.table.writes(self.rng.choice(NAMES), "\n".join(self.rng.choices(WORDS, k=2)))
        if dice < 0.94:
            return self.table.writes("Dora", self.ruling(dict(asked)))
        self.table.clock.on(minutes=self.rng.choice([1, 30, 300]))
        self.table.app.watch.polled(self.table.clock.at)
        self.table.app.tick()
        return None

    def turn(self, ask: Ask[object]) -> str:
        """A lawful line, and often more: another, a slip, a word of the runner's, in any order."""
        lines = [self.line(ask), *(self.more(ask) for _ in range(self.rng.randrange(3)))]
        if self.rng.random() < 0.2:
            self.rng.shuffle(lines)
        text = "\n".join(lines)
        return f"BEGIN ORDERS\n{text}\nEND ORDERS" if self.rng.random() < 0.2 else text

    def more(self, ask: Ask[object]) -> str:
        return self.rng.choice([self.line(ask), self.slip(self.line(ask)), self.rng.choice(WORDS)])

    def line(self, ask: Ask[object]) -> str:
        pick = random_answer(ask, self.rng)
        return english(ask.menu.find(pick).said(pick))

    def slip(self, line: str) -> str:
        """One letter wrong, or one too many."""
        at = self.rng.randrange(len(line))
        return line[:at] + self.rng.choice("xyz 9,") + line[at + self.rng.randrange(2) :]

    def ruling(self, asked: dict[str, Ask[object]]) -> str:
        """What a moderator might do, lawful or not."""
        answers = len(self.table.app.games.answers(self.table.game().id))
        seat = self.rng.choice(NAMES)
        order = self.line(asked[seat]) if seat in asked else "pass"
        number = self.rng.randrange(20)
        return self.rng.choice(
            [
                f"rewind to {max(1, answers - self.rng.randrange(6))}\nconfirm",
                "pause",
                "resume",
                "resume",
                f"correct {seat}.deniers = {number} because of a test\nconfirm",
                f"correct {seat}.influence = {number} because of a test\nlater",
                f"extend {seat} by 2 hours",
                "remind",
                "announce: hello",
                "status\nlog 5",
                f"answer for {seat}: {order}",
                "what now",
            ]
        )


@pytest.mark.parametrize("seed", range(4))
def test_whatever_is_written_no_mail_fails_and_every_game_is_proved(tmp_path: Path, seed: int) -> None:
    unruly = Unruly(tmp_path, seed)
    for _ in range(MAILS):
        if unruly.table.game().state != "playing":
            break
        filed = unruly.one()
        assert filed is None or filed.state in (State.APPLIED, State.HELD), filed
    store = unruly.table.app.store
    assert not store.all("select 1 from inbox where state in ('failed', 'aside', 'claimed')")
    assert not store.all("select 1 from outbox where kind = 'notice' and raw like '%utomatic answer%'")
    assert len(unruly.table.app.games.answers(1)) > 5
    unruly.table.close()


def test_d_17_the_same_words_in_the_same_second_are_two_mails_if_they_answer_two_letters(
    table: PbemTable,
) -> None:
    """A player with quick fingers, and every robot of the demo."""
    table.begun("Ana", "Ben", seed=bytes(32))
    moved: dict[str, int] = {"Ana": 0, "Ben": 0}
    while min(moved.values()) < 2:
        (who,) = table.asked()
        letter = table.last(who)
        answer = {"to": str(letter.message["reply-to"]), "In_Reply_To": str(letter.message["message-id"])}
        raw = table.fresh(f"{who} <{who.lower()}@example.org>", "1", **answer)
        assert table.mail(raw).reason == "changed"
        moved[who] += 1
        sent_twice = raw.replace(b"Message-ID: <", b"Message-ID: <again.")
        assert "the same as mail" in table.mail(sent_twice).reason
    assert len(table.app.store.all("select distinct hash from inbox where reason = 'changed'")) == 2
