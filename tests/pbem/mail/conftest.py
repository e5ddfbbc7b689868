"""The toy game of the sample mails, and who "we" are in them."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from pbem.mail.reading import ReplyReader
from pbem.mail.us import Us

from .harbour import US, harbour_reader, order


@pytest.fixture
def us() -> Us:
    """The runner of the sample mails."""
    return US


@pytest.fixture
def reader() -> ReplyReader:
    """A reader of Harbour Wars."""
    return harbour_reader()


@pytest.fixture
def toy_order() -> Callable[[str], str | None]:
    """The grammar by itself."""
    return order
