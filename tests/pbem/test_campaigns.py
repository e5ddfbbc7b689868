"""Campaigns: what a game leaves to the next one, who comes along, and what is remembered (O-18, D-38)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pbem.app import App
from pbem.campaigns import Sequel
from pbem.engine.games import GAMES
from pbem.joining import BadGame, Invitation
from pbem.looking import annals
from pbem.store.games import Game

from .table import PbemTable

OATH = GAMES["oath"]
PLAYED = {"Ana": "random", "Ben": "random"}


@pytest.fixture
def table(tmp_path: Path) -> Iterator[PbemTable]:
    table = PbemTable(tmp_path, {"oath": OATH})
    yield table
    table.close()


def played(table: PbemTable, **more: Any) -> Game:
    """A game that robots have played to its end, with a moderator who looks on."""
    asked: dict[str, Any] = {
        "moderators": ["Mo <mo@example.org>"],
        "robots": PLAYED,
        "seed": b"4" * 32,
        **more,
    }
    table.app.new(Invitation(OATH, "The Long Winter", [], **asked))
    finished(table.app)
    return table.app.games.every()[-1]


def finished(app: App) -> None:
    """Robots go on as long as they may without being called to a halt."""
    for _ in range(50):
        app.tick()
        if all(game.state != "playing" for game in app.games.every()):
            return


def test_a_game_leaves_its_chronicle_and_the_next_begins_with_it(table: PbemTable) -> None:
    game = played(table)
    assert game.state == "over"
    campaign = table.app.campaigns.find("The Long Winter")
    left = table.app.campaigns.legacy(campaign)
    assert left is not None
    assert left[1]["game"] == 2
    following = table.app.next(campaign, Sequel())
    finished(table.app)
    following = table.app.games.get(following.id)
    assert (following.title, following.state) == ("The Long Winter, game 2", "over")
    assert table.app.games.set_up(following).game == 1  # nothing is drawn before the first step
    g = table.app.games.table(following).g
    assert (g.game, g.oath, g.players[0].name) == (2, left[1]["oath"], left[1]["winner_name"])


def test_a_moderator_calls_the_next_game_by_mail_with_other_people(table: PbemTable) -> None:
    played(table)
    letter = table.last("Mo")
    assert letter.subject == "[Oath: The Long Winter] Shall there be a next game?"
    assert "next with Ana, Ben, Dora" in letter.flat
    table.writes("Mo", "next with Ana, Eva")
    assert "“Eva” has no seat in the last game" in table.last("Mo").flat
    table.writes("Mo", "next with Ana, Dora <dora@example.org>, robot Carl", letter)
    assert "These are invited to “The Long Winter, game 2”" in table.last("Mo", "receipt").flat
    assert table.last("Dora").kind == "invitation"
    table.writes("Dora", "join")
    following = table.app.games.find("The Long Winter, game 2")
    assert following.state == "playing"
    assert following.seats == ["Dora", "Ana", "Carl"]


def test_a_game_that_goes_on_has_no_successor_and_one_with_a_successor_stays_as_it_is(
    table: PbemTable,
) -> None:
    game = played(table)
    campaign = table.app.campaigns.find("1")
    table.app.next(campaign, Sequel(["Ana", "Ben", "Dora <dora@example.org>"]))
    with pytest.raises(BadGame, match=r"“The Long Winter, game 2” is not over"):
        table.app.next(campaign, Sequel())
    ruling = table.app.moderate(game, "rewind to 3")
    assert not ruling.good
    assert table.app.moderate(table.app.games.find("2"), "cancel game").good
    assert table.app.moderate(game, "rewind to 3").good


def test_a_rewound_end_leaves_nothing_until_the_game_has_ended_again(table: PbemTable) -> None:
    game = played(table)
    campaign = table.app.campaigns.find("The Long Winter")
    answers = len(table.app.games.answers(game.id))
    table.app.moderate(game, f"rewind to {answers - 2}")
    with table.app.store.tx():  # no robot goes on meanwhile
        table.app.store.run("update seat set robot = null where game = ?", game.id)
    table.app.moderate(game, "confirm")
    assert table.app.campaigns.legacy(campaign) is None
    with pytest.raises(BadGame, match="is not over"):
        table.app.next(campaign, Sequel())
    with table.app.store.tx():
        table.app.store.run("update seat set robot = 'random' where game = ?", game.id)
    finished(table.app)
    assert table.app.campaigns.legacy(campaign) is not None


def test_the_campaigns_page_tells_games_winners_oaths_and_reigns(table: PbemTable) -> None:
    played(table)
    campaign = table.app.campaigns.find("The Long Winter")
    for _ in range(2):
        table.app.next(campaign, Sequel())
        finished(table.app)
    page = annals(table.app, campaign)
    text = "\n".join(page)
    assert page[0] == "The Long Winter, a campaign of Oath"
    assert [line.split(",")[0].strip() for line in page if "has won in round" in line] == [
        f"Game {n}" for n in (1, 2, 3)
    ]
    assert text.count("Sworn next: Oath of") == 3
    assert " won game" in text
    assert page[-1] == "Next: `pbem next 'The Long Winter'` calls the next game."


def test_two_campaigns_have_two_titles(table: PbemTable) -> None:
    played(table)
    with pytest.raises(BadGame, match="choose another title"), table.app.store.tx():
        table.app.campaigns.bring(OATH, "the long winter", {}, table.clock.now())
