"""What went wrong, in one sentence for the host."""

from __future__ import annotations

import traceback
from pathlib import Path

KNOWN = frozenset(
    {
        "pbem.cli.errors.NotDone",
        "pbem.config.BadConfig",
        "pbem.engine.core.scenario.BadScenario",
        "pbem.export.BadExport",
        "pbem.joining.BadGame",
        "pbem.mailroom.NoSuchMail",
        "pbem.people.BadPerson",
        "pbem.ports.Disconnected",
        "pbem.ports.Refused",
        "pbem.postoffice.loopback.NotLoopback",
        "pbem.runner.AlreadyRunning",
        "pbem.scenarios.BadFile",
        "pbem.store.db.Damaged",
        "pbem.store.db.Unavailable",
        "pbem.store.games.Unknown",
        "pbem.upgrade.NotInOrder",
    }
)
"""Exceptions whose text is a sentence for the host. Kept by name, so that nothing is imported for it."""
MISFIT = "pbem.engine.core.table.Misfit"
DATABASE = "sqlite3.DatabaseError"
FAULT_FILE = "pbem-fault.txt"


class NotDone(Exception):
    """A command that cannot be done; the text says why and what to write instead."""


def explained(error: Exception) -> str | None:
    """The sentence for an error that we know; None for a fault of the program."""
    names = {f"{kind.__module__}.{kind.__qualname__}" for kind in type(error).__mro__}
    said = " ".join(str(error).split())
    if names & KNOWN:
        return said
    if MISFIT in names:
        return (
            f"the stored answers do not fit these rules ({said}). The rules have changed, or an answer was "
            "altered by hand: `pbem upgrade --check` and `pbem rebuild` tell more"
        )
    if DATABASE in names:
        return f"the store cannot be used ({said}); `pbem doctor` looks at it, and backups lie beside it"
    if isinstance(error, OSError) and error.strerror:
        place = f"{error.filename}: " if error.filename else ""
        return f"{place}{error.strerror}"
    return None


def written_down(error: Exception, argv: list[str]) -> str:
    """Write a fault's details into a file beside the store; the sentence says where."""
    place = _folder(argv) / FAULT_FILE
    details = "".join(traceback.format_exception(error))
    kind = type(error).__name__
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(f"pbem {' '.join(argv)}\n\n{details}", encoding="utf-8")
    except OSError as e:
        return f"a fault in this program ({kind}); its details could not be written to {place}: {e.strerror}"
    return f"a fault in this program ({kind}); the details are in {place}, please report it with them"


def _folder(argv: list[str]) -> Path:
    """Where the store is, as far as that can be known when something has gone wrong."""
    from ..config import BadConfig, Config, load

    name = "config.toml"
    for word, following in zip(argv, [*argv[1:], ""], strict=True):
        if word in ("--config", "-c"):
            name = following
        elif word.startswith("--config="):
            name = word.partition("=")[2]
    try:
        config = load(Path(name))
    except BadConfig:
        config = Config()
    return Path(config.store.path).parent
