"""The host's `config.toml`: what may stand in it, and what is said when something else does."""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Literal, get_args, get_origin, get_type_hints
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import msgspec

from .hours import BadHours, hour, weekdays
from .mail.hosts import is_loopback
from .oauth import is_safe


class BadConfig(Exception):
    """The configuration cannot be used; the text names file, key, value and remedy."""


Security = Literal["tls", "starttls", "none"]
Auth = Literal["password", "xoauth2"]


class Server(msgspec.Struct, forbid_unknown_fields=True):
    """A server of other people's, and how to get in."""

    host: str = ""
    port: int = 0
    security: Security = "tls"
    auth: Auth = "password"
    user: str = ""
    password_env: str = ""
    password_file: str = ""
    ca_file: str = ""
    timeout: int = 30


class Imap(Server):
    """`[imap]`: the mailbox on a server."""

    port: int = 993


class Smtp(Server):
    """`[smtp]`: where letters are handed in."""

    port: int = 587
    security: Security = "starttls"


class Lmtp(msgspec.Struct, forbid_unknown_fields=True):
    """`[lmtp]`: where the mail server of this machine hands mail to us."""

    socket: str = "var/lmtp.sock"
    host: str = "127.0.0.1"
    port: int = 0


class Oauth(msgspec.Struct, forbid_unknown_fields=True):
    """`[oauth]`: how to get access tokens, where a server takes no passwords."""

    token_url: str = ""
    client_id: str = ""
    client_secret_env: str = ""
    client_secret_file: str = ""
    refresh_token_file: str = ""
    scope: str = ""


class Mail(msgspec.Struct, forbid_unknown_fields=True):
    """`[mail]`: our own address, and where its mail comes from."""

    source: Literal["embedded", "imap", "maildir", "lmtp"] = "embedded"
    address: str = "pbem@pbem.example.org"
    name: str = "Play by mail"
    maildir: str = "var/mail"
    authserv_id: str = ""
    poll_seconds: int = 30
    receipts_per_hour: int = 60
    pictures: bool = True
    """Whether letters show the board as a picture beside its words."""


class Table(msgspec.Struct, forbid_unknown_fields=True):
    """`[table]`: what new tables begin with."""

    zone: str = "UTC"
    language: str = "en"
    turn_hours: float = 72
    reaction_hours: float = 24
    setup_hours: float = 72
    grace_hours: float = 12
    hour: str = ""
    weekdays: str = ""
    default: Literal["wait", "harmless", "robot"] = "harmless"
    minimum_age_minutes: float = 10


class StoreConfig(msgspec.Struct, forbid_unknown_fields=True):
    """`[store]`: the one file that is everything."""

    path: str = "var/pbem.sqlite"


class Web(msgspec.Struct, forbid_unknown_fields=True):
    """`[web]`: the embedded post office's ports; 0 takes any that is free."""

    port: int = 8025
    smtp_port: int = 2525


class Troyes(msgspec.Struct, forbid_unknown_fields=True):
    """`[troyes]`: an owner's own card numbers."""

    data: str = ""


class Config(msgspec.Struct, forbid_unknown_fields=True):
    """The whole file. Every key may be left out."""

    mail: Mail = msgspec.field(default_factory=Mail)
    imap: Imap = msgspec.field(default_factory=Imap)
    smtp: Smtp = msgspec.field(default_factory=Smtp)
    lmtp: Lmtp = msgspec.field(default_factory=Lmtp)
    oauth: Oauth = msgspec.field(default_factory=Oauth)
    table: Table = msgspec.field(default_factory=Table)
    store: StoreConfig = msgspec.field(default_factory=StoreConfig)
    web: Web = msgspec.field(default_factory=Web)
    troyes: Troyes = msgspec.field(default_factory=Troyes)

    @property
    def domain(self) -> str:
        """The domain of our address."""
        return self.mail.address.rpartition("@")[2]


@dataclass(frozen=True)
class _Rule:
    key: str
    holds: Callable[[Config], bool]
    remedy: str


ADDRESS = re.compile(r"[^\s@+<>\"]+@[^\s@<>\"]+\.[^\s@<>\"]+")


def _known_zone(name: str) -> bool:
    try:
        ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return False
    return True


def _reads(reader: Callable[[str], object], text: str) -> bool:
    try:
        reader(text)
    except BadHours:
        return False
    return True


