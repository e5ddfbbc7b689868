"""Mails whose sender is in doubt: held until a code comes back, refused, or helped with one line a day."""

from __future__ import annotations

from datetime import datetime, timedelta
from urllib.parse import quote

from .config import Config
from .engine.core.text import Text
from .mail.identify import Identity
from .people import Person
from .proofs import Kind, Proof, Proofs
from .store.db import Store, stamp
from .store.inbox import Claimed, Filed, State
from .writing import Cause, Writer

STRANGERS_A_DAY = 50
"""Lines of help to unknown addresses in a day, all together."""
OF_ONE_DOMAIN = 5
"""Of these, to addresses of one domain: robots with ever new names shall not keep us busy."""


class Holding:
    """What becomes of such mails, inside the caller's transaction. No letter here holds anything of a game."""

    def __init__(self, store: Store, writer: Writer, config: Config) -> None:
        self.store = store
        self.writer = writer
        self.config = config
        self.proofs = Proofs(store)

    def hold(
        self, claimed: Claimed, identity: Identity, person: Person, cause: Cause, now: datetime
    ) -> Filed:
        """Nothing is applied; the registered address gets a code that releases the mail (D-19)."""
        game = identity.token.game if identity.token and identity.token.game else None
        reason, doubt = _doubt(identity)
        proof = self.proofs.make(person.id, Kind.MAIL, str(claimed.id), now)
        if proof is None:
            reason += "; no further code today"
        else:
            lines = (
                doubt,
                Text("Nothing of it was done yet."),
                _how(proof, identity),
                Text("If it was not you, do nothing: then nothing of it will ever be done."),
            )
            self.ask(person, proof, Text("Was this you?"), lines, Cause(cause.name, cause.inbox), now)
        return Filed("held", reason, State.HELD, game, person.id)

    def ask(
        self,
        person: Person,
        proof: Proof,
        headline: Text,
        lines: tuple[Text, ...],
        cause: Cause,
        now: datetime,
    ) -> None:
        """A letter with a code, and a link that writes the answer."""
        word = quote(f"code {proof.shown}")
        link = f"mailto:{self.config.mail.address}?subject={word}&body={word}"
        self.writer.notice(
            person, None, headline, lines, cause, now, kind="code", template="code", more={"link": link}
        )

    def refuse(self, identity: Identity, there: list[Person], cause: Cause, now: datetime) -> Filed:
        """A token that is not ours, or no longer: its known sender is told which letter to answer, once a day."""
        person = there[0] if there else None
        if person is not None and identity.dmarc != "fail" and not self.told_today(person.id, "refused", now):
            lines = (
                Text("Your mail answers a letter that is no longer valid. Nothing of it was done."),
                Text("Please answer the newest letter of your game."),
            )
            headline = Text("Please answer the newest letter")
            self.writer.notice(person, None, headline, lines, cause, now, kind="refused")
        why = "a token that is not ours, or no longer"
        return Filed("refused", why, State.HELD, person=person.id if person else None)

    def told_today(self, person: int, kind: str, now: datetime) -> bool:
        """Whether a person got a letter of this kind within a day."""
        row = self.store.one(
            "select 1 from outbox where person = ? and kind = ? and created > ? limit 1",
            *(person, kind, stamp(now - timedelta(days=1))),
        )
        return row is not None

    def stranger(self, identity: Identity, cause: Cause, now: datetime) -> Filed:
        """Somebody unknown: one line of help a day and address, and only where the address is not forged."""
        address = identity.sender
        genuine = identity.dmarc == "pass"
        if address and genuine and not self._helped_enough(address, now):
            table = self.config.table
            nobody = Person(0, "", address, table.language, table.zone, False)
            lines = (
                Text(
                    "I do not know this address. If you play here, please write from the address you were invited at."
                ),
                Text("From there you may also write: address also {address}", address=address[:80]),
            )
            self.writer.notice(nobody, None, Text("I do not know you"), lines, cause, now, kind="stranger")
        return Filed("stranger", state=State.HELD)

    def _helped_enough(self, address: str, now: datetime) -> bool:
        rows = self.store.all(
            "select recipient from outbox where person = 0 and kind = 'stranger' and created > ?",
            stamp(now - timedelta(days=1)),
        )
        helped = [r["recipient"].casefold() for r in rows]
        domain = "@" + address.casefold().rpartition("@")[2]
        return (
            address.casefold() in helped
            or len(helped) >= STRANGERS_A_DAY
            or sum(h.endswith(domain) for h in helped) >= OF_ONE_DOMAIN
        )


def _doubt(identity: Identity) -> tuple[str, Text]:
    """Why a mail is held: for the host, and for the person."""
    if identity.dmarc == "fail":
        return "the mail server takes the address for forged", Text(
            "A mail came under your address, but its mail server says that it was not sent from there."
        )
    if identity.token is not None:
        return "token and address disagree", Text(
            "A mail came that answers one of my letters to you, but from another address: {sender}.",
            sender=identity.sender[:80] or "…",
        )
    return "no token, and the server does not vouch for the address", Text(
        "A mail came from your address with nothing in it that shows that it is yours."
    )


def _how(proof: Proof, identity: Identity) -> Text:
    """What to answer; whoever writes from another address may let us know it for good."""
    if identity.token is not None and identity.dmarc != "fail":
        return Text(
            "If it was you, answer this letter within 24 hours: the word code, and behind it {code}. Then it is"
            " worked on. Write always behind that, and I know the other address as yours from now on.",
            code=proof.shown,
        )
    return Text(
        "If it was you, answer this letter within 24 hours: the word code, and behind it {code}. Then it is worked"
        " on.",
        code=proof.shown,
    )
