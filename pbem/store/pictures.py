"""Boards to be drawn: each position's once, named by the letters that show it."""

from __future__ import annotations

import zlib

from .db import Store


class Pictures:
    """The drawings that letters name, as SVG."""

    def __init__(self, store: Store) -> None:
        self.store = store

    def keep(self, name: str, svg: str) -> None:
        """Keep a drawing under its name, inside `tx`."""
        packed = zlib.compress(svg.encode(), 1)
        self.store.run("insert or ignore into picture (name, svg) values (?, ?)", name, packed)

    def drawing(self, name: str) -> str | None:
        """The drawing of this name; None for no name."""
        row = self.store.one("select svg from picture where name = ?", name) if name else None
        return None if row is None else zlib.decompress(row["svg"]).decode()
