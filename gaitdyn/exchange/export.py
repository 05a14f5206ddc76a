"""Write one results folder in the format of another program."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from gaitdyn.errors import FileRefused, UsageError
from gaitdyn.exchange.curves import curves_in
from gaitdyn.exchange.source import static_of, trial_of
from gaitdyn.exchange.targets import Written, check_targets, targets
from gaitdyn.store.outward import pseudonymised
from gaitdyn.store.stored import stored_values, trial_of_values
from gaitdyn.types.arguments import one_of, path_of, told

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from gaitdyn.exchange.curves import StoredCurves
    from gaitdyn.store.stored import StoredTrial

__all__ = ["FORMATS", "Written", "export"]

FORMATS: dict[str, tuple[str, ...]] = {
    "c3d": (".c3d",),
    "trc-mot": (".trc", ".mot", ".xml", ".static.trc"),
    "mat": (".mat",),
    "parquet": (".parquet", ".cycles.parquet", ".emg.parquet"),
}
"""Format -> endings of its files."""


def export(
    results: str | Path,
    to: str,
    out: str | Path | None = None,
    *,
    trial: str | Path | None = None,
    near: Sequence[str | Path] = (),
    force: bool = False,
    with_names: bool = False,
) -> Written:
    """Write results in another program's format.

    Parameters
    ----------
    results : str or Path
        Results folder of one trial.
    to : {"c3d", "trc-mot", "mat", "parquet"}
    out : str or Path, optional
        A folder or a name; the current folder by default.
    trial : str or Path, optional
        The recording, for ``c3d`` and ``trc-mot``; searched for by default.
    near : sequence of str or Path
        Further folders to search for the recording.
    force : bool
        Replace a file that gaitdyn did not write; an input is never replaced.
    with_names : bool
        Keep the names of persons, also in a C3D file; by default pseudonyms replace them.

    Returns
    -------
    Written
        ``paths`` and ``notes``.

    Raises
    ------
    GaitdynError
        When the results, the recording or the target of the export are refused.

    Examples
    --------
    >>> import gaitdyn, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = gaitdyn.process_trial("data/walk01.c3d").save(f"{folder}/walk01")
    ...     written = export(f"{folder}/walk01", "trc-mot", folder, near=["data"])
    >>> [path.name for path in written.paths][:2]
    ['walk01.gaitdyn.trc', 'walk01.gaitdyn.mot']
    """
    if to not in FORMATS:
        raise UsageError(f"to is {told(to)}, wanted {one_of(list(FORMATS))}")
    folder = path_of("results", results, "a results folder")
    values = stored_values(folder, "read")
    private = trial_of_values(folder, values)
    stored = pseudonymised(private, with_names=with_names)
    paths = targets(stored, _given("out", out), FORMATS[to])
    place = _given("trial", trial)
    folders = [path_of("near", folder, "a folder") for folder in near]
    recording = trial_of(private, place, folders) if to in {"c3d", "trc-mot"} else None
    check_targets(stored, paths, force=force)
    existing = [path for path in paths if path.exists()]
    static = static_of(private, folders) if to == "trc-mot" else None
    curves = curves_in(values)
    written = _write(stored, curves, to, paths, (recording, static), with_names=with_names)
    return replace(written, notes=(*written.notes, *_notes_on_existing(existing, written.paths)))


def _notes_on_existing(existing: Sequence[Path], written: Sequence[Path]) -> list[str]:
    """Return which files of an earlier export were replaced, and which stay beside the new ones."""
    replaced = ", ".join(path.name for path in existing if path in written)
    left = ", ".join(path.name for path in existing if path not in written)
    notes = [
        f"replaced: {replaced}; use another -o for a trial of the same name in another session"
    ] * bool(replaced)
    return notes + [f"of an earlier export, not of these results: {left}"] * bool(left)


def _given(argument: str, value: str | Path | None) -> Path | None:
    return None if value is None else path_of(argument, value, "a file or a folder")


def _write(
    stored: StoredTrial,
    curves: StoredCurves,
    to: str,
    paths: list[Path],
    read: tuple[Path | None, Path | None],
    *,
    with_names: bool,
) -> Written:
    """Write results in a format to paths that were checked; ``read`` are recording and static."""
    recording, static = read
    if to == "c3d" and recording is not None:
        from gaitdyn.io.file_kinds import holds_forces

        if not holds_forces(recording.name):
            raise FileRefused(
                f"{recording.name}: found a file that is not C3D, wanted one to which points can be"
                " added; export with --to trc-mot, mat or parquet"
            )
        from gaitdyn.exchange.c3d import write_c3d

        return write_c3d(stored, curves, recording, paths[0], with_names=with_names)
    if to == "trc-mot" and recording is not None:
        from gaitdyn.exchange.opensim import write_opensim

        return write_opensim(stored, curves, recording, static, paths)
    if to == "mat":
        from gaitdyn.exchange.matlab import write_mat

        return write_mat(stored, curves, paths[0])
    from gaitdyn.exchange.parquet import write_parquet

    return write_parquet(stored, curves, paths)
