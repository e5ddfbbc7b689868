"""Running games under another version of their rules: what is found, what is put in order, and who is told."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from pbem.acceptance import accept
from pbem.app import App
from pbem.digests import render
from pbem.engine.core.asks import Step
from pbem.engine.core.ruleset import BadSetup
from pbem.engine.core.text import Text
from pbem.rebuild import prove
from pbem.upgrade import Finding, NotInOrder, Verdict, examine, must_be_in_order, open_rulings
from pbem.writing import Cause

from ..core.minigame import RULES, Game, SevenSites
from ..core.versions import Auction, Hasty, Sang, Version, WithCastles
from .table import PbemTable

render.also_from(Path(__file__).parent.parent / "core" / "templates")


class NoMorePairs(SevenSites):
    """Seven Sites for three alone."""

    def setup(self, seats: Sequence[str], *more: Any, **named: Any) -> Game:
        if len(seats) == 2:
            raise BadSetup(Text("two may not play any more"))
        return super().setup(seats, *more, **named)


class Broken(SevenSites):
    """Seven Sites with a fault in its first line of play."""

    def step(self, g: Game) -> Step | None:
        raise KeyError(g.seats["Ana"].favor)


class Upgraded(PbemTable):
    """A table whose program is exchanged for another version while the game goes on."""

    def now_with(self, rules: SevenSites) -> None:
        self.app = App(self.config, self.app.store, self.clock, {"sites": rules})

    def found(self) -> Finding:
        (finding,) = examine(self.app.games)
        return finding

    def notices(self, person: str) -> list[str]:
        """What the new version wrote to somebody."""
        return [
            letter.flat.partition("Sites")[0].partition(" -- ")[0]
            for letter in self.letters(person, "notice")
            if "A new version of the program" in letter.subject
        ]

    def proved(self) -> bool:
        """Whether the newest step follows from what is stored."""
        newest = self.app.store.one("select max(n) from step where void is null")
        assert newest is not None
        return not [f for f in prove(self.app.games, self.game()).faults if f.step >= newest[0]]


@pytest.fixture
def sites(tmp_path: Path) -> Iterator[Upgraded]:
    """Nobody has done anything yet; it is Ana's turn."""
    table = Upgraded(tmp_path, {"sites": RULES})
    table.sound = False  # steps that an older version has played need not follow under a newer one
    yield table
    table.close()


def begun(table: Upgraded, rules: SevenSites = RULES) -> None:
    table.now_with(rules)
    table.rulesets = {"sites": rules}
    observers = ["Olga <olga@example.org>"]
    table.begun("Ana", "Ben", moderators=["Mo"], observers=observers, seed=bytes(32))


def under_attack(table: Upgraded, rules: SevenSites = RULES) -> None:
    """Ana attacks Ben, who is asked for a plan; her rest waits."""
    begun(table, rules)
    table.writes("Ana", "rest")
    table.writes("Ben", "attack with 3\nrest")
    for who in ("Ana", "Ben"):
        table.writes(who, "bid 0")
        table.writes(who, "keep it")
    table.writes("Ana", "travel mine\nattack with 2\nrest")
    assert table.asked() == ["Ben"]


def comes_back(table: Upgraded, name: str) -> None:
    """Letters to somebody came back, and now they write."""
    app, now = table.app, table.clock.now()
    person = next(p.id for p in app.people.everybody() if p.name == name)
    with app.store.tx():
        app.people.reachable(person, False, now)
        app.reach.heard(app.people.get(person), Cause("back"), now)
    assert not app.people.get(person).unreachable


def test_the_same_rules_leave_everything_as_it_is(sites: Upgraded) -> None:
    under_attack(sites)
    before = list(sites.app.store.conn.iterdump())
    found = sites.found()
    assert (found.verdict, found.said, found.bars) == (Verdict.UNCHANGED, "unchanged", False)
    assert found.border is not None
    assert (found.border.ruling, found.border.schema) == (3, 2)
    assert accept(sites.app)[0].verdict is Verdict.UNCHANGED
    assert list(sites.app.store.conn.iterdump()) == before


