"""Random campaigns in random positions: nothing is lost or made, and every option reads back as itself."""

from __future__ import annotations

import random
from collections.abc import Coroutine
from typing import Any

import msgspec
import pytest

from pbem.engine.core.asks import Menu, choose
from pbem.engine.core.chance import Drawn
from pbem.engine.core.sealed import dump_sealed, load_sealed
from pbem.engine.core.table import Table
from pbem.engine.core.testing import random_answer, reads_back, survives_a_reload, undo_is_lawful
from pbem.engine.core.text import Text
from pbem.engine.oath import reliquary, sites
from pbem.engine.oath.battle import Battle
from pbem.engine.oath.campaign.offering import Start, offer_campaign
from pbem.engine.oath.hooks import Power
from pbem.engine.oath.powers import POWERS
from pbem.engine.oath.printed import SITES
from pbem.engine.oath.ruling import Lying
from pbem.engine.oath.state import Oath, Player

from .positions import BELA, CARA, OREN, YARA, Stage, count, favor, relics, warbands

assert sites
assert reliquary
PLANS = ("longbows", "mercenaries", "fire_talkers", "cracking_ground", "wrestlers", "rangers", "shield_wall")
RELICS = ("map", "bandit_crown", "ring_of_devotion", "obsidian_cage")
SPECIAL = ("plains", "mountain", "narrow_pass", "the_hidden_place", "shrouded_wood")


class Anything(Power):
    """A plan that does one thing or another, the same for the same pools."""

    async def plan(self, g: Oath, me: Lying, battle: Battle, user: Player | None) -> None:
        side = battle.side_of(user)
        match (battle.attack_dice + battle.defense_dice) % 5:
            case 0:
                battle.change_pool(side, 3)
            case 1:
                battle.loses(side, "all")
            case 2:
                battle.end_discards.append((me.id, user))
            case 3:
                battle.sacrifice_value += 1
            case _:
                battle.rolls_count += 1


def position(rng: random.Random) -> Stage:
    """Any position with three or four players, some of them Citizens, with cards, relics, banners and warbands."""
    slots = [*SPECIAL, *rng.sample([s for s in SITES if s not in SPECIAL], 3)]
    rng.shuffle(slots)
    stage = Stage(map=slots, oath=rng.choice(["supremacy", "people", "protection", "devotion"]))
    cards, treasures = [*PLANS], [*RELICS]
    rng.shuffle(cards)
    rng.shuffle(treasures)
    banners = ["peoples_favor", "darkest_secret"]
    for name in (CARA, YARA, OREN, BELA):
        stage.seat(
            name,
            at=rng.randrange(2),
            citizen=name in (YARA, OREN) and rng.random() < 0.4,
            warbands=rng.randrange(5),
            favor=rng.randrange(3),
            secrets=rng.randrange(3),
            advisers=[cards.pop()] if rng.random() < 0.5 else [],
            relics=[treasures.pop()] if rng.random() < 0.5 else [],
            banners=[banners.pop()] if banners and rng.random() < 0.4 else [],
        )
    for n in range(len(slots)):
        ruler = rng.choice(["", CARA, CARA, YARA, OREN, BELA])
        put = [cards.pop()] if cards and rng.random() < 0.5 else []
        shown = n < 2 or bool(ruler) or rng.random() < 0.7
        stage.site(n, ruler=ruler, warbands=1 + rng.randrange(2), cards=put if shown else [], shown=shown)
    for n in range(4):
        if rng.random() < 0.3:
            stage.g.reliquary[n] = None
    return stage.title(CARA)


@pytest.fixture(autouse=True)
def _plans(monkeypatch: pytest.MonkeyPatch) -> None:
    for id in PLANS:
        kind = type(id, (Anything,), {"id": id})
        monkeypatch.setitem(POWERS, id, kind())


@pytest.mark.parametrize("seed", range(150))
def test_a_random_campaign_keeps_every_piece(seed: int) -> None:
    rng = random.Random(seed)
    stage = position(rng)
    count(stage)
    look = reads_back()
    before = favor(stage.g), warbands(stage.g), relics(stage.g)
    for player in stage.g.players:
        if Start(stage.g, player).why_not() is not None:
            continue
        stage.act(player.name, offer_campaign, chance=Drawn(rng))
        while stage.table.open:
            look(stage.table, rng)
            seat = list(stage.table.open)[rng.randrange(len(stage.table.open))]
            stage.table.answer(seat, random_answer(stage.table.open[seat], rng))
        count(stage)
        assert (favor(stage.g), warbands(stage.g), relics(stage.g)) == before


class _OneCampaign:
    """As much of a ruleset as replaying takes: the active player campaigns, then it is over."""

    ruling = 0

    def step(self, g: Oath) -> Coroutine[Any, Any, None] | None:
        return self._campaign(g) if g.phase == "act" else None

    async def _campaign(self, g: Oath) -> None:
        menu: Menu[Any] = Menu()
        offer_campaign(menu, g, g.active)
        deed = await choose(g.active.name, "act", menu, Text("?"), section="O-6")
        await deed()
        g.phase = "over"

    def dump(self, g: Oath) -> Any:
        return msgspec.to_builtins(g, enc_hook=dump_sealed)

    def load(self, saved: Any) -> Oath:
        return msgspec.convert(saved, Oath, dec_hook=load_sealed)


@pytest.mark.parametrize("seed", range(200, 230))
def test_a_campaign_comes_again_from_its_tape_at_every_question(seed: int) -> None:
    rng = random.Random(seed)
    stage = position(rng)
    able = [p for p in stage.g.players if Start(stage.g, p).why_not() is None]
    if able:
        stage.turn(able[0].name)
        rules: Any = _OneCampaign()
        table: Table[Oath] = Table(rules, stage.g, chance=Drawn(rng)).start()
        while not table.over:
            survives_a_reload(table, rng)
            undo_is_lawful(table, rng)
            seat = list(table.open)[rng.randrange(len(table.open))]
            table.answer(seat, random_answer(table.open[seat], rng))
        count(stage)


def test_random_campaigns_come_to_all_ends() -> None:
    ends: set[str] = set()
    for seed in range(60):
        rng = random.Random(seed)
        stage = position(rng)
        for player in stage.g.players:
            if Start(stage.g, player).why_not() is None:
                stage.act(player.name, offer_campaign).at_random(rng)
        told = " ".join(stage.heard())
        marks = (
            "joins the defense",
            "wins against",
            "is defeated by",
            "sacrifices",
            "banishes",
            "uses",
            "takes",
        )
        ends |= {mark for mark in marks if mark in told}
    assert len(ends) == 7
