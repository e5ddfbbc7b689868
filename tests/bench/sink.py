"""A mail server that counts and forgets, in a process of its own."""

from __future__ import annotations

import asyncio
import sys
from typing import Any

from aiosmtpd.smtp import SMTP, Envelope, Session


class Sink:
    """Says 250 to everything."""

    async def handle_DATA(self, server: Any, session: Session, envelope: Envelope) -> str:
        return "250 OK"


async def main() -> None:
    """Listen on a free port, print it, serve until the end of standard input."""
    loop = asyncio.get_running_loop()
    server = await loop.create_server(lambda: SMTP(Sink(), hostname="sink.invalid"), "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await loop.run_in_executor(None, sys.stdin.read)
    server.close()


if __name__ == "__main__":
    asyncio.run(main())
