"""Results read back from the folder that :meth:`gaitdyn.Result.save` wrote."""

from __future__ import annotations

from pathlib import Path

from gaitdyn.errors import ResultsRefused
from gaitdyn.store.binary import VALUES, read_values
from gaitdyn.store.folder import DOCUMENT
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
        When it holds no results, or ones that this version cannot read.

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
    if not (place / DOCUMENT).is_file():
        found = "no results in it" if place.is_dir() else "no such folder"
        message = f"{place}: found {found}; wanted a folder that gaitdyn wrote"
        raise ResultsRefused(message)
    if not (place / VALUES).is_file():
        message = (
            f"{place}: found results without {VALUES}, as older versions wrote them; process the"
            " trial again with this version of gaitdyn"
        )
        raise ResultsRefused(message)
    values, kept = read_values(place / VALUES)
    try:
        result = Result(**values, folder=place)
    except TypeError as error:
        message = (
            f"{place}: found values of another version ({error}); process the trial again with"
            " this version of gaitdyn"
        )
        raise ResultsRefused(message) from error
    result.kept.update(kept)
    return result
