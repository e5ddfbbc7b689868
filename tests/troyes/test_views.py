"""What readers see: views, pictures, board templates, look-up."""

from __future__ import annotations

import random
from itertools import pairwise
from xml.etree import ElementTree

import pytest

from pbem.digests.render import environment
from pbem.engine.core.chance import Drawn
from pbem.engine.core.drawing import initials
from pbem.engine.core.sealed import Leak
from pbem.engine.core.table import Table
from pbem.engine.core.testing import random_answer
from pbem.engine.core.text import english
from pbem.engine.troyes import RULES
from pbem.engine.troyes.glossary import STATEMENTS
from pbem.engine.troyes.picture import SEAT, WIDTH
from pbem.engine.troyes.state import EventOnTable, Troyes

from ..drawings import laid_on_one_another, lines, points
from .positions import at

NAMES = ["Ana", "Ben", "Carla", "Dora"]


def some_way_in(seed: int, decisions: int, names: list[str] = NAMES) -> Troyes:
    rng = random.Random(seed)
    g = RULES.setup(names, {}, None, None)
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


# the picture


LONG = ["Anna-Wilhelmina von Hohenlohe-W", "M" * 31, "W" * 31, "Annabel of the Northern Marches"]


def crowded() -> Troyes:
    """Long names, three rounds' activities with everybody's citizens and cubes, ten events, full districts."""
    g = some_way_in(3, 40, LONG)
    g.phase, g.round, g.turn = "actions", 4, 2
    for space in g.activities:
        space.shown = space.card.under_seal()
        space.tradesmen = [*LONG[:3], ""]
        space.cubes = dict.fromkeys(LONG, 3)
    for seat in g.seats:
        seat.dice = {"red": [6] * 4, "white": [5] * 5, "yellow": [4] * 6}
        seat.deniers, seat.influence, seat.passed, seat.passing = 128, 20, True, 7
        seat.won = ["war", "marauding"]
    for building, rows in g.spaces.items():
        g.spaces[building] = [(LONG * 2)[: len(row)] for row in rows]
        g.lying[building] = [*LONG, *["grey"] * 3]
    g.cathedral = [[*LONG, "", LONG[0]] for _ in g.cathedral]
    g.black, g.grey_dice = [6] * 9, {"red": [6] * 3, "white": [5] * 3, "yellow": [4] * 3}
    cards = list(g.cards.events.values())[:10]
    g.events = [EventOnTable(card.id, (LONG * 2)[: card.banners - 1]) for card in cards]
    return g


POSITIONS = [(3, 0), (3, 25), (5, 80), (7, 150), (5, 10_000), None]


@pytest.fixture(params=POSITIONS, ids=str)
def position(request: pytest.FixtureRequest) -> Troyes:
    """Early, late, ended, and more crowded than play would make it."""
    return some_way_in(*request.param) if request.param else crowded()


def drawn(g: Troyes, seat: str | None = None) -> ElementTree.Element:
    return ElementTree.fromstring(RULES.picture(RULES.view(g, seat)) or "")


def written(root: ElementTree.Element) -> list[str]:
    return [line.text or "" for line in lines(root)]


def test_t_8_4_the_picture_shows_everybody_the_same(position: Troyes) -> None:
    public = RULES.picture(RULES.view(position, None))
    assert public is not None
    for holder in position.seats:
        assert RULES.picture(RULES.view(position, holder.name)) == public


def test_nothing_hangs_over_the_edge_of_the_picture(position: Troyes) -> None:
    root = drawn(position)
    height = float(root.attrib["height"])
    assert float(root.attrib["width"]) == WIDTH
    for shape in root:
        for x, y in points(shape):
            assert 0 <= x <= WIDTH
            assert 0 <= y <= height


def test_no_words_of_the_picture_lie_on_others(position: Troyes) -> None:
    assert laid_on_one_another(drawn(position)) == []


def test_no_words_are_too_small_for_a_mail(position: Troyes) -> None:
    """Only letters that stand for a name are smaller, where two are wide."""
    assert min(float(line.attrib["font-size"]) for line in lines(drawn(position)) if line.text != "A1") >= 11


def test_every_name_and_every_card_on_the_table_is_in_the_picture(position: Troyes) -> None:
    words = written(drawn(position))
    public = RULES.view(position, None)
    for holder in public.players:
        assert any(line.startswith(holder.name[:8]) for line in words)
    for card in public.activities:
        assert english(card.name) in words
    for n, event in enumerate(public.events, 1):
        assert f"{n}. {english(event.name)}" in words


def test_the_picture_says_nothing_by_colour_alone(position: Troyes) -> None:
    """Every sign in a seat's colour bears its letters, and every seat has others."""
    marks = initials(tuple(seat.name for seat in position.seats))
    assert len(set(marks)) == len(marks)
    of = dict(zip(SEAT, marks, strict=True))
    signs = [(sign.attrib["fill"], mark.text) for sign, mark in pairwise(drawn(position)) if mark.text]
    assert [(fill, mark) for fill, mark in signs if fill in of and mark != of[fill]] == []
    assert {fill for fill, _ in signs} >= set(SEAT)


def test_the_picture_shows_buildings_cathedral_cards_and_districts() -> None:
    position = at({"A.deniers": 17, "A.dice": "r2 y5", "B.passed": True})
    g = position.g
    g.spaces["palace"][0] = ["A", "", "grey", "", "", ""]
    g.lying["city hall"] = ["B"]
    g.cathedral[0][2] = "C"
    words = written(drawn(g))
    palace = words[words.index("The Palace") : words.index("The Bishopric")]
    assert palace == ["The Palace", "wage 2 a citizen", "A", "2", "g", "4", "5", "6"]
    assert words[words.index("expelled:") + 1] == "B"
    level = words.index("level 1")
    assert words[level + 1 : level + 7] == ["1", "2", "C", "4", "5", "6"]
    side = words[words.index("start player") - 1 :]
    assert side[:7] == ["A", "start player", "A", "17", "4", "supply 5, general supply 7", "r2"]


def test_letters_tell_names_apart_that_begin_alike() -> None:
    assert initials(("Ana", "Ben")) == ("A", "B")
    assert initials(("Ana", "Abe", "Ben")) == ("An", "Ab", "B")
    assert initials(("Anna", "Ben", "Anne", "Abe")) == ("A1", "B", "A3", "Ab")


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
