"""A whole game's mail as one text, the same on every run: what chance made of names is evened out."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Sequence

from pbem.postoffice import letters
from pbem.postoffice.letters import Letter

from .people import Got, Sent

ON_THE_WAY = ("return-path", "delivered-to", "received", "mime-version")
"""What servers write on top differs each time."""
HEAD, TAIL = 14, 10
"""Lines that are shown of a text that was shown whole in another mail of its kind."""

_TOKEN = re.compile(r"\b[a-z2-7]{36}\b")
_SEAL = re.compile(r"=_([amr])[0-9a-f]{24}")
_CAUSE = re.compile(r"\.([a-z]\d+)\.(\d+)@")


def transcript(sent: Sequence[Sent], got: Sequence[Got]) -> str:
    """Every mail in the order sent, below each the letters that came of it by recipient; invitations first."""
    caused: dict[str, list[tuple[str, int, Letter]]] = {}
    for one in got:
        letter = letters.parse(one.raw)
        cause = _CAUSE.search(letter.header("Message-ID"))
        assert cause is not None, f"a letter without a cause: {letter.header('Message-ID')}"
        caused.setdefault(cause[1], []).append((one.who, int(cause[2]), letter))
    shown = _Shown()
    parts = [*_letters(caused.pop("n1"), shown)]
    for number, mail in enumerate(sent, 1):
        parts.append(_sent(number, mail, shown))
        parts += _letters(caused.pop(f"i{number}", []), shown)
    assert not caused, f"letters of no mail: {sorted(caused)}"
    return "\n".join(parts)


class _Shown:
    """Which kinds of text were shown whole already."""

    def __init__(self) -> None:
        self._kinds: set[str] = set()

    def text(self, kind: str, text: str) -> str:
        """All of the first text of a kind; of the others beginning, end and a fingerprint of the whole."""
        lines = evened(text).rstrip().split("\n")
        if kind not in self._kinds:
            self._kinds.add(kind)
            return "\n".join(lines)
        if len(lines) <= HEAD + TAIL:
            return "\n".join(lines)
        left_out = f"[… {len(lines) - HEAD - TAIL} lines more, {fingerprint(text)}]"
        return "\n".join([*lines[:HEAD], left_out, *lines[-TAIL:]])

    def page(self, kind: str, page: str) -> str:
        """All of the first page of a kind, of the others a fingerprint."""
        if kind not in self._kinds:
            self._kinds.add(kind)
            return evened(page).rstrip()
        return f"[HTML, {fingerprint(page)}]"


def _letters(of_one_mail: Sequence[tuple[str, int, Letter]], shown: _Shown) -> Iterator[str]:
    for who, _, letter in sorted(of_one_mail, key=lambda x: x[:2]):
        kind = letter.header("X-Pbem-Kind")
        yield f"{'-' * 20} to {who}\n{_headers(letter)}\n\n{evened(letter.text).rstrip()}\n"
        if letter.html:
            yield shown.page(f"letter {kind}", letter.html) + "\n"
        for part in letter.attachments():
            text = evened(part.data.decode("utf-8", "replace"))
            yield f"[attached: {part.name}, {part.kind}, {fingerprint(text)}]\n"


def _sent(number: int, mail: Sent, shown: _Shown) -> str:
    letter = letters.parse(mail.raw)
    meant = f", meaning “{mail.meant}”" if mail.meant else ""
    title = f"{'=' * 20} {number}. {mail.who}, {mail.why}: “{mail.typed}”{meant}"
    if mail.why == "twice":
        return f"{title}\n{letter.header('Message-ID')} again\n"
    parts = [title, _headers(letter), ""]
    if letter.text:
        parts.append(shown.text(f"{mail.style} text", letter.text) + "\n")
    if letter.html:
        parts.append(shown.page(f"{mail.style} page", letter.html) + "\n")
    return "\n".join(parts)


def _headers(letter: Letter) -> str:
    names = dict.fromkeys(name for name in letter.headers if name.lower() not in ON_THE_WAY)
    return "\n".join(evened(f"{name}: {letter.header(name)}") for name in names)


def evened(text: str) -> str:
    """Without what another run would have otherwise: signed tokens, and the boundaries made of them."""
    text = _TOKEN.sub("TOKEN", text.replace("\r\n", "\n"))
    return _SEAL.sub(r"=_\1SEAL", text)


def fingerprint(text: str) -> str:
    """A few letters that stand for a whole text."""
    return hashlib.sha256(evened(text).encode()).hexdigest()[:16]


def first_difference(now: str, before: str) -> str:
    """Where two transcripts part, with some lines around it; empty if they do not."""
    ours, theirs = now.split("\n"), before.split("\n")
    pairs = zip([*ours, "(end)"], [*theirs, "(end)"], strict=False)
    at = next((n for n, (a, b) in enumerate(pairs) if a != b), None)
    if at is None or now == before:
        return ""
    lead = "\n".join(f"  {line}" for line in ours[max(0, at - 12) : at])
    return (
        f"line {at + 1}:\n{lead}\n+ "
        + "\n+ ".join(ours[at : at + 6])
        + "\n- "
        + "\n- ".join(theirs[at : at + 6])
    )
