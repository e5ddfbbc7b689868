"""What is printed on a card, site or relic, as lines for a reader (`rules <word>`, the own hand)."""

from __future__ import annotations

from ..core.text import Text
from . import words
from .powers import POWERS
from .printed import (
    DENIZENS,
    EDIFICES,
    OATHS,
    RELICS,
    SCEPTER,
    SITES,
    VISIONS,
    Cost,
    DenizenPrint,
    EdificeSide,
    OathPrint,
    RecoverCost,
    RelicPrint,
    SitePrint,
    VisionPrint,
)

KIND = {
    "when_played": Text("When Played"),
    "action": Text("Action"),
    "modifier": Text("modifier"),
    "battle_plan": Text("battle plan"),
    "persistent": Text("always on"),
    "continuous": Text("always on for its holder"),
    "rest": Text("Rest"),
    "chronicle": Text("the Chronicle after a game"),
}
ACTION = {
    "search": Text("Search"),
    "muster": Text("Muster"),
    "trade": Text("Trade"),
    "travel": Text("Travel"),
    "recover": Text("Recover"),
    "campaign": Text("Campaign"),
    "exile": Text("exiling a Citizen"),
    "any": Text("any action"),
}
SIDE = {
    "attacker": Text("attackers only"),
    "defender": Text("defenders only"),
    "both": Text("attackers and defenders"),
}


def says(text: str) -> Text:
    """A statement out of the data files; those are not translated."""
    return Text("{text}", text=text)


def effect_of(card: str) -> Text:
    """What a world card does, in one statement."""
    if card in DENIZENS:
        return says(DENIZENS[card].effect)
    vision = VISIONS[card]
    if vision.effect:
        return says(vision.effect)
    return Text("Its goal is met by an Exile who {goal}.", goal=vision.goal)


def cost_words(cost: Cost) -> tuple[Text, ...]:
    """What a power asks (O-8.2)."""
    found = []
    if cost.favor:
        found.append(Text("{n} favor on the card", n=cost.favor))
    if cost.secret:
        found.append(Text("{n} secret on the card", "{n} secrets on the card", n=cost.secret))
    if cost.burn_favor:
        found.append(Text("{n} favor burned", n=cost.burn_favor))
    if cost.burn_secret:
        found.append(Text("{n} secret burned", "{n} secrets burned", n=cost.burn_secret))
    return tuple(found)


def _power(kinds: tuple[str, ...], modifies: tuple[str, ...], side: str, cost: Cost) -> list[Text]:
    """Its kind, what it changes, who may use it, what it costs."""
    lines = [Text("Power: {kinds}.", kinds=tuple(KIND[k] for k in kinds))]
    changed = tuple(ACTION[m] for m in modifies)
    if changed:
        lines.append(Text("It belongs to: {actions}.", actions=changed))
    if side in SIDE:
        lines.append(Text("For {side}.", side=SIDE[side]))
    asks = cost_words(cost)
    lines.append(Text("Cost: {cost}.", cost=asks) if asks else Text("It costs nothing."))
    return lines


def _unwritten(id: str) -> list[Text]:
    """The Scepter's power is two minor actions that are there without it (O-7)."""
    return [] if id in POWERS or id == SCEPTER else [Text("The program does not carry out this power yet.")]


def denizen(card: DenizenPrint) -> tuple[Text, ...]:
    """A denizen: suit, kind, cost, restriction, effect, published answers."""
    lines = [Text("Denizen number {n}, {suit}.", n=card.number, suit=words.SUIT[card.suit])]
    lines += _power(card.kinds, card.modifies, card.side, card.cost)
    if card.restriction == "site_only":
        lines.append(Text("It may lie at a site only (O-8.8)."))
    if card.restriction == "adviser_only":
        lines.append(Text("It may be an adviser only (O-8.8)."))
    if card.locked:
        lines.append(Text("Face up it is locked: no discard, move or swap touches it (O-8.8)."))
    lines.append(says(card.effect))
    lines += [Text("Ruling: {text}", text=text) for text in card.rulings]
    return (*lines, *_unwritten(card.id))


