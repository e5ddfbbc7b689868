"""Postfix and Dovecot for tests: on loopback, on free ports, with everything they have in one folder."""

from __future__ import annotations

import contextlib
import os
import pwd
import random
import shutil
import signal
import smtplib
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Self, TypeVar

import trustme

from .mailhost_files import Ports, dovecot_conf, main_cf, master_cf, oauth_conf

HOST = "127.0.0.1"
PROGRAMS = {"postfix": "postfix", "dovecot": "dovecot-imapd", "doveadm": "dovecot-imapd"}
"""Each program and the Debian package that brings it."""
LMTP_PROGRAM = Path("/usr/lib/dovecot/lmtp")
INSTALL = "apt-get install --no-install-recommends"
_PATIENCE = 20.0
"""Seconds for a server to come up or to go."""
_PORTS = range(20_000, 32_000)
"""Below those that the kernel gives to clients, so that no connection takes a stopped server's port."""
_CLASH = "ddress already in use"


Found = TypeVar("Found")


class NotUp(Exception):
    """A server did not start; the text ends with what its log says."""


def missing() -> str:
    """Why there can be no mail servers here, with the remedy; empty where there can."""
    packages = {package for program, package in PROGRAMS.items() if shutil.which(program) is None}
    if not LMTP_PROGRAM.exists():
        packages.add("dovecot-lmtpd")
    if packages:
        return f"real mail servers are not installed; `{INSTALL} {' '.join(sorted(packages))}` brings them"
    if os.geteuid() != 0:
        return "real mail servers need root, to run under users of their own; run these tests as root"
    return ""


def _run(*command: str | Path) -> tuple[int, str]:
    """Exit code and words of a program. Not by a pipe: a daemon keeps that open for as long as it lives."""
    with tempfile.TemporaryFile() as words:
        done = subprocess.run(
            list(map(str, command)), stdin=subprocess.DEVNULL, stdout=words, stderr=words, timeout=60
        )
        words.seek(0)
        return done.returncode, words.read().decode("utf-8", "replace")


def processes_in(folder: Path) -> list[int]:
    """Processes that work in a folder or name it on their command line; ourselves not among them."""
    found, name = [], str(folder)
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit() or int(entry.name) == os.getpid():
            continue
        with contextlib.suppress(OSError):
            words = (entry / "cmdline").read_bytes().decode("utf-8", "replace").split("\0")
            place = os.readlink(entry / "cwd")
            if place == name or place.startswith(name + "/") or any(name in word for word in words):
                found.append(int(entry.name))
    return found


def free_ports(count: int) -> list[int]:
    """Ports on which nobody listens now."""
    with contextlib.ExitStack() as held:
        ports: list[int] = []
        while len(ports) < count:
            port = random.choice(_PORTS)
            with contextlib.suppress(OSError):
                held.enter_context(socket.create_server((HOST, port), reuse_port=False))
                ports.append(port)
    return ports


def answering(port: int, log: Callable[[], str]) -> None:
    """Wait until somebody listens at a port. Raises `NotUp`, with what the log says."""
    end = time.monotonic() + _PATIENCE
    while True:
        try:
            socket.create_connection((HOST, port), 1).close()
            return
        except OSError as e:
            if time.monotonic() > end:
                raise NotUp(f"nobody answers at port {port} ({e}):\n{log()}") from e
            time.sleep(0.02)


