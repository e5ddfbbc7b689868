"""A provider of access tokens on loopback: a token endpoint, and where a mail server asks what a token is worth."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self
from urllib.parse import parse_qs, urlsplit


class TokenServer:
    """Gives tokens for one refresh token, and goes wrong on demand."""

    def __init__(
        self, mailbox: str = "games@pbem.example.org", now: Callable[[], float] = lambda: 0.0
    ) -> None:
        self.mailbox = mailbox
        self.now = now
        self.refresh_token = "r0"
        self.secret = "s3cret"
        self.lifetime: object = 3600
        self.rotates = False
        self.answer: tuple[int, str] | None = None
        """Status and body instead of tokens."""
        self.headers: dict[str, str] = {}
        self.hangs = threading.Event()
        self.hangs.set()
        """Cleared: requests get no answer until it is set."""
        self.worthless = False
        """Tokens are given, and mail servers are told that they are worth nothing."""
        self.given: dict[str, float] = {}
        """Each token and its end."""
        self.forms: list[dict[str, str]] = []
        self.asked: list[tuple[str, bool]] = []
        """The tokens that mail servers asked for, and whether they were good."""

    def __enter__(self) -> Self:
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"])).decode()
                outer.hangs.wait(10)
                status, answer = outer._token({name: v[0] for name, v in parse_qs(body).items()})
                self._say(status, answer)

            def do_GET(self) -> None:
                token = parse_qs(urlsplit(self.path).query).get("access_token", [""])[0]
                status, answer = outer._worth(token)
                self._say(status, answer)

            def _say(self, status: int, answer: str) -> None:
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(answer.encode())))
                for name, value in outer.headers.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(answer.encode())

            def log_message(self, *_: Any) -> None:
                """Nothing."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(target=lambda: self._server.serve_forever(poll_interval=0.02))
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.hangs.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    @property
    def token_url(self) -> str:
        """Where we ask for tokens."""
        return f"http://127.0.0.1:{self._server.server_port}/token"

    @property
    def worth_url(self) -> str:
        """Where a mail server asks; the token is appended."""
        return f"http://127.0.0.1:{self._server.server_port}/worth?access_token="

    def revoke(self) -> None:
        """All tokens of before are worth nothing; new ones can be had."""
        self.given.clear()

    def _token(self, form: dict[str, str]) -> tuple[int, str]:
        self.forms.append(form)
        if self.answer is not None:
            return self.answer
        if form.get("client_id") != "pbem" or form.get("client_secret", "") != self.secret:
            return 401, json.dumps({"error": "invalid_client"})
        if form.get("refresh_token") != self.refresh_token:
            said = {"error": "invalid_grant", "error_description": "Token has been expired\nor revoked."}
            return 400, json.dumps(said)
        token = f"t{len(self.forms)}"
        lifetime = self.lifetime if isinstance(self.lifetime, (int, float)) else 300
        self.given[token] = self.now() + lifetime
        answer: dict[str, object] = {"access_token": token, "token_type": "Bearer"}
        if self.lifetime is not None:
            answer["expires_in"] = self.lifetime
        if self.rotates:
            self.refresh_token = f"r{len(self.forms)}"
            answer["refresh_token"] = self.refresh_token
        return 200, json.dumps(answer)

    def _worth(self, token: str) -> tuple[int, str]:
        good = not self.worthless and self.now() < self.given.get(token, 0.0)
        self.asked.append((token, good))
        if not good:
            return 401, json.dumps({"error": "invalid_token"})
        return 200, json.dumps({"active": "true", "email": self.mailbox})
