"""XOAUTH2 against Dovecot and Postfix, which ask a provider of tokens on loopback what each token is worth."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem.doctor import examine
from pbem.oauth import AccessTokens, OauthClient
from pbem.ports import Outgoing, Refused
from pbem.sources.imap import ImapSource

from ..pbem.token_server import TokenServer
from .mailhost import HOST, MailHost, until
from .peers import dovecot_account
from .test_contract import mail
from .test_post import account
from .test_post import send as hand_over


class Hour:
    """A clock for us and the provider, which stands until it is moved."""

    def __init__(self) -> None:
        self.at = 1000.0

    def now(self) -> float:
        return self.at


class Provider(TokenServer):
    """The provider, the mail servers that believe it, and our tokens."""

    def __init__(self, file: Path, clock: Hour) -> None:
        super().__init__(now=clock.now)
        self.file = file
        self.clock = clock

    def client(self) -> OauthClient:
        return OauthClient(self.token_url, "pbem", self.file, self.secret)

    def renewed(self) -> None:
        """As at the beginning of every test."""
        self.file.write_text(self.refresh_token)
        self.worthless = self.rotates = False
        self.answer = None
        self.forms.clear()
        self.asked.clear()
        self.given.clear()


@pytest.fixture(scope="module")
def shared(
    real_servers: None, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[Provider, MailHost]]:
    file = tmp_path_factory.mktemp("oauth") / "refresh-token"
    with Provider(file, Hour()) as provider, MailHost(["games"], oauth_url=provider.worth_url) as host:
        yield provider, host


@pytest.fixture
def provider(shared: tuple[Provider, MailHost]) -> Provider:
    shared[0].renewed()
    return shared[0]


@pytest.fixture
def host(shared: tuple[Provider, MailHost]) -> MailHost:
    shared[1].empty()
    return shared[1]


@pytest.fixture
def access(provider: Provider) -> AccessTokens:
    return AccessTokens(provider.client(), now=provider.clock.now)


@pytest.fixture
def source(host: MailHost, access: AccessTokens) -> Iterator[ImapSource]:
    source = ImapSource(dovecot_account(host, password="", access=access))
    yield source
    source.close()


def send(host: MailHost, access: AccessTokens) -> bool:
    letter = Outgoing(1, "games+b@pbem.example.org", "games@pbem.example.org", mail(1))
    return [f.sent for f in hand_over(account(host, password="", access=access), [letter])] == [True]


def test_one_token_lets_us_in_to_both(
    host: MailHost, source: ImapSource, access: AccessTokens, provider: Provider
) -> None:
    assert send(host, access)
    (fetched,) = until(lambda: list(source.fetch()))
    source.settle(fetched.key, "Done")
    assert provider.asked == [("t1", True)] * 2
    assert len(provider.forms) == 1


def test_a_token_is_replaced_before_a_server_sees_it_expired(
    host: MailHost, source: ImapSource, access: AccessTokens, provider: Provider
) -> None:
    assert list(source.fetch()) == []
    provider.clock.at += 3600 - 60
    source.close()
    assert list(source.fetch()) == []
    assert send(host, access)
    provider.clock.at += 3600
    assert send(host, access)
    assert all(good for _, good in provider.asked)
    assert len(provider.forms) == 3


def test_a_revoked_token_is_replaced_after_one_refusal(
    host: MailHost, source: ImapSource, access: AccessTokens, provider: Provider
) -> None:
    assert list(source.fetch()) == []
    provider.revoke()
    source.close()
    assert list(source.fetch()) == []
    assert [good for _, good in provider.asked] == [True, False, True]
    provider.revoke()
    assert send(host, access)
    assert len(provider.forms) == 3


def test_tokens_that_are_worth_nothing_are_told_after_two(
    host: MailHost, source: ImapSource, access: AccessTokens, provider: Provider
) -> None:
    provider.worthless = True
    with pytest.raises(Refused, match=r"does not let games@pbem\.example\.org in.*check that oauth\.scope"):
        list(source.fetch())
    assert len(set(provider.asked)) == 2
    provider.asked.clear()
    with pytest.raises(Refused, match=r"does not let games@pbem\.example\.org in.*check that oauth\.scope"):
        send(host, access)
    assert len(set(provider.asked)) == 2


def test_a_permission_that_was_withdrawn_is_told_by_both(
    host: MailHost, source: ImapSource, access: AccessTokens, provider: Provider
) -> None:
    provider.file.write_text("an old one")
    with pytest.raises(Refused, match="Sign in again"):
        list(source.fetch())
    with pytest.raises(Refused, match="Sign in again"):
        send(host, access)
    assert provider.asked == []


def test_the_doctor_goes_in_by_token(host: MailHost, provider: Provider, tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text(provider.secret)
    config = tmp_path / "config.toml"
    config.write_text(f"""
        [mail]
        source = "imap"
        address = "games@pbem.example.org"
        [imap]
        host = "{HOST}"
        port = {host.imaps}
        auth = "xoauth2"
        user = "games@pbem.example.org"
        ca_file = "{host.ca}"
        [smtp]
        host = "{HOST}"
        port = {host.submission}
        auth = "xoauth2"
        user = "games@pbem.example.org"
        ca_file = "{host.ca}"
        [oauth]
        token_url = "{provider.token_url}"
        client_id = "pbem"
        client_secret_file = "{secret}"
        refresh_token_file = "{provider.file}"
        [store]
        path = "{tmp_path / "pbem.sqlite"}"
    """)
    findings = {f.step: f for f in examine(config, 20)}
    assert [f.said for f in findings.values() if f.state != "good"] == []
    assert {"mailbox logs in", "post logs in", "test mail arrives", "plus address"} <= set(findings)
    provider.worthless = True
    findings = {f.step: f for f in examine(config, 20)}
    for step in ("mailbox logs in", "post logs in"):
        assert findings[step].state == "bad"
        assert "oauth.scope" in findings[step].remedy
