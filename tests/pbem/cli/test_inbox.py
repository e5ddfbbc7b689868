"""Single mails on the command line: looked at, tried again, dropped."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from pbem.config import load
from pbem.play import Play
from pbem.store.db import Store

from ..table import PbemTable

Pbem = Any


@contextmanager
def at_table() -> Iterator[PbemTable]:
    """The table of the configured store, as somebody who plays at it."""
    config = load(Path("config.toml"))
    table = PbemTable(Path("var"), mail=config.mail)
    row = table.app.store.one("select count(*) from inbox")
    table.skip(row[0] if row else 0)
    yield table
    table.app.close()


@pytest.fixture
def played(pbem: Pbem) -> Pbem:
    """A game in which a mail of the player who is asked met a fault (2), and another is held (3)."""
    Path("config.toml").write_text(
        '[mail]\nsource = "imap"\n[imap]\nhost = "h"\nuser = "u"\n[smtp]\nhost = "h"\n'
        '[store]\npath = "var/pbem.sqlite"\n'
    )
    Path("var").mkdir()
    with at_table() as table:
        table.begun("Ana", "Ben", moderators=["Dora"])
        who = table.asked()[0]
        with pytest.MonkeyPatch.context() as broken:
            broken.setattr(Play, "handle", lambda *_: 1 / 0)
            table.writes(who, "palace 1", to=table.letters(who, "digest")[-1])
        table.writes(who, "palace 3", to=table.letters(who, "digest")[-1], From="x@elsewhere.example")
    return pbem


def asked() -> list[str]:
    with at_table() as table:
        return table.asked()


def numbers(pbem: Pbem) -> dict[str, int]:
    """The mails that wait, by state."""
    return {one["state"]: one["mail"] for one in pbem("inbox", "list", "--json").json}


def test_the_list_names_what_waits_and_why(played: Pbem) -> None:
    said = played("inbox", "list").out
    assert "ZeroDivisionError in <lambda>" in said
    assert "token and address disagree" in said
    assert "join" not in said
    assert len(played("inbox", "list", "--all", "--json").json) == 4
    assert len(played("inbox", "list", "--state", "held", "--json").json) == 1
    wrong = played("inbox", "list", "--state", "lost")
    assert wrong.status == 2
    assert "held" in wrong.err


def test_a_mail_is_shown_without_what_its_writer_said(played: Pbem) -> None:
    said = played("inbox", "show", str(numbers(played)["held"])).out
    assert "From: x@elsewhere.example" in said
    assert "text/plain" in said
    assert "palace 3" not in said
    assert "--text opens it" in said


def test_opening_a_mail_is_told_to_the_table(played: Pbem) -> None:
    held = numbers(played)["held"]
    assert "palace 3" in played("inbox", "show", str(held), "--text").out
    with at_table() as table:
        for person in ("Ana", "Ben", "Dora"):
            assert f"The host has opened mail {held}" in table.last(person, "notice").flat
        assert table.app.store.one("select 1 from log where kind = 'opened'")


def test_a_failed_mail_is_worked_on_again(played: Pbem) -> None:
    who = asked()
    failed = numbers(played)["failed"]
    said = played("inbox", "retry", str(failed))
    assert said.out == f"mail {failed}: orders applied (changed)\n"
    assert asked() != who
    again = played("inbox", "retry", str(failed))
    assert again.status == 1
    assert "needs no second try" in again.err


def test_a_mail_that_fails_again_says_so(played: Pbem, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Play, "handle", lambda *_: 1 / 0)
    said = played("inbox", "retry", str(numbers(played)["failed"]))
    assert said.status == 1
    assert "ZeroDivisionError" in said.err


def test_a_held_mail_needs_the_hosts_word(played: Pbem) -> None:
    who, held = asked(), numbers(played)["held"]
    said = played("inbox", "retry", str(held))
    assert said.status == 1
    assert "--vouch" in said.err
    assert asked() == who
    assert played("inbox", "retry", str(held), "--vouch").status == 0
    assert asked() != who
    with at_table() as table:
        assert "palace 3: done" in table.last(who[0], "receipt").text
        assert table.app.store.one("select 1 from log where kind = 'vouched'")


def test_a_dropped_mail_is_kept_and_its_sender_told(played: Pbem) -> None:
    who, held = asked(), numbers(played)["held"]
    assert played("inbox", "drop", str(held)).status == 2
    said = played("inbox", "drop", str(held), "--because", "it was spam.")
    assert said.out == f"mail {held} is dropped: it was spam.\n"
    assert "held" not in numbers(played)
    with at_table() as table:
        assert "will not be worked on: it was spam." in table.last(who[0], "receipt").flat
        code = table.letters(who[0], "code")[-1].flat
        word = code.partition("and behind it ")[2][:9]
        filed = table.writes(who[0], f"code {word}")
        assert filed.reason == f"mail {held} was dropped meanwhile"
    assert "dropped" in played("inbox", "list", "--all").out
    assert "was dropped" in played("inbox", "retry", str(held)).err
    assert played("inbox", "drop", str(held), "--because", "again").status == 1


def test_a_number_that_no_mail_has(played: Pbem) -> None:
    for command in ("show", "retry"):
        said = played("inbox", command, "99")
        assert said.status == 1
        assert "inbox list --all" in said.err


# keys and backups, which concern the same store


def test_keys_are_shown_changed_and_retired(played: Pbem) -> None:
    assert played("keys").out == "key 0: signs\n"
    assert "Key 1 signs from now on" in played("keys", "--rotate").out
    assert played("keys").out == "key 0: is believed\nkey 1: signs\n"
    assert "1 older key is believed no more" in played("keys", "--retire").out
    assert played("keys").out == "key 0: is retired\nkey 1: signs\n"
    assert "0 older keys are" in played("keys", "--retire").out


def test_a_backup_is_restored_and_the_store_of_before_is_kept(played: Pbem) -> None:
    who = asked()
    assert played("backup", "mine.sqlite").status == 0
    played("inbox", "retry", str(numbers(played)["failed"]))
    assert asked() != who
    said = played("restore", "mine.sqlite")
    assert said.status == 0
    assert "is kept as var" in said.out
    assert "move them back to the inbox" in said.err
    assert asked() == who
    kept = next(Path("var").glob("pbem.sqlite.before-*"))
    store = Store(kept)
    assert store.one("select 1 from answer where by = 'mail'")
    store.close()


def test_what_is_no_backup_changes_nothing(played: Pbem) -> None:
    before = Path("var/pbem.sqlite").read_bytes()
    Path("letter.txt").write_text("Dear Ana,\n" * 300)
    for name, why in (("letter.txt", "damaged"), ("nothing.sqlite", "no such file")):
        said = played("restore", name)
        assert said.status == 1
        assert why in said.err
    assert Path("var/pbem.sqlite").read_bytes() == before
    assert not list(Path("var").glob("*restoring*"))


def test_nothing_is_restored_under_a_runner(played: Pbem) -> None:
    from pbem.service import lock_of

    played("backup", "mine.sqlite")
    lock = lock_of(load(Path("config.toml")))
    said = played("restore", "mine.sqlite")
    lock.release()
    assert said.status == 1
    assert "stop it first" in said.err
