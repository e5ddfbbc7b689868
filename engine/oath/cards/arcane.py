"""Arcane denizens."""

from __future__ import annotations

from functools import partial

from ...core.asks import Kind, Menu, choose, reveal
from ...core.sealed import Sealed
from ...core.slots import Choice, Number, One
from ...core.text import Text
from .. import words
from ..actions.action import Action, Recover
from ..actions.declaring import pay_cost, why_not_affordable, why_not_used
from ..battle import ATTACKER, Battle
from ..battle_facts import faces
from ..choices import whether, which_bank, which_card
from ..discarding import discard_at_site, discard_drawn, in_what_order, is_locked
from ..empire import end_act_phase
from ..events import Event, Play
from ..facts import AdviserSeen, ConspiracyFound
from ..hooks import Power
from ..playing import Hand, play_or_discard
from ..powers import cost_of, power
from ..printed import CONSPIRACY, DARKEST_SECRET, SUITS
from ..queries import AddedToRecover, AdviserSuits, Query
from ..rolling import DiceRolled
from ..ruling import Lying, at, holds
from ..state import Adviser, Card, Oath, Player, take_out
from ..verbs import favor_from_bank, gain_secrets, receive_favor

_EMPTY_BANKS = Text("no favor lies in any bank")


def full_banks(g: Oath) -> list[str]:
    """The banks that have favor in them."""
    return [suit for suit in SUITS if g.banks[suit]]


@power("acting_troupe")
class ActingTroupe(Power):
    """For one Trade this adviser is a Beast or an Order card and no Arcane one; it becomes what the card traded with
    is, since the other choice would bring nothing."""

    ANSWERS = (AdviserSuits,)

    def modify(self, g: Oath, me: Lying, query: Query) -> None:
        if not isinstance(query, AdviserSuits) or me.id not in query.declared or "arcane" not in query.suits:
            return
        query.suits.remove("arcane")
        query.suits.append(query.suit if query.suit in ("beast", "order") else "beast")


@power("alchemist")
class Alchemist(Power):
    """Four favor, out of one bank or several."""

    def may_act(self, g: Oath, me: Lying, player: Player) -> Text | None:
        return None if full_banks(g) else _EMPTY_BANKS

    async def act(self, g: Oath, me: Lying, player: Player) -> None:
        left = 4
        while left and full_banks(g):
            suit, n = await _share(g, player, left)
            left -= favor_from_bank(g, player, suit, n)


async def _share(g: Oath, player: Player, left: int) -> tuple[str, int]:
    """Which bank next, and how much of it."""
    banks = full_banks(g)
    if len(banks) == 1:
        return banks[0], left
    menu: Menu[tuple[str, int]] = Menu()
    menu.command(
        Text("take {n} from {bank}"),
        lambda bank, n: (bank, n),
        One("bank", Text("bank"), lambda chosen: _banks(banks)),
        Number("n", Text("number"), lambda chosen: range(1, min(left, g.banks[chosen["bank"]]) + 1)),
        id="take",
        also=(Text("{n} from {bank}"),),
    )
    prompt = Text("Alchemist: you take {n} favor. How much of it from which bank?", n=left)
    return await choose(player.name, "alchemist", menu, prompt, section="O-7.2")


def _banks(banks: list[str]) -> list[Choice]:
    return [
        Choice(
            suit,
            Text("the {suit} bank", suit=words.SUIT[suit]),
            suit,
            (words.SUIT[suit], Text("{suit} bank", suit=words.SUIT[suit])),
        )
        for suit in banks
    ]


@power("dazzle")
class Dazzle(Power):
    """All Hearth and Order cards at the sites of the player's region are discarded; locked ones stay."""

    async def when_played(self, g: Oath, me: Lying, play: Play) -> None:
        player = play.player
        going = {
            card.id: (n, card)
            for n in g.faceup()
            if g.region(n) == g.region(player.pawn)
            for card in g.map[n].cards
            if card.suit in ("hearth", "order") and not is_locked(g, player, Lying(card.id, card, n, None))
        }
        for id in await in_what_order(g, player, list(going)):
            discard_at_site(g, player, *going[id])


@power("fire_talkers")
class FireTalkers(Power):
    """Three attack dice more or fewer if the user holds the Darkest Secret; an Imperial user also if another Imperial
    player of that side does (ruling)."""

    def may_plan(self, g: Oath, me: Lying, battle: Battle, user: Player | None) -> Text | None:
        if user is None or any(holds(g, p, DARKEST_SECRET) for p in self._with(battle, user)):
            return None
        return Text("you do not hold the Darkest Secret")

    def _with(self, battle: Battle, user: Player) -> list[Player]:
        side = [battle.attacker] if battle.side_of(user) == ATTACKER else battle.defenders()
        return [p for p in side if p is user or (battle.imperial(user) and battle.imperial(p))]

    async def plan(self, g: Oath, me: Lying, battle: Battle, user: Player | None) -> None:
        battle.change_pool(battle.side_of(user), 3)


