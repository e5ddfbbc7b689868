"""Text of an HTML mail: one line per visible line, `>` for each level of quotation."""

from __future__ import annotations

import re

from selectolax.lexbor import LexborHTMLParser, LexborNode

_SKIPPED = frozenset({"style", "script", "head", "title", "template", "noscript", "object", "svg"})
_BLOCKS = frozenset(
    "address article aside blockquote body center dd div dl dt fieldset figure footer form h1 h2 h3 h4 h5 h6 "
    "header hr li main nav ol p pre section table tbody tfoot thead tr ul".split()
)
_UNCLOSED = frozenset("area br col dd dt hr img input li link meta option p source td th tr wbr".split())
_TAG = re.compile(r"<(/?)([a-z][a-z0-9]*)", re.I)
_DEEP = 1_000


class _Page:
    """The lines written so far, and the one in the making."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.line: list[str] = []
        self.quotes = 0
        self.pre = 0

    def write(self, text: str) -> None:
        """Puts text on the line, blanks folded unless it is preformatted."""
        if not self.pre:
            self.line.append(_folded(text))
            return
        first, *more = text.split("\n")
        self.line.append(first)
        for piece in more:
            self.end_line(always=True)
            self.line.append(piece)

    def end_line(self, *, always: bool = False) -> None:
        """Ends the line; an empty one is written only where a break asks for it."""
        text = "".join(self.line)
        text = text.rstrip() if self.pre else " ".join(text.split())
        self.line.clear()
        if text or always:
            self.lines.append(">" * self.quotes + (" " if self.quotes and text else "") + text)


def html_text(html: str) -> str:
    """The visible text. Cells of a row stand on one line, a blank between them. Never raises."""
    if _deep(html):
        return re.sub(r"<[^<>]{0,2000}>", "\n", html)
    page = _Page()
    node = LexborHTMLParser(html).root
    while node is not None:  # by hand, not by recursion: some mails nest thousands deep
        if _enter(node, page) and node.child is not None:
            node = node.child
            continue
        while node is not None:
            _leave(node, page)
            if node.next is not None:
                node = node.next
                break
            node = node.parent
    page.end_line()
    return "\n".join(page.lines)


def _folded(text: str) -> str:
    """Blanks and line ends as single blanks, those at the ends kept."""
    words = " ".join(text.split())
    return " " * text[:1].isspace() + words + " " * (bool(words) and text[-1:].isspace())


def _deep(html: str) -> bool:
    """True for a nest so deep that the parser would take seconds; no mail program writes one."""
    if html.count("<") <= _DEEP:
        return False
    depth = 0
    for closing, tag in _TAG.findall(html):
        if tag.lower() not in _UNCLOSED:
            depth += -1 if closing else 1
            if depth > _DEEP:
                return True
    return False


def _enter(node: LexborNode, page: _Page) -> bool:
    """Writes what stands before a node's children; False: do not look at them."""
    tag = node.tag
    if tag == "-text":
        page.write(node.text_content or "")
        return False
    if tag is None or tag in _SKIPPED or tag.startswith(("-comment", "!", "_comment", "-doctype")):
        return False
    if tag == "br":
        page.end_line(always=True)
    elif tag in ("td", "th"):
        page.write(" ")
    elif tag in _BLOCKS:
        page.end_line()
        page.quotes += tag == "blockquote"
        page.pre += tag == "pre"
    return True


def _leave(node: LexborNode, page: _Page) -> None:
    tag = node.tag
    if tag not in _BLOCKS:
        return
    page.end_line()
    page.pre -= tag == "pre"
    page.quotes -= tag == "blockquote"
