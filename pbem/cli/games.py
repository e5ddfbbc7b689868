"""Games: starting them, looking at them, steering them."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from .common import (
    ConfigOption,
    GameArgument,
    JsonOption,
    SharedOption,
    console,
    note,
    opened,
    print_json,
    ruleset,
)
from .errors import NotDone
from .spans import hours

if TYPE_CHECKING:
    from ..app import App
    from ..config import Config, Table
    from ..engine.core.ruleset import Ruleset
    from ..store.games import Game

DEFAULTS = ("harmless", "wait", "robot")


def new(
    rules: Annotated[str, typer.Argument(metavar="RULESET", help="The game to play: oath or troyes.")],
    seats: Annotated[
        list[str] | None,
        typer.Option(metavar="PEOPLE", help="Who plays, in seat order: 'Ana <ana@example.org>, Ben <…>'."),
    ] = None,
    moderator: Annotated[
        list[str] | None, typer.Option(metavar="PERSON", help="Who moderates; may be given again.")
    ] = None,
    observer: Annotated[
        list[str] | None, typer.Option(metavar="PERSON", help="Who only watches; may be given again.")
    ] = None,
    title: Annotated[
        str | None, typer.Option(metavar="TITLE", help="The game's name. [default: the next free, Oath 1]")
    ] = None,
    robot: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME=ROBOT", help="A seat for a robot: Carla=random; may be given again."),
    ] = None,
    deadline: Annotated[
        str | None, typer.Option(metavar="TIME", help="For a turn: '3 days'. [default: table.turn_hours]")
    ] = None,
    reaction: Annotated[
        str | None,
        typer.Option(metavar="TIME", help="For a reaction: '1 day'. [default: table.reaction_hours]"),
    ] = None,
    setup: Annotated[
        str | None,
        typer.Option(metavar="TIME", help="For a setup choice: '3 days'. [default: table.setup_hours]"),
    ] = None,
    grace: Annotated[
        str | None,
        typer.Option(metavar="TIME", help="After a deadline: '12 hours'. [default: table.grace_hours]"),
    ] = None,
    hour: Annotated[
        str | None,
        typer.Option(metavar="HH:MM", help="Deadlines fall on this hour of the day. [default: table.hour]"),
    ] = None,
    weekdays: Annotated[
        str | None,
        typer.Option(metavar="DAYS", help="And on these days: 'mon-fri'. [default: table.weekdays]"),
    ] = None,
    zone: Annotated[
        str | None, typer.Option(metavar="ZONE", help="In the time of this place. [default: table.zone]")
    ] = None,
    default: Annotated[
        str | None,
        typer.Option(
            metavar="WHAT", help="Who answers after that: harmless, wait or robot. [default: table.default]"
        ),
    ] = None,
    option: Annotated[
        list[str] | None,
        typer.Option(metavar="KEY=VALUE", help="A choice of the game itself; may be given again."),
    ] = None,
    shared: SharedOption = False,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Start a game and invite everybody to it."""
    from ..joining import Invitation

    found = ruleset(rules)
    with opened(config, make=True) as app:
        table = _table(app.config, deadline, reaction, setup, grace, default)
        table = _hours(table, {"hour": hour, "weekdays": weekdays, "zone": zone})
        game = app.new(
            Invitation(
                found,
                title or _free_title(app, found.title),
                [name for text in seats or () for name in listed(text)],
                [name for text in moderator or () for name in listed(text)],
                [name for text in observer or () for name in listed(text)],
                _robots(robot or (), found),
                pairs(option or (), "--option", "key=value"),
                owners_data(app.config, found),
                table,
                shared,
            )
        )
        if as_json:
            print_json(described(app, game))
            return
        print(f"“{game.title}” is game {game.id}. {waiting(app, game)}")
        note("the letters go out as soon as `pbem run` serves this store")


def listed(text: str) -> list[str]:
    """The parts of a list with commas."""
    return [part.strip() for part in text.split(",") if part.strip()]


