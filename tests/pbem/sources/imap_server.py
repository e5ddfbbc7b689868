"""A small IMAP server on loopback that misbehaves on demand."""

from __future__ import annotations

import contextlib
import re
import socket
import ssl
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field

BEFORE = "IMAP4rev1 AUTH=PLAIN AUTH=XOAUTH2 STARTTLS"
AFTER = "IMAP4rev1 UIDPLUS MOVE IDLE"
DATE = "28-Nov-2026 09:21:00 +0100"


class Hangup(Exception):
    """The server drops the line."""


@dataclass
class ImapServer:
    """The mailbox of one user, and how the server is to go wrong. Faults of one use end in `once`."""

    mails: dict[int, bytes] = field(default_factory=dict)
    folders: dict[str, list[bytes]] = field(default_factory=lambda: {"Done": [], "Failed": []})
    before: str = BEFORE
    after: str = AFTER
    validity: int = 77
    namespace: str = ""
    date: str = DATE
    refuse_login: str = ""
    no_inbox: bool = False
    twice: bool = False
    """FETCH answers a second time, with an empty body."""
    hang_once: str = ""
    """This command is never answered."""
    drop_in_fetch_once: bool = False
    bye_in_idle: bool = False
    drop_in_idle: bool = False
    news_with_idle: bool = False
    """The word that we may idle and the word of new mail come in one packet."""
    slow_news: bool = False
    """The word of new mail comes in two halves."""
    tls: ssl.SSLContext | None = None
    implicit: bool = False
    commands: list[str] = field(default_factory=list)
    logins: int = 0
    arrived: threading.Event = field(default_factory=threading.Event)
    idling: threading.Event = field(default_factory=threading.Event)

    def __post_init__(self) -> None:
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = int(self._listener.getsockname()[1])
        self._stopped = threading.Event()
        self._threads = [threading.Thread(target=self._accept)]
        self._open: list[socket.socket] = []
        self._threads[0].start()

    def deliver(self, raw: bytes) -> int:
        """A new mail; whoever idles is told."""
        uid = max(self.mails, default=0) + 1
        self.mails[uid] = raw
        self.arrived.set()
        return uid

    def stop(self) -> None:
        """Ends all connections and waits for the threads."""
        self._stopped.set()
        self.arrived.set()
        with contextlib.suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        for connection in self._open:
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)
        for thread in self._threads:
            thread.join(10)

    def _accept(self) -> None:
        while not self._stopped.is_set():
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            thread = threading.Thread(target=self._serve, args=(connection,))
            self._threads.append(thread)
            thread.start()

    def _serve(self, connection: socket.socket) -> None:
        with contextlib.suppress(Hangup, OSError, ValueError):
            if self.implicit and self.tls:
                connection = self.tls.wrap_socket(connection, server_side=True)
            self._open.append(connection)
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            session = Session(self, connection)
            with contextlib.closing(session):
                session.run()
        connection.close()


