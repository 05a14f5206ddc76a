"""The options of commands that run results again: where the recorded inputs are."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Optional

import typer

from gaitdyn_cli.choices import setting

Results = Annotated[Path, typer.Argument(help="Results folder of a trial.", show_default=False)]
TrialFile = Annotated[
    Optional[Path],
    typer.Option("--trial", help="The recording that was processed.", show_default=False),
]
StaticFile = Annotated[
    Optional[Path], typer.Option("--static", help="Its static trial.", show_default=False)
]
SubjectFile = Annotated[
    Optional[Path], typer.Option("--subject", help="Its subject.toml.", show_default=False)
]
Near = Annotated[
    Optional[list[Path]],
    typer.Option(help="Another folder in which to look for the inputs.", show_default=False),
]
Prefix = Annotated[Optional[str], setting("subject_prefix")]
