"""Campaigns: going on with them, and carrying them between programs."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from .common import ConfigOption, JsonOption, SharedOption, note, opened, print_json
from .errors import NotDone
from .games import described, listed, pairs, waiting

if TYPE_CHECKING:
    from ..app import App
    from ..campaigns import Campaign
    from ..engine.core.ruleset import Ruleset

app = typer.Typer(
    name="chronicle",
    help="Carry a campaign between this program and others, as the community's save string.",
    no_args_is_help=True,
    rich_markup_mode=None,
)
CampaignArgument = Annotated[
    str, typer.Argument(metavar="CAMPAIGN", help="The campaign's title, or a game of it.")
]
LONGEST = 64 * 1024
"""Bytes of a save string that we are willing to read."""


def next_game(
    campaign: CampaignArgument,
    seats: Annotated[
        list[str] | None,
        typer.Option(
            metavar="PEOPLE",
            help="Who plays, in seat order: names of the last game's seats, newcomers as 'Dora <dora@example.org>',"
            " robots as 'robot Carla'. [default: the same as before]",
        ),
    ] = None,
    moderator: Annotated[
        list[str] | None,
        typer.Option(metavar="PERSON", help="Who moderates; may be given again. [default: as before]"),
    ] = None,
    observer: Annotated[
        list[str] | None,
        typer.Option(metavar="PERSON", help="Who only watches; may be given again. [default: as before]"),
    ] = None,
    title: Annotated[
        str | None, typer.Option(metavar="TITLE", help="The game's name. [default: CAMPAIGN, game 2]")
    ] = None,
    option: Annotated[
        list[str] | None,
        typer.Option(
            metavar="KEY=VALUE", help="A choice that changes; may be given again. [default: as before]"
        ),
    ] = None,
    shared: SharedOption = False,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Call a campaign's next game, with the same or other people, and invite them."""
    from ..campaigns import Sequel

    with opened(config) as app:
        found = app.campaigns.find(campaign)
        sequel = Sequel(
            *(_all(seats), _all(moderator), _all(observer)),
            pairs(option or (), "--option", "key=value"),
            title=title,
            shared=shared,
        )
        game = app.next(found, sequel)
        if as_json:
            print_json(described(app, game))
            return
        print(f"“{game.title}” is game {game.id}. {waiting(app, game)}")
        note("the letters go out as soon as `pbem run` serves this store")


def _all(texts: list[str] | None) -> list[str] | None:
    return None if texts is None else [one for text in texts for one in listed(text)]


@app.command("import")
def import_(
    source: Annotated[
        str, typer.Argument(metavar="FILE", help="A file with the save string; - reads standard input.")
    ],
    title: Annotated[
        str | None, typer.Option(metavar="TITLE", help="The campaign's title here. [default: its own name]")
    ] = None,
    config: ConfigOption = None,
) -> None:
    """Take in a campaign that was played elsewhere; `pbem next` then goes on with it."""
    from ..catalogue import sayer
    from ..engine.core.ruleset import BadLegacy

    text = _read(source)
    say = sayer("en")
    with opened(config, make=True) as app:
        rules = _with_campaigns(app)
        try:
            read = rules.read_legacy(text)
        except BadLegacy as e:
            raise NotDone(say(e.why)) from e
        with app.store.tx():
            found = app.campaigns.bring(rules, title or read.title, read.legacy, app.clock.now())
        print(
            f"“{found.title}” is here. Its next game: pbem next '{found.title}' --seats 'Ana <ana@example.org>, …'"
        )
        for odd in read.odd:
            print(f"  - {say(odd)}")


@app.command()
def export(
    campaign: CampaignArgument,
    out: Annotated[
        Path | None, typer.Option("-o", metavar="FILE", help="Write it to a new file. [default: print it]")
    ] = None,
    unseal: Annotated[
        bool,
        typer.Option("--unseal", help="Even while a game that began with it is played; its table is told."),
    ] = False,
    config: ConfigOption = None,
) -> None:
    """Give a campaign, as its last game has left it, to another program. The string tells the order of the decks."""
    from ..catalogue import sayer
    from ..engine.core.ruleset import BadLegacy

    with opened(config) as app:
        found = app.campaigns.find(campaign)
        left = app.campaigns.legacy(found)
        if left is None:
            raise NotDone(f"no game of “{found.title}” has ended yet, so there is nothing to export")
        if out is not None and out.exists():
            raise NotDone(f"{out}: there is such a file already and it was left alone; name another with -o")
        try:
            text = app.games.rulesets[found.ruleset].write_legacy(left[1])
        except BadLegacy as e:
            raise NotDone(sayer("en")(e.why)) from e
        _open_seals(app, found, unseal)
        if out is None:
            print(text)
            return
        _write(out, text + "\n")
        print(f"“{found.title}” was written to {out}")


def _with_campaigns(app: App) -> Ruleset[Any]:
    """The rules that know save strings; there is one game with campaigns."""
    return next(rules for rules in app.games.rulesets.values() if rules.campaigns)


def _open_seals(app: App, campaign: Campaign, unseal: bool) -> None:
    """Whoever reads the string knows the decks of a game that began with it; so its table is told (D-41)."""
    live = [g for g in app.campaigns.of(campaign) if g.state in ("inviting", "playing")]
    if not live:
        return
    if not unseal:
        raise NotDone(
            f"“{live[0].title}” has begun with it, and the string tells the order of its decks; --unseal exports it all"
            " the same, and the table is told"
        )
    app.unsealed(live[0])


def _read(source: str) -> str:
    """The text of a file or of standard input; raises `NotDone`."""
    try:
        raw = sys.stdin.buffer.read(LONGEST + 1) if source == "-" else _bytes(Path(source))
        text = raw.decode("utf-8")
    except OSError as e:
        raise NotDone(f"{source}: cannot be read: {e.strerror or e}") from e
    except UnicodeDecodeError as e:
        raise NotDone(f"{source}: this is no save string: byte {e.start + 1} is not text") from e
    if len(raw) > LONGEST:
        raise NotDone(f"{source}: this is no save string: it is longer than {LONGEST // 1024} KB")
    return text.removeprefix("\ufeff")


def _bytes(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(LONGEST + 1)


def _write(path: Path, text: str) -> None:
    half = path.with_name(path.name + ".part")
    half.write_text(text, encoding="utf-8")
    os.replace(half, path)
