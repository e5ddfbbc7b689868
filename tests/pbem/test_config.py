"""A wrong configuration is answered with file, key, value and remedy."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pbem import config
from pbem.config import BadConfig, Config


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        ({"mial": {}}, "c.toml: [mial] is not known; did you mean mail?"),
        ({"mail": {"adress": "x"}}, "c.toml: mail.adress is not known; did you mean address?"),
        (
            {"mail": {"address": "nobody"}},
            "c.toml: mail.address = 'nobody' cannot be used; write an address like",
        ),
        (
            {"mail": {"source": "pop3"}},
            'c.toml: mail.source = \'pop3\' cannot be used; write one of "embedded", "imap",',
        ),
        (
            {"mail": {"poll_seconds": "often"}},
            "c.toml: mail.poll_seconds = 'often' cannot be used; write a whole",
        ),
        ({"mail": {"name": 5}}, "c.toml: mail.name = 5 cannot be used; write text in quotes"),
        ({"table": {"turn_hours": "3"}}, "c.toml: table.turn_hours = '3' cannot be used; write a number"),
        (
            {"table": {"turn_hours": float("nan")}},
            "c.toml: table.turn_hours = nan cannot be used; write a number",
        ),
        (
            {"table": {"turn_hours": float("inf")}},
            "c.toml: table.turn_hours = inf cannot be used; write a number",
        ),
        (
            {"mail": {"source": "imap"}},
            "c.toml: imap.host = '' cannot be used; write the name of your IMAP server",
        ),
        (
            {"table": {"zone": "Lisbon"}},
            "c.toml: table.zone = 'Lisbon' cannot be used; write a time zone like",
        ),
        (
            {"table": {"turn_hours": 0}},
            "c.toml: table.turn_hours = 0 cannot be used; write a number of hours above 0",
        ),
        (
            {"table": {"grace_hours": 1e300}},
            "c.toml: table.grace_hours = 1e+300 cannot be used; write a number",
        ),
        (
            {"table": {"minimum_age_minutes": float("inf")}},
            "c.toml: table.minimum_age_minutes = inf cannot be used; write a number of minutes",
        ),
        (
            {"mail": {"poll_seconds": 10**12}},
            "c.toml: mail.poll_seconds = 1000000000000 cannot be used; write s",
        ),
        ({"imap": {"timeout": 0}}, "c.toml: imap.timeout = 0 cannot be used; write seconds, from 1 to 600"),
        ({"smtp": {"timeout": -5}}, "c.toml: smtp.timeout = -5 cannot be used; write seconds, from 1 to 600"),
        ({"table": {"language": "tlh"}}, "write a language that is there: en"),
        ({"web": {"port": 99999}}, "c.toml: web.port = 99999 cannot be used; write a port from 0 to 65535"),
        (
            {"lmtp": {"host": "0.0.0.0", "port": 24}},
            "c.toml: lmtp.host = '0.0.0.0' cannot be used; write 127.0.0.1 or ::1",
        ),
        ({"lmtp": {"port": -1}}, "c.toml: lmtp.port = -1 cannot be used; write a port from 1 to 65535"),
        (
            {"mail": {"source": "lmtp"}, "lmtp": {"socket": ""}, "smtp": {"host": "h"}},
            "c.toml: lmtp.socket = '' cannot be used; write a path like var/lmtp.sock",
        ),
        (
            {"imap": {"auth": "oauth"}},
            'c.toml: imap.auth = \'oauth\' cannot be used; write one of "password", "xoauth2"',
        ),
        ({"web": 8025}, "c.toml: web = 8025 must be a section: write [web] above its keys"),
    ],
)
def test_what_is_wrong_is_named_with_its_remedy(raw: dict[str, Any], said: str) -> None:
    with pytest.raises(BadConfig) as caught:
        config.read(raw, "c.toml")
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


def test_an_empty_file_is_enough(tmp_path: Path) -> None:
    (tmp_path / "c.toml").write_text("")
    assert config.load(tmp_path / "c.toml") == Config()


def test_a_missing_file_says_how_to_get_one(tmp_path: Path) -> None:
    with pytest.raises(BadConfig, match="`pbem init` writes one"):
        config.load(tmp_path / "none.toml")


def test_a_file_that_is_no_toml_names_the_line(tmp_path: Path) -> None:
    (tmp_path / "c.toml").write_text('[mail]\naddress = "x\n')
    with pytest.raises(BadConfig, match=r"this is not TOML.*line 2"):
        config.load(tmp_path / "c.toml")


def test_a_password_comes_from_elsewhere_or_is_asked_for(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    account = config.Imap(user="games", password_env="PBEM_TEST_PASSWORD")
    monkeypatch.delenv("PBEM_TEST_PASSWORD", raising=False)
    with pytest.raises(BadConfig, match="the environment has no variable PBEM_TEST_PASSWORD"):
        config.password(account, "imap")
    monkeypatch.setenv("PBEM_TEST_PASSWORD", "secret")
    assert config.password(account, "imap") == "secret"
    file = tmp_path / "password"
    file.write_text("other\n")
    assert config.password(config.Imap(user="games", password_file=str(file)), "imap") == "other"
    with pytest.raises(BadConfig, match="games needs a password"):
        config.password(config.Imap(user="games"), "imap")