def _without_tokens(config: Config) -> bool:
    """Whether no server that is used wants access tokens."""
    reads = config.mail.source == "imap" and config.imap.auth == "xoauth2"
    sends = config.mail.source != "embedded" and config.smtp.auth == "xoauth2"
    return not (reads or sends)


DAY = 24 * 60 * 60
"""In seconds."""
YEAR = 365 * 24
"""In hours; nobody waits longer for a turn, and no date lies so far away that it cannot be written."""

RULES = (
    _Rule(
        "mail.address", lambda c: bool(ADDRESS.fullmatch(c.mail.address)), "an address like games@example.org"
    ),
    _Rule("mail.name", lambda c: len(c.mail.name.strip()) >= 3, "a name of at least three letters"),
    _Rule("mail.poll_seconds", lambda c: 1 <= c.mail.poll_seconds <= DAY, "seconds, from 1 to 86400"),
    _Rule("mail.receipts_per_hour", lambda c: c.mail.receipts_per_hour >= 0, "a number; 0 for no limit"),
    _Rule(
        "imap.host", lambda c: c.mail.source != "imap" or bool(c.imap.host), "the name of your IMAP server"
    ),
    _Rule("imap.user", lambda c: c.mail.source != "imap" or bool(c.imap.user), "the mailbox's user name"),
    _Rule(
        "smtp.host",
        lambda c: c.mail.source == "embedded" or bool(c.smtp.host),
        "the name of your SMTP server",
    ),
    _Rule(
        "smtp.user",
        lambda c: c.smtp.auth == "password" or _without_tokens(c) or bool(c.smtp.user),
        "the mailbox that was signed in, since smtp.auth is xoauth2",
    ),
    _Rule(
        "oauth.token_url",
        lambda c: _without_tokens(c) or is_safe(c.oauth.token_url),
        "the provider's token endpoint, which begins with https://",
    ),
    _Rule(
        "oauth.client_id",
        lambda c: _without_tokens(c) or bool(c.oauth.client_id),
        "the id under which your provider knows this program",
    ),
    _Rule(
        "oauth.refresh_token_file",
        lambda c: _without_tokens(c) or bool(c.oauth.refresh_token_file),
        "the file that holds the refresh token from your sign-in",
    ),
    _Rule("imap.port", lambda c: 0 < c.imap.port < 65536, "a port from 1 to 65535; IMAP with TLS has 993"),
    _Rule("smtp.port", lambda c: 0 < c.smtp.port < 65536, "a port from 1 to 65535; submission has 587"),
    _Rule(
        "lmtp.socket",
        lambda c: c.mail.source != "lmtp" or bool(c.lmtp.socket or c.lmtp.port),
        "a path like var/lmtp.sock, or choose a port by lmtp.port",
    ),
    _Rule(
        "lmtp.host",
        lambda c: is_loopback(c.lmtp.host),
        "127.0.0.1 or ::1, since nobody has to log in there",
    ),
    _Rule("imap.timeout", lambda c: 1 <= c.imap.timeout <= 600, "seconds, from 1 to 600"),
    _Rule("smtp.timeout", lambda c: 1 <= c.smtp.timeout <= 600, "seconds, from 1 to 600"),
    _Rule("lmtp.port", lambda c: 0 <= c.lmtp.port < 65536, "a port from 1 to 65535; 0 for the socket"),
    _Rule("web.port", lambda c: 0 <= c.web.port < 65536, "a port from 0 to 65535"),
    _Rule("web.smtp_port", lambda c: 0 <= c.web.smtp_port < 65536, "a port from 0 to 65535"),
    _Rule("table.zone", lambda c: _known_zone(c.table.zone), "a time zone like Europe/Lisbon or UTC"),
    _Rule("table.language", lambda c: c.table.language in ("en",), "a language that is there: en"),
    _Rule(
        "table.turn_hours",
        lambda c: 0 < c.table.turn_hours <= YEAR,
        "a number of hours above 0, and not above 8760, which is a year",
    ),
    _Rule(
        "table.reaction_hours",
        lambda c: 0 < c.table.reaction_hours <= YEAR,
        "a number of hours above 0, and not above 8760, which is a year",
    ),
    _Rule(
        "table.setup_hours",
        lambda c: 0 < c.table.setup_hours <= YEAR,
        "a number of hours above 0, and not above 8760, which is a year",
    ),
    _Rule(
        "table.grace_hours",
        lambda c: 0 <= c.table.grace_hours <= YEAR,
        "a number of hours, 0 for none, 8760 at most",
    ),
    _Rule("table.hour", lambda c: _reads(hour, c.table.hour), "a time of day like 18:00, or nothing"),
    _Rule(
        "table.weekdays",
        lambda c: _reads(weekdays, c.table.weekdays),
        "days like mon-fri, or sat, sun, or nothing for all",
    ),
    _Rule(
        "table.minimum_age_minutes",
        lambda c: 0 <= c.table.minimum_age_minutes <= 24 * 60,
        "a number of minutes, 0 for none, 1440 at most",
    ),
)


