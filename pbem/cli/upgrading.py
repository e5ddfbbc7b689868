"""Another version of the program: what becomes of the games that are being played."""

from __future__ import annotations

import sqlite3
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from .common import ConfigOption, JsonOption, configuration, opened, print_json, store_of

if TYPE_CHECKING:
    from ..app import App
    from ..upgrade import Finding


def upgrade(
    check: Annotated[bool, typer.Option("--check", help="Only say it; nothing is changed.")] = False,
    accept: Annotated[
        bool, typer.Option("--accept", help="Put the games in order and tell their players.")
    ] = False,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Say what this version makes of each game under way, or put the games in order for it."""
    if check == accept:
        raise typer.BadParameter("say either --check, which changes nothing, or --accept")
    found = _checked(config) if check else _accepted(config)
    if as_json:
        print_json(_as_data(found))
    else:
        _print(found, accepted=accept)
    raise typer.Exit(0 if _well(found, accepted=accept) else 1)


def _checked(config: Path | None) -> list[Finding]:
    from ..upgrade import examine

    with _copied(config) as app:
        return examine(app.games)


def _accepted(config: Path | None) -> list[Finding]:
    from ..acceptance import accept
    from ..service import lock_of

    lock = lock_of(configuration(config))
    try:
        with opened(config) as app:
            return accept(app)
    finally:
        lock.release()


@contextmanager
def _copied(config: Path | None) -> Iterator[App]:
    """The program on a copy of the store, which is thrown away: to open the store itself would lift it, and the
    version that serves it now could not open it again."""
    from ..app import App
    from ..store.db import Store

    settings = configuration(config)
    place = store_of(settings)
    with tempfile.TemporaryDirectory(dir=place.parent, prefix=".upgrade-check-") as folder:
        copy = Path(folder) / place.name
        with closing(sqlite3.connect(place)) as store, closing(sqlite3.connect(copy)) as to:
            store.backup(to)
        app = App(settings, Store(copy))
        try:
            yield app
        finally:
            app.close()


def _well(found: Sequence[Finding], *, accepted: bool) -> bool:
    """Whether every game goes on: as it stands, or after it was put in order."""
    from ..upgrade import Verdict

    good = {Verdict.UNCHANGED} if not accepted else set(Verdict) - {Verdict.LOST}
    return all(f.verdict in good for f in found)


def _print(found: Sequence[Finding], *, accepted: bool) -> None:
    from .. import __version__
    from ..upgrade import Verdict

    for f in found:
        print(f"{f.game.title}: {f.said}{_written(f)}")
    if not found:
        print("No game is under way.")
    for sentence in _rulings(found):
        print(sentence)
    changed = [f for f in found if f.verdict is not Verdict.UNCHANGED]
    lost = [f for f in changed if f.verdict is Verdict.LOST]
    if accepted:
        mended = len(changed) - len(lost)
        if mended:
            print(f"{mended} of {len(found)} games put in order; their players are told.")
        if lost:
            print(
                f"{len(lost)} of {len(found)} cannot go on with this version; they wait, and their tables are told."
                " When a version can, `pbem mod GAME resume` lets them go on."
            )
    elif changed:
        print(
            f"{len(changed)} of {len(found)} games are not taken up as they stand: `pbem upgrade --accept` puts them in"
            f" order under this version ({__version__}) and tells their players; the version of before goes on with"
            " them as they are."
        )


def _written(f: Finding) -> str:
    """Where its newest checkpoint comes from."""
    if f.border is None:
        return ""
    newest = f.game.rules.schema
    schema = f.border.schema
    lifted = "" if schema in (newest, None) else f", lifted to {newest}"
    return f" [written by {f.border.version}, schema {schema}{lifted}, ruling {f.border.ruling}]"


def _rulings(found: Sequence[Finding]) -> Iterator[str]:
    """Which old branches of the rules are still needed."""
    from ..upgrade import open_rulings

    below = open_rulings(found)
    for rules in {f.game.rules.name: f.game.rules for f in found}.values():
        if not rules.ruling:
            continue
        if rules.name not in below:
            yield f"{rules.title}: no step is open below ruling {rules.ruling}"
        for ruling, titles in sorted(below.get(rules.name, {}).items()):
            yield f"{rules.title}: ruling {ruling} of {rules.ruling} has open steps in {', '.join(titles)}"


def _as_data(found: Sequence[Finding]) -> dict[str, Any]:
    from .. import __version__
    from ..upgrade import open_rulings

    return {
        "version": __version__,
        "games": [_game(f) for f in found],
        "rulings": {
            name: {str(ruling): titles for ruling, titles in sorted(games.items())}
            for name, games in open_rulings(found).items()
        },
    }


def _game(f: Finding) -> dict[str, Any]:
    border = f.border
    return {
        "game": f.game.title,
        "state": f.game.state,
        "verdict": str(f.verdict),
        "said": f.said,
        "answer": None if f.misfit is None else f.misfit["id"],
        "told_otherwise": len(f.wrong.stored),
        "version": None if border is None else border.version,
        "schema": None if border is None else border.schema,
        "ruling": None if border is None else border.ruling,
    }
