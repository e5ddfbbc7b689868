"""Playing a card, wherever it comes from (O-5.2, O-11.4)."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from functools import partial
from typing import Any

from ..core.asks import Kind, Menu, choose
from ..core.sealed import Sealed
from ..core.slots import Choice, Chosen, One
from ..core.text import Text
from . import words
from .advisers import discard_down, replaceable, too_many_with, why_locked
from .discarding import LOCKED, Onto, discard_adviser, discard_at_site, discard_vision, is_locked
from .events import Play, happened
from .facts import CardKept, CardPlayed
from .powers import POWERS, asked
from .printed import CONSPIRACY, DENIZENS, PEOPLES_FAVOR, SITES, is_vision, suit_of
from .queries import Capacity, MayPlay, PlayReward, PlaySites, RoomFirst
from .ruling import Lying, holds
from .state import Adviser, Card, Oath, Player, take_out
from .taking import RELIC, may_take, take_at_site
from .verbs import favor_from_bank, gain_secrets, gain_warbands

Deed = Callable[..., Coroutine[Any, Any, None]]

_SITE_ONLY = Text("{card} may lie at a site only (O-8.8)")
_ADVISER_ONLY = Text("{card} may be an adviser only (O-8.8)")
_FULL = Text("{site} has no room for another card (O-5.2.1)")
_NOTHING_GOES = Text("no card that may be discarded lies there")
_ROOM_FIRST = Text("the card to go must make room where this one comes to lie")
_NO_ROOM = Text(
    "you have {n} adviser, who may not go (O-5.2.2)",
    "you have {n} advisers and too few that may go (O-5.2.2)",
)
_NO_GOAL = Text("only an Exile may reveal a Vision (O-5.2.3)")


class Hand:
    """A card that is to be played, kept or discarded, and where it came from."""

    def __init__(
        self,
        g: Oath,
        player: Player,
        card: str,
        *,
        adviser: Adviser | None = None,
        declared: tuple[str, ...] = (),
        openly: bool = False,
        onto: Onto | None = None,
        played: tuple[str, ...] = (),
    ) -> None:
        self.g = g
        self.player = player
        self.card = card
        self.adviser = adviser
        """The facedown adviser that it is (O-7.1); None: it was drawn."""
        self.declared = declared
        """The modifiers of the Search that it was drawn in."""
        self.openly = openly
        """Everybody has seen it."""
        self.onto = onto
        """Where the Search puts what is discarded."""
        self.played = played
        """Where earlier cards of the same Search went."""
        self.went = ""
        """Where it was played to, as `MayPlay` calls it; empty: it is not, or was discarded."""

    @property
    def was_facedown(self) -> bool:
        """Whether it lay face down beside the board."""
        return self.adviser is not None

    def leave(self) -> None:
        """It is no facedown adviser any more, and no card in hand."""
        if self.adviser is not None:
            take_out(self.player.advisers, self.adviser)
            self.adviser = None
        else:
            held = [c for c in self.player.hand.under_seal() if c != self.card]
            self.player.hand = Sealed(tuple(held), self.player.hand.owners)

    # where it may go

    def why_not(self, where: str, site: int) -> Text | None:
        """Why it may not be played so; None if it may."""
        if where != "facedown" and (why := self._printed(where)) is not None:
            return why
        query = MayPlay(
            player=self.player,
            card=self.card,
            where=where,
            site=site,
            declared=self.declared,
            played=self.played,
        )
        return asked(self.g, query, None if where == "facedown" else self._coming(where, site)).why

    def _coming(self, where: str, site: int) -> Lying:
        """The card as it will lie."""
        at_site = where == "site"
        return Lying(self.card, None, site if at_site else None, None if at_site else self.player)

    def _printed(self, where: str) -> Text | None:
        """O-8.8, O-5.2.3: what is printed on the card itself."""
        card = words.thing(self.card)
        if is_vision(self.card):
            if where == "vision" and self.player.role != "exile" and self.card != CONSPIRACY:
                return _NO_GOAL
            return None if where == "vision" else Text("a Vision never goes there (O-5.2.3)")
        restriction = DENIZENS[self.card].restriction
        if where == "site" and restriction == "adviser_only":
            return _ADVISER_ONLY.filled(card=card)
        if where == "adviser" and restriction == "site_only":
            return _SITE_ONLY.filled(card=card)
        return None

    def room(self, site: int) -> int:
        """How many more cards a site holds (O-1.7)."""
        there = self.g.map[site]
        query = Capacity(site=site, base=there.printed.capacity, coming=self.card)
        asked(self.g, query, self._coming("site", site))
        return 1 if query.unlimited else query.value - len(there.cards)


# the question


async def play_or_discard(hand: Hand, discard: Deed) -> None:
    """O-5.1 step 4, O-7.1: play the card, keep it face down, or discard it, as its player chooses.

    What shows the card to all has its name in the answer's id, and so on the tape, which is where it becomes known.
    """
    menu: Menu[Deed] = Menu()
    offer_sites(menu, hand)
    offer_advisers(menu, hand)
    if is_vision(hand.card):
        offer_vision(menu, hand)
    menu.command(
        Text("discard {card}", card=words.thing(hand.card)),
        lambda: discard,
        id="discard",
        also=(Text("discard"),),
    )
    # the question is read by everybody, so it names no card; the options do
    prompt = Text("What do you do with your card?")
    kind: Kind = "turn" if hand.player is hand.g.active else "reaction"
    deed = await choose(hand.player.name, "play", menu, prompt, section="O-5.2", kind=kind)
    await deed()


def offer_sites(menu: Menu[Deed], hand: Hand) -> None:
    """O-5.2.1, O-5.2.5: to the own site; with the People's Favor to any faceup site of the region, and as far as cards
    say. The banner, and cards, let another card go first."""
    if is_vision(hand.card):
        return
    for site in _sites(hand):
        place, card = words.short_site(hand.g, site), words.thing(hand.card)
        menu.command(
            Text("play {card} to {site}", card=card, site=place),
            partial(_to_site_deed, hand, site),
            id=f"site.{site}.{hand.card}",
            barred=partial(_why_no_site, hand, site),
            also=(Text("play to {site}", site=place),),
        )
        if _room_first(hand, site):
            first = One("first", Text("card to discard"), partial(_may_go_first, hand, site))
            menu.command(
                Text("play {card} to {site} discarding {first}", card=card, site=place),
                partial(_to_site_deed, hand, site),
                first,
                id=f"site.{site}.{hand.card}.discarding",
                barred=partial(_why_nothing_goes, hand, site, first),
                also=(Text("play to {site} discarding {first}", site=place),),
            )


def _sites(hand: Hand) -> list[int]:
    """The sites that come into question, in map order."""
    g, me = hand.g, hand.player
    more = asked(g, PlaySites(player=me, card=hand.card, declared=hand.declared)).sites
    if holds(g, me, PEOPLES_FAVOR):
        more = [*more, *_in_region(g, me)]
    return [n for n in g.faceup() if n == me.pawn or n in more]


def _in_region(g: Oath, me: Player) -> list[int]:
    return [n for n in g.faceup() if g.region(n) == g.region(me.pawn)]


def _room_first(hand: Hand, site: int) -> list[int]:
    """Sites of which a denizen may go before the card is played to one: with the People's Favor all of the region."""
    g, me = hand.g, hand.player
    region = _in_region(g, me) if holds(g, me, PEOPLES_FAVOR) else []
    return asked(g, RoomFirst(player=me, site=site, declared=hand.declared, sites=region)).sites


