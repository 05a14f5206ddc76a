"""The curves of a trial as one partition of a table of all trials.

Every partition has the columns of ``curves`` in ``gaitdyn archive export``: Dask, DuckDB and
pyarrow read ``OUT/*/*/curves.parquet`` as one table, whatever markers a laboratory uses.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np

from gaitdyn.archive.cycles import CycleRow
from gaitdyn.archive.record import TrialRecord, record_of
from gaitdyn.archive.tables import ParquetTable
from gaitdyn.cycles.normalise import POINTS
from gaitdyn.store.persons import person_id
from gaitdyn.store.stored import StoredTrial

PARTITION = "curves.parquet"

_CODED = (
    f"{PARTITION}: an id that is also a name inside the recording is left out; its subject is"
    " unnamed- and a code of the static, so that two sessions are two people; --with-names keeps it"
)


def write_partition(place: Path, stored: StoredTrial, session: str, *, with_names: bool) -> str:
    """Write the curves of the cycles of one trial, one row per curve with any known sample.

    Parameters
    ----------
    place : Path
    stored : StoredTrial
    session : str
    with_names : bool
        Keep names of persons in the names of session and trial.

    Returns
    -------
    str
        What to tell of a pseudonym that is left out; empty if none is.
    """
    record = record_of(stored, session, pseudonyms=not with_names)
    columns = (*CycleRow._fields, "curve", "unit")
    with closing(ParquetTable(place / PARTITION, columns, POINTS)) as table:
        rows = list(_rows(record))
        if rows:
            table.write(rows)
    return "" if record.subject == person_id(stored.document) else _CODED


def _rows(record: TrialRecord) -> Iterator[tuple[Any, ...]]:
    trial = record.trial
    for cycle in record.cycles:
        row = CycleRow(
            record.subject,
            record.session,
            trial["name"],
            trial["condition"],
            cycle.side,
            cycle.number,
            cycle.kinetics,
            trial["verdict"],
            trial["age_years"],
            cycle.speed,
            cycle.speed_nondimensional,
        )
        for named, samples in zip(cycle.curves, cycle.samples, strict=True):
            if np.isfinite(samples).any():
                yield (*row, *named, samples.tobytes())