def test_another_question_is_asked_and_those_concerned_are_told(sites: Upgraded) -> None:
    begun(sites)
    sites.clock.on(hours=20)
    sites.now_with(Version(before="way"))
    found = sites.found()
    assert found.verdict is Verdict.QUESTION
    assert found.said == "another question: open would be “way” to Ana, and “action” to Ana is stored as open"
    assert found.bars
    accept(sites.app)
    (question,) = sites.app.games.open_questions(1)
    assert (question.seat, question.key, question.opened) == ("Ana", "way", sites.clock.now())
    assert "onward" in sites.last("Ana", "digest").text
    assert "It asks something else than was asked before; asked is now Ana." in sites.notices("Ana")[0]
    assert sites.notices("Ben") == []
    assert len(sites.notices("Mo")) == 1
    assert sites.found().verdict is Verdict.UNCHANGED
    sites.writes("Ana", "onward")
    sites.writes("Ana", "travel mine")
    assert prove(sites.app.games, sites.game()).faults == []


def test_a_tape_that_does_not_fit_is_taken_back_to_what_does(sites: Upgraded) -> None:
    under_attack(sites)
    sites.now_with(Version(before="way"))
    found = sites.found()
    assert found.verdict is Verdict.REWOUND
    assert found.said == (
        "rewound: answer 9, of Ana to “action”, does not fit (open would be “way” to Ana); 1 answer is taken back"
    )
    accept(sites.app)
    game = sites.game()
    assert game.epoch == 0
    assert [e.key for _, e in sites.app.games.answers(1)][-1] == "action"
    assert len(sites.app.games.answers(1)) == 8
    log = sites.app.store.one("select id, kind, who from log order by id desc limit 1")
    assert log is not None
    assert (log["kind"], log["who"]) == ("upgrade", "the host")
    (voided,) = sites.app.store.all("select seat, key from answer where void = ?", log["id"])
    assert tuple(voided) == ("Ana", "action")
    assert sites.asked() == ["Ana"]
    for who in ("Ana", "Ben", "Mo", "Olga"):
        (told,) = sites.notices(who)
        assert "From there on 1 answer was taken back, given by Ana" in told
        assert "asked is now Ana" in told
        assert "rolled" not in told
    subjects = [letter.subject.partition("] ")[2] for letter in sites.letters("Ana")[-3:]]
    assert [s.split(",")[0] for s in subjects] == [
        "Your parked lines",
        "A new version of the program",
        "Your turn",
    ]
    assert "Your parked lines were dropped: rest." in sites.letters("Ana", "notice")[-2].flat
    assert sites.app.store.all("select * from parked") == []
    assert sites.found().verdict is Verdict.UNCHANGED
    assert sites.proved()


def test_dice_that_are_taken_back_fall_anew(sites: Upgraded) -> None:
    begun(sites, Version(weather="weather"))
    first = sites.app.games.facts(1)[-1]
    sites.now_with(Version(weather="storm"))
    found = sites.found()
    assert found.verdict is Verdict.REWOUND
    assert found.said == (
        "rewound: what was rolled for “weather” after answer 0 does not fit (“storm” would be rolled);"
        " that is void"
    )
    accept(sites.app)
    assert sites.game().epoch == 1
    again = sites.app.games.facts(1)[-1]
    assert again.id > first.id
    assert isinstance(again.fact, Sang)
    assert "What was rolled, shuffled or shown since then is void" in sites.notices("Ben")[0]
    assert len(sites.letters("Ana", "digest")) == 2
    assert "The bard sings of weather" in sites.last("Ana", "digest").flat
    assert sites.found().verdict is Verdict.UNCHANGED
    assert sites.proved()


def test_what_was_told_and_is_told_otherwise_is_corrected(sites: Upgraded) -> None:
    begun(sites, Version(song="dragons"))
    sites.now_with(Version(song="doves"))
    found = sites.found()
    assert found.verdict is Verdict.FACTS
    assert found.said == "1 fact told in this action would be told otherwise"
    accept(sites.app)
    for who in ("Ana", "Ben", "Mo", "Olga"):
        (told,) = sites.notices(who)
        assert "You were told: The bard sings of dragons." in told
        assert "It is now: The bard sings of doves." in told
        assert "asked" not in told
    assert len(sites.letters("Ana", "digest")) == 1
    assert sites.found().verdict is Verdict.UNCHANGED
    assert sites.proved()


def test_only_who_was_told_it_hears_that_it_was_wrong(sites: Upgraded) -> None:
    begun(sites, Version(song="gold in the marsh", to="Ana"))
    sites.now_with(Version(song="gold in the tower", to="Ana"))
    assert "marsh" not in sites.found().said
    accept(sites.app)
    assert len(sites.notices("Ana")) == 1
    assert "gold in the tower" in sites.notices("Ana")[0]
    assert sites.notices("Ben") == sites.notices("Mo") == sites.notices("Olga") == []


