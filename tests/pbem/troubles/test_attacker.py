"""Somebody means harm: forged, replayed and poisoned mails, bombs; and what may not come of them."""

from __future__ import annotations

import base64
import io
import json
import re
import subprocess
import sys
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from pbem.store.inbox import State

from ..table import Letter, PbemTable
from .hand import PLAYERS, SEED, done, entity, head, multipart, not_done, opened, orders, post
from .test_troubles_h_secrets import secrets

ROOT = Path(__file__).resolve().parents[3]
OURS = frozenset(
    "from to reply-to subject date message-id in-reply-to references list-id list-unsubscribe auto-submitted"
    " x-auto-response-suppress x-pbem-kind x-pbem-digest mime-version content-type content-language"
    " content-transfer-encoding".split()
)
"""The headers that a letter of ours has."""
BARE: dict[str, str | None] = {"To": "pbem@pbem.example.org", "In_Reply_To": None, "References": None}
SECONDS, MEGABYTES = 5.0, 300


@pytest.fixture
def attacked(tmp_path: Path) -> Iterator[PbemTable]:
    """A table on a mailbox that all the world writes to; every letter of it is looked at in the end."""
    table = opened(tmp_path)
    table.begun(*PLAYERS, moderators=["Dora"], seed=SEED)
    yield table
    sound_letters(table)
    table.close()


def sound_letters(table: PbemTable) -> None:
    """No letter to anybody holds an injected header, another person's address, or what they may not know."""
    hidden = secrets(table)
    addresses = {p: f"{p.lower()}@example.org" for p in (*PLAYERS, "Dora")}
    for row in table.app.store.all("select recipient, sender, raw, kind from outbox"):
        raw = bytes(row["raw"])
        top, _, _ = raw.partition(b"\r\n\r\n")
        names = {m.decode().lower() for m in re.findall(rb"^([^\s:]+):", top, re.M)}
        assert names <= OURS, names - OURS
        assert b"\n" not in top.replace(b"\r\n", b"")
        assert b"\r" not in top.replace(b"\r\n", b"")
        letter = Letter(raw)
        said = str(letter.message) + letter.text + letter.html + letter.subject
        for person, address in addresses.items():
            mine = row["recipient"] == address
            # The owner of a token is told who has written with it; that address is the writer's own to show.
            assert mine or row["kind"] == "code" or address not in said, (
                person,
                row["recipient"],
                letter.subject,
            )
            assert mine or person not in hidden or hidden[person] not in letter.flat
        assert row["recipient"] in addresses.values()


# who writes


def test_a_forged_sender_without_a_token(attacked: PbemTable) -> None:
    filed = post(attacked, "Ana", "palace 1\r\n", None, **BARE)
    assert filed.state is State.HELD
    assert orders(attacked) == []


def one_letter_off(token: str) -> str:
    """Another signature; the last letter holds one bit alone, so it is not one of the last two."""
    return f"{token[:-8]}{'b' if token[-8] == 'a' else 'a'}{token[-7:]}"


@pytest.mark.parametrize("change", [one_letter_off, lambda t: "a" * 36, lambda t: t[::-1]])
def test_a_forged_sender_with_a_token_that_is_not_ours(
    attacked: PbemTable, change: Callable[[str], str]
) -> None:
    address = str(attacked.last("Ana").message["reply-to"])
    token = re.search(r"\+([a-z2-7]{36})@", address)
    assert token is not None
    filed = post(
        attacked, "Ana", "palace 1\r\n", None, **{**BARE, "To": address.replace(token[1], change(token[1]))}
    )
    assert filed.kind == "refused"
    assert orders(attacked) == []


@pytest.mark.parametrize(
    "sender", ["Ben <ben@example.org>", "Ana <ana@example.org>", "Eve <eve@evil.example>"]
)
def test_the_token_of_another_seat(attacked: PbemTable, sender: str) -> None:
    bens = attacked.last("Ben")
    filed = post(attacked, "Ben", "palace 1\r\n", bens, From=sender)
    if "ben@" not in sender:
        assert filed.state is State.HELD
    assert orders(attacked) == []


