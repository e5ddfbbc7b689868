"""Plain text parts as lines: line ends, break tags, and the unwrapping of format=flowed (RFC 3676)."""

from __future__ import annotations

import re

_LINE_ENDS = ("\r\n", "\r", "\u2028", "\u2029", "\u0085")
_BREAK_TAG = re.compile(r"<br ?/?>$", re.I)


def tidy(text: str) -> str:
    """`\\n` as the only line end, no byte order mark, no break tags where every line ends in one."""
    text = text.lstrip("\ufeff")
    for end in _LINE_ENDS:
        text = text.replace(end, "\n")
    if "<br" not in text.lower():
        return text
    lines = [line.rstrip() for line in text.split("\n")]
    if all(_BREAK_TAG.search(line) for line in lines if line):
        return "\n".join(_BREAK_TAG.sub("", line) for line in lines)
    return text


def unflowed(text: str, *, delsp: bool = False) -> str:
    """Joins the lines of format=flowed, each depth of quotation for itself; strips the stuffing."""
    out: list[str] = []
    open_depth = -1  # depth of the paragraph that goes on, -1 when none does
    paragraph: list[str] = []
    for line in text.split("\n"):
        depth, content = _quoted(line)
        if depth != open_depth or content == "-- ":
            _close(paragraph, out)
            if content != "-- " or depth:
                paragraph.append(">" * depth + " " * bool(depth))
        soft = content.endswith(" ") and content != "-- "
        paragraph.append(content[:-1] if soft and delsp else content)
        open_depth = depth if soft else -1
        if not soft:
            _close(paragraph, out)
    _close(paragraph, out)
    return "\n".join(out)


def _quoted(line: str) -> tuple[int, str]:
    content = line.lstrip(">")
    depth = len(line) - len(content)
    return depth, content[1:] if content.startswith(" ") else content


def _close(paragraph: list[str], out: list[str]) -> None:
    if paragraph:
        out.append("".join(paragraph))
        paragraph.clear()
