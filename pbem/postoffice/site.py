"""The pages of the inbox: from a request to a response, without any socket."""

from __future__ import annotations

import re
import secrets
import smtplib
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from email.message import EmailMessage
from pathlib import Path
from urllib.parse import quote

from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape

from pbem.postoffice import inbox, letters, maildir
from pbem.postoffice.people import Directory, Mailboxes, normal

PAGE_POLICY = (
    "default-src 'none'; style-src 'self'; img-src 'self' data:; script-src 'nonce-{nonce}'; "
    "connect-src 'self'; frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
MAIL_POLICY = (
    "default-src 'none'; img-src 'self' data:; style-src 'unsafe-inline'; form-action 'none'; "
    "base-uri 'none'; frame-ancestors 'self'; sandbox"
)
FILE_POLICY = "default-src 'none'; sandbox"

_CID = re.compile(r"cid:([^\"'\s<>)]+)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Request:
    """What a browser asks for."""

    method: str
    """GET or POST."""
    path: tuple[str, ...]
    """The address' segments, decoded."""
    query: Mapping[str, str] = field(default_factory=dict)
    form: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Response:
    """What it gets."""

    status: int
    kind: str
    body: bytes
    headers: Mapping[str, str] = field(default_factory=dict)


class Missing(Exception):
    """There is nothing at that address; its text names the sentence in `error.html.j2`."""


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody with a mailbox, as the list of people shows them."""

    name: str
    address: str
    folder: Path
    unread: int
    robot: bool
    you: bool
    hue: int
    """Which of the six colours they have."""

    @property
    def url(self) -> str:
        """The address of their inbox."""
        return inbox_path(self.address)


class Site:
    """All pages of one post office's inbox."""

    def __init__(
        self,
        mailboxes: Mailboxes,
        directory: Directory,
        smtp: tuple[str, int],
        you: str | None = None,
        robots: Collection[str] = (),
    ) -> None:
        """`smtp` is the host and port where answers are handed in; `you` and `robots` are addresses."""
        self._mailboxes = mailboxes
        self._directory = directory
        self._smtp = smtp
        self._you = normal(you) if you else None
        self._robots = frozenset(normal(robot) for robot in robots)
        self._templates = Environment(
            loader=PackageLoader("pbem.templates", "inbox"),
            autoescape=select_autoescape(enabled_extensions=("html", "html.j2")),
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        self._templates.filters |= {"short": short_date, "long": long_date, "size": human_size}

    def answer(self, request: Request) -> Response:
        """The response to one request; never a fault of the requester's making."""
        try:
            return self._route(request)
        except Missing as missing:
            return self.error(404, str(missing))

    def error(self, status: int, reason: str) -> Response:
        """A page that says in one sentence what is wrong."""
        return self._page("error.html.j2", None, status, reason=reason)

    def _route(self, request: Request) -> Response:
        match request.method, request.path:
            case "GET", ():
                return redirect(inbox_path(self._you) if self._you else "/people")
            case "GET", ("style.css",):
                source = self._templates.get_template("style.css").render()
                return Response(200, "text/css; charset=utf-8", source.encode())
            case "GET", ("people",):
                return self._page("people.html.j2", None)
            case "GET", ("people", address):
                return self._inbox(self._person(address), request)
            case "GET", ("people", address, "state"):
                self._person(address)
                return Response(200, "text/plain; charset=utf-8", self._state().encode())
            case "GET", ("people", address, "write"):
                return self._blank(self._person(address), "", "")
            case "POST", ("people", address, "write"):
                return self._write(self._person(address), request.form)
            case "GET", ("people", address, key):
                return self._message(self._person(address), key)
            case "POST", ("people", address, key):
                return self._reply(self._person(address), key, request.form)
            case "GET", ("people", address, key, "html"):
                return self._html(self._person(address), key)
            case "GET", ("people", address, key, "part", number):
                return self._part(self._person(address), key, number)
        raise Missing("page")

    def _inbox(self, person: Person, request: Request) -> Response:
        state = self._state()  # before the list: a mail that comes in between is then shown at the next look
        person = self._person(person.address)
        rows = inbox.rows(person.folder)
        return self._page("inbox.html.j2", person, state=state, rows=rows, sent="sent" in request.query)

    def _message(self, person: Person, key: str) -> Response:
        self._letter(person, key)
        maildir.mark(person.folder, key, maildir.SEEN)
        return self._opened(self._person(person.address), key, "")

    def _opened(self, person: Person, key: str, typed: str, trouble: str = "", status: int = 200) -> Response:
        letter, filed = self._letter(person, key)
        return self._page(
            "message.html.j2",
            person,
            status,
            key=key,
            letter=letter,
            date=inbox.dated(letter, filed.arrived_ns),
            replied=maildir.REPLIED in filed.flags,
            to=self._answers_to(letter),
            typed=typed,
            trouble=trouble,
        )

    def _blank(
        self, person: Person, subject: str, typed: str, trouble: str = "", status: int = 200
    ) -> Response:
        return self._page("write.html.j2", person, status, subject=subject, typed=typed, trouble=trouble)

    def _reply(self, person: Person, key: str, form: Mapping[str, str]) -> Response:
        letter, _ = self._letter(person, key)
        typed = form.get("text", "")
        if not typed.strip():
            return self._opened(person, key, typed, "empty", 422)
        me = (person.name, person.address)
        message = letters.reply(
            letter, me, letters.below(typed, letter), self._mailboxes.our_address, datetime.now().astimezone()
        )
        if trouble := self._hand_in(message, person):
            return self._opened(person, key, typed, trouble, 502)
        maildir.mark(person.folder, key, maildir.SEEN + maildir.REPLIED)
        return redirect(person.url + "?sent")

    def _write(self, person: Person, form: Mapping[str, str]) -> Response:
        subject, typed = form.get("subject", ""), form.get("text", "")
        if not typed.strip():
            return self._blank(person, subject, typed, "empty", 422)
        message = letters.write(
            (person.name, person.address),
            [("", self._mailboxes.our_address)],
            subject,
            typed.rstrip() + "\n",
            datetime.now().astimezone(),
        )
        if trouble := self._hand_in(message, person):
            return self._blank(person, subject, typed, trouble, 502)
        return redirect(person.url + "?sent")

    def _hand_in(self, message: EmailMessage, person: Person) -> str:
        """Send it; the empty string, or what the post office said against it."""
        recipients = [address.addr_spec for address in message["To"].addresses]
        try:
            letters.hand_in(message, person.address, recipients, *self._smtp)
        except smtplib.SMTPRecipientsRefused as refused:
            return "; ".join(
                f"{code} {words.decode(errors='replace')}" for code, words in refused.recipients.values()
            )
        except smtplib.SMTPResponseException as refused:
            return f"{refused.smtp_code} {refused.smtp_error!r}"
        except (smtplib.SMTPException, OSError) as error:
            return str(error)
        return ""

    def _html(self, person: Person, key: str) -> Response:
        letter, _ = self._letter(person, key)
        if not letter.html:
            raise Missing("part")
        numbers = {part.cid: part.number for part in letter.parts if part.cid}
        base = f"{person.url}/{quote(key, safe='')}/part/"

        def served(match: re.Match[str]) -> str:
            number = numbers.get(match[1])
            return match[0] if number is None else f"{base}{number}"

        body = _CID.sub(served, letter.html).encode("utf-8", "replace")
        return Response(200, "text/html; charset=utf-8", body, {"Content-Security-Policy": MAIL_POLICY})

    def _part(self, person: Person, key: str, number: str) -> Response:
        letter, _ = self._letter(person, key)
        part = next((part for part in letter.parts if str(part.number) == number), None)
        if part is None:
            raise Missing("part")
        headers = {"Content-Security-Policy": FILE_POLICY}
        if part.kind in letters.SHOWN:
            return Response(200, part.kind, part.data, headers)
        name = quote(part.name, safe="", errors="replace")
        headers["Content-Disposition"] = f"attachment; filename*=UTF-8''{name}"
        return Response(200, "application/octet-stream", part.data, headers)

    def _letter(self, person: Person, key: str) -> tuple[letters.Letter, maildir.Filed]:
        filed, raw = maildir.find(person.folder, key), maildir.read(person.folder, key)
        if filed is None or raw is None:
            raise Missing("mail")
        return letters.parse(raw), filed

    def _answers_to(self, letter: letters.Letter) -> str:
        people = letter.addresses("Reply-To") or letter.addresses("From")
        return (people[0][0] or people[0][1]) if people else self._mailboxes.our_address

    def _person(self, address: str) -> Person:
        wanted = normal(address)
        found = next((person for person in self._people() if normal(person.address) == wanted), None)
        if found is None:
            raise Missing("person")
        return found

    def _people(self) -> list[Person]:
        return [self._shown(n, name, address) for n, (name, address) in enumerate(self._directory.people())]

    def _shown(self, n: int, name: str, address: str) -> Person:
        folder, plain = self._mailboxes.folder(address), normal(address)
        robot, you = plain in self._robots, plain == self._you
        return Person(name or address, address, folder, inbox.unread(folder), robot, you, n % 6)

    def _state(self) -> str:
        return inbox.state(self._mailboxes.folder(address) for _, address in self._directory.people())

    def _page(
        self, template: str, person: Person | None, status: int = 200, *, state: str = "", **values: object
    ) -> Response:
        """A whole page; `state` is what it shows, by default all that is there now."""
        nonce = secrets.token_urlsafe(16)
        source = self._templates.get_template(template).render(
            nonce=nonce,
            state=state or self._state(),
            people=self._people(),
            person=person,
            our_address=self._mailboxes.our_address,
            **values,
        )
        headers = {"Content-Security-Policy": PAGE_POLICY.format(nonce=nonce)}
        return Response(status, "text/html; charset=utf-8", source.encode("utf-8", "replace"), headers)


def inbox_path(address: str) -> str:
    """Where somebody's inbox stands on the page, `/people/...`."""
    return "/people/" + quote(address, safe="@+")


def redirect(path: str) -> Response:
    """Go on with a GET of another page."""
    return Response(303, "text/plain; charset=utf-8", b"", {"Location": path})


def short_date(moment: datetime) -> str:
    """Today's time of day, or the day."""
    today = datetime.now().astimezone()
    if moment.date() == today.date():
        return f"{moment:%H:%M}"
    return f"{moment.day} {moment:%b}" if moment.year == today.year else f"{moment.day} {moment:%b %Y}"


def long_date(moment: datetime) -> str:
    """Weekday, day and time."""
    return f"{moment:%A}, {moment.day} {moment:%B %Y}, {moment:%H:%M}"


def human_size(size: int) -> str:
    """A number of bytes in the unit that people read."""
    if size < 1000:
        return f"{size} bytes"
    return f"{size / 1000:.0f} KB" if size < 1_000_000 else f"{size / 1_000_000:.1f} MB"
