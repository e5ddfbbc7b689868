"""People's accounts at the mail servers of the tests, and the configuration of a runner with one."""

from __future__ import annotations

import contextlib
import imaplib
import smtplib
import ssl
from collections.abc import Iterable, Iterator, Mapping
from email import message_from_bytes
from email.utils import parseaddr
from pathlib import Path

from .mailhost import HOST, MailHost

TIMEOUT = 20.0
PASSWORD = "PBEM_TEST_PASSWORD"
"""The variable from which a runner has the password of `games`."""


class Mailbox:
    """One connection to one account by IMAP, on its inbox or another folder; nothing in it is changed."""

    def __init__(self, host: MailHost, user: str, folder: str = "INBOX") -> None:
        context = ssl.create_default_context(cafile=host.ca)
        self._client = imaplib.IMAP4_SSL(HOST, host.imaps, ssl_context=context, timeout=TIMEOUT)
        self._client.login(host.address(user), host.password(user))
        self._there = self._client.select(folder, readonly=True)[0] == "OK"
        self._next = 1

    def new(self) -> list[bytes]:
        """What has come since the last look, oldest first."""
        if not self._there:
            return []
        self._client.noop()
        found = self._client.uid("SEARCH", f"UID {self._next}:*")[1][0] or b""
        uids = [
            uid for uid in map(int, found.split()) if uid >= self._next
        ]  # `*` names the last one at least
        self._next = max([self._next, *(uid + 1 for uid in uids)])
        return [self._fetched(uid) for uid in sorted(uids)]

    def _fetched(self, uid: int) -> bytes:
        _, data = self._client.uid("FETCH", str(uid), "(BODY.PEEK[])")
        item = data[0]
        assert isinstance(item, tuple)
        return bytes(item[1])

    def close(self) -> None:
        """Log out."""
        with contextlib.suppress(OSError, imaplib.IMAP4.error):
            self._client.logout()


class Accounts:
    """Everybody's mail program: each reads their own mailbox by IMAP, and hands in at the submission port."""

    def __init__(self, host: MailHost, addresses: Mapping[str, str]) -> None:
        self._host = host
        self._addresses = addresses
        self._context = ssl.create_default_context(cafile=host.ca)
        self._boxes = {who: Mailbox(host, address) for who, address in addresses.items()}

    def send(self, who: str, raw: bytes) -> None:
        """Hand in a mail, with login and TLS, on a connection of its own as mail programs do."""
        address = self._addresses[who]
        recipient = parseaddr(str(message_from_bytes(raw)["To"]))[1]
        with smtplib.SMTP(HOST, self._host.submission, local_hostname="localhost", timeout=TIMEOUT) as client:
            client.starttls(context=self._context)
            client.login(address, self._host.password(address))
            client.sendmail(address, [recipient], raw)

    def fetch(self, who: str) -> list[bytes]:
        """What has come since the last look."""
        return self._boxes[who].new()

    def close(self) -> None:
        """Log out everywhere."""
        for box in self._boxes.values():
            box.close()


@contextlib.contextmanager
def accounts(host: MailHost, addresses: Mapping[str, str]) -> Iterator[Accounts]:
    """Accounts that are closed again."""
    open = Accounts(host, addresses)
    try:
        yield open
    finally:
        open.close()


def folder(host: MailHost, user: str, name: str) -> list[bytes]:
    """The mails in one folder of an account; none where there is no such folder."""
    box = Mailbox(host, user, name)
    try:
        return box.new()
    finally:
        box.close()


def config_text(host: MailHost, store: Path, more: Iterable[str] = ()) -> str:
    """A `config.toml` for a runner whose mailbox is that of `games`; `more`: lines for its [mail]."""
    user = host.address("games")
    account = f'user = "{user}"\npassword_env = "{PASSWORD}"\nca_file = "{host.ca}"\n'
    lines = "".join(f"{line}\n" for line in more)
    return (
        f'[mail]\nsource = "imap"\naddress = "{user}"\nname = "Play by mail"\n{lines}\n'
        f'[imap]\nhost = "localhost"\nport = {host.imaps}\nsecurity = "tls"\n{account}\n'
        f'[smtp]\nhost = "localhost"\nport = {host.submission}\nsecurity = "starttls"\n{account}\n'
        f'[table]\nminimum_age_minutes = 0.0\n\n[store]\npath = "{store}"\n'
    )
