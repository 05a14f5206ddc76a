"""Print what a script does where ``--help`` is asked of it."""

from __future__ import annotations

import sys


def help_shown(text: str | None) -> None:
    """Print the docstring of a script and end, if ``--help`` or ``-h`` is among its words."""
    if {"-h", "--help"} & set(sys.argv[1:]):
        print((text or "").strip())
        sys.exit(0)
