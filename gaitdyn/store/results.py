"""Writing everything that one trial gives."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gaitdyn.tables.csv_files import write_numbers
from gaitdyn.tables.vendor_names import vendor_curves

if TYPE_CHECKING:
    from gaitdyn.store.folder import ResultsFolder
    from gaitdyn.types.result import Result


def write_results(
    folder: ResultsFolder, result: Result, *, figures: bool, intermediate: bool
) -> str:
    folder.check(result.recording.sha256)
    curves = vendor_curves(result)
    with folder.writing() as place:
        names = ["frame", "time_s", *(c.name for c in curves)]
        columns = [result.frame_numbers, result.time_s, *(c.values for c in curves)]
        write_numbers(place / "timeseries.csv", names, columns)
    return "{}"
