"""The inbox page, through real HTTP."""

from __future__ import annotations

import contextlib
import re
import smtplib
import socket
import time
from collections.abc import Callable
from email import message_from_bytes, policy
from email.message import EmailMessage
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import quote, urlencode

import pytest

from pbem.postoffice import inbox, maildir
from pbem.postoffice.loopback import NotLoopback
from pbem.postoffice.page import Page, is_loopback_host
from pbem.postoffice.people import Listed
from pbem.postoffice.server import PostOffice

OURS = "pbem@pbem.example.org"
ANA = "/people/ana@example.org"
ASE = "/people/" + quote("åse@exämple.org", safe="@")


class Answer:
    """What the page said."""

    def __init__(self, status: int, headers: dict[str, str], raw: bytes) -> None:
        self.status, self.headers, self.raw = status, headers, raw

    @property
    def text(self) -> str:
        return self.raw.decode()

    @property
    def policy(self) -> str:
        return self.headers["Content-Security-Policy"]


class Browser:
    """Asks the page like a browser does."""

    def __init__(self, page: Page) -> None:
        self._host = f"127.0.0.1:{page.port}"

    def get(self, path: str, **headers: str) -> Answer:
        return self._ask("GET", path, None, headers)

    def post(self, path: str, form: dict[str, str], **headers: str) -> Answer:
        kind = {"Content-Type": "application/x-www-form-urlencoded", "Origin": f"http://{self._host}"}
        return self._ask("POST", path, urlencode(form), kind | headers)

    def _ask(self, method: str, path: str, body: str | None, headers: dict[str, str]) -> Answer:
        line = HTTPConnection(self._host, timeout=10)
        try:
            line.request(method, path, body, {name: value for name, value in headers.items() if value})
            answer = line.getresponse()
            return Answer(answer.status, dict(answer.getheaders()), answer.read())
        finally:
            line.close()


@pytest.fixture
def browser(page: Page) -> Browser:
    return Browser(page)


@pytest.fixture
def deliver(office: PostOffice) -> Callable[..., str]:
    """Files a mail and gives its address on the page."""

    def file(mail: EmailMessage | bytes, address: str = "ana@example.org") -> str:
        folder = office.mailboxes.folder(address)
        maildir.deliver(folder, mail if isinstance(mail, bytes) else mail.as_bytes(policy=policy.SMTP))
        return f"/people/{quote(address, safe='@')}/{maildir.listing(folder)[-1].key}"

    return file


def test_it_opens_on_the_persons_own_mail(browser: Browser, page: Page) -> None:
    assert browser.get("/").headers["Location"] == ANA
    assert page.inbox_url("ana@example.org") == f"http://127.0.0.1:{page.port}{ANA}"


def test_the_people_are_listed_with_their_marks_and_nothing_of_their_names_is_markup(
    browser: Browser,
) -> None:
    said = browser.get("/people").text
    assert "Åse &amp; &lt;b&gt;Co&lt;/b&gt;" in said
    assert said.count('class="badge you"') == 1
    assert re.search(r'&lt;/b&gt;</span> <span class="badge">robot</span>', said)


def test_the_newest_mail_comes_first_and_unread_ones_are_marked(
    browser: Browser, deliver: Callable[..., str], digest: EmailMessage
) -> None:
    first = deliver(b"From: a@b.c\r\nSubject: <i>old</i>\r\n\r\nx")
    second = deliver(digest)
    browser.get(first)
    said = browser.get(ANA).text
    assert re.findall(r'class="(message[ a-z]*)" href="([^"]+)"', said) == [
        ("message unread", second),
        ("message", first),
    ]
    assert "&lt;i&gt;old&lt;/i&gt;" in said
    assert '<span class="count">1<' in said


def test_a_mail_is_shown_as_text_with_its_heads(
    browser: Browser, deliver: Callable[..., str], digest: EmailMessage
) -> None:
    said = browser.get(deliver(digest)).text
    assert re.search(
        r'<pre id="text"[^>]*>It is your turn\.\n\n&lt;script&gt;alert\(1\)&lt;/script&gt;', said
    )
    assert "The Long Winter &lt;pbem@pbem.example.org&gt;" in said
    assert 'id="reply"' in said
    assert 'id="send"' in said