def _why_no_site(hand: Hand, site: int) -> Text | None:
    why = hand.why_not("site", site)
    if why is not None or hand.room(site) > 0:
        return why
    return _FULL.filled(site=words.site(hand.g, site))


def _why_nothing_goes(hand: Hand, site: int, first: One) -> Text | None:
    why = hand.why_not("site", site)
    if why is not None:
        return why
    return None if any(first.legal({})) else _NOTHING_GOES


def _why_stays(hand: Hand, site: int, card: Card) -> Text | None:
    """Why a denizen at a site cannot be discarded; None if it can."""
    locked = is_locked(hand.g, hand.player, Lying(card.id, card, site, None))
    return LOCKED.filled(card=words.thing(card.id)) if locked else None


def _may_go_first(hand: Hand, site: int, chosen: Chosen) -> list[Choice]:
    """O-5.2.5: any unlocked denizen there; at a full site one of its own."""
    full = hand.room(site) <= 0
    return [
        Choice(
            f"{n}.{card.id}",
            words.thing(card.id),
            (n, card),
            why=_ROOM_FIRST if full and n != site else _why_stays(hand, n, card),
        )
        for n in _room_first(hand, site)
        for card in hand.g.map[n].cards
        if card.id in DENIZENS
    ]


def _to_site_deed(hand: Hand, site: int, first: tuple[int, Card] | None = None) -> Deed:
    return partial(to_site, hand, site, first)


