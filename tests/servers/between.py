"""A machine between us and a server: it listens in, changes words, cuts lines and falls silent."""

from __future__ import annotations

import contextlib
import socket
import threading
from dataclasses import dataclass, field
from types import TracebackType
from typing import Self

from .mailhost import HOST


@dataclass
class Between:
    """Hands everything on to a port of this machine, but for what it is told to do otherwise."""

    server: int
    swap: tuple[bytes, bytes] = (b"", b"")
    """Words of the server, and what we hear instead."""
    cut_once_after: int = 0
    """Bytes of the server after which the line is cut, one time; 0: never."""
    silent: bool = False
    """From now on the server is not heard any more."""
    host: str = HOST
    """Where we reach it; any address of loopback."""
    heard: bytearray = field(default_factory=bytearray)
    """All that was said to the server."""
    connections: int = 0

    def __post_init__(self) -> None:
        self._listener = socket.create_server((self.host, 0))
        self.port = int(self._listener.getsockname()[1])
        self._open: list[socket.socket] = [self._listener]
        self._threads: list[threading.Thread] = []

    def __enter__(self) -> Self:
        self._begin(self._accept)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for line in self._open:
            _shut(line)
        for thread in self._threads:
            thread.join(10)
        for line in self._open:
            line.close()

    def _begin(self, work: object, *args: object) -> None:
        thread = threading.Thread(target=work, args=args)  # type: ignore[arg-type]
        self._threads.append(thread)
        thread.start()

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            try:
                server = socket.create_connection((HOST, self.server), 10)
            except OSError:
                client.close()
                continue
            server.settimeout(None)
            self._open += [client, server]
            self.connections += 1
            self._begin(self._up, client, server)
            self._begin(self._down, server, client)

    def _up(self, client: socket.socket, server: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while said := client.recv(65536):
                self.heard += said
                server.sendall(said)
        _shut(server)

    def _down(self, server: socket.socket, client: socket.socket) -> None:
        passed = 0
        with contextlib.suppress(OSError):
            while said := server.recv(65536):
                if self.silent:
                    continue
                if self.swap[0]:
                    said = said.replace(*self.swap)
                passed += len(said)
                if self.cut_once_after and passed >= self.cut_once_after:
                    self.cut_once_after = 0
                    client.sendall(said[: len(said) // 2])
                    break
                client.sendall(said)
        _shut(client)
        _shut(server)


def _shut(line: socket.socket) -> None:
    with contextlib.suppress(OSError):
        line.shutdown(socket.SHUT_RDWR)
