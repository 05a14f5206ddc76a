"""``python -m gaitdyn``: the command where its script is not on the path."""

from __future__ import annotations

from gaitdyn_cli.start import main

if __name__ == "__main__":
    main()
