"""Games on the command line: started, looked at, steered."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pbem.app import open_app
from pbem.config import load

Pbem = Any
PEOPLE = "Ana <ana@example.org>, Ben <ben@example.org>"


def test_a_game_is_started_and_listed(pbem: Pbem) -> None:
    said = pbem("new", "troyes", "--seats", PEOPLE, "--robot", "Carla", "--moderator", "Mo <mo@example.org>")
    assert said.status == 0
    assert "“Troyes 1” is game 1" in said.out
    assert "Ana, Ben" in said.out
    listed = pbem("games", "--json").json
    assert listed[0]["title"] == "Troyes 1"
    assert listed[0]["state"] == "inviting"
    assert listed[0]["missing"] == ["Ana", "Ben"]
    assert "Troyes 1" in pbem("games").out


def test_titles_count_up(pbem: Pbem) -> None:
    titles = [pbem("new", "troyes", "--seats", PEOPLE, "--json").json["title"] for _ in range(2)]
    assert titles == ["Troyes 1", "Troyes 2"]


def test_a_table_gets_its_times_and_its_default(pbem: Pbem) -> None:
    said = pbem(
        *("new", "troyes", "--seats", PEOPLE, "--deadline", "2 days 12 hours", "--reaction", "90 minutes"),
        *("--setup", "1w", "--grace", "0 hours", "--default", "robot"),
    )
    assert said.status == 0
    app = open_app(load(Path("config.toml")))
    table = app.games.get(1).table
    app.close()
    assert (table.turn_hours, table.reaction_hours, table.setup_hours, table.grace_hours) == (60, 1.5, 168, 0)
    assert table.default == "robot"


@pytest.mark.parametrize(
    ("words", "status", "hint"),
    [
        (("chess", "--seats", PEOPLE), 1, "there is: troyes, oath"),
        (("troyes", "--seats", "Ana"), 1, "write: Ana <ana@example.org>"),
        (("troyes", "--seats", "Ana <ana@example.org>"), 1, "2, 3 or 4 players"),
        (("troyes", "--seats", "Ana <a@example.org>, Ana <b@example.org>"), 1, "give each its own"),
        (("troyes", "--seats", PEOPLE, "--robot", "Carla=clever"), 1, "there is: random"),
        (("troyes", "--seats", PEOPLE, "--title", " "), 1, "--title"),
        (("troyes", "--seats", PEOPLE, "--option", "house=yes"), 1, "no option"),
        (("troyes", "--seats", PEOPLE, "--option", "house"), 2, "key=value"),
        (("troyes", "--seats", PEOPLE, "--deadline", "soon"), 2, "3 days"),
        (("troyes", "--seats", PEOPLE, "--deadline", "3 days ago"), 2, "3 days"),
        (("troyes", "--seats", PEOPLE, "--reaction", "0 hours"), 2, "no time at all"),
        (("troyes", "--seats", PEOPLE, "--deadline", "99999999 days"), 2, "it may be a year"),
        (("troyes", "--seats", PEOPLE, "--default", "lose"), 2, "harmless"),
        ((), 2, "RULESET"),
    ],
)
def test_a_game_that_cannot_be_is_refused_with_a_remedy(
    pbem: Pbem, words: tuple[str, ...], status: int, hint: str
) -> None:
    said = pbem("new", *words)
    assert said.status == status
    assert hint in " ".join(said.err.split()).replace(" │", "").replace("│ ", "")
    assert "Traceback" not in said.err
    assert pbem("games").out == "" or "no games" in pbem("games").out


def test_a_title_that_is_taken_is_refused(pbem: Pbem) -> None:
    first, second = (pbem("new", "troyes", "--seats", PEOPLE, "--title", "The Long Winter") for _ in range(2))
    assert (first.status, second.status) == (0, 1)
    assert "choose another title" in second.err


def test_an_owners_numbers_are_checked_and_kept(pbem: Pbem) -> None:
    Path("config.toml").write_text('[troyes]\ndata = "mine.toml"\n')
    assert "mine.toml: cannot be read" in pbem("new", "troyes", "--seats", PEOPLE).err
    Path("mine.toml").write_text("nonsense = 1\n")
    said = pbem("new", "troyes", "--seats", PEOPLE)
    assert said.status == 1
    assert "mine.toml" in said.err
    said = pbem("check-data", "troyes", "mine.toml")
    assert said.status == 1
    assert "nonsense" in said.out
    assert "1 thing is wrong" in said.err
    Path("mine.toml").write_text("")
    assert pbem("check-data", "troyes", "mine.toml").status == 0
    assert pbem("new", "troyes", "--seats", PEOPLE).status == 0


def test_a_game_is_shown_as_observers_see_it(pbem: Pbem) -> None:
    pbem("new", "troyes", "--seats", PEOPLE, "--moderator", "Mo <mo@example.org>", "--title", "Winter")
    assert "Not yet there: Ana and Ben" in pbem("show", "winter").out
    assert pbem("mod", "Winter", "robot", "ana").status == 0
    assert pbem("show", "1").status == 0


def begun(pbem: Pbem) -> None:
    """A game in which two people are asked."""
    assert pbem("new", "troyes", "--seats", PEOPLE, "--title", "Winter").status == 0
    app = open_app(load(Path("config.toml")))
    with app.store.tx():
        app.store.run("update seat set answered = 'joined'")
        from pbem.writing import Cause

        app.joining.begin_if_all_are_here(app.games.get(1), Cause("t"), app.clock.now())
    app.close()


def test_a_game_in_play_is_shown_without_secrets(pbem: Pbem) -> None:
    begun(pbem)
    said = pbem("show", "Winter")
    assert said.status == 0
    assert "is asked, since" in said.out
    assert "THE BOARD" in said.out
    assert "YOUR SECRETS" not in said.out
    described = pbem("show", "Winter", "--json").json
    assert described["state"] == "playing"
    assert described["asked"][0]["question"] == "place"
    assert "place" not in pbem("games").out
    assert described["asked"][0]["seat"] in pbem("games").out


def test_the_place_in_the_rules_is_shown_with_its_section(pbem: Pbem) -> None:
    begun(pbem)
    said = pbem("where", "Winter")
    assert said.status == 0
    assert "place_citizen:" in said.out
    assert "T-2" in said.out or "T-" in said.out
    frames = pbem("where", "Winter", "--json").json["frames"]
    assert set(frames[0]) == {"function", "line", "rule"}


def test_a_game_that_has_not_begun_is_nowhere(pbem: Pbem) -> None:
    pbem("new", "troyes", "--seats", PEOPLE)
    said = pbem("where", "1")
    assert said.status == 1
    assert "has not begun" in said.err


def test_the_host_moderates(pbem: Pbem) -> None:
    begun(pbem)
    said = pbem("mod", "Winter", "extend", "ben,", "by", "2", "days")
    assert said.status == 1
    asked = pbem("games", "--json").json[0]["asked"][0]
    said = pbem("mod", "Winter", f"extend {asked['seat']} by 2 days")
    assert said.status == 0
    assert "may now answer until" in said.out
    assert pbem("games", "--json").json[0]["asked"][0]["due"] > asked["due"]
    assert pbem("mod", "Winter", "pause").status == 0
    assert pbem("games", "--json").json[0]["state"] == "paused"
    assert pbem("where", "Winter").status == 0


def test_a_line_that_no_moderator_may_write_helps(pbem: Pbem) -> None:
    begun(pbem)
    said = pbem("mod", "Winter", "pausse")
    assert said.status == 1
    assert "You may write: pause" in said.err


def test_an_unknown_game_names_those_that_there_are(pbem: Pbem) -> None:
    pbem("new", "troyes", "--seats", PEOPLE, "--title", "Winter")
    for command in (("show", "Sommer"), ("where", "7"), ("mod", "Sommer", "pause"), ("export", "Sommer")):
        said = pbem(*command)
        assert said.status == 1
        assert "there are: Winter" in said.err


def test_a_finished_game_shows_who_won(finished: Pbem) -> None:
    said = finished("show", "Robots")
    assert "The game is over." in said.out
    assert "1. " in said.out
    assert "the game is over" in finished("where", "Robots").out