@power("inquisitor")
class Inquisitor(Power):
    """Look at a facedown adviser of another player at one's site: the Conspiracy is played or discarded by the user;
    for any other card its owner gets the favor laid on this one."""

    def may_act(self, g: Oath, me: Lying, player: Player) -> Text | None:
        return None if self._suspects(g, player) else Text("nobody else at your site has a facedown adviser")

    def _suspects(self, g: Oath, player: Player) -> list[tuple[Player, int]]:
        others = [p for p in at(g, player.pawn) if p is not player]
        return [(p, n) for p in others for n, adviser in enumerate(p.advisers) if not adviser.shown]

    async def act(self, g: Oath, me: Lying, player: Player) -> None:
        owner, n = await _which_suspect(player, self._suspects(g, player))
        adviser = owner.advisers[n]
        card, adviser.card = await reveal(f"inquisitor {owner.name} {n}", adviser.card, player.name)
        g.tell(AdviserSeen(player.name, owner.name, n, card))
        if card == CONSPIRACY:
            await _found(g, player, owner, adviser)
            return
        assert me.thing is not None
        me.thing.favor -= 1
        receive_favor(g, owner, 1, me.id)


async def _which_suspect(player: Player, suspects: list[tuple[Player, int]]) -> tuple[Player, int]:
    if len(suspects) == 1:
        return suspects[0]
    menu: Menu[tuple[Player, int]] = Menu()
    for owner, n in suspects:
        menu.add(
            Text(
                "{what} in place {n} of {who}",
                what=words.back(owner.advisers[n].vision),
                n=n + 1,
                who=owner.name,
            ),
            (owner, n),
            id=f"{owner.name}.{n}",
            also=(Text("{n} of {who}", n=n + 1, who=owner.name),),
        )
    prompt = Text("Inquisitor: which facedown adviser do you look at?")
    return await choose(player.name, "inquisitor", menu, prompt, section="O-7.2")


async def _found(g: Oath, player: Player, owner: Player, adviser: Adviser) -> None:
    """The Conspiracy comes into the user's hand, as if it had been drawn (ruling: it may be kept face down)."""
    take_out(owner.advisers, adviser)
    player.hand = Sealed((*player.hand.under_seal(), CONSPIRACY), (player.name,))
    g.tell(ConspiracyFound(player.name, owner.name))
    hand = Hand(g, player, CONSPIRACY)
    await play_or_discard(hand, partial(_discard, hand))


async def _discard(hand: Hand) -> None:
    hand.leave()
    discard_drawn(hand.g, hand.player, [hand.card])


@power("jinx")
class Jinx(Power):
    """Whoever rules it may roll all their attack or defense dice again, whatever they were rolled for, one time."""

    REACTS_TO = (DiceRolled,)

    async def after(self, g: Oath, me: Lying, event: Event) -> None:
        assert isinstance(event, DiceRolled)
        player, cost = event.player, cost_of(self.id)
        if not me.ruled_by(g, player):
            return
        if why_not_affordable(g, player, me, cost) or why_not_used(g, player, cost):
            return
        prompt = Text("Jinx: you have rolled {faces}. Do you roll all of it again?", faces=faces(event.faces))
        kind: Kind = "turn" if player is g.active else "reaction"
        if await whether(player, "jinx", prompt, "O-6.5", kind):
            pay_cost(g, player, me, cost)
            await event.again(g)


@power("magicians_code")
class MagiciansCode(Power):
    """Two secrets out of the shared bank join the payment in a Recover of the Darkest Secret."""

    ANSWERS = (AddedToRecover,)

    def may_declare(self, g: Oath, me: Lying, action: Action) -> Text | None:
        assert isinstance(action, Recover)
        return None if action.target == DARKEST_SECRET else Text("it adds to the Darkest Secret alone")

    def modify(self, g: Oath, me: Lying, query: Query) -> None:
        if isinstance(query, AddedToRecover) and me.id in query.declared and query.target == DARKEST_SECRET:
            query.more += 2


@power("spirit_snare")
class SpiritSnare(Power):
    """One favor out of a bank."""

    def may_act(self, g: Oath, me: Lying, player: Player) -> Text | None:
        return None if full_banks(g) else _EMPTY_BANKS

    async def act(self, g: Oath, me: Lying, player: Player) -> None:
        prompt = Text("Spirit Snare: out of which bank does the favor come?")
        bank = await which_bank(player, prompt, "O-7.2", full_banks(g))
        favor_from_bank(g, player, bank, 1)


@power("taming_charm")
class TamingCharm(Power):
    """A Beast or Nomad card at one's site is discarded, for 2 favor out of the bank of its suit."""

    def may_act(self, g: Oath, me: Lying, player: Player) -> Text | None:
        return None if self._prey(g, player) else Text("no Beast or Nomad card at your site may be discarded")

    def _prey(self, g: Oath, player: Player) -> list[tuple[int, Card]]:
        site = player.pawn
        return [
            (site, card)
            for card in g.map[site].cards
            if card.suit in ("beast", "nomad") and not is_locked(g, player, Lying(card.id, card, site, None))
        ]

    async def act(self, g: Oath, me: Lying, player: Player) -> None:
        prompt = Text("Taming Charm: which card is discarded?")
        found = await which_card(g, player, prompt, "O-7.2", self._prey(g, player))
        assert found is not None
        discard_at_site(g, player, *found)
        favor_from_bank(g, player, found[1].suit, 2)


@power("wizard_school")
class WizardSchool(Power):
    """A secret, and the Act phase is over."""

    async def act(self, g: Oath, me: Lying, player: Player) -> None:
        gain_secrets(g, player, 1)
        end_act_phase(g, player)
