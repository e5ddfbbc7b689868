"""Every sample mail is told for what it is, and gives exactly the orders that its author meant."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pbem.mail.classify import classify
from pbem.mail.mime import Mail
from pbem.mail.reading import ReplyReader
from pbem.mail.us import Us

SAMPLES = Path(__file__).with_name("samples")
INDEX: list[dict[str, Any]] = json.loads((SAMPLES / "index.json").read_text(encoding="utf-8"))
ORDERS = [entry for entry in INDEX if entry["kind"] == "orders"]
HTML = [e for e in ORDERS if b"text/html" in (SAMPLES / e["file"]).read_bytes()]


def named(entry: dict[str, Any]) -> str:
    return str(entry["file"])


def raw(entry: dict[str, Any]) -> bytes:
    return (SAMPLES / named(entry)).read_bytes()


def digest(entry: dict[str, Any]) -> list[str]:
    """The mail that was answered, as far as some sample in that language quotes it whole."""
    whole = {"en": "06-outlook-desktop-en.eml", "de": "20-outlook-desktop-de.eml"}
    name = whole.get(entry["lang"])
    if name is None:
        return []
    lines = Mail((SAMPLES / name).read_bytes()).plain.split("\n")
    return lines[next(i for i, line in enumerate(lines) if line.startswith("Harbour Wars - ")) :]


@pytest.mark.parametrize("entry", INDEX, ids=named)
def test_kind(entry: dict[str, Any], us: Us) -> None:
    assert classify(raw(entry), us) == entry["kind"]


@pytest.mark.parametrize("entry", ORDERS, ids=named)
def test_orders(entry: dict[str, Any], reader: ReplyReader) -> None:
    reply = reader.read(raw(entry))
    assert reply.orders == entry["orders"]
    assert not reply.faults
    assert not reply.disagree


@pytest.mark.parametrize("entry", ORDERS, ids=named)
def test_orders_with_the_answered_mail_known(entry: dict[str, Any], reader: ReplyReader) -> None:
    assert reader.read(raw(entry), digest(entry)).orders == entry["orders"]


@pytest.mark.parametrize("entry", HTML, ids=named)
def test_orders_of_the_html_part_alone(entry: dict[str, Any], reader: ReplyReader) -> None:
    assert reader.read(Mail(raw(entry)).html).orders == entry["orders"]


@pytest.mark.parametrize("entry", ORDERS, ids=named)
def test_a_grammar_that_knows_no_attempts_finds_the_same(
    entry: dict[str, Any], toy_order: Callable[[str], str | None]
) -> None:
    def strict(line: str) -> str | None:
        try:
            return toy_order(line)
        except Exception:
            return None

    assert ReplyReader("Harbour Wars", "pbem.example.org", strict).read(raw(entry)).orders == entry["orders"]


def test_an_attachment_is_named_and_not_read(reader: ReplyReader) -> None:
    data = (SAMPLES / "41-orders-in-attachment-en.eml").read_bytes()
    reply = reader.read(data)
    only = Mail(data).only_text_attachment
    assert reply.empty
    assert reply.attachments == ("orders.txt",)
    assert only is not None
    assert only.text == "BEGIN ORDERS 7\nMOVE F1 E5\nEND ORDERS 7\n"
