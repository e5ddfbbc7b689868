"""A Campaign as it is told (O-6)."""

from __future__ import annotations

from collections.abc import Sequence

from ..core.facts import Fact
from ..core.text import Text
from . import words

BANDITS = Text("the bandits")


def who(name: str) -> Text:
    """A player, or the bandits where no name is given."""
    return Text("{who}", who=name) if name else BANDITS


class CampaignDeclared(Fact, frozen=True):
    """O-6.1, O-6.2: who attacks whom; `targets`: ids of things, or a name for pawn and favor."""

    who: str
    against: str
    """Empty: the bandits."""
    targets: tuple[str, ...]
    pawn: bool
    """Whether the defender's pawn and favor are a target."""
    dice: int

    def told_to(self, seat: str | None) -> Text:
        targets = [words.thing(t) for t in self.targets]
        if self.pawn:
            targets.append(Text("the pawn of {who}", who=self.against))
        return Text(
            "{who} campaigns against {against} with {n} attack die. Targets: {targets}.",
            "{who} campaigns against {against} with {n} attack dice. Targets: {targets}.",
            who=self.who,
            against=who(self.against),
            targets=tuple(targets),
            n=self.dice,
        )


class PoolsCollected(Fact, frozen=True):
    """O-6.2: both pools before battle plans."""

    attack: int
    defense: int

    def told_to(self, seat: str | None) -> Text:
        return Text(
            "Before battle plans: attack dice {attack}, defense dice {defense}.",
            attack=self.attack,
            defense=self.defense,
        )


class SecretsTurned(Fact, frozen=True):
    """Secrets were turned face down on their board (The Hidden Place)."""

    who: str
    n: int

    def told_to(self, seat: str | None) -> Text:
        return Text(
            "{who} turns {n} secret face down.", "{who} turns {n} secrets face down.", who=self.who, n=self.n
        )


class Joined(Fact, frozen=True):
    """O-6.3: an Imperial player joins the defense."""

    who: str
    defender: str

    def told_to(self, seat: str | None) -> Text:
        return Text("{who} joins the defense of {defender}.", who=self.who, defender=self.defender)


class StayedOut(Fact, frozen=True):
    """O-6.3.2: a Citizen who could have joined does not; `refused`: the defender did not want it."""

    who: str
    defender: str
    refused: bool

    def told_to(self, seat: str | None) -> Text:
        if self.refused:
            return Text(
                "{defender} does not let {who} join the defense.", who=self.who, defender=self.defender
            )
        return Text("{who} does not join the defense of {defender}.", who=self.who, defender=self.defender)


class PlanUsed(Fact, frozen=True):
    """O-6.4: a battle plan; `who` is empty for the bandits."""

    who: str
    card: str

    def told_to(self, seat: str | None) -> Text:
        if not self.who:
            return Text("The bandits use {card}.", card=words.thing(self.card))
        return Text("{who} uses {card}.", who=self.who, card=words.thing(self.card))


class PlanLapsed(Fact, frozen=True):
    """O-6.4.4: a plan that was named cannot be used any more, because another one came first."""

    who: str
    card: str

    def told_to(self, seat: str | None) -> Text:
        return Text("{who} cannot use {card} any more.", who=self.who, card=words.thing(self.card))


class PoolsFinal(Fact, frozen=True):
    """O-6.4.6: both pools as they are rolled."""

    attack: int
    defense: int

    def told_to(self, seat: str | None) -> Text:
        return Text(
            "Attack dice {attack}, defense dice {defense} are rolled.",
            attack=self.attack,
            defense=self.defense,
        )


FACE = {
    "hollow": Text("a hollow sword"),
    "sword": Text("a sword"),
    "skull": Text("two swords with a skull"),
    "blank": Text("a blank"),
    "shield": Text("a shield"),
    "two shields": Text("two shields"),
    "times two": Text("a doubling"),
}
"""The faces of both dice (O-6.5)."""


