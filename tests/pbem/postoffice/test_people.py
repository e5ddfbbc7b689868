"""Folders and addresses."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.postoffice import maildir
from pbem.postoffice.people import Listed, Mailboxes, folder_name, normal

BOXES = Mailboxes(Path("root"), "Me+pbem@example.org")


def test_every_spelling_of_an_address_leads_to_one_folder() -> None:
    assert folder_name(" Ana@Example.org") == folder_name("ana@example.org") == "ana@example.org"
    assert folder_name("a\u0301@x.org") == folder_name("\u00c1@x.org")


@pytest.mark.parametrize("address", ["me+pbem@example.org", "ME+PBEM+tok@EXAMPLE.org"])
def test_our_own_address_may_itself_have_a_plus(address: str) -> None:
    assert BOXES.is_ours(address)
    assert BOXES.folder(address) == BOXES.ours


@pytest.mark.parametrize(
    "address", ["me@example.org", "me+pbemx@example.org", "me+other@example.org", "me+pbem@x.org"]
)
def test_what_only_looks_like_our_address_is_not(address: str) -> None:
    assert not BOXES.is_ours(address)


@given(st.text(max_size=300))
def test_any_address_makes_a_plain_file_name(address: str) -> None:
    name = folder_name(address)
    assert len(name) <= 120
    assert "/" not in name
    assert "\0" not in name
    assert not name.startswith(".")


@given(st.lists(st.text(alphabet="./%~@aA\u00e4", min_size=1, max_size=200), min_size=2, max_size=2))
def test_two_addresses_never_share_a_folder(pair: list[str]) -> None:
    one, two = pair
    assert (normal(one) == normal(two)) == (folder_name(one) == folder_name(two))


def test_a_list_knows_its_people_in_any_spelling() -> None:
    listed = Listed([("Ana", "Ana@example.org")])
    assert listed.knows("ana@EXAMPLE.org")
    assert not listed.knows("ben@example.org")


def test_a_mail_keeps_its_key_while_it_is_marked(tmp_path: Path) -> None:
    maildir.deliver(tmp_path / "box", b"one")
    [mail] = maildir.listing(tmp_path / "box")
    assert mail.unread
    maildir.mark(tmp_path / "box", mail.key, "S")
    maildir.mark(tmp_path / "box", mail.key, "R")
    [marked] = maildir.listing(tmp_path / "box")
    assert (marked.key, marked.flags, marked.unread) == (mail.key, "RS", False)
    assert marked.path.parent.name == "cur"
    assert maildir.read(tmp_path / "box", mail.key) == b"one"


def test_a_mail_or_mailbox_that_is_gone_is_no_fault(tmp_path: Path) -> None:
    assert maildir.listing(tmp_path / "none") == []
    assert maildir.read(tmp_path / "none", "x") is None
    maildir.mark(tmp_path / "none", "x", "S")


def test_the_oldest_mail_comes_first(tmp_path: Path) -> None:
    for n in range(20):
        maildir.deliver(tmp_path, str(n).encode())
    assert [int(mail.path.read_bytes()) for mail in maildir.listing(tmp_path)] == list(range(20))


def test_a_reader_is_not_hurt_by_another_who_marks(tmp_path: Path) -> None:
    for n in range(30):
        maildir.deliver(tmp_path, str(n).encode())
    keys = [mail.key for mail in maildir.listing(tmp_path)]

    def mark() -> None:
        for key in keys:
            maildir.mark(tmp_path, key, "S")

    marking = threading.Thread(target=mark)
    marking.start()
    texts = [maildir.read(tmp_path, key) for key in keys]
    marking.join()
    assert None not in texts
