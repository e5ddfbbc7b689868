"""The program put together: one store, the games in it, and everything that acts on them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from .automatics import Automatics
from .campaigns import Campaign, Campaigns, Sequel
from .config import Config
from .engine.core.ruleset import Ruleset
from .engine.core.text import Text
from .engine.games import GAMES
from .intake import Intake
from .joining import Invitation, Joining
from .moderation import Chair, Moderation, Ruling
from .moves import Moves
from .people import People
from .ports import Clock, Fetched, SystemClock
from .reach import Reach
from .store.db import Store
from .store.games import Game, Games
from .store.inbox import Filed
from .ticks import Ticks
from .watch import Watch
from .writing import Cause, Writer


class App:
    """What the program does, without mailbox, post or timers: the runner, the command line and tests share it."""

    def __init__(
        self,
        config: Config,
        store: Store,
        clock: Clock | None = None,
        rulesets: Mapping[str, Ruleset[Any]] = GAMES,
    ) -> None:
        self.config = config
        self.store = store
        self.clock = clock or SystemClock()
        self.games = Games(store, rulesets)
        self.people = People(store)
        self.writer = Writer(store, self.games, self.people, config)
        self.outbox = self.writer.outbox
        self.moves = Moves(self.games, self.writer)
        self.joining = Joining(self.games, self.people, self.writer, self.moves, config)
        self.campaigns = Campaigns(store, self.games, self.people, self.joining, config)
        self.reach = Reach(store, self.games, self.people, self.writer, config)
        self.watch = Watch(store, self.games, self.writer, self.clock)
        self.ticks = Ticks(
            *(store, self.games, self.people, self.writer, self.moves, self.joining),
            *(self.watch, self.clock),
        )
        self.intake = Intake(
            *(store, self.games, self.people, self.writer, self.moves, self.joining, self.campaigns),
            *(self.reach, self.ticks, config, self.clock),
        )
        self.moderation: Moderation = self.intake.moderation
        self.automatics = Automatics(
            self.games,
            self.writer,
            self.moves,
            self.intake.play,
            self.moderation,
            self.clock,
        )

    def take(self, fetched: Fetched) -> Filed | None:
        """One mail from claim to letters, and what goes on by itself after it; None if it was done already."""
        claimed = self.intake.take(fetched)
        if claimed is None:
            return None
        filed = self.intake.apply(claimed)
        if filed.game is not None:
            self.automatics.go_on(filed.game)
        return filed

    def recover(self) -> int:
        """Finish the mails that a process before this one had claimed; gives how many."""
        left = self.intake.left_over()
        for claimed in left:
            filed = self.intake.apply(claimed)
            if filed.game is not None:
                self.automatics.go_on(filed.game)
        for game in self.games.every():
            self.automatics.go_on(game.id)
        return len(left)

    def new(self, invitation: Invitation) -> Game:
        """Start a game and invite everybody; raises `BadGame`."""
        with self.store.tx():
            game = self.joining.new(invitation, self.clock.now())
        self.automatics.go_on(game.id)
        return self.games.get(game.id)

    def next(self, campaign: Campaign, sequel: Sequel) -> Game:
        """Call a campaign's next game and invite to it; raises `BadGame`."""
        with self.store.tx():
            game = self.campaigns.next(campaign, sequel, self.clock.now())
        self.automatics.go_on(game.id)
        return self.games.get(game.id)

    def unsealed(self, game: Game) -> None:
        """The host has looked behind the seals: an entry in the log, which the table is told (D-41)."""
        now = self.clock.now()
        with self.store.tx():
            log = self.games.write_log(game.id, "unseal", "the host", {}, now)
            what = (
                Text("The host has exported what this game began with, and can know the order of its decks."),
            )
            self.writer.table_notice(game, Text("Your host has opened a seal"), what, Cause(f"u{log}"), now)

    def moderate(self, game: Game, line: str) -> Ruling:
        """A line of the host, as `pbem mod` gives it."""
        now = self.clock.now()
        with self.store.tx():
            cause = Cause(f"h{game.id}.{game.revision}.{int(now.timestamp() * 1000)}")
            ruling = self.moderation.rule(game, Chair("the host", None), line, cause, now)
        self.automatics.go_on(game.id)
        return ruling

    def tick(self) -> None:
        """Do what is due, and what follows by itself."""
        moved = self.ticks.tick()
        for game in dict.fromkeys([*moved, *self.games.with_robots()]):
            self.automatics.go_on(game)

    def close(self) -> None:
        """Let go of the store."""
        self.store.close()


def open_app(config: Config, clock: Clock | None = None) -> App:
    """The program on the configured store; raises `Damaged`, `Unavailable`."""
    return App(config, Store(Path(config.store.path)), clock)
