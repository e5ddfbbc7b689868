"""docs/oath-hooks.md against the code: every name leads somewhere, nothing in the code is without a name."""

from __future__ import annotations

import ast
import importlib
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem.engine.oath import battle_queries, events, queries, rolling
from pbem.engine.oath.events import Event
from pbem.engine.oath.hooks import MOMENTS, Power
from pbem.engine.oath.powers import POWERS
from pbem.engine.oath.printed import DENIZENS
from pbem.engine.oath.queries import May, Number, Query
from pbem.engine.oath.rules import WITH_POWERS
from pbem.engine.oath.ruling import Lying
from pbem.engine.oath.state import Oath

assert WITH_POWERS
ROOT = Path(__file__).resolve().parents[2]
OATH = ROOT / "engine" / "oath"
ROW = re.compile(r"^\| `([\w.]+)` \| .+? \| (`.+?`) \| (.+?) \|$", re.M)
CLASSES = {
    "Power": "hooks",
    "Action": "actions.action",
    "Search": "actions.action",
    "Trade": "actions.action",
    "Battle": "battle",
    "Oath": "state",
    "World": "state",
}
"""Classes of which the page names a part, and where they are."""
OF_KIND = {
    "battle_plan": ("Power.plan", "Power.may_plan"),
    "modifier": ("Power.declare", "Power.may_declare"),
}
"""Moments that belong to a kind of card, whatever else it needs."""
BY_NAME = {printed.name: id for id, printed in DENIZENS.items()}
PAGE = (ROOT / "docs" / "oath-hooks.md").read_text(encoding="utf-8")


def names() -> dict[str, tuple[tuple[str, ...], tuple[str, ...]]]:
    """Each name with where it leads, and the ids of the denizens that need it."""
    found = {}
    for name, where, cards in ROW.findall(PAGE):
        assert name not in found, name
        found[name] = tuple(re.findall(r"`(.+?)`", where)), tuple(cards.split(", "))
    return found


NAMES = names()
DENIZENS_OF = {
    name: tuple(BY_NAME[card] for card in cards if card in BY_NAME) for name, (_, cards) in NAMES.items()
}
PLACES = tuple(dict.fromkeys(place for where, _ in NAMES.values() for place in where))


def parts(module: str, name: str) -> list[str]:
    """What a class has: its own attributes, and those that its `__init__` sets."""
    kind = getattr(importlib.import_module(f"pbem.engine.oath.{module}"), name)
    own = [n for cls in kind.__mro__ for n in (*vars(cls), *getattr(cls, "__annotations__", {}))]
    tree = ast.parse((OATH / f"{module.replace('.', '/')}.py").read_text(encoding="utf-8"))
    node = next(n for n in tree.body if isinstance(n, ast.ClassDef) and n.name == name)
    set_ = [n.attr for n in ast.walk(node) if isinstance(n, ast.Attribute) and isinstance(n.ctx, ast.Store)]
    return own + set_


def subclasses(kind: type[Query] | type[Event], *modules: object) -> list[str]:
    """The queries or events that modules define."""
    return [
        f"{module.__name__.rpartition('.')[2]}.{name}"  # type: ignore[attr-defined]
        for module in modules
        for name, value in vars(module).items()
        if isinstance(value, type)
        and issubclass(value, kind)
        and value not in (kind, May, Number)
        and value.__module__ == module.__name__  # type: ignore[attr-defined]
    ]


QUERIES = subclasses(Query, queries, battle_queries)
EVENTS = subclasses(Event, events, rolling)


# the page


@pytest.mark.parametrize("place", PLACES)
def test_each_place_that_is_named_is_there(place: str) -> None:
    module, _, name = place.rpartition(".")
    if module in CLASSES:
        assert name in parts(CLASSES[module], module)
    else:
        assert hasattr(importlib.import_module(f"pbem.engine.oath.{module}"), name)


def test_every_denizen_has_a_name_of_each_of_its_kinds() -> None:
    of_kind = {
        "action": ["action.use"],
        "when_played": ["play.when_played"],
        "rest": ["rest.power"],
        "battle_plan": [n for n in NAMES if n.startswith(("plan.", "dice.", "campaign.", "warband.kill_"))],
    }
    for card in DENIZENS.values():
        own = [name for name, ids in DENIZENS_OF.items() if card.id in ids]
        assert own, card.name
        for kind in card.kinds:
            assert not of_kind.get(kind) or any(name in of_kind[kind] for name in own), (card.name, kind)


def test_every_card_on_the_page_is_a_card() -> None:
    printed = ROOT / "engine" / "oath" / "data"
    known = "\n".join(path.read_text(encoding="utf-8") for path in sorted(printed.glob("*.toml")))
    for name, (_, cards) in NAMES.items():
        for card in cards:
            assert f'"{card}"' in known, (name, card)


# nothing without a name


def test_the_list_is_closed_and_short() -> None:
    assert len(MOMENTS) <= 24
    assert [m for m in MOMENTS if f"Power.{m}" not in PLACES] == []


@pytest.mark.parametrize("place", [*QUERIES, *EVENTS])
def test_no_question_and_no_event_lacks_a_name(place: str) -> None:
    assert place in PLACES


def calls() -> Iterator[str]:
    """The names of all that is called in the game's code."""
    for path in sorted(OATH.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                yield node.func.id


def test_every_question_is_asked_and_every_event_told() -> None:
    called = dict.fromkeys(calls())
    assert [place for place in (*QUERIES, *EVENTS) if place.rpartition(".")[2] not in called] == []


# the cards that are written


def uses(power: Power) -> list[str]:
    """What a card does to be heard, as the page calls it."""
    found = [f"Power.{m}" for m in MOMENTS if getattr(type(power), m) is not getattr(Power, m)]
    found += [
        f"{kind.__module__.rpartition('.')[2]}.{kind.__name__}" for kind in (*power.ANSWERS, *power.REACTS_TO)
    ]
    return [place for place in found if place not in ("Power.modify", "Power.after")]


@pytest.mark.parametrize("id", [id for id in DENIZENS if id in POWERS])
def test_a_written_denizen_uses_what_the_page_says(id: str) -> None:
    allowed = [place for name, (where, _) in NAMES.items() if id in DENIZENS_OF[name] for place in where]
    allowed += [place for kind in DENIZENS[id].kinds for place in OF_KIND.get(kind, ())]
    assert [place for place in uses(POWERS[id]) if place not in allowed] == []


# what the list refuses


def test_a_method_that_is_no_moment_is_an_error() -> None:
    with pytest.raises(TypeError, match="no such moment: atack"):
        type("Misspelt", (Power,), {"atack": lambda self: None})


def test_answers_and_their_method_belong_together() -> None:
    def modify(self: Power, g: Oath, me: Lying, query: Query) -> None:
        """It changes nothing."""

    async def after(self: Power, g: Oath, me: Lying, event: Event) -> None:
        """It answers nothing."""

    for wrong in ({"modify": modify}, {"ANSWERS": (Query,)}, {"after": after}, {"REACTS_TO": (Event,)}):
        with pytest.raises(TypeError, match="belong together"):
            type("Half", (Power,), wrong)


def test_a_card_holds_no_state() -> None:
    with pytest.raises(TypeError, match="holds no state"):
        POWERS["elders"].seen = 1
