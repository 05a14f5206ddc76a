"""Write curves over time and over cycles as Parquet, with units in the columns' metadata."""

from __future__ import annotations

import json
from io import BytesIO
from typing import TYPE_CHECKING, Any

from gaitdyn.exchange.curves import StoredCurves, curves_in, cycle_columns, cycle_units
from gaitdyn.exchange.targets import Written
from gaitdyn.store import document_text
from gaitdyn.store.document import document_of
from gaitdyn.store.single_file import put_in_place
from gaitdyn.tables.answers import counting_of, cycle_curves_of
from gaitdyn.types.extras import import_extra

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
    from pathlib import Path

    from gaitdyn.store import StoredTrial
    from gaitdyn.trial import Result
    from gaitdyn.types.arrays import Array
    from gaitdyn.types.cycles import CycleCurves


def write_parquet(stored: StoredTrial, curves: StoredCurves, paths: Sequence[Path]) -> Written:
    """Write ``timeseries`` and, if there are cycles, ``cycles``.

    Parameters
    ----------
    stored : StoredTrial
    curves : StoredCurves
        Of the same trial.
    paths : sequence of 2 Path

    Raises
    ------
    ExtraMissing
        When pyarrow is not installed.
    """
    import_extra("pyarrow.parquet", "--to parquet")
    tables = _tables(document_text(stored.document), curves, stored.cycles, stored.counting)
    written = dict(zip(paths, tables, strict=False))
    for path, table in written.items():
        put_in_place(path, table)
    whole = len(written) == len(paths)
    notes = () if whole else ("the results have no cycles: only the curves were written",)
    return Written(tuple(written), notes)


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
        cycles, counting = cycle_curves_of(result), counting_of(result)
        tables = _tables(text, curves_in(result), cycles, counting)
        for name, table in zip(("timeseries", "cycles"), tables, strict=False):
            (folder / f"{name}.parquet").write_bytes(table)

    return write


def _tables(
    document: str,
    curves: StoredCurves,
    cycles: Sequence[CycleCurves],
    counting: Mapping[str, Collection[tuple[str, int]]],
) -> Iterator[bytes]:
    """Yield the curves over time and, if there are cycles, those over cycles, as Parquet."""
    yield parquet_bytes(document, curves.columns, curves.about)
    if cycles:
        units = {name: {"unit": unit} for name, unit in cycle_units(cycles).items()}
        yield parquet_bytes(document, cycle_columns(cycles, counting), units)


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