def load(path: Path) -> Config:
    """The configuration in a file; raises `BadConfig`."""
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise BadConfig(f"{path}: there is no such file; `pbem init` writes one") from None
    except (OSError, UnicodeDecodeError) as e:
        raise BadConfig(f"{path}: cannot be read ({e}); it must be a UTF-8 text file") from e
    try:
        raw = tomllib.loads(text)
    except tomllib.TOMLDecodeError as e:
        raise BadConfig(f"{path}: this is not TOML: {e}") from e
    return read(raw, str(path))


def read(raw: dict[str, Any], name: str) -> Config:
    """The configuration in plain data; `name` is what errors call the file. Raises `BadConfig`."""
    _known_keys(raw, name)
    try:
        config = msgspec.convert(raw, Config)
    except msgspec.ValidationError as e:
        raise BadConfig(_explained(str(e), raw, name)) from e
    for rule in RULES:
        if not rule.holds(config):
            raise BadConfig(
                f"{name}: {rule.key} = {_at(raw, rule.key)!r} cannot be used; write {rule.remedy}"
            )
    return config


def _known_keys(raw: dict[str, Any], name: str) -> None:
    known = {f.name: f.type for f in msgspec.structs.fields(Config)}
    for section, values in raw.items():
        if section not in known:
            raise BadConfig(f"{name}: [{section}] is not known; {_instead(section, list(known))}")
        if not isinstance(values, dict):
            raise BadConfig(
                f"{name}: {section} = {values!r} must be a section: write [{section}] above its keys"
            )
        keys = [f.name for f in msgspec.structs.fields(known[section])]
        for key in values:
            if key not in keys:
                raise BadConfig(f"{name}: {section}.{key} is not known; {_instead(key, keys)}")


def _instead(word: str, known: list[str]) -> str:
    near = get_close_matches(word, known, n=1, cutoff=0.5)
    return f"did you mean {near[0]}?" if near else f"known are {', '.join(known)}"


_WRITE = {str: "text in quotes", int: "a whole number", float: "a number"}


def _explained(error: str, raw: dict[str, Any], name: str) -> str:
    key = error.partition(" - at `$.")[2].rstrip("`")
    section, _, field = key.partition(".")
    wanted = get_type_hints(get_type_hints(Config)[section])[field]
    if get_origin(wanted) is Literal:
        remedy = "one of " + ", ".join(f'"{word}"' for word in get_args(wanted))
    else:
        remedy = _WRITE[wanted]
    return f"{name}: {key} = {_at(raw, key)!r} cannot be used; write {remedy}"


def _at(raw: dict[str, Any], key: str) -> Any:
    section, _, name = key.partition(".")
    found = raw.get(section, {})
    default = getattr(getattr(Config(), section, None), name, None)
    return found.get(name, default) if isinstance(found, dict) else found


def password(section: Server, what: str) -> str:
    """The password a section points to; raises `BadConfig` when it points nowhere. `what`: `imap` or `smtp`."""
    if section.auth == "xoauth2":
        return ""
    found = _secret(section.password_env, section.password_file, f"{what}.password")
    if found is not None:
        return found
    if section.user:
        raise BadConfig(
            f"{what}: {section.user} needs a password; name it by {what}.password_env or password_file"
        )
    return ""


def client_secret(section: Oauth) -> str:
    """The client secret `[oauth]` points to, empty where it names none; raises `BadConfig`."""
    return _secret(section.client_secret_env, section.client_secret_file, "oauth.client_secret") or ""


def _secret(variable: str, file: str, key: str) -> str | None:
    """What a variable or a file holds; None where neither is named."""
    if variable:
        found = os.environ.get(variable)
        if found is None:
            raise BadConfig(f"{key}_env: the environment has no variable {variable}; set it")
        return found
    if file:
        try:
            return Path(file).read_text(encoding="utf-8").strip()
        except OSError as e:
            raise BadConfig(f"{key}_file: {file} cannot be read: {e.strerror}") from e
    return None
