"""Who may be attacked, and what (O-6.1, O-6.2)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations

from ...core.slots import Choice, Chosen, Many, Rng
from ...core.text import Text
from .. import words
from ..actions.declaring import why_not_used
from ..battle import Battle, Target
from ..battle_queries import AttackForce, MayTarget, MayTargetAll, TargetDice
from ..powers import asked
from ..printed import BANNERS, Cost
from ..ruling import defense_of, holds, rulers
from ..state import BANDITS, Oath, Player
from ..taking import may_take

SUPPLY = 2
SITE_DICE = 1
PAWN_DICE = 2
FOUND_DICE = 1

_NOT_YOURSELF = Text("you cannot attack yourself (O-6.1.2)")
_NOT_THERE = Text("{who} neither rules {site} nor has a pawn there (O-6.1.1)")
_RULED = Text("a player rules {site}, so there are no bandits (O-6.1.1)")
_NOT_RULED = Text("{who} does not rule {site} (O-6.2.1)")
_NO_BANDITS = Text("no bandits rule {site} (O-6.2.3)")
_FACEDOWN = Text("{site} lies face down (O-6.2.1)")
_PAWN_AWAY = Text("the pawn of {who} is not at {site} (O-6.2.1)")
_NOTHING_HERE = Text("at least one target must be at {site} (O-6.2.1)")
_COMPULSORY = Text("{site} must be a target too, because {who} rules it (O-6.2.2)")
_COMPULSORY_BANDITS = Text("{site} must be a target too (O-6.2.3)")
_NO_SECRETS = Text(
    "it takes {n} faceup secret to be turned face down, you have {held}",
    "it takes {n} faceup secrets to be turned face down, you have {held}",
)
_NO_TARGETS = Text("nothing there can be attacked (O-6.2.1)")


def started(
    g: Oath, me: Player, defender: Player | None, *, free: bool, origin: int | None, joining: bool
) -> Battle:
    """A Campaign in the making, with all warbands that can fight in it; `joining`: those at the origin too."""
    battle = Battle(g, me, defender, free=free, site=origin)
    if joining and origin is not None:
        battle.joined_sites.append(origin)
    more = asked(g, AttackForce(battle=battle, sites=[])).sites
    battle.joined_sites += [n for n in more if n not in battle.joined_sites]
    return battle


# the defender (O-6.1)


def why_not_defender(battle: Battle) -> Text | None:
    """O-6.1.1: a ruler of the attacker's site or a player whose pawn is there; bandits where no player rules."""
    g, site = battle.g, words.site(battle.g, battle.site)
    who = battle.defender
    if who is None:
        return None if rulers(g, battle.site) == (BANDITS,) else _RULED.filled(site=site)
    if who.name == battle.attacker.name:
        return _NOT_YOURSELF
    if who.pawn != battle.site and not battle.rules(who, battle.site):
        return _NOT_THERE.filled(who=who.name, site=site)
    return None


# single targets (O-6.2.1)


def possible(battle: Battle) -> list[Target]:
    """Everything that could be named: sites in map order, the defender's relics, banners, pawn."""
    g, who = battle.g, battle.defender
    found = [Target("site", site=n) for n in range(len(g.map))]
    if who is None:
        return found
    found += [Target("relic", r.id, who.pawn) for r in who.relics]
    found += [Target("banner", b, who.pawn) for b in BANNERS if holds(g, who, b)]
    return [*found, Target("pawn", site=who.pawn)]


def why_not(battle: Battle, target: Target) -> Text | None:
    """Why something cannot be a target; None if it can."""
    why = _why_no_site(battle, target.site) if target.kind == "site" else _why_no_thing(battle, target)
    return why or asked(battle.g, MayTarget(battle=battle, target=target)).why


def _why_no_site(battle: Battle, n: int) -> Text | None:
    g, who = battle.g, battle.defender
    site = words.site(g, n)
    if not g.map[n].shown:
        return _FACEDOWN.filled(site=site)
    if n in battle.joined_sites:
        return Text("its warbands fight for you")
    if who is None:
        return None if rulers(g, n) == (BANDITS,) else _NO_BANDITS.filled(site=site)
    return None if battle.rules(who, n) else _NOT_RULED.filled(who=who.name, site=site)


def _why_no_thing(battle: Battle, target: Target) -> Text | None:
    who = battle.defender
    assert who is not None
    if who.pawn != battle.site:
        return _PAWN_AWAY.filled(who=who.name, site=words.site(battle.g, battle.site))
    if target.kind == "pawn":
        return None
    return may_take(battle.g, battle.attacker, target.id, who)


def dice_of(battle: Battle, target: Target) -> int:
    """O-6.2.1: the defense dice that a target adds."""
    base = {
        "site": lambda: SITE_DICE,
        "relic": lambda: defense_of(target.id),
        "banner": lambda: battle.g.banners[target.id].tokens,
        "pawn": lambda: PAWN_DICE,
        "found": lambda: FOUND_DICE,
    }[target.kind]()
    return asked(battle.g, TargetDice(battle=battle, target=target, base=base)).value