def test_the_html_stands_in_a_sandbox_without_scripts_or_remote_content(
    browser: Browser, deliver: Callable[..., str], digest: EmailMessage
) -> None:
    mail = deliver(digest)
    outer, inner = browser.get(mail), browser.get(mail + "/html")
    [frame] = re.findall(r"<iframe[^>]*>", outer.text)
    assert 'sandbox=""' in frame
    assert f'src="{mail}/html"' in frame
    assert re.search(r"script-src 'nonce-[\w-]{20,}'; connect-src 'self'; frame-src 'self'", outer.policy)
    assert inner.policy.endswith("; sandbox")
    assert "default-src 'none'; img-src 'self' data:;" in inner.policy
    assert "script-src" not in inner.policy
    assert inner.headers["X-Content-Type-Options"] == "nosniff"


def test_a_nonce_is_never_used_twice(browser: Browser) -> None:
    assert browser.get(ANA).policy != browser.get(ANA).policy


def test_pictures_by_cid_are_served_and_unknown_ones_are_left_alone(
    browser: Browser, deliver: Callable[..., str], digest: EmailMessage
) -> None:
    mail = deliver(digest)
    html = browser.get(mail + "/html").text
    assert f'src="{mail}/part/0"' in html
    assert 'src="cid:none@pbem"' in html
    picture = browser.get(mail + "/part/0")
    assert (picture.headers["Content-Type"], picture.raw) == ("image/png", b"\x89PNG not really")


def test_attachments_are_for_saving_only(
    browser: Browser, deliver: Callable[..., str], digest: EmailMessage
) -> None:
    mail = deliver(digest)
    assert f'href="{mail}/part/1"' in browser.get(mail).text
    file = browser.get(mail + "/part/1")
    assert file.raw == b"log\r\n"
    assert file.headers["Content-Type"] == "application/octet-stream"
    assert file.headers["Content-Disposition"] == "attachment; filename*=UTF-8''.._the%20%22log%22.txt"
    assert "sandbox" in file.policy


def test_a_reply_goes_out_by_smtp_and_arrives_at_the_runner(
    browser: Browser, deliver: Callable[..., str], digest: EmailMessage, office: PostOffice
) -> None:
    mail = deliver(digest)
    sent = browser.post(mail, {"text": "use Artisan\r\npass\r\n"})
    assert (sent.status, sent.headers["Location"]) == (303, ANA + "?sent")
    [filed] = maildir.listing(office.mailboxes.ours)
    got = message_from_bytes(filed.path.read_bytes(), policy=policy.default)
    assert got["Return-Path"] == "<ana@example.org>"
    assert got["Delivered-To"] == "pbem+tok3n@pbem.example.org"
    assert got["From"] == "Ana <ana@example.org>"
    assert got["Subject"] == "Re: [Troyes: The Long Winter] Your turn"
    assert got["In-Reply-To"] == "<o.tok3n.12@pbem.example.org>"
    assert got.get_content().startswith(
        "use Artisan\r\npass\r\n\r\nOn Mon, 30 Nov 2026 at 08:53, The Long Winter"
    )
    said = browser.get(ANA + "?sent").text
    assert 'id="notice"' in said
    assert 'title="Answered"' in said


def test_a_person_of_another_alphabet_can_answer_too(
    browser: Browser, deliver: Callable[..., str], digest: EmailMessage, office: PostOffice
) -> None:
    assert browser.post(deliver(digest, "åse@exämple.org"), {"text": "não"}).status == 303
    [filed] = maildir.listing(office.mailboxes.ours)
    assert "Return-Path: <åse@exämple.org>".encode() in filed.path.read_bytes()


