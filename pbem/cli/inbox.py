"""Single mails: what waits for somebody to look, and what to do with it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from .common import ConfigOption, JsonOption, console, opened, print_json
from .errors import NotDone

if TYPE_CHECKING:
    from ..mailroom import Listed, Shown

app = typer.Typer(
    help="Look at single mails, have them worked on again, or drop them.",
    no_args_is_help=True,
    rich_markup_mode=None,
)
MailArgument = Annotated[int, typer.Argument(metavar="MAIL", help="The mail's number.")]
STATES = ("claimed", "applied", "held", "failed", "aside")


@app.command("list")
def list_mails(
    every: Annotated[bool, typer.Option("--all", help="All mails, not only those that wait.")] = False,
    state: Annotated[
        str | None, typer.Option(metavar="STATE", help=f"One state: {', '.join(STATES)}.")
    ] = None,
    limit: Annotated[int, typer.Option(metavar="N", help="The newest N.")] = 50,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """List the mails that wait for somebody to look: held, failed, set aside."""
    from ..mailroom import LOOKED_AT, Mailroom
    from ..store.inbox import State

    if state is not None and state not in STATES:
        raise typer.BadParameter(f"{state} is no state; use one of {', '.join(STATES)}", param_hint="--state")
    states = tuple(State) if every else LOOKED_AT if state is None else (State(state),)
    with opened(config) as app:
        found = Mailroom(app).listing(states, max(1, limit))
    if as_json:
        print_json([_as_data(one) for one in found])
    elif found:
        _print_list(found)
    else:
        print("No mail waits." if not every and state is None else "There is no such mail.")


@app.command("show")
def show_mail(
    mail: MailArgument,
    text: Annotated[
        bool, typer.Option("--text", help="Open it: print what its writer said, too; live tables are told.")
    ] = False,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Show a mail: its headers, its parts, what became of it and why."""
    from ..mailroom import Mailroom

    with opened(config) as app:
        shown = Mailroom(app).show(mail, open=text)
    if as_json:
        more = {"text": shown.text} if text else {}
        parts = [{"type": kind, "bytes": size} for kind, size in shown.parts]
        print_json({**_as_data(shown.listed), "headers": dict(shown.headers), "parts": parts, **more})
        return
    _print_mail(shown)


@app.command("retry")
def retry_mail(
    mail: MailArgument,
    vouch: Annotated[
        bool, typer.Option("--vouch", help="For a held mail: you know that it is its sender's own.")
    ] = False,
    config: ConfigOption = None,
) -> None:
    """Work on a mail again that failed, was set aside or is held."""
    from ..mailroom import Mailroom
    from ..store.inbox import State

    with opened(config) as app:
        filed = Mailroom(app).retry(mail, vouch=vouch)
    said = f"mail {mail}: {filed.kind} {filed.state}{f' ({filed.reason})' if filed.reason else ''}"
    if filed.state in (State.FAILED, State.ASIDE):
        raise NotDone(f"{said}; see `pbem inbox show {mail}`")
    print(said)


@app.command("drop")
def drop_mail(
    mail: MailArgument,
    because: Annotated[str, typer.Option(metavar="REASON", help="Why; its sender is told, if known.")],
    config: ConfigOption = None,
) -> None:
    """Be done with a mail that waits, for a reason. Its bytes are kept."""
    from ..mailroom import Mailroom

    if not because.strip():
        raise typer.BadParameter("say why, in a few words", param_hint="--because")
    with opened(config) as app:
        Mailroom(app).drop(mail, because.strip())
    print(f"mail {mail} is dropped: {because.strip()}")


def _as_data(one: Listed) -> dict[str, object]:
    return {
        "mail": one.number,
        "arrived": one.arrived.isoformat(),
        "from": one.sender,
        "state": str(one.state),
        "kind": one.kind,
        "reason": one.reason,
        "game": one.game,
        "tries": one.tries,
    }


def _print_list(found: list[Listed]) -> None:
    from rich.table import Table

    sheet = Table(box=None, pad_edge=False)
    for heading in ("mail", "arrived", "from", "state", "kind", "game", "why"):
        sheet.add_column(heading)
    for one in found:
        when = one.arrived.strftime("%Y-%m-%d %H:%M")
        sheet.add_row(str(one.number), when, one.sender, str(one.state), one.kind, one.game, one.reason)
    console().print(sheet)


def _print_mail(shown: Shown) -> None:
    one = shown.listed
    print(f"Mail {one.number}, {shown.size:,} bytes, arrived {one.arrived:%Y-%m-%d %H:%M:%S} UTC")
    print(f"It is {one.state}{f', {one.kind}' if one.kind else ''}{f': {one.reason}' if one.reason else ''}")
    if one.game:
        print(f"Game: {one.game}")
    print()
    for name, value in shown.headers:
        print(f"{name.title()}: {value[:300]}")
    for kind, size in shown.parts:
        print(f"  {kind}, {size:,} bytes")
    if shown.text is not None:
        print(f"\n{shown.text}")
    else:
        print("\nWhat its writer said is not shown, since it may hold secrets; --text opens it.")
