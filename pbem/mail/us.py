"""Who we are, as other people's mail names us."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Us:
    """Our own name and addresses; everything that reads mail is a function of the mail and this."""

    name: str
    """Display name, as it stands in From: `Harbour Wars`."""
    domain: str
    """Domain of our address: `pbem.example.org`."""
    stop_address: str
    """Where "no more mail" goes: `gm+stop@pbem.example.org`, or the same with `.` and more behind `stop`."""
    loop_header: str
    """Name of the header that every letter of ours carries: `X-Harbour-Wars-Loop`."""
    address: str = ""
    """The mailbox without plus part: `gm@pbem.example.org`; where it is not given, that of `stop_address`."""
    authserv_id: str = ""
    """The name under which our own mail server writes Authentication-Results; empty: none is trusted."""
    hosts: frozenset[str] = field(default=frozenset())
    """Further host names of ours that write Received lines (behind the mail server)."""

    def __post_init__(self) -> None:
        if not self.address:
            local, _, domain = self.stop_address.rpartition("@")
            object.__setattr__(self, "address", f"{local.partition('+')[0]}@{domain}")
