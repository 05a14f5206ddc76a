"""The curves of a trial as a pandas table, with unit, frame and sign of each column."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gaitdyn.tables.columns import own_curves
from gaitdyn.tables.vendor_names import vendor_curves

if TYPE_CHECKING:
    import pandas as pd

    from gaitdyn.types.result import Result


def result_frame(result: Result) -> pd.DataFrame:
    """Return the columns of ``timeseries.csv`` as a table, not rounded.

    Parameters
    ----------
    result : Result

    Returns
    -------
    pandas.DataFrame
        A row a marker frame, indexed by ``frame`` (the file's own number); ``time_s`` and the
        curves. ``attrs["columns"]`` tells of each curve ``unit``, ``frame`` (its basis),
        ``positive``, ``how`` and ``rung``, as ``timeseries.json`` does.
    """
    import pandas as pd

    curves = vendor_curves(result) if result.options.names == "pig" else own_curves(result)
    columns = {"time_s": result.time_s}
    columns |= {one.name: one.values for one in curves}  # noqa: PD011  not of pandas
    index = pd.Index(result.frame_numbers.astype(int), name="frame")
    table = pd.DataFrame(columns, index=index)
    table.attrs["columns"] = {
        curve.name: {
            "unit": curve.unit,
            "frame": curve.frame,
            "positive": curve.positive,
            "how": curve.how,
            "rung": curve.rung,
        }
        for curve in curves
    }
    return table
