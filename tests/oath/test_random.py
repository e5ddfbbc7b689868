"""Random games: every law of the engine at every decision (O-22)."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

import pytest

from pbem.engine.core.canon import canonical
from pbem.engine.core.commands import read
from pbem.engine.core.table import Table
from pbem.engine.core.testing import (
    Broken,
    Compared,
    keeps_secrets,
    pieces_are_kept,
    play,
    reads_back,
    seen,
    survives_a_reload,
    undo_is_lawful,
)
from pbem.engine.oath.printed import NAMES as PRINTED
from pbem.engine.oath.printed import OATHS
from pbem.engine.oath.rules import OathRules
from pbem.engine.oath.state import Oath
from pbem.fuzz import shown

from .laws import everything_is_counted

RULES = OathRules()
NAMES = ["Ana", "Ben", "Carla", "Dora", "Enzo", "Fay"]
STARTS: list[Mapping[str, str]] = [
    {},
    {"start": "reset"},
    *({"start": "reset from all", "oath": oath} for oath in OATHS),
]
GAMES = [(seats, start) for seats in (2, 3, 4, 5, 6) for start in STARTS]
GAMES.append((4, {"start": "scripted"}))
SOME = [n for n in range(len(GAMES)) if n % 5 == 0 or n == len(GAMES) - 1]
"""Each number of seats and each start; the laws take their time."""


def hands_are_named_to_nobody_else(table: Table[Oath], rng: random.Random) -> None:
    """O-16.2: what was drawn in this very step, which a twin must leave as it is on the tape.

    Names of one word are left out, since sentences have such words in them too.
    """
    hidden = [p for p in table.g.players if not all(p.hand.seen_by(other.name) for other in table.g.players)]
    held = [(p.name, PRINTED[card]) for p in hidden for card in p.hand.under_seal()]
    held = [(owner, name) for owner, name in held if " " in name]
    for reader in (*(p.name for p in table.g.players), None) if held else ():
        page = canonical(seen(table, reader)).decode()
        for owner, name in held:
            if reader != owner and name in page:
                raise Broken(f"{reader or 'the observer'} reads {name}, which {owner} holds")


@pytest.mark.parametrize("game", range(len(GAMES)))
def test_a_random_game_ends_with_every_piece_in_its_place(game: int) -> None:
    seats, start = GAMES[game]
    played = play(RULES, NAMES[:seats], game, start)
    assert played.decisions > 5 * seats


@pytest.mark.parametrize("game", SOME)
def test_every_position_keeps_the_laws(game: int) -> None:
    seats, start = GAMES[game]
    found = Compared()
    look, secrecy, counted = reads_back(), keeps_secrets(found), everything_is_counted()

    def laws(table: Table[Any], rng: random.Random) -> None:
        pieces_are_kept(table, rng)
        counted(table, rng)
        hands_are_named_to_nobody_else(table, rng)
        if rng.random() < 0.3:
            survives_a_reload(table, rng)
            look(table, rng)
        if rng.random() < 0.15:
            undo_is_lawful(table, rng)
            secrecy(table, rng)

    play(RULES, NAMES[:seats], 1000 + game, start, look=laws)
    assert found.leaks == []
    assert found.differing > 0


@pytest.mark.parametrize("seats", [2, 4, 6])
def test_o_16_whole_digests_tell_no_secret(seats: int) -> None:
    found = Compared()
    secrecy = keeps_secrets(found, shown)

    def law(table: Table[Any], rng: random.Random) -> None:
        if rng.random() < 0.2:
            secrecy(table, rng)

    play(RULES, NAMES[:seats], 2000 + seats, {"start": "reset"}, look=law)
    assert found.leaks == []
    assert found.differing > 0


def test_o_16_a_facedown_card_that_was_played_in_this_step_is_dealt_to_nobody_else() -> None:
    """The Gathering asks others as soon as it lies face up; twins in which it is another card do not fit the tape."""
    g = RULES.setup(NAMES[:4], {}, None, None)
    for path, value in (("Ben.advisers", ["The Gathering face down", "Elders face down"]), ("turn", "Ben")):
        RULES.write(g, path, value)
    table = Table(RULES, g).start()
    table.answer("Ben", read("play adviser the gathering", table.open["Ben"]).pick)
    table.answer("Ben", read("play to plains", table.open["Ben"]).pick)
    assert "Ben" not in table.open
    found = Compared()
    secrecy, rng = keeps_secrets(found), random.Random(1)
    for _ in range(40):
        secrecy(table, rng)
    assert found.leaks == []
    assert found.differing > 20


def test_the_same_seed_is_the_same_game() -> None:
    assert play(RULES, NAMES[:4], 77).fingerprint == play(RULES, NAMES[:4], 77).fingerprint
