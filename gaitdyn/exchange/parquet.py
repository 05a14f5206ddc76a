"""``--to parquet``: curves over time and over cycles, with units in the columns' metadata."""

from __future__ import annotations

import json
from io import BytesIO
from typing import TYPE_CHECKING, Any

from gaitdyn.errors import UsageError
from gaitdyn.exchange.curves import read_curves
from gaitdyn.exchange.tables import cycle_columns, cycle_units
from gaitdyn.exchange.written import Written
from gaitdyn.store import document_text
from gaitdyn.store.single_file import put_in_place

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from gaitdyn.store import StoredTrial
    from gaitdyn.types.arrays import Array


def write_parquet(stored: StoredTrial, paths: Sequence[Path]) -> Written:
    """Write ``timeseries`` and ``cycles``; the file of cycles only when there are any.

    Parameters
    ----------
    stored : StoredTrial
    paths : sequence of 2 Path

    Raises
    ------
    UsageError
        When pyarrow is not installed.
    """
    _require_pyarrow()
    curves = read_curves(stored.path)
    columns: dict[str, Array | list[str]] = {"frame": curves.frame, "time_s": curves.time_s}
    columns |= dict(zip(curves.names, curves.values.T, strict=True))
    put_in_place(paths[0], parquet_bytes(stored, columns, curves.about))
    units = {name: {"unit": unit} for name, unit in cycle_units(stored.cycles).items()}
    if not units:
        return Written((paths[0],), ("the results hold no cycles: only the curves were written",))
    put_in_place(paths[1], parquet_bytes(stored, cycle_columns(stored.cycles), units))
    return Written(tuple(paths))


def _require_pyarrow() -> None:
    try:
        import pyarrow.parquet  # noqa: F401  # pyright: ignore[reportMissingImports]
    except ImportError:
        message = "--to parquet needs pyarrow; install it with: pip install 'gaitdyn[parquet]'"
        raise UsageError(message) from None


def parquet_bytes(
    stored: StoredTrial, columns: dict[str, Array | list[str]], about: dict[str, dict[str, str]]
) -> bytes:
    """Return one table; a number that is not known is null.

    Parameters
    ----------
    stored : StoredTrial
        Its ``result.json`` is kept whole, as metadata ``gaitdyn`` of the table.
    columns : dict
        Name -> numbers or texts, of one length.
    about : dict
        Name -> ``unit`` and more, kept as metadata of the column.
    """
    import pyarrow as pa  # pyright: ignore[reportMissingImports]
    import pyarrow.parquet as pq  # pyright: ignore[reportMissingImports]

    arrays = [_array(pa, values) for values in columns.values()]
    fields = [
        pa.field(name, array.type, metadata=about.get(name) or None)
        for name, array in zip(columns, arrays, strict=True)
    ]
    document = json.dumps(json.loads(document_text(stored.document)), ensure_ascii=False)
    schema = pa.schema(fields, metadata={"gaitdyn": document})
    stream = BytesIO()
    pq.write_table(pa.Table.from_arrays(arrays, schema=schema), stream)
    return stream.getvalue()


def _array(pa: Any, values: Array | list[str]) -> Any:
    if isinstance(values, list):
        return pa.array(values, pa.string())
    return pa.array(values, pa.float64(), from_pandas=True)