def pairs(texts: Any, option: str, shape: str) -> dict[str, str]:
    """What was given as `key=value`; raises `BadParameter`."""
    found = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals or not name.strip() or not value.strip():
            raise typer.BadParameter(f"“{text}” must be written as {shape}", param_hint=option)
        found[name.strip()] = value.strip()
    return found


def _robots(texts: Any, rules: Ruleset[Any]) -> dict[str, str]:
    """Robots by seat; a bare name takes the game's first robot."""
    first = next(iter(rules.robots))
    return pairs([t if "=" in t else f"{t}={first}" for t in texts], "--robot", "Carla=random")


def _table(
    config: Config,
    deadline: str | None,
    reaction: str | None,
    setup: str | None,
    grace: str | None,
    default: str | None,
) -> Table:
    import msgspec

    changes: dict[str, Any] = {}
    for field, option, text in (
        ("turn_hours", "--deadline", deadline),
        ("reaction_hours", "--reaction", reaction),
        ("setup_hours", "--setup", setup),
        ("grace_hours", "--grace", grace),
    ):
        if text is not None:
            changes[field] = hours(text, option, none=field == "grace_hours")
            if not changes[field] and field != "grace_hours":
                raise typer.BadParameter("nobody can answer in no time", param_hint=option)
    if default is not None:
        if default not in DEFAULTS:
            raise typer.BadParameter(
                f"{default} is not known; use one of {', '.join(DEFAULTS)}", param_hint="--default"
            )
        changes["default"] = default
    return msgspec.structs.replace(config.table, **changes)


def _hours(table: Table, given: dict[str, str | None]) -> Table:
    """The table's own hours, as the options give them."""
    import msgspec

    from ..config import BadConfig, read

    for key, text in given.items():
        if text is None:
            continue
        try:
            read({"table": {key: text}}, "")
        except BadConfig as e:
            why = str(e).partition("; ")[2]
            raise typer.BadParameter(f"“{text}” cannot be used; {why}", param_hint=f"--{key}") from e
        table = msgspec.structs.replace(table, **{key: text})
    return table


def owners_data(config: Config, rules: Ruleset[Any]) -> Any:
    """An owner's own numbers, where the configuration names a file of them; raises `NotDone` (D-12)."""
    section = getattr(config, rules.name, None)
    name = getattr(section, "data", "")
    return checked_data(Path(name), rules) if name else None


def checked_data(path: Path, rules: Ruleset[Any]) -> Any:
    """An owner's file of numbers; raises `NotDone` with the first thing that is wrong with it."""
    from ..catalogue import sayer

    data = read_toml(path)
    wrong = rules.check_data(data)
    if wrong:
        more = f" (and {len(wrong) - 1} more; `pbem check-data` tells all)" if len(wrong) > 1 else ""
        raise NotDone(f"{path}: {sayer('en')(wrong[0])}{more}")
    return data


def read_toml(path: Path) -> dict[str, Any]:
    """A TOML file as plain data; raises `NotDone`."""
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as e:
        raise NotDone(f"{path}: cannot be read: {e.strerror}") from e
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as e:
        raise NotDone(f"{path}: this is not TOML: {e}") from e


def _free_title(app: App, name: str) -> str:
    taken = {game.title.casefold() for game in app.games.every()}
    n = next(n for n in range(1, len(taken) + 2) if f"{name} {n}".casefold() not in taken)
    return f"{name} {n}"


def games(config: ConfigOption = None, as_json: JsonOption = False) -> None:
    """List all games: how they stand and whom they wait for."""
    with opened(config) as app:
        every = [described(app, game) for game in app.games.every()]
        if as_json:
            print_json(every)
            return
        if not every:
            print("There are no games yet; `pbem new` starts one.")
            return
        _print_games(every)


def _print_games(every: list[dict[str, Any]]) -> None:
    from rich.table import Table as Sheet

    sheet = Sheet(box=None, pad_edge=False)
    for heading in ("no", "title", "rules", "state", "where", "waits for", "until"):
        sheet.add_column(heading)
    for one in every:
        waits = ", ".join(q["seat"] for q in one["asked"]) or ", ".join(one["missing"])
        due = min((q["due"] for q in one["asked"] if q["due"]), default="")
        until = due[:16].replace("T", " ")
        sheet.add_row(str(one["id"]), one["title"], one["rules"], one["state"], one["where"], waits, until)
    console().print(sheet)


