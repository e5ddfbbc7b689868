"""The message catalogues, made of what stands in the code and the templates: `python -m tests.catalogue`.

The template catalogue and every language's own are written anew: new messages are added, those that nobody
says any more are dropped, translations are kept. English is filled with the messages themselves. No dates and
no line numbers are written, so that a catalogue changes only when a message does.
"""

from __future__ import annotations

import ast
import io
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import read_po, write_po
from jinja2.ext import babel_extract

ROOT = Path(__file__).resolve().parent.parent
LOCALE = ROOT / "pbem" / "locale"
TEMPLATE = LOCALE / "pbem.pot"
CALLS = frozenset(("Text", "gettext", "ngettext", "translate"))
"""What takes a message's id first, and its plural second where there is one."""

HEADER = 'msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=UTF-8\\n"\n'
JINJA = {"newstyle_gettext": "false", "trim_blocks": "true", "lstrip_blocks": "true", "silent": "false"}
"""As `pbem.digests.render` sets up its environment."""

Key = str | tuple[str, str]
_PLACE = re.compile(r"\{(\w*)\}|%\((\w+)\)[sd]")


@dataclass(slots=True)
class Found:
    """Every message with the files that say it, and the calls whose message cannot be read off."""

    messages: dict[Key, list[str]] = field(default_factory=dict)
    unreadable: list[str] = field(default_factory=list)

    def add(self, one: str, many: str | None, file: str) -> None:
        """A message; one that is nothing but places says nothing, and is left out."""
        if _PLACE.sub("", one).strip():
            files = self.messages.setdefault(one if many is None else (one, many), [])
            if file not in files:
                files.append(file)


def collect() -> Found:
    """All messages, in the order of the files and of the lines within them."""
    found = Found()
    for folder in ("engine", "pbem"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            _from_code(path, found)
    for path in sorted((ROOT / "templates").rglob("*.j2")):
        _from_template(path, found)
    return found


def _from_code(path: Path, found: Found) -> None:
    file = path.relative_to(ROOT).as_posix()
    calls = [n for n in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if isinstance(n, ast.Call)]
    for call in sorted(calls, key=lambda c: (c.lineno, c.col_offset)):
        if _name(call.func) not in CALLS or not call.args:
            continue
        ones = list(_literals(call.args[0]))
        many = list(_literals(call.args[1])) if len(call.args) > 1 else []
        if not ones and _name(call.func) != "translate":
            found.unreadable.append(f"{file}: {ast.unparse(call)}")
        for one in ones:
            found.add(one, many[0] if many else None, file)


def _name(called: ast.expr) -> str:
    return called.id if isinstance(called, ast.Name) else getattr(called, "attr", "")


def _literals(value: ast.expr) -> Iterator[str]:
    """The strings that an expression may be: a literal, or one of two."""
    if isinstance(value, ast.Constant) and isinstance(value.value, str):
        yield value.value
    elif isinstance(value, ast.IfExp):
        yield from _literals(value.body)
        yield from _literals(value.orelse)


def _from_template(path: Path, found: Found) -> None:
    file = path.relative_to(ROOT).as_posix()
    with path.open("rb") as source:
        said = list(babel_extract(source, ("_", "gettext", "ngettext"), (), JINJA))
    for _, _, message, _ in said:
        words = [m for m in (message if isinstance(message, tuple) else (message,)) if m is not None]
        found.add(words[0], words[1] if len(words) > 1 else None, file)


def languages() -> list[str]:
    """Every language that has a catalogue."""
    return sorted(p.name for p in LOCALE.iterdir() if (p / "LC_MESSAGES").is_dir())


def place(language: str) -> Path:
    """Where a language's catalogue stands."""
    return LOCALE / language / "LC_MESSAGES" / "pbem.po"


def stored(language: str) -> Catalog:
    """A language's catalogue as it stands."""
    with place(language).open("rb") as file:
        return read_po(file, locale=language)


def written() -> dict[Path, str]:
    """Every catalogue as it should be."""
    found = collect()
    files = {TEMPLATE: _file(found, {}, HEADER)}
    for language in languages():
        old = stored(language)
        kept: Mapping[Key, str | tuple[str, ...]] = {_key(m): _words(m) for m in old if m.id and m.string}
        if language == "en":
            kept = {key: key for key in found.messages}
        head = f'{HEADER}"Language: {language}\\n"\n"Plural-Forms: {old.plural_forms}\\n"\n'
        files[place(language)] = _file(found, kept, head)
    return files


def _key(message: Message) -> Key:
    return message.id if isinstance(message.id, str) else (message.id[0], message.id[1])


def _words(message: Message) -> str | tuple[str, ...]:
    return message.string if isinstance(message.string, str) else _each(message.string)


def _file(found: Found, words: Mapping[Key, str | tuple[str, ...]], header: str) -> str:
    catalogue = Catalog()
    for key, files in found.messages.items():
        catalogue.add(key, words.get(key, ""), [(file, 0) for file in files])
    out = io.BytesIO()
    write_po(out, catalogue, width=110, omit_header=True, include_lineno=False)
    return header + "\n" + out.getvalue().decode().rstrip("\n") + "\n"


def places(message: str) -> list[str]:
    """The names of the places in a wording, each once."""
    return sorted({one or other for one, other in _PLACE.findall(message)})


def untranslated(language: str) -> list[str]:
    """The messages that a language has no words for."""
    return [_singular(m) for m in stored(language) if m.id and not (m.string and all(_words(m)))]


def misplaced(language: str) -> list[str]:
    """The messages whose translation lacks a place of theirs, or has one too many."""
    return [_singular(m) for m in stored(language) if m.id and not _places_kept(m)]


def _places_kept(message: Message) -> bool:
    """A plural's form for one may leave the number out."""
    wanted = {p for one in _each(message.id) for p in places(one)}
    may_lack = set() if isinstance(message.id, str) else {"n"}
    said = [set(places(words)) for words in _each(message.string) if words]
    return all(one <= wanted and wanted - one <= may_lack for one in said)


def _each(words: str | list[str] | tuple[str, ...] | None) -> tuple[str, ...]:
    return (words,) if isinstance(words, str) else tuple(words or ())


def _singular(message: Message) -> str:
    return _each(message.id)[0]


if __name__ == "__main__":
    for path, content in written().items():
        path.write_text(content, encoding="utf-8")
        print(f"{path.relative_to(ROOT)}: {content.count('msgid ') - 1} messages")