def faces(rolled: Sequence[str]) -> tuple[Text, ...]:
    """The faces of a roll as a list, equal ones counted."""
    counts: dict[str, int] = {}
    for face in rolled:
        counts[face] = counts.get(face, 0) + 1
    return tuple(
        FACE[f] if counts[f] == 1 else Text("{n} times {face}", n=counts[f], face=FACE[f])
        for f in FACE
        if f in counts
    )


class DefenseRolled(Fact, frozen=True):
    """O-6.6: what the defense rolled, and its total."""

    faces: tuple[str, ...]
    shields: int
    force: int
    """Warbands, or bandits."""
    total: int

    def told_to(self, seat: str | None) -> Text:
        return Text(
            "The defense rolls {faces}: {shields} for shields and {force} for its force make {total}.",
            faces=faces(self.faces),
            shields=self.shields,
            force=self.force,
            total=self.total,
        )


class AttackRolled(Fact, frozen=True):
    """O-6.7.2: what the attacker rolled, and what it is worth."""

    who: str
    faces: tuple[str, ...]
    total: int

    def told_to(self, seat: str | None) -> Text:
        return Text(
            "{who} rolls {faces}: an attack of {total}.",
            who=self.who,
            faces=faces(self.faces),
            total=self.total,
        )


class RolledAgain(Fact, frozen=True):
    """All dice of a roll were rolled again."""

    who: str
    before: tuple[str, ...]

    def told_to(self, seat: str | None) -> Text:
        return Text(
            "{who} had rolled {faces}, and rolls them all again.", who=self.who, faces=faces(self.before)
        )


class Sacrificed(Fact, frozen=True):
    """O-6.7.4: warbands given for the attack."""

    who: str
    n: int
    total: int

    def told_to(self, seat: str | None) -> Text:
        return Text(
            "{who} sacrifices {n} warband: an attack of {total}.",
            "{who} sacrifices {n} warbands: an attack of {total}.",
            who=self.who,
            total=self.total,
            n=self.n,
        )


class CampaignDecided(Fact, frozen=True):
    """O-6.7.3: who has won; `by_roll`: the totals decided it."""

    who: str
    against: str
    won: bool
    attack: int
    defense: int
    by_roll: bool

    def told_to(self, seat: str | None) -> Text:
        against = who(self.against)
        totals = {"attack": self.attack, "defense": self.defense}
        if self.won and self.by_roll:
            return Text(
                "{who} wins against {against}, {attack} to {defense}.",
                who=self.who,
                against=against,
                **totals,
            )
        if self.by_roll:
            return Text(
                "{who} is defeated by {against}, {attack} to {defense}.",
                who=self.who,
                against=against,
                **totals,
            )
        if self.won:
            return Text("{who} wins against {against} without a roll.", who=self.who, against=against)
        return Text("{who} is defeated by {against} without a roll.", who=self.who, against=against)


class ForceReturned(Fact, frozen=True):
    """O-6.8.2: survivors of a defeated force come home."""

    who: str
    n: int
    site: str

    def told_to(self, seat: str | None) -> Text:
        return Text(
            "{n} warband of {who} returns from {site} to the board.",
            "{n} warbands of {who} return from {site} to the board.",
            who=self.who,
            site=self.site,
            n=self.n,
        )


class WarbandsSaved(Fact, frozen=True):
    """Warbands that would have died are set aside."""

    who: str
    n: int

    def told_to(self, seat: str | None) -> Text:
        return Text(
            "{n} warband of {who} is set aside instead.",
            "{n} warbands of {who} are set aside instead.",
            who=self.who,
            n=self.n,
        )


class Banished(Fact, frozen=True):
    """O-6.9.3: a pawn is made to travel; or its player does not pay what the way asks."""

    who: str
    by: str
    refused: bool = False

    def told_to(self, seat: str | None) -> Text:
        if self.refused:
            return Text("{who} does not pay what the way asks and stays.", who=self.who)
        return Text("{by} banishes {who}.", who=self.who, by=self.by)
