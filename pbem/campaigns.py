"""Games that follow one another: what each leaves to the next, who comes along, and what is remembered."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from .config import Config, Table
from .engine.core.ruleset import Ruleset
from .engine.core.text import Text
from .joining import BadGame, Invitation, Joining
from .mail.headers import same_form
from .people import People
from .store.db import Store, stamp
from .store.games import Game, Games, Unknown, pack, unpack


@dataclass(frozen=True, slots=True)
class Campaign:
    """A campaign's row."""

    id: int
    title: str
    ruleset: str


@dataclass(frozen=True, slots=True)
class Chapter:
    """One game of a campaign, for its page."""

    game: Game
    n: int
    winners: tuple[str, ...]
    told: tuple[Text, ...]
    began: str
    ended: str
    """Days; empty while it is not over."""


@dataclass(frozen=True, slots=True)
class Reign:
    """Games in a row that the same people have won."""

    winners: tuple[str, ...]
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class Sequel:
    """What a campaign's next game is to have that its last one had not; what is None stays."""

    people: Sequence[str] | None = None
    """Names of the last game's seats, `Dora <dora@example.org>`, or `robot Carla`, in seat order."""
    moderators: Sequence[str] | None = None
    observers: Sequence[str] | None = None
    options: Mapping[str, str] = field(default_factory=dict)
    """Choices that change; the others stay."""
    table: Table | None = None
    title: str | None = None
    shared: bool = False


