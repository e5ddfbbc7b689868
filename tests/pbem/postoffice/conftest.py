"""A small town: two registered people, a post office, its inbox page."""

from __future__ import annotations

import smtplib
import threading
from collections.abc import Iterator
from email.message import EmailMessage
from pathlib import Path

import pytest

from pbem.postoffice.page import Page
from pbem.postoffice.people import Listed
from pbem.postoffice.server import PostOffice

OURS = "pbem@pbem.example.org"
PEOPLE = Listed([("Ana", "ana@example.org"), ("Åse & <b>Co</b>", "åse@exämple.org")])


@pytest.fixture(autouse=True)
def _nothing_left_running() -> Iterator[None]:
    before = set(threading.enumerate())
    yield
    assert set(threading.enumerate()) <= before


@pytest.fixture
def bell() -> threading.Event:
    """Set when the runner would have been woken."""
    return threading.Event()


@pytest.fixture
def office(tmp_path: Path, bell: threading.Event) -> Iterator[PostOffice]:
    with PostOffice(tmp_path, OURS, PEOPLE, port=0, on_delivery=bell.set, size_limit=200_000) as opened:
        yield opened


@pytest.fixture
def counter(office: PostOffice) -> Iterator[smtplib.SMTP]:
    """A conversation that has said EHLO."""
    with smtplib.SMTP("127.0.0.1", office.port, local_hostname="localhost", timeout=10) as conversation:
        conversation.ehlo()
        yield conversation


@pytest.fixture
def page(office: PostOffice, tmp_path: Path) -> Iterator[Page]:
    with Page(
        tmp_path, OURS, PEOPLE, office.port, port=0, you="ana@example.org", robots=["ÅSE@exämple.org"]
    ) as opened:
        yield opened


@pytest.fixture
def digest() -> EmailMessage:
    """A mail as the runner writes it: text, HTML with a picture, an attachment."""
    message = EmailMessage()
    message["From"] = "The Long Winter <pbem@pbem.example.org>"
    message["Reply-To"] = "The Long Winter <pbem+tok3n@pbem.example.org>"
    message["To"] = "Ana <ana@example.org>"
    message["Subject"] = "[Troyes: The Long Winter] Your turn"
    message["Date"] = "Mon, 30 Nov 2026 08:53:37 +0000"
    message["Message-ID"] = "<o.tok3n.12@pbem.example.org>"
    message["References"] = "<o.tok3n.1@pbem.example.org>"
    message.set_content("It is your turn.\n\n<script>alert(1)</script>\n> an older line\n")
    message.add_alternative(
        '<p>It is <b>your</b> turn.</p><img src="cid:board@pbem" alt="The board"><img src="cid:none@pbem">',
        subtype="html",
    )
    message.get_payload()[1].add_related(b"\x89PNG not really", "image", "png", cid="<board@pbem>")  # type: ignore[union-attr,index]
    message.add_attachment("log\n", filename='../the "log".txt')
    return message
