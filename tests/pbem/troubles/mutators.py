"""What programs, people and machines on its path do to a mail, each as a change of a draft and its fate.

The rows are those of the list of generators: what becomes of the mail stands beside each.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass

from .drafts import ATTRIBUTIONS, LAYOUTS, PAGES, Draft, Fate

Change = Callable[[Draft, random.Random], None]


@dataclass(frozen=True)
class Mutator:
    """One way to spoil a mail."""

    name: str
    fate: Fate
    change: Change

    def apply(self, draft: Draft, rng: random.Random) -> None:
        """Change the draft, and its fate with it."""
        draft.worse(self.fate)
        self.change(draft, rng)


MUTATORS: list[Mutator] = []


def mutator(name: str, fate: Fate = Fate.SAME) -> Callable[[Change], Change]:
    """Put a change on the list."""

    def put(change: Change) -> Change:
        MUTATORS.append(Mutator(name, fate, change))
        return change

    return put


def _each(draft: Draft, change: Callable[[str], str]) -> None:
    draft.orders = [change(line) for line in draft.orders]


# how it is encoded


@mutator("another charset and transfer encoding")
def re_encoded(draft: Draft, rng: random.Random) -> None:
    draft.charset = rng.choice(["utf-8", "iso-8859-1", "cp1252", "utf-16"])
    draft.transfer = rng.choice(["7bit", "8bit", "quoted-printable", "base64"])
    draft.after = ["", rng.choice(["Até amanhã!", "Grüße", "see you"])]


@mutator("no label of the charset, or a false one")
def false_label(draft: Draft, rng: random.Random) -> None:
    draft.label = rng.choice(["", "us-ascii", "iso-8859-1", "x-unknown", "utf-8", "koi8-r", "utf-8\t"])
    draft.charset = rng.choice([draft.charset, "iso-8859-1", "cp1252"])
    draft.after = ["", "Até amanhã!"]


# what keyboards do


@mutator("curly quotes, dashes, odd blanks, marks that nobody sees")
def keyboard(draft: Draft, rng: random.Random) -> None:
    changes: list[Callable[[str], str]] = [
        lambda line: f"“{line}”",
        lambda line: f"‘{line}’",
        lambda line: f"– {line}",
        lambda line: f"{line}…",
        lambda line: line.replace(" ", "\u00a0"),
        lambda line: line.replace(" ", "\u2003", 1),
        lambda line: line[:2] + "\u200b" + line[2:] + "\u200e",
        lambda line: "\ufeff" + line,
        lambda line: line[:1] + "\u00ad" + line[1:],
    ]
    _each(draft, rng.choice(changes))


@mutator("upper case, lower case, blanks and tabs")
def case(draft: Draft, rng: random.Random) -> None:
    _each(
        draft,
        rng.choice(
            [str.upper, str.lower, str.capitalize, lambda x: f"  {x}  ", lambda x: x.replace(" ", "\t")]
        ),
    )


@mutator("decoration and bullets")
def decorated(draft: Draft, rng: random.Random) -> None:
    _each(
        draft,
        rng.choice(["*{}*", "_{}_", "• {}", "- {}", "{}.", "{} <mailto:x@example.org>", "{}  # so"]).format,
    )


@mutator("lines broken at a width")
def wrapped(draft: Draft, rng: random.Random) -> None:
    draft.width = rng.choice([40, 72, 76, 80])
    draft.flowed = ""


@mutator("flowed text")
def flowed(draft: Draft, rng: random.Random) -> None:
    draft.width = rng.choice([40, 72, 76, 80])
    draft.flowed = rng.choice(["no", "yes"])


# its shape


@mutator("HTML, alone or below an empty text")
def as_html(draft: Draft, rng: random.Random) -> None:
    draft.shape = rng.choice(["html", "both", "blank+html"])
    draft.page = rng.choice(list(PAGES))


@mutator("the orders in a file")
def in_a_file(draft: Draft, rng: random.Random) -> None:
    draft.attached = True


@mutator("containers in containers")
def nested(draft: Draft, rng: random.Random) -> None:
    draft.containers = [rng.choice(["mixed", "related", "signed"]) for _ in range(rng.randint(1, 6))]


COMMANDS = ("pass", "status", "HOLD ALL", "7", "palace 1", "undo all")


@mutator("a signature")
def signed(draft: Draft, rng: random.Random) -> None:
    with_mark = rng.random() < 0.6
    lines = ["Ana Prado", "Tel. 555 1234", "Rua Augusta 12, 1100 Lisboa"]
    if with_mark:  # without it a command would be one
        lines.append(rng.choice(COMMANDS))
        if draft.layout == "interleaved":
            draft.layout = "bottom"
    draft.signature = ["", *([rng.choice(["-- ", "--", "—"])] if with_mark else []), *lines]


# what is quoted


@mutator("quoted below, in every way and tongue")
def quoted(draft: Draft, rng: random.Random) -> None:
    draft.layout = rng.choice([name for name in LAYOUTS if name not in ("interleaved", "alone")])
    draft.attribution = rng.choice(list(ATTRIBUTIONS))
    draft.marks = rng.random() < 0.6


@mutator("answers between the quoted lines")
def interleaved(draft: Draft, rng: random.Random) -> None:
    draft.layout, draft.marks = "interleaved", True
    if draft.signature and draft.signature[1].strip() in ("--", "—"):
        draft.signature = []


@mutator("no quotation, another subject")
def tidied(draft: Draft, rng: random.Random) -> None:
    draft.layout = rng.choice(["alone", draft.layout])
    prefix = rng.choice(["AW: ", "SV: Re: ", "RE[2]: ", "Re*2: WG: ", "回复：", "Re:", ""])
    draft.headers["Subject"] = rng.choice([prefix + draft.letter.subject, prefix + "my orders", ""])


@mutator("a block, or the form filled in")
def styled(draft: Draft, rng: random.Random) -> None:
    draft.style = rng.choice(["block", "filled"])


# who, whence, when


@mutator("tokens lost on the way, one left")
def one_token(draft: Draft, rng: random.Random) -> None:
    left = rng.choice(["To", "In-Reply-To", "References", "Cc", "Delivered-To"])
    ids = (draft.letter.message_id, draft.letter.reply_to)
    draft.headers |= {"To": draft.letter.address, "In-Reply-To": None, "References": "<other@example.org>"}
    draft.headers[left] = ids[left not in ("In-Reply-To", "References")]


@mutator("all tokens lost", Fate.ASKED)
def no_token(draft: Draft, rng: random.Random) -> None:
    draft.headers |= {
        "To": draft.letter.address,
        "In-Reply-To": None,
        "References": rng.choice([None, "<x@y>"]),
    }
    draft.headers |= {"Cc": None, "Delivered-To": None}


@mutator("the sender in capitals or with a plus part")
def same_sender(draft: Draft, rng: random.Random) -> None:
    local, _, domain = draft.letter.author.partition("@")
    draft.headers["From"] = rng.choice(
        [draft.letter.author.upper(), f"{local}+games@{domain}", f'"X, Y" <{draft.letter.author}>']
    )


@mutator("another address of the same person", Fate.ASKED)
def other_sender(draft: Draft, rng: random.Random) -> None:
    local, _, domain = draft.letter.author.partition("@")
    draft.headers["From"] = rng.choice(
        [f"{local[0]}.{local[1:]}@{domain}", f"{local}@work.example", "x@fwd.example"]
    )


@mutator("a stranger", Fate.NOTHING)
def stranger(draft: Draft, rng: random.Random) -> None:
    no_token(draft, rng)
    draft.headers["From"] = "Eve <eve@nowhere.example>"


@mutator("delivered twice")
def twice(draft: Draft, rng: random.Random) -> None:
    draft.delivery = rng.choice(["twice", "new id", "restart"])


@mutator("a date that is none")
def date(draft: Draft, rng: random.Random) -> None:
    dates = [None, "", "garbage", "Wed, 01 Dec 2027 09:00:00 +0000", "Tue, 01 Dec 2026 09:00:00 -9999"]
    draft.headers["Date"] = rng.choice(dates)


@mutator("around the deadline")
def deadline(draft: Draft, rng: random.Random) -> None:
    draft.offset = rng.choice([-1, 0, 1])  # the table waits, so that an answer still counts a second later


@mutator("a code that is stale", Fate.ASKED)
def stale(draft: Draft, rng: random.Random) -> None:
    draft.orders = [draft.letter.stale]


@mutator("a code of another game", Fate.ASKED)
def foreign(draft: Draft, rng: random.Random) -> None:
    draft.orders = [draft.letter.foreign]


@mutator("the token of another seat", Fate.ASKED)
def other_seat(draft: Draft, rng: random.Random) -> None:
    draft.headers |= {"To": draft.letter.others_reply_to, "In-Reply-To": None, "References": None}
    draft.headers |= {"Cc": None, "Delivered-To": None}


ABSENT = (
    *("Out of office: your turn", "Abwesenheit: Ihr Zug", "Réponse automatique : absent"),
    *("Resposta automática: fora do escritório", "Respuesta automática: x", "Afwezig: x", "Frånvaro: x"),
)


@mutator("machines", Fate.NOTHING)
def machine(draft: Draft, rng: random.Random) -> None:
    draft.headers |= rng.choice(
        [
            {"Auto-Submitted": "auto-replied"},
            {"X-Autoreply": "yes"},
            {"Precedence": "bulk"},
            {"Return-Path": "<>"},
            {"Subject": rng.choice(ABSENT)},
            {"From": "MAILER-DAEMON@mx.example"},
            {"From": "no-reply@example.org"},
            {"List-Id": "<x.example>"},
        ]
    )


@mutator("a delivery report", Fate.NOTHING)
def report(draft: Draft, rng: random.Random) -> None:
    status = b"Content-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; mx\r\n\r\nAction: failed\r\n"

    def reported(made: bytes) -> bytes:
        top = b'Return-Path: <>\r\nContent-Type: multipart/report; boundary="rep"\r\n\r\n'
        inner = b"--rep\r\nContent-Type: text/plain\r\n\r\nfailed\r\n--rep\r\n" + status
        return top + inner + b"--rep\r\nContent-Type: message/rfc822\r\n\r\n" + made + b"\r\n--rep--\r\n"

    draft.wire.append(reported)


@mutator("an opponent in Cc")
def opponent(draft: Draft, rng: random.Random) -> None:
    """The mail has reached them already; holding its orders back would not undo that."""
    there = draft.headers.get("Cc")
    draft.headers["Cc"] = f"{there}, {draft.letter.opponent}" if there else draft.letter.opponent


@mutator("own private lines as if they were press")
def press(draft: Draft, rng: random.Random) -> None:
    secret = rng.choice([line for line in draft.letter.lines if line] or ["nothing"])
    draft.after = ["", f"Tell everybody: {secret}"]


# beyond repair


@mutator("cut at any byte", Fate.ANY)
def cut(draft: Draft, rng: random.Random) -> None:
    share = rng.random()
    draft.wire.append(lambda made: made[: int(len(made) * share)])


@mutator("a line of a megabyte", Fate.ANY)
def long_line(draft: Draft, rng: random.Random) -> None:
    draft.after = ["", "x " * rng.choice([*[10_000] * 59, 500_000])]


@mutator("ten thousand parts", Fate.ANY)
def many_parts(draft: Draft, rng: random.Random) -> None:
    number = rng.choice([*[60] * 59, 10_000])
    part = b"--many\r\nContent-Type: text/plain\r\n\r\nhello\r\n"

    def parted(made: bytes) -> bytes:
        head, _, rest = made.partition(b"\r\nContent-Type:")
        top = b'\r\nContent-Type: multipart/mixed; boundary="many"\r\n\r\n--many\r\nContent-Type:'
        return head + top + rest + b"\r\n" + part * number + b"--many--\r\n"

    draft.wire.append(parted)


@mutator("one boundary for all containers", Fate.ANY)
def same_boundary(draft: Draft, rng: random.Random) -> None:
    nested(draft, rng)
    draft.wire.append(lambda made: made.replace(b"c1", b"c0").replace(b"c2", b"c0").replace(b"alt", b"c0"))


@mutator("bytes put in on the way", Fate.ANY)
def spoilt(draft: Draft, rng: random.Random) -> None:
    """Bytes that make neither letters nor line ends: nobody could tell what those made of it from what was
    meant. Nor could anybody where they fall into the mark above a signature with a command."""
    draft.signature = [line for line in draft.signature if line not in COMMANDS]
    dirt = bytes(rng.choice(b"\x00\x07\x1b\x80\x92\xa0\xe9\xff") for _ in range(rng.randint(1, 4)))
    share = rng.random()

    def spoil(made: bytes) -> bytes:
        at = made.find(b"\r\n\r\n") + int(len(made) * share)
        return made[:at] + dirt + made[at:]

    draft.wire.append(spoil)
