"""What readers see: views, pictures, board templates, look-up."""

from __future__ import annotations

import random
from xml.etree import ElementTree

import pytest

from pbem.digests.render import environment
from pbem.engine.core.chance import Drawn
from pbem.engine.core.sealed import Leak
from pbem.engine.core.table import Table
from pbem.engine.core.testing import random_answer
from pbem.engine.core.text import english
from pbem.engine.troyes import RULES
from pbem.engine.troyes.glossary import STATEMENTS
from pbem.engine.troyes.state import Troyes

from .positions import at

NAMES = ["Ana", "Ben", "Carla", "Dora"]


def some_way_in(seed: int, decisions: int) -> Troyes:
    rng = random.Random(seed)
    g = RULES.setup(NAMES, {}, None, None)
    table = Table(RULES, g, chance=Drawn(rng), keep=False).start()
    while not table.over and decisions:
        seat = next(iter(table.open))
        table.answer(seat, random_answer(table.open[seat], rng))
        decisions -= 1
    return g


def board(g: Troyes, seat: str | None, kind: str) -> str:
    source = (
        '{% import "troyes/board.' + kind + '.j2" as game with context %}'
        "{{ game.board(view) }}{{ game.secrets(view) }}{{ game.others(view) }}"
    )
    return environment("en").from_string(source).render(view=RULES.view(g, seat))


def test_d_16_points_and_characters_are_for_their_owner_alone() -> None:
    position = at({"A.vp": 37, "A.characters": ["urban-iv"]})
    own = RULES.view(position.g, "A").own
    assert own is not None
    assert own.vp == 37
    assert english(own.characters[0].name) == "Urban IV"
    for reader in ("B", None):
        text = board(position.g, reader, "txt")
        assert "37" not in text
        assert "Urban" not in text


def test_a_view_of_another_seat_cannot_be_opened() -> None:
    g = at().g
    with pytest.raises(Leak):
        g.seat("B").vp.open("A")


@pytest.mark.parametrize("decisions", [0, 5, 40, 80, 10_000])
@pytest.mark.parametrize("seat", ["Ana", None])
def test_the_board_reads_well_at_any_time(decisions: int, seat: str | None) -> None:
    g = some_way_in(3, decisions)
    text = board(g, seat, "txt")
    assert max(len(line) for line in text.splitlines()) <= 72
    assert "<sealed>" not in text
    assert not [line for line in text.splitlines() if line.strip("-= ") == "" and line.strip()]
    page = board(g, seat, "html")
    ElementTree.fromstring(f"<body>{page.replace('<br>', '<br/>')}</body>")


@pytest.mark.parametrize("decisions", [0, 40, 80, 10_000])
def test_the_picture_is_well_formed_and_says_nothing_by_colour_alone(decisions: int) -> None:
    g = some_way_in(5, decisions)
    picture = RULES.picture(RULES.view(g, None))
    assert picture is not None
    root = ElementTree.fromstring(picture)
    assert "DejaVu Sans" in root.attrib["font-family"]
    assert picture == RULES.picture(RULES.view(g, "Ana"))
    tokens = [shape for shape in root if shape.tag.endswith("circle") and shape.attrib["fill"] != "none"]
    texts = [shape.text for shape in root if shape.tag.endswith("text")]
    assert len(texts) >= len(tokens)


@pytest.mark.parametrize(
    ("word", "name"),
    [
        ("miller", "Miller"),
        ("Millers", "Miller"),
        ("Millet", None),
        ("war", "War"),
        ("urban", "Urban IV"),
        ("cathedral", "cathedral"),
        ("the cathedral", "cathedral"),
        ("T-5.3", "buying dice"),
        ("deniers", "deniers"),
        ("marauding", "Marauding"),
        ("hiring", "hiring"),
        ("", None),
    ],
)
def test_look_up(word: str, name: str | None) -> None:
    found = [english(entry.name) for entry in RULES.lookup(at().g, word)]
    assert (name in found) if name else found == []


def test_look_up_says_which_numbers_are_made_up() -> None:
    (miller,) = RULES.lookup(at().g, "miller")
    assert any("made up for the house deck" in english(line) for line in miller.lines)


def test_every_statement_is_found_under_its_section() -> None:
    g = at().g
    for statement in STATEMENTS:
        assert statement.name in [entry.name for entry in RULES.lookup(g, statement.section)]


def test_the_label_says_where_the_game_stands() -> None:
    assert english(RULES.position(at().g).label) == "round 1 of 5, actions"
    assert RULES.position(at().g).section == "T-5.1"