# all of them together (O-6.2.1 to O-6.2.3)


def compulsory(battle: Battle) -> bool:
    """O-6.2.2, O-6.2.3: whether the attacker's site must be a target."""
    return _why_no_site(battle, battle.site) is None


def judged(battle: Battle, targets: Sequence[Target]) -> MayTargetAll:
    """Whether these targets may be declared together, and what must be turned face down for them."""
    g, me = battle.g, battle.attacker
    dice = sum(dice_of(battle, t) for t in targets)
    may = MayTargetAll(battle=battle, targets=tuple(targets), dice=dice)
    site = words.site(g, battle.site)
    if compulsory(battle) and Target("site", site=battle.site) not in targets:
        who = battle.defender
        may.refuse(
            _COMPULSORY.filled(site=site, who=who.name) if who else _COMPULSORY_BANDITS.filled(site=site)
        )
    if not any(t.site == battle.site for t in targets):
        may.refuse(_NOTHING_HERE.filled(site=site))
    asked(g, may)
    if may.flips and (why := why_not_used(g, me, Cost(secret=may.flips))) is not None:
        may.refuse(why)
    if may.flips > me.secrets:
        may.refuse(_NO_SECRETS.filled(n=may.flips, held=me.secrets))
    return may


def why_none(battle: Battle) -> Text | None:
    """Why no lawful choice of targets exists; None if one does."""
    reasons: list[Text] = []
    for group in _small_groups(battle):
        why = judged(battle, group).why
        if why is None:
            return None
        reasons.append(why)
    here = [why_not(battle, t) for t in possible(battle) if t.site == battle.site]
    return next((why for why in (*reasons, *here) if why is not None), _NO_TARGETS)


def _small_groups(battle: Battle) -> Iterator[list[Target]]:
    """One target that must or may be here, and up to two more: no rule asks for further ones before it agrees."""
    here = [t for t in possible(battle) if t.site == battle.site]
    first = [t for t in _first(battle, here) if why_not(battle, t) is None]
    yield from ([one] for one in first)  # that is nearly always enough, and the others are dear to look at
    lawful = [t for t in possible(battle) if why_not(battle, t) is None] if first else []
    for one in first:
        others = [t for t in lawful if t != one]
        yield from ([one, *more] for n in (1, 2) for more in combinations(others, n))


def _first(battle: Battle, lawful: Sequence[Target]) -> list[Target]:
    """O-6.2.1 to O-6.2.3: the targets of which one is needed."""
    here = [t for t in lawful if t.site == battle.site]
    return [t for t in here if t.kind == "site"] if compulsory(battle) else here


# the slot

MANY = 99
"""More targets than there can be."""


class Targets(Many, frozen=True):
    """Several targets; a random choice begins with one that must or may be at the attacker's site."""

    first: Callable[[Chosen], Sequence[Choice]] = lambda chosen: ()
    """Those of which one is needed."""

    def sample(self, chosen: Chosen, rng: Rng) -> str:
        """A lawful group; raises `LookupError` when there is none."""
        elements = [e for e in self.elements(chosen) if e.why is None]
        first = self.first(chosen)
        for _ in range(8 if first else 0):
            one = first[rng.randrange(len(first))]
            group = [e for e in elements if e.id == one.id or rng.random() < 0.4]
            if self.check(chosen, tuple(e.value for e in group)) is None:
                return ",".join(e.id for e in group)
        try:
            return next(self.legal(chosen))
        except StopIteration:
            raise LookupError(self.name) from None


def target_slot(started_against: Callable[[Chosen], Battle]) -> Targets:
    """The targets in one place of the command; against whom was said before them."""

    def elements(chosen: Chosen) -> list[Choice]:
        battle = started_against(chosen)
        return [_choice(battle, t) for t in possible(battle)]

    def first(chosen: Chosen) -> list[Choice]:
        open_now = [e for e in elements(chosen) if e.why is None]
        needed = _first(started_against(chosen), [e.value for e in open_now])
        return [e for e in open_now if e.value in needed]

    def check(chosen: Chosen, those: tuple[Target, ...]) -> Text | None:
        return judged(started_against(chosen), those).why

    return Targets("targets", Text("targets"), elements, 1, MANY, check, first=first)


def _choice(battle: Battle, target: Target) -> Choice:
    why = why_not(battle, target)
    match target.kind:
        case "site":
            said = words.short_site(battle.g, target.site)
            return Choice(f"site.{target.site}", said, target, (words.site(battle.g, target.site),), why)
        case "pawn":
            assert battle.defender is not None
            said = Text("pawn of {who}", who=battle.defender.name)
            also = (
                Text("pawn"),
                Text("pawn and favor"),
                Text("pawn and favor of {who}", who=battle.defender.name),
            )
            return Choice("pawn", said, target, also, why)
        case _:
            return Choice(target.id, words.thing(target.id), target, (), why)
