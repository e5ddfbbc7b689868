"""The bounces of odd old servers, told by the detectors of another library."""

from __future__ import annotations

import logging

from flufl.bounce import all_failures

from pbem.mail.mime import AnyMessage

# It logs a traceback when one of its detectors trips over broken text; the host can do nothing about that.
logging.getLogger("flufl.bounce").setLevel(logging.CRITICAL)


def failures(message: AnyMessage) -> tuple[set[str], set[str]]:
    """Addresses that failed for now, and those that failed for good; never raises."""
    try:
        temporary, permanent = all_failures(message)
    except Exception:  # a detector that trips over broken text knows nothing
        return set(), set()
    return {_address(a) for a in temporary}, {_address(a) for a in permanent}


def _address(found: bytes | str) -> str:
    return found.decode("utf-8", "replace") if isinstance(found, bytes) else found
