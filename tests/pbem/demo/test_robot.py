"""The robot that plays by mail: what it reads, what it says, and the process itself."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path

import pytest

from pbem.demo.robot import GaveUp, Player, body, choose, dice, number, options
from pbem.postoffice import letters, maildir
from pbem.postoffice.people import Listed
from pbem.postoffice.server import PostOffice

OURS = "pbem@pbem.example.org"
ANA = "ana@example.org"
TEXT = """\
Ana, it is your turn.

WHAT YOU MAY WRITE
One line each, as many as you like, in order; or the code alone.
 12.1  use Artisan with <dice>
       e.g. use Artisan with y5 y3; use Artisan with y6;
            use Artisan with r2
       e.g. use Artisan with w1
 12.2  agriculture <dice> <n>       needs somebody else to write examples
 12.10  pass                        you get 2 deniers
Not open to you now:
       use Merchant                 you have no dice left
 12.3  nonsense
Ask:   help Artisan

SINCE YOUR LAST MAIL
 12.4  is not an option here

BEGIN ORDERS 12

END ORDERS 12
"""
EVERY = {
    "12.1": ("use Artisan with y5 y3", "use Artisan with y6", "use Artisan with r2", "use Artisan with w1"),
    "12.2": (),
    "12.10": ("pass",),
}


def mail(
    kind: str, text: str = "", subject: str = "Your turn", digest: int | None = 12, about: str = ""
) -> EmailMessage:
    """A mail as the runner writes it to Ana."""
    message = EmailMessage()
    message["From"] = "The Long Winter <pbem@pbem.example.org>"
    message["Reply-To"] = "The Long Winter <pbem+tok@pbem.example.org>"
    message["To"] = ANA
    message["Subject"] = f"[Troyes: The Long Winter] {subject}"
    message["Message-ID"] = f"<{kind}.{digest}.{len(text)}@pbem.example.org>"
    message["X-Pbem-Kind"] = kind
    if digest is not None:
        message["X-Pbem-Digest"] = str(digest)
    if about:
        message["In-Reply-To"] = about
    message.set_content(text)
    return message


def letter(*given: object, **more: object) -> letters.Letter:
    return letters.parse(mail(*given, **more).as_bytes())  # type: ignore[arg-type]


def test_the_menu_is_read_with_its_examples_and_nothing_else() -> None:
    assert options(TEXT) == EVERY


def test_a_receipt_asks_in_the_same_form() -> None:
    assert options(TEXT.replace("MAY WRITE", "MAY WRITE NOW")) == EVERY


def test_an_option_that_went_on_is_one_line() -> None:
    menu = (
        "WHAT YOU MAY WRITE\n"
        " 12.1  play Land Warden to Charming Valley, where the only river of the\n"
        "         Provinces ends\n"
        " 12.2  campaign against <defender> at <targets> with <number of attack\n"
        "         dice>\n"
        "       e.g. campaign against Ben at Mine with 1\n"
        " 12.3  rest\n"
    )
    assert options(menu) == {
        "12.1": ("play Land Warden to Charming Valley, where the only river of the Provinces ends",),
        "12.2": ("campaign against Ben at Mine with 1",),
        "12.3": ("rest",),
    }


def test_a_mail_without_a_menu_has_no_options() -> None:
    assert options("It is Ben's turn.\n 12.1  pass\n") == {}


def test_every_option_and_each_of_its_lines_is_chosen_sometime() -> None:
    asked = letter("digest", TEXT)
    said = [choose(EVERY, set(), dice(seed, asked, "line")) for seed in range(400)]
    assert set(said) == {line for lines in EVERY.values() for line in lines}
    assert 140 < said.count("pass") < 260


def test_a_refused_line_is_said_again_only_when_nothing_else_is_left() -> None:
    tried: set[str] = set()
    for _ in range(5):
        tried.add(choose(EVERY, tried, dice(1, letter("digest", TEXT), "line")))
    assert len(tried) == 5
    assert choose(EVERY, tried, dice(1, letter("digest", TEXT), "line")) in tried


def test_a_menu_without_a_complete_line_is_given_up_at_once() -> None:
    with pytest.raises(GaveUp, match="no line that I could copy"):
        Player(1).line(letter("digest", "WHAT YOU MAY WRITE\n 12.1  use <card>\n"))


def test_the_number_of_the_question_is_in_the_header_or_in_its_codes() -> None:
    assert number(letter("digest", TEXT, digest=13), EVERY) == "13"
    assert number(letter("digest", TEXT, digest=None), EVERY) == "12"


@pytest.mark.parametrize("kind", ["digest", "receipt", "reminder"])
def test_a_question_is_answered_once_whatever_mail_asks_it(kind: str) -> None:
    player = Player(1)
    assert player.line(letter(kind, TEXT))
    assert player.line(letter("reminder", TEXT)) is None
    assert player.line(letter("digest", TEXT)) is None
    assert player.line(letter("digest", TEXT, digest=13))


def test_an_invitation_is_joined_once() -> None:
    player = Player(1)
    assert player.line(letter("invitation", "Will you play?", digest=None)) == "join"
    assert player.line(letter("invitation", "Will you play?", digest=None)) is None


@pytest.mark.parametrize("kind", ["notice", "end", "", "digest"])
def test_other_mail_gets_no_answer(kind: str) -> None:
    assert Player(1).line(letter(kind, "The game goes on.")) is None


@pytest.mark.parametrize(
    ("subject", "text", "digest"),
    [("Not done: line 1", "", None), ("Not done: line 1", TEXT, 13), ("Question", TEXT, 12)],
)
def test_after_a_refusal_something_else_is_tried(subject: str, text: str, digest: int | None) -> None:
    player = Player(1)
    said = {player.line(letter("digest", TEXT))}
    for _ in range(4):
        said.add(player.line(letter("receipt", text, subject, digest)))
    assert said == {line for lines in EVERY.values() for line in lines}
    assert player.refusals == 4


def test_a_new_question_ends_the_row_of_refusals() -> None:
    player = Player(1)
    player.line(letter("digest", TEXT))
    player.line(letter("receipt", "", "Not done: line 1", None))
    assert player.line(letter("receipt", TEXT, "OK", 13))
    assert player.refusals == 0


def test_a_receipt_for_an_older_mail_is_no_refusal() -> None:
    player = Player(1)
    player.line(letter("digest", TEXT))
    player.last_sent = "<new@example.org>"
    assert player.line(letter("receipt", TEXT, "Not done: too late", about="<old@example.org>")) is None
    assert player.line(letter("receipt", TEXT, "Not done: line 1", about="<new@example.org>"))


def test_a_refused_join_is_left_to_people() -> None:
    assert Player(1).line(letter("receipt", "I found no order.", "Not done: I found no order", None)) is None


def test_fifty_refusals_in_a_row_are_enough() -> None:
    player = Player(1)
    player.line(letter("digest", TEXT))
    for _ in range(49):
        assert player.line(letter("receipt", TEXT, "Not done: line 1"))
    with pytest.raises(GaveUp, match="50 lines in a row"):
        player.line(letter("receipt", TEXT, "Not done: line 1"))


def test_people_answer_in_different_ways() -> None:
    asked = letter("digest", TEXT)
    said = {body("pass", asked, dice(seed, asked, "style")) for seed in range(50)}
    form = [
        text.split("BEGIN ORDERS 12\n")[-1].split("\n")[0] for text in said if not text.startswith("pass")
    ]
    assert sorted(form) == ["> pass", "pass"]
    assert sorted(len(text.splitlines()) > 1 for text in said if text.startswith("pass")) == [False, True]
    assert all("\n> WHAT YOU MAY WRITE\n" in text for text in said if text != "pass\n")


def test_the_same_seed_says_the_same_thing_again() -> None:
    asked = letter("digest", TEXT)
    assert Player(7).line(asked) == Player(7).line(asked)
    assert body("pass", asked, dice(7, asked, "style")) == body("pass", asked, dice(7, asked, "style"))


class Runner:
    """Plays the other side: writes to Ana, reads what she wrote."""

    def __init__(self, office: PostOffice) -> None:
        self._boxes = office.mailboxes
        self._seen: set[str] = set()
        self.folder = office.mailboxes.folder(ANA)

    def write(self, message: EmailMessage) -> None:
        maildir.deliver(self.folder, message.as_bytes(policy=policy.SMTP))

    def read(self) -> EmailMessage:
        """The next mail, within ten seconds."""
        until = time.monotonic() + 10
        while time.monotonic() < until:
            for filed in maildir.listing(self._boxes.ours):
                if filed.key not in self._seen:
                    self._seen.add(filed.key)
                    raw = filed.path.read_bytes()
                    return message_from_bytes(raw, policy=policy.default)
            time.sleep(0.02)
        raise AssertionError("the robot wrote nothing")


@pytest.fixture
def office(tmp_path: Path) -> Iterator[PostOffice]:
    with PostOffice(tmp_path, OURS, Listed([("Ana", ANA)]), port=0) as opened:
        yield opened


@pytest.fixture
def runner(office: PostOffice) -> Runner:
    return Runner(office)


def command(office: PostOffice) -> list[str]:
    box = str(office.mailboxes.folder(ANA))
    words = ("--maildir", box, "--address", ANA, "--smtp-port", str(office.port), "--seed", "3")
    return [sys.executable, "-m", "pbem.demo.robot", *words]


@pytest.fixture
def robot(office: PostOffice) -> Iterator[subprocess.Popen[str]]:
    with subprocess.Popen(command(office), stderr=subprocess.PIPE, text=True) as process:
        yield process
        process.kill()


def test_a_robot_plays_from_the_invitation_to_the_end(runner: Runner, robot: subprocess.Popen[str]) -> None:
    runner.write(mail("invitation", "Will you play?", digest=None))
    joined = runner.read()
    assert joined.get_content().startswith("join")
    assert joined["From"] == ANA
    assert joined["Delivered-To"] == "pbem+tok@pbem.example.org"
    runner.write(mail("digest", TEXT))
    first = runner.read()
    runner.write(mail("receipt", TEXT + "again", "Not done: line 1", about=first["Message-ID"]))
    assert runner.read()["Subject"] == "Re: [Troyes: The Long Winter] Not done: line 1"
    runner.write(mail("end", "Ana won."))
    assert robot.wait(10) == 0
    flags = [filed.flags for filed in maildir.listing(runner.folder)]
    assert flags == ["RS", "RS", "RS", ""]


def test_a_robot_that_was_killed_goes_on_where_it_was(office: PostOffice, runner: Runner) -> None:
    runner.write(mail("digest", TEXT))
    with subprocess.Popen(command(office)) as process:
        runner.read()
        until = time.monotonic() + 10
        while maildir.listing(runner.folder)[0].unread and time.monotonic() < until:
            time.sleep(0.02)
        process.kill()
    runner.write(mail("digest", TEXT, digest=13))
    runner.write(mail("end"))
    assert subprocess.run(command(office), timeout=20, check=False).returncode == 0
    assert runner.read()["In-Reply-To"] == mail("digest", TEXT, digest=13)["Message-ID"]
    assert len(maildir.listing(office.mailboxes.ours)) == 2


def test_a_robot_at_its_wits_end_says_why_and_stops(office: PostOffice, runner: Runner) -> None:
    runner.write(mail("digest", "WHAT YOU MAY WRITE\n 12.1  pass\n"))
    for n in range(50):
        runner.write(mail("receipt", f"no {n}", "Not done: line 1", None))
    done = subprocess.run(command(office), timeout=30, check=False, stderr=subprocess.PIPE, text=True)
    assert done.returncode == 1
    assert done.stderr.startswith("ana@example.org: 50 lines in a row were refused")
    assert len(maildir.listing(office.mailboxes.ours)) == 50


def test_a_robot_is_over_when_whoever_started_it_is_gone(office: PostOffice, runner: Runner) -> None:
    words = command(office)
    parent = subprocess.run(
        [
            sys.executable,
            "-c",
            f"import subprocess, time; print(subprocess.Popen({words!r}).pid); time.sleep(1)",
        ],
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    gone = Path(f"/proc/{int(parent.stdout)}")
    until = time.monotonic() + 10
    while gone.exists() and "Z" not in (gone / "stat").read_text().split()[2] and time.monotonic() < until:
        time.sleep(0.05)
    assert time.monotonic() < until
