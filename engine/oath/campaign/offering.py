"""The command: `campaign against carla at salt flats, plains with 4` (O-6.1, O-6.2)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from ...core.asks import Kind, Menu, choose
from ...core.slots import Choice, Chosen, Number, One
from ...core.text import Text
from .. import words
from ..actions.declaring import Deed
from ..battle import ATTACKER, Battle, Target
from ..powers import asked
from ..queries import MayCampaign
from ..state import BANDITS, Oath, Player
from .flow import campaign
from .targets import SUPPLY, started, target_slot, why_none, why_not_defender

_NO_SUPPLY = Text("it costs {n} Supply, you have {left} (O-4.3.2)")
_AS_MANY = Text("no more attack dice than warbands that fight (O-6.2.4)")
_ONLY = Text("this campaign must be against {who}")
_NOBODY = Text("there is nobody whom you could attack from {site} (O-6.1.1)")


class Start:
    """Where a Campaign may be declared from, and by whom."""

    def __init__(
        self,
        g: Oath,
        me: Player,
        *,
        free: bool = False,
        origin: int | None = None,
        joining: bool = False,
        only: Player | None = None,
    ) -> None:
        self.g = g
        self.me = me
        self.free = free
        """It costs no Supply."""
        self.origin = origin
        """As if the pawn stood there; None: where it stands."""
        self.joining = joining
        """The warbands at the origin fight too."""
        self.only = only
        """The one who must be the defender; None: whoever may be."""

    def against(self, defender: Player | None) -> Battle:
        """A Campaign in the making; None: against the bandits."""
        return started(self.g, self.me, defender, free=self.free, origin=self.origin, joining=self.joining)

    def chosen(self, chosen: Chosen) -> Battle:
        """The same, by what the command says."""
        return self.against(chosen["defender"])

    # the command

    def offer(self, menu: Menu[Deed]) -> None:
        """One line: the defender, the targets, the attack dice."""
        words_ = Text("campaign against {defender} at {targets} with {dice}")
        also: tuple[Text, ...] = (Text("attack {defender} at {targets} with {dice}"),)
        if self.origin is not None:
            site = words.short_site(self.g, self.origin)
            words_ = Text("campaign out of {site} against {defender} at {targets} with {dice}", site=site)
            also = ()
        menu.command(
            words_,
            self.deed,
            One("defender", Text("defender"), self.defenders),
            target_slot(self.chosen),
            Number("dice", Text("number of attack dice"), self.dice, limit=_AS_MANY),
            id="campaign" if self.origin is None else f"campaign.{self.origin}",
            barred=self.why_not,
            also=also,
        )

    def defenders(self, chosen: Chosen) -> Iterator[Choice]:
        """All players and the bandits; those who cannot be attacked with the reason."""
        for player in self.g.players:
            yield Choice(
                player.name, Text("{who}", who=player.name), player, why=self.why_not_against(player)
            )
        yield Choice(BANDITS, Text("bandits"), None, (Text("the bandits"),), self.why_not_against(None))

    def why_not_against(self, defender: Player | None) -> Text | None:
        """Why somebody cannot be attacked; None if something of theirs can."""
        battle = self.against(defender)
        why = self._why_not_them(battle)
        return why if why is not None else why_none(battle)

    def _why_not_them(self, battle: Battle) -> Text | None:
        who = battle.defender
        if self.only is not None and (who is None or who.name != self.only.name):
            return _ONLY.filled(who=self.only.name)
        return why_not_defender(battle)

    def dice(self, chosen: Chosen) -> range:
        """O-6.2.4: up to the warbands that can fight."""
        battle = self.chosen(chosen)
        return range(battle.force(ATTACKER) + battle.bandits_joining() + 1)

    def why_not(self) -> Text | None:
        """Why no Campaign may be declared now; None if one may."""
        may = asked(self.g, MayCampaign(player=self.me))
        if may.why is not None:
            return may.why
        if not self.free and self.me.supply < SUPPLY:
            return _NO_SUPPLY.filled(n=SUPPLY, left=self.me.supply)
        reasons = []
        for battle in (self.against(who) for who in (*self.g.players, None)):
            if self._why_not_them(battle) is not None:
                continue
            why = why_none(battle)
            if why is None:
                return None
            reasons.append(why)
        site = self.me.pawn if self.origin is None else self.origin
        return reasons[0] if reasons else _NOBODY.filled(site=words.site(self.g, site))

    def deed(self, defender: Player | None, targets: Sequence[Target], dice: int) -> Deed:
        """What the command comes to."""
        battle = self.against(defender)
        battle.targets = list(targets)
        battle.attack_dice = dice
        return partial(campaign, battle)


def offer_campaign(menu: Menu[Deed], g: Oath, me: Player) -> None:
    """O-6: for 2 Supply, from where the pawn stands."""
    Start(g, me).offer(menu)


async def campaign_freely(g: Oath, me: Player, *starts: Start, prompt: Text) -> None:
    """A Campaign that a card allows, or none; asked is only who can attack somebody."""
    open_now = [start for start in starts if start.why_not() is None]
    if not open_now:
        return
    menu: Menu[Deed] = Menu()
    for start in open_now:
        start.offer(menu)
    menu.add(Text("let it pass"), _no_campaign, id="pass", also=(Text("pass"), Text("none")))
    kind: Kind = "turn" if me is g.active else "reaction"
    deed = await choose(me.name, "campaign", menu, prompt, section="O-6", kind=kind, personal=True)
    await deed()


async def _no_campaign() -> None:
    """It is let pass."""
