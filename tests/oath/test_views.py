"""What readers see: views, board templates, look-up; and what makes no game."""

from __future__ import annotations

import random
import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import msgspec
import pytest

from pbem.digests.render import environment
from pbem.engine import oath
from pbem.engine.core.chance import Drawn
from pbem.engine.core.ruleset import BadSetup
from pbem.engine.core.table import Table
from pbem.engine.core.testing import random_answer
from pbem.engine.core.text import english
from pbem.engine.oath.beginnings import first_game
from pbem.engine.oath.glossary import STATEMENTS
from pbem.engine.oath.legacy import dump as dump_legacy
from pbem.engine.oath.powers import POWERS
from pbem.engine.oath.printed import DENIZENS
from pbem.engine.oath.printed import NAMES as CARD_NAMES
from pbem.engine.oath.rules import OathRules
from pbem.engine.oath.state import Oath

RULES = OathRules()
NAMES = ["Ana", "Ben", "Carla", "Dora"]


def some_way_in(seed: int, decisions: int) -> Oath:
    rng = random.Random(seed)
    g = RULES.setup(NAMES, {"start": "reset"}, None, None)
    table = Table(RULES, g, chance=Drawn(rng), keep=False).start()
    while not table.over and decisions:
        seat = next(iter(table.open))
        table.answer(seat, random_answer(table.open[seat], rng))
        decisions -= 1
    return g


def arranged(**paths: Any) -> Oath:
    g = RULES.setup(NAMES, {}, None, None)
    for path, value in {"round": 1, **paths}.items():
        RULES.write(g, path, value)
    return g


def board(g: Oath, seat: str | None, kind: str) -> str:
    source = (
        '{% import "oath/board.' + kind + '.j2" as game with context %}'
        "{{ game.board(view) }}{% if seat %}{{ game.secrets(view) }}{% endif %}{{ game.others(view) }}"
    )
    return environment("en").from_string(source).render(view=RULES.view(g, seat), seat=seat)


@pytest.mark.parametrize("decisions", [0, 5, 40, 120, 10_000])
@pytest.mark.parametrize("seat", ["Ana", None])
def test_the_board_reads_well_at_any_time(decisions: int, seat: str | None) -> None:
    g = some_way_in(3, decisions)
    text = board(g, seat, "txt")
    assert max(len(line) for line in text.splitlines()) <= 72
    assert "sealed" not in text
    assert "1 warbands" not in text
    page = board(g, seat, "html")
    ElementTree.fromstring(f"<body>{page.replace('<br>', '<br/>')}</body>")


def test_o_16_2_a_facedown_adviser_is_named_to_its_owner_alone() -> None:
    g = arranged(**{"Ben.advisers": ["Elders face down", "Vision of Faith face down"], "cradle 1.cards": []})
    own = board(g, "Ben", "txt")
    assert "Elders face down" in own
    for reader in ("Ana", None):
        text = board(g, reader, "txt")
        assert "a denizen face down, a Vision face down" in text
        assert "Faith" not in text


def test_o_16_1_the_number_of_cards_in_the_world_deck_is_not_told() -> None:
    g = arranged()
    before = [board(g, seat, "txt") for seat in (*NAMES, None)]
    g.world.deck = g.world.deck.changed(lambda deck: deck[:-4])
    assert [board(g, seat, "txt") for seat in (*NAMES, None)] == before


def test_o_16_3_the_backs_of_a_pile_are_told_from_the_top() -> None:
    g = arranged(**{"piles.cradle": ["Elders", "Vision of Faith", "Longbows", "Tents"]})
    assert "Discard pile, from the top: 1 denizen, 1 Vision, 2 denizens" in board(g, "Ana", "txt")


def test_o_7_3_a_peeked_relic_is_known_to_whoever_looked() -> None:
    g = arranged(**{"cradle 1.relics": ["Sticky Fire"]})
    g.map[0].relics[0] = g.map[0].relics[0].shown_to("Ben")
    assert "At Plains lies Sticky Fire" in board(g, "Ben", "txt")
    assert "Sticky Fire" not in board(g, "Ana", "txt")


def test_the_label_says_where_the_game_stands() -> None:
    g = arranged(turn="Ben")
    assert english(RULES.position(g).label) == "round 1, Ben’s turn"
    assert RULES.position(g).section == "O-4.3"


