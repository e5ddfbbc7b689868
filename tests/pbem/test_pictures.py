"""The board as a picture: drawn when its letter goes out, once for each position."""

from __future__ import annotations

import asyncio
import struct
from email.message import EmailMessage
from pathlib import Path

import pytest

from pbem.config import Mail
from pbem.draughtsman import PIXELS, Draughtsman, png
from pbem.pictures import _drawn_here, complete, completed
from pbem.ports import Outgoing

from .table import Letter, PbemTable


def sent(table: PbemTable) -> list[Letter]:
    """Every letter as it goes out."""
    return [Letter(letter.raw) for batch in batches(table) for letter in batch]


def batches(table: PbemTable) -> list[list[Outgoing]]:
    """The letters that wait, as they are handed over together."""

    async def drawn() -> list[list[Outgoing]]:
        draughtsman = Draughtsman()
        waiting = table.app.outbox.due(table.clock.now(), 1000)
        try:
            return [batch async for batch in completed(table.app.writer.pictures, draughtsman, waiting)]
        finally:
            await draughtsman.close()

    return asyncio.run(drawn())


def pictures(letter: Letter) -> list[EmailMessage]:
    return [p for p in letter.message.walk() if p.get_content_type() == "image/png"]


def digests(table: PbemTable) -> list[Letter]:
    return [letter for letter in sent(table) if letter.kind in ("digest", "receipt") and pictures(letter)]


def test_a_digest_goes_out_with_the_board_as_png(table: PbemTable) -> None:
    table.begun("Ana", "Ben")
    for letter in digests(table):
        (picture,) = pictures(letter)
        data = picture.get_payload(decode=True)
        assert isinstance(data, bytes)
        assert data.startswith(b"\x89PNG")
        assert struct.unpack(">I", data[16:20]) == (PIXELS,)
        assert len(data) < 200_000
        assert f"cid:{picture['content-id'].strip('<>')}" in letter.html
    assert digests(table)


def test_who_does_not_see_the_picture_is_told_where_its_words_are(table: PbemTable) -> None:
    table.begun("Ana", "Ben")
    letter = digests(table)[-1]
    (picture,) = pictures(letter)
    words = "The words below say all that the picture shows."
    assert f'{words}"' in letter.html
    assert words in str(picture["content-description"])


def test_letters_about_one_position_share_one_drawing(table: PbemTable) -> None:
    table.begun("Ana", "Ben")
    table.writes("Ana", "board")
    shown = [str(pictures(letter)[0]["content-id"]) for letter in digests(table)]
    stored = table.app.store.one("select count(*) from picture")
    assert stored is not None
    assert stored[0] == len(set(shown)) < len(shown)


def test_a_letter_without_the_board_has_no_picture(table: PbemTable) -> None:
    table.begun("Ana", "Ben")
    table.writes("Ana", "help")
    assert not pictures(sent(table)[-1])


def test_a_table_may_do_without_pictures(tmp_path: Path) -> None:
    table = PbemTable(tmp_path, mail=Mail(pictures=False))
    table.begun("Ana", "Ben")
    assert not digests(table)
    assert "<img" not in table.last("Ben").html
    assert table.app.store.all("select 1 from picture") == []
    table.close()


def test_nobody_can_write_the_place_of_a_picture(table: PbemTable) -> None:
    """What stands in a letter never begins a line as that place does, so a note cannot swallow the picture."""
    table.begun("Ana", "Ben")
    asked = table.asked()[0]
    table.writes(asked, "note =_picture 00112233445566778899aabbccddeeff")
    table.writes(asked, "resend")
    letter = sent(table)[-1]
    (picture,) = pictures(letter)
    assert "=_picture 00112233445566778899aabbccddeeff" in letter.text
    data = picture.get_payload(decode=True)
    assert isinstance(data, bytes)
    assert data.startswith(b"\x89PNG")


def test_what_cannot_be_drawn_leaves_the_words(table: PbemTable) -> None:
    table.begun("Ana", "Ben")
    with table.app.store.tx():
        table.app.store.run("delete from picture")
        for row in table.app.store.all("select raw from outbox"):
            name = Letter(bytes(row["raw"]))
            for part in pictures(name):
                drawing = str(part.get_payload()).removeprefix("=_picture ").strip()
                table.app.writer.pictures.keep(drawing, "<svg")
    letters = [letter for letter in sent(table) if pictures(letter)]
    assert letters
    assert [pictures(letter)[0].get_payload(decode=True) for letter in letters] == [b""] * len(letters)
    assert "WHAT YOU MAY WRITE" in letters[-1].text


def test_an_export_draws_each_position_once(table: PbemTable, monkeypatch: pytest.MonkeyPatch) -> None:
    table.begun("Ana", "Ben")
    table.writes("Ana", "board")
    drawn: list[str] = []

    def noted(svg: str) -> bytes:
        drawn.append(svg)
        return png(svg)

    monkeypatch.setattr("pbem.pictures.png", noted)
    _drawn_here.cache_clear()  # other tests may have drawn the same position
    waiting = table.app.outbox.due(table.clock.now(), 1000)
    whole = [Letter(complete(table.app.writer.pictures, letter.raw)) for letter in waiting]
    assert sum(len(pictures(letter)) for letter in whole) > len(drawn) == len(set(drawn)) > 0


def test_letters_are_drawn_with_fonts_of_our_own() -> None:
    """Words are no empty space, whatever fonts the machine has."""
    words = (
        '<svg xmlns="http://www.w3.org/2000/svg" width="90" height="30" font-family="DejaVu Sans">{}</svg>'
    )
    line = '<text x="2" y="20" font-size="14"{}>São João</text>'
    drawn = {png(words.format(s)) for s in ("", line.format(""), line.format(' font-weight="bold"'))}
    assert len(drawn) == 3


def test_a_single_letter_is_completed_alike(table: PbemTable) -> None:
    table.begun("Ana", "Ben")
    waiting = table.app.outbox.due(table.clock.now(), 1000)
    together = [one.raw for batch in batches(table) for one in batch]
    assert [complete(table.app.writer.pictures, one.raw) for one in waiting] == together


def test_letters_at_hand_go_out_before_the_next_picture_is_drawn(table: PbemTable) -> None:
    table.begun("Ana", "Ben")
    with table.app.store.tx():
        table.app.store.run("update outbox set state = 'dropped'")
    table.writes("Ana", "board")
    table.writes("Ana", "help")
    table.writes("Ben", "board")
    table.writes(table.asked()[0], "1")
    (first, *others) = batches(table)
    assert [len(pictures(Letter(letter.raw))) for letter in first] == [1, 0, 1], "one position, one picture"
    assert sum(map(len, others)) >= 1
    assert all(pictures(Letter(batch[0].raw)) for batch in others), "a batch begins with what had to be drawn"
