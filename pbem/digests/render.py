"""Templates into text and HTML: one environment a language, strict, escaped where it must be."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from functools import cache, lru_cache
from importlib import resources
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import css_inline
from babel.dates import format_datetime
from jinja2 import (
    ChoiceLoader,
    Environment,
    FileSystemLoader,
    PackageLoader,
    StrictUndefined,
    Template,
    nodes,
    pass_context,
)
from jinja2.compiler import CodeGenerator, Frame
from jinja2.runtime import Context, Macro

from ..catalogue import catalogue, sayer
from ..engine.core.text import Text

WIDTH = 72


def escaped(name: str | None) -> bool:
    """Whether a template's output is escaped: all HTML, whatever further suffix its file has."""
    return name is not None and (".html" in name)


_ELSEWHERE: list[FileSystemLoader] = []


def also_from(folder: Path) -> None:
    """Find the templates of a game that does not belong to this package; before anything is rendered."""
    _ELSEWHERE.append(FileSystemLoader(folder))
    environment.cache_clear()


class _CodeGenerator(CodeGenerator):
    """Translates while a template is compiled: an environment has one language for ever."""

    def visit_Call(self, node: nodes.Call, frame: Frame, forward_caller: bool = False) -> None:
        """`_("The board")` becomes a word of the program; what depends on a number waits for it."""
        words = self._said(node)
        if words is None:
            super().visit_Call(node, frame, forward_caller=forward_caller)
        else:
            self.write(repr(words))

    def _output_child_to_const(self, node: nodes.Expr, frame: Frame, finalize: Any) -> str:
        words = self._said(node)  # alone they become a part of the template's own text
        return super()._output_child_to_const(node if words is None else nodes.Const(words), frame, finalize)

    def _said(self, node: nodes.Expr) -> str | None:
        match node:
            case nodes.Call(node=nodes.Name(name="_" | "gettext"), args=[nodes.Const(value=str(words))]):
                in_its_language: Any = self.environment.globals["gettext"]
                return str(in_its_language(words))
        return None


class _Context(Context):
    """Calls macros, some fifty in each part of a letter, without looking at what they may want to know."""

    def call(self, called: Any, *args: Any, **kwargs: Any) -> Any:
        """Jinja's way for all else."""
        if type(called) is not Macro:
            return super().call(called, *args, **kwargs)
        kwargs.pop("_block_vars", None)
        kwargs.pop("_loop_vars", None)
        return called(self.eval_ctx, *args, **kwargs)


class _Environment(Environment):
    code_generator_class = _CodeGenerator
    context_class = _Context
    getattr = staticmethod(getattr)  # type: ignore[assignment]  # what letters show has attributes, no items

    @cache  # noqa: B019  # an environment lives as long as the program, and so do its templates
    def get_template(self, name: Any, parent: str | None = None, globals: Any = None) -> Template:
        """A template by its name; a letter asks for a dozen, and Jinja would look each time whether it knows it."""
        return super().get_template(name, parent, globals)


@cache
def environment(language: str) -> Environment:
    """The templates with one language's words."""
    env = _Environment(
        loader=ChoiceLoader([PackageLoader("pbem.templates", ""), *_ELSEWHERE]),
        autoescape=escaped,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        extensions=["jinja2.ext.i18n"],
        auto_reload=False,
    )
    words = catalogue(language)
    env.install_gettext_callables(words.gettext, words.ngettext, newstyle=False)  # type: ignore[attr-defined]
    env.filters["say"] = said = _Said(language)
    env.filters["listed"] = said.listed
    env.filters["when"] = _when
    env.filters["at_table"] = _at_table
    env.filters["span"] = _span_filter(language)
    env.filters["fill"] = fill
    env.filters["lead"] = lead
    return env


def when(at: datetime, zone: str, language: str) -> str:
    """`Thursday 3 December, 18:00`, in the reader's zone."""
    return _minute(at.replace(second=0, microsecond=0), "EEEE d MMMM, HH:mm", zone, language)


def short(at: datetime, zone: str, language: str) -> str:
    """`Thu 3 Dec 18:00`, for subjects."""
    return _minute(at.replace(second=0, microsecond=0), "EEE d MMM HH:mm", zone, language)