def described(app: App, game: Game) -> dict[str, Any]:
    """A game as the observer knows it."""
    questions = app.games.open_questions(game.id) if game.state == "playing" else []
    return {
        "id": game.id,
        "title": game.title,
        "rules": game.rules.name,
        "state": "paused" if game.paused and game.state == "playing" else game.state,
        "where": _position(app, game) if game.begun else "",
        "seats": list(game.seats),
        "missing": [s.name for s in app.games.seats(game.id) if s.answered != "joined"],
        "asked": [
            {"seat": q.seat, "question": q.key, "due": q.due.isoformat() if q.due else None}
            for q in questions
        ],
    }


def _position(app: App, game: Game) -> str:
    """Where a game stands; one that this version cannot load hides none of the others."""
    from ..catalogue import sayer
    from ..engine.core.table import Misfit

    try:
        return sayer("en")(game.rules.position(app.games.table(game).g).label)
    except (Misfit, ValueError):
        return "cannot be loaded; see pbem upgrade --check"


def waiting(app: App, game: Game) -> str:
    """Whom a new game waits for, in a sentence."""
    missing = [s.name for s in app.games.seats(game.id) if s.answered != "joined"]
    if game.state == "inviting":
        return f"It begins when all have joined: {', '.join(missing)}."
    if game.state == "over":
        return "Robots have played it to its end."
    asked = [q.seat for q in app.games.open_questions(game.id)]
    return f"It has begun; asked: {', '.join(asked) or 'nobody'}."


def show(
    game: Annotated[
        str, typer.Argument(metavar="GAME", help="A game's title or number, or a campaign's title.")
    ],
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Show a game as an observer sees it, or a campaign: its games, who has won them, who reigned."""
    from ..looking import annals, board, chapters, status

    with opened(config) as app:
        campaign = app.campaigns.titled(game)
        if campaign is not None:
            print_json(chapters(app, campaign)) if as_json else print("\n".join(annals(app, campaign)))
            return
        found = app.games.find(game)
        if as_json:
            print_json(described(app, found))
            return
        print("\n".join(status(app, found)))
        if found.begun:
            print("\n" + board(app, found), end="")


def where(game: GameArgument, config: ConfigOption = None, as_json: JsonOption = False) -> None:
    """Show the place in the rules at which a game waits, with section numbers."""
    with opened(config) as app:
        found = app.games.find(game)
        if not found.begun:
            raise NotDone(f"“{found.title}” has not begun, so it is at no place in the rules")
        table = app.games.table(found)
        frames = [{"function": f, "line": n, "rule": doc} for f, n, doc in table.frames()]
        about = described(app, found)
        if as_json:
            section = found.rules.position(table.g).section
            print_json({**about, "section": section, "step": table.step, "frames": frames})
            return
        print(f"“{found.title}”, {about['where']}, step {table.step}")
        for depth, frame in enumerate(frames, 1):
            print(f"{'  ' * depth}{frame['function']}:{frame['line']}  {frame['rule']}")
        for question in about["asked"]:
            print(f"  asked: {question['seat']}, “{question['question']}”")
        if table.over:
            print("  the game is over")


def mod(
    game: GameArgument,
    line: Annotated[
        list[str], typer.Argument(metavar="LINE…", help="A moderator's line: extend ben by 2 days")
    ],
    config: ConfigOption = None,
) -> None:
    """Moderate a game as its host; the table is told, as when a moderator writes."""
    from ..catalogue import sayer

    with opened(config) as app:
        found = app.games.find(game)
        ruling = app.moderate(found, " ".join(line))
        said = "\n".join(sayer("en")(text) for text in ruling.said)
        if ruling.good:
            print(said)
            return
        ways = f" You may write: {' · '.join(ruling.instead)}" if ruling.instead else ""
        raise NotDone(f"{said}{ways}")
