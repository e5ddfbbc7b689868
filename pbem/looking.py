"""What the host sees of a game: the observer's view, as text (D-41)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from .answers import Answers
from .campaigns import Campaign, Chapter, reigns
from .catalogue import sayer
from .digests import render
from .orders import Command, Verb
from .people import Person
from .store.games import Game
from .writing import ranking

if TYPE_CHECKING:
    from .app import App


def board(app: App, game: Game) -> str:
    """The board and the players, by the same template as in the digests."""
    table = app.games.table(game)
    values = {
        **app.writer.position(game, table, None),
        "asked": None,
        "seat": None,
        "since": [],
        "left_out": 0,
        "since_at": None,
        "parked": [],
        "notes": [],
        "zone": game.table.zone,
        "now": app.clock.now(),
    }
    return render.text("parts/digest.txt.j2", game.table.language, values)


def status(app: App, game: Game) -> list[str]:
    """Where a game stands, who is asked and until when; its result once it is over."""
    say = sayer("en")
    if game.state == "cancelled":
        return [f"{game.title} was called off."]
    host = Person(0, "the host", "", game.table.language, game.table.zone, False)
    section = Answers(app.games, app.writer).section(game, None, Command(Verb.STATUS), host, app.clock.now())
    lines = [say(text) for text in section.lines]
    if game.state == "over":
        outcome = game.rules.outcome(app.games.table(game).g)
        lines += [say(text) for text in ranking(outcome)] if outcome else []
    return lines


def annals(app: App, campaign: Campaign) -> list[str]:
    """A campaign's page: its games, who has won them and how, who reigned how long, and what comes next."""
    say = sayer("en")
    told = app.campaigns.chapters(campaign)
    lines = [f"{campaign.title}, a campaign of {app.games.rulesets[campaign.ruleset].title}", ""]
    for chapter in told:
        days = f"{chapter.began} to {chapter.ended}" if chapter.ended else "not over"
        lines.append(f"{chapter.n:3}  {chapter.game.title} (game {chapter.game.id}), {days}")
        lines.append(f"     {', '.join(chapter.game.seats)}")
        lines += [f"     {say(text)}" for text in chapter.told]
    if not told:
        lines.append("     No game of it was played here yet.")
    lines.append("")
    for reign in reigns(told):
        games = f"games {reign.first} to {reign.last}" if reign.last > reign.first else f"game {reign.first}"
        lines.append(f"{' and '.join(reign.winners)} won {games}.")
    lines.append(_what_next(campaign, told))
    return lines


def _what_next(campaign: Campaign, told: Sequence[Chapter]) -> str:
    going_on = next((c.game for c in told if c.game.state in ("inviting", "playing")), None)
    if going_on is not None:
        return f"Now: “{going_on.title}”; `pbem show {going_on.id}` shows its board."
    return f"Next: `pbem next '{campaign.title}'` calls the next game."


def chapters(app: App, campaign: Campaign) -> dict[str, object]:
    """The same for programs."""
    say = sayer("en")
    told = app.campaigns.chapters(campaign)
    return {
        "campaign": campaign.title,
        "rules": campaign.ruleset,
        "games": [
            {
                "game": c.game.id,
                "title": c.game.title,
                "state": c.game.state,
                "seats": list(c.game.seats),
                "began": c.began,
                "ended": c.ended,
                "winners": list(c.winners),
                "told": [say(text) for text in c.told],
            }
            for c in told
        ],
        "reigns": [{"winners": list(r.winners), "first": r.first, "last": r.last} for r in reigns(told)],
    }