class Session:
    """One connection."""

    def __init__(self, server: ImapServer, connection: socket.socket) -> None:
        self.server = server
        self.connection = connection
        self.file = connection.makefile("rb")
        self.looked_at = ""

    def close(self) -> None:
        self.file.close()
        self.connection.close()

    def send(self, *lines: str | bytes) -> None:
        for line in lines:
            self.connection.sendall((line if isinstance(line, bytes) else line.encode()) + b"\r\n")

    def run(self) -> None:
        self.send(f"* OK [CAPABILITY {self.server.before}] ready")
        for tag, command, rest in self._commands():
            self.server.commands.append(f"{command} {rest}".strip())
            if self.server.hang_once == command:
                self.server.hang_once = ""
                self.server._stopped.wait(10)
                raise Hangup
            handler = getattr(self, "do_" + command.lower().replace(" ", "_"), None)
            if handler is None:
                self.send(f"{tag} BAD what is {command}?")
            else:
                handler(tag, rest)

    def _commands(self) -> Iterator[tuple[str, str, str]]:
        while line := self.file.readline():
            tag, _, text = line.decode().strip().partition(" ")
            m = re.match(r"((?:UID )?\w+) ?(.*)", text)
            assert m, text
            yield tag, m[1].upper(), m[2]

    def do_capability(self, tag: str, _: str) -> None:
        words = self.server.after if self.server.logins else self.server.before
        self.send(f"* CAPABILITY {words}", f"{tag} OK done")

    def do_starttls(self, tag: str, _: str) -> None:
        self.send(f"{tag} OK begin")
        assert self.server.tls
        self.file.close()
        self.connection = self.server.tls.wrap_socket(self.connection, server_side=True)
        self.server._open.append(self.connection)
        self.file = self.connection.makefile("rb")

    def do_login(self, tag: str, rest: str) -> None:
        if self.server.refuse_login:
            self.send(f"{tag} NO {self.server.refuse_login}")
            return
        self.server.logins += 1
        self.send(f"{tag} OK in")

    def do_authenticate(self, tag: str, _: str) -> None:
        self.send("+ ")
        self.server.commands.append(self.file.readline().decode().strip())
        self.do_login(tag, "")

    def do_namespace(self, tag: str, _: str) -> None:
        self.send(f'* NAMESPACE (("{self.server.namespace}" ".")) NIL NIL', f"{tag} OK done")

    def do_list(self, tag: str, _: str) -> None:
        for folder in ("INBOX", *self.server.folders):
            flags = r"\HasNoChildren \Junk" if folder in ("Junk", "Bulk Mail") else r"\HasNoChildren"
            self.send(f'* LIST ({flags}) "." "{folder}"')
        self.send(f"{tag} OK done")

    def do_examine(self, tag: str, rest: str) -> None:
        self.looked_at = rest.strip('"')
        found = self.server.folders.get(self.looked_at)
        if found is None:
            self.send(f"{tag} NO no such folder")
            return
        self.send(f"* {len(found)} EXISTS", f"{tag} OK [READ-ONLY] here")

    def do_select(self, tag: str, _: str) -> None:
        if self.server.no_inbox:
            self.send(f"{tag} NO no such mailbox")
            return
        self.send(f"* {len(self.server.mails)} EXISTS", f"* OK [UIDVALIDITY {self.server.validity}] valid")
        self.send(f"{tag} OK [READ-WRITE] selected")

    def do_noop(self, tag: str, _: str) -> None:
        self.send(f"* {len(self.server.mails)} EXISTS", f"{tag} OK done")

    def do_uid_search(self, tag: str, rest: str) -> None:
        if rest.startswith("HEADER"):
            word = rest.split()[-1].strip('"').encode()
            mails = self.server.folders.get(self.looked_at, [])
            hits = [str(n) for n, raw in enumerate(mails, 1) if word in raw]
            self.send(f"* SEARCH {' '.join(hits)}".strip(), f"{tag} OK done")
            return
        self.send(f"* SEARCH {' '.join(map(str, self.server.mails))}".strip(), f"{tag} OK done")

    def do_uid_fetch(self, tag: str, rest: str) -> None:
        uid = int(rest.split()[0])
        raw = self.server.mails.get(uid)
        if raw is not None:
            part = re.search(r"BODY.PEEK\[\]<0\.(\d+)>", rest)
            assert part, rest
            raw = raw[: int(part[1])]
            head = f'* 1 FETCH (UID {uid} INTERNALDATE "{self.server.date}" BODY[]<0> {{{len(raw)}}}\r\n'
            if self.server.drop_in_fetch_once:
                self.server.drop_in_fetch_once = False
                self.connection.sendall(head.encode() + raw[: len(raw) // 2])
                raise Hangup
            self.connection.sendall(head.encode() + raw)
            self.send(")")
            if self.server.twice:
                self.send(f"* 1 FETCH (UID {uid} BODY[] {{0}}", ")", f"* 1 FETCH (UID {uid} FLAGS ())")
        self.send(f"{tag} OK done")

    def do_uid_move(self, tag: str, rest: str) -> None:
        uid, folder = rest.split(" ", 1)
        folder = folder.strip('"')
        if folder not in self.server.folders:
            self.send(f"{tag} NO [TRYCREATE] no such folder")
            return
        raw = self.server.mails.pop(int(uid), None)
        if raw is not None:
            self.server.folders[folder].append(raw)
            self.send(f"* OK [COPYUID 1 {uid} 1]", "* 1 EXPUNGE")
        self.send(f"{tag} OK moved")

    def do_create(self, tag: str, rest: str) -> None:
        self.server.folders[rest.strip('"')] = []
        self.send(f"{tag} OK done")

    def do_idle(self, tag: str, _: str) -> None:
        self.send("+ idling\r\n* 1 EXISTS" if self.server.news_with_idle else "+ idling")
        self.server.idling.set()
        if self.server.bye_in_idle:
            self.send("* BYE get out")
        if self.server.bye_in_idle or self.server.drop_in_idle:
            raise Hangup
        self.connection.settimeout(0.02)
        end = time.monotonic() + 20
        told = False
        while time.monotonic() < end and not self.server._stopped.is_set():
            if self.server.arrived.is_set() and not told:
                told = True
                if self.server.slow_news:
                    self.connection.sendall(b"* 7 REC")
                    time.sleep(0.1)
                    self.send("ENT")
                self.send(f"* {len(self.server.mails)} EXISTS")
            try:
                if self.connection.recv(100).upper().startswith(b"DONE"):
                    break
            except TimeoutError:
                continue
        self.connection.settimeout(None)
        self.server.arrived.clear()
        self.send(f"{tag} OK idled")

    def do_logout(self, tag: str, _: str) -> None:
        self.send("* BYE", f"{tag} OK done")
        raise Hangup
