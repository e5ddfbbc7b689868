"""What a person may settle for themself by mail: addresses, time zone, whether letters come (D-29)."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from difflib import get_close_matches
from zoneinfo import available_timezones

from .engine.core.text import Text
from .holding import Holding
from .mail.headers import same_form
from .orders import Command, Verb
from .people import ADDRESS, People, Person
from .proofs import Kind, Proof
from .reach import Reach
from .writing import Cause

PERSONAL = (Verb.ADDRESS, Verb.ZONE, Verb.STOP, Verb.START)
"""The words that are read here, from players and moderators alike."""
_ALSO = ("also", "tambem", "também")
_NOT = ("not", "no", "nao", "não")


@dataclass(frozen=True, slots=True)
class Settled:
    """What came of one line."""

    said: Text
    good: bool = True
    instead: tuple[Text, ...] = ()


class Personal:
    """Carries out such lines, inside the caller's transaction; their writer is known for sure."""

    def __init__(self, people: People, reach: Reach, holding: Holding) -> None:
        self.people = people
        self.reach = reach
        self.holding = holding

    def settle(self, person: Person, own: Command, cause: Cause, now: datetime) -> Settled:
        """Do one line; what cannot be done says why and what to write instead."""
        match own.verb:
            case Verb.STOP:
                self.reach.stop(person, cause, now)
                return Settled(
                    Text("You get no more mail from this table, except answers. Write start to get it again.")
                )
            case Verb.START:
                self.people.stop(person.id, False)
                return Settled(Text("You get mail again."))
            case Verb.ZONE:
                return self._zone(person, own.rest)
        return self._address(person, own.rest, cause, now)

    def _zone(self, person: Person, name: str) -> Settled:
        if not name:
            return Settled(Text("Your times are told in the zone {zone}.", zone=person.zone))
        zones = {z.casefold(): z for z in available_timezones()}
        found = zones.get(name.casefold().replace(" ", "_"))
        if found is None:
            places: Mapping[str, str] = {z.rpartition("/")[2]: full for z, full in zones.items()}
            near = [places[n] for n in get_close_matches(name.casefold().replace(" ", "_"), places, 3, 0.6)]
            why = Text("NOT DONE: I know no time zone “{name}”.", name=name[:60])
            instead = tuple(Text("zone {name}", name=z) for z in near) or (Text("zone Europe/Lisbon"),)
            return Settled(why, False, instead)
        self.people.in_zone(person.id, found)
        return Settled(Text("From now on your times are told in the zone {zone}.", zone=found))

    # addresses

    def _address(self, person: Person, rest: str, cause: Cause, now: datetime) -> Settled:
        """`address`, `address new@example.org`, `address also work@example.org`, `address not work@example.org`."""
        if not rest:
            theirs = tuple(self.people.addresses(person.id))
            return Settled(
                Text("Letters go to {main}. You may write from: {all}.", main=person.address, all=theirs)
            )
        first, _, more = rest.partition(" ")
        word = first.casefold()
        address = (more if word in (*_ALSO, *_NOT) else rest).strip(" <>").removeprefix("mailto:")
        if not ADDRESS.fullmatch(address):
            return Settled(
                Text("NOT DONE: “{text}” is no address.", text=address[:80]),
                False,
                (Text("address new@example.org"), Text("address also work@example.org")),
            )
        if word in _NOT:
            return self._no_longer(person, address)
        return self._confirm(person, address, Kind.ALIAS if word in _ALSO else Kind.ADDRESS, cause, now)

    def _no_longer(self, person: Person, address: str) -> Settled:
        if self.people.may_not_write_from(person.id, address):
            return Settled(Text("{address} is no longer yours here.", address=address))
        if same_form(address) == same_form(person.address):
            why = Text("NOT DONE: letters go to {address}. Name another one first.", address=address)
            return Settled(why, False, (Text("address new@example.org"),))
        theirs = tuple(self.people.addresses(person.id))
        return Settled(
            Text("NOT DONE: {address} is not one of yours: {all}.", address=address, all=theirs), False
        )

    def _confirm(self, person: Person, address: str, kind: Kind, cause: Cause, now: datetime) -> Settled:
        """The new address must answer too (D-29): this mail proves the old one, a code the new one."""
        known = any(same_form(a) == same_form(address) for a in self.people.addresses(person.id))
        if known and kind is Kind.ALIAS:
            return Settled(Text("You may write from {address} already.", address=address))
        if known:
            self.people.move(person.id, address, now)
            return Settled(Text("From now on letters go to {address}.", address=address))
        proof = self.holding.proofs.make(person.id, kind, address, now)
        if proof is None:
            return Settled(
                Text("NOT DONE: you named several addresses today; please try again tomorrow."), False
            )
        there = dataclasses.replace(person, address=address)
        lines = (
            Text("{who} asked that this address be used for games that are played by mail.", who=person.name),
            Text(
                "If it is yours, answer this letter within 24 hours: the word code, and behind it {code}.",
                code=proof.shown,
            ),
            Text("If you know nothing of this, do nothing."),
        )
        self.holding.ask(there, proof, Text("Is this your address?"), lines, Cause(f"{cause.name}.a"), now)
        return Settled(
            Text(
                "A letter went to {address}. As soon as it is answered, the address is yours here.",
                address=address,
            )
        )

    def confirmed(self, person: Person, proof: Proof, cause: Cause, now: datetime) -> None:
        """The new address has answered; the old one is told."""
        address = proof.subject
        if proof.kind is Kind.ADDRESS:
            self.people.move(person.id, address, now)
            told = Text(
                "From now on letters go to {address}. You may still write from the old address.",
                address=address,
            )
        else:
            self.people.may_write_from(person.id, address, now)
            told = Text(
                "From now on you may also write from {address}. Letters go where they went.", address=address
            )
        warn = Text("If this was not you, write to your moderator at once.")
        notice = self.holding.writer.notice
        notice(person, None, Text("Your addresses"), (told, warn), cause, now, kind="receipt")
        if proof.kind is Kind.ADDRESS:
            moved = self.people.get(person.id)
            notice(moved, None, Text("Your addresses"), (told,), cause, now, kind="receipt")
