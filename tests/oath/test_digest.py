"""What a digest shows of a table of six: the picture, the words, and what the reader alone remembers."""

from __future__ import annotations

import random
import re
from functools import cache
from itertools import pairwise
from xml.etree import ElementTree

import pytest

from pbem.digests.render import environment
from pbem.draughtsman import png
from pbem.engine.core.chance import Drawn
from pbem.engine.core.sealed import Sealed
from pbem.engine.core.table import Table
from pbem.engine.core.testing import random_answer
from pbem.engine.oath.picture import PAINT, SUIT, WIDTH
from pbem.engine.oath.rules import OathRules
from pbem.engine.oath.state import Adviser, Oath, PileCard

from ..drawings import laid_on_one_another, points

RULES = OathRules()
NAMES = ["Ana", "Ben", "Carla", "Dora", "Enzo", "Fay"]
COLOURS = (*SUIT.values(), *PAINT.values())
SOME_TIME = (0, 4, 9, 60, 180, 300, 10_000)


@cache
def saved(seed: int, decisions: int) -> object:
    rng = random.Random(seed)
    g = RULES.setup(NAMES, {"start": "open"}, None, None)
    table = Table(RULES, g, chance=Drawn(rng), keep=False).start()
    while not table.over and decisions:
        seat = next(iter(table.open))
        table.answer(seat, random_answer(table.open[seat], rng))
        decisions -= 1
    return RULES.dump(table.g)


def some_way_in(seed: int, decisions: int) -> Oath:
    """A table of six after so many decisions."""
    return RULES.load(saved(seed, decisions))


def arranged(**paths: object) -> Oath:
    g = RULES.setup(NAMES, {}, None, None)
    for path, value in {"round": 1, **paths}.items():
        RULES.write(g, path, value)
    return g


def drawn(g: Oath, seat: str | None = None) -> ElementTree.Element:
    return ElementTree.fromstring(RULES.picture(RULES.view(g, seat)) or "")


def written(root: ElementTree.Element) -> list[str]:
    """The words of a picture, in the order they stand there."""
    return [shape.text or "" for shape in root if shape.tag.endswith("text")]


def said(g: Oath, seat: str | None, kind: str = "txt") -> str:
    source = (
        '{% import "oath/board.' + kind + '.j2" as game with context %}'
        "{{ game.board(view) }}{% if seat %}{{ game.secrets(view) }}{% endif %}{{ game.others(view) }}"
    )
    return environment("en").from_string(source).render(view=RULES.view(g, seat), seat=seat)


def flat(text: str) -> str:
    return " ".join(text.split())


# the picture


@pytest.mark.parametrize("decisions", SOME_TIME)
def test_o_16_the_picture_shows_everybody_the_same(decisions: int) -> None:
    g = some_way_in(3, decisions)
    public = RULES.picture(RULES.view(g, None))
    assert public is not None
    for seat in NAMES:
        assert RULES.picture(RULES.view(g, seat)) == public


@pytest.mark.parametrize("decisions", SOME_TIME)
def test_nothing_hangs_over_the_edge_of_the_picture(decisions: int) -> None:
    root = drawn(some_way_in(5, decisions))
    height = float(root.attrib["height"])
    for shape in root:
        for x, y in points(shape):
            assert 0 <= x <= WIDTH
            assert 0 <= y <= height


@pytest.mark.parametrize("decisions", SOME_TIME)
def test_no_words_of_the_picture_lie_on_others(decisions: int) -> None:
    assert laid_on_one_another(drawn(some_way_in(5, decisions))) == []


def test_no_words_are_too_small_for_a_mail() -> None:
    """At 600 points wide, as mails show it, the words of the board are 11 points high."""
    root = drawn(some_way_in(3, 180))
    sizes = [float(shape.attrib["font-size"]) for shape in root if len(shape.text or "") > 2]
    assert min(sizes) * 600 / WIDTH > 11