class Campaigns:
    """The campaigns of one store."""

    def __init__(self, store: Store, games: Games, people: People, joining: Joining, config: Config) -> None:
        self.store = store
        self.games = games
        self.people = people
        self.joining = joining
        self.config = config

    # finding

    def every(self) -> list[Campaign]:
        """All campaigns, oldest first."""
        return [_campaign(r) for r in self.store.all("select * from campaign order by id")]

    def get(self, campaign: int) -> Campaign:
        """A campaign by its number; raises `Unknown`."""
        row = self.store.one("select * from campaign where id = ?", campaign)
        if row is None:
            raise Unknown(f"there is no campaign {campaign}")
        return _campaign(row)

    def titled(self, title: str) -> Campaign | None:
        """The campaign of just this title, once it is more than one game that is not over."""
        row = self.store.one(
            "select * from campaign c where title = ? and exists (select 1 from legacy where campaign = c.id)",
            title,
        )
        return None if row is None else _campaign(row)

    def find(self, name: str) -> Campaign:
        """A campaign by its title, or by the title or number of one of its games; raises `Unknown`."""
        row = self.store.one(
            "select c.* from campaign c where c.title = ?1 or c.id ="
            " (select campaign from game where title = ?1 or cast(id as text) = ?1) order by c.title = ?1 desc",
            name,
        )
        if row is not None:
            return _campaign(row)
        titles = [c.title for c in self.every()]
        there = f"there are: {', '.join(titles)}" if titles else "there are none yet"
        raise Unknown(f"there is no campaign “{name}”; {there}")

    def of(self, campaign: Campaign) -> list[Game]:
        """Its games, oldest first, those that were called off left out."""
        rows = self.store.all(
            "select id from game where campaign = ? and state <> 'cancelled' order by id", campaign.id
        )
        return [self.games.get(r["id"]) for r in rows]

    def followed(self, game: Game) -> bool:
        """Whether a game has been called that begins with what this one has left."""
        row = self.store.one(
            "select 1 from legacy l join game g on g.legacy = l.id where l.game = ? and g.state <> 'cancelled'",
            game.id,
        )
        return row is not None

    # keeping

    def legacy(self, campaign: Campaign) -> tuple[int, Any] | None:
        """What the next game begins with, and its row; None before the first game has ended."""
        row = self.store.one(
            "select id, content from legacy where campaign = ? and void is null order by id desc limit 1",
            campaign.id,
        )
        return None if row is None else (row["id"], unpack(row["content"]))

    def bring(self, rules: Ruleset[Any], title: str, legacy: Any, now: datetime) -> Campaign:
        """A campaign that was begun elsewhere; the caller is inside `tx`. Raises `BadGame`."""
        self.joining.check_title(title)
        found = self.get(self.joining.campaign(rules, title, now))
        self.store.run(
            "insert into legacy (campaign, at, content) values (?, ?, ?)", found.id, stamp(now), pack(legacy)
        )
        return found

    # going on

    def next(self, campaign: Campaign, sequel: Sequel, now: datetime) -> Game:
        """Invite to the next game, with the same people unless told otherwise; the caller is inside `tx`.

        Raises `BadGame`.
        """
        before = self.of(campaign)
        left = self.legacy(campaign)
        going_on = next((g for g in before if g.state in ("inviting", "playing")), None)
        if going_on is not None:
            raise BadGame(
                f"“{going_on.title}” is not over; the next game of “{campaign.title}” begins with what it leaves"
            )
        if left is None:
            raise BadGame(f"no game of “{campaign.title}” has ended yet, so there is nothing to go on with")
        last = before[-1] if before else None
        rules = self.games.rulesets[campaign.ruleset]
        seats, robots = self._seats(rules, last, sequel.people)
        return self.joining.new(
            Invitation(
                rules,
                sequel.title or self._free_title(campaign, len(before)),
                seats,
                self._roles(last, "moderator") if sequel.moderators is None else sequel.moderators,
                self._roles(last, "observer") if sequel.observers is None else sequel.observers,
                robots,
                {**(last.options if last else {}), **sequel.options},
                last.data if last else None,
                sequel.table or (last.table if last else self.config.table),
                sequel.shared or self._shares_mailboxes(last),
                campaign=campaign.id,
                legacy=left[0],
            ),
            now,
        )

    def _seats(
        self, rules: Ruleset[Any], last: Game | None, people: Sequence[str] | None
    ) -> tuple[list[str], dict[str, str]]:
        """Who sits there: people as `Ana <ana@example.org>`, and robots by seat; raises `BadGame`."""
        if last is None and not people:
            raise BadGame(
                "nobody has played it here yet; say who does, with --seats 'Ana <ana@example.org>, …'"
            )
        had = {s.name.casefold(): s for s in self.games.seats(last.id)} if last else {}
        seats, robots = [], {}
        for text in people if people is not None else [s.name for s in had.values()]:
            name = text.strip()
            seat = had.get(name.casefold())
            if name.casefold().startswith("robot "):
                robots[name[6:].strip()] = next(iter(rules.robots))
            elif seat is not None and seat.robot is not None:
                robots[seat.name] = seat.robot
            elif seat is not None and seat.person is not None:
                seats.append(self._written(seat.person))
            elif "@" in name:
                seats.append(name)
            else:
                raise BadGame(
                    f"“{name}” has no seat in the last game; write a newcomer with an address:"
                    f" {name} <{name.lower() or 'name'}@example.org>"
                )
        return seats, robots

    def _written(self, person: int) -> str:
        found = self.people.get(person)
        return f"{found.name} <{found.address}>"

    def _roles(self, last: Game | None, role: str) -> list[str]:
        return [self._written(r.person) for r in self.people.roles(last.id, role)] if last else []

    def _shares_mailboxes(self, last: Game | None) -> bool:
        persons = [s.person for s in self.games.seats(last.id) if s.person] if last else []
        forms = [same_form(self.people.get(person).address) for person in persons]
        return len(set(forms)) < len(forms)

    def _free_title(self, campaign: Campaign, before: int) -> str:
        if not before and not self.store.one("select 1 from game where title = ?", campaign.title):
            return campaign.title
        n = before + 1
        while self.store.one("select 1 from game where title = ?", f"{campaign.title}, game {n}"):
            n += 1
        return f"{campaign.title}, game {n}"

    # remembering

    def chapters(self, campaign: Campaign) -> list[Chapter]:
        """Its games with their ends, oldest first."""
        return [self._chapter(game, n) for n, game in enumerate(self.of(campaign), 1)]

    def _chapter(self, game: Game, n: int) -> Chapter:
        row = self.store.one("select started, ended from game where id = ?", game.id)
        assert row is not None
        began, ended = ((row[key] or "")[:10] for key in ("started", "ended"))
        if game.state != "over":
            return Chapter(game, n, (), (), began, ended)
        g = self.games.table(game).g
        outcome = game.rules.outcome(g)
        winners = tuple(r.seat for r in outcome.ranking if r.place == 1) if outcome else ()
        return Chapter(game, n, winners, game.rules.annals(g), began, ended)


def reigns(chapters: Sequence[Chapter]) -> list[Reign]:
    """Who has won how many games in a row; games that are not over do not count."""
    found: list[Reign] = []
    for chapter in chapters:
        if not chapter.winners:
            continue
        if found and found[-1].winners == chapter.winners:
            found[-1] = Reign(chapter.winners, found[-1].first, chapter.n)
        else:
            found.append(Reign(chapter.winners, chapter.n, chapter.n))
    return found


def _campaign(row: Any) -> Campaign:
    return Campaign(row["id"], row["title"], row["ruleset"])