def test_a_new_mail_goes_to_the_runner(browser: Browser, office: PostOffice) -> None:
    assert 'id="send"' in browser.get(ANA + "/write").text
    assert browser.post(ANA + "/write", {"subject": "Hello", "text": "status"}).status == 303
    [filed] = maildir.listing(office.mailboxes.ours)
    got = message_from_bytes(filed.path.read_bytes(), policy=policy.default)
    assert (got["To"], got["Subject"], got.get_content()) == (OURS, "Hello", "status\r\n")


def test_what_the_post_office_refuses_is_told_and_the_text_is_kept(
    browser: Browser, deliver: Callable[..., str], digest: EmailMessage
) -> None:
    digest.replace_header("Reply-To", "stranger@example.org")
    said = browser.post(deliver(digest), {"text": "my <long> text"})
    assert said.status == 502
    assert "550 5.1.1 Nobody here is called &lt;stranger@example.org&gt;" in said.text
    assert "my &lt;long&gt; text</textarea>" in said.text


def test_a_closed_post_office_is_told_and_the_text_is_kept(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        closed = taken.getsockname()[1]
    with Page(tmp_path, OURS, Listed([("Ana", "ana@example.org")]), closed, port=0) as page:
        said = Browser(page).post(ANA + "/write", {"text": "status"})
        assert said.status == 502
        assert "status</textarea>" in said.text


@pytest.mark.parametrize("path", [ANA + "/write", None])
def test_an_empty_text_is_not_sent(
    browser: Browser, deliver: Callable[..., str], digest: EmailMessage, path: str | None, office: PostOffice
) -> None:
    said = browser.post(path or deliver(digest), {"text": " \r\n"})
    assert said.status == 422
    assert 'role="alert"' in said.text
    assert maildir.listing(office.mailboxes.ours) == []


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "", "http://127.0.0.1"])
def test_a_form_from_another_site_does_nothing(browser: Browser, office: PostOffice, origin: str) -> None:
    said = browser.post(ANA + "/write", {"text": "pass"}, Origin=origin)
    assert said.status == 403
    assert "nothing was done" in said.text
    assert maildir.listing(office.mailboxes.ours) == []


def test_another_name_for_this_machine_is_refused(browser: Browser) -> None:
    assert browser.get(ANA, Host="evil.example").status == 400
    assert browser.get(ANA, Host="localhost:1").status == 200


@pytest.mark.parametrize("host", ["127.0.0.1", "127.0.0.1:80", "localhost", "LOCALHOST:1", "[::1]:80"])
def test_the_names_of_this_machine(host: str) -> None:
    assert is_loopback_host(host)


@pytest.mark.parametrize(
    "host", ["", "evil.example", "127.0.0.1.evil.example", "x@evil.example", "[", "192.0.2.1", "a:b"]
)
def test_other_names(host: str) -> None:
    assert not is_loopback_host(host)


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Content-Type": "text/plain"}, 400),
        ({"Content-Length": "x"}, 400),
        ({"Content-Length": "2000000"}, 413),
    ],
)
def test_a_form_that_is_none_is_refused(browser: Browser, headers: dict[str, str], status: int) -> None:
    assert browser.post(ANA + "/write", {}, **headers).status == status


@pytest.mark.parametrize(
    "path",
    [
        "/nothing",
        "/people/ben@example.org",
        ANA + "/none",
        ANA + "/..%2F..%2Fetc",
        ANA + "/a/b/c/d",
        "/people/x/state",
    ],
)
def test_what_is_not_there_is_said_in_a_sentence(browser: Browser, path: str) -> None:
    said = browser.get(path)
    assert said.status == 404
    assert "<h1>Sorry</h1>" in said.text