async def to_site(hand: Hand, site: int, first: tuple[int, Card] | None = None) -> None:
    """O-5.2.1, O-5.2.6: face up to a site: favor, homeland, others' answers, then its own “When Played”."""
    g, me = hand.g, hand.player
    if first is not None:
        discard_at_site(g, me, *first, onto=hand.onto)
    was_facedown = hand.was_facedown
    hand.leave()
    hand.went = "site"
    card = Card(hand.card)
    g.map[site].cards.append(card)
    g.tell(CardPlayed(me.name, hand.card, site=SITES[g.map[site].shown].name))
    reward = asked(g, PlayReward(player=me, card=hand.card))
    favor_from_bank(g, me, suit_of(hand.card), reward.favor)
    gain_secrets(g, me, reward.secrets)
    await homeland(g, me, site, hand.card)
    play = Play(me, hand.card, site, was_facedown, hand.declared)
    await happened(g, play)
    if hand.card in POWERS:
        await POWERS[hand.card].when_played(g, Lying(hand.card, card, site, None), play)


async def homeland(g: Oath, me: Player, site: int, card: str) -> None:
    """A homeland's reward for a card of its suit, unless one of that suit was discarded from there in this turn."""
    reward = g.map[site].printed.homeland
    if reward is None or reward.suit != suit_of(card) or (site, reward.suit) in g.discarded:
        return
    match reward.reward:
        case "warbands":
            gain_warbands(g, me, reward.amount)
        case "secret":
            gain_secrets(g, me, reward.amount)
        case "favor":
            favor_from_bank(g, me, reward.suit, reward.amount)
        case _:
            await _homeland_relic(g, me, site)


async def _homeland_relic(g: Oath, me: Player, site: int) -> None:
    """The relic there, which counts as recovered (HR-19); of several one."""
    relics = g.map[site].relics
    if not relics or may_take(g, me, RELIC, None, site) is not None:
        return
    index = 0
    if len(relics) > 1:
        menu: Menu[int] = Menu()
        for n in range(len(relics)):
            menu.add(Text("relic {n}", n=n + 1), n, id=str(n))
        prompt = Text("{site} rewards you with a relic: which one?", site=words.site(g, site))
        index = await choose(me.name, "homeland-relic", menu, prompt, section="O-5.2.6")
    await take_at_site(g, me, site, index)


# advisers


def offer_advisers(menu: Menu[Deed], hand: Hand) -> None:
    """O-5.2.2: face up, or face down, which any card may be; beyond the limit one must go first."""
    card = words.thing(hand.card)
    if not is_vision(hand.card):
        texts = (
            Text("play {card} as adviser", card=card),
            Text("play {card} as adviser discarding {instead}", card=card),
        )
        also = (Text("play as adviser"), Text("as adviser"))
        _offer_adviser(menu, hand, texts, "adviser", hand.card, also)
    if not hand.was_facedown:
        texts = (
            Text("keep {card} face down", card=card),
            Text("keep {card} face down discarding {instead}", card=card),
        )
        _offer_adviser(menu, hand, texts, "facedown", "", (Text("keep it"), Text("keep face down")))


def _offer_adviser(
    menu: Menu[Deed],
    hand: Hand,
    texts: tuple[Text, Text],
    where: str,
    shown: str,
    also: tuple[Text, ...],
) -> None:
    id = f"{where}.{shown}" if shown else where
    deed = partial(_adviser_deed, hand, where == "adviser")
    barred = partial(_why_no_adviser, hand, where, shown)
    if too_many_with(hand.g, hand.player, shown, hand.adviser) <= 0:
        menu.command(texts[0], deed, id=id, barred=barred, also=also)
        return
    instead = One("instead", Text("adviser to discard"), partial(_choices_to_go, hand, shown))
    menu.command(texts[1], deed, instead, id=id, barred=barred)


