"""Write docs/options.md: every option of the computation, from its row.

Run with ``python benchmarks/options_page.py``.
"""

from __future__ import annotations

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
    help_shown(__doc__)
    _PAGE.write_text(page(), encoding="utf-8")
