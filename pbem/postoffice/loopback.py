"""Sockets that only this machine can reach."""

from __future__ import annotations

import errno
import ipaddress
import socket

NEIGHBOURS = 50
"""How many ports are tried, counting up, before we give up."""


class NotLoopback(ValueError):
    """Somebody asked us to listen where other machines could reach us. Its text is for the host."""


def loopback(host: str) -> str:
    """The loopback address that `host` names; `localhost` is 127.0.0.1 whatever the resolver thinks.

    Raises `NotLoopback` for every other address or name.
    """
    if host == "localhost":
        return "127.0.0.1"
    try:
        if ipaddress.ip_address(host).is_loopback:
            return host
    except ValueError:
        pass
    raise NotLoopback(
        f"{host!r} is not a loopback address. There is no password here, so only 127.0.0.1 or ::1 will do."
    )


def listen(host: str, port: int) -> socket.socket:
    """A listening socket on `port`, or on the next free one; 0 takes any free port.

    Raises `NotLoopback`, or `OSError` when `NEIGHBOURS` ports in a row are taken or the system forbids it.
    """
    host = loopback(host)
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    last = min(port + NEIGHBOURS, 65_536) if port else 1
    for candidate in range(port, last):
        try:
            listening = socket.create_server((host, candidate), family=family, backlog=100)
        except OSError as error:
            if error.errno != errno.EADDRINUSE:
                raise
        else:
            # Inherited by each conversation; or else every answer of several lines waits 40 ms for an ACK.
            listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            return listening
    raise OSError(errno.EADDRINUSE, f"every port from {port} to {last - 1} is taken on {host}")
