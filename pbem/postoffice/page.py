"""The inbox page: a small web server on loopback, in a thread of its own."""

from __future__ import annotations

import contextlib
import logging
import socket
import threading
from collections.abc import Collection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import TracebackType
from typing import Any, Self
from urllib.parse import parse_qs, unquote, urlsplit

from pbem.postoffice.loopback import NotLoopback, listen, loopback
from pbem.postoffice.people import Directory, Mailboxes
from pbem.postoffice.site import Request, Response, Site, inbox_path

log = logging.getLogger(__name__)

DEFAULT_PORT = 8026
LONGEST_FORM = 1_000_000
"""Bytes of one form that is sent to us."""
FORM = "application/x-www-form-urlencoded"

ALWAYS = {
    "X-Content-Type-Options": "nosniff",
    # Not `no-referrer`: with that, browsers send `Origin: null` along with our own forms.
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cache-Control": "no-store",
}


class Page:
    """Everybody's mail in the browser, with answers that go out by real SMTP to our own post office.

    There is no password, so it listens on loopback only and refuses requests that other sites cause.
    From an event loop, stop it with `asyncio.to_thread(page.stop)`.
    """

    def __init__(
        self,
        postoffice_root: Path,
        our_address: str,
        directory: Directory,
        smtp_port: int,
        host: str = "127.0.0.1",
        port: int = DEFAULT_PORT,
        *,
        smtp_host: str = "127.0.0.1",
        you: str | None = None,
        robots: Collection[str] = (),
    ) -> None:
        """`you` is the address whose inbox opens first, `robots` are those marked so; port 0 takes any free
        one. Raises `NotLoopback`."""
        self.host = loopback(host)
        self._wanted = port
        self._you = you
        mailboxes = Mailboxes(postoffice_root, our_address)
        self._site = Site(mailboxes, directory, (smtp_host, smtp_port), you, robots)
        self._server: _Server | None = None
        self._thread: threading.Thread | None = None

    @property
    def port(self) -> int:
        """The port it really got; 0 while it is closed."""
        return self._server.port if self._server else 0

    @property
    def url(self) -> str:
        """The address to open in a browser."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"http://{host}:{self.port}/"

    def inbox_url(self, address: str) -> str:
        """The address of one person's inbox."""
        return self.url.rstrip("/") + inbox_path(address)

    def start(self) -> None:
        """Open the page. Raises `OSError` where no port can be had."""
        self._server = _Server(listen(self.host, self._wanted), self._site)
        self._thread = threading.Thread(
            target=self._server.serve_forever, kwargs={"poll_interval": 0.05}, name="inbox-page"
        )
        self._thread.start()

    def stop(self) -> None:
        """Close the page, and wait until nothing of it is running; harmless when it is closed already."""
        if self._server is None or self._thread is None:
            return
        self._server.shutdown()
        self._thread.join()
        self._server.hang_up()
        self._server.server_close()
        self._server = self._thread = None

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()


class _Server(ThreadingHTTPServer):
    """One thread a request, all of them over when `server_close` returns."""

    daemon_threads = False

    def __init__(self, listening: socket.socket, site: Site) -> None:
        super().__init__(listening.getsockname()[:2], _Handler, bind_and_activate=False)
        self.socket.close()
        self.socket = listening
        self.port = int(listening.getsockname()[1])
        self.site = site
        self._lines: set[socket.socket] = set()

    def process_request(self, request: Any, client_address: Any) -> None:
        self._lines.add(request)
        super().process_request(request, client_address)

    def close_request(self, request: Any) -> None:
        self._lines.discard(request)
        super().close_request(request)

    def hang_up(self) -> None:
        """Drop the lines on which a browser still keeps us waiting."""
        for line in list(self._lines):
            with contextlib.suppress(OSError):
                line.shutdown(socket.SHUT_RD)

    def handle_error(self, request: Any, client_address: Any) -> None:
        log.debug("a browser went away", exc_info=True)


class _Handler(BaseHTTPRequestHandler):
    """Turns HTTP into `Request` and `Response`, and shows unfriendly requests the door."""

    server: _Server
    server_version = "pbem"
    sys_version = ""
    timeout = 30

    def do_GET(self) -> None:
        self._serve("GET")

    def do_HEAD(self) -> None:
        self._serve("GET")

    def do_POST(self) -> None:
        self._serve("POST")

    def log_message(self, format: str, *args: Any) -> None:
        log.debug(format, *args)

    def _serve(self, method: str) -> None:
        try:
            response = self._answer(method)
        except Exception:  # one page must not take the others with it
            log.exception("the page %s failed", self.path)
            response = self.server.site.error(500, "failed")
        self._send(response)

    def _answer(self, method: str) -> Response:
        site, host = self.server.site, self.headers.get("Host", "")
        if not is_loopback_host(host):
            return site.error(400, "host")
        form: dict[str, str] = {}
        if method == "POST":
            length = self.headers.get("Content-Length", "")
            if not length.isdecimal() or self.headers.get_content_type() != FORM:
                return site.error(400, "form")
            if int(length) > LONGEST_FORM:
                return site.error(413, "long")
            body = self.rfile.read(int(length))
            if self.headers.get("Origin") != f"http://{host}":
                return site.error(403, "origin")
            form = fields(body.decode("utf-8", "replace"))
        address = urlsplit(self.path)
        path = tuple(unquote(segment) for segment in address.path.split("/") if segment)
        return site.answer(Request(method, path, fields(address.query), form))

    def _send(self, response: Response) -> None:
        self.send_response(response.status)
        for name, value in {**ALWAYS, **response.headers}.items():
            self.send_header(name, value)
        self.send_header("Content-Type", response.kind)
        self.send_header("Content-Length", str(len(response.body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(response.body)


def is_loopback_host(header: str) -> bool:
    """Whether a Host header names this machine, whatever the port: a foreign name means DNS rebinding."""
    try:
        name = urlsplit(f"//{header}").hostname or ""
        loopback(name)
    except (NotLoopback, ValueError):
        return False
    return True


def fields(source: str) -> dict[str, str]:
    """The fields of a form or a query, the first of each name, with plain line ends."""
    try:
        found = parse_qs(source, keep_blank_values=True, max_num_fields=20)
    except ValueError:
        return {}
    return {name: values[0].replace("\r\n", "\n") for name, values in found.items()}
