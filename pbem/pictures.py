"""The board as PNG: drawn when its letter goes out, not while a mail is worked on; once for each position."""

from __future__ import annotations

import asyncio
import hashlib
import logging
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from importlib import resources

import resvg_py

from .engine.core.text import Text
from .mail.compose import undrawn, with_picture
from .ports import Outgoing
from .store.pictures import Pictures

log = logging.getLogger(__name__)

PIXELS = 900
"""How wide a picture is drawn: more than mails show, for sharp screens; larger ones take longer."""


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


@cache
def _fonts() -> list[str]:
    """Ours alone, so that a picture does not depend on the machine."""
    folder = resources.files("pbem.templates").joinpath("fonts")
    return [str(folder.joinpath(name)) for name in ("DejaVuSans.ttf", "DejaVuSans-Bold.ttf")]


@lru_cache(maxsize=32)
def png(svg: str) -> bytes:
    """A drawing as PNG; what cannot be drawn is no picture, and its reader has the words."""
    try:
        return resvg_py.svg_to_bytes(
            svg_string=svg, skip_system_fonts=True, font_files=_fonts(), width=PIXELS
        )
    except ValueError:
        log.warning("a board could not be drawn; its letters go out without the picture")
        return b""


async def completed(pictures: Pictures, letters: Sequence[Outgoing]) -> list[Outgoing]:
    """Letters with their pictures put in."""
    drawings = [pictures.drawing(undrawn(letter.raw)) for letter in letters]
    if not any(drawings):
        return list(letters)
    return await asyncio.to_thread(_completed, letters, drawings)


def _completed(letters: Sequence[Outgoing], drawings: Sequence[str | None]) -> list[Outgoing]:
    pairs = zip(letters, drawings, strict=True)
    return [
        letter if svg is None else replace(letter, raw=with_picture(letter.raw, png(svg)))
        for letter, svg in pairs
    ]


def complete(pictures: Pictures, raw: bytes) -> bytes:
    """One letter with its picture put in."""
    svg = pictures.drawing(undrawn(raw))
    return raw if svg is None else with_picture(raw, png(svg))