def _why_no_adviser(hand: Hand, where: str, shown: str) -> Text | None:
    why = hand.why_not(where, hand.player.pawn)
    if why is not None:
        return why
    too_many = too_many_with(hand.g, hand.player, shown, hand.adviser)
    if too_many > 0 and too_many > len(replaceable(hand.g, hand.player, shown, hand.adviser)):
        return _NO_ROOM.filled(n=len(hand.player.advisers))
    return None


def _choices_to_go(hand: Hand, shown: str, chosen: Chosen) -> list[Choice]:
    """Those that may go, and the locked ones to be explained."""
    free = replaceable(hand.g, hand.player, shown, hand.adviser)
    found = []
    for n, adviser in enumerate(hand.player.advisers):
        goes = any(adviser is one for one in free)
        why = None if goes else why_locked(hand.g, hand.player, adviser)
        if goes or why is not None:
            found.append(
                Choice(str(n), words.thing(adviser.shown or adviser.card.under_seal()), adviser, why=why)
            )
    return found


def _adviser_deed(hand: Hand, faceup: bool, instead: Adviser | None = None) -> Deed:
    return partial(to_advisers, hand, faceup, instead)


async def to_advisers(hand: Hand, faceup: bool, instead: Adviser | None = None) -> None:
    """O-5.2.2: beside the board; a faceup one has its “When Played”."""
    g, me = hand.g, hand.player
    more = too_many_with(g, me, hand.card if faceup else "", hand.adviser) - 1
    if instead is not None:
        discard_adviser(g, me, me, instead, onto=hand.onto)
    was_facedown = hand.was_facedown
    hand.leave()
    hand.went = "adviser" if faceup else "facedown"
    seen_by = tuple(p.name for p in g.players) if hand.openly else (me.name,)
    adviser = Adviser(Sealed(hand.card, seen_by), is_vision(hand.card))
    me.advisers.append(adviser)
    if not faceup:
        g.tell(CardKept(me.name, hand.card, adviser.vision))
        await discard_down(g, me, more, but=adviser)
        return
    adviser.shown = hand.card
    adviser.card = adviser.card.shown_to(*(p.name for p in g.players))
    g.tell(CardPlayed(me.name, hand.card))
    await discard_down(g, me, more, but=adviser)
    play = Play(me, hand.card, None, was_facedown, hand.declared)
    await happened(g, play)
    if hand.card in POWERS:
        await POWERS[hand.card].when_played(g, Lying(hand.card, adviser, None, me), play)


# Visions


def offer_vision(menu: Menu[Deed], hand: Hand) -> None:
    """O-5.2.3, O-11.4: a goal to the Revealed Vision space; the Conspiracy may be played by anybody."""
    card = words.thing(hand.card)
    if hand.card == CONSPIRACY:
        menu.command(
            Text("play {card}", card=card),
            lambda: partial(conspire, hand),
            id=CONSPIRACY,
            barred=lambda: hand.why_not("vision", hand.player.pawn),
            also=(Text("play it"),),
        )
        return
    menu.command(
        Text("reveal {card}", card=card),
        lambda: partial(to_vision_space, hand),
        id=f"vision.{hand.card}",
        barred=lambda: hand.why_not("vision", hand.player.pawn),
        also=(Text("reveal it"),),
    )


async def to_vision_space(hand: Hand) -> None:
    """O-11.3: an older revealed Vision is discarded."""
    g, me = hand.g, hand.player
    was_facedown = hand.was_facedown
    while me.vision:  # a card may bring it back once
        await discard_vision(g, me, onto=hand.onto)
    hand.leave()
    hand.went = "vision"
    me.vision = hand.card
    g.tell(CardPlayed(me.name, hand.card))
    await happened(g, Play(me, hand.card, None, was_facedown, hand.declared))


async def conspire(hand: Hand) -> None:
    """O-11.4: it leaves the game for this game, and its player may take a relic or banner."""
    from .conspiracy import conspiracy

    g, me = hand.g, hand.player
    was_facedown = hand.was_facedown
    hand.leave()
    hand.went = "vision"
    g.world.out.append(CONSPIRACY)
    g.tell(CardPlayed(me.name, CONSPIRACY))
    await happened(g, Play(me, CONSPIRACY, None, was_facedown, hand.declared))
    await conspiracy(g, me)
