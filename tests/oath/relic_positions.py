"""Positions with relics and cards on top of the deck."""

from __future__ import annotations

from pbem.engine.core.sealed import Sealed

from .positions import CARA, RELIQUARY, YARA, Stage


def with_relic(relic: str, stage: Stage | None = None, who: str = YARA) -> Stage:
    """Somebody has a relic, wherever it was before."""
    stage = stage or Stage()
    spare = [id for id in ("map", "whistle", "bandit_crown", "obsidian_cage") if id != relic]
    at = [n for n, id in enumerate(RELIQUARY) if id == relic]
    for n in at:
        stage.g.reliquary[n] = Sealed(spare[n % len(spare)], (CARA,))
    deck = [id for id in stage.g.world.relics.under_seal() if id != relic]
    stage.g.world.relics = Sealed(deck)
    return stage.seat(who, relics=[relic])


def deck(stage: Stage, *top: str) -> None:
    below = [c for c in stage.g.world.deck.under_seal() if c not in top]
    stage.g.world.deck = Sealed([*top, *below])
