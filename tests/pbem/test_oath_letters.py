"""The golden letters of Oath: what a table of six reads in its first round, as text and as HTML."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from pbem.engine.core.asks import Ask
from pbem.engine.core.ruleset import Json
from pbem.engine.core.text import Text, english
from pbem.engine.oath.rules import OathRules

from .table import Letter, PbemTable

GOLDEN = Path(__file__).with_name("golden")
PEOPLE = ("Ana", "Ben", "Carla", "Dora", "Enzo", "Fay")
PLACES = {
    "Ben": "Mountain",
    "Carla": "Rocky Coast",
    "Dora": "Mountain",
    "Enzo": "Plains",
    "Fay": "Rocky Coast",
}
CHANCELLOR = ("muster on longbows", "put down 1", "travel to hinterland 2", "rest")
EXILE = ("peek at relic 1", "trade with taming charm for favor", "search pile of the provinces")


class EveryCardWritten(OathRules):
    """Without the line that counts the cards whose powers are not written, which changes with each that is."""

    def edition(self, options: Mapping[str, str], data: Json) -> Text | None:
        return None


def set_up(table: PbemTable) -> None:
    """Everybody puts the pawn down where it is to stand, and keeps the first card."""
    while True:
        ((who, ask),) = table.app.games.table(table.game()).open.items()
        if ask.key == "act":
            return
        table.writes(who, f"start at {PLACES[who]}" if ask.key == "pawn" else first(ask))


def first(ask: Ask[object]) -> str:
    """The first open option, in its own words."""
    return english(next(option.words for option in ask.menu.options if option.barred() is None))


def first_turns(folder: Path) -> PbemTable:
    """The set-up, the Chancellor's turn in single mails, the first half of an Exile's in one."""
    table = PbemTable(folder, rulesets={"oath": EveryCardWritten()})
    table.begun(*PEOPLE, moderators=["Mo"], seed=bytes(32))
    set_up(table)
    for line in CHANCELLOR:
        table.writes("Ana", line)
    table.writes("Ben", "\n".join(EXILE))
    return table


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PbemTable]:
    table = first_turns(tmp_path_factory.mktemp("oath"))
    yield table
    table.close()


def digest(table: PbemTable) -> Letter:
    """What the Exile was asked with."""
    return table.letters("Ben", "digest")[-1]


def receipt(table: PbemTable) -> Letter:
    """What the Exile's orders were answered with."""
    return table.last("Ben", "receipt")


def structure(page: str) -> str:
    """A page without the styles that mail programs need, and without the name that the picture has by its shapes."""
    bare = re.sub(r' (style|class|cellpadding|cellspacing|valign|align)="[^"]*"', "", page)
    bare = re.sub(r"cid:board-[0-9a-f]+", "cid:board", bare)
    return re.sub(r"\n+", "\n", bare).strip() + "\n"


def same(said: str, name: str) -> None:
    """Hold a letter against its golden copy; with PBEM_GOLDEN set, make it that."""
    path = GOLDEN / name
    if os.environ.get("PBEM_GOLDEN"):
        path.write_text(said, encoding="utf-8")
    assert said == path.read_text(encoding="utf-8")


def test_the_digest_in_words(played: PbemTable) -> None:
    letter = digest(played)
    same(f"Subject: {letter.subject}\n\n{letter.text.replace(chr(13), '')}", "oath-digest.txt")


def test_the_digest_as_html(played: PbemTable) -> None:
    same(structure(digest(played).html.replace("\r", "")), "oath-digest.html")


def test_the_receipt_in_words(played: PbemTable) -> None:
    letter = receipt(played)
    same(f"Subject: {letter.subject}\n\n{letter.text.replace(chr(13), '')}", "oath-receipt.txt")


def test_no_line_of_the_table_is_too_long_for_a_phone(played: PbemTable) -> None:
    for letter in (digest(played), receipt(played)):
        board = letter.text.partition("THE BOARD")[2] + letter.text.partition("SINCE YOUR")[2]
        assert max(len(line) for line in board.splitlines()) <= 72


def test_o_7_3_the_relic_that_was_looked_at_is_in_no_other_letter(played: PbemTable) -> None:
    (relic,) = re.findall(r"At Mountain lies ([\w ]+)\.", " ".join(receipt(played).text.split()))
    for who in PEOPLE:
        letters = played.letters(who)
        assert any(relic in letter.text for letter in letters) == (who == "Ben"), who
