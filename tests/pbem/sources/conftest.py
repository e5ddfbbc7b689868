"""A scripted IMAP server for each test, gone after it."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from pbem.sources.imap import ImapAccount, ImapSource


def _server_module() -> Any:
    name = "pbem_test_imap_server"
    spec = importlib.util.spec_from_file_location(name, Path(__file__).with_name("imap_server.py"))
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


_MODULE = _server_module()


@pytest.fixture
def imap_server() -> Iterator[Callable[..., Any]]:
    """Makes servers; keyword arguments say how they go wrong."""
    servers: list[Any] = []

    def make(**faults: Any) -> Any:
        servers.append(_MODULE.ImapServer(**faults))
        return servers[-1]

    yield make
    for server in servers:
        server.stop()


@pytest.fixture
def imap_source() -> Iterator[Callable[..., ImapSource]]:
    """Makes sources for a server, and closes them."""
    sources: list[ImapSource] = []

    def make(server: Any, **account: Any) -> ImapSource:
        settings: dict[str, Any] = {"tls": "none", "timeout": 5.0, "user": "gm", "password": "secret"}
        sources.append(ImapSource(ImapAccount("127.0.0.1", server.port, **(settings | account))))
        return sources[-1]

    yield make
    for source in sources:
        source.close()
