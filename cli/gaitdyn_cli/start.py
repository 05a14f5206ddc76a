"""The ``gaitdyn`` command from its first moment: Ctrl-C while it loads is one line, too."""

from __future__ import annotations

import sys

STOPPED = 130
"""Exit code of a program that Ctrl-C stopped."""


def main() -> None:
    """Load the command line and run it."""
    try:
        from gaitdyn_cli.app import main as run

        run()
    except KeyboardInterrupt:
        sys.stderr.write("gaitdyn: stopped\n")
        sys.exit(STOPPED)
