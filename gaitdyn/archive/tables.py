"""Write tables row by row, as CSV or, with pyarrow, as Parquet."""

from __future__ import annotations

import csv
import math
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from gaitdyn.tables.csv_files import safe_cell

_NUMBERS = {
    "age_years",
    "mass_kg",
    "height_m",
    "speed",
    "speed_nondimensional",
    "start_s",
    "stop_s",
    "foot_off_percent",
    "value",
    "limit",
    "percent",
}


class CsvTable:
    """A CSV file.

    Parameters
    ----------
    path : Path
    columns : tuple of str
    samples : int
        Number of float32 values in the blob at the end of each row, written as columns ``p0``,
        ``p1``, ...; 0 if there is no blob.
    """

    def __init__(self, path: Path, columns: tuple[str, ...], samples: int = 0) -> None:
        self._file = path.open("w", newline="", encoding="utf-8")
        self._writer = csv.writer(self._file, lineterminator="\n")
        self._samples = samples
        self._writer.writerow([*columns, *(f"p{i}" for i in range(samples))])

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def write(self, rows: Sequence[Sequence[Any]]) -> None:
        """Write rows; numbers have as many digits as their type."""
        if self._samples:
            rows = [(*row[:-1], *_texts(row[-1])) for row in rows]
        self._writer.writerows([[safe_cell(cell) for cell in row] for row in rows])


class ParquetTable:
    """A Parquet file (zstd) with the interface of :class:`CsvTable`; a blob becomes one list."""

    def __init__(self, path: Path, columns: tuple[str, ...], samples: int = 0) -> None:
        pa = import_module("pyarrow")  # an extra, which may be missing
        self._pa, self._samples = pa, samples
        kinds: list[Any] = [(name, self._kind(name)) for name in columns]
        if samples:
            kinds.append(("samples", pa.list_(pa.float32(), samples)))
        self._schema = pa.schema(kinds)
        self._file = path.open("wb")  # pyarrow cannot open a path that is not UTF-8
        self._writer = import_module("pyarrow.parquet").ParquetWriter(
            self._file, self._schema, compression="zstd"
        )

    def close(self) -> None:
        """Close the file."""
        with self._file:
            self._writer.close()

    def write(self, rows: Sequence[Sequence[Any]]) -> None:
        """Write rows as one row group."""
        columns: list[Any] = list(zip(*rows, strict=True))
        kinds = [field.type for field in self._schema]
        plain = columns[:-1] if self._samples else columns
        arrays = [
            self._pa.array(c, type=k) for c, k in zip(plain, kinds[: len(plain)], strict=True)
        ]
        if self._samples:
            values = self._pa.array(np.frombuffer(b"".join(columns[-1]), "<f4"))
            arrays.append(self._pa.FixedSizeListArray.from_arrays(values, self._samples))
        self._writer.write_table(self._pa.table(arrays, schema=self._schema))

    def _kind(self, name: str) -> Any:
        if name in _NUMBERS:
            return self._pa.float64()
        return self._pa.int32() if name == "cycle" else self._pa.string()


def _texts(blob: bytes) -> list[str]:
    """Return values with nine digits, which restore the same float32; empty if unknown."""
    values = np.frombuffer(blob, "<f4").tolist()
    return ["" if math.isnan(value) else f"{value:.9g}" for value in values]
