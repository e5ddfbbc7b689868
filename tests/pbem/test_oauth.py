"""Access tokens: fetched in time, kept, replaced; whatever goes wrong is told with its remedy."""

from __future__ import annotations

import logging
import stat
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pbem import config, oauth
from pbem.config import BadConfig, Config
from pbem.oauth import AccessTokens, OauthClient
from pbem.ports import Disconnected, Refused
from pbem.service import imap_account, smtp_account

from .token_server import TokenServer


class Hour:
    """A clock that stands until it is moved."""

    def __init__(self) -> None:
        self.at = 1000.0

    def now(self) -> float:
        return self.at


@pytest.fixture
def clock() -> Hour:
    return Hour()


@pytest.fixture
def server(clock: Hour) -> Iterator[TokenServer]:
    with TokenServer(now=clock.now) as server:
        yield server


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "refresh-token"
    path.write_text("r0\n")
    return path


def tokens(server: TokenServer, file: Path, clock: Hour, **more: Any) -> AccessTokens:
    settings: dict[str, Any] = {"client_secret": "s3cret", "timeout": 5.0}
    return AccessTokens(OauthClient(server.token_url, "pbem", file, **(settings | more)), now=clock.now)


def test_a_token_is_asked_for_as_the_standard_says(server: TokenServer, file: Path, clock: Hour) -> None:
    assert tokens(server, file, clock, scope="mail read").token() == "t1"
    assert server.forms == [
        {
            "grant_type": "refresh_token",
            "refresh_token": "r0",
            "client_id": "pbem",
            "client_secret": "s3cret",
            "scope": "mail read",
        }
    ]


def test_a_client_without_secret_sends_none(server: TokenServer, file: Path, clock: Hour) -> None:
    server.secret = ""
    tokens(server, file, clock, client_secret="").token()
    assert set(server.forms[0]) == {"grant_type", "refresh_token", "client_id"}


@pytest.mark.parametrize(
    ("lifetime", "good_for"),
    [
        (3600, 3600 - 120),
        ("3600", 3600 - 120),
        (100, 50),
        (None, 300 - 120),
        ("soon", 300 - 120),
        (-1, 300 - 120),
    ],
)
def test_a_token_is_kept_until_shortly_before_its_end(
    lifetime: object, good_for: float, server: TokenServer, file: Path, clock: Hour
) -> None:
    server.lifetime = lifetime
    access = tokens(server, file, clock)
    assert access.token() == "t1"
    clock.at += good_for - 1
    assert access.token() == "t1"
    clock.at += 2
    assert access.token() == "t2"


def test_a_refused_token_is_not_given_again_and_a_late_complaint_harms_no_other(
    server: TokenServer, file: Path, clock: Hour
) -> None:
    access = tokens(server, file, clock)
    first = access.token()
    access.refused(first)
    second = access.token()
    assert second != first
    access.refused(first)
    assert access.token() == second


