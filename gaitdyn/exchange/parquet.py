"""Write curves over time and over cycles as Parquet, with units in the columns' metadata."""

from __future__ import annotations

import json
from io import BytesIO
from typing import TYPE_CHECKING, Any

from gaitdyn.exchange.curves import StoredCurves, curves_in, cycle_columns, cycle_units
from gaitdyn.exchange.muscles import CURVE_UNITS, muscle_columns
from gaitdyn.exchange.targets import Written
from gaitdyn.quality.rules.muscles import emg_of
from gaitdyn.store import document_text
from gaitdyn.store.document import document_of
from gaitdyn.store.single_file import put_in_place
from gaitdyn.tables.answers import counting_of, cycle_curves_of
from gaitdyn.types.extras import import_extra

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence
    from pathlib import Path

    from gaitdyn.store import StoredTrial
    from gaitdyn.trial import Result
    from gaitdyn.types.arrays import Array
    from gaitdyn.types.cycles import CycleCurves
    from gaitdyn.types.emg import Emg

_TABLES: tuple[str, ...] = ("timeseries", "cycles", "emg")


def write_parquet(stored: StoredTrial, curves: StoredCurves, paths: Sequence[Path]) -> Written:
    """Write ``timeseries`` and, if there are cycles or muscles, ``cycles`` and ``emg``.

    Parameters
    ----------
    stored : StoredTrial
    curves : StoredCurves
        Of the same trial.
    paths : sequence of 3 Path
        In this order.

    Raises
    ------
    ExtraMissing
        When pyarrow is not installed.
    """
    import_extra("pyarrow.parquet", "--to parquet")
    cycles = stored.cycles, stored.counting
    tables = _tables(document_text(stored.document), curves, cycles, stored.emg)
    places = dict(zip(_TABLES, paths, strict=True))
    for name, table in tables.items():
        put_in_place(places[name], table)
    without = "the results have no cycles: only the curves were written"
    notes = () if len(tables) > 1 else (without,)
    return Written(tuple(places[name] for name in tables), notes)


def tables_writer() -> Callable[[Path, Result], None]:
    """Return a function that writes the tables of a result, such as ``timeseries.parquet``.

    Raises
    ------
    ExtraMissing
        When pyarrow is not installed.
    """
    import_extra("pyarrow.parquet", "--format parquet")

    def write(folder: Path, result: Result) -> None:
        text = document_text(document_of(result))
        cycles = cycle_curves_of(result), counting_of(result)
        tables = _tables(text, curves_in(result), cycles, emg_of(result))
        for name, table in tables.items():
            (folder / f"{name}.parquet").write_bytes(table)

    return write


def _tables(
    document: str,
    curves: StoredCurves,
    cycles: tuple[Sequence[CycleCurves], Mapping[str, Collection[tuple[str, int]]]],
    emg: Emg | None,
) -> dict[str, bytes]:
    """Return those of :data:`_TABLES` that are not empty, as Parquet; ``timeseries`` always is."""
    timeseries, over_cycles, muscles = _TABLES
    tables = {timeseries: parquet_bytes(document, curves.columns, curves.about)}
    if cycles[0]:
        units = {name: {"unit": unit} for name, unit in cycle_units(cycles[0]).items()}
        tables[over_cycles] = parquet_bytes(document, cycle_columns(*cycles), units)
    if columns := muscle_columns(emg):
        units = {name: {"unit": unit} for name, unit in CURVE_UNITS.items()}
        tables[muscles] = parquet_bytes(document, columns, units)
    return tables


def parquet_bytes(
    document: str, columns: Mapping[str, Array | list[str]], about: dict[str, dict[str, str]]
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
    import pyarrow as pa
    import pyarrow.parquet as pq

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
