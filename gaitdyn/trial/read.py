"""Read results back from the folder that :meth:`gaitdyn.Result.save` wrote."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path

from gaitdyn.store.stored import stored_values
from gaitdyn.trial.result import Result
from gaitdyn.types.arguments import path_of


def read_results(folder: str | Path) -> Result:
    """Read one results folder; values and tables are the same as when it was written.

    Options contain the names of files, not their paths. The raw channels of the recording and the
    stages are not stored, so uncertainty bands and sweeps require the trial to be processed again.

    Parameters
    ----------
    folder : str or Path
        Written by :meth:`gaitdyn.Result.save`, ``gaitdyn process`` or ``gaitdyn batch``.

    Returns
    -------
    Result

    Raises
    ------
    ResultsRefused
        When the folder has no results, or they are damaged or cannot be read by this version.
    UsageError
        When ``folder`` is not a path.

    See Also
    --------
    gaitdyn.process_trial : Compute a result.

    Examples
    --------
    >>> import gaitdyn, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = gaitdyn.process_trial("data/walk01.c3d").save(f"{folder}/walk01")
    ...     gaitdyn.read_results(f"{folder}/walk01").verdict
    'pass'
    """
    folder = path_of("folder", folder, "a results folder")
    values = stored_values(folder, "read")
    result = Result(
        **{f.name: getattr(values, f.name) for f in fields(values) if f.init}, folder=folder
    )
    result.kept.update(values.kept)
    return result
