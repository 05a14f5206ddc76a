"""One results folder in another program's format."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from gaitdyn.errors import FileRefused
from gaitdyn.exchange.source import trial_of
from gaitdyn.exchange.targets import Written, check_targets, targets
from gaitdyn.store import read_trial
from gaitdyn.store.outward import outward

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from gaitdyn.store.stored import StoredTrial

__all__ = ["FORMATS", "Written", "export"]

FORMATS: dict[str, tuple[str, ...]] = {
    "c3d": (".c3d",),
    "trc-mot": (".trc", ".mot", ".xml"),
    "mat": (".mat",),
    "parquet": (".parquet", ".cycles.parquet"),
}
"""Format -> the endings of its files."""


def export(
    results: Path,
    to: str,
    out: Path | None = None,
    *,
    trial: Path | None = None,
    near: Sequence[Path] = (),
    force: bool = False,
    with_names: bool = False,
) -> Written:
    """Write results in another program's format.

    Parameters
    ----------
    results : Path
        Results folder of one trial.
    to : {"c3d", "trc-mot", "mat", "parquet"}
    out : Path, optional
        A folder or a name; the current folder when it is not given.
    trial : Path, optional
        The recording, for ``c3d`` and ``trc-mot``; looked for when it is not given.
    near : sequence of Path
        Further folders to look for the recording in.
    force : bool
        Replace a file that gaitdyn did not write; never an input.
    with_names : bool
        Leave the names of persons, also those in a C3D file; else pseudonyms stand for them.

    Returns
    -------
    Written

    Raises
    ------
    GaitdynError
        When the results, the recording or the place for the export are refused.
    """
    inside = read_trial(results, "read")
    stored = outward(inside, with_names=with_names)
    paths = targets(stored, out, FORMATS[to])
    recording = trial_of(inside, trial, near) if to in {"c3d", "trc-mot"} else trial
    check_targets(stored, paths, recording, force=force)
    before = [path for path in paths if path.exists()]
    written = _written(stored, to, paths, recording, with_names=with_names)
    gone = [path.name for path in before if path in written.paths]
    if not gone:
        return written
    note = (
        f"replaced: {', '.join(gone)}; a trial of the same name in another session wants its own -o"
    )
    return replace(written, notes=(*written.notes, note))


def _written(
    stored: StoredTrial, to: str, paths: list[Path], recording: Path | None, *, with_names: bool
) -> Written:
    """Write results in a format to places that were checked."""
    if to == "c3d" and recording is not None:
        from gaitdyn.io.recording import READERS

        if recording.suffix.lower() in READERS:
            raise FileRefused(
                f"{recording.name}: found no C3D file, wanted one to which points can be added;"
                " export with --to trc-mot, mat or parquet"
            )
        from gaitdyn.exchange.c3d import write_c3d

        return write_c3d(stored, recording, paths[0], with_names=with_names)
    if to == "trc-mot" and recording is not None:
        from gaitdyn.exchange.opensim import write_opensim

        return write_opensim(stored, recording, paths)
    if to == "mat":
        from gaitdyn.exchange.matlab import write_mat

        return write_mat(stored, paths[0])
    from gaitdyn.exchange.parquet import write_parquet

    return write_parquet(stored, paths)
