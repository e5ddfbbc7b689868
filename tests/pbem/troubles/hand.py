"""Mails made by hand, byte by byte, as programs on their path leave them; and what came of them."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from pbem.config import Mail
from pbem.store.inbox import Filed

from ..table import Letter, PbemTable

SEED = b"\x01" * 32
PLAYERS = ("Ana", "Ben", "Carla")


def begun(folder: Path) -> PbemTable:
    """A Troyes of three with a moderator, in which Ana is asked first; always the same."""
    table = PbemTable(folder)
    table.begun(*PLAYERS, moderators=["Dora"], seed=SEED)
    assert table.asked() == ["Ana"]
    return table


def opened(folder: Path) -> PbemTable:
    """A table on a mailbox that all the world writes to, in a folder that may hold its store already."""
    return PbemTable(folder, mail=Mail(source="imap", authserv_id="mx.example.org"))


def entity(body: bytes | str, content: str = "text/plain; charset=utf-8", transfer: str = "8bit") -> bytes:
    """A MIME part: its headers and its body as it stands."""
    data = body.encode() if isinstance(body, str) else body
    head = f"Content-Type: {content}\r\n" if content else ""
    head += f"Content-Transfer-Encoding: {transfer}\r\n" if transfer else ""
    return head.encode() + b"\r\n" + data


def multipart(kind: str, *parts: bytes, boundary: str = "B", end: bool = True, more: str = "") -> bytes:
    """Parts in a container."""
    mark = f"--{boundary}".encode()
    head = f'Content-Type: multipart/{kind}; boundary="{boundary}"{more}\r\n\r\n'.encode()
    return head + b"".join(mark + b"\r\n" + p + b"\r\n" for p in parts) + (mark + b"--\r\n" if end else b"")


def head(table: PbemTable, person: str, to: Letter | None = None, **headers: str | None) -> bytes:
    """The headers of an answer; a value of None leaves one out, `_` in names stands for `-`."""
    letter = to or table.last(person)
    table_id = len(table.app.store.all("select 1 from inbox"))
    values: dict[str, str | None] = {
        "From": f"{person} <{person.lower()}@example.org>",
        "To": str(letter.message["reply-to"]),
        "Subject": f"Re: {letter.subject}",
        "Message-ID": f"<h{table_id}.{person.lower()}@example.org>",
        "In-Reply-To": str(letter.message["message-id"]),
        "References": str(letter.message["message-id"]),
        "Date": "Tue, 01 Dec 2026 09:00:00 +0000",
    }
    values |= {name.replace("_", "-"): value for name, value in headers.items()}
    lines = [f"{name}: {value}\r\n" for name, value in values.items() if value is not None]
    return "".join([*lines, "MIME-Version: 1.0\r\n"]).encode("utf-8", "surrogateescape")


def post(
    table: PbemTable, person: str, body: bytes | str, to: Letter | None = None, **headers: str | None
) -> Filed:
    """A mail arrives: a made part, or plain text."""
    part = body if isinstance(body, bytes) else entity(body)
    return table.mail(head(table, person, to, **headers) + part)


def done(table: PbemTable, person: str, *words: str) -> Letter:
    """Their newest receipt, which must say that these orders were done, and no others."""
    receipt = table.last(person, "receipt")
    assert [line for line in words if f"{line}: done." not in receipt.flat] == [], receipt.text
    assert receipt.flat.count(": done.") == len(words), receipt.text
    return receipt


def not_done(table: PbemTable, person: str, *said: str) -> Letter:
    """Their newest receipt, which must say that nothing was done, and this."""
    receipt = table.last(person, "receipt")
    assert ": done." not in receipt.text, receipt.text
    assert [words for words in said if words not in receipt.flat] == [], receipt.text
    return receipt


def orders(table: PbemTable) -> list[str]:
    """Everything that was answered in the only game."""
    return [answer.pick for _, answer in table.app.games.answers(table.game().id)]


def notes(table: PbemTable) -> list[str]:
    """Everything that was noted."""
    return [row["text"] for row in table.app.store.all("select text from note order by id")]


def quoted(lines: Iterable[str], mark: str = "> ") -> str:
    """Lines as a mail program quotes them."""
    return "\r\n".join((mark + line).rstrip() for line in lines)


def wrote(table: PbemTable, form: str = "On Tue, 1 Dec 2026 at 09:00, {name} <{address}> wrote:") -> str:
    """An attribution that names us."""
    return form.format(name=table.config.mail.name, address=table.config.mail.address)


def letters_of(table: PbemTable) -> int:
    """How many letters were ever written."""
    return len(table.app.store.all("select 1 from outbox"))
