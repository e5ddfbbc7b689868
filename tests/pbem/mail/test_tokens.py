"""Tokens: what was signed comes back, and nothing else does."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.mail.tokens import Purpose, Token, Tokens, candidates, claimed

TOKENS = Tokens([b"a key"])
ALPHABET = "abcdefghijklmnopqrstuvwxyz234567"
TEXT = TOKENS.make(7, 12, 99, Purpose.ORDERS)


@given(
    game=st.integers(0, 2**32 - 1),
    digest=st.integers(0, 2**16 - 1),
    person=st.integers(0, 2**32 - 1),
    purpose=st.sampled_from(Purpose),
    salt=st.binary(max_size=8),
)
def test_round_trip(game: int, digest: int, person: int, purpose: Purpose, salt: bytes) -> None:
    text = TOKENS.make(game, digest, person, purpose, salt)
    assert len(text) == 36
    assert set(text) <= set(ALPHABET)
    assert TOKENS.read(text.upper(), salt) == Token(game, digest, person, purpose)
    assert TOKENS.read(text, salt + b"!") is None


@given(place=st.integers(0, 35), letter=st.sampled_from(ALPHABET))
def test_no_letter_may_be_changed(place: int, letter: str) -> None:
    other = TEXT[:place] + letter + TEXT[place + 1 :]
    assert (TOKENS.read(other) is not None) == (other == TEXT)


@given(st.text(max_size=40) | st.text(alphabet=ALPHABET, min_size=36, max_size=36))
def test_nothing_else_is_a_token_or_an_error(text: str) -> None:
    assert TOKENS.read(text) is None
    assert TOKENS.find(text) is None


def test_a_seat_that_was_handed_over_has_no_token_any_more() -> None:
    text = TOKENS.make(7, 12, 99, Purpose.ORDERS, b"epoch 1")
    epochs = {(7, 99): b"epoch 1"}
    assert TOKENS.read(text, lambda t: epochs.get((t.game, t.person))) is not None
    epochs[7, 99] = b"epoch 2"
    assert TOKENS.read(text, lambda t: epochs.get((t.game, t.person))) is None
    epochs.clear()
    assert TOKENS.read(text, lambda t: epochs.get((t.game, t.person))) is None


def test_a_new_key_signs_and_the_old_one_is_believed_until_it_is_struck_out() -> None:
    both = Tokens([b"a key", b"another"])
    new = both.make(7, 12, 99, Purpose.ORDERS)
    assert both.read(TEXT) == both.read(new)
    assert TOKENS.read(new) is None
    assert Tokens([b"", b"another"]).read(TEXT) is None
    assert Tokens([b"another"]).read(TEXT) is None


def test_a_token_is_found_in_a_text() -> None:
    assert TOKENS.find(f"<o.{TEXT}.3@pbem.example.org>") == TOKENS.read(TEXT)
    assert TOKENS.find(f"x{TEXT}") is None
    assert list(candidates(f"{TEXT.upper()} {'a' * 36}")) == [TEXT, "a" * 36]
    assert claimed(f"gm+{TEXT}") == Token(7, 12, 99, Purpose.ORDERS)


def test_a_purpose_is_part_of_what_is_signed() -> None:
    assert (
        TOKENS.make(7, 12, 99, Purpose.STOP)[:20] == TEXT[:17] + TOKENS.make(7, 12, 99, Purpose.STOP)[17:20]
    )
    token = TOKENS.read(TOKENS.make(7, 12, 99, Purpose.STOP))
    assert token is not None
    assert token.purpose is Purpose.STOP


@pytest.mark.parametrize("keys", [[], [b""], [b"x"] * 257])
def test_tokens_need_a_key(keys: list[bytes]) -> None:
    with pytest.raises(ValueError, match="keys"):
        Tokens(keys)


def test_a_number_that_does_not_fit_is_an_error() -> None:
    with pytest.raises(ValueError, match="no room"):
        TOKENS.make(7, 70_000, 99, Purpose.ORDERS)
