"""Signed tokens: they prove who answers, not when (D-19)."""

from __future__ import annotations

import base64
import binascii
import hmac
import re
import struct
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

_BODY = struct.Struct(">BIHIc")
_MAC = 10
_TEXT = re.compile(r"(?<![a-z0-9])[a-z2-7]{36}(?![a-z0-9])")


class Purpose(StrEnum):
    """What a token is good for; one for another purpose is worth nothing."""

    ORDERS = "o"
    BOUNCE = "b"
    STOP = "s"
    JOIN = "j"
    MODERATOR = "m"


@dataclass(frozen=True, slots=True)
class Token:
    """What stands in a token whose signature was right."""

    game: int
    digest: int
    person: int
    purpose: Purpose


Salt = bytes | Callable[[Token], bytes | None]
"""Bytes that the signature covers beside the token, such as the seat's epoch; changing them kills the
tokens of before. As a function of what the token claims; None: there is no such seat."""


class Tokens:
    """Makes and reads tokens; the newest key signs, all of them are believed."""

    def __init__(self, keys: Sequence[bytes]) -> None:
        """`keys` in the order of their making: the place of a key is the version byte, so that retired
        keys stay in the list as `b""`. Raises ValueError without a usable newest key."""
        if not keys or not keys[-1] or len(keys) > 256:
            raise ValueError("tokens need between 1 and 256 keys, and the newest must not be empty")
        self._keys = tuple(keys)

    def make(self, game: int, digest: int, person: int, purpose: Purpose, salt: bytes = b"") -> str:
        """A token of 36 characters, lower case. Raises ValueError for numbers that do not fit."""
        version = len(self._keys) - 1
        try:
            body = _BODY.pack(version, game, digest, person, purpose.encode())
        except struct.error as e:
            raise ValueError(f"no room in a token for game {game}, digest {digest}, person {person}") from e
        return _spelled(body + self._mac(version, body, salt))

    def read(self, text: str, salt: Salt = b"") -> Token | None:
        """The token that `text` is, in any case; None if it is none or its signature is wrong."""
        raw = _bytes(text)
        if raw is None:
            return None
        version, token = _claim(raw)
        if token is None or version >= len(self._keys) or not self._keys[version]:
            return None
        pepper = salt(token) if callable(salt) else salt
        if pepper is None:
            return None
        body, mac = raw[: _BODY.size], raw[_BODY.size :]
        return token if hmac.compare_digest(mac, self._mac(version, body, pepper)) else None

    def find(self, text: str, salt: Salt = b"") -> Token | None:
        """The first right token that stands anywhere in `text`."""
        found = (self.read(word, salt) for word in candidates(text))
        return next((t for t in found if t is not None), None)

    def _mac(self, version: int, body: bytes, salt: bytes) -> bytes:
        return hmac.digest(self._keys[version], body + salt, "sha256")[:_MAC]


def candidates(text: str) -> Iterator[str]:
    """All words in `text` that have the shape of a token, lower case; nothing is proved."""
    return (m[0] for m in _TEXT.finditer(text.lower()))


def claimed(text: str) -> Token | None:
    """What the first token in `text` says of itself; nothing is proved."""
    for word in candidates(text):
        raw = _bytes(word)
        token = _claim(raw)[1] if raw is not None else None
        if token is not None:
            return token
    return None


def _spelled(raw: bytes) -> str:
    return base64.b32encode(raw).decode().rstrip("=").lower()


def _bytes(text: str) -> bytes | None:
    word = text.lower()
    if len(word) != 36 or not word.isascii():
        return None
    try:
        raw = base64.b32decode(word.upper() + "====")
    except binascii.Error:
        return None
    return raw if _spelled(raw) == word else None  # the last character has four idle bits


def _claim(raw: bytes) -> tuple[int, Token | None]:
    version, game, digest, person, purpose = _BODY.unpack(raw[: _BODY.size])
    try:
        return version, Token(game, digest, person, Purpose(purpose.decode()))
    except ValueError:
        return version, None
