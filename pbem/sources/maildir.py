"""A Maildir as a source: no server, no locks, every step a rename."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from pbem.mail.mime import KEPT_BYTES
from pbem.ports import Disconnected, Fetched, Refused

_LOOK = 0.5
"""Seconds between two looks at the folder for mail that another program delivers."""


class MaildirSource:
    """Reads `new` and `cur` of one Maildir; settled mails go to its `.Done` and `.Failed`."""

    def __init__(self, path: Path | str) -> None:
        self._path = Path(path)
        self._wake = threading.Event()
        self._places: dict[str, Path] = {}
        self._seen: tuple[int, ...] = ()

    def fetch(self, limit: int = 50) -> Iterator[Fetched]:
        """The mails that lie there, oldest first by their delivery, of overlong ones the head. A file that
        somebody moves meanwhile is left out. Raises `Refused` if this is no Maildir, `Disconnected` if it
        cannot be read now."""
        try:
            self._seen = self._stamps()
            waiting = sorted(self._waiting())[:limit]
        except OSError as e:
            raise self._fault(e) from e
        self._places = {path.name.partition(":")[0]: path for _, _, path in waiting}
        for delivered, name, path in waiting:
            try:
                with path.open("rb") as mail:
                    raw = mail.read(KEPT_BYTES)
            except FileNotFoundError:
                continue
            except OSError as e:
                raise self._fault(e) from e
            yield Fetched(f"maildir:{name}", raw, datetime.fromtimestamp(delivered / 1e9, UTC))

    def settle(self, key: str, folder: str) -> None:
        """Moves one mail into a subfolder, marked as seen; a mail that is gone is no fault.
        Raises `Disconnected` if it cannot be moved now."""
        name = key.removeprefix("maildir:")
        try:
            target = self._folder(folder)
            path = self._places.pop(name, None)
            if path is None or not path.exists():
                path = self._find(name)
            if path is not None:
                flags = path.name.partition(":")[2] or "2,S"
                path.rename(target / "cur" / f"{name}:{flags}")
        except FileNotFoundError:
            return  # somebody else was quicker
        except OSError as e:
            raise self._fault(e) from e

    def wait(self, seconds: float) -> bool:
        """Sleeps until woken, or until the folder changes."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            if self._wake.wait(min(_LOOK, left)):
                break
            if self._changed():
                return True
        woken = self._wake.is_set()
        self._wake.clear()
        return woken

    def wake(self) -> None:
        """Ends a `wait`, or the next one."""
        self._wake.set()

    def close(self) -> None:
        """Nothing is held open."""

    def _waiting(self) -> Iterator[tuple[int, str, Path]]:
        """Delivery (ns), unique name and place of each mail."""
        for box in ("new", "cur"):
            with os.scandir(self._path / box) as entries:
                for entry in entries:
                    try:
                        if entry.name.startswith(".") or not entry.is_file():
                            continue
                        yield entry.stat().st_mtime_ns, entry.name.partition(":")[0], Path(entry.path)
                    except FileNotFoundError:
                        continue

    def _find(self, name: str) -> Path | None:
        return next((path for _, unique, path in self._waiting() if unique == name), None)

    def _folder(self, name: str) -> Path:
        """A subfolder in the form of Maildir++, made if it is not there."""
        folder = self._path / f".{name}"
        if not (folder / "cur").is_dir():
            for box in ("tmp", "new", "cur"):
                (folder / box).mkdir(parents=True, exist_ok=True)
            (folder / "maildirfolder").touch()
        return folder

    def _stamps(self) -> tuple[int, ...]:
        return tuple((self._path / box).stat().st_mtime_ns for box in ("new", "cur"))

    def _changed(self) -> bool:
        try:
            return self._stamps() != self._seen
        except OSError:
            return False  # the next fetch tells

    def _fault(self, e: OSError) -> Disconnected | Refused:
        if isinstance(e, FileNotFoundError | NotADirectoryError):
            return Refused(
                f"{self._path} is no Maildir (it needs the folders new, cur and tmp). Correct the path, or "
                "let the mail server make it by delivering one mail."
            )
        if isinstance(e, PermissionError):
            return Refused(
                f"{self._path} may not be used by this user ({e.strerror}). Give read and write rights to it."
            )
        return Disconnected(f"{self._path} cannot be read now: {e.strerror}. It is tried again.")
