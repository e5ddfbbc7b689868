"""One way to write plain data, and its fingerprint (D-4)."""

from __future__ import annotations

import hashlib
from typing import Any

import msgspec


def canonical(saved: Any) -> bytes:
    """The JSON of plain data with sorted keys and no blanks."""
    return msgspec.json.encode(saved, order="deterministic")


def fingerprint(saved: Any) -> str:
    """SHA-256 of the canonical JSON, in hex."""
    return hashlib.sha256(canonical(saved)).hexdigest()