def test_many_threads_ask_once(server: TokenServer, file: Path, clock: Hour) -> None:
    access, seen = tokens(server, file, clock), []
    threads = [threading.Thread(target=lambda: seen.append(access.token())) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert seen == ["t1"] * 8
    assert len(server.forms) == 1


def test_a_replaced_refresh_token_is_kept_for_its_owner_alone(
    server: TokenServer, file: Path, clock: Hour
) -> None:
    server.rotates = True
    file.chmod(0o644)
    tokens(server, file, clock).token()
    assert file.read_text() == "r1\n"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert list(file.parent.iterdir()) == [file]
    assert tokens(server, file, clock).token() == "t2"


def test_a_replaced_refresh_token_that_cannot_be_written_is_not_lost(
    server: TokenServer,
    file: Path,
    clock: Hour,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    server.rotates = True
    access = tokens(server, file, clock)

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch, caplog.at_level(logging.ERROR):
        patch.setattr("os.replace", full)
        assert access.token() == "t1"
    assert "cannot be written" in caplog.text
    assert "r1" not in caplog.text.replace(str(file), "")
    assert file.read_text() == "r0\n"
    assert list(file.parent.iterdir()) == [file]
    access.refused("t1")
    server.rotates = False
    assert access.token() == "t2"
    assert file.read_text() == "r1\n"


def test_a_new_sign_in_is_seen_at_once_after_the_pause(server: TokenServer, file: Path, clock: Hour) -> None:
    server.refresh_token = "new"
    access = tokens(server, file, clock)
    for _ in range(3):
        with pytest.raises(
            Refused, match=r"Sign in again and write the new refresh token into .*refresh-token"
        ):
            access.token()
    assert len(server.forms) == 1, "a provider that said no is not asked every few seconds"
    file.write_text("new")
    clock.at += oauth.PAUSE + 1
    assert access.token() == "t2"


@pytest.mark.parametrize(
    ("answer", "kind", "said"),
    [
        (
            (400, '{"error": "invalid_grant", "error_description": "gone\\nfor good"}'),
            Refused,
            "gone for good",
        ),
        ((401, '{"error": "invalid_client"}'), Refused, "Check oauth.client_id and the client secret"),
        ((400, '{"error": "unauthorized_client"}'), Refused, "Check oauth.client_id"),
        ((400, '{"error": "invalid_scope"}'), Refused, "Correct oauth.scope"),
        ((404, "<html>not here"), Refused, "Check oauth.token_url"),
        ((405, ""), Refused, "Check oauth.token_url"),
        ((400, '{"error": ["odd"]}'), Refused, "Check oauth.token_url"),
        ((200, "<html>Welcome"), Refused, "its answer is no JSON object"),
        ((200, "[" * 50_000), Refused, "its answer is no JSON object"),
        ((200, '{"id_token": "x"}'), Refused, "holds no access_token"),
        ((200, '{"access_token": "a\\u0001b"}'), Refused, "holds no access_token"),
        ((200, '{"access_token": 7}'), Refused, "holds no access_token"),
        ((429, "slowly"), Disconnected, "for now"),
        ((503, "later"), Disconnected, "for now"),
        ((400, '{"error": "temporarily_unavailable"}'), Disconnected, "for now"),
    ],
)
def test_what_a_provider_says_instead(
    answer: tuple[int, str], kind: type[Exception], said: str, server: TokenServer, file: Path, clock: Hour
) -> None:
    server.answer = answer
    with pytest.raises(kind) as caught:
        tokens(server, file, clock).token()
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)
    assert "s3cret" not in str(caught.value)
    assert "r0" not in str(caught.value).replace(str(file), "")


def test_secrets_do_not_follow_a_redirect(server: TokenServer, file: Path, clock: Hour) -> None:
    with TokenServer() as elsewhere:
        server.answer, server.headers = (307, ""), {"Location": elsewhere.token_url}
        with pytest.raises(Refused, match=r"Check oauth\.token_url"):
            tokens(server, file, clock).token()
        assert elsewhere.forms == []


def test_a_provider_that_does_not_answer_is_tried_again(server: TokenServer, file: Path, clock: Hour) -> None:
    server.hangs.clear()
    access = tokens(server, file, clock, timeout=0.3)
    with pytest.raises(Disconnected, match="tried again"):
        access.token()
    server.hangs.set()
    clock.at += oauth.PAUSE + 1
    assert access.token()


def test_nobody_listens(file: Path, clock: Hour) -> None:
    client = OauthClient("http://127.0.0.1:1/token", "pbem", file)
    with pytest.raises(Disconnected, match="tried again"):
        AccessTokens(client, now=clock.now).token()


@pytest.mark.parametrize(
    ("content", "said"), [(None, "cannot be read"), (b"\n", "is empty"), (b"\xff", "no text")]
)
def test_a_refresh_token_that_is_not_there(
    content: bytes | None, said: str, server: TokenServer, file: Path, clock: Hour
) -> None:
    if content is None:
        file.unlink()
    else:
        file.write_bytes(content)
    with pytest.raises(Refused, match="Sign in at your provider") as caught:
        tokens(server, file, clock).token()
    assert said in str(caught.value)
    assert server.forms == []


@pytest.mark.parametrize(
    "url", ["http://login.example.org/token", "ftp://localhost/x", "https://", "", "http://[x"]
)
def test_secrets_are_not_sent_in_the_clear(url: str, file: Path) -> None:
    with pytest.raises(Refused, match="begins with https"):
        AccessTokens(OauthClient(url, "pbem", file))


def test_a_secret_is_in_no_representation(file: Path) -> None:
    assert "s3cret" not in repr(OauthClient("https://x.example", "pbem", file, "s3cret"))


OAUTH = {"token_url": "https://login.example.org/token", "client_id": "pbem", "refresh_token_file": "r"}


def raw(**oauth: str) -> dict[str, Any]:
    server = {"host": "mail.example.org", "user": "games@example.org", "auth": "xoauth2"}
    return {"mail": {"source": "imap"}, "imap": server, "smtp": server, "oauth": {**OAUTH, **oauth}}


def test_both_servers_share_the_tokens_and_need_no_password() -> None:
    read = config.read(raw(), "c.toml")
    assert imap_account(read).access is smtp_account(read).access is not None
    assert imap_account(Config()).access is smtp_account(Config()).access is None


@pytest.mark.parametrize(
    ("key", "value", "said"),
    [
        ("token_url", "http://login.example.org/token", "begins with https://"),
        ("token_url", "", "begins with https://"),
        ("client_id", "", "the id under which your provider knows this program"),
        ("refresh_token_file", "", "the file that holds the refresh token"),
    ],
)
def test_what_is_missing_for_tokens_is_named(key: str, value: str, said: str) -> None:
    with pytest.raises(BadConfig) as caught:
        config.read(raw(**{key: value}), "c.toml")
    assert f"oauth.{key} = {value!r} cannot be used" in str(caught.value)
    assert said in str(caught.value)
    unused = raw(**{key: value})
    unused["imap"] = unused["smtp"] = {"host": "mail.example.org", "user": "games"}
    config.read(unused, "c.toml")


def test_tokens_need_a_user_for_sending_too() -> None:
    wrong = raw()
    wrong["smtp"] = {"host": "mail.example.org", "auth": "xoauth2"}
    with pytest.raises(BadConfig, match=r"smtp\.user = '' cannot be used; write the mailbox"):
        config.read(wrong, "c.toml")


def test_the_client_secret_comes_from_elsewhere(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert config.client_secret(config.Oauth()) == ""
    monkeypatch.setenv("PBEM_TEST_SECRET", "one")
    assert config.client_secret(config.Oauth(client_secret_env="PBEM_TEST_SECRET")) == "one"
    monkeypatch.delenv("PBEM_TEST_SECRET")
    with pytest.raises(BadConfig, match=r"oauth\.client_secret_env: the environment has no variable"):
        config.client_secret(config.Oauth(client_secret_env="PBEM_TEST_SECRET"))
    (tmp_path / "s").write_text("two\n")
    assert config.client_secret(config.Oauth(client_secret_file=str(tmp_path / "s"))) == "two"
