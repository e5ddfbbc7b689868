"""Harbour Wars, the toy game of the sample mails: its grammar, and who "we" are in them."""

from __future__ import annotations

import difflib
import re

from pbem.mail.reading import Attempt, ReplyReader
from pbem.mail.us import Us

UNIT = r"[FT][1-9]\d?"
PLACE = r"(?:[A-Z]\d|LIS)"
VERBS = ("move", "attack", "hold", "build", "trade", "say")
ORDER = re.compile(
    rf"(?:(?:MOVE|ATTACK) {UNIT} {PLACE}|HOLD (?:{UNIT}|ALL)|BUILD [A-Z]+ AT {PLACE}|TRADE {UNIT} [A-Z]+ \d+)"
    r"[.!,;]*",
    re.IGNORECASE,
)
SAY = re.compile(r"(say) (\w+) (.+)", re.IGNORECASE | re.DOTALL)
PROSE = re.compile(r"hold on\b.*|move the\b.*|move it\b.*|build on\b.*", re.IGNORECASE)


def order(line: str) -> str | None:
    """Harbour Wars: one order in normal form, None for prose, `Attempt` for something like an order."""
    if ORDER.fullmatch(line):
        return line.upper().rstrip(".!,;")
    if said := SAY.fullmatch(line):
        return f"SAY {said[2].upper()} {said[3]}"
    verb = line.partition(" ")[0].lower()
    if not PROSE.fullmatch(line) and difflib.get_close_matches(verb, VERBS, n=1, cutoff=0.75):
        raise Attempt(("unknown", verb), line)
    return None


US = Us(
    name="Harbour Wars",
    domain="pbem.example.org",
    address="gm@pbem.example.org",
    stop_address="gm+stop@pbem.example.org",
    loop_header="X-Harbour-Wars-Loop",
    authserv_id="mx.pbem.example.org",
)


def harbour_reader() -> ReplyReader:
    """A reader of Harbour Wars."""
    return ReplyReader(US.name, US.domain, order)