def site(printed: SitePrint) -> tuple[Text, ...]:
    """A site: room, reveal prompt, cost of a relic, power."""
    lines = [_room(printed.capacity), _revealed(printed)]
    if printed.recover is not None:
        lines.append(Text("A relic here costs {cost} (O-5.5.1).", cost=_recover(printed.recover)))
    if printed.power:
        lines.append(says(printed.power))
    return (*lines, *([Text("Ruling: {text}", text=printed.note)] if printed.note else []))


def _room(capacity: int) -> Text:
    if not capacity:
        return Text("Site without room for cards.")
    return Text("Site with room for {n} card.", "Site with room for {n} cards.", n=capacity)


def _revealed(printed: SitePrint) -> Text:
    """What is put there when it is turned up (O-5.6)."""
    lying = words.tokens(printed.favor, printed.secrets, printed.relics)
    return Text("When it is turned up it gets {those}.", those=lying)


def _recover(cost: RecoverCost) -> Text:
    if cost.kind == "favor_to_bank":
        return Text("{n} favor to the {suit} bank", n=cost.amount, suit=words.SUIT[cost.suit])
    if cost.kind == "burn_favor":
        return Text("{n} favor burned", n=cost.amount)
    return Text("{n} secret burned", "{n} secrets burned", n=cost.amount)


def relic(printed: RelicPrint) -> tuple[Text, ...]:
    """A relic: defense, kind, cost, power."""
    lines = [
        Text(
            "Relic, {n} defense die as a target.", "Relic, {n} defense dice as a target.", n=printed.defense
        ),
        *_power(printed.kind, printed.modifies, printed.side, printed.cost),
        says(printed.power),
    ]
    lines += [Text("Ruling: {text}", text=printed.note)] if printed.note else []
    return (*lines, *_unwritten(printed.id))


def edifice(id: str, side: EdificeSide, *, ruined: bool) -> tuple[Text, ...]:
    """One side of an edifice."""
    printed = EDIFICES[id]
    other = printed.intact if ruined else printed.ruined
    if ruined:
        lines = [Text("Ruin, without a suit; intact it is {name}.", name=other.name)]
    else:
        suit = words.SUIT[printed.suit]
        lines = [Text("Edifice, {suit}; in ruins it is {name}.", suit=suit, name=other.name)]
    lines += _power((side.kind,), side.modifies, side.side, side.cost)
    lines.append(says(side.power))
    lines += [Text("Ruling: {text}", text=side.note)] if side.note else []
    return (*lines, *_unwritten(f"{id}_ruined" if ruined else id))


def vision(printed: VisionPrint) -> tuple[Text, ...]:
    """A Vision: its goal, or the Conspiracy's effect."""
    if not printed.goal:
        return (Text("Vision without a goal (O-11.4)."), says(printed.effect))
    return (
        Text("Vision: an Exile who has revealed it wins in their Wake if they meet its goal (O-11)."),
        effect_of(printed.id),
        Text("At least three Visions must have been drawn from the world deck (O-11.1)."),
    )


def oath(printed: OathPrint) -> tuple[Text, ...]:
    """An oath: who keeps it, who succeeds."""
    return (
        Text("The Oathkeeper is who {goal} (O-10.1).", goal=printed.keeper),
        Text("The Successor is the Citizen who {goal}.", goal=printed.successor),
    )


def everything() -> list[tuple[str, tuple[str, ...], tuple[Text, ...]]]:
    """Id, names, and lines of each printed thing."""
    found: list[tuple[str, tuple[str, ...], tuple[Text, ...]]] = []
    found += [(d.id, (d.name,), denizen(d)) for d in DENIZENS.values()]
    found += [(s.id, (s.name, *s.aliases), site(s)) for s in SITES.values()]
    found += [(r.id, (r.name, *r.aliases), relic(r)) for r in RELICS.values()]
    for e in EDIFICES.values():
        found.append((e.id, (e.intact.name, *e.intact.aliases), edifice(e.id, e.intact, ruined=False)))
        names = (e.ruined.name, *e.ruined.aliases)
        found.append((f"{e.id}_ruined", names, edifice(e.id, e.ruined, ruined=True)))
    found += [(v.id, (v.name, *v.aliases), vision(v)) for v in VISIONS.values()]
    found += [(o.id, (o.name,), oath(o)) for o in OATHS.values()]
    return found