@pytest.mark.parametrize(
    ("word", "name"),
    [
        ("elders", "Elders"),
        ("salt flats", "Salt Flats"),
        ("scepter", "Citizens"),
        ("grand scepter", "The Grand Scepter"),
        ("faith", "Vision of Faith"),
        ("squalid", "Squalid District"),
        ("devotion", "Oath of Devotion"),
        ("O-5.4", "Trade"),
        ("mob", "People’s Favor"),
        ("", None),
        ("zzz", None),
    ],
)
def test_look_up(word: str, name: str | None) -> None:
    found = [english(entry.name) for entry in RULES.lookup(arranged(), word)]
    assert (name in found) if name else found == []


def test_look_up_says_cost_effect_rulings_and_place() -> None:
    (entry,) = RULES.lookup(arranged(**{"cradle 1.cards": ["Mercenaries"]}), "mercenaries")
    lines = [english(line) for line in entry.lines]
    assert "Cost: 1 favor on the card." in lines
    assert DENIZENS["mercenaries"].effect in lines
    assert "It lies at Plains." in lines


def test_every_card_and_statement_is_found_under_its_name() -> None:
    g = arranged()
    for card in DENIZENS.values():
        assert card.name in [english(entry.name) for entry in RULES.lookup(g, card.name)]
    for statement in STATEMENTS:
        assert statement.name in [entry.name for entry in RULES.lookup(g, statement.section)]


# what makes no game


@pytest.mark.parametrize(
    ("seats", "options", "why"),
    [
        (["Ana"], {}, "2 to 6 players"),
        ([*NAMES, "Enzo", "Fay", "Gil"], {}, "2 to 6 players"),
        (["Ana", "ana"], {}, "same name"),
        (["Ana", "Mine"], {}, "cannot be called"),
        (["Ana", "order"], {}, "cannot be called"),
        (NAMES[:3], {"start": "scripted"}, "is for 4 players"),
        (NAMES, {"start": "anew"}, "can be"),
        (NAMES, {"length": "short"}, "no option"),
    ],
)
def test_what_makes_no_game_is_refused(seats: list[str], options: dict[str, str], why: str) -> None:
    with pytest.raises(BadSetup) as refused:
        RULES.setup(seats, options, None, None)
    assert why in english(refused.value.why)


@pytest.mark.parametrize("start", ["scripted", "open", "reset", "reset from all"])
def test_d_38_a_new_chronicle_has_only_denizens_whose_powers_are_written(start: str) -> None:
    g = RULES.setup(NAMES, {"start": start}, None, None)
    table = Table(RULES, g, chance=Drawn(random.Random(2)), keep=False).start()
    world = [card.id for site in table.g.map for card in site.cards]
    world += [*table.g.world.deck.under_seal(), *(c for p in g.players for c in p.hand.under_seal())]
    assert len(world) > 40
    assert [card for card in world if card in DENIZENS and card not in POWERS] == []


def test_d_38_a_saved_world_with_other_cards_begins_only_if_the_table_wants_them_by_their_suit() -> None:
    unwritten = next(id for id in DENIZENS if id not in POWERS)
    saved = first_game("Elderland")
    saved = msgspec.structs.replace(saved, deck=(unwritten, *saved.deck))
    with pytest.raises(BadSetup) as refused:
        RULES.setup(NAMES, {}, None, dump_legacy(saved))
    assert CARD_NAMES[unwritten] in english(refused.value.why)
    assert "unwritten=play" in english(refused.value.why)
    assert RULES.setup(NAMES, {"unwritten": "play"}, None, dump_legacy(saved)).unwritten == "play"


def test_d_38_a_chronicle_goes_on_and_an_impossible_one_is_refused() -> None:
    saved = dump_legacy(first_game("Elderland"))
    g = RULES.setup(NAMES, {}, None, saved)
    table = Table(RULES, g, chance=Drawn(random.Random(1)), keep=False).start()
    assert g.chronicle == "Elderland"
    assert list(table.open) == ["Ana"]
    saved["oath"] = "nonsense"
    with pytest.raises(BadSetup):
        RULES.setup(NAMES, {}, None, saved)
    with pytest.raises(BadSetup):
        RULES.setup(NAMES, {}, None, {"schema": 1, "name": 7})


def test_the_examples_are_for_questions_that_are_asked() -> None:
    package = Path(oath.__file__).parent
    source = "\n".join(path.read_text(encoding="utf-8") for path in sorted(package.rglob("*.py")))
    asked = set(re.findall(r'"([a-z-]+)",\s+(?:act_)?menu', source))
    asked |= set(re.findall(r'whether\([\w.]+, "([a-z-]+)"', source))
    assert {key for key in RULES.examples if not key.startswith("act.")} <= asked
