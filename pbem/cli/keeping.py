"""Keeping games: exports, proofs, backups."""

from __future__ import annotations

import re
import sqlite3
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from .common import ConfigOption, JsonOption, configuration, note, opened, print_json, progress
from .errors import NotDone

if TYPE_CHECKING:
    from ..app import App
    from ..rebuild import Proof
    from ..store.games import Game


def export(
    game: Annotated[
        str | None, typer.Argument(metavar="GAME", help="The game's title or number; it must have ended.")
    ] = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="The zip file. [default: TITLE.zip]")
    ] = None,
    check: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Check an export instead of writing one.")
    ] = None,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Write a finished game to a zip: setup, answers, facts, checkpoints, log, all its mails."""
    from ..export import read_export, write_export

    if check is not None:
        found, place = read_export(check), check
    elif game is None:
        raise typer.BadParameter("name the game, or a file with --check", param_hint="GAME")
    else:
        with opened(config) as app:
            one = app.games.find(game)
            place = output or Path(re.sub(r"[^\w.-]+", "-", one.title).strip("-.") + ".zip")
            found = write_export(app, one, place)
    if as_json:
        print_json({"file": str(place), "game": found.manifest["game"], **found.counts()})
        return
    held = ", ".join(f"{n} {what}" for what, n in found.counts().items())
    print(f"{place}: “{found.manifest['game']}”, {held}; {'sound' if check else 'written'}")


def rebuild(
    game: Annotated[str | None, typer.Argument(metavar="GAME", help="The game's title or number.")] = None,
    every: Annotated[bool, typer.Option("--all", help="All games that have begun.")] = False,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Prove that a game follows from its answers: each step is played again and compared."""
    if (game is None) == (not every):
        raise typer.BadParameter("name one game, or say --all", param_hint="GAME")
    with opened(config) as app:
        games = app.games.every() if game is None else [app.games.find(game)]
        begun = [one for one in games if one.begun]
        if not begun and game is not None:
            raise NotDone(f"“{games[0].title}” has not begun, so there is nothing to prove")
        proofs = [_proof(app, one, quiet=as_json) for one in begun]
    if as_json:
        print_json([_as_data(proof) for proof in proofs])
    if not all(proof.proved for proof in proofs):
        raise typer.Exit(1)
    if not proofs and not as_json:
        print("No game has begun yet.")


def _proof(app: App, game: Game, quiet: bool) -> Proof:
    from rich.markup import escape

    from ..rebuild import prove

    with progress(quiet=quiet) as bar:
        task = bar.add_task(escape(game.title), total=None)
        proof = prove(app.games, game, lambda done, all: bar.update(task, completed=done, total=all))
    if not quiet:
        _print_proof(proof)
    return proof


def _print_proof(proof: Proof) -> None:
    made = f", {proof.corrections} corrections" if proof.corrections else ""
    held = (
        f"{proof.steps} steps, {proof.answers} answers, {proof.facts} facts{made}; "
        f"{proof.from_seed} of {proof.rolls} rolls and shuffles follow from the seed"
    )
    print(f"{proof.game}: {held}: {'proved' if proof.proved else 'NOT proved'}")
    for fault in proof.faults:
        print(f"  {proof.game}, {fault}")


def _as_data(proof: Proof) -> dict[str, Any]:
    counts = {
        name: getattr(proof, name)
        for name in ("game", "steps", "answers", "facts", "corrections", "rolls", "from_seed", "proved")
    }
    faults = [{"step": f.step, "answer": f.answer, "what": f.what} for f in proof.faults]
    return {**counts, "faults": faults}


def backup(
    file: Annotated[
        Path | None,
        typer.Argument(metavar="FILE", help="Where to. [default: backups/STAMP.sqlite beside the store]"),
    ] = None,
    config: ConfigOption = None,
) -> None:
    """Copy the whole store to a file, while it is in use, and check the copy."""
    with opened(config) as app:
        stamp = app.clock.now().strftime("%Y%m%d-%H%M%S.sqlite")
        place = file or app.store.path.parent / "backups" / stamp
        if place.exists():
            raise NotDone(f"{place}: there is such a file already and it was left alone; name another")
        place.parent.mkdir(parents=True, exist_ok=True)
        try:
            app.store.backup(place)
        except sqlite3.Error as e:
            place.unlink(missing_ok=True)
            raise NotDone(f"{place}: the copy could not be written: {e}") from e
    _sound(place)
    print(f"{place}: {place.stat().st_size:,} bytes, checked")


def _sound(place: Path) -> None:
    copy = sqlite3.connect(place)
    try:
        found = copy.execute("pragma integrity_check").fetchone()[0]
    except sqlite3.DatabaseError as e:
        found = str(e)
    finally:
        copy.close()
    if found != "ok":
        raise NotDone(f"{place}: the copy is damaged ({found}); check the disk, and keep the store itself")


def restore(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The backup.")],
    config: ConfigOption = None,
) -> None:
    """Put a backup in the store's place; the store that was there is kept beside it."""
    import time

    from ..service import lock_of
    from ..store.db import Store

    settings = configuration(config)
    if not file.exists():
        raise NotDone(f"{file}: there is no such file; `pbem backup` writes one")
    _sound(file)
    place = Path(settings.store.path)
    lock = lock_of(settings)
    try:
        copy = place.with_name(f"{place.name}.restoring")
        copy.unlink(missing_ok=True)
        copy.write_bytes(file.read_bytes())
        try:
            Store(copy).close()  # lifts an older one, and refuses what is not ours
            kept = _moved_away(
                place, place.with_name(f"{place.name}.before-{time.strftime('%Y%m%d-%H%M%S')}")
            )
            copy.rename(place)
        finally:
            for end in ("", "-wal", "-shm"):
                Path(f"{copy}{end}").unlink(missing_ok=True)
    finally:
        lock.release()
    print(f"{place} is now {file}, checked.{f' What was there is kept as {kept}.' if kept else ''}")
    note(
        "mails that came after this backup lie in the folder Done: move them back to the inbox, and they are read again"
    )


def _moved_away(place: Path, to: Path) -> Path | None:
    """The old store under another name, whole: what its `-wal` file holds goes with it."""
    if not place.exists():
        return None
    for end in ("", "-wal", "-shm"):
        if Path(f"{place}{end}").exists():
            Path(f"{place}{end}").rename(f"{to}{end}")
    return to


def keys(
    rotate: Annotated[
        bool, typer.Option("--rotate", help="Sign with a new key from now on; older letters stay good.")
    ] = False,
    retire: Annotated[
        bool,
        typer.Option("--retire", help="Believe no key but the newest; older letters cannot be answered."),
    ] = False,
    config: ConfigOption = None,
) -> None:
    """Show, change or retire the keys that sign the reply addresses of our letters."""
    with opened(config) as app:
        if rotate:
            print(
                f"Key {app.writer.rotate_key()} signs from now on; letters under older keys can still be answered."
            )
        if retire:
            gone = app.writer.retire_keys()
            print(f"{gone} older {'key is' if gone == 1 else 'keys are'} believed no more.")
            if gone:
                note(
                    "whoever answers a letter of before is told to answer a newer one; `pbem mod GAME remind` sends it"
                )
        if not rotate and not retire:
            for number, key in enumerate(every := app.store.keys()):
                is_newest = number == len(every) - 1
                print(f"key {number}: {'signs' if is_newest else 'is believed' if key else 'is retired'}")
