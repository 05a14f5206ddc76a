"""The report of one result, straight from memory."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gaitdyn.metrics.norm_files import read_norm
from gaitdyn.report.files import report_files, write_report
from gaitdyn.report.groups import pooled
from gaitdyn.report.report import make_report
from gaitdyn.store.stored import trial_of_result

if TYPE_CHECKING:
    from pathlib import Path

    from gaitdyn.trial import Result


def report_of(
    result: Result, path: Path, norm: str | Path | None = None, *, with_names: bool = False
) -> Path:
    """Write the report of a result.

    Parameters
    ----------
    result : Result
    path : Path
        Ends in ``.html`` or ``.pdf``.
    norm : str or Path, optional
        A reference set.
    with_names : bool
        Leave names of persons in names of files and conditions.

    Returns
    -------
    Path
    """
    (file,) = report_files([], path, pdf=False)
    reference = None if norm is None else read_norm(norm)
    groups = pooled([trial_of_result(result, result.folder)])
    return write_report(make_report(groups, reference, with_names=with_names), [file])[0]