class MailHost:
    """Postfix and Dovecot of some domains on loopback, everything they have in one folder.

    Users are named by their local part, or by their whole address where it is not of `domain`.
    """

    def __init__(
        self,
        users: Sequence[str],
        domain: str = "pbem.example.org",
        *,
        folder: Path | None = None,
        lmtp: Mapping[str, str] | None = None,
        oauth_url: str = "",
    ) -> None:
        """`lmtp`: domains whose mail goes to another LMTP server (`unix:/path`, `inet:127.0.0.1:port`), which
        is asked for each recipient while the sender waits. `oauth_url`: where Dovecot asks what a token is
        worth; the token is appended. `folder`: an empty one that other users may enter; made where it is None.
        """
        self.domain = domain
        self.folder = folder or Path(tempfile.mkdtemp(prefix="pbem-mail-"))
        self.users = [self.address(user) for user in users]
        self.ca = self.folder / "tls" / "ca.pem"
        self.lmtp_socket = self.folder / "run" / "lmtp"
        self.ports = Ports(0, 0, 0, 0, 0)
        self._lmtp = dict(lmtp or {})
        self._oauth_url = oauth_url
        self._dovecot_conf = self.folder / "dovecot.conf"
        self._postfix_etc = self.folder / "pf-etc"

    host = HOST

    @property
    def imap(self) -> int:
        """IMAP with STARTTLS."""
        return self.ports.imap

    @property
    def imaps(self) -> int:
        """IMAP in TLS from the first byte."""
        return self.ports.imaps

    @property
    def submission(self) -> int:
        """SMTP with STARTTLS and login, for users' own mail."""
        return self.ports.submission

    @property
    def smtps(self) -> int:
        """The same in TLS from the first byte."""
        return self.ports.smtps

    @property
    def mx(self) -> int:
        """SMTP for everybody in the world, to local users alone."""
        return self.ports.mx

    def address(self, user: str) -> str:
        """The whole address of a user."""
        return user if "@" in user else f"{user}@{self.domain}"

    def password(self, user: str) -> str:
        """What this user logs in with."""
        return f"{user.partition('@')[0]}-secret"

    def start(self) -> None:
        """Both servers up and answering. Raises `NotUp`, with the end of the log."""
        self._furnish()
        for left in (2, 1, 0):
            self.ports = Ports(*free_ports(5))
            self._configure()
            try:
                self.start_dovecot()
                self.start_postfix()
            except NotUp as e:
                self._end_servers()
                if left and _CLASH in str(e):
                    continue
                raise
            return

    def stop(self) -> None:
        """Both servers gone, their folder too. Raises `NotUp` if a process stays whatever one does."""
        self._end_servers()
        shutil.rmtree(self.folder)

    def __enter__(self) -> Self:
        try:
            self.start()
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def start_dovecot(self) -> None:
        """Dovecot up, on the ports it has. Raises `NotUp`."""
        code, words = _run("dovecot", "-c", self._dovecot_conf)
        if code:
            raise NotUp(f"Dovecot does not start: {words}\n{self.log_of('dovecot')}")
        for port in (self.imap, self.imaps):
            answering(port, lambda: self.log_of("dovecot"))

    def stop_dovecot(self) -> None:
        """Dovecot and all its conversations ended."""
        self._ended(self.folder / "run" / "master.pid", self.folder / "run")

    def start_postfix(self) -> None:
        """Postfix up, on the ports it has. Raises `NotUp`."""
        code, words = _run("postfix", "-c", self._postfix_etc, "start")
        if code:
            raise NotUp(f"Postfix does not start: {words}\n{self.log_of('postfix')}")
        for port in (self.submission, self.smtps, self.mx):
            answering(port, lambda: self.log_of("postfix"))

    def stop_postfix(self) -> None:
        """Postfix and all its conversations ended; its queue stays."""
        self._ended(self.folder / "pf-queue" / "pid" / "master.pid", self.folder / "pf-queue")

    def kick(self, user: str) -> None:
        """Break every IMAP connection of a user."""
        _run("doveadm", "-c", self._dovecot_conf, "kick", self.address(user))

    def deliver(self, user: str, raw: bytes, sender: str = "") -> None:
        """Straight into a mailbox, plus part and all. Raises `smtplib.SMTPException`."""
        with smtplib.LMTP(str(self.lmtp_socket)) as client:
            client.sendmail(sender, [self.address(user)], raw)

    def queue(self) -> list[str]:
        """Mails that Postfix still has, one line of JSON each."""
        code, words = _run("postqueue", "-c", self._postfix_etc, "-j")
        assert code == 0, words
        return words.splitlines()

    def empty(self) -> None:
        """All mail gone, out of every mailbox and the queue."""
        _run("postsuper", "-c", self._postfix_etc, "-d", "ALL")
        code, words = _run("doveadm", "-c", self._dovecot_conf, "expunge", "-A", "mailbox", "*", "all")
        assert code == 0, words

    def log_of(self, server: str, lines: int = 20) -> str:
        """The end of what `dovecot` or `postfix` has written."""
        path = self.folder / "log" / f"{server}.log"
        try:
            return "\n".join(path.read_text(encoding="utf-8", errors="replace").splitlines()[-lines:])
        except FileNotFoundError:
            return "(it has written no log)"

    def _furnish(self) -> None:
        """Folders, certificates, users."""
        self.folder.chmod(0o755)
        for name in ("run", "mail", "log", "tls", "pf-etc", "pf-queue", "pf-data"):
            (self.folder / name).mkdir()
        mail, postfix = pwd.getpwnam("mail"), pwd.getpwnam("postfix")
        os.chown(self.folder / "mail", mail.pw_uid, mail.pw_gid)
        os.chown(self.folder / "pf-data", postfix.pw_uid, -1)
        authority = trustme.CA()
        certificate = authority.issue_cert("localhost", HOST)
        authority.cert_pem.write_to_path(str(self.ca))
        key = self.folder / "tls" / "server.key"
        key.touch(mode=0o600)
        certificate.private_key_pem.write_to_path(str(key))
        for pem in certificate.cert_chain_pems:
            pem.write_to_path(str(self.folder / "tls" / "server.pem"), append=True)
        lines = (f"{user}:{{PLAIN}}{self.password(user)}::::::\n" for user in self.users)
        (self.folder / "users").write_text("".join(lines), encoding="utf-8")

    def _configure(self) -> None:
        etc, own = self._postfix_etc, sorted({user.partition("@")[2] for user in self.users} | {self.domain})
        self._dovecot_conf.write_text(dovecot_conf(self.folder, self.ports, bool(self._oauth_url)), "utf-8")
        if self._oauth_url:
            (self.folder / "oauth.conf").write_text(oauth_conf(self._oauth_url), encoding="utf-8")
        (etc / "main.cf").write_text(main_cf(self.folder, self.domain, own, self.users, self._lmtp), "utf-8")
        (etc / "master.cf").write_text(master_cf(self.ports), encoding="utf-8")

    def _end_servers(self) -> None:
        self.stop_postfix()
        self.stop_dovecot()

    def _ended(self, pid_file: Path, place: Path) -> None:
        """A server asked by its pid file to end, and waited for; what still stays in its folder is killed."""
        with contextlib.suppress(FileNotFoundError, ProcessLookupError, ValueError):
            os.kill(int(pid_file.read_text().split()[0]), signal.SIGTERM)
        left: list[int] = []
        for patience in (2.0, _PATIENCE):  # Dovecot leaves clients alone that have not logged in
            end = time.monotonic() + patience
            while left := processes_in(place):
                if time.monotonic() > end:
                    break
                time.sleep(0.02)
            if not left:
                return
            for pid in left:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
        raise NotUp(f"processes {left} of {place} do not end")


def until(look: Callable[[], Found], seconds: float = 15.0) -> Found:
    """The first thing that a look finds which is not empty or false; fails when the time is over."""
    end = time.monotonic() + seconds
    while not (found := look()):
        assert time.monotonic() < end, f"it has not come true within {seconds:.0f} seconds"
        time.sleep(0.02)
    return found
