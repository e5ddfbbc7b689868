"""The table of signals: who sent it, and what may be done with it."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.mail.identify import Identity, Verdict, dmarc, identify, verdict
from pbem.mail.mime import Mail
from pbem.mail.tokens import Purpose, Token, Tokens
from pbem.mail.us import Us

TOKENS = Tokens([b"a key"])
DAN = TOKENS.make(7, 12, 4, Purpose.ORDERS)
ANA = TOKENS.make(7, 12, 1, Purpose.ORDERS)
FORGED = DAN[:-1] + ("a" if DAN[-1] != "a" else "q")
SAID = "Authentication-Results: mx.pbem.example.org; "


def mail(*headers: str, sender: str = "Dan <dan@example.com>") -> Mail:
    return Mail("\r\n".join([*headers, f"From: {sender}", "", "x"]).encode())


def to(token: str) -> str:
    return f"To: Harbour Wars <gm+{token}@pbem.example.org>"


@pytest.mark.parametrize(
    ("header", "where"),
    [
        (f"Delivered-To: gm+{DAN}@pbem.example.org", "delivered-to"),
        (f"X-Original-To: GM+{DAN.upper()}@PBEM.example.org", "x-original-to"),
        (to(DAN), "to"),
        (f"To: Ana <ana@example.org>,\r\n gm+{DAN}@pbem.example.org", "to"),
        (f"Cc: gm+{DAN}@pbem.example.org", "cc"),
        (f"In-Reply-To: <o.{DAN}.3@pbem.example.org>", "in-reply-to"),
        (f"References: <x@example.com>\r\n <o.{DAN}.3@pbem.example.org>", "references"),
    ],
)
def test_a_token_is_found_wherever_it_survives(header: str, where: str, us: Us) -> None:
    identity = identify(mail(header), us, TOKENS)
    assert identity.token == Token(7, 12, 4, Purpose.ORDERS)
    assert identity.where == where
    assert identity.sender == "dan@example.com"
    assert identity.display_name == "Dan"


def test_the_address_is_surer_than_the_thread(us: Us) -> None:
    identity = identify(mail(f"References: <o.{ANA}.1@pbem.example.org>", to(DAN)), us, TOKENS)
    assert identity.token == TOKENS.read(DAN)
    assert identity.conflicting
    assert [f.where for f in identity.found] == ["to", "references"]
    assert not identify(mail(f"References: <o.{DAN}.1@pbem.example.org>", to(DAN)), us, TOKENS).conflicting


@pytest.mark.parametrize(
    "header",
    [
        f"To: gm+{DAN}@elsewhere.example.org",
        f"To: xgm+{DAN}@pbem.example.org",
        f"To: gm+{DAN}@pbem.example.org.evil.example.com",
        f"Subject: {DAN}",
        f"Reply-To: gm+{DAN}@pbem.example.org",
        f"In-Reply-To: <o.{DAN}.3@example.com>",
        to(TOKENS.make(7, 12, 4, Purpose.BOUNCE)),
        to(TOKENS.make(7, 12, 4, Purpose.STOP)),
    ],
)
def test_a_token_elsewhere_or_for_something_else_counts_for_nothing(header: str, us: Us) -> None:
    identity = identify(mail(header), us, TOKENS)
    assert identity.token is None
    assert not identity.forged


def test_a_token_that_is_not_ours_is_noticed(us: Us) -> None:
    assert identify(mail(to(FORGED)), us, TOKENS).forged
    assert not identify(mail(to(FORGED), f"In-Reply-To: <o.{DAN}.3@pbem.example.org>"), us, TOKENS).forged


RIGHT = Identity(Token(7, 12, 4, Purpose.ORDERS), "to", "dan@example.com", "Dan", "pass", False, False)
NONE = replace(RIGHT, token=None, where="")
BAD = replace(NONE, forged=True)


@pytest.mark.parametrize(
    ("identity", "sender", "result", "expected"),
    [
        (RIGHT, "dan@example.com", "pass", Verdict.APPLY),
        (RIGHT, "dan@example.com", None, Verdict.APPLY),
        (RIGHT, "dan@example.com", "fail", Verdict.HOLD),
        (RIGHT, "work@example.net", "pass", Verdict.HOLD),
        (RIGHT, "work@example.net", None, Verdict.HOLD),
        (RIGHT, "", "pass", Verdict.HOLD),
        (NONE, "dan@example.com", "pass", Verdict.APPLY),
        (NONE, "dan@example.com", None, Verdict.CODE),
        (NONE, "dan@example.com", "fail", Verdict.CODE),
        (NONE, "work@example.net", "pass", Verdict.IGNORE),
        (NONE, "", None, Verdict.IGNORE),
        (BAD, "dan@example.com", "pass", Verdict.REFUSE),
        (BAD, "work@example.net", None, Verdict.REFUSE),
    ],
)
def test_the_table(identity: Identity, sender: str, result: str | None, expected: Verdict) -> None:
    seen = replace(identity, sender=sender, dmarc=result)  # type: ignore[arg-type]
    assert verdict(seen, {"Dan@Example.com"}) is expected


@pytest.mark.parametrize("sender", ["DAN@example.COM", "dan+games@example.com", "dan@example.com"])
def test_case_and_plus_part_are_no_difference(sender: str) -> None:
    assert verdict(replace(RIGHT, sender=sender), ["dan@example.com"]) is Verdict.APPLY
    assert verdict(replace(RIGHT, sender="d.an@example.com"), ["dan@example.com"]) is Verdict.HOLD


@pytest.mark.parametrize(
    ("headers", "expected"),
    [
        ([SAID + "dmarc=pass header.from=example.com"], "pass"),
        ([SAID + "spf=pass;\r\n dkim=fail; dmarc=FAIL (p=reject) header.from=example.com"], "fail"),
        ([SAID + "dmarc=none"], None),
        ([SAID + 'spf=fail reason="dmarc=pass; dmarc=pass"'], None),
        ([SAID + "spf=fail (dmarc=pass; (x) dmarc=pass)"], None),
        ([SAID + "none"], None),
        (["Authentication-Results: mx.evil.example.com; dmarc=pass"], None),
        (["Authentication-Results: spf=pass smtp.mailfrom=example.com; dmarc=pass action=none"], None),
        (["Authentication-Results: mx.pbem.example.org 1; dmarc/1=pass"], "pass"),
        (["Received: from x by mx.pbem.example.org (Postfix); now", SAID + "dmarc=pass"], "pass"),
        (["Received: from x by imap.pbem.example.org; now", SAID + "dmarc=pass"], "pass"),
        (["Received: from x by mx.example.com; now", SAID + "dmarc=pass"], None),
        (
            [
                "Received: from mx.pbem.example.org (by mx.pbem.example.org) by evil.example",
                SAID + "dmarc=pass",
            ],
            None,
        ),
        (["Received: garbage", SAID + "dmarc=pass"], None),
        ([SAID + "dmarc=fail", SAID + "dmarc=pass"], "fail"),
        (["Authentication-Results:", "Authentication-Results: ;;;=;"], None),
    ],
)
def test_only_our_own_server_is_believed(headers: list[str], expected: str | None, us: Us) -> None:
    known = replace(us, hosts=frozenset({"imap.pbem.example.org"}))
    assert identify(mail(*headers), known, TOKENS).dmarc == expected
    assert identify(mail(*headers), replace(known, authserv_id=""), TOKENS).dmarc is None


@given(st.lists(st.tuples(st.sampled_from(["received", "authentication-results"]), st.text())))
def test_no_header_whatever_raises(fields: list[tuple[str, str]]) -> None:
    us = Us("x", "example.org", "gm+stop@example.org", "X-Loop", authserv_id="mx.example.org")
    assert dmarc(fields, us) in ("pass", "fail", None)