def test_a_corrected_fact_goes_with_the_answer_that_it_came_of(sites: Upgraded) -> None:
    under_attack(sites, Version(song="dragons"))
    sites.now_with(Version(song="doves"))
    accept(sites.app)
    sites.writes("Ben", "done")
    assert sites.app.moderate(sites.game(), "rewind to 9").good
    assert sites.app.moderate(sites.game(), "confirm").good
    assert sites.proved()


def test_a_taken_back_action_and_a_wrong_song_are_one_letter(sites: Upgraded) -> None:
    under_attack(sites, Version(song="dragons"))
    sites.now_with(Version(song="doves", before="way"))
    found = sites.found()
    assert found.verdict is Verdict.REWOUND
    assert found.said.endswith("; 1 fact told in this action would be told otherwise")
    accept(sites.app)
    (told,) = sites.notices("Ben")
    assert "does not fit the rules as it reads them" in told
    assert "doves" in told
    assert sites.proved()


def test_a_pinned_ruling_leaves_the_action_undisturbed(sites: Upgraded) -> None:
    under_attack(sites)
    sites.now_with(Version(before="way", since=4, ruling=4))
    found = sites.found()
    assert found.verdict is Verdict.UNCHANGED
    assert open_rulings([found]) == {"sites": {3: ["The Long Winter"]}}
    sites.writes("Ben", "done")
    assert sites.app.games.table(sites.game()).open["Ana"].key == "way"
    assert open_rulings([sites.found()]) == {}
    assert prove(sites.app.games, sites.game()).faults == []


def test_a_step_that_ends_where_it_did_not_is_followed_by_its_checkpoint(sites: Upgraded) -> None:
    begun(sites, Version(after="and now", song="dragons"))
    sites.writes("Ana", "travel mine")
    steps = len(sites.app.store.all("select id from step"))
    sites.now_with(Version(song="dragons"))
    found = sites.found()
    assert found.verdict is Verdict.QUESTION
    assert found.said.endswith("open would be “action” to Ana, and “and now” to Ana is stored as open")
    accept(sites.app)
    assert len(sites.app.store.all("select id from step")) == steps + 1
    assert sites.found().verdict is Verdict.UNCHANGED
    sites.writes("Ana", "undo")
    assert sites.proved()
    sites.writes("Ana", "travel tower")
    assert prove(sites.app.games, sites.game()).faults == []


def test_a_game_that_is_over_under_the_new_rules_ends_like_any_other(sites: Upgraded) -> None:
    begun(sites, Version(after="and now"))
    sites.writes("Ana", "travel mine")
    sites.now_with(Hasty())
    assert (
        sites.found().said
        == "another question: the game would be over, and “and now” to Ana is stored as open"
    )
    accept(sites.app)
    assert sites.game().state == "over"
    assert sites.app.games.open_questions(1) == []
    for who in ("Ana", "Ben"):
        assert len(sites.letters(who, "end")) == 1
        assert "By its reading of the rules the game is over." in sites.notices(who)[0]
    assert sites.proved()


def test_open_bids_that_do_not_fit_are_asked_anew_of_everybody(sites: Upgraded) -> None:
    begun(sites)
    for who in ("Ana", "Ben"):
        sites.writes(who, "rest")
    sites.writes("Ben", "bid 1")
    sites.writes("Ana", "bid 2")
    sites.now_with(Auction())
    found = sites.found()
    assert found.said == (
        "rewound: answer 3, of Ben to “bid”, does not fit (open would be “offer” to Ana, “offer” to Ben);"
        " 2 answers are taken back"
    )
    accept(sites.app)
    assert [q.key for q in sites.app.games.open_questions(1)] == ["offer", "offer"]
    for who in ("Ana", "Ben", "Olga"):
        assert "From there on 2 answers were taken back, given by Ben and Ana" in sites.notices(who)[0]
    assert sites.proved()


