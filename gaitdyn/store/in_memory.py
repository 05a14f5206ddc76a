"""What a report needs of a trial, taken from the result itself: the same texts as in the folder."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from gaitdyn.store.document import document_of, document_text
from gaitdyn.store.result_tables import TABLES
from gaitdyn.store.stored import StoredTrial
from gaitdyn.store.view import view_of
from gaitdyn.tables.answers import cycle_curves_of
from gaitdyn.tables.csv_files import shown

if TYPE_CHECKING:
    from gaitdyn.types.result import Processed


def trial_of_result(result: Processed, folder: Path | None = None) -> StoredTrial:
    """Return a result as reports, archives and exports read it.

    Parameters
    ----------
    result : Processed
    folder : Path, optional
        Where bands, terms and sweeps lie, if any were written.
    """
    tables = {}
    for name, (columns, rows) in TABLES.items():
        cells = [[str(shown(value)) for value in row] for row in rows(result)]
        tables[name] = [dict(zip(columns, row, strict=True)) for row in cells]
    return StoredTrial(
        path=folder or Path(),
        name=Path(result.recording.name).stem,
        document=json.loads(document_text(document_of(result))),
        view=view_of(result),
        cycles=tuple(cycle_curves_of(result)),
        tables=tables,
    )
