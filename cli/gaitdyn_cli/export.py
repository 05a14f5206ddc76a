"""``gaitdyn export``: results in the formats of other programs."""

from __future__ import annotations

from pathlib import Path
from typing import Optional

from gaitdyn_cli.choices import check_word
from gaitdyn_cli.console import answer, say
from gaitdyn_cli.options import with_options


@with_options("export")
def export(
    results: Path,
    to: str,
    out: Optional[Path] = None,
    trial: Optional[Path] = None,
    near: Optional[list[Path]] = None,
    force: bool = False,
    with_names: bool = False,
    quiet: bool = False,
) -> None:
    """Write the results of a trial in another program's format."""
    from gaitdyn import exchange

    check_word("to", to, exchange.FORMATS)
    written = exchange.export(
        results, to, out, trial=trial, near=near or (), force=force, with_names=with_names
    )
    if not quiet:
        say(*written.notes)
        answer(*(f"{to}: {path}" for path in written.paths))