def test_an_older_schema_is_lifted_and_the_game_goes_on(sites: Upgraded) -> None:
    under_attack(sites)
    sites.now_with(WithCastles({2: lambda saved: {**saved, "castles": ["Tower"]}}))
    found = sites.found()
    assert found.verdict is Verdict.UNCHANGED
    assert found.border is not None
    assert found.border.schema == 2
    sites.writes("Ben", "done")
    g = sites.app.games.load(sites.game()).g
    assert g.castles == ["Tower"]
    border = sites.found().border
    assert border is not None
    assert border.schema == 3


@pytest.mark.parametrize(
    ("rules", "why"),
    [
        (WithCastles({}), "cannot be loaded: no way leads from schema 2 to 3"),
        (Broken(), "cannot be loaded: the rules cannot go on from here (KeyError)"),
    ],
)
def test_a_game_that_cannot_be_loaded_waits_and_its_table_is_told(
    sites: Upgraded, rules: SevenSites, why: str
) -> None:
    under_attack(sites)
    sites.now_with(rules)
    assert (sites.found().verdict, sites.found().said) == (Verdict.LOST, why)
    assert sites.found().bars
    accept(sites.app)
    assert sites.game().paused is not None
    for who in ("Ana", "Ben", "Mo"):
        assert "cannot go on with this game" in sites.last(who, "notice").flat
    assert not sites.found().bars
    letters = len(sites.app.store.all("select id from outbox"))
    accept(sites.app)
    sites.clock.on(days=2)
    sites.app.tick()
    comes_back(sites, "Ana")
    assert len(sites.app.store.all("select id from outbox")) == letters
    sites.now_with(RULES)
    assert sites.app.moderate(sites.game(), "resume").good
    sites.writes("Ben", "done")
    assert prove(sites.app.games, sites.game()).faults == []


def test_what_was_told_long_ago_must_be_readable_too(sites: Upgraded) -> None:
    begun(sites)
    with sites.app.store.tx():
        sites.app.store.run("update fact set kind = 'sites.Forgotten' where id = 1")
    assert sites.found().said == "cannot be loaded: something that was told earlier cannot be read any more"


def test_damaged_checkpoints_are_one_game_s_trouble(sites: Upgraded) -> None:
    begun(sites)
    sites.begun("Cora", "Dan", title="The Short Winter")
    with sites.app.store.tx():
        sites.app.store.run("update step set saved = x'00' where game = 1")
    assert [f.said for f in examine(sites.app.games)] == [
        "cannot be loaded: its newest checkpoint is damaged",
        "unchanged",
    ]
    accept(sites.app)
    assert [game.paused is None for game in sites.app.games.every()] == [False, True]
    with sites.app.store.tx():
        sites.app.store.run("update step set void = 1 where game = 1")
    assert examine(sites.app.games)[0].said == "cannot be loaded: it has no checkpoint"


def test_a_store_that_cannot_be_read_is_no_game_s_trouble(sites: Upgraded) -> None:
    begun(sites)
    with sites.app.store.tx():
        sites.app.store.run("alter table fact rename to fact_of_old")
    with pytest.raises(sqlite3.Error):
        examine(sites.app.games)
    with sites.app.store.tx():
        sites.app.store.run("alter table fact_of_old rename to fact")


def test_an_invitation_that_can_no_longer_begin(sites: Upgraded) -> None:
    sites.new("Ana", "Ben", moderators=["Mo"])
    assert sites.found().said == "unchanged; it has not begun"
    sites.now_with(NoMorePairs())
    found = sites.found()
    assert (found.verdict, found.said) == (Verdict.LOST, "cannot begin: two may not play any more")
    assert not found.bars
    accept(sites.app)
    assert "cannot go on with this game" in sites.notices("Mo")[0]
    assert sites.notices("Ana") == []


def test_only_another_version_is_looked_at_when_serving_begins(sites: Upgraded) -> None:
    under_attack(sites)
    sites.now_with(Version(before="way"))
    assert must_be_in_order(sites.app.games) == []
    with sites.app.store.tx():
        sites.app.store.run("update step set version = '0.0.1'")
    with pytest.raises(NotInOrder) as caught:
        must_be_in_order(sites.app.games)
    assert "“The Long Winter”" in str(caught.value)
    assert "pbem upgrade --accept" in str(caught.value)
    accept(sites.app)
    assert must_be_in_order(sites.app.games) == []
    sites.now_with(Broken())
    with pytest.raises(NotInOrder):
        must_be_in_order(sites.app.games)
    accept(sites.app)
    assert [f.verdict for f in must_be_in_order(sites.app.games)] == [Verdict.LOST]
