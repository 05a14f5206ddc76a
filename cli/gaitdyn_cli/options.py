"""The options of what is written and said, each named and explained once.

Those of the computation are rows of :mod:`gaitdyn.types.option_rows`;
:func:`gaitdyn_cli.choices.with_settings` makes them options of a command.
"""

from __future__ import annotations

import typer

SENSITIVITY = typer.Option("--sensitivity", help="Write the peaks for cut-offs from 4 to 20 Hz.")
SWEEP = typer.Option(
    help="Write the peaks under other settings, KEY=A,B such as cutoff=6,10; repeatable."
)
FORMAT = typer.Option(
    "--format", help="csv, or parquet: curves over time and cycles also as Parquet."
)
REPORT = typer.Option(help="Report to write: none, html, pdf or both.")
NORM = typer.Option(help="Reference set for the report: CSV or .gcd.", readable=False)
FIGURES = typer.Option(help="Draw figures.")
INTERMEDIATE = typer.Option("--intermediate", help="Also write the segment motion: motion.npz.")
OUT_FOLDER = typer.Option("-o", "--out", help="Folder for the results.")
WITH_NAMES = typer.Option(
    "--with-names", help="Keep names of persons in reports and exports (docs/names.md)."
)
PSEUDONYMS = typer.Option(
    "--pseudonyms", help="Also mask names of persons in local tables and the index."
)
FORCE_FILE = typer.Option("--force", help="Replace a file that gaitdyn did not write.")
FORCE_FOLDER = typer.Option("--force", help="Replace a folder that gaitdyn did not write.")
VERIFY = typer.Option(
    "--verify", help="Check the SHA-256 of every results file, not only its size."
)
JSON = typer.Option("--json", help="Print one JSON document.")
QUIET = typer.Option("--quiet", help="Print errors only.")
