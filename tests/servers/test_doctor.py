"""The doctor at real servers: what it says when all is well, and when one thing after the other is not."""

from __future__ import annotations

import imaplib
import ssl
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import trustme

from pbem.doctor import examine
from pbem.round_trip import Finding
from pbem.sources.imap import ImapSource

from .mailhost import HOST, MailHost

Examine = Callable[..., dict[str, Finding]]


@pytest.fixture
def examined(mailhost: MailHost, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Examine:
    """Writes a configuration for the servers, in which some keys are otherwise, and examines it."""
    monkeypatch.setenv("PBEM_RIGHT", mailhost.password("games"))
    monkeypatch.setenv("PBEM_WRONG", "not this one")

    def examine_with(wait: float = 20, **other: object) -> dict[str, Finding]:
        keys: dict[str, object] = {
            "imap.host": HOST,
            "imap.port": mailhost.imaps,
            "imap.user": mailhost.address("games"),
            "imap.password_env": "PBEM_RIGHT",
            "imap.ca_file": str(mailhost.ca),
            "imap.timeout": 5,
            "smtp.host": HOST,
            "smtp.port": mailhost.submission,
            "smtp.user": mailhost.address("games"),
            "smtp.password_env": "PBEM_RIGHT",
            "smtp.ca_file": str(mailhost.ca),
            "smtp.timeout": 5,
            "mail.source": "imap",
            "mail.address": mailhost.address("games"),
            "store.path": str(tmp_path / "pbem.sqlite"),
        }
        keys.update({name.replace("_at_", "."): value for name, value in other.items()})
        sections = sorted({name.partition(".")[0] for name in keys})
        lines = []
        for section in sections:
            lines.append(f"[{section}]")
            for name, value in keys.items():
                of, _, key = name.partition(".")
                if of == section:
                    lines.append(f"{key} = {value}" if isinstance(value, int) else f'{key} = "{value}"')
        path = tmp_path / "config.toml"
        path.write_text("\n".join(lines) + "\n")
        return {f.step: f for f in examine(path, wait)}

    return examine_with


def bad(found: dict[str, Finding]) -> list[str]:
    return [name for name, f in found.items() if f.state == "bad"]


def test_all_is_well(examined: Examine) -> None:
    found = examined()
    assert bad(found) == []
    assert "kept in Delivered-To" in found["plus address"].said
    assert found["bounce address"].said == "bounces come to an address of their own"
    assert found["mailbox capabilities"].said == "MOVE, UIDPLUS, IDLE"
    assert "clocks agree" in found["clock"].said or "clock and ours agree" in found["clock"].said
    assert found["cleaning up"].said == "2 test mails are in Done"


@pytest.mark.parametrize("security", ["tls", "starttls"])
def test_both_ways_of_encryption(examined: Examine, mailhost: MailHost, security: str) -> None:
    ports = {
        "imap_at_port": mailhost.imaps if security == "tls" else mailhost.imap,
        "smtp_at_port": mailhost.smtps if security == "tls" else mailhost.submission,
    }
    assert bad(examined(imap_at_security=security, smtp_at_security=security, **ports)) == []


def test_wrong_passwords(examined: Examine) -> None:
    found = examined(imap_at_password_env="PBEM_WRONG", smtp_at_password_env="PBEM_WRONG")
    assert bad(found) == ["mailbox logs in", "post logs in"]
    assert "application password" in found["mailbox logs in"].remedy
    assert "application password" in found["post logs in"].remedy


def test_an_authority_that_signed_nothing_here(examined: Examine, tmp_path: Path) -> None:
    other = tmp_path / "other.pem"
    trustme.CA().cert_pem.write_to_path(str(other))
    found = examined(imap_at_ca_file=str(other), smtp_at_ca_file=str(other))
    assert bad(found) == ["mailbox connects", "post connects"]
    assert "imap.ca_file" in found["mailbox connects"].remedy
    assert "smtp.ca_file" in found["post connects"].remedy


@pytest.fixture
def stopped(mailhost: MailHost) -> Iterator[None]:
    """Both servers are down, and up again afterwards."""
    mailhost.stop_dovecot()
    mailhost.stop_postfix()
    yield
    mailhost.start_dovecot()
    mailhost.start_postfix()


def test_servers_that_are_down(examined: Examine, stopped: None) -> None:
    found = examined()
    assert bad(found) == ["mailbox connects", "post connects"]
    assert "Nothing listens there" in found["mailbox connects"].remedy
    assert "Nothing listens there" in found["post connects"].remedy


def test_another_address_than_that_of_the_mailbox(examined: Examine, mailhost: MailHost) -> None:
    found = examined(wait=3, mail_at_address=mailhost.address("ana@example.org"))
    assert bad(found) == ["test mail arrives"]
    assert "come into this very mailbox" in found["test mail arrives"].remedy


def test_an_address_that_nobody_has(examined: Examine) -> None:
    found = examined(mail_at_address="nobody@pbem.example.org")
    assert bad(found) == ["test mail"]
    assert "mail.address" in found["test mail"].remedy


def test_a_mail_among_the_spam(
    examined: Examine, mailhost: MailHost, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What a filter would do, a second client does: it moves the test mails to Junk before they are seen."""
    real = ImapSource.fetch

    def filtered(self: ImapSource, limit: int = 50) -> Iterator[object]:
        context = ssl.create_default_context(cafile=str(mailhost.ca))
        with imaplib.IMAP4_SSL(HOST, mailhost.imaps, ssl_context=context) as client:
            client.login(mailhost.address("games"), mailhost.password("games"))
            client.create("Junk")
            client.select("INBOX")
            _, uids = client.uid("SEARCH", "ALL")
            for uid in (uids[0] or b"").split():
                client.uid("MOVE", uid.decode(), "Junk")
        yield from real(self, limit)

    monkeypatch.setattr(ImapSource, "fetch", filtered)
    found = examined(wait=3)
    assert bad(found) == ["test mail arrives"]
    assert found["test mail arrives"].said == "it was put into the folder Junk"
