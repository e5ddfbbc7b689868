"""How a game ended, for the shell, and what a campaign remembers of it (O-17, O-18)."""

from __future__ import annotations

from ..core.ruleset import Outcome, Ranked
from ..core.text import Text
from . import words
from .chronicle.vow import next_citizens
from .endings import WAYS
from .printed import VISIONS
from .setup_facts import ROLE
from .state import Oath
from .words import COLOUR


def outcome(g: Oath) -> Outcome | None:
    """One winner; the others share the second place, for Oath ranks nobody else."""
    if not g.winner:
        return None
    won = ways(g)
    ranking = [Ranked(g.winner, 1, None, won)]
    ranking += [Ranked(p.name, 2, None) for p in g.players if p.name != g.winner]
    return Outcome(tuple(ranking), Text("{who} has won: {ways}.", who=g.winner, ways=won))


def ways(g: Oath) -> tuple[Text, ...]:
    """How it was won, each way (O-17.1)."""
    return tuple(words.thing(way) if way in VISIONS else WAYS[way] for way in g.won_by.split())


def annals(g: Oath) -> tuple[Text, ...]:
    """A finished game as the campaign's page tells it."""
    winner = g.player(g.winner)
    lines = [
        Text(
            "Game {n}, {oath}: {who}, {colour} {role}, has won in round {round}: {ways}.",
            n=g.game,
            oath=words.thing(g.oath),
            who=winner.name,
            colour=COLOUR[winner.colour],
            role=ROLE[winner.role],
            round=g.round,
            ways=ways(g),
        )
    ]
    citizens = tuple(COLOUR[colour] for colour in next_citizens(g))
    if citizens:
        lines.append(
            Text("Sworn next: {oath}; Citizens: {citizens}.", oath=words.thing(g.vowed), citizens=citizens)
        )
    else:
        lines.append(Text("Sworn next: {oath}; no Citizens.", oath=words.thing(g.vowed)))
    return tuple(lines)
