"""Texts as data (D-1): what a person will read, before anybody has chosen a language."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

Param = Any
"""A `str` (a name), an `int`, a `Text`, or a sequence of these, which is read as a list: a, b and c."""

Translate = Callable[[str], str]


class Text:
    """A message of the catalogue with what fills its places; rendered by the shell, never here.

    `Text("{n} denier", "{n} deniers", n=2)` names singular and plural; `n` then decides.
    """

    __slots__ = ("msgid", "params", "plural")

    def __init__(self, msgid: str, plural: str | None = None, /, **params: Param) -> None:
        self.msgid = msgid
        self.plural = plural
        self.params = params

    def filled(self, **more: Param) -> Text:
        """The same message with further places filled."""
        return Text(self.msgid, self.plural, **{**self.params, **more})

    def __repr__(self) -> str:
        return f"Text({english(self)!r})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Text):
            return NotImplemented
        return (self.msgid, self.plural, self.params) == (other.msgid, other.plural, other.params)

    def __hash__(self) -> int:
        try:
            return hash((self.msgid, frozenset(self.params.items())))
        except TypeError:  # a list among them
            return hash((self.msgid, frozenset(self.params)))


def render(text: Text, translate: Translate, plural: Callable[[str, str, int], str]) -> str:
    """The text in one language.

    `translate` maps a msgid to its wording, `plural` a pair of msgids and a number. A place that
    nobody filled stays visible as `<name>`, as commands show their slots.
    """
    many = text.plural
    wording = translate(text.msgid) if many is None else plural(text.msgid, many, int(text.params["n"]))
    if "{" not in wording:
        return wording
    said = [(k, v if type(v) is str else _said(v, translate, plural)) for k, v in text.params.items()]
    return wording.format_map(_Places(said))


class _Places(dict[str, str]):
    def __missing__(self, key: str) -> str:
        return f"<{key}>"


def _said(value: Param, translate: Translate, plural: Callable[[str, str, int], str]) -> str:
    if isinstance(value, Text):
        return render(value, translate, plural)
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        raise TypeError("a text has no wording for True and False")
    if isinstance(value, int):
        return str(value)
    if isinstance(value, (tuple, list)):
        return _listed([_said(v, translate, plural) for v in value], translate)
    raise TypeError(f"a text cannot say {type(value).__name__}")


def _listed(parts: Sequence[str], translate: Translate) -> str:
    if not parts:
        return translate("nothing")
    if len(parts) == 1:
        return parts[0]
    return translate("{first} and {last}").format(first=", ".join(parts[:-1]), last=parts[-1])


def english(text: Text) -> str:
    """The text as the source has it."""
    return render(text, _same, _english_plural)


def _same(msgid: str) -> str:
    return msgid


def _english_plural(one: str, many: str, n: int) -> str:
    return one if n == 1 else many
