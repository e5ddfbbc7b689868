"""Which machine a host name means, as far as that can be told without asking anybody."""

from __future__ import annotations

import ipaddress


def is_loopback(host: str) -> bool:
    """True for this machine's own names and addresses, over which a password may travel in the clear."""
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")
