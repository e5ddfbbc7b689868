"""Says in one sentence what the tests with real mail servers lack here; nothing where they lack nothing."""

from __future__ import annotations

from .mailhost import missing

if __name__ == "__main__" and (why := missing()):
    print(f"{why[0].upper()}{why[1:]}.")
