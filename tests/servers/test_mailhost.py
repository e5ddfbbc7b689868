"""The servers of the tests themselves: they come up, deliver, and leave nothing behind."""

from __future__ import annotations

import imaplib
import smtplib
import socket
import ssl
from email.message import EmailMessage

import pytest

from .mailhost import HOST, MailHost, NotUp, missing, processes_in, until


def inbox(host: MailHost, user: str) -> list[bytes]:
    """Everything in somebody's inbox, raw."""
    with imaplib.IMAP4(HOST, host.imap, timeout=10) as client:
        client.starttls(ssl.create_default_context(cafile=host.ca))
        client.login(host.address(user), host.password(user))
        client.select("INBOX", readonly=True)
        found = client.search(None, "ALL")[1][0].split()
        return [client.fetch(n.decode(), "(BODY.PEEK[])")[1][0][1] for n in found]  # type: ignore[index,misc]


def submit(host: MailHost, user: str, recipient: str, body: str) -> None:
    """One mail by the submission port, with STARTTLS and login."""
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = host.address(user), recipient, "orders"
    mail.set_content(body)
    with smtplib.SMTP(HOST, host.submission, timeout=10) as client:
        client.starttls(context=ssl.create_default_context(cafile=host.ca))
        client.login(host.address(user), host.password(user))
        client.send_message(mail)


def test_a_mail_to_a_plus_address_arrives_with_its_plus_part(mailhost: MailHost) -> None:
    recipient = "games+t7.token@pbem.example.org"
    submit(mailhost, "ana@example.org", recipient, "pass")
    mails = until(lambda: inbox(mailhost, "games"))
    assert f"Delivered-To: {recipient}".encode() in mails[0]
    assert inbox(mailhost, "ana@example.org") == []
    until(lambda: not mailhost.queue())


def test_every_test_begins_with_empty_mailboxes(mailhost: MailHost) -> None:
    mailhost.deliver("games+x", b"Subject: one\r\n\r\nx\r\n")
    assert len(inbox(mailhost, "games")) == 1
    mailhost.empty()
    assert inbox(mailhost, "games") == []


def test_nothing_is_left_after_the_end(real_servers: None) -> None:
    with MailHost(["games"]) as host:
        folder, ports = host.folder, host.ports
        listening = (ports.imap, ports.imaps, ports.submission, ports.smtps, ports.mx)
        talks = [socket.create_connection((HOST, port), 5) for port in listening]
        assert processes_in(folder)
    for talk in talks:
        talk.close()
    assert processes_in(folder) == []
    assert not folder.exists()
    for port in listening:
        with pytest.raises(ConnectionRefusedError):
            socket.create_connection((HOST, port), 5)


def test_a_server_that_does_not_come_up_says_why(real_servers: None) -> None:
    host = MailHost(["games"])
    try:
        host.start()
        (host.folder / "dovecot.conf").write_text("no_such_setting = 1\n", encoding="utf-8")
        host.stop_dovecot()
        with pytest.raises(NotUp, match="no_such_setting"):
            host.start_dovecot()
    finally:
        host.stop()


def test_what_is_missing_is_named_with_its_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    assert "`apt-get install --no-install-recommends dovecot-imapd postfix`" in missing()
