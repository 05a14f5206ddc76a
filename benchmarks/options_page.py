"""Write docs/options.md: every option of the computation, from its row.

Run with ``python benchmarks/options_page.py``.
"""

from __future__ import annotations

from pathlib import Path

from gaitdyn.types.option_rows import ROWS, OptionRow

_PAGE = Path(__file__).resolve().parents[1] / "docs" / "options.md"
_HEAD = """# Options of the computation

One row an option, as the program has it (`python benchmarks/options_page.py` writes this page).
In `[options]` of `session.toml` a name stands without the hyphens in front; in Python it is a field
of `gaitdyn.Options` and a keyword of `gaitdyn.process_trial`. An option of the command line wins
over `session.toml`, this over files of the laboratory. What a run used is in `result.json`,
`options`. Options of what is written and said are in `gaitdyn process --help`.

| option | what it says | left out | taken by | session.toml | in Python | `--sweep` |
|---|---|---|---|---|---|---|
"""


def _row(row: OptionRow) -> str:
    word = f"`--{row.name.replace('_', '-')}`"
    cells = (
        word,
        row.told.rstrip("."),
        f"`{row.default}`" if row.default else "",
        ", ".join(f"{x} new" if x == "model" else x for x in row.commands.split()),
        "yes" if row.session else "",
        f"`{row.field}`",
        f"`{row.sweep}`" if row.sweep else "",
    )
    return f"| {' | '.join(cells)} |"


def page() -> str:
    """Return the page."""
    return _HEAD + "\n".join(_row(row) for row in ROWS if row.commands) + "\n"


if __name__ == "__main__":
    _PAGE.write_text(page(), encoding="utf-8")
