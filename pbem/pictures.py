"""The board as PNG: drawn when its letter goes out, not while a mail is worked on; once for each position."""

from __future__ import annotations

import hashlib
import logging
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from .draughtsman import KEPT, UNDRAWN, Draughtsman, png
from .engine.core.text import Text
from .mail.compose import undrawn, with_picture
from .ports import Outgoing
from .store.pictures import Pictures

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Board:
    """A board as letters show it."""

    svg: str
    name: str
    cid: str
    alt: Text


def board(svg: str, label: Text, domain: str) -> Board:
    """A drawing with its name, which is made of what it shows, and with words for those who do not see it."""
    name = hashlib.sha256(svg.encode()).hexdigest()[:32]
    alt = Text("The board, {label}. The words below say all that the picture shows.", label=label)
    return Board(svg, name, f"board-{name[:12]}@{domain}", alt)


async def completed(
    pictures: Pictures, draughtsman: Draughtsman, letters: Sequence[Outgoing]
) -> AsyncIterator[list[Outgoing]]:
    """Letters with their pictures put in, in their order; those at hand first, before the next picture is drawn."""
    ready: list[Outgoing] = []
    for letter in letters:
        svg = pictures.drawing(undrawn(letter.raw))
        if svg is None:
            ready.append(letter)
            continue
        if ready and not draughtsman.has(svg):
            yield ready
            ready = []
        ready.append(replace(letter, raw=with_picture(letter.raw, await draughtsman.draw(svg))))
    if ready:
        yield ready


def complete(pictures: Pictures, raw: bytes) -> bytes:
    """One letter with its picture put in, drawn here."""
    svg = pictures.drawing(undrawn(raw))
    return raw if svg is None else with_picture(raw, _drawn_here(svg))


@lru_cache(maxsize=KEPT)
def _drawn_here(svg: str) -> bytes:
    """Once for all letters about one position, which an export writes one after the other."""
    picture = png(svg)
    if not picture:
        log.warning(UNDRAWN)
    return picture
