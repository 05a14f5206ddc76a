"""Results read back from the folder that :meth:`gaitdyn.Result.save` wrote."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path

from gaitdyn.store.stored import stored_values
from gaitdyn.trial.result import Result


def read_results(folder: str | Path) -> Result:
    """Read one results folder: the same values and answers as when it was written.

    Options hold the names of files, not their paths; the raw channels of the recording and the
    stages themselves are not kept, so that bands and sweeps want the trial processed again.

    Parameters
    ----------
    folder : str or Path
        That :meth:`gaitdyn.Result.save`, ``gaitdyn process`` or ``gaitdyn batch`` wrote.

    Returns
    -------
    Result

    Raises
    ------
    ResultsRefused
        When it holds no results, ones that are damaged where they are read, or ones that this
        version cannot read.

    See Also
    --------
    gaitdyn.process_trial : Compute a result.

    Examples
    --------
    >>> import gaitdyn
    >>> gaitdyn.read_results("gaitdyn-results/walk01").verdict  # doctest: +SKIP
    'pass'
    """
    place = Path(folder)
    values = stored_values(place, "read")
    told = {f.name: getattr(values, f.name) for f in fields(values) if f.init}
    result = Result(**told, folder=place)
    result.kept.update(values.kept)
    return result
