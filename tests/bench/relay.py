"""A relay that plays no game: the same number of mails through the same SQLite and SMTP, unread."""

from __future__ import annotations

import asyncio
import email
import email.policy
import os
import sqlite3
import time
from email.message import EmailMessage
from pathlib import Path

import aiosmtplib

SCHEMA = """
pragma journal_mode = wal;
pragma synchronous = full;
create table mail (id integer primary key, raw blob, sender text);
"""


async def relay(maildir: Path, database: Path, port: int, text: str, html: str) -> float:
    """Take every mail from a Maildir: parse, one row and one commit, two replies, move it; gives mails a second.

    The replies are as long as ours; `text` and `html` are their parts.
    """
    db = sqlite3.connect(database, isolation_level=None)
    db.executescript(SCHEMA)
    post = aiosmtplib.SMTP(hostname="127.0.0.1", port=port, start_tls=False, use_tls=False)
    await post.connect()
    names = sorted(os.listdir(maildir / "new"))
    began = time.perf_counter()
    for name in names:
        raw = (maildir / "new" / name).read_bytes()
        mail = email.message_from_bytes(raw, policy=email.policy.default)
        db.execute("begin immediate")
        db.execute("insert into mail (raw, sender) values (?, ?)", (raw, str(mail["from"])))
        db.execute("commit")
        for n in range(2):
            await post.send_message(reply(str(mail["from"]), f"{name}.{n}", text, html))
        os.rename(maildir / "new" / name, maildir / "cur" / f"{name}:2,S")
    spent = time.perf_counter() - began
    await post.quit()
    db.close()
    return len(names) / spent


def reply(to: str, name: str, text: str, html: str) -> EmailMessage:
    """A letter of two parts, built by the standard library."""
    letter = EmailMessage()
    letter["From"], letter["To"], letter["Subject"] = "relay@runner.invalid", to, "Re: your move"
    letter["Message-ID"] = f"<{name}@runner.invalid>"
    letter.set_content(text, cte="quoted-printable")
    letter.add_alternative(html, subtype="html", cte="quoted-printable")
    return letter


def run(maildir: Path, database: Path, port: int, text: str, html: str) -> float:
    """`relay` in a loop of its own."""
    return asyncio.run(relay(maildir, database, port, text, html))
