"""Write curves over time and over cycles as Parquet, with units in the columns' metadata."""

from __future__ import annotations

import json
from io import BytesIO
from typing import TYPE_CHECKING, Any

from gaitdyn.exchange.curves import cycle_columns, cycle_units, read_curves
from gaitdyn.exchange.targets import Written
from gaitdyn.store import document_text
from gaitdyn.store.document import document_of
from gaitdyn.store.single_file import put_in_place
from gaitdyn.tables.answers import counting_of, cycle_curves_of, shown_curves_of
from gaitdyn.types.extras import import_extra

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from gaitdyn.store import StoredTrial
    from gaitdyn.trial import Result
    from gaitdyn.types.arrays import Array


def write_parquet(stored: StoredTrial, paths: Sequence[Path]) -> Written:
    """Write ``timeseries`` and, if there are cycles, ``cycles``.

    Parameters
    ----------
    stored : StoredTrial
    paths : sequence of 2 Path

    Raises
    ------
    ExtraMissing
        When pyarrow is not installed.
    """
    import_extra("pyarrow.parquet", "--to parquet")
    text = document_text(stored.document)
    curves = read_curves(stored.path)
    columns: dict[str, Array | list[str]] = {"frame": curves.frame, "time_s": curves.time_s}
    columns |= dict(zip(curves.names, curves.values.T, strict=True))
    put_in_place(paths[0], parquet_bytes(text, columns, curves.about))
    units = {name: {"unit": unit} for name, unit in cycle_units(stored.cycles).items()}
    if not units:
        return Written((paths[0],), ("the results have no cycles: only the curves were written",))
    put_in_place(
        paths[1], parquet_bytes(text, cycle_columns(stored.cycles, stored.counting), units)
    )
    return Written(tuple(paths))


def tables_writer() -> Callable[[Path, Result], None]:
    """Return a function that writes ``timeseries.parquet`` and ``cycles.parquet`` of a result.

    Raises
    ------
    ExtraMissing
        When pyarrow is not installed.
    """
    import_extra("pyarrow.parquet", "--format parquet")

    def write(folder: Path, result: Result) -> None:
        text = document_text(document_of(result))
        curves, cycles = shown_curves_of(result), cycle_curves_of(result)
        columns: dict[str, Array | list[str]] = {
            "frame": result.frame_numbers,
            "time_s": result.time_s,
            **{curve.name: curve.values for curve in curves},
        }
        about = {"time_s": {"unit": "s"}}
        for c in curves:
            words = {"unit": c.unit, "frame": c.frame, "positive": c.positive, "how": c.how}
            about[c.name] = {key: word for key, word in words.items() if word}
        (folder / "timeseries.parquet").write_bytes(parquet_bytes(text, columns, about))
        units = {name: {"unit": unit} for name, unit in cycle_units(cycles).items()}
        if units:
            table = parquet_bytes(text, cycle_columns(cycles, counting_of(result)), units)
            (folder / "cycles.parquet").write_bytes(table)

    return write


def parquet_bytes(
    document: str, columns: dict[str, Array | list[str]], about: dict[str, dict[str, str]]
) -> bytes:
    """Return one table as Parquet; an unknown number is null.

    Parameters
    ----------
    document : str
        Text of ``result.json``, stored as metadata ``gaitdyn`` of the table.
    columns : dict
        Name -> numbers or texts, all of one length.
    about : dict
        Name -> ``unit`` and other texts, stored as metadata of the column.
    """
    import pyarrow as pa  # pyright: ignore[reportMissingImports]
    import pyarrow.parquet as pq  # pyright: ignore[reportMissingImports]

    arrays = [_array(pa, values) for values in columns.values()]
    fields = [
        pa.field(name, array.type, metadata=about.get(name) or None)
        for name, array in zip(columns, arrays, strict=True)
    ]
    document = json.dumps(json.loads(document), ensure_ascii=False)
    schema = pa.schema(fields, metadata={"gaitdyn": document})
    stream = BytesIO()
    pq.write_table(pa.Table.from_arrays(arrays, schema=schema), stream)
    return stream.getvalue()


def _array(pa: Any, values: Array | list[str]) -> Any:
    if isinstance(values, list):
        return pa.array(values, pa.string())
    return pa.array(values, pa.float64(), from_pandas=True)