@lru_cache(maxsize=1024)
def _minute(at: datetime, form: str, zone: str, language: str) -> str:
    return str(format_datetime(at.astimezone(ZoneInfo(zone)), form, locale=language))


class _Said:
    """How the texts of a letter read; what stands in its words and in its HTML is said once for both."""

    def __init__(self, language: str) -> None:
        self._say = sayer(language)
        self._known: dict[int, tuple[Text, str]] = {}

    def __call__(self, text: Text | str) -> str:
        if not isinstance(text, Text):
            return text
        known = self._known.get(id(text))  # kept with the text, so that no other can come to bear its id
        if known is None:
            known = self._known[id(text)] = (text, self._say(text))
        return known[1]

    def listed(self, some: Iterable[Any], between: str = ", ") -> str:
        """Texts, or things with their `words`, one after the other."""
        return between.join(self(one if isinstance(one, Text | str) else one.words) for one in some)

    def forget(self) -> None:
        """Another letter begins: names are the same texts in all of them, most other texts are of one alone."""
        if len(self._known) > _SAID:
            self._known.clear()


@pass_context
def _when(context: Context, at: datetime) -> str:
    return when(at, context["zone"], context["language"])


@pass_context
def _at_table(context: Context, at: datetime) -> str:
    return when(at, context["table_zone"], context["language"])


def _span_filter(language: str) -> Any:
    words = catalogue(language)

    def span(length: timedelta) -> str:
        """`2 days 4 hours`, from the largest unit down, two of them at most."""
        minutes = max(0, int(length.total_seconds() // 60))
        parts = [
            words.ngettext("{n} day", "{n} days", minutes // 1440).format(n=minutes // 1440),
            words.ngettext("{n} hour", "{n} hours", minutes // 60 % 24).format(n=minutes // 60 % 24),
            words.ngettext("{n} minute", "{n} minutes", minutes % 60).format(n=minutes % 60),
        ]
        counts = (minutes // 1440, minutes // 60 % 24, minutes % 60)
        first = next((i for i, n in enumerate(counts) if n), 2)
        return " ".join(parts[i] for i in range(first, min(first + 2, 3)) if counts[i] or i == first)

    return span


def fill(text: str, indent: str = "", first: str | None = None) -> str:
    """A paragraph in lines for a phone; the standard library's wrapping is four times as slow."""
    line = indent if first is None else first
    words = text.split()
    if len(line) + sum(map(len, words)) + len(words) <= WIDTH:  # most are short
        return line + " ".join(words)
    lines: list[str] = []
    empty = True
    for word in words:
        if not empty and len(line) + 1 + len(word) > WIDTH:
            lines.append(line)
            line, empty = indent, True
        line = f"{line}{word}" if empty else f"{line} {word}"
        empty = False
    lines.append(line)
    return "\n".join(lines)


def lead(text: str) -> str:
    """A sentence's first letter as a capital."""
    return text[:1].upper() + text[1:]


_SAID = 4096
"""Texts that are kept as they were said."""
_BLANKS = re.compile(r"\n{3,}")


def text(template: str, language: str, values: Mapping[str, Any]) -> str:
    """A plain text part, the first of a letter; never two empty lines together."""
    env = environment(language)
    env.filters["say"].forget()
    said = env.get_template(template).render(values, language=language)
    lines = "\n".join(line.rstrip() for line in said.splitlines())
    return _BLANKS.sub("\n\n", lines).strip("\n") + "\n"


@cache
def _stylesheet() -> str:
    return resources.files("pbem.templates").joinpath("mail.css").read_text(encoding="utf-8")


@cache
def _inliner() -> css_inline.CSSInliner:
    return css_inline.CSSInliner(
        load_remote_stylesheets=False, extra_css=_stylesheet(), keep_style_tags=False, keep_at_rules=False
    )


def html(template: str, language: str, values: Mapping[str, Any]) -> str:
    """An HTML part with its styles in place."""
    said = environment(language).get_template(template).render(values, language=language)
    return str(_inliner().inline(said))
