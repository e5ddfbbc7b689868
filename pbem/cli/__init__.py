"""The command line."""

from __future__ import annotations

import sys
from collections.abc import Sequence


def main(argv: Sequence[str] | None = None) -> None:
    """The console script `pbem`; ends the process with its status."""
    sys.exit(run(sys.argv[1:] if argv is None else list(argv)))


def run(argv: list[str]) -> int:
    """One command; gives its exit status: 0 done, 1 not done, 2 not understood."""
    from .app import app
    from .errors import explained, written_down

    try:
        app(argv, prog_name="pbem")
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else 0
    except BrokenPipeError:  # the reader of our output has seen enough
        sys.stderr.close()
        return 1
    except Exception as e:
        print(f"pbem: {explained(e) or written_down(e, argv)}", file=sys.stderr)
        return 1
    return 0