@pytest.mark.parametrize("decisions", SOME_TIME)
def test_the_picture_says_nothing_by_colour_alone(decisions: int) -> None:
    """Every sign in a suit's or a player's colour bears a letter or a number, and these differ."""
    shapes = list(drawn(some_way_in(7, decisions)))
    marked = 0
    for sign, mark in pairwise(shapes):
        if sign.attrib.get("fill") in COLOURS and not sign.tag.endswith(("rect", "text")):
            assert re.fullmatch(r"[A-Z][a-z]?|\d+", mark.text or "")
            marked += 1
    assert marked > 10
    assert len({suit[0] for suit in SUIT}) == len(SUIT)


def test_the_picture_of_a_full_table_is_small_enough_for_a_mail() -> None:
    view = RULES.view(some_way_in(3, 300), None)
    data = png(RULES.picture(view) or "")
    assert data.startswith(b"\x89PNG")
    assert len(data) < 200_000


def test_o_16_3_a_facedown_adviser_is_drawn_by_its_back() -> None:
    g = arranged(**{"Ben.advisers": ["Elders face down", "Vision of Faith face down"], "cradle 1.cards": []})
    words = written(drawn(g, "Ben"))
    assert "a denizen, face down" in words
    assert "a Vision, face down" in words
    assert not {"Elders", "Vision of Faith"} & set(words)


def test_the_picture_shows_sites_rulers_cards_and_room() -> None:
    g = arranged(
        **{
            "cradle 1.site": "Plains",
            "cradle 1.cards": ["Longbows"],
            "cradle 1.ruler": "Ben 3",
            "cradle 2.site": "Wastes",
        }
    )
    words = written(drawn(g))
    plains = words[words.index("Plains") : words.index("site 2, face down")]
    assert plains[:6] == ["Plains", "3", "Ben", "O", "Longbows", "free"]
    assert "Wastes" not in words


def test_the_picture_names_the_banners_with_what_lies_on_them() -> None:
    g = arranged(**{"people's favor.tokens": 4, "people's favor.holder": "Ben", "people's favor.mob": True})
    words = written(drawn(g))
    at = words.index("The People's Favor, Mob side up")
    assert words[at + 1] == "4"
    assert "The Darkest Secret" in words


# the words


@pytest.mark.parametrize("decisions", SOME_TIME)
@pytest.mark.parametrize("seat", ["Carla", None])
def test_the_board_of_six_reads_well_at_any_time(decisions: int, seat: str | None) -> None:
    g = some_way_in(11, decisions)
    text = said(g, seat)
    assert max(len(line) for line in text.splitlines()) <= 72
    assert not re.search(r"sealed|\b1 (warbands|secrets|relics)|of 1 cards|_", text)
    page = said(g, seat, "html")
    ElementTree.fromstring(f"<body>{page.replace('<br>', '<br/>')}</body>")


def test_room_at_a_site_is_said_in_words() -> None:
    g = arranged(
        **{
            "cradle 1.site": "Plains",
            "cradle 1.cards": ["Longbows"],
            "cradle 2.site": "Drowned City",
            "cradle 2.faceup": True,
            "cradle 2.cards": [],
        }
    )
    text = said(g, None)
    assert "1 of 3 cards: Longbows (Order)" in text
    assert "no room for cards" in text


# what the reader remembers (O-16)


def test_o_16_seen_things_are_on_their_readers_page_alone() -> None:
    g = some_way_in(3, 60)
    g.piles["hinterland"] = [
        PileCard(Sealed("wolves", ()), False),
        PileCard(Sealed("elders", ("Ben",)), False),
    ]
    g.players[2].advisers = [Adviser(Sealed("longbows", ("Carla", "Ben")), False)]
    g.reliquary = [Sealed("cup_of_plenty", ("Ben",)), *g.reliquary[1:]]
    lines = (
        "Carla has Longbows face down.",
        "In the Reliquary, Brutal is covered by Cup of Plenty.",
        "In the discard pile of the Hinterland, counted from the top, card 1 is Elders.",
    )
    page = flat(said(g, "Ben"))
    for line in lines:
        assert line in page
        assert line in flat(said(g, "Ben", "html"))
        for reader in ("Ana", None):
            assert line not in flat(said(g, reader))
