"""Who may get mail here, and in which folder it lies."""

from __future__ import annotations

import hashlib
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol
from urllib.parse import quote

LONGEST_FOLDER_NAME = 120


class Directory(Protocol):
    """The registered people, as the caller knows them; asked anew each time, from more than one thread."""

    def knows(self, address: str) -> bool:
        """Whether this address (as `normal` writes it) belongs to a registered person."""

    def people(self) -> Sequence[tuple[str, str]]:
        """Name and address of everybody, in the order in which they shall be shown."""


class Listed:
    """A directory that was written down once and does not change."""

    def __init__(self, people: Sequence[tuple[str, str]]) -> None:
        self._people = tuple(people)
        self._addresses = frozenset(normal(address) for _, address in people)

    def knows(self, address: str) -> bool:
        """Whether this address is on the list."""
        return normal(address) in self._addresses

    def people(self) -> Sequence[tuple[str, str]]:
        """The list."""
        return self._people


@dataclass(frozen=True, slots=True)
class Mailboxes:
    """One Maildir per person under a root directory, and one for the runner itself."""

    root: Path
    our_address: str

    @property
    def ours(self) -> Path:
        """The runner's own Maildir."""
        return self.root / folder_name(self.our_address)

    def folder(self, address: str) -> Path:
        """The Maildir for mail to this address; our own address may carry any plus part."""
        return self.ours if self.is_ours(address) else self.root / folder_name(address)

    def is_ours(self, address: str) -> bool:
        """Whether the address is our own, with or without a plus part."""
        local, _, domain = normal(address).rpartition("@")
        our_local, _, our_domain = normal(self.our_address).rpartition("@")
        return domain == our_domain and (local == our_local or local.startswith(our_local + "+"))


def normal(address: str) -> str:
    """The address in the one spelling by which we compare and file."""
    return unicodedata.normalize("NFC", address.strip()).lower()


def folder_name(address: str) -> str:
    """A file name for any address: readable, never hidden, never two addresses to one name."""
    name = quote(normal(address), safe="@+", errors="surrogatepass")
    if name.startswith("."):
        name = "%2E" + name[1:]
    if len(name) <= LONGEST_FOLDER_NAME:
        return name
    digest = hashlib.sha256(name.encode()).hexdigest()[:32]
    return f"{name[: LONGEST_FOLDER_NAME - 33]}~{digest}"
