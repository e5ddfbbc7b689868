"""What earlier versions have played, the present one plays just so; and what is planted, is seen."""

from __future__ import annotations

import tomllib
from pathlib import Path

import msgspec
import pytest

from pbem.engine.core.table import Misfit, Table
from pbem.engine.games import GAMES

from ..core.minigame import RULES
from ..core.versions import Version, WithCastles
from .make import Recipe, make, record
from .recorded import Recorded, differences, read, write

HERE = Path(__file__).parent
FILES = sorted(HERE.glob("*/*.jsonl.xz"))
ACKNOWLEDGED = tomllib.loads((HERE / "acknowledged.toml").read_text(encoding="utf-8"))


@pytest.mark.parametrize("path", FILES, ids=lambda p: f"{p.parent.name}/{p.name}")
def test_recorded_games_go_on_as_they_were_played(path: Path) -> None:
    recorded = read(path)
    rules = GAMES[recorded.head.rules]
    assert list(differences(rules, recorded, ACKNOWLEDGED[rules.name])) == []


@pytest.mark.parametrize(
    "path", [p for p in FILES if "-after-" in p.name], ids=lambda p: f"{p.parent.name}/{p.name}"
)
def test_recorded_actions_go_on_from_their_middle(path: Path) -> None:
    """A store keeps the checkpoint and the tape; that is enough to go on."""
    recorded = read(path)
    rules, last = GAMES[recorded.head.rules], recorded.steps[-1]
    if last.ruling < ACKNOWLEDGED[rules.name]:
        pytest.skip("it began under a ruling whose branch is gone")
    table = Table(rules, rules.load(last.checkpoint), step=last.n).replay(last.tape)
    assert {seat: ask.key for seat, ask in table.open.items()} == recorded.head.open
    assert last.tape
    for ask in table.open.values():
        assert ask.menu.open()


@pytest.mark.parametrize("name", GAMES)
def test_every_game_is_recorded_to_its_end_and_from_the_middle(name: str) -> None:
    heads = [read(path).head for path in FILES if path.name.startswith(f"{name}-")]
    assert {len(h.seats) for h in heads if h.ranking} >= set(GAMES[name].seats) & {2, 4}
    assert {len(h.seats) for h in heads if h.open} >= set(GAMES[name].seats) & {2, 4}
    assert any(h.legacy for h in heads) == GAMES[name].campaigns


def test_acknowledged_rulings_exist() -> None:
    assert set(ACKNOWLEDGED) == set(GAMES)
    for name, rules in GAMES.items():
        assert 0 <= ACKNOWLEDGED[name] <= rules.ruling


# the recorder and the comparison themselves, with the sample game


@pytest.fixture
def recorded(tmp_path: Path) -> Recorded:
    """A finished game of Seven Sites, through a file."""
    write(record(RULES, Recipe("sites", 3, 1)), tmp_path / "game.jsonl.xz")
    return read(tmp_path / "game.jsonl.xz")


def test_the_same_rules_make_no_difference(recorded: Recorded) -> None:
    assert len(recorded.steps) > 20
    assert sum(len(step.tape) for step in recorded.steps) > 30
    assert sum(len(step.told) for step in recorded.steps) > 5
    assert list(differences(RULES, recorded)) == []


def test_a_game_that_is_over_too_soon_is_not_recorded_as_one_under_way() -> None:
    with pytest.raises(ValueError, match="no game stops"):
        record(RULES, Recipe("sites", 2, 1, until=10_000))


def test_a_file_is_never_replaced(tmp_path: Path, recorded: Recorded) -> None:
    with pytest.raises(FileExistsError):
        write(recorded, tmp_path / "game.jsonl.xz")
    with pytest.raises(FileExistsError):
        make(tmp_path)


@pytest.mark.parametrize(
    ("rules", "said"),
    [
        (Version(before="way"), "the tape does not fit"),
        (Version(song="dragons"), "something else is told"),
        (Version(after="and now"), "its answers no longer end it"),
        (WithCastles({}), "its checkpoint cannot be loaded: no way leads from schema 2 to 3"),
    ],
)
def test_other_rules_are_seen(recorded: Recorded, rules: Version, said: str) -> None:
    assert any(said in one for one in differences(rules, recorded))


def test_another_state_is_seen_and_so_is_an_altered_file(recorded: Recorded) -> None:
    steps = list(recorded.steps)
    checkpoint = {**steps[5].checkpoint, "round": steps[5].checkpoint["round"] + 1}
    steps[5] = msgspec.structs.replace(steps[5], checkpoint=checkpoint)
    found = list(differences(RULES, Recorded(recorded.head, steps)))
    assert "step 4: it leads to another state than the checkpoint of step 5" in found
    assert "step 5: the file was altered" in found


def test_another_end_is_seen(recorded: Recorded) -> None:
    head = msgspec.structs.replace(recorded.head, ranking=recorded.head.ranking[::-1])
    assert any("the ranking is" in one for one in differences(RULES, Recorded(head, recorded.steps)))
    head = msgspec.structs.replace(recorded.head, open={"Ana": "action"})
    assert any("asked is" in one for one in differences(RULES, Recorded(head, recorded.steps)))


def test_a_pinned_ruling_makes_no_difference_and_an_acknowledged_one_is_not_played(
    recorded: Recorded,
) -> None:
    assert list(differences(Version(before="way", since=4, ruling=4), recorded)) == []
    assert list(differences(Version(before="way", ruling=4), recorded, acknowledged=4)) == []


def test_a_newer_schema_is_lifted_and_leads_to_the_same(recorded: Recorded) -> None:
    lifts = {2: lambda saved: {**saved, "castles": []}}
    assert list(differences(WithCastles(lifts), recorded)) == []


def test_a_game_stops_in_the_middle_of_an_action() -> None:
    found = record(RULES, Recipe("sites", 3, 2, until=10))
    assert found.steps[-1].tape
    assert found.head.open
    with pytest.raises(Misfit):
        Table(RULES, RULES.load(found.steps[-2].checkpoint), step=found.steps[-2].n).replay(
            found.steps[-1].tape
        )
