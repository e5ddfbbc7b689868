"""The end of the game (T-8)."""

from __future__ import annotations

from typing import NamedTuple

from ..core.asks import reveal
from ..core.ruleset import Outcome, Ranked
from ..core.text import Text
from . import words
from .cards import CharacterPrint
from .characters import award
from .facts import CharactersRevealed, Scored
from .state import Seat, Troyes


class Score(NamedTuple):
    """How a final score comes about (T-8.2)."""

    gained: int
    events: int
    tradesmen: int
    cathedral: int
    """What is taken away, as a positive number."""
    awards: tuple[tuple[CharacterPrint, int], ...]

    @property
    def total(self) -> int:
        """The loss for the cathedral does not go below zero (T-8.6)."""
        before = self.gained + self.events + self.tradesmen
        return max(0, before - self.cathedral) + sum(vp for _, vp in self.awards)


def score(g: Troyes, seat: Seat) -> Score:
    """T-8.2: one player's points, with every character in play (T-8.4)."""
    return Score(
        gained=seat.vp.under_seal(),
        events=sum(seat.name in event.cubes for event in g.events),
        tradesmen=_tradesmen(g, seat),
        cathedral=2 * sum(seat.name not in level for level in g.cathedral),
        awards=tuple(
            (g.cards.characters[id], award(g, g.cards.characters[id], seat))
            for holder in g.seats
            for id in holder.characters.under_seal()
        ),
    )


def _tradesmen(g: Troyes, seat: Seat) -> int:
    """T-5.16: the figures on the spaces of own tradesmen."""
    return sum(
        vp
        for card in g.face_up()
        for who, vp in zip(card.tradesmen, g.cards.activities[card.shown].vp_spots, strict=False)
        if who == seat.name
    )


async def score_game(g: Troyes) -> None:
    """T-8.4: the characters held are turned up, and everybody's points counted."""
    everybody = [seat.name for seat in g.seats]
    for seat in g.in_order():
        held, seat.characters = await reveal(f"characters {seat.name}", seat.characters, *everybody)
        seat.revealed = held
        g.tell(CharactersRevealed(seat.name, tuple(g.cards.characters[id].name for id in held)))
    for seat in g.in_order():
        seat.vp = seat.vp.shown_to(*everybody)
        g.tell(Scored(seat.name, score(g, seat).total))
    g.phase = "over"


def outcome(g: Troyes) -> Outcome | None:
    """The ranking; equal scores share a place (T-8.7)."""
    if g.phase != "over":
        return None
    scores = {seat.name: score(g, seat) for seat in g.seats}
    totals = sorted((s.total for s in scores.values()), reverse=True)
    ranking = [
        Ranked(name, totals.index(s.total) + 1, s.total, explained(s))
        for name, s in sorted(scores.items(), key=lambda item: -item[1].total)
    ]
    winners = tuple(r.seat for r in ranking if r.place == 1)
    if len(winners) == 1:
        reason = Text("{who} wins with {points}.", who=winners[0], points=words.points(totals[0]))
    else:
        reason = Text("{who} share the win with {points} each.", who=winners, points=words.points(totals[0]))
    return Outcome(tuple(ranking), reason)


def explained(s: Score) -> tuple[Text, ...]:
    """The parts of a score, one line each."""
    lines = [Text("{points} during the game", points=words.points(s.gained))]
    if s.events:
        lines.append(Text("{points} for cubes on events", points=words.points(s.events)))
    if s.tradesmen:
        lines.append(Text("{points} for tradesmen", points=words.points(s.tradesmen)))
    if s.cathedral:
        lines.append(
            Text("{points} taken away for empty levels of the cathedral", points=words.points(s.cathedral))
        )
    lines += [
        Text("{points} for {character}", points=words.points(vp), character=card.words)
        for card, vp in s.awards
    ]
    return tuple(lines)