def test_a_sender_named_twice_or_hidden_in_a_name(attacked: PbemTable) -> None:
    for sender in (
        '"ana@example.org" <eve@evil.example>',
        "ana@example.org <eve@evil.example>",
        "Eve <eve@evil.example>, Ana <ana@example.org>",
        "=?utf-8?q?ana=40example.org=20=3Cana=40example.org=3E?= <eve@evil.example>",
    ):
        filed = post(attacked, "Ana", "palace 1\r\n", None, From=sender)
        assert filed.state is State.HELD, sender
    raw = (
        head(attacked, "Ana", None, From="Eve <eve@evil.example>")
        + b"From: ana@example.org\r\n\r\npalace 1\r\n"
    )
    assert attacked.mail(raw).state is State.HELD
    assert orders(attacked) == []


def test_forged_words_of_our_own_mail_server(attacked: PbemTable) -> None:
    vouched = "mx.example.org; dmarc=pass header.from=example.org"
    received = "from mx.evil.example by mx.evil.example; Tue, 1 Dec 2026 09:00:00 +0000"
    for lines in (
        f"Received: {received}\r\nAuthentication-Results: {vouched}\r\n",
        "Authentication-Results: mx.example.org.evil.example; dmarc=pass\r\n",
        f"Authentication-Results: (x) y; {vouched}\r\n",
        f"X-Authentication-Results: {vouched}\r\nAuthentication-Results: mx.example.org; spf=pass (dmarc=pass)\r\n",
        'Authentication-Results: mx.example.org; dkim=fail reason="; dmarc=pass"\r\n',
    ):
        filed = attacked.mail(lines.encode() + head(attacked, "Ana", None, **BARE) + b"\r\npalace 1\r\n")
        assert filed.state is State.HELD, lines
    assert orders(attacked) == []


# again


@pytest.mark.parametrize(
    ("body", "message_id"),
    [(b"1", "<same@example.org>"), (b"2", "<same@example.org>"), (b"1", "<other@example.org>")],
    ids=["the same bytes", "the same id", "the same text"],
)
def test_replayed_mails_move_nothing(attacked: PbemTable, body: bytes, message_id: str) -> None:
    digest = attacked.last("Ana", "digest")
    raw = head(attacked, "Ana", digest, Message_ID="<same@example.org>")
    assert attacked.mail(raw + b"\r\n1\r\n").reason == "changed"
    while attacked.asked() != ["Ana"]:
        who = attacked.asked()[0]
        attacked.clock.on(minutes=3)
        attacked.writes(who, "1", to=attacked.letters(who)[-1])
    before = orders(attacked)
    again = head(attacked, "Ana", digest, Message_ID=message_id)
    for _ in range(3):
        attacked.mail(again + b"\r\n" + body + b"\r\n")
        attacked.mail(b"Received: from replay\r\n" + again + b"\r\n" + body + b"\r\n")
    assert orders(attacked) == before


def test_answers_asked_to_go_elsewhere_go_home(attacked: PbemTable) -> None:
    elsewhere = {
        "Reply_To": "eve@evil.example",
        "Return_Path": "<eve@evil.example>",
        "Sender": "eve@evil.example",
    }
    headers: dict[str, str | None] = {**elsewhere, "Disposition_Notification_To": "eve@evil.example"}
    post(attacked, "Ana", "palace 1\r\n", None, **headers)
    done(attacked, "Ana", "palace 1")
    assert not attacked.app.store.all("select 1 from outbox where raw like '%evil%'")


# headers put in

POISON = [
    "x\r\nBcc: eve@evil.example\r\nX-Evil: y",
    "x\nX-Evil: y",
    "x\rX-Evil: y",
    "=?utf-8?q?x=0D=0ABcc:_eve=40evil.example=0D=0AX-Evil:_y?=",
    "=?utf-8?b?eA0KQmNjOiBldmVAZXZpbC5leGFtcGxlDQpYLUV2aWw6IHk=?=",
    "=?utf-8?q?x=0D?= =?utf-8?q?=0AX-Evil:_y?=",
    "=?utf-16?b?AHgADQAKAFgALQBFAHYAaQBsADoAIAB5?=",
    "x\u2028X-Evil: y\u2029X-Evil: z\x85X-Evil: w",
    "x\x00\x0b\x0cX-Evil: y",
]


