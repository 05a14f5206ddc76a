"""Write docs/options.md: every option of the computation, from its row.

Run with ``python benchmarks/options_page.py``.
"""

from __future__ import annotations

import csv
from functools import cache
from pathlib import Path

from usage import help_shown

from gaitdyn.types.option_rows import ROWS, OptionRow

_PAGE = Path(__file__).resolve().parents[1] / "docs" / "options.md"
_HEAD = """# Options of the computation

These options change what gaitdyn computes. In `[options]` of `session.toml` a name has no leading
hyphens. In Python it is a field of `gaitdyn.Options` and a keyword of `gaitdyn.process_trial`. The
command line overrides `session.toml`, which overrides other files of the laboratory. `options` in
`result.json` records what a run used. For options of output see `gaitdyn process --help`.
`python benchmarks/options_page.py` writes this page.

| option | what it sets | default | commands | session.toml | in Python | `--sweep` |
|---|---|---|---|---|---|---|
"""


_CLI = Path(__file__).resolve().parents[1] / "cli" / "gaitdyn_cli" / "options.csv"
_ALSO = ("compare", "place", "reproduce")
"""Commands on a recording or its results that take some of these options in their own words."""


@cache
def _taken_by() -> dict[str, list[str]]:
    """Return field -> the commands of :data:`_ALSO` that take it."""
    found: dict[str, list[str]] = {}
    with _CLI.open(encoding="utf-8", newline="") as file:
        for line in csv.DictReader(file):
            own = [command for command in line["commands"].split() if command in _ALSO]
            found.setdefault(line["parameter"], []).extend(own)
    return found


def _commands(row: OptionRow) -> list[str]:
    own = row.commands.split()
    return [*own, *sorted(set(_taken_by().get(row.field, ())) - set(own))]


def _row(row: OptionRow) -> str:
    word = f"`--{row.name.replace('_', '-')}`"
    cells = (
        word,
        row.told.rstrip("."),
        f"`{row.default}`" if row.default else "",
        ", ".join(f"{x} new" if x == "model" else x for x in _commands(row)),
        "yes" if row.session else "",
        f"`{row.field}`",
        f"`{row.sweep}`" if row.sweep else "",
    )
    return f"| {' | '.join(cells)} |"


def page() -> str:
    """Return the page."""
    return _HEAD + "\n".join(_row(row) for row in ROWS if row.commands) + "\n"


if __name__ == "__main__":
    help_shown(__doc__)
    _PAGE.write_text(page(), encoding="utf-8")
