"""Who sent a mail, and what is done where that is in doubt: the table of signals, codes, addresses (D-19)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem.config import Mail
from pbem.joining import BadGame, Invitation
from pbem.mail.tokens import Purpose
from pbem.store.inbox import State

from .table import Letter, PbemTable

SERVER = "mx.pbem.example.org"


@pytest.fixture
def table(tmp_path: Path) -> Iterator[PbemTable]:
    """A table at a mail server that says what it found out about senders."""
    table = PbemTable(tmp_path, mail=Mail(source="imap", authserv_id=SERVER))
    table.begun("Ana", "Ben", moderators=["Dora"])
    yield table
    table.close()


def judged(raw: bytes, dmarc: str, server: str = SERVER) -> bytes:
    """A mail with what a server wrote above it."""
    return f"Authentication-Results: {server}; dmarc={dmarc} header.from=example.org\r\n".encode() + raw


def code(letter: Letter) -> str:
    found = re.search(r"[a-z2-9]{4}-[a-z2-9]{4}", letter.flat)
    assert found is not None, letter.text
    return found[0]


def play_until(table: PbemTable, who: str) -> None:
    """The others place their citizens until somebody is asked again."""
    while (asked := table.asked()[0]) != who:
        table.writes(asked, "1", to=table.letters(asked)[-1])


def other(table: PbemTable) -> str:
    return next(p for p in ("Ana", "Ben") if p not in table.asked())


# the table of signals


@pytest.mark.parametrize("dmarc", ["pass", "none", None])
def test_a_right_token_from_the_registered_address_is_applied(table: PbemTable, dmarc: str | None) -> None:
    who = table.asked()[0]
    raw = table.answer(who, "palace 1")
    assert table.mail(judged(raw, dmarc) if dmarc else raw).reason == "changed"


def test_a_right_token_whose_sender_is_forged_is_held(table: PbemTable) -> None:
    who = table.asked()[0]
    filed = table.mail(judged(table.answer(who, "palace 1"), "fail"))
    assert filed.state is State.HELD
    assert table.asked() == [who]
    assert "was not sent from there" in table.last(who, "code").flat
    assert "always" not in table.last(who, "code").flat


def test_what_another_server_says_is_not_believed(table: PbemTable) -> None:
    who = table.asked()[0]
    raw = judged(table.fresh(f"{who.lower()}@example.org", "palace 1"), "pass", "mx.evil.example")
    assert table.mail(raw).state is State.HELD
    assert table.asked() == [who]


def test_a_right_token_from_elsewhere_is_held_and_a_code_releases_it(table: PbemTable) -> None:
    who = table.asked()[0]
    before = len(table.letters(who))
    filed = table.writes(who, "palace 1", From="somebody@elsewhere.example")
    assert filed.state is State.HELD
    assert table.asked() == [who]
    asking = table.last(who, "code")
    assert len(table.letters(who)) == before + 1
    assert "somebody@elsewhere.example" in asking.flat
    assert table.letters("somebody") == []
    assert "mailto:pbem@pbem.example.org?subject=code%20" in asking.html
    released = table.writes(who, f"code {code(asking)}", to=asking)
    assert released.reason.startswith("released mail")
    assert table.asked() != [who]
    assert "palace 1: done" in table.last(who, "receipt").text
    row = table.app.store.one(
        "select state, reason from inbox where id = (select inbox from answer where by='mail')"
    )
    assert row is not None
    assert tuple(row) == ("applied", "changed")


def test_a_code_works_once_and_for_a_day(table: PbemTable) -> None:
    who = table.asked()[0]
    table.writes(who, "palace 1", From="x@elsewhere.example")
    asking = table.last(who, "code")
    table.clock.on(hours=24)
    assert table.writes(who, f"code {code(asking)}", to=asking).reason == "used or too old"
    assert "older than a day" in table.last(who, "receipt").flat
    assert table.asked() == [who]
    digest = table.letters(who, "digest")[-1]
    table.writes(who, "palace 1", to=digest, From="x@elsewhere.example")
    again = table.last(who, "code")
    table.writes(who, f"code {code(again)}", to=again)
    table.writes(who, f"Code: {code(again).upper()}", to=again)
    assert "used already" in table.last(who, "receipt").flat


def test_whoever_says_it_was_not_them_releases_nothing(table: PbemTable) -> None:
    who = table.asked()[0]
    table.writes(who, "palace 1", From="x@elsewhere.example")
    asking = table.last(who, "code")
    filed = table.writes(who, "That was not me!", to=asking)
    assert filed.kind != "code"
    assert table.asked() == [who]


def test_always_makes_the_other_address_theirs(table: PbemTable) -> None:
    who = table.asked()[0]
    table.writes(who, "palace 1", From="work@elsewhere.example")
    asking = table.last(who, "code")
    table.writes(who, f"code {code(asking)} always", to=asking, From="work@elsewhere.example")
    play_until(table, who)
    assert table.writes(who, "1", From="Work@Elsewhere.example").reason == "changed"


def test_forged_mails_do_not_fill_a_mailbox_with_codes(table: PbemTable) -> None:
    who = table.asked()[0]
    digest = table.letters(who, "digest")[-1]
    for n in range(8):
        table.writes(who, "palace 1", to=digest, From=f"x{n}@elsewhere.example")
    assert len(table.letters(who, "code")) == 3
    assert table.asked() == [who]


def test_without_a_token_the_server_must_vouch_for_the_sender(table: PbemTable) -> None:
    who = table.asked()[0]
    raw = table.fresh(f"{who} <{who.lower()}@example.org>", "palace 1")
    assert table.mail(raw).state is State.HELD
    asking = table.last(who, "code")
    assert "nothing in it that shows" in asking.flat
    assert table.asked() == [who]
    filed = table.mail(judged(table.fresh(f"{who.lower()}@example.org", "palace 1"), "pass"))
    assert (filed.kind, filed.reason) == ("orders", "changed")
    table.writes(who, f"code {code(asking)}", to=asking)
    assert "palace 1: done" not in table.last(who, "receipt").text  # the question is answered already (D-22)


def test_a_code_may_come_in_a_mail_that_has_lost_every_token(table: PbemTable) -> None:
    who = table.asked()[0]
    table.mail(table.fresh(f"{who.lower()}@example.org", "palace 1"))
    released = table.mail(table.fresh(f"{who.lower()}@example.org", f"code {code(table.last(who, 'code'))}"))
    assert released.reason.startswith("released")
    assert table.asked() != [who]


def test_a_stranger_is_helped_once_a_day_and_only_if_genuine(table: PbemTable) -> None:
    stranger = "Eve <eve@example.org>"
    assert table.mail(table.fresh(stranger, "palace 1")).kind == "stranger"
    assert table.letters("Eve") == []
    for _ in range(3):
        table.mail(judged(table.fresh(stranger, "palace 1"), "pass"))
    assert len(table.letters("Eve")) == 1
    assert "I do not know this address" in table.last("Eve").flat


def test_robots_with_ever_new_names_soon_hear_nothing(table: PbemTable) -> None:
    for n in range(30):
        table.mail(judged(table.fresh(f"ticket{n}@robots.example", f"Ticket {n} was opened"), "pass"))
    row = table.app.store.one("select count(*) from outbox where kind = 'stranger'")
    assert row is not None
    assert row[0] == 5


def test_another_seats_token_applies_nothing_and_tells_its_owner(table: PbemTable) -> None:
    who, thief = table.asked()[0], other(table)
    digest = table.letters(who, "digest")[-1]
    filed = table.writes(thief, "palace 1", to=digest)
    assert filed.state is State.HELD
    assert table.asked() == [who]
    assert f"{thief.lower()}@example.org" in table.last(who, "code").flat


def test_a_spoilt_token_is_refused_and_the_known_sender_told_once(table: PbemTable) -> None:
    who = table.asked()[0]
    digest = table.letters(who, "digest")[-1]
    address = str(digest.message["reply-to"])
    token = re.search(r"\+([a-z2-7]{36})@", address)
    assert token is not None
    forged = address.replace(token[1], token[1][:-3] + "aaa")
    for _ in range(2):
        filed = table.mail(table.fresh(f"{who.lower()}@example.org", "palace 1", to=forged))
        assert filed.kind == "refused"
    assert len(table.letters(who, "refused")) == 1
    assert table.asked() == [who]


def test_answers_go_to_the_registered_address_whatever_reply_to_says(table: PbemTable) -> None:
    who = table.asked()[0]
    raw = table.answer(who, "palace 1")
    table.mail(b"Reply-To: elsewhere@evil.example\r\n" + raw)
    assert table.last(who, "receipt")
    assert not table.app.store.all("select 1 from outbox where recipient like '%evil%'")


# keys and substitutions


def test_letters_under_an_older_key_are_good_until_it_is_retired(table: PbemTable) -> None:
    who = table.asked()[0]
    digest = table.letters(who, "digest")[-1]
    table.app.writer.rotate_key()
    assert table.writes(who, "palace 1", to=digest).reason == "changed"
    play_until(table, who)
    newest = table.last(who)
    assert table.app.writer.retire_keys() == 1
    assert table.writes(who, "1", to=digest).kind == "refused"
    assert table.asked() == [who]
    assert table.writes(who, "1", to=newest).reason == "changed"


def test_a_key_that_another_process_made_is_believed_at_once(table: PbemTable) -> None:
    who = table.asked()[0]
    before = table.app.writer.tokens
    with table.app.store.tx():
        table.app.store.keep("key.1", b"x" * 32)
    assert table.writes(who, "palace 1").reason == "changed"
    assert table.app.writer.tokens is not before


def test_a_token_dies_when_its_seat_goes_to_somebody_else(tmp_path: Path) -> None:
    table = PbemTable(tmp_path, mail=Mail(source="imap", authserv_id=SERVER))
    table.new("Ana", "Ben", moderators=["Dora"])
    old = table.last("Ben")
    table.writes("Dora", "replace ben by Carla <carla@example.org>")
    assert table.writes("Ben", "join", to=old).kind == "refused"
    assert table.writes("Carla", "join").reason == "invitation"
    table.close()


def test_a_token_of_another_purpose_is_worth_nothing(table: PbemTable) -> None:
    who = table.asked()[0]
    person = table.app.people.at(f"{who.lower()}@example.org")[0]
    stop = table.app.writer.tokens.make(1, 1, person.id, Purpose.BOUNCE)
    raw = table.fresh(f"{who.lower()}@example.org", "palace 1", to=f"pbem+{stop}@pbem.example.org")
    assert table.mail(raw).state is State.HELD
    assert table.asked() == [who]


# several addresses a person


def test_a_new_address_is_asked_before_letters_go_there(table: PbemTable) -> None:
    who = table.asked()[0]
    digest = table.letters(who, "digest")[-1]
    table.writes(who, "address new.home@elsewhere.example")
    assert "A letter went to new.home@elsewhere.example" in table.last(who, "receipt").flat
    row = table.app.store.one("select raw from outbox where recipient = 'new.home@elsewhere.example'")
    assert row is not None
    asking = Letter(bytes(row["raw"]))
    assert "the word code" in asking.flat
    assert "Troyes" not in asking.text
    table.mail(table.answer(who, f"code {code(asking)}", asking, From="new.home@elsewhere.example"))
    assert "From now on letters go to new.home@elsewhere.example" in table.last(who).flat
    table.writes(who, "palace 1", to=digest)
    row = table.app.store.one("select recipient from outbox where kind = 'receipt' order by id desc limit 1")
    assert row is not None
    assert row["recipient"] == "new.home@elsewhere.example"


def test_addresses_can_be_added_shown_and_taken_away(table: PbemTable) -> None:
    who = table.asked()[0]
    main = f"{who.lower()}@example.org"
    digest = table.letters(who, "digest")[-1]
    table.writes(who, "address also work@elsewhere.example")
    asking = Letter(bytes(table.app.store.all("select raw from outbox where kind = 'code'")[-1]["raw"]))
    table.mail(table.fresh("work@elsewhere.example", f"code {code(asking)}"))
    table.clock.on(minutes=5)
    table.writes(who, "address", to=digest)
    assert f"Letters go to {main}" in table.last(who).flat
    assert "work@elsewhere.example" in table.last(who).flat
    assert table.writes(who, "palace 1", to=digest, From="work@elsewhere.example").reason == "changed"
    table.clock.on(minutes=5)
    table.writes(who, "address not work@elsewhere.example", to=digest)
    assert "is no longer yours here" in table.last(who).flat
    table.clock.on(minutes=5)
    table.writes(who, f"address not {main}", to=digest)
    assert "Name another one first" in table.last(who).flat
    assert table.writes(who, "status", to=digest, From="work@elsewhere.example").state is State.HELD


def test_what_is_no_address_is_explained(table: PbemTable) -> None:
    who = table.asked()[0]
    table.writes(who, "address my work")
    assert "is no address" in table.last(who).flat
    assert "address also work@example.org" in table.last(who).flat


# several persons an address


def test_two_seats_share_a_mailbox_only_with_leave_and_everybody_is_told(table: PbemTable) -> None:
    seats = ["Eva <family@example.org>", "Tom <family@example.org>", "Ana <ana@example.org>"]
    rules = table.game().rules
    with pytest.raises(BadGame, match="--shared"):
        table.app.new(Invitation(rules, "Home", seats))
    game = table.app.new(Invitation(rules, "Home", seats, shared=True))
    assert "Eva and Tom share one mailbox" in table.last("Ana", "invitation").flat
    letters = table.letters("Family", "invitation")
    assert len(letters) == 2
    for letter in letters:
        table.mail(table.answer("Family", "join", letter))
    table.writes("Ana", "join", to=table.last("Ana", "invitation"))
    assert table.app.games.get(game.id).state == "playing"
    asked = table.asked_in("Home")
    persons = {s.name: s.person for s in table.app.games.seats(game.id)}
    assert len(set(persons.values())) == 3
    assert asked


def test_without_a_token_a_shared_mailbox_must_say_who_writes(table: PbemTable) -> None:
    seats = ["Eva <family@example.org>", "Tom <family@example.org>"]
    table.app.new(Invitation(table.game().rules, "Home", seats, shared=True))
    filed = table.mail(judged(table.fresh("family@example.org", "join"), "pass"))
    assert filed.reason == "which game?"
    assert "Eva and Tom share this mailbox" in table.last("Family").flat


def test_the_same_person_under_their_bare_address_is_one(table: PbemTable) -> None:
    people = table.app.people
    with table.app.store.tx():
        known = people.register("Ana", "ANA@example.org", "en", "UTC", table.clock.at)
        silva = people.register("Ana Silva", "silva@example.org", "en", "UTC", table.clock.at)
        bare = people.register("Silva", "silva@example.org", "en", "UTC", table.clock.at)
        sister = people.register("Rita", "silva@example.org", "en", "UTC", table.clock.at)
    assert known.id == people.at("ana@example.org")[0].id
    assert bare.id == silva.id
    assert sister.id != silva.id


# time zones


def test_zone_changes_how_times_are_told(table: PbemTable) -> None:
    who = table.asked()[0]
    table.writes(who, "zone tokyo")
    assert "zone Asia/Tokyo" in table.last(who).flat
    table.writes(who, "zone Asia/Tokyo")
    assert "told in the zone Asia/Tokyo" in table.last(who).flat
    table.writes(who, "resend")
    assert "Asia/Tokyo time" in table.last(who).flat
    table.writes(who, "zone Europe/Lisbon\nresend")
    assert "Europe/Lisbon time" in table.last(who).flat


def test_moderators_settle_their_own_things_too(table: PbemTable) -> None:
    table.writes("Dora", "zone Europe/Lisbon")
    assert "told in the zone Europe/Lisbon" in table.last("Dora").flat