@pytest.mark.parametrize("poison", POISON, ids=range(len(POISON)))
@pytest.mark.parametrize(
    "place", ["From", "Subject", "Message_ID", "In_Reply_To", "References", "file", "line"]
)
def test_no_header_can_be_put_into_a_letter_of_ours(attacked: PbemTable, place: str, poison: str) -> None:
    body = entity("palace 1\r\n")
    headers: dict[str, str | None] = {}
    if place == "From":
        headers["From"] = f"{poison} <ana@example.org>"
    elif place in ("Message_ID", "In_Reply_To", "References"):
        headers[place] = f"<{poison}@example.org>"
    elif place == "Subject":
        headers["Subject"] = poison
    elif place == "line":
        body = entity(f"palace 99 {poison}\r\nnote {poison}\r\nlook {poison}\r\n")
    else:
        body = multipart("mixed", entity("x\r\n"), entity("x", f'text/plain; name="{poison}"'))
    before = len(attacked.letters("Ana"))
    post(attacked, "Ana", body, None, **headers)
    post(attacked, "Ana", body, None, **{**BARE, **headers})
    assert len(attacked.letters("Ana")) > before


# bombs


def named(html: str) -> bytes:
    return entity(html, "text/html; charset=utf-8")


def zipped() -> bytes:
    """A small file that is ten megabytes once it is opened; nobody here opens it."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("orders.txt", b"palace 2\r\n" + b"0" * 10_000_000)
    return entity(base64.encodebytes(made.getvalue()), "application/zip; name=orders.zip", "base64")


def within(number: int, kind: str = "mixed") -> bytes:
    """Containers in containers."""
    made = entity("palace 2\r\n")
    top = "".join(f'Content-Type: multipart/{kind}; boundary="b{n}"\r\n\r\n--b{n}\r\n' for n in range(number))
    return top.encode() + made + "".join(f"--b{n}--\r\n" for n in reversed(range(number))).encode()


BOMBS: dict[str, Callable[[], bytes]] = {
    "html 100,000 deep": lambda: named("<div>" * 100_000 + "palace 2" + "</div>" * 100_000 + "\r\n"),
    "html quotes 100,000 deep": lambda: named("<blockquote>" * 100_000 + "palace 2\r\n"),
    "html of 50 MB": lambda: named("<b>" * 17_000_000 + "palace 2\r\n"),
    "html of one attribute": lambda: named('<p title="' + "x" * 1_500_000 + '">palace 2</p>\r\n'),
    "html of open brackets": lambda: named("<" * 380_000 + "\r\n"),
    "1,000 containers": lambda: within(1_000),
    "40 containers": lambda: within(40),
    "letters in letters": lambda: b"Content-Type: message/rfc822\r\n\r\n" * 3_000 + b"\r\npalace 2\r\n",
    "a zip": lambda: multipart("mixed", entity("see it\r\n"), zipped()),
    "50 MB": lambda: entity("palace 2\r\n" * 5_000_000),
    "10,000 parts": lambda: multipart("mixed", *[entity("palace 2\r\n")] * 10_000),
    "100,000 lines": lambda: entity("palace 2\r\n" * 100_000),
    "100,000 lines of prose": lambda: entity("palace is nice, said somebody\r\n" * 60_000),
    "one line of 2 MB": lambda: entity("palace 2 " * 220_000 + "\r\n"),
    "marks of quotation": lambda: entity(">" * 900_000 + " palace 2\r\n"),
    "dashes": lambda: entity("-" * 500_000 + "a" + "-" * 400_000 + "\r\n"),
    "colons": lambda: entity("From: a@b 12:00\r\n" * 4_900),
    "semicolons": lambda: entity("palcae 2;" * 100_000 + "\r\n"),
    "letters with a thousand accents": lambda: entity(("e" + "\u0301" * 1_000) * 400 + "\r\n"),
    "ligatures": lambda: entity("\ufdfa" * 300_000 + "\r\n"),
    "broken base64": lambda: entity(b"=" * 1_900_000 + b"\r\n", "text/plain", "base64"),
    "equals signs": lambda: entity(
        b"=\r\n" * 40_000 + b"=0" * 300_000 + b"\r\n", "text/plain", "quoted-printable"
    ),
    "an impossible charset": lambda: entity("palace 2\r\n", "text/plain; charset=" + "x" * 100_000),
    "flowed": lambda: entity("x \r\n" * 4_900, "text/plain; format=flowed; delsp=yes"),
}
HEADERS: dict[str, bytes] = {
    "a subject of encoded words": b"Subject: " + b"=?utf-8?q?" * 90_000 + b"\r\n",
    "a million recipients": b"To: " + b"a@b.example, " * 100_000 + b"\r\n",
    "unclosed quotes": b'Cc: "' + b'\\"' * 400_000 + b"\r\n",
    "comments in comments": b"Authentication-Results: " + b"(" * 400_000 + b"\r\n",
    "references": b"References: " + b"<a@b.example> " * 100_000 + b"\r\n",
    "90,000 headers": b"X-Other: y\r\n" * 90_000,
}


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("50 MB", "longer than 2 MB, and I read none that is"),
        ("10,000 parts", "too many parts; I read at most 200"),
        ("1,000 containers", "too many parts; I read at most 200"),
        ("100,000 lines", "more text than I read, which is 5000 lines"),
    ],
)
def test_a_limit_is_named_with_its_remedy(troyes: PbemTable, name: str, said: str) -> None:
    post(troyes, "Ana", BOMBS[name]())
    not_done(troyes, "Ana", said, "Please send your orders again")


@pytest.fixture(scope="module")
def bombed(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, dict[str, float]]]:
    """A table after all bombs, thrown by Ana with her own good token; and what the process says that took them."""
    folder = tmp_path_factory.mktemp("bombs")
    table = opened(folder)
    table.begun(*PLAYERS, moderators=["Dora"], seed=SEED)
    for box in ("new", "cur", "tmp"):
        (folder / "gm" / box).mkdir(parents=True)
    digest = table.last("Ana", "digest")
    for n, (name, make) in enumerate(BOMBS.items()):
        top = head(table, "Ana", digest, Message_ID=f"<bomb{n}@example.org>")
        (folder / "gm/new" / name).write_bytes(top + make())
    for n, (name, line) in enumerate(HEADERS.items()):
        top = head(table, "Ana", digest, Message_ID=f"<head{n}@example.org>")
        (folder / "gm/new" / name).write_bytes(line + top + b"\r\nstatus\r\n")
    table.app.close()
    command = [sys.executable, "-m", "tests.pbem.troubles.attack_child", str(folder)]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=300, check=False)
    assert ran.returncode == 0, ran.stderr[-2000:]
    return folder, json.loads(ran.stdout)


@pytest.mark.parametrize("name", [*BOMBS, *HEADERS])
def test_a_bomb_is_worked_on_in_a_few_seconds_and_fails_nothing(
    name: str, bombed: tuple[Path, dict[str, dict[str, float]]]
) -> None:
    _, said = bombed
    assert said["took"][name] < SECONDS
    assert not str(said["ended"][name]).startswith(("failed", "aside"))


def test_bombs_need_little_memory(bombed: tuple[Path, dict[str, dict[str, float]]]) -> None:
    _, said = bombed
    assert isinstance(said["megabytes"], float)
    assert said["megabytes"] < MEGABYTES


def test_bombs_move_nothing_that_their_thrower_may_not_and_their_answers_are_sound(
    bombed: tuple[Path, dict[str, dict[str, float]]],
) -> None:
    folder, said = bombed
    table = opened(folder)
    sound_letters(table)
    assert len(said["took"]) == len(BOMBS) + len(HEADERS)
    assert len(orders(table)) <= 1
    big = table.app.store.one("select max(length(raw)) as n, sum(length(raw)) as sum from inbox")
    assert big is not None
    assert big["n"] <= 2_000_001
    table.close()