def test_parts_that_are_not_there(browser: Browser, deliver: Callable[..., str]) -> None:
    mail = deliver(b"Subject: plain\r\n\r\nx")
    assert browser.get(mail + "/html").status == 404
    assert browser.get(mail + "/part/0").status == 404
    assert browser.get(mail + "/part/-1").status == 404


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"\xff\x00\xfe",
        b"Subject: =?utf-8?q?=ff?=\r\nFrom: <<>>, @\r\nDate: 1 Jan 0001 00:00 +1400\r\n\r\n\xed\xa0\x80",
        b"Content-Type: text/html; charset=klingon\r\n\r\n<p>\xe4",
        b"Content-Type: multipart/mixed; boundary=x\r\n\r\n--x\r\nContent-Type: message/rfc822\r\n\r\n--x--",
    ],
)
def test_a_broken_mail_does_not_break_the_page(
    browser: Browser, deliver: Callable[..., str], raw: bytes
) -> None:
    mail = deliver(raw)
    assert browser.get(ANA).status == 200
    assert browser.get(mail).status == 200


def test_the_state_changes_when_mail_comes_and_when_it_is_read(
    browser: Browser, deliver: Callable[..., str]
) -> None:
    states = [browser.get(ANA + "/state").text]
    mail = deliver(b"Subject: x\r\n\r\n", "åse@exämple.org")
    states.append(browser.get(ANA + "/state").text)
    browser.get(mail)
    states.append(browser.get(ANA + "/state").text)
    assert len(set(states)) == 3


def test_a_mail_that_comes_while_the_list_is_made_shows_at_the_next_look(
    browser: Browser,
    deliver: Callable[..., str],
    digest: EmailMessage,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    real = inbox.rows

    def rows(folder: Path) -> list[inbox.Row]:
        found = real(folder)
        deliver(digest)
        return found

    monkeypatch.setattr(inbox, "rows", rows)
    shown = browser.get(ANA).text
    monkeypatch.setattr(inbox, "rows", real)
    state = browser.get(f"{ANA}/state").text
    assert f'let state = "{state}"' not in shown
    assert f'let state = "{state}"' in browser.get(ANA).text


def test_a_fault_of_ours_is_a_page_too(browser: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("no")

    monkeypatch.setattr("pbem.postoffice.inbox.rows", broken)
    said = browser.get(ANA)
    assert said.status == 500
    assert "your mail is safe" in said.text


def test_a_head_request_and_the_style_sheet(page: Page) -> None:
    line = HTTPConnection("127.0.0.1", page.port, timeout=10)
    line.request("HEAD", "/style.css")
    answer = line.getresponse()
    assert answer.getheader("Content-Type") == "text/css; charset=utf-8"
    assert answer.read() == b""
    line.close()


def test_nothing_outside_is_ever_asked_for(
    browser: Browser, deliver: Callable[..., str], digest: EmailMessage
) -> None:
    mail = deliver(digest)
    for path in ("/people", ANA, mail, ANA + "/write", "/style.css", "/nothing"):
        said = browser.get(path).text.replace("http://www.w3.org/2000/svg", "")
        assert "http:" not in said
        assert "https:" not in said


def test_a_browser_that_holds_the_line_does_not_hold_up_the_end(page: Page) -> None:
    with socket.create_connection(("127.0.0.1", page.port), timeout=10) as line:
        started = time.monotonic()
        page.stop()
        assert time.monotonic() - started < 5
        with contextlib.suppress(ConnectionResetError):  # if the page had not even picked up
            assert line.recv(1000) == b""
    page.stop()
    assert page.port == 0


def test_a_taken_port_gives_the_next_free_one(page: Page, tmp_path: Path) -> None:
    with Page(tmp_path, OURS, Listed([]), 25, port=page.port) as other:
        assert page.port < other.port <= page.port + 50
        assert Browser(other).get("/").headers["Location"] == "/people"
        assert "Nobody is registered yet." in Browser(other).get("/people").text


def test_it_refuses_to_listen_where_others_could_reach_it(tmp_path: Path) -> None:
    with pytest.raises(NotLoopback):
        Page(tmp_path, OURS, Listed([]), 25, host="0.0.0.0")


def test_mail_by_smtp_shows_on_the_page(
    browser: Browser, counter: smtplib.SMTP, digest: EmailMessage
) -> None:
    counter.send_message(digest, "", ["ana@example.org"])
    assert "[Troyes: The Long Winter] Your turn" in browser.get(ANA).text
